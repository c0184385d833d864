#include "solids/solid_material.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "solids/grid.h"

namespace drystone {

void visitFields(SolidMaterial& material, FieldVisitor& visitor) {
  static constexpr std::array<std::string_view, 2> kModels = {"neo_hookean", "st_venant_kirchhoff"};
  visitor.choice({"model", "", "elastic law"}, material.model, kModels);
  visitor.positive({"density", "kg/m^3", "of the undeformed solid"}, material.density);
  visitor.positive({"young_modulus", "Pa", "stress by strain of a thin bar"},
                   material.youngModulus);
  visitor.real({"poisson_ratio", "", "how much thinner a bar becomes by its strain"},
               material.poissonRatio, -0.9, 0.49);
  visitor.notNegative({"damping", "s", "stress of a rate of strain, by that of a strain"},
                      material.damping);
}

SolidStress stressAt(const SolidMaterial& material, const Mat3& gradient, Real determinant,
                     const Mat3& velocityGradient) {
  const Real mu = material.lameMu(), lambda = material.lameLambda();
  const Real volume = 1 / determinant;  // J
  const Mat3 deformation = inverseOf(gradient, determinant);
  const Mat3 leftCauchy = deformation * deformation.transpose();
  const Mat3 strain = 0.5 * (deformation.transpose() * deformation - Mat3::Identity());
  // Gershgorin: no stretch squared is larger.
  const Real stretchSquared = leftCauchy.cwiseAbs().rowwise().sum().maxCoeff();
  SolidStress result;
  result.strain = strain.cwiseAbs().maxCoeff();
  if (material.model == ElasticModel::kNeoHookean) {
    const Real logVolume = std::log(volume);
    result.cauchy = determinant *
                    (mu * (leftCauchy - Mat3::Identity()) + lambda * logVolume * Mat3::Identity());
    result.energy =
        0.5 * mu * (leftCauchy.trace() - 3 - 2 * logVolume) + 0.5 * lambda * logVolume * logVolume;
    // n·a·n with a = λ (1 − ln J) + μ (1 + n·B·n), the acoustic tensor by the density now.
    result.soundSquared =
        (lambda + std::abs(lambda * logVolume) + mu * (1 + stretchSquared)) / material.density;
  } else {
    const Mat3 second = 2 * mu * strain + lambda * strain.trace() * Mat3::Identity();
    result.cauchy = determinant * (deformation * second * deformation.transpose());
    result.energy = mu * strain.squaredNorm() + 0.5 * lambda * strain.trace() * strain.trace();
    // a·Q·a = N·S N + (λ + μ) (N·Fᵀa)² + μ |Fᵀa|² |N|² with N = Fᵀn, where no square exceeds s² =
    // `stretchSquared` and S = λ tr E + 2 μ E no λ tr E + μ (s² − 1).
    const Real stiffening = lambda * strain.trace() + mu * (stretchSquared - 1);
    result.soundSquared = stretchSquared *
                          ((lambda + 2 * mu) * stretchSquared + std::max<Real>(0, stiffening)) /
                          material.density;
  }
  result.viscosity = material.damping * (lambda + 2 * mu) * volume / material.density;
  const Mat3 rate = 0.5 * (velocityGradient + velocityGradient.transpose());
  result.cauchy += material.damping * (2 * mu * rate + lambda * rate.trace() * Mat3::Identity());
  return result;
}

}  // namespace drystone
