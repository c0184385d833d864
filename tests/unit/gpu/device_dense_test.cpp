// Dense iterations on a device: those of the processor on the block-sparse T, in the same order.
#include <gtest/gtest.h>

#include <initializer_list>

#include "gpu/device_dense_solver.h"
#include "solvers/prox/t_system.h"
#include "tests/support/problem_builder.h"
#include "tests/support/problems.h"
#include "tests/unit/gpu/sweeps.h"
#include "tests/unit/gpu/targets.h"

namespace drystone {
namespace {

using gpu::DeviceDenseSolver;
using gpu::DeviceJorDenseSolver;
using gpu::DeviceSorDenseSolver;
using gpu::DeviceSorRelaxedSolver;
using test::allowed;
using test::expectResidualOfTwin;
using test::kModels;
using test::relativeDifference;
using test::solve;
using test::sweepOnly;

constexpr int kSweeps = 8;

/// 169 contacts: neither a multiple of a diagonal block nor of a block of threads.
StoredProblem pile(FrictionModel model) {
  StoredProblem problem = test::randomPile(model, 4, 4, 4, 0.5, 2);
  for (ProblemBlock& block : problem.blocks) block.normalBound = 0.2;
  return problem;
}

void expectSweeps(DeviceDenseSolver& solver, const StoredProblem& problem,
                  const std::vector<Real>& expected) {
  const Budget budget = sweepOnly(solver, kSweeps);
  for (const auto precision : {SweepPrecision::kDouble, SweepPrecision::kFloat}) {
    solver.precision = precision;
    EXPECT_LE(relativeDifference(solve(solver, problem, budget).lambda, expected),
              allowed(precision))
        << solver.traits().name << " " << frictionModelName(problem.friction);
  }
}

class DeviceDense : public test::OnTarget {};

// Within 1e-12 is not enough: a fused multiply-add or sums in another order would be as near.
TEST_P(DeviceDense, Sweeps_HaveTheBitsOfTheHost) {
  for (const FrictionModel model : kModels) {
    const StoredProblem problem = pile(model);
    DeviceJorDenseSolver jor(GetParam()), jorOfHost(gpu::Target::kHost);
    DeviceSorDenseSolver sor(GetParam()), sorOfHost(gpu::Target::kHost);
    DeviceSorRelaxedSolver relaxed(GetParam()), relaxedOfHost(gpu::Target::kHost);
    test::expectSameBits(jor, jorOfHost, problem);
    test::expectSameBits(sor, sorOfHost, problem);
    test::expectSameBits(relaxed, relaxedOfHost, problem);
  }
}

/// With coupled and, for one global step, uncoupled tangents; in body and in assembled form.
void expectJacobi(gpu::Target target, std::initializer_list<DeviceJorDenseSolver::Kernels> kinds) {
  for (const FrictionModel model : kModels) {
    const StoredProblem problem = pile(model);
    for (const StepStrategy step : {StepStrategy::kSplit, StepStrategy::kGlobal}) {
      JacobiProxSolver jacobi;
      jacobi.settings.scheme = ProxScheme::kT;
      jacobi.settings.step = step;
      const Budget budget = sweepOnly(jacobi, kSweeps);
      const std::vector<Real> expected = solve(jacobi, problem, budget).lambda;
      for (const auto kernels : kinds) {
        DeviceJorDenseSolver solver(target);
        solver.kernels = kernels;
        solver.settings.step = step;
        expectSweeps(solver, problem, expected);
        expectSweeps(solver, test::assembled(problem), expected);
      }
    }
  }
}

TEST_P(DeviceDense, Jor_SweepsAsJacobiOfTheProcessor) {
  using enum DeviceJorDenseSolver::Kernels;
  expectJacobi(GetParam(), {kSplit, kAllInOne126, kAllInOne192});
}

TEST_P(DeviceDense, JorWithCublas_SweepsAsJacobiOfTheProcessor) {
  if (GetParam() == gpu::Target::kCuda && !gpu::whyNoBlas().empty())
    GTEST_SKIP() << "needs a CUDA device and cuBLAS: " << gpu::whyNoBlas();
  using enum DeviceJorDenseSolver::Kernels;
  expectJacobi(GetParam(), {kGemvAdd, kGemv});
}

TEST_P(DeviceDense, AnswersInFloat_AreOnTheSetsOfTheLawsInDouble) {
  for (const FrictionModel model : kModels) {
    const StoredProblem problem = pile(model);
    DeviceJorDenseSolver jor(GetParam());
    DeviceSorDenseSolver sor(GetParam());
    for (DeviceDenseSolver* solver : std::initializer_list<DeviceDenseSolver*>{&jor, &sor}) {
      solver->precision = SweepPrecision::kFloat;
      SCOPED_TRACE(frictionModelName(model));
      test::expectOnTheSets(*solver, problem);
    }
  }
}

// 507 rows: without padding no column but the first starts at a multiple of 32.
TEST_P(DeviceDense, ColumnsThatAreNotAligned_ChangeNoBit) {
  const StoredProblem problem = pile(FrictionModel::kCone);
  DeviceJorDenseSolver jor(GetParam());
  DeviceSorDenseSolver sor(GetParam());
  for (DeviceDenseSolver* solver : std::initializer_list<DeviceDenseSolver*>{&jor, &sor}) {
    const Budget budget = sweepOnly(*solver, kSweeps);
    const std::vector<Real> aligned = solve(*solver, problem, budget).lambda;
    solver->isAligned = false;
    EXPECT_EQ(solve(*solver, problem, budget).lambda, aligned);
  }
}

TEST_P(DeviceDense, Sor_SweepsAsGaussSeidelOfTheProcessor) {
  for (const FrictionModel model : kModels) {
    const StoredProblem problem = pile(model);
    SorProxSolver sor;
    sor.settings.scheme = ProxScheme::kT;
    const Budget budget = sweepOnly(sor, kSweeps);
    const std::vector<Real> expected = solve(sor, problem, budget).lambda;
    for (const auto size :
         {DeviceSorDenseSolver::BlockContacts::k32, DeviceSorDenseSolver::BlockContacts::k64}) {
      DeviceSorDenseSolver solver(GetParam());
      solver.blockContacts = size;
      expectSweeps(solver, problem, expected);
    }
  }
}

/// Groups of contacts at the same time, on the processor.
std::vector<Real> groupedSweeps(const StoredProblem& problem, int group, int sweeps) {
  const ContactProblem view = problem.view();
  SweepPlan plan;
  plan.setSimultaneous(view);
  plan.phases.clear();
  for (int first = 0; first < view.blockCount(); first += group) {
    const int end = std::min(first + group, view.blockCount());
    plan.phases.push_back({first, end, true});
    for (int block = first; block < end; ++block) {
      plan.phaseOf[block] = static_cast<int>(plan.phases.size()) - 1;
    }
  }
  TSystem system;
  system.prepare(view, plan, {}, 1);
  std::vector<Real> lambda(view.rowCount(), 0.02);  // as test::solve
  system.setImpulses(lambda);
  for (int sweep = 0; sweep < sweeps; ++sweep) system.sweep();
  system.getImpulses(lambda);
  return lambda;
}

TEST_P(DeviceDense, RelaxedSor_RenewsAGroupAtTheSameTime) {
  using Group = DeviceSorRelaxedSolver::Group;
  const std::pair<Group, int> groups[] = {
      {Group::k2, 2}, {Group::k4, 4}, {Group::k16, 16}, {Group::k128, 128}};
  for (const FrictionModel model : kModels) {
    const StoredProblem problem = pile(model);
    for (const auto& [group, contacts] : groups) {
      DeviceSorRelaxedSolver solver(GetParam());
      solver.group = group;
      expectSweeps(solver, problem, groupedSweeps(problem, contacts, kSweeps));
    }
  }
}

// Relaxed SOR has no twin: on the box it meets the tolerance.
TEST_P(DeviceDense, Solves_ToTheResidualOfTheTwin) {
  for (const FrictionModel model : {FrictionModel::kCone, FrictionModel::kContensou}) {
    const StoredProblem problem = test::boxOnPlane(model, 2, 0.5, 0.3);
    DeviceJorDenseSolver jor(GetParam());
    JacobiProxSolver jacobi;
    expectResidualOfTwin(jor, jacobi, problem);
    DeviceSorDenseSolver dense(GetParam());
    SorProxSolver sor;
    expectResidualOfTwin(dense, sor, problem);
    DeviceSorRelaxedSolver relaxed(GetParam());
    const test::Answer answer = solve(relaxed, problem, {.tolerance = 1e-9});
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
    EXPECT_LE(answer.judge.naturalMap, 1.01e-9);
  }
}

// From where it stands, with R halved: as many sweeps of half the relaxation.
TEST_P(DeviceDense, ScaledSteps_AreThoseOfAnotherRelaxation) {
  const StoredProblem problem = pile(FrictionModel::kCone);
  const ContactProblem view = problem.view();
  SweepPlan plan;
  plan.setSequential(view);
  for (const auto method : {gpu::DenseMethod::kSor, gpu::DenseMethod::kJorSplit}) {
    std::vector<Real> scaled(view.rowCount(), 0.1), asked(view.rowCount(), 0.1);
    gpu::DeviceDenseSystem<double> system(GetParam());
    system.setMethod({.method = method, .group = 32});
    system.prepare(view, plan, {}, 1);
    system.setImpulses(scaled);
    system.scaleSteps(0.5);
    system.sweep();
    system.getImpulses(scaled);
    system.prepare(view, plan, {.relaxation = 0.5}, 1);
    system.setImpulses(asked);
    system.sweep();
    system.getImpulses(asked);
    EXPECT_LE(relativeDifference(scaled, asked), 1e-13);
  }
}

/// Spheres of 1 kg on the plane, each for itself: A = 1, λ* = g h.
StoredProblem spheresApart(int count) {
  test::ProblemBuilder builder(FrictionModel::kNone);
  for (int i = 0; i < count; ++i) {
    const int body = builder.addSphere(1, 0.5, Vec3(2 * i, 0, 0.5));
    builder.addContact(-1, body, Vec3(2 * i, 0, 0), Vec3(0, 0, 1), 0);
  }
  return builder.build();
}

// With R = 1/2 a sweep goes half of the way: an element at 2 λ* changes by a quarter of itself.
TEST_P(DeviceDense, Termination_SeesTheOneElementThatMovesWhereverItIs) {
  const StoredProblem problem = spheresApart(150);
  const ContactProblem view = problem.view();
  const Real weight = test::kGravity * test::kTimestep;
  SweepPlan plan;
  plan.setSequential(view);
  for (const auto& [tolerance, isStill] : {std::pair{gpu::SweepTolerance{0.24, 0}, false},
                                           {gpu::SweepTolerance{0.26, 0}, true},
                                           {gpu::SweepTolerance{0, 0.49 * weight}, false},
                                           {gpu::SweepTolerance{0, 0.51 * weight}, true}}) {
    gpu::DeviceDenseSystem<double> system(GetParam());
    system.setMethod({.comparesSweeps = true, .tolerance = tolerance});
    system.prepare(view, plan, {.relaxation = 0.5}, 1);
    ASSERT_NE(system.comparison(), nullptr);
    for (int row = 0; row < view.rowCount(); ++row) {
      std::vector<Real> lambda(view.rowCount(), weight), previous(view.rowCount());
      lambda[row] = 2 * weight;
      system.setImpulses(lambda);
      system.sweep();
      EXPECT_EQ(system.comparison()->standsStill(), isStill) << row;
      system.comparison()->getPrevious(previous);
      EXPECT_EQ(previous, lambda);
      system.getImpulses(lambda);
      EXPECT_NEAR(lambda[row], 1.5 * weight, 1e-15);
    }
  }
}

Budget stopByChange(DeviceDenseSolver& solver) {
  StoppingRule& rule = solver.settings.stopping;
  rule.criterion = StopCriterion::kImpulseChange;
  rule.relativeTolerance = 1e-4;
  rule.absoluteTolerance = 1e-6;
  rule.checkEvery = 1;
  return {.iterations = 5000};
}

// At the same sweep with the same bits, and measured a tenth as often.
TEST_P(DeviceDense, TerminationOnTheDevice_StopsWhereTheHostDoes) {
  const StoredProblem problem = test::randomPile(FrictionModel::kCone, 3, 2, 2, 0.5, 2);
  DeviceJorDenseSolver jor(GetParam());
  DeviceSorDenseSolver sor(GetParam());
  DeviceSorRelaxedSolver relaxed(GetParam());
  for (DeviceDenseSolver* solver :
       std::initializer_list<DeviceDenseSolver*>{&jor, &sor, &relaxed}) {
    const Budget budget = stopByChange(*solver);
    const test::Answer expected = solve(*solver, problem, budget);
    const std::size_t measured = solver->history().entries().size();
    EXPECT_EQ(expected.report.status, SolveStatus::kConverged);
    solver->termination = gpu::Termination::kDevice;
    const test::Answer answer = solve(*solver, problem, budget);
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
    EXPECT_EQ(answer.report.iterations, expected.report.iterations);
    EXPECT_EQ(answer.lambda, expected.lambda);
    EXPECT_GE(measured, 200u);
    EXPECT_LE(solver->history().entries().size(), answer.report.iterations / 10u + 4);
  }
}

// R of a stiff neighbourhood times 1.9 diverges, which only a measurement tells.
TEST_P(DeviceDense, TerminationOnTheDevice_StillGuardsAgainstDivergence) {
  const StoredProblem problem = pile(FrictionModel::kCone);
  DeviceJorDenseSolver solver(GetParam());
  const Budget budget = stopByChange(solver);
  solver.settings.step = StepStrategy::kLocal;
  solver.settings.relaxation = 1.9;
  solver.termination = gpu::Termination::kDevice;
  const test::Answer answer = solve(solver, problem, budget);
  EXPECT_GT(answer.report.stepReductions, 0);
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
}

// T grows with the square of the rows, and joint rows have no place in it.
TEST_P(DeviceDense, JointRows_AreRefused) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.5, 2);
  DeviceSorDenseSolver solver(GetParam());
  EXPECT_EQ(solve(solver, problem).report.status, SolveStatus::kUnsupported);
}

INSTANTIATE_TEST_SUITE_P(Targets, DeviceDense, test::everyTarget(), test::targetName);

}  // namespace
}  // namespace drystone
