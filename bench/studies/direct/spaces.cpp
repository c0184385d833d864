// One candidate factored in several spaces: A_FF of the rows, sparse, by a supernodal library and
// within its envelope; the quasi-definite matrix of bodies and rows; H of the bodies.
#include <Eigen/SparseCholesky>
#ifdef DRYSTONE_CHOLMOD
#include <Eigen/CholmodSupport>
#endif
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "bench/studies/direct/factors.h"
#include "bench/studies/direct/study.h"
#include "bench/studies/measure.h"
#include "solvers/linear/body_factor.h"
#include "solvers/linear/free_entries.h"
#include "solvers/pivoting/index_sets.h"

namespace drystone::bench {
namespace {

using Sparse = Eigen::SparseMatrix<Real>;

const std::vector<std::string> kSpaceScenes = {
    "crane", "winch",     "vehicle", "offshore", "forklift", "forwarder", "boxes",           "wall",
    "tower", "chain_rod", "spinner", "trucks",   "rocks",    "chain",     "brick_wall_20x20"};
constexpr Real kSpaceSeconds = 3;  ///< simulated of every scene
constexpr int kSpaceFrames = 6;    ///< measured of those
/// Multiplications beyond which a factor is not made: it would take ten seconds or more.
constexpr Real kTooMany = 1e10;
/// And beyond which one repeat is enough.
constexpr Real kMany = 1e9;
/// Smallest compliance over the diagonal, as in BodyFactor. The rows of A need none.
constexpr Real kComplianceFloor = 1e-11;

enum Space { kRowsSparse, kSupernodal, kEnvelope, kQuasiDefinite, kBodiesSparse, kBodies, kSpaces };

constexpr const char* kTitles[kSpaces] = {"A_FF, SimplicialLLT",  "A_FF, CHOLMOD",
                                          "A_FF, EnvelopeMatrix", "[1 Gᵀ; G −C], SimplicialLDLT",
                                          "H, SimplicialLLT",     "H, BodyFactor"};
constexpr const char* kColumns =
    "rows_simplicial_ms,rows_cholmod_ms,rows_envelope_ms,quasidefinite_ms,bodies_simplicial_ms,"
    "bodies_block_ms";

using SpaceTimes = std::array<Real, kSpaces>;  ///< [ms]; NaN: not measured

/// Knows the cost of the numeric part after the symbolic one.
template <class Base>
class Counted : public Base {
 public:
  Real cost() const {
    Real cost = 0;
    for (const auto count : this->m_nonZerosPerCol) {
      cost += 0.5 * static_cast<Real>(count) * static_cast<Real>(count);
    }
    return cost;
  }
};

/// The numeric part alone. NaN: too many operations, or it failed.
template <class Solver>
Real factorTime(const Sparse& matrix, int repeats) {
  Counted<Solver> solver;
  solver.analyzePattern(matrix);
  if (solver.cost() > kTooMany) return NAN;
  const double ms =
      leastTime(solver.cost() > kMany ? 1 : repeats, [&] { solver.factorize(matrix); });
  return solver.info() == Eigen::Success ? ms : NAN;
}

#ifdef DRYSTONE_CHOLMOD
Real cholmodTime(const Sparse& matrix, int repeats) {
  Eigen::CholmodDecomposition<Sparse> solver;  // simplicial or supernodal, as it thinks best
  solver.analyzePattern(matrix);
  const double ms = leastTime(repeats, [&] { solver.factorize(matrix); });
  return solver.info() == Eigen::Success ? ms : NAN;
}
#else
Real cholmodTime(const Sparse&, int) { return NAN; }
#endif

/// The free system of one candidate in every form.
class FreeForms {
 public:
  FreeForms(const ContactProblem& problem, const RowSystem& rows, const FreeBasis& basis)
      : basis_(basis) {
    std::vector<Eigen::Triplet<Real>> entries;
    compliance_.resize(basis.count());
    for (int c = 0; c < problem.blockCount(); ++c) {
      const ProblemBlock& block = problem.blocks[c];
      for (int k = basis.blockBegin(c); k < basis.blockEnd(c); ++k) {
        const ScaledRow& row = rows.scaledRows()[basis.row(k)];
        addRow(k, block.bodyA, row.onA, entries);
        addRow(k, block.bodyB, row.onB, entries);
        const Real floor = kComplianceFloor * (row.onA.squaredNorm() + row.onB.squaredNorm());
        compliance_[k] = std::max(rows.compliance(basis.row(k)), floor);
      }
    }
    jacobian_.resize(basis.count(), 6 * problem.bodyCount());
    jacobian_.setFromTriplets(entries.begin(), entries.end());
  }

