#pragma once

#include <span>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/driver/settings.h"
#include "solvers/pivoting/fixed_bound_method.h"
#include "solvers/pivoting/proximal_point.h"
#include "solvers/problem/residual.h"

namespace drystone {

struct BoundLoopSettings {
  /// Natural map (M.11) that ends the loop: the smaller of this one [m/s] and of that over the
  /// largest |b|.
  Real tolerance = kInfinity;
  Real relativeTolerance = 1e-9;
  int maxRounds = 200;       ///< of the loop
  Allowance allowance = {};  ///< of the whole solve

  Real toleranceOf(const RowSystem& rows) const {
    return std::min(tolerance, relativeTolerance * rows.velocityScale());
  }
  void visit(SettingVisitor& visitor);
};

/// Friction for methods that need fixed bounds (M.10): solves with tangents bound by μ λ̄_n, takes
/// the solved λ_n for λ̄_n, and repeats. For `cone` each round turns the tangents of a contact along
/// its z_t = λ_t − ρ w_t; the bound along it is μ λ̄_n, and across it what the disc leaves. A
/// contact that slips is free across, with a compliance ‖w_t‖/(μ λ̄_n) that keeps λ_t and w_t
/// parallel to first order as the slip turns. Problems whose bounds are known take one round.
///
/// What a method adds by regularization stays from round to round, and the loop then ends where the
/// natural map of the regularized problem does.
///
/// Where a round makes the natural map grow, λ̄_n goes only part of the way; where rounds get no
/// better, a proximal term holds the impulses that the masses hardly oppose (ProximalPoint). The λ
/// left is the best one seen.
class BoundLoop {
 public:
  void reserve(const ProblemSize& size);
  void solve(const ContactProblem& problem, FixedBoundMethod& method,
             const BoundLoopSettings& settings, ImpulseView impulses, ResidualHistory& history,
             SolverReport& report);

 private:
  /// The first tangent of a contact in its own: (cosine, sine).
  struct Frame {
    Real cosine = 1, sine = 0;
  };

  /// A contact whose bounds on λ_t follow its λ_n.
  static bool isCoupled(const ContactProblem& problem, const ProblemBlock& block);
  void iterate(FixedBoundMethod& method, const BoundLoopSettings& settings, ImpulseView impulses,
               ResidualHistory& history, SolverReport& report);
  /// One solve within fixed bounds. On failure the start is kept where it was better.
  void solveOnce(FixedBoundMethod& method, ImpulseView impulses, ResidualHistory& history,
                 SolverReport& report);
  /// The problem of a round, with `box` friction, its tangents turned and with the proximal term.
  void prepareTurned(bool assemble);
  void copyProblem();
  void addProximalTerm();
  /// Begins the proximal term, or goes on with it after a round that ended at λ, w and this natural
  /// map: sets λ and w of the next one. Returns the natural map with the term, ∞ for another
  /// problem.
  Real continueProximal(Real error);
  void turnTangents(std::span<const Real> lambda, std::span<const Real> w);
  void turnRows();
  void turnAssembled();
  /// False: there is no solution (RowBounds::fixIdleRows).
  bool setBounds();
  void rememberSets();
  void startSets();
  void toFrames(std::span<Real> lambda) const;
  void fromFrames(std::span<Real> lambda) const;
  void moveBounds(std::span<const Real> lambda, Real share);
  void writeStates(std::span<const Real> lambda, std::span<RowState> states) const;
  /// The natural map of the problem with what `regularization_` adds; leaves its w.
  NaturalMapSize errorOf(std::span<const Real> lambda);
  template <class Turn>
  void forEachTurned(Turn&& turn) const;

  AdaptiveRegularization* regularization_ = nullptr;  // of the method at work; null: none
  RowSystem rows_, turnedRows_;
  StoredProblem turned_;  // of a round
  ProximalPoint proximal_;
  std::vector<Real> turnedPoint_;     // [rows] of the proximal term, in the frames
  std::vector<Frame> frames_;         // [blocks]
  std::vector<Real> normalBound_;     // [blocks] λ̄_n
  std::vector<Real> alongBefore_;     // [blocks] part of λ_t along the frame, at most μ λ̄_n
  std::vector<Real> slipCompliance_;  // [blocks] of the across row; 0: bound by the disc
  RowBounds bounds_;
  IndexSets sets_;
  std::vector<Real> w_, lambda_, startLambda_, bestLambda_;
  std::vector<RowState> startState_;
};

}  // namespace drystone
