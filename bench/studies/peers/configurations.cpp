// The engines with their solvers, as rows of the tables.
#include <fmt/format.h>

#include "apps/support/run_setup.h"
#include "bench/peers/worlds.h"
#include "bench/studies/measure.h"
#include "bench/studies/peers/cases.h"

namespace drystone::bench {
namespace {

/// This engine with a solver in place of the scene's own; empty: that, with the solver's settings
/// that the case asks for too.
PeerConfiguration drystone(std::string name, std::string solver,
                           std::vector<std::string> settings = {},
                           std::vector<std::string> world = {}) {
  return {std::move(name), std::nullopt, [=](const PeerCase& test, const PeerScene& peers) {
            std::vector<std::string> sets = test.sets;
            sets.insert(sets.end(), world.begin(), world.end());
            if (solver.empty()) return makeDrystoneWorld(sceneAsRun(test.scene, sets), peers);
            std::erase_if(sets, &cli::isSolverSetting);
            return makeDrystoneWorld(sceneWith(test.scene, solver, settings, sets), peers);
          }};
}

/// A fixed number of sweeps, without stopping to judge them.
std::vector<std::string> sweeps(int count) {
  return {fmt::format("max_iterations={}", count), "check_every=1000000"};
}

PeerConfiguration only(PeerKind kind, PeerConfiguration configuration) {
  configuration.only = kind;
  return configuration;
}

template <class... Settings>
PeerConfiguration peer(std::string name,
                       std::unique_ptr<PeerWorld> (*make)(const PeerScene&, Settings...),
                       Settings... settings) {
  return {std::move(name), std::nullopt,
          [=](const PeerCase&, const PeerScene& scene) { return make(scene, settings...); }};
}

}  // namespace

const std::vector<PeerConfiguration>& peerConfigurations() {
  static const std::vector<PeerConfiguration> configurations = {
      drystone("drystone, the scene's solver", ""),
      only(PeerKind::kHangs, drystone("drystone, the same, implicit and projected", "", {},
                                      {"world.geometric_stiffness=true", "world.projection={}"})),
      drystone("drystone sor-prox 20", "sor-prox", sweeps(20)),
      drystone("drystone sor-prox-wide 20", "sor-prox-wide", sweeps(20)),
      drystone("drystone sor-prox-wide 4 × 5", "sor-prox-wide", sweeps(5), {"world.substeps=4"}),
      drystone("drystone nsgs, at most 100", "nsgs", {"max_iterations=100"}),
      peer("Bullet SI 10", &makeBulletWorld, 10),
      peer("ODE QuickStep 20", &makeOdeWorld, OdeStepper::kQuick),
      peer("ODE Step", &makeOdeWorld, OdeStepper::kExact),
      peer("MuJoCo Newton", &makeMujocoWorld, MujocoSolver::kNewton),
      peer("MuJoCo CG", &makeMujocoWorld, MujocoSolver::kConjugateGradient),
  };
  return configurations;
}

std::vector<PeerModel> peerModels() {
  return {drystoneModel(), bulletModel(), odeModel(), mujocoModel()};
}

}  // namespace drystone::bench
