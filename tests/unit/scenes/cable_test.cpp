// Generators that tie their bodies: chain, cable, grid with joints, replicate with joints; and the
// log tower.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/scenes/scene_testing.h"

namespace drystone {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A scene with a static body named "hook" and a generator.
Scene generateWithHook(const std::string& generator) {
  return readSceneText(
      sceneWith(R"("bodies": [{"name": "hook", "kind": "static"}], "generators": [)" + generator +
                "]"),
      "s.json");
}

const BodyDefinition& body(const Scene& scene, int index) { return scene.bodies.at(index); }

/// Place of a joint in the world, by way of body A or of body B.
Vec3 placeOnA(const Scene& scene, const SceneJoint& joint) {
  return body(scene, joint.bodyA).pose * joint.definition.frameA.position;
}
Vec3 placeOnB(const Scene& scene, const SceneJoint& joint) {
  return body(scene, joint.bodyB).pose * joint.definition.frameB.position;
}

constexpr Real kPlaceRoundOff = 1e-14;  // of places of some metres

const std::string kLinks = R"("type": "chain", "count": 3, "step": [0, 0, -0.5], "mass": 2,
    "shape": {"type": "sphere", "radius": 0.1})";

TEST(Chain, LinksStandAtSteps_JointsHalfwayBetween) {
  const Scene scene = generateWithHook("{" + kLinks + R"(, "position": [1, 0, 0]})");
  ASSERT_EQ(scene.bodies.size(), 1u + 3u);
  ASSERT_EQ(scene.joints.size(), 2u);  // held by nothing
  EXPECT_EQ(body(scene, 1).name, "chain_0");
  EXPECT_EQ(body(scene, 3).name, "chain_2");
  EXPECT_EQ(body(scene, 3).pose.position, Vec3(1, 0, -1));
  EXPECT_EQ(scene.joints[0].definition.name, "chain_joint_1");
  EXPECT_EQ(scene.joints[0].bodyA, 1);
  EXPECT_EQ(scene.joints[0].bodyB, 2);
  EXPECT_LE((placeOnA(scene, scene.joints[0]) - Vec3(1, 0, -0.25)).norm(), kPlaceRoundOff);
  EXPECT_LE((placeOnB(scene, scene.joints[1]) - Vec3(1, 0, -0.75)).norm(), kPlaceRoundOff);
}

TEST(Chain, Hold_TiesTheFirstLinkHalfAStepBeforeIt) {
  const Scene scene = generateWithHook("{" + kLinks + R"(, "hold": "hook"})");
  ASSERT_EQ(scene.joints.size(), 3u);
  EXPECT_EQ(scene.joints[0].definition.name, "chain_joint_0");
  EXPECT_EQ(scene.joints[0].bodyA, 0);
  EXPECT_EQ(scene.joints[0].bodyB, 1);
  EXPECT_LE((placeOnA(scene, scene.joints[0]) - Vec3(0, 0, 0.25)).norm(), kPlaceRoundOff);
}

TEST(Chain, End_HangsAtItsReachBehindTheLastJoint) {
  const Scene scene = generateWithHook(
      "{" + kLinks +
      R"(, "end": {"reach": 0.7, "mass": 9, "shape": {"type": "sphere", "radius": 0.5}}})");
  ASSERT_EQ(scene.bodies.size(), 1u + 4u);
  ASSERT_EQ(scene.joints.size(), 3u);
  const BodyDefinition& end = body(scene, 4);
  EXPECT_EQ(end.name, "chain_end");
  EXPECT_EQ(end.mass->mass, 9);
  // Last link at -1, its joint at -1.25, the end 0.7 below that.
  EXPECT_LE((end.pose.position - Vec3(0, 0, -1.95)).norm(), kPlaceRoundOff);
  EXPECT_EQ(scene.joints[2].definition.name, "chain_joint_3");
  EXPECT_LE((placeOnB(scene, scene.joints[2]) - Vec3(0, 0, -1.25)).norm(), kPlaceRoundOff);
}

TEST(Chain, JointKinds_LeaveFreeWhatTheyShould) {
  const auto freeTurns = [](const char* kind) {
    const Scene scene = generateWithHook("{" + kLinks + R"(, "joint": ")" + kind + "\"}");
    std::vector<bool> isFree;
    for (const int i : {kAboutX, kAboutY, kAboutZ}) {
      isFree.push_back(!scene.joints[0].definition.axes[i].isLocked());
    }
    return isFree;
  };
  EXPECT_THAT(freeTurns("ball"), ElementsAre(true, true, true));
  EXPECT_THAT(freeTurns("universal"), ElementsAre(true, false, true));  // no twist
  EXPECT_THAT(freeTurns("fixed"), ElementsAre(false, false, false));
}

