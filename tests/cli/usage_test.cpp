// Exit code 2: what is wrong stands on the command line, and the message names what was near.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

struct UsageCase {
  const char* name;
  std::vector<std::string> arguments;
  std::vector<std::string> messages;  ///< all in stderr
};

void PrintTo(const UsageCase& one, std::ostream* out) { *out << one.name; }

class Usage : public testing::TestWithParam<UsageCase> {};

TEST_P(Usage, MistakeExitsWith2AndSaysWhatIsNear) {
  const ProgramResult result = drystone(GetParam().arguments);
  EXPECT_EQ(result.exitCode, 2) << result.err;
  EXPECT_EQ(result.out, "");
  for (const std::string& text : GetParam().messages) {
    EXPECT_TRUE(result.errContains(text)) << text << " is not in:\n" << result.err;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cli, Usage,
    testing::Values(
        UsageCase{"NoCommand", {}, {"--help"}},
        UsageCase{"Command", {"rum", "stack_10"}, {"rum", "did you mean \"run\"?"}},
        UsageCase{"Option", {"run", "stack_10", "--slover", "bpp"}, {"--slover", "\"--solver\""}},
        UsageCase{"OptionBeforeScene", {"run", "--stpes", "3", "stack_10"}, {"\"--steps\""}},
        UsageCase{"OptionBeforeTheCommand", {"--stpes", "run", "stack_10"}, {"\"--steps\""}},
        UsageCase{"OptionWithEquals", {"run", "--jsn=1", "stack_10"}, {"\"--json\""}},
        UsageCase{"OptionByAnotherName",
                  {"run", "stack_10", "--seconds", "3"},
                  {"there is no option --seconds; did you mean \"--time\"?\n"}},
        // `solve` has no time to simulate: only what it has is near.
        UsageCase{"OptionByAnotherNameOfAnotherCommand",
                  {"solve", "x.json", "--seconds", "3"},
                  {"there is no option --seconds\n`drystone solve --help` shows"}},
        UsageCase{"RecordingNamedAsJson",
                  {"run", "stack_10", "--record", "absent.json"},
                  {"--record: 'absent.json'", "recordings and states end in .h5"}},
        UsageCase{"HelpOfNoCommand", {"help", "rum"}, {"there is no command 'rum'", "\"run\""}},
        UsageCase{"OptionOfSolve", {"solve", "x.json", "--tolerence", "1"}, {"\"--tolerance\""}},
        UsageCase{"Solver", {"run", "stack_10", "--solver", "bbp"}, {"bbp", "\"bpp\""}},
        UsageCase{"SolverOfSolve", {"solve", "x.json", "--solver", "bpp,nsgz"}, {"\"nsgs\""}},
        UsageCase{"Scene", {"run", "stak_10"}, {"stak_10", "\"stack_10\""}},
        UsageCase{"SceneOfValidate", {"validate", "stak_10"}, {"\"stack_10\""}},
        UsageCase{"Friction", {"run", "stack_10", "--friction", "kone"}, {"\"cone\""}},
        UsageCase{"FrictionIsNoCoefficient",
                  {"run", "slope_slip", "--friction", "0.2"},
                  {"--friction takes a model", "set with --set scene.friction=0.2\n"}},
        UsageCase{"FrictionIsNoCoefficientOfMaterials",
                  {"run", "conveyor", "--friction", "0.2"},
                  {"set with --set materials.default.friction=0.2 or "
                   "--set materials.slick.friction=0.2\n"}},
        // Keys of --set cannot have these names, which hold a dot.
        UsageCase{"FrictionIsNoCoefficientOfMaterialsWithDots",
                  {"run", "humanoid_drop", "--friction", "0.2"},
                  {"set with \"friction\" of a material in the scene file\n"}},
        UsageCase{
            "FrictionIsNoCoefficientWithoutMaterials",
            {"run", "wall", "--friction", "0.2"},
            {"set with \"materials\": {\"default\": {\"friction\": 0.2}} in the scene file\n"}},
        UsageCase{"Integrator", {"run", "stack_10", "--integrator", "moraeu"}, {"\"moreau\""}},
        UsageCase{"Setting",
                  {"run", "stack_10", "--solver", "bpp", "--set", "max_newtn=1"},
                  {"\"max_newton\""}},
        UsageCase{"SettingWithItsPrefix",
                  {"run", "stack_10", "--solver", "bpp", "--set", "solver.max_newtn=1"},
                  {"--set solver.max_newtn: ", "\"max_newton\""}},
        UsageCase{"KeyOfTheWorldWithoutADot",
                  {"run", "stack_10", "--set", "gravity=[0,0,-1]"},
                  {"auto has no such setting; write --set world.gravity=[0,0,-1]\n"}},
        UsageCase{"OptionAsSetting",
                  {"run", "stack_10", "--set", "dt=0.1"},
                  {"auto has no such setting; write --dt 0.1\n"}},
        UsageCase{"ElementInBrackets",
                  {"run", "stack_10", "--set", "bodies.ground.position[2]=1"},
                  {"/bodies/0: has no \"position[2]\"", "write bodies.ground.position.2\n"}},
        UsageCase{"ElementByAxis",
                  {"run", "domino_run", "--set", "bodies.domino_0.position.z=1"},
                  {"the list of 3 has no element \"z\"; write 0 to 2"}},
        UsageCase{"QuotientInSet",
                  {"run", "stack_10", "--set", "world.timestep=1/8"},
                  {"must be a number, got the text \"1/8\"; write its result, 0.125\n"}},
        UsageCase{"QuotientAsOption",
                  {"run", "stack_10", "--dt", "1/8"},
                  {"got '1/8'; write its result, 0.125\n"}},
        UsageCase{"WordTooMany",
                  {"run", "stack_10", "arch"},
                  {"'arch' is a word too many: run takes no more than its options and SCENE\n"}},
        UsageCase{"KeyOfTheSceneFileWithoutADot",
                  {"run", "stack_10", "--set", "name=x"},
                  {"\nhint: a key without a dot is a setting of the solver"}},
        UsageCase{
            "SettingValue", {"run", "stack_10", "--set", "max_proximal=often"}, {"max_proximal"}},
        UsageCase{
            "SettingNotKeyValue", {"run", "stack_10", "--set", "max_proximal"}, {"key=value"}},
        UsageCase{
            "SceneParameter", {"run", "heavy_on_light", "--set", "scene.ration=2"}, {"\"ratio\""}},
        UsageCase{"SceneParameterAsSetting",
                  {"run", "heavy_on_light", "--set", "ratio=2"},
                  {"the scene such a parameter: --set scene.ratio=2\n"}},
        UsageCase{"SceneParameterRange",
                  {"run", "heavy_on_light", "--set", "scene.ratio=-2"},
                  {"scene.ratio=-2"}},
        UsageCase{"ScenePath",
                  {"run", "stack_10", "--set", "world.timestap=0.01"},
                  {"timestap", "timestep"}},
        UsageCase{"SettingOfSolve",
                  {"solve", "x.json", "--solver", "nsgs", "--set", "relaxatoin=1"},
                  {"relaxatoin"}},
        UsageCase{"Steps",
                  {"run", "stack_10", "--steps", "0"},
                  {"--steps: must be a whole number from 1"}},
        UsageCase{"StepsNoNumber", {"run", "stack_10", "--steps", "ten"}, {"--steps"}},
        UsageCase{"StepsAndTime",
                  {"run", "stack_10", "--steps", "3", "--time", "1"},
                  {"--steps and --time exclude each other: leave one"}},
        UsageCase{"Timestep",
                  {"run", "stack_10", "--dt", "-1"},
                  {"--dt: must be from 1e-15 to 1000 s, got '-1'"}},
        UsageCase{"TimestepNaN", {"run", "stack_10", "--dt", "nan"}, {"--dt"}},
        UsageCase{"TimestepOfAnotherUnit", {"run", "stack_10", "--dt", "1e4"}, {"to 1000 s"}},
        // More steps than a 64-bit counter holds.
        UsageCase{"TimeBeyondAllSteps",
                  {"run", "stack_10", "--time", "1e300"},
                  {"--time: 1e+300 s", "at most 1e+15 are possible"}},
        UsageCase{"TimeInfinite", {"run", "stack_10", "--time", "inf"}, {"--time: must be"}},
        // 2^64 - 1 and beyond: CLI11 itself would clip them to 2^63 - 1.
        UsageCase{"SeedBeyond64Bits",
                  {"run", "pile_1000", "--seed", "18446744073709551615"},
                  {"--seed: must be a whole number", "'18446744073709551615'"}},
        UsageCase{"StepsBeyond64Bits",
                  {"run", "stack_10", "--steps", "99999999999999999999"},
                  {"--steps: must be a whole number"}},
        UsageCase{"RepeatBeyond64Bits",
                  {"solve", "x.json", "--repeat", "99999999999999999999"},
                  {"--repeat: must be a whole number from 1 to 1000000"}},
        UsageCase{"MaxIterationsBeyondInt",
                  {"solve", "x.json", "--max-iterations", "2147483648"},
                  {"--max-iterations: must be a whole number"}},
        UsageCase{"TimeLimitZero", {"solve", "x.json", "--time-limit", "0"}, {"--time-limit: "}},
        UsageCase{"ToleranceNegative",
                  {"solve", "x.json", "--tolerance", "-1"},
                  {"--tolerance: must be ≥ 0"}},
        UsageCase{"TimeBeyondNumbers",
                  {"run", "stack_10", "--time", "1e400"},
                  {"--time: must be a finite number ≥ 1e-15 s, got '1e400'"}},
        UsageCase{"EmptyScene", {"run", ""}, {"scene: must not be empty"}},
        UsageCase{
            "EmptySolver", {"run", "stack_10", "--solver", ""}, {"--solver: must not be empty"}},
        UsageCase{"EmptyFriction", {"run", "stack_10", "--friction", ""}, {"--friction: must not"}},
        UsageCase{
            "EmptyIntegrator", {"run", "stack_10", "--integrator", ""}, {"--integrator: must"}},
        UsageCase{"EmptyCsv", {"run", "stack_10", "--csv", ""}, {"--csv: must not be empty"}},
        UsageCase{"EmptyDumpFolder",
                  {"run", "stack_10", "--dump-problems", ""},
                  {"--dump-problems: must not be empty"}},
        UsageCase{"EmptySet", {"run", "stack_10", "--set", ""}, {"--set: must not be empty"}},
        UsageCase{
            "EmptySolverOfSolve", {"solve", "x.json", "--solver", ""}, {"--solver: must not"}},
        UsageCase{"MissingSolverInAList",
                  {"solve", "x.json", "--solver", "bpp,"},
                  {"--solver: a name is missing in 'bpp,'"}},
        UsageCase{"SetOfValidate",
                  {"validate", "stack_10", "--set", "world.timestep=-1"},
                  {"--set world.timestep=-1 /world/timestep: must be ≥ 1e-15 s"}},
        UsageCase{"ListOneScene", {"list", "scenes", "stack_1"}, {"\"stack_10\""}},
        UsageCase{"ListOneCommand", {"list", "commands", "run"}, {"a name goes with"}},
        UsageCase{"Threads",
                  {"run", "stack_10", "--threads", "0"},
                  {"--threads: must be a whole number from 1 to 1024"}},
        UsageCase{"SeedBelowZero",
                  {"run", "pile_1000", "--seed", "-1"},
                  {"--seed: must be a whole number ≥ 0, got '-1'"}},
        UsageCase{"BenchOfNothing", {"bench"}, {"name a study: contacts, direct, exactness"}},
        UsageCase{"BenchStudy", {"bench", "peer"}, {"did you mean \"peers\"?"}},
        UsageCase{"SeedOfNothingRandom", {"run", "stack_10", "--seed", "3"}, {"random_fill"}},
        UsageCase{"DumpWhen",
                  {"run", "stack_10", "--dump-problems", "/tmp", "--dump-when", "larges"},
                  {"\"largest\""}},
        UsageCase{"DumpStep",
                  {"run", "stack_10", "--dump-problems", "/tmp", "--dump-when", "step=0"},
                  {"step=N"}},
        UsageCase{"DumpFormat",
                  {"run", "stack_10", "--dump-problems", "/tmp", "--dump-format", "hdf"},
                  {"\"hdf5\""}},
        UsageCase{"Criterion", {"solve", "x.json", "--criterion", "relativ"}, {"\"relative\""}},
        UsageCase{"From", {"solve", "x.json", "--from", "fil"}, {"\"file\""}},
        UsageCase{"JsonAndCsv", {"solve", "x.json", "--json", "--csv"}, {"exclude"}},
        UsageCase{"List", {"list", "solver"}, {"\"solvers\""}},
        UsageCase{"ListOneSolver", {"list", "solvers", "nsg"}, {"\"nsgs\""}},
        UsageCase{"CsvToStdout", {"run", "stack_10", "--csv", "-"}, {"--csv", "a file is needed"}},
        UsageCase{"ExplainBeyondTheRun",
                  {"run", "stack_10", "--steps", "3", "--explain", "4"},
                  {"--explain 4: the run has only 3 steps"}},
        UsageCase{"SeedTwice",
                  {"run", "pile_1000", "--seed", "3", "--set", "scene.seed=4"},
                  {"--seed and --set scene.seed exclude each other"}},
        UsageCase{"ListOfNothing",
                  {"list"},
                  {"name what to list: solvers, scenes, keys, commands or devices"}},
        UsageCase{"SolveOfNothing", {"solve"}, {"name the problems to solve"}},
        UsageCase{"ValidateOfNothing", {"validate"}, {"name the scenes to check"}},
        UsageCase{"ImportOfNothing", {"import"}, {"name the model to import"}},
        UsageCase{"MissingScene", {"run"}, {"name the scene to run"}}),
    [](const testing::TestParamInfo<UsageCase>& one) { return std::string(one.param.name); });

TEST(OutputPath, MissingFolder_IsRefusedBeforeSimulating) {
  const Scratch scratch;
  const std::string csv = scratch.path("missing/steps.csv");
  // A day of simulated time: had it started, the test would not come back.
  const ProgramResult result = drystone({"run", "stack_10", "--time", "86400", "--csv", csv});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_TRUE(result.errContains("there is no folder")) << result.err;
}

TEST(Usage, SettingOutOfItsRange_GetsNoHintAboutUnknownKeys) {
  const ProgramResult result =
      drystone({"run", "stack_10", "--solver", "nsgs", "--set", "relative_tolerance=-1"});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_TRUE(result.errContains("must be a number >= 0, not -1")) << result.err;
  EXPECT_FALSE(result.errContains("a key without a dot")) << result.err;
}

TEST(Usage, WholeNumberWithLeadingZero_IsDecimal) {
  const auto json = drystone({"run", "stack_10", "--steps", "010", "--json"}).json();
  EXPECT_EQ(json["steps"], 10) << "not eight, as in C";
}

TEST(OutputPath, ThatIsTheScene_IsRefusedUnderEveryName) {
  const Scratch scratch;
  const std::string text = R"({"version": 1, "bodies": [{"kind": "static"}]})";
  const std::string scene = scratch.write("scene.json", text);
  std::filesystem::create_symlink(scene, scratch.path("link"));
  for (const char* name : {"scene.json", "./scene.json", "link"}) {
    const ProgramResult result = drystone({"run", scene, "--csv", scratch.path(name)});
    EXPECT_EQ(result.exitCode, 2) << name;
    EXPECT_TRUE(result.errContains("is the input file")) << result.err;
  }
  EXPECT_EQ(readText(scene), text);
}

TEST(OutputPath, ThatIsAnyJsonFile_IsRefused) {
  const Scratch scratch;
  const std::string text = R"({"version": 1, "bodies": [{"kind": "static"}]})";
  const std::string other = scratch.write("other.json", text);
  for (const char* option : {"--csv", "--events", "--joints", "--record"}) {
    const ProgramResult result = drystone({"run", "stack_10", "--steps", "1", option, other});
    EXPECT_EQ(result.exitCode, 2) << option;
    EXPECT_TRUE(result.errContains(std::string(option) + ": '" + other + "' would be no JSON file"))
        << result.err;
    EXPECT_EQ(readText(other), text) << option;
  }
  const std::string fresh = scratch.path("new.json");
  EXPECT_EQ(drystone({"run", "stack_10", "--steps", "1", "--csv", fresh}).exitCode, 2);
  EXPECT_FALSE(std::filesystem::exists(fresh));
}

TEST(OutputPath, ThatIsAMeshOfTheScene_IsRefused) {
  const Scratch scratch;
  const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  const std::string mesh = scratch.write("mesh.obj", text);
  const std::string scene = scratch.write("scene.json", R"({"version": 1, "bodies":
      [{"kind": "static", "shape": {"type": "mesh", "file": "mesh.obj"}}]})");
  EXPECT_EQ(drystone({"run", scene, "--csv", mesh}).exitCode, 2);
  EXPECT_EQ(readText(mesh), text);
}

