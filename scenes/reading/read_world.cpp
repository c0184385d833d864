// Sections `world` and `solver`.
// Sections `camera` and `output`.
#include <array>
#include <cmath>
#include <limits>

#include "core/input_error.h"
#include "core/wording.h"
#include "scenes/reading/scene_context.h"
#include "solvers/driver/registry.h"

namespace drystone {
namespace {

/// The names of an enum's values 0 … Count - 1.
template <int Count, class Enum>
std::array<std::string_view, Count> namesOf(std::string_view (*name)(Enum)) {
  std::array<std::string_view, Count> names;
  for (int i = 0; i < Count; ++i) names[static_cast<std::size_t>(i)] = name(static_cast<Enum>(i));
  return names;
}

constexpr std::array<std::string_view, 3> kPolicies = {"keep_best", "fallback", "stop"};

void readStabilization(const JsonCursor& at, Stabilization& out) {
  ObjectReader in(at, "stabilization");
  const bool hasGamma = in.real("gamma", out.gamma, within(0, 1));
  const bool hasCompliance = in.real("compliance", out.compliance, notNegative("1/kg"));
  const bool hasStiffness = in.real("stiffness", out.stiffness, positive("N/m"));
  const bool hasDamping = in.real("damping", out.damping, notNegative("N s/m"));
  in.real("max_push_speed", out.maxPushSpeed, notNegative("m/s"));
  in.real("slop", out.slop, notNegative("m"));
  out.fromSpring = hasStiffness || hasDamping;
  if (out.fromSpring && (hasGamma || hasCompliance)) {
    at.error("give gamma and compliance, or stiffness and damping, not both");
  } else if (hasStiffness != hasDamping) {
    at.error("stiffness and damping come together");
  }
}

void readProjection(const JsonCursor& at, Projection& out) {
  ObjectReader in(at, "projection");
  out.iterations = 4;  // Newton's way from an error of half the arms to below the tolerance
  in.integer("iterations", out.iterations, 0, 100);
  in.real("tolerance", out.tolerance, positive("m"));
  in.real("overlap", out.overlap, positive("m"));
}

void readSleeping(const JsonCursor& at, Sleeping& out) {
  ObjectReader in(at, "sleeping");
  out.enabled = true;
  in.boolean("enabled", out.enabled);
  in.real("linear_speed", out.linearSpeed, notNegative("m/s"));
  in.real("angular_speed", out.angularSpeed, notNegative("rad/s"));
  in.real("time", out.time, notNegative("s"));
}

SettingValue settingValue(const JsonCursor& at, bool& good) {
  if (at.isString()) {
    std::string text;
    at.text(text);
    return text;
  }
  if (at.isNumber()) {
    Real value = 0;
    at.real(value, Range{});
    return value;
  }
  bool flag = false;
  good = at.boolean(flag);
  return flag;
}

/// Settings take whole numbers too, and a JSON reader of doubles does not tell them apart: those
/// without a fraction are handed over as integers.
SettingValue wholeWherePossible(SettingValue value) {
  constexpr Real kExact = 9007199254740992.0;  // 2^53
  if (const Real* real = std::get_if<Real>(&value)) {
    if (std::abs(*real) <= kExact && *real == std::floor(*real))
      return static_cast<std::int64_t>(*real);
  }
  return value;
}

std::unique_ptr<ContactSolver> makeSolver(const std::optional<JsonCursor>& at,
                                          const std::string& name, const SolverRegistry* registry) {
  if (registry == nullptr) return nullptr;
  if (registry->contains(name)) return registry->create(name);
  if (at) at->error("unknown solver \"" + name + "\"; " + didYouMean(name, registry->names()));
  return nullptr;
}

}  // namespace

void readWorld(const JsonCursor& at, SceneContext& context) {
  WorldSettings& world = context.scene.settings;
  ObjectReader in(at, "world");
  in.vector("gravity", world.gravity, anyReal("m/s²"));
  in.real("timestep", world.timestep, positive("s", 1e3));
  in.real("duration", context.scene.duration, positive("s", 1e9));
  in.integer("substeps", world.substeps, 1, kMostSubsteps);
  const bool hasDetection = in.choice("detection", world.detection, namesOf<2>(detectionName));
  in.choice("integrator", world.integrator, namesOf<2>(integratorName));
  in.choice("gyroscopic", world.gyroscopic, namesOf<3>(gyroscopicTermName));
  in.choice("contact_set", world.contactSet, namesOf<2>(contactSetName));
  if (hasDetection && world.carriesContacts() && world.contactSet == ContactSet::kClosed) {
    at.member("detection")
        ->error(
            "\"step\" needs the contact set \"speculative\", since \"closed\" drops the gaps that "
            "later inner steps close");
  }
  in.choice("friction", world.friction, namesOf<kFrictionModelCount>(frictionModelName));
  in.real("contact_margin", world.contactMargin, notNegative("m"));
  in.boolean("reduce_manifolds", world.reduceManifolds);
  in.real("restitution_threshold", world.restitutionThreshold, notNegative("m/s"));
  if (const auto child = in.child("stabilization")) readStabilization(*child, world.stabilization);
  const bool hasRows = in.choice("joint_rows", world.jointRows, namesOf<2>(jointRowsName));
  if (hasRows && world.jointRows == JointRows::kMean && world.integrator != Integrator::kMoreau) {
    at.member("joint_rows")->error("\"mean\" needs the integrator \"moreau\"");
  }
  if (const auto child = in.child("projection")) readProjection(*child, world.projection);
  in.boolean("geometric_stiffness", world.geometricStiffness);
  if (const auto child = in.child("sleeping")) readSleeping(*child, world.sleeping);
  in.boolean("warm_start", world.warmStart);
  in.integer("threads", world.threads, 1, 1024);
}

void readSolver(const JsonCursor& at, SceneContext& context) {
  SolverChoice& choice = context.scene.settings.solver;
  ObjectReader in(at, "solver");
  in.text("name", choice.name);
  in.text("fallback", choice.fallback);
  in.real("tolerance", choice.budget.tolerance, positive("m/s"));
  int iterations = 0;
  if (in.integer("max_iterations", iterations, 0, std::numeric_limits<int>::max())) {
    choice.budget.iterations = iterations;
  }
  in.real("time_limit_s", choice.budget.seconds, notNegative("s"));
  if (!in.choice("policy", choice.policy, kPolicies) && !choice.fallback.empty()) {
    choice.policy = FailurePolicy::kFallback;  // why else name one
  }
  if (choice.policy == FailurePolicy::kFallback && choice.fallback.empty()) {
    at.member("policy")->error(
        "the policy \"fallback\" needs the key \"fallback\" with the name of a solver");
  }
  const auto solver = makeSolver(at.member("name"), choice.name, context.registry);
  if (!choice.fallback.empty())
    makeSolver(at.member("fallback"), choice.fallback, context.registry);
  in.entries("settings", [&](const std::string& name, const JsonCursor& entry) {
    bool good = true;
    SettingValue value = wholeWherePossible(settingValue(entry, good));
    if (!good) return;
    try {
      if (solver) applySetting(*solver, name, value);
      choice.settings.push_back({name, std::move(value)});
    } catch (const InputError& error) {
      entry.error(error.what());
    }
  });
}

void readCamera(const JsonCursor& at, SceneContext& context) {
  SceneCamera& camera = context.scene.camera;
  context.scene.hasCamera = true;
  ObjectReader in(at, "camera");
  in.vector("position", camera.position, anyReal("m"));
  in.vector("target", camera.target, anyReal("m"));
  in.vector("up", camera.up, anyReal(""));
  in.real("field_of_view_deg", camera.fieldOfViewDeg, within(1, 170, "degrees"));
  if (!in.clean()) return;
  const Vec3 view = camera.target - camera.position;
  if (!(view.cross(camera.up).norm() > 1e-9 * view.norm() * camera.up.norm())) {
    at.error("the camera must look from its position to another point, and not along \"up\"");
  }
}

void readOutput(const JsonCursor& at, SceneContext& context) {
  ObjectReader in(at, "output");
  in.integer("every", context.scene.output.every, 1, 1'000'000);
}

}  // namespace drystone
