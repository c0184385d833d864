#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <span>

#include "collision/shape/local_surface.h"
#include "engine/step/contact_anchors.h"

namespace drystone {

/// How a contact moves with the poses of its bodies: derivatives by (δx, δθ) of A, then of B, with
/// rotations perturbed from the left, world axes.
struct ContactMotion {
  Eigen::Matrix<Real, 3, 12> turn;        ///< δ, with dn = δ × n and δ · n = 0
  Eigen::Matrix<Real, 3, 12> endA, endB;  ///< where the arms of A and B end (armsOf)
  Eigen::Matrix<Real, 1, 12> gap;
};

/// Differentiates what contact_anchors follow, of one of all contacts of a step. Throws InputError,
/// with the names of the bodies, unless it is a corner or sphere on a face, a sphere on a sphere or
/// an edge across an edge that is alone: what others do when poses change is not known here.
ContactMotion contactMotion(const BodyStore& bodies, std::span<const StepContact> contacts,
                            std::size_t index, const std::array<LocalSurface, 2>& surfaces,
                            const ContactAnchor& anchor);

}  // namespace drystone
