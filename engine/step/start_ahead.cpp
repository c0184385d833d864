#include "engine/step/start_ahead.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "collision/narrow/manifold.h"
#include "engine/step/soft_islands.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

bool areOfOnePart(const ContactPoint& p, const ContactPoint& q) {
  return p.colliderA == q.colliderA && p.colliderB == q.colliderB &&
         p.feature >> narrow::kFeatureBits == q.feature >> narrow::kFeatureBits;
}

/// With which body the edges of a pair of parts move, whose contacts begin at `first`: with the
/// face that its vertices lie on. None: with both alike, where there are no vertices or those of
/// both.
ContactVertex carrierOfEdges(std::span<const StepContact> contacts, std::size_t first) {
  bool hasOfA = false, hasOfB = false;
  for (std::size_t c = first; c < contacts.size(); ++c) {
    if (!areOfOnePart(contacts[c].point, contacts[first].point)) break;
    const ContactVertex vertex = vertexOf(contacts[c].point);
    hasOfA = hasOfA || vertex == ContactVertex::kOfA;
    hasOfB = hasOfB || vertex == ContactVertex::kOfB;
  }
  if (hasOfA == hasOfB) return ContactVertex::kNone;
  return hasOfA ? ContactVertex::kOfB : ContactVertex::kOfA;
}

/// One island, step by step.
class Prediction {
 public:
  Prediction(const SoftStepInput& input, int island, AheadWorkspace& work, ConstraintRows& rows)
      : input_(input),
        sources_(partOf(input.islands.sources, input.islands.blockStart, island)),
        problem_(islandProblem(input.islands, rows, island)),
        lambda_(rowsOf(input.islands, rows.lambda, island)),
        work_(work),
        rows_(rows) {
    const auto stabilization = rowsOf(input.islands, rows.stabilizationTerm, island);
    work.before.clear();
    work.end.resize(problem_.bodyCount());
    impulseToVelocity(problem_, lambda_, work.end);
    const auto bodies = partOf(input.islands.bodies, input.islands.bodyStart, island);
    for (int i = 0; i < problem_.bodyCount(); ++i) {
      work.before.push_back(input.motion.old[bodies[i]]);
      work.end[i] += input.motion.free[bodies[i]];
    }
    work.term.resize(lambda_.size());
    for (const ProblemBlock& block : problem_.blocks) {
      const int row = block.firstRow;
      work.term[row] = stabilization[row] + yielding(row, lambda_);
    }
  }

  const StepContact& contactOf(int k) const { return input_.contacts[sources_[k].index]; }
  const ContactProblem& problem() const { return problem_; }

  /// What the impulses change by in the next step, to `step`, in which it has zeros. Then that step
  /// is taken. `isFirst`: gaps are as they were detected. False: there is no factor.
  bool predict(bool isFirst, ContactSolver& solver, std::span<Real> step) {
    turnArms();
    for (int i = 0; i < problem_.bodyCount(); ++i) {
      work_.change[i] =
          applyInverseInertia(problem_.bodies[i], work_.change[i]) + work_.end[i] - work_.before[i];
    }
    work_.miss.resize(step.size());
    relativeVelocity(problem_, 0, problem_.blockCount(), work_.change, step, work_.miss);
    const Real kept = 1 - input_.settings.velocityGamma(input_.h);
    for (int k = 0; k < problem_.blockCount(); ++k) {
      const int row = problem_.blocks[k].firstRow;
      // A gap is closed, but for what compliance leaves of it; of an overlap a share is taken back.
      const bool isOpen = isFirst && contactOf(k).point.gap > 0;
      const Real left = kept * (isOpen ? yielding(row, lambda_) : work_.term[row]);
      work_.miss[row] += left - work_.term[row];
      work_.term[row] = left;
    }
    if (!solver.follow(work_.miss, step)) return false;
    for (const ProblemBlock& block : problem_.blocks) {
      work_.term[block.firstRow] += yielding(block.firstRow, step);
    }
    work_.before.swap(work_.end);
    impulseToVelocity(problem_, step, work_.end);
    for (int i = 0; i < problem_.bodyCount(); ++i) {
      work_.end[i] += work_.before[i] + work_.change[i];
    }
    return true;
  }

