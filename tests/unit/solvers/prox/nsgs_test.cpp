#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "core/random.h"
#include "solvers/file/problem_file.h"
#include "solvers/problem/judge.h"
#include "solvers/problem/problem_ops.h"
#include "solvers/prox/nsgs.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/constants.h"
#include "tests/support/problems.h"
#include "tests/support/solved.h"

namespace drystone {
namespace {

using test::kGravity;
using test::Solved;
using test::solveWith;
constexpr Real kStep = 1.0 / 60;

/// Cubes of 1 m and 1000 kg on each other, four contacts a face, falling for one step; `kick` is
/// the size of random velocities.
StoredProblem makeStack(int boxes, Real mu, std::uint64_t seed, Real kick = 1e-3) {
  StoredProblem stack;
  stack.timestep = kStep;
  Random random(seed);
  std::vector<Vec6> velocity(boxes);
  for (Vec6& u : velocity) {
    stack.bodies.push_back({1e-3, Mat3(Mat3::Identity() * 6e-3)});
    for (int k = 0; k < 6; ++k) u[k] = random.uniform(-kick, kick);
    u[2] -= kGravity * kStep;
  }
  for (int box = 0; box < boxes; ++box) {
    for (int corner = 0; corner < 4; ++corner) {
      const Real x = corner % 2 - 0.5, y = corner / 2 - 0.5;
      stack.blocks.push_back({static_cast<std::uint64_t>(4 * box + corner + 1),
                              static_cast<int>(stack.b.size()), 3, BlockLaw::kContact, box - 1, box,
                              mu, 0});
      for (const Vec3& axis : {Vec3(Vec3::UnitZ()), Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY())}) {
        Vec6 above, below = Vec6::Zero();
        above << axis, Vec3(x, y, -0.5).cross(axis);
        if (box > 0) below << -axis, -Vec3(x, y, 0.5).cross(axis);
        stack.jacobianA.push_back(below);
        stack.jacobianB.push_back(above);
        stack.b.push_back(above.dot(velocity[box]) + (box > 0 ? below.dot(velocity[box - 1]) : 0));
      }
    }
  }
  return stack;
}

TEST(Nsgs, RestingBox_CarriesItsWeightInOneStep) {
  // Σ λ_n = m g h, the rest of the velocity is stopped too.
  const StoredProblem box = makeStack(1, 0.5, 1, 0);
  NsgsSolver solver;
  const Solved answer = solveWith(solver, box.view());
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  Real normal = 0;
  for (int c = 0; c < 4; ++c) normal += answer.lambda[3 * c];
  // The tolerance of 1e-6 m/s on 1000 kg.
  EXPECT_NEAR(normal, 1000 * kGravity * kStep, 1e-3);
}

TEST(Nsgs, Schemes_AgreeOnTheVelocities) {
  const StoredProblem stack = makeStack(3, 0.4, 2);
  JudgeWorkspace first, second;
  NsgsSolver solver;
  Budget budget;
  budget.tolerance = 1e-11;
  solver.settings.scheme = NsgsScheme::kFactorized;
  const Solved factorized = solveWith(solver, budget, stack.view());
  solver.settings.scheme = NsgsScheme::kAssembled;
  const Solved assembled = solveWith(solver, budget, stack.view());
  EXPECT_EQ(factorized.report.status, SolveStatus::kConverged);
  EXPECT_EQ(assembled.report.status, SolveStatus::kConverged);
  judge(stack.view(), factorized.lambda, first);
  judge(stack.view(), assembled.lambda, second);
  // Impulses are not unique with four contacts a face; velocities are, up to tolerance / stiffness.
  for (std::size_t i = 0; i < first.w.size(); ++i) EXPECT_NEAR(first.w[i], second.w[i], 1e-8);
}

TEST(Nsgs, AssembledForm_SolvesLikeTheBodyForm) {
  const StoredProblem stack = makeStack(3, 0.4, 3);
  StoredProblem assembled = stack;
  AssemblyWorkspace workspace;
  assembled.assembled.emplace();
  assembleDelassus(stack.view(), workspace, *assembled.assembled);
  assembled.bodies.clear();
  NsgsSolver solver;
  solver.settings.scheme = NsgsScheme::kAssembled;
  EXPECT_EQ(solveWith(solver, stack.view()).lambda, solveWith(solver, assembled.view()).lambda);
}

TEST(Nsgs, WarmStackOfTwentyBoxes_ReachesOneMicrometrePerSecond) {
  // The pile that an engine meets: each step starts from the impulses of the last one.
  NsgsSolver solver;
  std::vector<Real> lambda(20 * 12, 0);
  for (int step = 0; step < 10; ++step) {
    const StoredProblem stack = makeStack(20, 0.5, step, 1e-4);
    const Solved answer = solveWith(solver, stack.view(), lambda);
    EXPECT_EQ(answer.report.status, SolveStatus::kConverged) << step;
    EXPECT_LE(answer.judged.naturalMap, 1e-6 * (1 + 1e-9)) << step;
    lambda = answer.lambda;
  }
}

TEST(Nsgs, Anderson_TakesFarFewerSweepsOnAStack) {
  const StoredProblem stack = makeStack(6, 0.5, 4);
  NsgsSolver solver;
  const int accelerated = solveWith(solver, stack.view()).report.iterations;
  solver.settings.acceleration = NsgsAcceleration::kNone;
  const int plain = solveWith(solver, stack.view()).report.iterations;
  EXPECT_LT(5 * accelerated, plain);
}

TEST(Nsgs, SweepsThatDoNotGetOn_AreGivenUpWhereThatIsAskedFor) {
  const StoredProblem stack = test::boxStack(FrictionModel::kCone, {1, 10, 100, 1e3, 1e4}, 0.5);
  const Budget budget{.tolerance = 1e-9, .iterations = 400};
  NsgsSolver solver;
  EXPECT_EQ(solveWith(solver, budget, stack).report.iterations, 400);
  solver.settings.givesUp = true;
  const Solved given = solveWith(solver, budget, stack);
  EXPECT_EQ(given.report.status, SolveStatus::kStalled);
  EXPECT_LT(given.report.iterations, 400);
}

TEST(Nsgs, SweepsThatGetOn_AreNotGivenUp) {
  const StoredProblem stack = makeStack(6, 0.5, 4);
  NsgsSolver solver;
  const Solved whole = solveWith(solver, stack.view());
  solver.settings.givesUp = true;
  const Solved same = solveWith(solver, {.iterations = 400}, stack.view());
  EXPECT_EQ(same.report.status, SolveStatus::kConverged);
  EXPECT_LE(same.report.iterations, whole.report.iterations + 10) << "one measurement more";
  EXPECT_GT(whole.report.iterations, 40) << "one look ahead at least";
}

TEST(Nsgs, SecondRunAndReusedObject_GiveTheSameBits) {
  const StoredProblem stack = makeStack(5, 0.5, 5), other = makeStack(2, 0.3, 6);
  NsgsSolver solver, fresh;
  const Solved first = solveWith(solver, stack.view());
  solveWith(solver, other.view());
  EXPECT_EQ(first.lambda, solveWith(solver, stack.view()).lambda);
  EXPECT_EQ(first.lambda, solveWith(fresh, stack.view()).lambda);
}

TEST(Nsgs, SolvedWarmStart_TakesNoSweep) {
  const StoredProblem stack = makeStack(5, 0.5, 7);
  NsgsSolver solver;
  Budget budget;
  budget.tolerance = 1e-9;
  const Solved first = solveWith(solver, budget, stack.view());
  budget.tolerance = 1e-6;
  EXPECT_EQ(solveWith(solver, budget, stack.view(), first.lambda).report.iterations, 0);
}

TEST(Nsgs, ReservedSolve_AllocatesNothing) {
  for (const StoredProblem& stored :
       {test::pileWithJoints(FrictionModel::kCone, 0.5, 1), makeStack(4, 0.5, 1)}) {
    const ContactProblem problem = stored.view();
    NsgsSolver solver;
    solver.reserve({problem.bodyCount(), problem.blockCount(), problem.rowCount()});
    std::vector<Real> lambda(problem.b.size(), 0);
    std::vector<RowState> states(problem.b.size());
    const std::int64_t before = test::allocationCount();
    solver.solve(problem, {}, {lambda, states});
    EXPECT_EQ(test::allocationCount(), before);
  }
}

/// A pendulum: one body hangs on a ball joint (three bilateral rows), with a motor row of bounded
/// torque about x and a contact below.
StoredProblem makeJointProblem(Real motorCap, FrictionModel model = FrictionModel::kCone) {
  StoredProblem problem;
  problem.friction = model;
  problem.bodies.push_back({0.5, Mat3(Vec3(3, 2, 1).asDiagonal())});
  const auto addRow = [&](const Vec6& jacobian, Real b, Real low, Real high) {
    problem.jacobianA.push_back(Vec6::Zero());
    problem.jacobianB.push_back(jacobian);
    problem.b.push_back(b);
    problem.lower.push_back(low);
    problem.upper.push_back(high);
  };
  problem.blocks.push_back({1, 0, 4, BlockLaw::kRows, -1, 0, 0, 0});
  const Vec3 arm(0.2, 0.1, 1);
  for (int axis = 0; axis < 3; ++axis) {
    Vec6 row;
    row << Vec3::Unit(axis), arm.cross(Vec3::Unit(axis));
    addRow(row, 0.3 * axis - 0.2, -kInfinity, kInfinity);
  }
  Vec6 motor = Vec6::Zero();
  motor[3] = 1;
  addRow(motor, -5, -motorCap, motorCap);
  problem.blocks.push_back({2, 4, contactRows(model), BlockLaw::kContact, -1, 0, 0.5, 0.1});
  const Vec3 point(2, -1.5, 0.5);
  for (int axis : {2, 0, 1}) {
    if (static_cast<int>(problem.b.size()) == 4 + contactRows(model)) break;
    Vec6 row;
    row << Vec3::Unit(axis), point.cross(Vec3::Unit(axis));
    addRow(row, axis == 2 ? -1 : 0.4, -kInfinity, kInfinity);
  }
  return problem;
}

TEST(Nsgs, JointRowsAndMotorCaps_AreSolvedWithContacts) {
  for (const FrictionModel model :
       {FrictionModel::kCone, FrictionModel::kBox, FrictionModel::kNone}) {
    for (const Real cap : {1e-3, 1e3}) {
      const StoredProblem problem = makeJointProblem(cap, model);
      for (const NsgsScheme scheme : {NsgsScheme::kFactorized, NsgsScheme::kAssembled}) {
        NsgsSolver solver;
        Budget budget;
        solver.settings.scheme = scheme;
        budget.tolerance = 1e-10;
        const Solved answer = solveWith(solver, budget, problem.view());
        EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
        EXPECT_LE(answer.judged.naturalMap, 1.01e-10);
        EXPECT_LE(std::abs(answer.lambda[3]), cap);
      }
    }
  }
}

TEST(Nsgs, RedundantJointRows_ShareTheImpulse) {
  // Two equal bilateral rows, w = 2 (λ_1 + λ_2) − 1 = 0: the least-norm answer is 1/4 each.
  StoredProblem problem;
  problem.bodies.push_back({2, Mat3(Mat3::Identity())});
  Vec6 row = Vec6::Zero();
  row[0] = 1;
  problem.blocks.push_back({1, 0, 2, BlockLaw::kRows, -1, 0, 0, 0});
  problem.b = {-1, -1};
  problem.lower.assign(2, -kInfinity);
  problem.upper.assign(2, kInfinity);
  problem.jacobianA.assign(2, Vec6::Zero());
  problem.jacobianB.assign(2, row);
  NsgsSolver solver;
  const Solved answer = solveWith(solver, problem.view());
  EXPECT_EQ(answer.report.status, SolveStatus::kConverged);
  EXPECT_NEAR(answer.lambda[0], 0.25, 1e-14);
  EXPECT_NEAR(answer.lambda[1], 0.25, 1e-14);
}

TEST(Nsgs, ImpossibleTolerance_ReturnsTheBestIterateAsStalledOrLimit) {
  const StoredProblem stack = makeStack(2, 0.5, 8);
  NsgsSolver solver;
  Budget budget;
  budget.tolerance = 0;
  const Solved answer = solveWith(solver, budget, stack.view());
  EXPECT_TRUE(answer.report.status == SolveStatus::kStalled ||
              answer.report.status == SolveStatus::kIterationLimit ||
              answer.report.status == SolveStatus::kConverged);
  EXPECT_LE(answer.judged.naturalMap, 1e-12);
}

// Iterates are compared by how far off they are. By how far a sweep moved them, an answer was up to
// five times worse than that of fewer sweeps, or than the start.
TEST(Nsgs, MoreSweepsByImpulseChange_AreNeverWorse) {
  NsgsSolver solver;
  Budget budget;
  solver.settings.stopping.criterion = StopCriterion::kImpulseChange;
  solver.settings.stopping.relativeTolerance = 0;
  solver.settings.stopping.checkEvery = 1;
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const StoredProblem pile = test::randomPile(FrictionModel::kCone, 3, 3, 3, 0.4, seed);
    for (const int before : {0, 20, 60}) {
      budget.iterations = before;
      const Solved start = solveWith(solver, budget, pile.view());
      Real best = start.judged.naturalMap;
      for (int sweeps = 1; sweeps <= 40; ++sweeps) {
        budget.iterations = sweeps;
        const Real now = solveWith(solver, budget, pile.view(), start.lambda).judged.naturalMap;
        EXPECT_LE(now, (1 + 1e-9) * best) << sweeps << " sweeps";  // judged in another order
        best = now;
      }
    }
  }
}

