#pragma once

#include "core/types.h"
#include "solvers/problem/friction_model.h"

namespace drystone {

/// A friction set of which each coordinate along its own axes has bounds of its own: that of
/// `pyramid`, and the diamond, which is a square across the axes at 45° to the tangents.
struct FrictionSquare {
  Real cosine, sine;  ///< of the first axis
  Real share;         ///< half-width over μ λ_n

  void toAxes(Real* tangents) const { turn(tangents, sine); }
  void fromAxes(Real* tangents) const { turn(tangents, -sine); }
  Vec3 axis(int i) const { return i == 0 ? Vec3(0, cosine, sine) : Vec3(0, -sine, cosine); }

 private:
  void turn(Real* x, Real s) const {
    const Real first = cosine * x[0] + s * x[1];
    x[1] = cosine * x[1] - s * x[0];
    x[0] = first;
  }
};

/// That of the model; null: its set is no square whose size follows λ_n.
inline const FrictionSquare* frictionSquareOf(FrictionModel model) {
  constexpr Real kHalfRoot = 0.70710678118654752;
  static constexpr FrictionSquare kPyramid{1, 0, 1}, kDiamond{kHalfRoot, kHalfRoot, kHalfRoot};
  return model == FrictionModel::kPyramid   ? &kPyramid
         : model == FrictionModel::kDiamond ? &kDiamond
                                            : nullptr;
}

}  // namespace drystone
