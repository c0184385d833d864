#pragma once

#include <cmath>

#include "gpu/kernels/place.h"
#include "gpu/layout/sweep_view.h"
#include "solvers/problem/residual_math.h"

// The natural map (M.11) of λ and w of the problem's rows, in double whatever the sweeps are in. Of
// all blocks the host reads one Residual. What is added up is so in a fixed order.

namespace drystone::gpu {

constexpr int kSumThreads = 256;  // of a block that adds up, a power of two

/// Adds the residual of other elements. Of equal errors the one of the earlier row is the worst, so
/// that no order shows.
DRYSTONE_HD inline void addTo(Residual& to, const Residual& from) {
  to.sum += from.sum;
  to.overStep = largerOf(to.overStep, from.overStep);
  const bool isEarlier = from.largest == to.largest && from.worstRow < to.worstRow;
  if (!(from.largest > to.largest) && !isEarlier) return;
  to.largest = from.largest;
  to.worstRow = from.worstRow;
}

/// The threads of a block add up what each has in shared memory; the sum is that of thread 0. A
/// phase each, log2(kThreads) of them. `addTo(Sum& to, const Sum& from)` adds.
template <class Sum, int kThreads = kSumThreads>
struct SumTree {
  DRYSTONE_HD static constexpr int phaseCount() {
    int phases = 0;
    for (int threads = kThreads; threads > 1; threads /= 2) ++phases;
    return phases;
  }
  DRYSTONE_HD static void phase(int phase, int thread, Sum* shared) {
    const int half = kThreads >> (phase + 1);
    if (thread < half) addTo(shared[thread], shared[thread + half]);
  }
};

/// Residuals of single contacts and joints.
template <class Scalar, FrictionModel kModel>
struct ElementResidual {
  const SweepView<Scalar>& view;

  DRYSTONE_HD Residual ofContact(int contact) const {
    const int row = view.contactRow[contact];
    const double squared =
        contactError<kModel>(view.problemFriction[contact], view.problemBoxRadius[contact],
                             view.blockStep[contact], view.impulse + row, view.w + row);
    return residualOf(squared, overStep(row, view.normalStep[contact]), row);
  }
  /// Of the joint that begins at this row, if one does. Its rows lie together here and in the
  /// problem.
  DRYSTONE_HD Residual ofRow(int first) const {
    if (view.jointRows[first] == 0) return Residual{0, 0, 0, -1};
    const int firstRow = view.rowRow[first];
    const double rho = view.blockStep[view.sizes.contacts + first];
    double squared = 0, largestOverStep = 0;
    for (int i = 0; i < view.jointRows[first]; ++i) {
      const int row = firstRow + i;
      const double f = rowMap(rho, view.problemLower[row], view.problemUpper[row],
                              view.impulse[row], view.w[row]) *
                       view.arm[first + i];
      squared += f * f;
      largestOverStep = largerOf(largestOverStep, overStep(row, view.rowStep[first + i]));
    }
    return residualOf(squared / (rho * rho), largestOverStep, firstRow);
  }

 private:
  DRYSTONE_HD static Residual residualOf(double squared, double overStep, int row) {
    return {squared, squared, overStep, squared > 0 ? row : -1};
  }
  DRYSTONE_HD double overStep(int row, Scalar step) const {
    return step > 0 ? std::abs(view.impulse[row]) / step : 0;
  }
};

/// Residual of the elements that a block of threads has, contacts and behind them joint rows.
template <class Scalar, FrictionModel kModel>
struct MeasureResidual {
  SweepView<Scalar> view;

  using Shared = Residual;
  struct State {};
  int sharedCount() const { return kSumThreads; }
  DRYSTONE_HD int phaseCount() const { return 1 + SumTree<Residual>::phaseCount(); }
  DRYSTONE_HD void phase(int phase, const Place& place, Residual* shared, State&) const {
    if (phase == 0) {
      shared[place.thread] = ownElements(place);
      return;
    }
    SumTree<Residual>::phase(phase - 1, place.thread, shared);
    if (phase + 1 == phaseCount() && place.thread == 0) view.residualPart[place.block] = shared[0];
  }

 private:
  DRYSTONE_HD Residual ownElements(const Place& place) const {
    Residual own{0, 0, 0, -1};
    const ElementResidual<Scalar, kModel> residual{view};
    const int elements = view.sizes.contacts + view.sizes.rows;
    const int first = place.block * place.threads + place.thread;
    for (int index = first; index < elements; index += place.blocks * place.threads) {
      const int row = index - view.sizes.contacts;
      addTo(own, row < 0 ? residual.ofContact(index) : residual.ofRow(row));
    }
    return own;
  }
};

/// The residual of all, from those of so many blocks of threads; one block.
template <class Scalar>
struct SumResidual {
  SweepView<Scalar> view;
  int parts;  ///< at most kSumThreads

  using Shared = Residual;
  struct State {};
  int sharedCount() const { return kSumThreads; }
  DRYSTONE_HD int phaseCount() const { return 1 + SumTree<Residual>::phaseCount(); }
  DRYSTONE_HD void phase(int phase, const Place& place, Residual* shared, State&) const {
    if (phase == 0) {
      shared[place.thread] =
          place.thread < parts ? view.residualPart[place.thread] : Residual{0, 0, 0, -1};
      return;
    }
    SumTree<Residual>::phase(phase - 1, place.thread, shared);
    if (phase + 1 == phaseCount() && place.thread == 0) *view.residual = shared[0];
  }
};

/// One thread a row of the problem.
template <class Scalar>
struct KeepImpulses {
  SweepView<Scalar> view;

  DRYSTONE_HD void operator()(int row) const { view.kept[row] = view.impulse[row]; }
};

}  // namespace drystone::gpu
