// Solver races.
#include <cmath>

#include "solvers/default_registry.h"
#include "tests/support/problem_builder.h"
#include "tests/unit/viewer_session/simulation_fixture.h"
#include "viewer/session/race.h"

namespace drystone::viewer::test {
namespace {

using drystone::test::ProblemBuilder;

/// A column of cubes of 1 m that are light at the bottom and heavy above: slow for sweeps.
RaceProblem column(FrictionModel friction = FrictionModel::kCone) {
  ProblemBuilder builder(friction);
  for (int i = 0; i < 6; ++i) {
    const Vec3 centre(0, 0, 0.5 + i);
    builder.addBox(std::pow(2.0, i), Vec3::Constant(0.5), centre);
    for (const Real x : {-0.5, 0.5}) {
      for (const Real y : {-0.5, 0.5}) {
        builder.addContact(i - 1, i, {x, y, static_cast<Real>(i)}, Vec3::UnitZ(), 0.5);
      }
    }
  }
  RaceProblem race;
  race.problem = builder.build();
  race.tolerance = 1e-5;
  race.warmStart.assign(race.problem.b.size(), 0);
  race.warmStates.assign(race.problem.b.size(), RowState::kUnknown);
  return race;
}

RaceEntry raced(const RaceProblem& problem, const SolverChoice& choice) {
  RaceEntry entry{.solver = choice};
  raceSolver(problem, registry(), std::chrono::minutes(10), entry, [] { return true; });
  return entry;
}

TEST(RaceSolver, Points_AreTheJudgedAnswersOfSoManyIterations) {
  const RaceProblem problem = column();
  const RaceEntry entry = raced(problem, {.name = "nsgs", .budget = {.iterations = 40}});
  EXPECT_EQ(entry.note, "");
  ASSERT_EQ(entry.points.size(), 9u);  // 1 2 3 5 8 13 21 34 40
  for (const RacePoint& point : entry.points) {
    const auto solver = registry().create("nsgs");
    std::vector<Real> lambda = problem.warmStart;
    std::vector<RowState> states = problem.warmStates;
    solver->solve(problem.problem.view(),
                  {.tolerance = problem.tolerance / 2, .iterations = point.iterations},
                  {lambda, states});
    JudgeWorkspace workspace;
    EXPECT_EQ(point.naturalMap, judge(problem.problem.view(), lambda, workspace).naturalMap)
        << point.iterations;
  }
  EXPECT_EQ(entry.points[5].iterations, 13);
  EXPECT_LT(entry.points.back().naturalMap, entry.points.front().naturalMap);
}

TEST(RaceSolver, SolverThatConverges_EndsWhereItStops) {
  RaceProblem loose = column();
  loose.tolerance = 1e-3;
  const RaceEntry entry = raced(loose, {.name = "nsgs"});
  EXPECT_EQ(entry.status, SolveStatus::kConverged);
  EXPECT_LE(entry.points.back().naturalMap, 1e-3);
  for (std::size_t i = 1; i < entry.points.size(); ++i) {
    EXPECT_GT(entry.points[i].iterations, entry.points[i - 1].iterations);
  }
}

TEST(RaceSolver, ExactSolver_IsOnePoint) {
  const RaceEntry entry = raced(column(), {.name = "bpp-auto"});
  ASSERT_EQ(entry.points.size(), 1u);
  EXPECT_LT(entry.points[0].naturalMap, 1e-6);
}

TEST(RaceSolver, TimeThatIsUp_IsSaid) {
  RaceEntry entry{.solver = {.name = "nsgs"}};
  raceSolver(column(), registry(), std::chrono::seconds(0), entry, [] { return true; });
  EXPECT_EQ(entry.status, SolveStatus::kTimeLimit);
  EXPECT_FALSE(entry.points.empty());
}

/// A solver that says how long it took: ever less, and least the fourth time.
class TimedSolver final : public ContactSolver {
 public:
  static inline int solves = 0, reservedRows = 0;
  static inline Real timeLimit = 0;

  const SolverTraits& traits() const override {
    static const SolverTraits traits = {
        .name = "timed",
        .summary = "for a test",
        .frictionModels = {FrictionModel::kCone},
        .endsAtRoundOff = true,
    };
    return traits;
  }

