#pragma once

#include <cmath>

#include "gpu/kernels/residual_kernels.h"
#include "gpu/kernels/sweep_kernels.h"
#include "gpu/layout/descent_view.h"
#include "solvers/problem/joint_math.h"

// One trial of an accelerated descent: project a gradient step from y, its velocities, the sums
// that decide, and the step where it is taken. The device decides, so that the host looks when it
// likes. The formulas are those of NesterovDescent. What is added up is so in a fixed order, in
// double.

namespace drystone::gpu {

/// Adds the sums of other rows.
DRYSTONE_HD inline void addTo(DescentSums& to, const DescentSums& from) {
  to.bend += from.bend;
  to.length += from.length;
  to.uphill += from.uphill;
  to.moved += from.moved;
}

/// A λ + b + σ n of a contact, from ũ and the λ that it holds.
template <class Scalar, int kRows>
DRYSTONE_HD inline void computeGradient(const DescentView<Scalar>& view, int contact,
                                        LoadedContact<Scalar, kRows>& loaded) {
  loaded.computeVelocity(view, contact);
  loaded.w[0] += view.sigma[contact];
}
/// A λ + b of a joint row.
template <class Scalar>
DRYSTONE_HD inline Scalar rowGradient(const DescentView<Scalar>& view, int row, Scalar lambda) {
  const LoadedRow<Scalar> loaded(view, row);
  return view.rowB[row] + view.rowCompliance[row] * lambda +
         rowVelocity(loaded.jacobian[0], view.velocity[loaded.bodyA], view.velocity[loaded.bodyB]);
}

/// The shift of the present velocities, which for the exact law joins the gradients of x and y.
template <FrictionModel kModel, class Scalar>
DRYSTONE_HD inline void followVelocities(const DescentView<Scalar>& view, int contact) {
  constexpr int kRows = contactRows(kModel);
  Scalar tangents[4] = {};
  for (int i = 1; i < kRows; ++i) tangents[i - 1] = view.gradient[view.atIterate(i, contact)];
  const Scalar shift = deSaxceShift(kModel, view.friction[contact], Scalar(0), tangents);
  const Scalar change = shift - view.sigma[contact];
  view.gradient[view.atIterate(0, contact)] += change;
  view.gradientAhead[view.atIterate(0, contact)] += change;
  view.sigma[contact] = shift;
}

/// Starts at λ, from the ũ of it, without momentum.
template <class Scalar, FrictionModel kModel>
struct StartDescent {
  DescentView<Scalar> view;
  bool isExact;

  DRYSTONE_HD void operator()(int index) const {
    constexpr int kRows = contactRows(kModel);
    if (index == 0) *view.figures = descentStart();
    if (index < view.sizes.contacts) {
      LoadedContact<Scalar, kRows> loaded(view, index);
      view.rho[index] = static_cast<Scalar>(view.blockStep[index]);
      view.sigma[index] = 0;
      computeGradient(view, index, loaded);
      for (int i = 0; i < kRows; ++i)
        start(view.atIterate(i, index), loaded.lambda[i], loaded.w[i]);
      if (isExact) followVelocities<kModel>(view, index);
      return;
    }
    const int row = index - view.sizes.contacts;
    view.rho[index] = view.rowStep[row] > 0 ? view.rowStep[row] : Scalar(1);
    start(view.atIterate(0, index), view.rowLambda[row],
          rowGradient(view, row, view.rowLambda[row]));
  }

 private:
  DRYSTONE_HD void start(std::size_t at, Scalar lambda, Scalar gradient) const {
    view.ahead[at] = lambda;
    view.gradient[at] = view.gradientAhead[at] = gradient;
  }
};

/// A projected gradient step from y, and J̃ᵀ of it to the slots.
template <class Scalar, FrictionModel kModel>
struct TryStep {
  DescentView<Scalar> view;

  DRYSTONE_HD void operator()(int index) const {
    constexpr int kRows = contactRows(kModel);
    Scalar next[4] = {};
    if (index < view.sizes.contacts) {
      Scalar jacobian[kRows][12];
      loadJacobian<kRows>(view, index, jacobian);
      for (int i = 0; i < kRows; ++i) next[i] = stepped(i, index);
      projectJointly(kModel, view.friction[index], view.boxRadius[index], next);
      for (int i = 0; i < kRows; ++i) view.next[view.atIterate(i, index)] = next[i];
      writeSlots<kRows>(jacobian, next, view.slotA[index], view.slotB[index], view.contribution);
      return;
    }
    const int row = index - view.sizes.contacts;
    const LoadedRow<Scalar> loaded(view, row);
    next[0] = clampTo(stepped(0, index), view.rowLower[row], view.rowUpper[row]);
    view.next[view.atIterate(0, index)] = next[0];
    writeSlots<1>(loaded.jacobian, next, view.rowSlotA[row], view.rowSlotB[row], view.contribution);
  }

 private:
  DRYSTONE_HD Scalar stepped(int i, int index) const {
    const std::size_t at = view.atIterate(i, index);
    const Scalar length = view.rho[index] / static_cast<Scalar>(view.figures->curvature);
    return view.ahead[at] - length * view.gradientAhead[at];
  }
};

/// The gradient of a trial, from its ũ, and the sums of the elements that a block of threads has.
template <class Scalar, FrictionModel kModel>
struct MeasureStep {
  DescentView<Scalar> view;

