// Solvers for devices: on a machine without one, what the program says and runs in their place; the
// comparison with their CPU twins on any machine, by kernels that run on the processor.
#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "apps/solve/impulse_comparison.h"
#include "apps/solve/solve_output.h"
#include "apps/solve/stored_solve.h"
#include "apps/support/program.h"
#include "apps/support/solver_registry.h"
#include "gpu/device_prox_solver.h"
#include "gpu/devices.h"
#include "solvers/default_registry.h"
#include "tests/cli/program.h"

namespace drystone::test {
namespace {

using cli::compareImpulses;
using cli::ulpsBetween;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class WithoutADevice : public testing::Test {
 protected:
  void SetUp() override {
    if (gpu::whyUnavailable().empty())
      GTEST_SKIP() << "needs no CUDA device: CUDA_VISIBLE_DEVICES= hides those that are here";
  }
};

TEST_F(WithoutADevice, ARun_EndsWithCode5AndTheReason) {
  const ProgramResult result = drystone({"run", "stack_10", "--solver", "gpu-sor", "--steps", "1"});
  EXPECT_EQ(result.exitCode, 5);
  EXPECT_THAT(result.err, HasSubstr(std::string(gpu::whyUnavailable())));
  EXPECT_THAT(result.err, HasSubstr("--fallback runs sor-prox-colored"));
  EXPECT_EQ(result.out, "");
}

TEST_F(WithoutADevice, UnderFallback_TheTwinRunsWithTheSettingsAndTheReportSaysSo) {
  const std::vector<std::string> run = {"run", "stack_10", "--steps", "3", "--json"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    return drystone(more);
  };
  const ProgramResult result = with({"--solver", "gpu-sor", "--fallback", "--set",
                                     "max_iterations=7", "--set", "precision=double"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("sor-prox-colored runs in place of gpu-sor"));
  const auto json = result.json();
  EXPECT_EQ(json["solver"], "sor-prox-colored");
  EXPECT_EQ(json["stands_for"], "gpu-sor");
  EXPECT_EQ(json["left_out"], (nlohmann::ordered_json{{"precision", "double"}}));
  EXPECT_EQ(json["max_iterations"], 7);
  EXPECT_EQ(json["settings"]["color_unit"], "contact");
  const auto direct = with({"--solver", "sor-prox-colored", "--set", "max_iterations=7", "--set",
                            "color_unit=contact"})
                          .json();
  EXPECT_EQ(json["hash"], direct["hash"]);
  EXPECT_EQ(direct["stands_for"], "");
  EXPECT_TRUE(direct["left_out"].empty());
}

// precision and kernels are the device's; every solver takes max_iterations.
TEST_F(WithoutADevice, SettingsThatTheTwinLacks_AreNamedByRun) {
  const ProgramResult result =
      drystone({"run", "stack_10", "--steps", "1", "--solver", "gpu-jor-dense", "--fallback",
                "--set", "precision=double", "--set", "max_iterations=7", "--set", "kernels=gemv"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  const std::string words =
      "without precision=double, kernels=gemv: jacobi-prox has no such setting";
  EXPECT_THAT(result.err, HasSubstr(words));
  EXPECT_THAT(result.out, HasSubstr(words));
  const ProgramResult plain =
      drystone({"run", "stack_10", "--steps", "1", "--solver", "gpu-jor-dense", "--fallback",
                "--set", "max_iterations=7"});
  EXPECT_THAT(plain.err, Not(HasSubstr("without")));
}

TEST_F(WithoutADevice, SettingsThatTheTwinLacks_AreNamedBySolve) {
  const Scratch scratch;
  drystone({"run", "stack_10", "--steps", "1", "--dump-problems", scratch.path("dump"),
            "--dump-when", "step=1", "--quiet"});  // without a warm start that solves it
  const ProgramResult result =
      drystone({"solve", scratch.path("dump"), "--solver", "gpu-sor,nsgs", "--fallback", "--set",
                "precision=double", "--set", "max_iterations=7", "--json"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  const std::string words = "in place of gpu-sor: " + std::string(gpu::whyUnavailable()) +
                            "; without precision=double: sor-prox-colored has no such setting";
  EXPECT_THAT(result.err, HasSubstr("--fallback: sor-prox-colored runs " + words));
  const auto json = result.json();
  ASSERT_EQ(json.size(), 2u);
  EXPECT_THAT(json[0]["note"].get<std::string>(), HasSubstr("sor-prox-colored " + words));
  EXPECT_EQ(json[0]["iterations"], 7);
  EXPECT_EQ(json[0]["solver"], "sor-prox-colored");  // what ran, as `run` has it
  EXPECT_EQ(json[0]["stands_for"], "gpu-sor");
  EXPECT_EQ(json[1]["stands_for"], "");
  EXPECT_THAT(json[1]["note"].get<std::string>(), Not(HasSubstr("in place of")));
}

// Whoever reads the scene, and under --fallback too, which is for the solver alone.
TEST_F(WithoutADevice, AsTheFallbackOfAScene_ItIsMissedBeforeTheRun) {
  const std::vector<std::string> set = {"--set", "solver.fallback=gpu-sor"};
  for (std::vector<std::string> words :
       std::vector<std::vector<std::string>>{{"run", "stack_10", "--steps", "1"},
                                             {"run", "stack_10", "--steps", "1", "--fallback"},
                                             {"validate", "stack_10"}}) {
    words.insert(words.end(), set.begin(), set.end());
    const ProgramResult result = drystone(words);
    EXPECT_EQ(result.exitCode, 5);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("the scene's fallback 'gpu-sor' cannot run here: " +
                                      std::string(gpu::whyUnavailable()) +
                                      "; name another in solver.fallback, as sor-prox-colored"));
  }
  EXPECT_THAT(drystone({"validate", "stack_10", "--set", "solver.fallback=gpu-sor-relaxed"}).err,
              HasSubstr("solver.fallback, as sor-prox"));
}

TEST_F(WithoutADevice, BesideOthers_ASolverHasARowThatSaysWhy) {
  const Scratch scratch;
  drystone({"run", "stack_10", "--steps", "2", "--dump-problems", scratch.path("dump"),
            "--dump-when", "step=2", "--quiet"});
  const auto solve = [&](const std::string& tolerance) {
    return drystone({"solve", scratch.path("dump"), "--solver", "bpp,gpu-sor", "--from", "zero",
                     "--tolerance", tolerance, "--strict", "--json"});
  };
  const ProgramResult met = solve("1e-6");
  EXPECT_EQ(met.exitCode, 0) << met.err;
  EXPECT_THAT(met.err, HasSubstr("--strict leaves out 1 solve by solvers that cannot run here"));
  const auto json = met.json();
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["status"], "converged");
  EXPECT_EQ(json[1]["status"], "unsupported");
  EXPECT_THAT(json[1]["note"].get<std::string>(), StartsWith(std::string(gpu::whyUnavailable())));
  const ProgramResult missed = solve("0");
  EXPECT_EQ(missed.exitCode, 4);
  EXPECT_THAT(missed.err, HasSubstr("--strict: 1 of 1 solve missed the tolerance"));
}

TEST_F(WithoutADevice, StrictSolvesByAll_LeaveOutWhatNeedsOne) {
  const Scratch scratch;
  drystone({"run", "stack_10", "--steps", "2", "--dump-problems", scratch.path("dump"),
            "--dump-when", "step=2", "--quiet"});
  const ProgramResult result = drystone({"solve", scratch.path("dump"), "--solver", "all", "--from",
                                         "zero", "--tolerance", "1", "--strict", "--json"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  int unsupported = 0;
  for (const auto& row : result.json()) unsupported += row["status"] == "unsupported" ? 1 : 0;
  EXPECT_EQ(unsupported, 7);
  EXPECT_THAT(result.err,
              HasSubstr("--strict leaves out 7 solves by solvers that cannot run here"));
}

// Its sweeps are those of no solver of the processor.
TEST_F(WithoutADevice, ASolverWithoutATwin_SaysSoAndWhatToTake) {
  const Scratch scratch;
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"run", "stack_10", "--steps", "1", "--solver", "gpu-sor-relaxed"},
           {"run", "stack_10", "--steps", "1", "--solver", "gpu-sor-relaxed", "--fallback"},
           {"solve", scratch.path("none.json"), "--solver", "gpu-sor-relaxed", "--fallback"}}) {
    const ProgramResult result = drystone(words);
    EXPECT_EQ(result.exitCode, 5);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr(std::string(gpu::whyUnavailable()) +
                                      "; it has no CPU twin that --fallback could run: take "
                                      "sor-prox"));
  }
}

// What the reason offers can be done: neither takes --fallback.
TEST_F(WithoutADevice, CommandsWithoutAFallback_SayWhatToTake) {
  const Scratch scratch;
  drystone({"run", "stack_10", "--steps", "2", "--record", scratch.path("run.h5"),
            "--dump-problems", scratch.path("dump"), "--dump-when", "step=2", "--quiet"});
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"replay", scratch.path("run.h5"), "--solver", "gpu-sor"},
           {"solve", scratch.path("dump"), "--solver", "gpu-sor", "--check", "cpu"}}) {
    const ProgramResult result = drystone(words);
    EXPECT_EQ(result.exitCode, 5);
    EXPECT_THAT(result.err, HasSubstr("; take sor-prox-colored"));
    EXPECT_THAT(result.err, Not(HasSubstr("--fallback")));
  }
}

