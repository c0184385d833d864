#include "viewer/render/instance_ball.h"

#include <algorithm>
#include <cmath>

namespace drystone::viewer {

Ball ballOf(const Instance& copy, const GpuMeshLevels& mesh) {
  const float* t = copy.transform;
  const Vec3f& c = mesh.center;
  const Vec3f center(t[0] * c.x() + t[1] * c.y() + t[2] * c.z() + t[3],
                     t[4] * c.x() + t[5] * c.y() + t[6] * c.z() + t[7],
                     t[8] * c.x() + t[9] * c.y() + t[10] * c.z() + t[11]);
  float scale = 0;  // squared, of the longest column
  for (int column = 0; column < 3; ++column) {
    scale = std::max(scale, t[column] * t[column] + t[4 + column] * t[4 + column] +
                                t[8 + column] * t[8 + column]);
  }
  return {center, mesh.radius * std::sqrt(scale)};
}

}  // namespace drystone::viewer
