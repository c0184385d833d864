#pragma once

#include <array>
#include <optional>

#include "core/types.h"

namespace drystone {

/// Spring and damper of a contact point. The step takes them implicitly: an overlap δ at its end
/// that grows at the rate δ̇ pushes with k δ + d δ̇. Stable at every timestep.
struct ContactSpring {
  Real stiffness = 0;  ///< k [N/m], > 0 unless there is no push back
  Real damping = 0;    ///< d [N s/m], ≥ 0

  /// γ of the row: share of the overlap that an inner step of h [s] takes back without a load.
  Real share(Real h) const { return h * stiffness / (damping + h * stiffness); }
  /// C of the row in an inner step of h [s] [1/kg].
  Real compliance(Real h) const { return 1 / (h * damping + h * h * stiffness); }
};

/// Two springs one behind the other; none is rigid. The damper loses what both lose together where
/// they move slowly: d = k² (d_a / k_a² + d_b / k_b²). Equal times d/k stay.
std::optional<ContactSpring> inSeries(const std::optional<ContactSpring>& a,
                                      const std::optional<ContactSpring>& b);

/// k of a patch of `area` [m²] on an elastic half-space: that of a stiff round punch of this area,
/// 2 E / (1 − ν²) √(A/π) [N/m]. The body is to be large beside the patch, and the patch to stay.
/// Two bodies in series are then two half-spaces, as Hertz has them.
Real patchStiffness(Real youngsModulus, Real poissonsRatio, Real area);

// Conversions. InputError names what is out of range.

/// What ODE and Bullet set of a contact, at their timestep.
struct ErpCfm {
  Real erp = 0;  ///< 0 to 1: share of the error that a step takes back
  Real cfm = 0;  ///< ≥ 0 [m/s/N]; 0 is rigid
};
/// None: rigid. `h`: timestep of the other engine [s]. Its k and d hold for every timestep.
std::optional<ContactSpring> springFromErpCfm(const ErpCfm& from, Real h);
ErpCfm erpCfmFromSpring(const ContactSpring& spring, Real h);

/// What MuJoCo's law of a contact is for a body of `mass` [kg] on ground that does not move.
/// `solref`: (timeconst [s], dampratio), or, both ≤ 0, (−stiffness, −damping) per unit of mass.
/// `impedance`: d_max of solimp in (0, 1), MuJoCo's default being 0.95. MuJoCo's force has d m /
/// (1 − d) of added mass besides; how deep a load rests, and how fast it creeps there, agree.
ContactSpring springFromSolref(const std::array<Real, 2>& solref, Real impedance, Real mass);

}  // namespace drystone
