#include "engine/recording/shared_recorder.h"

#include <fmt/format.h>

#include "core/input_error.h"
#include "engine/recording/recording_writer.h"

namespace drystone {

struct SharedRecorder::State {
  detail::RecordingWriter file;
  detail::StepCopy step;
};

bool SharedRecorder::isAvailable() { return detail::canShareFiles(); }

SharedRecorder::SharedRecorder(const std::string& path, const RecordingInfo& info,
                               std::span<const std::string> names, const SnapshotPart& start,
                               std::uint64_t startHash) {
  if (!isAvailable()) {
    throw InputError(fmt::format(
        "{}: this drystone was built without a parallel HDF5, by which all processes write one "
        "file: install it (Debian: libhdf5-openmpi-dev), configure with "
        "-DDRYSTONE_PARALLEL_HDF5=ON in a new folder and build again",
        path));
  }
  if (names.size() != start.bodies.total) {
    throw InputError(fmt::format("{}: {} names for the {} bodies of the first frame", path,
                                 names.size(), start.bodies.total));
  }
  state_.reset(new State{.file = {path, info, names, start, startHash, {}}, .step = {}});
}

SharedRecorder::~SharedRecorder() = default;
SharedRecorder::SharedRecorder(SharedRecorder&&) noexcept = default;

void SharedRecorder::addStep(const RecordedStep& step, const SnapshotPart* frame) {
  if (frame != nullptr) state_->file.addFrame(*frame, {});
  state_->step.row.step = step;
  state_->file.add(state_->step);
}

void SharedRecorder::flush() { state_->file.flush(); }
void SharedRecorder::finish() { state_->file.close(true); }

}  // namespace drystone
