#pragma once

#include <cstddef>
#include <vector>

#include "core/host_device.h"
#include "gpu/layout/memory_layout.h"
#include "solvers/problem/scale_math.h"

namespace drystone::gpu {

/// Units of a phase of the sweeps, as in SweepPlan.
struct UnitPhase {
  int firstUnit = 0, endUnit = 0;
  bool isSimultaneous = false;
  bool couplesTangents = true;  ///< StepRule::couplesTangents
};
struct UnitPlan {
  FrictionModel model = FrictionModel::kCone;
  std::vector<UnitPhase> phases;  ///< but for the islands'
};
struct FactorizedPlan : UnitPlan {
  StepFigures figures;
};

/// ũ of a body (FactorizedSystem), padded so that a device reads it in a few wide loads; plain, for
/// memory that a block shares.
template <class Scalar>
struct alignas(8 * sizeof(Scalar)) DeviceVelocity {
  Scalar value[8];
};

/// How much a problem needs of a SweepView.
struct SweepSizes {
  int contactRows = 3;  ///< 1, 3 or 4 of each contact
  int contacts = 0, rows = 0, units = 0;
  int safeContacts = 0, safeRows = 0;  ///< of phases that are not simultaneous; they come first
  int problemRows = 0;
  int bodies = 0;          ///< and the fixed one behind them
  int entries = 0;         ///< of bodies that move, over all contacts and joint rows
  int gatheredBodies = 0;  ///< in simultaneous updates
  int islands = 0;         ///< units that are islands; they come first
  int islandContacts = 0, islandRows = 0, islandBodies = 0;  ///< of all islands
  int islandLevels = 0;                                      ///< most of an island
  bool hasCompliance = false;
};

/// What is measured of some elements; plain, for memory that a block shares.
struct Residual {
  double largest;   ///< error of a block by the natural map, squared [m²/s²]
  double sum;       ///< of these; finite exactly when all are, but for overflow
  double overStep;  ///< largest |λ_i|/R_i of normals and joint rows, but for NaN [m/s]
  int worstRow;     ///< first row in the problem of the block with the largest; −1: all are exact
};

/// A problem in mass-scaled coordinates (FactorizedSystem), laid out for devices: one array a
/// figure, so that threads side by side read side by side. Contacts and joint rows lie in the order
/// of execution. Points into one block of memory, on the host or on the device.
///
/// A simultaneous update writes J̃ᵀ Δλ of each side to a slot of its own; the slots of a body lie
/// together, those of simultaneous updates last, and one thread adds them up in that order.
///
/// The host writes indices, which stay while the pattern of bodies and blocks does, and copies the
/// rows of the problem as they are. Kernels make all others of them (kernels/scale_kernels.h).
template <class Scalar>
struct SweepView {
  SweepSizes sizes;
  std::size_t stride = 0;     ///< between the arrays of two figures of contacts
  std::size_t rowStride = 0;  ///< … of joint rows

  // Kept while the pattern is the same.
  int* contactRow = nullptr;  ///< [contacts] first row in the problem
  int* bodyA = nullptr;
  int* bodyB = nullptr;
  int* slotA = nullptr;  ///< of J̃ᵀ Δλ; −1: a body at rest
  int* slotB = nullptr;
  int* rowRow = nullptr;  ///< [rows] in the problem
  int* rowBodyA = nullptr;
  int* rowBodyB = nullptr;
  int* rowSlotA = nullptr;
  int* rowSlotB = nullptr;
  int* jointRows = nullptr;        ///< [rows] of the joint that begins here; 0: none does
  int* contactStart = nullptr;     ///< [units + 1]
  int* rowStart = nullptr;         ///< [units + 1]
  int* slotStart = nullptr;        ///< [bodies + 1]
  int* gatheredBody = nullptr;     ///< [gatheredBodies]
  int* gatheredStart = nullptr;    ///< [gatheredBodies] first slot of a simultaneous update
  int* islandBodyStart = nullptr;  ///< [islands + 1]
  int* islandBody = nullptr;       ///< [islandBodies] body, island by island
  /// Elements of one level share no body that moves, and come after those of the levels before.
  int* contactLevel = nullptr;  ///< [islandContacts]
  int* ownA = nullptr;  ///< [islandContacts] of the bodies of the island; their number: fixed
  int* ownB = nullptr;
  int* rowLevel = nullptr;  ///< [islandRows]
  int* rowOwnA = nullptr;   ///< [islandRows]
  int* rowOwnB = nullptr;
  double* updates = nullptr;  ///< [bodies + 1] simultaneous updates of a body, or null

