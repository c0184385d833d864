#include "engine/step/start_ahead.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/step/soft_islands.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

bool areOfOnePair(const StepContact& p, const StepContact& q) {
  return p.point.colliderA == q.point.colliderA && p.point.colliderB == q.point.colliderB;
}

/// With whose surface a contact moves: a vertex with its own body, and what else limits a face that
/// such vertices lie on with the face. None: with both alike.
ContactVertex carrierOf(std::span<const StepContact> contacts, std::size_t index) {
  const StepContact& contact = contacts[index];
  const ContactVertex own = vertexOf(contact.point);
  if (own != ContactVertex::kNone) return own;
  std::size_t first = index;
  while (first > 0 && areOfOnePair(contacts[first - 1], contact)) --first;
  for (; first < contacts.size() && areOfOnePair(contacts[first], contact); ++first) {
    const ContactVertex vertex = vertexOf(contacts[first].point);
    if (vertex == ContactVertex::kOfA) return ContactVertex::kOfB;
    if (vertex == ContactVertex::kOfB) return ContactVertex::kOfA;
  }
  return ContactVertex::kNone;
}

/// One island, step by step.
class Prediction {
 public:
  Prediction(const SoftStepInput& input, int island, AheadWorkspace& work, ConstraintRows& rows)
      : input_(input),
        sources_(partOf(input.islands.sources, input.islands.blockStart, island)),
        problem_(islandProblem(input.islands, rows, island)),
        work_(work),
        rows_(rows) {
    const auto lambda = rowsOf(input.islands, rows.lambda, island);
    const auto stabilization = rowsOf(input.islands, rows.stabilizationTerm, island);
    work.before.clear();
    work.end.resize(problem_.bodyCount());
    impulseToVelocity(problem_, lambda, work.end);
    const auto bodies = partOf(input.islands.bodies, input.islands.bodyStart, island);
    for (int i = 0; i < problem_.bodyCount(); ++i) {
      work.before.push_back(input.motion.old[bodies[i]]);
      work.end[i] += input.motion.free[bodies[i]];
    }
    work.term.resize(lambda.size());
    for (const ProblemBlock& block : problem_.blocks) {
      const int row = block.firstRow;
      work.term[row] = stabilization[row] + problem_.compliance[row] * lambda[row];
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
    // Gaps that a step closes, and the share of an overlap that it takes back, are not asked for
    // again.
    for (int k = 0; k < problem_.blockCount(); ++k) {
      const int row = problem_.blocks[k].firstRow;
      const bool isOpen = isFirst && contactOf(k).point.gap > 0;
      const Real share = isOpen ? 1 : input_.settings.velocityGamma(input_.h);
      work_.miss[row] -= share * work_.term[row];
      work_.term[row] *= 1 - share;
    }
    if (!solver.follow(work_.miss, step)) return false;
    work_.before.swap(work_.end);
    impulseToVelocity(problem_, step, work_.end);
    for (int i = 0; i < problem_.bodyCount(); ++i) {
      work_.end[i] += work_.before[i] + work_.change[i];
    }
    return true;
  }

 private:
  /// The torques that impulses, which keep their direction, get by the way of a step [N m s].
  void turnArms() {
    work_.change.assign(problem_.bodyCount(), Vec6::Zero());
    for (int k = 0; k < problem_.blockCount(); ++k) {
      const StepContact& contact = contactOf(k);
      const ProblemBlock& block = problem_.blocks[k];
      const ContactArms arms = armsOf(input_.bodies, contact);
      const Vec3 ofA = velocityAt(block.bodyA, arms.a), ofB = velocityAt(block.bodyB, arms.b);
      const auto index = static_cast<std::size_t>(sources_[k].index);
      const ContactVertex carrier = carrierOf(input_.contacts, index);
      const Vec3 point = carrier == ContactVertex::kOfA   ? ofA
                         : carrier == ContactVertex::kOfB ? ofB
                                                          : Vec3(0.5 * (ofA + ofB));
      const Vec3 impulse = contactImpulse(contact, rows_);  // it changes by a thousandth
      turnArm(block.bodyA, point, -impulse);
      turnArm(block.bodyB, point, impulse);
    }
  }

  Vec3 velocityAt(int body, const Vec3& arm) const {
    if (body < 0) return Vec3::Zero();
    return work_.end[body].head<3>() + work_.end[body].tail<3>().cross(arm);
  }

  void turnArm(int body, const Vec3& pointVelocity, const Vec3& impulse) {
    if (body < 0) return;
    const Vec3 way = input_.h * (pointVelocity - work_.end[body].head<3>());
    work_.change[body].tail<3>() += way.cross(impulse);
  }

  const SoftStepInput& input_;
  std::span<const BlockSource> sources_;
  ContactProblem problem_;
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
