#include "solvers/problem/judge.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "core/check.h"
#include "core/parallel.h"
#include "solvers/problem/laws.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

JudgeReport notFinite() {
  JudgeReport report;
  report.naturalMap = report.naturalMapNorm = report.relative = kInfinity;
  report.normalError = report.largestB = report.energyMax = report.energySum = kInfinity;
  report.coneExcess = report.normalImpulseMin = report.complementarityGap = kInfinity;
  report.finite = false;
  return report;
}

/// An open contact that carries nothing: F is exactly zero at any ρ, as are all its other errors.
/// `box` may brake without a normal impulse, so that it has none.
bool isIdle(const ContactProblem& problem, const ProblemBlock& block, const Real* lambda,
            const Real* w) {
  if (block.law != BlockLaw::kContact || problem.friction == FrictionModel::kBox) return false;
  return w[0] >= 0 && std::all_of(lambda, lambda + block.rows, [](Real x) { return x == 0; });
}

/// Whether the law of a block is one: a friction coefficient without a value or end binds nothing,
/// and an impulse is on both sides of a bound that is not a number.
bool isLawGiven(const ContactProblem& problem, const ProblemBlock& block) {
  if (block.law == BlockLaw::kContact) return std::isfinite(block.friction);
  for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
    if (!(problem.lower[row] <= problem.upper[row])) return false;
  }
  return true;
}

/// What the figures of up to kBlocksAtOnce blocks in a row are made from, beside w.
struct Stretch {
  std::array<DiagonalBlock, kBlocksAtOnce> diagonals;
  std::array<Real, kBlocksAtOnce> steps;
  std::array<bool, kBlocksAtOnce> idle;  ///< diagonal and step are not needed, and not there
};

/// Begins w = A λ + b: all of A λ in the assembled form, and in the body form what completeVelocity
/// goes on from.
void beginVelocity(const ContactProblem& problem, std::span<const Real> lambda,
                   JudgeWorkspace& workspace) {
  workspace.w.resize(problem.rowCount());
  if (problem.assembled) {
    problem.assembled->multiply(lambda, workspace.w);
  } else {
    workspace.bodyVelocity.resize(problem.bodyCount());
    impulseToVelocity(problem, lambda, workspace.bodyVelocity);
  }
}

/// Completes w of the blocks in [begin, end).
void completeVelocity(const ContactProblem& problem, std::span<const Real> lambda, int begin,
                      int end, JudgeWorkspace& workspace) {
  if (!problem.assembled) {
    relativeVelocity(problem, begin, end, workspace.bodyVelocity, lambda, workspace.w);
  }
  for (int block = begin; block < end; ++block) {
    const ProblemBlock& info = problem.blocks[block];
    for (int row = info.firstRow; row < info.firstRow + info.rows; ++row) {
      workspace.w[row] += problem.b[row];
    }
  }
}

Stretch stretchOf(const ContactProblem& problem, std::span<const Real> lambda,
                  std::span<const Real> w, int begin, int end) {
  Stretch stretch;
  for (int block = begin; block < end; ++block) {
    const ProblemBlock& info = problem.blocks[block];
    const int i = block - begin;
    stretch.idle[i] = isIdle(problem, info, &lambda[info.firstRow], &w[info.firstRow]);
    if (!problem.steps.empty()) {
      stretch.steps[i] = problem.steps[block];
    } else if (stretch.idle[i]) {
      stretch.diagonals[i].fill(0);
    } else {
      diagonalBlock(problem, block, stretch.diagonals[i].data());
    }
  }
  if (problem.steps.empty()) {
    blockSteps(problem, begin, end, stretch.diagonals.data(), stretch.steps.data());
  }
  return stretch;
}

/// The part of the blocks in [begin, end), or of those up to the first whose natural map is beyond
/// the tolerance.
JudgePart judgeStretch(const ContactProblem& problem, std::span<const Real> lambda, Real tolerance,
                       int begin, int end, JudgeWorkspace& workspace) {
  JudgePart part;
  JudgeReport& report = part.rest;
  completeVelocity(problem, lambda, begin, end, workspace);
  const std::span<const Real> w = workspace.w;
  const Stretch stretch = stretchOf(problem, lambda, w, begin, end);
  for (int block = begin; block < end; ++block) {
    const ProblemBlock& info = problem.blocks[block];
    const Real* blockLambda = &lambda[info.firstRow];
    const Real* blockW = &w[info.firstRow];
    report.finite = report.finite && isLawGiven(problem, info);
    const bool isIdleBlock = stretch.idle[block - begin];
    if (!isIdleBlock) {
      part.naturalMap.add(problem, block, stretch.steps[block - begin], blockLambda, blockW);
      if (!(part.naturalMap.largest() <= tolerance)) return part;
    }
    for (int i = 0; i < info.rows; ++i) {
      report.finite = report.finite && std::isfinite(blockLambda[i]) && std::isfinite(blockW[i]);
      report.largestB = std::max(report.largestB, std::abs(problem.b[info.firstRow + i]));
    }
    part.relative.add(problem, block, blockLambda, blockW);
    if (isIdleBlock) continue;
    for (int i = 0; i < info.rows; ++i) {
      const Real diagonal = problem.diagonal.empty()
                                ? stretch.diagonals[block - begin][i * (info.rows + 1)]
                                : problem.diagonal[info.firstRow + i];
      const Real energy = rowEnergyError(problem, block, i, diagonal, blockLambda, blockW[i]);
      report.energyMax = std::max(report.energyMax, energy);
      report.energySum += energy;
    }
    if (info.law == BlockLaw::kContact) {
      report.coneExcess =
          std::max(report.coneExcess, frictionExcess(problem.friction, info, blockLambda));
      report.normalImpulseMin = std::min(report.normalImpulseMin, blockLambda[0]);
      report.complementarityGap += std::abs(blockLambda[0] * blockW[0]);
    }
  }
  return part;
}

}  // namespace

