#include "solvers/judge.h"

#include <algorithm>
#include <cmath>

#include "engine/core/check.h"
#include "solvers/laws.h"
#include "solvers/problem_ops.h"
#include "solvers/residual.h"

namespace drystone {
namespace {

bool allFinite(std::span<const Real> values) {
  return std::all_of(values.begin(), values.end(), [](Real value) { return std::isfinite(value); });
}

JudgeReport notFinite() {
  JudgeReport report;
  report.naturalMap = report.naturalMapNorm = report.relative = kInfinity;
  report.energyMax = report.energySum = kInfinity;
  report.coneExcess = report.normalImpulseMin = report.complementarityGap = kInfinity;
  report.finite = false;
  return report;
}

}  // namespace

JudgeReport judge(const ContactProblem& problem, std::span<const Real> lambda,
                  JudgeWorkspace& workspace) {
  DRYSTONE_ASSERT(static_cast<int>(lambda.size()) == problem.rowCount());
  workspace.w.resize(problem.rowCount());
  workspace.bodyVelocity.resize(problem.bodyCount());
  workspace.blockSteps.resize(problem.blockCount());
  constraintVelocity(problem, lambda, workspace.bodyVelocity, workspace.w);
  if (!allFinite(lambda) || !allFinite(workspace.w)) return notFinite();

  JudgeReport report;
  for (int block = 0; block < problem.blockCount(); ++block) {
    const ProblemBlock& info = problem.blocks[block];
    Real diagonal[kMaxBlockRows * kMaxBlockRows];
    diagonalBlock(problem, block, diagonal);
    workspace.blockSteps[block] = blockStep(problem, block, diagonal);

    const Real* blockLambda = &lambda[info.firstRow];
    const Real* blockW = &workspace.w[info.firstRow];
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
  }
  const NaturalMapSize size = naturalMapSize(problem, workspace.blockSteps, lambda, workspace.w);
  report.naturalMap = size.largest;
  report.worstBlock = size.worstBlock;
  report.naturalMapNorm = size.norm;
  report.relative = relativeError(problem, lambda, workspace.w);
  return report;
}

}  // namespace drystone
