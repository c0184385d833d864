#include "scenes/scene_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "collision/shape/shape.h"
#include "tests/unit/scenes/scene_testing.h"

namespace drystone {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

TEST(SceneReader, EmptyScene_HasTheEnginesDefaults) {
  const Scene scene = readSceneText("{\"version\": 1}", "s.json");
  EXPECT_EQ(scene.settings.timestep, 1.0 / 60);
  EXPECT_EQ(scene.settings.gravity, Vec3(0, 0, -9.81));
  EXPECT_EQ(scene.settings.solver.name, "auto");
  EXPECT_TRUE(scene.bodies.empty());
  EXPECT_EQ(scene.stepCount(), 600);  // 10 s in steps of 1/60 s
}

TEST(SceneReader, WorldAndSolver_AreReadAsWritten) {
  const Scene scene =
      readSections(R"("world": {"gravity": [0, 0, -1.62], "timestep": 0.001, "duration": 2,
      "integrator": "moreau", "gyroscopic": "off", "contact_set": "closed", "friction": "pyramid",
      "contact_margin": 0.002, "reduce_manifolds": false, "restitution_threshold": 0.3, "warm_start": false,
      "threads": 2, "stabilization": {"stiffness": 1e6, "damping": 1e3, "max_push_speed": 3, "slop": 0.001}},
    "solver": {"name": "nsgs", "tolerance": 1e-4, "fallback": "bpp-auto",
               "max_iterations": 50, "time_limit_s": 0.5, "settings": {"omega": 0.5, "order": "random", "fast": true}},
    "output": {"every": 10}, "camera": {"position": [1, 2, 3], "field_of_view_deg": 30})");
  EXPECT_EQ(scene.settings.integrator, Integrator::kMoreau);
  EXPECT_EQ(scene.settings.gyroscopic, GyroscopicTerm::kOff);
  EXPECT_EQ(scene.settings.contactSet, ContactSet::kClosed);
  EXPECT_EQ(scene.settings.detection, Detection::kSubstep);
  EXPECT_EQ(scene.settings.friction, FrictionModel::kPyramid);
  EXPECT_FALSE(scene.settings.reduceManifolds);
  EXPECT_FALSE(scene.settings.warmStart);
  EXPECT_EQ(scene.settings.threads, 2);
  EXPECT_TRUE(scene.settings.stabilization.fromSpring());
  EXPECT_EQ(scene.settings.stabilization.damping, 1e3);
  EXPECT_EQ(scene.stepCount(), 2000);
  const SolverChoice& solver = scene.settings.solver;
  EXPECT_EQ(solver.name, "nsgs");
  EXPECT_EQ(solver.policy, FailurePolicy::kFallback);  // a fallback is named to be used
  EXPECT_EQ(solver.budget.tolerance, 1e-4);
  EXPECT_EQ(solver.budget.iterations, 50);
  EXPECT_EQ(solver.budget.seconds, 0.5);
  ASSERT_EQ(solver.settings.size(), 3u);  // by name
  EXPECT_EQ(solver.settings[0].value, SettingValue(true));
  EXPECT_EQ(solver.settings[1].value, SettingValue(0.5));
  EXPECT_EQ(solver.settings[2].value, SettingValue(std::string("random")));
  EXPECT_EQ(scene.output.every, 10);
  EXPECT_TRUE(scene.hasCamera);
  EXPECT_EQ(scene.camera.position, Vec3(1, 2, 3));
}

TEST(SceneReader, DetectionOnceAStep_NeedsTheSpeculativeSet) {
  const Scene scene = readSections(R"("world": {"substeps": 4, "detection": "step"})");
  EXPECT_EQ(scene.settings.detection, Detection::kStep);
  try {
    readSections(R"("world": {"substeps": 4, "detection": "step", "contact_set": "closed"})");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("needs the contact set \"speculative\""));
  }
}

