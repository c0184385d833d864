#include "bench/studies/study.h"

#include <algorithm>
#include <filesystem>

#include "engine/core/input_error.h"
#include "scenes/scene_builder.h"

namespace drystone::bench {

bool StudyOptions::wants(const std::string& scene) const {
  met_.insert(scene);
  return scenes.empty() || std::find(scenes.begin(), scenes.end(), scene) != scenes.end();
}

std::vector<std::string> StudyOptions::unknownScenes() const {
  std::vector<std::string> unknown = scenes;
  std::erase_if(unknown, [&](const std::string& scene) { return met_.contains(scene); });
  return unknown;
}

CsvFile::CsvFile(const StudyOptions& options, const std::string& name, const std::string& header) {
  if (options.csvFolder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(options.csvFolder, error);
  if (error) {
    throw InputError("cannot make the folder " + options.csvFolder +
                     " for --csv: " + error.message());
  }
  const auto path =
      std::filesystem::path(options.csvFolder) / (options.program + "_" + name + ".csv");
  file_ = std::fopen(path.c_str(), "w");
  if (file_ == nullptr) throw InputError("cannot write " + path.string());
  fmt::print(file_, "{}\n", header);
}

CsvFile::~CsvFile() {
  if (file_ != nullptr) std::fclose(file_);
}

Real mean(std::span<const Real> values) {
  Real sum = 0;
  for (const Real value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<Real>(values.size());
}

Real largest(std::span<const Real> values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

FrameRange framesOf(const Scene& scene, Real seconds) {
  const int frames = static_cast<int>(seconds / scene.settings.timestep + 0.5);
  return {0, std::clamp(frames, 1, scene.stepCount()), 1};
}

int simulate(Scene scene, Shadow& shadow, const FrameRange& range, Real limit,
             const std::function<void(World&)>& eachFrame) {
  scene.settings.solver = {.name = "shadow"};
  scene.settings.threads = 1;
  shadow.friction = scene.settings.friction;
  World world = buildWorld(scene, shadow.registry());
  const Timer timer;
  int seen = 0;
  for (int step = 0; step < range.first + range.count; ++step) {
    shadow.isOn = step >= range.first && (step - range.first) % range.stride == 0;
    shadow.records.clear();
    world.step();
    if (!shadow.isOn) continue;
    ++seen;
    eachFrame(world);
    if (timer.milliseconds() > 1e3 * limit) break;
  }
  return seen;
}

}  // namespace drystone::bench
