#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/support/csv_values.h"
#include "apps/support/output_file.h"
#include "bench/studies/shadow_solver.h"
#include "core/timer.h"
#include "engine/world/world.h"
#include "scenes/scene.h"

namespace drystone::bench {

constexpr int kMostRepeats = 1'000'000;

struct StudyOptions {
  std::string program;              ///< of the names of files
  Real seconds = 20;                ///< simulated, of the six machines [s]
  Real limit = 120;                 ///< wall clock a scene, where a study stops early [s]
  int repeats = 3;                  ///< of every timed solve; the fastest counts
  std::vector<std::string> scenes;  ///< those of the study; empty: all of them
  std::string csvFolder;            ///< empty: no files

  bool wants(const std::string& scene) const;
  /// Makes the folder (its parent must be there), or throws UsageError.
  void checkCsvFolder() const;
};

/// "PROGRAM_NAME.csv" in the folder of the options, and nothing where there is none.
class CsvFile {
 public:
  CsvFile(const StudyOptions& options, const std::string& name, const std::string& header);

  template <class... Values>
  void row(const Values&... values) {
    if (file_) file_->writeLine(cli::csvRow(values...));
  }

 private:
  std::optional<cli::LineFile> file_;
};

/// The scenes of a list of cases, each once where its cases follow each other.
template <class Cases>
std::vector<std::string> scenesOf(const Cases& cases) {
  std::vector<std::string> scenes;
  for (const auto& one : cases) scenes.emplace_back(one.scene);
  scenes.erase(std::unique(scenes.begin(), scenes.end()), scenes.end());
  return scenes;
}

/// A line of a markdown table that has just been printed shows at once.
template <class... Values>
void printRow(fmt::format_string<Values...> format, Values&&... values) {
  fmt::print(format, std::forward<Values>(values)...);
  std::fflush(stdout);
}

Real mean(std::span<const Real> values);
Real largest(std::span<const Real> values);

/// Simulated frames, and which of them are looked at.
struct FrameRange {
  int first = 0;
  int count = 0;   ///< frames of the simulation from `first` on
  int stride = 1;  ///< of those looked at
};
/// Over the whole duration of a scene, or `seconds` of it.
FrameRange framesOf(const Scene& scene, Real seconds);

/// Simulates with the solver "shadow" of `shadow`, which is on for the frames looked at, and calls
/// back after each of them; `shadow.records` then holds the problems of that frame. Ends early
/// after `limit` seconds of wall clock. Returns the number of frames looked at.
int simulate(Scene scene, Shadow& shadow, const FrameRange& range, Real limit,
             const std::function<void(World&)>& eachFrame);

}  // namespace drystone::bench