TEST(SceneReader, MassAlone_ScalesTheShapesInertia) {
  const Scene scene = readSections(
      R"("bodies": [{"shape": {"type": "box", "half_extents": [1, 2, 3]}, "mass": 6}])");
  // m/3 (b² + c²) = 2 (4 + 9) = 26, 2 (1 + 9) = 20, 2 (1 + 4) = 10; round-off of the scaling
  // allowed.
  const MassProperties& mass = scene.bodies[0].mass.value();
  EXPECT_EQ(mass.mass, 6);
  EXPECT_TRUE(mass.inertia.isApprox(Mat3(Vec3(26, 20, 10).asDiagonal()), 1e-14));
}

TEST(SceneReader, GivenInertiaAndCenter_ReplaceTheShapes) {
  const Scene scene = readSections(
      R"("bodies": [{"mass": 2, "inertia": [3, 4, 5, 0.1, 0.2, 0.3], "center_of_mass": [0, 0, 1]}])");
  const MassProperties& mass = scene.bodies[0].mass.value();
  Mat3 expected;
  expected << 3, 0.1, 0.2, 0.1, 4, 0.3, 0.2, 0.3, 5;
  EXPECT_EQ(mass.inertia, expected);
  EXPECT_EQ(mass.centerOfMass, Vec3(0, 0, 1));
}

TEST(SceneReader, Density_IsLeftToTheEngine) {
  const Scene scene =
      readSections(R"("bodies": [{"shape": {"type": "sphere", "radius": 1}, "density": 250}])");
  EXPECT_FALSE(scene.bodies[0].mass.has_value());
  EXPECT_EQ(scene.bodies[0].density, 250);
}

Quat orientationOf(const std::string& json) {
  return readSections("\"bodies\": [{\"kind\": \"static\", \"orientation\": " + json + "}]")
      .bodies[0]
      .pose.rotation;
}

