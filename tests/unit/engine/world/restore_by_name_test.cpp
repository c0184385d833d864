// Saved states brought back by the names of bodies and joints, whatever their ids.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "core/input_error.h"
#include "tests/unit/engine/world/live_bodies.h"

namespace drystone {
namespace {

using testing::HasSubstr;

struct NamedParts {
  bool sleeps = false;
  int gone = -1;          ///< the box that is removed again before the last ones come; -1: none
  bool isTurned = false;  ///< added in the opposite order
};

BodyDefinition namedBox(int i) {
  BodyDefinition definition{.name = "box " + std::to_string(i), .shape = Box{}};
  definition.pose.position = {1.3 * (i % 2), 0.02 * i, 0.5 + 1.05 * (i / 2)};
  return definition;
}

/// Two stacks, a ball on a rope with a motor, a wheel with a gear, a sensor above. All have names.
World namedWorld(const NamedParts& parts = {}) {
  World world({.sleeping = parts.sleeps ? Sleeping::on() : Sleeping{}}, test::registry());
  world.addMaterial({.friction = 0.2});
  std::vector<BodyDefinition> bodies;
  bodies.push_back({.name = "ground", .kind = BodyKind::kStatic, .shape = Plane{}});
  for (int i = 0; i < 6; ++i) bodies.push_back(namedBox(i));
  bodies.push_back({.name = "ball", .shape = Sphere{0.3}, .pose = {{5, 0, 1}}});
  bodies.push_back({.name = "wheel", .shape = Cylinder{0.3, 0.1}, .pose = {{7, 0, 2}}});
  bodies.push_back({.name = "drum", .shape = Cylinder{0.3, 0.1}, .pose = {{8, 0, 2}}});
  bodies.push_back(
      {.name = "zone", .kind = BodyKind::kStatic, .shape = Box{{2, 2, 2}}, .isSensor = true});
  Compound dumbbell, rack;
  rack.children = {{Box{{0.3, 0.3, 0.1}}, {{0.7, 0, 0}}}, {Box{{0.3, 0.3, 0.1}}, {{-0.5, 0, 0}}}};
  bodies.push_back(
      {.name = "rack", .kind = BodyKind::kStatic, .shape = rack, .pose = {{-5, 0, 0.1}}});
  dumbbell.children = {{Sphere{0.3}, {{-0.5, 0, 0}}}, {Sphere{0.2}, {{0.7, 0, -0.1}}}};
  bodies.push_back({.name = "dumbbell", .shape = dumbbell, .pose = {{-5, 0, 0.5}}});
  if (parts.isTurned) std::reverse(bodies.begin(), bodies.end());
  for (const BodyDefinition& body : bodies) world.addBody(body);
  if (parts.gone >= 0) world.removeBody(world.findBody(namedBox(parts.gone).name));
  const auto find = [&](const char* name) { return world.findBody(name); };
  JointDefinition rope =
      distanceJoint(find("ground"), find("ball"), {5, 0, 2}, Vec3::Zero(), 0, 0.7);
  rope.name = "rope";
  const auto hinge = [&](const char* name) {
    JointDefinition joint = hingeJoint(find("ground"), find(name));
    joint.name = std::string(name) + " hinge";
    joint.axes[kAboutX].motor = JointMotor{.target = 2, .maxForce = 5};
    return world.addJoint(joint, jointFrame(world.body(find(name)).pose().position, Vec3::UnitZ()));
  };
  if (!parts.isTurned) world.addJoint(rope);
  const JointId wheel = hinge("wheel"), drum = hinge("drum");
  JointDefinition gear = gearJoint(wheel, drum, 2);
  gear.name = "gear";
  world.addJoint(gear);
  if (parts.isTurned) world.addJoint(rope);
  return world;
}

void stepTimes(World& world, int steps) {
  for (int i = 0; i < steps; ++i) world.step();
}

/// The largest distance between the places that two bodies of the same name have [m].
Real farthestApart(const World& one, const World& other) {
  Real most = 0;
  for (const BodyId id : one.bodies()) {
    const BodyId same = other.findBody(one.body(id).name());
    if (!other.contains(same)) return kInfinity;
    const Vec3 apart = one.body(id).pose().position - other.body(same).pose().position;
    most = std::max(most, apart.norm());
  }
  return most;
}

std::string refusalOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

// A body was removed long ago, and the world that is built anew never had it: its slots and
// colliders after the gap are one less. In this order of them the bits are the same.
TEST(RestoreByName, IntoAWorldWithoutTheGap_GoesOnBitForBit) {
  for (const bool sleeps : {false, true}) {
    World world = namedWorld({.sleeps = sleeps, .gone = 1});
    stepTimes(world, 40);
    World fresh({.sleeping = world.settings().sleeping}, test::registry());
    fresh.addMaterial({.friction = 0.2});
    for (const BodyId id : world.bodies()) {
      BodyDefinition body = world.body(id).definition();
      body.pose.position += Vec3(0, 0, 3);
      fresh.addBody(body);
    }
    for (const JointId id : world.joints()) {
      JointDefinition joint = world.joint(id).definition();
      if (joint.geometry == JointGeometry::kGear) {
        joint.gear1 = fresh.findJoint(world.joint(joint.gear1).name());
        joint.gear2 = fresh.findJoint(world.joint(joint.gear2).name());
      } else {
        joint.bodyA = fresh.findBody(world.body(joint.bodyA).name());
        joint.bodyB = fresh.findBody(world.body(joint.bodyB).name());
      }
      fresh.addJoint(joint);
    }
    const std::vector<std::byte> saved = world.save();
    EXPECT_THAT(refusalOf([&] { fresh.restore(saved); }), HasSubstr("RestoreMode::kByName"));
    EXPECT_TRUE(fresh.restore(saved, RestoreMode::kByName).isComplete());
    EXPECT_EQ(fresh.time(), world.time());
    // All that the state has but a byte for the empty slot, caches of pairs included.
    EXPECT_EQ(fresh.save().size() + 1, saved.size());
    const Vec3 force = world.body(world.findBody("box 2")).contactForce().force;
    EXPECT_EQ(fresh.body(fresh.findBody("box 2")).contactForce().force, force);
    EXPECT_GT(force.norm(), 1);
    for (int i = 0; i < 40; ++i) {
      const std::size_t lasting = world.step().islands.size();
      EXPECT_EQ(fresh.step().islands.size(), lasting) << i;
      EXPECT_EQ(fresh.lastReport().warmStarted, world.lastReport().warmStarted) << i;
      ASSERT_EQ(farthestApart(world, fresh), 0) << "step " << i << " sleeps " << sleeps;
      EXPECT_EQ(fresh.lastEvents().contactsBegun.size(), world.lastEvents().contactsBegun.size());
      EXPECT_EQ(fresh.lastEvents().sensorsBegun.size(), world.lastEvents().sensorsBegun.size());
    }
  }
}

TEST(RestoreByName, UndoOfARemoval_GoesOnBitForBit) {
  World plain = namedWorld(), world = namedWorld();
  stepTimes(plain, 30);
  stepTimes(world, 30);
  const std::vector<std::byte> saved = world.save();
  const BodyDefinition last = world.body(world.findBody("zone")).definition();
  stepTimes(world, 5);
  world.removeBody(world.findBody("zone"));
  stepTimes(world, 5);
  const BodyId again = world.addBody(last);
  EXPECT_EQ(again.generation, 2u);
  EXPECT_THAT(refusalOf([&] { world.restore(saved); }), HasSubstr("body 'zone'"));
  EXPECT_TRUE(world.restore(saved, RestoreMode::kByName).isComplete());
  EXPECT_EQ(world.findBody("zone"), again) << "the ids stay";
  EXPECT_EQ(world.observe().hash(), plain.observe().hash());
  for (int i = 0; i < 40; ++i) {
    plain.step();
    world.step();
    ASSERT_EQ(farthestApart(plain, world), 0) << i;
    EXPECT_EQ(world.lastEvents().sensorsBegun.size(), plain.lastEvents().sensorsBegun.size()) << i;
  }
}

// Rows in another order are solved to the tolerance, and to other bits. All that is saved of
// contacts turns around: here every first body of a pair becomes the second one.
TEST(RestoreByName, InTheOppositeOrder_GoesOnToRoundOff) {
  World world = namedWorld(), turned = namedWorld({.isTurned = true});
  stepTimes(world, 40);
  EXPECT_TRUE(turned.restore(world.save(), RestoreMode::kByName).isComplete());
  EXPECT_EQ(farthestApart(world, turned), 0);
  for (const char* name : {"box 0", "box 3", "ball", "ground"}) {
    const ContactForce then = world.body(world.findBody(name)).contactForce();
    const ContactForce now = turned.body(turned.findBody(name)).contactForce();
    EXPECT_LT((then.force - now.force).norm(), 1e-9) << name;
    EXPECT_LT((then.torque - now.torque).norm(), 1e-9) << name;
  }
  for (const int part : {0, 1}) {
    const ContactForce then = world.body(world.findBody("dumbbell")).contactForceOnPart(part);
    const ContactForce now = turned.body(turned.findBody("dumbbell")).contactForceOnPart(part);
    EXPECT_LT((then.force - now.force).norm(), 1e-9) << part;
    EXPECT_GT(then.force.z(), 100) << part;
  }
  for (const char* name : {"rope", "wheel hinge", "drum hinge"}) {
    const JointReaction then = world.joint(world.findJoint(name)).reaction();
    const ConstJointHandle now = turned.joint(turned.findJoint(name));
    EXPECT_EQ(now.reaction().force, then.force) << name;
    for (int i = 0; i < now.coordinateCount(); ++i) {
      EXPECT_EQ(now.axisForce(i).total(), world.joint(world.findJoint(name)).axisForce(i).total())
          << name << " " << i;
    }
  }
  world.step();
  turned.step();
  EXPECT_GT(world.lastReport().warmStarted, 20);
  // Those of the plane at least. Of two boxes the other one may lend its face now, so that their
  // contacts have other names.
  EXPECT_GE(turned.lastReport().warmStarted, 10);
  EXPECT_TRUE(turned.lastEvents().contactsBegun.empty()) << "they touched before";
  EXPECT_TRUE(turned.lastEvents().contactsEnded.empty());
  EXPECT_TRUE(turned.lastEvents().sensorsBegun.empty());
  stepTimes(world, 30);
  stepTimes(turned, 30);
  EXPECT_LT(farthestApart(world, turned), 1e-4);  // 31 steps of solves to 1e-6 m/s and 0.5 s
}

TEST(RestoreByName, WhatHasNoPartner_IsReportedAndLeftAlone) {
  World world = namedWorld();
  stepTimes(world, 20);
  const std::vector<std::byte> saved = world.save();
  stepTimes(world, 5);
  const auto find = [&](const char* name) { return world.findBody(name); };
  const BodyId removed = find("box 5");
  world.removeBody(removed);
  world.removeBody(find("box 4"));
  world.addBody({.name = "box 4", .shape = Sphere{0.2}, .pose = {{-8, 0, 2}}});  // another shape
  world.addBody({.name = "box 3", .shape = Box{}, .pose = {{-8, 3, 2}}});        // a second one
  const BodyId nameless = world.addBody({.shape = Box{}, .pose = {{-8, 6, 2}}});
  world.removeJoint(world.findJoint("drum hinge"));  // and the gear with it
  const RestoreReport report = world.restore(saved, RestoreMode::kByName);
  const auto namesOf = [](const auto& list) {
    std::vector<std::string> names;
    for (const auto& one : list) names.push_back(one.name);
    return names;
  };
  using testing::UnorderedElementsAre;
  EXPECT_THAT(namesOf(report.bodiesNotHere), UnorderedElementsAre("box 3", "box 4", "box 5"));
  EXPECT_THAT(namesOf(report.bodiesNotSaved), UnorderedElementsAre("box 3", "box 3", "box 4", ""));
  EXPECT_THAT(namesOf(report.jointsNotHere), UnorderedElementsAre("drum hinge", "gear"));
  EXPECT_TRUE(report.jointsNotSaved.empty());
  EXPECT_EQ(world.body(nameless).pose().position, Vec3(-8, 6, 2));
  World then = namedWorld();
  then.restore(saved);
  EXPECT_EQ(world.body(find("box 2")).pose().position,
            then.body(then.findBody("box 2")).pose().position);
  stepTimes(world, 30);
  EXPECT_TRUE(world.lastReport().withinTolerance) << "what stayed and overlaps is pushed out";
}

// A gear between the joints of two wheels is not that between those of two others.
TEST(RestoreByName, JointsOnOtherBodies_AreLeftOut) {
  World world = namedWorld(), other = namedWorld();
  for (const char* name : {"gear", "rope"}) other.removeJoint(other.findJoint(name));
  const auto body = [&](const char* name) { return other.findBody(name); };
  JointDefinition rope =
      distanceJoint(body("box 5"), body("ball"), Vec3::Zero(), Vec3::Zero(), 0, 9);
  rope.name = "rope";
  other.addJoint(rope);
  JointDefinition gear =
      gearJoint(other.findJoint("drum hinge"), other.findJoint("wheel hinge"), 2);
  gear.name = "gear";
  other.addJoint(gear);
  const RestoreReport report = other.restore(world.save(), RestoreMode::kByName);
  EXPECT_EQ(report.jointsNotHere.size(), 2u);
  EXPECT_EQ(report.jointsNotSaved.size(), 2u);
  EXPECT_TRUE(report.bodiesNotHere.empty());
}

// What a body has become since comes along, with a collider of its own.
TEST(RestoreByName, BringsChangesAlong) {
  World world = namedWorld({.gone = 0}), fresh = namedWorld();
  fresh.removeBody(fresh.findBody("box 0"));
  world.body(world.findBody("box 2")).setShape(Sphere{0.5}, ShapeMass::kByDensity);
  world.body(world.findBody("ball")).setShape(std::nullopt);
  world.body(world.findBody("box 3")).setMaterial(1);
  world.joint(world.findJoint("rope")).setLimits(0, 0, 0.4);
  stepTimes(world, 20);
  EXPECT_TRUE(fresh.restore(world.save(), RestoreMode::kByName).isComplete());
  EXPECT_EQ(fresh.body(fresh.findBody("box 3")).definition().material, 1);
  for (int i = 0; i < 30; ++i) {
    world.step();
    fresh.step();
    ASSERT_EQ(farthestApart(world, fresh), 0) << i;
  }
  EXPECT_EQ(fresh.observe().hash(), world.observe().hash());
}

}  // namespace
}  // namespace drystone
