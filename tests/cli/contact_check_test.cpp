// `run --check contacts`: what it counts and where it says so.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

using Json = nlohmann::ordered_json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

Json checkOf(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "run");
  arguments.insert(arguments.end(), {"--check", "contacts", "--json"});
  return drystone(arguments).json()["contact_check"];
}

/// A scene of one shape that falls a little way onto a ground, leaning.
std::string sceneOf(const std::string& ground, const std::string& shape) {
  return R"({"version": 1, "name": "fall", "world": {"timestep": 0.01, "duration": 0.3},
    "solver": {"name": "bpp"}, "materials": {"m": {"friction": 0.5}},
    "shapes": {"ground": )" +
         ground + R"(, "shape": )" + shape + R"(},
    "bodies": [{"name": "ground", "kind": "static", "shape": "ground", "material": "m"},
               {"name": "it", "shape": "shape", "density": 1000, "material": "m",
                "position": [0.13, 0.07, 0.4], "angular_velocity": [0.3, 0.1, 0.5]}]})";
}

const std::vector<std::string> kShapes = {
    R"({"type": "capsule", "radius": 0.2, "half_length": 0.3})",
    R"({"type": "cylinder", "radius": 0.2, "half_length": 0.35})",
    R"({"type": "hull", "points": [[-0.3, -0.3, -0.35], [0.3, -0.3, -0.35], [0, 0.4, -0.35],
        [0, 0, 0.4]]})",
};

TEST(RunCheck, StackAtRest_HasEveryContactCheckedAndNoneBeyond) {
  for (const char* integrator : {"semi_implicit_euler", "moreau"}) {
    const Json check = checkOf({"stack_10", "--steps", "30", "--integrator", integrator});
    EXPECT_EQ(check["checked"], 30 * 40) << "ten faces, four points each";
    EXPECT_EQ(check["beyond"], 0) << check;
    EXPECT_TRUE(check["first_beyond"].is_null());
    EXPECT_EQ(check["not_checked"], 0);
    EXPECT_LT(check["gap_m"]["value"], 1e-9);
    EXPECT_LT(check["place_m"]["value"], 1e-9);
  }
}

// A detection each inner step, at the poses of which contacts are judged: those of the end of the
// step differ by the motion since.
TEST(RunCheck, ShapesThatFallOntoAPlane_AreJudgedWhereTheyWereDetected) {
  const Scratch scratch;
  for (const std::string& shape : kShapes) {
    const std::string scene = scratch.write("fall.json", sceneOf(R"({"type": "plane"})", shape));
    for (const char* integrator : {"semi_implicit_euler", "moreau"}) {
      const Json check = checkOf({scene, "--integrator", integrator, "--set", "world.substeps=3"});
      SCOPED_TRACE(shape + integrator + check.dump());
      EXPECT_GT(check["checked"], 10);
      EXPECT_EQ(check["not_checked"], 0);
      EXPECT_LT(check["normal_rad"]["value"], 1e-9);
      EXPECT_LT(check["place_m"]["value"], 1e-9);
      // At the poses of the end of a step gaps differ by millimetres. Of a rim that rocks, the
      // four points kept may lack the deepest: one kept before stays where it is less deep by 1e-4
      // of the extent.
      const bool isRim = shape.find("cylinder") != std::string::npos;
      EXPECT_LT(check["gap_m"]["value"], isRim ? 1e-4 : 1e-9);
      EXPECT_LE(check["beyond"], isRim ? 1 : 0);
    }
  }
}

TEST(RunCheck, HeightfieldGround_HasItsContactsChecked) {
  const Scratch scratch;
  const std::string ground =
      R"({"type": "heightfield", "columns": 3, "rows": 3, "spacing": [1, 1],
          "heights": [0, 0.02, 0, 0.03, 0, 0.01, 0, 0, 0.02]})";
  for (const std::string& shape : kShapes) {
    const Json check = checkOf({scratch.write("fall.json", sceneOf(ground, shape))});
    SCOPED_TRACE(shape + check.dump());
    EXPECT_GT(check["checked"], 10);
    EXPECT_LT(check["place_m"]["value"], 1e-6) << "all lie on both surfaces";
    EXPECT_LT(check["beyond"].get<int>(), check["checked"].get<int>() / 20) << "laid faces";
  }
}

TEST(RunCheck, Summary_SaysWhatWasCheckedAndStrictRunsGoOn) {
  const ProgramResult result =
      drystone({"run", "stack_10", "--steps", "5", "--check", "contacts", "--strict"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("Contacts      200 checked, 0 beyond"));
  EXPECT_THAT(result.out, HasSubstr("largest gap error"));
  EXPECT_THAT(result.out, Not(HasSubstr("known of"))) << "there is nothing to explain";
}

// The metal box tilts two bricks of the wall by less than a degree: a face lends the contact its
// normal, where the widest slab would lie a little aslant.
TEST(RunCheck, ContactBeyond_EndsAStrictRunWithExitCode4) {
  const std::vector<std::string> run = {"run", "wall", "--steps", "17", "--check", "contacts"};
  const ProgramResult lenient = drystone(run);
  EXPECT_EQ(lenient.exitCode, 0) << lenient.err;
  std::vector<std::string> strict = run;
  strict.emplace_back("--strict");
  const ProgramResult result = drystone(strict);
  EXPECT_EQ(result.exitCode, 4) << result.out;
  EXPECT_THAT(result.err, HasSubstr("beyond a tolerance, the first in step 16"));
  EXPECT_THAT(result.out, ContainsRegex("beyond: 'brick_1_3' - 'brick_2_2': [0-9]+ contacts in "
                                        "steps 16 to 17, off by .*normal .* rad"));
  EXPECT_THAT(result.out, HasSubstr("a face within a degree of another lends its own"));
}

TEST(RunCheck, WithoutIt_NothingIsSaid) {
  const ProgramResult result = drystone({"run", "stack_10", "--steps", "5", "--json"});
  EXPECT_FALSE(result.json().contains("contact_check"));
}

TEST(RunCheck, ChangesNoBitOfTheResult) {
  const std::vector<std::string> run = {"run", "stack_10", "--steps", "9", "--hash", "--quiet"};
  std::vector<std::string> checked = run;
  checked.insert(checked.end(), {"--check", "contacts"});
  EXPECT_EQ(drystone(checked).out, drystone(run).out);
}

TEST(RunCheck, UnknownCheck_IsAUsageError) {
  const ProgramResult result = drystone({"run", "stack_10", "--check", "contact"});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("contacts"));
}

}  // namespace
}  // namespace drystone::test
