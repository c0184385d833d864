#include "engine/step/start_ahead.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/step/soft_islands.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

/// Change of an impulse's angular part as its arm r turns with its body by `turn` [rad].
Vec3 turned(const Vec3& turn, const Vec3& r, const Vec3& impulse) {
  return turn.cross(r).cross(impulse);
}

}  // namespace

void startAhead(const SoftStepInput& input, int island, const SolveResult& result,
                ContactSolver& solver, AheadWorkspace& work, ConstraintRows& rows) {
  const Islands& islands = input.islands;
  const StepMotion& motion = input.motion;
  const int firstBlock = islands.blockStart[island];
  const auto contactOf = [&](int k) -> const StepContact& {
    return input.contacts[islands.sources[firstBlock + k].index];
  };
  // A fallback has a factor of its own.
  if (result.solver.factorizations == 0 || result.usedFallback) return;
  if (islands.sources[firstBlock].isJoint()) return;
  const ContactProblem problem = islandProblem(islands, rows, island);
  std::uint32_t factors = 0;  // of the steps before
  for (int k = 0; k < problem.blockCount(); ++k) {
    factors = std::max(factors, contactOf(k).soft.factors);
  }
  if (!std::has_single_bit(factors + 1)) return;
  const auto lambda = rowsOf(islands, rows.lambda, island);
  const auto stabilization = rowsOf(islands, rows.stabilizationTerm, island);
  const int* const body = islands.bodies.data() + islands.bodyStart[island];

  work.end.resize(problem.bodyCount());
  impulseToVelocity(problem, lambda, work.end);
  for (int i = 0; i < problem.bodyCount(); ++i) work.end[i] += motion.free[body[i]];

  // Torques of arms that have turned; the impulses keep their direction in the world.
  work.change.assign(problem.bodyCount(), Vec6::Zero());
  for (int k = 0; k < problem.blockCount(); ++k) {
    const StepContact& contact = contactOf(k);
    const ContactArms arms = armsOf(input.bodies, contact);
    const Vec3 impulse = contactImpulse(contact, rows);
    const ProblemBlock& block = problem.blocks[k];
    const auto add = [&](int one, const Vec3& arm, Real sign) {
      if (one < 0) return;
      const Vec3 turn = input.h * work.end[one].tail<3>();
      work.change[one].tail<3>() += sign * turned(turn, arm, impulse);
    };
    add(block.bodyA, arms.a, -1);
    add(block.bodyB, arms.b, 1);
  }
  for (int i = 0; i < problem.bodyCount(); ++i) {
    work.change[i] =
        applyInverseInertia(problem.bodies[i], work.change[i]) + work.end[i] - motion.old[body[i]];
  }

  // Gaps that this step closes, and the share of an overlap that it takes back, are not asked for
  // again.
  const auto ahead = rowsOf(islands, rows.ahead, island);
  work.miss.resize(lambda.size());
  relativeVelocity(problem, 0, problem.blockCount(), work.change, ahead, work.miss);
  for (int k = 0; k < problem.blockCount(); ++k) {
    const int row = problem.blocks[k].firstRow;
    const Real share = contactOf(k).point.gap > 0 ? 1 : input.settings.velocityGamma(input.h);
    work.miss[row] -= share * (stabilization[row] + problem.compliance[row] * lambda[row]);
  }
  solver.follow(work.miss, ahead);
}

}  // namespace drystone
