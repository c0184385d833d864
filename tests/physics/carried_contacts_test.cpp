// One detection a step: inner steps that carry their contacts along with the bodies.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>

#include "core/input_error.h"
#include "tests/support/constants.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

using test::kGravity;

WorldSettings carrying(int substeps = 4, Detection detection = Detection::kStep) {
  WorldSettings settings = test::settingsFor("bpp-auto");
  settings.substeps = substeps;
  settings.detection = detection;
  return settings;
}

/// Where one body of a pair starts. What has no mass stands still.
struct Start {
  Shape shape;
  Pose pose;
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
};
struct Pair {
  std::string name;
  Start a, b;
};

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.name; }

/// The contacts of the last inner step of two bodies that move past each other, weightless, closely
/// and without a push.
std::vector<ContactSnapshot> lastContacts(const Pair& pair, Detection detection) {
  WorldSettings settings = carrying(4, detection);
  settings.gravity.setZero();
  settings.timestep = 0.01;
  World world(settings, test::registry());
  for (const Start& start : {pair.a, pair.b}) {
    if (std::holds_alternative<Plane>(start.shape)) {
      test::addPlane(world);
    } else {
      test::addBody(world, start.shape, 1, start.pose, start.velocity, start.spin);
    }
  }
  const StepReport& report = world.step();
  EXPECT_EQ(report.detections, detection == Detection::kStep ? 1 : 4);
  EXPECT_EQ(report.islands.size(), 1u);
  WorldSnapshot snapshot;
  world.observe().snapshot(snapshot);
  for (const ContactSnapshot& contact : snapshot.contacts) EXPECT_EQ(contact.normalImpulse, 0);
  return snapshot.contacts;
}

class CarriedContact : public testing::TestWithParam<Pair> {};

TEST_P(CarriedContact, IsWhereADetectionFindsIt) {
  // Three inner steps of 2.5 ms at 1 m/s and some rad/s: 7.5 mm and a few degrees.
  const auto carried = lastContacts(GetParam(), Detection::kStep);
  const auto found = lastContacts(GetParam(), Detection::kSubstep);
  ASSERT_EQ(carried.size(), found.size());
  ASSERT_FALSE(found.empty());
  for (std::size_t i = 0; i < found.size(); ++i) {
    // Round-off; iterated closest points and the tolerance of their directions.
    EXPECT_NEAR((carried[i].normal - found[i].normal).norm(), 0, 1e-8);
    EXPECT_NEAR((carried[i].position - found[i].position).norm(), 0, 1e-8);
    EXPECT_NEAR(carried[i].gap, found[i].gap, 1e-9);
  }
}

const Quat kStraight = Quat::Identity();
const Quat kLyingAlongX = test::turn(Vec3::UnitY(), M_PI / 2),
           kLyingAlongY = test::turn(Vec3::UnitX(), 1.2);

Shape twoBalls() {
  Compound shape;
  shape.children = {{Box{Vec3::Constant(0.1)}, {{0, 0, 0.6}, kStraight}},
                    {Sphere{0.3}, {{0, 0, 0}, kStraight}}};
  return shape;
}

