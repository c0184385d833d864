#pragma once

#include "gpu/kernels/block_kernels.h"
#include "gpu/layout/sweep_view.h"

namespace drystone::gpu {

/// Launches of the naive scheme: sweeps over the block rows of A.
template <class Scalar>
struct BlockForm {
  using Value = Scalar;
  using View = BlockView<Scalar>;
  using Sizes = BlockSizes;
  using Plan = UnitPlan;

  template <class OnGap>
  static Sections bind(const Sizes& sizes, std::byte* base, View& view, OnGap&& onGap) {
    return bindBlockView<Scalar>(sizes, base, view, onGap);
  }

  /// Nothing is needed beforehand.
  template <class Executor>
  static void begin(Executor&, const View&, const Plan&) {}

  /// Nothing follows from λ.
  template <class Executor>
  static void start(Executor&, const View&, const Plan&) {}

  /// λ is by row of the problem.
  template <class Executor>
  static void finish(Executor&, const View&, const Plan&) {}

  template <class Executor>
  static void sweep(Executor& executor, const View& view, const Plan& plan) {
    dispatchFrictionModel<kMostNarrowRows>(plan.model, [&]<FrictionModel kModel>() {
      for (const UnitPhase& phase : plan.phases) {
        const int units = phase.endUnit - phase.firstUnit;
        executor.forEach(
            units, SweepBlockUnits<Scalar, kModel>{view, phase.firstUnit, phase.isSimultaneous,
                                                   phase.couplesTangents});
        if (phase.isSimultaneous) executor.forEach(units, CopyNext<Scalar>{view, phase.firstUnit});
      }
    });
  }

  template <class Executor>
  static void constraintVelocity(Executor& executor, const View& view, const Plan&) {
    executor.forEach(view.sizes.places, WriteBlockVelocity<Scalar>{view});
  }

  /// The processor takes the natural map and keeps λ.
  template <class Executor>
  static void measureResidual(Executor&, const View&, const Plan&, double) {}
  template <class Executor>
  static void keepImpulses(Executor&, const View&, const Plan&) {}

  template <class Executor>
  static void scaleSteps(Executor& executor, const View& view, const Plan&, Scalar factor) {
    executor.forEach(view.sizes.rows, ScaleRowSteps<Scalar>{view, factor});
  }
};

}  // namespace drystone::gpu
