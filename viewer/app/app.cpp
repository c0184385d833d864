#include "viewer/app/app.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "viewer/app/actions.h"
#include "viewer/app/app_state.h"
#include "viewer/app/interface.h"
#include "viewer/app/kept_list.h"
#include "viewer/app/scene_target.h"
#include "viewer/app/screenshot.h"
#include "viewer/app/script_runner.h"
#include "viewer/app/style.h"
#include "viewer/app/video_recorder.h"
#include "viewer/app/window.h"
#include "viewer/render/renderer.h"
#include "viewer/scene/draw_scene.h"
#include "viewer/simulation/end_simulation.h"

namespace drystone::viewer {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kPictureTime = 1.0 / 60;  // [s] where the screen does not set the pace
constexpr double kIdleAfter = 0.5;         // [s] without news the window waits for events
constexpr double kIdleWait = 0.1;          // [s] and looks at the simulation that often
constexpr double kEndWait = 0.7;           // [s] that the step under way may still take at the end

double secondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// What a picture of the scene depends on.
struct Drawn {
  std::uint64_t version = 0;  ///< of the draw list
  Camera camera;
  int width = 0, height = 0;  ///< [pixels]
  bool hasSpring = false;
  bool operator==(const Drawn&) const = default;
};

class App {
 public:
  App(const AppOptions& options, const SolverRegistry& registry)
      : options_(options),
        script_(options.script.empty() ? std::vector<ScriptLine>() : readScript(options.script)),
        state_(begin(options, registry), registry, options.log),
        window_(windowSettings(options, state_.layout)),
        settings_(windowSettingsFor(Renderer::deviceName())),
        renderer_(settings_) {
    state_.scale = window_.scale();
    state_.bold = setUpStyle(state_.scale);
    state_.device = Renderer::deviceName();
    window_.onKey = [this](const std::string& key) {
      const auto action = actionOfKey(key);
      if (action) perform(*action, state_);
      lastNews_ = Clock::now();
    };
    state_.journal.say("device " + state_.device);
    if (!options.paused) state_.send(Play{});
  }

  void run() {
    while (!window_.closing() && !state_.quit) {
      pace();
      takeNews();
      drawPicture();
      if (options_.frames && ++pictures_ >= *options_.frames) state_.quit = true;
    }
    end();
  }

 private:
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

  /// Waits for events while nothing happens; else at most for the rest of the picture's time.
  void pace() {
    const bool idle = !script_.active() && secondsSince(lastNews_) > kIdleAfter;
    if (!idle) {
      // What comes meanwhile is taken, and makes no picture of its own.
      for (double rest = restOfPicture(); rest > 0; rest = restOfPicture()) window_.poll(rest);
    }
    window_.poll(idle ? kIdleWait : 0);
    const double took = secondsSince(lastPicture_);
    lastPicture_ = Clock::now();
    if (!idle && took > 0) {
      state_.picturesPerSecond += 0.1 * (1 / took - state_.picturesPerSecond);
    }
  }

  void takeNews() {
    const ViewFrame* before = state_.frame;
    const std::int64_t step = before == nullptr ? -1 : shownStep_;
    state_.frame = &state_.simulation->latestFrame();
    state_.status = state_.simulation->status();
    state_.race = state_.simulation->race();
    shownStep_ = state_.frame->snapshot.step;
    for (const LogLine& line : state_.simulation->takeLog()) {
      state_.note(line.text, line.kind);
      state_.journal.say((line.kind == LogLine::Kind::kError ? "error " : "log ") + line.text);
      // A scene that cannot be opened does not come.
      if (line.kind == LogLine::Kind::kError) state_.newScene = false;
    }
    const bool changed = shownStep_ != step || scene_ != state_.frame->scene;
    const bool raceRuns = state_.race && !state_.race->finished;
    if (changed || raceRuns || !state_.status.paused) lastNews_ = Clock::now();
    if (scene_ != state_.frame->scene) takeScene();
    state_.history.add(state_.frame->report);
  }

  /// Bodies come and go with a new SceneView too: only another scene gets another camera.
  void takeScene() {
    const bool isOther =
        scene_ == nullptr || state_.newScene || scene_->name != state_.frame->scene->name;
    scene_ = state_.frame->scene;
    if (state_.selectedBody() == nullptr) state_.draw.selected = {};
    if (!isOther) return;
    state_.newScene = false;
    state_.draw.selected = {};
    state_.follow = false;
    state_.history.clear();
    cameraPending_ = true;
    window_.setTitle(scene_->name + " - drystone");
  }

