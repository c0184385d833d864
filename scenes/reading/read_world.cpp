// Sections `world` and `solver`.
// Sections `camera` and `output`.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/input_error.h"
#include "core/wording.h"
#include "engine/model/solver_presets.h"
#include "scenes/reading/scene_context.h"
#include "scenes/scene_reader.h"
#include "solvers/driver/registry.h"

namespace drystone {
namespace {

void checkStabilization(const JsonCursor& at) {
  const auto has = [&](std::string_view key) { return at.member(key).has_value(); };
  const bool hasStiffness = has("stiffness"), hasDamping = has("damping");
  if ((hasStiffness || hasDamping) && (has("gamma") || has("compliance"))) {
    at.error("give gamma and compliance, or stiffness and damping, not both");
  } else if (hasStiffness != hasDamping) {
    at.error("stiffness and damping come together");
  }
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

void readPreset(ObjectReader& in, Real timestep, SolverChoice& choice) {
  static const auto kNames = [] {
    std::array<std::string_view, kSolverPresets.size()> names;
    std::ranges::transform(kSolverPresets, names.begin(), &SolverPreset::name);
    return names;
  }();
  auto preset = static_cast<int>(presetOf(SolverChoice{}, timestep) - kSolverPresets.data());
  if (in.choice({"preset", "tolerance and limits by one word; other keys win over it"}, preset,
                kNames)) {
    applyPreset(kSolverPresets[static_cast<std::size_t>(preset)], timestep, choice);
  }
}

std::unique_ptr<ContactSolver> makeSolver(const std::optional<JsonCursor>& at,
                                          const std::string& name, const SolverRegistry* registry) {
  if (registry == nullptr) return nullptr;
  if (registry->contains(name)) return registry->create(name);
  if (at) at->error("unknown solver \"" + name + "\"; " + didYouMean(name, registry->names()));
  return nullptr;
}

}  // namespace

void visitWorldKeys(Scene& scene, FieldVisitor& visitor) {
  constexpr Real kLongestDuration = 1e9;
  visitor.positive({"duration", "s", "simulated time that the scene is meant for"}, scene.duration,
                   kLongestDuration);
  visitFields(scene.settings, visitor);
}

void readWorld(const JsonCursor& at, SceneContext& context) {
  const WorldSettings& world = context.scene.settings;
  ObjectReader in(at, "world", "the world and the step");
  FieldReader reader(in);
  visitWorldKeys(context.scene, reader);
  if (world.carriesContacts() && world.contactSet == ContactSet::kClosed) {
    at.member("detection")
        ->error(
            "\"step\" needs the contact set \"speculative\", since \"closed\" drops the gaps that "
            "later inner steps close");
  }
  if (const auto stabilization = at.member("stabilization")) checkStabilization(*stabilization);
  if (world.jointRows == JointRows::kMean && world.integrator != Integrator::kMoreau) {
    at.member("joint_rows")->error("\"mean\" needs the integrator \"moreau\"");
  }
}

void readSolver(const JsonCursor& at, SceneContext& context) {
  SolverChoice& choice = context.scene.settings.solver;
  ObjectReader in(at, "solver", "the contact solver");
  in.text({"name", "as `drystone list solvers` shows"}, choice.name);
  in.text({"fallback", "solver to run when the first one fails or misses the tolerance"},
          choice.fallback);
  readPreset(in, context.scene.settings.timestep, choice);
  in.real({"tolerance", "natural map that counts as solved"}, choice.budget.tolerance,
          positive("m/s"));
  int iterations = 0;
  if (in.integer({"max_iterations",
                  "most sweeps, steps, pivots or rounds of a solve; the solver's own unless given"},
                 iterations, 0, std::numeric_limits<int>::max(), kNoDefault)) {
    choice.budget.iterations = iterations;
  }
  in.real({"time_limit_s",
           "most time of a solve, without it none; makes results depend on the machine"},
          choice.budget.seconds, notNegative("s"), kNoDefault);
  Real stepMs = 0;
  if (in.real(
          {"budget_ms",
           "most time of all solves of a step, 0 for none; makes results depend on the machine"},
          stepMs, notNegative("ms"), kNoDefault)) {
    choice.stepSeconds = stepMs > 0 ? stepMs / 1e3 : kUnlimited;
  }
  if (!in.choice({"policy", "what to do when the tolerance is missed"}, choice.policy,
                 kPolicyNames) &&
      !choice.fallback.empty()) {
    choice.policy = FailurePolicy::kFallback;  // why else name one
  }
  if (choice.policy == FailurePolicy::kFallback && choice.fallback.empty()) {
    at.member("policy")->error(
        "the policy \"fallback\" needs the key \"fallback\" with the name of a solver");
  }
  in.choice({"condense", "eliminate the rows of joints before the solver starts"},
            choice.condensation, kCondensationNames);
  const auto solver = makeSolver(at.member("name"), choice.name, context.registry);
  if (!choice.fallback.empty())
    makeSolver(at.member("fallback"), choice.fallback, context.registry);
  in.entries({"settings", "settings of the solver by name"}, KeyType::of("solver_settings"),
             [&](const std::string& name, const JsonCursor& entry) {
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
  ObjectReader in(at, "camera", "where pictures are taken from");
  in.vector({"position", "of the eye"}, camera.position, anyReal("m"));
  in.vector({"target", "point looked at"}, camera.target, anyReal("m"));
  in.vector({"up", "direction that is up in the picture"}, camera.up, anyReal(""));
  in.real({"field_of_view_deg", "vertical"}, camera.fieldOfViewDeg, within(1, 170, "degrees"));
  if (const auto name = in.child({"follow", "body that it goes with"}, KeyType::text()))
    camera.follow = resolveName(*name, "body", context.bodies);
  if (!in.clean()) return;
  const Vec3 view = camera.target - camera.position;
  if (!(view.cross(camera.up).norm() > 1e-9 * view.norm() * camera.up.norm())) {
    at.error("the camera must look from its position to another point, and not along \"up\"");
  }
}

void readOutput(const JsonCursor& at, SceneContext& context) {
  ObjectReader in(at, "output", "what is written about a run");
  in.integer({"every", "steps between two rows of a table or frames of a recording"},
             context.scene.output.every, 1, 1'000'000);
}

}  // namespace drystone
