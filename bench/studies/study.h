#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "bench/studies/shadow_solver.h"
#include "engine/core/timer.h"
#include "engine/model/world.h"
#include "scenes/scene.h"

namespace drystone::bench {

struct StudyOptions {
  std::string program;              ///< of the names of files
  Real seconds = 20;                ///< simulated, of the six machines [s]
  Real limit = 120;                 ///< wall clock a scene, where a study stops early [s]
  int repeats = 3;                  ///< of every timed solve; the fastest counts
  std::vector<std::string> scenes;  ///< those of the study; empty: all of them
  std::string csvFolder;            ///< empty: no files

  bool wants(const std::string& scene) const;
  /// Scenes asked for that no study had so far.
  std::vector<std::string> unknownScenes() const;

 private:
  mutable std::set<std::string> met_;  // scenes that a study has offered
};

/// "PROGRAM_NAME.csv" in the folder of the options, and nothing where there is none.
class CsvFile {
 public:
  CsvFile(const StudyOptions& options, const std::string& name, const std::string& header);
  ~CsvFile();
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  template <class... Values>
  void row(const Values&... values) {
    if (file_ == nullptr) return;
    std::string line;
    ((line += cell(fmt::format("{}", values)) + ","), ...);
    line.back() = '\n';
    std::fputs(line.c_str(), file_);
    std::fflush(file_);
  }

 private:
  /// In quotes where it holds a comma.
  static std::string cell(const std::string& value) {
    return value.find(',') == std::string::npos ? value : '"' + value + '"';
  }

  std::FILE* file_ = nullptr;
};

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
