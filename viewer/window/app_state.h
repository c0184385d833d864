#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/draw/camera.h"
#include "viewer/draw/draw_options.h"
#include "viewer/session/simulation.h"
#include "viewer/window/axis_history.h"
#include "viewer/window/journal.h"
#include "viewer/window/layout.h"
#include "viewer/window/picking.h"
#include "viewer/window/residual_range.h"
#include "viewer/window/step_history.h"

struct ImFont;

namespace drystone::viewer {

/// A rectangle of the window [points, y down].
struct Area {
  float x = 0, y = 0, width = 1, height = 1;
  float aspect() const { return width / height; }
};

/// What the panels, keys and mouse work on: all of the window but the OpenGL.
struct AppState {
  /// `shown` is what the simulation has opened.
  AppState(std::unique_ptr<Simulation> begun, const SolverRegistry& solvers,
           const std::string& logFile, Open shown = {});

  const SolverRegistry& registry;
  Journal journal;
  std::unique_ptr<Simulation> simulation;

  // Taken from the simulation once a picture, by update().
  const ViewFrame* frame = nullptr;  ///< never null
  SimulationStatus status;
  Waiting waiting;        ///< asked for, and not in the status yet
  SolverChoice solver;    ///< asked for last, which the simulation may not have taken yet
  bool newScene = false;  ///< it has opened another one, or one anew, since the last picture
  Open source;            ///< what is open
  std::shared_ptr<const RaceResult> race;
  StepHistory history;
  AxisHistory axisHistory;
  std::deque<LogLine> log;
  std::chrono::steady_clock::time_point newestLogTime{};  ///< when the last line came

  DrawOptions draw;
  Camera camera;
  bool follow = false;  ///< the camera goes with the selected body
  BodyId carrier;       ///< that it goes with otherwise, as the scene says; index -1: none
  ResidualRange residualRange;
  Area view;  ///< where the scene is
  Picker picker;
  std::optional<Drag> held;       ///< by the mouse's spring
  Vec3 heldPoint = Vec3::Zero();  ///< where it is held now, world [m]

  Layout layout;
  std::string comeIntoView;  ///< the section that its bar scrolls to; empty: none
  ImFont* bold = nullptr;
  float scale = 1;                     ///< pixels a point
  std::map<std::size_t, Real> motors;  ///< targets set by hand, by SceneView::axes
  bool help = false, raceOpen = false;
  double picturesPerSecond = 0;
  std::string device;

  // Asked for, done at the end of the picture.
  bool quit = false, toggleVideo = false;
  bool recordingVideo = false;
  std::optional<std::string> screenshot;  ///< path; empty: a name with the time
  std::string screenshotProblem;          ///< why the last one was not written; empty: it was

  /// Takes the news.
  void update();
  void send(Command command);
  /// Whether it runs once it has done what waits.
  bool plays() const { return waiting.playing.value_or(!status.paused); }
  /// The speed that it has then.
  double speed() const { return waiting.speed.value_or(status.speed); }
  /// A line for the log, and for the journal.
  void note(std::string text, LogLine::Kind kind = LogLine::Kind::kInfo);

  void openScene(const std::string& path) { open({.path = path}); }
  /// Opens the first of the files, and says so where there are more: one is open at a time.
  void openDropped(const std::vector<std::string>& paths);
  /// Opens again what is open, as its file is now.
  void reopen();
  /// Begins the scene again with a value of it changed; the other changes, the solver and the
  /// camera stay.
  void change(ParameterOverride value);
  /// Restarts with no value changed.
  void unchange() { restartWith({}); }
  /// What was asked for is neither open nor refused yet.
  bool opening() const { return status.open.request != opens_; }
  /// A scene is being opened, and it is not the scene that is shown with other values.
  bool openingAnother() const {
    return std::ranges::any_of(asked_, [](const Open& one) { return !one.restart; });
  }
  /// What will be open once all that was asked for is.
  const Open& lastAsked() const { return asked_.empty() ? source : asked_.back(); }
  void setSolver(const SolverChoice& choice);
  bool settingSolver() const { return status.setSolver.request != solvers_; }
  void startRace(std::vector<SolverChoice> entries, bool fromZero = false);
  bool startingRace() const { return status.startRace.request != races_; }

  /// The present choice with that solver: its options stay; its settings are those of another
  /// solver and go.
  SolverChoice choiceOf(const std::string& name) const;
  /// Why the present scene cannot be solved with it; empty: it can.
  std::string whyUnsuitable(const std::string& name) const;
  const ViewBody* selectedBody() const;
  /// Selects it and opens its inspector; index -1: selects nothing. `withCamera`: the camera goes
  /// with it, unless it stands still.
  void select(BodyId body, bool withCamera = false);
  /// What is drawn: as `draw` asks for, with contacts by state where the frames of a recording know
  /// nothing else of them, and residuals in their own range unless it is set by hand.
  DrawOptions drawn() const;

 private:
  void open(Open asked);
  void restartWith(std::vector<ParameterOverride> changes);
  void takeOpened();
  void takeSamples();

  std::uint64_t opens_ = 0, solvers_ = 0, races_ = 0;  // requests so far
  std::uint64_t opened_ = 0;
  std::uint64_t motorsOf_ = 0;  // SceneView::source that the targets are of
  std::deque<Open> asked_;      // and not answered yet
};

/// What of the state is told when it changes.
Watched watchedOf(const AppState& app);

}  // namespace drystone::viewer
