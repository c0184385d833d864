#include "solvers/prox/wide_kernel.h"

#include <cmath>
#include <limits>

namespace drystone::wide {
namespace {

/// Keeps the division of lanes whose scale is not used in range.
template <class Scalar>
constexpr Scalar kTiny = std::numeric_limits<Scalar>::min();

/// Projects the tangents on the friction set of the given radius. Lanes do not branch but for the
/// two models whose sets have corners in the plane of the tangents, which few sweeps use.
template <FrictionModel kModel, class Scalar>
DRYSTONE_INLINE void projectLanes(const Lanes<Scalar>& radius, Lanes<Scalar>* z) {
  using V = Lanes<Scalar>;
  constexpr int kTangents = contactRows(kModel) - 1;
  if constexpr (kModel == FrictionModel::kBox || kModel == FrictionModel::kPyramid) {
    for (int i = 0; i < kTangents; ++i) z[i] = smaller<V>(larger<V>(z[i], -radius), radius);
  } else if constexpr (kModel == FrictionModel::kCone) {
    const V squared = z[0] * z[0] + z[1] * z[1];
    V length;
    for (int lane = 0; lane < kLanes<Scalar>; ++lane) length[lane] = std::sqrt(squared[lane]);
    const V one = V{} + 1;
    const V scale = length > radius ? radius / larger<V>(length, V{} + kTiny<Scalar>) : one;
    z[0] *= scale;
    z[1] *= scale;
  } else {
    for (int lane = 0; lane < kLanes<Scalar>; ++lane) {
      Real own[kTangents];
      for (int i = 0; i < kTangents; ++i) own[i] = z[i][lane];
      projectFriction<Real>(kModel, radius[lane], own);
      for (int i = 0; i < kTangents; ++i) z[i][lane] = static_cast<Scalar>(own[i]);
    }
  }
}

constexpr int kBodiesAhead = 2;  // batches, by measurement

/// Asks for the bodies of a later batch, which colors jump about in. Batches come one after another
/// and need no asking.
template <class Scalar, int kRows>
DRYSTONE_INLINE void prefetchBodies(const Sweep<Scalar, kRows>& sweep, int index) {
  if (index + kBodiesAhead >= sweep.end) return;
  const Batch<Scalar, kRows>& later = sweep.batches[index + kBodiesAhead];
  for (int lane = 0; lane < kLanes<Scalar>; ++lane) {
    __builtin_prefetch(&sweep.bodies[later.bodyA[lane]]);
    __builtin_prefetch(&sweep.bodies[later.bodyB[lane]]);
  }
}

template <FrictionModel kModel, class Scalar>
DRYSTONE_INLINE void sweepLanes(const Sweep<Scalar, contactRows(kModel)>& sweep) {
  using V = Lanes<Scalar>;
  constexpr int kRows = contactRows(kModel);
  for (int index = sweep.begin; index < sweep.end; ++index) {
    Batch<Scalar, kRows>& batch = sweep.batches[index];
    prefetchBodies(sweep, index);
    V velocityA[8], velocityB[8];
    gather(sweep.bodies, batch.bodyA, velocityA);
    gather(sweep.bodies, batch.bodyB, velocityB);
    V w[kRows];
    for (int i = 0; i < kRows; ++i) {
      V sum = batch.b[i] + batch.compliance[i] * batch.lambda[i];
      for (int k = 0; k < 6; ++k) sum += batch.jacobian[i][k] * velocityA[k];
      for (int k = 0; k < 6; ++k) sum += batch.jacobian[i][6 + k] * velocityB[k];
      w[i] = sum;
    }
    V delta[kRows];
    const V normal = larger<V>(batch.lambda[0] - batch.normalStep * w[0], V{});
    delta[0] = normal - batch.lambda[0];
    batch.lambda[0] = normal;
    if constexpr (kRows > 1) {
      V z[kRows - 1];
      for (int i = 1; i < kRows; ++i) {
        z[i - 1] = batch.lambda[i] - batch.tangentStep * (w[i] + batch.coupling[i - 1] * delta[0]);
      }
      const V radius = kModel == FrictionModel::kBox ? batch.friction : batch.friction * normal;
      projectLanes<kModel, Scalar>(radius, z);
      for (int i = 1; i < kRows; ++i) {
        delta[i] = z[i - 1] - batch.lambda[i];
        batch.lambda[i] = z[i - 1];
      }
    }
    if (sweep.change != nullptr) {
      for (int i = 0; i < kRows; ++i) sweep.change[index * kRows + i].value = delta[i];
      continue;
    }
    for (int i = 0; i < kRows; ++i) {
      for (int k = 0; k < 6; ++k) velocityA[k] += batch.jacobian[i][k] * delta[i];
      for (int k = 0; k < 6; ++k) velocityB[k] += batch.jacobian[i][6 + k] * delta[i];
    }
    scatter(velocityA, batch.bodyA, sweep.fixedBody, sweep.bodies);
    scatter(velocityB, batch.bodyB, sweep.fixedBody, sweep.bodies);
  }
}

template <FrictionModel kModel, class Scalar>
void sweepPlain(const Sweep<Scalar, contactRows(kModel)>& sweep) {
  sweepLanes<kModel, Scalar>(sweep);
}

#ifdef __x86_64__
template <FrictionModel kModel, class Scalar>
__attribute__((target("avx2"))) void sweepAvx2(const Sweep<Scalar, contactRows(kModel)>& sweep) {
  sweepLanes<kModel, Scalar>(sweep);
}
#endif

}  // namespace

template <class Scalar, int kRows>
void sweepBatchesPlain(const Sweep<Scalar, kRows>& sweep) {
  dispatchFrictionModel<kMostNarrowRows>(sweep.model, [&]<FrictionModel kModel>() {
    if constexpr (contactRows(kModel) == kRows) sweepPlain<kModel, Scalar>(sweep);
  });
}

template <class Scalar, int kRows>
void sweepBatches(const Sweep<Scalar, kRows>& sweep) {
#ifdef __x86_64__
  if (hasAvx2()) {
    return dispatchFrictionModel<kMostNarrowRows>(sweep.model, [&]<FrictionModel kModel>() {
      if constexpr (contactRows(kModel) == kRows) sweepAvx2<kModel, Scalar>(sweep);
    });
  }
#endif
  sweepBatchesPlain(sweep);
}

#define DRYSTONE_INSTANTIATE(Scalar, rows)                \
  template void sweepBatches(const Sweep<Scalar, rows>&); \
  template void sweepBatchesPlain(const Sweep<Scalar, rows>&);
DRYSTONE_INSTANTIATE(float, 1)
DRYSTONE_INSTANTIATE(float, 3)
DRYSTONE_INSTANTIATE(float, 4)
DRYSTONE_INSTANTIATE(double, 1)
DRYSTONE_INSTANTIATE(double, 3)
DRYSTONE_INSTANTIATE(double, 4)
#undef DRYSTONE_INSTANTIATE

}  // namespace drystone::wide
