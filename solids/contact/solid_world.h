#pragma once

#include <memory>
#include <span>
#include <vector>

#include "solids/contact/contact_cells.h"
#include "solids/contact/contact_rows.h"
#include "solvers/driver/registry.h"
#include "solvers/driver/solve_stored.h"

namespace drystone {

/// Solids that meet, and what they meet. SI units.
struct SolidWorldSetup {
  std::vector<SolidSetup> bodies;  ///< all with the same grid
  std::vector<SolidWall> walls;
  Real friction = 0.5;  ///< μ ≥ 0 between bodies; walls have their own
  /// none, pyramid, diamond or cone.
  FrictionModel frictionModel = FrictionModel::kCone;
  SolidStabilization stabilization;
  NamedSolver solver;
  Budget budget;
};

/// What SolidWorld::step() did. After a status that is not kOk further steps do nothing.
struct SolidWorldReport {
  SolidStatus status = SolidStatus::kOk;
  int body = -1;  ///< the first whose status this is
  int substeps = 0;
  Real smallestStep = 0;  ///< [s]
  int mostContacts = 0;   ///< cells of contact in a sub-step
  int missed = 0;       ///< sub-steps whose answer missed the tolerance; it was taken all the same
  Real naturalMap = 0;  ///< largest error of an answer, as the judge measures it [m/s] (M.11)
};

/// The contact problem of a sub-step and its answer.
struct SolidSubstep {
  std::span<const ContactCell> contacts{};
  ContactProblem problem{};
  std::span<const RowState> startStates{};  ///< [rows] of the warm start
  std::span<const RowState> states{};       ///< [rows]
  std::span<const Real> impulses{};         ///< [rows] λ [N s]
  SolveResult result{};
};

/// Deformable solids on one grid that touch each other and walls. All take sub-steps of the same
/// length: begin(), one contact problem for all cells where surfaces meet, finish(). One thread at
/// a time may call it.
class SolidWorld {
 public:
  /// Throws InputError with all that is wrong with the setup.
  SolidWorld(const SolidWorldSetup& setup, const SolverRegistry& registry);

  /// Advances by `duration` [s] in sub-steps of equal length.
  SolidWorldReport step(Real duration);
  /// The longest sub-step [s]: that of each body, and nothing passes more than a quarter of a cell.
  Real stableStep() const;

  int bodyCount() const { return static_cast<int>(bodies_.size()); }
  Solid& body(int index) { return bodies_[index]; }
  const Solid& body(int index) const { return bodies_[index]; }
  /// The last sub-step; valid until the next one.
  const SolidSubstep& last() const { return last_; }
  /// What contact c of it did to its first body [N s].
  Vec3 impulse(int contact) const { return rows_.impulse(contact, impulses_); }

 private:
  void solveContacts(Real duration);
  /// The impulses of the same cells in the last sub-step, with the cells that had none at 0.
  void startFromLast(std::span<const ContactCell> contacts, int rowsOfOne);

  SolidWorldSetup setup_;
  std::vector<Solid> bodies_;
  std::unique_ptr<ContactSolver> solver_;
  ContactFinder finder_;
  SolidContactRows rows_;
  SolveWorkspace workspace_;
  std::vector<std::uint64_t> keys_;  ///< of the contacts of the last sub-step
  std::vector<Real> impulses_, lastImpulses_;
  std::vector<RowState> startStates_, states_;
  SolidSubstep last_;
};

}  // namespace drystone
