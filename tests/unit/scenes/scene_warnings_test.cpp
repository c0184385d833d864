// What is likely wrong with a scene that can be run.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "scenes/scene_builder.h"
#include "scenes/scene_library.h"
#include "solvers/default_registry.h"
#include "tests/unit/scenes/scene_testing.h"

namespace drystone {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<std::string> warningsOf(const std::string& sections) {
  return sceneWarnings(readSections(sections), makeDefaultRegistry());
}

std::string bodyWith(const std::string& members) {
  return "\"bodies\": [{\"name\": \"a\", " + members + "}]";
}

/// A row of balls of radius 0.5 m along x whose centres are so far apart [m].
std::string rowOfBalls(const std::vector<std::string>& places) {
  std::string bodies;
  for (const std::string& x : places) {
    bodies += std::string(bodies.empty() ? "" : ", ") + "{\"name\": \"at " + x +
              R"(", "shape": {"type": "sphere", "radius": 0.5}, "position": [)" + x + ", 0, 0]}";
  }
  return "\"name\": \"row\", \"bodies\": [" + bodies + "]";
}

TEST(SceneWarnings, Overlaps_AreNamedTheDeepestFirst) {
  EXPECT_THAT(warningsOf(rowOfBalls({"0", "0.9", "1.7", "2.695"})),
              ElementsAre("row: 'at 0.9' and 'at 1.7' overlap by 0.2 m at the start, beyond the "
                          "tolerance of 0.01 m: move them apart, or set world.overlap_tolerance",
                          HasSubstr("'at 0' and 'at 0.9' overlap by 0.1 m")));
}

// The look would take a world of its own, of hundreds of megabytes.
TEST(SceneWarnings, OverlapsOfVeryManyBodies_AreNotLookedFor) {
  Scene scene = readSections(rowOfBalls({"0", "0.9"}));
  scene.bodies.resize(100'001, scene.bodies.front());
  for (std::size_t i = 2; i < scene.bodies.size(); ++i) {
    scene.bodies[i].pose.position.x() = 2.0 * static_cast<Real>(i);  // apart
  }
  EXPECT_THAT(sceneWarnings(scene, makeDefaultRegistry()),
              ElementsAre("row: overlaps at the start are not looked for among more than 100000 "
                          "bodies: the summary of a run says how deep they are"));
}

TEST(SceneWarnings, RollingResistanceThatTheModelDoesNotUse_IsNamed) {
  const auto with = [](const std::string& world, const std::string& material) {
    return R"("name": "felt", "world": {)" + world + R"(}, "materials": {"felt": {)" + material +
           "}}, " + bodyWith(R"("shape": {"type": "sphere", "radius": 0.5})");
  };
  const std::string rolls = R"("rolling_resistance": 0.01)";
  EXPECT_THAT(warningsOf(with("", rolls)),
              ElementsAre("felt: material 'felt' has a rolling_resistance, which the friction "
                          "\"cone\" does not use: set world.friction to \"rolling\""));
  EXPECT_THAT(warningsOf(with(R"("friction": "rolling")", rolls)), IsEmpty());
  EXPECT_THAT(warningsOf(with("", "")), IsEmpty());
}

TEST(SceneWarnings, FastBodiesWhereStepsLetThemPass_AreNamed) {
  // The least extent is 0.2 m: half of it in 0.01 s is 10 m/s.
  const auto with = [](const std::string& world, const std::string& members) {
    return warningsOf(R"("name": "shots", "world": {"timestep": 0.01)" + world + R"(}, "bodies": [
      {"name": "slow", "shape": {"type": "box", "size": [1, 0.2, 1]}, "velocity": [9.9, 0, 0]},
      {"name": "shot", "shape": {"type": "box", "size": [1, 0.2, 1]}, "position": [0, 9, 0], )" +
                      members + "}]");
  };
  const std::string fast = R"("velocity": [0, 20, 0])";
  const std::string moreau = R"(, "integrator": "moreau")", soft = R"(, "stepping": "soft")";
  EXPECT_THAT(with(moreau, fast),
              ElementsAre("shots: 'shot' moves 0.2 m in an inner step, 1 of its least extent: "
                          "beyond 0.5, bodies may pass through others with world.integrator "
                          "\"moreau\"; shorten world.timestep, raise world.substeps, or take "
                          "\"exact\" stepping with \"semi_implicit_euler\""));
  EXPECT_THAT(with(soft, fast), ElementsAre(HasSubstr("with world.stepping \"soft\";")));
  EXPECT_THAT(with("", fast), IsEmpty());
  EXPECT_THAT(with(moreau, R"("velocity": [0, 9.9, 0])"), IsEmpty());
  EXPECT_THAT(with(moreau + R"(, "substeps": 3)", fast), IsEmpty());
  EXPECT_THAT(with(moreau, fast + R"(, "collide": false)"), IsEmpty());
  EXPECT_THAT(with(moreau, fast + R"(, "sensor": true)"), IsEmpty());
  EXPECT_THAT(
      with(moreau, R"("kind": "kinematic", "motion": [{"time": 1, "velocity": [0, 0, 30]}])"),
      ElementsAre(HasSubstr("'shot' moves 0.3 m in an inner step, 1.5 of its least extent")));
}

TEST(SceneWarnings, OfFastBodies_TheFastestIsNamedAndTheOthersAreCounted) {
  EXPECT_THAT(
      warningsOf(
          R"("name": "shots", "world": {"timestep": 0.01, "integrator": "moreau"}, "bodies": [
      {"name": "a", "shape": {"type": "sphere", "radius": 0.1}, "velocity": [11, 0, 0]},
      {"name": "b", "shape": {"type": "sphere", "radius": 0.1}, "velocity": [40, 0, 0], "position": [9, 0, 0]},
      {"name": "c", "shape": {"type": "sphere", "radius": 0.1}, "velocity": [12, 0, 0], "position": [0, 9, 0]}])"),
      ElementsAre(HasSubstr("'b' moves 0.4 m in an inner step, 2 of its least extent (2 more "
                            "bodies like it)")));
}

