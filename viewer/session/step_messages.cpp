#include "viewer/session/message_log.h"

#include <fmt/format.h>

#include <chrono>

namespace drystone::viewer {
namespace {

/// Of what was said once for many steps.
std::string stepsText(std::int64_t step, int occurrences) {
  if (occurrences == 1) return fmt::format("step {}", step);
  return fmt::format("step {} and {} before it", step, occurrences - 1);
}

std::string nameOf(const SceneView& scene, BodyId id) {
  const ViewBody* body = scene.find(id);
  return body == nullptr ? "a body" : fmt::format("'{}'", body->name);
}

}  // namespace

void StepMessages::afterStep(const StepReport& report, const SceneView& scene, Real tolerance,
                             const std::string& failure) {
  const auto now = std::chrono::steady_clock::now();
  for (const int joint : report.brokenJoints) {
    log_.info(fmt::format("step {}: joint '{}' broke", report.step, scene.jointNames[joint]));
  }
  if (!failure.empty()) {
    log_.error(failure + ". The run ends here: step back, restart or switch the solver");
  }
  if (!report.solvesWithin) {
    if (const int count = missed_.occurrences(now); count > 0) {
      log_.warning(fmt::format("{}: residual {:.2g} m/s is above the tolerance {:.2g} m/s",
                               stepsText(report.step, count), report.naturalMap, tolerance));
    }
  }
  if (!report.jointsWithin()) {
    if (const int count = apart_.occurrences(now); count > 0) {
      log_.warning(fmt::format("{}: joint '{}' is off by {:.2g} m, above the tolerance {:.2g} m",
                               stepsText(report.step, count),
                               scene.jointNames[report.worstJoint.index], report.jointError,
                               report.jointTolerance));
    }
  }
  if (!report.overlapsWithin()) {
    if (const int count = overlapped_.occurrences(now); count > 0) {
      log_.warning(fmt::format(
          "{}: {} and {} overlap by {:.2g} m, above the tolerance {:.2g} m",
          stepsText(report.step, count), nameOf(scene, report.worstOverlap.bodyA),
          nameOf(scene, report.worstOverlap.bodyB), report.overlapError, report.overlapTolerance));
    }
  }
  if (report.fallbacks > 0) {
    if (const int count = fellBack_.occurrences(now); count > 0) {
      log_.warning(
          fmt::format("{}: {} not solved by the solver asked for", stepsText(report.step, count),
                      report.fallbacks == 1 ? "an island was"
                                            : fmt::format("{} islands were", report.fallbacks)));
    }
  }
}

}  // namespace drystone::viewer