 private:
  /// What compliance makes of an impulse [m/s].
  Real yielding(int row, std::span<const Real> impulses) const {
    return problem_.compliance[row] * impulses[row];
  }

  /// The torques that impulses, which keep their direction, get by the way of a step [N m s].
  void turnArms() {
    work_.change.assign(problem_.bodyCount(), Vec6::Zero());
    ContactVertex ofEdges = ContactVertex::kNone;
    for (int k = 0; k < problem_.blockCount(); ++k) {
      const StepContact& contact = contactOf(k);
      if (k == 0 || !areOfOnePart(contactOf(k - 1).point, contact.point)) {
        ofEdges = carrierOfEdges(input_.contacts, static_cast<std::size_t>(sources_[k].index));
      }
      const ContactVertex vertex = vertexOf(contact.point);
      const ContactVertex carrier = vertex != ContactVertex::kNone ? vertex : ofEdges;
      const ProblemBlock& block = problem_.blocks[k];
      const ContactArms arms = armsOf(input_.bodies, contact);
      const Vec3 ofA = velocityAt(block.bodyA, contact.bodyA, arms.a);
      const Vec3 ofB = velocityAt(block.bodyB, contact.bodyB, arms.b);
      const Vec3 point = carrier == ContactVertex::kOfA   ? ofA
                         : carrier == ContactVertex::kOfB ? ofB
                                                          : Vec3(0.5 * (ofA + ofB));
      const Vec3 impulse = contactImpulse(contact, rows_);  // it changes by a thousandth
      turnArm(block.bodyA, point, -impulse);
      turnArm(block.bodyB, point, impulse);
    }
  }

  /// Of a point of a body: in the prediction where it is dynamic, else as it moves now.
  Vec3 velocityAt(int body, int slot, const Vec3& arm) const {
    const Vec6& velocity = body >= 0 ? work_.end[body] : input_.bodies.velocity[slot];
    return velocity.head<3>() + velocity.tail<3>().cross(arm);
  }

  void turnArm(int body, const Vec3& pointVelocity, const Vec3& impulse) {
    if (body < 0) return;
    const Vec3 way = input_.h * (pointVelocity - work_.end[body].head<3>());
    work_.change[body].tail<3>() += way.cross(impulse);
  }

  const SoftStepInput& input_;
  std::span<const BlockSource> sources_;
  ContactProblem problem_;
  std::span<const Real> lambda_;
  AheadWorkspace& work_;
  const ConstraintRows& rows_;
};

}  // namespace

void startAhead(const SoftStepInput& input, int island, const SolveResult& result,
                ContactSolver& solver, AheadWorkspace& work, ConstraintRows& rows) {
  const Islands& islands = input.islands;
  const auto ahead = rowsOf(islands, rows.ahead, island);
  const auto trend = rowsOf(islands, rows.trend, island);
  if (result.reason == SolveReason::kWarmStart) {
    std::ranges::copy(trend, ahead.begin());
    for (Real& value : trend) value *= 1 - input.settings.velocityGamma(input.h);
    return;
  }
  std::ranges::fill(trend, 0);
  // A fallback has a factor of its own.
  if (result.solver.factorizations == 0 || result.usedFallback) return;
  if (islands.sources[islands.blockStart[island]].isJoint()) return;
  Prediction prediction(input, island, work, rows);
  std::uint32_t factors = 0;  // of the steps before
  for (int k = 0; k < prediction.problem().blockCount(); ++k) {
    factors = std::max(factors, prediction.contactOf(k).soft.factors);
  }
  if (!std::has_single_bit(factors + 1)) return;
  if (!prediction.predict(true, solver, ahead)) return;
  // Where contacts changed their states, they may do so again: there is no trend.
  if (result.solver.factorizations == 1) prediction.predict(false, solver, trend);
}

}  // namespace drystone
