// Impacts at one moment, by laws other than Newton's: docs/theory/impacts.md.
#include "engine/step/impacts.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace drystone {
namespace {

/// Approaches that differ by less of the fastest are the same: what solvers and round-off leave.
constexpr Real kTie = 1e-6;
/// Most collisions one after the other, for each contact of an island that touches. Rows of 3 to
/// 100 equal balls take one with e near 1. They take at most 14 with e = 0, struck at a hundred
/// times the threshold.
constexpr int kMostTurns = 20;

/// Velocity along a row of a contact [m/s], after the impacts so far: `share` 0 at the end of the
/// step without the solve, ½ at its middle and 1 at its start.
Real velocityAlong(const StepContact& contact, int row, Real share, const ConstraintRows& rows,
                   const StepMotion& motion, std::span<const Vec6> change) {
  const auto changeOf = [&](int body) -> Vec6 {
    return change[body] - share * (motion.free[body] - motion.old[body]);
  };
  return rows.b[row] - rows.stabilizationTerm[row] +
         rows.jacobianA[row].dot(changeOf(contact.bodyA)) +
         rows.jacobianB[row].dot(changeOf(contact.bodyB));
}

/// The impacts of one island at work.
class IslandImpacts {
 public:
  IslandImpacts(const ImpactInput& input, std::span<TouchingContact> touching, SolverPool& pool,
                ConstraintRows& rows, const StepMotion& motion, Impacts& impacts)
      : input_(input),
        touching_(touching),
        pool_(pool),
        rows_(rows),
        motion_(motion),
        impacts_(impacts) {}

  void collideTogether() {
    impacts_.chosen.assign(touching_.size(), 1);
    collide();
  }

  /// The pair of the fastest approach collides, then the fastest of what that makes, until all are
  /// slower than the threshold. Pairs that are equally fast collide as one problem: it falls apart
  /// where they share no body, and has the symmetric answer where they do.
  void collideInTurn() {
    const int most = kMostTurns * static_cast<int>(touching_.size());
    for (int turn = 0; turn < most; ++turn) {
      Real fastest = 0;
      for (const TouchingContact& one : touching_) fastest = std::max(fastest, one.approach);
      if (fastest <= input_.settings.restitutionThreshold) return;
      choosePairs((1 - kTie) * fastest);
      if (!collide()) return;
      measure();
    }
  }

 private:
  const StepContact& contactOf(const TouchingContact& one) const {
    return input_.contacts[one.contact];
  }

  /// Chooses all points of the pairs of bodies of which one approaches so fast [m/s].
  void choosePairs(Real least) {
    impacts_.chosen.assign(touching_.size(), 0);
    const auto pairOf = [&](std::size_t i) {
      const StepContact& contact = contactOf(touching_[i]);
      return std::pair(contact.bodyA, contact.bodyB);
    };
    for (std::size_t begin = 0, end = 0; begin < touching_.size(); begin = end) {
      bool isFast = false;
      for (; end < touching_.size() && pairOf(end) == pairOf(begin); ++end) {
        isFast = isFast || touching_[end].approach >= least;
      }
      if (isFast) std::fill(impacts_.chosen.begin() + begin, impacts_.chosen.begin() + end, 1);
    }
  }

  /// Lets the chosen contacts collide, with all locks of the island. Returns whether they did.
  bool collide() {
    ImpactProblem& problem = impacts_.problem;
    problem.clear(input_.bodies.slots());
    const Islands& islands = input_.islands;
    const int island = touching_.front().island;
    for (int k = islands.blockStart[island]; islands.sources[k].isJoint(); ++k) {
      problem.addLocks(input_.list.blocks[islands.sources[k].index], input_.list, rows_);
    }
    for (std::size_t i = 0; i < touching_.size(); ++i) {
      if (impacts_.chosen[i] == 0) continue;
      const StepContact& contact = contactOf(touching_[i]);
      const int count = rows_.blocks[contact.block].rows;
      std::array<Real, kMaxBlockRows> along;
      for (int row = 0; row < count; ++row) {
        along[row] = velocityAlong(contact, rows_.firstRow[contact.block] + row, 0.5, rows_,
                                   motion_, impacts_.change);
      }
      problem.addContact(contact, touching_[i].approach > input_.settings.restitutionThreshold,
                         along, rows_);
    }
    const bool did = problem.solve(input_.bodies, input_.settings.solver, input_.until, pool_);
    impacts_.withinTolerance = impacts_.withinTolerance && problem.isWithinTolerance();
    if (did) problem.addTo(rows_.impact, impacts_.change);
    return did;
  }

  /// Measures the approach of what the last collision may have changed.
  void measure() {
    for (TouchingContact& one : touching_) {
      const StepContact& contact = contactOf(one);
      if (!impacts_.problem.holds(contact.bodyA) && !impacts_.problem.holds(contact.bodyB))
        continue;
      one.approach = -velocityAlong(contact, rows_.firstRow[contact.block], 1, rows_, motion_,
                                    impacts_.change);
    }
  }

