#pragma once

#include <algorithm>

#include "gpu/kernels/island_kernels.h"
#include "gpu/kernels/residual_kernels.h"
#include "gpu/kernels/scale_kernels.h"
#include "gpu/kernels/sweep_kernels.h"
#include "gpu/layout/sweep_view.h"

namespace drystone::gpu {

/// Launches of the factorized scheme: a color, or all contacts, at a time.
template <class Scalar>
struct FactorizedForm {
  using Value = Scalar;
  using View = SweepView<Scalar>;
  using Sizes = SweepSizes;
  using Plan = FactorizedPlan;

  template <class OnGap>
  static Sections bind(const Sizes& sizes, std::byte* base, View& view, OnGap&& onGap) {
    return bindSweepView<Scalar>(sizes, base, view, onGap);
  }

  /// J̃, R and all else that follows from the problem.
  template <class Executor>
  static void begin(Executor& executor, const View& view, const Plan& plan) {
    withRows(plan, [&]<int kRows>() {
      executor.forEach(elements(view), ScaleElements<Scalar, kRows>{view, plan.figures});
    });
  }

  /// ũ from λ.
  template <class Executor>
  static void start(Executor& executor, const View& view, const Plan& plan) {
    withRows(plan, [&]<int kRows>() {
      executor.forEach(elements(view), TakeImpulses<Scalar, kRows>{view});
      executor.forEach(elements(view), WriteImpulses<Scalar, kRows>{view});
    });
    executor.forEach(view.sizes.bodies + 1, SumSlots<Scalar>{view.sizes.bodies, view.slotStart,
                                                             view.contribution, view.velocity});
  }

  /// λ of the problem's rows from that of the sweeps.
  template <class Executor>
  static void finish(Executor& executor, const View& view, const Plan& plan) {
    dispatchFrictionModel<kMostNarrowRows>(plan.model, [&]<FrictionModel kModel>() {
      executor.forEach(elements(view), ReturnImpulses<Scalar, kModel>{view});
    });
  }

  template <class Executor>
  static void sweep(Executor& executor, const View& view, const Plan& plan) {
    dispatchFrictionModel<kMostNarrowRows>(plan.model, [&]<FrictionModel kModel>() {
      for (const UnitPhase& phase : plan.phases) {
        const int units = phase.endUnit - phase.firstUnit;
        if (phase.isSimultaneous) {
          executor.forEach(units, SweepUnitsSimultaneously<Scalar, kModel>{view, phase.firstUnit});
          executor.forEach(view.sizes.gatheredBodies, AddSlots<Scalar>{view});
        } else {
          executor.forEach(units, SweepUnits<Scalar, kModel>{view, phase.firstUnit});
        }
      }
    });
  }

  template <class Executor>
  static void sweepIslands(Executor& executor, const View& view, const Plan& plan, int sweeps) {
    dispatchFrictionModel<kMostNarrowRows>(plan.model, [&]<FrictionModel kModel>() {
      executor.launch(view.sizes.islands, kIslandThreads,
                      SweepIslands<Scalar, kModel>{view, sweeps});
    });
  }

  /// From λ of the problem's rows. Sweeps in double go on with the ũ that this computes afresh.
  template <class Executor>
  static void constraintVelocity(Executor& executor, const View& view, const Plan& plan) {
    withRows(plan, [&]<int kRows>() {
      executor.forEach(elements(view), MeasureImpulses<Scalar, kRows>{view});
      executor.forEach(view.sizes.bodies + 1,
                       SumSlots<double>{view.sizes.bodies, view.slotStart,
                                        view.measuredContribution, view.measuredVelocity});
      executor.forEach(elements(view), MeasureVelocity<Scalar, kRows>{view});
    });
  }

  /// Of λ and the w of constraintVelocity.
  template <class Executor>
  static void measureResidual(Executor& executor, const View& view, const Plan& plan,
                              double tolerance) {
    const int parts = sumParts(view);
    dispatchFrictionModel<kMostNarrowRows>(plan.model, [&]<FrictionModel kModel>() {
      executor.launch(parts, kSumThreads, MeasureResidual<Scalar, kModel>{view});
      executor.launch(view.sizes.islands, kIslandThreads,
                      MarkSolved<Scalar, kModel>{view, tolerance});
    });
    executor.launch(1, kSumThreads, SumResidual<Scalar>{view, parts});
  }

  template <class Executor>
  static void keepImpulses(Executor& executor, const View& view, const Plan&) {
    executor.forEach(view.sizes.problemRows, KeepImpulses<Scalar>{view});
  }

  template <class Executor>
  static void scaleSteps(Executor& executor, const View& view, const Plan&, Scalar factor) {
    executor.forEach(elements(view), ScaleSteps<Scalar>{view, factor});
  }

 protected:
  static int elements(const View& view) { return view.sizes.contacts + view.sizes.rows; }

  /// Blocks of threads that add up what the elements have.
  static int sumParts(const View& view) {
    static_assert(View::kMostParts <= kSumThreads);
    return std::min((elements(view) + kSumThreads - 1) / kSumThreads, View::kMostParts);
  }

  template <class Function>
  static void withRows(const Plan& plan, Function&& function) {
    dispatchFrictionModel<kMostNarrowRows>(plan.model, [&]<FrictionModel kModel>() {
      function.template operator()<contactRows(kModel)>();
    });
  }
};

}  // namespace drystone::gpu
