#pragma once

#include <string>
#include <vector>

#include "core/field_visitor.h"
#include "core/types.h"

namespace drystone {

enum class ElasticModel {
  kNeoHookean,         ///< ψ = μ/2 (tr B − 3 − 2 ln J) + λ/2 (ln J)²; resists being crushed
  kStVenantKirchhoff,  ///< ψ = μ E:E + λ/2 (tr E)²; for large turns and small strains
};

/// What a solid is made of.
struct SolidMaterial {
  ElasticModel model = ElasticModel::kNeoHookean;
  Real density = 1000;      ///< of the undeformed solid [kg/m³], > 0
  Real youngModulus = 1e6;  ///< [Pa], > 0
  Real poissonRatio = 0.3;  ///< 1, in [-0.9, 0.49]
  /// Kelvin–Voigt: stress of a rate of strain D as of the strain τ D [s], ≥ 0. An oscillation of
  /// angular frequency ω is damped by the ratio τ ω / 2.
  Real damping = 0;

  Real lameMu() const { return youngModulus / (2 * (1 + poissonRatio)); }  ///< [Pa]
  Real lameLambda() const {                                                ///< [Pa]
    return youngModulus * poissonRatio / ((1 + poissonRatio) * (1 - 2 * poissonRatio));
  }
};
void visitFields(SolidMaterial& material, FieldVisitor& visitor);

/// Stress and what goes with it at a point.
struct SolidStress {
  Mat3 cauchy;            ///< σ, the damping's included [Pa]
  Real energy = 0;        ///< ψ, of the undeformed volume [J/m³]
  Real strain = 0;        ///< largest entry of Green's strain |Fᵀ F − 1| / 2
  Real soundSquared = 0;  ///< at least the square of the speed of the fastest wave [m²/s²]
  Real viscosity = 0;     ///< ν of the damping, by the density now: it spreads velocity [m²/s]
};

/// `gradient` is G = ∂X/∂x with det G > 0, so F = G⁻¹; `velocityGradient` is ∂v/∂x [1/s].
SolidStress stressAt(const SolidMaterial& material, const Mat3& gradient, Real determinant,
                     const Mat3& velocityGradient);

}  // namespace drystone
