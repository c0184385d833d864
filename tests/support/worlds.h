#pragma once

#include <cmath>
#include <functional>
#include <string>

#include "engine/world/world.h"
#include "tests/support/constants.h"

namespace drystone::test {

/// Registry of every solver of this build, alive for the whole test program.
const SolverRegistry& registry();

/// Settings for tests: a solver by name, tight enough that its error does not show. Iterative
/// solvers get tolerance 1e-10 m/s, as many sweeps as they need, and exact friction.
WorldSettings settingsFor(const std::string& solver, FrictionModel friction = FrictionModel::kCone);

/// A static box 100 m wide whose top face is z = 0, or an endless plane at z = 0.
BodyId addGround(World& world, MaterialId material = 0);
BodyId addPlane(World& world, MaterialId material = 0);

/// A static slab under z = 0, turned by `angle` [rad] about y so that its top falls towards +x.
BodyId addSlope(World& world, Real angle, MaterialId material);

/// A dynamic body of the given mass [kg], inertia exact for the shape.
BodyId addBody(World& world, const Shape& shape, Real mass, const Pose& pose,
               const Vec3& velocity = Vec3::Zero(), const Vec3& spin = Vec3::Zero());

/// Unit box (half extents 0.5) of mass 1 at a position.
BodyId addUnitBox(World& world, const Vec3& position, const Vec3& velocity = Vec3::Zero());

/// Rotation about an axis [rad].
inline Quat turn(const Vec3& axis, Real angle) { return Quat(Eigen::AngleAxisd(angle, axis)); }

/// Steps until `duration` [s] has passed.
void simulate(World& world, Real duration);

/// Steps the worlds that `make` builds for 1, 2, 4 and 8 threads side by side and compares their
/// hashes after every step. `watch` sees the world of one thread after each.
void expectSameBitsForEveryThreadCount(const std::function<World(int)>& make, int steps,
                                       const std::function<void(const World&)>& watch);

}  // namespace drystone::test
