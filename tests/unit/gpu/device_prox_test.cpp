// Sweeps on a device: those of the solvers of the processor that they are twins of.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "gpu/device_prox_solver.h"
#include "gpu/gpu_solvers.h"
#include "solvers/default_registry.h"
#include "solvers/problem/judge.h"
#include "tests/support/problems.h"
#include "tests/unit/gpu/sweeps.h"
#include "tests/unit/gpu/targets.h"

namespace drystone {
namespace {

using gpu::DeviceJorSolver;
using gpu::DeviceSorSolver;
using gpu::Target;

using test::allowed;
using test::Answer;
using test::expectResidualOfTwin;
using test::kModels;
using test::relativeDifference;
using test::solve;
using test::sweepOnly;

std::vector<StoredProblem> problemsOf(FrictionModel model) {
  std::vector<StoredProblem> problems = {test::randomPile(model, 4, 4, 4, 0.5, 2),
                                         test::pileWithJoints(model, 0.5, 2)};
  for (StoredProblem& problem : problems) {
    for (ProblemBlock& block : problem.blocks) block.normalBound = 0.2;
  }
  // One with compliance, which is laid out only where there is any.
  problems.push_back(problems.back());
  problems.back().compliance.assign(problems.back().b.size(), 0.01);
  return problems;
}

class DeviceProx : public test::OnTarget {};

struct Scheme {
  gpu::DeviceScheme own;
  ProxScheme ofTwin;
};
constexpr Scheme kSchemes[] = {{gpu::DeviceScheme::kFactorized, ProxScheme::kFactorized},
                               {gpu::DeviceScheme::kNaive, ProxScheme::kNaive}};

/// 25 sweeps of the solver and its twin from zero, in double and in float.
void expectSweepsOfTwin(gpu::DeviceProxSolver& solver, Scheme scheme, ProxSolver& twin,
                        const StoredProblem& problem) {
  twin.settings.scheme = scheme.ofTwin;
  sweepOnly(twin, 25);
  const Budget budget = sweepOnly(solver, 25);
  solver.scheme = scheme.own;
  const std::vector<Real> expected = solve(twin, problem, budget).lambda;
  for (const auto precision : {SweepPrecision::kDouble, SweepPrecision::kFloat}) {
    solver.precision = precision;
    EXPECT_LE(relativeDifference(solve(solver, problem, budget).lambda, expected),
              allowed(precision))
        << frictionModelName(problem.friction) << ", scheme " << static_cast<int>(scheme.own);
  }
}

// Within 1e-12 is not enough: a fused multiply-add or sums in another order would be as near.
TEST_P(DeviceProx, Sweeps_HaveTheBitsOfTheHost) {
  for (const FrictionModel model : kModels) {
    for (const StoredProblem& problem : problemsOf(model)) {
      for (const Scheme scheme : kSchemes) {
        DeviceSorSolver sor(GetParam()), sorOfHost(gpu::Target::kHost);
        DeviceJorSolver jor(GetParam()), jorOfHost(gpu::Target::kHost);
        sor.scheme = sorOfHost.scheme = jor.scheme = jorOfHost.scheme = scheme.own;
        test::expectSameBits(sor, sorOfHost, problem);
        test::expectSameBits(jor, jorOfHost, problem);
      }
    }
  }
}

// All colors safe, or one swept at once; contacts or manifolds a thread.
TEST_P(DeviceProx, Sor_SweepsAsTheColoredSweepOfTheProcessor) {
  for (const FrictionModel model : kModels) {
    for (const StoredProblem& problem : problemsOf(model)) {
      for (const Real least : {0.0, 0.2}) {
        for (const ColorUnit unit : {ColorUnit::kContact, ColorUnit::kManifold}) {
          for (const Scheme scheme : kSchemes) {
            SorProxColoredSolver colored;
            DeviceSorSolver solver(GetParam());
            colored.coloringSettings = {ColorChoice::kGreedy, unit, least};
            solver.coloringSettings = colored.coloringSettings;
            expectSweepsOfTwin(solver, scheme, colored, problem);
          }
        }
      }
    }
  }
}

TEST_P(DeviceProx, Jor_SweepsAsJacobiOfTheProcessor) {
  for (const FrictionModel model : kModels) {
    for (const StoredProblem& problem : problemsOf(model)) {
      for (const StepStrategy step : {StepStrategy::kSplit, StepStrategy::kGlobal}) {
        for (const Scheme scheme : kSchemes) {
          JacobiProxSolver jacobi;
          DeviceJorSolver solver(GetParam());
          jacobi.settings.step = solver.settings.step = step;
          expectSweepsOfTwin(solver, scheme, jacobi, problem);
        }
      }
    }
  }
}

TEST_P(DeviceProx, AssembledProblems_AreSweptBlockByBlock) {
  for (const FrictionModel model : kModels) {
    for (const StoredProblem& problem : problemsOf(model)) {
      SorProxColoredSolver colored;
      DeviceSorSolver sor(GetParam());
      colored.coloringSettings = sor.coloringSettings;
      const StoredProblem twin = test::assembled(problem);
      expectSweepsOfTwin(sor, {gpu::DeviceScheme::kAuto, ProxScheme::kNaive}, colored, twin);
      sor.scheme = gpu::DeviceScheme::kFactorized;
      EXPECT_EQ(solve(sor, twin).report.status, SolveStatus::kUnsupported);
    }
  }
}

TEST_P(DeviceProx, Solves_ToTheResidualOfTheTwin) {
  for (const FrictionModel model : kModels) {
    for (const StoredProblem& problem : problemsOf(model)) {
      DeviceSorSolver sor(GetParam());
      SorProxColoredSolver colored;
      colored.coloringSettings = sor.coloringSettings;
      expectResidualOfTwin(sor, colored, problem);
      DeviceJorSolver jor(GetParam());
      JacobiProxSolver jacobi;
      expectResidualOfTwin(jor, jacobi, problem);
    }
  }
}

// In double w comes from the device; in float its round-off is the end.
TEST_P(DeviceProx, EachPrecision_MeasuresWhatTheJudgeDoes) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.5, 2);
  for (const auto precision : {SweepPrecision::kDouble, SweepPrecision::kFloat}) {
    DeviceSorSolver solver(GetParam());
    solver.precision = precision;
    const Answer answer = solve(solver, problem, {.tolerance = 0, .iterations = 20});
    EXPECT_NEAR(solver.history().entries().back().residual / answer.judge.naturalMap, 1, 1e-6);
  }
}

