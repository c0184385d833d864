#pragma once

#include "gpu/layout/sweep_view.h"
#include "solvers/problem/prox_math.h"

// Thread functions of the sweeps in factorized form: each index is one thread. The sums are those
// of FactorizedSystem, in its order where that costs nothing.

namespace drystone::gpu {

/// J̃ ũ of one row; the order of the sum is that of two lanes, as on the processor.
template <class Scalar>
DRYSTONE_HD inline Scalar rowVelocity(const Scalar* jacobian, const DeviceVelocity<Scalar>& a,
                                      const DeviceVelocity<Scalar>& b) {
  Scalar term[6];
  for (int k = 0; k < 6; ++k) term[k] = jacobian[k] * a.value[k] + jacobian[6 + k] * b.value[k];
  return (term[0] + (term[2] + term[4])) + (term[1] + (term[3] + term[5]));
}

template <int kRows, class Scalar>
DRYSTONE_HD inline void loadJacobian(const SweepView<Scalar>& view, int contact,
                                     Scalar (*jacobian)[12]) {
  for (int i = 0; i < kRows; ++i) {
    for (int k = 0; k < 12; ++k) jacobian[i][k] = view.jacobian[view.at(12 * i + k, contact)];
  }
}

/// What a thread holds of one contact.
template <class Scalar, int kRows>
struct LoadedContact {
  Scalar jacobian[kRows][12];
  Scalar lambda[kRows];
  Scalar w[kRows];
  int bodyA, bodyB;

  LoadedContact() = default;
  DRYSTONE_HD LoadedContact(const SweepView<Scalar>& view, int contact)
      : bodyA(view.bodyA[contact]), bodyB(view.bodyB[contact]) {
    loadJacobian<kRows>(view, contact, jacobian);
    for (int i = 0; i < kRows; ++i) lambda[i] = view.lambda[view.at(i, contact)];
  }
  DRYSTONE_HD void computeVelocity(const SweepView<Scalar>& view, int contact) {
    const DeviceVelocity<Scalar> a = view.velocity[bodyA];
    const DeviceVelocity<Scalar> b = view.velocity[bodyB];
    for (int i = 0; i < kRows; ++i) {
      w[i] = view.b[view.at(i, contact)];
      if (view.compliance != nullptr) w[i] += view.compliance[view.at(i, contact)] * lambda[i];
      w[i] += rowVelocity(jacobian[i], a, b);
    }
  }
};

/// Updates λ of one contact; `change` receives the difference.
template <FrictionModel kModel, class Scalar, int kRows>
DRYSTONE_HD inline void updateLoaded(const SweepView<Scalar>& view, int contact,
                                     LoadedContact<Scalar, kRows>& loaded, Scalar* change) {
  loaded.computeVelocity(view, contact);
  ContactSteps<kRows, Scalar> steps;
  steps.normal = view.normalStep[contact];
  steps.tangent = view.tangentStep[contact];
  for (int i = 0; i + 1 < kRows; ++i) steps.coupling[i] = view.coupling[view.at(i, contact)];
  const Scalar boxRadius = kModel == FrictionModel::kBox ? view.boxRadius[contact] : Scalar(0);
  updateContact<kModel, kRows>(steps, view.friction[contact], boxRadius, loaded.w, loaded.lambda,
                               change);
  for (int i = 0; i < kRows; ++i) view.lambda[view.at(i, contact)] = loaded.lambda[i];
}

/// value += J̃ᵀ x over the rows of one side (0: body A, 6: body B).
template <int kRows, class Scalar>
DRYSTONE_HD inline void addSide(const Scalar (*jacobian)[12], const Scalar* x, int side,
                                Scalar* value) {
  for (int i = 0; i < kRows; ++i) {
    for (int k = 0; k < 6; ++k) value[k] += x[i] * jacobian[i][side + k];
  }
}

/// Adds to the velocities of both bodies; the fixed one is shared by all and stays as it is.
template <int kRows, class Scalar>
DRYSTONE_HD inline void addToBodies(const SweepView<Scalar>& view, const Scalar (*jacobian)[12],
                                    const Scalar* change, int bodyA, int bodyB) {
  if (bodyA != view.sizes.bodies) {
    addSide<kRows>(jacobian, change, 0, view.velocity[bodyA].value);
  }
  if (bodyB != view.sizes.bodies) {
    addSide<kRows>(jacobian, change, 6, view.velocity[bodyB].value);
  }
}

/// Writes J̃ᵀ x of both sides to their slots.
template <int kRows, class Scalar>
DRYSTONE_HD inline void writeSlots(const Scalar (*jacobian)[12], const Scalar* x, int slotA,
                                   int slotB, Scalar* contribution) {
  for (int side = 0; side < 2; ++side) {
    const int slot = side == 0 ? slotA : slotB;
    if (slot < 0) continue;
    Scalar sum[6] = {};
    addSide<kRows>(jacobian, x, 6 * side, sum);
    for (int k = 0; k < 6; ++k) contribution[std::size_t{6} * slot + k] = sum[k];
  }
}

/// What a thread holds of one joint row.
template <class Scalar>
struct LoadedRow {
  Scalar jacobian[1][12];
  Scalar w;
  int bodyA, bodyB;

