#include "engine/model/world_settings.h"

#include <fmt/format.h>

#include <cmath>

#include "core/input_error.h"

namespace drystone {

std::string_view integratorName(Integrator integrator) {
  switch (integrator) {
    case Integrator::kSemiImplicitEuler:
      return "semi_implicit_euler";
    case Integrator::kMoreau:
      return "moreau";
  }
  return "";
}

std::string_view gyroscopicTermName(GyroscopicTerm term) {
  switch (term) {
    case GyroscopicTerm::kImplicit:
      return "implicit";
    case GyroscopicTerm::kExplicit:
      return "explicit";
    case GyroscopicTerm::kOff:
      return "off";
  }
  return "";
}

std::string_view contactSetName(ContactSet set) {
  switch (set) {
    case ContactSet::kSpeculative:
      return "speculative";
    case ContactSet::kClosed:
      return "closed";
  }
  return "";
}

std::string_view detectionName(Detection detection) {
  switch (detection) {
    case Detection::kSubstep:
      return "substep";
    case Detection::kStep:
      return "step";
  }
  return "";
}

std::string_view jointRowsName(JointRows rows) {
  switch (rows) {
    case JointRows::kEnd:
      return "end";
    case JointRows::kMean:
      return "mean";
  }
  return "";
}

void checkSettings(const WorldSettings& settings) {
  std::vector<std::string> problems;
  const auto require = [&](bool ok, const char* rule, Real value) {
    if (!ok) problems.push_back(fmt::format("world settings: {}, got {}", rule, value));
  };
  const auto positive = [](Real value) { return std::isfinite(value) && value > 0; };
  const auto notNegative = [](Real value) { return std::isfinite(value) && value >= 0; };
  require(settings.gravity.allFinite(), "gravity must be finite m/s^2", settings.gravity.sum());
  // Longer steps are a mistake of units; with them squares of the step would leave their range.
  constexpr Real kLargestTimestep = 1e3;
  require(positive(settings.timestep) && settings.timestep <= kLargestTimestep,
          "timestep must be > 0 and at most 1000 s", settings.timestep);
  require(settings.substeps >= 1 && settings.substeps <= kMostSubsteps,
          "substeps must lie in [1, 1000]", settings.substeps);
  require(settings.projection.iterations >= 0, "projection iterations must be >= 0",
          settings.projection.iterations);
  require(positive(settings.projection.tolerance), "projection tolerance must be > 0 m",
          settings.projection.tolerance);
  require(positive(settings.projection.overlap), "projection overlap must be > 0 m",
          settings.projection.overlap);
  if (settings.jointRows == JointRows::kMean && settings.integrator != Integrator::kMoreau) {
    problems.emplace_back(
        "world settings: joint rows on the mean velocity need the integrator moreau, which has the "
        "middle of the step");
  }
  if (settings.carriesContacts() && settings.contactSet == ContactSet::kClosed) {
    problems.emplace_back(
        "world settings: one detection a step needs the contact set speculative, since closed "
        "drops the gaps that later inner steps close; or detect in every substep");
  }
  require(notNegative(settings.contactMargin), "contact margin must be >= 0 m",
          settings.contactMargin);
  require(notNegative(settings.restitutionThreshold), "restitution threshold must be >= 0 m/s",
          settings.restitutionThreshold);
  const Sleeping& sleeping = settings.sleeping;
  require(notNegative(sleeping.linearSpeed), "sleeping linear speed must be >= 0 m/s",
          sleeping.linearSpeed);
  require(notNegative(sleeping.angularSpeed), "sleeping angular speed must be >= 0 rad/s",
          sleeping.angularSpeed);
  require(notNegative(sleeping.time), "sleeping time must be >= 0 s", sleeping.time);
  require(settings.threads >= 1, "threads must be >= 1", settings.threads);
  const Stabilization& stabilization = settings.stabilization;
  require(stabilization.gamma >= 0 && stabilization.gamma <= 1,
          "stabilization gamma must lie in [0, 1]", stabilization.gamma);
  require(notNegative(stabilization.compliance), "stabilization compliance must be >= 0 1/kg",
          stabilization.compliance);
  require(notNegative(stabilization.maxPushSpeed), "maximum push speed must be >= 0 m/s",
          stabilization.maxPushSpeed);
  require(notNegative(stabilization.slop), "slop must be >= 0 m", stabilization.slop);
  if (stabilization.fromSpring) {
    require(positive(stabilization.stiffness), "stiffness must be > 0 N/m",
            stabilization.stiffness);
    require(notNegative(stabilization.damping), "damping must be >= 0 N s/m",
            stabilization.damping);
  }
  const SolverChoice& solver = settings.solver;
  require(positive(solver.budget.tolerance), "solver tolerance must be > 0 m/s",
          solver.budget.tolerance);
  require(solver.budget.iterations.value_or(0) >= 0, "solver iterations must be >= 0",
          solver.budget.iterations.value_or(0));
  require(solver.budget.seconds >= 0, "solver time limit must be >= 0 s", solver.budget.seconds);
  if (solver.policy == FailurePolicy::kFallback && solver.fallback.empty()) {
    problems.emplace_back(
        "world settings: the policy `fallback` needs a fallback solver; name one");
  }
  if (!problems.empty()) throw InputError(problems);
}

}  // namespace drystone