TEST_P(DeviceProx, AnswersInFloat_AreOnTheSetsOfTheLawsInDouble) {
  for (const FrictionModel model : kModels) {
    for (const StoredProblem& problem : problemsOf(model)) {
      for (const Scheme scheme : kSchemes) {
        DeviceSorSolver sor(GetParam());
        DeviceJorSolver jor(GetParam());
        sor.precision = jor.precision = SweepPrecision::kFloat;
        sor.scheme = jor.scheme = scheme.own;
        SCOPED_TRACE(frictionModelName(model));
        test::expectOnTheSets(sor, problem);
        test::expectOnTheSets(jor, problem);
      }
    }
  }
}

/// A sweep with R halved after the layout, and one with half the relaxation from the start.
template <class System>
void expectScaledSteps(System& system, const StoredProblem& problem, bool isSimultaneous) {
  const ContactProblem view = problem.view();
  SweepPlan plan;
  if (isSimultaneous) {
    plan.setSimultaneous(view);
  } else {
    Coloring().plan(view, {}, plan);
  }
  std::vector<Real> scaled(view.rowCount(), 0.1), asked(view.rowCount(), 0.1);
  system.prepare(view, plan, {}, 1);
  system.setImpulses(scaled);
  system.scaleSteps(0.5);
  system.sweep();
  system.getImpulses(scaled);
  system.prepare(view, plan, {.relaxation = 0.5}, 1);
  system.setImpulses(asked);
  system.sweep();
  system.getImpulses(asked);
  EXPECT_LE(relativeDifference(scaled, asked), 1e-14);
}

// As after divergence, which halves R.
TEST_P(DeviceProx, ScaledSteps_AreThoseOfAnotherRelaxation) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.5, 2);
  for (const bool isSimultaneous : {true, false}) {
    gpu::DeviceSystem<Real> factorized(GetParam());
    expectScaledSteps(factorized, problem, isSimultaneous);
    gpu::DeviceBlockSystem<Real> naive(GetParam());
    expectScaledSteps(naive, problem, isSimultaneous);
  }
}

