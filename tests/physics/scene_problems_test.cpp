// Every direct solver on the problems of the published scenes, box friction throughout: one convex
// problem, one w, whatever the factor and the pivot rule.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "solvers/problem/judge.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

struct PublishedScene {
  const char* name;
  Real seconds;  ///< until its contacts are at work

  friend std::ostream& operator<<(std::ostream& out, const PublishedScene& scene) {
    return out << scene.name;
  }
};

/// Largest problems that a solver whose work grows with the cube of the rows is given here.
int rowLimit(const std::string& solver) {
  if (solver == "murty" || solver == "keller" || solver == "lemke") return 450;
  if (solver == "bpp-downdate" || solver == "bpp-cached") return 700;
  return 1'000'000;
}

struct Answer {
  SolverReport report;
  Real naturalMap;
  std::vector<Real> w;
};

Answer solve(ContactSolver& solver, const Budget& budget, const World& world, int island) {
  const std::span<const Real> start = world.observe().islandWarmStart(island);
  const std::span<const RowState> states = world.observe().islandWarmStates(island);
  std::vector<Real> lambda(start.begin(), start.end());
  std::vector<RowState> state(states.begin(), states.end());
  Answer answer;
  answer.report = solver.solve(world.observe().islandProblem(island), budget, {lambda, state});
  JudgeWorkspace workspace;
  answer.naturalMap = judge(world.observe().islandProblem(island), lambda, workspace).naturalMap;
  answer.w = workspace.w;
  return answer;
}

int largestIsland(const World& world) {
  int largest = 0;
  for (int island = 1; island < world.observe().islandCount(); ++island) {
    if (world.observe().islandProblem(island).rowCount() >
        world.observe().islandProblem(largest).rowCount()) {
      largest = island;
    }
  }
  return largest;
}

class SceneProblems : public ::testing::TestWithParam<PublishedScene> {};
INSTANTIATE_TEST_SUITE_P(
    Published, SceneProblems,
    ::testing::Values(PublishedScene{"boxes", 0.6}, PublishedScene{"tower", 1.2},
                      PublishedScene{"spinner", 0.5}, PublishedScene{"chain_rod", 2},
                      PublishedScene{"trucks", 0.8}, PublishedScene{"rocks", 4},
                      PublishedScene{"wall", 0.6}, PublishedScene{"crane", 2},
                      PublishedScene{"winch", 2}, PublishedScene{"vehicle", 2},
                      PublishedScene{"offshore", 2}, PublishedScene{"forklift", 2},
                      PublishedScene{"forwarder", 2}),
    [](const auto& test) { return std::string(test.param.name); });

// 1e-8 of the largest |b| is the accuracy that the thesis has of updated factors (Lefebvre 2020,
// table 2.4), 1e-8 m/s what counts as exact.
TEST_P(SceneProblems, EveryDirectSolver_AgreesWithBpp) {
  Scene scene = readScene(GetParam().name, {.overrides = {}});
  scene.settings.friction = FrictionModel::kBox;
  scene.settings.solver = {.name = "bpp-auto"};
  World world = buildWorld(scene, test::registry());
  const int steps = static_cast<int>(std::lround(GetParam().seconds / scene.settings.timestep));
  constexpr int kSamples = 3;
  int compared = 0;
  for (int step = 1; step <= steps; ++step) {
    world.step();
    if (step % (steps / kSamples) != 0 || world.observe().islandCount() == 0) continue;
    const int island = largestIsland(world);
    const ContactProblem problem = world.observe().islandProblem(island);
    Real scale = 0;
    for (const Real value : problem.b) scale = std::max(scale, std::abs(value));
    const Answer expected = solve(*test::registry().create("bpp"), {}, world, island);
    EXPECT_EQ(expected.report.status, SolveStatus::kConverged) << step;
    for (const std::string& name : test::registry().names()) {
      if (!test::registry().traits(name).endsAtRoundOff || problem.rowCount() > rowLimit(name))
        continue;
      SCOPED_TRACE(name + ", step " + std::to_string(step) + ", " +
                   std::to_string(problem.rowCount()) + " rows");
      const Answer answer = solve(*test::registry().create(name), {}, world, island);
      ++compared;
      EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
      EXPECT_LE(answer.naturalMap, 1e-8);
      Real difference = 0;
      for (std::size_t row = 0; row < answer.w.size(); ++row) {
        difference = std::max(difference, std::abs(answer.w[row] - expected.w[row]));
      }
      EXPECT_LE(difference, 1e-8 * scale);
    }
  }
  EXPECT_GE(compared, 4 * kSamples);
}

