#include "viewer/draw/list_writer.h"

#include <Eigen/Geometry>

namespace drystone::viewer {

ListWriter::ListWriter(DrawList& list, const Vec3& origin) : list_(&list) {
  list.origin = origin;
  list.lines.clear();
  list.labels.clear();
}

std::size_t ListWriter::addBatch(const std::shared_ptr<const TriangleMeshf>& mesh, bool castsShadow,
                                 bool overlay, float leastPixels) {
  if (used_ == list_->batches.size()) list_->batches.emplace_back();
  Batch& batch = list_->batches[used_];
  batch.mesh = mesh;
  batch.castsShadow = castsShadow;
  batch.overlay = overlay;
  batch.leastPixels = leastPixels;
  batch.instances.clear();
  return used_++;
}

void ListWriter::addBox(const Mat3& linear, const Vec3& center, const Color& color, bool overlay) {
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3 along = linear.col(axis);
    for (int corner = 0; corner < 4; ++corner) {
      const Vec3 at = center + (corner & 1 ? 1 : -1) * linear.col((axis + 1) % 3) +
                      (corner & 2 ? 1 : -1) * linear.col((axis + 2) % 3);
      addLine(at - along, at + along, color, overlay);
    }
  }
}

Eigen::Matrix3f axesAlong(const Vec3f& direction) {
  Eigen::Matrix3f axes;
  axes.col(2) = direction;
  axes.col(0) = direction.unitOrthogonal();
  axes.col(1) = direction.cross(axes.col(0));
  return axes;
}

}  // namespace drystone::viewer
