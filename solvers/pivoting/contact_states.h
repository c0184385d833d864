#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/linear/free_system.h"
#include "solvers/pivoting/index_sets.h"

namespace drystone {

/// What a row, or a contact as a whole, does in a candidate of the coupled friction problem:
///
///   state    unknowns       equations                            picture
///   kOpen    none           λ = 0                                w_n ≥ 0, the contact parts
///   kStick   λ_n, λ_t       w_n = 0, w_t = 0                     ‖λ_t‖ < μ λ_n, inside the cone
///   kSlip    λ_n            w_n = 0, λ_t = μ λ_n d               on the cone, w_t = −‖w_t‖ d
///
/// (cone: λ_t also moves across d, see below).
enum class ContactState : std::uint8_t {
  kOpen,   ///< λ = 0
  kStick,  ///< w = 0
  kSlip,   ///< λ_t on the boundary of the friction set, w_n = 0
};

/// Sets of the whole problem, where friction follows the normal impulse within the candidate: the
/// generalization of F, T_l, T_u to contacts. `pyramid` slips per tangent, `diamond` per axis at
/// 45° to them, `cone` along a direction; rows, and contacts with bounds that are known beforehand
/// (`none`, `box`), row by row.
///
/// Read off the projections z = λ − ρ w of the natural map in the form of Alart and Curnier, a
/// round of classify, solve is a semismooth Newton step on it. Derivation for a slipping cone
/// contact: λ_t = μ λ_n d with d = z_t/‖z_t‖; its variation leaves, across d, w_⊥ + e λ_⊥ = 0 with
/// e = (1 − κ)/(κ ρ), κ = μ z_n/‖z_t‖ ≤ 1, a compliance; along d the impulse follows λ_n.
class ContactStates {
 public:
  void reserve(const ProblemSize& size);
  /// From the states of the previous step where they are known, else from the warm start. False:
  /// there is no solution (RowBounds::fixIdleRows).
  bool start(const RowSystem& rows, std::span<const RowState> states, std::span<const Real> lambda,
             std::span<const Real> w);
  /// From the projections at (λ, w). Returns how many contacts and rows changed their state.
  int classify(const RowSystem& rows, std::span<const Real> lambda, std::span<const Real> w);

  /// Moves λ onto the sets: open and tight rows to their bounds, slipping ones onto the boundary.
  void place(const RowSystem& rows, std::span<Real> lambda) const;
  /// `damping`: share of A_ii, or of 1/ρ in a contact, added to the diagonal as a proximal term.
  void fillBasis(const RowSystem& rows, Real damping, FreeBasis& basis) const;
  /// Weight of row's part of the proximal term [1/kg].
  Real proximalWeight(int row, Real damping) const { return damping * weight_[row]; }
  /// Projects λ on the friction sets and bounds, whatever the sets say.
  void makeFeasible(const RowSystem& rows, std::span<Real> lambda) const;
  void write(const RowSystem& rows, std::span<const Real> lambda, std::span<RowState> states) const;

 private:
  struct Contact {
    ContactState state = ContactState::kOpen;
    Real direction[2] = {0, 0};  // cone: d; else: sign of a slipping axis, 0 when it sticks
    Real extra = 0;              // e [1/kg]
  };

  RowState classifyRow(int row, std::span<const Real> lambda, std::span<const Real> w) const;
  Contact classifyContact(const RowSystem& rows, int block, std::span<const Real> lambda,
                          std::span<const Real> w) const;

  /// Contacts whose friction is bound to λ_n; all other blocks go row by row.
  bool coupled(const RowSystem& rows, int block) const;
  void startContact(const RowSystem& rows, int block, std::span<const RowState> states,
                    std::span<const Real> w);

  std::vector<Contact> contacts_;  // [blocks]
  std::vector<RowState> state_;    // [rows] of blocks that go row by row
  RowBounds bounds_;
  std::vector<Real> weight_;  // [rows] A_ii; in a coupled contact 1/ρ for all its rows
};

}  // namespace drystone
