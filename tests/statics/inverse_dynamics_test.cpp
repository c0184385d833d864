// Forces of wanted motions against closed forms, and against steps that were taken.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "engine/statics/inverse_dynamics.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

/// What the interior point leaves, relative, and the roundings of contact points.
constexpr Real kLeft = 1e-5;
constexpr Real kBlockMass = 3;  // [kg]

struct WantedScene {
  World world;
  BodyId floor{}, block{};
  Real step() const { return world.settings().timestep; }
  InverseAnswer wants(const Vec3& velocity, const Vec3& spin = Vec3::Zero()) {
    const WantedVelocity one{block, velocity, spin};
    return InverseDynamics(world).answer({&one, 1});
  }
};

World wantedWorld(Real friction) {
  World world(test::settingsFor("auto"), test::registry());
  world.setMaterialPair(0, 0, {.friction = friction});
  return world;
}

/// A flat block on a floor that moves along x.
WantedScene blockOnFloor(Real friction, Real floorSpeed = 0) {
  WantedScene out{wantedWorld(friction)};
  BodyDefinition floor{.kind = BodyKind::kKinematic, .shape = Box{{50, 50, 1}}};
  floor.pose.position.z() = -1;
  floor.linearVelocity.x() = floorSpeed;
  out.floor = out.world.addBody(floor);
  out.block = test::addBody(out.world, Box{{1, 1, 0.1}}, kBlockMass,
                            {{0, 0, 0.1}, Quat::Identity()}, {floorSpeed, 0, 0});
  return out;
}

Real sumOf(const std::vector<StaticContact>& contacts, Real StaticContact::*what) {
  Real sum = 0;
  for (const StaticContact& contact : contacts) sum += contact.*what;
  return sum;
}

TEST(InverseDynamics, BlockHeldOnASlope_StandsUpToTheAngleOfFrictionAndLacksTheRest) {
  const Real mu = 0.5;
  for (const Real angle : {0.2, 0.45, 0.5, 0.9}) {
    WantedScene scene{wantedWorld(mu)};
    test::addSlope(scene.world, angle, 0);
    const Quat q = test::turn(Vec3::UnitY(), angle);
    scene.block =
        test::addBody(scene.world, Box{{1, 1, 0.1}}, kBlockMass, {q * Vec3(0, 0, 0.1), q});
    const InverseAnswer held = scene.wants(Vec3::Zero());
    const Real excess = kGravity * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_EQ(held.isPossible, excess <= 0) << angle;
    if (excess > 0) {
      ASSERT_EQ(held.lacks.size(), 1u);
      // The normal force may grow, and with it what friction does: the least is square to the cone.
      const Real least = kBlockMass * excess / std::hypot(1, mu);
      EXPECT_NEAR(held.lacks[0].force.norm() / least, 1, kLeft);
      EXPECT_NEAR(held.lacks[0].linear.norm(), scene.step() * least / kBlockMass, kLeft);
    } else {
      EXPECT_NEAR(sumOf(held.contacts, &StaticContact::normalForce),
                  kBlockMass * kGravity * std::cos(angle), 1e-4);
    }
  }
}

// On a slope that it slides down, friction is μ N against it: a = g (sin α − μ cos α), and all else
// lacks by the difference.
TEST(InverseDynamics, SlidingBlock_HasTheAccelerationOfCoulomb) {
  const Real mu = 0.3, angle = 0.6;
  WantedScene scene{wantedWorld(mu)};
  test::addSlope(scene.world, angle, 0);
  const Quat q = test::turn(Vec3::UnitY(), angle);
  const Vec3 down = q * Vec3::UnitX();
  scene.block =
      test::addBody(scene.world, Box{{1, 1, 0.1}}, kBlockMass, {q * Vec3(0, 0, 0.1), q}, down);
  const Real coulomb = kGravity * (std::sin(angle) - mu * std::cos(angle));
  const InverseAnswer as = scene.wants((1 + scene.step() * coulomb) * down);
  EXPECT_TRUE(as.isPossible);
  for (const StaticContact& contact : as.contacts) {
    EXPECT_NEAR(contact.friction, mu * contact.normalForce, 1e-9);
  }
  // Faster: no push of the ground along the slip; least is what is square to (n − μ t).
  const InverseAnswer faster = scene.wants((1 + scene.step() * (coulomb + 2)) * down);
  EXPECT_FALSE(faster.isPossible);
  ASSERT_EQ(faster.lacks.size(), 1u);
  EXPECT_NEAR(faster.lacks[0].force.norm() / (kBlockMass * 2 / std::hypot(1, mu)), 1, kLeft);
}

