#include "viewer/window/script_runner.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <sstream>

#include "core/input_error.h"
#include "scenes/scene_reader.h"
#include "viewer/window/actions.h"

namespace drystone::viewer {
namespace {

constexpr double kLongestWait = 300;  // [s] a busy machine takes a minute for a large scene

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

}  // namespace

void ScriptRunner::fail(const ScriptLine& line, const std::string& what) {
  throw InputError(fmt::format("script, line {}: {}", line.number, what));
}

ParameterOverride ScriptRunner::changeOf(const ScriptLine& line) {
  const auto equals = line.argument.find('=');
  if (equals == std::string::npos || equals == 0) {
    fail(line, fmt::format("'set' needs KEY=VALUE, not '{}'", line.argument));
  }
  const std::string key = line.argument.substr(0, equals);
  if (solverSetting(key)) {
    fail(line,
         fmt::format("'{}' is a setting of the solver; 'set' takes scene.NAME, a parameter, or "
                     "a place in the scene file (world.timestep)",
                     key));
  }
  return {key, line.argument.substr(equals + 1)};
}

bool ScriptRunner::isAnswered(const ScriptLine& line, bool waits, const Answer& answer) {
  if (waits) return false;
  if (!answer.problem.empty()) fail(line, answer.problem);
  return true;
}

void ScriptRunner::advance(AppState& app, Interface& interface) {
  while (active()) {
    const ScriptLine& line = script_[next_];
    if (begun_ < 0) begun_ = ImGui::GetTime();
    const bool isDone = perform(line, app, interface);
    ++waited_;
    if (!isDone) {
      if (ImGui::GetTime() > begun_ + kLongestWait)
        fail(line, fmt::format("waited for {:.0f} s", kLongestWait));
      return;
    }
    ++next_;
    waited_ = 0;
    begun_ = -1;
    if (line.verb == ScriptVerb::kQuit) return;
  }
}

/// False: wait. What begins something does so in the first picture of the line (waited_ 0).
bool ScriptRunner::perform(const ScriptLine& line, AppState& app, Interface& interface) {
  const std::string& text = line.argument;
  switch (line.verb) {
    case ScriptVerb::kFrames:
      return waited_ >= line.count;
    case ScriptVerb::kStep:
      return app.frame->snapshot.step >= line.count;
    case ScriptVerb::kKey: {
      const auto action = actionOfKey(text);
      if (!action) fail(line, fmt::format("no action has the key '{}'", text));
      viewer::perform(*action, app);
      return true;
    }
    case ScriptVerb::kScene:
      if (waited_ == 0) app.openScene(text);
      return isAnswered(line, app.opening(), app.status.open);
    case ScriptVerb::kSet:
      if (waited_ == 0) app.change(changeOf(line));
      return isAnswered(line, app.opening(), app.status.open);
    case ScriptVerb::kSolver:
      if (waited_ == 0) {
        if (!app.registry.contains(text)) fail(line, fmt::format("no solver '{}'", text));
        app.setSolver(app.choiceOf(text));
      }
      return isAnswered(line, app.settingSolver(), app.status.setSolver);
    case ScriptVerb::kSelect: {
      const auto& bodies = app.frame->scene->bodies;
      const auto body = std::ranges::find(bodies, text, &ViewBody::name);
      if (body == bodies.end()) fail(line, fmt::format("no body '{}'", text));
      app.select(body->id);
      return true;
    }
    case ScriptVerb::kOpen:
    case ScriptVerb::kClose: {
      bool any = false;
      for (const Section& section : interface.sections()) {
        if (text != "all" && text != section.key) continue;
        app.layout.open[section.key] = line.verb == ScriptVerb::kOpen;
        any = true;
      }
      if (!any) fail(line, fmt::format("no section '{}'", text));
      return true;
    }
    case ScriptVerb::kRace:
      if (waited_ == 0) {
        app.raceOpen = true;
        interface.race().start(app, words(text));
      }
      return isAnswered(line, app.startingRace(), app.status.startRace) && app.race->finished;
    case ScriptVerb::kScreenshot:
      // It is written at the end of the picture.
      if (waited_ == 0) app.screenshot = text;
      if (app.screenshot) return false;
      if (!app.screenshotProblem.empty()) fail(line, app.screenshotProblem);
      return true;
    case ScriptVerb::kQuit:
      app.quit = true;
      return true;
  }
  return true;
}

}  // namespace drystone::viewer