class PyramidProblems : public ::testing::TestWithParam<PublishedScene> {};
INSTANTIATE_TEST_SUITE_P(
    Scenes, PyramidProblems,
    ::testing::Values(PublishedScene{"boxes", 0.8}, PublishedScene{"arch", 0.5},
                      PublishedScene{"card_house", 0.5}, PublishedScene{"stack_20", 0.3},
                      PublishedScene{"slope_slip", 0.5}, PublishedScene{"pyramid_20", 0.1},
                      PublishedScene{"domino_run", 1}),
    [](const auto& test) { return std::string(test.param.name); });

// One law, the pyramid of both, by pivots and by QPs in turns, with the Newton steps that the two
// share and without. Nothing is compared where one of them does not converge; rounds alone creep.
TEST_P(PyramidProblems, Staggered_HasTheVelocityOfBpp) {
  Scene scene = readScene(GetParam().name, {.overrides = {}});
  scene.settings.friction = FrictionModel::kPyramid;
  scene.settings.solver = {.name = "bpp-auto"};
  World world = buildWorld(scene, test::registry());
  const int steps = static_cast<int>(std::lround(GetParam().seconds / scene.settings.timestep));
  constexpr int kSamples = 5;
  std::map<std::string, int> compared;
  for (int step = 1; step <= steps; ++step) {
    world.step();
    if (step % std::max(steps / kSamples, 1) != 0 || world.observe().islandCount() == 0) continue;
    const int island = largestIsland(world);
    const Answer expected = solve(*test::registry().create("bpp-sparse"), {}, world, island);
    if (expected.report.status != SolveStatus::kConverged) continue;
    for (const std::string acceleration : {"newton", "anderson"}) {
      const auto staggered = test::registry().create("staggered");
      Budget budget;
      budget.tolerance = 1e-8;
      applySetting(*staggered, "acceleration", acceleration);
      const Answer answer = solve(*staggered, budget, world, island);
      if (answer.report.status != SolveStatus::kConverged) continue;
      ++compared[acceleration];
      Real difference = 0;
      for (std::size_t row = 0; row < answer.w.size(); ++row) {
        difference = std::max(difference, std::abs(answer.w[row] - expected.w[row]));
      }
      EXPECT_LE(difference, 1e-6) << acceleration << ", step " << step;
    }
  }
  EXPECT_GE(compared["newton"], 4);
  EXPECT_GE(compared["anderson"], 2);
}

// Redundant contacts of little compliance, warm started at every step: single pivots go in circles
// from there, and what a solver then returned would be the next step's start.
TEST(DirectSolvers, Stack10WithBoxFriction_StandsWithEachOfThem) {
  Scene scene = readScene("stack_10", {.overrides = {}});
  scene.settings.friction = FrictionModel::kBox;
  for (const std::string& name : test::registry().names()) {
    if (!test::registry().traits(name).endsAtRoundOff) continue;
    scene.settings.solver = {.name = name};
    World world = buildWorld(scene, test::registry());
    for (int step = 0; step < 20; ++step) {
      const StepReport& report = world.step();
      EXPECT_LE(report.naturalMap, 1e-8) << name << ", step " << step;
      EXPECT_LE(report.maxSpeed, 1e-6) << name << ", step " << step;
    }
  }
}

// How cards and voussoirs share their loads only the compliance tells, and the last bits that an
// iterated round leaves: without its proximal term the loop over bounds takes its bounds from these
// and ends as stalled in 10 and 12 of 12 steps of the cards.
TEST(KrylovSolvers, RedundantContactsWithTheCone_EndAtTheLoopsOwnTolerance) {
  for (const std::string scene : {"card_house", "arch"}) {
    for (const std::string solver : {"pgcg", "bpp-pcg"}) {
      Scene loaded = readScene(scene, {.overrides = {}});
      loaded.settings.solver = {.name = solver};
      World world = buildWorld(loaded, test::registry());
      for (int step = 1; step <= 12; ++step) {
        const StepReport& report = world.step();
        SCOPED_TRACE(scene + ", " + solver + ", step " + std::to_string(step));
        EXPECT_EQ(report.status[static_cast<int>(SolveStatus::kConverged)], 1);
        EXPECT_LE(report.naturalMap, 2e-9);  // 1e-9 of the largest |b|, at most 0.56 m/s
      }
    }
  }
}

}  // namespace
}  // namespace drystone