void JudgePart::add(const JudgePart& later) {
  naturalMap.add(later.naturalMap);
  relative.add(later.relative);
  rest.largestB = std::max(rest.largestB, later.rest.largestB);
  rest.energyMax = std::max(rest.energyMax, later.rest.energyMax);
  rest.energySum += later.rest.energySum;
  rest.coneExcess = std::max(rest.coneExcess, later.rest.coneExcess);
  rest.normalImpulseMin = std::min(rest.normalImpulseMin, later.rest.normalImpulseMin);
  rest.complementarityGap += later.rest.complementarityGap;
  rest.finite = rest.finite && later.rest.finite;
}

JudgeReport judge(const ContactProblem& problem, std::span<const Real> lambda,
                  JudgeWorkspace& workspace) {
  return *judgeWithin(problem, lambda, kInfinity, workspace);
}

JudgeReport judgeOnce(const ContactProblem& problem, std::span<const Real> lambda,
                      JudgeWorkspace& workspace) {
  Verdict& verdict = workspace.verdict;
  if (verdict.b != problem.b.data() || !std::ranges::equal(verdict.lambda, lambda)) {
    verdict.report = judge(problem, lambda, workspace);
    verdict.b = problem.b.data();
    verdict.lambda.assign(lambda.begin(), lambda.end());
  }
  return verdict.report;
}

std::optional<JudgeReport> judgeWithin(const ContactProblem& problem, std::span<const Real> lambda,
                                       Real tolerance, JudgeWorkspace& workspace) {
  DRYSTONE_ASSERT(static_cast<int>(lambda.size()) == problem.rowCount());
  beginVelocity(problem, lambda, workspace);
  const int blocks = problem.blockCount();
  workspace.parts.resize((blocks + kBlocksAtOnce - 1) / kBlocksAtOnce);
  std::atomic<bool> isMissed = false;
  parallelRanges(blocks, kBlocksAtOnce, workspace.threads, [&](int begin, int end) {
    if (isMissed.load(std::memory_order_relaxed)) return;
    JudgePart& part = workspace.parts[begin / kBlocksAtOnce];
    part = judgeStretch(problem, lambda, tolerance, begin, end, workspace);
    if (!(part.naturalMap.largest() <= tolerance)) isMissed.store(true);
  });
  if (isMissed) return std::nullopt;
  // Stretches are added up in their order, so that no bit depends on the threads.
  JudgePart whole;
  for (const JudgePart& part : workspace.parts) whole.add(part);
  JudgeReport report = notFinite();
  if (whole.rest.finite) {
    const NaturalMapSize size = whole.naturalMap.size();
    report = whole.rest;
    report.naturalMap = size.largest;
    report.worstBlock = size.worstBlock;
    report.naturalMapNorm = size.norm;
    report.normalError = size.normal;
    report.relative = whole.relative.value();
  }
  if (!(report.naturalMap <= tolerance)) return std::nullopt;
  return report;
}

void blockResiduals(const ContactProblem& problem, std::span<const Real> lambda,
                    JudgeWorkspace& workspace, std::span<Real> residuals) {
  DRYSTONE_ASSERT(static_cast<int>(lambda.size()) == problem.rowCount());
  DRYSTONE_ASSERT(static_cast<int>(residuals.size()) == problem.blockCount());
  beginVelocity(problem, lambda, workspace);
  parallelRanges(problem.blockCount(), kBlocksAtOnce, workspace.threads, [&](int begin, int end) {
    completeVelocity(problem, lambda, begin, end, workspace);
    const Stretch stretch = stretchOf(problem, lambda, workspace.w, begin, end);
    for (int block = begin; block < end; ++block) {
      const int first = problem.blocks[block].firstRow;
      const Real squared = blockError(problem, block, stretch.steps[block - begin], &lambda[first],
                                      &workspace.w[first])
                               .squared;
      residuals[block] = std::isfinite(squared) ? std::sqrt(squared) : kInfinity;
    }
  });
}

}  // namespace drystone
