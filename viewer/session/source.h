#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/input_error.h"
#include "scenes/scene.h"
#include "viewer/draw/view_frame.h"
#include "viewer/session/race.h"
#include "viewer/session/simulation.h"
#include "viewer/session/step_sample.h"

namespace drystone::viewer {

class MessageLog;

/// How a source stands.
struct SourceState {
  bool recording = false;
  bool ended = false;  ///< advance() has nowhere to go
  bool atEnd = false;  ///< of the recording, or of the time that the scene is meant for
  std::int64_t step = 0, firstStep = 0, lastStep = 0;
  Real nextStep = 0;  ///< simulated time until the next step [s]; 0 where it ended
};

/// What a simulation advances: a world, or a recording. Lives on the simulation's thread. What a
/// user asked for in vain throws InputError and changes nothing.
class Source {
 public:
  virtual ~Source() = default;

  virtual SourceState state() const = 0;
  virtual const SolverChoice& solver() const = 0;
  /// Replaces `out` by the frame of the present step.
  virtual void frame(ViewFrame& out) const = 0;

  /// The figures of the newest `most` steps up to the present one of those that are kept, in order.
  /// A recording keeps none.
  virtual std::vector<StepSample> samples(std::int64_t /*most*/) const { return {}; }

  /// One step forward, unless the source has ended.
  virtual void advance() = 0;
  /// Goes so many steps back, as far as there are.
  virtual void goBack(std::int64_t steps) = 0;
  virtual void goTo(std::int64_t step) = 0;
  virtual void restart() = 0;

  // For worlds. A recording stays what it is.
  virtual void setSolver(const SolverChoice&) { refuse("its solver cannot be switched"); }
  virtual void hold(const Drag&) { refuse("its bodies cannot be dragged"); }
  virtual void release() {}
  virtual void setMotor(const SetMotor&) { refuse("its motors cannot be set"); }
  virtual void throwBox(const Throw&) { refuse("nothing can be thrown into it"); }
  virtual void measure(const Measure&) {}
  /// The largest island of the last step.
  virtual RaceProblem raceProblem() const { refuse("it has no contact problems to race on"); }

 private:
  [[noreturn]] static void refuse(const char* what) {
    throw InputError(std::string("a recording is played: ") + what);
  }
};

/// Opens a scene of the library, a scene file or a recording, which is told by its content. Says in
/// the log what was opened and what is doubtful about it. Throws InputError as the readers do.
std::unique_ptr<Source> openSource(const Open& asked, const SolverRegistry& registry,
                                   MessageLog& log);
/// Begins the scene that is open again (Open::restart), with that solver.
std::unique_ptr<Source> restartSource(const Open& asked, const SolverChoice& solver,
                                      const SolverRegistry& registry, MessageLog& log);
/// Opens a scene that was read already.
std::unique_ptr<Source> openScene(const Scene& scene, const SolverRegistry& registry,
                                  MessageLog& log);

}  // namespace drystone::viewer
