#pragma once

#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "core/types.h"
#include "engine/gradients/step_derivative.h"

namespace drystone {

/// The step as a linear map of small changes at its start: s⁺ = byState s + byLoad f. s has 12
/// entries of each body, in the order of `bodies`: (δx, δθ, δv, δω) as in StepChange [m], [rad],
/// [m/s], [rad/s], world axes, about the centre of mass. f has six of each: force [N], torque
/// [N m].
struct StepMatrix {
  std::vector<BodyId> bodies;         ///< the dynamic ones, ascending by index
  Eigen::SparseMatrix<Real> byState;  ///< 12 n x 12 n
  Eigen::SparseMatrix<Real> byLoad;   ///< 12 n x 6 n
  StepCertificate certificate;
};

/// The matrix of a step that was differentiated, with the `bodies` of its world. Entries that are 0
/// are not stored: bodies that no contacts and joints tie together have none in common. Its rows
/// are adjoints, twelve times as many as the largest group of tied bodies has members.
StepMatrix stepMatrix(StepDerivative& derivative, std::span<const BodyId> bodies);

/// The same of the next step. Throws InputError where it has no derivative, as StepDerivative.
StepMatrix linearize(World& world, Real tolerance = 1e-12);

}  // namespace drystone
