#pragma once

#include <algorithm>
#include <cstdint>

#include "gpu/kernels/dense_kernels.h"
#include "gpu/kernels/gemv_kernels.h"
#include "gpu/kernels/termination_kernels.h"

namespace drystone::gpu {

/// The dense iterations of Nützi 2011, ch. 5.
enum class DenseMethod : std::uint8_t {
  kJorSplit,     ///< product, then projection (§5.2.1)
  kJorAllInOne,  ///< both in one kernel (§5.2.2)
  kJorGemvAdd,   ///< product by the executor's gemv, then + d, then projection (table 6.1)
  kJorGemv,      ///< product by the executor's gemv, then + d and projection in one kernel
  kSor,          ///< kernels A and B over diagonal blocks (§5.3.1)
  kSorRelaxed,   ///< groups of contacts at the same time (§5.3.2)
};

struct DensePlan {
  FrictionModel model = FrictionModel::kCone;
  DenseMethod method = DenseMethod::kJorSplit;
  ProductShape shape;
  int group = 32;               ///< contacts of a diagonal block, or renewed at the same time
  bool couplesTangents = true;  ///< of simultaneous updates (StepRule::couplesTangents)
  bool isAligned = true;        ///< DenseSizes::isAligned
  bool comparesSweeps = false;  ///< each sweep ends with the termination kernel
  SweepTolerance tolerance;     ///< of it

  bool usesGemv() const {
    return method == DenseMethod::kJorGemvAdd || method == DenseMethod::kJorGemv;
  }
  bool isSor() const { return method == DenseMethod::kSor || method == DenseMethod::kSorRelaxed; }
};

/// Launches of the dense iterations.
template <class Scalar>
struct DenseForm {
  using Value = Scalar;
  using View = DenseView<Scalar>;
  using Sizes = DenseSizes;
  using Plan = DensePlan;

  template <class OnGap>
  static Sections bind(const Sizes& sizes, std::byte* base, View& view, OnGap&& onGap) {
    return bindDenseView<Scalar>(sizes, base, view, onGap);
  }

  template <class Executor>
  static void begin(Executor& executor, const View&, const Plan& plan) {
    if (plan.usesGemv()) executor.prepareGemv();
  }

  template <class Executor>
  static void start(Executor& executor, const View& view, const Plan& plan) {
    if (!plan.isSor()) return;
    const int group = plan.method == DenseMethod::kSorRelaxed ? plan.group : 0;
    executor.forEach(view.sizes.rows(), StartSums<Scalar>{view, group});
  }

  /// λ is by row of the problem.
  template <class Executor>
  static void finish(Executor&, const View&, const Plan&) {}

  template <class Executor>
  static void sweep(Executor& executor, const View& view, const Plan& plan) {
    const int rows = view.sizes.rows();
    if (plan.comparesSweeps) executor.forEach(rows, KeepSweep<Scalar>{view});
    dispatchFrictionModel<kMostNarrowRows>(plan.model, [&]<FrictionModel kModel>() {
      if (plan.isSor()) {
        sweepBlocks<kModel>(executor, view, plan);
      } else {
        sweepAll<kModel>(executor, view, plan);
      }
    });
    if (plan.comparesSweeps) executor.forEach(rows, CompareSweep<Scalar>{view, plan.tolerance});
  }

  /// w is measured on the processor.
  template <class Executor>
  static void constraintVelocity(Executor&, const View&, const Plan&) {}

  /// The processor takes the natural map and keeps λ.
  template <class Executor>
  static void measureResidual(Executor&, const View&, const Plan&, double) {}
  template <class Executor>
  static void keepImpulses(Executor&, const View&, const Plan&) {}

  template <class Executor>
  static void scaleSteps(Executor& executor, const View& view, const Plan& plan, Scalar factor) {
    executor.forEach(view.sizes.rows(), ScaleDense<Scalar>{view, factor});
    start(executor, view, plan);
  }

 private:
  template <FrictionModel kModel, class Executor>
  static void sweepAll(Executor& executor, const View& view, const Plan& plan) {
    const int rows = view.sizes.rows(), contacts = view.sizes.contacts;
    const ProjectContacts<Scalar, kModel> projection{view, plan.couplesTangents};
    // Threads a block as in table 6.1.
    switch (plan.method) {
      case DenseMethod::kJorGemvAdd:
        executor.gemv(rows, view.t, view.stride, view.lambda, view.next);
        executor.forEach(rows, AddConstant<Scalar>{view}, 192);
        executor.forEach(contacts, projection, 128);
        return;
      case DenseMethod::kJorGemv:
        executor.gemv(rows, view.t, view.stride, view.lambda, view.next);
        executor.forEach(contacts, AddAndProject<Scalar, kModel>{view, plan.couplesTangents}, 256);
        return;
      case DenseMethod::kJorAllInOne:
        executor.launch(plan.shape.blocks(rows), plan.shape.threads,
                        MultiplyAndProject<Scalar, kModel>{view, plan.shape, plan.couplesTangents});
        executor.forEach(rows, CopyToLambda<Scalar>{view});
        return;
      default:
        executor.launch(plan.shape.blocks(rows), plan.shape.threads,
                        MultiplyDense<Scalar>{view, plan.shape});
        executor.forEach(contacts, projection, 128);
    }
  }

  template <FrictionModel kModel, class Executor>
  static void sweepBlocks(Executor& executor, const View& view, const Plan& plan) {
    constexpr int kRows = contactRows(kModel);
    const bool isRelaxed = plan.method == DenseMethod::kSorRelaxed;
    for (int first = 0; first < view.sizes.contacts; first += plan.group) {
      const int contacts = std::min(plan.group, view.sizes.contacts - first);
      if (isRelaxed) {
        executor.forEach(contacts, RelaxedStepA<Scalar, kModel>{view, first, plan.couplesTangents});
      } else {
        executor.launch(1, plan.group * kRows, StepA<Scalar, kModel>{view, first, contacts});
      }
      const int skipped = isRelaxed ? 0 : contacts * kRows;
      const StepB<Scalar> propagation{
          view, plan.shape, first * kRows, (first + contacts) * kRows, first * kRows, skipped};
      executor.launch(plan.shape.blocks(propagation.rows()), plan.shape.threads, propagation);
    }
  }
};

}  // namespace drystone::gpu
