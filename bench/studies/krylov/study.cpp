#include "bench/studies/krylov/study.h"

#include <algorithm>

#include "bench/studies/measure.h"
#include "core/check.h"

namespace drystone::bench {

std::span<const PublishedScene> publishedScenes() {
  // Ho 2022, tables 6.1 to 6.4.
  static const std::vector<PublishedScene> kScenes = {
      {"boxes",
       0.2,
       2,
       false,
       "1:1",
       "12,000",
       "1e8",
       {"1.6", "1.5", "1.6"},
       {"2.3e-11", "9.7e-23", "2.3e-11"},
       {"22", "27", "68"}},
      {"tower",
       0.5,
       2.5,
       false,
       "50:1",
       "1,300",
       "1e8",
       {"40.9", "31.7", "40.9"},
       {"1.9e-11", "7.6e-12", "2.8e-17"},
       {"67", "160", "35"}},
      {"spinner",
       0,
       4,
       true,
       "25,000:1",
       "2,920",
       "1e6",
       {"9.6", "9.5", "9.6"},
       {"6.3e-14", "6.0e-14", "2.7e-22"},
       {"1.3", "1.0", "5.3"}},
      {"chain_rod",
       1,
       19,
       false,
       "2,000:1",
       "1,480",
       "1e8",
       {"68.0", "17.2", "68.0"},
       {"1.2e-13", "1.1e-13", "3.5e-20"},
       {"1,100", "1,400", "510"}},
      {"trucks",
       0.5,
       2,
       false,
       "8,000:1",
       "5,650",
       "1e10",
       {"47.6", "7.8", "47.6"},
       {"8.6e-11", "9.3e-11", "1.4e-13"},
       {"9,300", "5,100", "980"}},
      {"rocks",
       0.5,
       4,
       false,
       "250:1",
       "1,800",
       "1e9",
       {"17.5", "64.4", "17.5"},
       {"9.4e-17", "2.4e-16", "6.4e-19"},
       {"20,000", "50,000", "630"}},
      {"wall",
       0.2,
       0.8,
       false,
       "4:1",
       "1,006",
       "1e9",
       {"1,300", "32.9", "1,900"},
       {"1.8e10", "1.1e-11", "1.8e10"},
       {"54,000", "600", "4,700"}},
  };
  return kScenes;
}

const PublishedScene& publishedScene(const std::string& scene) {
  const auto scenes = publishedScenes();
  const auto found = std::find_if(scenes.begin(), scenes.end(),
                                  [&](const PublishedScene& one) { return one.scene == scene; });
  DRYSTONE_ASSERT(found != scenes.end());
  return *found;
}

std::vector<std::string> publishedSceneNames() { return scenesOf(publishedScenes()); }

Scene krylovScene(const std::string& name, std::vector<std::string> overrides) {
  overrides.emplace_back("world.friction=box");
  return sceneWith(name, "", {}, overrides);
}

FrameRange sampledFrames(const Scene& scene, Real first, Real seconds, int frames) {
  FrameRange range = framesOf(scene, seconds);
  range.first = static_cast<int>(first / scene.settings.timestep);
  range.stride = std::max(range.count / frames, 1);
  range.count = std::min(range.count, 1 + (frames - 1) * range.stride);
  return range;
}

ShadowRun krylovRun(const KrylovOptions& options, const std::string& solver,
                    std::vector<std::pair<std::string, std::string>> settings, bool startsFree) {
  settings.emplace_back("max_iterations", std::to_string(options.rounds));
  settings.emplace_back("time_limit_s", fmt::format("{}", options.limit));
  return {solver, startsFree, std::move(settings)};
}

FrameFigures figuresOf(std::span<const ShadowRecord> records, std::size_t run) {
  FrameFigures figures;
  for (const ShadowRecord& record : records) {
    const ShadowFigures& one = record.runs[run];
    figures.rows += record.rows;
    figures.tightRows += record.tightRows;
    figures.outer += one.report.iterations;
    figures.inner += static_cast<Real>(one.report.innerIterations);
    figures.ms += one.cpuMs;
    figures.energyMax = std::max(figures.energyMax, one.energyMax);
    figures.regularizedRows += one.report.regularizedRows;
    figures.slip = std::max(figures.slip, one.report.relaxationError);
    if (one.report.status != SolveStatus::kConverged) figures.status = one.report.status;
  }
  return figures;
}

}  // namespace drystone::bench