std::vector<Pair> pairs() {
  const Start plane{Plane{}, {}};
  const Quat lying = test::turn(Vec3::UnitX(), M_PI / 2) * test::turn(Vec3::UnitZ(), 0.35);
  const Quat tilted = test::turn(Vec3::UnitX(), 1.0) * test::turn(Vec3::UnitZ(), 0.35);
  const Quat edgeX = test::turn(Vec3::UnitX(), M_PI / 4),
             edgeY = test::turn(Vec3::UnitY(), M_PI / 4);
  const Real diagonal = 0.3 * std::sqrt(2.0);
  // A coin of radius 0.3 and half thickness 0.05 whose axis leans by 1 rad: its lowest point lies
  // 0.3 sin 1 + 0.05 cos 1 below the centre.
  const Real low = 0.3 * std::sin(1.0) + 0.05 * std::cos(1.0);
  return {
      {"SphereRollsOnAPlane",
       plane,
       {Sphere{0.3}, {{0, 0, 0.301}, kStraight}, {1, 0.2, 0}, {-0.2 / 0.3, 1 / 0.3, 0.5}}},
      {"SphereOfACompoundRollsOnAPlane",
       plane,
       {twoBalls(), {{0, 0, 0.301}, kStraight}, {0.5, 0.2, 0.1}, {0.3, 0.4, 0.5}}},
      {"SphereOnATurningFace",
       {Box{{0.5, 0.5, 0.2}}, {}, {0, 0.1, 0}, {0.5, 0.3, 1}},
       {Sphere{0.3}, {{0.1, 0.05, 0.501}, kStraight}, {0.6, 0.2, 0.3}, {1, 2, 3}}},
      {"SphereOnATurningEdge",
       {Box{Vec3::Constant(0.3)}, {Vec3::Zero(), edgeX}, {0, 0.1, 0}, {0.2, 0.3, 0.4}},
       {Sphere{0.3}, {{0.05, 0, diagonal + 0.301}, kStraight}, {1, 0.3, 0.3}, {1, 2, 3}}},
      {"SpheresPassing",
       {Sphere{0.3}, {}, {0, 0.1, 0}, {1, 2, 3}},
       {Sphere{0.2}, {{0, 0.1, 0.495}, kStraight}, {1, 0.3, 0.5}, {3, 2, 1}}},
      {"SphereAlongACapsule",
       {Capsule{0.2, 0.5}, {Vec3::Zero(), kLyingAlongX}, {0, 0.1, 0}, {0.2, 0.3, 0.4}},
       {Sphere{0.3}, {{0.05, 0, 0.501}, kStraight}, {1, 0.3, 0.3}, {1, 2, 3}}},
      {"CapsulesCrossing",
       {Capsule{0.2, 0.5}, {Vec3::Zero(), kLyingAlongX}, {0, 0.1, 0}, {0.2, 0.3, 0.4}},
       {Capsule{0.2, 0.5},
        {{0.05, 0, 0.401}, test::turn(Vec3::UnitX(), M_PI / 2)},
        {1, 0.3, 0.3},
        {0.1, 0.2, 3}}},
      {"CapsuleRollsOnAPlane",
       plane,
       {Capsule{0.3, 0.5}, {{0, 0, 0.301}, lying}, {1, 0, 0}, {0, 1 / 0.3, 0}}},
      {"CylinderRollsOnAPlane",
       plane,
       {Cylinder{0.3, 0.5}, {{0, 0, 0.301}, lying}, {1, 0, 0}, {0, 1 / 0.3, 0}}},
      {"CoinRollsOnItsRim",
       plane,
       {Cylinder{0.3, 0.05}, {{0, 0, low + 0.001}, tilted}, {0.3, 0.2, 0.2}, {0.1, 0.2, 0.5}}},
      {"CornerOnAPlane",
       plane,
       {Box{Vec3::Constant(0.3)},
        {{0, 0, 0.3 * std::sqrt(3.0) + 0.001}, rotationBetween(Vec3(1, 1, 1), -Vec3::UnitZ())},
        {1, 0.2, 0.1},
        {1, 0.5, 0.3}}},
      {"CrossingEdges",
       {Box{Vec3::Constant(0.3)}, {Vec3::Zero(), edgeX}, {0, 0.1, 0}, {0.2, 0.3, 0.4}},
       {Box{Vec3::Constant(0.3)},
        {{0.05, 0.02, 2 * diagonal + 0.001}, edgeY},
        {0.4, 0.3, 0.3},
        {0.1, 0.2, 0.3}}},
      {"BoxSlidesOnATurningBox",
       {Box{{0.8, 0.8, 0.2}}, {}, {0, 0, 0}, {0, 0, 0.5}},
       {Box{Vec3::Constant(0.3)}, {{0, 0, 0.501}, kStraight}, {1, 0.4, 0}, {0, 0, -0.4}}},
  };
}
INSTANTIATE_TEST_SUITE_P(Pairs, CarriedContact, testing::ValuesIn(pairs()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST(CarriedContacts, RestingBoxRests) {
  World world(carrying(), test::registry());
  test::addGround(world);
  const BodyId box = test::addUnitBox(world, {0, 0, 0.5});
  for (int step = 0; step < 300; ++step) EXPECT_EQ(world.step().detections, 1);
  // As deep as the compliance makes it, 1e-11 m.
  EXPECT_NEAR((world.body(box).centerOfMass() - Vec3(0, 0, 0.5)).norm(), 0, 1e-9);
  EXPECT_NEAR(world.body(box).linearVelocity().norm(), 0, 1e-9);
}

TEST(CarriedContacts, SlidingBox_StopsAfterV2Over2MuG) {
  World world(carrying(), test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.4});
  test::addGround(world);
  const BodyId box =
      test::addBody(world, Box{{0.5, 0.5, 0.05}}, 1, {{0, 0, 0.05}, Quat::Identity()}, {3, 0, 0});
  test::simulate(world, 2);
  // Inner steps of h: x = Σ h (v - k μ g h) falls short of v² / (2 μ g) by half of h v, to h² μ g.
  const Real h = world.settings().substep(), a = 0.4 * kGravity;
  EXPECT_NEAR(world.body(box).centerOfMass().x(), 9 / (2 * a) - 3 * h / 2, h * h * a);
  EXPECT_NEAR(world.body(box).linearVelocity().norm(), 0, 1e-8);
}

TEST(CarriedContacts, RollingBodies_KeepTheirSpeedWithoutSlip) {
  for (const Shape& shape :
       {Shape(Sphere{0.5}), Shape(Cylinder{0.5, 0.4}), Shape(Capsule{0.5, 0.4})}) {
    World world(carrying(), test::registry());
    test::addPlane(world);
    const Quat lying = test::turn(Vec3::UnitX(), M_PI / 2);
    const BodyId roller =
        test::addBody(world, shape, 1, {{0, 0, 0.5}, lying}, {2, 0, 0}, {0, 4, 0});
    test::simulate(world, 5);
    // A contact that stayed with the body would brake it: its arm trails behind by v h.
    EXPECT_NEAR(world.body(roller).linearVelocity().x(), 2, 1e-8) << shape.index();
    EXPECT_NEAR(world.body(roller).angularVelocity().y() * 0.5,
                world.body(roller).linearVelocity().x(), 1e-8);
    EXPECT_NEAR(world.body(roller).centerOfMass().x(), 10, 1e-7);
  }
}

TEST(CarriedContacts, LedgerOfATumblingBoxCloses) {
  World world(carrying(), test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.5, .restitution = 0.3});
  test::addGround(world);
  test::addBody(world, Box{{0.5, 0.3, 0.2}}, 2, {{0, 0, 1}, test::turn({0.6, 0.8, 0}, 0.7)},
                {3, 0, -1}, {1, 5, 2});
  Real energy = 0, flows = 0, first = 0, whole = kInfinity;
  for (int step = 0; step < 300; ++step) {
    const EnergyLedger ledger = world.step().energy;
    EXPECT_NEAR(ledger.ledgerError, 0, 1e-10);
    if (step == 0) first = ledger.kineticBefore;
    for (const EnergyFlow& flow : kEnergyFlows) flows += ledger.*flow.value;
    energy = ledger.kinetic;
    // Nothing is gained but what push-out lifts: at most 1 mm of overlap at a landing edge.
    EXPECT_LE(ledger.kinetic + ledger.potential, whole + 2 * kGravity * 1e-3) << step;
    whole = ledger.kinetic + ledger.potential;
  }
  EXPECT_NEAR(energy - first, flows, 1e-9);
  EXPECT_NEAR(energy, 0, 1e-6);  // it lies still in the end
}

