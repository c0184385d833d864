#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>

#include "engine/model/body_store.h"
#include "engine/step/contacts.h"

namespace drystone {

class CollisionWorld;

/// How a contact moves with the poses of its bodies: derivatives by (δx, δθ) of A, then of B, with
/// rotations perturbed from the left, world axes.
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
