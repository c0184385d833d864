// Every setter of bodies, joints, materials and worlds at random, while bodies and joints come and
// go. What is restored must go on as what was saved, to the bit. DRYSTONE_SOAK_STEPS makes it last
// longer than the few hundred steps that are run by default.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <vector>

#include "collision/shape/shape.h"
#include "core/input_error.h"
#include "tests/unit/engine/world/live_bodies.h"
#include "tests/unit/engine/world/random_changes.h"

namespace drystone {
namespace {

int soakSteps() {
  const char* const steps = std::getenv("DRYSTONE_SOAK_STEPS");
  return steps != nullptr ? std::atoi(steps) : 400;
}

struct SoakWorld {
  const char* name;
  std::function<void(WorldSettings&)> set;
};
void PrintTo(const SoakWorld& kind, std::ostream* out) { *out << kind.name; }

const SoakWorld kSoakWorlds[] = {
    {"plain", [](WorldSettings& s) { s.sleeping.enabled = false; }},
    {"sleeping", [](WorldSettings& s) { s.sleeping.time = 0.1; }},
    {"moreau_mean",
     [](WorldSettings& s) {
       s.integrator = Integrator::kMoreau;
       s.jointRows = JointRows::kMean;
       s.sleeping.time = 0.1;
     }},
    {"substeps_projected",
     [](WorldSettings& s) {
       s.substeps = 3;
       s.projection = Projection::on();
       s.sleeping.time = 0.1;
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
    BodyDefinition post{.name = "post", .kind = BodyKind::kStatic};
    world.addBody(post);
    BodyDefinition paddle{.name = "paddle", .kind = BodyKind::kKinematic, .shape = Box{}};
    paddle.pose.position = {-3, 0, 0.5};
    paddle.linearVelocity = {0.2, 0, 0};
    world.addBody(paddle);
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
  int bodies() const { return bodies_; }
  int joints() const { return joints_; }

 private:
  /// The first three bodies stay.
  static constexpr int kLasting = 3;

  std::function<void(World&)> nextCall(World& world) {
    const std::vector<BodyId> bodies = world.bodies();
    const std::vector<JointId> joints = world.joints();
    const int crates = static_cast<int>(bodies.size()) - kLasting;
    const auto anyCrate = [&] { return bodies[kLasting + test::below(random_, crates)]; };
    switch (test::below(random_, 6)) {
      case 0:
      case 1:
        if (crates < 8) return bodyCall();
        return [id = anyCrate()](World& w) { w.removeBody(id); };
      case 2:
      case 3:
        if (crates >= 2 && joints.size() < 8) return jointCall(bodies, anyCrate());
        return bodyCall();
      case 4:
        if (materials_ < 4) {
          ++materials_;
          return [](World& w) { w.addMaterial({.friction = 0.2}); };
        }
        return gearCall(joints);
      default:
        if (joints.empty() || test::coin(random_)) return gearCall(joints);
        return [id = joints[test::below(random_, static_cast<int>(joints.size()))]](World& w) {
          w.removeJoint(id);
        };
    }
  }

  std::function<void(World&)> bodyCall() {
    ++bodies_;
    const Shape shapes[] = {Box{Vec3::Constant(0.3)}, Sphere{0.3},
                            Compound{{{Sphere{0.2}, {}}, {Box{{0.3, 0.1, 0.2}}, {{0.2, 0, 0}}}}}};
    BodyDefinition body{.shape = shapes[test::below(random_, 3)], .density = 10};
    body.pose = {Vec3(0, 0, 3) + test::randomVector(random_, 2), test::randomTurn(random_)};
    return [body](World& w) { w.addBody(body); };
  }

  /// Between a crate and any body, where they are.
  std::function<void(World&)> jointCall(const std::vector<BodyId>& bodies, BodyId crate) {
    ++joints_;
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

  std::function<void(World&)> gearCall(const std::vector<JointId>& joints) {
    const int count = static_cast<int>(joints.size());
    if (count == 0) return bodyCall();
    const JointId one = joints[test::below(random_, count)];
    const JointId two = joints[test::below(random_, count)];
    return [one, two](World& w) { w.addJoint(gearJoint(one, two, 0.5)); };
  }

  WorldSettings settings_;
  Random random_;
  std::vector<std::function<void(World&)>> calls_;
  int materials_ = 2, bodies_ = 0, joints_ = 0;
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

/// One change and a step. A change that is refused must leave the world as it was. Returns whether
/// it was made.
bool changeAndStep(World& world, int materials, Random& random) {
  const std::vector<std::byte> before = world.save();
  const std::vector<BodyId> bodies = world.bodies();
  const std::vector<JointId> joints = world.joints();
  bool isMade = true;
  try {
    const int what = test::below(random, 10);
    if (what < 4 || (joints.empty() && what < 9)) {
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

class LiveSoak : public testing::TestWithParam<SoakWorld> {};

TEST_P(LiveSoak, RestoredWorldsGoOnAsTheSavedOnes) {
  constexpr int kRound = 20;  // steps
  Soak soak(GetParam(), 7);
  World one = soak.build(), other = soak.build();
  Random random(42), elsewhere(43);
  int made = 0, refused = 0;
  for (int step = 0, round = 0; step < soakSteps(); step += 2 * kRound, ++round) {
    for (int i = 0; i < 3; ++i) soak.rebuild(one, other);
    for (int i = 0; i < kRound; ++i) changeAndStep(one, soak.materials(), random);
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
      (changeAndStep(one, soak.materials(), random) ? made : refused) += 1;
      changeAndStep(other, soak.materials(), same);
      ASSERT_EQ(one.observe().hash(), other.observe().hash()) << step << " + " << i;
      ASSERT_FALSE(one.lastReport().hasDiverged()) << step << " + " << i;
    }
    ASSERT_EQ(one.save(), other.save()) << step;
  }
  // Most changes are made, and there is something that they change.
  EXPECT_GT(made, 2 * refused);
  EXPECT_GT(soak.bodies(), 5);
  EXPECT_GT(soak.joints(), 3);
}

INSTANTIATE_TEST_SUITE_P(All, LiveSoak, testing::ValuesIn(kSoakWorlds),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace drystone
