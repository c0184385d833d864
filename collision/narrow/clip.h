#pragma once

#include <vector>

#include "collision/narrow/manifold.h"
#include "collision/shape/placed_shape.h"
#include "collision/shape/support_feature.h"

namespace drystone::narrow {

/// Memory that one thread reuses from pair to pair. There is room for two faces of kCorners / 2
/// corners from the start, so that a pair that turns a little allocates nothing; more are taken
/// too.
struct ClipScratch {
  static constexpr int kCorners = 64;
  struct Vertex {
    Vec3 point;
    int vertex;  ///< id in the incident shape, or -1 when clipping made it
    int edge;    ///< edge to the next vertex: an id of the incident shape, or -1 - reference edge
  };
  Polygon reference, incident;
  std::vector<Vertex> input, output;
  std::vector<Real> distances;
  std::vector<Vec3> normals;  ///< of faces of B in A's frame, turned round
  std::vector<Real> heights;  ///< of normals of A over the plane of an arc of B's normals

  ClipScratch() {
    for (Polygon* polygon : {&reference, &incident}) polygon->corners.reserve(kCorners);
    for (std::vector<Vertex>* vertices : {&input, &output}) vertices->reserve(kCorners);
    distances.reserve(kCorners);
    normals.reserve(kCorners);
    heights.reserve(kCorners);
  }
};

/// The face, of those at the vertex farthest against `direction` (world), the one most opposed to
/// it.
int incidentFace(const PlacedShape& shape, const Vec3& direction);

/// Clips scratch.incident (polygon, edge or vertex) to the prism that stands on scratch.reference
/// along `normal` (unit, outwards, at most some degrees from the face's own), and adds the points
/// whose gap along it is at most `margin`. Corners up to `tolerance` outside count as inside, so
/// that faces of equal size that lie on each other keep their vertices. `referenceIsA` says whose
/// face it is. Changes scratch.
void clipToReference(ClipScratch& scratch, const Vec3& normal, const Vec3& origin, Real margin,
                     Real tolerance, bool referenceIsA, Manifold& out);

}  // namespace drystone::narrow
