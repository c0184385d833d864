#include "tests/unit/solvers/prox/prox_variants.h"

namespace drystone {
namespace {

using test::Solved;
using test::solveWith;

Real naturalMapOf(const StoredProblem& problem, std::span<const Real> lambda) {
  JudgeWorkspace workspace;
  return judge(problem.view(), lambda, workspace).naturalMap;
}

class ProxStopping : public test::ProxVariants {};
INSTANTIATE_TEST_SUITE_P(Variants, ProxStopping, ::testing::ValuesIn(test::allVariants()),
                         test::variantName);

TEST_P(ProxStopping, CheckEveryBeyondTheLimit_MeasuresNothing) {
  budget.iterations = 20;
  solver->settings.stopping.checkEvery = 21;
  const Solved answer =
      solveWith(*solver, budget, test::boxStack(FrictionModel::kCone, {1, 2}, 0.5),
                std::vector<Real>(24, 0.01));
  EXPECT_EQ(answer.report.status, SolveStatus::kIterationLimit);
  EXPECT_EQ(answer.report.iterations, 20);
  EXPECT_TRUE(solver->history().entries().empty());
}

// A limit of 0 s is over after the first sweep, which is still measured and so not lost.
TEST_P(ProxStopping, TimeLimit_ReturnsTheSweepsDone) {
  budget.seconds = 0;
  const Solved answer =
      solveWith(*solver, budget, test::boxStack(FrictionModel::kCone, {1, 2}, 0.5));
  EXPECT_EQ(answer.report.status, SolveStatus::kTimeLimit);
  EXPECT_EQ(answer.report.iterations, 1);
  EXPECT_GT(answer.lambda[0], 0);
}

TEST_P(ProxStopping, History_HoldsStartAndMeasurementsAndEndsBelowTheTolerance) {
  budget.tolerance = 1e-9;
  solver->settings.stopping.checkEvery = 5;
  const Solved answer =
      solveWith(*solver, budget, test::boxStack(FrictionModel::kCone, {1, 2}, 0.5));
  const auto entries = solver->history().entries();
  ASSERT_FALSE(entries.empty());
  EXPECT_EQ(entries[0].iteration, 0);
  EXPECT_EQ(entries[1].iteration, 5);
  EXPECT_EQ(entries.back().iteration, answer.report.iterations);
  EXPECT_LE(entries.back().residual, 1e-9);
}

// The judge's figure at the end is the last one of the history, up to the order of summation.
TEST_P(ProxStopping, ResidualOfTheSolver_IsThatOfTheJudge) {
  budget.iterations = 30;
  const Solved answer =
      solveWith(*solver, budget, test::randomPile(FrictionModel::kCone, 3, 3, 3, 0.4, 7));
  EXPECT_NEAR(answer.judged.naturalMap, solver->history().entries().back().residual, 1e-13);
  solver->settings.stopping.criterion = StopCriterion::kRelative;
  const Solved relative =
      solveWith(*solver, budget, test::randomPile(FrictionModel::kCone, 3, 3, 3, 0.4, 7));
  EXPECT_NEAR(relative.judged.relative, solver->history().entries().back().residual, 1e-13);
}

TEST_P(ProxStopping, ImpulseChange_StopsWhenNoElementMoves) {
  solver->settings.stopping.criterion = StopCriterion::kImpulseChange;
  solver->settings.stopping.relativeTolerance = 1e-10;
  const Solved answer = solveWith(*solver, budget, test::boxOnPlane(FrictionModel::kCone, 3, 0.4));
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  EXPECT_LE(answer.judged.naturalMap, 1e-8);
  // The start has no sweep before it, and tells no change.
  EXPECT_EQ(solver->history().entries().front().iteration, 10);
}

// R of twice its safe value makes the single sphere oscillate about its solution without end: h(2)
// of Poulsen 2010, Eq. 3.22. Half of it converges at once.
TEST_P(ProxStopping, Divergence_IsRolledBackByHalvingR) {
  solver->settings.relaxation = 2;
  solver->settings.stopping.checkEvery = 1;
  budget.iterations = 2000;
  StoredProblem problem = test::sphereOnPlane(FrictionModel::kCone, 2, 0, Vec3::Zero());
  for (const auto criterion :
       {StopCriterion::kNaturalMap, StopCriterion::kRelative, StopCriterion::kImpulseChange}) {
    solver->settings.stopping.criterion = criterion;
    const Solved answer = solveWith(*solver, budget, problem, {0.3, 0, 0});
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
    EXPECT_GE(answer.report.stepReductions, 1);
  }
}

// An impulse that passes zero changes by a large multiple of itself in a run that is sound: what
// says divergence is the natural map. Judged by the change, these runs shrank their steps five
// times and stalled at 1e-3 m/s.
TEST(SorProx, ImpulseChangeThatJumps_IsNoDivergence) {
  for (const auto& [seed, warmSweeps, checkEvery] : {std::tuple{3, 0, 10}, {1, 60, 1}}) {
    const StoredProblem pile = test::randomPile(FrictionModel::kCone, 4, 4, 4, 0.4, seed);
    SorProxSolver solver;
    Budget budget;
    budget.iterations = warmSweeps;
    const std::vector<Real> start = solveWith(solver, budget, pile).lambda;
    solver.settings.stopping.criterion = StopCriterion::kImpulseChange;
    solver.settings.stopping.checkEvery = checkEvery;
    budget.iterations = 3000;
    const Solved answer = solveWith(solver, budget, pile, start);
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
    EXPECT_EQ(answer.report.stepReductions, 0);
    EXPECT_LE(answer.judged.naturalMap, 1e-8);
    const auto history = solver.history().entries();
    Real most = 0;
    for (const auto& entry : history) most = std::max(most, entry.residual);
    EXPECT_GT(most, 10 * history.front().residual) << "else this is no such run";
  }
}

// Without the share of the masses, each of the contacts that meet in a box corrects all of it, and
// the error doubles and more a sweep. Half of the steps, or less, is tried before it is large.
TEST(JacobiProx, Growth_IsRolledBackWithinAFewSweeps) {
  JacobiProxSolver solver;
  Budget budget;
  solver.settings.step = StepStrategy::kLocal;
  solver.settings.stopping.checkEvery = 1;
  budget.iterations = 10000;
  const Solved answer =
      solveWith(solver, budget, test::boxStack(FrictionModel::kCone, {1, 1, 1}, 0.5));
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  EXPECT_GE(answer.report.stepReductions, 1);
  const auto history = solver.history().entries();
  for (const auto& entry : history) EXPECT_LT(entry.residual, 100 * history.front().residual);
}

// At α = 1.9 the corners of the box pass its load around: the residual wavers about 1e-2 m/s, and
// neither grows tenfold nor stands still. Half of α converges in some 50 sweeps.
TEST(SorProx, CirclingAtTheDefaultLimit_IsRolledBack) {
  SorProxSolver solver;
  solver.settings.relaxation = 1.9;
  const Solved answer = solveWith(solver, test::boxOnPlane(FrictionModel::kCone, 3, 0.4));
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  EXPECT_EQ(answer.report.stepReductions, 1);
}

// Also where an earlier iterate has the smaller natural map: `converged` is said of what is
// returned.
TEST(SorProx, ImpulseChangeThatIsMet_ReturnsTheIterateThatMetIt) {
  int lastIsNotBest = 0;
  for (int seed = 1; seed <= 20; ++seed) {
    const StoredProblem pile = test::randomPile(FrictionModel::kCone, 2, 2, 2, 0.4, seed);
    SorProxSolver solver;
    Budget budget;
    solver.settings.scheme = ProxScheme::kNaive;  // measures without touching the iterate
    solver.settings.relaxation = 1.6;             // wavers
    solver.settings.stopping.criterion = StopCriterion::kImpulseChange;
    solver.settings.stopping.relativeTolerance = 1e-3;
    solver.settings.stopping.checkEvery = 1;
    const Solved answer = solveWith(solver, budget, pile);
    ASSERT_EQ(answer.report.status, SolveStatus::kConverged);
    ASSERT_EQ(answer.report.stepReductions, 0);
    budget.iterations = answer.report.iterations;
    solver.settings.stopping.checkEvery = answer.report.iterations + 1;  // measures nothing
    EXPECT_EQ(solveWith(solver, budget, pile).lambda, answer.lambda) << seed;
    solver.settings.stopping.checkEvery = 1;
    solver.settings.stopping.criterion = StopCriterion::kNaturalMap;
    budget.tolerance = 0;
    solveWith(solver, budget, pile);
    Real best = kInfinity;
    for (const auto& entry : solver.history().entries()) best = std::min(best, entry.residual);
    lastIsNotBest += answer.judged.naturalMap > 1.01 * best ? 1 : 0;
  }
  EXPECT_GT(lastIsNotBest, 0);
}

TEST(SorProx, IterationLimit_ReturnsTheLastIterateUnlessTheBestOneIsTwiceAsGood) {
  const StoredProblem pile = test::randomPile(FrictionModel::kCone, 5, 5, 5, 0.5, 1);
  SorProxSolver solver;
  Budget budget;
  solver.settings.stopping.checkEvery = 1;
  budget.tolerance = 0;
  solver.settings.relaxation = 1.95;  // wavers
  int lastIsNotBest = 0, lastIsMuchWorse = 0;
  for (int limit = 1; limit <= 60; ++limit) {
    budget.iterations = limit;
    const Solved answer = solveWith(solver, budget, pile);
    const auto history = solver.history().entries();
    Real best = kInfinity;
    for (const auto& entry : history) best = std::min(best, entry.residual);
    const Real last = history.back().residual;
    lastIsNotBest += last > best && last <= 2 * best ? 1 : 0;
    lastIsMuchWorse += last > 2 * best ? 1 : 0;
    // The judge sums in another order: round-off of velocities of some m/s.
    EXPECT_NEAR(answer.judged.naturalMap, last <= 2 * best ? last : best, 1e-13) << limit;
  }
  EXPECT_GT(lastIsNotBest, 0);
  EXPECT_GT(lastIsMuchWorse, 0);
}

TEST(SorProx, IterationLimit_JudgesTheLastIterateEvenWhenTheHistoryIsFull) {
  // The naive scheme measures without touching the iterate, so that runs of different lengths
  // pass through the same iterates: what limit n + 1 has as its last is told by its history as long
  // as that is not full, and by the answer of a run that stops there.
  const StoredProblem pile = test::randomPile(FrictionModel::kCone, 5, 5, 5, 0.5, 1);
  SorProxSolver solver;
  Budget solverBudget;
  solver.settings.scheme = ProxScheme::kNaive;
  solver.settings.stopping.checkEvery = 1;
  solverBudget.tolerance = 0;
  solver.settings.relaxation = 1.95;
  SorProxSolver single;  // continues a run by one sweep
  Budget singleBudget;
  single.settings = solver.settings;
  singleBudget.iterations = 1;
  single.settings.stopping.checkEvery = 2;  // measures nothing: returns what it has
  std::vector<Real> iterate(pile.b.size(), 0);
  std::vector<RowState> states(pile.b.size());
  Real best = naturalMapOf(pile, iterate);
  for (int sweep = 1; sweep <= 560; ++sweep) {
    single.solve(pile.view(), singleBudget, {iterate, states});
    const Real last = naturalMapOf(pile, iterate);
    best = std::min(best, last);
    if (sweep < 500 || sweep % 10 != 0) continue;
    solverBudget.iterations = sweep;
    EXPECT_NEAR(solveWith(solver, solverBudget, pile).judged.naturalMap,
                last <= 2 * best ? last : best, 1e-12)
        << sweep;
  }
}

// Iterates are compared by one figure, whether its relative or its confirming part is the larger:
// else the best one by the one is kept for good, and sweeps are for nothing.
TEST(RelativeCriterion, MoreSweeps_GiveABetterAnswer) {
  const StoredProblem heavy = test::boxStack(FrictionModel::kCone, std::vector<Real>(6, 1e5), 0.5);
  const auto naturalMapAfter = [&](int sweeps) {
    SorProxSolver solver;
    Budget budget;
    solver.settings.stopping.criterion = StopCriterion::kRelative;
    solver.settings.stopping.relativeTolerance = 1e-8;
    budget.iterations = sweeps;
    std::vector<Real> lambda(heavy.b.size(), 0);
    std::vector<RowState> state(heavy.b.size());
    solver.solve(heavy.view(), budget, {lambda, state});
    JudgeWorkspace workspace;
    return judge(heavy.view(), lambda, workspace).naturalMap;
  };
  Real last = naturalMapAfter(30);
  // From 700 on the confirmation is the larger part: ten times the other where they meet.
  for (const int sweeps : {100, 300, 700, 1000, 2000, 2900}) {
    const Real now = naturalMapAfter(sweeps);
    EXPECT_LT(now, last) << sweeps << " sweeps";
    last = now;
  }
}

/// Its impulses stay, and their error is what a list says: at the start, and after each sweep.
class ScriptedSystem : public ProxSystem {
 public:
  ScriptedSystem(std::vector<Real> errors, Real roundOff)
      : errors_(std::move(errors)), roundOff_(roundOff) {}
  void reserve(const ProblemSize&) override {}
  void prepare(const ContactProblem&, const SweepPlan&, const StepRule&, int) override {}
  void setImpulses(std::span<const Real> lambda) override {
    lambda_.assign(lambda.begin(), lambda.end());
  }
  void getImpulses(std::span<Real> lambda) const override {
    std::copy(lambda_.begin(), lambda_.end(), lambda.begin());
  }
  void sweep() override {}
  void constraintVelocity(std::span<Real> w) override {
    std::fill(w.begin(), w.end(), 0.0);
    w[0] = errors_.at(next_++);
  }
  void scaleSteps(Real factor) override { scale *= factor; }
  Real roundOff() const override { return roundOff_; }

