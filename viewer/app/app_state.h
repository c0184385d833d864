#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viewer/app/journal.h"
#include "viewer/app/layout.h"
#include "viewer/app/picking.h"
#include "viewer/app/report_history.h"
#include "viewer/scene/camera.h"
#include "viewer/scene/draw_options.h"
#include "viewer/simulation/simulation.h"

struct ImFont;

namespace drystone::viewer {

/// A rectangle of the window [points, y down].
struct Area {
  float x = 0, y = 0, width = 1, height = 1;
  float aspect() const { return width / height; }
};

/// What the panels, keys and mouse work on: all of the window but the OpenGL.
struct AppState {
  AppState(std::unique_ptr<Simulation> begun, const SolverRegistry& solvers,
           const std::string& logFile)
      : registry(solvers), journal(logFile), simulation(std::move(begun)) {}

  const SolverRegistry& registry;
  Journal journal;
  std::unique_ptr<Simulation> simulation;

  // Taken from the simulation once a picture.
  const ViewFrame* frame = nullptr;
  SimulationStatus status;
  std::shared_ptr<const RaceResult> race;
  ReportHistory history;
  std::deque<LogLine> log;
  double newestLogTime = -1e9;  ///< when the last line came [s]

  DrawOptions draw;
  Camera camera;
  bool follow = false;  ///< the camera goes with the selected body
  Area view;            ///< where the scene is
  Picker picker;
  std::optional<Drag> held;       ///< by the mouse's spring
  Vec3 heldPoint = Vec3::Zero();  ///< where it is held now, world [m]

  Layout layout;
  ImFont* bold = nullptr;
  float scale = 1;  ///< pixels a point
  bool help = false, raceOpen = false;
  bool newScene = true;  ///< the next scene that comes gets a camera of its own
  double picturesPerSecond = 0;
  std::string device;

  // Asked for, done at the end of the picture.
  bool quit = false, frameAll = false, toggleVideo = false;
  bool recordingVideo = false;
  std::optional<std::string> screenshot;  ///< path; empty: a name with the time

  void send(Command command) { simulation->send(std::move(command)); }
  void note(std::string text, LogLine::Kind kind = LogLine::Kind::kInfo);
  void openScene(const std::string& path);
  /// Keeps the options of the choice; the settings are those of the other solver and go.
  void chooseSolver(const std::string& name);
  /// Why the present scene cannot be solved with it; empty: it can.
  std::string whyUnsuitable(const std::string& solver) const;
  const ViewBody* selectedBody() const;
};

/// What of the state is told when it changes.
Watched watchedOf(const AppState& app);

}  // namespace drystone::viewer
