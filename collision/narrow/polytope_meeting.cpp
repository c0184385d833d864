#include "collision/narrow/polytope_meeting.h"

#include <cmath>
#include <cstddef>
#include <tuple>
#include <utility>

#include "collision/narrow/clip.h"
#include "collision/narrow/manifold.h"
#include "collision/narrow/separating_axis.h"

namespace drystone::narrow {
namespace {

using Feature = PolytopeMeeting::Feature;
using Place = PolytopeMeeting::Place;
using Normal = PolytopeMeeting::Normal;

/// Normals that differ by less are one.
constexpr Real kOneNormal = 1e-9;

Feature featureCorner(const PlacedShape& shape, std::size_t vertex) {
  return {shape.position + shape.rotation * shape.polytope->vertices[vertex], Vec3::Zero()};
}

Feature featureEdge(const PlacedShape& shape, std::size_t id) {
  const Polytope::Edge& edge = shape.polytope->edges[id];
  return {featureCorner(shape, static_cast<std::size_t>(edge.from)).point,
          shape.rotation * edge.direction};
}

Feature featureFace(const PlacedShape& shape, std::size_t id) {
  const Polytope::Face& face = shape.polytope->faces[id];
  const Polytope::Corner& corner = shape.polytope->loop[static_cast<std::size_t>(face.begin)];
  return {featureCorner(shape, static_cast<std::size_t>(corner.vertex)).point,
          shape.rotation * face.normal};
}

bool areOneNormal(const Vec3& a, const Vec3& b) { return (a - b).norm() < kOneNormal; }

/// The only directions of an edge of A and of one of B, each but for its sign, that the normal is
/// square to.
std::optional<std::pair<Vec3, Vec3>> edgesAcross(const PlacedShape& a, const PlacedShape& b,
                                                 const Vec3& normal) {
  std::optional<std::pair<Vec3, Vec3>> found;
  for (const Polytope::Edge& ofA : a.polytope->edges) {
    const Vec3 alongA = a.rotation * ofA.direction;
    if (std::abs(alongA.dot(normal)) > kOneNormal) continue;
    for (const Polytope::Edge& ofB : b.polytope->edges) {
      const Vec3 alongB = b.rotation * ofB.direction;
      if (std::abs(alongB.dot(normal)) > kOneNormal) continue;
      if (alongA.cross(alongB).squaredNorm() < kParallelSine2) continue;
      const bool isAnother = found && (alongA.cross(found->first).norm() > kOneNormal ||
                                       alongB.cross(found->second).norm() > kOneNormal);
      if (isAnother) return std::nullopt;
      found.emplace(alongA, alongB);
    }
  }
  return found;
}

/// What the normal of clipped faces follows.
bool findNormal(const PlacedShape& a, const PlacedShape& b, const Vec3& normal,
                PolytopeMeeting& meeting) {
  const Vec3 outwards = meeting.referenceIsA ? normal : Vec3(-normal);
  if (areOneNormal(outwards, meeting.reference.along)) return true;
  const PlacedShape& other = meeting.referenceIsA ? b : a;
  for (std::size_t face = 0; face < other.polytope->faces.size(); ++face) {
    const Vec3 own = featureFace(other, face).along;
    if (!areOneNormal(outwards, -own)) continue;
    meeting.normal = Normal::kOfOther;
    (meeting.referenceIsA ? meeting.normalOfB : meeting.normalOfA) = own;
    return true;
  }
  const auto edges = edgesAcross(a, b, normal);
  if (!edges) return false;
  meeting.normal = Normal::kAcrossEdges;
  std::tie(meeting.normalOfA, meeting.normalOfB) = *edges;
  return true;
}

/// The two faces beside edges that lie side by side whose normals have this one halfway.
bool findHalfway(const PlacedShape& a, const PlacedShape& b, const PairCache& cache,
                 const Vec3& normal, PolytopeMeeting& meeting) {
  const Polytope::Edge &edgeA = a.polytope->edges[cache.idA], &edgeB = b.polytope->edges[cache.idB];
  for (const int faceA : {edgeA.faceA, edgeA.faceB}) {
    for (const int faceB : {edgeB.faceA, edgeB.faceB}) {
      meeting.normalOfA = featureFace(a, static_cast<std::size_t>(faceA)).along;
      meeting.normalOfB = featureFace(b, static_cast<std::size_t>(faceB)).along;
      if (meeting.normalOfA.dot(meeting.normalOfB) > 0) continue;  // they do not face each other
      if (areOneNormal((meeting.normalOfA - meeting.normalOfB).normalized(), normal)) return true;
    }
  }
  return false;
}

std::optional<PolytopeMeeting> sideBySide(const PlacedShape& a, const PlacedShape& b,
                                          const PairCache& cache, FeatureKind kind, std::size_t idA,
                                          std::size_t idB, const Vec3& normal) {
  PolytopeMeeting meeting{.normal = Normal::kHalfway,
                          .ofA = featureEdge(a, cache.idA),
                          .ofB = featureEdge(b, cache.idB)};
  if (!findHalfway(a, b, cache, normal, meeting)) return std::nullopt;
  if (kind == FeatureKind::kVertexA) {
    meeting.place = Place::kEdgesAlongA;
    meeting.ofA.point = featureCorner(a, idA).point;
  } else {
    meeting.place = Place::kEdgesAlongB;
    meeting.ofB.point = featureCorner(b, idB).point;
  }
  return meeting;
}

}  // namespace

std::optional<PolytopeMeeting> meetingOf(const PlacedShape& a, const PlacedShape& b,
                                         const PairCache& cache, std::uint32_t feature,
                                         const Vec3& normal) {
  constexpr std::uint32_t kMask = (1u << kFeatureIdBits) - 1;
  if (cache.touching == 0 || a.polytope == nullptr || b.polytope == nullptr) return std::nullopt;
  const auto kind = static_cast<FeatureKind>(feature >> (2 * kFeatureIdBits));
  const std::size_t idA = feature >> kFeatureIdBits & kMask, idB = feature & kMask;
  if (kind == FeatureKind::kSpecial) return std::nullopt;
  if (cache.axis == PairCache::kParallelEdges) {
    return sideBySide(a, b, cache, kind, idA, idB, normal);
  }
  if (cache.axis != PairCache::kFaceA && cache.axis != PairCache::kFaceB) return std::nullopt;
  PolytopeMeeting meeting;
  meeting.referenceIsA = cache.axis == PairCache::kFaceA;
  const PlacedShape &reference = meeting.referenceIsA ? a : b,
                    &other = meeting.referenceIsA ? b : a;
  meeting.reference = featureFace(reference, meeting.referenceIsA ? cache.idA : cache.idB);
  if (!findNormal(a, b, normal, meeting)) return std::nullopt;
  Feature& ofReference = meeting.referenceIsA ? meeting.ofA : meeting.ofB;
  Feature& ofOther = meeting.referenceIsA ? meeting.ofB : meeting.ofA;
  const std::size_t id = meeting.referenceIsA ? idA : idB,
                    idOther = meeting.referenceIsA ? idB : idA;
  if (kind == FeatureKind::kEdges) {
    meeting.place = Place::kEdgeAtSide;
    ofReference = featureEdge(reference, id);
    ofOther = featureEdge(other, idOther);
  } else if ((kind == FeatureKind::kVertexA) == meeting.referenceIsA) {
    meeting.place = Place::kBelowCorner;
    ofReference = featureCorner(reference, id);
    const int face = incidentFace(other, meeting.reference.along);
    ofOther = featureFace(other, static_cast<std::size_t>(face));
  } else {
    ofOther = featureCorner(other, idOther);
  }
  return meeting;
}

}  // namespace drystone::narrow
