#pragma once

#include <array>
#include <span>

#include "solvers/problem/contact_problem.h"

namespace drystone {

// Residuals of a given pair (λ, w). The judge feeds them with its own w = A λ + b; solvers use them
// to stop, with the w that they have at hand.

/// Largest eigenvalue of the symmetric part of a row-major matrix, rows ≤ kMaxBlockRows. To 1e-8
/// relative for three rows, where it is in closed form.
Real largestEigenvalue(const Real* matrix, int rows);

/// Â_cc of one block, row-major.
using DiagonalBlock = std::array<Real, kMaxBlockRows * kMaxBlockRows>;

/// ρ_c = 1/λ_max(Â_cc) of (M.11) [kg] of a block. 1/trace where its rows have no bounds, and
/// F_c/ρ_c is w whatever ρ_c. An assembled A may be unsymmetric: the skew part of Â_cc adds to its
/// λ_max, and a block without a positive one takes the largest entry of its columns. 1 kg for a
/// block that moves nothing.
Real blockStep(const ContactProblem& problem, int block, const DiagonalBlock& diagonal);

/// Blocks that are worked on at a time: their figures stay in the first cache.
constexpr int kBlocksAtOnce = 64;

/// ρ_c and A_ii of the blocks in [begin, end). `steps` starts at `begin`, `diagonal` at the first
/// row of the problem. What `skip` marks, where it is given, from `begin` on, may be left out.
void measureBlocks(const ContactProblem& problem, int begin, int end, const bool* skip,
                   Real* diagonal, Real* steps);

/// F_c = λ_c − P_K(λ_c − ρ ŵ_c) of one block (M.11); all three arrays start at the block's first
/// row. `cone` and `rolling`: w gets De Saxcé's shift, P_K projects on their cone. Other models:
/// the normal on [0, ∞); the tangents on the friction set of the block's own λ_n (`box`: of λ̄_n),
/// so that F_c = 0 says exactly (M.9). kRows blocks: each row on [lower, upper].
void naturalMap(const ContactProblem& problem, int block, Real rho, const Real* lambda,
                const Real* w, Real* f);

/// What the normal of a contact misses alone [m/s], where the shift of a slip cannot hide it:
/// |min(λ_n/ρ, w_n)|, and min(‖λ‖/ρ, w_n) where it opens, since what opens carries nothing,
/// friction included (`box`: its friction does not follow λ_n).
Real normalError(FrictionModel model, Real rho, int rows, const Real* lambda, const Real* w);

/// What one block is judged by. The judge and all solvers use this one function.
struct BlockError {
  /// The larger of ‖F_c‖ (M.11) and, of a contact, half of the normal's error; squared, over ρ_c²
  /// [m²/s²]. An angular row of a joint counts at the radius of gyration of its bodies where that
  /// is above 1 m.
  Real squared = 0;
  Real normal = 0;  ///< of a contact [m/s]
};
/// The arm at which a row of a joint counts in m/s [m]; 1 without bodies.
Real armOf(const ContactProblem& problem, const ProblemBlock& block, int row);
/// Arrays as above.
BlockError blockError(const ContactProblem& problem, int block, Real rho, const Real* lambda,
                      const Real* w);

/// The same of the blocks in [begin, end). `steps`, `errors` and `idle` start at `begin`, `lambda`
/// and `w` at the first row of the problem. What `idle` marks, where it is given, has none.
void blockErrors(const ContactProblem& problem, int begin, int end, const bool* idle,
                 const Real* steps, const Real* lambda, const Real* w, BlockError* errors);

/// The same over all blocks, as a velocity [m/s].
struct NaturalMapSize {
  Real largest = 0;
  int worstBlock = -1;  ///< -1: every block is solved exactly
  Real norm = 0;        ///< 2-norm over the blocks
  Real normal = 0;      ///< largest error of a normal
};
NaturalMapSize naturalMapSize(const ContactProblem& problem, std::span<const Real> steps,
                              std::span<const Real> lambda, std::span<const Real> w);

/// The same, collected block by block.
class NaturalMapSum {
 public:
  void add(int block, const BlockError& error) {
    sum_ += error.squared;
    if (normal_ < error.normal) normal_ = error.normal;
    if (error.squared > largest_) {
      largest_ = error.squared;
      worstBlock_ = block;
    }
  }
  /// Adds the blocks in [begin, end) in their order. All arrays are those of the whole problem.
  void add(const ContactProblem& problem, int begin, int end, const Real* steps, const Real* lambda,
           const Real* w);
  /// Adds the sum over blocks that come after those of this one.
  void add(const NaturalMapSum& later);
  /// NaturalMapSize::largest.
  Real largest() const;
  NaturalMapSize size() const;

 private:
  Real largest_ = 0, sum_ = 0;  // squared
  int worstBlock_ = -1;
  Real normal_ = 0;
};

/// ‖λ − P_K(λ − ŵ)‖₂ / max(‖b‖₂, ‖λ‖₂, ‖w‖₂) with ρ = 1 (M.12); 0 when the numerator is 0.
Real relativeError(const ContactProblem& problem, std::span<const Real> lambda,
                   std::span<const Real> w);

/// The same, collected block by block.
struct RelativeErrorSum {
  /// `lambda` and `w` start at the block's first row.
  void add(const ContactProblem& problem, int block, const Real* lambda, const Real* w);
  void add(const RelativeErrorSum& later);
  Real value() const;

  Real sums[4] = {};  ///< squared norms of the error, b, λ and w
};

/// What the natural map (M.11) says where the tolerance is relative to λ: at most `tolerance`
/// exactly when the map is at most √tolerance, or a tenth, of the largest |b|. Impulses that grow
/// without end, because nothing satisfies the contacts, make what is left of w, and their own
/// change, an ever smaller share of themselves: a tolerance counts as met only where this one meets
/// it too.
Real confirmation(std::span<const Real> b, Real naturalMap, Real tolerance);

/// E_i of one row (M.13) [J]: ½ A_ii (λ_i − Π_i(λ_i − w_i/A_ii))². Bounds of a normal are [0, ∞);
/// of a tangent ± the half-width of the friction set along that row with the other tangents as they
/// are (for `box` and `pyramid`, and for slip along a tangent, that is μ λ_n), so that E vanishes
/// at solutions of every model. 0 for a row that nothing moves (A_ii = 0).
Real rowEnergyError(const ContactProblem& problem, int block, int rowInBlock, Real diagonal,
                    const Real* lambda, Real w);

/// ρ_c and A_ii of a problem, measured once for all who need them: the judge before and after a
/// solve, and the solver. Keeps its capacity.
class ProblemScales {
 public:
  void reserve(const ProblemSize& size);
  /// The problem with its scales, valid as long as they are. No bit depends on the threads.
  ContactProblem measure(const ContactProblem& problem, int threads);

 private:
  std::vector<Real> steps_, diagonal_;
};

/// ρ_c of every block of a problem (M.11) [kg], made when they are first asked for: what converges
/// by other measures never asks. Keeps its capacity.
class BlockSteps {
 public:
  void reserve(const ProblemSize& size) { scales_.reserve(size); }
  /// Forgets the last problem. The arrays of this one must outlive the use.
  void start(const ContactProblem& problem, int threads = 1);
  std::span<const Real> values() const;

 private:
  mutable ContactProblem problem_;  // with its scales once they were asked for
  mutable ProblemScales scales_;
  int threads_ = 1;
};

}  // namespace drystone