TEST(SceneReader, EulerAngles_TurnAboutTheBodysOwnXThenYThenZ) {
  // R = Rx(90°) Ry(0) Rz(90°): e_x goes to e_y by Rz, and on to e_z by Rx. Round-off allowed.
  const Quat q = orientationOf(R"({"euler_deg": [90, 0, 90]})");
  EXPECT_LT((q * Vec3::UnitX() - Vec3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((q * Vec3::UnitY() + Vec3::UnitX()).norm(), 1e-15);
}

TEST(SceneReader, AxisAndAngle_InDegreesOrRadians) {
  const Quat degrees = orientationOf(R"({"axis": [0, 0, 2], "angle_deg": 90})");
  EXPECT_LT((degrees * Vec3::UnitX() - Vec3::UnitY()).norm(), 1e-15);
  const Quat radians = orientationOf(R"({"axis": [0, 0, 1], "angle": 1.5707963267948966})");
  EXPECT_LT((radians.coeffs() - degrees.coeffs()).norm(), 1e-15);
}

TEST(SceneReader, RoundedQuaternion_IsNormalised) {
  // cos 45° and sin 45° to four digits: 1e-5 off a unit length, within the 1e-3 allowed.
  const Quat q = orientationOf("[0.7071, 0, 0, 0.7071]");
  EXPECT_NEAR(q.norm(), 1, 1e-15);
  EXPECT_NEAR(q.w(), std::sqrt(0.5), 1e-15);
}

TEST(SceneReader, MaterialNamedDefault_IsThatOfBodiesWithoutOne) {
  const Scene scene =
      readSections(R"("materials": {"default": {"friction": 0.8}, "a_wood": {"friction": 0.3}},
    "bodies": [{"kind": "static"}, {"kind": "static", "material": "a_wood"}])");
  // Material 0 is the engine's own; the scene's follow, by name.
  ASSERT_EQ(scene.materials.size(), 2u);
  EXPECT_EQ(scene.materials[0].name, "a_wood");
  EXPECT_EQ(scene.bodies[0].material, 2);
  EXPECT_EQ(scene.bodies[1].material, 1);
}

TEST(SceneReader, PairOfMaterials_ChangesOnlyWhatItSays) {
  const Scene scene = readSections(
      R"("materials": {"a": {"friction": 0.4, "restitution": 0.2}, "b": {"friction": 0.9}},
    "pairs": [{"a": "a", "b": "b", "friction": 0.1, "adhesion": 12}])");
  ASSERT_EQ(scene.pairs.size(), 1u);
  EXPECT_EQ(scene.pairs[0].material.friction, 0.1);
  EXPECT_EQ(scene.pairs[0].material.adhesion, 12);
  EXPECT_EQ(scene.pairs[0].material.restitution, 0.2);  // the larger of the two
}

TEST(SceneReader, JointAtAWorldPoint_HasItInBothBodiesFrames) {
  const Scene scene = readSections(
      R"("bodies": [{"mass": 1, "inertia": [1, 1, 1], "name": "a", "position": [1, 0, 0]},
      {"kind": "static", "name": "b", "position": [0, 2, 0], "orientation": {"axis": [0, 0, 1], "angle_deg": 90}}],
    "joints": [{"type": "ball", "body_a": "a", "body_b": "b", "anchor": [1, 2, 3], "collide": true}])");
  ASSERT_EQ(scene.joints.size(), 1u);
  const JointDefinition& joint = scene.joints[0].definition;
  EXPECT_EQ(joint.frameA.position, Vec3(0, 2, 3));
  // (1, 2, 3) - (0, 2, 0) = (1, 0, 3), turned by -90° about z. Round-off allowed.
  EXPECT_LT((joint.frameB.position - Vec3(0, -1, 3)).norm(), 1e-15);
  EXPECT_TRUE(joint.collide);
}

TEST(SceneReader, SpringTablesAndForces_AreReadAsWritten) {
  const Scene scene = readSections(
      R"("bodies": [{"kind": "static", "name": "a"}, {"mass": 1, "inertia": [1, 1, 1], "name": "b",
        "forces": [{"time": 1, "force": [1, 2, 3]}, {"time": 2, "torque": [4, 5, 6]}]}],
    "joints": [{"type": "slider", "body_a": "a", "body_b": "b", "anchor": [0, 0, 0], "axis": [1, 0, 0], "spring":
      {"rest": 0.5, "force_table": [[-1, -7], [2, 8]], "damper_table": [[0, 0], [1, 9]]}}])");
  ASSERT_EQ(scene.bodies[1].forces.size(), 2u);
  EXPECT_EQ(scene.bodies[1].forces[0].force, Vec3(1, 2, 3));
  EXPECT_EQ(scene.bodies[1].forces[1].time, 2);
  EXPECT_EQ(scene.bodies[1].forces[1].torque, Vec3(4, 5, 6));
  ASSERT_TRUE(scene.joints[0].definition.axes[kAlongX].spring);
  const JointSpring& spring = *scene.joints[0].definition.axes[kAlongX].spring;
  EXPECT_EQ(spring.rest, 0.5);
  EXPECT_EQ(spring.forceTable.forceAt(2), 8);
  EXPECT_EQ(spring.damperTable.forceAt(1), 9);
}

TEST(SceneReader, CollideFalse_LeavesTheBodyToItself) {
  const Scene scene = readSections(
      R"("bodies": [{"kind": "static", "collide": false}, {"kind": "static", "group": 4, "mask": 3}])");
  EXPECT_EQ(scene.bodies[0].filter.mask, 0u);
  EXPECT_EQ(scene.bodies[1].filter.group, 4u);
  EXPECT_EQ(scene.bodies[1].filter.mask, 3u);
}