TEST(Chain, Damping_IsOfTheFreeTurns) {
  const Scene scene = generateWithHook("{" + kLinks + R"(, "joint": "universal", "damping": 4})");
  const JointDefinition& joint = scene.joints[0].definition;
  EXPECT_EQ(joint.axes[kAboutX].spring->damping, 4);
  EXPECT_EQ(joint.axes[kAboutZ].spring->damping, 4);
  EXPECT_FALSE(joint.axes[kAboutY].spring);
}

TEST(Chain, ZeroStep_IsAnError) {
  EXPECT_THAT(problemsOfGenerator(R"({"type": "chain", "count": 2, "step": [0, 0, 0],
      "shape": {"type": "sphere", "radius": 0.1}})"),
              ElementsAre(HasSubstr("/generators/0/step: must not be the zero vector")));
}

const std::string kCable = R"("type": "cable", "points": [[0, 0, 0], [6, 0, 0]], "radius": 0.02)";

TEST(Cable, SegmentsMeetEndToEnd) {
  const Scene scene = generateWithHook("{" + kCable + R"(, "count": 3, "mass_per_length": 4})");
  ASSERT_EQ(scene.bodies.size(), 1u + 3u);
  ASSERT_EQ(scene.joints.size(), 2u);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(body(scene, i + 1).name, "cable_" + std::to_string(i));
    EXPECT_LE((body(scene, i + 1).pose.position - Vec3(2 * i + 1, 0, 0)).norm(), kPlaceRoundOff);
    EXPECT_LE((body(scene, i + 1).pose.rotation * Vec3::UnitZ() - Vec3::UnitX()).norm(),
              kPlaceRoundOff);
    EXPECT_EQ(std::get<Capsule>(*body(scene, i + 1).shape).halfLength, 1);
    EXPECT_EQ(body(scene, i + 1).mass->mass, 8);  // 4 kg/m · 2 m
  }
  EXPECT_EQ(scene.joints[1].definition.name, "cable_joint_2");
  EXPECT_LE((placeOnA(scene, scene.joints[1]) - Vec3(4, 0, 0)).norm(), kPlaceRoundOff);
}

TEST(Cable, Density_IsOfTheCrossSection) {
  const Scene scene = generateWithHook("{" + kCable + R"(, "count": 3, "density": 7800})");
  EXPECT_NEAR(body(scene, 1).mass->mass, 7800 * M_PI * 0.02 * 0.02 * 2, 1e-12);
}

TEST(Cable, SegmentLength_IsTheLongestAllowed) {
  const auto segments = [](const char* length) {
    return generateWithHook("{" + kCable + R"(, "segment_length": )" + length + "}").bodies.size() -
           1;
  };
  EXPECT_EQ(segments("2"), 3u);
  EXPECT_EQ(segments("0.6"), 10u);  // 6 / 0.6 is 10 to round-off
  EXPECT_EQ(segments("1.9"), 4u);
  EXPECT_EQ(segments("100"), 1u);
}

TEST(Cable, CornersLieBetweenSegments) {
  // Legs of 3 m and 1 m share four segments three to one.
  const Scene scene = generateWithHook(
      R"({"type": "cable", "points": [[0, 0, 0], [3, 0, 0], [3, 0, 1]], "radius": 0.02, "count": 4})");
  ASSERT_EQ(scene.bodies.size(), 1u + 4u);
  EXPECT_LE((body(scene, 3).pose.position - Vec3(2.5, 0, 0)).norm(), kPlaceRoundOff);
  EXPECT_LE((body(scene, 4).pose.position - Vec3(3, 0, 0.5)).norm(), kPlaceRoundOff);
  EXPECT_LE((placeOnB(scene, scene.joints[2]) - Vec3(3, 0, 0)).norm(), kPlaceRoundOff);
}

TEST(Cable, ManyLegsAndFewSegments_GiveOneToEachLeg) {
  const Scene scene = generateWithHook(R"({"type": "cable", "radius": 0.01, "count": 2,
      "points": [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]})");
  EXPECT_EQ(scene.bodies.size(), 1u + 3u);
}

