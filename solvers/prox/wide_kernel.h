#pragma once

#include "solvers/problem/prox_math.h"
#include "solvers/prox/wide_lanes.h"

namespace drystone::wide {

/// As many contacts as there are lanes, of which no two share a body that moves. A lane without a
/// contact has zeros and the fixed body twice.
template <class Scalar, int kRows>
struct alignas(32) Batch {
  using V = Lanes<Scalar>;
  static constexpr int kTangents = kRows > 1 ? kRows - 1 : 1;
  V jacobian[kRows][12];
  V b[kRows];
  V compliance[kRows];
  V lambda[kRows];
  V normalStep, tangentStep;
  V coupling[kTangents];
  V friction;  ///< μ; μ λ̄_n of the `box` model
  int bodyA[kLanes<Scalar>];
  int bodyB[kLanes<Scalar>];
};

/// Sweeps batches [begin, end), one after another. `change`, where given, receives Δλ [batch][row],
/// and the bodies are left alone.
template <class Scalar, int kRows>
struct Sweep {
  FrictionModel model;
  Batch<Scalar, kRows>* batches;
  int begin, end;
  int fixedBody;
  BodyRecord<Scalar>* bodies;
  LaneSlot<Scalar>* change;
};

/// With AVX2 where the machine has it. Both give the same bits.
template <class Scalar, int kRows>
void sweepBatches(const Sweep<Scalar, kRows>& sweep);
template <class Scalar, int kRows>
void sweepBatchesPlain(const Sweep<Scalar, kRows>& sweep);

}  // namespace drystone::wide
