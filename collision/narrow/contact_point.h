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
};

/// Whose corner a contact is, as its feature says; none where edges cross or a surface is smooth.
enum class ContactVertex : std::uint8_t { kNone, kOfA, kOfB };
ContactVertex vertexOf(const ContactPoint& contact);

/// The surface of a collider next to a point of contact, as far as it takes to follow the contact
/// while the body rolls, slides and turns a little.
struct LocalSurface {
  enum class Kind : std::uint8_t {
    kFace,   ///< flat: the normal of the contact is its own
    kPoint,  ///< a sphere of `radius` around `core`; a corner where the radius is 0
    kLine,   ///< a cylinder of `radius` around `axis` through `core`; an edge where that is 0
    kRim,    ///< a circle of `radius` around `axis` through `core`: the end of a cylinder or cone
  };
  Kind kind = Kind::kPoint;
  Vec3 core = Vec3::Zero();  ///< moves with the body, world [m]
  Vec3 axis = Vec3::Zero();  ///< of lines and rims: unit, world
  Real radius = 0;           ///< [m]
};

}  // namespace drystone
