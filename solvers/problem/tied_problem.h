#pragma once

#include <span>
#include <vector>

#include "solvers/problem/contact_problem.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {

/// What ties a block of joint rows to others: the spans of a cable, whose rows are one row over the
/// bodies of all of them.
struct BlockTie {
  int lead = -1;          ///< block whose rows these are parts of, itself included; -1: no tie
  bool isBeyond = false;  ///< it lies past the place where the cable rubs
  Real friction = 0;      ///< of the lead: tanh(μθ/2) of that place; 0: it does not rub
};

/// A problem some of whose blocks are tied, as one that every solver of the assembled form takes.
/// With λ = W λ' its matrix is Wᵀ A W, and w' = Wᵀ w (M.18):
///
/// - Where nothing rubs, all blocks of a tie have the impulses of their lead: the row of a cable is
///   the sum of those of its spans. Bounds and key are those of the lead.
/// - Where the cable rubs, T₁ before that place and T₂ beyond it become N = T₁ + T₂ and
///   F = T₂ − T₁ of a contact: |F| ≤ tanh(μθ/2) N is T₂ ≤ T₁ e^{μθ} and T₁ ≤ T₂ e^{μθ}. Its normal
///   velocity is that of the length, and its first slip that of the cable.
///
/// Keeps its capacity.
class TiedProblem {
 public:
  /// Poses the problem, which is in body form. `ties`: [blocks]. Blocks of a tie have as many rows
  /// each, and one row where the cable rubs; then the model has tangents whose bounds follow λ_n.
  void make(const ContactProblem& full, std::span<const BlockTie> ties);
  /// The tied problem, a view of this object.
  ContactProblem problem() const;
  /// Its impulses, in this object.
  ImpulseView impulses() { return {lambda_, state_}; }
  std::span<const Real> lambda() const { return lambda_; }

  /// Takes impulses of the full problem, as a start or an answer.
  void restrict(ImpulseView full) { take(full, impulses()); }
  /// Keeps what the first solve started from.
  void keepStart(ImpulseView full) { take(full, {startLambda_, startState_}); }
  std::span<const Real> startLambda() const { return startLambda_; }
  std::span<const RowState> startState() const { return startState_; }
  /// Gives the answer back to the full problem.
  void expand(ImpulseView full) const;
  /// The place in the tied problem of a block of the full one.
  int placeOf(int block) const { return unitOf_[block]; }
  /// The lead of a tied block, or the block itself.
  int blockOf(int unit) const { return leadOf_[unit]; }

 private:
  void take(ImpulseView full, ImpulseView out) const;
  void listUnits(const ContactProblem& full, std::span<const BlockTie> ties);
  void assemble(const ContactProblem& full);
  void addProduct(const BlockSparseMatrix& full, int stored, int block, int column, Real* out,
                  int columns) const;
  void mirror(int v, int u, int stored, BlockSparseMatrix& out) const;
  /// Of row `r` of a block: calls visit(row of its unit, weight) for the entries of W.
  template <class Visit>
  void forEachWeight(int block, int row, Visit&& visit) const;

  StoredProblem problem_;
  std::vector<Real> arms_;                  ///< [rows]
  std::vector<int> unitOf_;                 ///< [full blocks]
  std::vector<int> firstRow_;               ///< [full blocks]
  std::vector<int> rows_;                   ///< [full blocks]
  std::vector<Real> side_;                  ///< [full blocks] of F in T; 0: no cable that rubs
  std::vector<int> leadOf_;                 ///< [units] block of the full problem
  std::vector<char> isCable_;               ///< [units] its cable rubs
  std::vector<int> memberStart_, members_;  ///< [units + 1], full blocks by unit
  std::vector<int> seen_, columns_;         ///< work space of assemble()
  AssemblyWorkspace assembly_;
  BlockSparseMatrix full_;
  std::vector<Real> lambda_;
  std::vector<RowState> state_;
  std::vector<Real> startLambda_;
  std::vector<RowState> startState_;
};

}  // namespace drystone
