// Every setter of bodies, joints, materials and worlds at random, while bodies and joints come and
// go. What is restored must go on as what was saved, to the bit. DRYSTONE_SOAK_STEPS makes it last
// longer than the few hundred steps that are run by default, DRYSTONE_SOAK_SEED draws other
// changes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "collision/shape/shape.h"
#include "core/input_error.h"
#include "tests/unit/engine/world/live_bodies.h"
#include "tests/unit/engine/world/random_changes.h"

namespace drystone {
namespace {

int fromEnvironment(const char* name, int otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::atoi(text) : otherwise;
}

int soakSteps() { return fromEnvironment("DRYSTONE_SOAK_STEPS", 400); }

/// What is at rest sleeps before the next change comes.
constexpr Sleeping kDrowsy{
    .enabled = true, .linearSpeed = 0.05, .angularSpeed = 0.05, .time = 0.05};

struct SoakWorld {
  const char* name;
  std::function<void(WorldSettings&)> set;
};
void PrintTo(const SoakWorld& kind, std::ostream* out) { *out << kind.name; }

const SoakWorld kSoakWorlds[] = {
    {"plain", [](WorldSettings& s) { s.sleeping.enabled = false; }},
    {"sleeping", [](WorldSettings& s) { s.sleeping = kDrowsy; }},
    {"moreau_mean",
     [](WorldSettings& s) {
       s.integrator = Integrator::kMoreau;
       s.jointRows = JointRows::kMean;
       s.sleeping = kDrowsy;
     }},
    {"substeps_projected",
     [](WorldSettings& s) {
       s.substeps = 3;
       s.projection = Projection::on();
       s.sleeping = kDrowsy;
     }},
};

/// Worlds that are built by the same calls: they differ in what happened to them between.
class Soak {
 public:
  Soak(const SoakWorld& kind, std::uint64_t seed) : random_(seed) {
    settings_ = test::sleepy(true);
    kind.set(settings_);
  }

  /// A world built by all calls until now.
  World build() const {
    World world = test::groundedWorld(settings_);
    const BodyId post = world.addBody({.name = "post", .kind = BodyKind::kStatic});
    BodyDefinition paddle{.name = "paddle", .kind = BodyKind::kKinematic, .shape = Box{}};
    paddle.pose.position = {-3, 0, 0.5};
    paddle.linearVelocity = {0.2, 0, 0};
    world.addBody(paddle);
    test::addStack(world, 3, 4);
    const BodyId wheel = test::addUnitBox(world, {0, 4, 2}),
                 cart = test::addUnitBox(world, {2, 4, 2});
    const JointId hinge = world.addJoint(hingeJoint(post, wheel, {{0, 4, 2}}, {}));
    const JointId slider = world.addJoint(sliderJoint(post, cart, {{2, 4, 2}}, {}));
    world.addJoint(gearJoint(hinge, slider, 0.5));
    for (const auto& call : calls_) call(world);
    return world;
  }

  /// Adds or removes something in two worlds that are the same, as long as `one` lets it.
  void rebuild(World& one, World& other) {
    const std::function<void(World&)> call = nextCall(one);
    try {
      call(one);
    } catch (const InputError&) {
      return;  // such as a gear on a joint that was changed
    }
    call(other);
    calls_.push_back(call);
  }

  int materials() const { return materials_; }

 private:
  /// Ground, post, paddle and a stack stay.
  static constexpr int kLasting = 6;

  std::function<void(World&)> nextCall(World& world) {
    const std::vector<BodyId> bodies = world.bodies();
    const std::vector<JointId> joints = world.joints();
    const int crates = static_cast<int>(bodies.size()) - kLasting;
    const auto anyCrate = [&] { return bodies[kLasting + test::below(random_, crates)]; };
    switch (test::below(random_, 6)) {
      case 0:
      case 1:
        if (crates < 7) return bodyCall();
        return [id = anyCrate()](World& w) { w.removeBody(id); };
      case 2:
      case 3:
        if (crates >= 2 && joints.size() < 10) return jointCall(bodies, anyCrate());
        return bodyCall();
      case 4:
        if (materials_ < 4) {
          ++materials_;
          return [](World& w) { w.addMaterial({.friction = 0.2}); };
        }
        return gearCall(world);
      default:
        if (joints.empty() || test::coin(random_)) return gearCall(world);
        return [id = joints[test::below(random_, static_cast<int>(joints.size()))]](World& w) {
          w.removeJoint(id);
        };
    }
  }

