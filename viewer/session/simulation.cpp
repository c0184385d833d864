#include "viewer/session/simulation.h"

#include <future>
#include <thread>
#include <utility>

#include "viewer/session/simulation_loop.h"
#include "viewer/session/source.h"

namespace drystone::viewer {

struct Simulation::State {
  const SolverRegistry registry;  // before what refers to it
  SharedState shared;
  SimulationLoop loop;
  std::uint64_t frameNumber = 0;
  std::jthread thread;

  /// `open` gives the source, which may refer to the registry, and may write into the log.
  template <class Open>
  State(SolverRegistry solvers, const Open& open)
      : registry(std::move(solvers)),
        shared(registry),
        loop(open(registry, shared.log), registry, shared) {
    shared.frames.update();
    thread = std::jthread([this](const std::stop_token& stop) { loop.run(stop); });
  }
};

Simulation::Simulation(const std::string& path, SolverRegistry registry)
    : state_(std::make_unique<State>(std::move(registry),
                                     [&](const SolverRegistry& solvers, MessageLog& log) {
                                       return openSource({.path = path}, solvers, log);
                                     })) {}

Simulation::Simulation(const Scene& scene, SolverRegistry registry)
    : state_(std::make_unique<State>(std::move(registry),
                                     [&](const SolverRegistry& solvers, MessageLog& log) {
                                       return openScene(scene, solvers, log);
                                     })) {}

Simulation::~Simulation() { state_->shared.races.cancel(); }

void Simulation::send(Command command) { state_->shared.commands.push(std::move(command)); }

const ViewFrame& Simulation::latestFrame() {
  if (state_->shared.frames.update()) ++state_->frameNumber;
  return state_->shared.frames.front();
}

std::uint64_t Simulation::frameNumber() const { return state_->frameNumber; }

SimulationStatus Simulation::status() const { return state_->shared.status(); }
Waiting Simulation::waiting() const { return state_->shared.commands.waiting(); }
std::vector<LogLine> Simulation::takeLog() { return state_->shared.log.take(); }
StepSamples Simulation::takeSamples() { return state_->shared.samples.take(); }
std::shared_ptr<const RaceResult> Simulation::race() const { return state_->shared.races.result(); }

bool endSimulation(std::unique_ptr<Simulation> simulation, std::chrono::duration<double> longest) {
  std::promise<void> ended;
  std::future<void> end = ended.get_future();
  std::thread ender([simulation = std::move(simulation), ended = std::move(ended)]() mutable {
    simulation.reset();
    ended.set_value();
  });
  if (end.wait_for(longest) == std::future_status::timeout) {
    ender.detach();
    return false;
  }
  ender.join();
  return true;
}

}  // namespace drystone::viewer