/// A tower of boxes whose top two slide to a stop, timesteps of `h`, to 0.5 s.
std::vector<Vec3> slidingTower(Real h, Detection detection) {
  WorldSettings settings = carrying(4, detection);
  settings.timestep = h;
  World world(settings, test::registry());
  world.setMaterialPair(0, 0, {.friction = 0.4});
  test::addGround(world);
  std::vector<BodyId> boxes;
  for (int i = 0; i < 4; ++i) {
    const Real half = 0.5 - 0.1 * i;
    boxes.push_back(test::addBody(world, Box{{half, half, 0.1}}, 1,
                                  {{0, 0, 0.1 + 0.2 * i}, test::turn(Vec3::UnitZ(), 0.2 * i)},
                                  {i < 2 ? 0.0 : 0.5, 0, 0}, {0, 0, i == 3 ? 1.0 : 0.0}));
  }
  test::simulate(world, 0.5);
  std::vector<Vec3> places;
  for (const BodyId box : boxes) places.push_back(world.body(box).centerOfMass());
  return places;
}

TEST(CarriedContacts, AgreeWithDetectionsInEveryInnerStepToSecondOrder) {
  const auto difference = [](Real h) {
    const auto carried = slidingTower(h, Detection::kStep);
    const auto found = slidingTower(h, Detection::kSubstep);
    Real most = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      most = std::max(most, (carried[i] - found[i]).norm());
    }
    return most;
  };
  for (const Real h : {1.0 / 60, 1.0 / 120, 1.0 / 240}) EXPECT_LE(difference(h), 1 * h * h) << h;
}

