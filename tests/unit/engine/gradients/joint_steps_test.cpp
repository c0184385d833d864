// Derivatives of steps with joints are those of central differences of World::step().
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "core/input_error.h"
#include "tests/support/worlds.h"
#include "tests/unit/engine/gradients/step_scene.h"

namespace drystone {
namespace {

using test::expectDerivative;
using test::StepScene;

constexpr Integrator kBoth[] = {Integrator::kSemiImplicitEuler, Integrator::kMoreau};

/// A body that spins high above the plane, on a joint of a crooked frame to it or to another body.
StepScene hanging(Integrator integrator, int bodies = 1) {
  StepScene scene;
  scene.integrator = integrator;
  scene.holdJoints = false;
  for (int i = 0; i < bodies; ++i) {
    scene.add(Box{{0.3, 0.2, 0.1}}, 2 - 0.5 * i,
              {{0.2, 0.1 + 0.7 * i, 5}, test::turn(Vec3(1, 2, 3).normalized(), 0.3 - 0.2 * i)},
              {0.3 - i, -0.2, 0.1}, {0.5, -0.8 + i, 0.6});
    scene.numbers.load.back() << 3, 2, 1, 0.4, -0.3, 0.2;
  }
  return scene;
}

/// The frames of a joint between the world and body 1, or bodies 1 and 2: apart by little, as after
/// some drift, and turned by `turn` against each other.
template <class Make>
JointDefinition joined(const StepScene& scene, int a, int b, const Quat& turn, Make&& make) {
  const Pose at{{0.25, 0.5, 5.1}, test::turn(Vec3(2, -1, 1).normalized(), 0.8)};
  const auto local = [&](int body, const Pose& world) {
    return Pose{scene.numbers.pose[body].head<3>(), scene.rotations[body]}.inverse() * world;
  };
  const Pose off{at.position + Vec3(1e-3, -2e-3, 1e-3), at.rotation * turn};
  return make(BodyId{a, 0}, BodyId{b, 0}, local(a, at), local(b, off));
}

JointDefinition joinedAs(const std::string& preset, const StepScene& scene, int a, int b,
                         const Quat& turn) {
  return joined(scene, a, b, turn, [&](BodyId bodyA, BodyId bodyB, const Pose& fA, const Pose& fB) {
    return presetJoint(preset, bodyA, bodyB, fA, fB);
  });
}

const Quat kSmallTurn = test::turn(Vec3(1, 1, -2).normalized(), 0.01);

/// Every kind of lock, between two bodies that move, and one of them and the world.
TEST(StepDerivativeOfJoints, Locks_AreThoseOfDifferences) {
  const std::pair<const char*, Quat> kinds[] = {
      {"ball", test::turn(Vec3(1, 1, -2).normalized(), 0.6)},
      {"hinge", test::turn(Vec3::UnitX(), 0.7) * kSmallTurn},
      {"slider", kSmallTurn},
      {"cylindrical", test::turn(Vec3::UnitX(), 2.5) * kSmallTurn},
      {"universal", test::turn(Vec3::UnitX(), 0.5) * test::turn(Vec3::UnitZ(), -0.4) * kSmallTurn},
      {"fixed", kSmallTurn}};
  for (const Integrator integrator : kBoth) {
    for (const auto& [kind, turn] : kinds) {
      SCOPED_TRACE(kind);
      StepScene scene = hanging(integrator, 2);
      scene.joints = {joinedAs(kind, scene, 0, 1, turn), joinedAs(kind, scene, 1, 2, turn)};
      expectDerivative(scene, 0, 1e-6, 1e-5);
    }
  }
}

/// A hinge that a motor drives, in every way it may, or that springs, friction or limits hold.
TEST(StepDerivativeOfJoints, HingesThatAreDriven_AreThoseOfDifferences) {
  using Change = std::function<void(JointAxis&)>;
  const std::pair<const char*, Change> drives[] = {
      {"rate", [](JointAxis& a) { a.motor = {.target = 2}; }},
      {"rate within a cap", [](JointAxis& a) { a.motor = {.target = 2, .maxForce = 1e3}; }},
      {"rate at the cap", [](JointAxis& a) { a.motor = {.target = 20, .maxForce = 0.3}; }},
      {"angle", [](JointAxis& a) { a.motor = {.kind = MotorKind::kPosition, .target = 0.6}; }},
      {"servo",
       [](JointAxis& a) {
         a.motor = {.kind = MotorKind::kPosition,
                    .target = 0.2,
                    .maxForce = 1e3,
                    .servo = JointSpring{.stiffness = 50, .damping = 3}};
       }},
      {"servo at the cap",
       [](JointAxis& a) {
         a.motor = {.kind = MotorKind::kPosition,
                    .target = -2,
                    .maxForce = 2,
                    .servo = JointSpring{.stiffness = 50, .damping = 3}};
       }},
      {"spring", [](JointAxis& a) { a.spring = {.stiffness = 80, .damping = 2, .rest = 0.4}; }},
      {"friction", [](JointAxis& a) { a.friction = 0.2; }},
      {"friction that holds", [](JointAxis& a) { a.friction = 50; }},
      {"at the upper limit",
       [](JointAxis& a) {
         a.upper = 0.69;
         a.motor = {.target = 3, .maxForce = 9};
       }},
      {"at the lower limit",
       [](JointAxis& a) {
         a.lower = 0.701;
         a.motor = {.target = -3, .maxForce = 9};
       }},
      {"near to a limit", [](JointAxis& a) { a.upper = 0.9; }}};
  for (const Integrator integrator : kBoth) {
    for (const auto& [name, change] : drives) {
      SCOPED_TRACE(name);
      StepScene scene = hanging(integrator);
      scene.joints = {joinedAs("hinge", scene, 0, 1, test::turn(Vec3::UnitX(), 0.7) * kSmallTurn)};
      change(scene.joints[0].axes[kAboutX]);
      expectDerivative(scene, 0, 1e-6, 1e-5);
    }
  }
}

/// Soft locks, a swing at its limit, orders of turns with x or z in the middle, and all turns free
/// with a limit each.
TEST(StepDerivativeOfJoints, AnglesOfEveryOrder_AreThoseOfDifferences) {
  const Quat bent = test::turn(Vec3::UnitX(), 0.3) * test::turn(Vec3::UnitY(), -0.5) *
                    test::turn(Vec3::UnitZ(), 0.4);
  for (const Integrator integrator : kBoth) {
    StepScene scene = hanging(integrator, 2);
    JointDefinition ball = joinedAs("ball", scene, 0, 1, bent);
    ball.swingLimit = 0.6;
    JointDefinition free = joinedAs("six_dof", scene, 1, 2, bent);
    free.compliance = 1e-3;
    for (const int i : {kAlongX, kAlongY, kAlongZ}) free.axes[i] = JointAxis::locked();
    free.axes[kAboutX].upper = 0.28;
    free.axes[kAboutY].lower = -0.49;
    free.axes[kAboutZ].spring = {.stiffness = 30, .damping = 1};
    scene.joints = {ball, free};
    expectDerivative(scene, 0, 1e-6, 1e-5);

    StepScene locked = hanging(integrator);
    JointDefinition other =
        joinedAs("six_dof", locked, 0, 1,
                 test::turn(Vec3::UnitX(), 0.9) * test::turn(Vec3::UnitY(), -0.5) *
                     test::turn(Vec3::UnitZ(), 0.4));
    other.axes[kAboutX] = JointAxis::locked(0.91);
    other.axes[kAboutY].motor = {.target = 2};
    other.axes[kAboutZ].friction = 0.1;
    locked.joints = {other};
    expectDerivative(locked, 0, 1e-6, 1e-5);

    other.axes[kAboutX] = {};
    other.axes[kAboutZ] = JointAxis::locked(0.41);
    locked.joints = {other};
    expectDerivative(locked, 0, 1e-6, 1e-5);
  }
}

/// Lengths: a rod, a rope that is taut, a slider on a spring.
TEST(StepDerivativeOfJoints, Lengths_AreThoseOfDifferences) {
  for (const Integrator integrator : kBoth) {
    StepScene scene = hanging(integrator, 2);
    const auto anchored = [&](int a, int b, Real lower, Real upper) {
      return distanceJoint(BodyId{a, 0}, BodyId{b, 0},
                           a == 0 ? Vec3(0.3, 0.2, 7) : Vec3(0.1, 0.2, 0), Vec3(0.1, -0.1, 0.05),
                           lower, upper);
    };
    const World world = scene.make();
    const auto between = [&](const JointDefinition& joint) {
      const auto placed = [&](int body, const Pose& frame) -> Vec3 {
        return scene.numbers.pose[body].head<3>() + scene.rotations[body] * frame.position;
      };
      return (placed(joint.bodyA.index, joint.frameA) - placed(joint.bodyB.index, joint.frameB))
          .norm();
    };
    const Real rod = between(anchored(0, 1, 0, 1)), rope = between(anchored(1, 2, 0, 1));
    JointDefinition slider = joinedAs("slider", scene, 0, 2, kSmallTurn);
    slider.axes[kAlongX].spring = {.stiffness = 300, .damping = 5, .rest = 0.1};
    scene.joints = {anchored(0, 1, rod + 1e-3, rod + 1e-3), anchored(1, 2, 0, rope - 1e-3), slider};
    expectDerivative(scene, 0, 1e-6, 1e-5);
  }
}

/// Two hinges on the world that a gear couples, with a ratio below 0.
TEST(StepDerivativeOfJoints, Gears_AreThoseOfDifferences) {
  for (const Integrator integrator : kBoth) {
    StepScene scene = hanging(integrator, 2);
    const Quat turn = test::turn(Vec3::UnitX(), 0.7) * kSmallTurn;
    scene.joints = {joinedAs("hinge", scene, 0, 1, turn), joinedAs("hinge", scene, 0, 2, turn),
                    gearJoint(JointId{0, 0}, JointId{1, 0}, -2.5)};
    scene.gearsKeepFrames = true;
    expectDerivative(scene, 0, 1e-6, 1e-5);
  }
}

/// A ball on an arm that a motor turns, which scrapes over the plane.
StepScene scrapingArm(Integrator integrator) {
  StepScene scene(0.3);
  scene.integrator = integrator;
  scene.holdJoints = false;
  scene.material.compliance = 1e-4;
  scene.add(Sphere{0.2}, 1, {{0.5, 0, 0.1999}, Quat::Identity()}, {0, 1, 0}, {0, 0, 2});
  scene.numbers.load[1] << 0, 5, -3, 0.1, 0.2, 0.3;
  const Quat upright = test::turn(Vec3::UnitY(), -M_PI / 2);  // x of the frames is up
  JointDefinition hinge =
      hingeJoint(BodyId{0, 0}, BodyId{1, 0}, {{0, 0, 0.2}, upright}, {{-0.5, 0, 0}, upright});
  hinge.axes[kAboutX].motor = {.target = 3, .maxForce = 4};
  hinge.axes[kAlongX] = {};  // up and down it is free
  hinge.collide = true;
  scene.joints = {hinge};
  return scene;
}

/// Joints and contacts in one problem.
TEST(StepDerivativeOfJoints, ArmThatScrapes_IsThatOfDifferences) {
  for (const Integrator integrator : kBoth) expectDerivative(scrapingArm(integrator), 1);
}

/// Three inner steps of an arm that a motor turns while it scrapes: what one ends with begins the
/// next one.
TEST(StepDerivative, InnerSteps_AreThoseOfDifferences) {
  for (const Integrator integrator : kBoth) {
    StepScene scene = scrapingArm(integrator);
    scene.substeps = 3;
    expectDerivative(scene, 3);
  }
}

}  // namespace
}  // namespace drystone
