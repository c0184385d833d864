#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/world/world.h"

namespace drystone {

struct SolverPool;

/// A coordinate of a joint, in all worlds of a batch.
struct BatchCoordinate {
  JointId joint;
  int coordinate = 0;
};

/// Where bodies and joints of some worlds are put. Each array has a row for each of these worlds or
/// is empty, and a number that is NaN leaves what it stands for as it is. Bodies are put first, and
/// what hangs on them by joints is then placed by the coordinates: see World::placeJoints().
struct BatchPlaces {
  std::span<const Real> positions;     ///< [worlds, bodies, 3] of the reference frames [m]
  std::span<const Real> orientations;  ///< [worlds, bodies, 4] w, x, y, z
  std::span<const Real> velocities;    ///< [worlds, bodies, 6] of the centres of mass
  std::span<const Real> coordinates;   ///< [worlds, coordinates] [m], [rad]
  std::span<const Real> rates;         ///< [worlds, coordinates] [m/s], [rad/s]
};

/// Many copies of a world that are stepped side by side, each by one thread: every world has the
/// bits that it has alone, for every number of threads. Arrays are in the order of worlds, then of
/// bodies() or coordinates() or motors(). One thread at a time may use a batch. Bodies and joints
/// of its worlds are to stay; a joint that broke reads as it stands, and takes no force.
/// Arguments of the wrong size, and numbers that are not finite, throw InputError and change
/// nothing.
class WorldBatch {
 public:
  /// Makes `count` worlds, one call of `make` each, which must return equal ones. What they are
  /// then is the state that reset() leads to. 0 threads: as many as the process may use.
  WorldBatch(int count, const std::function<World()>& make, int threads = 0);
  ~WorldBatch();
  WorldBatch(WorldBatch&&) noexcept;
  WorldBatch& operator=(WorldBatch&&) noexcept;

  int count() const { return static_cast<int>(worlds_.size()); }
  int threads() const { return threads_; }
  World& world(int index);  ///< to read and to change; InputError where there is none
  const World& world(int index) const;

  const std::vector<BodyId>& bodies() const { return bodies_; }
  /// Those of all joints that are not locked, gears left out; ascending by joint.
  const std::vector<BatchCoordinate>& coordinates() const { return coordinates_; }
  const std::vector<BatchCoordinate>& motors() const { return motors_; }  ///< that have a motor

  /// Advances each world by so many steps. A world that diverged is left as it is until it is reset
  /// or placed anew; the others go on. Allocates nothing once all worlds are warm and every thread
  /// has stepped the largest.
  void step(int steps = 1);
  /// Whether all steps of the last step() were within tolerance [worlds]: 1 or 0.
  std::span<const std::uint8_t> withinTolerance() const { return isWithin_; }
  std::span<const std::uint8_t> diverged() const { return isDiverged_; }  ///< likewise

  /// Forces along coordinates [worlds, coordinates] [N], [N m], which act in every step until
  /// others are set or the world is reset: JointHandle::applyForce() before each.
  void setForces(std::span<const Real> forces);
  void setMotorTargets(std::span<const Real> targets);  ///< [worlds, motors]
  /// Largest forces of the motors [worlds, motors] [N], [N m]; infinite: no cap. One that changes
  /// costs as much as JointHandle::setMotor().
  void setMotorCaps(std::span<const Real> caps);

  void reset();  ///< all worlds back to their start
  /// Some worlds back to their start, and from there to `places`.
  void reset(std::span<const int> worlds, const BatchPlaces& places = {});
  /// Puts bodies and joints of some worlds elsewhere as they are.
  void place(std::span<const int> worlds, const BatchPlaces& places);

  // Into arrays of that size.
  void readPositions(std::span<Real> out) const;     ///< [worlds, bodies, 3] [m]
  void readOrientations(std::span<Real> out) const;  ///< [worlds, bodies, 4] w, x, y, z
  void readVelocities(std::span<Real> out) const;    ///< [worlds, bodies, 6] [m/s], [rad/s]
  void readCoordinates(std::span<Real> out) const;   ///< [worlds, coordinates] [m], [rad]
  void readRates(std::span<Real> out) const;         ///< [worlds, coordinates] [m/s], [rad/s]

 private:
  void stepOne(int index, int steps, int thread);
  void advance(int index, int steps);
  void placeOne(int index, std::size_t row, const BatchPlaces& places);
  /// Throws InputError for worlds that are not there or named twice, and arrays of the wrong size.
  void check(std::span<const int> worlds, const BatchPlaces& places) const;
  /// Calls `read(world, row)` with the row of each world, `columns` numbers long.
  template <class Read>
  void readRows(const char* function, std::size_t columns, std::span<Real> out, Read&& read) const;

  int threads_;
  std::vector<World> worlds_;
  std::vector<SolverPool> solvers_;  ///< [threads] lent to the world that a thread steps
  std::vector<std::byte> start_;
  std::vector<BodyId> bodies_;
  std::vector<BatchCoordinate> coordinates_, motors_;
  std::vector<std::string> refusals_;  ///< [coordinates] why it cannot be placed; empty: it can be
  std::vector<Real> forces_;           ///< [worlds, coordinates]
  std::vector<std::uint8_t> isForced_, isWithin_, isDiverged_;
};

}  // namespace drystone
