#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "collision/shape/shape.h"
#include "core/types.h"

namespace drystone::narrow {

/// Key of a contact point within one pair of convex shapes, 28 bits: a kind and two ids. It names
/// what touches, not which face served as reference, so that a change of roles keeps it.
enum class FeatureKind : std::uint32_t {
  kVertexA = 0,  ///< a vertex (or sample) of A on a face of B
  kVertexB = 1,  ///< a vertex (or sample) of B on a face of A
  kEdges = 2,    ///< an edge of A with an edge of B
  kSpecial = 3,  ///< smooth contact: (0, 0), or what the pair routine says
};
constexpr std::uint32_t kFeatureIdBits = 13;
static_assert(kMostHullEdges <= 1 << kFeatureIdBits);
constexpr std::uint32_t kFeatureBits = 2 + 2 * kFeatureIdBits;

constexpr std::uint32_t featureKey(FeatureKind kind, int idA, int idB) {
  constexpr std::uint32_t mask = (1u << kFeatureIdBits) - 1;
  return static_cast<std::uint32_t>(kind) << (2 * kFeatureIdBits) |
         (static_cast<std::uint32_t>(idA) & mask) << kFeatureIdBits |
         (static_cast<std::uint32_t>(idB) & mask);
}

/// The same key with A and B exchanged.
constexpr std::uint32_t swappedKey(std::uint32_t key) {
  constexpr std::uint32_t mask = (1u << kFeatureIdBits) - 1;
  auto kind = static_cast<FeatureKind>(key >> (2 * kFeatureIdBits));
  if (kind == FeatureKind::kVertexA) {
    kind = FeatureKind::kVertexB;
  } else if (kind == FeatureKind::kVertexB) {
    kind = FeatureKind::kVertexA;
  }
  return featureKey(kind, static_cast<int>(key & mask),
                    static_cast<int>((key >> kFeatureIdBits) & mask));
}

struct ManifoldPoint {
  Vec3 position = Vec3::Zero();  ///< midway between the surfaces, world [m]
  Real gap = 0;                  ///< along the manifold's normal [m]
  std::uint32_t feature = 0;     ///< featureKey
};

/// cos 1°: a face that is turned less against another one is laid on it, and either of the two
/// lends the contact its normal. So normals that differ by less count as one.
constexpr Real kLaidCosine = 0.99985;

/// The contact of two convex shapes: points that share a normal.
struct Manifold {
  Vec3 normal = Vec3::UnitZ();  ///< unit, from A to B, world
  std::vector<ManifoldPoint> points;

  void clear() { points.clear(); }
  void add(const Vec3& position, Real gap, std::uint32_t feature) {
    points.push_back({position, gap, feature});
  }
  /// The point of the smallest gap; there must be one.
  const ManifoldPoint& deepest() const {
    return *std::min_element(points.begin(), points.end(),
                             [](const auto& p, const auto& q) { return p.gap < q.gap; });
  }
  bool overlaps() const { return !points.empty() && deepest().gap < 0; }
  /// Turns the contact of (B, A) into that of (A, B).
  void swapRoles() {
    normal = -normal;
    for (ManifoldPoint& point : points) point.feature = swappedKey(point.feature);
  }
};

/// What a pair of convex shapes remembers from its last detection. Part of the saved state.
struct PairCache {
  enum Axis : std::uint8_t { kNone, kFaceA, kFaceB, kEdges, kParallelEdges };
  static constexpr int kMaxKept = 4;

  std::uint8_t axis = kNone;  ///< the axis chosen (touching) or found to separate
  std::uint8_t touching = 0;  ///< whether that axis made a contact
  std::uint16_t keptCount = 0;
  std::uint16_t idA = 0, idB = 0;               ///< face or edge ids of the axis
  std::uint32_t kept[kMaxKept] = {0, 0, 0, 0};  ///< features that the reduction kept

  bool operator==(const PairCache&) const = default;
  bool isEmpty() const { return axis == kNone && keptCount == 0; }
  /// Whether the reduction kept the point of this feature.
  bool keeps(std::uint32_t feature) const {
    return std::find(kept, kept + keptCount, feature) != kept + keptCount;
  }
  /// Notes that it does, as far as there is room.
  void keep(std::uint32_t feature) {
    if (keptCount < kMaxKept) kept[keptCount++] = feature;
  }
  void forgetKept() {
    keptCount = 0;
    std::fill(kept, kept + kMaxKept, 0u);
  }
};
static_assert(sizeof(PairCache) == 24);

/// Thins a manifold to at most four points that keep the deepest point and the support polygon: the
/// deepest, the one farthest from it, the one that makes the largest triangle with both, and the
/// one that adds most to that triangle. Points kept last time win against others that are no better
/// by a tolerance.
void reduceManifold(Manifold& manifold, PairCache& cache);

}  // namespace drystone::narrow
