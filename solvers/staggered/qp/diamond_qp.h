#pragma once

#include <span>
#include <vector>

#include "solvers/staggered/qp/box_qp.h"

namespace drystone {

/// Axes of a pair of variables: the first one is (cosine, sine).
struct PairFrame {
  Real cosine = 1, sine = 0;
};

/// Coordinates of every pair (x_2k, x_2k+1) along its axes, and back.
void toFrames(std::span<const PairFrame> frames, std::span<Real> x);
void fromFrames(std::span<const PairFrame> frames, std::span<Real> x);
/// H in these coordinates. Reuses the capacity of `turned`.
void turnPairs(const SymmetricMatrix& hessian, std::span<const PairFrame> frames,
               SymmetricMatrix& turned);

/// A diamond with corners along the axes of `corners` is a square across the axes at 45° to them;
/// this is the half-width of the square over the radius of the diamond.
constexpr Real kDiamondHalfWidth = 0.70710678118654752;
inline PairFrame diamondAxes(const PairFrame& corners) {
  return {kDiamondHalfWidth * (corners.cosine - corners.sine),
          kDiamondHalfWidth * (corners.sine + corners.cosine)};
}

/// min ½ βᵀHβ − dᵀβ subject to |β_2k| + |β_2k+1| ≤ γ_k: friction with given normal impulses (Litven
/// 2013, Eq. 4.26 to 4.29 and (F2)). A non-owning view.
struct DiamondQp {
  const SymmetricMatrix* hessian = nullptr;
  std::span<const Real> linear;  ///< d
  std::span<const Real> radius;  ///< γ ≥ 0, one a pair
};

/// The same in coordinates along the normals of the faces, in which a pair of opposite faces
/// bounds one variable on both sides. There the null space Z of any working set (Eq. 5.10 to 5.12)
/// is a choice of coordinates, β_p (5.18) is the fixed ones, and Zᵀ H Z (5.22) is H_FF: the
/// null-space method is the bound-constrained one. γ_k = 0 fixes both variables of a pair, where
/// the four faces would be dependent.
class TurnedDiamonds {
 public:
  void assign(const DiamondQp& qp);
  /// The box problem, a view of this object's arrays.
  const BoxQp& box() const { return box_; }
  void toTangents(std::span<Real> x) const { fromFrames(frames_, x); }
  /// ν of the faces (1, 1), (−1, −1), (1, −1) and (−1, 1) of a pair, from the gradient in turned
  /// coordinates (Eq. 5.20).
  static void faceMultipliers(std::span<const Real> gradient, int pair, Real* nu);

 private:
  std::vector<PairFrame> frames_;
  SymmetricMatrix hessian_;
  std::vector<Real> linear_, lower_, upper_;
  BoxQp box_;
};

}  // namespace drystone
