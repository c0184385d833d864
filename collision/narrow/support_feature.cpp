#include "collision/narrow/support.h"

#include <algorithm>
#include <cmath>

#include "collision/narrow/rim.h"

namespace drystone::narrow {
namespace {

/// sin 5° and cos 5°: how far from square a feature may be.
constexpr Real kSquareSine = 0.0871557427476581;
constexpr Real kSquareCosine = 0.996194698091746;
/// Gaps closer than this, relative to the shapes, are equal.
constexpr Real kFeatureRounding = 1e-9;

void setPoint(const Vec3& point, int vertex, Polygon& out) {
  out.corners.assign(1, {point, Vec3::Zero(), vertex, 0});
}

void setEdge(const Vec3& from, int fromId, const Vec3& to, int toId, int edge, Polygon& out) {
  out.corners.clear();
  out.corners.push_back({from, Vec3::Zero(), fromId, edge});
  out.corners.push_back({to, Vec3::Zero(), toId, edge});
}

/// A cap as an octagon of its fixed samples.
void setCap(const PlacedShape& shape, const Rim& rim, const Vec3& normal, const Vec3& origin,
            Polygon& out) {
  RimSamples samples;
  sampleRim(shape, rim, normal, samples);
  out.corners.clear();
  out.normal = normal;
  const bool reverse = normal.dot(shape.axis(2)) < 0;
  for (int k = 0; k < RimSamples::kFixed; ++k) {
    const int at = samples.count - RimSamples::kFixed + (reverse ? RimSamples::kFixed - 1 - k : k);
    out.corners.push_back({samples.point[at] - origin, Vec3::Zero(), samples.id[at], 0});
  }
  for (int k = 0; k < RimSamples::kFixed; ++k) {
    Polygon::Corner& corner = out.corners[static_cast<std::size_t>(k)];
    const Polygon::Corner& next =
        out.corners[static_cast<std::size_t>((k + 1) % RimSamples::kFixed)];
    corner.side = (next.point - corner.point).normalized().cross(normal);
    corner.edge = reverse ? next.vertex : corner.vertex;
  }
}

void capsuleFeature(const PlacedShape& shape, const Vec3& direction, const Vec3& offset,
                    Polygon& out) {
  const Vec3 half = shape.size.y() * shape.axis(2);
  const Vec3 surface = offset + shape.size.x() * direction;
  const Real along = direction.dot(shape.axis(2));
  if (std::abs(along) < kSquareSine) {
    setEdge(surface - half, 0, surface + half, 1, kSideEdgeId, out);
  } else {
    setPoint(along < 0 ? Vec3(surface - half) : Vec3(surface + half), along < 0 ? 0 : 1, out);
  }
}

void cylinderFeature(const PlacedShape& shape, const Vec3& direction, const Vec3& origin,
                     Polygon& out) {
  const Real along = direction.dot(shape.axis(2));
  const Rim rim = cylinderRim(shape, along < 0 ? 0 : 1);
  if (std::abs(along) > kSquareCosine) {
    setCap(shape, rim, along < 0 ? Vec3(-shape.axis(2)) : shape.axis(2), origin, out);
  } else if (std::abs(along) < kSquareSine) {
    setEdge(farthestOnRim(shape, cylinderRim(shape, 0), direction) - origin, kSideLowId,
            farthestOnRim(shape, cylinderRim(shape, 1), direction) - origin, kSideHighId,
            kSideEdgeId, out);
  } else {
    setPoint(farthestOnRim(shape, rim, direction) - origin, rim.firstId + RimSamples::kFixed, out);
  }
}

void coneFeature(const PlacedShape& shape, const Vec3& direction, const Vec3& origin,
                 Polygon& out) {
  const Real along = direction.dot(shape.axis(2));
  const Rim rim = coneRim(shape);
  if (along < -kSquareCosine) {
    setCap(shape, rim, -shape.axis(2), origin, out);
    return;
  }
  const Vec3 apex = shape.position + 0.5 * shape.size.y() * shape.axis(2);
  const Vec3 low = farthestOnRim(shape, rim, direction);
  const Vec3 side = (apex - low).normalized();
  if (std::abs(direction.dot(side)) < kSquareSine) {
    setEdge(low - origin, kSideLowId, apex - origin, kApexId, kSideEdgeId, out);
  } else if (direction.dot(side) > 0) {
    setPoint(apex - origin, kApexId, out);
  } else {
    setPoint(low - origin, RimSamples::kFixed, out);
  }
}

void polytopeFeature(const PlacedShape& shape, const Vec3& direction, const Vec3& origin,
                     Polygon& out) {
  const Polytope& polytope = *shape.polytope;
  const Vec3 local = shape.rotation.transpose() * direction;
  int face = -1;
  Real straightest = kSquareCosine;
  for (std::size_t f = 0; f < polytope.faces.size(); ++f) {
    const Real cosine = polytope.faces[f].normal.dot(local);
    if (cosine <= straightest) continue;
    straightest = cosine;
    face = static_cast<int>(f);
  }
  if (face >= 0) {
    facePolygon(shape, face, origin, out);
    return;
  }
  const int vertex = polytope.supportVertex(local);
  Real squarest = kSquareSine;
  const Polytope::Edge* edge = nullptr;
  for (const Polytope::Edge& candidate : polytope.edges) {
    if (candidate.from != vertex && candidate.to != vertex) continue;
    const Real sine = std::abs(candidate.direction.dot(local));
    if (sine >= squarest) continue;
    squarest = sine;
    edge = &candidate;
  }
  const auto placed = [&](int v) -> Vec3 {
    return shape.rotation * polytope.vertices[static_cast<std::size_t>(v)] +
           (shape.position - origin);
  };
  if (edge == nullptr) {
    setPoint(placed(vertex), vertex, out);
  } else {
    setEdge(placed(edge->from), edge->from, placed(edge->to), edge->to,
            static_cast<int>(edge - polytope.edges.data()), out);
  }
}

/// A unit normal, from A to B, and the gap along it.
struct Facing {
  Vec3 normal;
  Real gap;
};

/// The contact's normal: that of a facing face whose gap along it is the distance, else that of the
/// closest points. So faces that rest on each other keep one normal while the closest points move,
/// and no face that leans lends its own. Of overlapping shapes a face may well have less overlap
/// than the search found; the gap is its own then.
Facing facingOf(const PlacedShape& a, const PlacedShape& b, const ClosestPoints& closest,
                const Polygon& ofA, const Polygon& ofB, Real rounding) {
  const Real radii = coreRadius(a) + coreRadius(b);
  Facing best = {closest.normal, closest.gap};
  Real largest = closest.gap - rounding;
  const auto offer = [&](const Vec3& candidate) {
    const Real gap = coreGap(a, b, candidate) - radii;
    if (gap <= largest) return;
    largest = gap;
    best = {candidate, gap};
  };
  if (ofA.corners.size() >= 3) offer(ofA.normal);
  if (ofB.corners.size() >= 3) offer(-ofB.normal);
  return best;
}

}  // namespace

void supportFeature(const PlacedShape& shape, const Vec3& direction, const Vec3& origin,
                    Polygon& out) {
  out.normal = direction;
  switch (shape.kind) {
    case ShapeKind::kSphere:
      setPoint(shape.position - origin + shape.size.x() * direction, 0, out);
      break;
    case ShapeKind::kCapsule:
      capsuleFeature(shape, direction, shape.position - origin, out);
      break;
    case ShapeKind::kCylinder:
      cylinderFeature(shape, direction, origin, out);
      break;
    case ShapeKind::kCone:
      coneFeature(shape, direction, origin, out);
      break;
    case ShapeKind::kBox:
    case ShapeKind::kPolytope:
      polytopeFeature(shape, direction, origin, out);
      break;
    case ShapeKind::kPlane:
      break;
  }
}

void contactOfParallelEdges(const Polygon& a, const Polygon& b, const Vec3& origin,
                            const Vec3& normal, Real margin, Real tolerance, Manifold& out) {
  const Polygon::Corner &a0 = a.corners[0], &a1 = a.corners[1];
  const Polygon::Corner *b0 = &b.corners[0], *b1 = &b.corners[1];
  const Vec3 along = (a1.point - a0.point).normalized();
  const Vec3 alongB = (b1->point - b0->point).normalized();
  if (along.cross(alongB).norm() > kSquareSine) return;
  if (along.dot(alongB) < 0) std::swap(b0, b1);
  const auto place = [&](const Polygon::Corner& corner) {
    return along.dot(corner.point - a0.point);
  };
  struct End {
    Real at;
    std::uint32_t key;
  };
  const End ends[2] = {place(*b0) >= -tolerance
                           ? End{place(*b0), featureKey(FeatureKind::kVertexB, 0, b0->vertex)}
                           : End{0, featureKey(FeatureKind::kVertexA, a0.vertex, 0)},
                       place(*b1) <= place(a1) + tolerance
                           ? End{place(*b1), featureKey(FeatureKind::kVertexB, 0, b1->vertex)}
                           : End{place(a1), featureKey(FeatureKind::kVertexA, a1.vertex, 0)}};
  if (ends[1].at < ends[0].at) return;
  const Real lengthB = place(*b1) - place(*b0);
  for (const End& end : ends) {
    const Vec3 onA = a0.point + end.at * along;
    const Vec3 onB = b0->point + (end.at - place(*b0)) / lengthB * (b1->point - b0->point);
    const Real gap = normal.dot(onB - onA);
    if (gap <= margin) out.add(origin + 0.5 * (onA + onB), gap, end.key);
  }
}

void contactOfFeatures(const PlacedShape& a, const PlacedShape& b, const ClosestPoints& closest,
                       Real margin, Real tolerance, ClipScratch& scratch, Manifold& out) {
  out.clear();
  if (!closest.isFound) return;
  const Vec3& origin = a.position;
  Polygon &ofA = scratch.reference, &ofB = scratch.incident;
  supportFeature(a, closest.normal, origin, ofA);
  supportFeature(b, -closest.normal, origin, ofB);
  const std::size_t sizeA = ofA.corners.size(), sizeB = ofB.corners.size();
  const Real rounding = kFeatureRounding * thickness(a, b);
  const Facing facing = facingOf(a, b, closest, ofA, ofB, rounding);
  const Vec3& normal = facing.normal;
  out.normal = normal;
  if (sizeA >= 3 || sizeB >= 3) {
    const Real squareA = sizeA >= 3 ? ofA.normal.dot(normal) : -1;
    const Real squareB = sizeB >= 3 ? -ofB.normal.dot(normal) : -1;
    const bool referenceIsA = squareA >= squareB;
    if (!referenceIsA) std::swap(ofA, ofB);
    if (std::min(sizeA, sizeB) > 1) {
      clipToReference(scratch, referenceIsA ? normal : Vec3(-normal), origin, margin, tolerance,
                      referenceIsA, out);
    }
  } else if (sizeA == 2 && sizeB == 2) {
    contactOfParallelEdges(ofA, ofB, origin, normal, margin, tolerance, out);
  }
  Real lowest = 1e300;
  for (const ManifoldPoint& point : out.points) lowest = std::min(lowest, point.gap);
  if (lowest <= facing.gap + rounding) return;
  out.add(0.5 * (closest.onA + closest.onB), facing.gap, featureKey(FeatureKind::kSpecial, 0, 0));
}

}  // namespace drystone::narrow
