#pragma once

#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

#include "collision/shape/shape.h"
#include "tests/unit/engine/world/live_bodies.h"

namespace drystone::test {

using EditJoint = std::function<void(JointDefinition&)>;

/// A wheel on a hinge and a cart on a slider, coupled by a gear, and a bob on a ball joint, at
/// which a thrown weight hangs by a rope. `edit` changes the definition of one joint before it is
/// added: hinge, slider, gear, ball or rope.
inline World machine(const WorldSettings& settings, std::string_view edited = "",
                     const EditJoint& edit = {}) {
  World world = groundedWorld(settings);
  const BodyId post = world.addBody({.name = "post", .kind = BodyKind::kStatic});
  const BodyId wheel = addUnitBox(world, {0, 0, 2});
  const BodyId cart = addUnitBox(world, {2, 0, 2}, {0.5, 0, 0});
  const BodyId bob = addBody(world, Sphere{0.4}, 1, {{0.5, 3, 4}, Quat::Identity()});
  const BodyId weight = addUnitBox(world, {0.5, 3, 3.05}, {0, 0, 2});
  const auto add = [&](JointDefinition joint, const char* name) {
    joint.name = name;
    if (name == edited) edit(joint);
    return world.addJoint(joint);
  };
  const Quat alongY = turn(Vec3::UnitZ(), M_PI / 2);
  const JointId hinge =
      add(hingeJoint(post, wheel, {{0, 0, 2.5}, alongY}, {{0, 0, 0.5}, alongY}), "hinge");
  const JointId slider = add(sliderJoint(post, cart, {{2, 0, 2}}, {}), "slider");
  add(gearJoint(hinge, slider, 2), "gear");
  add(ballJoint(post, bob, {0, 3, 4}, {-0.5, 0, 0}), "ball");
  add(distanceJoint(bob, weight, Vec3::Zero(), Vec3::Zero(), 0, 1.5), "rope");
  return world;
}

/// A change of one joint of a machine, before the start and while it runs.
struct JointEdit {
  const char* name;
  const char* joint;
  EditJoint make;
  std::function<void(JointHandle)> change;
};

inline void PrintTo(const JointEdit& edit, std::ostream* out) { *out << edit.name; }

inline JointSpring stiffSpring() {
  return {.rest = 0.2, .forceTable = ForceTable({{-1, -40}, {0, 0}, {1, 90}})};
}
inline JointMotor servo() {
  return {.kind = MotorKind::kPosition,
          .target = Schedule({{0, 0}, {1, 0.7}}),
          .maxForce = 60,
          .servo = JointSpring{.stiffness = 200, .damping = 5}};
}
inline const Pose kMovedA{{0, 0.25, 2.5}, Quat(0, 1, 0, 0)},
    kMovedB{{0.25, 0, 0.5}, Quat(0, 1, 0, 0)};

/// One for every setter.
inline const std::vector<JointEdit>& jointEdits() {
  static const std::vector<JointEdit> edits = {
      {"limits", "hinge",
       [](JointDefinition& j) {
         j.axes[kAboutX].lower = -0.05;
         j.axes[kAboutX].upper = 0.1;
       },
       [](JointHandle j) { j.setLimits(kAboutX, -0.05, 0.1); }},
      {"lock", "ball", [](JointDefinition& j) { j.axes[kAboutY] = JointAxis::locked(); },
       [](JointHandle j) { j.setLimits(kAboutY, 0, 0); }},
      {"no_lock", "ball", [](JointDefinition& j) { j.axes[kAlongX] = {}; },
       [](JointHandle j) { j.setLimits(kAlongX, -kInfinity, kInfinity); }},
      {"spring", "hinge", [](JointDefinition& j) { j.axes[kAboutX].spring = stiffSpring(); },
       [](JointHandle j) { j.setSpring(kAboutX, stiffSpring()); }},
      {"motor", "slider", [](JointDefinition& j) { j.axes[kAlongX].motor = servo(); },
       [](JointHandle j) { j.setMotor(kAlongX, servo()); }},
      {"friction", "slider", [](JointDefinition& j) { j.axes[kAlongX].friction = 2; },
       [](JointHandle j) { j.setFriction(kAlongX, 2); }},
      {"swing_limit", "ball", [](JointDefinition& j) { j.swingLimit = 0.3; },
       [](JointHandle j) { j.setSwingLimit(0.3); }},
      {"breaking_impulse", "ball", [](JointDefinition& j) { j.breakingImpulse = 0.2; },
       [](JointHandle j) { j.setBreakingImpulse(0.2); }},
      {"compliance", "ball", [](JointDefinition& j) { j.compliance = 0.01; },
       [](JointHandle j) { j.setCompliance(0.01); }},
      {"collide", "rope", [](JointDefinition& j) { j.collide = true; },
       [](JointHandle j) { j.setCollide(true); }},
      {"frames", "hinge",
       [](JointDefinition& j) {
         j.frameA = kMovedA;
         j.frameB = kMovedB;
       },
       [](JointHandle j) { j.setFrames(kMovedA, kMovedB); }},
      {"gear_ratio", "gear", [](JointDefinition& j) { j.gearRatio = -0.5; },
       [](JointHandle j) { j.setGearRatio(-0.5); }},
  };
  return edits;
}

}  // namespace drystone::test
