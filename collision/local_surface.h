#pragma once

#include <cstdint>

#include "engine/core/types.h"

namespace drystone {

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
