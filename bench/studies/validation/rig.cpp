#include "bench/studies/validation/rig.h"

#include <cmath>

#include "solvers/default_registry.h"

namespace drystone::bench {

WorldSettings settingsOf(const Scheme& scheme, Real timestep) {
  WorldSettings settings;
  settings.integrator = scheme.integrator;
  settings.jointRows = scheme.jointRows;
  settings.timestep = timestep;
  // Errors of the schemes are larger than 1e-8, and a thousand solves add up.
  settings.solver.budget.tolerance = 1e-11;  // [m/s]
  settings.stabilization.compliance = 1e-12;
  return settings;
}

World makeWorld(const WorldSettings& settings, const Material& material) {
  World world(settings, makeDefaultRegistry());
  world.setMaterialPair(0, 0, material);
  return world;
}

BodyId addFloor(World& world) {
  BodyDefinition floor;
  floor.kind = BodyKind::kStatic;
  floor.shape = Plane{};
  return world.addBody(floor);
}

BodyId addPost(World& world) {
  BodyDefinition post;
  post.kind = BodyKind::kStatic;
  return world.addBody(post);
}

BodyId addSolid(World& world, const Shape& shape, Real mass, const Pose& pose, const Vec3& velocity,
                const Vec3& spin) {
  MassProperties properties = massProperties(shape, 1.0);
  properties.inertia *= mass / properties.mass;
  properties.mass = mass;
  return addBody(world, shape, properties, pose, velocity, spin);
}

BodyId addBody(World& world, const std::optional<Shape>& shape, const MassProperties& properties,
               const Pose& pose, const Vec3& velocity, const Vec3& spin) {
  BodyDefinition body;
  body.shape = shape;
  body.mass = properties;
  body.pose = pose;
  body.linearVelocity = velocity;
  body.angularVelocity = spin;
  return world.addBody(body);
}

void run(World& world, Real duration) {
  const auto steps = std::lround(duration / world.settings().timestep);
  for (long i = 0; i < steps; ++i) world.step();
}

}  // namespace drystone::bench