TEST(CarriedContacts, OfAPlatformThatStartsWithinAStep_WakeWhatSleepsOnIt) {
  WorldSettings settings = carrying();
  settings.sleeping.enabled = true;
  World world(settings, test::registry());
  BodyDefinition platform{.kind = BodyKind::kKinematic, .shape = Box{{2, 2, 0.5}}};
  platform.pose.position = {0, 0, -0.5};
  // Starts 2.4 inner steps after the 60th step.
  const Real start = 1 + 2.4 / 240;
  platform.motion = {{0, Vec3::Zero(), Vec3::Zero()},
                     {start, Vec3::Zero(), Vec3::Zero()},
                     {start + 1e-4, {0, 0, 0.5}, Vec3::Zero()}};
  world.addBody(platform);
  const BodyId lower = test::addUnitBox(world, {0, 0, 0.5});
  const BodyId upper = test::addUnitBox(world, {0, 0, 1.5});
  for (int step = 0; step < 60; ++step) world.step();
  ASSERT_FALSE(world.body(lower).isAwake());
  EXPECT_EQ(world.step().detections, 2);  // one more for what woke
  EXPECT_TRUE(world.body(upper).isAwake());
  const Real lifted = 0.5 * (world.time() - start);
  EXPECT_NEAR(world.body(lower).centerOfMass().z(), 0.5 + lifted, 1e-3);
  EXPECT_NEAR(world.body(upper).centerOfMass().z(), 1.5 + lifted, 1e-3);
}

TEST(CarriedContacts, BallDropsAndReboundsWithItsRestitution) {
  for (const int substeps : {1, 4, 10}) {
    World world(carrying(substeps), test::registry());
    world.setMaterialPair(0, 0, {.friction = 0, .restitution = 0.5});
    test::addPlane(world);
    const BodyId ball = test::addBody(world, Sphere{0.1}, 1, {{0, 0, 1.1}, Quat::Identity()});
    Real impact = 0, rebound = 0;
    int bounces = 0;
    for (int step = 0; step < 40 && bounces == 0; ++step) {
      world.step();
      for (const ContactEvent& event : world.lastEvents().contactsBegun) {
        ++bounces;
        impact = event.approachSpeed;
        rebound = world.body(ball).linearVelocity().z();
      }
    }
    EXPECT_EQ(bounces, 1);
    // √(2 g), up to the gravity of two steps: what is nearer than the margin is found a step late.
    EXPECT_NEAR(impact, std::sqrt(2 * kGravity), 2 * kGravity / 60);
    EXPECT_NEAR(rebound, 0.5 * impact, kGravity / 60) << substeps;
  }
}

// The samples of a cap that leans a little stay where they are on it; only its lowest point moves
// along the rim. Taken for the rim all of them, the coin stood on one point and went on rocking.
TEST(CarriedContacts, CoinThatLeansALittle_ComesToRestAndSleeps) {
  for (const Shape& shape : {Shape(Cylinder{0.5, 0.1}), Shape(Cone{0.5, 0.2})}) {
    WorldSettings settings = carrying();
    settings.sleeping.enabled = true;
    World world(settings, test::registry());
    test::addPlane(world);
    const Quat leaning = test::turn(Vec3::UnitX(), 0.5 * M_PI / 180);
    const BodyId coin = test::addBody(world, shape, 1, {{0, 0, 0.105}, leaning});
    test::simulate(world, 3);
    EXPECT_FALSE(world.body(coin).isAwake()) << shapeName(shape);
    EXPECT_NEAR(world.lastReport().maxPenetration, 0, 1e-9) << shapeName(shape);
  }
}