// Nothing is left of the problem before, larger or smaller, of another model or of other colors.
TEST_P(DeviceProx, TheSameProblem_GivesTheSameBitsWhateverCameBefore) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.5, 2);
  for (const auto precision : {SweepPrecision::kDouble, SweepPrecision::kMixed}) {
    DeviceSorSolver fresh(GetParam()), used(GetParam());
    fresh.precision = used.precision = precision;
    const std::vector<Real> expected = solve(fresh, problem).lambda;
    solve(used, test::randomPile(FrictionModel::kContensou, 5, 5, 3, 0.4, 7));
    solve(used, test::boxOnPlane(FrictionModel::kNone, 2, 0.5));
    const std::vector<Real> again = solve(used, problem).lambda;
    EXPECT_EQ(std::memcmp(expected.data(), again.data(), expected.size() * sizeof(Real)), 0);
  }
}

/// 25 sweeps by `used`, whose last problem was another, have the bits of a new solver.
void expectFreshBits(gpu::DeviceProxSolver& used, gpu::DeviceProxSolver& fresh,
                     const StoredProblem& problem, const char* what) {
  for (const auto precision : {SweepPrecision::kDouble, SweepPrecision::kFloat}) {
    used.precision = fresh.precision = precision;
    sweepOnly(used, 25);
    const Budget budget = sweepOnly(fresh, 25);
    EXPECT_EQ(solve(used, problem, budget).lambda, solve(fresh, problem, budget).lambda) << what;
  }
}

/// A change of a problem that leaves the blocks with their bodies and rows, or does not.
struct Change {
  const char* what;
  void (*apply)(StoredProblem&);
};
constexpr Change kChanges[] = {
    {"friction",
     [](StoredProblem& p) {
       for (ProblemBlock& block : p.blocks) block.friction *= 0.3;
     }},
    {"normal bound",
     [](StoredProblem& p) {
       for (ProblemBlock& block : p.blocks) block.normalBound = 0.01;
     }},
    {"b",
     [](StoredProblem& p) {
       for (Real& b : p.b) b = 1.5 * b - 0.01;
     }},
    {"J of A",
     [](StoredProblem& p) {
       for (Vec6& row : p.jacobianA) row *= 1.1;
     }},
    {"J of B",
     [](StoredProblem& p) {
       for (Vec6& row : p.jacobianB) row *= 1.1;
     }},
    {"masses", [](StoredProblem& p) { p.bodies.front().inverseMass *= 2; }},
    {"inertias", [](StoredProblem& p) { p.bodies.back().inverseInertia *= 3; }},
    {"limits",
     [](StoredProblem& p) {
       for (Real& upper : p.upper) upper = std::min(upper, 0.01);
     }},
    {"compliance", [](StoredProblem& p) { p.compliance.assign(p.b.size(), 0.02); }},
    {"no compliance", [](StoredProblem& p) { p.compliance.clear(); }},
    {"body A", [](StoredProblem& p) { std::swap(p.blocks.front().bodyA, p.blocks.back().bodyA); }},
    {"body B", [](StoredProblem& p) { std::swap(p.blocks.front().bodyB, p.blocks.back().bodyB); }},
    {"a body more", [](StoredProblem& p) { p.bodies.push_back(p.bodies.front()); }},
    {"order of rows",
     [](StoredProblem& p) {
       std::swap(p.blocks[p.blocks.size() - 1].firstRow, p.blocks[p.blocks.size() - 2].firstRow);
     }},
    {"box", [](StoredProblem& p) { p.friction = FrictionModel::kBox; }},
};

