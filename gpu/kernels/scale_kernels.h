#pragma once

#include "gpu/kernels/sweep_kernels.h"
#include "solvers/problem/scale_math.h"

// Thread functions between a problem as it comes and its mass-scaled figures: each index is a
// contact, or behind them a joint row. They compute in double, as BlockScaling does.

namespace drystone::gpu {

/// J̃ of rows that lie together in the problem.
template <int kRows, class Scalar>
DRYSTONE_HD inline void loadScaled(const SweepView<Scalar>& view, int firstRow, int bodyA,
                                   int bodyB, double (*jacobian)[12]) {
  const double* rootA = view.roots + view.kRootEntries * bodyA;
  const double* rootB = view.roots + view.kRootEntries * bodyB;
  for (int i = 0; i < kRows; ++i) {
    const std::size_t row = std::size_t{6} * (firstRow + i);
    scaleJacobian(view.problemJacobianA + row, rootA[0], rootA + 1, jacobian[i]);
    scaleJacobian(view.problemJacobianB + row, rootB[0], rootB + 1, jacobian[i] + 6);
  }
}

template <class Scalar>
DRYSTONE_HD inline double complianceOf(const SweepView<Scalar>& view, int row) {
  return view.problemCompliance == nullptr ? 0 : view.problemCompliance[row];
}

/// All figures of a sweep but λ and ũ.
template <class Scalar, int kRows>
struct ScaleElements {
  SweepView<Scalar> view;
  StepFigures figures;

  DRYSTONE_HD void operator()(int index) const {
    if (index < view.sizes.contacts) {
      scaleContact(index);
    } else {
      scaleRow(index - view.sizes.contacts);
    }
  }

 private:
  DRYSTONE_HD double updatesOf(int body, bool isSimultaneous) const {
    const bool isShared = figures.isSplit && isSimultaneous && view.updates != nullptr;
    return isShared ? view.updates[body] : 1;
  }

  DRYSTONE_HD void scaleContact(int contact) const {
    const int firstRow = view.contactRow[contact];
    const int bodyA = view.bodyA[contact], bodyB = view.bodyB[contact];
    const bool isSimultaneous = contact >= view.sizes.safeContacts;
    double jacobian[kRows][12], compliance[kRows];
    loadScaled<kRows>(view, firstRow, bodyA, bodyB, jacobian);
    for (int i = 0; i < kRows; ++i) compliance[i] = complianceOf(view, firstRow + i);
    ContactSteps<kRows> steps;
    makeContactSteps<kRows>(jacobian, compliance, updatesOf(bodyA, isSimultaneous),
                            updatesOf(bodyB, isSimultaneous), figures,
                            figures.couplesAll || !isSimultaneous, steps);
    for (int i = 0; i < kRows; ++i) {
      for (int k = 0; k < 12; ++k) {
        view.jacobian[view.at(12 * i + k, contact)] = static_cast<Scalar>(jacobian[i][k]);
      }
      view.b[view.at(i, contact)] = static_cast<Scalar>(view.problemB[firstRow + i]);
      if (view.compliance != nullptr) {
        view.compliance[view.at(i, contact)] = static_cast<Scalar>(compliance[i]);
      }
    }
    for (int i = 0; i + 1 < kRows; ++i) {
      view.coupling[view.at(i, contact)] = static_cast<Scalar>(steps.coupling[i]);
    }
    view.friction[contact] = static_cast<Scalar>(view.problemFriction[contact]);
    view.boxRadius[contact] = static_cast<Scalar>(view.problemBoxRadius[contact]);
    view.normalStep[contact] = static_cast<Scalar>(steps.normal);
    view.tangentStep[contact] = static_cast<Scalar>(steps.tangent);
  }

  DRYSTONE_HD void scaleRow(int row) const {
    const int source = view.rowRow[row];
    const int bodyA = view.rowBodyA[row], bodyB = view.rowBodyB[row];
    const bool isSimultaneous = row >= view.sizes.safeRows;
    double jacobian[1][12];
    loadScaled<1>(view, source, bodyA, bodyB, jacobian);
    const double compliance = complianceOf(view, source);
    for (int k = 0; k < 12; ++k) {
      view.rowJacobian[view.atRow(k, row)] = static_cast<Scalar>(jacobian[0][k]);
    }
    view.rowB[row] = static_cast<Scalar>(view.problemB[source]);
    view.rowCompliance[row] = static_cast<Scalar>(compliance);
    view.rowLower[row] = static_cast<Scalar>(view.problemLower[source]);
    view.rowUpper[row] = static_cast<Scalar>(view.problemUpper[source]);
    view.rowStep[row] =
        static_cast<Scalar>(rowStep(jacobian[0], compliance, updatesOf(bodyA, isSimultaneous),
                                    updatesOf(bodyB, isSimultaneous), figures));
  }
};

/// λ of the sweeps from that of the problem's rows.
template <class Scalar, int kRows>
struct TakeImpulses {
  SweepView<Scalar> view;

