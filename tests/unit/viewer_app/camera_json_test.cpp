#include "viewer/app/camera_json.h"

#include <gtest/gtest.h>

#include "scenes/scene_reader.h"

namespace drystone::viewer {
namespace {

TEST(CameraJson, PastedIntoASceneFile_IsReadBack) {
  SceneCamera camera;
  camera.position = {1.5, -2.25, 1e-3};
  camera.target = {-40, 0, 3};
  camera.fieldOfViewDeg = 30;
  const Scene scene = readSceneText(
      R"({"version": 1, "bodies": [{"name": "b", "shape": {"type": "sphere", "radius": 1}}], )" +
          cameraJson(camera) + "}",
      "test");
  EXPECT_EQ(scene.camera.position, camera.position);
  EXPECT_EQ(scene.camera.target, camera.target);
  EXPECT_EQ(scene.camera.up, camera.up);
  EXPECT_NEAR(scene.camera.fieldOfViewDeg, 30, 1e-12);
}

}  // namespace
}  // namespace drystone::viewer
