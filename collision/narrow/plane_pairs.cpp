#include "collision/narrow/pairs.h"

#include "collision/narrow/rim.h"

namespace drystone::narrow {
namespace {

/// A point of B's surface (or of its core, `radius` inside the surface).
void addPoint(const PlacedShape& plane, const Vec3& point, Real radius, Real margin, int id,
              Manifold& out) {
  const Real gap = out.normal.dot(point - plane.position) - radius;
  if (gap > margin) return;
  out.add(point - (radius + 0.5 * gap) * out.normal, gap, featureKey(FeatureKind::kVertexB, 0, id));
}

void addRim(const PlacedShape& plane, const PlacedShape& shape, const Rim& rim, Real margin,
            Manifold& out) {
  RimSamples samples;
  sampleRim(shape, rim, -out.normal, samples);
  for (int i = 0; i < samples.count; ++i) {
    addPoint(plane, samples.point[i], 0, margin, samples.id[i], out);
  }
}

}  // namespace

void collidePlane(const PlacedShape& a, const PlacedShape& b, Real margin, Manifold& out) {
  out.clear();
  out.normal = a.axis(2);
  switch (b.kind) {
    case ShapeKind::kSphere:
      addPoint(a, b.position, b.size.x(), margin, 0, out);
      break;
    case ShapeKind::kCapsule:
      for (int end = 0; end < 2; ++end) {
        const Vec3 center = b.position + (end == 0 ? -b.size.y() : b.size.y()) * b.axis(2);
        addPoint(a, center, b.size.x(), margin, end, out);
      }
      break;
    case ShapeKind::kCylinder:
      addRim(a, b, cylinderRim(b, 0), margin, out);
      addRim(a, b, cylinderRim(b, 1), margin, out);
      break;
    case ShapeKind::kCone:
      addRim(a, b, coneRim(b), margin, out);
      addPoint(a, b.position + 0.5 * b.size.y() * b.axis(2), 0, margin, kApexId, out);
      break;
    case ShapeKind::kBox:
    case ShapeKind::kPolytope:
      for (std::size_t i = 0; i < b.polytope->vertices.size(); ++i) {
        addPoint(a, b.position + b.rotation * b.polytope->vertices[i], 0, margin,
                 static_cast<int>(i), out);
      }
      break;
    case ShapeKind::kPlane:
      break;
  }
}

}  // namespace drystone::narrow
