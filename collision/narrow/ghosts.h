#pragma once

#include <array>
#include <span>
#include <vector>

#include "collision/shape/placed_shape.h"

namespace drystone::narrow {

/// A part of the static world, as far as its seams need it: a convex shape, a half-space or a
/// triangle of a surface (world corners; then `shape` is null).
struct StaticPart {
  const PlacedShape* shape = nullptr;
  std::array<Vec3, 3> corners = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};

  bool operator==(const StaticPart&) const = default;
};

/// A contact of a moving convex shape with a part of the static world.
struct StaticContact {
  const PlacedShape* moving = nullptr;
  StaticPart part;
  Vec3 normal = Vec3::UnitZ();   ///< unit, from the part to the moving shape, world
  Vec3 position = Vec3::Zero();  ///< on the part, world [m]
  Real gap = 0;                  ///< along the normal; negative: overlap [m]
  bool isCorner = false;         ///< a corner of the moving shape on the part
  int index = 0;                 ///< of the caller
  bool isGhost = false;          ///< cannot stop the shape: there is nothing to meet
};

/// A face of the static world that holds a body.
struct SupportingFace {
  Vec3 normal = Vec3::UnitZ();  ///< unit, outwards, world
  Real height = 0;              ///< of the face along its normal [m]
  Real depth = 0;               ///< of the body below it [m], ≥ 0
};

/// Judges the contacts of one body with the static world together. A contact is a ghost when a face
/// that holds the body goes on over the part it touches: the body is over the face and the part is
/// under it, so the only way for them to meet is along the face's normal. One that leans no more
/// than a seam explains is turned to that normal instead. Where the body touches one part alone,
/// only corners of the body are turned, whose normal is that of the face. `faces` is scratch.
void findGhosts(std::span<StaticContact> contacts, std::vector<SupportingFace>& faces);

}  // namespace drystone::narrow
