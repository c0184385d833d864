#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/world/world.h"
#include "solvers/default_registry.h"
#include "tests/support/constants.h"

namespace drystone::test {

inline constexpr Real kStep = 1.0 / 240;

inline WorldSettings cableSettings(std::string solver = "auto") {
  WorldSettings settings;
  settings.timestep = kStep;
  settings.solver.name = std::move(solver);
  settings.solver.budget.tolerance = 1e-11;
  settings.stabilization.compliance = 0;
  return settings;
}

/// Balls as loads, and a static frame at the origin that has the eyelets.
struct CableRig {
  explicit CableRig(const WorldSettings& settings = cableSettings())
      : world(settings, makeDefaultRegistry()) {
    frame = world.addBody({.name = "frame", .kind = BodyKind::kStatic});
  }

  BodyId load(Real mass, const Vec3& position) {
    BodyDefinition body;
    body.mass = massOf(Shape(Sphere{0.1}), mass);
    body.pose.position = position;
    return world.addBody(body);
  }
  /// The first span is "cable", the others are "cable_1" and so on.
  JointId cable(std::vector<CablePoint> points, std::optional<Real> length = {}) {
    return world.addCable({.name = "cable", .points = std::move(points), .length = length});
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) ASSERT_TRUE(world.step().solvesWithin);
  }
  Real rise(BodyId body) const { return world.body(body).linearVelocity().z(); }
  /// T of span i in the last step [N].
  Real tension(int i) const {
    const std::string name = i == 0 ? "cable" : "cable_" + std::to_string(i);
    return -world.joint(world.findJoint(name)).axisForce(0).limit;
  }

  World world;
  BodyId frame;
};

/// Two loads over one eyelet, each straight below it.
struct CableAtwood : CableRig {
  CableAtwood(Real light, Real heavy, Real friction = 0,
              const WorldSettings& settings = cableSettings())
      : CableRig(settings), a(load(light, {0, 0, -2})), b(load(heavy, {0, 0, -3})) {
    cable({{a}, {.body = frame, .friction = friction}, {b}});
  }
  BodyId a, b;
};

}  // namespace drystone::test