  // Uploaded once a solve, as the problem has it.
  double* problemJacobianA = nullptr;   ///< [problemRows × 6]
  double* problemJacobianB = nullptr;   ///< [problemRows × 6]
  double* problemB = nullptr;           ///< [problemRows]
  double* problemCompliance = nullptr;  ///< [problemRows], or null
  double* problemLower = nullptr;       ///< [problemRows], or null where there are no joint rows
  double* problemUpper = nullptr;
  double* roots = nullptr;  ///< [bodies + 1][kRootEntries] MassRoot; zeros of the fixed body
  double* problemFriction = nullptr;   ///< [contacts] μ
  double* problemBoxRadius = nullptr;  ///< [contacts] μ λ̄_n

  // Copied both ways.
  double* impulse = nullptr;  ///< [problemRows] λ

  // Results, each brought to the host when it is asked for.
  double* w = nullptr;           ///< [problemRows]
  double* kept = nullptr;        ///< [problemRows] λ, as it was kept
  Residual* residual = nullptr;  ///< of all

  // Uploaded when the residual is first asked for.
  double* blockStep = nullptr;  ///< [contacts + rows] ρ, of a joint where it begins
  double* arm = nullptr;        ///< [rows] armOf

  // On the device only.
  Scalar* friction = nullptr;  ///< [contacts]
  Scalar* boxRadius = nullptr;
  Scalar* jacobian = nullptr;    ///< [contactRows × 12][stride] J̃: six of body A, six of body B
  Scalar* b = nullptr;           ///< [contactRows][stride]
  Scalar* compliance = nullptr;  ///< [contactRows][stride], or null
  Scalar* normalStep = nullptr;  ///< [contacts]
  Scalar* tangentStep = nullptr;
  Scalar* coupling = nullptr;     ///< [contactRows − 1][stride]
  Scalar* lambda = nullptr;       ///< [contactRows][stride]
  Scalar* rowJacobian = nullptr;  ///< [12][rowStride]
  Scalar* rowB = nullptr;
  Scalar* rowCompliance = nullptr;
  Scalar* rowLower = nullptr;
  Scalar* rowUpper = nullptr;
  Scalar* rowStep = nullptr;
  Scalar* rowLambda = nullptr;                 ///< [rows]
  Residual* residualPart = nullptr;            ///< [kMostParts]
  int* isSolved = nullptr;                     ///< [islands] 1: no more sweeps of this λ
  DeviceVelocity<Scalar>* velocity = nullptr;  ///< [bodies + 1]
  Scalar* contribution = nullptr;              ///< [entries × 6]
  /// The same two to measure by, in double: those of the sweeps where these are in double.
  DeviceVelocity<double>* measuredVelocity = nullptr;
  double* measuredContribution = nullptr;

  static constexpr std::size_t kRootEntries = 10;  ///< linear, then the angular part by columns
  static constexpr int kMostParts = 256;           ///< of the residual

