#pragma once

namespace drystone::viewer {

/// A multisampled framebuffer whose picture is shown in a part of the window: the scene beside the
/// panels. With a current context only.
class SceneTarget {
 public:
  SceneTarget() = default;
  ~SceneTarget();
  SceneTarget(const SceneTarget&) = delete;
  SceneTarget& operator=(const SceneTarget&) = delete;

  /// Makes it the bound framebuffer, of that size [pixels]; `samples` 1: not multisampled.
  void begin(int width, int height, int samples);
  /// Clears the window of that size [pixels], copies the picture into it with the lower left corner
  /// at (x, y) from its lower left one, and leaves the window's framebuffer bound.
  void show(int x, int y, int windowWidth, int windowHeight);

 private:
  void release();

  int width_ = 0, height_ = 0, samples_ = 0;
  unsigned framebuffer_ = 0, color_ = 0, depth_ = 0;
  unsigned resolved_ = 0, resolvedColor_ = 0;
};

}  // namespace drystone::viewer