TEST(Cable, StiffnessOfAJoint_IsTheSectionsByTheLengthBetweenCentres) {
  const Scene scene = generateWithHook("{" + kCable + R"(, "count": 3, "bending_stiffness": 50,
      "bending_damping": 3, "twisting_stiffness": 40, "stretching_stiffness": 1e6})");
  const JointDefinition& joint = scene.joints[0].definition;
  for (const int bend : {kAboutX, kAboutZ}) {
    EXPECT_EQ(joint.axes[bend].spring->stiffness, 50 / 2.0);
    EXPECT_EQ(joint.axes[bend].spring->damping, 3 / 2.0);
  }
  EXPECT_EQ(joint.axes[kAboutY].spring->stiffness, 40 / 2.0);
  EXPECT_EQ(joint.axes[kAlongY].spring->stiffness, 1e6 / 2);
  EXPECT_FALSE(joint.axes[kAlongY].isLocked());
  EXPECT_TRUE(joint.axes[kAlongX].isLocked());
  // The y axis, along which it stretches, lies along the cable.
  const Quat frame = body(scene, 1).pose.rotation * joint.frameA.rotation;
  EXPECT_LE((frame * Vec3::UnitY() - Vec3::UnitX()).norm(), kPlaceRoundOff);
}

TEST(Cable, WithoutStiffness_IsAChainOfBallJoints) {
  const Scene scene = generateWithHook("{" + kCable + R"(, "count": 2, "compliance": 1e-7})");
  const JointDefinition& joint = scene.joints[0].definition;
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(joint.axes[i].isLocked(), i < 3);
    EXPECT_FALSE(joint.axes[i].spring);
  }
  EXPECT_EQ(joint.compliance, 1e-7);
}

TEST(Cable, HeldEnds_ArePinnedOrClampedToTheirBodies) {
  const std::string held = "{" + kCable + R"(, "count": 2, "bending_stiffness": 50,
      "hold_from": "hook", "hold_to": "hook")";
  for (const bool clamped : {false, true}) {
    const Scene scene = generateWithHook(held + (clamped ? R"(, "ends": "clamped"})" : "}"));
    ASSERT_EQ(scene.joints.size(), 3u);
    const SceneJoint &first = scene.joints[0], &last = scene.joints[2];
    EXPECT_EQ(first.definition.name, "cable_joint_0");
    EXPECT_EQ(first.bodyA, 0);
    EXPECT_EQ(first.bodyB, 1);
    EXPECT_EQ(last.definition.name, "cable_joint_2");
    EXPECT_EQ(last.bodyA, 2);
    EXPECT_EQ(last.bodyB, 0);
    EXPECT_LE((placeOnB(scene, first) - Vec3::Zero()).norm(), kPlaceRoundOff);
    EXPECT_LE((placeOnA(scene, last) - Vec3(6, 0, 0)).norm(), kPlaceRoundOff);
    ASSERT_EQ(first.definition.axes[kAboutX].spring.has_value(), clamped);
    // From the wall to the centre of a segment of 3 m.
    if (clamped) {
      EXPECT_EQ(first.definition.axes[kAboutX].spring->stiffness, 50 / 1.5);
    }
  }
}

TEST(Cable, SegmentsShorterThanThick_AreRefusedWhereTheyCollide) {
  const std::string stubby =
      R"({"type": "cable", "points": [[0, 0, 0], [1, 0, 0]], "radius": 0.1, "count": 10)";
  EXPECT_THAT(problemsOfGenerator(stubby + "}"),
              ElementsAre(HasSubstr("a segment of 0.1 m is shorter than the cable is thick")));
  EXPECT_THAT(problemsOfGenerator(stubby + R"(, "collide": false})"), ElementsAre());
}

TEST(Cable, WhatItCannotMean_IsRefused) {
  EXPECT_THAT(problemsOfGenerator("{" + kCable + "}"),
              ElementsAre(HasSubstr("cable needs \"count\" or \"segment_length\"")));
  EXPECT_THAT(problemsOfGenerator("{" + kCable + R"(, "count": 2, "mass": 5})"),
              ElementsAre(HasSubstr("/mass: the segments' mass follows from \"mass_per_length\"")));
  EXPECT_THAT(
      problemsOfGenerator(R"({"type": "cable", "points": [[0, 0, 0]], "radius": 0.1, "count": 2})"),
      ElementsAre(HasSubstr("/points: a cable needs two points")));
  EXPECT_THAT(problemsOfGenerator(R"({"type": "cable", "points": [[0, 0, 1], [0, 0, 1]],
      "radius": 0.1, "count": 2})"),
              ElementsAre(HasSubstr("/points/1: must differ from the point before")));
}