TEST_F(WithoutADevice, TheStudiesOfTheGpu_EndWithCode5AndTheReason) {
  if (!std::filesystem::exists(DRYSTONE_BINARY_DIR "/bin/bench_gpu")) {
    GTEST_SKIP() << "needs the studies: cmake -D DRYSTONE_BUILD_BENCHMARKS=ON";
  }
  const Scratch scratch;
  for (const auto& more : std::vector<std::vector<std::string>>{
           {}, {"dense"}, {"sparse", "banded", "--csv", scratch.path("csv")}}) {
    std::vector<std::string> words = {"bench", "gpu"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = drystone(words);
    EXPECT_EQ(result.exitCode, 5);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, StartsWith("error: the studies `gpu` did not run: they need a device, "
                                       "and there is none: " +
                                       std::string(gpu::whyUnavailable()) + ";"));
  }
  EXPECT_FALSE(std::filesystem::exists(scratch.path("csv")));
  EXPECT_EQ(drystone({"bench", "gpu", "dens"}).exitCode, 2);
  EXPECT_EQ(drystone({"bench", "gpu", "--help"}).exitCode, 0);
}

TEST_F(WithoutADevice, TheSummaryOfAFallback_NamesWhatWasAskedFor) {
  const ProgramResult result =
      drystone({"run", "stack_10", "--steps", "1", "--solver", "gpu-jor", "--fallback"});
  EXPECT_THAT(result.out, HasSubstr("in place of gpu-jor: "));
}

