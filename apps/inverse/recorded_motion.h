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
  /// Throws InputError, naming the file, unless the recording is of a scene from its start, has a
  /// frame of every step, and tells which joints broke. Both must outlive this.
  RecordedMotion(const Recording& recording, World& world, const std::string& file);

  /// Puts the world to the start of a step, counted from 1. Steps must ascend; those between lead
  /// the joints along. Returns the velocities of the dynamic bodies at the end of the inner step,
  /// as they change over the whole step. Throws InputError for a frame that misses.
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
  std::string file_;
  std::vector<Scheduled> scheduled_;
  std::int64_t step_ = 0;  ///< that `after_` is the end of
  WorldSnapshot before_, after_;
};

}  // namespace drystone::cli
