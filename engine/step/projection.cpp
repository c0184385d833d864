#include "engine/step/projection.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "engine/step/cable_rows.h"
#include "engine/step/integrate.h"
#include "engine/step/rows.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

/// One island's projection at work.
class IslandProjection {
 public:
  IslandProjection(const ProjectionInput& input, int island, BodyStore& bodies, JointStore& joints,
                   ProjectionWorkspace& work)
      : input_(input),
        islands_(input.islands),
        island_(island),
        h_(input.h),
        bodies_(bodies),
        joints_(joints),
        work_(work) {}

  void run(SolverPool::Lane& lane) {
    work_.left.assign(islands_.blockStart[island_ + 1] - islands_.blockStart[island_], kNaN);
    Real error = gather();
    bool isCut = false;
    for (int i = 0; i < input_.settings.projection.iterations && error > 1; ++i) {
      savePoses();
      isCut = solve(lane) || isCut;
      const Real next = goUntilBetter(error);
      if (!(next < error)) break;
      error = next;
    }
    work_.cut += isCut ? 1 : 0;
  }

 private:
  std::span<const int> bodiesOfIsland() const {
    return std::span(islands_.bodies)
        .subspan(islands_.bodyStart[island_],
                 islands_.bodyStart[island_ + 1] - islands_.bodyStart[island_]);
  }

  /// Of M, or of M with the geometric stiffness where that is on: what is taut turns dearly then,
  /// and a straight chain is drawn in as a whole instead of folding its links.
  InverseInertia metricOf(int body) const {
    InverseInertia metric = bodies_.inverseInertia[body];
    if (!input_.addedInertia.empty() && !input_.addedInertia[body].isZero(0) &&
        bodies_.locked[body] >> 3 == 0) {
      const Mat3 inertia = metric.inverseInertia.inverse() + input_.addedInertia[body];
      metric.inverseInertia = inertia.inverse();
    }
    return metric;
  }

  /// The island's rows at the present poses. Returns the largest error as a multiple of its
  /// tolerance.
  Real gather() {
    StoredProblem& problem = work_.problem;
    problem.friction = FrictionModel::kNone;
    problem.timestep = h_;
    problem.blocks.clear();
    for (auto* array : {&problem.b, &problem.compliance, &problem.lower, &problem.upper}) {
      array->clear();
    }
    problem.jacobianA.clear();
    problem.jacobianB.clear();
    problem.bodies.clear();
    work_.ties.clear();
    for (const int body : bodiesOfIsland()) problem.bodies.push_back(metricOf(body));
    Real error = 0;
    const int begin = islands_.blockStart[island_], end = islands_.blockStart[island_ + 1];
    for (int k = begin; k < end; ++k) {
      const BlockSource source = islands_.sources[k];
      if (source.isContact()) {
        error = std::max(error, addContact(source.index, work_.left[k - begin]));
      } else if (const StepJointBlock& block = input_.blocks[source.index];
                 block.part == 0 && (block.cable < 0 || block.cable == block.joint)) {
        error = std::max(error, addJoint(block.joint));
      }
    }
    return error;
  }

  ProblemBlock& addBlock(int rows, int bodyA, int bodyB, std::uint64_t key) {
    const auto local = [&](int body) {
      return bodies_.isDynamic(body) ? islands_.localBody[body] : -1;
    };
    StoredProblem& problem = work_.problem;
    bodyA_ = bodyA;
    bodyB_ = bodyB;
    ProblemBlock& block = problem.blocks.emplace_back();
    block.firstRow = static_cast<int>(problem.b.size());
    block.rows = rows;
    block.bodyA = local(bodyA);
    block.bodyB = local(bodyB);
    block.key = key;
    work_.ties.emplace_back();
    return block;
  }

