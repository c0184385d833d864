#pragma once

#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/support/worlds.h"
#include "viewer/draw/scene_view.h"
#include "viewer/draw/view_frame.h"

namespace drystone::viewer {

inline World makeWorld() { return World(test::settingsFor("nsgs"), test::registry()); }

inline ViewFrame frameOf(const Scene& scene, const World& world) {
  ViewFrame frame;
  frame.scene = std::make_shared<const SceneView>(sceneViewOf(scene, world));
  world.snapshot(frame.snapshot);
  return frame;
}

/// The world's bodies, without a scene file.
inline ViewFrame frameOf(const World& world) { return frameOf(Scene{}, world); }

/// The start of a scene of the library.
inline ViewFrame frameOf(const std::string& libraryScene) {
  const Scene scene = readScene(libraryScene);
  return frameOf(scene, buildWorld(scene, test::registry()));
}

}  // namespace drystone::viewer
