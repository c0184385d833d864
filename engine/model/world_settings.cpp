#include "engine/model/world_settings.h"

#include <array>

#include "core/field_checks.h"
#include "core/input_error.h"

namespace drystone {
namespace {

using Names = const std::string_view[];
constexpr Names kIntegrators = {"semi_implicit_euler", "moreau"};
constexpr Names kSteppings = {"exact", "soft"};
constexpr Names kGyroscopicTerms = {"implicit", "off"};
constexpr Names kContactSets = {"speculative", "closed"};
constexpr Names kImpactLaws = {"newton", "poisson", "sequential"};
constexpr Names kDetections = {"substep", "step"};
constexpr Names kJointRows = {"end", "mean"};

std::array<std::string_view, kFrictionModelCount> frictionModelNames() {
  std::array<std::string_view, kFrictionModelCount> names;
  for (std::size_t i = 0; i < names.size(); ++i)
    names[i] = frictionModelName(static_cast<FrictionModel>(i));
  return names;
}

}  // namespace

std::string_view integratorName(Integrator integrator) {
  return kIntegrators[static_cast<int>(integrator)];
}

void visitFields(Stabilization& stabilization, FieldVisitor& visitor) {
  visitor.real({"gamma", "", "share of the error removed per step"}, stabilization.gamma, 0, 1);
  visitor.notNegative({"compliance", "1/kg", "of every contact and joint row"},
                      stabilization.compliance);
  visitor.optional({"stiffness", "N/m", "with damping, in place of gamma and compliance"},
                   stabilization.stiffness, kSmallestPositiveInput, kLargestInput);
  visitor.optional({"damping", "N s/m", "comes with stiffness"}, stabilization.damping, 0,
                   kLargestInput);
  visitor.notNegative({"max_push_speed", "m/s",
                       "at most so fast are overlaps and passed limits of joints taken back"},
                      stabilization.maxPushSpeed);
  visitor.notNegative({"slop", "m", "overlap that is left alone"}, stabilization.slop);
}

void visitFields(Projection& projection, FieldVisitor& visitor) {
  visitor.integer({"iterations", "", "most Newton steps; 0 turns it off"}, projection.iterations, 0,
                  100);
  visitor.positive({"tolerance", "m", "joint errors below stay, in m or rad"},
                   projection.tolerance);
  visitor.positive({"overlap", "m", "overlaps below stay"}, projection.overlap);
}

void visitFields(Sleeping& sleeping, FieldVisitor& visitor) {
  visitor.boolean({"enabled", "", "an object alone turns it on"}, sleeping.enabled);
  visitor.notNegative({"linear_speed", "m/s", "fastest centre of mass of what may fall asleep"},
                      sleeping.linearSpeed);
  visitor.notNegative({"angular_speed", "rad/s", "likewise"}, sleeping.angularSpeed);
  visitor.notNegative({"time", "s", "for how long all of an island must have been that slow"},
                      sleeping.time);
}

void visitFields(WorldSettings& settings, FieldVisitor& visitor) {
  // Longer steps are a mistake of units; with them squares of the step would leave their range.
  constexpr Real kLargestTimestep = 1e3;
  visitor.vector({"gravity", "m/s²", "acceleration of free fall"}, settings.gravity, -kLargestInput,
                 kLargestInput);
  visitor.positive({"timestep", "s", "length of a step"}, settings.timestep, kLargestTimestep);
  visitor.integer({"substeps", "", "inner steps that make up a step, each with its own solve"},
                  settings.substeps, 1, 1000);
  visitor.choice(
      {"stepping", "", "each island exactly, or at a game engine's price by a few soft sub-steps"},
      settings.stepping, kSteppings);
  visitor.choice(
      {"detection", "",
       "contacts are found anew in every substep, or once a step and carried along (speculative)"},
      settings.detection, kDetections);
  visitor.choice({"integrator", "", "time-stepping scheme; moreau is a midpoint rule"},
                 settings.integrator, kIntegrators);
  visitor.choice({"gyroscopic", "", "gyroscopic term of the free motion"}, settings.gyroscopic,
                 kGyroscopicTerms);
  visitor.choice({"contact_set", "", "gaps up to the margin count, or closed contacts only"},
                 settings.contactSet, kContactSets);
  static const auto kFrictionModels = frictionModelNames();
  visitor.choice({"friction", "", "friction model"}, settings.friction, kFrictionModels);
  visitor.notNegative(
      {"contact_margin", "m",
       "gap up to which bodies make contacts though their motion does not bring them together"},
      settings.contactMargin);
  visitor.boolean({"reduce_manifolds", "", "at most four points a pair of faces"},
                  settings.reduceManifolds);
  visitor.notNegative({"restitution_threshold", "m/s", "slower contacts do not bounce"},
                      settings.restitutionThreshold);
  visitor.choice({"impact_law", "",
                  "impacts at one moment: all by Newton's or Poisson's law, or pair by pair"},
                 settings.impactLaw, kImpactLaws);
  visitor.part({"stabilization", "", "how overlap and joint errors are taken back"},
               settings.stabilization, settings.stabilization);
  visitor.choice(
      {"joint_rows", "",
       "velocity that locks of joints hold: at the end of the step, or the mean (moreau)"},
      settings.jointRows, kJointRows);
  visitor.part({"projection", "", "Newton steps on the poses after the step"}, settings.projection,
               Projection::on());
  visitor.boolean({"geometric_stiffness", "",
                   "joint forces turn with their bodies implicitly: stiff chains hold"},
                  settings.geometricStiffness);
  visitor.boolean({"hold_joints", "",
                   "joints that swing fast, and contacts that turn far or that only the end of a "
                   "step shows, hold there, without a projection"},
                  settings.holdJoints);
  visitor.part({"sleeping", "", "islands at rest are left out of the step"}, settings.sleeping,
               Sleeping::on());
  visitor.optional({"joint_tolerance", "m",
                    "joint error of a step that is met; without it 1 % of the median body"},
                   settings.jointTolerance, kSmallestPositiveInput, kLargestInput);
  visitor.optional({"overlap_tolerance", "m", "overlap of a step that is met; without it likewise"},
                   settings.overlapTolerance, kSmallestPositiveInput, kLargestInput);
  visitor.boolean({"warm_start", "", "solves start from the impulses of the step before"},
                  settings.warmStart);
  visitor.integer({"threads", "", "threads of the step"}, settings.threads, 1, 1024);
}

void checkSettings(const WorldSettings& settings) {
  std::vector<std::string> problems = fieldProblems("world settings", settings);
  const auto require = [&](bool ok, const char* rule) {
    if (!ok) problems.push_back(std::string("world settings: ") + rule);
  };
  require(
      settings.stabilization.stiffness.has_value() == settings.stabilization.damping.has_value(),
      "stabilization.stiffness and damping come together");
  require(settings.jointRows == JointRows::kEnd || settings.integrator == Integrator::kMoreau,
          "joint rows on the mean velocity need the integrator moreau, which has the middle of the "
          "step");
  require(
      !settings.carriesContacts() || settings.contactSet == ContactSet::kSpeculative,
      "one detection a step needs the contact set speculative, since closed drops the gaps that "
      "later inner steps close; or detect in every substep");
  require(
      settings.stepping == Stepping::kExact ||
          (settings.integrator == Integrator::kSemiImplicitEuler &&
           settings.impactLaw == ImpactLaw::kNewton && !settings.carriesContacts() &&
           !settings.projection.isOn()),
      "soft stepping needs the integrator semi_implicit_euler, Newton's impact law, a detection "
      "in every substep and no projection");
  const SolverChoice& solver = settings.solver;
  const auto requireRange = [&](const char* key, Real value, Real low, Real high,
                                const char* unit) {
    const std::string problem = rangeProblem(value, low, high, unit);
    if (!problem.empty())
      problems.push_back(std::string("world settings: solver.") + key + problem);
  };
  requireRange("tolerance ", solver.budget.tolerance, kSmallestPositiveInput, kLargestInput, "m/s");
  requireRange("time_limit_s ", solver.budget.seconds, 0, kUnlimited, "s");
  requireRange("budget_ms ", 1e3 * solver.stepSeconds, kSmallestPositiveInput, 1e3 * kUnlimited,
               "ms");
  require(solver.budget.iterations.value_or(0) >= 0, "solver.max_iterations must be >= 0");
  require(solver.policy != FailurePolicy::kFallback || !solver.fallback.empty(),
          "the policy `fallback` needs a fallback solver; name one");
  if (!problems.empty()) throw InputError(problems);
}

}  // namespace drystone
