#include "viewer/window/app.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "viewer/draw/draw_scene.h"
#include "viewer/render/renderer.h"
#include "viewer/session/simulation.h"
#include "viewer/window/actions.h"
#include "viewer/window/app_state.h"
#include "viewer/window/camera_control.h"
#include "viewer/window/interface.h"
#include "viewer/window/kept_list.h"
#include "viewer/window/panels/windows.h"
#include "viewer/window/picture_scale.h"
#include "viewer/window/script_runner.h"
#include "viewer/window/style.h"
#include "viewer/window/video_recorder.h"
#include "viewer/window/window.h"

namespace drystone::viewer {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kPictureTime = 1.0 / 60;  // [s] where the screen does not set the pace
constexpr double kIdleAfter = 1;           // [s] without news no picture is drawn; panels show what
                                           // the hand did for less than that
constexpr double kIdleWait = 0.1;          // [s] and looks at the simulation that often
constexpr double kStillAfter =
    0.2;                          // [s] without another picture of the scene it gets all its pixels
constexpr double kEndWait = 0.7;  // [s] that the step and video under way still have at the end

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// What a picture of the scene depends on.
struct Drawn {
  std::uint64_t version = 0;  ///< of the draw list
  Camera camera;
  int width = 0, height = 0;  ///< where it is shown [pixels]
  bool hasSpring = false;
  bool operator==(const Drawn&) const = default;
};

class App {
 public:
  App(const AppOptions& options, const SolverRegistry& registry)
      : options_(options),
        script_(options.script.empty() ? std::vector<ScriptLine>() : readScript(options.script)),
        state_(begin(options, registry), registry, options.log,
               {.path = options.path, .read = options.read}),
        window_(windowSettings(options, state_.layout)),
        settings_(windowSettingsFor(Renderer::deviceName())),
        renderer_(settings_) {
    state_.scale = window_.scale();
    state_.bold = setUpStyle(state_.scale);
    state_.device = Renderer::deviceName();
    window_.onKey = [this](const std::string& key, bool repeated) {
      if (const auto action = actionOfKey(key)) keys_.push_back({*action, repeated});
    };
    window_.onDrop = [this](const std::vector<std::string>& paths) { state_.openDropped(paths); };
    state_.journal.say("device " + state_.device);
    if (!options.paused) state_.send(Play{});
  }

  AppEnd run() {
    AppEnd how;
    try {
      how.interrupted = runUntilClosed();
    } catch (...) {
      // The simulation must not be left to its destructor, which waits for the step under way.
      how.problem = std::current_exception();
    }
    how.withinStep = !end();
    return how;
  }

 private:
  struct PressedKey {
    ActionId action;
    bool repeated = false;
  };

  /// True: AppOptions::interrupted closed it.
  bool runUntilClosed() {
    while (!window_.closing() && !state_.quit) {
      if (options_.interrupted && options_.interrupted()) return true;
      pace();
      takeNews();
      if (isPictureDue()) {
        drawPicture();
        if (options_.frames && ++pictures_ >= *options_.frames) state_.quit = true;
      }
      tellChanges();
    }
    return false;
  }

  static std::unique_ptr<Simulation> begin(const AppOptions& options,
                                           const SolverRegistry& registry) {
    if (options.scene) return std::make_unique<Simulation>(*options.scene, registry);
    return std::make_unique<Simulation>(options.path, registry);
  }

  static WindowSettings windowSettings(const AppOptions& options, Layout& layout) {
    layout = loadLayout(layoutPath());
    if (options.width) layout.width = *options.width;
    if (options.height) layout.height = *options.height;
    return {.width = layout.width,
            .height = layout.height,
            .title = "drystone",
            .debug = !options.log.empty()};
  }

  double restOfPicture() const { return kPictureTime - secondsSince(lastPicture_); }

  bool isIdle() const { return !script_.active() && secondsSince(lastNews_) > kIdleAfter; }

  /// Waits for events while nothing happens; else at most for the rest of the picture's time.
  void pace() {
    const bool idle = isIdle();
    if (!idle) {
      // What comes meanwhile is taken, and makes no picture of its own.
      for (double rest = restOfPicture(); rest > 0; rest = restOfPicture()) window_.poll(rest);
    }
    window_.poll(idle ? kIdleWait : 0);
    if (window_.takeEvents()) lastNews_ = Clock::now();
    const double took = secondsSince(lastPicture_);
    lastPicture_ = Clock::now();
    if (!idle && took > 0) {
      state_.picturesPerSecond += 0.1 * (1 / took - state_.picturesPerSecond);
    }
  }

