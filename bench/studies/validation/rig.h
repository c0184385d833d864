#pragma once

#include <numbers>
#include <optional>

#include "engine/world/world.h"

namespace drystone::bench {

inline constexpr Real kGravity = 9.81;  ///< of all worlds of the study [m/s²]
inline constexpr Real kPi = std::numbers::pi;

/// A scheme whose order is looked at.
struct Scheme {
  const char* name;
  Integrator integrator;
  JointRows jointRows;
  int order;  ///< that theory expects
};
inline constexpr Scheme kEuler = {"semi_implicit_euler", Integrator::kSemiImplicitEuler,
                                  JointRows::kEnd, 1};
inline constexpr Scheme kMidpoint = {"moreau", Integrator::kMoreau, JointRows::kMean, 2};
inline constexpr Scheme kSchemes[] = {kEuler, kMidpoint};

/// The defaults with a scheme, a timestep [s], and solves that do not show in the results.
WorldSettings settingsOf(const Scheme& scheme, Real timestep);

/// Material 0 meets itself with these values.
World makeWorld(const WorldSettings& settings, const Material& material = {.friction = 0});

/// The endless floor z = 0.
BodyId addFloor(World& world);
/// A static body that holds joints and collides with nothing.
BodyId addPost(World& world);
/// A dynamic body of the given mass [kg], inertia exact for the shape.
BodyId addSolid(World& world, const Shape& shape, Real mass, const Pose& pose,
                const Vec3& velocity = Vec3::Zero(), const Vec3& spin = Vec3::Zero());
/// A dynamic body of any mass properties; `velocity` is that of its centre of mass.
BodyId addBody(World& world, const std::optional<Shape>& shape, const MassProperties& properties,
               const Pose& pose, const Vec3& velocity = Vec3::Zero(),
               const Vec3& spin = Vec3::Zero());

/// A turn about an axis [rad].
inline Quat turn(const Vec3& axis, Real angle) { return Quat(Eigen::AngleAxisd(angle, axis)); }

/// Steps until `duration` [s] has passed.
void run(World& world, Real duration);

/// Kinetic and potential, after the last step [J].
inline Real energyOf(const World& world) {
  return world.lastReport().energy.kinetic + world.lastReport().energy.potential;
}

}  // namespace drystone::bench
