#include "solvers/problem/laws.h"

#include "solvers/problem/joint_math.h"

namespace drystone {

void projectJointly(FrictionModel model, const ProblemBlock& block, Real* z) {
  projectJointly(model, block.friction, secondCoefficient(model, block), z);
}

Real deSaxceShift(FrictionModel model, const ProblemBlock& block, const Real* w) {
  return deSaxceShift(model, block.friction, block.rolling, w);
}

Real frictionExcess(FrictionModel model, const ProblemBlock& block, const Real* lambda) {
  if (model == FrictionModel::kNone) return 0;
  const Real radius = frictionRadius(model, block, lambda[0]);
  Real excess = frictionNorm(model, lambda + 1) - radius;
  if (model == FrictionModel::kRolling) {
    excess = std::max(excess, rollingNorm(lambda + 1) - rollingRadius(block, lambda[0]));
  }
  return std::max<Real>(0, excess);
}

Real frictionSlice(FrictionModel model, const ProblemBlock& block, const Real* lambda, int row) {
  const Real radius = frictionRadius(model, block, lambda[0]);
  if (model == FrictionModel::kRolling) {
    const Real reach = row < 3 ? radius : rollingRadius(block, lambda[0]);
    const Real other = lambda[row < 3 ? 3 - row : 7 - row];
    return std::sqrt(std::max<Real>(0, (reach - other) * (reach + other)));
  }
  const int tangents = contactRows(model) - 1;
  Real others[3] = {0, 0, 0};
  for (int i = 0; i < tangents; ++i) others[i] = i == row - 1 ? 0 : lambda[i + 1];
  const Real used = frictionNorm(model, others);
  switch (model) {
    case FrictionModel::kBox:
    case FrictionModel::kPyramid:
      return radius;
    case FrictionModel::kDiamond:
      return std::max<Real>(0, radius - used);
    default: {
      const Real weight = row == 3 ? kTorsionWeight<Real> : 1;
      return std::sqrt(std::max<Real>(0, (radius - used) * (radius + used))) / weight;
    }
  }
}

}  // namespace drystone