TEST(SceneReader, ShapesOfEveryKind_AreRead) {
  const std::string folder = testing::TempDir();
  std::ofstream(folder + "/tetrahedron.obj")
      << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  const Scene scene = readSceneText(sceneWith(R"("shapes": {
    "a": {"type": "sphere", "radius": 2}, "b": {"type": "box", "size": [1, 2, 3]},
    "c": {"type": "capsule", "radius": 1, "half_length": 2}, "d": {"type": "cylinder", "radius": 1, "half_length": 2},
    "e": {"type": "cone", "radius": 1, "height": 2}, "f": {"type": "plane"},
    "g": {"type": "hull", "points": [[0,0,0], [1,0,0], [0,1,0], [0,0,1]], "scale": [2, 1, 1]},
    "h": {"type": "mesh", "file": "tetrahedron.obj", "scale": [1, 1, 3]},
    "i": {"type": "heightfield", "columns": 3, "rows": 2, "spacing": [0.5, 1], "heights": [0, 1, 2, 3, 4, 5]},
    "j": {"type": "compound", "children": [{"shape": {"type": "sphere", "radius": 1}, "position": [1, 0, 0]},
                                           {"shape": {"type": "sphere", "radius": 2}}]},
    "k": {"type": "ellipsoid", "half_axes": [3, 2, 1]}})"),
                                    "s.json", {}, folder);
  ASSERT_EQ(scene.shapes.size(), 11u);
  EXPECT_EQ(std::get<Box>(scene.shapes[1].shape).halfExtents, Vec3(0.5, 1, 1.5));
  EXPECT_EQ(std::get<ConvexHull>(scene.shapes[6].shape).data->vertices.size(), 4u);
  EXPECT_EQ(std::get<TriangleMesh>(scene.shapes[7].shape).data->triangles.size(), 4u);
  EXPECT_EQ(std::get<TriangleMesh>(scene.shapes[7].shape).data->vertices[3], Vec3(0, 0, 3));
  EXPECT_EQ(std::get<Heightfield>(scene.shapes[8].shape).data->heights.size(), 6u);
  EXPECT_EQ(std::get<Compound>(scene.shapes[9].shape).children[0].pose.position, Vec3(1, 0, 0));
  EXPECT_EQ(std::get<Ellipsoid>(scene.shapes[10].shape).halfAxes, Vec3(3, 2, 1));
}

const char* const kParameterScene =
    R"("parameters": {"ratio": {"default": 10, "min": 1, "max": 1000}, "seed": {"default": 3, "integer": true}},
       "bodies": [{"name": "top", "shape": {"type": "sphere", "radius": 1}, "mass": "$ratio", "position": [0, 0, "$ratio"]}])";

TEST(SceneReader, Parameter_StandsForValuesAndParts) {
  const Scene scene = readSections(kParameterScene);
  EXPECT_EQ(scene.bodies[0].mass->mass, 10);
  EXPECT_EQ(scene.bodies[0].pose.position, Vec3(0, 0, 10));
}

TEST(SceneReader, ParameterOverride_IsUsedAndRemembered) {
  const Scene scene = readSections(kParameterScene, {{"scene.ratio", "250"}});
  EXPECT_EQ(scene.bodies[0].mass->mass, 250);
  EXPECT_EQ(scene.parameters[0].value, 250);
  EXPECT_EQ(scene.parameters[0].defaultValue, 10);
}

TEST(SceneReader, BadParameterOverrides_NameTheOption) {
  const auto problems = [](const std::string& path, const std::string& value) {
    return problemsOf(sceneWith(kParameterScene), {.overrides = {{path, value}}});
  };
  EXPECT_THAT(
      problems("scene.ratio", "1e6"),
      ElementsAre("s.json: --set scene.ratio=1e6 /parameters/ratio: must be ≤ 1000, got 1000000"));
  EXPECT_THAT(problems("scene.ratio", "nan"),
              ElementsAre("s.json: --set scene.ratio=nan /parameters/ratio: must be a number, got "
                          "the text \"nan\""));
  EXPECT_THAT(
      problems("scene.seed", "1.5"),
      ElementsAre(
          "s.json: --set scene.seed=1.5 /parameters/seed: must be a whole number, got 1.5"));
  EXPECT_THAT(
      problems("scene.rato", "5"),
      ElementsAre(
          "s.json: --set scene.rato=5 /parameters/rato: this scene has no parameter \"rato\"; did "
          "you mean \"ratio\"?"));
}

