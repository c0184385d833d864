#pragma once

#include "gpu/forms/factorized_form.h"
#include "gpu/kernels/descent_kernels.h"

namespace drystone::gpu {

struct DescentPlan : FactorizedPlan {
  bool isExact = false;  ///< friction's own law, else its convex relaxation (M.15)
};

/// Launches of an accelerated descent, on the factorized scheme. A sweep is a trial, mostly a step.
template <class Scalar>
struct DescentForm : FactorizedForm<Scalar> {
  using View = DescentView<Scalar>;
  using Plan = DescentPlan;
  using Base = FactorizedForm<Scalar>;

  template <class OnGap>
  static Sections bind(const SweepSizes& sizes, std::byte* base, View& view, OnGap&& onGap) {
    return bindDescentView<Scalar>(sizes, base, view, onGap);
  }

  template <class Executor>
  static void start(Executor& executor, const View& view, const Plan& plan) {
    Base::start(executor, view, plan);
    dispatchFrictionModel<kMostNarrowRows>(plan.model, [&]<FrictionModel kModel>() {
      executor.forEach(Base::elements(view), StartDescent<Scalar, kModel>{view, plan.isExact});
    });
  }

  template <class Executor>
  static void sweep(Executor& executor, const View& view, const Plan& plan) {
    const int elements = Base::elements(view), parts = Base::sumParts(view);
    dispatchFrictionModel<kMostNarrowRows>(plan.model, [&]<FrictionModel kModel>() {
      executor.forEach(elements, TryStep<Scalar, kModel>{view});
      executor.forEach(view.sizes.bodies + 1, SumSlots<Scalar>{view.sizes.bodies, view.slotStart,
                                                               view.contribution, view.velocity});
      executor.launch(parts, kSumThreads, MeasureStep<Scalar, kModel>{view});
      executor.launch(1, kSumThreads, DecideStep<Scalar>{view, parts});
      executor.forEach(elements, AdvanceStep<Scalar, kModel>{view, plan.isExact});
    });
  }

  /// Less the shift where friction is relaxed.
  template <class Executor>
  static void constraintVelocity(Executor& executor, const View& view, const Plan& plan) {
    Base::constraintVelocity(executor, view, plan);
    if (plan.isExact || !followsNormal(plan.model)) return;
    dispatchFrictionModel<kMostNarrowRows>(plan.model, [&]<FrictionModel kModel>() {
      executor.forEach(view.sizes.contacts, SubtractShift<Scalar, kModel>{view});
    });
  }
};

}  // namespace drystone::gpu