TEST(Fallback, OfASolverThatRunsHere_ChangesNothing) {
  const auto plain = drystone({"run", "stack_10", "--steps", "3", "--json"}).json();
  const auto json = drystone({"run", "stack_10", "--steps", "3", "--json", "--fallback"}).json();
  EXPECT_EQ(json["hash"], plain["hash"]);
  EXPECT_EQ(json["stands_for"], "");
}

// kernels=gemv of gpu-jor-dense on a machine with a device and without the library.
TEST(MissingBlas, IsAMissingPart) {
  EXPECT_EQ(cli::runReporting([]() -> int { throw gpu::MissingBlasError("no cuBLAS"); }), 5);
}

TEST(Check, OfASolverWithoutATwin_IsAUsageError) {
  const Scratch scratch;
  const ProgramResult result =
      drystone({"solve", scratch.path("none.json"), "--solver", "nsgs", "--check", "cpu"});
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_THAT(result.err, HasSubstr("'nsgs' has no CPU twin"));
}

// Of 1 and its neighbours, across zero, and of both zeros, by the definition.
TEST(Ulps, AreTheNumbersBetween) {
  const Real next = std::nextafter(1.0, 2.0);
  const Real tiny = std::numeric_limits<Real>::denorm_min();
  EXPECT_EQ(ulpsBetween(1, 1), 0u);
  EXPECT_EQ(ulpsBetween(1, next), 1u);
  EXPECT_EQ(ulpsBetween(std::nextafter(next, 2.0), 1), 2u);
  EXPECT_EQ(ulpsBetween(0.0, -0.0), 0u);
  EXPECT_EQ(ulpsBetween(-tiny, tiny), 2u);
  EXPECT_EQ(ulpsBetween(1, 2), std::uint64_t{1} << 52);
}

TEST(CompareImpulses, FindsTheLargestDifferenceAndCountsRowsByUlps) {
  const Real next = std::nextafter(1.0, 2.0);
  const std::vector<Real> reference = {1, 1, -4, 0};
  const std::vector<Real> lambda = {1, next, -3, 0};
  const auto result = compareImpulses(lambda, reference);
  EXPECT_EQ(result.largest, 1);
  EXPECT_EQ(result.relative, 0.25);
  EXPECT_EQ(result.worstRow, 2);
  const auto buckets = filledBuckets(result);
  ASSERT_EQ(buckets.size(), 3u);
  EXPECT_EQ(buckets[0].upTo, 0u);
  EXPECT_EQ(buckets[0].rows, 2);
  EXPECT_EQ(buckets[1].upTo, 1u);
  EXPECT_EQ(buckets[1].rows, 1);
  // From −3 to −4 a half of the numbers of [2, 4): 2^51.
  EXPECT_EQ(buckets[2].upTo, (std::uint64_t{1} << 52) - 1);
  EXPECT_EQ(buckets[2].rows, 1);
  const auto broken = compareImpulses(std::vector<Real>{NAN}, std::vector<Real>{1});
  EXPECT_EQ(broken.largest, std::numeric_limits<Real>::infinity());
}

