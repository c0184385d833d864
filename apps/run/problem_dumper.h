#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/world/world.h"

namespace drystone::cli {

/// Which islands of a run are written.
enum class DumpWhen {
  kAll,
  kFailed,   ///< the asked solver missed the tolerance, whether or not a fallback then met it
  kLargest,  ///< one file: most rows, the last of equals: its warm start is the best
  kStep,     ///< all islands of one step
};

struct DumpOptions {
  std::filesystem::path folder;
  DumpWhen when = DumpWhen::kFailed;
  std::int64_t step = 0;  ///< of kStep; 1 is the first
  std::string extension = "json";
};

/// Reads `all`, `failed`, `largest` or `step=N`; throws UsageError otherwise.
void parseDumpWhen(const std::string& text, DumpOptions& options);

/// Writes island problems of a run to files `stepNNNNNN_islandNNN.EXTENSION`, each with the warm
/// start that the solver had and the impulses that it found.
class ProblemDumper {
 public:
  /// Makes the folder when its parent is there; throws UsageError when it cannot be written.
  ProblemDumper(const DumpOptions& options, const std::string& scene);
  /// Looks at the world's last step.
  void afterStep(const World& world);
  /// Writes what had to wait for the end. Returns the number of files of the run.
  int finish();

 private:
  /// A copy of an island that outlives its step.
  struct Kept {
    std::string name;
    std::string info;
    StoredProblem problem;
    std::vector<Real> warmStart, solution;
    std::vector<RowState> warmStates;
  };
  bool wanted(const StepReport& report, int island) const;
  void write(const World& world, int island);
  void keepIfLargest(const World& world);
  std::string nameOf(const World& world, int island) const;
  std::string infoOf(const World& world, int island) const;
  std::string pathOf(const std::string& name) const;

  DumpOptions options_;
  std::string scene_;
  std::optional<Kept> largest_;
  int written_ = 0;
};

}  // namespace drystone::cli