 private:
  void visitSettings(SettingVisitor&) override {}
  void reserveOwn(const ProblemSize& size) override { reservedRows = size.rows; }
  void run(const ContactProblem& problem, const SolveContext& context, ImpulseView impulses,
           SolverReport& report) override {
    EXPECT_GE(reservedRows, problem.rowCount());
    std::ranges::fill(impulses.lambda, 0);
    timeLimit = context.deadline.limit;
    constexpr double kTimes[] = {100, 4, 3, 2, 5, 3};
    report.timeMs = kTimes[solves++ % 6];
  }
};

RaceEntry racedOnce(const SolverChoice& choice) {
  SolverRegistry solvers = makeDefaultRegistry();
  solvers.add([]() -> std::unique_ptr<ContactSolver> { return std::make_unique<TimedSolver>(); });
  TimedSolver::solves = TimedSolver::reservedRows = 0;
  RaceEntry entry{.solver = choice};
  raceSolver(column(), solvers, std::chrono::minutes(10), entry, [] { return true; });
  return entry;
}

// The first run finds its memory cold and counts for nothing. The others take 17 ms in all, and
// then 100 again, which is enough.
TEST(RaceSolver, Time_IsTheLeastOfAWarmSolversRuns) {
  const RaceEntry entry = racedOnce({.name = "timed"});
  ASSERT_EQ(entry.points.size(), 1u) << entry.note;
  EXPECT_EQ(entry.points[0].timeMs, 2);
  EXPECT_EQ(TimedSolver::solves, 7);
}

TEST(RaceSolver, OwnTimeLimit_IsKept) {
  racedOnce({.name = "timed", .budget = {.seconds = 0.125}});
  EXPECT_EQ(TimedSolver::timeLimit, 0.125);
  racedOnce({.name = "timed"});
  EXPECT_LT(TimedSolver::timeLimit, 1);
}

TEST(RaceSolver, ProblemOfAnotherKind_IsANote) {
  const RaceEntry diamond = raced(column(FrictionModel::kDiamond), {.name = "bpp-auto"});
  EXPECT_TRUE(diamond.points.empty());
  EXPECT_EQ(diamond.note, "does not solve the friction model 'diamond'");
  const RaceEntry unknown = raced(column(), {.name = "nsgz"});
  EXPECT_THAT(unknown.note, testing::HasSubstr("nsgz"));
  const RaceEntry setting = raced(column(), {.name = "nsgs", .settings = {{"speed", 1.0}}});
  EXPECT_THAT(setting.note, testing::HasSubstr("speed"));
}

TEST(Race, OfAStep_RunsAllSolversOnItsLargestIsland) {
  const TestFile heap("race.json", heapText());
  Simulated run(heap.path);
  run.stepBy(12);
  int rows = 0;
  for (const IslandReport& island : run.frame().report.islands) rows = std::max(rows, island.rows);
  EXPECT_EQ(run->race(), nullptr);
  run.sendAndFinish(StartRace{{{.name = "nsgs"}, {.name = "sor-prox"}, {.name = "bpp-auto"}}});
  ASSERT_TRUE(waitUntil([&] { return run->race()->finished; }));
  const RaceResult result = *run->race();
  EXPECT_EQ(result.step, 12);
  EXPECT_EQ(result.rows, rows);
  EXPECT_EQ(result.islands, static_cast<int>(run.frame().report.islands.size()));
  ASSERT_EQ(result.entries.size(), 3u);
  EXPECT_EQ(result.entries[0].solver.name, "nsgs") << "in the order asked for";
  EXPECT_EQ(result.entries[1].solver.name, "sor-prox");
  EXPECT_EQ(result.entries[2].solver.name, "bpp-auto");
  EXPECT_EQ(result.entries[2].points.size(), 1u)
      << "its own, as of a solver that ends at round-off";
  for (const RaceEntry& entry : result.entries) {
    EXPECT_TRUE(entry.finished);
    ASSERT_FALSE(entry.points.empty()) << entry.note;
    // A run has 0.75 s, which a solver that is watched for faults may use up before it is there.
    if (entry.status == SolveStatus::kTimeLimit) continue;
    EXPECT_LT(entry.points.back().naturalMap, 1e-3) << entry.solver.name;
  }
}

TEST(Race, WhereThereIsNoProblem_IsRefused) {
  const TestFile heap("race.json", heapText());
  Simulated run(heap.path);
  run.sendAndFinish(StartRace{{{.name = "nsgs"}}});
  EXPECT_TRUE(run.logHas("nothing touches in this step")) << run.log();
  run.stepBy(12);
  run.stepBy(-2);
  run.sendAndFinish(StartRace{{{.name = "nsgs"}}});
  EXPECT_TRUE(run.logHas("step once, then race")) << run.log();
  EXPECT_EQ(run->race(), nullptr);
  run.sendAndFinish(GoToStep{12});  // whose problems the world still has
  run.sendAndFinish(StartRace{{{.name = "nsgs"}}});
  ASSERT_NE(run->race(), nullptr) << run.log();
  EXPECT_EQ(run->race()->step, 12);
}

TEST(Race, WithoutSolvers_IsRefused) {
  Simulated run("bounce");
  run.sendAndFinish(StartRace{});
  EXPECT_TRUE(run.logHas("at least one solver"));
  EXPECT_EQ(run->race(), nullptr);
}

}  // namespace
}  // namespace drystone::viewer::test
