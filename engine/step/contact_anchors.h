#pragma once

#include "engine/step/world_parts.h"

namespace drystone {

/// Remembers how each contact hangs on its two bodies, at the poses of detection.
void anchorContacts(const WorldParts& world, StepData& data);

/// A contact at later poses.
struct ContactPlace {
  Vec3 position;  ///< midway between the two surfaces, world [m]
  Vec3 normal;    ///< unit, from A to B, world
  Real gap = 0;   ///< [m]
};

/// Follows a contact to the present poses of its bodies. The features that touch stay the same: a
/// corner or edge of one body on a face or edge of the other, rounded ones included, so that gap
/// and normal are exact while it is them that touch, and off by O(h²) and O(h) where a cone's side,
/// a rim or corners that meet are involved; docs/theory.md.
ContactPlace placeContact(const BodyStore& bodies, const StepContact& contact,
                          const ContactAnchor& anchor);

/// Brings all contacts to the present poses: an inner step in place of detecting them anew.
void carryContacts(const WorldParts& world, StepData& data);

}  // namespace drystone
