// Pivots against size where single pivoting is exponential: K. G. Murty, "Computational complexity
// of complementary pivot methods" (1978), and Y. Fathi, "Computational complexity of LCPs
// associated with positive definite symmetric matrices" (1979).
#include <algorithm>
#include <numeric>

#include "bench/studies/direct/study.h"
#include "solvers/default_registry.h"

namespace drystone::bench {
namespace {

constexpr int kLargest = 16;
constexpr const char* kExponentialSolvers[] = {"murty", "lemke", "keller", "bpp"};

/// 1 on the diagonal and 2 below it, or above it: the same with the rows in reverse order, which is
/// what decides how many pivots the least index first takes.
MatX murtyMatrix(int size, bool isUpper) {
  MatX matrix = MatX::Identity(size, size);
  matrix.triangularView<Eigen::StrictlyLower>().setConstant(2);
  return isUpper ? MatX(matrix.transpose()) : matrix;
}

MatX fathiMatrix(int size, bool isUpper) {
  const MatX root = murtyMatrix(size, isUpper);
  return root * root.transpose();
}

struct Family {
  const char* name;   ///< in CSV files
  const char* title;  ///< of the column of n
  MatX (*matrix)(int size, bool isUpper);
  bool isUpper;
};

constexpr Family kFamilies[] = {
    {"murty_upper", "Murty's matrix, 2 above the diagonal", &murtyMatrix, true},
    {"murty_lower", "Murty's matrix, 2 below the diagonal", &murtyMatrix, false},
    {"fathi_upper", "Fathi's matrix U Uᵀ", &fathiMatrix, true},
    {"fathi_lower", "Fathi's matrix L Lᵀ", &fathiMatrix, false},
};

/// w = A λ − 1 ≥ 0 ⊥ λ ≥ 0.
StoredProblem complementarity(const MatX& matrix) {
  const int size = static_cast<int>(matrix.rows());
  StoredProblem problem;
  problem.friction = FrictionModel::kNone;
  problem.b.assign(size, -1);
  problem.lower.assign(size, 0);
  problem.upper.assign(size, kInfinity);
  std::vector<int> rowStart(size + 1), rows, columns;
  std::iota(rowStart.begin(), rowStart.end(), 0);
  std::vector<Real> values;
  for (int i = 0; i < size; ++i) {
    ProblemBlock block;
    block.key = static_cast<std::uint64_t>(i);
    block.firstRow = i;
    block.rows = 1;
    block.law = BlockLaw::kRows;
    problem.blocks.push_back(block);
    for (int j = 0; j < size; ++j) {
      rows.push_back(i);
      columns.push_back(j);
      values.push_back(matrix(i, j));
    }
  }
  problem.assembled = blockSparseFromTriplets(rowStart, rows, columns, values);
  return problem;
}

constexpr int kEnough = 1 << (kLargest + 2);  // pivots

std::string cell(const SolverReport& report) {
  if (report.status == SolveStatus::kConverged) return fmt::format("{}", report.pivots);
  return fmt::format("{} ({})", report.pivots, solveStatusName(report.status));
}

}  // namespace

void studyExponential(const StudyOptions& options) {
  fmt::print("## Pivots on the matrices of Murty and of Fathi\n\n");
  CsvFile csv(options, "exponential", "matrix,n,solver,pivots,iterations,status");
  const SolverRegistry registry = makeDefaultRegistry();
  std::vector<std::string> solvers;
  for (const char* name : kExponentialSolvers) {
    if (registry.contains(name)) solvers.emplace_back(name);
  }
  for (const Family& family : kFamilies) {
    fmt::print("| n, {} |", family.title);
    for (const std::string& solver : solvers) fmt::print(" {} |", solver);
    fmt::print("\n|--:|");
    for (std::size_t i = 0; i < solvers.size(); ++i) fmt::print("--:|");
    fmt::print("\n");
    for (int size = 2; size <= kLargest; ++size) {
      const StoredProblem problem = complementarity(family.matrix(size, family.isUpper));
      fmt::print("| {} |", size);
      for (const std::string& name : solvers) {
        const std::unique_ptr<ContactSolver> solver = registry.create(name);
        std::vector<Real> lambda(size, 0);
        std::vector<RowState> states(size, RowState::kLower);
        const SolverReport report =
            solver->solve(problem.view(), {.iterations = kEnough}, {lambda, states});
        fmt::print(" {} |", cell(report));
        csv.row(family.name, size, name, report.pivots, report.iterations,
                solveStatusName(report.status));
      }
      printRow("\n");
    }
    fmt::print("\n");
  }
  fmt::print("Rows that changed their set, from all rows tight at zero; q = −1.\n\n");
}

}  // namespace drystone::bench
