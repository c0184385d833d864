#pragma once

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "solvers/default_registry.h"
#include "viewer/session/simulation.h"

namespace drystone::viewer::test {

/// Every solver of this build, alive for the whole test program.
inline const SolverRegistry& registry() {
  static const SolverRegistry instance = makeDefaultRegistry();
  return instance;
}

/// Waits for what another thread does; false after a time that no test takes unless it is stuck.
inline bool waitUntil(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// A file that is there as long as the object.
class TestFile {
 public:
  TestFile(const std::string& name, const std::string& text)
      : path((std::filesystem::temp_directory_path() /
              ("drystone_view_" + std::to_string(getpid()) + "_" + name))
                 .string()) {
    std::ofstream(path, std::ios::binary) << text;
  }
  ~TestFile() { std::filesystem::remove(path); }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;

  const std::string path;
};

/// Twelve boxes in three layers on a plane, hit by a ball from 0.4 m away: sticks, slips, tumbles.
/// Few sweeps keep its steps cheap.
inline const std::string& heapText() {
  static const std::string text = R"({"version": 1, "name": "heap",
 "world": {"duration": 2}, "solver": {"name": "nsgs", "max_iterations": 40},
 "bodies": [
  {"name": "ground", "kind": "static", "shape": {"type": "plane"}},
  {"name": "ball", "shape": {"type": "sphere", "radius": 0.2}, "mass": 3,
   "position": [-1, 0.05, 0.5], "velocity": [6, 0, 0]}],
 "generators": [
  {"type": "grid", "name": "box", "counts": [2, 2, 3], "spacing": [0.42, 0.42, 0.41],
   "centered": true, "position": [0, 0, 0.21], "mass": 1,
   "shape": {"type": "box", "half_extents": [0.2, 0.2, 0.2]}}]})";
  return text;
}

/// A simulation and all that it has said.
class Simulated {
 public:
  explicit Simulated(const std::string& path, const SolverRegistry& solvers = registry())
      : simulation(path, solvers) {}

  Simulation* operator->() { return &simulation; }

  /// Waits until all commands before this call are done: they are taken in order, and this one ends
  /// with a line of its own.
  void finish() {
    const std::string mark = "there is no solver \"mark_" + std::to_string(++marks_) + "\"";
    SetSolver command;
    command.choice.name = "mark_" + std::to_string(marks_);
    simulation.send(command);
    ASSERT_TRUE(waitUntil([&] { return logHas(mark) || logHas("its solver cannot be switched"); }))
        << log();
    std::erase_if(lines_, [](const LogLine& line) {
      return line.text.find("\"mark_") != std::string::npos ||
             line.text.find("its solver cannot be switched") != std::string::npos;
    });
  }
  void stepBy(int steps) {
    simulation.send(StepBy{steps});
    finish();
  }
  template <class Command>
  void sendAndFinish(const Command& command) {
    simulation.send(command);
    finish();
  }

  const ViewFrame& frame() { return simulation.latestFrame(); }
  std::int64_t step() { return frame().snapshot.step; }
  /// Position of the body of that name.
  Vec3 positionOf(const std::string& name) {
    const ViewFrame& now = frame();
    for (std::size_t i = 0; i < now.scene->bodies.size(); ++i) {
      if (now.scene->bodies[i].name == name) return now.snapshot.bodies[i].centerOfMass;
    }
    ADD_FAILURE() << "no body " << name;
    return Vec3::Zero();
  }
  BodyId idOf(const std::string& name) {
    for (const ViewBody& body : frame().scene->bodies) {
      if (body.name == name) return body.id;
    }
    ADD_FAILURE() << "no body " << name;
    return {};
  }

  bool logHas(const std::string& text) {
    collect();
    return std::ranges::any_of(
        lines_, [&](const LogLine& line) { return line.text.find(text) != std::string::npos; });
  }
  /// All lines, for messages of failed tests.
  std::string log() {
    collect();
    std::string all;
    for (const LogLine& line : lines_) all += line.text + "\n";
    return all;
  }

  Simulation simulation;

 private:
  void collect() {
    for (LogLine& line : simulation.takeLog()) lines_.push_back(std::move(line));
  }
  std::vector<LogLine> lines_;
  int marks_ = 0;
};

}  // namespace drystone::viewer::test
