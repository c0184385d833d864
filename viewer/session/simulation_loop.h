#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "viewer/session/command_queue.h"
#include "viewer/session/message_log.h"
#include "viewer/session/pacing.h"
#include "viewer/session/race_runner.h"
#include "viewer/session/source.h"
#include "viewer/session/triple_buffer.h"

namespace drystone::viewer {

/// What the simulation's thread and the window's share.
struct SharedState {
  explicit SharedState(const SolverRegistry& registry) : races(registry) {}

  CommandQueue commands;
  MessageLog log;
  StepSampleQueue samples;
  TripleBuffer<ViewFrame> frames;
  RaceRunner races;

  SimulationStatus status() const {
    const std::scoped_lock lock(statusMutex);
    return statusNow;
  }
  mutable std::mutex statusMutex;  ///< held for a copy only
  SimulationStatus statusNow;
};

/// What the simulation's thread does: takes commands, and steps when it is time to.
class SimulationLoop {
 public:
  /// Publishes the first frame.
  SimulationLoop(std::unique_ptr<Source> source, const SolverRegistry& registry,
                 SharedState& shared);
  void run(const std::stop_token& stop);

 private:
  using Clock = std::chrono::steady_clock;

  void handle(const Command& command);
  void act(const Play&);
  void act(const Pause&) { pause(); }
  void act(const StepBy& command);
  void act(const GoToStep& command);
  void act(const Restart&);
  void act(const SetSpeed& command);
  void act(const SetLoop& command);
  void act(const SetSolver& command);
  void act(const Open& command);
  void act(const Drag& command) { source_->hold(command); }
  void act(const Release&) { source_->release(); }
  void act(const SetMotor& command) { source_->setMotor(command); }
  void act(const Throw& command);
  void act(const Measure& command);
  void act(const StartRace& command);
  void act(const CancelRace&) { shared_.races.cancel(); }

  Answer& answerTo(const SetSolver&) { return solverAnswer_; }
  Answer& answerTo(const Open&) { return openAnswer_; }
  Answer& answerTo(const StartRace&) { return raceAnswer_; }

  /// Runs it; what goes wrong in it becomes log lines, and is returned. Empty: nothing did.
  std::string guarded(const std::function<void()>& action);
  void advance();
  /// From now until the next status is published.
  void begin(std::string work);
  /// Begins the coming step.
  void beginStep();
  void pause();
  void beginAgain();
  /// The figures of the steps before the one gone to: the window may have dropped them on its way.
  void sampleKept();
  void publish();
  void publishStatus();

  SharedState& shared_;
  const SolverRegistry* registry_;
  std::unique_ptr<Source> source_;
  Pacing pacing_;
  std::stop_token stop_;
  Measure measure_;
  bool playing_ = false;
  bool loops_ = false;
  bool solverChanged_ = true;  // since the last status
  Answer solverAnswer_, openAnswer_, raceAnswer_;
  std::uint64_t opened_ = 0;
};

}  // namespace drystone::viewer
