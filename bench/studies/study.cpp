#include "bench/studies/study.h"

#include <algorithm>
#include <filesystem>

#include "scenes/scene_builder.h"

namespace drystone::bench {

bool StudyOptions::wants(const std::string& scene) const {
  return scenes.empty() || std::find(scenes.begin(), scenes.end(), scene) != scenes.end();
}

void StudyOptions::checkCsvFolder() const {
  if (!csvFolder.empty()) cli::checkWritableDirectory(csvFolder, "--csv");
}

CsvFile::CsvFile(const StudyOptions& options, const std::string& name, const std::string& header) {
  if (options.csvFolder.empty()) return;
  const auto path =
      std::filesystem::path(options.csvFolder) / (options.program + "_" + name + ".csv");
  file_.emplace(path, "--csv");
  file_->writeLine(header);
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
  const Real frames = std::min(seconds / scene.settings.timestep + 0.5, Real(scene.stepCount()));
  return {0, std::max(static_cast<int>(frames), 1), 1};
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
