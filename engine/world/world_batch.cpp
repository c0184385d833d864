#include "engine/world/world_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "core/input_error.h"
#include "core/parallel.h"
#include "engine/model/argument_checks.h"
#include "engine/model/joint_store.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

void requireSize(const char* function, const char* array, std::size_t size, std::size_t expected) {
  if (size == expected) return;
  throw InputError(
      fmt::format("{}: {} must have {} numbers, got {}", function, array, expected, size));
}

void requireNumbers(const char* function, const char* array, std::span<const Real> values) {
  for (const Real value : values) requireFinite(function, array, value);
}

/// False where one of the numbers is NaN: these leave what they stand for as it is.
bool isGiven(std::span<const Real> row) {
  return std::ranges::none_of(row, [](Real number) { return std::isnan(number); });
}

std::span<const Real> rowOf(std::span<const Real> array, std::size_t row, std::size_t columns) {
  return array.empty() ? std::span<const Real>{} : array.subspan(row * columns, columns);
}

/// Whether the solvers of one world can do the work of the other's.
bool haveSameSolvers(const SolverChoice& a, const SolverChoice& b) {
  const auto isSame = [](const SolverSetting& one, const SolverSetting& other) {
    return one.name == other.name && one.value == other.value;
  };
  return a.name == b.name && a.fallback == b.fallback &&
         std::ranges::equal(a.settings, b.settings, isSame);
}

}  // namespace

WorldBatch::~WorldBatch() = default;
WorldBatch::WorldBatch(WorldBatch&&) noexcept = default;
WorldBatch& WorldBatch::operator=(WorldBatch&&) noexcept = default;

WorldBatch::WorldBatch(int count, const std::function<World()>& make, int threads)
    : threads_(threads == 0 ? availableThreads() : threads) {
  if (count < 1)
    throw InputError(fmt::format("WorldBatch: count must be at least 1, got {}", count));
  if (threads < 0) {
    throw InputError(fmt::format("WorldBatch: threads must be at least 0, got {}", threads));
  }
  worlds_.reserve(count);
  for (int i = 0; i < count; ++i) {
    World& world = worlds_.emplace_back(make());
    world.setThreads(1);
    if (i == 0) {
      world.save(start_);
    } else {
      world.restore(start_);  // throws where it is another world
    }
  }
  World& first = worlds_.front();
  // A world needs its solvers for as long as it is stepped, and they take most of its memory.
  const WorldSettings settings = first.settings();
  for (World& world : worlds_) {
    if (haveSameSolvers(world.settings().solver, settings.solver)) world.parts_->solvers = {};
  }
  for (int i = 0; i < threads_; ++i) solvers_.emplace_back(settings, first.parts_->registry);
  bodies_ = first.bodies();
  for (const JointId id : first.joints()) {
    const JointDefinition joint = first.joint(id).definition();
    if (joint.geometry == JointGeometry::kGear) continue;
    for (int c = 0; c < first.joint(id).coordinateCount(); ++c) {
      if (!joint.axes[c].isLocked()) coordinates_.push_back({id, c});
      if (joint.axes[c].motor) motors_.push_back({id, c});
    }
  }
  for (const auto& [joint, coordinate] : coordinates_) {
    std::string& refusal = refusals_.emplace_back();
    try {
      const JointPlace present{joint, coordinate, kNaN, kNaN};
      first.placeJoints({&present, 1});
    } catch (const InputError& error) {
      refusal = error.what();
    }
  }
  first.restore(start_);
  forces_.assign(worlds_.size() * coordinates_.size(), 0);
  isForced_.assign(worlds_.size(), 0);
  isWithin_.assign(worlds_.size(), 1);
  isDiverged_.assign(worlds_.size(), 0);
}

World& WorldBatch::world(int index) {
  if (index < 0 || index >= count()) {
    throw InputError(
        fmt::format("there is no world {}: they count from 0 to {}", index, count() - 1));
  }
  return worlds_[index];
}

const World& WorldBatch::world(int index) const {
  return const_cast<WorldBatch*>(this)->world(index);
}

void WorldBatch::stepOne(int index, int steps, int thread) {
  WorldParts& parts = *worlds_[index].parts_;
  if (!parts.solvers.lanes.empty()) return advance(index, steps);  // solvers of its own
  std::swap(parts.solvers, solvers_[thread]);
  try {
    advance(index, steps);
  } catch (...) {
    std::swap(parts.solvers, solvers_[thread]);
    throw;
  }
  std::swap(parts.solvers, solvers_[thread]);
}

