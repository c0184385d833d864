// What every registered solver must do, whatever its method. A new solver needs no line here.
#include <algorithm>
#include <cmath>
#include <functional>
#include <sstream>
#include <utility>

#include "solvers/default_registry.h"
#include "tests/conformance/conformance.h"
#include "tests/support/allocation_counter.h"

namespace drystone::test {
namespace {

/// Room for the slow ones.
constexpr int kManyIterations = 200'000;

/// Solves tightly: answers are then compared with each other to kSameVelocity.
constexpr Real kTight = 1e-9;         // [m/s]
constexpr Real kSameVelocity = 1e-6;  // [m/s] kTight times the conditioning of the set

class EverySolver : public Conformance {
 protected:
  EverySolver() { budget_.iterations = std::max(traits().iterations, kManyIterations); }
  void solveTightly() { budget_.tolerance = 2 * kTight; }

  /// Only these have one w: contact in closed form, or a convex problem.
  bool hasUniqueVelocity(const std::string& name) const {
    const FrictionModel model = GetParam().model;
    if (model == FrictionModel::kNone || model == FrictionModel::kBox) return true;
    return name.find("pile") == std::string::npos;
  }
};
INSTANTIATE_TEST_SUITE_P(Solvers, EverySolver, ::testing::ValuesIn(supportedCases()), caseName);

/// The supported cases of the solvers whose traits promise something.
template <class Promise>
std::vector<SolverCase> casesWith(Promise&& promise) {
  const SolverRegistry registry = makeDefaultRegistry();
  std::vector<SolverCase> cases = supportedCases();
  std::erase_if(cases,
                [&](const SolverCase& one) { return !promise(registry.traits(one.solver)); });
  return cases;
}

class SolverOfBothForms : public EverySolver {};
INSTANTIATE_TEST_SUITE_P(Solvers, SolverOfBothForms,
                         ::testing::ValuesIn(casesWith([](const SolverTraits& traits) {
                           return traits.takesBodyForm && traits.takesAssembledForm;
                         })),
                         caseName);

class WarmStartedSolver : public EverySolver {};
INSTANTIATE_TEST_SUITE_P(Solvers, WarmStartedSolver,
                         ::testing::ValuesIn(casesWith(std::mem_fn(&SolverTraits::usesWarmStart))),
                         caseName);

class DeterministicSolver : public EverySolver {};
INSTANTIATE_TEST_SUITE_P(Solvers, DeterministicSolver,
                         ::testing::ValuesIn(casesWith(std::mem_fn(&SolverTraits::deterministic))),
                         caseName);

TEST_P(EverySolver, ProblemSet_IsSolvedByTheJudge) {
  for (const NamedProblem& named : problems()) {
    const Solution solution = solve(named.problem);
    EXPECT_TRUE(isSolved(solution))
        << named.name << ": " << solveStatusName(solution.result.solver.status) << " after "
        << solution.result.solver.iterations << ", judged " << solution.result.judge.naturalMap;
  }
}

// A solver may fail, and must say so. What it calls converged holds at the tolerance that it was
// given, whatever it may spend.
TEST_P(EverySolver, ClaimOfConvergence_HoldsBeforeTheJudge) {
  const struct {
    int iterations;
    Real tolerance;
  } cases[] = {{3, 1e-4}, {40, 1e-8}, {kManyIterations, 1e-6}};
  for (const auto& [iterations, tolerance] : cases) {
    budget_.iterations = iterations;
    setIfPresent("max_inner_iterations", std::int64_t{iterations});
    budget_.tolerance = tolerance;
    for (const NamedProblem& named : problems()) {
      const Solution solution = solve(named.problem);
      EXPECT_LE(solution.result.solver.iterations, iterations) << named.name;
      if (solution.result.solver.status != SolveStatus::kConverged) continue;
      EXPECT_LE(solution.result.judge.naturalMap, allowedNaturalMap(solution, tolerance))
          << named.name << " at " << tolerance;
    }
  }
}

TEST_P(EverySolver, BudgetWithoutIterations_LeavesTheWarmStart) {
  budget_.iterations = 0;
  for (const NamedProblem& named : problems()) {
    Solution start;
    start.lambda.assign(named.problem.b.size(), 0.125);
    start.state.assign(named.problem.b.size(), RowState::kFree);
    const Solution solution = solve(named.problem, &start);
    if (!wasSolved(solution.result.reason)) continue;
    EXPECT_EQ(solution.lambda, start.lambda) << named.name;
    EXPECT_EQ(solution.state, start.state) << named.name;
    EXPECT_EQ(solution.result.solver.status, SolveStatus::kIterationLimit);
    EXPECT_EQ(solution.result.solver.iterations, 0);
  }
}

// Where there is no solution every solver ends with finite impulses and does not claim one, by
// whatever it measures. Loosely, so that impulses which grow by ever smaller shares of themselves
// come within the tolerance.
TEST_P(EverySolver, ProblemWithoutASolution_IsNeverCalledSolved) {
  budget_.iterations = 5000;
  std::vector<NamedProblem> hopeless = {
      {"squeezed", sphereSqueezed(GetParam().model, 0.3)},
      {"squeezed_frictionless", sphereSqueezed(GetParam().model, 0)},
      {"impossible_row", sphereBesideImpossibleRow(GetParam().model)}};
  for (std::size_t i = 0; i < 3; ++i) {
    hopeless.push_back({hopeless[i].name + "_assembled", assembled(hopeless[i].problem)});
  }
  for (const char* criterion : {"natural_map", "relative", "impulse_change"}) {
    setIfPresent("criterion", std::string(criterion));
    budget_.tolerance = 2e-3;
    setIfPresent("relative_tolerance", 1e-3);
    for (const NamedProblem& named : hopeless) {
      if (!takes(named.problem)) continue;
      SCOPED_TRACE(named.name + " by " + criterion);
      const Solution solution = solve(named.problem);
      EXPECT_NE(solution.result.solver.status, SolveStatus::kConverged);
      EXPECT_FALSE(solution.result.withinTolerance);
      EXPECT_TRUE(solution.result.judge.finite);
      for (const Real impulse : solution.lambda) EXPECT_TRUE(std::isfinite(impulse));
    }
  }
}

// That row is not the sphere's business, which is carried all the same: λ_n = m g h.
TEST_P(EverySolver, RowThatNothingMoves_IsInfeasibleAndSpoilsNoOther) {
  for (const bool isAssembled : {false, true}) {
    StoredProblem problem = sphereBesideImpossibleRow(GetParam().model);
    if (isAssembled) problem = assembled(problem);
    if (!takes(problem)) continue;
    const Solution solution = solve(problem);
    EXPECT_EQ(solution.result.solver.status, SolveStatus::kInfeasible);
    EXPECT_NEAR(solution.lambda[0], 2 * kGravity * kTimestep, 1e-5);
  }
}

// What a solver takes as its excuse must be there: the slip of contacts times their friction. 1e-9
// of it for the order of summation.
TEST_P(EverySolver, RelaxationError_IsNoMoreThanTheShiftOfWhatSlides) {
  for (const NamedProblem& named : problems()) {
    const Solution solution = solve(named.problem);
    const Real shift = largestShift(named.problem, solution);
    EXPECT_LE(solution.result.solver.relaxationError, (1 + 1e-9) * shift) << named.name;
  }
}

TEST_P(SolverOfBothForms, BodyFormAndAssembledForm_GiveTheSameVelocity) {
  solveTightly();
  for (const NamedProblem& named : problemSet(GetParam().model)) {
    if (!takes(named.problem) || !hasUniqueVelocity(named.name)) continue;
    const Solution body = solve(named.problem);
    const Solution twin = solve(assembled(named.problem));
    EXPECT_LE(largestDifference(body.w, twin.w), kSameVelocity) << named.name;
  }
}

TEST_P(EverySolver, BlocksInReverseOrder_GiveTheSameVelocity) {
  solveTightly();
  for (const NamedProblem& named : problemSet(GetParam().model)) {
    if (!takes(named.problem) || !hasUniqueVelocity(named.name)) continue;
    const int blocks = static_cast<int>(named.problem.blocks.size());
    std::vector<int> order(blocks);
    for (int i = 0; i < blocks; ++i) order[i] = blocks - 1 - i;
    const StoredProblem reversed = renumbered(named.problem, order);
    const Solution expected = solve(named.problem);
    const Solution actual = solve(reversed);
    Real difference = 0;
    for (int i = 0; i < blocks; ++i) {
      const int from = named.problem.blocks[order[i]].firstRow;
      const int to = reversed.blocks[i].firstRow;
      for (int row = 0; row < reversed.blocks[i].rows; ++row) {
        difference = std::max(difference, std::abs(actual.w[to + row] - expected.w[from + row]));
      }
    }
    EXPECT_LE(difference, kSameVelocity) << named.name;
  }
}

// Heavier by 1000: impulses grow by 1000, velocities stay.
TEST_P(EverySolver, MassesTimes1000_LeaveTheVelocity) {
  solveTightly();
  for (const NamedProblem& named : problemSet(GetParam().model)) {
    if (!takes(named.problem) || !hasUniqueVelocity(named.name)) continue;
    StoredProblem heavy = named.problem;
    for (InverseInertia& body : heavy.bodies) {
      body.inverseMass /= 1000;
      body.inverseInertia /= 1000;
    }
    for (Real& compliance : heavy.compliance) compliance /= 1000;
    for (Real& bound : heavy.lower) bound *= 1000;
    for (Real& bound : heavy.upper) bound *= 1000;
    for (ProblemBlock& block : heavy.blocks) block.normalBound *= 1000;
    EXPECT_LE(largestDifference(solve(heavy).w, solve(named.problem).w), kSameVelocity)
        << named.name;
  }
}

// Lengths in units of 1/8 m: velocities and impulses times 8, arms times 8, inertia times 64.
TEST_P(EverySolver, AnotherUnitOfLength_ScalesTheVelocity) {
  constexpr Real kScale = 8;
  solveTightly();
  for (const NamedProblem& named : problemSet(GetParam().model)) {
    if (!takes(named.problem) || !hasUniqueVelocity(named.name)) continue;
    StoredProblem scaled = named.problem;
    for (InverseInertia& body : scaled.bodies) body.inverseInertia /= kScale * kScale;
    for (Vec6& row : scaled.jacobianA) row.tail<3>() *= kScale;
    for (Vec6& row : scaled.jacobianB) row.tail<3>() *= kScale;
    for (Real& b : scaled.b) b *= kScale;
    for (Real& bound : scaled.lower) bound *= kScale;
    for (Real& bound : scaled.upper) bound *= kScale;
    for (ProblemBlock& block : scaled.blocks) block.normalBound *= kScale;
    Solution actual = solve(scaled);
    for (Real& w : actual.w) w /= kScale;
    EXPECT_LE(largestDifference(actual.w, solve(named.problem).w), kSameVelocity) << named.name;
  }
}

// The world turned by a rotation leaves A and b as they are, up to round-off.
TEST_P(EverySolver, TurnedWorld_GivesTheSameVelocity) {
  solveTightly();
  const Mat3 turn = Quat(0.5, 0.1, -0.7, 0.4).normalized().toRotationMatrix();
  for (const NamedProblem& named : problemSet(GetParam().model)) {
    if (!takes(named.problem) || !hasUniqueVelocity(named.name)) continue;
    StoredProblem turned = named.problem;
    for (InverseInertia& body : turned.bodies) {
      body.inverseInertia = (turn * body.inverseInertia * turn.transpose()).eval();
    }
    for (auto* jacobian : {&turned.jacobianA, &turned.jacobianB}) {
      for (Vec6& row : *jacobian) {
        row.head<3>() = (turn * row.head<3>()).eval();
        row.tail<3>() = (turn * row.tail<3>()).eval();
      }
    }
    EXPECT_LE(largestDifference(solve(turned).w, solve(named.problem).w), kSameVelocity)
        << named.name;
  }
}

TEST_P(WarmStartedSolver, WarmStartAtItsOwnSolution_EndsInFewIterations) {
  constexpr int kFew = 10;  // one interval between measurements
  for (const NamedProblem& named : problems()) {
    const Solution first = solve(named.problem);
    if (first.result.solver.status != SolveStatus::kConverged) continue;
    const Solution second = solve(named.problem, &first);
    EXPECT_LE(second.result.solver.iterations, kFew) << named.name;
    EXPECT_TRUE(isSolved(second)) << named.name;
  }
}

TEST_P(EverySolver, NaNInTheWarmStart_DoesNoHarm) {
  for (const NamedProblem& named : problems()) {
    Solution poisoned;
    poisoned.lambda.assign(named.problem.b.size(), std::numeric_limits<Real>::quiet_NaN());
    poisoned.state.assign(named.problem.b.size(), RowState::kFree);
    EXPECT_TRUE(isSolved(solve(named.problem, &poisoned))) << named.name;
  }
}

TEST_P(DeterministicSolver, CallerWithoutRowStates_GetsTheSameAnswer) {
  for (const NamedProblem& named : problems()) {
    const ContactProblem problem = named.problem.view();
    std::vector<Real> expected(problem.b.size(), 0), lambda = expected;
    std::vector<RowState> states(problem.b.size(), RowState::kUnknown);
    solver_->solve(problem, budget_, {expected, states});
    solver_->solve(problem, budget_, {lambda, {}});
    EXPECT_EQ(lambda, expected) << named.name;
  }
}

TEST_P(DeterministicSolver, SameProblemAgain_GivesTheSameBits) {
  std::vector<NamedProblem> taken = problems();
  if (traits().takesBodyForm) {
    std::erase_if(taken, [](const auto& named) { return named.problem.assembled.has_value(); });
  }
  // Fresh objects against one that has solved all problems before.
  for (const NamedProblem& named : taken) solve(named.problem);
  for (const NamedProblem& named : taken) {
    const std::vector<Real> again = solve(named.problem).lambda;
    auto used = std::exchange(solver_, makeSolver());
    EXPECT_EQ(again, solve(named.problem).lambda) << named.name;
    solver_ = std::move(used);
  }
}

TEST_P(DeterministicSolver, MoreThreads_GiveTheSameBits) {
  for (const NamedProblem& named : problems()) {
    budget_.threads = 1;
    const Solution expected = solve(named.problem);
    for (const int threads : {2, 3}) {
      budget_.threads = threads;
      EXPECT_EQ(solve(named.problem).lambda, expected.lambda)
          << named.name << " on " << threads << " threads";
    }
  }
}

// No time at all: what is not solved by then is called so, and after one iteration at most, or the
// few between two looks at the clock.
TEST_P(EverySolver, TimeThatIsOver_EndsTheSolve) {
  constexpr int kBetweenLooks = 16;
  budget_.seconds = 0;
  for (const NamedProblem& named : problems()) {
    const Solution solution = solve(named.problem);
    EXPECT_LE(solution.result.solver.iterations, kBetweenLooks) << named.name;
    if (isSolved(solution)) continue;
    EXPECT_EQ(solution.result.solver.status, SolveStatus::kTimeLimit) << named.name;
  }
}

TEST_P(EverySolver, SecondSolve_AllocatesNothing) {
  for (const NamedProblem& named : problems()) {
    std::vector<Real> lambda(named.problem.b.size());
    std::vector<RowState> state(named.problem.b.size());
    const ContactProblem problem = named.problem.view();
    solver_->solve(problem, budget_, {lambda, state});
    std::fill(lambda.begin(), lambda.end(), 0);
    std::fill(state.begin(), state.end(), RowState::kUnknown);
    const auto before = allocationCount();
    solver_->solve(problem, budget_, {lambda, state});
    EXPECT_EQ(allocationCount(), before) << named.name;
  }
}

// What the setting offers, and not a list of our own, so that a new preconditioner or another
// default is not forgotten.
// A cube of 3 kg on μ = 0.4 slides off at 2 m/s. By the law it stays on the plane; the convex
// relaxation lets it rise by μ 2 m/s, less what friction takes. Pivots are done with the sides of a
// pyramid whatever the tolerance; the directions of a cone they turn until it is met.
TEST(SolverTraits, FrictionLawAndEnd_AreWhatASlidingCubeShows) {
  const SolverRegistry registry = makeDefaultRegistry();
  Budget loose;
  loose.tolerance = 1e-3;
  for (const std::string& name : registry.names()) {
    const SolverTraits& traits = registry.traits(name);
    if (!traits.unavailable().empty()) continue;
    const auto solver = registry.create(name);
    loose.iterations = std::max(traits.iterations, kManyIterations);
    const auto leaves = [&](FrictionModel model) {
      return solveWith(*solver, loose, boxOnPlane(model, 3, 0.4, 2)).judged.naturalMap;
    };
    const Real left = leaves(FrictionModel::kCone);
    EXPECT_EQ(left > loose.tolerance, traits.relaxesFriction) << name << " leaves " << left;
    if (traits.endsAtRoundOff) {
      EXPECT_LT(leaves(FrictionModel::kPyramid), 1e-11) << name;
    }
  }
}

TEST(SolverCases, EveryPreconditioner_IsOneOfBothKrylovSolversWithEveryModel) {
  const std::vector<SolverCase> cases = supportedCases();
  for (const char* name : {"bpp-pcg", "pgcg"}) {
    const auto solver = makeDefaultRegistry().create(name);
    const std::vector<SettingDescription> settings = describeSettings(*solver);
    const auto kinds = std::find_if(settings.begin(), settings.end(),
                                    [](const auto& one) { return one.name == "preconditioner"; });
    ASSERT_NE(kinds, settings.end());
    std::istringstream names(kinds->range);
    int count = 0;
    for (std::string kind; std::getline(names >> std::ws, kind, ','); ++count) {
      const bool isDefault = kind == std::get<std::string>(kinds->value);
      const auto found = std::count_if(cases.begin(), cases.end(), [&](const SolverCase& one) {
        return one.solver == name &&
               (isDefault ? one.setting.empty()
                          : one.setting == "preconditioner" && one.value == kind);
      });
      EXPECT_EQ(found, solver->traits().frictionModels.size()) << name << ", " << kind;
    }
    EXPECT_EQ(count, 7) << kinds->range;
  }
}

class UnsupportedModel : public Conformance {};
INSTANTIATE_TEST_SUITE_P(Solvers, UnsupportedModel, ::testing::ValuesIn(unsupportedCases()),
                         caseName);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(UnsupportedModel);

TEST_P(UnsupportedModel, IsRefusedAndImpulsesAreLeftAlone) {
  const StoredProblem problem = boxOnPlane(GetParam().model, 3, 0.4);
  std::vector<Real> lambda(problem.b.size(), 0.5);
  std::vector<RowState> state(problem.b.size(), RowState::kFree);
  const std::vector<Real> before = lambda;
  const SolverReport report = solver_->solve(problem.view(), budget_, {lambda, state});
  EXPECT_EQ(report.status, SolveStatus::kUnsupported);
  EXPECT_EQ(lambda, before);
}

}  // namespace
}  // namespace drystone::test
