#include "engine/model/contact_spring.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string_view>

#include "core/input_error.h"

namespace drystone {
namespace {

void require(bool holds, std::string_view what, Real got) {
  if (!holds) throw InputError(fmt::format("{}, got {:g}", what, got));
}

void requirePositive(std::string_view name, Real value) {
  require(std::isfinite(value) && value > 0, fmt::format("{} must be > 0", name), value);
}

}  // namespace

std::optional<ContactSpring> inSeries(const std::optional<ContactSpring>& a,
                                      const std::optional<ContactSpring>& b) {
  if (!a || !b) return a ? a : b;
  // Shares of the way, which do not overflow where products of stiffnesses would.
  const Real wayA = b->stiffness / (a->stiffness + b->stiffness);
  const Real wayB = a->stiffness / (a->stiffness + b->stiffness);
  return ContactSpring{.stiffness = a->stiffness * wayA,
                       .damping = a->damping * wayA * wayA + b->damping * wayB * wayB};
}

Real patchStiffness(Real youngsModulus, Real poissonsRatio, Real area) {
  requirePositive("youngs_modulus [Pa]", youngsModulus);
  require(poissonsRatio >= 0 && poissonsRatio <= 0.5, "poissons_ratio must be from 0 to 0.5",
          poissonsRatio);
  requirePositive("contact_area [m²]", area);
  return 2 * youngsModulus / (1 - poissonsRatio * poissonsRatio) *
         std::sqrt(area / std::numbers::pi);
}

std::optional<ContactSpring> springFromErpCfm(const ErpCfm& from, Real h) {
  require(from.erp > 0 && from.erp <= 1, "erp must be above 0 and at most 1", from.erp);
  require(std::isfinite(from.cfm) && from.cfm >= 0, "cfm must be >= 0", from.cfm);
  requirePositive("the timestep [s]", h);
  if (from.cfm == 0) return std::nullopt;
  return ContactSpring{.stiffness = from.erp / (h * from.cfm),
                       .damping = (1 - from.erp) / from.cfm};
}

ErpCfm erpCfmFromSpring(const ContactSpring& spring, Real h) {
  requirePositive("stiffness [N/m]", spring.stiffness);
  require(std::isfinite(spring.damping) && spring.damping >= 0, "damping [N s/m] must be >= 0",
          spring.damping);
  requirePositive("the timestep [s]", h);
  return {.erp = spring.share(h), .cfm = h * spring.compliance(h)};
}

ContactSpring springFromSolref(const std::array<Real, 2>& solref, Real impedance, Real mass) {
  require(impedance > 0 && impedance < 1, "d_max of solimp must be between 0 and 1", impedance);
  requirePositive("the mass [kg]", mass);
  const auto [first, second] = solref;
  const bool isDirect = first <= 0 && second <= 0;
  // MuJoCo: R f = a_ref − a with R = (1 − d)/(d m) and a_ref = −b v − k r.
  const Real perMass = impedance * mass / (1 - impedance);
  if (isDirect) {
    require(first < 0 && std::isfinite(first) && std::isfinite(second),
            "the stiffness of a solref by stiffness and damping must be < 0", first);
    return {.stiffness = perMass * -first / impedance, .damping = perMass * -second / impedance};
  }
  requirePositive("timeconst of solref [s]", first);
  requirePositive("dampratio of solref", second);
  return {.stiffness = perMass / (impedance * first * first * second * second),
          .damping = perMass * 2 / (impedance * first)};
}

}  // namespace drystone