TEST(LogTower, LayersLieCrosswiseAndTouch) {
  const Scene scene = generateWithHook(R"({"type": "log_tower", "layers": 3, "logs": 2, "length": 2,
      "radius": 0.1, "pitch": 1.5, "mass": 50})");
  ASSERT_EQ(scene.bodies.size(), 1u + 6u);
  EXPECT_EQ(body(scene, 1).name, "log_tower_0_0");
  EXPECT_EQ(body(scene, 6).name, "log_tower_2_1");
  for (int i = 0; i < 6; ++i) {
    const int layer = i / 2;
    const Real across = i % 2 == 0 ? -0.75 : 0.75;
    const Pose& pose = body(scene, i + 1).pose;
    const Vec3 place(layer == 1 ? across : 0, layer == 1 ? 0 : across, 0.1 + 0.2 * layer);
    EXPECT_LE((pose.position - place).norm(), kPlaceRoundOff);
    const Vec3 along = pose.rotation * Vec3::UnitZ();
    EXPECT_NEAR(std::abs(layer == 1 ? along.y() : along.x()), 1, kPlaceRoundOff);
    EXPECT_EQ(body(scene, i + 1).mass->mass, 50);
  }
}

TEST(LogTower, PitchBelowTheThickness_IsAnError) {
  EXPECT_THAT(problemsOfGenerator(R"({"type": "log_tower", "layers": 3, "logs": 2, "length": 2,
      "radius": 0.1, "pitch": 0.1})"),
              ElementsAre(HasSubstr("/pitch: must be at least the thickness of a log, 0.2 m")));
}

TEST(Grid, WithJoints_TiesEachBodyToItsNeighboursHalfway) {
  const Scene scene =
      generateWithHook(R"({"type": "grid", "counts": [3, 2, 2], "spacing": [1, 2, -4],
      "joint": "ball", "shape": {"type": "sphere", "radius": 0.1}})");
  // Along x 2 · 2 · 2, along y 3 · 1 · 2, along z 3 · 2 · 1.
  ASSERT_EQ(scene.joints.size(), 8u + 6u + 6u);
  for (const SceneJoint& joint : scene.joints) {
    const Vec3 &a = body(scene, joint.bodyA).pose.position,
               &b = body(scene, joint.bodyB).pose.position;
    EXPECT_EQ(((b - a).array() != 0).count(), 1);
    EXPECT_LE((placeOnA(scene, joint) - (a + b) / 2).norm(), kPlaceRoundOff);
    EXPECT_LE((placeOnB(scene, joint) - (a + b) / 2).norm(), kPlaceRoundOff);
  }
  EXPECT_EQ(scene.joints[0].definition.name, "grid_joint_x_1_0_0");
}

TEST(Replicate, CopiesJointsAndGeneratorsOfTheGroup) {
  const Scene scene = generateWithHook(R"({"type": "replicate", "name": "rig", "counts": [1, 2, 1],
      "offsets": [[0, 0, 0], [0, 5, 0]],
      "bodies": [{"name": "base", "mass": 1, "inertia": [1, 1, 1]}],
      "generators": [{"type": "stack", "name": "pile", "count": 2, "step": [0, 0, 1],
                      "position": [0, 0, 1], "shape": {"type": "sphere", "radius": 0.5}}],
      "joints": [{"type": "ball", "name": "tie", "body_a": "base", "body_b": "pile_1",
                  "anchor": [0, 0, 2]}]})");
  ASSERT_EQ(scene.bodies.size(), 1u + 2u * 3u);
  ASSERT_EQ(scene.joints.size(), 2u);
  EXPECT_EQ(scene.joints[1].definition.name, "rig_tie_0_1_0");
  EXPECT_EQ(body(scene, scene.joints[1].bodyA).name, "rig_base_0_1_0");
  EXPECT_EQ(body(scene, scene.joints[1].bodyB).name, "rig_pile_1_0_1_0");
  EXPECT_LE((placeOnA(scene, scene.joints[1]) - Vec3(0, 5, 2)).norm(), kPlaceRoundOff);
}

TEST(Replicate, OfNothing_IsAnError) {
  EXPECT_THAT(problemsOfGenerator(R"({"type": "replicate"})"),
              ElementsAre(HasSubstr("replicate needs \"bodies\" or \"generators\"")));
}

}  // namespace
}  // namespace drystone
