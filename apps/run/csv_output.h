#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "apps/support/output_file.h"
#include "engine/world/world.h"

namespace drystone::cli {

/// What a row of the CSV is made from.
struct CsvStep {
  const StepReport& report;
  const StepEvents* events = nullptr;  ///< null: not known
  std::uint64_t hash = 0;              ///< of the state after the step
  std::span<const ForcePlate> plates{};
};

/// The CSV of `run --csv`: a header with units, then a row a step, flushed one by one.
class StepCsv {
 public:
  /// Its title with the unit, and its text after a step.
  struct Column {
    std::string title;
    std::function<std::string(const CsvStep& step)> text;
  };

  /// Throws UsageError when the file cannot be written. `withHash` adds the state hash of each
  /// step, and `withEvents` how many events of a kind it had. Force plates of these names
  /// have columns each, and every step must have as many.
  StepCsv(const std::filesystem::path& path, bool withHash, bool withEvents = true,
          std::span<const std::string> plates = {});
  void addStep(const World& world);
  void addStep(const CsvStep& step);

 private:
  LineFile file_;
  std::vector<Column> columns_;
  bool withHash_;
};

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
