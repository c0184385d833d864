// Nützi 2011, section 6.1, on the processor: one iteration of every scheme on random problems whose
// matrix is diagonally dominant, beside the product with a dense matrix that his cost. His G is
// random in every entry; ours has the entries of a random contact graph, so that it has a body
// form.
#include <cmath>

#include "bench/studies/prox/studies.h"
#include "engine/core/random.h"
#include "solvers/problem_ops.h"

namespace drystone::bench {
namespace {

constexpr int kContacts[] = {2000, 3000, 4000};
constexpr int kRows = 3;
constexpr Real kContactsPerBody = 6;  // as in a packing of spheres, two bodies a contact

/// Compliance that makes every row of A dominant: A_ii ≥ 1.1 Σ_j≠i |A_ij|. One for the rows of a
/// contact, so that its tangents, which share their R, differ no more than they did.
std::vector<Real> dominantCompliance(const BlockSparseMatrix& matrix) {
  constexpr Real kDominance = 1.1;
  std::vector<Real> compliance;
  for (int block = 0; block < matrix.blockCount(); ++block) {
    Real missing = 0;
    for (int i = 0; i < kRows; ++i) {
      Real diagonal = 0, others = 0;
      for (int k = matrix.blockStart[block]; k < matrix.blockStart[block + 1]; ++k) {
        for (int j = 0; j < kRows; ++j) {
          const Real value = matrix.values[matrix.valueStart[k] + i * kRows + j];
          const bool isDiagonal = matrix.blockColumn[k] == block && i == j;
          (isDiagonal ? diagonal : others) += std::abs(value);
        }
      }
      missing = std::max(missing, kDominance * others - diagonal);
    }
    compliance.insert(compliance.end(), kRows, missing);
  }
  return compliance;
}

/// Contacts of random pairs of bodies, all numbers uniform.
StoredProblem generate(int contacts, Random& random) {
  StoredProblem problem;
  const int bodies = static_cast<int>(2 * contacts / kContactsPerBody);
  for (int i = 0; i < bodies; ++i) {
    const Real inverseMass = random.uniform(0.5, 2);
    problem.bodies.push_back({inverseMass, random.uniform(1, 4) * inverseMass * Mat3::Identity()});
  }
  const auto randomRow = [&] {
    Vec6 row;
    for (Real& value : row) value = random.uniform(-1, 1);
    return row;
  };
  for (int i = 0; i < contacts; ++i) {
    ProblemBlock& block = problem.blocks.emplace_back();
    block.key = i;
    block.firstRow = kRows * i;
    block.rows = kRows;
    block.bodyA = static_cast<int>(random.uniform() * bodies);
    block.bodyB = (block.bodyA + 1 + static_cast<int>(random.uniform() * (bodies - 1))) % bodies;
    block.friction = random.uniform(0.1, 1);
    for (int row = 0; row < kRows; ++row) {
      problem.jacobianA.push_back(randomRow());
      problem.jacobianB.push_back(randomRow());
      problem.b.push_back(random.uniform(-1, 1));
    }
  }
  problem.lower.assign(problem.b.size(), 0);
  problem.upper.assign(problem.b.size(), 0);
  BlockSparseMatrix matrix;
  AssemblyWorkspace workspace;
  assembleDelassus(problem.view(), workspace, matrix);
  problem.compliance = dominantCompliance(matrix);
  return problem;
}

/// Least time of y = G x.
Real denseProductMs(int size, int repeats) {
  const MatX matrix = MatX::Constant(size, size, 1.0 / size);
  const VecX x = VecX::Ones(size);
  std::vector<Real> values(size);
  Eigen::Map<VecX> y(values.data(), size);
  Real best = kInfinity;
  for (int i = 0; i <= repeats; ++i) {
    const Timer timer;
    y.noalias() = matrix * x;
    if (i > 0) best = std::min(best, timer.milliseconds());
  }
  return best;
}

struct Run {
  ProxRun run;
  bool isAssembled;  ///< works on the entries of A or T
};

}  // namespace

void studyGenerated(const ProxOptions& options) {
  constexpr std::uint64_t kSeed = 5;
  const auto local = [](std::string label, std::string solver, std::string scheme) -> ProxRun {
    return {std::move(label), std::move(solver), {{"step", "local"}, {"scheme", scheme}}};
  };
  const std::vector<Run> runs = {
      {local("JOR, naive", "jacobi-prox", "naive"), true},
      {local("JOR, T", "jacobi-prox", "T"), true},
      {local("JOR, factorized", "jacobi-prox", "factorized"), false},
      {local("SOR, naive", "sor-prox", "naive"), true},
      {local("SOR, T", "sor-prox", "T"), true},
      {local("SOR, factorized", "sor-prox", "factorized"), false},
      {local("SOR by colors, T", "sor-prox-colored", "T"), true},
      {local("SOR by colors, factorized", "sor-prox-colored", "factorized"), false},
  };
  CsvFile csv(options, "generated", "contacts,run,ms,iterations,gflops");
  fmt::print("## Random diagonally dominant problems, one thread\n\n| iteration |");
  for (const int contacts : kContacts) {
    fmt::print(" {} contacts: ms | iterations to 1e-7 | GFLOP/s |", contacts);
  }
  fmt::print("\n|---|");
  for (std::size_t i = 0; i < std::size(kContacts); ++i) fmt::print("--:|--:|--:|");
  fmt::print("\n| dense product alone (Eigen) |");
  for (const int contacts : kContacts) {
    const Real size = kRows * contacts;
    const Real ms = denseProductMs(kRows * contacts, options.repeats);
    const Real gflops = 2e-6 * size * size / ms;
    printRow(" {:.1f} | | {:.2f} |", ms, gflops);
    csv.row(contacts, "dense product", ms, "", gflops);
  }
  fmt::print("\n");
  std::vector<StoredProblem> problems;
  std::vector<Real> entries;
  for (const int contacts : kContacts) {
    Random random(kSeed);
    problems.push_back(generate(contacts, random));
    BlockSparseMatrix matrix;
    AssemblyWorkspace workspace;
    assembleDelassus(problems.back().view(), workspace, matrix);
    entries.push_back(static_cast<Real>(matrix.values.size()));
  }
  for (const Run& run : runs) {
    fmt::print("| {} |", run.run.label);
    for (std::size_t i = 0; i < problems.size(); ++i) {
      const ContactProblem problem = problems[i].view();
      const Real ms = sweepTime(problem, run.run, options.sweeps, 1, options.repeats);
      const int iterations = sweepsToStandstill(problem, run.run, 1e-7);
      // The products alone: a multiplication and an addition an entry; J ũ and Jᵀ Δλ a row.
      const Real flops = run.isAssembled ? 2 * entries[i] : 2 * 24 * problem.rowCount();
      printRow(" {:.3f} | {} | {:.2f} |", ms, iterations, 1e-6 * flops / ms);
      csv.row(kContacts[i], run.run.label, ms, iterations, 1e-6 * flops / ms);
    }
    fmt::print("\n");
  }
  fmt::print("\n");
}

}  // namespace drystone::bench
