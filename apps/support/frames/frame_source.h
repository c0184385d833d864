#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "apps/support/run_setup.h"
#include "solvers/driver/registry.h"
#include "viewer/draw/view_frame.h"
#include "viewer/session/simulation.h"

namespace drystone::cli {

/// Throws UsageError for an option that a recording does not take: all that change its scene.
void refuseChanges(const SimulationOptions& options);

/// The frames of a scene that is simulated, or of a recording, one after the other.
class FrameSource {
 public:
  virtual ~FrameSource() = default;

  virtual Real timestep() const = 0;          ///< [s]
  virtual std::int64_t lastStep() const = 0;  ///< of the recording, or of the scene's duration
  virtual std::vector<std::string> files() const = 0;  ///< that it was read from
  /// The present step; 0: the start.
  virtual std::int64_t step() const = 0;
  /// A step forward; false when there is none: `failure` then says why.
  virtual bool advance() = 0;
  /// Back to the start: what follows is what followed before.
  virtual void restart() = 0;
  /// The present frame; of a recording the nearest that it has, without a report. Throws InputError
  /// where that is damaged.
  virtual void frame(viewer::ViewFrame& out) = 0;
  /// Why the present step ended the run, as WorldObserver::failure(); empty: it did not.
  virtual std::string failure() const { return ""; }
};

/// Throws UsageError and InputError as `run` and `replay` do, and UsageError for what is to be
/// measured and is not in a recording.
std::unique_ptr<FrameSource> openFrames(const SimulationOptions& options,
                                        const SolverRegistry& registry,
                                        const viewer::Measure& measure);

}  // namespace drystone::cli