  void addRow(const Vec6& jacobianA, const Vec6& jacobianB, Real b, Real compliance, Real lower,
              Real upper) {
    StoredProblem& problem = work_.problem;
    const ProblemBlock& block = problem.blocks.back();
    problem.jacobianA.push_back(block.bodyA >= 0 ? jacobianA : Vec6::Zero());
    problem.jacobianB.push_back(block.bodyB >= 0 ? jacobianB : Vec6::Zero());
    bodies_.dropLocked(bodyA_, problem.jacobianA.back());
    bodies_.dropLocked(bodyB_, problem.jacobianB.back());
    problem.b.push_back(b);
    problem.compliance.push_back(compliance);
    problem.lower.push_back(lower);
    problem.upper.push_back(upper);
  }

  Real addJoint(int slot) {
    Joint& joint = joints_[slot];
    if (!hasRows(bodies_, joints_, joint)) return 0;
    std::vector<StepJointRow>& rows = work_.rows;
    rows.clear();
    joint.drift = joint.turnError = 0;
    const Real compliance = input_.settings.stabilization.complianceFor(h_);
    appendJointRows(bodies_, joints_,
                    {.h = h_, .gamma = 1, .compliance = compliance, .forces = false}, joint, rows);
    if (isSoft(joint)) return 0;
    const int count = static_cast<int>(rows.size());
    Real error = 0;
    for (int begin = 0; begin < count; begin += kMaxBlockRows) {
      const int end = std::min(begin + kMaxBlockRows, count);
      addBlock(end - begin, joint.bodyA, joint.bodyB, static_cast<std::uint64_t>(slot)).law =
          BlockLaw::kRows;
      for (int i = begin; i < end; ++i) {
        const StepJointRow& row = rows[i];
        addRow(row.jacobianA, row.jacobianB, row.bias, row.compliance, row.lower, row.upper);
        const bool isLock = std::isinf(row.lower);
        error = std::max(error, h_ * (isLock ? std::abs(row.bias) : -row.bias));
      }
    }
    if (joint.isFirstSpan() && count > 0) addSpans(joint, count);
    return error / input_.settings.projection.tolerance;
  }

  /// The parts of a cable's further spans in the rows of the first one, the last block. Moves of
  /// poses do not rub.
  void addSpans(const Joint& first, int count) {
    const int lead = static_cast<int>(work_.ties.size()) - 1;
    work_.ties.back().lead = lead;
    for (const int slot : first.further) {
      Joint& span = joints_[slot];
      appendSpanRows(bodies_, joints_, span, 0, count, work_.rows);
      addBlock(count, span.bodyA, span.bodyB, static_cast<std::uint64_t>(slot)).law =
          BlockLaw::kRows;
      work_.ties.back().lead = lead;
      for (int i = 0; i < count; ++i) {
        const StepJointRow& row = work_.rows[work_.rows.size() - count + i];
        addRow(row.jacobianA, row.jacobianB, 0, 0, row.lower, row.upper);
      }
    }
  }

  /// `left`: the overlap that stays, set the first time.
  Real addContact(int index, Real& left) {
    const StepContact& contact = input_.contacts[index];
    if (contact.isSoft) return 0;
    const int a = contact.bodyA, b = contact.bodyB;
    const auto [position, normal, gap] = placeContact(bodies_, contact, input_.anchors[index]);
    if (std::isnan(left)) {
      const Stabilization& stabilization = input_.settings.stabilization;
      const Real depth = std::max(-gap - stabilization.slop, 0.0);
      left = stabilization.slop + std::max(depth - h_ * stabilization.maxPushSpeed, 0.0);
    }
    // Of an overlap that stays nothing is given back: the pair may not come closer, no more.
    const Real error = gap < 0 ? std::min(gap + left, 0.0) : gap;
    addBlock(1, a, b, static_cast<std::uint64_t>(index)).law = BlockLaw::kContact;
    addRow(-pointRow(normal, position - bodies_.position[a]),
           pointRow(normal, position - bodies_.position[b]), error / h_, contact.compliance, 0,
           kInfinity);
    return -error / input_.settings.projection.overlap;
  }

