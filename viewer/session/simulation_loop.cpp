#include "viewer/session/simulation_loop.h"

#include <fmt/format.h>

#include <exception>
#include <utility>
#include <variant>

#include "viewer/session/source.h"

namespace drystone::viewer {

SimulationLoop::SimulationLoop(std::unique_ptr<Source> source, const SolverRegistry& registry,
                               SharedState& shared)
    : shared_(shared), registry_(&registry), source_(std::move(source)) {
  publish();
}

void SimulationLoop::run(const std::stop_token& stop) {
  stop_ = stop;
  while (!stop.stop_requested()) {
    if (const auto command = shared_.commands.take()) {
      handle(*command);
    } else if (!playing_) {
      shared_.commands.wait(stop);
    } else if (Clock::now() < pacing_.due()) {
      shared_.commands.waitUntil(stop, pacing_.due());
    } else {
      advance();
    }
  }
}

std::string SimulationLoop::guarded(const std::function<void()>& action) {
  try {
    action();
    return "";
  } catch (const InputError& error) {
    for (const std::string& problem : error.problems()) shared_.log.error(problem);
    return error.what();
  } catch (const std::exception& error) {
    // Out of memory, or a file that went away: the simulation stands, the window lives.
    pause();
    shared_.log.error(error.what());
    return error.what();
  }
}

void SimulationLoop::handle(const Command& command) {
  std::visit(
      [this](const auto& one) {
        std::string problem = guarded([&] { act(one); });
        if constexpr (requires { one.request; }) {
          if (one.request > 0) answerTo(one) = {one.request, std::move(problem)};
        }
      },
      command);
  publishStatus();
}

void SimulationLoop::begin(std::string work) {
  publishStatus();
  const std::scoped_lock lock(shared_.statusMutex);
  shared_.statusNow.work = Work{std::move(work), Clock::now()};
}

void SimulationLoop::beginStep() {
  const SourceState state = source_->state();
  begin(fmt::format("step {}: {}", state.step + 1, state.recording ? "reading" : "solving"));
}

void SimulationLoop::advance() {
  const SourceState before = source_->state();
  const Real done = before.nextStep;
  beginStep();
  if (!guarded([this] { source_->advance(); }).empty()) pause();
  const SourceState state = source_->state();
  pacing_.stepped(done, state.nextStep, Clock::now());
  if (loops_ && state.atEnd) {
    if (!guarded([this] { beginAgain(); }).empty()) pause();
    return;
  }
  if (state.atEnd && !before.atEnd && !state.ended) {
    shared_.log.info("the time that the scene is meant for is over; it goes on (O: begin again)");
  }
  if (state.ended) pause();
  // A copy of the frame may find no memory: the window keeps the one before.
  if (!guarded([this] { publish(); }).empty()) publishStatus();
}

/// The last picture stands until the first step after the start is done.
void SimulationLoop::beginAgain() {
  act(Restart{});
  pacing_.start(source_->state().nextStep, Clock::now());
}

void SimulationLoop::pause() {
  playing_ = false;
  pacing_.stop();
}

void SimulationLoop::act(const Play&) {
  if (source_->state().ended) {
    shared_.log.warning("there is no further step: step back, go to a step or restart");
    return;
  }
  if (playing_) return;
  playing_ = true;
  pacing_.start(source_->state().nextStep, Clock::now());
}

void SimulationLoop::act(const StepBy& command) {
  pause();
  if (command.steps < 0) {
    source_->goBack(-std::int64_t{command.steps});
    sampleKept();
    publish();
  }
  for (int i = 0; i < command.steps && !source_->state().ended; ++i) {
    if (stop_.stop_requested()) return;
    beginStep();
    source_->advance();
    publish();
  }
}

void SimulationLoop::act(const GoToStep& command) {
  source_->goTo(command.step);
  sampleKept();
  publish();
}

void SimulationLoop::act(const Restart&) {
  begin("building the scene anew");
  source_->restart();
  publish();
}

void SimulationLoop::act(const SetSpeed& command) {
  if (!(command.speed > 0)) {
    throw InputError(fmt::format("the speed must be above 0, not {}", command.speed));
  }
  pacing_.setSpeed(command.speed);
  if (playing_) pacing_.start(source_->state().nextStep, Clock::now());
}

void SimulationLoop::act(const SetLoop& command) { loops_ = command.loops; }

void SimulationLoop::act(const SetSolver& command) {
  source_->setSolver(command.choice);
  solverChanged_ = true;
  shared_.log.info(fmt::format("switched to solver {}", command.choice.name));
}

void SimulationLoop::act(const Open& command) {
  if (command.restart && source_->state().recording) {
    throw InputError("a recording is played: its scene cannot be changed");
  }
  begin(command.path.empty() ? "opening" : fmt::format("opening {}", command.path));
  source_ = command.restart ? restartSource(command, source_->solver(), *registry_, shared_.log)
                            : openSource(command, *registry_, shared_.log);
  opened_ = command.request;
  // With it in one status, or the window would match it with what was asked for before.
  if (command.request > 0) openAnswer_ = {.request = command.request};
  shared_.samples.startAnew();
  source_->measure(measure_);
  solverChanged_ = true;
  publish();
}

void SimulationLoop::act(const Throw& command) {
  source_->throwBox(command);
  publish();
}

void SimulationLoop::act(const Measure& command) {
  measure_ = command;
  source_->measure(command);
  publish();
}

void SimulationLoop::act(const StartRace& command) {
  if (command.solvers.empty()) throw InputError("choose at least one solver for a race");
  RaceProblem problem = source_->raceProblem();
  if (command.fromZero) problem.forgetWarmStart();
  shared_.races.start(std::move(problem), command.solvers);
}

void SimulationLoop::sampleKept() {
  for (const StepSample& sample : source_->samples(kPlottedSteps)) shared_.samples.push(sample);
}

void SimulationLoop::publish() {
  ViewFrame& frame = shared_.frames.back();
  source_->frame(frame);
  if (!frame.isReportDamaged) shared_.samples.push(sampleOf(frame.report, frame.isStepDone));
  shared_.frames.publish();
  publishStatus();
}

void SimulationLoop::publishStatus() {
  const SourceState state = source_->state();
  const std::scoped_lock lock(shared_.statusMutex);
  SimulationStatus& status = shared_.statusNow;
  status.recording = state.recording;
  status.paused = !playing_;
  status.work.reset();
  status.ended = state.ended;
  status.loops = loops_;
  status.speed = pacing_.speed();
  status.achievedSpeed = pacing_.achievedSpeed();
  status.firstStep = state.firstStep;
  status.lastStep = state.lastStep;
  if (std::exchange(solverChanged_, false)) status.solver = source_->solver();
  status.setSolver = solverAnswer_;
  status.open = openAnswer_;
  status.opened = opened_;
  status.startRace = raceAnswer_;
}

}  // namespace drystone::viewer
