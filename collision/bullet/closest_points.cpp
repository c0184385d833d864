#include "collision/bullet/closest_points.h"

#include <BulletCollision/CollisionShapes/btConvexShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>

#include <cmath>

#include "collision/narrow/support.h"
#include "engine/core/check.h"

namespace drystone::bullet {
namespace {

btVector3 toBullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }
Vec3 fromBullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

/// Shows a placed shape to Bullet's solvers: in world axes, relative to `origin`, moved by `shift`.
class SupportShape final : public btConvexShape {
 public:
  SupportShape(const narrow::PlacedShape& shape, bool coreOnly, const Vec3& origin)
      : shape_(shape), coreOnly_(coreOnly), offset_(shape.position - origin) {
    m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE;
  }
  void setShift(const Vec3& shift) { shift_ = shift; }

  /// Farthest point of the whole shape, without the shift.
  Vec3 farthest(const Vec3& direction) const {
    return offset_ + narrow::support(shape_, direction, false);
  }

  btVector3 localGetSupportingVertexWithoutMargin(const btVector3& direction) const override {
    return toBullet(offset_ + shift_ + narrow::support(shape_, fromBullet(direction), coreOnly_));
  }
  btVector3 localGetSupportingVertex(const btVector3& direction) const override {
    return localGetSupportingVertexWithoutMargin(direction);
  }

  // The rest of the interface is not asked for by the GJK and EPA solvers.
  void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3*, btVector3*,
                                                         int) const override {}
  void getAabb(const btTransform&, btVector3&, btVector3&) const override {}
  void getAabbSlow(const btTransform&, btVector3&, btVector3&) const override {}
  void setLocalScaling(const btVector3&) override {}
  const btVector3& getLocalScaling() const override { return scaling_; }
  void setMargin(btScalar) override {}
  btScalar getMargin() const override { return 0; }
  int getNumPreferredPenetrationDirections() const override { return 0; }
  void getPreferredPenetrationDirection(int, btVector3&) const override {}
  void calculateLocalInertia(btScalar, btVector3&) const override {}
  const char* getName() const override { return "support"; }

 private:
  const narrow::PlacedShape& shape_;
  bool coreOnly_;
  Vec3 offset_;
  Vec3 shift_ = Vec3::Zero();
  btVector3 scaling_{1, 1, 1};
};

struct Distance {
  bool isSeparated = false;
  Real distance = 0;
  Vec3 normal, onA, onB;
};

Distance distance(const SupportShape& a, const SupportShape& b, const Vec3& guess) {
  const btTransform identity = btTransform::getIdentity();
  btGjkEpaSolver2::sResults results;
  Distance found;
  found.isSeparated =
      btGjkEpaSolver2::Distance(&a, identity, &b, identity, toBullet(guess), results);
  if (!found.isSeparated) return found;
  found.onA = fromBullet(results.witnesses[0]);
  found.onB = fromBullet(results.witnesses[1]);
  const Vec3 d = found.onB - found.onA;
  found.distance = d.norm();
  if (found.distance > 0) found.normal = d / found.distance;
  found.isSeparated = found.distance > 0;
  return found;
}

/// Gap along a unit normal; negative overlap. Exact, by the support functions.
Real separation(const SupportShape& a, const SupportShape& b, const Vec3& normal) {
  return normal.dot(b.farthest(-normal) - a.farthest(normal));
}

/// Overlapping shapes: a first direction from EPA, then refined.
ClosestPoints deepest(const narrow::PlacedShape& a, const narrow::PlacedShape& b,
                      const Vec3& guess) {
  const SupportShape wholeA(a, false, a.position);
  SupportShape wholeB(b, false, a.position);
  const btTransform identity = btTransform::getIdentity();
  btGjkEpaSolver2::sResults results;
  Vec3 normal = guess.normalized();
  if (btGjkEpaSolver2::Penetration(&wholeA, identity, &wholeB, identity, toBullet(guess), results,
                                   false)) {
    const Vec3 d = fromBullet(results.witnesses[0]) - fromBullet(results.witnesses[1]);
    if (d.norm() > 1e-12) normal = d.normalized();
  }
  ClosestPoints best;
  best.isFound = true;
  best.normal = normal;
  best.gap = separation(wholeA, wholeB, normal);
  const Real clearance = 1e-3 * narrow::thickness(a, b);
  constexpr int kRounds = 4;
  for (int round = 0; round < kRounds; ++round) {
    const Vec3 shift = (clearance - best.gap) * best.normal;
    wholeB.setShift(shift);
    const Distance apart = distance(wholeA, wholeB, -shift);
    if (!apart.isSeparated) break;
    const Real gap = separation(wholeA, wholeB, apart.normal);
    best.onA = a.position + apart.onA;
    best.onB = a.position + apart.onB - shift;
    if (gap <= best.gap) break;
    best.gap = gap;
    best.normal = apart.normal;
  }
  return best;
}

}  // namespace

ClosestPoints closestPoints(const narrow::PlacedShape& a, const narrow::PlacedShape& b,
                            Real maximumGap) {
  DRYSTONE_ASSERT(a.kind != narrow::ShapeKind::kPlane && b.kind != narrow::ShapeKind::kPlane);
  const Real radiusA = narrow::coreRadius(a), radiusB = narrow::coreRadius(b);
  const SupportShape coreA(a, true, a.position), coreB(b, true, a.position);
  Vec3 guess = b.position - a.position;
  if (guess.squaredNorm() < 1e-24) guess = Vec3::UnitZ();
  const Distance apart = distance(coreA, coreB, -guess);
  const Real clear = 1e-9 * narrow::thickness(a, b);
  if (!apart.isSeparated || apart.distance < clear) return deepest(a, b, guess);
  ClosestPoints found;
  found.gap = apart.distance - radiusA - radiusB;
  found.isFound = found.gap <= maximumGap;
  found.normal = apart.normal;
  found.onA = a.position + apart.onA + radiusA * apart.normal;
  found.onB = a.position + apart.onB - radiusB * apart.normal;
  return found;
}

}  // namespace drystone::bullet
