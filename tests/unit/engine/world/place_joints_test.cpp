// Bodies put where coordinates of joints lead.
#include <gtest/gtest.h>

#include <vector>

#include "core/input_error.h"
#include "engine/model/joint_store.h"
#include "engine/world/world.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

/// A slider, a joint with three free angles and one with all six free, the latter two with the body
/// that they place as A. Frames stand askew.
struct Tree {
  World world{test::settingsFor("bpp-auto"), test::registry()};
  BodyId post = world.addBody({.kind = BodyKind::kStatic});
  BodyId cart =
      test::addBody(world, Box{{0.2, 0.1, 0.3}}, 1, {{0, 0, 1}, test::turn({1, 0, 0}, 1)});
  BodyId arm =
      test::addBody(world, Box{{0.1, 0.4, 0.1}}, 2, {{0.3, 1, 1}, test::turn({0, 1, 0}, 2)});
  BodyId tip = test::addBody(world, Sphere{0.1}, 0.5, {{0.3, 1, 2}, Quat::Identity()});
  JointId slider =
      world.addJoint(sliderJoint(post, cart), Pose{{0.1, 0, 1}, test::turn({0, 0, 1}, 0.7)});
  JointId ball = world.addJoint(ballJoint(arm, cart, Vec3::Zero(), Vec3::Zero()),
                                Pose{{0.2, 0.5, 1}, test::turn({0, 1, 0}, -0.4)});
  JointId six =
      world.addJoint({.bodyA = tip, .bodyB = arm}, Pose{{0.3, 1, 1.5}, test::turn({1, 0, 0}, 0.3)});

  std::vector<JointPlace> places() const {
    std::vector<JointPlace> list = {{slider, kAlongX, 0.6, -1.5}};
    const Real angles[] = {3.9, -0.8, 0.5};  // one past half a turn
    for (int i = 0; i < 3; ++i) list.push_back({ball, 3 + i, angles[i], 0.3 + i});
    for (int i = 0; i < 6; ++i) list.push_back({six, i, 0.2 * (i + 1), 0.7 - 0.3 * i});
    return list;
  }
};

TEST(PlaceJoints, CoordinatesAndRates_ReadAsPlaced) {
  Tree tree;
  tree.world.placeJoints(tree.places());
  for (const JointPlace& place : tree.places()) {
    const JointHandle joint = tree.world.joint(place.joint);
    EXPECT_NEAR(joint.coordinate(place.coordinate), place.value, 1e-12) << place.coordinate;
    EXPECT_NEAR(joint.rate(place.coordinate), place.rate, 1e-12) << place.coordinate;
  }
  for (const JointId id : {tree.slider, tree.ball}) {  // locks hold
    const JointHandle joint = tree.world.joint(id);
    const JointDefinition definition = joint.definition();
    for (int i = 0; i < 6; ++i) {
      if (!definition.axes[i].isLocked()) continue;
      EXPECT_NEAR(joint.coordinate(i), 0, 1e-12);
      EXPECT_NEAR(joint.rate(i), 0, 1e-12);
    }
  }
}

TEST(PlaceJoints, CoordinatesThatAreNotNamed_Stay) {
  Tree tree;
  tree.world.placeJoints(tree.places());
  const JointPlace one{tree.slider, kAlongX, -0.2, kNaN};
  tree.world.placeJoints({&one, 1});
  EXPECT_NEAR(tree.world.joint(tree.slider).coordinate(kAlongX), -0.2, 1e-12);
  EXPECT_NEAR(tree.world.joint(tree.slider).rate(kAlongX), -1.5, 1e-12);
  for (const JointPlace& place : tree.places()) {
    if (place.joint == tree.slider) continue;
    const JointHandle joint = tree.world.joint(place.joint);
    EXPECT_NEAR(joint.coordinate(place.coordinate), place.value, 1e-12);
    EXPECT_NEAR(joint.rate(place.coordinate), place.rate, 1e-12);
  }
}

TEST(PlaceJoints, LoopLockAndUnknownJoint_AreRefusedAndChangeNothing) {
  Tree tree;
  const JointId loop = tree.world.addJoint({.bodyA = tree.post, .bodyB = tree.tip}, Pose{});
  const std::uint64_t before = tree.world.observe().hash();
  const auto refuse = [&](const JointPlace& bad) {
    std::vector<JointPlace> places = tree.places();
    places.push_back(bad);
    EXPECT_THROW(tree.world.placeJoints(places), InputError);
    EXPECT_EQ(tree.world.observe().hash(), before);
  };
  // Joints are followed in their order, so the last one closes the loop.
  refuse({loop, kAlongX, 0, 0});
  refuse({tree.slider, kAlongY, 0, 0});
  refuse({tree.slider, 6, 0, 0});
  refuse({JointId{9, 0}, kAlongX, 0, 0});
  refuse({tree.slider, kAlongX, kInfinity, 0});
  // Numbers that lead a body away which is placed after others.
  refuse({tree.six, kAlongX, 1e300, 0});
  refuse({tree.six, kAboutZ, 0, 1e300});
}

}  // namespace
}  // namespace drystone
