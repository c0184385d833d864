#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/step/contacts.h"

namespace drystone {

/// How a contact hangs on its bodies: what it takes to follow it over their poses. Cores are points
/// within the surfaces, `radius` below them.
struct ContactAnchor {
  enum class Rule : std::uint8_t {
    kCarried,       ///< the normal turns with `carrier`, the body whose face it is
    kBetweenCores,  ///< the normal leads from core to core: round surfaces
    kAcrossLines,   ///< the normal is square to both axes: edges and round sides that cross
  };
  enum class Rider : std::uint8_t { kA, kB, kBoth };  ///< whose point the contact is

  Vec3 onA, onB;                  ///< cores, in the body frames [m]
  Vec3 normal;                    ///< in the frame of the carrier
  Vec3 axisA, axisB;              ///< of lines and rims, in the body frames; else zero
  Real radiusA = 0, radiusB = 0;  ///< [m]
  int carrier = -1;               ///< body slot; -1: the world
  Rule rule = Rule::kCarried;
  Rider rider = Rider::kBoth;
  bool isRimA = false, isRimB = false;
};

/// How a contact hangs on its two bodies, at the poses of detection.
ContactAnchor anchorContact(const BodyStore& bodies, const CollisionWorld& collision,
                            const StepContact& contact);

/// The anchors of all contacts.
void anchorContacts(const BodyStore& bodies, const CollisionWorld& collision,
                    std::span<const StepContact> contacts, int threads,
                    std::vector<ContactAnchor>& anchors);

/// A contact at later poses.
struct ContactPlace {
  Vec3 position;  ///< midway between the two surfaces, world [m]
  Vec3 normal;    ///< unit, from A to B, world
  Real gap = 0;   ///< [m]
};

/// Follows a contact to the present poses of its bodies. The features that touch stay the same: a
/// corner or edge of one body on a face or edge of the other, rounded ones included, so that gap
/// and normal are exact while it is them that touch, and off by O(h²) and O(h) where a cone's side,
/// a rim or corners that meet are involved; docs/theory/options.md.
ContactPlace placeContact(const BodyStore& bodies, const StepContact& contact,
                          const ContactAnchor& anchor);

/// Brings all contacts to the present poses: an inner step in place of detecting them anew.
void carryContacts(const BodyStore& bodies, const MaterialTable& materials,
                   std::span<const ContactAnchor> anchors, int threads,
                   std::span<StepContact> contacts);

}  // namespace drystone