  DRYSTONE_HD void operator()(int index) const {
    if (index < view.sizes.islands) view.isSolved[index] = 0;
    if (index < view.sizes.contacts) {
      const double* from = view.impulse + view.contactRow[index];
      for (int i = 0; i < kRows; ++i) view.lambda[view.at(i, index)] = static_cast<Scalar>(from[i]);
    } else {
      const int row = index - view.sizes.contacts;
      view.rowLambda[row] = static_cast<Scalar>(view.impulse[view.rowRow[row]]);
    }
  }
};

/// λ of the problem's rows from that of the sweeps. What was swept in float is off the sets of the
/// laws by its round-off: it goes back to them in double, as returnToLaws() does it.
template <class Scalar, FrictionModel kModel>
struct ReturnImpulses {
  SweepView<Scalar> view;

  DRYSTONE_HD void operator()(int index) const {
    if (index < view.sizes.contacts) {
      returnContact(index);
    } else {
      returnRow(index - view.sizes.contacts);
    }
  }

 private:
  static constexpr bool kIsRounded = sizeof(Scalar) < sizeof(double);

  DRYSTONE_HD void returnContact(int contact) const {
    constexpr int kRows = contactRows(kModel);
    double* to = view.impulse + view.contactRow[contact];
    for (int i = 0; i < kRows; ++i) to[i] = view.lambda[view.at(i, contact)];
    if constexpr (kIsRounded) {
      to[0] = largerOf(0.0, to[0]);
      projectFriction(kModel,
                      kModel == FrictionModel::kBox ? view.problemBoxRadius[contact]
                                                    : view.problemFriction[contact] * to[0],
                      to + 1);
    }
  }
  DRYSTONE_HD void returnRow(int row) const {
    const int target = view.rowRow[row];
    const double own = view.rowLambda[row];
    view.impulse[target] =
        kIsRounded ? clampTo(own, view.problemLower[target], view.problemUpper[target]) : own;
  }
};

/// J̃ᵀ λ of the problem's rows to the slots, in double.
template <class Scalar, int kRows>
struct MeasureImpulses {
  SweepView<Scalar> view;

  DRYSTONE_HD void operator()(int index) const {
    double jacobian[kRows][12];
    if (index < view.sizes.contacts) {
      const int row = view.contactRow[index];
      loadScaled<kRows>(view, row, view.bodyA[index], view.bodyB[index], jacobian);
      writeSlots<kRows>(jacobian, view.impulse + row, view.slotA[index], view.slotB[index],
                        view.measuredContribution);
      return;
    }
    const int element = index - view.sizes.contacts, row = view.rowRow[element];
    loadScaled<1>(view, row, view.rowBodyA[element], view.rowBodyB[element], jacobian);
    writeSlots<1>(jacobian, view.impulse + row, view.rowSlotA[element], view.rowSlotB[element],
                  view.measuredContribution);
  }
};

/// w = J̃ ũ + C λ + b of the problem's rows, in double.
template <class Scalar, int kRows>
struct MeasureVelocity {
  SweepView<Scalar> view;

  DRYSTONE_HD void operator()(int index) const {
    if (index < view.sizes.contacts) {
      measure<kRows>(view.contactRow[index], view.bodyA[index], view.bodyB[index]);
    } else {
      const int element = index - view.sizes.contacts;
      measure<1>(view.rowRow[element], view.rowBodyA[element], view.rowBodyB[element]);
    }
  }

 private:
  template <int kCount>
  DRYSTONE_HD void measure(int firstRow, int bodyA, int bodyB) const {
    double jacobian[kCount][12];
    loadScaled<kCount>(view, firstRow, bodyA, bodyB, jacobian);
    const DeviceVelocity<double> a = view.measuredVelocity[bodyA];
    const DeviceVelocity<double> b = view.measuredVelocity[bodyB];
    for (int i = 0; i < kCount; ++i) {
      const int row = firstRow + i;
      view.w[row] = view.problemB[row] + complianceOf(view, row) * view.impulse[row] +
                    rowVelocity(jacobian[i], a, b);
    }
  }
};

}  // namespace drystone::gpu
