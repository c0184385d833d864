#include "viewer/window/actions.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "scenes/scene_library.h"
#include "viewer/draw/draw_scene.h"
#include "viewer/window/app_state.h"
#include "viewer/window/camera_control.h"
#include "viewer/window/slider_scale.h"

namespace drystone::viewer {
namespace {

constexpr Action kActions[] = {
    {ActionId::kPause, {"Space", "P"}, "run or pause"},
    {ActionId::kStep, {"Right", "."}, "one step forward"},
    {ActionId::kBack, {"Left", ","}, "one step back"},
    {ActionId::kRestart, {"R", "Backspace"}, "back to the start"},
    {ActionId::kReopen, {"Ctrl+R", "F5"}, "open the file again, as it is now"},
    {ActionId::kMore, {"Page Up", ""}, "start again with more of the scene's parameter"},
    {ActionId::kLess, {"Page Down", ""}, "start again with less of it"},
    {ActionId::kLoop, {"O", ""}, "begin again at the end, or go on"},
    {ActionId::kFaster, {"+", "="}, "twice the speed"},
    {ActionId::kSlower, {"-", ""}, "half the speed"},
    {ActionId::kNextScene, {"]", ""}, "next scene of the library"},
    {ActionId::kPreviousScene, {"[", ""}, "previous scene"},
    {ActionId::kNextSolver, {"S", ""}, "next solver that takes the scene"},
    {ActionId::kPreviousSolver, {"Shift+S", ""}, "previous solver"},
    {ActionId::kContacts, {"C", ""}, "contact points and normals"},
    {ActionId::kForces, {"F", ""}, "contact impulses"},
    {ActionId::kIslands, {"I", ""}, "color bodies by island"},
    {ActionId::kWireframe, {"W", ""}, "wireframe"},
    {ActionId::kTransparent, {"T", ""}, "transparent bodies"},
    {ActionId::kFrameAll, {"Home", "A"}, "show the whole scene"},
    {ActionId::kFollow, {"L", ""}, "camera follows the selected body"},
    {ActionId::kDeselect, {"Escape", ""}, "select nothing"},
    {ActionId::kThrow, {"B", ""}, "throw a box at what the mouse points to"},
    {ActionId::kRace, {"N", ""}, "solver race"},
    {ActionId::kPanels, {"Tab", ""}, "hide or show the panels"},
    {ActionId::kFoldLeft, {"1", ""}, "fold or open the left bar"},
    {ActionId::kFoldRight, {"2", ""}, "fold or open the right bar"},
    {ActionId::kProfiler, {"M", "F3"}, "profiler"},
    {ActionId::kHelp, {"F1", "?"}, "this help"},
    {ActionId::kScreenshot, {"F12", "Ctrl+P"}, "screenshot into the working folder"},
    {ActionId::kVideo, {"V", ""}, "start or end a video in the working folder"},
    {ActionId::kCopyCamera, {"Ctrl+C", ""}, "copy the camera as JSON of a scene file"},
    {ActionId::kQuit, {"Ctrl+Q", ""}, "close"},
};

constexpr MouseHelp kMouse[] = {
    {"Drag", "turn about the target (left or right button)"},
    {"Shift+drag", "move sideways (also the middle button)"},
    {"Wheel", "nearer or farther"},
    {"Click", "select a body"},
    {"Double click", "select what moves, and follow it with the camera"},
    {"Ctrl+drag", "pull a body by a spring"},
};

/// Sends the camera's box to what is under the mouse, or in the middle of the view; where that is
/// nothing, through there as far away as the camera's target.
void throwBox(AppState& app) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  Real x = 2 * (mouse.x - app.view.x) / app.view.width - 1;
  Real y = 1 - 2 * (mouse.y - app.view.y) / app.view.height;
  if (!(std::abs(x) <= 1 && std::abs(y) <= 1)) x = y = 0;
  const Vec3 direction = app.camera.rayThrough(x, y, app.view.aspect());
  // Sizes and speeds that fit what is seen, so that scenes of any scale can be hit.
  const Real distance = app.camera.distance();
  const std::optional<Pick> pick = app.picker.pick(*app.frame, app.camera.position, direction);
  const Real way = pick ? (pick->point - app.camera.position).norm() : distance;
  const Real speed = std::max(2.0, 1.5 * distance);
  // So much above that it has fallen onto it when it is there.
  const Vec3 above = -0.5 * (way / speed) * app.frame->scene->gravity;
  app.send(Throw{.position = app.camera.position,
                 .velocity = direction * speed + above,
                 .halfExtent = 0.02 * distance});
}

void stepScene(AppState& app, int direction) {
  const auto scenes = libraryScenes();
  const auto count = static_cast<int>(scenes.size());
  // Pressed again before the scene is there, the key goes on from it.
  const std::string& from = app.openingAnother() ? app.lastAsked().path : app.frame->scene->name;
  const auto at = std::ranges::find(scenes, from, &LibraryScene::name);
  const int index =
      at == scenes.end() ? (direction > 0 ? -1 : 0) : static_cast<int>(at - scenes.begin());
  app.openScene(
      std::string(scenes[static_cast<std::size_t>((index + direction + count) % count)].name));
}

void stepSolver(AppState& app, int direction) {
  if (app.status.recording) {
    app.note("a recording is played: its solver cannot be switched", LogLine::Kind::kError);
    return;
  }
  const std::vector<std::string> names = app.registry.names();
  const auto count = static_cast<int>(names.size());
  const auto at = std::ranges::find(names, app.solver.name);
  const auto index = static_cast<int>(at - names.begin());
  for (int i = 1; i < count; ++i) {
    const std::string& name =
        names[static_cast<std::size_t>((index + direction * i + count * i) % count)];
    if (!app.whyUnsuitable(name).empty()) continue;
    app.setSolver(app.choiceOf(name));
    return;
  }
  app.note("no other solver takes this scene", LogLine::Kind::kWarning);
}

void copyCamera(AppState& app) {
  const std::string json = cameraJson(sceneCameraOf(app.camera));
  ImGui::SetClipboardText(json.c_str());
  app.note("camera copied as JSON of a scene file");
  app.journal.say(json);
}

/// Beyond the fastest speed it goes as fast as it can.
void changeSpeed(AppState& app, double factor) {
  constexpr double kSlowest = 1.0 / 64, kFastest = 64;
  const double speed = app.speed() * factor;
  if (std::isinf(speed) && factor < 1) {
    app.send(SetSpeed{kFastest});
  } else {
    app.send(SetSpeed{speed > kFastest ? INFINITY : std::max(speed, kSlowest)});
  }
}

/// At once: another key of the same picture may copy the camera.
void frameAll(AppState& app) {
  Vec3 lower, upper;
  sceneBounds(*app.frame, lower, upper);
  app.camera.frame(lower, upper, app.view.aspect());
  app.follow = false;
  app.carrier = {};
}

void toggleFollow(AppState& app) {
  const ViewBody* body = app.selectedBody();
  const bool moves = body != nullptr && body->kind != BodyKind::kStatic;
  if (!moves && app.carrier.index >= 0) {
    app.carrier = {};  // what the scene's camera goes with
    return;
  }
  if (!moves) {
    app.note("select a body that moves, and the camera can follow it", LogLine::Kind::kWarning);
  }
  app.follow = !app.follow && moves;
}

/// By a tenth of its slider: the parameter that was changed last, or the scene's first.
void changeParameter(AppState& app, int direction) {
  if (app.status.recording) {
    app.note("a recording is played: its scene cannot be changed", LogLine::Kind::kError);
    return;
  }
  if (app.openingAnother()) return;  // its parameters are not known yet
  const std::vector<SceneParameter>& all = app.frame->scene->parameters;
  if (all.empty()) {
    app.note("the scene has no parameter", LogLine::Kind::kWarning);
    return;
  }
  // Of those that were changed, also by what is not answered yet.
  const SceneParameter* one = &all.front();
  Real value = one->value;
  for (const ParameterOverride& change : app.lastAsked().changes) {
    const auto at = std::ranges::find_if(
        all, [&](const SceneParameter& known) { return "scene." + known.name == change.path; });
    if (at == all.end()) continue;
    one = &*at;
    value = std::strtod(change.value.c_str(), nullptr);
  }
  const SliderScale scale(one->minimum, one->maximum, one->defaultValue, one->integer);
  Real next = scale.value(scale.position(value) + 0.1 * direction);
  // A tenth of a short range of whole numbers is less than one of them.
  if (one->integer && next == value) next += direction;
  next = std::clamp(next, one->minimum, one->maximum);
  if (next == value) {
    app.note(fmt::format("{} is {:g} already, the {} that the scene takes", one->name, value,
                         direction > 0 ? "most" : "least"));
    return;
  }
  app.change({"scene." + one->name, fmt::format("{:.6g}", next)});
}

}  // namespace

