#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/support/command_line.h"
#include "apps/support/log.h"
#include "apps/support/option_checks.h"
#include "apps/support/output_file.h"
#include "apps/support/program.h"
#include "apps/support/run_setup.h"
#include "apps/support/solver_registry.h"
#include "apps/support/static_words.h"
#include "apps/verdict/verdict_output.h"
#include "engine/recording/recording.h"
#include "scenes/scene_builder.h"

namespace drystone::cli {
namespace {

struct VerdictOptions {
  SimulationOptions simulation;
  std::string load = "x";
  std::optional<Real> reach;         ///< [m]
  std::string shares, disturb;       ///< names of bodies, or empty
  std::string record;                ///< file, or empty
  std::vector<std::string> without;  ///< names of bodies
  bool json = false;
};

constexpr const char* kLoadForms =
    "must be x, y, z, -x, -y or -z, or BODY:FX,FY,FZ[@PX,PY,PZ] with numbers in N and m";

[[noreturn]] void refuseLoad(const std::string& load) {
  throw UsageError(fmt::format("--load: {}, got '{}'", kLoadForms, load));
}

/// Weights along an axis of the world; none: the text is of another form.
std::optional<Vec3> axisOf(const std::string& load) {
  const bool isBack = load.starts_with('-');
  const std::string name = isBack ? load.substr(1) : load;
  if (name.size() != 1 || name[0] < 'x' || name[0] > 'z') return std::nullopt;
  Vec3 axis = Vec3::Zero();
  axis[name[0] - 'x'] = isBack ? -1 : 1;
  return axis;
}

Vec3 vectorOf(const std::string& text, const std::string& load) {
  const std::optional<Vec3> vector = parseVector(text);
  if (!vector) refuseLoad(load);
  return *vector;
}

StaticLoad loadOf(const std::string& load, const World& world) {
  if (const std::optional<Vec3> axis = axisOf(load)) return {.weights = *axis};
  // Names of bodies may have colons, numbers have none.
  const std::size_t colon = load.rfind(':');
  if (colon == std::string::npos || colon == 0) refuseLoad(load);
  const std::vector<std::string> parts = split(load.substr(colon + 1), '@');
  if (parts.size() > 2) refuseLoad(load);
  StaticLoad::PointForce force{.force = vectorOf(parts[0], load)};
  if (force.force.isZero(0)) throw UsageError("--load: the force must not be zero");
  if (parts.size() == 2) force.at = vectorOf(parts[1], load);
  force.body = dynamicBody(load.substr(0, colon), world);
  return {.forces = {force}};
}

int verdictExitCode(const StaticAnswer& answer) {
  if (answer.verdict == StaticVerdict::kFalls) return kCheckFailed;
  const bool isKnown = answer.verdict == StaticVerdict::kStands && !std::isnan(answer.factor);
  return isKnown ? kDone : kSolverFailure;
}

/// Looks for a reach that leaves fewer bodies without any contact, as where blocks stand with gaps.
/// Doublings are enough to name one.
void lookWider(World& world, ToldVerdict& told) {
  constexpr int kDoublings = 7;  // a tenth of the bodies' extent
  told.aloneWider = told.alone;
  Real reach = told.reach;
  for (int i = 0; i < kDoublings && told.aloneWider > 0; ++i) {
    reach *= 2;
    const int alone = Statics(world, reach).alone();
    if (alone >= told.aloneWider) continue;
    told.aloneWider = alone;
    told.wider = reach;
  }
}

int judgeScene(const VerdictOptions& options) {
  const SolverRegistry registry = makeRegistry();
  const SimulationOptions& simulation = options.simulation;
  const SceneSource source = findScene(simulation, registry);
  const ReadyScene scene = setUpScene(source, simulation, registry);
  checkOutputFile(options.record, "--record", scene.files);
  requireDiskFile(options.record, "--record");
  World world = buildWorld(scene, registry);
  for (const std::string& body : options.without) world.removeBody(dynamicBody(body, world));
  const StaticLoad load = loadOf(options.load, world);
  logWarnings(scene.warnings);
  if (load.forces.empty() && world.settings().gravity.isZero(0)) {
    throw UsageError(
        "the scene has no gravity, so no weight to load it with; name a force: "
        "--load BODY:FX,FY,FZ");
  }
  const Statics statics(world, options.reach);
  ToldVerdict told{.scene = simulation.scene,
                   .load = options.load,
                   .isWeights = load.forces.empty(),
                   .answer = statics.answer(load),
                   .contacts = statics.contacts(),
                   .rows = statics.rows(),
                   .apart = statics.apart(),
                   .widestGap = statics.widestGap(),
                   .alone = statics.alone(),
                   .moving = countMoving(world),
                   .reach = statics.reach()};
  if (!options.shares.empty()) {
    const BodyId body = dynamicBody(options.shares, world);
    told.shares = ToldShares{body, statics.shares(body)};
  }
  if (!options.disturb.empty()) {
    const BodyId body = dynamicBody(options.disturb, world);
    told.resistance = ToldResistance{body, resistanceOf(statics, body)};
  }
  if (!options.record.empty()) {
    recordMechanism(options.record, recordingInfo(source, scene, simulation, registry), world,
                    told.answer);
  }
  if (told.answer.verdict == StaticVerdict::kFalls && !options.json) lookWider(world, told);
  fmt::print("{}", options.json ? jsonText(verdictJson(told, world)) : verdictText(told, world));
  return verdictExitCode(told.answer);
}

}  // namespace

Command addVerdictCommand(CLI::App& program) {
  auto options = std::make_shared<VerdictOptions>();
  CLI::App* app = program.add_subcommand(
      "verdict", "Say whether a scene stands as it is, and how much load it bears");
  app->add_option("scene", options->simulation.scene, "Scene file, or name of a library scene")
      ->type_name("SCENE")
      ->transform(notEmpty())
      ->required();
  app->add_option("--load", options->load,
                  "What grows with the factor: all weights along x, y, z, -x, -y or -z, or a force "
                  "[N] on a body, at a point [m] or its centre of mass; default x")
      ->type_name("AXIS|BODY:FX,FY,FZ[@PX,PY,PZ]")
      ->transform(notEmpty());
  app->add_option("--reach", options->reach,
                  "Gap up to which bodies touch [m]; default: 1e-3 of their median extent")
      ->type_name("M")
      ->transform(realNumber(0, 1e15, "m"));
  app->add_option("--shares", options->shares,
                  "Also the least and the largest force that each contact of a body may carry")
      ->type_name("BODY")
      ->transform(notEmpty());
  app->add_option("--disturb", options->disturb,
                  "Also the force and the torque that a body bears in every direction")
      ->type_name("BODY")
      ->transform(notEmpty());
  app->add_option("--record", options->record,
                  "Write how it gives way as a recording for `view`, `render` and `export`")
      ->type_name("FILE")
      ->transform(notEmpty());
  app->add_option("--without", options->without,
                  "Judge the scene without this dynamic body and its joints, as a projectile; "
                  "repeatable")
      ->type_name("BODY")
      ->transform(notEmpty())
      ->allow_extra_args(false);
  app->add_option("--set", options->simulation.sets,
                  "Change a value first, repeatable; keys as in `run`")
      ->type_name("KEY=VALUE")
      ->transform(notEmpty())
      ->allow_extra_args(false);
  app->add_flag("--json", options->json, "Print one JSON object");
  app->footer(
      "Exit code 0: it stands. 1: it falls. 4: undecided.\n\n"
      "Example:\n"
      "  drystone verdict arch\n"
      "  drystone verdict stack_10 --load y --json\n"
      "  drystone verdict gripper --shares load --disturb load\n"
      "  drystone verdict arch --record collapse.h5 && drystone view collapse.h5\n"
      "  drystone verdict my_scene.json --load lid:100,0,0@0,0,1.5\n");
  return {app, [options] { return judgeScene(*options); },
          "name the scene to judge: a scene file, or a name of `drystone list scenes`"};
}

}  // namespace drystone::cli
