#pragma once

#include <cstdint>

#include "core/types.h"

namespace drystone {

/// One point of a contact between two colliders. A is always the collider of the lower index.
struct ContactPoint {
  int colliderA = -1;
  int colliderB = -1;
  Vec3 position = Vec3::Zero();  ///< midway between the two, world [m]
  Vec3 normal = Vec3::UnitZ();   ///< unit, from A to B, world
  Real gap = 0;                  ///< distance along the normal; negative: overlap [m]
  std::uint64_t feature = 0;     ///< which features touch; the same while they do, for warm starts
  /// Farther apart than the margin, but their motions may bring them together.
  bool isAhead = false;
  /// Of two that will meet on their ways: half of the way of A as B sees it until the touch [m].
  /// Normal and features are those of the touch, the gap is what closes along the normal until
  /// then.
  Vec3 halfWay = Vec3::Zero();

  /// The points of A and B that meet, where they are now [m].
  Vec3 onA() const { return position - halfWay; }
  Vec3 onB() const { return position + halfWay; }

  /// The same points where they lie on the surfaces: what of the gap lies between them otherwise
  /// is off them [m].
  Vec3 onSurfaceA() const { return onA() - acrossGap(); }
  Vec3 onSurfaceB() const { return onB() + acrossGap(); }

 private:
  /// Half of what the gap has beyond the ways [m].
  Vec3 acrossGap() const { return (0.5 * gap - normal.dot(halfWay)) * normal; }
};

/// Whose corner a contact is, as its feature says; none where edges cross or a surface is smooth.
enum class ContactVertex : std::uint8_t { kNone, kOfA, kOfB };
ContactVertex vertexOf(const ContactPoint& contact);

}  // namespace drystone
