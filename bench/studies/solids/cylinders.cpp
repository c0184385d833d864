#include "bench/studies/solids/cylinders.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "core/timer.h"
#include "solids/contact/solid_world.h"
#include "solvers/default_registry.h"
#include "solvers/linear/cuthill_mckee.h"

namespace drystone::bench {
namespace {

constexpr Real kStep = 0.005, kDuration = 0.5;  // [s]
constexpr Real kBegin = 0.05;                   // [s] within which cells are mostly new

// Length 5 m, diameter 3 m, 4 m/s towards the middle one, μ = 1. What the thesis does not say:
// the axes stand side by side, almost touching, and the material.
SolidWorldSetup cylinders(Real spacing) {
  SolidWorldSetup setup;
  setup.friction = 1;
  setup.frictionModel = FrictionModel::kDiamond;
  const Vec3 half(7, 7, 3.5);
  SolidGrid grid;
  grid.spacing = spacing;
  for (int a = 0; a < 3; ++a) {
    const int cells = static_cast<int>(std::ceil(half[a] / spacing)) + 2;
    grid.nodes[a] = 2 * cells + 1;
    grid.origin[a] = -cells * spacing;
  }
  for (int i = -1; i <= 1; ++i) {
    for (int j = -1; j <= 1; ++j) {
      SolidSetup& body = setup.bodies.emplace_back();
      body.grid = grid;
      body.shape = SolidShape::cylinder(1.5, 2.5);
      body.material = {ElasticModel::kNeoHookean, 1000, 1e6, 0.3, 0};
      body.pose.position = 3.02 * Vec3(i, j, 0);
      if (i != 0 || j != 0) body.velocity = -4 * Vec3(i, j, 0).normalized();
    }
  }
  return setup;
}

/// Of the contacts in reverse Cuthill–McKee order.
int bandwidthOf(const BlockSparseMatrix& matrix) {
  CuthillMckeeWorkspace workspace;
  std::vector<int> order;
  reverseCuthillMckee(matrix.blockStart, matrix.blockColumn, workspace, order);
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<int>(i);
  int width = 0;
  for (int i = 0; i < matrix.blockCount(); ++i) {
    for (int k = matrix.blockStart[i]; k < matrix.blockStart[i + 1]; ++k) {
      width = std::max(width, std::abs(place[i] - place[matrix.blockColumn[k]]));
    }
  }
  return width;
}

/// Shares of the rows of normals and of tangents whose set at the end is that of the warm start.
struct RightSets {
  Real normals = 0, tangents = 0;
};
RightSets rightSets(const SolidSubstep& substep) {
  RightSets right;
  for (const ProblemBlock& block : substep.problem.blocks) {
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      const bool isSame = substep.startStates[row] == substep.states[row];
      (row == block.firstRow ? right.normals : right.tangents) += isSame ? 1 : 0;
    }
  }
  const auto count = static_cast<Real>(substep.problem.blockCount());
  right.normals /= count;
  right.tangents /= 2 * count;
  return right;
}

struct Variant {
  const char* name;
  const char* acceleration;
  Real tolerance;  // [m/s]
};

/// What the table of variants has of a run.
struct Totals {
  int rounds = 0, mostRounds = 0, solves = 0, missed = 0, most = 0;
  Real peakTime = 0, naturalMap = 0;
};

Totals collide(Real spacing, const Variant& variant, bool isDetailed) {
  SolidWorldSetup setup = cylinders(spacing);
  setup.solver = {"staggered", {{"acceleration", std::string(variant.acceleration)}}};
  setup.budget.tolerance = variant.tolerance;
  SolidWorld world(setup, makeDefaultRegistry());
  Totals totals;
  Real widest = 0, narrowest = 1, sum = 0;
  RightSets least{1, 1}, mean;
  int matrices = 0, later = 0;
  if (isDetailed) {
    fmt::print(
        "\n| t s | contacts | normals right at first | tangents | rounds | bandwidth by contacts "
        "|\n|--:|--:|--:|--:|--:|--:|\n");
  }
  const int steps = static_cast<int>(std::lround(kDuration / kStep));
  for (int i = 0; i < steps; ++i) {
    const SolidWorldReport report = world.step(kStep);
    const Real time = (i + 1) * kStep;
    if (report.status != SolidStatus::kOk) {
      fmt::print("stopped at {:.3f} s: body {} has status {}\n", time, report.body,
                 static_cast<int>(report.status));
      break;
    }
    totals.missed += report.missed;
    totals.naturalMap = std::max(totals.naturalMap, report.naturalMap);
    const SolidSubstep& last = world.last();
    const int contacts = last.problem.blockCount();
    if (contacts == 0) continue;
    if (contacts > totals.most) {
      totals.most = contacts;
      totals.peakTime = time;
    }
    const int rounds = last.result.solver.iterations;
    ++totals.solves;
    totals.rounds += rounds;
    totals.mostRounds = std::max(totals.mostRounds, rounds);
    const Real band = static_cast<Real>(bandwidthOf(*last.problem.assembled)) / contacts;
    widest = std::max(widest, band);
    narrowest = std::min(narrowest, band);
    sum += band;
    ++matrices;
    const RightSets right = rightSets(last);
    // Where nothing pushes no sets are told.
    if (time > kBegin && last.result.reason != SolveReason::kTrivial) {
      least = {std::min(least.normals, right.normals), std::min(least.tangents, right.tangents)};
      mean = {mean.normals + right.normals, mean.tangents + right.tangents};
      ++later;
    }
    if (isDetailed && (i + 1) % 5 == 0) {
      fmt::print("| {:.3f} | {} | {:.2f} | {:.2f} | {} | {:.2f} |\n", time, contacts, right.normals,
                 right.tangents, rounds, band);
    }
  }
  if (isDetailed && later > 0) {
    fmt::print("\nBandwidth by contacts: {:.2f} to {:.2f}, mean {:.2f}\n", narrowest, widest,
               sum / matrices);
    fmt::print("Right at first, after {:.2f} s: normals {:.2f} at least, mean {:.2f}; ", kBegin,
               least.normals, mean.normals / later);
    fmt::print("tangents {:.2f} at least, mean {:.2f}\n", least.tangents, mean.tangents / later);
  }
  return totals;
}

}  // namespace

void studyCylinders(Real spacing) {
  const Variant variants[] = {{"plain rounds, 1e-6 m/s", "none", 1e-6},
                              {"plain rounds, 1e-3 m/s", "none", 1e-3},
                              {"as they are by default, 1e-6 m/s", "newton", 1e-6}};
  std::vector<std::string> rows;
  for (const Variant& variant : variants) {
    const Timer timer;
    const Totals totals = collide(spacing, variant, &variant == &variants[2]);
    rows.push_back(fmt::format(
        "| {} | {} at {:.3f} s | {:.1f} | {} | {} | {:.1e} | {:.0f} |", variant.name, totals.most,
        totals.peakTime, static_cast<Real>(totals.rounds) / std::max(1, totals.solves),
        totals.mostRounds, totals.missed, totals.naturalMap, timer.milliseconds() / 1e3));
  }
  fmt::print(
      "\n| rounds | most contacts | rounds, mean | most | missed | largest natural map m/s | s "
      "|\n|---|--:|--:|--:|--:|--:|--:|\n");
  for (const std::string& row : rows) fmt::print("{}\n", row);
}

}  // namespace drystone::bench
