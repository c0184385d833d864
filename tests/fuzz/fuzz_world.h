#pragma once

#include <cmath>

#include "engine/world/world.h"
#include "tests/fuzz/fuzz_input.h"

namespace drystone::fuzz {

/// What holds after every step of every world: poses and velocities are finite, rotations unit, the
/// figures of the report no NaN, and a step that counts as met is what it says.
inline void checkStep(const World& world) {
  for (const BodyId id : world.bodies()) {
    const ConstBodyHandle body = world.body(id);
    const Pose pose = body.pose();
    require(pose.position.allFinite() && pose.rotation.coeffs().allFinite(),
            "a pose is not finite");
    require(std::abs(pose.rotation.norm() - 1) < 1e-6, "a rotation is not unit");
    require(body.linearVelocity().allFinite() && body.angularVelocity().allFinite(),
            "a velocity is not finite");
  }
  const StepReport& report = world.lastReport();
  for (const StepFigure& figure : kStepFigures) {
    require(!std::isnan(figure.valueIn(report)), figure.name);
  }
  require(!report.withinTolerance || (report.solvesWithin && !report.hasDiverged()),
          "a step that is met has a solve that is not");
  require(!report.solvesWithin || std::isfinite(report.naturalMap),
          "solves are met by an answer that is not finite");
}

}  // namespace drystone::fuzz
