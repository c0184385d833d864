// Bytes are changes to a recording: pairs of a place and a byte, or a length to cut it at. Places
// count what is not zero in the file, since most of a recording is room that is not yet used. It is
// refused, or all that it holds can be read; what is damaged further inside is refused when it is
// asked for.

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/recording/recorder.h"
#include "solvers/default_registry.h"
#include "tests/fuzz/fuzz_input.h"

namespace drystone::fuzz {
namespace {

constexpr int kSteps = 3;
constexpr std::int64_t kMost = 4;  // of frames and steps that are looked at, from either end

/// A ball that falls on another one, which a force plate weighs, as a file.
std::string recordedRun() {
  World world({}, makeDefaultRegistry());
  const BodyId fixed =
      world.addBody({.name = "fixed", .kind = BodyKind::kStatic, .shape = Sphere{0.5}});
  world.addBody({.name = "ball", .shape = Sphere{0.5}, .pose = {.position = {0.01, 0, 1}}});
  world.setForcePlates({ForcePlateDefinition{.name = "plate", .body = fixed}});
  RecordingInfo info{.scene = "two balls", .sceneText = "{}", .solvers = {"auto"}};
  info.files.push_back({"mesh.obj", "v 0 0 0"});
  const std::string path = "/dev/shm/drystone-fuzz-" + std::to_string(getpid()) + ".h5";
  Recorder recorder(path, info, world);
  for (int step = 0; step < kSteps; ++step) {
    world.step();
    recorder.addStep(world);
  }
  recorder.finish(world);
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  std::filesystem::remove(path);
  return bytes.str();
}

std::vector<std::size_t> placesOf(const std::string& bytes) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != 0) places.push_back(i);
  }
  return places;
}

void damage(FuzzInput& in, const std::vector<std::size_t>& places, std::string& bytes) {
  while (!in.isEmpty()) {
    const std::size_t code = in.byte() << 16 | in.byte() << 8 | in.byte();
    // The byte itself, or one of those behind it: zeros are numbers too.
    const std::size_t at = places[(code >> 3) % places.size()] + (code & 7);
    const std::uint8_t value = in.byte();
    if (code >= 0xfff000) return bytes.resize(std::min(bytes.size(), at));
    if (at < bytes.size()) bytes[at] = static_cast<char>(value);
  }
}

void readAll(const Recording& recording) {
  const std::int64_t steps = recording.stepCount(), frames = recording.frameCount();
  require(steps >= 0 && frames >= 0, "a count is negative");
  WorldSnapshot snapshot;
  for (std::int64_t i = 0; i < std::min(frames, kMost); ++i) {
    for (const std::int64_t frame : {i, frames - 1 - i}) {
      isAccepted([&] { recording.frame(frame, snapshot); });
      isAccepted([&] { recording.stepOfFrame(frame); });
      isAccepted([&] { recording.plateReadings(frame); });
    }
  }
  isAccepted([&] { recording.steps(1, std::min(steps, kMost)); });
  isAccepted([&] { recording.steps(steps, 1); });
  for (std::int64_t step = 1; step <= std::min(steps, kMost); ++step) {
    isAccepted([&] { recording.events(step); });
    isAccepted([&] { recording.frameOfStep(step); });
  }
}

}  // namespace
}  // namespace drystone::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace drystone;
  static const std::string sound = fuzz::recordedRun();
  static const std::vector<std::size_t> places = fuzz::placesOf(sound);
  std::string bytes = sound;
  fuzz::FuzzInput in(data, size);
  fuzz::damage(in, places, bytes);
  const fuzz::MemoryFile file(bytes);
  const bool isRead = fuzz::isAccepted([&] { fuzz::readAll(Recording(file.path())); });
  fuzz::require(isRead || size > 0, "a sound recording is refused");
  return 0;
}
