#pragma once

#include "solvers/problem/prox_math.h"

// Mass-scaled rows and the R factors that are made of them, for the processor and for devices. Free
// of Eigen and of the containers of problems, so that nvcc sees nothing else.

namespace drystone {

/// One body's six entries of J̃ = J L. `linear` and `angular`, by columns: L (MassRoot), which is
/// lower triangular in its angular part.
DRYSTONE_HD inline void scaleJacobian(const double* jacobian, double linear, const double* angular,
                                      double* scaled) {
  const double x = jacobian[3], y = jacobian[4], z = jacobian[5];
  for (int i = 0; i < 3; ++i) scaled[i] = jacobian[i] * linear;
  scaled[3] = x * angular[0] + y * angular[1] + z * angular[2];
  scaled[4] = y * angular[4] + z * angular[5];
  scaled[5] = z * angular[8];
}

/// One entry at a time: they were just written so, and a wider load would wait for all of them.
DRYSTONE_HD inline double dotOfSix(const double* x, const double* y) {
  double sum = 0;
  for (int i = 0; i < 6; ++i) sum += x[i] * y[i];
  return sum;
}

/// In the order of two lanes.
DRYSTONE_HD inline double squareOfSix(const double* x) {
  double term[6] = {};
  for (int i = 0; i < 6; ++i) term[i] = x[i] * x[i];
  return (term[0] + (term[2] + term[4])) + (term[1] + (term[3] + term[5]));
}

/// Denominators of the local R factors of a contact (Nützi 2011, Eq. 4.42, 4.43): its normal entry,
/// and the largest of its tangential entries, or a little more than half of the largest absolute
/// row sum of the tangents where that is larger: R = α/scale is stable up to α λ_max/scale = 2, and
/// λ_max may be the whole row sum (the tip of a thin rod that lies between the tangents).
struct ContactScales {
  double normal = 0;
  double tangent = 0;
  double rolling = 0;  ///< of the last two of five rows, likewise
};
constexpr double kShareOfRowSum = 0.55;  // stable up to α = 1.1 whatever the block is
DRYSTONE_HD inline ContactScales contactScales(const double* diagonalBlock, int rows) {
  ContactScales scales;
  scales.normal = diagonalBlock[0];
  const auto largest = [&](int begin, int end) {
    double scale = 0;
    for (int i = begin; i < end; ++i) {
      double rowSum = 0;
      for (int j = begin; j < end; ++j) rowSum += std::abs(diagonalBlock[i * rows + j]);
      scale = largerOf(largerOf(scale, diagonalBlock[i * rows + i]), kShareOfRowSum * rowSum);
    }
    return scale;
  };
  const int tangents = rows == 5 ? 3 : rows;
  scales.tangent = largest(1, tangents);
  scales.rolling = largest(tangents, rows);
  // Where nothing moves the tangents, friction still has to find its bound against the slip.
  if (!(scales.tangent > 0)) scales.tangent = scales.normal;
  if (!(scales.rolling > 0)) scales.rolling = scales.normal;
  return scales;
}

/// α/scale, or 0 for a row that nothing moves: its impulse then stays as it is.
DRYSTONE_HD inline double stepFor(double relaxation, double scale) {
  return scale > 0 ? relaxation / scale : 0;
}

/// What a StepRule says of R factors, in plain numbers.
struct StepFigures {
  double relaxation = 1;   ///< α
  double globalStep = 0;   ///< R of every row without α, where `isGlobal`
  bool isGlobal = false;   ///< else each contact and row has R factors of its own
  bool isSplit = true;     ///< simultaneous updates share the mass of their body
  bool couplesAll = true;  ///< tangents see the normal's change in simultaneous updates too
};

/// R factors of a contact from J̃, six entries of body A and six of body B a row; `updates`:
/// simultaneous updates of each body, 1 where there are none.
template <int kRows>
DRYSTONE_HD inline void makeContactSteps(const double (*jacobian)[12], const double* compliance,
                                         double updatesA, double updatesB,
                                         const StepFigures& figures, bool isCoupled,
                                         ContactSteps<kRows>& steps) {
  double diagonal[kRows * kRows];
  for (int i = 0; i < kRows; ++i) {
    for (int j = 0; j <= i; ++j) {
      const double* p = jacobian[i];
      const double* q = jacobian[j];
      const double entry = updatesA * dotOfSix(p, q) + updatesB * dotOfSix(p + 6, q + 6);
      diagonal[i * kRows + j] = diagonal[j * kRows + i] = entry;
    }
    diagonal[i * kRows + i] += compliance[i];
  }
  if (figures.isGlobal) {
    steps.normal = steps.tangent = figures.relaxation * figures.globalStep;
    if constexpr (kRows == 5) steps.rolling = steps.tangent;
  } else {
    const ContactScales scales = contactScales(diagonal, kRows);
    steps.normal = stepFor(figures.relaxation, scales.normal);
    steps.tangent = stepFor(figures.relaxation, scales.tangent);
    if constexpr (kRows == 5) steps.rolling = stepFor(figures.relaxation, scales.rolling);
  }
  for (int i = 1; i < kRows; ++i) steps.coupling[i - 1] = isCoupled ? diagonal[i * kRows] : 0;
  if constexpr (kRows == 5) {
    for (int i = 0; i < 4; ++i) {
      steps.rollingCoupling[i] = isCoupled ? diagonal[(3 + i / 2) * kRows + 1 + i % 2] : 0;
    }
  }
}

/// R of a joint row, likewise.
DRYSTONE_HD inline double rowStep(const double* jacobian, double compliance, double updatesA,
                                  double updatesB, const StepFigures& figures) {
  if (figures.isGlobal) return figures.relaxation * figures.globalStep;
  const double scale =
      updatesA * squareOfSix(jacobian) + updatesB * squareOfSix(jacobian + 6) + compliance;
  return stepFor(figures.relaxation, scale);
}

}  // namespace drystone