// A block on a cart: friction carries it up to μ g.
TEST(InverseDynamics, CarriedBlock_NeedsFrictionOfItsAcceleration) {
  const Real mu = 0.4;
  for (const Real acceleration : {1.0, 3.9, 4.5}) {
    WantedScene scene = blockOnFloor(mu, 2);
    const Real speed = 2 + acceleration * scene.step();
    scene.world.body(scene.floor).setVelocity({speed, 0, 0}, Vec3::Zero());
    const InverseAnswer carried = scene.wants({speed, 0, 0});
    const Real excess = acceleration - mu * kGravity;
    EXPECT_EQ(carried.isPossible, excess <= 0) << acceleration;
    if (excess <= 0) continue;
    ASSERT_EQ(carried.lacks.size(), 1u);
    EXPECT_EQ(carried.lacks[0].body, scene.block);
    EXPECT_NEAR(carried.lacks[0].force.norm(), kBlockMass * excess / std::hypot(1, mu), 1e-4);
  }
}

// Dragged at a constant speed it needs μ m g, which is a force that is applied or lacks.
TEST(InverseDynamics, DraggedBox_NeedsFrictionTimesWeight) {
  const Real mu = 0.4, force = mu * kBlockMass * kGravity;
  WantedScene scene = blockOnFloor(mu);
  scene.world.body(scene.block).setVelocity({1, 0, 0}, Vec3::Zero());
  EXPECT_FALSE(scene.wants({1, 0, 0}).isPossible);
  scene.world.body(scene.block).applyForceAt({force, 0, 0}, {0, 0, 0});
  EXPECT_TRUE(scene.wants({1, 0, 0}).isPossible);
}

TEST(InverseDynamics, PartingContact_CarriesNothing) {
  WantedScene scene = blockOnFloor(0.4);
  const InverseAnswer rises = scene.wants({0, 0, 0.5});
  EXPECT_TRUE(rises.contacts.empty());
  ASSERT_EQ(rises.lacks.size(), 1u);
  const Vec3 force = kBlockMass * Vec3(0, 0, kGravity + 0.5 / scene.step());
  EXPECT_LT((rises.lacks[0].force - force).norm(), 1e-4 * force.norm());
  const InverseAnswer falls = scene.wants({0, 0, -0.5});
  EXPECT_FALSE(falls.isPossible);
  ASSERT_EQ(falls.blocked.size(), 4u);
  EXPECT_NEAR(falls.blocked[0].speed, 0.5, 1e-6);
}

constexpr Real kLink = 0.8, kLinkMass = 1.5, kLinkInertia = 0.09;

/// y of the torque of a force about a point.
Real turningOf(const Vec3& at, const Vec3& about, const Vec3& force) {
  return (at - about).cross(force).y();
}