TEST(SceneWarnings, OverlapsWithinTheToleranceOfTheWorld_AreNone) {
  const std::string row = rowOfBalls({"0", "0.9", "1.7"});
  EXPECT_THAT(warningsOf(R"("world": {"overlap_tolerance": 0.21}, )" + row), IsEmpty());
  EXPECT_THAT(warningsOf(R"("world": {"overlap_tolerance": 0.15}, )" + row), SizeIs(1));
}

TEST(SceneWarnings, OfOverlaps_TenAreNamedAndTheOthersCounted) {
  std::vector<std::string> places;
  for (int i = 0; i < 14; ++i) places.push_back(std::to_string(i * 0.9));
  const std::vector<std::string> warnings = warningsOf(rowOfBalls(places));
  ASSERT_THAT(warnings, SizeIs(11));
  EXPECT_EQ(warnings.back(), "row: 3 more pairs overlap at the start beyond the tolerance");
}

// Integrators, inner steps and speeds change what a step finds, but not what overlaps at the start.
TEST(SceneWarnings, Overlaps_AreThoseOfTheStartWhateverTheSettings) {
  const std::string bodies =
      R"("name": "row", "bodies": [{"name": "a", "kind": "static", "shape": {"type": "sphere", "radius": 0.5}},
      {"name": "b", "shape": {"type": "sphere", "radius": 0.5}, "position": [0.9, 0, 0], "velocity": [-30, 0, 0]}])";
  for (const char* world : {"{}", R"({"integrator": "moreau", "joint_rows": "mean"})",
                            R"({"projection": {}, "substeps": 5})", R"({"contact_margin": 0.3})"}) {
    EXPECT_THAT(warningsOf(R"("world": )" + std::string(world) + ", " + bodies),
                ElementsAre(HasSubstr("overlap by 0.1 m")))
        << world;
  }
}

