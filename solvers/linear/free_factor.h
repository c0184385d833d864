#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/setting_visitor.h"
#include "core/timer.h"
#include "solvers/linear/free_basis.h"
#include "solvers/linear/row_system.h"

namespace drystone {

/// What a factor will be asked for.
enum class BasisKind {
  kRows,      ///< plain rows without extra compliance: K = A_FF
  kDiagonal,  ///< plain rows: K = A_FF + E
  kGeneral,   ///< any basis
};

/// A way to factor and solve the free system of a candidate,
///   K y = r,  K = Rᵀ A C + E  (see FreeBasis).
/// This is what differs between the direct solvers; sets, pivot rules and friction are shared. The
/// factor may be of a slightly larger diagonal than K where K is singular; `FreeSystem` refines.
class FreeFactor {
 public:
  virtual ~FreeFactor() = default;

  /// What the factor that works now is called in reports, in a word.
  virtual std::string_view name() const = 0;
  /// Makes room, so that solves within these bounds allocate nothing.
  virtual void reserve(const ProblemSize& size) = 0;
  virtual bool takes(BasisKind) const { return true; }
  /// Whether `analyze` wants A assembled where the problem comes in body form.
  virtual bool needsMatrix(const ContactProblem& problem) const = 0;
  /// A new problem, whose bases will be of the kind: symbolic work, reused while the pattern
  /// stands.
  virtual void analyze(const RowSystem& system, BasisKind kind) = 0;
  /// Factors K of the basis. False: a pivot is zero or not finite beyond repair, or time was over.
  virtual bool factor(const RowSystem& system, const FreeBasis& basis) = 0;
  /// Factors the last basis anew where that may come out more exact than what `factor` made by
  /// updates. False: it may not, and the factor is as it was.
  virtual bool sharpen(const RowSystem&) { return false; }
  /// x: r on entry, K⁻¹ r on return. [basis.count()]
  virtual void solve(std::span<Real> x) = 0;
  /// The same where a residual of `tolerance` [m/s] will do, for factors that iterate.
  virtual void solveTo(Real /*tolerance*/, std::span<Real> x) { solve(x); }
  /// Whether the last `factor` worked; false: it kept what it had.
  virtual bool isFresh() const { return true; }
  /// When `factor` gives up where it takes long, and solves that iterate stop.
  void setDeadline(const Deadline& deadline) { deadline_ = deadline; }
  /// Whether solves stop at a tolerance.
  virtual bool iterates() const { return false; }
  /// Factors that solves made so far, beside those of `factor`.
  virtual int factorsWithinSolves() const { return 0; }
  /// Steps of such solves so far.
  virtual std::int64_t innerIterations() const { return 0; }
  /// Numbers that the factor of the problem analysed will store; 0: not known beforehand.
  virtual std::int64_t storage() const { return 0; }
  /// Memory that copies of factors take since `analyze` [bytes].
  virtual std::size_t cacheBytes() const { return 0; }
  /// Largest diagonal term that the last `factor`, or a solve with it, added beyond the problem's
  /// own [1/kg].
  Real regularization() const { return regularization_; }

 protected:
  Real regularization_ = 0;
  Deadline deadline_;
};

/// Time of a dense factor of so many operations, which cannot be broken off, at 1 GFlop/s: what a
/// processor of today does at least [s].
inline Real denseSeconds(Real operations) { return operations / 1e9; }
/// Time of writing so many numbers to fresh memory, which cannot be broken off, at 1 GB/s: the
/// system clears its pages first [s].
inline Real copySeconds(Real numbers) { return numbers * sizeof(Real) / 1e9; }

}  // namespace drystone
