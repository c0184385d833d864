#pragma once

#include <vector>

#include "engine/step/step_events.h"

namespace drystone {

struct StepData;
struct WorldParts;

/// A pair that touched in one inner step.
struct PairTouch {
  ContactEvent event;
  int substep = 0;
};

/// Who touches whom, from step to step. All lists ascend by their bodies.
struct EventTracker {
  StepEvents events;                   ///< of the last step
  std::vector<ContactEvent> touching;  ///< at the end of the last step
  std::vector<SensorEvent> sensing;    ///< likewise
  std::vector<PairTouch> found;        ///< of this step, sorted at its end
  std::vector<SensorEvent> sensed;
  std::vector<ContactEvent> nextTouching;
};

/// Clears what is found in a step.
void beginEvents(EventTracker& tracker);

/// The shape of one of two bodies is a sensor's and overlaps the other's.
void senseTouch(WorldParts& world, int bodyA, int bodyB);

/// Adds the pairs that touch in inner step `substep`: solved, and still at the poses of detection.
void collectTouches(WorldParts& world, const StepData& data, int substep);

/// A joint broke under the impulse that it holds.
void recordBreak(WorldParts& world, int joint);

/// Compares with the step before: fills `events`.
void finishEvents(WorldParts& world);

}  // namespace drystone
