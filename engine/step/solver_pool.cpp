#include "engine/step/solve_islands.h"

#include <fmt/format.h>

#include "core/input_error.h"

namespace drystone {
namespace {

void require(const SolverTraits& traits, FrictionModel friction, std::string_view reason,
             const SolverRegistry& registry) {
  const SolverNeeds needs{.friction = friction};
  const std::string obstacle = whyNot(traits, needs);
  if (obstacle.empty()) return;
  std::string others;
  for (const std::string& other : registry.names()) {
    if (whyNot(registry.traits(other), needs).empty()) others += " " + other;
  }
  throw InputError(fmt::format("solver '{}' {}{}; these do:{}", traits.name, obstacle, reason,
                               others.empty() ? " none" : others));
}

std::unique_ptr<ContactSolver> makeSolver(std::string_view name, std::span<const SolverSetting> own,
                                          const WorldSettings& settings,
                                          const SolverRegistry& registry) {
  std::unique_ptr<ContactSolver> solver = registry.create(name, own);
  require(solver->traits(), settings.friction, "", registry);
  if (settings.projection.isOn()) {
    require(solver->traits(), FrictionModel::kNone, ", which the projection of the poses needs",
            registry);
  }
  return solver;
}

/// Room for growth, so that a scene that slowly gathers contacts does not reserve every step.
int withSpare(int count) { return count + count / 4 + 16; }

}  // namespace

SolverPool::SolverPool(const WorldSettings& settings, const SolverRegistry& registry) {
  const SolverChoice& choice = settings.solver;
  lanes.resize(settings.threads);
  for (Lane& lane : lanes) {
    lane.solver = makeSolver(choice.name, choice.settings, settings, registry);
    if (choice.fallback.empty()) continue;
    lane.fallback = makeSolver(choice.fallback, {}, settings, registry);
  }
}

void SolverPool::reserve(const ProblemSize& size) {
  for (Lane& lane : lanes) {
    ProblemSize& reserved = lane.reserved;
    if (size.bodies <= reserved.bodies && size.blocks <= reserved.blocks &&
        size.rows <= reserved.rows) {
      continue;
    }
    reserved = {std::max(reserved.bodies, withSpare(size.bodies)),
                std::max(reserved.blocks, withSpare(size.blocks)),
                std::max(reserved.rows, withSpare(size.rows))};
    lane.solver->reserve(reserved);
    if (lane.fallback) lane.fallback->reserve(reserved);
    lane.workspace.judge.w.reserve(reserved.rows);
    lane.workspace.judge.steps.reserve(reserved.blocks);
    lane.workspace.judge.diagonal.reserve(reserved.rows);
    lane.workspace.judge.bodyVelocity.reserve(reserved.bodies);
    lane.workspace.savedLambda.reserve(reserved.rows);
    lane.workspace.savedState.reserve(reserved.rows);
  }
}

}  // namespace drystone
