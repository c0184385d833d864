#pragma once

#include <filesystem>

#include "apps/support/output_file.h"
#include "engine/world/world.h"

namespace drystone::cli {

/// The CSV of `run --events`: a row per contact, sensor or joint event, of every step.
class EventCsv {
 public:
  /// Throws UsageError when the file cannot be written. `withLasting` adds a row per step for each
  /// pair that goes on touching.
  EventCsv(const std::filesystem::path& path, bool withLasting);
  void addStep(const World& world);

 private:
  LineFile file_;
  bool withLasting_ = false;
};

}  // namespace drystone::cli