TEST(OutputPath, FolderInPlaceOfFile_IsRefused) {
  const Scratch scratch;
  const ProgramResult result = drystone({"run", "stack_10", "--csv", scratch.path("")});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_TRUE(result.errContains("--csv")) << result.err;
}

TEST(OutputPath, DumpFolderBelowFile_IsRefused) {
  const Scratch scratch;
  const std::string file = scratch.write("file", "");
  const ProgramResult result = drystone({"run", "stack_10", "--dump-problems", file + "/dumps"});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_TRUE(result.errContains("--dump-problems")) << result.err;
}

// Root has the right to write there, and all the same it cannot.
TEST(OutputPath, FolderOfTheKernel_IsRefusedBeforeTheRun) {
  const std::vector<std::pair<std::string, std::string>> options = {
      {"--record", "/proc/a.h5"}, {"--csv", "/proc/a.csv"}, {"--dump-problems", "/proc"}};
  for (const auto& [option, path] : options) {
    const ProgramResult result = drystone({"run", "stack_10", option, path});
    EXPECT_EQ(result.exitCode, 2) << option;
    EXPECT_TRUE(result.errContains(option + ": cannot write")) << result.err;
    EXPECT_EQ(result.out, "") << "nothing is simulated";
  }
}

TEST(OutputPath, CheckedPath_IsLeftAsItIs) {
  const Scratch scratch;
  const std::string link = scratch.path("link.h5"), target = scratch.path("target.h5");
  std::filesystem::create_symlink(target, link);
  const ProgramResult result =
      drystone({"run", "stack_10", "--record", link, "--csv", scratch.path("none/a.csv")});
  EXPECT_EQ(result.exitCode, 2) << result.err;
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(scratch.list(""), std::vector<std::string>{"link.h5"});
}

