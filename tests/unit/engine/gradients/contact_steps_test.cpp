// Contacts whose points no single body has: derivatives of their steps are those of differences.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/worlds.h"
#include "tests/unit/engine/gradients/step_scene.h"

namespace drystone {
namespace {

using test::expectDerivative;
using test::StepScene;

constexpr Real kHigh = 2;  // over the plane [m]

/// A box over another one that floats, which it meets with 1 m/s. `at`: from the middle of the
/// lower one's top.
StepScene boxOverBox(const Vec3& lower, const Vec3& upper, const Pose& at) {
  StepScene scene(0.4);
  scene.material.compliance = 1e-4;
  scene.add(Box{lower}, 3, {{0, 0, kHigh - lower.z()}, Quat::Identity()}, {0.2, -0.1, 0.3},
            {0.1, 0.2, 0.3});
  scene.add(Box{upper}, 2, {at.position + Vec3(0, 0, kHigh), at.rotation}, {-0.1, 0.2, -1},
            {0.2, -0.1, 0.4});
  scene.numbers.load[2] << 3, 2, 1, 0.1, -0.1, 0.2;
  return scene;
}

/// A box that leans by little has the normal of two edges at all corners of the common face, and
/// its edges leave that face.
TEST(StepDerivative, BoxThatLeansOnAnEdge_IsThatOfDifferences) {
  const Quat lean = test::turn(Vec3::UnitX(), -0.012) * test::turn(Vec3::UnitZ(), 0.4);
  const Real height = 0.2 * std::cos(0.012) + 0.3 * std::sin(0.012) - 1e-3;
  expectDerivative(boxOverBox({0.4, 0.3, 0.1}, {0.5, 0.3, 0.2}, {{0.1, -0.2, height}, lean}), 4);
}

/// Faces that lie across each other: a corner of each is over the other, and two edges cross.
TEST(StepDerivative, FacesAcrossACorner_AreThoseOfDifferences) {
  for (const Real side : {-1.0, 1.0}) {
    const Quat lean =
        test::turn(Vec3(1, -1.2, 0).normalized(), side * 0.004) * test::turn(Vec3::UnitZ(), 0.2);
    expectDerivative(boxOverBox({0.4, 0.3, 0.1}, {0.5, 0.4, 0.2}, {{0.5, 0.4, 0.2 - 1e-3}, lean}),
                     4, 1e-6, 1e-5);
  }
}

/// A bar that lands on its edge, of which one end lies beyond the border of the table. Where that
/// end is the lower one, the edges that cross there have the normal.
TEST(StepDerivative, EdgeThatLeavesAFace_IsThatOfDifferences) {
  for (const Real side : {-1.0, 1.0}) {
    const Quat tilt = test::turn(Vec3::UnitX(), side * 0.003) * test::turn(Vec3::UnitZ(), 0.3) *
                      test::turn(Vec3::UnitY(), 0.5);
    const Real height = 0.1 * std::sin(0.5) + 0.08 * std::cos(0.5) - 2e-3;
    expectDerivative(boxOverBox({0.3, 0.2, 0.1}, {0.1, 0.6, 0.08}, {{0.02, 0.35, height}, tilt}), 2,
                     1e-6, 1e-5);
  }
}

/// Two cards that lean on each other, edge along edge.
TEST(StepDerivative, EdgesSideBySide_AreThoseOfDifferences) {
  StepScene scene(0.4);
  scene.material.compliance = 1e-4;
  const Vec3 card(0.02, 0.3, 0.5);
  for (const Real side : {-1.0, 1.0}) {
    const Quat lean = test::turn(Vec3::UnitY(), -side * 0.4);
    // The inner top edges meet at x = 0.
    const Vec3 corner = lean * Vec3(-side * card.x(), 0, card.z());
    scene.add(Box{card}, 1, {Vec3(side * -1e-4, 0.05 * side, kHigh) - corner, lean},
              {-side * 0.3, 0.1 * side, 0}, {0.01, 0, 0.02});
    scene.numbers.load.back() << 3, 2, 1, 0.1, -0.1, 0.2;
  }
  expectDerivative(scene, 2);
}

/// A coin that rolls and leans, on its rim.
TEST(StepDerivative, RimOnPlane_IsThatOfDifferences) {
  for (const Real friction : {0.1, 2.0}) {
    StepScene scene(friction);
    const Cylinder coin{0.3, 0.02};
    const Quat lean = test::turn(Vec3::UnitZ(), 0.4) * test::turn(Vec3::UnitX(), 1.2);
    const Real height = coin.radius * std::sin(1.2) + coin.halfLength * std::cos(1.2);
    scene.add(coin, 1, {{0.1, 0.2, height - 1e-3}, lean}, {0.8, 0.3, 0}, {1, 2, 3});
    scene.numbers.load[1] << 3, 2, 1, 0.1, -0.1, 0.2;
    expectDerivative(scene, 2);
  }
}

/// A cylinder and a cone that lie on their sides, and roll.
TEST(StepDerivative, RoundSidesOnPlane_AreThoseOfDifferences) {
  StepScene scene(0.3);
  scene.material.compliance = 1e-4;
  const Quat lying =
      test::turn(Vec3::UnitZ(), 0.3) * test::turn(Vec3::UnitX(), std::numbers::pi / 2);
  scene.add(Cylinder{0.2, 0.4}, 2, {{0.1, 0.2, 0.1999}, lying}, {0.5, 0.3, 0}, {1, 2, 0.3});
  const Cone cone{0.3, 0.8};
  const Real slope = std::atan2(cone.radius, cone.height);
  const Real height = 0.5 * cone.height * std::sin(slope) - 1e-4;
  scene.add(cone, 2, {{3, 0, height}, test::turn(Vec3::UnitY(), std::numbers::pi / 2 + slope)},
            {0.2, 0.3, 0}, {1, 0.2, 0.3});
  scene.numbers.load[1] << 3, 2, 1, 0.1, -0.1, 0.2;
  expectDerivative(scene, 4);
}

/// A cylinder that stands: samples of its rim are corners. It leans by less than they tell.
TEST(StepDerivative, FlatEndOnPlane_IsThatOfDifferences) {
  StepScene scene(0.3);
  scene.material.compliance = 1e-4;
  scene.add(Cylinder{0.2, 0.4}, 2, {{0.1, 0.2, 0.3999}, Quat::Identity()}, {0.5, 0.3, 0},
            {0, 0, 0.3});
  scene.numbers.load[1] << 3, 2, 1, 0.1, -0.1, 0.2;
  expectDerivative(scene, 4, 1e-5, 2e-7);
}

/// A cylinder that lies on the face of a box, and one that leans on it with its rim.
TEST(StepDerivative, CylindersOnABox_AreThoseOfDifferences) {
  StepScene scene(0.3);
  scene.material.compliance = 1e-4;
  scene.add(Box{{1, 0.7, 0.1}}, 5, {{0, 0, kHigh - 0.1}, Quat::Identity()}, {0.2, -0.1, 0.3},
            {0.1, 0.2, 0.3});
  const Quat lying =
      test::turn(Vec3::UnitZ(), 0.3) * test::turn(Vec3::UnitX(), std::numbers::pi / 2);
  scene.add(Cylinder{0.1, 0.3}, 2, {{-0.5, 0, kHigh + 0.099}, lying}, {0.5, 0.3, -1}, {1, 2, 0.3});
  const Quat lean = test::turn(Vec3::UnitZ(), 0.4) * test::turn(Vec3::UnitX(), 0.6);
  const Real height = 0.2 * std::sin(0.6) + 0.3 * std::cos(0.6);
  scene.add(Cylinder{0.2, 0.3}, 2, {{0.5, 0.1, kHigh + height - 1e-3}, lean}, {0.5, 0.3, -1},
            {1, 2, 0.3});
  // The search for closest points leaves 1e-10 m: differences are of longer steps.
  expectDerivative(scene, 3, 1e-5, 1e-4);
}

}  // namespace
}  // namespace drystone