// Layouts stay while the graph does: none of what they are filled with may.
TEST_P(DeviceProx, KeptLayouts_AreFilledWithTheNewProblem) {
  StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.5, 2);
  for (ProblemBlock& block : problem.blocks) block.normalBound = 0.2;
  DeviceSorSolver sor(GetParam());
  DeviceJorSolver jor(GetParam());
  for (const Change& change : kChanges) {
    change.apply(problem);
    DeviceSorSolver freshSor(GetParam());
    expectFreshBits(sor, freshSor, problem, change.what);
    DeviceJorSolver freshJor(GetParam());
    expectFreshBits(jor, freshJor, problem, change.what);
  }
  DeviceSorSolver fresh(GetParam());
  fresh.coloringSettings.leastShare = sor.coloringSettings.leastShare = 0.2;
  expectFreshBits(sor, fresh, problem, "colors");
  fresh.settings.step = sor.settings.step = StepStrategy::kLocal;
  expectFreshBits(sor, fresh, problem, "steps");
  fresh.settings.relaxation = sor.settings.relaxation = 0.7;
  expectFreshBits(sor, fresh, problem, "relaxation");
}

// Seen by a plan that says it is the last one, and is not: the order of the sweep stays.
TEST_P(DeviceProx, Layouts_AreKeptExactlyAsLongAsTheRevisionOfThePlan) {
  const StoredProblem problem = test::randomPile(FrictionModel::kCone, 3, 3, 3, 0.5, 2);
  const ContactProblem view = problem.view();
  SweepPlan plan;
  plan.setSequential(view);
  plan.revision = newRevision();
  gpu::DeviceSystem<Real> system(GetParam());
  const auto sweepOf = [&](const SweepPlan& of) {
    std::vector<Real> lambda(view.rowCount(), 0.1);
    system.prepare(view, of, {}, 2);
    system.setImpulses(lambda);
    system.sweep();
    system.getImpulses(lambda);
    return lambda;
  };
  const std::vector<Real> first = sweepOf(plan);
  SweepPlan reversed = plan;
  std::reverse(reversed.blocks.begin(), reversed.blocks.end());
  EXPECT_EQ(sweepOf(reversed), first);
  reversed.revision = newRevision();
  const std::vector<Real> second = sweepOf(reversed);
  EXPECT_NE(second, first);
  reversed.revision = plan.revision = 0;
  EXPECT_EQ(sweepOf(plan), first);
  EXPECT_EQ(sweepOf(reversed), second);
}

// Threads share layout, copies and measurements.
TEST_P(DeviceProx, MoreThreads_ChangeNoBit) {
  // Several ranges of blocks and of bodies.
  const StoredProblem problem = test::randomPile(FrictionModel::kCone, 20, 20, 15, 0.5, 2);
  ASSERT_GT(problem.bodies.size(), 5000U);
  for (const Real least : {0.0, 0.2}) {
    DeviceSorSolver one(GetParam()), four(GetParam());
    one.precision = four.precision = SweepPrecision::kFloat;
    one.coloringSettings.leastShare = four.coloringSettings.leastShare = least;
    Budget budget{.tolerance = 0, .iterations = 3};
    const std::vector<Real> expected = solve(one, problem, budget).lambda;
    budget.threads = 4;
    EXPECT_EQ(solve(four, problem, budget).lambda, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, DeviceProx, test::everyTarget(), test::targetName);

TEST(GpuSolvers, WithoutADevice_AreListedWithTheReasonAndLeaveTheImpulsesAlone) {
  if (gpu::whyUnavailable().empty())
    GTEST_SKIP() << "needs no CUDA device: CUDA_VISIBLE_DEVICES= hides those that are here";
  SolverRegistry registry = makeDefaultRegistry();
  gpu::addGpuSolvers(registry);
  for (const char* name : {"gpu-sor", "gpu-jor", "gpu-staggered"}) {
    const SolverTraits& traits = registry.traits(name);
    EXPECT_THAT(std::string(traits.unavailable()), testing::HasSubstr("CUDA"));
    EXPECT_TRUE(registry.traits(traits.cpuTwin).unavailable().empty());
    const StoredProblem problem = test::boxOnPlane(FrictionModel::kCone, 2, 0.5);
    std::vector<Real> lambda(problem.b.size(), 0.25);
    std::vector<RowState> state(problem.b.size());
    const auto report = registry.create(name)->solve(problem.view(), {}, {lambda, state});
    EXPECT_EQ(report.status, SolveStatus::kUnsupported);
    EXPECT_THAT(lambda, testing::Each(0.25));
  }
}

}  // namespace
}  // namespace drystone
