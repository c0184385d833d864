#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel_select.h"
#include "engine/step/rows.h"
#include "engine/step/step_events.h"

namespace drystone {

/// Who touches whom, from step to step. All lists ascend by their bodies.
struct EventTracker {
  StepEvents events;  ///< of the last step; what it began and what lasts touches at its end
  /// Pairs that touched before the step, without those at rest. Between steps those that are no
  /// event of the last one: of a state that was restored, or before a step that diverged.
  std::vector<ContactEvent> touching;
  std::vector<ContactEvent> resting;  ///< pairs that sleep and touched when they fell asleep
  std::uint64_t restingVersion = 0;   ///< BodyStore::activeVersion() of these
  std::vector<SensorEvent> sensing;   ///< as `touching`, also between steps
  std::vector<ContactEvent> found;    ///< of this step; their normals are made unit at its end
  std::vector<SensorEvent> sensed;
  // Work space.
  std::vector<ContactEvent> later, slept;  ///< of one inner step; of the end of a step
  ParallelSelect select;
  std::vector<int> firstOfPairs;  ///< contacts: of each pair that touches the first that does
};

/// All that touch, at rest or not.
std::vector<ContactEvent> allTouching(const EventTracker& tracker);

/// Clears what is found in a step, and keeps what touched at the end of the last one.
void beginEvents(EventTracker& tracker);

/// Notes the detected pairs of which one is a sensor whose shape overlaps the other's.
void senseTouches(std::span<const ContactPoint> points, std::span<const int> bodyOfCollider,
                  const BodyStore& bodies, EventTracker& tracker);

/// Adds the pairs that touch in an inner step: solved, and still at the poses of detection.
/// `oldVelocity` is that before the solve. [body slots]
void collectTouches(const BodyStore& bodies, std::span<const StepContact> contacts,
                    const ConstraintRows& rows, std::span<const Vec6> oldVelocity, int threads,
                    EventTracker& tracker);

/// Compares with the step before: fills `events`.
void finishEvents(const BodyStore& bodies, int threads, EventTracker& tracker);

}  // namespace drystone
