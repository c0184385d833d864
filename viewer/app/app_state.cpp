#include "viewer/app/app_state.h"

#include <fmt/format.h>
#include <imgui.h>

namespace drystone::viewer {

namespace {

constexpr std::size_t kMostLogLines = 500;

}  // namespace

void AppState::note(std::string text, LogLine::Kind kind) {
  log.push_back({kind, std::move(text)});
  if (log.size() > kMostLogLines) log.pop_front();
  newestLogTime = ImGui::GetTime();
}

void AppState::openScene(const std::string& path) {
  if (held) send(Release{});
  held.reset();
  newScene = true;
  send(Open{path});
}

void AppState::chooseSolver(const std::string& name) {
  SolverChoice choice = status.solver;
  choice.name = name;
  choice.settings.clear();
  send(SetSolver{choice});
}

std::string AppState::whyUnsuitable(const std::string& solver) const {
  const SolverTraits& traits = registry.traits(solver);
  if (!traits.unavailable.empty()) return std::string(traits.unavailable);
  if (!traits.supports(frame->friction)) {
    return fmt::format("does not solve friction model {}", frictionModelName(frame->friction));
  }
  if (!traits.handlesRows && !frame->scene->jointNames.empty()) return "takes no joints";
  return "";
}

const ViewBody* AppState::selectedBody() const {
  return draw.selected.index < 0 ? nullptr : frame->scene->find(draw.selected);
}

Watched watchedOf(const AppState& app) {
  const ViewBody* selected = app.selectedBody();
  return {.scene = app.frame->scene->name,
          .solver = app.status.solver.name,
          .step = app.frame->snapshot.step,
          .paused = app.status.paused,
          .ended = app.status.ended,
          .panels = app.layout.panels,
          .help = app.help,
          .contacts = app.draw.contactPoints,
          .forces = app.draw.impulses,
          .islands = app.draw.bodies == BodyColoring::kIsland,
          .wireframe = app.draw.wireframe,
          .transparent = app.draw.transparent,
          .racing = app.race != nullptr && !app.race->finished,
          .recording = app.recordingVideo,
          .bodies = app.frame->snapshot.bodies.size(),
          .selected = selected == nullptr ? "" : selected->name};
}

}  // namespace drystone::viewer
