#include "viewer/session/end_simulation.h"

#include <future>
#include <thread>
#include <utility>

namespace drystone::viewer {

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
