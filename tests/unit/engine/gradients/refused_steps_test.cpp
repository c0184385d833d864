// Steps that have no derivative, and what asking for one leaves as it was.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "engine/gradients/step_derivative.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// A box that slides on a plane, after some steps.
World slidingWorld(const std::function<void(WorldSettings&)>& change = {},
                   const std::function<void(World&, BodyId)>& extend = {}) {
  WorldSettings settings = test::settingsFor("bpp");
  settings.sleeping.enabled = false;
  if (change) change(settings);
  World world(settings, test::registry());
  test::addPlane(world);
  const BodyId box =
      test::addBody(world, Box{{0.3, 0.3, 0.3}}, 2, {{0, 0, 0.3}, Quat::Identity()}, {2, 1, 0});
  if (extend) extend(world, box);
  for (int i = 0; i < 3; ++i) world.step();
  world.body(box).applyForce({1, 2, 3});
  return world;
}

TEST(StepDerivative, World_StaysAsItIs) {
  World world = slidingWorld(), twin = slidingWorld();
  const StepDerivative derivative(world);
  EXPECT_EQ(derivative.contacts().size(), 4u);
  EXPECT_EQ(derivative.contacts()[0].bodyB.index, 1);
  EXPECT_EQ(world.observe().hash(), twin.observe().hash());
  world.step();
  twin.step();
  EXPECT_EQ(world.observe().hash(), twin.observe().hash());
}

/// What has no derivative is refused with the reason, and the world stays.
TEST(StepDerivative, StepsWithoutOne_AreRefused) {
  const auto expectRefused = [](World world, const std::string& reason) {
    const std::uint64_t hash = world.observe().hash();
    try {
      StepDerivative derivative(world);
      FAIL() << "no refusal: " << reason;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
    }
    EXPECT_EQ(world.observe().hash(), hash);
  };
  expectRefused(slidingWorld({}, [](World& world, BodyId box) { world.body(box).setAdhesion(5); }),
                "adhesion");
  expectRefused(
      slidingWorld({}, [](World& world, BodyId) { world.setMaterialPair(0, 0, {.adhesion = 5}); }),
      "use materials without");
  const auto carried = [](WorldSettings& s) {
    s.substeps = 2;
    s.detection = Detection::kStep;
  };
  expectRefused(slidingWorld(carried), "contacts that inner steps carry along");
  expectRefused(slidingWorld([](WorldSettings& s) { s.sleeping.enabled = true; }), "sleep");
  expectRefused(slidingWorld([](WorldSettings& s) { s.friction = FrictionModel::kPyramid; }),
                "friction model");
  const auto hang = [](World& world, BodyId box) {
    world.addJoint(ballJoint(world.bodies()[0], box, {0, 0, 0.3}, {0, 0, 0}));
  };
  const auto meanRows = [](WorldSettings& s) {
    s.integrator = Integrator::kMoreau;
    s.jointRows = JointRows::kMean;
  };
  expectRefused(slidingWorld(meanRows, hang), "mean rows of joints");
  expectRefused(slidingWorld([](WorldSettings& s) { s.geometricStiffness = true; }, hang),
                "geometric stiffness");
  expectRefused(
      slidingWorld(
          {},
          [](World& world, BodyId) {
            test::addBody(world, Ellipsoid{{0.2, 0.3, 0.3}}, 1, {{2, 0, 0.3}, Quat::Identity()});
          }),
      "a contact of another shape between `plane` and body 2");
  expectRefused(slidingWorld({},
                             [](World& world, BodyId) {
                               const MaterialId bouncy = world.addMaterial({.restitution = 0.5});
                               const BodyId ball =
                                   test::addBody(world, Sphere{0.2}, 1,
                                                 {{3, 0, 0.45}, Quat::Identity()}, {0, 0, -4});
                               world.setMaterialPair(0, bouncy, {.restitution = 0.5});
                               world.body(ball).setMaterial(bouncy);
                             }),
                "a bounce lies within the step");
}

/// Why a body that meets a static box has no derivative.
std::string refusalOver(const Vec3& lower, const Shape& upper, const Pose& pose,
                        const Vec3& velocity) {
  WorldSettings settings = test::settingsFor("bpp");
  settings.sleeping.enabled = false;
  World world(settings, test::registry());
  world.addBody({.name = "table",
                 .kind = BodyKind::kStatic,
                 .shape = Box{lower},
                 .pose = {{0, 0, -lower.z()}, Quat::Identity()}});
  test::addBody(world, upper, 2, pose, velocity);
  try {
    StepDerivative derivative(world);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// A capsule lies with one end on the table. The contact at the border moves along its side, which
/// no end does.
TEST(StepDerivative, SideThatLeavesAFace_IsRefused) {
  const Quat lying = test::turn(Vec3::UnitZ(), 0.3) * test::turn(Vec3::UnitX(), 1.57079632679);
  EXPECT_NE(refusalOver({0.3, 0.2, 0.1}, Capsule{.radius = 0.1, .halfLength = 0.6},
                        {{0.02, 0.35, 0.0999}, lying}, {0, 0, -1})
                .find("a contact where an edge leaves a face between `table` and body 1"),
            std::string::npos);
}

/// Where capsules lie side by side, the closest points jump from end to end.
TEST(StepDerivative, SidesAlongEachOther_AreRefused) {
  const Quat lying = test::turn(Vec3::UnitX(), 1.57079632679);
  WorldSettings settings = test::settingsFor("bpp");
  settings.sleeping.enabled = false;
  World world(settings, test::registry());
  const Capsule shape{.radius = 0.1, .halfLength = 0.6};
  test::addBody(world, shape, 2, {{0, 0, 1}, lying});
  test::addBody(world, shape, 2, {{0, 0.1, 1.1999}, lying}, {0, 0, -1});
  try {
    StepDerivative derivative(world);
    FAIL() << "no refusal";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("side by side"), std::string::npos) << error.what();
  }
}

TEST(StepDerivative, WrongLengths_AreRefused) {
  World world = slidingWorld();
  StepDerivative derivative(world);
  const std::vector<Real> one(1, 1);
  EXPECT_THROW(derivative.forward({.mass = one}), InputError);
  EXPECT_THROW(derivative.forward({.friction = one}), InputError);
  const std::vector<Vec6> three(3, Vec6::Zero());
  EXPECT_THROW(derivative.adjoint({.pose = three}), InputError);
}

}  // namespace
}  // namespace drystone
