#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "apps/commands.h"
#include "apps/render/picture_output.h"
#include "apps/render/render_options.h"
#include "apps/support/command_line.h"
#include "apps/support/frames/frame_source.h"
#include "apps/support/log.h"
#include "apps/support/memory_limit.h"
#include "apps/support/option_checks.h"
#include "apps/support/program.h"
#include "apps/support/progress.h"
#include "apps/support/solver_registry.h"
#include "core/input_error.h"
#include "scenes/scene_reader.h"
#include "viewer/draw/bounds.h"
#include "viewer/draw/draw_scene.h"
#include "viewer/render/offscreen.h"

namespace drystone::cli {
namespace {

constexpr double kFastestGif = 50;     // [1/s] a GIF counts in hundredths, and players skip one
constexpr double kMostPictures = 1e6;  // of one command
constexpr double kLargestGif = 4e9;    // [bytes] ffmpeg holds all pictures for their palette

/// The steps to draw, one a picture.
struct Schedule {
  std::int64_t first = 0;  ///< step of the first picture
  std::int64_t count = 1;  ///< pictures
  Real stepsEach = 0;      ///< from picture to picture; not a whole number
  std::int64_t step(std::int64_t picture) const {
    return first + std::llround(static_cast<Real>(picture) * stepsEach);
  }
};

/// The step nearest to the time, in the range that there is.
std::int64_t stepAt(Real time, const char* option, const FrameSource& source, bool recorded) {
  const Real steps = time / source.timestep();
  if (steps > static_cast<Real>(kMostSteps)) {
    throw UsageError(fmt::format("{}: {:g} s are {:.3g} steps", option, time, steps));
  }
  const std::int64_t step = std::llround(steps);
  if (recorded && step > source.lastStep()) {
    throw UsageError(fmt::format("{}: the recording ends at {:g} s", option,
                                 static_cast<Real>(source.lastStep()) * source.timestep()));
  }
  return step;
}

Schedule scheduleOf(const RenderOptions& options, PictureKind kind, const FrameSource& source,
                    bool recorded) {
  Schedule schedule;
  const SimulationOptions& simulation = options.simulation;
  if (kind == PictureKind::kPicture) {
    schedule.first = source.lastStep();
    if (simulation.time) schedule.first = stepAt(*simulation.time, "--time", source, recorded);
    if (simulation.steps) schedule.first = *simulation.steps;
    if (recorded && schedule.first > source.lastStep()) {
      throw UsageError(
          fmt::format("--step: the recording has {}", counted(source.lastStep(), "step")));
    }
    return schedule;
  }
  const std::int64_t last =
      options.to ? stepAt(*options.to, "--to", source, recorded) : source.lastStep();
  schedule.first = options.from ? stepAt(*options.from, "--from", source, recorded) : 0;
  if (schedule.first > 0 && schedule.first >= last) {
    throw UsageError(fmt::format("--from: nothing is left to draw from {:g} s to {:g} s",
                                 static_cast<Real>(schedule.first) * source.timestep(),
                                 static_cast<Real>(last) * source.timestep()));
  }
  schedule.stepsEach = options.speed.value_or(1) / options.videoRate() / source.timestep();
  const Real pictures =
      std::floor(static_cast<Real>(last - schedule.first) / schedule.stepsEach + 1e-9) + 1;
  if (pictures > kMostPictures) {
    throw UsageError(
        fmt::format("{:.3g} pictures; at most {:g} are possible: shorten it by --from "
                    "and --to, or raise --speed",
                    pictures, kMostPictures));
  }
  schedule.count = static_cast<std::int64_t>(pictures);
  return schedule;
}

void checkKind(const RenderOptions& options, PictureKind kind) {
  const bool picture = kind == PictureKind::kPicture;
  const std::pair<const char*, bool> ofVideos[] = {{"--from", options.from.has_value()},
                                                   {"--to", options.to.has_value()},
                                                   {"--orbit", options.orbit.has_value()},
                                                   {"--fps", options.framesPerSecond.has_value()},
                                                   {"--speed", options.speed.has_value()}};
  const std::pair<const char*, bool> ofPictures[] = {
      {"--time", options.simulation.time.has_value()},
      {"--step", options.simulation.steps.has_value()}};
  for (const auto& [option, given] : ofVideos) {
    if (given && picture) {
      throw UsageError(fmt::format("{} is for videos; a picture has --time or --step", option));
    }
  }
  for (const auto& [option, given] : ofPictures) {
    if (given && !picture) {
      throw UsageError(fmt::format("{} is for one picture; a video has --from and --to", option));
    }
  }
  if (kind == PictureKind::kGif && options.videoRate() > kFastestGif) {
    throw UsageError(fmt::format("--fps: a GIF shows at most {:g} pictures a second", kFastestGif));
  }
}

void checkGif(const Schedule& schedule, const PictureSize& size) {
  const double bytes = 4.0 * size.width * size.height * static_cast<double>(schedule.count);
  if (bytes <= kLargestGif) return;
  throw UsageError(
      fmt::format("--out: {} of {} x {} pixels are too much for a GIF ({:.1f} GB while it is "
                  "made): shorten it, "
                  "take a smaller --size, or make a .mp4",
                  counted(schedule.count, "picture"), size.width, size.height, bytes / 1e9));
}

/// The camera turned about the vertical through its target.
viewer::Camera turned(viewer::Camera camera, Real angle) {
  const Eigen::AngleAxis<Real> turn(angle, camera.up);
  camera.position = camera.target + turn * (camera.position - camera.target);
  return camera;
}

struct Drawn {
  std::int64_t pictures = 0;
  bool interrupted = false, stopped = false;
  std::string damage;  ///< of the recording, that ended it
};

/// Takes the present frame; false where a recording is damaged there, after pictures that can stay.
bool takeFrame(FrameSource& source, viewer::ViewFrame& frame, Drawn& outcome) {
  try {
    source.frame(frame);
    return true;
  } catch (const InputError& error) {
    if (outcome.pictures == 0) throw;
    outcome.damage = error.what();
    return false;
  }
}

/// Steps to a picture of the schedule; false: interrupted. A failed solve ends it early.
bool stepTo(std::int64_t picture, const Schedule& schedule, const InterruptGuard& interrupt,
            const std::string& doing, FrameSource& source, ProgressBar& bar, Drawn& outcome) {
  const std::int64_t lastStep = std::max<std::int64_t>(schedule.step(schedule.count - 1), 1);
  while (source.step() < schedule.step(picture) && !outcome.stopped) {
    outcome.interrupted = interrupt.requested();
    if (outcome.interrupted) return false;
    outcome.stopped = !source.advance() || !source.failure().empty();
    if (bar.due()) {
      bar.draw(static_cast<double>(source.step()) / static_cast<double>(lastStep),
               fmt::format("step {} of {}, {}", source.step(), lastStep, doing));
    }
  }
  return true;
}

/// The box around what moves in any picture of the schedule [m]; leaves the source at the start. An
/// end before the last picture is left to the drawing to tell of.
Bounds wayOf(const Schedule& schedule, const InterruptGuard& interrupt, FrameSource& source,
             ProgressBar& bar, Drawn& outcome) {
  viewer::ViewFrame frame;
  Bounds way, now;
  Drawn ahead;
  for (std::int64_t picture = 0; picture < schedule.count && !ahead.stopped; ++picture) {
    if (!stepTo(picture, schedule, interrupt, "looking ahead", source, bar, ahead)) break;
    ahead.pictures = picture;
    if (!takeFrame(source, frame, ahead)) break;
    viewer::sceneBounds(frame, now.lower, now.upper);
    way = picture == 0 ? now : viewer::merged(way, now);
  }
  outcome.interrupted = ahead.interrupted;
  source.restart();
  return way;
}

/// Draws the pictures of the schedule; an interruption, a failed solve or a damaged frame ends it
/// early.
Drawn drawAll(const RenderOptions& options, const viewer::DrawOptions& drawing,
              const Schedule& schedule, const PictureSize& size, FrameSource& source,
              viewer::OffscreenRenderer& renderer, PictureOutput& output) {
  const InterruptGuard interrupt;
  ProgressBar bar(!options.quiet);
  viewer::SceneDrawer drawer;
  viewer::ViewFrame frame;
  viewer::DrawList list;
  source.frame(frame);
  const Real aspect = static_cast<Real>(size.width) / size.height;
  viewer::Camera camera =
      options.camera.empty() ? initialCamera(frame, aspect) : parseCamera(options.camera);
  // The camera of an option stands where it was put.
  std::optional<Vec3> followed = options.camera.empty() ? followedPlace(frame) : std::nullopt;
  // Pictures of one camera show all that moves in any of them.
  const bool isChosenThen = options.camera.empty() && !frame.scene->hasCamera;
  const Real turn = options.orbit.value_or(0) * std::numbers::pi / 180 / options.videoRate();
  Drawn outcome;
  std::optional<Bounds> way;
  if (isChosenThen && schedule.count > 1) {
    way = wayOf(schedule, interrupt, source, bar, outcome);
    if (outcome.interrupted) return outcome;
  }
  while (outcome.pictures < schedule.count) {
    const std::string done = counted(outcome.pictures, "picture");
    if (!stepTo(outcome.pictures, schedule, interrupt, done, source, bar, outcome)) return outcome;
    if (!takeFrame(source, frame, outcome)) return outcome;
    drawer.draw(frame, drawing, list);
    if (isChosenThen && outcome.pictures == 0) {
      camera = way ? initialCamera(frame, aspect, *way) : initialCamera(frame, aspect);
    }
    if (const auto now = followedPlace(frame); followed && now) {
      camera.move(*now - *followed);
      followed = now;
    }
    output.add(renderer.render(list, turned(camera, turn * static_cast<Real>(outcome.pictures))));
    ++outcome.pictures;
    if (outcome.stopped) return outcome;
    outcome.interrupted = interrupt.requested() && outcome.pictures < schedule.count;
    if (outcome.interrupted) return outcome;
  }
  return outcome;
}

void printSummary(const RenderOptions& options, PictureKind kind, const PictureSize& size,
                  const Drawn& outcome) {
  const std::string of = fmt::format("{} x {} pixels", size.width, size.height);
  if (kind == PictureKind::kPicture) {
    fmt::print("{}: {}\n", options.out, of);
  } else {
    fmt::print("{}: {} of {}, {:.2f} s{}\n", options.out, counted(outcome.pictures, "picture"), of,
               static_cast<double>(outcome.pictures) / options.videoRate(),
               outcome.interrupted ? ", INTERRUPTED" : "");
  }
}

int render(const RenderOptions& options) {
  setUpLog(options.quiet);
  const PictureKind kind = pictureKind(options.out);
  const PictureSize size = parsePictureSize(options.size);
  const viewer::DrawOptions drawing = parseDrawing(options);
  if (!options.camera.empty()) parseCamera(options.camera);
  checkKind(options, kind);

  const SolverRegistry registry = makeRegistry();
  const bool recorded = isRecording(options.simulation.scene);
  const auto source =
      openFrames(options.simulation, registry,
                 {.residuals = drawing.contacts == viewer::ContactColoring::kResidual,
                  .graphColors = drawing.contacts == viewer::ContactColoring::kGraph});
  const Schedule schedule = scheduleOf(options, kind, *source, recorded);
  if (kind == PictureKind::kGif) checkGif(schedule, size);
  checkPictureOutput(options, kind, source->files());
  Drawn outcome;
  try {
    viewer::OffscreenRenderer renderer(size.width, size.height, {.samples = options.samples});
    const auto output = openPictureOutput(options, kind, size);
    outcome = drawAll(options, drawing, schedule, size, *source, renderer, *output);
    if (outcome.pictures > 0) output->finish();
  } catch (const viewer::NoDisplayError& error) {
    throw NoDeviceError(error.what());
  }
  if (!options.quiet && outcome.pictures > 0) printSummary(options, kind, size, outcome);
  if (outcome.stopped) {
    logError(source->failure() + ". The last picture is of that step");
    return kSolverFailure;
  }
  if (!outcome.damage.empty()) {
    logError(fmt::format("{}: the pictures end before it", outcome.damage));
    return kInvalidInput;
  }
  return outcome.interrupted ? kInterrupted : kDone;
}

void addTimeOptions(CLI::App& app, RenderOptions& options) {
  CLI::Option* step = app.add_option("--step", options.simulation.steps,
                                     "Step to take a picture of; 0 is the start")
                          ->type_name("N")
                          ->transform(wholeNumber(0, kMostSteps));
  app.add_option("--time", options.simulation.time,
                 "Time to take a picture at [s]; default: the end")
      ->type_name("S")
      ->transform(realNumber(0, kLargestReal, "s"))
      ->excludes(step);
  app.add_option("--from", options.from, "Start of the video [s]; default: 0")
      ->type_name("S")
      ->transform(realNumber(0, kLargestReal, "s"));
  app.add_option("--to", options.to, "End of the video [s]; default: that of the scene")
      ->type_name("S")
      ->transform(realNumber(kLeastTime, kLargestReal, "s"));
  app.add_option("--fps", options.framesPerSecond, "Pictures a second of the video; default: 30")
      ->type_name("N")
      ->transform(realNumber(1, 240, ""));
  app.add_option("--speed", options.speed, "Simulated seconds a second of the video; default: 1")
      ->type_name("X")
      ->transform(realNumber(1e-6, 1e6, ""));
}

void addPictureOptions(CLI::App& app, RenderOptions& options) {
  app.add_option("--size", options.size, "Width and height of pictures [pixels]")
      ->type_name("WxH")
      ->transform(notEmpty())
      ->capture_default_str();
  app.add_option("--camera", options.camera,
                 "PX,PY,PZ,TX,TY,TZ[,FOV]: position and target [m], vertical field of view "
                 "[degrees]; default: that of the scene, else all that moves")
      ->type_name("...")
      ->transform(notEmpty());
  app.add_option("--orbit", options.orbit,
                 "Turn the camera about its target [degrees a second of the video]")
      ->type_name("DEG")
      ->transform(realNumber(-3600, 3600, "degrees/s"));
  app.add_option("--show", options.show,
                 "contacts, residuals, graph, normals, impulses, cones, joints, islands, "
                 "bounds, centers, wireframe, transparent; several with commas")
      ->type_name("WORDS")
      ->transform(notEmpty());
  app.add_option("--hide", options.hide, "bodies, ground, shadows; several with commas")
      ->type_name("WORDS")
      ->transform(notEmpty());
  app.add_flag("--legend", options.legend,
               "Draw the axes, the scale of the grid, and what colors and arrows mean");
  app.add_option("--color", options.coloring, "What bodies are colored by: body, islands or speed")
      ->type_name("WHAT")
      ->transform(notEmpty())
      ->capture_default_str();
  app.add_option("--samples", options.samples, "Samples a pixel, for smooth edges; 1: none")
      ->type_name("N")
      ->transform(wholeNumber(1, 16))
      ->capture_default_str();
}

}  // namespace

Command addRenderCommand(CLI::App& program) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App* app =
      program.add_subcommand("render", "Draw a scene or recording into a picture or video");
  app->add_option("scene", options->simulation.scene,
                  "Scene file, name of a library scene, or recording")
      ->type_name("SCENE|RECORDING")
      ->transform(notEmpty())
      ->required();
  app->add_option("--out,-o", options->out,
                  "What to make, by its ending: .png, .mp4, .gif; none: a folder of pictures")
      ->type_name("FILE|DIR")
      ->transform(notEmpty())
      ->required();
  addTimeOptions(*app, *options);
  addPictureOptions(*app, *options);
  addSceneOptions(*app, options->simulation);
  addMemoryLimit(*app);
  app->add_flag("--quiet,-q", options->quiet, "No summary, progress or notes");
  app->footer(
      "Example:\n"
      "  drystone render arch --out arch.png --time 2 --show contacts,impulses\n"
      "  drystone render wall --out wall.mp4 --to 4 --orbit 10\n"
      "  drystone run crane --record crane.h5 && drystone render crane.h5 --out crane.gif "
      "--size 480x270\n");
  return {app, [options] { return render(*options); },
          "name what to draw, a scene or a recording, and --out FILE for where to"};
}

}  // namespace drystone::cli
