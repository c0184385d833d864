#include "viewer/window/app_state.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>

#include "viewer/session/command_queue.h"
#include "viewer/window/panels/section.h"

namespace drystone::viewer {

namespace {

constexpr std::size_t kMostLogLines = 500;

}  // namespace

AppState::AppState(std::unique_ptr<Simulation> begun, const SolverRegistry& solvers,
                   const std::string& logFile, Open shown)
    : registry(solvers),
      journal(logFile),
      simulation(std::move(begun)),
      frame(&simulation->latestFrame()),
      status(simulation->status()),
      solver(status.solver),
      source(std::move(shown)) {
  draw.axes = draw.legends = true;
}

void AppState::update() {
  frame = &simulation->latestFrame();
  // In this order: what is taken in between is in both, and not in neither.
  waiting = simulation->waiting();
  status = simulation->status();
  takeOpened();
  takeSamples();
  race = simulation->race();
  if (frame->scene->source != motorsOf_) motors.clear();
  motorsOf_ = frame->scene->source;
  axisHistory.take(*frame, draw.selected);
  residualRange.take(frame->contactResidual, status.solver.budget.tolerance);
  if (!settingSolver()) solver = status.solver;
  for (const LogLine& line : simulation->takeLog()) note(line.text, line.kind);
}

void AppState::takeSamples() {
  const StepSamples taken = simulation->takeSamples();
  if (taken.areAnew) history.clear();
  for (const StepSample& sample : taken.samples) history.add(sample);
}

void AppState::send(Command command) {
  // A second key of the same picture goes on from here.
  if (const auto playing = playingAfter(command)) waiting.playing = playing;
  if (const auto speed = speedAfter(command)) waiting.speed = speed;
  simulation->send(std::move(command));
}

/// The frame may be older than the status: what was opened is in the next.
void AppState::takeOpened() {
  const bool isOpened = status.opened != opened_;
  while (!asked_.empty() && asked_.front().request <= status.open.request) {
    if (asked_.front().request == status.opened) source = std::move(asked_.front());
    asked_.pop_front();
  }
  newScene = isOpened && !source.restart;
  if (!isOpened) return;
  opened_ = status.opened;
  frame = &simulation->latestFrame();
}

void AppState::note(std::string text, LogLine::Kind kind) {
  journal.say((kind == LogLine::Kind::kError ? "error " : "log ") + text);
  log.push_back({kind, std::move(text)});
  if (log.size() > kMostLogLines) log.pop_front();
  newestLogTime = std::chrono::steady_clock::now();
}

void AppState::open(Open asked) {
  if (held) send(Release{});
  held.reset();
  asked.request = ++opens_;
  asked_.push_back(asked);
  send(std::move(asked));
}

void AppState::openDropped(const std::vector<std::string>& paths) {
  if (paths.size() > 1) {
    note(fmt::format("{} files were dropped, and one is open at a time: the first", paths.size()),
         LogLine::Kind::kWarning);
  }
  openScene(paths.front());
}

void AppState::reopen() {
  Open again = lastAsked();
  again.restart = false;
  open(std::move(again));
}

void AppState::restartWith(std::vector<ParameterOverride> changes) {
  Open again = lastAsked();
  again.restart = true;
  again.changes = std::move(changes);
  open(std::move(again));
}

void AppState::change(ParameterOverride value) {
  // Those that are not answered yet count too.
  std::vector<ParameterOverride> changes = lastAsked().changes;
  std::erase_if(changes, [&](const ParameterOverride& one) { return one.path == value.path; });
  changes.push_back(std::move(value));
  restartWith(std::move(changes));
}

void AppState::setSolver(const SolverChoice& choice) {
  solver = choice;
  send(SetSolver{choice, ++solvers_});
}

void AppState::startRace(std::vector<SolverChoice> entries, bool fromZero) {
  send(StartRace{std::move(entries), ++races_, fromZero});
}

SolverChoice AppState::choiceOf(const std::string& name) const {
  SolverChoice choice = solver;
  if (choice.name == name) return choice;
  choice.name = name;
  choice.settings.clear();
  choice.budget.iterations.reset();  // as many sweeps are not as many pivots
  return choice;
}

std::string AppState::whyUnsuitable(const std::string& name) const {
  return whyNot(registry.traits(name),
                {.friction = frame->friction, .hasRows = !frame->scene->jointNames.empty()});
}

const ViewBody* AppState::selectedBody() const {
  return draw.selected.index < 0 ? nullptr : frame->scene->find(draw.selected);
}

void AppState::select(BodyId body, bool withCamera) {
  draw.selected = body;
  const ViewBody* selected = selectedBody();
  follow = withCamera && selected != nullptr && selected->kind != BodyKind::kStatic;
  if (selected == nullptr) return;
  layout.open["inspector"] = true;
  comeIntoView = "inspector";
  layout.foldRight = false;
}

DrawOptions AppState::drawn() const {
  DrawOptions options = draw;
  if (options.residualAuto) {
    options.residualLow = residualRange.low();
    options.residualHigh = residualRange.high();
  }
  if (status.recording) options.contacts = ContactColoring::kState;
  return options;
}

namespace {

/// Whether they are open, of the sections that are not as the viewer has them at first.
std::map<std::string, bool> changedSections(const Layout& layout) {
  static const std::map<std::string, bool> atFirst = [] {
    std::map<std::string, bool> open;
    for (const Section& section : makeSections()) open[section.key] = section.open;
    return open;
  }();
  std::map<std::string, bool> changed;
  for (const auto& [section, wasOpen] : atFirst) {
    if (layout.isOpen(section, wasOpen) != wasOpen) changed[section] = !wasOpen;
  }
  return changed;
}

}  // namespace

Watched watchedOf(const AppState& app) {
  const ViewBody* selected = app.selectedBody();
  return {.scene = app.frame->scene->name,
          .solver = app.status.solver.name,
          .step = app.frame->snapshot.step,
          .paused = app.status.paused,
          .ended = app.status.ended,
          .loops = app.status.loops,
          .panels = app.layout.panels,
          .help = app.help,
          .foldLeft = app.layout.foldLeft,
          .foldRight = app.layout.foldRight,
          .sections = changedSections(app.layout),
          .contacts = app.draw.contactPoints,
          .forces = app.draw.impulses,
          .islands = app.draw.bodies == BodyColoring::kIsland,
          .wireframe = app.draw.wireframe,
          .transparent = app.draw.transparent,
          .speed = app.status.speed,
          .follow = app.follow,
          .profiler = app.layout.panels && app.layout.isOpen("profiler", true),
          .raceOpen = app.raceOpen,
          .racing = app.race != nullptr && !app.race->finished,
          .recording = app.recordingVideo,
          .bodies = app.frame->snapshot.bodies.size(),
          .selected = selected == nullptr ? "" : selected->name};
}

}  // namespace drystone::viewer