TEST(OutputPath, OfTwoOptions_IsRefused) {
  const Scratch scratch;
  const std::string file = scratch.path("steps"), detour = scratch.path("./steps");
  const ProgramResult run =
      drystone({"run", "stack_10", "--steps", "2", "--record", file, "--csv", detour});
  EXPECT_EQ(run.exitCode, 2);
  EXPECT_TRUE(run.errContains("--record: '" + file + "' is the file of --csv, too")) << run.err;
  EXPECT_TRUE(scratch.list("").empty());
  const std::string recording = scratch.path("a.h5");
  ASSERT_EQ(drystone({"run", "stack_10", "--steps", "2", "--record", recording, "-q"}).exitCode, 0);
  const ProgramResult exported = drystone({"export", recording, "--npz", file, "--gltf", detour});
  EXPECT_EQ(exported.exitCode, 2);
  EXPECT_TRUE(exported.errContains("is the file of --npz, too")) << exported.err;
}

TEST(OutputPath, OfADevice_IsRefusedForFormatsThatNeedADisk) {
  for (const char* option : {"--record", "--save"}) {
    const ProgramResult result = drystone({"run", "stack_10", "--steps", "2", option, "/dev/null"});
    EXPECT_EQ(result.exitCode, 2) << option;
    EXPECT_TRUE(result.errContains(std::string(option) + ": '/dev/null' is no file on a disk"))
        << result.err;
  }
  const ProgramResult csv =
      drystone({"run", "stack_10", "--steps", "2", "--csv", "/dev/null", "-q"});
  EXPECT_EQ(csv.exitCode, 0) << csv.err;
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(Input, WithoutEnd_IsRefusedAtTheLimit) {
  for (const char* command : {"validate", "solve"}) {
    const ProgramResult result = drystone({command, "/dev/zero"});
    EXPECT_EQ(result.exitCode, 3) << command;
    EXPECT_TRUE(result.errContains("/dev/zero: is larger than ")) << result.err;
  }
}

TEST(Output, LostOnItsWayToStdout_ExitsWith70) {
  const std::vector<std::vector<std::string>> commands = {
      {"list", "scenes"}, {"run", "stack_10", "--steps", "2"}, {"--help"}};
  for (const std::vector<std::string>& arguments : commands) {
    const ProgramResult result = drystoneInto("/dev/full", arguments);
    EXPECT_EQ(result.exitCode, 70) << arguments.front();
    EXPECT_TRUE(result.errContains("cannot write the output: No space left")) << result.err;
  }
}

TEST(OutputPath, FolderWithoutWritePermission_IsRefused) {
  if (geteuid() == 0) GTEST_SKIP() << "needs a user other than root, who may write everywhere";
  const ProgramResult result = drystone({"run", "stack_10", "--csv", "/steps.csv"});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_TRUE(result.errContains("cannot write into")) << result.err;
}

}  // namespace
}  // namespace drystone::test
