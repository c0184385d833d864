#pragma once

#include <filesystem>

#include "apps/support/output_file.h"
#include "engine/world/world.h"

namespace drystone::cli {

/// The CSV of `run --joints`: a row per joint that is there, after every step: its coordinates and
/// what it did to body B.
class JointCsv {
 public:
  /// Throws UsageError when the file cannot be written.
  explicit JointCsv(const std::filesystem::path& path);
  void addStep(const World& world);

 private:
  LineFile file_;
};

}  // namespace drystone::cli
