// What a factor of K_0 is worth in right-hand sides, in the order of a band and in the space of the
// bodies, on the QPs of scenes: the constants of solvers/qp/banded_k0.h, staggered/row_mix_k0.h and
// qp_half.cpp come from here.
#include <algorithm>
#include <memory>
#include <numeric>

#include "bench/studies/measure.h"
#include "bench/studies/staggered/study.h"
#include "solvers/staggered/qp/banded_k0.h"
#include "solvers/staggered/qp_half.h"

namespace drystone::bench {
namespace {

struct FactorCase {
  std::string scene;
  int steps;  ///< before the problem is taken
};
const std::vector<FactorCase> kFactorCases = {
    {"card_house", 10},      {"arch", 10},       {"stack_40", 5},   {"boxes", 40},
    {"tower", 60},           {"pyramid_20", 5},  {"wall", 20},      {"rocks", 120},
    {"brick_wall_20x20", 5}, {"pile_1000", 150}, {"pile_4000", 150}};
/// Share of the diagonal that makes redundant contacts definite, as in the solver.
constexpr Real kProximal = 1e-10;
constexpr int kFactorRightSides = 16;
/// Numbers of the largest band that is factored.
constexpr Real kMostNumbers = 3e7;
/// Solves of a usual island with several rounds; where the two ways are compared.
constexpr int kUsualSolves = 20;

/// The largest island of the frame in hand.
class LargestIsland {
 public:
  void look(const ContactProblem& problem) {
    if (problem.rowCount() <= rows_) return;
    rows_ = problem.rowCount();
    stored_ = storedCopy(problem);
  }
  ContactProblem view() const { return stored_.view(); }
  int rows() const { return rows_; }

 private:
  int rows_ = 0;
  StoredProblem stored_;
};

/// The rows of one QP of an island, all contacts with friction.
void fillHalf(const RowSystem& rows, bool isFriction, QpHalf& half) {
  half.begin();
  for (int c = 0; c < rows.problem().blockCount(); ++c) {
    const ProblemBlock& block = rows.problem().blocks[c];
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      const bool isTangent = block.law == BlockLaw::kContact && row > block.firstRow;
      if (isTangent == isFriction) half.add({.block = c, .row = row}, rows.diagonal(row));
    }
  }
  half.fillHessian(rows);
}

/// The fastest of the repeats. NaN: not measured.
struct Times {
  Real factorMs = std::numeric_limits<Real>::quiet_NaN();
  Real solveMs = factorMs;  ///< of one right-hand side among many

  Real worth() const { return factorMs / solveMs; }
  Real usualMs() const { return factorMs + kUsualSolves * solveMs; }
};

Times measureFactors(K0Solve& k0, const QpHalf& half, int repeats) {
  std::vector<Real> extra = half.hessian().diagonal;
  for (Real& one : extra) one *= kProximal;
  Times times;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    // All but one, each time another: a factor of the same variables would not be made anew.
    std::vector<int> free(half.size());
    std::iota(free.begin(), free.end(), 0);
    free.erase(free.begin() + repeat % static_cast<int>(free.size()));
    const ProcessorTimer factor;
    if (!k0.factor(free, extra)) return {};
    const Real factorMs = factor.milliseconds();
    std::vector<Real> right(free.size() * kFactorRightSides, 1);
    const ProcessorTimer solve;
    k0.solve(right, kFactorRightSides);
    const Real solveMs = solve.milliseconds() / kFactorRightSides;
    if (repeat == 0 || factorMs < times.factorMs) times.factorMs = factorMs;
    if (repeat == 0 || solveMs < times.solveMs) times.solveMs = solveMs;
  }
  return times;
}

std::string cell(Real value, const char* format) {
  return std::isnan(value) ? "–" : fmt::format(fmt::runtime(format), value);
}

void measureScene(const FactorCase& test, const StaggeredOptions& options, CsvFile& csv) {
  LargestIsland island;
  Shadow shadow({{"sor-prox", false, {{"max_iterations", "50"}, {"check_every", "51"}}}}, 1);
  shadow.observer = [&](const ShadowView& view) { island.look(view.problem); };
  simulate(sceneWith(test.scene, ""), shadow, {test.steps, 1, 1}, kInfinity, [](World&) {});
  if (island.rows() == 0) {
    printRow("| {} | 0 | – | – | – | – | – | – | – | – | – | – |\n", test.scene);
    return;
  }
  const ContactProblem problem = island.view();
  RowSystem rows;
  rows.prepare(problem, true);
  for (const bool isFriction : {false, true}) {
    QpHalf half(std::make_unique<BandedCholesky>());
    fillHalf(rows, isFriction, half);
    BandedK0 banded;
    banded.attach(half.hessian());
    RowMixK0 sparse;
    sparse.attach(rows, half.variables());
    const int bandwidth = banded.bandwidth();
    const Real numbers = static_cast<Real>(half.size()) * bandwidth;
    const Times band =
        numbers > kMostNumbers ? Times{} : measureFactors(banded, half, options.repeats);
    const Times bodies = measureFactors(sparse, half, options.repeats);
    const char* name = isFriction ? "friction" : "contact";
    printRow("| {} | {} | {} | {} | {} | {} | {} | {} | {:.3f} | {:.4f} | {:.0f} | {} |\n",
             test.scene, name, half.size(), bandwidth, cell(band.factorMs, "{:.3f}"),
             cell(band.solveMs, "{:.4f}"), cell(band.worth(), "{:.0f}"),
             cell(band.worth() / bandwidth, "{:.2f}"), bodies.factorMs, bodies.solveMs,
             bodies.worth(), cell(bodies.usualMs() / band.usualMs(), "{:.2f} ×"));
    csv.row(test.scene, name, half.size(), bandwidth, band.factorMs, band.solveMs, bodies.factorMs,
            bodies.solveMs);
  }
}

}  // namespace

std::vector<std::string> factorScenes() { return scenesOf(kFactorCases); }

void studyFactors(const StaggeredOptions& options) {
  fmt::print(
      "## What a factor is worth\n\n"
      "| scene | QP | variables | bandwidth | band: factor ms | a solve ms | factor/solve | over "
      "the bandwidth | bodies: factor ms | a solve ms | factor/solve | bodies/band, a factor and "
      "{} solves |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
      kUsualSolves);
  CsvFile csv(options, "factors",
              "scene,qp,variables,bandwidth,band_factor_ms,band_solve_ms,bodies_factor_ms,"
              "bodies_solve_ms");
  for (const FactorCase& test : kFactorCases) {
    if (options.wants(test.scene)) measureScene(test, options, csv);
  }
  fmt::print(
      "\nThe largest island of one step, all variables free but one, {} right-hand sides at once; "
      "processor time.\n\n",
      kFactorRightSides);
}

}  // namespace drystone::bench