  /// The displacement of a Newton step. Returns whether the solve hit a time limit.
  bool solve(SolverPool::Lane& lane) {
    const StoredProblem& stored = work_.problem;
    work_.lambda.assign(stored.b.size(), 0.0);
    work_.state.resize(stored.b.size());
    // Where something must be taken back an impulse is the likelier answer.
    for (std::size_t row = 0; row < stored.b.size(); ++row) {
      work_.state[row] =
          std::isinf(stored.lower[row]) || stored.b[row] < 0 ? RowState::kFree : RowState::kLower;
    }
    work_.displacement.resize(stored.bodies.size());
    const ContactProblem problem = stored.view();
    Budget budget = input_.settings.solver.budget;
    budget.tolerance = input_.settings.projection.tolerance / h_;
    budget.until = input_.until;
    const bool isTied =
        std::ranges::any_of(work_.ties, [](const auto& tie) { return tie.lead >= 0; });
    const ImpulseView impulses{work_.lambda, work_.state};
    if (isTied) {
      work_.tied.make(problem, work_.ties);
      work_.tied.restrict(impulses);
    }
    const SolveResult result =
        solveProblem(*lane.solver, isTied ? work_.tied.problem() : problem, budget,
                     isTied ? work_.tied.impulses() : impulses, lane.workspace, nullptr,
                     input_.settings.solver.condensation);
    if (isTied) work_.tied.expand(impulses);
    impulseToVelocity(problem, work_.lambda, work_.displacement);
    return result.solver.metTimeLimit;
  }

  /// Displaces the bodies by the Newton step, by half of it, and so on, as long as the error grows:
  /// to first order a share t of the step leaves 1 - t of the error, but light bodies may turn
  /// farther than first order goes. Returns the error, at worst the one before.
  Real goUntilBetter(Real before) {
    constexpr Real kLargestTurn = 0.5;  // [rad]
    constexpr int kHalvings = 6;        // then first order holds, or nothing will
    Real turn = 0;
    for (const Vec6& rate : work_.displacement) turn = std::max(turn, h_ * rate.tail<3>().norm());
    // Finite impulses may move light bodies by more than any number.
    if (!std::ranges::all_of(work_.displacement, [](const Vec6& u) { return u.allFinite(); })) {
      return before;
    }
    Real duration = h_ * std::min(1.0, kLargestTurn / turn);
    for (int i = 0; i <= kHalvings; ++i, duration /= 2) {
      for (std::size_t k = 0; k < work_.displacement.size(); ++k) {
        displaceBody(bodiesOfIsland()[k], duration * work_.displacement[k], bodies_);
      }
      const Real error = gather();
      if (error < before) return error;
      restorePoses();
    }
    gather();
    return before;
  }

  void savePoses() {
    work_.saved.clear();
    for (const int body : bodiesOfIsland()) {
      work_.saved.push_back({bodies_.position[body], bodies_.rotation[body]});
    }
  }

  void restorePoses() {
    for (std::size_t i = 0; i < work_.saved.size(); ++i) {
      const int body = bodiesOfIsland()[i];
      bodies_.position[body] = work_.saved[i].position;
      bodies_.rotation[body] = work_.saved[i].rotation;
      bodies_.updateInverseInertia(body);
    }
  }

  const ProjectionInput& input_;
  const Islands& islands_;
  int island_;
  Real h_;
  int bodyA_ = -1, bodyB_ = -1;  // slots, of the block that is being filled
  BodyStore& bodies_;
  JointStore& joints_;
  ProjectionWorkspace& work_;
};

}  // namespace

int projectPoses(const ProjectionInput& input, SolverPool& pool, BodyStore& bodies,
                 JointStore& joints, std::vector<ProjectionWorkspace>& work) {
  const int lanes = static_cast<int>(pool.lanes.size());
  work.resize(lanes);
  for (ProjectionWorkspace& one : work) one.cut = 0;
  parallelFor(input.islands.count(), lanes, [&](int island, int thread) {
    IslandProjection(input, island, bodies, joints, work[thread]).run(pool.lanes[thread]);
  });
  int cut = 0;
  for (const ProjectionWorkspace& one : work) cut += one.cut;
  return cut;
}

}  // namespace drystone
