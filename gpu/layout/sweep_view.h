#pragma once

#include <cstddef>
#include <vector>

#include "core/host_device.h"
#include "gpu/layout/memory_layout.h"
#include "solvers/problem/friction_model.h"

namespace drystone::gpu {

/// Units of a phase of the sweeps, as in SweepPlan.
struct UnitPhase {
  int firstUnit = 0, endUnit = 0;
  bool isSimultaneous = false;
  bool couplesTangents = true;  ///< StepRule::couplesTangents
};
struct UnitPlan {
  FrictionModel model = FrictionModel::kCone;
  std::vector<UnitPhase> phases;
};

/// ũ of a body (FactorizedSystem), padded so that a device reads it in a few wide loads.
template <class Scalar>
struct alignas(8 * sizeof(Scalar)) DeviceVelocity {
  Scalar value[8] = {};
};

/// How much a problem needs of a SweepView.
struct SweepSizes {
  int contactRows = 3;  ///< 1, 3 or 4 of each contact
  int contacts = 0, rows = 0, units = 0;
  int bodies = 0;          ///< and the fixed one behind them
  int entries = 0;         ///< of bodies that move, over all contacts and joint rows
  int gatheredBodies = 0;  ///< in simultaneous updates
  bool hasCompliance = false;
};

/// A problem in mass-scaled coordinates (FactorizedSystem), laid out for devices: one array a
/// figure, so that threads side by side read side by side. Contacts and joint rows lie in the order
/// of execution. Points into one block of memory, on the host or on the device.
///
/// A simultaneous update writes J̃ᵀ Δλ of each side to a slot of its own; the slots of a body lie
/// together, those of simultaneous updates last, and one thread adds them up in that order.
template <class Scalar>
struct SweepView {
  SweepSizes sizes;
  std::size_t stride = 0;     ///< between the arrays of two figures of contacts
  std::size_t rowStride = 0;  ///< … of joint rows

  // Uploaded once a solve.
  Scalar* jacobian = nullptr;    ///< [contactRows × 12][stride] J̃: six of body A, six of body B
  Scalar* b = nullptr;           ///< [contactRows][stride]
  Scalar* compliance = nullptr;  ///< [contactRows][stride], or null
  Scalar* normalStep = nullptr;  ///< [contacts]
  Scalar* tangentStep = nullptr;
  Scalar* coupling = nullptr;  ///< [contactRows − 1][stride]
  Scalar* friction = nullptr;
  Scalar* boxRadius = nullptr;
  int* bodyA = nullptr;
  int* bodyB = nullptr;
  int* slotA = nullptr;  ///< of J̃ᵀ Δλ; −1: a body at rest
  int* slotB = nullptr;
  Scalar* rowJacobian = nullptr;  ///< [12][rowStride]
  Scalar* rowB = nullptr;
  Scalar* rowCompliance = nullptr;
  Scalar* rowLower = nullptr;
  Scalar* rowUpper = nullptr;
  Scalar* rowStep = nullptr;
  int* rowBodyA = nullptr;
  int* rowBodyB = nullptr;
  int* rowSlotA = nullptr;
  int* rowSlotB = nullptr;
  int* contactStart = nullptr;   ///< [units + 1]
  int* rowStart = nullptr;       ///< [units + 1]
  int* slotStart = nullptr;      ///< [bodies + 1]
  int* gatheredBody = nullptr;   ///< [gatheredBodies]
  int* gatheredStart = nullptr;  ///< [gatheredBodies] first slot of a simultaneous update

  // Copied both ways.
  Scalar* lambda = nullptr;     ///< [contactRows][stride]
  Scalar* rowLambda = nullptr;  ///< [rows]

  // Results.
  Scalar* w = nullptr;  ///< [contactRows][stride]
  Scalar* rowW = nullptr;

  // On the device only.
  DeviceVelocity<Scalar>* velocity = nullptr;  ///< [bodies + 1]
  Scalar* contribution = nullptr;              ///< [entries × 6]

  DRYSTONE_HD std::size_t at(int figure, int contact) const { return figure * stride + contact; }
  DRYSTONE_HD std::size_t atRow(int figure, int row) const { return figure * rowStride + row; }
};

/// Lays the arrays of `sizes` out from `base` and points `view` at them; with a null base only the
/// sections are of use. `onGap(begin, bytes)` is told what lies unused between two arrays.
template <class Scalar, class OnGap>
Sections bindSweepView(const SweepSizes& sizes, std::byte* base, SweepView<Scalar>& view,
                       OnGap&& onGap) {
  view.sizes = sizes;
  view.stride = paddedCount(sizes.contacts);
  view.rowStride = paddedCount(sizes.rows);
  Placement placement(base, onGap);
  const auto place = [&](auto*& array, std::size_t count) { placement.place(array, count); };
  const std::size_t figures = sizes.contactRows;
  const std::size_t units = sizes.units, contacts = sizes.contacts, rows = sizes.rows;
  Sections sections;
  place(view.jacobian, figures * 12 * view.stride);
  place(view.b, figures * view.stride);
  place(view.compliance, sizes.hasCompliance ? figures * view.stride : 0);
  place(view.normalStep, contacts);
  place(view.tangentStep, contacts);
  place(view.coupling, (figures - 1) * view.stride);
  place(view.friction, contacts);
  place(view.boxRadius, contacts);
  for (int** array : {&view.bodyA, &view.bodyB, &view.slotA, &view.slotB}) place(*array, contacts);
  place(view.rowJacobian, 12 * view.rowStride);
  for (Scalar** array :
       {&view.rowB, &view.rowCompliance, &view.rowLower, &view.rowUpper, &view.rowStep}) {
    place(*array, rows);
  }
  for (int** array : {&view.rowBodyA, &view.rowBodyB, &view.rowSlotA, &view.rowSlotB}) {
    place(*array, rows);
  }
  place(view.contactStart, units + 1);
  place(view.rowStart, units + 1);
  place(view.slotStart, sizes.bodies + std::size_t{1});
  place(view.gatheredBody, sizes.gatheredBodies);
  place(view.gatheredStart, sizes.gatheredBodies);
  sections.inputEnd = placement.end();
  place(view.lambda, figures * view.stride);
  place(view.rowLambda, rows);
  sections.impulseEnd = placement.end();
  place(view.w, figures * view.stride);
  place(view.rowW, rows);
  sections.resultEnd = placement.end();
  place(view.velocity, sizes.bodies + std::size_t{1});
  place(view.contribution, std::size_t{6} * sizes.entries);
  sections.end = placement.end();
  return sections;
}

}  // namespace drystone::gpu