TEST(SceneWarnings, SizesBelowAMillimetreOrBeyondAKilometre_AreDoubtful) {
  const auto ofRadius = [](const std::string& radius) {
    return warningsOf(R"("world": {"gravity": [0, 0, 0]}, )" +
                      bodyWith(R"("shape": {"type": "sphere", "radius": )" + radius + "}"));
  };
  EXPECT_THAT(ofRadius("0.0005"), IsEmpty());
  EXPECT_THAT(ofRadius("500"), IsEmpty());
  EXPECT_THAT(ofRadius("0.0004"),
              ElementsAre(HasSubstr("/bodies/0: 'a' is 0.0008 m long: lengths are in metres, so "
                                    "check those of its shape")));
  EXPECT_THAT(ofRadius("600"), ElementsAre(HasSubstr("'a' is 1.2e+03 m long")));
}

// Runs of a sweep are read so. The first doubt is found as bodies are read, the second at the end.
TEST(SceneWarnings, ReadWithoutThem_TheSceneIsTheSameAndHasNone) {
  const std::string text = R"({"version": 1, "bodies": [
    {"name": "a", "shape": {"type": "sphere", "radius": 600}, "group": 0}]})";
  const Scene warned = readSceneText(text, "scene.json");
  const Scene silent = readSceneText(text, "scene.json", {.warns = false});
  EXPECT_THAT(warned.warnings, SizeIs(2));
  EXPECT_THAT(silent.warnings, IsEmpty());
  EXPECT_EQ(buildWorld(warned, makeDefaultRegistry()).observe().hash(),
            buildWorld(silent, makeDefaultRegistry()).observe().hash());
}

TEST(SceneWarnings, SizesOfWhatDoesNotMove_AreFree) {
  EXPECT_THAT(warningsOf(bodyWith(
                  R"("kind": "static", "shape": {"type": "box", "size": [5000, 5000, 1]})")),
              IsEmpty());
}

TEST(SceneWarnings, BodiesOfAGenerator_AreOneWarning) {
  EXPECT_THAT(
      warningsOf(
          R"("world": {"gravity": [0, 0, 0]}, "generators": [{"type": "stack", "count": 5, "step": [0, 0, 1], "shape": {"type": "sphere", "radius": 1e-4}}])"),
      ElementsAre(HasSubstr("/generators/0: 'stack_0' is 0.0002 m long")));
}

TEST(SceneWarnings, OfAKind_TenAreNamedAndTheOthersCounted) {
  std::string bodies;
  for (int i = 0; i < 13; ++i) {
    bodies += std::string(i > 0 ? ",\n" : "") +
              R"({"shape": {"type": "sphere", "radius": 1}, "density": 0.5, "position": [0, 0, )" +
              std::to_string(3 * i) + "]}";
  }
  const std::vector<std::string> warnings = warningsOf("\"bodies\": [" + bodies + "]");
  ASSERT_THAT(warnings, SizeIs(11));
  EXPECT_THAT(warnings.back(), HasSubstr("/bodies/10: and 3 more like it"));
}

TEST(SceneWarnings, DensitiesThatNothingHas_AreDoubtful) {
  // A cube of 1 m³.
  const auto ofMass = [](const std::string& mass) {
    return warningsOf(bodyWith(R"("shape": {"type": "box", "size": [1, 1, 1]}, )" + mass));
  };
  EXPECT_THAT(ofMass(R"("mass": 1)"), IsEmpty());
  EXPECT_THAT(ofMass(R"("mass": 30000)"), IsEmpty());
  EXPECT_THAT(ofMass(R"("mass": 40000)"),
              ElementsAre(HasSubstr("/bodies/0: 'a' has 4e+04 kg/m³, more than any metal: check "
                                    "its mass in kg and the lengths of its shape in m")));
  EXPECT_THAT(ofMass(R"("density": 0.9)"),
              ElementsAre(HasSubstr("'a' has 0.9 kg/m³, less than air: check its density")));
}

// All solves of six boxes that fall over each other meet their tolerance at 100, and not at 1000.
TEST(SceneWarnings, FrictionThatSolvesCannotFollow_IsDoubtful) {
  const auto of = [](const std::string& friction) {
    return warningsOf(R"("materials": {"a/b": {"friction": )" + friction + "}}");
  };
  EXPECT_THAT(of("100"), IsEmpty());
  EXPECT_THAT(of("1e9"),
              ElementsAre(HasSubstr("/materials/a~1b/friction: a friction of 1e+09 makes solves "
                                    "miss their tolerance")));
}

