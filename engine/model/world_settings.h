#pragma once

#include <string>
#include <vector>

#include "core/field_visitor.h"
#include "engine/model/contact_spring.h"
#include "solvers/driver/budget.h"
#include "solvers/driver/settings.h"
#include "solvers/problem/contact_problem.h"

namespace drystone {

/// How an island gets through a step.
enum class Stepping : std::uint8_t {
  kExact,  ///< one solve to the tolerance
  kSoft,   ///< a fixed number of sweeps over soft contacts, for interaction; what they cannot hold
           ///< is solved exactly
};
enum class Integrator : std::uint8_t { kSemiImplicitEuler, kMoreau };  ///< (M.3), (M.4)
enum class GyroscopicTerm : std::uint8_t { kImplicit, kOff };          ///< (M.1)
enum class ContactSet : std::uint8_t { kSpeculative, kClosed };        ///< (M.4)
/// What impacts at one moment do to each other; docs/theory/impacts.md.
enum class ImpactLaw : std::uint8_t {
  kNewton,      ///< all at once: each leaves with e times the speed of its approach
  kPoisson,     ///< all at once: each gets e times the impulse of its compression again
  kSequential,  ///< in turn, the fastest first, each pair by Poisson's law
};
enum class Detection : std::uint8_t {
  kSubstep,  ///< every inner step finds its contacts anew
  kStep,     ///< the first one does; the others carry its contacts along with the bodies
};
enum class JointRows : std::uint8_t {
  kEnd,   ///< J u⁺ = 0: locks hold the velocity at the end of the step; loses energy
  kMean,  ///< J (u⁺ + u) = s: ε = 1 for locks; keeps energy, takes no error back (γ = 0 there)
};

/// How overlap and joint error are taken back (M.8): from (γ, C), or from a spring and a damper.
struct Stabilization {
  Real gamma = 0.2;                 ///< share of the error removed per step
  Real compliance = 1e-9;           ///< C of every contact and joint row [1/kg]
  std::optional<Real> stiffness{};  ///< k [N/m]: with d it gives γ and C in place of the first two
  std::optional<Real> damping{};    ///< d [N s/m]
  Real maxPushSpeed = 1;            ///< cap of γ|φ|/h for contacts and limits [m/s], [rad/s]
  Real slop = 0;                    ///< overlap that is left alone [m]

  bool fromSpring() const { return stiffness && damping; }
  Real gammaFor(Real h) const {
    return fromSpring() ? ContactSpring{*stiffness, *damping}.share(h) : gamma;
  }
  Real complianceFor(Real h) const {
    return fromSpring() ? ContactSpring{*stiffness, *damping}.compliance(h) : compliance;
  }
};

/// Post-stabilisation: Newton steps on the poses after the step that take joint errors and overlaps
/// back, in place of the share γ that the velocities would carry (M.7 with b = φ/h).
struct Projection {
  int iterations = 0;      ///< most Newton steps; 0: none
  Real tolerance = 1e-10;  ///< joint error that is left alone [m], [rad]: far above round-off
  Real overlap = 1e-6;     ///< overlap that is left alone [m], so that what rests costs nothing

  bool isOn() const { return iterations > 0; }
  /// Four are Newton's way from an error of half the arms to below the tolerance.
  static Projection on() { return {.iterations = 4}; }
};

/// When islands at rest are left out of the step. Off by default: every body is solved for.
struct Sleeping {
  bool enabled = false;
  Real linearSpeed = 0.01;   ///< fastest centre of mass of an island that may fall asleep [m/s]
  Real angularSpeed = 0.01;  ///< likewise [rad/s]
  Real time = 0.5;           ///< for how long all of it must have been that slow [s]