// A capsule that spins over another one, half a millimetre above it, by 0.2 rad a step: the axes
// become parallel within the step. The normal stays on its side.
TEST(CarriedContacts, LinesThatTurnPastEachOther_KeepTheirSide) {
  WorldSettings settings = carrying(10);
  settings.gravity.setZero();
  World world(settings, test::registry());
  const Quat alongX = test::turn(Vec3::UnitY(), M_PI / 2);
  test::addBody(world, Capsule{0.1, 0.5}, 1, {Vec3::Zero(), alongX});
  const Quat crossing = test::turn(Vec3::UnitZ(), -7 * M_PI / 180) * alongX;
  const BodyId upper = test::addBody(world, Capsule{0.1, 0.5}, 1, {{0, 0, 0.2005}, crossing},
                                     Vec3::Zero(), {0, 0, 12});
  const StepReport& report = world.step();
  EXPECT_EQ(report.maxPenetration, 0);
  EXPECT_NEAR(world.body(upper).linearVelocity().norm(), 0, 1e-12);
}

// The same with a lean of half a thousandth. Where the axes are parallel as seen from above, what
// is square to both lies flat, and their distance along it is none: not the one to keep apart by.
TEST(CarriedContacts, LinesThatLeanAndTurnParallel_StayApart) {
  WorldSettings settings = carrying(10);
  settings.gravity.setZero();
  World world(settings, test::registry());
  const Quat alongX = test::turn(Vec3::UnitY(), M_PI / 2);
  test::addBody(world, Capsule{0.1, 0.5}, 1, {Vec3::Zero(), alongX});
  const Quat leaning = test::turn(Vec3::UnitZ(), -0.12) * test::turn(Vec3::UnitY(), 5e-4) * alongX;
  const BodyId upper = test::addBody(world, Capsule{0.1, 0.5}, 1, {{0, 0, 0.2005}, leaning},
                                     Vec3::Zero(), {0, 0, 12});
  const StepReport& report = world.step();  // parallel after six inner steps of 0.02 rad
  EXPECT_EQ(report.maxPenetration, 0);
  EXPECT_NEAR(world.body(upper).linearVelocity().norm(), 0, 1e-12);
}

// Edges between coplanar triangles are no edges, within the step as in the narrow phase.
TEST(CarriedContacts, RollerOnAFlatGrid_IsBrakedNoMoreThanWithEveryDetection) {
  auto data = std::make_shared<MeshData>();
  constexpr int kSide = 24;
  for (int j = 0; j <= kSide; ++j) {
    for (int i = 0; i <= kSide; ++i) data->vertices.push_back({-2 + 0.5 * i, -6 + 0.5 * j, 0});
  }
  for (int j = 0; j < kSide; ++j) {
    for (int i = 0; i < kSide; ++i) {
      const int at = j * (kSide + 1) + i;
      data->triangles.push_back({at, at + 1, at + kSide + 2});
      data->triangles.push_back({at, at + kSide + 2, at + kSide + 1});
    }
  }
  const auto speedAfter = [&](Detection detection) {
    World world(carrying(4, detection), test::registry());
    world.addBody({.kind = BodyKind::kStatic, .shape = TriangleMesh{data}});
    const Quat lying = test::turn(Vec3::UnitX(), M_PI / 2);
    const BodyId roller =
        test::addBody(world, Capsule{0.5, 0.4}, 1, {{0, 0, 0.5}, lying}, {2, 0, 0}, {0, 4, 0});
    test::simulate(world, 3);
    return world.body(roller).linearVelocity().x();
  };
  EXPECT_GE(speedAfter(Detection::kStep), speedAfter(Detection::kSubstep) - 0.02);
}

TEST(CarriedContacts, StackThatSleeps_CountsAsOneIsland) {
  WorldSettings settings = carrying();
  settings.sleeping.enabled = true;
  World world(settings, test::registry());
  test::addGround(world);
  for (int i = 0; i < 3; ++i) test::addUnitBox(world, {0, 0, 0.5 + i});
  const BodyId ball = test::addBody(world, Sphere{0.2}, 1, {{5, 0, 40}, Quat::Identity()});
  for (int step = 0; step < 120; ++step) world.step();
  EXPECT_TRUE(world.body(ball).isAwake());
  EXPECT_EQ(world.lastReport().asleepBodies, 3);
  EXPECT_EQ(world.lastReport().asleepIslands, 1);
}

TEST(CarriedContacts, NeedTheSpeculativeSet) {
  WorldSettings settings = carrying();
  settings.contactSet = ContactSet::kClosed;
  EXPECT_THROW(World(settings, test::registry()), InputError);
  settings.substeps = 1;  // nothing is carried
  EXPECT_NO_THROW(World(settings, test::registry()));
}

}  // namespace
}  // namespace drystone
