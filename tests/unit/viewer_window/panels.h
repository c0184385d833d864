#pragma once

#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "scenes/scene_reader.h"
#include "tests/unit/viewer_window/headless.h"

namespace drystone::viewer::test {

/// Two stacks of two boxes on a floor: five bodies, two islands.
inline constexpr const char* kStacks = R"({"version": 1, "name": "stacks", "bodies": [
  {"name": "floor", "kind": "static", "shape": {"type": "plane"}},
  {"name": "a", "shape": {"type": "box", "half_extents": [0.5, 0.5, 0.5]}, "position": [0, 0, 0.5]},
  {"name": "b", "shape": {"type": "box", "half_extents": [0.5, 0.5, 0.5]}, "position": [0, 0, 1.5]},
  {"name": "c", "shape": {"type": "box", "half_extents": [0.5, 0.5, 0.5]}, "position": [3, 0, 0.5]},
  {"name": "d", "shape": {"type": "box", "half_extents": [0.5, 0.5, 0.5]},
   "position": [3, 0, 1.5]}]})";

inline Scene stacks() { return readSceneText(kStacks, "stacks.json"); }

/// A window's state with the simulation at a step, and what its panels say.
class Panels {
 public:
  Panels(std::unique_ptr<Simulation> simulation, std::int64_t step)
      : window_(std::move(simulation)) {
    app().send(StepBy{static_cast<int>(step)});
    if (!window_.updateUntil([&] { return window_.step() == step; })) {
      throw std::runtime_error("no such step");
    }
    frame_ = *app().frame;
    app().frame = &frame_;
  }

  AppState& app() { return window_.app; }
  ViewFrame& frame() { return frame_; }
  void select(const std::string& name) {
    for (const ViewBody& body : frame_.scene->bodies) {
      if (body.name == name) app().draw.selected = body.id;
    }
  }
  std::string text(const Section& section) { return window_.textOf(section); }

 private:
  Headless window_;
  ViewFrame frame_;  ///< that the panels show, and a test may change
};

inline Panels ofWorld(std::int64_t step) {
  return Panels(std::make_unique<Simulation>(stacks(), registry()), step);
}

/// The value beside the name of a figure; empty: there is no such figure.
inline std::string valueOf(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find(name + " | ");
    if (at == std::string::npos) continue;
    const std::size_t begin = at + name.size() + 3;
    return line.substr(begin, line.find(" |", begin) - begin);
  }
  return "";
}

}  // namespace drystone::viewer::test