  std::function<void(World&)> bodyCall() {
    const Shape shapes[] = {Box{Vec3::Constant(0.3)}, Sphere{0.3},
                            Compound{{{Sphere{0.2}, {}}, {Box{{0.3, 0.1, 0.2}}, {{0.2, 0, 0}}}}}};
    BodyDefinition body{.shape = shapes[test::below(random_, 3)], .density = 10};
    body.pose = {Vec3(0, 0, 3) + test::randomVector(random_, 2), test::randomTurn(random_)};
    return [body](World& w) { w.addBody(body); };
  }

  /// Between a crate and any body, where they are.
  std::function<void(World&)> jointCall(const std::vector<BodyId>& bodies, BodyId crate) {
    const BodyId other = bodies[test::below(random_, static_cast<int>(bodies.size()))];
    const Pose frame{test::randomVector(random_, 0.5), test::randomTurn(random_)};
    const Vec3 reach(0, 0, 0.4);
    JointDefinition joint;
    switch (test::below(random_, 5)) {
      case 0:
        joint = distanceJoint(other, crate, frame.position, Vec3::Zero(), 0.5, 2);
        break;
      case 1:
        joint = ballJoint(other, crate, frame.position, reach);
        break;
      case 2:
        joint = sixDofJoint(other, crate, frame, {});
        joint.axes[kAlongX].spring = JointSpring{.stiffness = 20, .damping = 1};
        break;
      case 3:
        // Of the post, so that a gear may couple it.
        joint = hingeJoint(bodies[1], crate, {{0, 0, 3}, frame.rotation}, {reach});
        joint.axes[kAboutX].motor = JointMotor{.target = 0.5, .maxForce = 5};
        break;
      default:
        joint = sliderJoint(bodies[1], crate, {{1, 0, 3}, frame.rotation}, {});
    }
    return [joint](World& w) { w.addJoint(joint); };
  }

  /// Between two joints that the post carries.
  std::function<void(World&)> gearCall(World& world) {
    std::vector<JointId> carried;
    for (const JointId id : world.joints()) {
      const JointDefinition joint = world.joint(id).definition();
      const bool isCarried = joint.bodyA == world.findBody("post");
      if (isCarried && joint.geometry == JointGeometry::kFrames) carried.push_back(id);
    }
    const int count = static_cast<int>(carried.size());
    if (count == 0) return bodyCall();
    const JointId one = carried[test::below(random_, count)];
    const JointId two = carried[test::below(random_, count)];
    // The post may have become dynamic here, but is static in a world that is built anew.
    const bool isOfOneCrate =
        world.joint(one).definition().bodyB == world.joint(two).definition().bodyB;
    if (isOfOneCrate) return bodyCall();
    return [one, two](World& w) { w.addJoint(gearJoint(one, two, 0.5)); };
  }

