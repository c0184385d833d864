#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/types.h"
#include "solvers/problem/block_sparse.h"
#include "solvers/problem/friction_model.h"

namespace drystone {

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
/// Round-off of a sum of products relative to its largest term: some tens of roundings.
constexpr Real kRoundOff = 1e-14;
/// Of a tolerance: the residual of equations that are solved to it, whose signs it decides.
constexpr Real kRefinedShare = 0.01;
/// Refinements of a solve at most; they end where one is of little use.
constexpr int kMostRefinements = 6;

std::string_view frictionModelName(FrictionModel model);
std::optional<FrictionModel> frictionModelFromName(std::string_view name);

/// Which law the rows of a block obey.
enum class BlockLaw : std::uint8_t {
  kRows,     ///< independent rows, each bilateral or bounded by [lower, upper] (M.9)
  kContact,  ///< (normal, tangents, torsion or rolling) under the problem's friction model
};

constexpr int kMaxBlockRows = 6;

/// Rows that belong together: one contact, or the rows of one joint.
struct ProblemBlock {
  std::uint64_t key = 0;  ///< feature key, stable over steps, for warm starts
  int firstRow = 0;
  int rows = 0;  ///< 1 … kMaxBlockRows
  BlockLaw law = BlockLaw::kContact;
  int bodyA = -1;  ///< index into ContactProblem::bodies; -1: moves only as prescribed
  int bodyB = -1;
  Real friction = 0;     ///< μ ≥ 0 of a contact
  Real normalBound = 0;  ///< λ̄_n of the `box` model [N s]
  Real rolling = 0;  ///< μ_r ≥ 0 of the `rolling` model: most ‖λ_r‖ over λ_n, in their units
};

/// M⁻¹ of one body.
struct InverseInertia {
  Real inverseMass = 0;                ///< [1/kg]
  Mat3 inverseInertia = Mat3::Zero();  ///< world axes [1/(kg m²)]
};

/// One island's problem (M.7 to M.9), as a non-owning view: w = A λ + b and a law per block, with
/// A = J M⁻¹ Jᵀ + C. It comes in body form (bodies, Jacobians) or in assembled form (A given,
/// `assembled` set, no bodies). λ are impulses [N s], w and b velocities [m/s]; for angular rows
/// [N m s] and [rad/s].
struct ContactProblem {
  FrictionModel friction = FrictionModel::kCone;
  Real timestep = 0;  ///< h [s]; 0 when a stored problem does not say
  std::span<const ProblemBlock> blocks{};
  std::span<const Real> b{};           ///< [rows]
  std::span<const Real> compliance{};  ///< [rows] C ≥ 0; empty: none. Assembled form: already in A
  std::span<const Real> lower{};  ///< [rows] of kRows blocks; -∞ allowed; ignored for contacts
  std::span<const Real> upper{};  ///< [rows]

  std::span<const InverseInertia> bodies{};
  std::span<const Vec6>
      jacobianA;  ///< [rows] row of J for the block's bodyA (zero where bodyA = -1)
  std::span<const Vec6> jacobianB{};  ///< [rows]

  const BlockSparseMatrix* assembled = nullptr;  ///< block partition equals `blocks`

  /// [rows] At which rows of joints count (BlockError) [m]; empty: those of the bodies, else 1.
  std::span<const Real> arms{};

  // What follows from the rest, where it was measured already (ProblemScales); else empty.
  std::span<const Real> steps{};     ///< [blocks] ρ_c of the natural map (M.11) [kg]
  std::span<const Real> diagonal{};  ///< [rows] A_ii [1/kg]

  int rowCount() const { return static_cast<int>(b.size()); }
  int blockCount() const { return static_cast<int>(blocks.size()); }
  int bodyCount() const { return static_cast<int>(bodies.size()); }
  int contactCount() const;
  /// Whether the block is a contact with friction whose bounds follow its solved λ_n.
  bool followsNormal(const ProblemBlock& block) const {
    return block.law == BlockLaw::kContact && (block.friction > 0 || block.rolling > 0) &&
           drystone::followsNormal(friction);
  }
  /// Whether some contact is such a one: the bounds of all rows are not known beforehand.
  bool followsNormals() const;
};

/// Upper bounds to reserve for, so that a solve allocates nothing.
struct ProblemSize {
  int bodies = 0;
  int blocks = 0;
  int rows = 0;
};

/// Owner of a problem's arrays: what a file reader or a test fills.
struct StoredProblem {
  FrictionModel friction = FrictionModel::kCone;
  Real timestep = 0;
  std::vector<ProblemBlock> blocks{};
  std::vector<Real> b{}, compliance{}, lower{}, upper{};
  std::vector<InverseInertia> bodies{};
  std::vector<Vec6> jacobianA{}, jacobianB{};
  std::optional<BlockSparseMatrix> assembled{};

  ContactProblem view() const;
};

/// Copy of a problem that outlives what the view is of.
StoredProblem storedCopy(const ContactProblem& problem);

/// Where a row stood at the end of a solve; the index set of a pivoting method.
enum class RowState : std::uint8_t { kUnknown, kFree, kLower, kUpper };

/// Impulses of a problem: the warm start on entry, the answer on return.
struct ImpulseView {
  std::span<Real> lambda{};  ///< [rows] [N s]
  std::span<RowState>
      state{};  ///< [rows]; kUnknown: no previous step. Solvers without sets leave it
};

}  // namespace drystone
