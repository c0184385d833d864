#include "solvers/problem/judge.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "core/check.h"
#include "core/parallel.h"
#include "solvers/problem/contact_lanes.h"
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
  if (block.law == BlockLaw::kContact) return std::isfinite(block.friction + block.rolling);
  for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
    if (!(problem.lower[row] <= problem.upper[row])) return false;
  }
  return true;
}

/// What the figures of up to kBlocksAtOnce blocks in a row are made from, beside w.
struct Stretch {
  const Real* steps;                     ///< by block, from the first of the stretch
  const Real* diagonal;                  ///< by row of the problem
  std::array<bool, kBlocksAtOnce> idle;  ///< step and diagonal are not needed, and may not be there
};

/// Begins w = A λ + b: all of A λ in the assembled form, and in the body form what completeVelocity
/// goes on from.
void beginVelocity(const ContactProblem& problem, std::span<const Real> lambda,
                   JudgeWorkspace& workspace) {
  DRYSTONE_ASSERT(static_cast<int>(lambda.size()) == problem.rowCount());
  workspace.w.resize(problem.rowCount());
  if (problem.steps.empty()) {
    workspace.steps.resize(problem.blockCount());
    workspace.diagonal.resize(problem.rowCount());
  }
  if (problem.assembled) {
    problem.assembled->multiply(lambda, workspace.w);
  } else {
    workspace.bodyVelocity.resize(problem.bodyCount());
    impulseToVelocity(problem, lambda, workspace.bodyVelocity, workspace.threads);
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

Stretch stretchOf(const ContactProblem& problem, std::span<const Real> lambda, int begin, int end,
                  JudgeWorkspace& workspace) {
  Stretch stretch;
  for (int block = begin; block < end; ++block) {
    const ProblemBlock& info = problem.blocks[block];
    stretch.idle[block - begin] =
        isIdle(problem, info, &lambda[info.firstRow], &workspace.w[info.firstRow]);
  }
  if (problem.steps.empty()) {
    measureBlocks(problem, begin, end, stretch.idle.data(), workspace.diagonal.data(),
                  &workspace.steps[begin]);
  }
  const bool isMeasured = !problem.steps.empty();
  stretch.steps = isMeasured ? &problem.steps[begin] : &workspace.steps[begin];
  stretch.diagonal = isMeasured ? problem.diagonal.data() : workspace.diagonal.data();
  return stretch;
}

/// Adds all figures of one block but its natural map.
void addFigures(const ContactProblem& problem, int block, bool isIdleBlock, const Real* diagonal,
                const Real* lambda, const Real* w, JudgePart& part) {
  const ProblemBlock& info = problem.blocks[block];
  JudgeReport& report = part.rest;
  const Real* blockLambda = lambda + info.firstRow;
  const Real* blockW = w + info.firstRow;
  report.finite = report.finite && isLawGiven(problem, info);
  for (int i = 0; i < info.rows; ++i) {
    report.finite = report.finite && std::isfinite(blockLambda[i]) && std::isfinite(blockW[i]);
    report.largestB = std::max(report.largestB, std::abs(problem.b[info.firstRow + i]));
  }
  part.relative.add(problem, block, blockLambda, blockW);
  if (isIdleBlock) return;
  for (int i = 0; i < info.rows; ++i) {
    const Real energy =
        rowEnergyError(problem, block, i, diagonal[info.firstRow + i], blockLambda, blockW[i]);
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

/// The part of the blocks in [begin, end); only their natural map where it is beyond the tolerance.
JudgePart judgeStretch(const ContactProblem& problem, std::span<const Real> lambda, Real tolerance,
                       int begin, int end, JudgeWorkspace& workspace) {
  JudgePart part;
  completeVelocity(problem, lambda, begin, end, workspace);
  const Real* w = workspace.w.data();
  const Stretch stretch = stretchOf(problem, lambda, begin, end, workspace);
  const bool* idle = stretch.idle.data();
  std::array<BlockError, kBlocksAtOnce> errors;
  blockErrors(problem, begin, end, idle, stretch.steps, lambda.data(), w, errors.data());
  for (int block = begin; block < end; ++block) part.naturalMap.add(block, errors[block - begin]);
  if (!(part.naturalMap.largest() <= tolerance)) return part;
  forEachRun(
      problem, begin, end, isLaneCone,
      [&](int first, int last) {
        contactLanes().figures({problem, first, last}, idle + (first - begin), stretch.diagonal,
                               lambda.data(), w, part);
      },
      [&](int block) {
        addFigures(problem, block, idle[block - begin], stretch.diagonal, lambda.data(), w, part);
      });
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
  DRYSTONE_ASSERT(static_cast<int>(residuals.size()) == problem.blockCount());
  beginVelocity(problem, lambda, workspace);
  parallelRanges(problem.blockCount(), kBlocksAtOnce, workspace.threads, [&](int begin, int end) {
    completeVelocity(problem, lambda, begin, end, workspace);
    const Stretch stretch = stretchOf(problem, lambda, begin, end, workspace);
    std::array<BlockError, kBlocksAtOnce> errors;
    blockErrors(problem, begin, end, stretch.idle.data(), stretch.steps, lambda.data(),
                workspace.w.data(), errors.data());
    for (int block = begin; block < end; ++block) {
      const Real squared = errors[block - begin].squared;
      residuals[block] = std::isfinite(squared) ? std::sqrt(squared) : kInfinity;
    }
  });
}

}  // namespace drystone
