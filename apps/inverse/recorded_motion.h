#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/recording/recording.h"
#include "engine/statics/inverse_dynamics.h"
#include "engine/world/world.h"

namespace drystone::cli {

/// Walks a world through the steps of a recording, by its frames: nothing is simulated. The world
/// stays at time 0, and its schedules are moved in place of it.
class RecordedMotion {
 public:
  /// Throws InputError, naming the file, unless the recording is of a scene and has a frame of
  /// every step. Both must outlive this.
  RecordedMotion(const Recording& recording, World& world, const std::string& file);

  /// Puts the world where a step, counted from 1, met contacts and joints: at its start, and with
  /// Moreau half an inner step later. Steps must ascend. Returns the velocities of the dynamic
  /// bodies at the end of the inner step, as they change over the whole step.
  std::vector<WantedVelocity> begin(std::int64_t step);
  Real endTime() const { return after_.time; }  ///< of that step [s]

 private:
  struct Scheduled {
    BodyId body;
    std::vector<VelocityKey> motion;
    std::vector<ForceKey> forces;
  };
  void read(std::int64_t step);
  void removeBroken(std::int64_t step);
  void place() const;
  void moveSchedules() const;

  const Recording& recording_;
  World& world_;
  std::vector<Scheduled> scheduled_;
  std::int64_t step_ = 0;  ///< that `after_` is the end of
  WorldSnapshot before_, after_;
};

}  // namespace drystone::cli
