#pragma once

#include <filesystem>
#include <string>

#include "apps/support/output_file.h"
#include "engine/world/world.h"

namespace drystone::cli {

/// The CSV of `run --csv`: a header with units, then a row a step, flushed one by one.
class StepCsv {
 public:
  /// Throws UsageError when the file cannot be written. `withHash` adds the state hash of each
  /// step.
  StepCsv(const std::filesystem::path& path, bool withHash);
  void addStep(const World& world);

 private:
  LineFile file_;
  bool withHash_ = false;
};

}  // namespace drystone::cli
