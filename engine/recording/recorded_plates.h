#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/observe/snapshot.h"
#include "engine/recording/recording_table.h"
#include "engine/step/force_plates.h"

/// Force plates in a recording: `force_plates` says what they are, `frames/force_plates` what they
/// read. A recording without plates has neither. Private to the recorder and the reader of
/// recordings.
namespace drystone::detail {

/// What plates read, as rows of the file: without contacts, and NaN where there is no reading.
void copyReadings(std::span<const ForcePlate> plates, std::vector<ForcePlateReading>& rows);

/// Whether plates measure what those of a recording do.
bool areRecordedPlates(std::span<const ForcePlate> plates,
                       std::span<const ForcePlateDefinition> recorded);

class PlateWriter {
 public:
  /// `bodies`: of the recording, with those of the plates.
  PlateWriter(ArrayFileWriter& file, std::span<const ForcePlate> plates,
              std::span<const BodySnapshot> bodies);
  /// Adds the rows of a frame, one a plate.
  void addFrame(std::span<const ForcePlateReading> rows);

 private:
  std::optional<TableWriter<ForcePlateReading>> readings_;  // none: no plates
};

class PlateReader {
 public:
  /// `bodies`: of the recording, in its order; `frames`: how many it has. Throws InputError where
  /// the file is damaged.
  PlateReader(ArrayFileReader& file, std::span<const BodyId> bodies, std::int64_t frames);
  const std::vector<ForcePlateDefinition>& definitions() const { return definitions_; }
  /// By plate; none where a plate has no reading.
  std::vector<std::optional<ForcePlateReading>> frame(std::int64_t index) const;

 private:
  std::vector<ForcePlateDefinition> definitions_;
  std::optional<TableReader<ForcePlateReading>> readings_;  // none: no plates
};

}  // namespace drystone::detail
