#include "viewer/window/kept_list.h"

#include <gtest/gtest.h>

namespace drystone::viewer {
namespace {

/// A ball of 1 m over nothing.
ViewFrame ballFrame() {
  ViewFrame frame;
  SceneView scene;
  scene.bodies.push_back({.id = {0, 1}, .name = "ball", .shape = Sphere{1}, .mass = 1});
  frame.scene = std::make_shared<const SceneView>(scene);
  frame.snapshot.bodies.resize(1);
  frame.snapshot.bodies[0].id = {0, 1};
  return frame;
}

TEST(KeptList, SameFrameAndOptions_IsNotBuiltAnew) {
  KeptList kept;
  const ViewFrame frame = ballFrame();
  const std::uint64_t version = kept.of(frame, 7, {}, std::nullopt).version;
  EXPECT_NE(version, 0U);
  EXPECT_EQ(kept.of(frame, 7, {}, std::nullopt).version, version);
}

TEST(KeptList, AnotherFrameOrOption_IsBuiltAnew) {
  KeptList kept;
  ViewFrame frame = ballFrame();
  const std::uint64_t first = kept.of(frame, 7, {}, std::nullopt).version;
  frame.snapshot.bodies[0].pose.position.x() = 3;
  const DrawList& moved = kept.of(frame, 8, {}, std::nullopt);
  EXPECT_NE(moved.version, first);
  bool found = false;
  for (const Batch& batch : moved.batches) {
    for (const Instance& copy : batch.instances) found = found || copy.transform[3] == 3;
  }
  EXPECT_TRUE(found);
  const std::uint64_t second = moved.version;
  DrawOptions options;
  options.wireframe = true;
  const DrawList& wire = kept.of(frame, 8, options, std::nullopt);
  EXPECT_NE(wire.version, second);
  EXPECT_TRUE(wire.wireframe);
}

TEST(KeptList, LineOfOnePicture_IsGoneInTheNext) {
  KeptList kept;
  const ViewFrame frame = ballFrame();
  DrawOptions options;
  options.bounds = true;  // lines of the frame's own
  const std::size_t own = kept.of(frame, 1, options, std::nullopt).lines.size();
  const Line line = {{0, 0, 0}, {1, 0, 0}, {1, 0, 0, 1}, true};
  EXPECT_EQ(kept.of(frame, 1, options, line).lines.size(), own + 1);
  EXPECT_EQ(kept.of(frame, 1, options, line).lines.size(), own + 1);
  EXPECT_EQ(kept.of(frame, 1, options, std::nullopt).lines.size(), own);
}

}  // namespace
}  // namespace drystone::viewer