  void drawPicture() {
    window_.beginFrame();
    interface_.place(state_);
    script_.advance(state_, interface_);
    interface_.draw(state_);
    const ImGuiIO& io = ImGui::GetIO();
    const bool byHand = io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || io.MouseWheel != 0 ||
                        ImGui::IsAnyMouseDown() || io.WantTextInput;
    if (byHand) lastNews_ = Clock::now();
    moveCamera();
    tellMeasure();
    drawScene();
    window_.drawInterface();
    takePictures();
    window_.present();
    for (const std::string& line : changesBetween(watched_, watchedOf(state_))) {
      state_.journal.say(line);
    }
    watched_ = watchedOf(state_);
    const std::string errors = Renderer::takeErrors();
    if (!errors.empty()) {
      state_.journal.say("gl error " + errors);
      state_.note("OpenGL: " + errors, LogLine::Kind::kError);
    }
  }

  void moveCamera() {
    if (cameraPending_) {
      state_.camera = initialCamera(*state_.frame, state_.view.aspect());
      cameraPending_ = false;
    }
    if (state_.frameAll) {
      Vec3 lower, upper;
      sceneBounds(*state_.frame, lower, upper);
      state_.camera.frame(lower, upper, state_.view.aspect());
      state_.frameAll = state_.follow = false;
    }
    const auto& bodies = state_.frame->snapshot.bodies;
    const auto body = std::ranges::find(bodies, state_.draw.selected, &BodySnapshot::id);
    if (!state_.follow || body == bodies.end()) {
      followed_.reset();
      return;
    }
    // The first move takes the body into the middle, the others keep it there.
    const Vec3 way = body->centerOfMass - followed_.value_or(state_.camera.target);
    state_.camera.position += way;
    state_.camera.target += way;
    followed_ = body->centerOfMass;
  }

  /// Asks the simulation for what is shown, and for no more: it costs time.
  void tellMeasure() {
    const DrawOptions& draw = state_.draw;
    const bool contacts = draw.contactPoints || draw.contactNormals || draw.impulses || draw.cones;
    Measure wanted;
    wanted.residuals = (contacts && draw.contacts == ContactColoring::kResidual) ||
                       state_.selectedBody() != nullptr;
    wanted.graphColors = contacts && draw.contacts == ContactColoring::kGraph;
    if (wanted.residuals == measured_.residuals && wanted.graphColors == measured_.graphColors) {
      return;
    }
    measured_ = wanted;
    state_.send(wanted);
  }

  void drawScene() {
    const ImVec2 pixels = ImGui::GetIO().DisplayFramebufferScale;
    const std::optional<Line> line = spring();
    const DrawList& list =
        list_.of(*state_.frame, state_.simulation->frameNumber(), state_.draw, line);
    const Drawn wanted = {.version = list.version,
                          .camera = state_.camera,
                          .width = std::max(1, static_cast<int>(state_.view.width * pixels.x)),
                          .height = std::max(1, static_cast<int>(state_.view.height * pixels.y)),
                          .hasSpring = line.has_value()};
    // The picture of the scene stays in its target, for news of the panels alone.
    if (wanted != drawn_ || wanted.hasSpring) {
      target_.begin(wanted.width, wanted.height, settings_.samples);
      renderer_.draw(list, state_.camera, wanted.width, wanted.height);
      drawn_ = wanted;
    }
    target_.show(static_cast<int>(state_.view.x * pixels.x),
                 window_.pixelHeight() - wanted.height - static_cast<int>(state_.view.y * pixels.y),
                 window_.pixelWidth(), window_.pixelHeight());
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
    if (!state_.screenshot && !video_.due()) return;
    const Image image = renderer_.read(width, height);
    if (video_.due()) video_.add(state_, image);
    if (!state_.screenshot) return;
    const std::string path =
        state_.screenshot->empty() ? timestampedName("drystone", "png") : *state_.screenshot;
    state_.screenshot.reset();
    try {
      writePng(image, path);
      state_.note("screenshot " + path);
      state_.journal.say("screenshot " + path);
    } catch (const std::exception& error) {
      state_.note(error.what(), LogLine::Kind::kError);
      state_.journal.say(std::string("error ") + error.what());
    }
  }

  /// The window goes at once. A step under way has a moment to end; one that takes longer goes with
  /// the process, for nobody waits for its result.
  void end() {
    window_.hide();
    video_.finish(state_);
    state_.layout.width = window_.width();
    state_.layout.height = window_.height();
    if (options_.script.empty()) saveLayout(state_.layout, layoutPath());
    if (!endSimulation(std::move(state_.simulation), std::chrono::duration<double>(kEndWait))) {
      state_.journal.say("closed within a step");
      std::_Exit(EXIT_SUCCESS);
    }
    state_.journal.say("closed");
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
  VideoRecorder video_;
  Interface interface_;
  Watched watched_;
  std::shared_ptr<const SceneView> scene_;
  std::int64_t shownStep_ = -1;
  std::int64_t pictures_ = 0;
  bool cameraPending_ = true;
  std::optional<Vec3> followed_;
  Measure measured_;
  Clock::time_point lastPicture_ = Clock::now(), lastNews_ = Clock::now();
};

}  // namespace

void runApp(const AppOptions& options, const SolverRegistry& registry) {
  App app(options, registry);
  app.run();
}

}  // namespace drystone::viewer