  Real scale = 1;

 private:
  std::vector<Real> errors_, lambda_;
  Real roundOff_;
  std::size_t next_ = 0;
};

/// Goes from a system that diverges once, and then is at its round-off, to one that is exact.
class TwoPrecisions : public ProxSolver {
 public:
  TwoPrecisions() : ProxSolver({.name = "two", .frictionModels = {FrictionModel::kCone}}) {}

  ScriptedSystem floats{{1e-3, 0.1, 1e-6}, 1e-5}, doubles{{0}, 0};

 private:
  void makePlan(const ContactProblem&, SweepPlan&) override {}
  ProxSystem* layOut(const ContactProblem&, const SweepPlan&, const StepRule&,
                     SolverReport&) override {
    return &floats;
  }
  ProxSystem* sharper(const ContactProblem&, const SweepPlan&, const StepRule&) override {
    return &doubles;
  }
};

TEST(MixedPrecision, StepsThatDivergedInFloat_StayShorterInDouble) {
  TwoPrecisions solver;
  solver.settings.stopping.checkEvery = 1;
  const StoredProblem sphere = test::sphereOnPlane(FrictionModel::kCone, 2, 0.5, Vec3::Zero());
  const Solved answer = solveWith(solver, {.tolerance = 1e-8}, sphere, {1, 0, 0});
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  EXPECT_EQ(answer.report.stepReductions, 1);
  EXPECT_EQ(solver.floats.scale, 0.5);
  EXPECT_EQ(solver.doubles.scale, 0.5);
}

}  // namespace
}  // namespace drystone
