#pragma once

#include <span>
#include <vector>

#include "core/timer.h"
#include "engine/model/body_store.h"
#include "engine/step/impact_problem.h"
#include "engine/step/islands.h"

namespace drystone {

/// What the impacts of an inner step of h work with.
struct ImpactInput {
  const WorldSettings& settings;
  Real h;  ///< [s]
  const BodyStore& bodies;
  const Islands& islands;
  const JointRowList& list;
  std::span<const StepContact> contacts;
  Deadline until;  ///< no solve begins after it
};

/// A contact that may pass an impact on: its bodies touch, or meet within the step.
struct TouchingContact {
  int island = -1, contact = -1;
  Real approach = 0;  ///< now [m/s]
};

/// What the impacts of an inner step leave, and their work space.
struct Impacts {
  bool withinTolerance = true;            ///< all solves of this inner step met it
  std::vector<TouchingContact> touching;  ///< by island, then contact
  std::vector<char> chosen;               ///< [touching of an island] in the next collision
  std::vector<Vec6> change;               ///< [body slots] of the velocities by impacts
  std::vector<Vec6> free;                 ///< [body slots] u* without impacts
  ImpactProblem problem;
};

/// Lets what meets now collide before the solve of the step, by the laws that have a stage of their
/// own (all but Newton's). The impulses go to `rows.impact`, and what they do to u* and to b to
/// these. The solve of the step that follows is that of bodies that do not bounce. Returns false,
/// and changes nothing, where nothing collides.
///
/// The moment of the impacts is the middle of the step, as with Newton's law: the velocities before
/// them are ½ (u + u*). What u approaches slower than the threshold does not collide.
bool resolveImpacts(const ImpactInput& input, SolverPool& pool, ConstraintRows& rows,
                    StepMotion& motion, Impacts& impacts);

/// After the last solve: gives u* back what the impacts changed, and says what of the velocities
/// u⁺ is that of a rebound, for the ledger.
void finishImpacts(const BodyStore& bodies, std::span<const StepContact> contacts,
                   ConstraintRows& rows, StepMotion& motion, Impacts& impacts);

}  // namespace drystone
