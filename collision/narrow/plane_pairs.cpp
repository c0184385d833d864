#include "collision/narrow/pairs.h"
#include "collision/shape/shape_operations.h"

namespace drystone::narrow {
namespace {

/// Makes contact points of the points of B's core, `radius` inside its surface.
class PlaneContact final : public PointReceiver {
 public:
  PlaneContact(const PlacedShape& plane, Real radius, Real margin, Manifold& out)
      : plane_(plane), radius_(radius), margin_(margin), out_(out) {}

  void add(const Vec3& point, int id) override {
    const Real gap = out_.normal.dot(point - plane_.position) - radius_;
    if (gap > margin_) return;
    out_.add(point - (radius_ + 0.5 * gap) * out_.normal, gap,
             featureKey(FeatureKind::kVertexB, 0, id));
  }

 private:
  const PlacedShape& plane_;
  Real radius_, margin_;
  Manifold& out_;
};

}  // namespace

void collidePlane(const PlacedShape& a, const PlacedShape& b, Real margin, Manifold& out) {
  out.clear();
  out.normal = a.axis(2);
  PlaneContact contact(a, b.coreRadius, margin, out);
  if (const auto points = operationsOf(b.kind).planePoints) points(b, -out.normal, contact);
}

}  // namespace drystone::narrow
