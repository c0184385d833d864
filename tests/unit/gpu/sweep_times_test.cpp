// Times of sweeps are those of sweeps alone, on the processor and on a device.
#include <gmock/gmock.h>

#include <cmath>

#include "gpu/device_dense_solver.h"
#include "gpu/device_prox_solver.h"
#include "solvers/prox/prox_solver.h"
#include "tests/support/problems.h"
#include "tests/unit/gpu/targets.h"

namespace drystone {
namespace {

using testing::Each;
using testing::Ge;
using testing::SizeIs;

/// Counts what is asked of it.
class CountingSystem final : public ProxSystem {
 public:
  void reserve(const ProblemSize&) override {}
  void prepare(const ContactProblem&, const SweepPlan&, const StepRule&, int) override {
    ++layouts;
  }
  void setImpulses(std::span<const Real> lambda) override {
    ++starts;
    startsAtZero = startsAtZero && std::ranges::all_of(lambda, [](Real x) { return x == 0; });
    sweepsSinceStart = 0;
  }
  void getImpulses(std::span<Real>) const override { ++others; }
  void sweep() override { ++sweepsSinceStart, ++sweeps; }
  void constraintVelocity(std::span<Real>) override { ++others; }
  void scaleSteps(Real) override { ++others; }

  int layouts = 0, starts = 0, sweeps = 0, sweepsSinceStart = 0;
  bool startsAtZero = true;
  mutable int others = 0;
};

class CountingSolver final : public ProxSolver {
 public:
  CountingSolver() : ProxSolver(SorProxSolver().traits()) {}

  CountingSystem system;

 private:
  void makePlan(const ContactProblem& problem, SweepPlan& plan) override {
    plan.setSequential(problem);
  }
  ProxSystem* layOut(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
                     SolverReport&) override {
    system.prepare(problem, plan, rule, 1);
    return &system;
  }
};

// Four rounds: one warms up, and the three that count are of as many sweeps from zero.
TEST(SweepTimes, OneLayoutAndNothingButSweeps) {
  const StoredProblem problem = test::boxOnPlane(FrictionModel::kCone, 2, 0.5);
  CountingSolver solver;
  const std::vector<double> times = solver.timeSweeps(problem.view(), 50, 3);
  EXPECT_THAT(times, SizeIs(3));
  EXPECT_THAT(times, Each(Ge(0.0)));
  EXPECT_EQ(solver.system.layouts, 1);
  EXPECT_EQ(solver.system.starts, 4);
  EXPECT_TRUE(solver.system.startsAtZero);
  EXPECT_EQ(solver.system.sweeps, 4 * 50);
  EXPECT_EQ(solver.system.sweepsSinceStart, 50);
  EXPECT_EQ(solver.system.others, 0);
}

TEST(SweepTimes, OfAProblemThatIsNotTaken_AreNone) {
  const StoredProblem problem = test::pileWithJoints(FrictionModel::kCone, 0.5, 2);
  gpu::DeviceSorDenseSolver solver(gpu::Target::kHost);
  EXPECT_THAT(solver.timeSweeps(problem.view(), 1, 1), SizeIs(0));
}

class DeviceSweepTimes : public test::OnTarget {};

// What was timed are sweeps: as many leave the same impulses.
TEST_P(DeviceSweepTimes, AreOfAsManySweepsAsAsked) {
  const StoredProblem problem = test::randomPile(FrictionModel::kCone, 3, 3, 3, 0.5, 2);
  const ContactProblem view = problem.view();
  SweepPlan plan;
  plan.setSimultaneous(view);
  const auto impulsesAfter = [&](auto&& sweep) {
    gpu::DeviceBlockSystem<Real> system(GetParam());
    std::vector<Real> lambda(view.rowCount(), 0);
    system.prepare(view, plan, {}, 1);
    system.setImpulses(lambda);
    sweep(system);
    system.getImpulses(lambda);
    return lambda;
  };
  const auto timed = impulsesAfter([](ProxSystem& system) {
    const double time = system.timeSweeps(7);
    EXPECT_GT(time, 0);
    EXPECT_TRUE(std::isfinite(time));
  });
  const auto expected = impulsesAfter([](ProxSystem& system) {
    for (int i = 0; i < 7; ++i) system.sweep();
  });
  EXPECT_EQ(timed, expected);
  EXPECT_NE(timed, std::vector<Real>(view.rowCount(), 0));
}

TEST_P(DeviceSweepTimes, OfEverySolver_AreOneARepeat) {
  const StoredProblem problem = test::randomPile(FrictionModel::kCone, 3, 3, 3, 0.5, 2);
  gpu::DeviceSorSolver sor(GetParam());
  gpu::DeviceJorSolver jor(GetParam());
  gpu::DeviceJorDenseSolver dense(GetParam());
  gpu::DeviceSorRelaxedSolver relaxed(GetParam());
  for (ProxSolver* solver : std::initializer_list<ProxSolver*>{&sor, &jor, &dense, &relaxed}) {
    const std::vector<double> times = solver->timeSweeps(problem.view(), 3, 4);
    EXPECT_THAT(times, SizeIs(4)) << solver->traits().name;
    EXPECT_THAT(times, Each(Ge(0.0))) << solver->traits().name;
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, DeviceSweepTimes, test::everyTarget(), test::targetName);

}  // namespace
}  // namespace drystone
