// The engines with their solvers, as rows of the tables.
#include <fmt/format.h>

#include <algorithm>

#include "apps/support/run_setup.h"
#include "bench/peers/worlds.h"
#include "bench/studies/measure.h"
#include "bench/studies/peers/cases.h"
#include "engine/model/solver_presets.h"

namespace drystone::bench {
namespace {

bool always(const PeerCase&, const Scene&) { return true; }

/// This engine with a solver in place of the scene's own. A preset is applied last, so that the row
/// has the budget of its name.
PeerConfiguration drystone(std::string name, std::string solver, std::string preset,
                           std::vector<std::string> settings = {},
                           std::vector<std::string> world = {}) {
  return {std::move(name), &always, [=](const PeerCase& test, const PeerScene& peers) {
            std::vector<std::string> sets = test.sets;
            sets.insert(sets.end(), world.begin(), world.end());
            std::erase_if(sets, &cli::isSolverSetting);
            Scene scene = sceneWith(test.scene, solver, settings, sets);
            if (!preset.empty()) applyPreset(preset, scene.settings);
            return makeDrystoneWorld(scene, peers);
          }};
}

/// `auto` with a preset and settings of the world ("world.substeps=4").
PeerConfiguration automatic(std::string name, std::string preset,
                            std::vector<std::string> world = {}) {
  return drystone(std::move(name), "auto", std::move(preset), {}, std::move(world));
}

bool hasDefaultSolver(const Scene& scene) {
  const SolverChoice& choice = scene.settings.solver;
  const SolverPreset* preset = presetOf(choice, scene.settings.timestep);
  return choice.name == "auto" && choice.settings.empty() && preset != nullptr &&
         preset->name == "robust";
}

/// This engine as the scene has it, with the solver's settings that the case asks for too, where
/// that is not the default.
PeerConfiguration asTheScene() {
  return {"drystone, the scene's solver",
          [](const PeerCase&, const Scene& scene) { return !hasDefaultSolver(scene); },
          [](const PeerCase& test, const PeerScene& peers) {
            return makeDrystoneWorld(sceneAsRun(test.scene, test.sets), peers);
          }};
}

/// A fixed number of sweeps, without stopping to judge them.
std::vector<std::string> sweeps(int count) {
  return {fmt::format("max_iterations={}", count), "check_every=1000000"};
}

PeerConfiguration only(PeerKind kind, PeerConfiguration configuration) {
  configuration.applies = [=](const PeerCase& test, const Scene&) { return test.kind == kind; };
  return configuration;
}

template <class... Settings>
PeerConfiguration peer(std::string name,
                       std::unique_ptr<PeerWorld> (*make)(const PeerScene&, Settings...),
                       Settings... settings) {
  return {std::move(name), &always,
          [=](const PeerCase&, const PeerScene& scene) { return make(scene, settings...); }};
}

std::vector<PeerConfiguration> builtConfigurations() {
  std::vector<PeerConfiguration> all = {
      automatic("drystone auto", "robust"),
      automatic("drystone exact", "exact"),
      automatic("drystone realtime", "realtime"),
      automatic("drystone soft", "robust", {"world.stepping=soft"}),
      only(PeerKind::kHangs, automatic("drystone auto, implicit and projected", "robust",
                                       {"world.geometric_stiffness=true", "world.projection={}"})),
      asTheScene(),
      drystone("drystone sor-prox-wide 20", "sor-prox-wide", "", sweeps(20)),
      peer(std::string(kUnitConfiguration), &makeBulletWorld, 10),
      peer("ODE QuickStep 20", &makeOdeWorld, OdeStepper::kQuick),
      peer("ODE Step", &makeOdeWorld, OdeStepper::kExact),
      peer("MuJoCo Newton", &makeMujocoWorld, MujocoSolver::kNewton),
      peer("MuJoCo CG", &makeMujocoWorld, MujocoSolver::kConjugateGradient),
  };
  for (const PeerModel& model : peerModels()) {
    if (model.absent.empty()) continue;
    std::erase_if(all, [&](const PeerConfiguration& configuration) {
      return configuration.name.starts_with(model.name + " ");
    });
  }
  return all;
}

}  // namespace

const std::vector<PeerConfiguration>& peerConfigurations() {
  static const std::vector<PeerConfiguration> configurations = builtConfigurations();
  return configurations;
}

std::vector<PeerModel> peerModels() {
  return {drystoneModel(), bulletModel(), odeModel(), mujocoModel()};
}

}  // namespace drystone::bench