void WorldBatch::advance(int index, int steps) {
  World& world = worlds_[index];
  const std::size_t columns = coordinates_.size();
  const Real* forces = forces_.data() + index * columns;
  for (int i = 0; i < steps && isDiverged_[index] == 0; ++i) {
    for (std::size_t c = 0; isForced_[index] != 0 && c < columns; ++c) {
      if (forces[c] == 0 || !world.contains(coordinates_[c].joint)) continue;
      world.joint(coordinates_[c].joint).applyForce(coordinates_[c].coordinate, forces[c]);
    }
    const StepReport& report = world.step();
    if (!report.withinTolerance) isWithin_[index] = 0;
    if (report.hasDiverged()) isDiverged_[index] = 1;
  }
}

void WorldBatch::step(int steps) {
  if (steps < 0) throw InputError(fmt::format("step: steps must be at least 0, got {}", steps));
  for (int i = 0; i < count(); ++i) isWithin_[i] = isDiverged_[i] == 0 ? 1 : 0;
  parallelFor(count(), threads_, [&](int index, int thread) { stepOne(index, steps, thread); });
}

void WorldBatch::setForces(std::span<const Real> forces) {
  requireSize("setForces", "forces", forces.size(), forces_.size());
  requireNumbers("setForces", "forces", forces);
  std::ranges::copy(forces, forces_.begin());
  const std::size_t columns = coordinates_.size();
  for (int i = 0; i < count(); ++i) {
    const std::span<const Real> row = forces.subspan(i * columns, columns);
    isForced_[i] = std::ranges::any_of(row, [](Real force) { return force != 0; }) ? 1 : 0;
  }
}

void WorldBatch::setMotorTargets(std::span<const Real> targets) {
  requireSize("setMotorTargets", "targets", targets.size(), worlds_.size() * motors_.size());
  requireNumbers("setMotorTargets", "targets", targets);
  parallelFor(count(), threads_, [&](int index, int) {
    for (std::size_t m = 0; m < motors_.size(); ++m) {
      const auto [joint, coordinate] = motors_[m];
      worlds_[index].joint(joint).setMotorTarget(coordinate, targets[index * motors_.size() + m]);
    }
  });
}

void WorldBatch::setMotorCaps(std::span<const Real> caps) {
  requireSize("setMotorCaps", "caps", caps.size(), worlds_.size() * motors_.size());
  for (const Real cap : caps) {
    if (!(cap >= 0)) throw InputError(fmt::format("setMotorCaps: caps must be >= 0, got {}", cap));
  }
  parallelFor(count(), threads_, [&](int index, int) {
    for (std::size_t m = 0; m < motors_.size(); ++m) {
      const Real cap = caps[index * motors_.size() + m];
      const auto [id, coordinate] = motors_[m];
      const JointHandle joint = worlds_[index].joint(id);
      std::optional<JointMotor> motor = joint.definition().axes[coordinate].motor;
      if (!motor || motor->maxForce == cap) continue;
      motor->maxForce = cap;
      joint.setMotor(coordinate, std::move(motor));
    }
  });
}

void WorldBatch::check(std::span<const int> worlds, const BatchPlaces& places) const {
  std::vector<char> isNamed(worlds_.size(), 0);
  for (const int index : worlds) {
    world(index);
    if (isNamed[index] != 0) throw InputError(fmt::format("world {} is named twice", index));
    isNamed[index] = 1;
  }
  const auto require = [&](const char* name, std::span<const Real> array, std::size_t columns) {
    if (array.empty()) return;
    requireSize("place", name, array.size(), worlds.size() * columns);
    for (const Real number : array) {
      if (!std::isnan(number)) requireFinite("place", name, number);
    }
  };
  require("positions", places.positions, 3 * bodies_.size());
  require("orientations", places.orientations, 4 * bodies_.size());
  require("velocities", places.velocities, 6 * bodies_.size());
  require("coordinates", places.coordinates, coordinates_.size());
  require("rates", places.rates, coordinates_.size());
  for (const std::span<const Real> array : {places.coordinates, places.rates}) {
    for (std::size_t i = 0; i < array.size(); ++i) {
      const std::string& refusal = refusals_[i % coordinates_.size()];
      if (!refusal.empty() && !std::isnan(array[i])) throw InputError(refusal);
    }
  }
  for (std::size_t i = 0; i + 4 <= places.orientations.size(); i += 4) {
    const auto q = places.orientations.subspan(i, 4);
    if (isGiven(q)) requirePose("place", "orientations", {.rotation = {q[0], q[1], q[2], q[3]}});
  }
}

