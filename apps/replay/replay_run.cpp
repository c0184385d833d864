#include "apps/replay/replay.h"

#include <algorithm>
#include <cmath>

namespace drystone::cli {
namespace {

/// None where the recording has no frame of the step.
std::optional<Deviation> deviationAt(const Recording& recording, const World& world,
                                     std::int64_t step, WorldSnapshot& frame) {
  const std::int64_t index = recording.frameOfStep(step);
  if (index < 0) return std::nullopt;
  recording.frame(index, frame);
  Deviation worst{.step = step};
  for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
    const BodySnapshot& body = frame.bodies[i];
    Real distance = (body.centerOfMass - world.body(body.id).centerOfMass()).norm();
    if (std::isnan(distance)) distance = kInfinity;
    if (distance <= worst.distance) continue;
    worst.distance = distance;
    worst.body = recording.bodies()[i].name;
  }
  return worst;
}

}  // namespace

ReplayResult compareHashes(const Recording& recording, World& world, const ReplayMonitor& monitor) {
  ReplayResult result;
  StepWalk walk(recording);
  const auto agrees = [&](std::int64_t step) {
    result.recordedHash = step == 0 ? recording.startHash() : walk.at(step).hash;
    result.replayedHash = world.observe().hash();
    if (result.recordedHash == result.replayedHash) return true;
    result.firstDifferent = step;
    WorldSnapshot frame;
    if (auto deviation = deviationAt(recording, world, step, frame)) {
      result.deviations.push_back(std::move(*deviation));
    }
    return false;
  };
  if (!agrees(0)) return result;
  while (result.steps < recording.stepCount() && !result.interrupted) {
    world.step();
    ++result.steps;
    if (!agrees(result.steps)) break;
    result.interrupted = monitor(result.steps) && result.steps < recording.stepCount();
  }
  return result;
}

ReplayResult compareMotion(const Recording& recording, World& world, const ReplayMonitor& monitor) {
  ReplayResult result;
  StepWalk walk(recording);
  WorldSnapshot frame;
  while (result.steps < recording.stepCount() && !result.interrupted) {
    world.step();
    ++result.steps;
    const StepReport& recorded = walk.at(result.steps).report;
    const StepReport& replayed = world.lastReport();
    if (recorded.worst.exists()) result.recordedResidual.add(recorded.naturalMap);
    if (replayed.worst.exists()) result.replayedResidual.add(replayed.naturalMap);
    if (auto deviation = deviationAt(recording, world, result.steps, frame)) {
      result.deviations.push_back(std::move(*deviation));
    }
    result.interrupted = monitor(result.steps) && result.steps < recording.stepCount();
  }
  return result;
}

std::int64_t stepsTimeLimited(const Recording& recording) {
  std::int64_t count = 0;
  StepWalk walk(recording);
  for (std::int64_t step = 1; step <= recording.stepCount(); ++step) {
    count += walk.at(step).report.timeLimited > 0 ? 1 : 0;
  }
  return count;
}

const Deviation* largestDeviation(const ReplayResult& result) {
  const auto found = std::ranges::max_element(result.deviations, {}, &Deviation::distance);
  return found == result.deviations.end() ? nullptr : &*found;
}

const Deviation* firstBeyond(const ReplayResult& result, Real distance) {
  const auto found = std::ranges::find_if(
      result.deviations, [&](const Deviation& one) { return one.distance > distance; });
  return found == result.deviations.end() ? nullptr : &*found;
}

}  // namespace drystone::cli
