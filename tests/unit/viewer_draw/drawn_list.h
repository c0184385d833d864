#pragma once

#include "tests/unit/viewer_draw/scene_frames.h"
#include "viewer/draw/draw_scene.h"

/// Draw lists of small worlds, and what is asked of them.
namespace drystone::viewer {

inline DrawList draw(const ViewFrame& frame, const DrawOptions& options = {}) {
  SceneDrawer drawer;
  DrawList list;
  drawer.draw(frame, options, list);
  return list;
}

inline std::size_t instances(const DrawList& list) {
  std::size_t count = 0;
  for (const Batch& batch : list.batches) count += batch.instances.size();
  return count;
}

/// Only what the options say.
inline DrawOptions only() { return {.shapes = false, .ground = false, .rods = false}; }

inline bool isColor(const Instance& instance, const Color& color) {
  return instance.color[0] == color.red && instance.color[1] == color.green &&
         instance.color[2] == color.blue;
}

}  // namespace drystone::viewer