// m g h² C/(4 γ) = 1e10 · 9.81 · 1e-9/(3600 · 0.8) = 0.034 m; a cube of 1 m may overlap by 1 cm,
// and 0.0034 m of 1e9 kg are less.
TEST(SceneWarnings, WeightThatContactsYieldTo_IsDoubtful) {
  const auto ofMass = [](const std::string& mass, const std::string& world = "{}") {
    std::vector<std::string> warnings =
        warningsOf("\"world\": " + world + ", " +
                   bodyWith(R"("shape": {"type": "box", "size": [1, 1, 1]}, "mass": )" + mass));
    std::erase_if(warnings, [](const std::string& w) { return w.find("sinks") == w.npos; });
    return warnings;
  };
  EXPECT_THAT(ofMass("1e9"), IsEmpty());
  EXPECT_THAT(ofMass("1e10"),
              ElementsAre(HasSubstr("/bodies/0: 'a' of 1e+10 kg sinks into what it rests on by "
                                    "0.034 m, since contacts yield by 1e-09/kg: set "
                                    "world.stabilization.compliance to 2.6e-10")));
  EXPECT_THAT(ofMass("1e10", R"({"stabilization": {"compliance": 2.6e-10}})"), IsEmpty());
  EXPECT_THAT(ofMass("1e10", R"({"overlap_tolerance": 0.1})"), IsEmpty());
  EXPECT_THAT(ofMass("1e10", R"({"gravity": [0, 0, 0]})"), IsEmpty());
}

TEST(SceneWarnings, QuaternionThatSeemsToHaveItsWLast_IsDoubtful) {
  const auto turned = [](const std::string& orientation) {
    return warningsOf(bodyWith(R"("kind": "static", "orientation": )" + orientation));
  };
  EXPECT_THAT(turned("[1, 0, 0, 0]"), IsEmpty());
  EXPECT_THAT(turned("[0, 1, 0, 0]"), IsEmpty());
  EXPECT_THAT(turned("[0.6, 0, 0, 0.8]"), IsEmpty());
  EXPECT_THAT(turned(R"({"axis": [0, 0, 1], "angle_deg": 180})"), IsEmpty());
  EXPECT_THAT(
      turned("[0, 0, 0, 1]"),
      ElementsAre("s.json:2:59 /bodies/0/orientation: this is half a turn about (0, 0, 1), since w "
                  "comes first; where it is meant to be last, write [1, 0, 0, 0]; half a turn that "
                  "is meant is {\"axis\": [0, 0, 1], \"angle_deg\": 180}"));
  EXPECT_THAT(turned("[0, 0, 0.6, 0.8]"), ElementsAre(HasSubstr("write [0.8, 0, 0, 0.6]")));
}

TEST(SceneWarnings, TurnBeyondAWholeOne_IsLikelyInDegrees) {
  const auto turned = [](const std::string& angle) {
    return warningsOf(
        bodyWith(R"("kind": "static", "orientation": {"axis": [0, 0, 1], )" + angle + "}"));
  };
  EXPECT_THAT(turned(R"("angle": 6.2832)"), IsEmpty());
  EXPECT_THAT(turned(R"("angle": -6.2832)"), IsEmpty());
  EXPECT_THAT(turned(R"("angle_deg": 90)"), IsEmpty());
  EXPECT_THAT(turned(R"("angle": 90)"),
              ElementsAre("s.json:2:88 /bodies/0/orientation/angle: 90 rad is 5157°; where 90° is "
                          "meant, write \"angle_deg\": 90"));
  EXPECT_THAT(turned(R"("angle": -45)"), ElementsAre(HasSubstr("-45 rad is -2578°")));
}

TEST(SceneWarnings, TimestepInWhichABodyFallsItsOwnSize_IsDoubtful) {
  const auto ofStep = [](const std::string& world) {
    return warningsOf("\"world\": {\"timestep\": " + world + "}, " +
                      bodyWith(R"("shape": {"type": "sphere", "radius": 0.005})"));
  };
  // g h² = 0.01 m at h = 31.9 ms.
  EXPECT_THAT(ofStep("0.0315"), IsEmpty());
  EXPECT_THAT(ofStep("0.0325"),
              ElementsAre(HasSubstr("/bodies/0: 'a' is 0.01 m long and falls 0.0104 m in one step "
                                    "of 0.0325 s; take a world.timestep below 0.032 s")));
  EXPECT_THAT(ofStep("0.0325, \"substeps\": 2"), IsEmpty());
  EXPECT_THAT(ofStep("0.0325, \"gravity\": [0, 0, 0]"), IsEmpty());
}