  DRYSTONE_HD LoadedRow(const SweepView<Scalar>& view, int row)
      : bodyA(view.rowBodyA[row]), bodyB(view.rowBodyB[row]) {
    for (int k = 0; k < 12; ++k) jacobian[0][k] = view.rowJacobian[view.atRow(k, row)];
  }
  DRYSTONE_HD void computeVelocity(const SweepView<Scalar>& view, int row) {
    w = view.rowB[row] + view.rowCompliance[row] * view.rowLambda[row] +
        rowVelocity(jacobian[0], view.velocity[bodyA], view.velocity[bodyB]);
  }
  DRYSTONE_HD Scalar update(const SweepView<Scalar>& view, int row) {
    computeVelocity(view, row);
    return updateRow(view.rowStep[row], view.rowLower[row], view.rowUpper[row], w,
                     &view.rowLambda[row]);
  }
};

/// A safe phase: one thread a unit, whose joint rows and contacts see each other's changes.
template <class Scalar, FrictionModel kModel>
struct SweepUnits {
  SweepView<Scalar> view;
  int firstUnit;

  DRYSTONE_HD void operator()(int index) const {
    constexpr int kRows = contactRows(kModel);
    const int unit = firstUnit + index;
    for (int row = view.rowStart[unit]; row < view.rowStart[unit + 1]; ++row) {
      LoadedRow<Scalar> loaded(view, row);
      const Scalar change = loaded.update(view, row);
      addToBodies<1>(view, loaded.jacobian, &change, loaded.bodyA, loaded.bodyB);
    }
    for (int contact = view.contactStart[unit]; contact < view.contactStart[unit + 1]; ++contact) {
      LoadedContact<Scalar, kRows> loaded(view, contact);
      Scalar change[kRows];
      updateLoaded<kModel>(view, contact, loaded, change);
      addToBodies<kRows>(view, loaded.jacobian, change, loaded.bodyA, loaded.bodyB);
    }
  }
};

/// A simultaneous phase: all see the velocities before it. `AddSlots` ends it.
template <class Scalar, FrictionModel kModel>
struct SweepUnitsSimultaneously {
  SweepView<Scalar> view;
  int firstUnit;

  DRYSTONE_HD void operator()(int index) const {
    constexpr int kRows = contactRows(kModel);
    const int unit = firstUnit + index;
    for (int row = view.rowStart[unit]; row < view.rowStart[unit + 1]; ++row) {
      LoadedRow<Scalar> loaded(view, row);
      const Scalar change = loaded.update(view, row);
      writeSlots<1>(loaded.jacobian, &change, view.rowSlotA[row], view.rowSlotB[row],
                    view.contribution);
    }
    for (int contact = view.contactStart[unit]; contact < view.contactStart[unit + 1]; ++contact) {
      LoadedContact<Scalar, kRows> loaded(view, contact);
      Scalar change[kRows];
      updateLoaded<kModel>(view, contact, loaded, change);
      writeSlots<kRows>(loaded.jacobian, change, view.slotA[contact], view.slotB[contact],
                        view.contribution);
    }
  }
};

/// ũ += what simultaneous updates left in the slots of a body.
template <class Scalar>
struct AddSlots {
  SweepView<Scalar> view;

  DRYSTONE_HD void operator()(int index) const {
    const int body = view.gatheredBody[index];
    DeviceVelocity<Scalar> sum = view.velocity[body];
    for (int slot = view.gatheredStart[index]; slot < view.slotStart[body + 1]; ++slot) {
      for (int k = 0; k < 6; ++k) sum.value[k] += view.contribution[std::size_t{6} * slot + k];
    }
    view.velocity[body] = sum;
  }
};

/// J̃ᵀ λ of every contact, and behind them of every joint row, to the slots.
template <class Scalar, int kRows>
struct WriteImpulses {
  SweepView<Scalar> view;

  DRYSTONE_HD void operator()(int index) const {
    if (index < view.sizes.contacts) {
      const LoadedContact<Scalar, kRows> loaded(view, index);
      writeSlots<kRows>(loaded.jacobian, loaded.lambda, view.slotA[index], view.slotB[index],
                        view.contribution);
      return;
    }
    const int row = index - view.sizes.contacts;
    const LoadedRow<Scalar> loaded(view, row);
    writeSlots<1>(loaded.jacobian, &view.rowLambda[row], view.rowSlotA[row], view.rowSlotB[row],
                  view.contribution);
  }
};

/// ũ = J̃ᵀ λ from all slots of a body; the fixed one, behind the others, gets none.
template <class Scalar>
struct SumSlots {
  int bodies;
  const int* slotStart;
  const Scalar* contribution;
  DeviceVelocity<Scalar>* velocity;

  DRYSTONE_HD void operator()(int body) const {
    DeviceVelocity<Scalar> sum{};
    const int end = body < bodies ? slotStart[body + 1] : 0;
    for (int slot = body < bodies ? slotStart[body] : 0; slot < end; ++slot) {
      for (int k = 0; k < 6; ++k) sum.value[k] += contribution[std::size_t{6} * slot + k];
    }
    velocity[body] = sum;
  }
};

/// R ← factor R of every contact, and behind them of every joint row.
template <class Scalar>
struct ScaleSteps {
  SweepView<Scalar> view;
  Scalar factor;

  DRYSTONE_HD void operator()(int index) const {
    if (index < view.sizes.contacts) {
      view.normalStep[index] *= factor;
      view.tangentStep[index] *= factor;
    } else {
      view.rowStep[index - view.sizes.contacts] *= factor;
    }
  }
};

}  // namespace drystone::gpu
