#include "engine/observe/world_observer.h"

#include <fmt/format.h>

#include <utility>

#include "core/field_visitor.h"
#include "core/input_error.h"
#include "engine/observe/world_state.h"
#include "engine/step/solve_islands.h"
#include "engine/step/world_parts.h"

namespace drystone {

bool WorldObserver::hasBodies(std::span<const BodyId> ids) const {
  const BodyStore& bodies = world_->bodies;
  std::size_t next = 0;
  for (int slot = 0; slot < bodies.slots(); ++slot) {
    if (!bodies.record[slot].alive) continue;
    if (next == ids.size() || ids[next] != bodies.idOf(slot)) return false;
    ++next;
  }
  return next == ids.size();
}

void WorldObserver::snapshot(WorldSnapshot& out) const { takeSnapshot(*world_, out); }

std::uint64_t WorldObserver::hash() const { return hashWorld(*world_); }

void WorldObserver::copyState(std::vector<std::byte>& out) const {
  drystone::copyState(*world_, out);
}

int WorldObserver::islandCount() const { return static_cast<int>(world_->report.islands.size()); }

void WorldObserver::requireIsland(int island) const {
  if (island >= 0 && island < islandCount()) return;
  throw InputError(fmt::format("island {} does not exist: the last step had {}, counted from 0",
                               island, islandCount()));
}

ContactProblem WorldObserver::islandProblem(int island) const {
  requireIsland(island);
  const ConstraintRows& rows = world_->data.rows;
  if (rows.isTied(island)) return rows.tied[island].problem();
  return drystone::islandProblem(world_->data.islands, rows, island);
}

std::span<const Real> WorldObserver::islandImpulses(int island) const {
  requireIsland(island);
  const ConstraintRows& rows = world_->data.rows;
  if (rows.isTied(island)) return rows.tied[island].lambda();
  return rowsOf(world_->data.islands, rows.lambda, island);
}

std::span<const Real> WorldObserver::islandWarmStart(int island) const {
  requireIsland(island);
  const ConstraintRows& rows = world_->data.rows;
  if (rows.isTied(island)) return rows.tied[island].startLambda();
  return rowsOf(world_->data.islands, rows.warmLambda, island);
}

std::span<const RowState> WorldObserver::islandWarmStates(int island) const {
  requireIsland(island);
  const ConstraintRows& rows = world_->data.rows;
  if (rows.isTied(island)) return rows.tied[island].startState();
  return rowsOf(world_->data.islands, rows.warmState, island);
}

std::span<const ResidualHistory::Entry> WorldObserver::convergence() const {
  return world_->data.solves.convergence;
}

std::string WorldObserver::failure() const {
  const StepReport& report = world_->report;
  if (!report.failed) return "";
  if (!report.hasDiverged()) {
    return fmt::format("step {} missed a tolerance and the policy is `stop`", report.step);
  }
  const BodyStore& bodies = world_->bodies;
  const BodyId id = report.diverged;
  const bool isDefault = world_->settings.solver.name == SolverChoice{}.name;
  const bool isNamed = bodies.contains(id) && !bodies.record[id.index].name.empty();
  return fmt::format(
      "step {} diverged and was not finished: the velocity or position of {} would not be finite, "
      "or "
      "be above {:g}; {}",
      report.step,
      isNamed ? fmt::format("'{}'", bodies.record[id.index].name)
              : fmt::format("body {}", id.index),
      kLargestInput,
      report.solvesWithin
          ? "take a smaller timestep, or smaller loads and speeds"
          : fmt::format("its solves missed the tolerance: take {}more iterations or a smaller "
                        "timestep",
                        isDefault ? "" : fmt::format("solver `{}`, ", SolverChoice{}.name)));
}

void WorldObserver::onDetection(std::function<void(std::span<const ContactPoint>)> callback) const {
  if (callback && world_->onDetection) {
    throw InputError("onDetection: the world is observed already; end that with an empty function");
  }
  world_->onDetection = std::move(callback);
}

BodyId WorldObserver::bodyOfCollider(int collider) const {
  const auto& table = world_->bodyOfCollider;
  if (collider < 0 || collider >= static_cast<int>(table.size()) || table[collider] < 0) return {};
  return world_->bodies.idOf(table[collider]);
}

}  // namespace drystone