TEST(SceneReader, Overrides_ReplaceValuesByPath) {
  const Scene scene = readSections(kParameterScene, {{"world.timestep", "0.001"},
                                                     {"world.friction", "pyramid"},
                                                     {"solver.name", "nsgs"},
                                                     {"solver.tolerance", "1e-8"},
                                                     {"solver.settings.check_every", "80"},
                                                     {"world.gravity", "[0, 0, -1]"},
                                                     {"bodies.top.mass", "5"},
                                                     {"bodies.0.position", "[1, 2, 3]"}});
  EXPECT_EQ(scene.settings.timestep, 0.001);
  EXPECT_EQ(scene.settings.friction, FrictionModel::kPyramid);
  EXPECT_EQ(scene.settings.solver.name, "nsgs");
  EXPECT_EQ(scene.settings.solver.budget.tolerance, 1e-8);
  EXPECT_EQ(scene.settings.solver.settings[0].value, SettingValue(std::int64_t{80}));
  EXPECT_EQ(scene.settings.gravity, Vec3(0, 0, -1));
  EXPECT_EQ(scene.bodies[0].mass->mass, 5);
  EXPECT_EQ(scene.bodies[0].pose.position, Vec3(1, 2, 3));
}

TEST(SceneReader, LaterOverride_Wins) {
  EXPECT_EQ(readSections("\"name\": \"a\"", {{"world.timestep", "0.1"}, {"world.timestep", "0.2"}})
                .settings.timestep,
            0.2);
}

TEST(SceneReader, BadOverrides_NameTheOption) {
  const auto problems = [](const std::string& path, const std::string& value) {
    return problemsOf(sceneWith(kParameterScene), {.overrides = {{path, value}}});
  };
  EXPECT_THAT(
      problems("world.timestep", "0"),
      ElementsAre("s.json: --set world.timestep=0 /world/timestep: must be ≥ 1e-15 s, got 0"));
  EXPECT_THAT(
      problems("world.timstep", "1"),
      ElementsAre(
          "s.json: --set world.timstep=1 /world/timstep: unknown key of world; did you mean "
          "\"timestep\"?"));
  EXPECT_THAT(
      problems("bodies.lid.mass", "1"),
      ElementsAre("s.json: --set bodies.lid.mass=1 /bodies: there is no body \"lid\"; known names: "
                  "top"));
  EXPECT_THAT(
      problems("bodies.7.mass", "1"),
      ElementsAre(
          "s.json: --set bodies.7.mass=1 /bodies: there is no body \"7\"; known names: top"));
  EXPECT_THAT(
      problems("bodies.0.name.x", "1"),
      ElementsAre(
          "s.json: --set bodies.0.name.x=1 /bodies/0/name: is a plain value and has no \"x\""));
  EXPECT_THAT(problems("", "1"),
              ElementsAre(StartsWith("s.json: --set =1 /: the key must be a path")));
}

