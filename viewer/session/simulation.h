#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/model/world_settings.h"
#include "scenes/scene_reader.h"
#include "solvers/driver/registry.h"
#include "viewer/draw/view_frame.h"
#include "viewer/session/race.h"
#include "viewer/session/step_sample.h"

namespace drystone::viewer {

/// What the window asks of the simulation. Messages are taken in order, between two steps. Steps
/// that still wait are left out when what comes after makes them idle: a StepBy by Play and Pause,
/// a StepBy and GoToStep by GoToStep, Restart and Open, which leave the pause of a StepBy in its
/// place.
struct Play {};
struct Pause {};
/// Pauses, and goes that many steps forward (> 0) or back (< 0).
struct StepBy {
  int steps = 1;
  bool repeated = false;  ///< by a key that is held: left out while another StepBy waits
};
struct GoToStep {
  std::int64_t step = 0;
};
struct Restart {};
/// Simulated seconds per second; +∞: as fast as it goes.
struct SetSpeed {
  double speed = 1;
};
/// At the end, of a recording or of the time that a scene is meant for, it begins again.
struct SetLoop {
  bool loops = true;
};
struct SetSolver {
  SolverChoice choice;
  std::uint64_t request = 0;  ///< above 0: it is answered, see Answer
};
/// Reads a scene with some of its values changed.
using SceneReader = std::function<Scene(const std::vector<ParameterOverride>& changes)>;
/// Replaces the scene by one of the library, a scene file or a recording.
struct Open {
  std::string path;
  SceneReader read = {};  ///< in place of the path, on the simulation's thread
  std::vector<ParameterOverride> changes = {};  ///< of values in the scene file
  bool restart = false;  ///< it is open already: its world begins again, with the solver it has
  std::uint64_t request = 0;  ///< above 0: it is answered
};
/// Holds the body at a point of it (reference frame [m]) by a damped spring to `target` until
/// Release; the force stays below `maxAcceleration` times the body's mass.
struct Drag {
  BodyId body;
  Vec3 pointInBody = Vec3::Zero();
  Vec3 target = Vec3::Zero();  ///< world [m]
};
struct Release {};
/// Holds the target of a motor from now on [m], [rad] or their rates.
struct SetMotor {
  JointId joint;
  int coordinate = 0;
  Real target = 0;
};
/// A box of 1000 kg/m³ from the camera.
struct Throw {
  Vec3 position = Vec3::Zero();  ///< [m]
  Vec3 velocity = Vec3::Zero();  ///< [m/s]
  Real halfExtent = 0.25;        ///< [m]
};
/// What frames hold beyond the snapshot; both cost time.
struct Measure {
  bool residuals = false;
  bool graphColors = false;
};
/// Freezes the island problems of the last step and runs solvers on them, off the simulation's
/// thread.
struct StartRace {
  std::vector<SolverChoice> solvers;
  std::uint64_t request = 0;  ///< above 0: it is answered
  bool fromZero = false;      ///< without the warm start that the step had
};
struct CancelRace {};

using Command = std::variant<Play, Pause, StepBy, GoToStep, Restart, SetSpeed, SetLoop, SetSolver,
                             Open, Drag, Release, SetMotor, Throw, Measure, StartRace, CancelRace>;

/// What came of the last numbered command of a kind. What it made can be had once it is answered:
/// the frame of another scene, the solver, the race.
struct Answer {
  std::uint64_t request = 0;
  std::string problem;  ///< why nothing was done; empty: it was
};

/// What the simulation's thread is at, where that may take long.
struct Work {
  std::string text;  ///< `step 12: solving`
  std::chrono::steady_clock::time_point since;
};

/// What was asked for and waits for the end of that, or whose own end is not in the status yet.
struct Waiting {
  std::optional<bool> playing;  ///< whether it will run after all that waits; none: as it does now
  std::optional<double> speed;  ///< that it will have then; none: as now
  std::string text;             ///< `pause, 2 steps, throw`; empty: nothing has still to begin
};

/// How the simulation stands, beside the frame.
struct SimulationStatus {
  bool recording = false;  ///< a recording is played: no solver, drag, throw or race
  bool paused = true;
  std::optional<Work> work;    ///< under way
  bool ended = false;          ///< the recording's last frame, or the policy `stop` ended the run
  bool loops = false;          ///< at the end it begins again
  double speed = 1;            ///< asked for
  double achievedSpeed = 0;    ///< simulated seconds per second of late
  std::int64_t firstStep = 0;  ///< that StepBy can go back to
  std::int64_t lastStep = 0;   ///< newest step there is; of a recording: its last
  SolverChoice solver;
  Answer setSolver, open, startRace;
  std::uint64_t opened = 0;  ///< request of the last Open that was done; 0: what it began with
};

struct LogLine {
  enum class Kind { kInfo, kWarning, kError } kind = Kind::kInfo;
  std::string text;
};

/// A world, or a recording, that advances on a thread of its own and leaves a frame after each
/// step. The functions are for one other thread; none of them waits for a step.
class Simulation {
 public:
  /// Opens the scene or recording, throwing InputError as the readers do, and starts paused with
  /// the frame of step 0. Keeps the registry, for its solvers and races.
  Simulation(const std::string& path, SolverRegistry registry);
  /// Starts with a scene that was read already, and may be changed from what its file says.
  Simulation(const Scene& scene, SolverRegistry registry);
  /// Ends the thread; waits for the step under way, and for the run under way of a race.
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  void send(Command command);
  /// The newest complete frame; stays as it is until the next call.
  const ViewFrame& latestFrame();
  /// Counts the frames that latestFrame() took: the same number means the same frame.
  std::uint64_t frameNumber() const;
  SimulationStatus status() const;
  Waiting waiting() const;
  /// Lines since the last call: what commands did, statuses, warnings, errors.
  std::vector<LogLine> takeLog();
  /// The figures of all steps since the last call.
  StepSamples takeSamples();
  /// Null until a race has been started; see there.
  std::shared_ptr<const RaceResult> race() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Ends it, but waits no longer than that for the step under way. False: that step still runs, and
/// only the end of the process ends it.
bool endSimulation(std::unique_ptr<Simulation> simulation, std::chrono::duration<double> longest);

}  // namespace drystone::viewer