  static Sleeping on() { return {.enabled = true}; }
};

/// What happens when the judged answer of an island misses the tolerance or a solve fails.
enum class FailurePolicy : std::uint8_t {
  kKeepBest,  ///< the answer is taken as it is and reported
  kFallback,  ///< the fallback solves the island too, and the better of the two is taken, as judged
  kStop,      ///< as for a joint or overlap beyond its tolerance: the step is reported as failed;
              ///< the caller ends the simulation
};

/// Which solver an island gets, what its answer must reach, and what happens when it does not.
struct SolverChoice {
  std::string name = "auto";
  std::vector<SolverSetting> settings{};
  Budget budget{};  ///< of each island's solve; threads are those of WorldSettings
  /// Most time of all solves of a step together [s]. Below the default, results depend on the
  /// machine. An inner step gets an equal share of what is left.
  Real stepSeconds = kUnlimited;
  FailurePolicy policy = FailurePolicy::kKeepBest;
  std::string fallback{};                           ///< empty: none
  Condensation condensation = Condensation::kAuto;  ///< whether joints are eliminated first
};

struct WorldSettings {
  Vec3 gravity{0, 0, -9.81};  ///< [m/s²]
  Real timestep = 1.0 / 60;   ///< of World::step() [s]
  int substeps = 1;           ///< inner steps that make up one; each solves
  Stepping stepping = Stepping::kExact;
  Detection detection = Detection::kSubstep;
  Integrator integrator = Integrator::kSemiImplicitEuler;
  GyroscopicTerm gyroscopic = GyroscopicTerm::kImplicit;
  ContactSet contactSet = ContactSet::kSpeculative;
  FrictionModel friction = FrictionModel::kCone;
  Real contactMargin = 0.01;        ///< speculative margin [m]
  bool reduceManifolds = true;      ///< at most 4 points a face pair
  Real restitutionThreshold = 0.1;  ///< slower approach does not bounce [m/s]
  /// Newton's needs no solve of its own. The others keep the energy bound under friction, and
  /// `kSequential` passes impacts on through a row of bodies that touch, as hard bodies do.
  ImpactLaw impactLaw = ImpactLaw::kNewton;
  Stabilization stabilization{};
  JointRows jointRows = JointRows::kEnd;
  Projection projection{};
  /// The turning of the joints' forces with the bodies enters the step implicitly, where it would
  /// otherwise be unstable: stiff chains keep together at large steps, and lose some energy.
  bool geometricStiffness = false;
  /// Locks and contacts that turn far within a step hold at its end, and links that swing too fast
  /// for it get the geometric stiffness, which leaves the common turning of an island alone.
  bool holdJoints = true;
  Sleeping sleeping{};
  /// Largest error of a joint, and largest overlap of two bodies, of a step that counts as met [m];
  /// by default a hundredth of the median extent of the dynamic bodies.
  std::optional<Real> jointTolerance{}, overlapTolerance{};
  bool warmStart = true;
  int threads = 1;
  SolverChoice solver{};

  /// Whether some inner steps carry contacts along.
  bool carriesContacts() const { return detection == Detection::kStep && substeps > 1; }
  /// Whether contacts are found that the motion of a step leads to. They need a detection in every
  /// inner step, and no projection of the poses, which follows contacts from where they touch.
  bool looksAhead() const {
    return contactSet == ContactSet::kSpeculative && !carriesContacts() && !projection.isOn();
  }
  /// Whether a step looks at where it goes to, and adds the contacts that it finds there.
  bool findsLateContacts() const {
    return stepping == Stepping::kExact && looksAhead() && holdJoints;
  }
  /// Whether a step may leave out contacts that it hardly needs: one that closes all the same is
  /// found late, or met softly.
  bool mayLeaveContactsOut() const { return findsLateContacts() || stepping == Stepping::kSoft; }
  /// The projection takes joint errors back by itself, and mean rows keep the energy by theirs.
  bool holdsJoints() const {
    return holdJoints && !projection.isOn() && jointRows == JointRows::kEnd;
  }
  /// h of the equations of the model [s].
  Real substep() const { return timestep / substeps; }
  /// Share γ of overlap and joint error that the velocities of an inner step of h [s] take back.
  Real velocityGamma(Real h) const { return projection.isOn() ? 0 : stabilization.gammaFor(h); }
};

// The fields that scenes may set, with their ranges: all but the solver.
void visitFields(Stabilization& stabilization, FieldVisitor& visitor);
void visitFields(Projection& projection, FieldVisitor& visitor);
void visitFields(Sleeping& sleeping, FieldVisitor& visitor);
void visitFields(WorldSettings& settings, FieldVisitor& visitor);

/// Throws InputError that lists every value out of range.
void checkSettings(const WorldSettings& settings);

std::string_view integratorName(Integrator integrator);

}  // namespace drystone
