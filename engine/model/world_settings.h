#pragma once

#include <string>
#include <vector>

#include "engine/core/types.h"
#include "solvers/contact_problem.h"
#include "solvers/settings.h"
#include "solvers/solve.h"

namespace drystone {

enum class Integrator : std::uint8_t { kSemiImplicitEuler, kMoreau };     ///< (M.3), (M.4)
enum class GyroscopicTerm : std::uint8_t { kImplicit, kExplicit, kOff };  ///< (M.1)
enum class ContactSet : std::uint8_t { kSpeculative, kClosed };           ///< (M.4)

/// How overlap and joint error are taken back (M.8): from (γ, C), or from a spring and a damper.
struct Stabilization {
  Real gamma = 0.2;         ///< share of the error removed per step, 0 … 1
  Real compliance = 1e-9;   ///< C of every contact and joint row [1/kg]
  bool fromSpring = false;  ///< take γ and C from the next two instead
  Real stiffness = 1e9;     ///< k [N/m]
  Real damping = 1e7;       ///< d [N s/m]
  Real maxPushSpeed = 1;    ///< cap of γ|φ|/h for contacts [m/s]
  Real slop = 0;            ///< overlap that is left alone [m]

  Real gammaFor(Real h) const {
    return fromSpring ? h * stiffness / (damping + h * stiffness) : gamma;
  }
  Real complianceFor(Real h) const {
    return fromSpring ? 1 / (h * damping + h * h * stiffness) : compliance;
  }
};

/// A setting of a solver, by name.
struct SolverSetting {
  std::string name;
  SettingValue value;
};

/// Which solver an island gets and what happens when it fails.
struct SolverChoice {
  std::string name = "bpp";
  std::vector<SolverSetting> settings;
  std::string fallback;  ///< empty: none
  SolveOptions options;
};

struct WorldSettings {
  Vec3 gravity{0, 0, -9.81};  ///< [m/s²]
  Real timestep = 1.0 / 60;   ///< h [s]
  Integrator integrator = Integrator::kSemiImplicitEuler;
  GyroscopicTerm gyroscopic = GyroscopicTerm::kImplicit;
  ContactSet contactSet = ContactSet::kSpeculative;
  FrictionModel friction = FrictionModel::kCone;
  Real contactMargin = 0.01;        ///< speculative margin [m]
  bool reduceManifolds = true;      ///< at most 4 points a face pair
  Real restitutionThreshold = 0.1;  ///< slower approach does not bounce [m/s]
  Stabilization stabilization;
  bool warmStart = true;
  int threads = 1;
  SolverChoice solver;
};

/// Throws InputError that lists every value out of range.
void checkSettings(const WorldSettings& settings);

std::string_view integratorName(Integrator integrator);
std::string_view gyroscopicTermName(GyroscopicTerm term);
std::string_view contactSetName(ContactSet set);

}  // namespace drystone
