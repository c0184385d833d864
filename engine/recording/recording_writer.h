#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/observe/snapshot_part.h"
#include "engine/recording/recorded_plates.h"
#include "engine/recording/recording_format.h"

/// The file of a recording, as its recorder's thread writes it. Private to the recorder.
namespace drystone::detail {

/// What the simulating thread copies of a step.
struct StepCopy {
  StepRow row;
  StepEvents events;
  std::vector<std::byte> state;  ///< to be hashed; empty: the row has the hash
  bool hasFrame = false;
  WorldSnapshot frame;
  std::vector<ForcePlateReading> plates;  ///< of the frame, as copyReadings() makes them
};

/// The file with its tables. What cannot be written throws std::runtime_error.
class RecordingWriter {
 public:
  /// Makes the file and the frame of the start, whose bodies have the names. All processes write
  /// the file where that frame is a part; then all frames are, and plates there are none.
  RecordingWriter(const std::string& path, const RecordingInfo& info,
                  std::span<const std::string> names, const FrameRows& start,
                  std::uint64_t startHash, std::span<const ForcePlate> plates);

  void addFrame(const FrameRows& frame, std::span<const ForcePlateReading> plates);
  /// Hashes and adds a step. The row of the copy comes to say where its events lie.
  void add(StepCopy& copy);
  void flush() { file_.flush(static_cast<std::uint64_t>(steps_->rows())); }
  void close(bool isComplete);

 private:
  void addEvents(StepCopy& copy);

  ArrayFileWriter file_;
  std::vector<ContactEventRow> contactRows_;
  std::vector<SensorEventRow> sensorRows_;
  std::optional<TableWriter<BodySnapshot>> poses_;
  std::optional<TableWriter<ContactSnapshot>> contacts_;
  std::optional<PlateWriter> plates_;
  std::optional<TableWriter<FrameRow>> frames_;
  std::optional<TableWriter<StepRow>> steps_;
  std::optional<TableWriter<ContactEventRow>> contactEvents_;
  std::optional<TableWriter<SensorEventRow>> sensorEvents_;
  std::optional<TableWriter<JointBreakEvent>> breakEvents_;
};

}  // namespace drystone::detail