TEST(Nsgs, TimeLimit_EndsTheSolve) {
  const StoredProblem stack = makeStack(20, 0.5, 9);
  NsgsSolver solver;
  Budget budget;
  budget.tolerance = 1e-12;
  budget.seconds = 0;
  const Solved answer = solveWith(solver, budget, stack.view());
  EXPECT_EQ(answer.report.status, SolveStatus::kTimeLimit);
  EXPECT_EQ(answer.report.iterations, 1);
  EXPECT_TRUE(answer.judged.finite);
}

TEST(Nsgs, OtherFrictionModel_IsRefused) {
  StoredProblem stack = makeStack(1, 0.5, 1);
  stack.friction = FrictionModel::kPyramid;
  NsgsSolver solver;
  EXPECT_EQ(solveWith(solver, stack.view()).report.status, SolveStatus::kUnsupported);
}

TEST(Nsgs, EmptyProblem_Converges) {
  NsgsSolver solver;
  const StoredProblem empty;
  EXPECT_EQ(solveWith(solver, empty.view()).report.status, SolveStatus::kConverged);
}

/// FCLIB files from elsewhere: set DRYSTONE_PROBLEM_DIR to a folder of them.
class NsgsStoredProblems : public testing::Test {
 protected:
  void SetUp() override {
    const char* folder = std::getenv("DRYSTONE_PROBLEM_DIR");
    if (folder == nullptr || !std::filesystem::is_directory(folder))
      GTEST_SKIP() << "needs DRYSTONE_PROBLEM_DIR, a folder with FCLIB files (*.hdf5)";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() == ".hdf5") files_.push_back(entry.path().string());
    }
    std::sort(files_.begin(), files_.end());
  }
  std::vector<std::string> files_;
};

TEST_F(NsgsStoredProblems, AllReach1e4AndAllButOneReach1e8) {
  // On the 28 problems of Siconos and FCLIB the reference implementation reaches 27 and 26 (M.12).
  int coarse = 0, fine = 0;
  for (const std::string& file : files_) {
    const ReadProblem read = readProblemFile(file);
    NsgsSolver solver;
    Budget budget;
    solver.settings.stopping.criterion = StopCriterion::kRelative;
    for (const Real tolerance : {1e-4, 1e-8}) {
      solver.settings.stopping.relativeTolerance = tolerance;
      budget.iterations = 5000;
      const Solved answer = solveWith(solver, budget, read.problem.view());
      const bool solved = answer.judged.relative <= tolerance;
      EXPECT_EQ(solved, answer.report.status == SolveStatus::kConverged) << file;
      (tolerance == 1e-4 ? coarse : fine) += solved;
    }
  }
  EXPECT_EQ(coarse, static_cast<int>(files_.size()));
  EXPECT_GE(fine, static_cast<int>(files_.size()) - 1);
}

}  // namespace
}  // namespace drystone