  const ImpactInput& input_;
  std::span<TouchingContact> touching_;
  SolverPool& pool_;
  ConstraintRows& rows_;
  const StepMotion& motion_;
  Impacts& impacts_;
};

/// Lists the contacts that may pass impacts on, by island. Returns whether one of them meets faster
/// than the threshold.
bool listTouching(const ImpactInput& input, const ConstraintRows& rows, const StepMotion& motion,
                  Impacts& impacts) {
  impacts.touching.clear();
  const Real threshold = input.settings.restitutionThreshold;
  bool isAnyFast = false;
  for (std::size_t i = 0; i < input.contacts.size(); ++i) {
    const StepContact& contact = input.contacts[i];
    if (contact.waits) continue;
    const int row = rows.firstRow[contact.block];
    const Real before = velocityAlong(contact, row, 1, rows, motion, impacts.change);
    const Real free = velocityAlong(contact, row, 0, rows, motion, impacts.change);
    const bool meetsNow = bounces(contact) && meets(contact, before, free, threshold, input.h);
    if (contact.isSpring || (contact.point.gap > kRestingGap && !meetsNow)) continue;
    const int mover = input.bodies.isDynamic(contact.bodyA) ? contact.bodyA : contact.bodyB;
    impacts.touching.push_back({input.islands.ofBody[mover], static_cast<int>(i), -before});
    isAnyFast = isAnyFast || -before > threshold;
  }
  std::sort(impacts.touching.begin(), impacts.touching.end(),
            [](const TouchingContact& p, const TouchingContact& q) {
              return std::tuple(p.island, p.contact) < std::tuple(q.island, q.contact);
            });
  return isAnyFast;
}

/// Takes the velocities that the impacts changed into u* and b.
void applyChange(const Islands& islands, ConstraintRows& rows, StepMotion& motion,
                 Impacts& impacts) {
  impacts.free = motion.free;
  for (std::size_t i = 0; i < motion.free.size(); ++i) motion.free[i] += impacts.change[i];
  for (int island = 0; island < islands.count(); ++island) {
    const int* slot = islands.bodies.data() + islands.bodyStart[island];
    for (int k = islands.blockStart[island]; k < islands.blockStart[island + 1]; ++k) {
      const ProblemBlock& block = rows.blocks[k];
      for (int row = rows.firstRow[k]; row < rows.firstRow[k] + block.rows; ++row) {
        if (block.bodyA >= 0) {
          rows.b[row] += rows.jacobianA[row].dot(impacts.change[slot[block.bodyA]]);
        }
        if (block.bodyB >= 0) {
          rows.b[row] += rows.jacobianB[row].dot(impacts.change[slot[block.bodyB]]);
        }
      }
    }
  }
}

}  // namespace

bool resolveImpacts(const ImpactInput& input, SolverPool& pool, ConstraintRows& rows,
                    StepMotion& motion, Impacts& impacts) {
  rows.impact.clear();
  impacts.withinTolerance = true;
  const ImpactLaw law = input.settings.impactLaw;
  if (law == ImpactLaw::kNewton) return false;
  impacts.change.assign(input.bodies.slots(), Vec6::Zero());
  if (!listTouching(input, rows, motion, impacts)) return false;
  rows.impact.assign(rows.b.size(), 0.0);
  const std::span<TouchingContact> all = impacts.touching;
  const Real threshold = input.settings.restitutionThreshold;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    bool isFast = false;
    for (; end < all.size() && all[end].island == all[begin].island; ++end) {
      isFast = isFast || all[end].approach > threshold;
    }
    if (!isFast) continue;
    IslandImpacts island(input, all.subspan(begin, end - begin), pool, rows, motion, impacts);
    if (law == ImpactLaw::kPoisson) {
      island.collideTogether();
    } else {
      island.collideInTurn();
    }
  }
  applyChange(input.islands, rows, motion, impacts);
  return true;
}

void finishImpacts(const BodyStore& bodies, std::span<const StepContact> contacts,
                   ConstraintRows& rows, StepMotion& motion, Impacts& impacts) {
  for (std::size_t i = 0; i < impacts.change.size(); ++i) {
    impacts.change[i] = bodies.velocity[i] - motion.free[i];
  }
  for (const TouchingContact& one : impacts.touching) {
    const StepContact& contact = contacts[one.contact];
    const int row = rows.firstRow[contact.block];
    if (!(rows.impact[row] > 0)) continue;
    const Real after = velocityAlong(contact, row, 0, rows, motion, impacts.change);
    rows.restitutionTerm[row] = -std::max(after, 0.0);
  }
  motion.free.swap(impacts.free);
}

}  // namespace drystone
