#pragma once

#include <span>
#include <vector>

#include "solids/contact/contact_cells.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

/// How gaps and overlaps enter the velocities of contacts, as in rigid worlds (M.8).
struct SolidStabilization {
  Real gamma = 0.2;       ///< share of an overlap that a sub-step takes back, in [0, 1]
  Real maxPushSpeed = 1;  ///< at which it does so at most [m/s]
};

/// The contact problem of a sub-step in assembled form. The rows of a cell have constant impulses
/// λ over the common surface: w_n = n·(v_first − v_second) as means over it, plus gap / Δt, and the
/// same along two tangents. With S for the means of shape functions on the carriers and D for the
/// directions of a cell, A_cd = (Σ S_c M⁻¹ S_d) D_cᵀ D_d.
class SolidContactRows {
 public:
  /// `bodies` are between begin(duration) and finish().
  void build(std::span<const ContactCell> contacts, std::span<const Solid> bodies, Real duration,
             const SolidStabilization& stabilization, FrictionModel friction);
  /// Gives the impulses of the problem [rows] [N s] to the bodies of build().
  void apply(std::span<const Real> lambda, std::span<Solid> bodies) const;

  /// Valid until the next build().
  ContactProblem problem() const { return stored_.view(); }
  /// What contact c does to its first body [N s].
  Vec3 impulse(int contact, std::span<const Real> lambda) const;

 private:
  /// What a carrier has in the row of a contact.
  struct Entry {
    int body, node;
    Real weight;       ///< positive on the first body, negative on the second
    Real inverseMass;  ///< [1/kg]
  };
  struct Term {
    int contact;
    Real weight;
  };
  void listEntries(std::span<const ContactCell> contacts, std::span<const Solid> bodies);
  void numberCarriers();
  void assemble();

  int rowsOf_ = 3;                ///< rows of a contact
  std::vector<Mat3> directions_;  ///< of each contact: normal and tangents as columns
  std::vector<Entry> entries_;    ///< by contact
  std::vector<int> entryBegin_;   ///< of each contact, and the end
  std::vector<int> order_;        ///< of the entries, by carrier
  std::vector<int> carrier_;      ///< of each entry: among those that any contact moves
  std::vector<Term> terms_;       ///< the entries by carrier
  std::vector<int> termBegin_;    ///< of each carrier, and the end
  std::vector<Real> coupling_;    ///< Σ S_c M⁻¹ S_d of one c with all d
  std::vector<int> coupled_;      ///< those d
  std::vector<char> isCoupled_;   ///< of each d
  StoredProblem stored_;
};

}  // namespace drystone