  void takeNews() {
    const std::int64_t step = state_.frame->snapshot.step;
    state_.update();
    if (state_.newScene || state_.frame->scene != scene_) takeScene();
    video_.update(state_);
    const bool raceRuns = state_.race && !state_.race->finished;
    const bool lineGoes = newsShown_ && !isNewsShown(state_);
    const bool lineComes = state_.newestLogTime > lastNews_;
    if (state_.frame->snapshot.step != step || state_.newScene || raceRuns || lineComes ||
        lineGoes || !state_.status.paused || state_.status.work) {
      lastNews_ = Clock::now();
    }
  }

  /// Bodies come and go with a new SceneView too: only another scene gets another camera.
  void takeScene() {
    const bool isOther = scene_ == nullptr || state_.newScene;
    scene_ = state_.frame->scene;
    lastNews_ = Clock::now();
    if (state_.selectedBody() == nullptr) state_.draw.selected = {};
    if (!isOther) return;
    state_.draw.selected = {};
    state_.follow = false;
    const ViewBody* carrier = scene_->followed();
    state_.carrier = carrier == nullptr ? BodyId{} : carrier->id;
    camera_.startAnew();
    window_.setTitle(scene_->name + " - drystone");
  }

  /// While nothing happens the window keeps what it shows. One without a size shows nothing.
  bool isPictureDue() const {
    if (window_.pixelWidth() < 1 || window_.pixelHeight() < 1) return false;
    return !isIdle() || video_.isActive() || options_.frames.has_value();
  }

  void drawPicture() {
    window_.beginFrame();
    interface_.place(state_);
    camera_.begin(state_);
    for (const PressedKey& key : std::exchange(keys_, {})) {
      perform(key.action, state_, key.repeated);
    }
    script_.advance(state_, interface_);
    interface_.draw(state_);
    // A held button may scroll, a text has a cursor that blinks.
    if (ImGui::IsAnyMouseDown() || ImGui::GetIO().WantTextInput) lastNews_ = Clock::now();
    camera_.update(state_);
    tellMeasure();
    drawScene();
    window_.drawInterface();
    takePictures();
    window_.present();
    newsShown_ = isNewsShown(state_);
    const std::string errors = Renderer::takeErrors();
    if (!errors.empty()) {
      state_.journal.say("gl error " + errors);
      state_.note("OpenGL: " + errors, LogLine::Kind::kError);
    }
  }

  void tellChanges() {
    const Watched now = watchedOf(state_);
    const std::vector<std::string> changes = changesBetween(watched_, now);
    if (!changes.empty()) lastNews_ = Clock::now();
    for (const std::string& line : changes) state_.journal.say(line);
    watched_ = now;
  }

  /// Asks the simulation for what is shown, and for no more: it costs time.
  void tellMeasure() {
    const DrawOptions& draw = state_.draw;
    const bool colors = draw.colorsContacts();
    Measure wanted;
    wanted.residuals =
        (colors && draw.contacts == ContactColoring::kResidual) || state_.selectedBody() != nullptr;
    wanted.graphColors = colors && draw.contacts == ContactColoring::kGraph;
    if (wanted.residuals == measured_.residuals && wanted.graphColors == measured_.graphColors) {
      return;
    }
    measured_ = wanted;
    state_.send(wanted);
  }

  void drawScene() {
    const ImVec2 pixels = ImGui::GetIO().DisplayFramebufferScale;
    const std::optional<Line> line = spring();
    DrawOptions shown = state_.drawn();
    shown.axes = shown.axes && state_.layout.panels;
    shown.legends = shown.legends && state_.layout.panels;
    const DrawList& list = list_.of(*state_.frame, state_.simulation->frameNumber(), shown, line);
    const Drawn wanted = {.version = list.version,
                          .camera = state_.camera,
                          .width = std::max(1, static_cast<int>(state_.view.width * pixels.x)),
                          .height = std::max(1, static_cast<int>(state_.view.height * pixels.y)),
                          .hasSpring = line.has_value()};
    // The picture of the scene stays in its target, for news of the panels alone.
    if (wanted != drawn_ || wanted.hasSpring) {
      paintScene(list, wanted, scaleOfMotion(wanted));
    } else if (paintedScale_ < 1 && (isKept() || secondsSince(lastPainted_) > kStillAfter)) {
      paintScene(list, wanted, 1);
    }
    const PixelRectangle place = {
        static_cast<int>(state_.view.x * pixels.x),
        window_.pixelHeight() - wanted.height - static_cast<int>(state_.view.y * pixels.y),
        wanted.width, wanted.height};
    target_.show(place, window_.pixelWidth(), window_.pixelHeight());
    renderer_.drawWords(list, state_.camera, place);
  }

