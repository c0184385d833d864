#pragma once

#include <algorithm>

#include "solvers/laws.h"

namespace drystone {

/// R factors of a contact and how its tangents feel a change of its own normal impulse.
template <int kRows>
struct ContactSteps {
  static constexpr int kTangents = std::max(1, kRows - 1);  ///< an array has at least one entry
  Real normal = 0;
  Real tangent = 0;
  Real coupling[kTangents] = {};  ///< Â_tn [1/kg]
};

/// One prox step of a contact: the normal first, then the friction with the new normal impulse and
/// with the velocity after the normal's change, so that a block is itself swept by Gauss–Seidel.
/// The theses project the whole block at once from one w (003 Eq. 4.48, 004 Eq. 3.8); the fixed
/// points are the same, and without the coupling the tangents lag one sweep behind. `w` is A λ + b
/// at the contact. λ is updated; `change` receives the difference.
template <FrictionModel kModel, int kRows>
inline void updateContact(const ContactSteps<kRows>& steps, Real friction, Real boxRadius,
                          const Real* w, Real* lambda, Real* change) {
  const Real normal = std::max<Real>(0, lambda[0] - steps.normal * w[0]);
  change[0] = normal - lambda[0];
  lambda[0] = normal;
  if constexpr (kRows > 1) {
    Real z[kRows - 1];
    for (int i = 0; i + 1 < kRows; ++i) {
      z[i] = lambda[i + 1] - steps.tangent * (w[i + 1] + steps.coupling[i] * change[0]);
    }
    projectFriction(kModel, kModel == FrictionModel::kBox ? boxRadius : friction * normal, z);
    for (int i = 0; i + 1 < kRows; ++i) {
      change[i + 1] = z[i] - lambda[i + 1];
      lambda[i + 1] = z[i];
    }
  }
}

/// Calls `function` with the model as a compile-time constant, so that no sweep branches on it.
template <class Function>
void dispatchFrictionModel(FrictionModel model, Function&& function) {
  using enum FrictionModel;
  switch (model) {
    case kNone:
      return function.template operator()<kNone>();
    case kBox:
      return function.template operator()<kBox>();
    case kPyramid:
      return function.template operator()<kPyramid>();
    case kDiamond:
      return function.template operator()<kDiamond>();
    case kCone:
      return function.template operator()<kCone>();
    case kContensou:
      return function.template operator()<kContensou>();
  }
}

}  // namespace drystone
