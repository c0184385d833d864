#include "tests/support/worlds.h"

#include <gtest/gtest.h>

#include "solvers/default_registry.h"

namespace drystone::test {

const SolverRegistry& registry() {
  static const SolverRegistry instance = makeDefaultRegistry();
  return instance;
}

WorldSettings settingsFor(const std::string& solver, FrictionModel friction) {
  WorldSettings settings;
  settings.friction = friction;
  settings.solver.name = solver;
  const std::unique_ptr<ContactSolver> made = registry().create(solver);
  if (made->traits().endsAtRoundOff) return settings;
  settings.solver.budget.iterations = 20000;
  settings.solver.budget.tolerance = 2e-10;  // of which a solver aims at half
  for (const SettingDescription& setting : describeSettings(*made)) {
    if (setting.name == "law") {  // not the convex relaxation, whose slip opens the contact
      settings.solver.settings.push_back({setting.name, std::string("exact")});
    }
    if (setting.name == "relative_tolerance")
      settings.solver.settings.push_back({setting.name, 1e-10});
  }
  return settings;
}

BodyId addGround(World& world, MaterialId material) {
  BodyDefinition ground;
  ground.name = "ground";
  ground.kind = BodyKind::kStatic;
  ground.shape = Box{{50, 50, 1}};
  ground.pose.position = {0, 0, -1};
  ground.material = material;
  return world.addBody(ground);
}

BodyId addPlane(World& world, MaterialId material) {
  BodyDefinition plane;
  plane.name = "plane";
  plane.kind = BodyKind::kStatic;
  plane.shape = Plane{};
  plane.material = material;
  return world.addBody(plane);
}

BodyId addSlope(World& world, Real angle, MaterialId material) {
  const Quat q = turn(Vec3::UnitY(), angle);
  BodyDefinition slab;
  slab.kind = BodyKind::kStatic;
  slab.shape = Box{{100, 10, 1}};
  slab.pose = {q * Vec3(0, 0, -1), q};
  slab.material = material;
  return world.addBody(slab);
}

BodyId addBody(World& world, const Shape& shape, Real mass, const Pose& pose, const Vec3& velocity,
               const Vec3& spin) {
  BodyDefinition body;
  body.shape = shape;
  MassProperties properties = massProperties(shape, 1.0);
  const Real scale = mass / properties.mass;
  properties.mass = mass;
  properties.inertia *= scale;
  body.mass = properties;
  body.pose = pose;
  body.linearVelocity = velocity;
  body.angularVelocity = spin;
  return world.addBody(body);
}

BodyId addUnitBox(World& world, const Vec3& position, const Vec3& velocity) {
  return addBody(world, Box{Vec3::Constant(0.5)}, 1, {position, Quat::Identity()}, velocity);
}

void simulate(World& world, Real duration) {
  const int steps = static_cast<int>(std::lround(duration / world.settings().timestep));
  for (int i = 0; i < steps; ++i) world.step();
}

void expectSameBitsForEveryThreadCount(const std::function<World(int)>& make, int steps,
                                       const std::function<void(const World&)>& watch) {
  const std::vector<int> counts = {1, 2, 4, 8};
  std::vector<World> worlds;
  for (const int threads : counts) worlds.push_back(make(threads));
  for (int step = 1; step <= steps; ++step) {
    for (World& world : worlds) world.step();
    for (std::size_t i = 1; i < worlds.size(); ++i) {
      ASSERT_EQ(worlds[0].observe().hash(), worlds[i].observe().hash())
          << counts[i] << " threads, step " << step << " of " << steps;
    }
    watch(worlds[0]);
  }
}

}  // namespace drystone::test
