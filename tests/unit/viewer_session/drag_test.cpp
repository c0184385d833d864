// Bodies held by the mouse.
#include "viewer/session/stepped_world.h"

#include <cmath>

#include "tests/unit/viewer_session/simulation_fixture.h"

namespace drystone::viewer::test {
namespace {

/// A body alone in space, held at a point of it.
struct HeldBody {
  HeldBody(Real mass, const Vec3& inertia, const Vec3& point, Real timestep)
      : world(settings(timestep), registry()), pointInBody(point) {
    BodyDefinition definition;
    definition.mass = MassProperties{mass, Vec3::Zero(), inertia.asDiagonal()};
    body = world.addBody(definition);
  }
  static WorldSettings settings(Real timestep) {
    WorldSettings settings;
    settings.gravity.setZero();
    settings.timestep = timestep;
    return settings;
  }
  Vec3 point() const { return world.body(body).pose() * pointInBody; }
  Real speed() const {
    const Vec3 arm = point() - world.body(body).centerOfMass();
    return (world.body(body).linearVelocity() + world.body(body).angularVelocity().cross(arm))
        .norm();
  }
  void step(const Vec3& target) {
    world.body(body).applyForceAt(dragForce(world, body, pointInBody, target), point());
    world.step();
  }

  World world;
  Vec3 pointInBody;
  BodyId body;
};

TEST(Drag, HeldAtItsCentre_ReachesTheTargetWithoutOvershoot) {
  // Critically damped: x falls as (1 + ω t) exp(-ω t), below 1e-3 m of 0.1 m within 0.3 s.
  HeldBody held(5, Vec3::Constant(1), Vec3::Zero(), 1.0 / 240);
  for (int i = 0; i < 72; ++i) {
    held.step({0.1, 0, 0});
    EXPECT_LE(held.point().x(), 0.1 + 1e-12);
  }
  EXPECT_NEAR(held.point().x(), 0.1, 1e-3);
}

// An inertia a thousandth of that of a ball of that size makes the point feel 1/4000 of the mass:
// an explicit spring for the whole mass would throw it away within some steps.
TEST(Drag, AnyInertiaAndStep_StaysStable) {
  for (const Real mass : {1e-3, 1.0, 1e5}) {
    for (const Real inertia : {1e-4, 1.0, 1e2}) {
      for (const Real timestep : {1.0 / 1000, 1.0 / 60, 0.1}) {
        HeldBody held(mass, Vec3::Constant(mass * inertia), {0, 0.5, 0.2}, timestep);
        const Vec3 target = held.point() + Vec3(0.1, 0.05, -0.02);
        const int steps = static_cast<int>(std::lround(3 / timestep));
        for (int i = 0; i < steps; ++i) held.step(target);
        EXPECT_LT((held.point() - target).norm(), 1e-2)
            << mass << " " << inertia << " " << timestep;
        EXPECT_LT(held.speed(), 0.1) << mass << " " << inertia << " " << timestep;
      }
    }
  }
}

TEST(Drag, FarTarget_PullsWithTheCapAndNoMore) {
  HeldBody held(5, Vec3::Constant(1), {0.3, 0, 0}, 1.0 / 60);
  const Vec3 force = dragForce(held.world, held.body, held.pointInBody, {1e6, 0, 0});
  EXPECT_NEAR(force.norm(), 5 * kDragMaxAcceleration, 1e-9);
}

constexpr const char* kBallText = R"({"version": 1, "name": "ball",
  "world": {"sleeping": {"time": 0.1}},
  "bodies": [
    {"name": "ground", "kind": "static", "shape": {"type": "plane"}},
    {"name": "ball", "shape": {"type": "sphere", "radius": 0.5}, "mass": 2,
     "position": [0, 0, 0.5]}]})";

TEST(Drag, SleepingBody_WakesAndIsLiftedUntilRelease) {
  const TestFile scene("ball.json", kBallText);
  Simulated run(scene.path);
  run.stepBy(30);
  ASSERT_FALSE(run.frame().snapshot.bodies[1].awake);
  run.sendAndFinish(Drag{run.idOf("ball"), Vec3::Zero(), {0, 0, 2}});
  run.stepBy(60);
  // It hangs g/ω² = 9.95 mm below the target.
  EXPECT_NEAR(run.positionOf("ball").z(), 2 - 9.81 / (kDragFrequency * kDragFrequency), 1e-3);
  EXPECT_TRUE(run.frame().snapshot.bodies[1].awake);
  run.sendAndFinish(Release{});
  run.stepBy(120);
  EXPECT_NEAR(run.positionOf("ball").z(), 0.5, 1e-2);
}

// The force acts where the body is held, so that it turns until it hangs from there.
TEST(Drag, HeldByItsEdge_TheBodyTurns) {
  const TestFile scene("rod.json", R"({"version": 1, "name": "rod", "bodies": [
    {"name": "rod", "shape": {"type": "box", "half_extents": [0.5, 0.05, 0.05]}, "mass": 2}]})");
  Simulated run(scene.path);
  run.sendAndFinish(Drag{run.idOf("rod"), {0.5, 0, 0}, {0.5, 0, 0}});
  // A quarter of the swing of a rod about its end, 2π √(2 L/3 g) with L = 1 m, takes 0.41 s.
  run.stepBy(25);
  const Pose& pose = run.frame().snapshot.bodies[0].pose;
  EXPECT_NEAR((pose * Vec3(0.5, 0, 0) - Vec3(0.5, 0, 0)).norm(), 0, 0.05) << "it is held there";
  const Vec3 along = pose.rotation * Vec3::UnitX();
  EXPECT_GT(along.z(), 0.8) << "and hangs down from it";
}

TEST(Drag, StaticBody_IsRefused) {
  const TestFile scene("ball.json", kBallText);
  Simulated run(scene.path);
  run.sendAndFinish(Drag{run.idOf("ground"), Vec3::Zero(), {0, 0, 2}});
  EXPECT_TRUE(run.logHas("body 'ground' is static and cannot be dragged")) << run.log();
  run.sendAndFinish(Drag{{77, 0}, Vec3::Zero(), {0, 0, 2}});
  EXPECT_TRUE(run.logHas("the body that was picked is gone"));
  run.sendAndFinish(Drag{run.idOf("ball"), Vec3::Zero(), Vec3::Constant(std::nan(""))});
  EXPECT_TRUE(run.logHas("finite"));
  run.stepBy(5);
  EXPECT_NEAR(run.positionOf("ball").z(), 0.5, 1e-3);
}

}  // namespace
}  // namespace drystone::viewer::test
