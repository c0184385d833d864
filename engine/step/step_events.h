#pragma once

#include <vector>

#include "core/types.h"
#include "engine/model/body.h"
#include "engine/model/joint.h"

namespace drystone {

/// Two bodies that touch, or that did until now. A pair touches in a step when in it a contact
/// point of the two had a gap ≤ 0 or carried an impulse; a point that is only near does not count.
/// One of the two is dynamic. The ids of an ended contact may be those of a body that was removed.
struct ContactEvent {
  BodyId bodyA, bodyB;
  Real normalImpulse = 0;  ///< push of all points over the step, ≥ 0 [N s]; ended: 0
  /// With which adhesion pulled the two together, of all points over the step [N s]. Ended: that of
  /// the last step of the contact. Where it is > 0, something tore them apart.
  Real attraction = 0;
  Real approachSpeed = 0;        ///< fastest approach of a touching point before the solve [m/s]
  int points = 0;                ///< most that touched at a time; ended: 0
  Vec3 position = Vec3::Zero();  ///< mean of the points by impulse, world [m]; ended: the last
  Vec3 normal = Vec3::UnitZ();   ///< mean likewise, unit, from A to B; ended: the last
};

/// A body whose shape came to overlap a sensor's, or ceased to, at the poses of detection.
struct SensorEvent {
  BodyId sensor, visitor;
  bool operator==(const SensorEvent&) const = default;
};

struct JointBreakEvent {
  JointId joint;
  BodyId bodyA, bodyB;
  Real impulse = 0;  ///< linear impulse that broke it [N s]
};

/// What began, lasted and ended in a step: each list by ascending bodies or joint. Pairs of
/// sleeping bodies go on touching without an event.
struct StepEvents {
  std::vector<ContactEvent> contactsBegun, contactsLasting, contactsEnded;
  std::vector<SensorEvent> sensorsBegun, sensorsEnded;
  std::vector<JointBreakEvent> jointsBroken;
};

}  // namespace drystone
