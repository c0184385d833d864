#pragma once

#include <imgui.h>

#include <chrono>
#include <string>
#include <vector>

#include "engine/model/joint.h"
#include "engine/model/world_settings.h"
#include "solvers/driver/solve.h"

namespace drystone::viewer {

struct AppState;
struct RaceEntry;
struct RaceResult;
struct ViewFrame;

/// Play controls, time line and speed along the foot of the window, in two rows where it is narrow.
class TransportBar {
 public:
  static float height(const AppState& app);
  void draw(AppState& app);

 private:
  static void drawButtons(AppState& app);
  void drawSteps(AppState& app, float width);
  void drawSpeed(AppState& app, float width);

  double movedAt_ = -1e9;  ///< of the time line or the speed, by hand [s]
  int step_ = 0;
  float speed_ = 0;  ///< log2
};

/// What is under way for so long that it is felt, and what waits for its end; else empty.
std::string workText(const AppState& app, std::chrono::steady_clock::time_point now);

/// Solvers side by side on the problems of one step.
class RaceWindow {
 public:
  void draw(AppState& app);
  /// Chooses those and starts.
  void start(AppState& app, const std::vector<std::string>& solvers);

 private:
  void drawPicker(AppState& app);
  static void drawPlots(const RaceResult& race);
  static void drawResult(AppState& app, const RaceResult& race);
  static void drawEntry(AppState& app, const RaceEntry& entry, ImU32 color);
  static void continueWith(AppState& app, const RaceEntry& entry);

  std::vector<std::string> chosen_;
  bool fromZero_ = false;
};

/// What the overlay says of the solve of the last step; empty: no step was done yet.
std::string solvedText(const ViewFrame& frame);
/// Whether the newest line of the log stands on the scene: for a few seconds.
bool isNewsShown(const AppState& app);
/// Draws on the scene: its name and solver, news of the log.
void drawOverlay(AppState& app);

/// The coordinates of a joint of the selected body: a slider for the target of each motor, and
/// plots of where they are and of what acts along them.
void drawAxes(AppState& app, JointId joint);
/// Sends the target to the motor of that axis (SceneView::axes), and keeps it for the slider until
/// the scene begins again.
void setMotor(AppState& app, std::size_t axis, Real target);
/// What the motor is asked for now: set by hand, or by its schedule.
Real motorTarget(const AppState& app, std::size_t axis);

/// Keys and mouse, from the table of actions.
void drawHelp(AppState& app);

}  // namespace drystone::viewer
