#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/direct/free_system.h"

namespace drystone {

/// What a row, or a contact as a whole, does in a candidate of the coupled friction problem.
enum class ContactState : std::uint8_t {
  kOpen,   ///< λ = 0
  kStick,  ///< w = 0
  kSlip,   ///< λ_t on the boundary of the friction set, w_n = 0
};

/// Sets of the coupled problem, where friction follows the normal impulse within the candidate: the
/// generalization of F, T_l, T_u to contacts. `pyramid` slips per axis, `cone` along a direction.
///
/// Read off the projections z = λ − ρ w of the natural map in the form of Alart and Curnier, a
/// round of classify, solve is a semismooth Newton step on it. Derivation for a slipping cone
/// contact: λ_t = μ λ_n d with d = z_t/‖z_t‖; its variation leaves, across d, w_⊥ + e λ_⊥ = 0 with
/// e = (1 − κ)/(κ ρ), κ = μ z_n/‖z_t‖ ≤ 1, a compliance; along d the impulse follows λ_n.
class ContactStates {
 public:
  void reserve(const ProblemSize& size);
  /// From the states of the previous step where they are known, else from the warm start.
  void start(const RowSystem& rows, std::span<const RowState> states, std::span<const Real> lambda,
             std::span<const Real> w);
  /// From the projections at (λ, w). Returns how many contacts and rows changed their state.
  int classify(const RowSystem& rows, std::span<const Real> lambda, std::span<const Real> w);

  /// Moves λ onto the sets: open and tight rows to their bounds, slipping ones onto the boundary.
  void place(const RowSystem& rows, std::span<Real> lambda) const;
  void fillBasis(const RowSystem& rows, FreeBasis& basis) const;
  /// True if a contact slips: the candidate's equations then depend on the last iterate.
  bool anySlip() const { return slipping_ > 0; }
  void write(const RowSystem& rows, std::span<const Real> lambda,
             std::span<RowState> states) const;

 private:
  struct Contact {
    ContactState state = ContactState::kOpen;
    Real direction[2] = {0, 0};  // cone: d; pyramid: sign of a slipping axis, 0 when it sticks
    Real extra = 0;              // e [1/kg]
  };

  Contact classifyContact(const RowSystem& rows, int block, const Real* z) const;

  std::vector<Contact> contacts_;  // [blocks]
  std::vector<RowState> state_;    // [rows] of kRows blocks
  int slipping_ = 0;
};

}  // namespace drystone
