#include "scenes/recorded_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "core/hash.h"
#include "core/input_error.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "solvers/default_registry.h"

namespace drystone {
namespace {

using ::testing::HasSubstr;

std::uint64_t hashOf(const Shape& shape) {
  Hasher hasher;
  addShape(hasher, shape);
  return hasher.value();
}

/// One of each kind, with data where the kind holds some.
std::vector<Shape> someShapes() {
  std::vector<Shape> shapes = shapeKinds();
  const std::vector<Vec3> corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1.0 / 3}};
  for (Shape& shape : shapes) {
    if (auto* hull = std::get_if<ConvexHull>(&shape)) *hull = makeHull(corners);
    if (auto* mesh = std::get_if<TriangleMesh>(&shape)) {
      mesh->data = std::make_shared<MeshData>(MeshData{corners, {{0, 1, 2}, {0, 2, 3}}});
    }
    if (auto* field = std::get_if<Heightfield>(&shape)) {
      field->data = std::make_shared<HeightfieldData>(
          HeightfieldData{3, 2, 0.5, 1.1, {0, 0.1, 0.2, 0.3, 0.4, 0.5}});
    }
    if (auto* compound = std::get_if<Compound>(&shape)) {
      const Quat turn(Eigen::AngleAxisd(0.3, Vec3::UnitY()));
      compound->children = {{Sphere{0.2}, {{1, 0, 0}}}, {Cone{0.3, 0.7}, {{0, 1, 0}, turn}}};
    }
  }
  return shapes;
}

TEST(RecordedWorld, EveryShape_ComesBackAtItsPlace) {
  World world({}, makeDefaultRegistry());
  const std::vector<Shape> shapes = someShapes();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const Quat turn(Eigen::AngleAxisd(0.1 * static_cast<double>(i), Vec3(1, 2, 3).normalized()));
    world.addBody({.name = "same",
                   .kind = BodyKind::kStatic,
                   .shape = shapes[i],
                   .pose = {{1.0 / 3, 5.0 * static_cast<double>(i), 0}, turn}});
  }
  const Scene scene = readRecordedScene(recordingInfoOf(world));
  ASSERT_EQ(scene.bodies.size(), shapes.size());
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const BodyDefinition& body = scene.bodies[i];
    const Pose pose = world.body(world.bodies()[i]).pose();
    ASSERT_TRUE(body.shape) << i;
    EXPECT_EQ(hashOf(*body.shape), hashOf(shapes[i])) << shapeName(shapes[i]);
    EXPECT_EQ(body.pose.position, pose.position) << i;
    // A scene's quaternions are made unit again.
    EXPECT_LT(body.pose.rotation.angularDistance(pose.rotation), 1e-15) << i;
  }
}

TEST(RecordedWorld, KindsAndMasses_AreThoseOfTheWorld) {
  World world({.timestep = 0.004}, makeDefaultRegistry());
  MassProperties mass = massProperties(Box{}, 700);
  mass.centerOfMass = {0.1, 0, 0};
  world.addBody({.kind = BodyKind::kKinematic, .shape = Box{}});
  world.addBody({.name = "brick", .mass = mass});
  world.addBody({.shape = Sphere{}, .density = 30});
  world.addBody({.kind = BodyKind::kStatic, .shape = Sphere{}, .isSensor = true});
  const Scene scene = readRecordedScene(recordingInfoOf(world));
  EXPECT_EQ(scene.settings.timestep, 0.004);
  const World drawn = buildWorld(scene, makeDefaultRegistry());
  for (const BodyId id : world.bodies()) {
    const ConstBodyHandle body = drawn.body(id);
    EXPECT_EQ(body.kind(), world.body(id).kind());
    EXPECT_EQ(body.isSensor(), world.body(id).isSensor());
    EXPECT_EQ(body.mass(), world.body(id).mass());
    EXPECT_EQ(body.centerOfMass(), world.body(id).centerOfMass());
    EXPECT_EQ(body.shape() == nullptr, world.body(id).shape() == nullptr);
  }
  EXPECT_EQ(drawn.body(drawn.findBody("brick")).mass(), mass.mass);
}

TEST(RecordedWorld, BodiesThatWereRemoved_LeaveNoScene) {
  World world({}, makeDefaultRegistry());
  const BodyId first = world.addBody({.shape = Box{}});
  world.addBody({.shape = Box{}});
  world.removeBody(first);
  const RecordingInfo info = recordingInfoOf(world);
  EXPECT_TRUE(isWorldOfProgram(info));
  try {
    readRecordedScene(info);
    ADD_FAILURE() << "a scene of other bodies was read";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("holds no scene"));
  }
}

}  // namespace
}  // namespace drystone
