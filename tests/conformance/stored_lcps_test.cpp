// Linear complementarity problems of public collections: set DRYSTONE_LCP_DIR to a folder of them.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "solvers/default_registry.h"
#include "solvers/driver/solve.h"
#include "solvers/file/problem_file.h"

namespace drystone::test {
namespace {

/// Relative error (M.12) that counts as solved.
constexpr Real kSolved = 1e-9;
/// Rows up to which an eigenvalue decomposition decides whether A is positive semi-definite.
constexpr int kDecidable = 1500;

std::vector<std::filesystem::path> lcpFiles() {
  std::vector<std::filesystem::path> files;
  const char* folder = std::getenv("DRYSTONE_LCP_DIR");
  if (folder == nullptr) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const bool isProblem =
        entry.path().extension() == ".json" && entry.path().filename() != "index.json";
    if (isProblem) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

SolveResult solveFromNothing(const std::string& name, const StoredProblem& stored) {
  const SolverRegistry registry = makeDefaultRegistry();
  const auto solver = registry.create(name);
  const ContactProblem problem = stored.view();
  std::vector<Real> lambda(static_cast<std::size_t>(problem.rowCount()), 0);
  std::vector<RowState> state(lambda.size(), RowState::kUnknown);
  Real largest = 0;
  for (const Real b : problem.b) largest = std::max(largest, std::abs(b));
  SolveWorkspace workspace;
  const Budget budget{.tolerance = 0.01 * kSolved * largest};
  return solveProblem(*solver, problem, budget, {lambda, state}, workspace);
}

/// Also false where that is not decided.
bool isSemidefinite(const StoredProblem& stored) {
  if (!stored.assembled || stored.view().rowCount() > kDecidable) return false;
  if (stored.assembled->asymmetry() > 1e-14) return false;
  const MatX a = stored.assembled->toDense();
  const VecX values = Eigen::SelfAdjointEigenSolver<MatX>(a, Eigen::EigenvaluesOnly).eigenvalues();
  return values.minCoeff() >= -1e-12 * values.maxCoeff();
}

class StoredLcps : public ::testing::Test {
 protected:
  void SetUp() override {
    files_ = lcpFiles();
    if (files_.empty()) GTEST_SKIP() << "needs DRYSTONE_LCP_DIR, a folder with stored LCPs";
  }
  std::vector<std::filesystem::path> files_;
};

// Those without a solution.
const std::vector<std::string> kUnsolved = {"infeasible_psd_2",
                                            "siconos_Pang_isolated_sol_perturbed"};

TEST_F(StoredLcps, EachIsSolvedByOneMethodOrSaidToBeUnsolved) {
  for (const std::filesystem::path& file : files_) {
    SCOPED_TRACE(file.stem().string());
    const bool mayFail =
        std::find(kUnsolved.begin(), kUnsolved.end(), file.stem()) != kUnsolved.end();
    const StoredProblem stored = readProblemFile(file.string()).problem;
    bool isSolved = false;
    for (const char* name : {"bpp", "lemke", "keller", "murty"}) {
      const SolveResult result = solveFromNothing(name, stored);
      EXPECT_TRUE(result.judge.finite) << name;
      isSolved = result.judge.relative <= kSolved;
      if (isSolved) break;
      const bool claims = result.solver.status == SolveStatus::kConverged;
      EXPECT_FALSE(mayFail && claims) << name;
    }
    EXPECT_NE(isSolved, mayFail);
  }
}

// The default needs no choice of method: behind its last door stands Lemke's tableau, for what is
// unsymmetric.
TEST_F(StoredLcps, EachThatHasASolution_IsSolvedByAuto) {
  for (const std::filesystem::path& file : files_) {
    SCOPED_TRACE(file.stem().string());
    const SolveResult result = solveFromNothing("auto", readProblemFile(file.string()).problem);
    const bool mayFail =
        std::find(kUnsolved.begin(), kUnsolved.end(), file.stem()) != kUnsolved.end();
    EXPECT_EQ(result.judge.relative <= 1e-8, !mayFail);
  }
}

TEST_F(StoredLcps, SymmetricSemidefiniteOnes_AreSolvedByBlockPivotsAndConjugateGradients) {
  int count = 0;
  for (const std::filesystem::path& file : files_) {
    const StoredProblem stored = readProblemFile(file.string()).problem;
    if (file.stem() == "infeasible_psd_2" || !isSemidefinite(stored)) continue;
    ++count;
    for (const char* name : {"bpp", "bpp-skyline", "bpp-sparse", "bpp-pcg", "pgcg"}) {
      EXPECT_LE(solveFromNothing(name, stored).judge.relative, kSolved)
          << name << ", " << file.stem();
    }
  }
  EXPECT_GE(count, 1);
}

// w = -1 whatever the impulses: the status says that it is not solved.
TEST_F(StoredLcps, OneWithoutSolution_IsReported) {
  for (const std::filesystem::path& file : files_) {
    if (file.stem() != "infeasible_psd_2") continue;
    const StoredProblem stored = readProblemFile(file.string()).problem;
    for (const char* name :
         {"lemke", "keller", "bpp", "bpp-skyline", "bpp-sparse", "bpp-pcg", "pgcg"}) {
      EXPECT_EQ(solveFromNothing(name, stored).solver.status, SolveStatus::kInfeasible) << name;
    }
  }
}

}  // namespace
}  // namespace drystone::test