  using Shared = DescentSums;
  struct State {};
  int sharedCount() const { return kSumThreads; }
  DRYSTONE_HD int phaseCount() const { return 1 + SumTree<DescentSums>::phaseCount(); }
  DRYSTONE_HD void phase(int phase, const Place& place, DescentSums* shared, State&) const {
    if (phase == 0) {
      shared[place.thread] = ownElements(place);
      return;
    }
    SumTree<DescentSums>::phase(phase - 1, place.thread, shared);
    if (phase + 1 == phaseCount() && place.thread == 0) view.sumPart[place.block] = shared[0];
  }

 private:
  DRYSTONE_HD DescentSums ownElements(const Place& place) const {
    constexpr int kRows = contactRows(kModel);
    DescentSums own{0, 0, 0, 0};
    const int elements = view.sizes.contacts + view.sizes.rows;
    const int first = place.block * place.threads + place.thread;
    for (int index = first; index < elements; index += place.blocks * place.threads) {
      if (index < view.sizes.contacts) {
        LoadedContact<Scalar, kRows> loaded(view, index);
        Scalar lambda[kRows];
        for (int i = 0; i < kRows; ++i) {
          lambda[i] = loaded.lambda[i];
          loaded.lambda[i] = view.next[view.atIterate(i, index)];
        }
        computeGradient(view, index, loaded);
        for (int i = 0; i < kRows; ++i) {
          addRow(own, index, view.atIterate(i, index), lambda[i], loaded.lambda[i], loaded.w[i]);
        }
      } else {
        const int row = index - view.sizes.contacts;
        const std::size_t at = view.atIterate(0, index);
        const Scalar next = view.next[at];
        addRow(own, index, at, view.rowLambda[row], next, rowGradient(view, row, next));
      }
    }
    return own;
  }

  DRYSTONE_HD void addRow(DescentSums& own, int index, std::size_t at, Scalar lambda, Scalar next,
                          Scalar gradient) const {
    view.gradientNext[at] = gradient;
    const double rho = view.rho[index], ahead = view.ahead[at];
    const double step = next - ahead;
    own.bend += step * (double{gradient} - view.gradientAhead[at]) - roundOff(step, next, rho);
    own.length += step * step / rho;
    own.uphill += (ahead - next) * (double{next} - lambda) / rho;
    own.moved += next == lambda && ahead == lambda ? 0 : 1;
  }
  /// What of the bend in float is none: a gradient is as precise as its largest part, some A_ii
  /// λ_i. Where steps become as small as that, they would seem to bend without bound.
  DRYSTONE_HD static double roundOff(double step, double next, double rho) {
    constexpr double kTerms = 16;  // as DeviceProxSystem::roundOff
    constexpr double kEpsilon = sizeof(Scalar) == sizeof(double) ? 0 : 1.1920929e-7;
    return kTerms * kEpsilon * std::abs(step) * std::abs(next) / rho;
  }
};

/// Adds up what so many blocks of threads have, and decides; one block.
template <class Scalar>
struct DecideStep {
  DescentView<Scalar> view;
  int parts;  ///< at most kSumThreads

  using Shared = DescentSums;
  struct State {};
  int sharedCount() const { return kSumThreads; }
  DRYSTONE_HD int phaseCount() const { return 1 + SumTree<DescentSums>::phaseCount(); }
  DRYSTONE_HD void phase(int phase, const Place& place, DescentSums* shared, State&) const {
    if (phase == 0) {
      shared[place.thread] =
          place.thread < parts ? view.sumPart[place.thread] : DescentSums{0, 0, 0, 0};
      return;
    }
    SumTree<DescentSums>::phase(phase - 1, place.thread, shared);
    if (phase + 1 == phaseCount() && place.thread == 0) decide(shared[0]);
  }

 private:
  /// What stood still stays so until it is looked at.
  DRYSTONE_HD void decide(const DescentSums& sums) const {
    DescentFigures& figures = *view.figures;
    if (figures.stoodStill == 1) {
      figures.isTaken = 0;
    } else if (!isTooLong(figures, sums.bend, sums.length)) {
      takeStep(figures, sums.uphill, sums.moved == 0);
    }
  }
};

/// The step where it is taken, and the next y. The gradient is affine in λ: that of y takes no
/// product.
template <class Scalar, FrictionModel kModel>
struct AdvanceStep {
  DescentView<Scalar> view;
  bool isExact;

  DRYSTONE_HD void operator()(int index) const {
    if (view.figures->isTaken == 0) return;
    if (index < view.sizes.contacts) {
      for (int i = 0; i < contactRows(kModel); ++i) {
        advance(view.atIterate(i, index), view.lambda[view.at(i, index)]);
      }
      if (isExact) followVelocities<kModel>(view, index);
    } else {
      advance(view.atIterate(0, index), view.rowLambda[index - view.sizes.contacts]);
    }
  }

 private:
  DRYSTONE_HD void advance(std::size_t at, Scalar& lambda) const {
    const Scalar beta = static_cast<Scalar>(view.figures->momentum);
    const Scalar next = view.next[at], gradient = view.gradientNext[at];
    view.ahead[at] = next + beta * (next - lambda);
    view.gradientAhead[at] = gradient + beta * (gradient - view.gradient[at]);
    lambda = next;
    view.gradient[at] = gradient;
  }
};

/// w − shift n of the measured velocities: with these an optimum of the relaxation (M.15) obeys the
/// exact law.
template <class Scalar, FrictionModel kModel>
struct SubtractShift {
  SweepView<Scalar> view;

  DRYSTONE_HD void operator()(int contact) const {
    double* w = view.w + view.contactRow[contact];
    w[0] -= deSaxceShift(kModel, view.problemFriction[contact], 0.0, w + 1);
  }
};

}  // namespace drystone::gpu