std::span<const Action> actions() { return kActions; }
std::span<const MouseHelp> mouseHelp() { return kMouse; }

std::optional<ActionId> actionOfKey(std::string_view key) {
  if (key.empty()) return std::nullopt;
  for (const Action& action : kActions) {
    if (action.keys[0] == key || action.keys[1] == key) return action.id;
  }
  return std::nullopt;
}

std::string keyName(std::string_view label, bool ctrl, bool shift) {
  std::string name;
  if (ctrl) name += "Ctrl+";
  if (shift && label == "/") return name + "?";
  // Signs are themselves wherever they are on the keyboard.
  const bool isSign = label.size() == 1 && std::isalnum(static_cast<unsigned char>(label[0])) == 0;
  if (shift && label == "=") return name + "+";
  if (shift && !isSign) name += "Shift+";
  return name + std::string(label);
}

void perform(ActionId action, AppState& app, bool repeated) {
  DrawOptions& draw = app.draw;
  switch (action) {
    case ActionId::kPause:
      app.send(app.plays() ? Command(Pause{}) : Command(Play{}));
      break;
    case ActionId::kStep:
      app.send(StepBy{1, repeated});
      break;
    case ActionId::kBack:
      app.send(StepBy{-1, repeated});
      break;
    case ActionId::kRestart:
      app.send(Restart{});
      break;
    case ActionId::kReopen:
      app.reopen();
      break;
    case ActionId::kMore:
      changeParameter(app, 1);
      break;
    case ActionId::kLess:
      changeParameter(app, -1);
      break;
    case ActionId::kLoop:
      app.send(SetLoop{!app.status.loops});
      break;
    case ActionId::kFaster:
      changeSpeed(app, 2);
      break;
    case ActionId::kSlower:
      changeSpeed(app, 0.5);
      break;
    case ActionId::kNextScene:
      stepScene(app, 1);
      break;
    case ActionId::kPreviousScene:
      stepScene(app, -1);
      break;
    case ActionId::kNextSolver:
      stepSolver(app, 1);
      break;
    case ActionId::kPreviousSolver:
      stepSolver(app, -1);
      break;
    case ActionId::kContacts:
      draw.contactPoints = draw.contactNormals = !draw.contactPoints;
      break;
    case ActionId::kForces:
      draw.impulses = !draw.impulses;
      break;
    case ActionId::kIslands:
      draw.bodies =
          draw.bodies == BodyColoring::kIsland ? BodyColoring::kBody : BodyColoring::kIsland;
      break;
    case ActionId::kWireframe:
      draw.wireframe = !draw.wireframe;
      break;
    case ActionId::kTransparent:
      draw.transparent = !draw.transparent;
      break;
    case ActionId::kFrameAll:
      frameAll(app);
      break;
    case ActionId::kFollow:
      toggleFollow(app);
      break;
    case ActionId::kDeselect:
      draw.selected = {};
      app.follow = app.help = false;
      break;
    case ActionId::kThrow:
      throwBox(app);
      break;
    case ActionId::kRace:
      app.raceOpen = !app.raceOpen;
      break;
    case ActionId::kPanels:
      app.layout.panels = !app.layout.panels;
      break;
    case ActionId::kFoldLeft:
      app.layout.foldLeft = !app.layout.foldLeft;
      break;
    case ActionId::kFoldRight:
      app.layout.foldRight = !app.layout.foldRight;
      break;
    case ActionId::kProfiler:
      app.layout.open["profiler"] = !app.layout.isOpen("profiler", true);
      app.layout.panels = true;
      break;
    case ActionId::kHelp:
      app.help = !app.help;
      break;
    case ActionId::kScreenshot:
      app.screenshot = "";
      break;
    case ActionId::kVideo:
      app.toggleVideo = true;
      break;
    case ActionId::kCopyCamera:
      copyCamera(app);
      break;
    case ActionId::kQuit:
      app.quit = true;
      break;
  }
}

}  // namespace drystone::viewer