// Of each link the acceleration of its centre and of its spin give force and torque of its joint,
// from the last one inwards (Newton and Euler). It swings in the x-z plane.
TEST(InverseDynamics, ArmOfTwoLinks_HasTheTorquesOfNewtonAndEuler) {
  World world = wantedWorld(0.5);
  const Real h = world.settings().timestep;
  const std::array<Real, 2> angle = {0.5, 1.3}, rate = {0.7, -1.1}, push = {4, -6};
  std::array<Vec3, 2> ends, centers, force;
  std::array<WantedVelocity, 2> wanted;
  Vec3 end = Vec3::Zero(), vEnd = Vec3::Zero(), vEndNext = Vec3::Zero();
  BodyId before = world.addBody({.kind = BodyKind::kStatic, .shape = Box{{0.01, 0.01, 0.01}}});
  for (std::size_t i = 0; i < 2; ++i) {
    const Quat q = test::turn(Vec3::UnitY(), angle[i]);
    const Vec3 along = kLink * (q * Vec3(0, 0, -1)), across = Vec3::UnitY().cross(along);
    const Real next = rate[i] + h * push[i];
    ends[i] = end;
    centers[i] = end + along / 2;
    const Vec3 v = vEnd + rate[i] * across / 2, vNext = vEndNext + next * across / 2;
    const Vec3 moments(kLinkInertia, kLinkInertia, 1e-2);
    BodyDefinition link{.mass = MassProperties{kLinkMass, Vec3::Zero(), moments.asDiagonal()}};
    link.pose = {centers[i], q};
    link.linearVelocity = v;
    link.angularVelocity = rate[i] * Vec3::UnitY();
    const BodyId body = world.addBody(link);
    JointDefinition hinge = hingeJoint(before, body);
    hinge.axes[kAboutX].motor = JointMotor{};
    world.addJoint(hinge, jointFrame(end, Vec3::UnitY()));
    wanted[i] = {body, vNext, next * Vec3::UnitY()};
    force[i] = kLinkMass * ((vNext - v) / h + Vec3(0, 0, kGravity));
    end += along;
    vEnd += rate[i] * across;
    vEndNext += next * across;
    before = body;
  }
  const Real outer = kLinkInertia * push[1] - turningOf(ends[1], centers[1], force[1]);
  const Real inner = kLinkInertia * push[0] + outer -
                     turningOf(ends[0], centers[0], force[0] + force[1]) +
                     turningOf(ends[1], centers[0], force[1]);
  const InverseAnswer answer = InverseDynamics(world).answer(wanted);
  EXPECT_TRUE(answer.isPossible);
  ASSERT_EQ(answer.motors.size(), 2u);
  EXPECT_NEAR(answer.motors[0].force, inner, 1e-6 * std::abs(inner));
  EXPECT_NEAR(answer.motors[1].force, outer, 1e-6 * std::abs(outer));
  EXPECT_EQ(answer.motors[0].coordinate, kAboutX);
}

// What a step did can be done, by forces of the same contacts: blocks that slide and turn on a
// slope, one on the other. A little more cannot.
TEST(InverseDynamics, MotionOfAStep_IsPossible) {
  const auto make = [] {
    World world = wantedWorld(0.3);
    const Real angle = 0.5;
    test::addSlope(world, angle, 0);
    const Quat q = test::turn(Vec3::UnitY(), angle);
    for (int i = 0; i < 3; ++i) {
      test::addBody(world, Box{{1, 1, 0.2}}, 1.0 + i, {q * Vec3(0.2 * i, 0, 0.2 + 0.4 * i), q},
                    q * Vec3(1 + 0.5 * i, 0.3, 0), q * Vec3(0, 0, 0.5 - i));
    }
    return world;
  };
  World stepped = make(), asked = make();
  stepped.step();
  std::vector<WantedVelocity> wanted;
  for (const BodyId id : stepped.bodies()) {
    const ConstBodyHandle body = std::as_const(stepped).body(id);
    if (body.kind() != BodyKind::kDynamic) continue;
    wanted.push_back({id, body.linearVelocity(), body.angularVelocity()});
  }
  const InverseDynamics inverse(asked);
  const InverseAnswer answer = inverse.answer(wanted);
  EXPECT_TRUE(answer.isPossible) << answer.reason;
  EXPECT_EQ(answer.contacts.size(), 12u);
  wanted.back().linear.x() += 0.01;
  EXPECT_FALSE(inverse.answer(wanted).isPossible);
}