/// A ball of 4 kg on a spring along x, or of inertia 0.4 kg m² about it.
std::string onASpring(const std::string& type, const std::string& spring) {
  return R"("world": {"timestep": 0.01}, "bodies": [{"name": "g", "kind": "static"},
    {"name": "a", "shape": {"type": "sphere", "radius": 0.5}, "mass": 4}],
    "joints": [{"name": "s", "type": ")" +
         type + R"(", "body_a": "g", "body_b": "a", "anchor": [0, 0, 0], "axis": [1, 0, 0], )" +
         spring + "}]";
}

TEST(SceneWarnings, TimestepThatDoesNotFollowASpring_IsDoubtful) {
  // ω h = 1 at k = 4 kg · (100/s)² = 40,000 N/m.
  EXPECT_THAT(warningsOf(onASpring("slider", R"("spring": {"stiffness": 39000})")), IsEmpty());
  EXPECT_THAT(warningsOf(onASpring("slider", R"("spring": {"stiffness": 41000})")),
              ElementsAre(HasSubstr("/joints/0: a spring of joint 's' swings in 0.062 s, which "
                                    "steps of 0.01 s do not follow: they damp it; take a "
                                    "world.timestep below 0.0099 s")));
  // I = 2/5 · 4 · 0.5² kg m²: k = 4,000 N m.
  EXPECT_THAT(warningsOf(onASpring("hinge", R"("spring": {"stiffness": 3900})")), IsEmpty());
  EXPECT_THAT(warningsOf(onASpring("hinge", R"("spring": {"stiffness": 4100})")), SizeIs(1));
  EXPECT_THAT(warningsOf(onASpring(
                  "slider", R"("motor": {"position": 0, "stiffness": 41000, "damping": 1})")),
              SizeIs(1));
}

TEST(SceneWarnings, SpringThatDoesNotSwing_MayBeStiff) {
  // d = 2 √(k m) = 2 √(160,000 · 4) N s/m.
  EXPECT_THAT(
      warningsOf(onASpring("slider", R"("spring": {"stiffness": 160000, "damping": 1600})")),
      IsEmpty());
  EXPECT_THAT(
      warningsOf(onASpring("slider", R"("spring": {"stiffness": 160000, "damping": 1500})")),
      SizeIs(1));
}

/// Scenes of the library that are warned of, each with the reason why they stay as they are.
const std::map<std::string, std::string, std::less<>> kWarnedOf = {
    // Unit spheres of 1 kg, as in the thesis that they are from.
    {"ball_grid_small", "less than air"},
    {"ball_grid_medium", "less than air"},
    {"ball_grid_large", "less than air"},
    // The random places of these overlap, too.
    {"ball_pile_small", "less than air"},
    {"ball_pile_large", "less than air"},
    // Five times the mass of steel, with which results were measured.
    {"forwarder", "'grip_rod' has .*, more than any metal"},
};

TEST(SceneWarnings, OfTheLibrary_AreMeant) {
  for (const LibraryScene& one : libraryScenes()) {
    const std::string name(one.name);
    const auto meant = kWarnedOf.find(name);
    // Grids and piles of so many balls take long, and no other scene is as large.
    const Scene scene = readScene(name);
    const bool isLarge = scene.bodies.size() > 20'000;
    const std::vector<std::string> warnings =
        isLarge ? scene.warnings : sceneWarnings(scene, makeDefaultRegistry());
    EXPECT_EQ(warnings.empty(), meant == kWarnedOf.end()) << name;
    if (meant == kWarnedOf.end()) {
      EXPECT_THAT(warnings, IsEmpty()) << name;
    } else {
      EXPECT_THAT(warnings, testing::Each(testing::ContainsRegex(meant->second))) << name;
    }
  }
}

}  // namespace
}  // namespace drystone