TEST(SceneReader, OverridesOfEntriesThatDoNotExist_AreRejected) {
  // A new material that nobody uses would be a scene without errors, and without the change.
  const auto problem = [](const std::string& sections, const std::string& path) {
    const auto all = problemsOf(sceneWith(sections), {.overrides = {{path, "0"}}});
    return all.size() == 1 ? all[0] : std::to_string(all.size()) + " problems";
  };
  const std::string scene = R"("materials": {"stone": {}}, "shapes": {"cube": {"type": "box",
      "size": [1, 1, 1]}}, "bodies": [{"kind": "static"}], "generators": [{"name": "tower",
      "type": "stack", "shape": "cube", "count": 1, "step": [0, 0, 1]}],
      "parameters": {"ratio": {"default": 1}})";
  EXPECT_EQ(
      problem(scene, "materials.stne.friction"),
      "s.json: --set materials.stne.friction=0 /materials: there is no material \"stne\"; did "
      "you mean \"stone\"?");
  EXPECT_EQ(
      problem(scene, "materials.stne"),
      "s.json: --set materials.stne=0 /materials: there is no material \"stne\"; did you mean "
      "\"stone\"?");
  EXPECT_EQ(problem(scene, "shapes.cub.radius"),
            "s.json: --set shapes.cub.radius=0 /shapes: there is no shape \"cub\"; did you mean "
            "\"cube\"?");
  EXPECT_EQ(problem(scene, "parameters.rato.default"),
            "s.json: --set parameters.rato.default=0 /parameters: there is no parameter \"rato\"; "
            "did you mean \"ratio\"?");
  EXPECT_EQ(problem(scene, "generators.twoer.count"),
            "s.json: --set generators.twoer.count=0 /generators: there is no generator \"twoer\"; "
            "did you mean \"tower\"?");
  EXPECT_EQ(problem(scene, "bodies.lid.mass"),
            "s.json: --set bodies.lid.mass=0 /bodies: the list of 1 has no element \"lid\"");
  EXPECT_EQ(problem(scene, "joints.0.compliance"),
            "s.json: --set joints.0.compliance=0 /joints: there is no joint \"0\": the scene has "
            "none");
}

TEST(SceneReader, OverridesMakeMissingObjectsOfTheFormat) {
  const Scene scene = readSections("\"name\": \"a\"", {{"world.stabilization.gamma", "0.5"},
                                                       {"solver.settings.check_every", "7"}});
  EXPECT_EQ(scene.settings.stabilization.gamma, 0.5);
  EXPECT_EQ(scene.settings.solver.settings[0].name, "check_every");
}

TEST(SceneReader, ErrorsThatAnOverrideCauses_NameTheOptionAlsoAboveItsValue) {
  const auto problems = [](const std::string& path, const std::string& value) {
    return problemsOf(sceneWith("\"solver\": {\"name\": \"bpp\"}"), {.overrides = {{path, value}}});
  };
  EXPECT_THAT(problems("foo.bar", "1"),
              ElementsAre(StartsWith("s.json: --set foo.bar=1 /foo: unknown key of scene")));
  EXPECT_THAT(
      problems("solver.policy", "fallback"),
      ElementsAre(StartsWith("s.json: --set solver.policy=fallback /solver/policy: the policy")));
}

TEST(SceneReader, InertiaOfAFlatBody_IsAccepted) {
  // A thin plate has Izz = Ixx + Iyy exactly; in doubles 0.1 + 0.2 is not 0.3.
  EXPECT_THAT(problemsOf(sceneWith(R"("bodies": [{"mass": 1, "inertia": [0.1, 0.2, 0.3]},
                                                 {"mass": 1, "inertia": [0.7, 0.1, 0.8]}])")),
              testing::IsEmpty());
}

TEST(SceneReader, FileOnDisk_FindsItsMeshesBesideIt) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "scene_reader";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "floor.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  std::ofstream(folder / "scene.json") << sceneWith(
      R"("bodies": [{"kind": "static", "shape": {"type": "mesh", "file": "floor.obj"}}])");
  const Scene scene = readScene((folder / "scene.json").string());
  EXPECT_TRUE(std::holds_alternative<TriangleMesh>(*scene.bodies[0].shape));
}

TEST(SceneReader, HullFromAFileOfVerticesOnly_NeedsNoFaces) {
  const std::string folder = testing::TempDir();
  std::ofstream(folder + "/corners.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
  const Scene scene = readSceneText(
      R"({"version": 1, "shapes": {"a": {"type": "hull", "file": "corners.obj", "scale": [2, 1, 1]}}})",
      "s.json", {}, folder);
  const auto& hull = std::get<ConvexHull>(scene.shapes[0].shape);
  // A sixth of a box of 2 m³, at 6 kg/m³; round-off of a few sums.
  EXPECT_NEAR(massProperties(hull, 6).mass, 2, 1e-14);
  ASSERT_EQ(scene.files.size(), 1u);
  EXPECT_TRUE(scene.files[0].ends_with("corners.obj"));
}

}  // namespace
}  // namespace drystone
