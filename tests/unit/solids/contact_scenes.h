#pragma once

#include <cmath>

#include "solids/contact/solid_world.h"

namespace drystone::test {

/// A cube of half a metre, 5 cells a side, in a block of 19 by 11 by 11 cells around the origin.
/// Density and Young's modulus are 1: waves pass it in half a second.
inline SolidSetup cubeAt(const Vec3& position, const Vec3& velocity) {
  SolidSetup setup;
  setup.grid = {Vec3(-0.93, -0.53, -0.56), 0.1, {20, 12, 12}};
  setup.shape = SolidShape::box(Vec3::Constant(0.25));
  setup.material = {ElasticModel::kNeoHookean, 1, 1, 0.3, 0};
  setup.pose.position = position;
  setup.velocity = velocity;
  return setup;
}

/// A cube at rest on a wall below it, under a gravity of 0.1 m/s² that leans by `slope` = tan θ
/// along x, damped.
inline SolidWorldSetup cubeOnWall(Real slope, Real friction) {
  SolidWorldSetup setup;
  setup.bodies = {cubeAt(Vec3::Zero(), Vec3::Zero())};
  setup.bodies[0].material.damping = 0.1;
  setup.bodies[0].gravity = 0.1 * Vec3(slope, 0, -1) / std::hypot(1, slope);
  setup.walls = {{Vec3(0, 0, -0.25), Vec3::UnitZ(), friction}};
  return setup;
}

}  // namespace drystone::test
