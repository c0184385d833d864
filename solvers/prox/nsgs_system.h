#pragma once

#include <span>
#include <vector>

#include "solvers/driver/contact_solver.h"
#include "solvers/problem/mass_root.h"
#include "solvers/problem/problem_ops.h"
#include "solvers/prox/local_cone_solve.h"
#include "solvers/prox/local_rolling_solve.h"
#include "solvers/prox/nsgs_rows.h"

namespace drystone {

/// What the sweeps of `nsgs` work on.
enum class NsgsScheme : std::uint8_t {
  kAuto,        ///< factorized for problems in body form, assembled for assembled ones
  kAssembled,   ///< A, block-sparse
  kFactorized,  ///< mass-scaled Jacobians and body velocities; body form only
};

/// How far one sweep moved the impulses.
struct SweepChange {
  Real velocity = 0;  ///< largest tr(Â_cc) ‖Δλ_c‖ over the blocks [m/s]: bounds the natural map
  Real squared = 0;  ///< Σ max(1, tr Â_cc)² ‖Δλ_c‖²: bounds the numerator of (M.12), squared
};

/// Block Gauss–Seidel sweeps with exact local solves, on a problem laid out for them. Keeps λ, and
/// in the factorized scheme ũ = J̃ᵀ λ behind it.
class NsgsSystem {
 public:
  void reserve(const ProblemSize& size);
  /// Lays out the problem, which must outlive the sweeps.
  void prepare(const ContactProblem& problem, NsgsScheme scheme);
  double assemblyMs() const { return assemblyMs_; }

  /// λ; who changes it from outside calls setImpulses(lambda()) afterwards.
  std::span<Real> lambda() { return std::span<Real>(state_).first(problem_.b.size()); }
  /// tr Â_cc of the block of each row [1/kg].
  void blockSizes(std::span<Real> sizes) const;
  /// Sets λ and what depends on it, afresh.
  void setImpulses(std::span<const Real> lambda);
  /// w = A λ + b; renews ũ from λ, so that its round-off does not grow.
  void constraintVelocity(std::span<Real> w);

  /// λ_c ← λ_c + relaxation (exact local solution − λ_c), block by block in problem order. The
  /// result depends on the order, so that it is part of the determinism promise.
  SweepChange sweep(Real relaxation);

 private:
  enum class Kind : std::uint8_t { kCone, kRolling, kNormal, kRows };
  /// Local problem of one block.
  struct Local {
    Kind kind = Kind::kCone;
    int firstRow = 0;
    int rows = 0;
    int solver = 0;                    ///< index into cones_, rollings_ or rowSolves_
    int velocityA = 0, velocityB = 0;  ///< factorized: first entries of ũ in the state
    Real size = 0;                     ///< tr Â_cc [1/kg]
    Real inverse = 0;                  ///< kNormal: 1/Â
    Real slip = 0;                     ///< kCone: s of the last sweep
  };
  /// Mass-scaled row of J: six entries of body A, six of body B.
  struct alignas(16) ScaledRow {
    Real jacobian[12];
  };

  void prepareLocal(int block, const Real* diagonal);
  void prepareFactorized();
  void solveLocal(Local& local, const Real* q, Real* lambda) const;
  template <class Coupling>
  SweepChange sweepWith(const Coupling& coupling, Real relaxation);
  void addImpulse(const Local& local, int row, Real change);
  Real complianceOf(int row) const {
    return problem_.compliance.empty() ? 0 : problem_.compliance[row];
  }
  /// Where the factorized scheme has Â_cc.
  std::size_t diagonalAt(const Local& local) const {
    return static_cast<std::size_t>(widest_) * local.firstRow;
  }

  struct AssembledCoupling;
  struct AssembledThree;
  struct FactorizedCoupling;

  ContactProblem problem_;
  bool factorized_ = false;
  bool allThree_ = false;  ///< every block has three rows
  double assemblyMs_ = 0;
  std::vector<Real> state_;
  std::vector<Local> locals_;
  std::vector<LocalConeSolve> cones_;
  std::vector<LocalRollingSolve> rollings_;
  std::vector<LocalRowSolve> rowSolves_;

  const BlockSparseMatrix* matrix_ = nullptr;
  BlockSparseMatrix own_;
  AssemblyWorkspace assembly_;

  std::vector<MassRoot> roots_;
  std::vector<ScaledRow> scaled_;
  int widest_ = 0;               ///< rows of the largest block
  std::vector<Real> diagonals_;  ///< factorized: Â_cc, row-major
};

}  // namespace drystone
