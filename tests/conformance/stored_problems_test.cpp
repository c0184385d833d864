// The same promises on problem files from elsewhere: set DRYSTONE_PROBLEM_DIR to a folder of them.
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "solvers/file/problem_file.h"
#include "tests/conformance/conformance.h"

namespace drystone::test {
namespace {

std::vector<std::filesystem::path> problemFiles() {
  std::vector<std::filesystem::path> files;
  const char* folder = std::getenv("DRYSTONE_PROBLEM_DIR");
  if (!folder) return files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    const bool problem = extension == ".hdf5" || extension == ".h5" || extension == ".json";
    if (problem && entry.path().filename() != "index.json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class StoredProblems : public Conformance {};
INSTANTIATE_TEST_SUITE_P(Solvers, StoredProblems, ::testing::ValuesIn(supportedCases()), caseName);

// Within 500 iterations and a quarter of a second not all are solved. But each answer is finite, is
// no worse than no impulses at all, and is what the solver calls it.
TEST_P(StoredProblems, Answer_IsFiniteHonestAndNoWorseThanNone) {
  const std::vector<std::filesystem::path> files = problemFiles();
  if (files.empty())
    GTEST_SKIP() << "needs DRYSTONE_PROBLEM_DIR, a folder with FCLIB files (*.hdf5)";
  budget_.iterations = 500;
  budget_.seconds = 0.25;
  for (const std::filesystem::path& file : files) {
    SCOPED_TRACE(file.filename().string());
    const StoredProblem problem = readProblemFile(file.string()).problem;
    if (problem.friction != GetParam().model || !takes(problem)) continue;
    const std::vector<Real> zero(problem.b.size(), 0);
    const Real withoutImpulses = judge(problem.view(), zero, workspace_.judge).naturalMap;
    const Solution solution = solve(problem);
    // A dense method may refuse a problem for its size.
    if (solution.result.solver.status == SolveStatus::kUnsupported) {
      EXPECT_GT(problem.b.size(), 1000);
      continue;
    }
    EXPECT_TRUE(solution.result.judge.finite);
    EXPECT_NE(solution.result.reason, SolveReason::kDiscarded);
    EXPECT_LE(solution.result.judge.naturalMap, allowedNaturalMap(solution, withoutImpulses));
    if (solution.result.solver.status == SolveStatus::kConverged) {
      EXPECT_LE(solution.result.judge.naturalMap, allowedNaturalMap(solution));
    }
  }
}

}  // namespace
}  // namespace drystone::test