  DRYSTONE_HD std::size_t at(int figure, int contact) const { return figure * stride + contact; }
  DRYSTONE_HD std::size_t atRow(int figure, int row) const { return figure * rowStride + row; }
};

/// Lays the arrays of `sizes` out from `base` and points `view` at them; with a null base only the
/// sections are of use. `onGap(begin, bytes)` is told what lies unused between two arrays.
/// `placeResults(placement)` and `placeState(placement)` add arrays: results that the host fetches,
/// and what stays on the device.
template <class Scalar, class OnGap, class PlaceResults, class PlaceState>
Sections bindSweepView(const SweepSizes& sizes, std::byte* base, SweepView<Scalar>& view,
                       OnGap&& onGap, PlaceResults&& placeResults, PlaceState&& placeState) {
  view.sizes = sizes;
  view.stride = paddedCount(sizes.contacts);
  view.rowStride = paddedCount(sizes.rows);
  Placement placement(base, onGap);
  const auto place = [&](auto*& array, std::size_t count) { placement.place(array, count); };
  const std::size_t figures = sizes.contactRows;
  const std::size_t units = sizes.units, contacts = sizes.contacts, rows = sizes.rows;
  const std::size_t problemRows = sizes.problemRows, bodies = sizes.bodies + std::size_t{1};
  constexpr bool kIsDouble = sizeof(Scalar) == sizeof(double);
  Sections sections;
  for (int** array : {&view.contactRow, &view.bodyA, &view.bodyB, &view.slotA, &view.slotB}) {
    place(*array, contacts);
  }
  for (int** array : {&view.rowRow, &view.rowBodyA, &view.rowBodyB, &view.rowSlotA, &view.rowSlotB,
                      &view.jointRows}) {
    place(*array, rows);
  }
  place(view.contactStart, units + 1);
  place(view.rowStart, units + 1);
  place(view.slotStart, bodies);
  place(view.gatheredBody, sizes.gatheredBodies);
  place(view.gatheredStart, sizes.gatheredBodies);
  place(view.islandBodyStart, sizes.islands > 0 ? sizes.islands + std::size_t{1} : 0);
  place(view.islandBody, sizes.islandBodies);
  for (int** array : {&view.contactLevel, &view.ownA, &view.ownB}) {
    place(*array, sizes.islandContacts);
  }
  for (int** array : {&view.rowLevel, &view.rowOwnA, &view.rowOwnB}) {
    place(*array, sizes.islandRows);
  }
  place(view.updates, sizes.gatheredBodies > 0 ? bodies : 0);
  sections.keptEnd = placement.end();
  place(view.problemJacobianA, 6 * problemRows);
  place(view.problemJacobianB, 6 * problemRows);
  place(view.problemB, problemRows);
  place(view.problemCompliance, sizes.hasCompliance ? problemRows : 0);
  place(view.problemLower, rows > 0 ? problemRows : 0);
  place(view.problemUpper, rows > 0 ? problemRows : 0);
  place(view.roots, view.kRootEntries * bodies);
  place(view.problemFriction, contacts);
  place(view.problemBoxRadius, contacts);
  sections.inputEnd = placement.end();
  place(view.impulse, problemRows);
  sections.impulseEnd = placement.end();
  place(view.w, problemRows);
  place(view.kept, problemRows);
  place(view.residual, 1);
  place(view.blockStep, contacts + rows);
  place(view.arm, rows);
  placeResults(placement);
  sections.resultEnd = placement.end();
  place(view.friction, contacts);
  place(view.boxRadius, contacts);
  place(view.jacobian, figures * 12 * view.stride);
  place(view.b, figures * view.stride);
  place(view.compliance, sizes.hasCompliance ? figures * view.stride : 0);
  place(view.normalStep, contacts);
  place(view.tangentStep, contacts);
  place(view.coupling, (figures - 1) * view.stride);
  place(view.lambda, figures * view.stride);
  place(view.rowJacobian, 12 * view.rowStride);
  for (Scalar** array : {&view.rowB, &view.rowCompliance, &view.rowLower, &view.rowUpper,
                         &view.rowStep, &view.rowLambda}) {
    place(*array, rows);
  }
  place(view.residualPart, view.kMostParts);
  place(view.isSolved, sizes.islands);
  place(view.velocity, bodies);
  place(view.contribution, std::size_t{6} * sizes.entries);
  if constexpr (kIsDouble) {
    view.measuredVelocity = view.velocity;
    view.measuredContribution = view.contribution;
  } else {
    place(view.measuredVelocity, bodies);
    place(view.measuredContribution, std::size_t{6} * sizes.entries);
  }
  placeState(placement);
  sections.end = placement.end();
  return sections;
}

/// Without more.
template <class Scalar, class OnGap>
Sections bindSweepView(const SweepSizes& sizes, std::byte* base, SweepView<Scalar>& view,
                       OnGap&& onGap) {
  const auto nothing = [](auto&) {};
  return bindSweepView<Scalar>(sizes, base, view, onGap, nothing, nothing);
}

}  // namespace drystone::gpu
