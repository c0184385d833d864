#include <algorithm>
#include <cmath>

#include "collision/narrow/separating_axis.h"

namespace drystone::narrow {
namespace {

/// The id of the box edge along `axis` that is farthest along `direction` (box axes).
int supportEdge(int axis, const Vec3& direction) {
  const int axis1 = (axis + 1) % 3, axis2 = (axis + 2) % 3;
  return 4 * axis + (direction[axis1] > 0 ? 1 : 0) + (direction[axis2] > 0 ? 2 : 0);
}

}  // namespace

void searchBoxAxes(const PlacedShape& a, const PlacedShape& b, Real margin, AxisSearch& out) {
  const Mat3 r = a.rotation.transpose() * b.rotation;
  const Mat3 absR = r.cwiseAbs();
  const Vec3 d = b.position - a.position;
  const Vec3 dA = a.rotation.transpose() * d, dB = b.rotation.transpose() * d;
  const Vec3 &hA = a.size, &hB = b.size;

  const Vec3 faceA = dA.cwiseAbs() - hA - absR * hB;
  const Vec3 faceB = dB.cwiseAbs() - hB - absR.transpose() * hA;
  int iA = 0, iB = 0;
  out.faceA.separation = faceA.maxCoeff(&iA);
  out.faceA.kind = PairCache::kFaceA;
  out.faceA.idA = 2 * iA + (dA[iA] >= 0 ? 1 : 0);
  out.faceB.separation = faceB.maxCoeff(&iB);
  out.faceB.kind = PairCache::kFaceB;
  out.faceB.idB = 2 * iB + (dB[iB] <= 0 ? 1 : 0);
  if (out.faceA.separation > margin || out.faceB.separation > margin) {
    out.separated = true;
    out.separatedBy = out.faceA.separation > margin ? PairCache::kFaceA : PairCache::kFaceB;
    return;
  }
  out.faceA.normal = dA[iA] >= 0 ? a.axis(iA) : Vec3(-a.axis(iA));
  out.faceB.normal = dB[iB] >= 0 ? b.axis(iB) : Vec3(-b.axis(iB));

  out.edges.kind = PairCache::kEdges;
  // A sine is at most 1, so a negative separation is at most what stands above it.
  const Real least = std::min(out.leastOfEdges(a, b), Real(0));
  int bestI = -1, bestJ = -1;
  Real bestSide = 0;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const Real sine2 = 1 - r(i, j) * r(i, j);
      if (sine2 < kParallelSine2) continue;
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const Real along = dA[i2] * r(i1, j) - dA[i1] * r(i2, j);
      const Real reach =
          hA[i1] * absR(i2, j) + hA[i2] * absR(i1, j) + hB[j1] * absR(i, j2) + hB[j2] * absR(i, j1);
      const Real above = std::abs(along) - reach;
      if (above <= least || (above < 0 && above <= out.edges.separation)) continue;
      const Real separation = above / std::sqrt(sine2);
      if (separation <= out.edges.separation) continue;
      out.edges.separation = separation;
      bestI = i;
      bestJ = j;
      bestSide = along;
    }
  }
  if (bestI < 0) return;
  const Vec3 axis = a.axis(bestI).cross(b.axis(bestJ)).normalized();
  out.edges.normal = bestSide >= 0 ? axis : Vec3(-axis);
  out.edges.idA = supportEdge(bestI, a.rotation.transpose() * out.edges.normal);
  out.edges.idB = supportEdge(bestJ, -(b.rotation.transpose() * out.edges.normal));
  if (out.edges.separation > margin) {
    out.separated = true;
    out.separatedBy = PairCache::kEdges;
  }
}

}  // namespace drystone::narrow
