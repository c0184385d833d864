#pragma once

#include <cstdint>

#include "core/types.h"

namespace drystone {

/// One point of a contact between two colliders. A is always the collider of the lower index.
struct ContactPoint {
  int colliderA = -1;
  int colliderB = -1;
  Vec3 position = Vec3::Zero();  ///< midway between the two surfaces, world [m]
  Vec3 normal = Vec3::UnitZ();   ///< unit, from A to B, world
  Real gap = 0;                  ///< distance along the normal; negative: overlap [m]
  std::uint64_t feature = 0;     ///< which features touch; the same while they do, for warm starts
  /// The two are farther apart than the margin, but their motions bring them together: normal and
  /// features are those of where they meet. The position is as far from either as it will be then,
  /// of two that move halfway between; the gap is what closes along the normal until then.
  bool isAhead = false;
};

/// Whose corner a contact is, as its feature says; none where edges cross or a surface is smooth.
enum class ContactVertex : std::uint8_t { kNone, kOfA, kOfB };
ContactVertex vertexOf(const ContactPoint& contact);

}  // namespace drystone
