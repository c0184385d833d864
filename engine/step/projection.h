#pragma once

#include <span>
#include <vector>

#include "engine/step/contact_anchors.h"
#include "engine/step/islands.h"
#include "engine/step/solve_islands.h"

namespace drystone {

/// What the projection of an inner step of h keeps to.
struct ProjectionInput {
  const WorldSettings& settings;
  Real h;  ///< [s]
  const Islands& islands;
  std::span<const StepJointBlock> blocks;  ///< of the joints
  std::span<const StepContact> contacts;   ///< those of the step
  std::span<const ContactAnchor> anchors;  ///< [contacts]
  std::span<const Mat3> addedInertia;      ///< [body slots] h² K, or empty [kg m²]
  Deadline until;                          ///< no solve begins after it
};

/// One thread's arrays of the projection.
struct ProjectionWorkspace {
  StoredProblem problem;
  std::vector<BlockTie> ties;      ///< [blocks]
  TiedProblem tied;                ///< where there are cables
  std::vector<StepJointRow> rows;  ///< of one joint
  std::vector<Real> left;          ///< [blocks of the island] overlap that stays [m]
  std::vector<Real> lambda;
  std::vector<RowState> state;
  std::vector<Vec6> displacement;  ///< [bodies of the island] over h [m/s], [rad/s]
  std::vector<Pose> saved;         ///< [bodies of the island] before the last Newton step
  int cut = 0;                     ///< islands whose Newton steps hit a time limit
};

/// Post-stabilisation: Newton steps on the poses that take joint errors, passed limits and overlaps
/// back, with the islands and the solver of the step. Each solves M.7 with b = φ/h, without
/// friction, for impulses whose velocities, over h, are the displacement: the least one in the
/// metric of M, with the geometric stiffness where that is on; or a share of it where the whole
/// would make the error grow. Velocities stay. Contacts are those of the step, followed over the
/// poses (contact_anchors.h); what was made compliant on purpose is left alone.
///
/// Sets the errors of the joints anew. Returns how many islands hit a time limit before they were
/// done.
int projectPoses(const ProjectionInput& input, SolverPool& pool, BodyStore& bodies,
                 JointStore& joints, std::vector<ProjectionWorkspace>& work);

}  // namespace drystone