  Sparse ofRows(const BlockSparseMatrix& matrix) const {
    std::vector<Eigen::Triplet<Real>> entries;
    forEachFreeEntry(matrix, basis_, [&](int k, int l, Real value) {
      if (value != 0 || k == l) entries.emplace_back(k, l, value);
    });
    Sparse result(basis_.count(), basis_.count());
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }

  /// Lower half, bodies first.
  Sparse quasiDefinite() const {
    const int bodies = static_cast<int>(jacobian_.cols());
    const int size = bodies + basis_.count();
    std::vector<Eigen::Triplet<Real>> entries;
    for (int i = 0; i < bodies; ++i) entries.emplace_back(i, i, 1);
    for (int k = 0; k < basis_.count(); ++k) {
      entries.emplace_back(bodies + k, bodies + k, -compliance_[k]);
    }
    for (int j = 0; j < jacobian_.outerSize(); ++j) {
      for (Sparse::InnerIterator it(jacobian_, j); it; ++it) {
        entries.emplace_back(bodies + static_cast<int>(it.row()), j, it.value());
      }
    }
    Sparse result(size, size);
    result.setFromTriplets(entries.begin(), entries.end());
    return result;
  }

  Sparse ofBodies() const {
    const Sparse weighted = compliance_.cwiseInverse().asDiagonal() * jacobian_;
    Sparse result = jacobian_.transpose() * weighted;
    Sparse identity(result.rows(), result.cols());
    identity.setIdentity();
    result += identity;
    return result;
  }

 private:
  static void addRow(int k, int body, const Vec6& row, std::vector<Eigen::Triplet<Real>>& entries) {
    for (int i = 0; body >= 0 && i < 6; ++i) {
      if (row[i] != 0) entries.emplace_back(k, 6 * body + i, row[i]);
    }
  }

  const FreeBasis& basis_;
  VecX compliance_;
  Sparse jacobian_;
};

/// Factors candidates of the problems of one scene; keeps its work space.
class SpaceTimer {
 public:
  explicit SpaceTimer(int repeats) : repeats_(repeats) {}

  void attach(const ContactProblem& problem) {
    problem_ = problem;
    rows_.prepare(problem_, true);
    bounds_.assignKnown(problem_);
  }

  SpaceTimes time(std::span<const RowState> states, std::span<const Real> lambda) {
    IndexSets sets;
    sets.start(bounds_, states, lambda);
    FreeBasis basis;
    sets.fillBasis(problem_, {}, basis);
    const FreeForms forms(problem_, rows_, basis);
    SpaceTimes times;
    times.fill(0);
    if (basis.count() == 0) return times;
    const Sparse ofRows = forms.ofRows(*rows_.matrix());
    times[kRowsSparse] = factorTime<Eigen::SimplicialLLT<Sparse>>(ofRows, repeats_);
    times[kSupernodal] = cholmodTime(ofRows, repeats_);
    times[kEnvelope] = envelopeTime(sets);
    times[kQuasiDefinite] =
        factorTime<Eigen::SimplicialLDLT<Sparse>>(forms.quasiDefinite(), repeats_);
    times[kBodiesSparse] = factorTime<Eigen::SimplicialLLT<Sparse>>(forms.ofBodies(), repeats_);
    times[kBodies] = bodiesTime(basis);
    return times;
  }

 private:
  Real envelopeTime(const IndexSets& sets) {
    envelope_.analyze(*rows_.matrix(), true);
    const Real cost = factorCost(envelope_);
    if (cost > kTooMany) return NAN;
    const std::vector<std::uint8_t> isOut = tightByPlace(envelope_, sets.states());
    bool isGood = true;
    const double ms = leastTime(cost > kMany ? 1 : repeats_,
                                [&] { isGood = envelope_.factor(*rows_.matrix(), isOut); });
    return isGood ? ms : NAN;
  }