// A spring with a damper pulls as it did in a step, and what it pulls back lacks where more is
// wanted.
TEST(InverseDynamics, DampedSpring_PullsAsInAStep) {
  for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kMoreau}) {
    WorldSettings settings = test::settingsFor("auto");
    settings.integrator = integrator;
    const auto make = [&](BodyId& block) {
      World world(settings, test::registry());
      const BodyId wall = world.addBody({.kind = BodyKind::kStatic});
      block = test::addBody(world, Box{{0.1, 0.1, 0.1}}, kBlockMass, {});
      JointDefinition slide = sliderJoint(wall, block);
      slide.axes[kAlongX].spring = JointSpring{.stiffness = 500, .damping = 40, .rest = 0.3};
      world.addJoint(slide);
      return world;
    };
    BodyId block;
    World stepped = make(block), asked = make(block);
    stepped.step();
    const Vec3 speed = stepped.body(block).linearVelocity();
    EXPECT_GT(speed.x(), 0.1);
    const InverseDynamics inverse(asked);
    const WantedVelocity same{block, speed, Vec3::Zero()}, more{block, 1.1 * speed, Vec3::Zero()};
    EXPECT_TRUE(inverse.answer({&same, 1}).isPossible);
    const InverseAnswer answer = inverse.answer({&more, 1});
    ASSERT_EQ(answer.lacks.size(), 1u);
    const Real h = settings.timestep;
    const Real resisting =
        integrator == Integrator::kMoreau ? h * 40 / 2 + h * h * 500 / 4 : h * 40 + h * h * 500;
    EXPECT_NEAR(answer.lacks[0].force.x() * h / (0.1 * speed.x()), kBlockMass + resisting, 1e-3);
  }
}

// A limit that was passed pushes back by as much as it was passed.
TEST(InverseDynamics, PassedLimit_PushesBackToItself) {
  World world = wantedWorld(0.4);
  const BodyId wall = world.addBody({.kind = BodyKind::kStatic});
  const BodyId block = test::addBody(world, Box{{0.1, 0.1, 0.1}}, kBlockMass, {});
  JointDefinition slide = sliderJoint(wall, block);
  const Real beyond = 0.01, back = beyond / world.settings().timestep;
  slide.axes[kAlongX] = JointAxis::limited(-1, -beyond);
  world.addJoint(slide);
  const InverseDynamics inverse(world);
  for (const Real share : {0.5, 0.99, 1.5, -0.1}) {
    const WantedVelocity wanted{block, {-share * back, 0, 0}, Vec3::Zero()};
    EXPECT_EQ(inverse.answer({&wanted, 1}).isPossible, share > 0 && share < 1) << share;
  }
}

TEST(InverseDynamics, OfInnerSteps_LacksByThem) {
  WantedScene scene = blockOnFloor(0.4);
  WorldSettings settings = scene.world.settings();
  settings.substeps = 4;
  World world(settings, test::registry());
  const BodyId block = world.addBody(scene.world.body(scene.block).definition());
  const WantedVelocity rises{block, {0, 0, 0.5}, Vec3::Zero()};
  const InverseAnswer answer = InverseDynamics(world).answer({&rises, 1});
  ASSERT_EQ(answer.lacks.size(), 1u);
  EXPECT_NEAR(answer.lacks[0].linear.z(), 0.5 + kGravity * settings.timestep / 4, 1e-5);
}

TEST(InverseDynamics, SlowSlip_IsRestWhereThatIsAsked) {
  WantedScene scene = blockOnFloor(0.4);
  const Real creep = 1e-4;
  const WantedVelocity one{scene.block, {creep, 0, 0}, Vec3::Zero()};
  const InverseDynamics inverse(scene.world);
  EXPECT_FALSE(inverse.answer({&one, 1}).isPossible);
  EXPECT_TRUE(inverse.answer({&one, 1}, 2 * creep).isPossible);
}

TEST(InverseDynamics, BadRequests_AreRefusedByName) {
  WantedScene scene = blockOnFloor(0.4);
  const InverseDynamics inverse(scene.world);
  const std::array<WantedVelocity, 1> floor = {{{.body = scene.floor}}};
  EXPECT_THROW(inverse.answer(floor), InputError);
  const std::array<WantedVelocity, 2> twice = {{{.body = scene.block}, {.body = scene.block}}};
  EXPECT_THROW(inverse.answer(twice), InputError);
  EXPECT_THROW(scene.wants(Vec3::Constant(std::nan(""))), InputError);
}

TEST(InverseDynamics, CablesOverManyBodies_AreRefusedByName) {
  WantedScene scene = blockOnFloor(0.4);
  const BodyId other = test::addUnitBox(scene.world, {3, 0, 0.5});
  scene.world.addCable({.name = "rope", .points = {{scene.block}, {scene.floor}, {other}}});
  try {
    const InverseDynamics refused(scene.world);
    ADD_FAILURE() << "a cable was taken";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("InverseDynamics: joint 'rope' is a cable"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace drystone
