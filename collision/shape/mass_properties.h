#pragma once

#include "collision/shape/shape.h"

namespace drystone {

struct MassProperties {
  Real mass = 0;                     ///< [kg]
  Vec3 centerOfMass = Vec3::Zero();  ///< in the shape's frame [m]
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass, axes of the shape's frame [kg m²]
};

/// Exact mass properties of the solid at uniform density [kg/m³]. Overlapping compound children
/// count twice. Throws InputError for shapes without volume (plane, mesh, heightfield).
MassProperties massProperties(const Shape& shape, Real density);

/// Splits a symmetric inertia into principal moments and the rotation from principal axes to the
/// given axes. An inertia that is already diagonal keeps its axes.
struct PrincipalInertia {
  Vec3 moments = Vec3::Zero();
  Quat rotation = Quat::Identity();
};
PrincipalInertia principalInertia(const Mat3& inertia);

}  // namespace drystone