void WorldBatch::placeOne(int index, std::size_t row, const BatchPlaces& places) {
  World& world = worlds_[index];
  const std::size_t count = bodies_.size();
  const auto positions = rowOf(places.positions, row, 3 * count);
  const auto orientations = rowOf(places.orientations, row, 4 * count);
  const auto velocities = rowOf(places.velocities, row, 6 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const BodyHandle body = world.body(bodies_[i]);
    const auto p = rowOf(positions, i, 3), q = rowOf(orientations, i, 4);
    Pose pose = body.pose();
    const bool isMoved = !p.empty() && isGiven(p), isTurned = !q.empty() && isGiven(q);
    if (isMoved) pose.position = {p[0], p[1], p[2]};
    if (isTurned) pose.rotation = {q[0], q[1], q[2], q[3]};
    if (isMoved || isTurned) body.setPose(pose);
    const auto u = rowOf(velocities, i, 6);
    if (u.empty() || !isGiven(u)) continue;
    if (body.kind() == BodyKind::kStatic) continue;  // whose velocity reads 0
    body.setVelocity({u[0], u[1], u[2]}, {u[3], u[4], u[5]});
  }
  if (!places.coordinates.empty() || !places.rates.empty()) {
    const auto values = rowOf(places.coordinates, row, coordinates_.size());
    const auto rates = rowOf(places.rates, row, coordinates_.size());
    std::vector<JointPlace> joints;
    for (std::size_t c = 0; c < coordinates_.size(); ++c) {
      const Real value = values.empty() ? kNaN : values[c], rate = rates.empty() ? kNaN : rates[c];
      if (std::isnan(value) && std::isnan(rate)) continue;
      joints.push_back({coordinates_[c].joint, coordinates_[c].coordinate, value, rate});
    }
    world.placeJoints(joints);
  }
  isDiverged_[index] = 0;
}

void WorldBatch::place(std::span<const int> worlds, const BatchPlaces& places) {
  check(worlds, places);
  for (const int index : worlds) {
    for (const auto& [joint, coordinate] : coordinates_) {
      if (worlds_[index].contains(joint)) continue;
      throw InputError(fmt::format("place: joint '{}' of world {} is broken: reset the world first",
                                   worlds_[index].joint(joint).name(), index));
    }
  }
  parallelFor(static_cast<int>(worlds.size()), threads_,
              [&](int row, int) { placeOne(worlds[row], static_cast<std::size_t>(row), places); });
}

void WorldBatch::reset(std::span<const int> worlds, const BatchPlaces& places) {
  check(worlds, places);
  parallelFor(static_cast<int>(worlds.size()), threads_, [&](int row, int) {
    const int index = worlds[row];
    worlds_[index].restore(start_);
    const std::size_t columns = coordinates_.size();
    std::fill_n(forces_.begin() + static_cast<std::ptrdiff_t>(index * columns), columns, 0);
    isForced_[index] = 0;
    isWithin_[index] = 1;
    placeOne(index, static_cast<std::size_t>(row), places);
  });
}

void WorldBatch::reset() {
  std::vector<int> all(worlds_.size());
  for (int i = 0; i < count(); ++i) all[i] = i;
  reset(all);
}

template <class Read>
void WorldBatch::readRows(const char* function, std::size_t columns, std::span<Real> out,
                          Read&& read) const {
  requireSize(function, "out", out.size(), worlds_.size() * columns);
  parallelFor(count(), threads_,
              [&](int index, int) { read(worlds_[index], out.data() + index * columns); });
}

void WorldBatch::readPositions(std::span<Real> out) const {
  readRows("readPositions", 3 * bodies_.size(), out, [&](const World& world, Real* row) {
    for (const BodyId id : bodies_) {
      const Vec3 position = world.body(id).pose().position;
      row = std::copy_n(position.data(), 3, row);
    }
  });
}

void WorldBatch::readOrientations(std::span<Real> out) const {
  readRows("readOrientations", 4 * bodies_.size(), out, [&](const World& world, Real* row) {
    for (const BodyId id : bodies_) {
      const Quat rotation = world.body(id).pose().rotation;
      for (const Real number : {rotation.w(), rotation.x(), rotation.y(), rotation.z()}) {
        *row++ = number;
      }
    }
  });
}

void WorldBatch::readVelocities(std::span<Real> out) const {
  readRows("readVelocities", 6 * bodies_.size(), out, [&](const World& world, Real* row) {
    for (const BodyId id : bodies_) {
      const ConstBodyHandle body = world.body(id);
      row = std::copy_n(body.linearVelocity().data(), 3, row);
      row = std::copy_n(body.angularVelocity().data(), 3, row);
    }
  });
}

void WorldBatch::readCoordinates(std::span<Real> out) const {
  readRows("readCoordinates", coordinates_.size(), out, [&](const World& world, Real* row) {
    for (const auto& [joint, coordinate] : coordinates_) {
      *row++ = world.joint(joint).coordinate(coordinate);
    }
  });
}

void WorldBatch::readRates(std::span<Real> out) const {
  readRows("readRates", coordinates_.size(), out, [&](const World& world, Real* row) {
    for (const auto& [joint, coordinate] : coordinates_) {
      *row++ = world.joint(joint).rate(coordinate);
    }
  });
}

}  // namespace drystone
