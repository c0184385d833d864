#pragma once

#include "viewer/draw/draw_list.h"

namespace drystone::viewer {

/// Fills a draw list anew with what lies at places of the world [m]. What the list held before
/// gives its memory: a list that gets the same batches as the time before allocates nothing.
class ListWriter {
 public:
  ListWriter(DrawList& list, const Vec3& origin);

  /// The place in the coordinates of the list.
  Vec3f local(const Vec3& place) const { return (place - list_->origin).cast<float>(); }

  /// Begins the next batch, empty, and returns its number.
  std::size_t addBatch(const std::shared_ptr<const TriangleMeshf>& mesh, bool castsShadow,
                       bool overlay, float leastPixels = 0);
  std::vector<Instance>& instances(std::size_t batch) { return list_->batches[batch].instances; }
  /// A copy of the batch's mesh at `at`, turned and stretched by `linear`.
  void add(std::size_t batch, const Eigen::Matrix3f& linear, const Vec3& at, const Color& color) {
    instances(batch).push_back(instanceOf(linear, local(at), color));
  }
  void addLine(const Vec3& from, const Vec3& to, const Color& color, bool overlay) {
    list_->lines.push_back({local(from), local(to), color, overlay});
  }
  /// The twelve edges of a box with axes `linear` (columns, half lengths) around `center`.
  void addBox(const Mat3& linear, const Vec3& center, const Color& color, bool overlay);
  void addLabel(const Vec3& at, const std::string& text, const Color& color) {
    list_->labels.push_back({local(at), text, color});
  }
  /// Drops what is left of the list's former batches.
  void finish() { list_->batches.resize(used_); }

 private:
  static Instance instanceOf(const Eigen::Matrix3f& linear, const Vec3f& at, const Color& color) {
    return {{linear(0, 0), linear(0, 1), linear(0, 2), at.x(), linear(1, 0), linear(1, 1),
             linear(1, 2), at.y(), linear(2, 0), linear(2, 1), linear(2, 2), at.z()},
            {color.red, color.green, color.blue, color.alpha}};
  }

  DrawList* list_;
  std::size_t used_ = 0;
};

/// Columns: two unit vectors across, and the unit direction as z.
Eigen::Matrix3f axesAlong(const Vec3f& direction);

}  // namespace drystone::viewer
