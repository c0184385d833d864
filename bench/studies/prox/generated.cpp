// Nützi 2011, section 6.1, on the processor: one iteration of every scheme on random problems whose
// matrix is diagonally dominant, beside the product with a dense matrix that his cost. His G is
// random in every entry; ours has the entries of a random contact graph, so that it has a body
// form.
#include <cmath>

#include "bench/studies/prox/prox_run.h"
#include "bench/studies/prox/studies.h"
#include "core/random.h"
#include "solvers/problem/problem_ops.h"

namespace drystone::bench {
namespace {

constexpr int kContacts[] = {2000, 3000, 4000};
constexpr int kContactRows = 3;

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

struct GeneratedRun {
  ProxRun run;
  bool isAssembled;  ///< works on the entries of A or T
};

}  // namespace

void studyGenerated(const ProxOptions& options) {
  constexpr std::uint64_t kSeed = 5;
  const auto local = [](std::string label, std::string solver, std::string scheme) -> ProxRun {
    return {std::move(label), std::move(solver), {{"step", "local"}, {"scheme", scheme}}};
  };
  const std::vector<GeneratedRun> runs = {
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
    const Real size = kContactRows * contacts;
    const Real ms = denseProductMs(kContactRows * contacts, options.repeats);
    const Real gflops = 2e-6 * size * size / ms;
    printRow(" {:.1f} | | {:.2f} |", ms, gflops);
    csv.row(contacts, "dense product", ms, "", gflops);
  }
  fmt::print("\n");
  std::vector<StoredProblem> problems;
  std::vector<Real> entries;
  for (const int contacts : kContacts) {
    Random random(kSeed);
    problems.push_back(randomDominantProblem(contacts, random));
    BlockSparseMatrix matrix;
    AssemblyWorkspace workspace;
    assembleDelassus(problems.back().view(), workspace, matrix);
    entries.push_back(static_cast<Real>(matrix.values.size()));
  }
  for (const GeneratedRun& run : runs) {
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