std::unique_ptr<ContactSolver> makeOnHost() {
  return std::make_unique<gpu::DeviceSorSolver>(gpu::Target::kHost);
}

/// A stack of a library scene, dumped.
ReadProblem dumpedStack(const Scratch& scratch) {
  drystone({"run", "stack_10", "--steps", "8", "--solver", "nsgs", "--dump-problems",
            scratch.path("dump"), "--dump-when", "largest", "--quiet"});
  return readProblemFile(scratch.path("dump") + "/" + scratch.list("dump").front());
}

TEST(Check, ComparesWithTheTwinFromTheSameStart) {
  const Scratch scratch;
  const ReadProblem problem = dumpedStack(scratch);
  SolverRegistry registry = makeDefaultRegistry();
  registry.add(&makeOnHost);
  cli::StoredSolveOptions options;
  options.checkTwin = true;
  options.fromFile = false;
  options.budget.iterations = 20;
  options.settings = {{"precision", "double"}, {"check_every", "21"}};
  cli::StoredSolve solve = solveStored(problem, "stack", registry, "gpu-sor", options);
  ASSERT_TRUE(solve.check.has_value());
  EXPECT_EQ(solve.check->twin, "sor-prox-colored");
  EXPECT_EQ(solve.report.iterations, 20);
  EXPECT_EQ(solve.check->report.iterations, 20);
  EXPECT_LE(solve.check->difference.relative, 1e-12);
  EXPECT_NEAR(solve.judge.naturalMap / solve.check->judge.naturalMap, 1, 1e-6);
  EXPECT_FALSE(solve.check->failed);

  options.settings = {{"precision", "float"}, {"check_every", "21"}};
  solve = solveStored(problem, "stack", registry, "gpu-sor", options);
  EXPECT_GT(solve.check->difference.relative, 1e-9);
  EXPECT_LE(solve.check->difference.relative, 1e-5);
}

// In float a tolerance of 1e-9 m/s is out of reach, which the twin meets.
TEST(Check, FailsWhereTheSolverMissesWhatTheTwinMeets) {
  const Scratch scratch;
  const ReadProblem problem = dumpedStack(scratch);
  SolverRegistry registry = makeDefaultRegistry();
  registry.add(&makeOnHost);
  cli::StoredSolveOptions options;
  options.checkTwin = true;
  options.fromFile = false;
  options.tolerance = 1e-9;
  options.budget.iterations = 100'000;
  options.settings = {{"precision", "float"}};
  const cli::StoredSolve solve = solveStored(problem, "stack", registry, "gpu-sor", options);
  ASSERT_TRUE(solve.check.has_value());
  EXPECT_TRUE(solve.check->failed)
      << solve.judge.naturalMap << " " << solve.check->judge.naturalMap;
}

// The second of two solves of a graph: rows, three kernels of the start, 20 sweeps and λ.
TEST(DeviceWork, IsInTheJsonOfWhatADeviceSwept_AndOfNoOther) {
  const Scratch scratch;
  const ReadProblem problem = dumpedStack(scratch);
  SolverRegistry registry = makeDefaultRegistry();
  registry.add(&makeOnHost);
  cli::StoredSolveOptions options;
  options.fromFile = false;
  options.repeat = 2;
  options.budget.iterations = 20;
  options.settings = {{"precision", "float"}, {"check_every", "21"}};
  const std::vector<cli::StoredSolve> solves = {
      solveStored(problem, "stack", registry, "gpu-sor", options),
      solveStored(problem, "stack", registry, "sor-prox", options)};
  const auto json = nlohmann::json::parse(cli::solveJson(solves));
  EXPECT_FALSE(json[1].contains("device"));
  const auto& device = json[0]["device"];
  EXPECT_EQ(device["launches"], 1 + 3 + 20 + 1);
  EXPECT_EQ(device["uploads"], 2);
  EXPECT_EQ(device["downloads"], 1);
  EXPECT_EQ(device["recordings"], 1);
  EXPECT_EQ(device["layouts"], 0);
  EXPECT_EQ(device["kept_layouts"], 1);
  EXPECT_GT(device["kernels"], device["launches"]);
  EXPECT_GT(device["uploaded_bytes"], device["downloaded_bytes"]);
  EXPECT_GT(device["host_ms"], 0);
  EXPECT_GT(device["copy_ms"], 0);
  EXPECT_GT(device["device_ms"], 0);
}

}  // namespace
}  // namespace drystone::test