  Real bodiesTime(const FreeBasis& basis) {
    double least = kInfinity;
    bool isGood = true;
    for (int repeat = 0; repeat < repeats_; ++repeat) {
      bodies_.analyze(rows_, BasisKind::kRows);  // forgets the factor; the symbolic part stands
      least = std::min(least, leastTime(1, [&] { isGood = bodies_.factor(rows_, basis); }));
    }
    return isGood ? least : NAN;
  }

  int repeats_;
  ContactProblem problem_;
  RowSystem rows_;
  RowBounds bounds_;
  EnvelopeMatrix envelope_;
  BodyFactor bodies_;
};

void add(const SpaceTimes& times, SpaceTimes& sums) {
  for (int space = 0; space < kSpaces; ++space) sums[space] += times[space];
}

/// By frame; one that was not measured makes the whole NaN.
Real medianOf(const std::vector<SpaceTimes>& frames, int space) {
  std::vector<Real> values;
  for (const SpaceTimes& times : frames) values.push_back(times[space]);
  const bool isComplete =
      std::none_of(values.begin(), values.end(), [](Real ms) { return std::isnan(ms); });
  return isComplete ? median(values) : NAN;
}

void printTimes(const std::string& scene, const char* sets, int rows,
                const std::vector<SpaceTimes>& frames, CsvFile& csv) {
  fmt::print("| {} | {} | {} | {} |", scene, rows, sets, frames.size());
  SpaceTimes medians;
  for (int space = 0; space < kSpaces; ++space) {
    const Real ms = medians[space] = medianOf(frames, space);
    fmt::print(" {} |", std::isnan(ms) ? "–" : fmt::format("{:.3g}", ms));
  }
  printRow("\n");
  csv.row(scene, rows, sets, medians[0], medians[1], medians[2], medians[3], medians[4],
          medians[5]);
}

void measureSpaces(const std::string& name, const StudyOptions& options, CsvFile& csv) {
  const Scene scene = sceneWith(name, "", {}, {"world.friction=box"});
  Shadow shadow({{"bpp-sparse"}}, 1);
  SpaceTimer timer(options.repeats);
  SpaceTimes allFree{}, final{};
  shadow.observer = [&](const ShadowView& view) {
    timer.attach(view.problem);
    const std::vector<RowState> free(view.state.size(), RowState::kFree);
    add(timer.time(free, view.lambda), allFree);
    add(timer.time(view.state, view.lambda), final);
  };
  FrameRange range = framesOf(scene, kSpaceSeconds);
  range.stride = std::max(range.count / kSpaceFrames, 1);
  range.first = std::min(range.stride - 1, range.count - 1);
  range.count -= range.first;
  int rows = 0;
  std::vector<SpaceTimes> allFreeFrames, finalFrames;
  simulate(scene, shadow, range, options.limit, [&](World&) {
    allFreeFrames.push_back(std::exchange(allFree, SpaceTimes{}));
    finalFrames.push_back(std::exchange(final, SpaceTimes{}));
    int frameRows = 0;
    for (const ShadowRecord& record : shadow.records) frameRows += record.rows;
    rows = std::max(rows, frameRows);
  });
  printTimes(name, "all free", rows, allFreeFrames, csv);
  printTimes(name, "final", rows, finalFrames, csv);
}

}  // namespace

std::vector<std::string> spacesScenes() { return kSpaceScenes; }

void studySpaces(const StudyOptions& options) {
  fmt::print("## Where to factor a candidate\n\n| scene | rows of a frame, most | sets | frames |");
  for (const char* title : kTitles) fmt::print(" {} ms |", title);
  fmt::print("\n|---|--:|---|--:|");
  for (int space = 0; space < kSpaces; ++space) fmt::print("--:|");
  fmt::print("\n");
  CsvFile csv(options, "spaces", std::string("scene,rows,sets,") + kColumns);
  for (const std::string& name : kSpaceScenes) {
    if (options.wants(name)) measureSpaces(name, options, csv);
  }
  fmt::print(
      "\nBox friction; frames spread over {} s of each scene, sums over the islands, medians "
      "over the frames. Of "
      "Eigen's and CHOLMOD's factors the numeric part alone (AMD order); EnvelopeMatrix and "
      "BodyFactor with filling in the matrix. –: more than {:.0e} multiplications, a failure, or "
      "not built.\n\n",
      kSpaceSeconds, kTooMany);
}

}  // namespace drystone::bench
