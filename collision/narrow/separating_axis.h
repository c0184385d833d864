#pragma once

#include <algorithm>

#include "collision/narrow/clip.h"
#include "collision/narrow/manifold.h"
#include "collision/shape/placed_shape.h"

namespace drystone::narrow {

/// Edges closer to parallel than this (squared sine) have no axis of their own: the faces beside
/// them are within a milliradian of it.
constexpr Real kParallelSine2 = 1e-6;
/// Edges are of no account where a face separates more by this, relative to the thickness of the
/// thinner shape: the choice between axes prefers one to another by less.
constexpr Real kEdgeSlack = 2e-4;

/// One candidate axis between two polytopes and how far it separates them.
struct SeparatingAxis {
  PairCache::Axis kind = PairCache::kNone;
  int idA = 0, idB = 0;        ///< face (of the one that has the face), or edges of A and B
  Real separation = -1e300;    ///< largest signed gap of the projections; negative: overlap [m]
  Vec3 normal = Vec3::Zero();  ///< unit, from A to B, world
};

/// Best axes of each family; of edges only those of some account. A search that meets an axis
/// beyond the margin stops and sets `separated`, with that axis in the member of its kind and in
/// `separatedBy`.
struct AxisSearch {
  SeparatingAxis faceA, faceB, edges;
  bool separated = false;
  PairCache::Axis separatedBy = PairCache::kNone;

  const SeparatingAxis& of(PairCache::Axis kind) const {
    return kind == PairCache::kFaceA ? faceA : kind == PairCache::kFaceB ? faceB : edges;
  }
  /// Edges that separate less than this are of no account, once the faces are known [m].
  Real leastOfEdges(const PlacedShape& a, const PlacedShape& b) const {
    return std::min(faceA.separation, faceB.separation) -
           kEdgeSlack * std::min(a.polytope->size, b.polytope->size);
  }
};

/// Two boxes: the 15 axes in closed form (Gottschalk et al. 1996), edge axes normalised, pairs of
/// nearly parallel edges left out.
void searchBoxAxes(const PlacedShape& a, const PlacedShape& b, Real margin, AxisSearch& out);
/// Any two polytopes, of which B may be a triangle: faces of both and the edge pairs whose arcs of
/// normals cross (Gregorius 2013).
void searchPolytopeAxes(const PlacedShape& a, const PlacedShape& b, Real margin,
                        ClipScratch& scratch, AxisSearch& out);

/// Separation along an axis remembered in the cache, for a cheap first test.
Real cachedSeparation(const PlacedShape& a, const PlacedShape& b, const PairCache& cache);

}  // namespace drystone::narrow
