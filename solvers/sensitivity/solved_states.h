#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/linear/free_basis.h"
#include "solvers/linear/row_system.h"

namespace drystone {

/// A direction in the data of a problem, per unit of some parameter t. What is empty stays as it
/// is.
struct ProblemChange {
  std::span<const Real> b{};           ///< [rows] [m/s]
  std::span<const Real> compliance{};  ///< [rows] of C [1/kg], in assembled form of A_ii
  std::span<const Real> friction{};    ///< [blocks] of μ; what it says of joints counts nothing
  std::span<const Real> lower{}, upper{};  ///< [rows] of kRows blocks [N s]
};

/// The same as derivatives of one number by all of these data.
struct ProblemGradient {
  std::vector<Real> b, compliance, friction, lower, upper;
};

/// How far a direction may be followed from the solution until a state changes, to first order: of
/// a slip of the cone that turns on the way, which then ends later or not at all, the part along
/// its direction counts.
struct StateRadius {
  Real radius = kInfinity;  ///< t*
  int block = -1;           ///< whose state changes there; -1: none does
};

/// What rows and contacts do at a solution (M.9), and what therefore stays true next to it. States
/// are read off z = λ − ρ ŵ, the point that the natural map projects (M.11), so that the answer of
/// any solver serves:
///
///   state           moves with the unknowns y           equations of the derivative
///   open            nothing                             dλ = 0
///   sticks          λ                                   dw = 0
///   slips (cone)    λ_n, with λ_t = μ λ_n d, and d      dw_n = 0, p·dw_t + σ/(μ λ_n) p·dλ_t = 0
///   row at a bound  nothing                             dλ = that of the bound
///   row between     λ                                   dw = 0
///
/// with d = −w_t/σ, σ = ‖w_t‖ and p across d. `pyramid` and `diamond` slip along each axis alone.
class SolvedStates {
 public:
  /// Whether its laws have states here: all but `contensou` and `rolling`.
  static bool takes(FrictionModel model);

  /// λ and w = A λ + b of a solution; both must outlive the use.
  void read(const RowSystem& rows, std::span<const Real> lambda, std::span<const Real> w);
  void fillBasis(FreeBasis& basis) const;

  /// Puts on λ what the states leave no choice of: open contacts, bounds, friction that slips.
  void settle(std::span<Real> lambda) const;

  /// c, the change of λ by its own bounds and friction alone [N s]. [rows]
  void move(const ProblemChange& change, std::span<Real> c) const;
  /// Adds the gradient of qᵀ c by friction and bounds, which must have their sizes.
  void pullBack(std::span<const Real> q, ProblemGradient& gradient) const;

  /// By how much each block keeps its state [m/s], impulses over ρ; ∞: it cannot change. [blocks]
  void margins(std::span<Real> margins) const;
  /// Along the derivatives of λ and w; `sense`: 1 for t > 0, -1 for t < 0.
  StateRadius radius(const ProblemChange& change, std::span<const Real> dLambda,
                     std::span<const Real> dW, int sense) const;

 private:
  enum class State : std::uint8_t { kOpen, kStick, kSlip };
  /// A contact whose friction follows its λ_n.
  struct Contact {
    State state = State::kOpen;
    Real direction[2] = {0, 0};  ///< λ_t = μ λ_n times this, where it slips
    Real sign[2] = {0, 0};       ///< of the axes of a square that slip
    Real extra = -1;             ///< σ/(μ λ_n) [1/kg]; negative: λ_t does not move across d
  };

  bool isCoupled(int block) const;
  Contact readContact(int block) const;
  RowState readRow(int row) const;
  /// Rate of the bound at which a row stands, or of both of a row between.
  Real lowerRate(const ProblemChange& change, int block, int row) const;
  Real upperRate(const ProblemChange& change, int block, int row) const;
  /// Calls line(value, rate, unit) for each linear condition value + t rate > 0 of the block, and
  /// disc(radius, rate, x, dx, unit) for ‖x + t dx‖ < radius + t rate. value/unit is in m/s.
  template <class Line, class Disc>
  void visitConditions(int block, const ProblemChange& change, std::span<const Real> dLambda,
                       std::span<const Real> dW, Line&& line, Disc&& disc) const;
  template <class Line, class Disc>
  void visitContact(int block, Real frictionRate, std::span<const Real> dLambda,
                    std::span<const Real> dW, Line&& line, Disc&& disc) const;

  const RowSystem* rows_ = nullptr;
  std::span<const Real> lambda_, w_;
  RowBounds bounds_;
  std::vector<Contact> contacts_;  // [blocks]
  std::vector<RowState> state_;    // [rows] of blocks that go row by row
};

}  // namespace drystone