  WorldSettings settings_;
  Random random_;
  std::vector<std::function<void(World&)>> calls_;
  int materials_ = 2;
};

/// Brings back what got far or fast.
void tame(World& world) {
  for (const BodyId id : world.bodies()) {
    const BodyHandle body = world.body(id);
    const bool isFar = body.pose().position.norm() > 15;
    const bool isFast = body.linearVelocity().norm() > 15 || body.angularVelocity().norm() > 40;
    if (isFar && id.index > 0) body.setPose({{0, 0, 4}, Quat::Identity()});
    if (isFast) body.setVelocity(Vec3::Zero(), Vec3::Zero());
  }
}

/// Often one change, and a step. A change that is refused must leave the world as it was. Returns
/// whether one was made.
bool changeAndStep(World& world, int materials, Random& random) {
  const std::vector<std::byte> before = world.save();
  const std::vector<BodyId> bodies = world.bodies();
  const std::vector<JointId> joints = world.joints();
  bool isMade = true;
  try {
    const int what = test::below(random, 14);
    if (what >= 10) {
      isMade = false;
    } else if (what < 4 || (joints.empty() && what < 9)) {
      const int body = 1 + test::below(random, static_cast<int>(bodies.size()) - 1);
      test::changeBodyAtRandom(world.body(bodies[body]), materials, random);
    } else if (what < 9) {
      const int joint = test::below(random, static_cast<int>(joints.size()));
      test::changeJointAtRandom(world.joint(joints[joint]), random);
    } else {
      test::changeWorldAtRandom(world, materials, random);
    }
  } catch (const InputError& error) {
    isMade = false;
    EXPECT_EQ(world.save(), before) << error.what();
  }
  tame(world);
  world.step();
  return isMade;
}

/// What happened in the steps that were compared.
struct Seen {
  int made = 0;  ///< changes
  int gears = 0, contacts = 0, asleep = 0;

  void note(const World& world, bool isMade) {
    made += isMade ? 1 : 0;
    for (const JointId id : world.joints()) {
      gears += world.joint(id).definition().geometry == JointGeometry::kGear ? 1 : 0;
    }
    contacts += world.lastReport().contacts;
    asleep += world.lastReport().asleepBodies;
  }
};

void soakWorlds(const SoakWorld& kind, int seed) {
  constexpr int kRound = 20;  // steps
  Soak soak(kind, 7 + 3 * seed);
  World one = soak.build(), other = soak.build();
  Random random(42 + 3 * seed), elsewhere(43 + 3 * seed);
  Seen seen;
  for (int step = 0, round = 0; step < soakSteps(); step += 2 * kRound, ++round) {
    for (int i = 0; i < 3; ++i) soak.rebuild(one, other);
    for (int i = 0; i < kRound; ++i) changeAndStep(one, soak.materials(), random);
    for (int i = 0; i < (round % 2) * 2 * kRound; ++i) one.step();  // some fall asleep
    if (round % 4 == 0) {
      other = soak.build();
    } else {
      for (int i = 0; i < kRound; ++i) changeAndStep(other, soak.materials(), elsewhere);
    }
    const std::vector<std::byte> saved = one.save();
    other.restore(saved);
    ASSERT_EQ(other.save(), saved) << step;
    Random same = random;
    for (int i = 0; i < kRound; ++i) {
      seen.note(one, changeAndStep(one, soak.materials(), random));
      changeAndStep(other, soak.materials(), same);
      ASSERT_EQ(one.observe().hash(), other.observe().hash()) << step << " + " << i;
      ASSERT_FALSE(one.lastReport().hasDiverged()) << step << " + " << i;
    }
    ASSERT_EQ(one.save(), other.save()) << step;
  }
  // Most steps have a change, and there is something that it changes; by chance there is no gear.
  EXPECT_GT(seen.made, soakSteps() / 4);
  EXPECT_TRUE(seen.gears > 0 || std::getenv("DRYSTONE_SOAK_SEED") != nullptr);
  EXPECT_GT(seen.contacts, soakSteps());
  EXPECT_EQ(seen.asleep > 0, one.settings().sleeping.enabled);
}

class LiveSoak : public testing::TestWithParam<SoakWorld> {};

TEST_P(LiveSoak, RestoredWorldsGoOnAsTheSavedOnes) {
  if (std::getenv("DRYSTONE_SOAK_SEED") != nullptr) {
    soakWorlds(GetParam(), fromEnvironment("DRYSTONE_SOAK_SEED", 0));
    return;
  }
  for (const int seed : {0, 5}) {
    SCOPED_TRACE(seed);
    soakWorlds(GetParam(), seed);
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(All, LiveSoak, testing::ValuesIn(kSoakWorlds),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace drystone