  /// Whether the picture is for more than the moment: it has all pixels then.
  bool isKept() const {
    return state_.screenshot || state_.toggleVideo || video_.isActive() || !options_.script.empty();
  }

  /// The scale of a picture that differs from the one before.
  double scaleOfMotion(const Drawn& wanted) {
    const double took = secondsSince(lastPainted_);
    if (wanted.width != drawn_.width || wanted.height != drawn_.height || state_.newScene) {
      scale_.startAnew();
    } else if (took < kStillAfter) {
      scale_.take(took);
    }
    return isKept() ? 1 : scale_.value();
  }

  void paintScene(const DrawList& list, const Drawn& wanted, double scale) {
    const int width = std::max(1, static_cast<int>(scale * wanted.width));
    const int height = std::max(1, static_cast<int>(scale * wanted.height));
    target_.begin(width, height, settings_.samples);
    renderer_.drawScene(list, state_.camera, width, height);
    drawn_ = wanted;
    paintedScale_ = scale;
    lastPainted_ = Clock::now();
  }

  /// From the held point of a body to where it is pulled.
  std::optional<Line> spring() const {
    if (!state_.held) return std::nullopt;
    const auto& bodies = state_.frame->snapshot.bodies;
    const auto body = std::ranges::find(bodies, state_.held->body, &BodySnapshot::id);
    if (body == bodies.end()) return std::nullopt;
    const Vec3 point = body->pose * state_.held->pointInBody;
    const Vec3& origin = state_.frame->scene->layout.origin;
    return Line{(point - origin).cast<float>(),
                (state_.held->target - origin).cast<float>(),
                {0.84f, 0.37f, 0, 1},
                true};
  }

  void takePictures() {
    const int width = window_.pixelWidth(), height = window_.pixelHeight();
    if (state_.toggleVideo) video_.toggle(state_, width, height);
    state_.toggleVideo = false;
    if (!state_.screenshot && !video_.isDue()) return;
    const Image image = renderer_.read(width, height);
    if (video_.isDue()) video_.add(state_, image);
    if (!state_.screenshot) return;
    const std::string path =
        state_.screenshot->empty() ? timestampedName("drystone", "png") : *state_.screenshot;
    state_.screenshot.reset();
    state_.screenshotProblem.clear();
    try {
      writePng(image, path);
      state_.note("screenshot " + path);
      state_.journal.say("screenshot " + path);
    } catch (const std::exception& error) {
      state_.screenshotProblem = error.what();
      state_.note(error.what(), LogLine::Kind::kError);
    }
  }

  /// The window goes at once. A step under way has a moment to end; one that takes longer goes with
  /// the process, for nobody waits for its result: false. Videos end meanwhile.
  bool end() {
    const auto latest = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(kEndWait));
    window_.hide();
    video_.end(state_);
    state_.layout.width = window_.pointWidth();
    state_.layout.height = window_.pointHeight();
    if (options_.script.empty()) saveLayout(state_.layout, layoutPath());
    const bool hasEnded = endSimulation(std::move(state_.simulation), latest - Clock::now());
    video_.close(state_, latest);
    state_.journal.say(hasEnded ? "closed" : "closed within a step");
    return hasEnded;
  }

  const AppOptions options_;
  ScriptRunner script_;
  AppState state_;
  Window window_;
  const RenderSettings settings_;
  Renderer renderer_;
  SceneTarget target_;
  KeptList list_;
  Drawn drawn_;  // what the target shows
  PictureScale scale_;
  double paintedScale_ = 1;  // of what the target shows
  VideoRecorder video_;
  Interface interface_;
  Watched watched_;
  std::shared_ptr<const SceneView> scene_;
  std::int64_t pictures_ = 0;
  std::vector<PressedKey> keys_;  // since the last picture
  CameraControl camera_;
  bool newsShown_ = false;  // in the last picture
  Measure measured_;
  Clock::time_point lastPicture_ = Clock::now(), lastNews_ = Clock::now(),
                    lastPainted_ = Clock::now();
};

}  // namespace

AppEnd runApp(const AppOptions& options, const SolverRegistry& registry) {
  auto app = std::make_unique<App>(options, registry);
  const AppEnd end = app->run();
  // Taking the window down costs time, and the process is about to end anyway.
  if (end.withinStep) static_cast<void>(app.release());
  return end;
}

}  // namespace drystone::viewer
