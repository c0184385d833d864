#pragma once

#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/support/worlds.h"
#include "viewer/draw/draw_scene.h"
#include "viewer/draw/scene_view.h"
#include "viewer/draw/view_frame.h"

/// Frames of small worlds and of scenes, their draw lists, and what is asked of these.
namespace drystone::viewer {

inline World makeWorld() { return World(test::settingsFor("nsgs"), test::registry()); }

inline ViewFrame frameOf(const Scene& scene, const World& world) {
  ViewFrame frame;
  frame.scene = std::make_shared<const SceneView>(sceneViewOf(scene, world));
  world.observe().snapshot(frame.snapshot);
  return frame;
}

/// The world's bodies, without a scene file.
inline ViewFrame frameOf(const World& world) { return frameOf(Scene{}, world); }

/// The start of a scene of the library.
inline ViewFrame frameOf(const std::string& libraryScene) {
  const Scene scene = readScene(libraryScene);
  return frameOf(scene, buildWorld(scene, test::registry()));
}

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
