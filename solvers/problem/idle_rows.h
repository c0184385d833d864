#pragma once

#include <span>
#include <vector>

#include "solvers/problem/contact_problem.h"

namespace drystone {

/// Velocity below which a row that nothing moves counts as still, 1e-10 of the largest |b| [m/s].
Real stillVelocity(std::span<const Real> b);

/// What (M.9) asks of a row whose w is b whatever λ: the bound that b points at, or the least
/// impulse where b is no larger than `still`.
struct IdleAnswer {
  Real lambda = 0;
  bool isPossible = true;  ///< false: that bound is infinite, and no impulse satisfies the row
};
IdleAnswer idleAnswer(Real b, Real lower, Real upper, Real still);

/// Rows that nothing moves (zero rows of A), for solvers that step by 1/A_ii: they have no step
/// there, so that such rows get their answer before the first sweep and keep it.
class IdleRows {
 public:
  void reserve(const ProblemSize& size) {
    b_.reserve(size.rows);
    hasIdle_.reserve(size.blocks / kBlocks + 1);
  }
  /// Writes the answers into `lambda`. Returns the problem to solve: the given one, but for b = 0
  /// in rows that cannot be satisfied, so that all others are solved as far as they can be, and in
  /// tangents of contacts that carry nothing. Its arrays are those of `problem` and of this object.
  /// More threads change no bit.
  const ContactProblem& answer(const ContactProblem& problem, std::span<Real> lambda,
                               int threads = 1);
  /// False: the given problem has a row that no impulse satisfies.
  bool isPossible() const { return isPossible_; }

 private:
  static constexpr int kBlocks = 1024;  // of a range: some 10 µs of work
  void answerBlock(int block, std::span<Real> lambda);
  void leaveOut(int row);
  void answerRow(int row, Real lower, Real upper, std::span<Real> lambda);

  ContactProblem problem_;
  std::vector<Real> b_;        ///< in use where rows are left out
  std::vector<char> hasIdle_;  ///< by range of blocks
  Real still_ = 0;
  bool isPossible_ = true;
};

}  // namespace drystone
