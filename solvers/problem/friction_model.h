#pragma once

#include <cstdint>

#include "core/host_device.h"

namespace drystone {

/// Friction law of every contact block of a problem (M.9). Each is a model of its own; a solver
/// never exchanges one for another silently.
enum class FrictionModel : std::uint8_t {
  kNone,       ///< normal row only
  kBox,        ///< |λ_t| ≤ μ λ̄_n per axis, λ̄_n given
  kPyramid,    ///< |λ_t| ≤ μ λ_n per axis
  kDiamond,    ///< ‖λ_t‖₁ ≤ μ λ_n
  kCone,       ///< ‖λ_t‖₂ ≤ μ λ_n, opposite to the slip: exact Coulomb
  kContensou,  ///< ‖(λ_t, 3/2 λ_τ)‖₂ ≤ μ λ_n, with torsion
  kRolling,  ///< ‖λ_t‖₂ ≤ μ λ_n and ‖λ_r‖₂ ≤ μ_r λ_n, each opposite to its slip or roll
};
constexpr int kFrictionModelCount = 7;

/// Rows of a contact block under the model: 1 (none), 4 (contensou), 5 (rolling), else 3.
DRYSTONE_HD constexpr int contactRows(FrictionModel model) {
  switch (model) {
    case FrictionModel::kNone:
      return 1;
    case FrictionModel::kContensou:
      return 4;
    case FrictionModel::kRolling:
      return 5;
    default:
      return 3;
  }
}

/// Whether the friction set of a contact is as wide as the model's λ_n: its bounds are then not
/// known before the problem is solved.
DRYSTONE_HD constexpr bool followsNormal(FrictionModel model) {
  return model != FrictionModel::kNone && model != FrictionModel::kBox;
}

/// Contact rows that lanes and devices have code for: the `rolling` model is not theirs.
constexpr int kMostNarrowRows = 4;

/// Calls `function` with the model as a compile-time constant, so that no sweep branches on it.
/// Models of more rows than `kMostRows` are left out: their solvers refuse them.
template <int kMostRows = 5, class Function>
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
    case kRolling:
      if constexpr (kMostRows >= contactRows(kRolling)) function.template operator()<kRolling>();
      return;
  }
}

}  // namespace drystone
