#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>

#include "engine/model/body_store.h"
#include "engine/step/contacts.h"

namespace drystone {

class CollisionWorld;

/// How a contact moves with the poses of its bodies: derivatives by (δx [m], δθ [rad]) of A, then
/// of B, with rotations perturbed from the left, world axes. Lengths are in m, the turn is in rad.
/// A pair of polytopes that lies still keeps its points at anchors; here they move with the search,
/// along the face, as they do once a body has moved by more than 1e-6 of its size.
struct ContactMotion {
  Eigen::Matrix<Real, 3, 12> turn;        ///< δ, with dn = δ × n and δ · n = 0
  Eigen::Matrix<Real, 3, 12> endA, endB;  ///< where the arms of A and B end (armsOf)
  Eigen::Matrix<Real, 1, 12> gap;
};

/// Of one of all contacts of a step, at the poses of the last detection. Throws InputError, with
/// the names of the bodies, where it is not known which features of the two make it, or how they
/// move.
ContactMotion contactMotion(const BodyStore& bodies, const CollisionWorld& collision,
                            std::span<const StepContact> contacts, std::size_t index);

}  // namespace drystone
