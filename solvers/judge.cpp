#include "solvers/judge.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/check.h"
#include "engine/core/parallel.h"
#include "solvers/laws.h"
#include "solvers/problem_ops.h"

namespace drystone {
namespace {

JudgeReport notFinite() {
  JudgeReport report;
  report.naturalMap = report.naturalMapNorm = report.relative = kInfinity;
  report.energyMax = report.energySum = kInfinity;
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

/// Judges the blocks in [begin, end), whose w it completes: on entry w = A λ in the assembled form,
/// and open in the body form.
JudgePart judgeStretch(const ContactProblem& problem, std::span<const Real> lambda, int begin,
                       int end, JudgeWorkspace& workspace) {
  JudgePart part;
  JudgeReport& report = part.rest;
  const std::span<Real> w = workspace.w;
  if (!problem.assembled) {
    relativeVelocity(problem, begin, end, workspace.bodyVelocity, lambda, w);
  }
  std::array<DiagonalBlock, kBlocksAtOnce> diagonals;
  std::array<Real, kBlocksAtOnce> steps;
  std::array<bool, kBlocksAtOnce> idle;
  for (int block = begin; block < end; ++block) {
    const ProblemBlock& info = problem.blocks[block];
    for (int row = info.firstRow; row < info.firstRow + info.rows; ++row) {
      w[row] += problem.b[row];
      report.finite = report.finite && std::isfinite(lambda[row]) && std::isfinite(w[row]);
    }
    const int i = block - begin;
    idle[i] = isIdle(problem, info, &lambda[info.firstRow], &w[info.firstRow]);
    if (idle[i]) {
      diagonals[i].fill(0);
    } else {
      diagonalBlock(problem, block, diagonals[i].data());
    }
  }
  blockSteps(problem, begin, end, diagonals.data(), steps.data());
  for (int block = begin; block < end; ++block) {
    const ProblemBlock& info = problem.blocks[block];
    const Real* diagonal = diagonals[block - begin].data();
    const Real* blockLambda = &lambda[info.firstRow];
    const Real* blockW = &w[info.firstRow];
    part.relative.add(problem, block, blockLambda, blockW);
    if (idle[block - begin]) continue;
    for (int i = 0; i < info.rows; ++i) {
      const Real energy =
          rowEnergyError(problem, block, i, diagonal[i * (info.rows + 1)], blockLambda, blockW[i]);
      report.energyMax = std::max(report.energyMax, energy);
      report.energySum += energy;
    }
    if (info.law == BlockLaw::kContact) {
      report.coneExcess =
          std::max(report.coneExcess, frictionExcess(problem.friction, info, blockLambda));
      report.normalImpulseMin = std::min(report.normalImpulseMin, blockLambda[0]);
      report.complementarityGap += std::abs(blockLambda[0] * blockW[0]);
    }
    part.naturalMap.add(problem, block, steps[block - begin], blockLambda, blockW);
  }
  return part;
}

}  // namespace

void JudgePart::add(const JudgePart& later) {
  naturalMap.add(later.naturalMap);
  relative.add(later.relative);
  rest.energyMax = std::max(rest.energyMax, later.rest.energyMax);
  rest.energySum += later.rest.energySum;
  rest.coneExcess = std::max(rest.coneExcess, later.rest.coneExcess);
  rest.normalImpulseMin = std::min(rest.normalImpulseMin, later.rest.normalImpulseMin);
  rest.complementarityGap += later.rest.complementarityGap;
  rest.finite = rest.finite && later.rest.finite;
}

JudgeReport judge(const ContactProblem& problem, std::span<const Real> lambda,
                  JudgeWorkspace& workspace) {
  DRYSTONE_ASSERT(static_cast<int>(lambda.size()) == problem.rowCount());
  workspace.w.resize(problem.rowCount());
  if (problem.assembled) {
    problem.assembled->multiply(lambda, workspace.w);
  } else {
    workspace.bodyVelocity.resize(problem.bodyCount());
    impulseToVelocity(problem, lambda, workspace.bodyVelocity);
  }
  // Stretches are added up in their order, so that no bit depends on the threads.
  const int blocks = problem.blockCount();
  workspace.parts.resize((blocks + kBlocksAtOnce - 1) / kBlocksAtOnce);
  parallelRanges(blocks, kBlocksAtOnce, workspace.threads, [&](int begin, int end) {
    workspace.parts[begin / kBlocksAtOnce] = judgeStretch(problem, lambda, begin, end, workspace);
  });
  JudgePart whole;
  for (const JudgePart& part : workspace.parts) whole.add(part);
  if (!whole.rest.finite) return notFinite();
  const NaturalMapSize size = whole.naturalMap.size();
  JudgeReport report = whole.rest;
  report.naturalMap = size.largest;
  report.worstBlock = size.worstBlock;
  report.naturalMapNorm = size.norm;
  report.relative = whole.relative.value();
  return report;
}

}  // namespace drystone
