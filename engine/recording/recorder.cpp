#include "engine/recording/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "core/hash.h"
#include "core/input_error.h"
#include "engine/recording/recording_format.h"

namespace drystone {
namespace {

using namespace detail;
using Clock = std::chrono::steady_clock;

// Copies are handed over when this much has come together or this much time has passed: often
// enough to keep the other thread busy, too rarely for its wake-up to count.
constexpr std::size_t kHandOverBytes = 1 << 20;
constexpr std::chrono::milliseconds kHandOverTime(100);
/// Copies that may wait; beyond it the simulation does.
constexpr std::size_t kWaitingBytes = 16 << 20;
/// Between two flushes, the most that a killed program loses.
constexpr std::chrono::milliseconds kFlushTime(1000);

/// What the simulating thread copies of a step.
struct StepCopy {
  StepRow row;
  StepEvents events;
  std::vector<std::byte> state;  ///< to be hashed
  bool hasFrame = false;
  WorldSnapshot frame;
};

/// Copies of some steps; keeps the capacity of all of them.
struct Batch {
  std::vector<StepCopy> copies;
  std::size_t used = 0;
  std::size_t bytes = 0;

  StepCopy& next() {
    if (used == copies.size()) copies.emplace_back();
    return copies[used++];
  }
  void clear() { used = bytes = 0; }
};

std::size_t sizeOfCopy(const StepCopy& copy) {
  std::size_t size = sizeof(StepCopy) + copy.state.size();
  if (copy.hasFrame) {
    size += copy.frame.bodies.size() * sizeof(BodySnapshot) +
            copy.frame.contacts.size() * sizeof(ContactSnapshot);
  }
  return size;
}

std::uint64_t hashOf(const std::vector<std::byte>& state) {
  Hasher hasher;
  hasher.bytes(state.data(), state.size());
  return hasher.value();
}

/// Lists of texts: all of them in one, and the length of each.
void writeTexts(ArrayFileWriter& file, const std::string& path,
                std::span<const std::string> texts) {
  std::string all;
  std::vector<TextRow> rows;
  for (const std::string& text : texts) {
    all += text;
    rows.push_back({static_cast<std::int64_t>(text.size())});
  }
  file.text(path + "/text", all);
  TableWriter<TextRow>(file, path, textColumns()).add(rows);
}

void writeInfo(ArrayFileWriter& file, const RecordingInfo& info) {
  file.text(place::kKind, kRecordingKind);
  file.number(place::kVersion, kRecordingVersion);
  file.text(place::kProgramVersion, info.version);
  file.text(place::kBuild, info.build);
  file.text(place::kScene, info.scene);
  file.text(place::kSceneLabel, info.sceneLabel);
  file.text(place::kSceneText, info.sceneText);
  file.number(place::kSceneHash, sceneHash(info));
  file.text(place::kCommandLine, info.commandLine);
  file.text(place::kSettings, info.settings);
  file.number(place::kEvery, static_cast<std::uint64_t>(info.every));
  std::vector<std::string> names, texts, joints;
  for (const RecordedFile& one : info.files) {
    names.push_back(one.name);
    texts.push_back(one.text);
  }
  for (const RecordedJoint& joint : info.joints) joints.push_back(joint.name);
  writeTexts(file, std::string(place::kFiles) + "/names", names);
  writeTexts(file, std::string(place::kFiles) + "/contents", texts);
  writeTexts(file, place::kSolvers, info.solvers);
  writeTexts(file, place::kJointNames, joints);
  TableWriter<RecordedJoint>(file, "joints", jointColumns()).add(info.joints);
}

void writeBodies(ArrayFileWriter& file, const World& world) {
  std::vector<std::string> names;
  std::vector<BodyRow> rows;
  for (const BodyId id : world.bodies()) {
    const ConstBodyHandle body = world.body(id);
    names.emplace_back(body.name());
    rows.push_back({body.id(), body.kind(), body.pose().inverse() * body.centerOfMass()});
  }
  writeTexts(file, place::kBodyNames, names);
  TableWriter<BodyRow>(file, "bodies", bodyColumns()).add(rows);
}

/// The file with its tables.
class RecordingFile {
 public:
  RecordingFile(const std::string& path, const RecordingInfo& info, const World& world)
      : file_(path) {
    writeInfo(file_, info);
    writeBodies(file_, world);
    file_.number(place::kStartHash, world.observe().hash());
    poses_.emplace(file_, "frames/bodies", poseColumns());
    contacts_.emplace(file_, "frames/contacts", contactColumns());
    frames_.emplace(file_, "frames", frameColumns());
    steps_.emplace(file_, "steps", stepColumns());
    contactEvents_.emplace(file_, "events/contacts", contactEventColumns());
    sensorEvents_.emplace(file_, "events/sensors", sensorEventColumns());
    breakEvents_.emplace(file_, "events/breaks", breakEventColumns());
    file_.number(place::kComplete, 0);
    file_.start(place::kFlushed);
  }

  void addFrame(const WorldSnapshot& frame) {
    poses_->add(frame.bodies);
    const FrameRow row = {frame.step, frame.time, contacts_->add(frame.contacts)};
    frames_->add({&row, 1});
  }
  void add(StepCopy& copy) {
    copy.row.step.hash = hashOf(copy.state);
    if (copy.hasFrame) addFrame(copy.frame);
    addEvents(copy);
    steps_->add({&copy.row, 1});
  }
  void flush() { file_.flush(static_cast<std::uint64_t>(steps_->rows())); }
  void close(bool isComplete) {
    flush();
    if (isComplete) file_.setNumber(place::kComplete, 1);
    file_.close();
  }

 private:
  void addEvents(StepCopy& copy) {
    const StepEvents& events = copy.events;
    const auto add = [](EventPhase phase, const auto& from, auto& rows) {
      for (const auto& event : from) rows.push_back({phase, event});
    };
    contactRows_.clear();
    add(EventPhase::kBegun, events.contactsBegun, contactRows_);
    // Of the many that last only those of frames are kept, as the contacts themselves are.
    if (copy.hasFrame) add(EventPhase::kLasting, events.contactsLasting, contactRows_);
    add(EventPhase::kEnded, events.contactsEnded, contactRows_);
    sensorRows_.clear();
    add(EventPhase::kBegun, events.sensorsBegun, sensorRows_);
    add(EventPhase::kEnded, events.sensorsEnded, sensorRows_);
    copy.row.contactEvents = contactEvents_->add(contactRows_);
    copy.row.sensorEvents = sensorEvents_->add(sensorRows_);
    copy.row.breakEvents = breakEvents_->add(events.jointsBroken);
  }

  ArrayFileWriter file_;
  std::vector<ContactEventRow> contactRows_;
  std::vector<SensorEventRow> sensorRows_;
  std::optional<TableWriter<BodySnapshot>> poses_;
  std::optional<TableWriter<ContactSnapshot>> contacts_;
  std::optional<TableWriter<FrameRow>> frames_;
  std::optional<TableWriter<StepRow>> steps_;
  std::optional<TableWriter<ContactEventRow>> contactEvents_;
  std::optional<TableWriter<SensorEventRow>> sensorEvents_;
  std::optional<TableWriter<JointBreakEvent>> breakEvents_;
};

}  // namespace

struct Recorder::State {
  std::string label;  ///< of the file, in messages
  RecordingFile file;
  std::vector<BodyId> bodies;  ///< of all steps
  std::vector<std::string> solvers;
  std::int64_t every = 1, firstStep = 0, lastFrame = 0;  ///< [steps]

  std::mutex mutex;  ///< of what follows
  std::condition_variable toWriter, toCaller;
  Batch front;  ///< filled by the caller
  bool ending = false;
  std::exception_ptr error;

  bool isClosed = false;

  Batch back;  ///< written by the thread
  std::thread thread;

  State(const std::string& path, const RecordingInfo& info, const World& world)
      : label(path),
        file(path, info, world),
        bodies(world.bodies()),
        solvers(info.solvers),
        every(info.every) {
    WorldSnapshot start;
    world.observe().snapshot(start);
    firstStep = lastFrame = start.step;
    file.addFrame(start);
    file.flush();
    thread = std::thread([this] { writeUntilEnd(); });
  }

  int solverIndex(const std::string& name) const {
    const auto found = std::find(solvers.begin(), solvers.end(), name);
    return found == solvers.end() ? -1 : static_cast<int>(found - solvers.begin());
  }

  void copy(const World& world, bool withFrame, StepCopy& out) const {
    RecordedStep& step = out.row.step;
    step.report = world.lastReport();
    step.solver = solverIndex(world.settings().solver.name);
    out.events = world.lastEvents();
    world.observe().copyState(out.state);
    out.hasFrame = withFrame;
    if (withFrame) world.observe().snapshot(out.frame);
  }

  void writeUntilEnd() {
    try {
      writeBatches();
    } catch (...) {
      const std::lock_guard lock(mutex);
      error = std::current_exception();
      toCaller.notify_all();
    }
  }

  void writeBatches() {
    Clock::time_point flushed = Clock::now();
    bool isDirty = false;
    for (bool atEnd = false; !atEnd;) {
      {
        std::unique_lock lock(mutex);
        toWriter.wait_for(lock, kHandOverTime,
                          [this] { return ending || front.bytes >= kHandOverBytes; });
        std::swap(front, back);
        atEnd = ending;
      }
      toCaller.notify_all();
      for (std::size_t i = 0; i < back.used; ++i) file.add(back.copies[i]);
      isDirty = isDirty || back.used > 0;
      back.clear();
      const Clock::time_point now = Clock::now();
      if (!isDirty || now - flushed < kFlushTime) continue;
      file.flush();
      flushed = now;
      isDirty = false;
    }
  }

  /// Ends the thread once it has written all that it got.
  void join() {
    {
      const std::lock_guard lock(mutex);
      ending = true;
    }
    toWriter.notify_one();
    if (thread.joinable()) thread.join();
  }

  /// Ends thread and file. What could not be written is an error from then on.
  void end() noexcept {
    join();
    if (std::exchange(isClosed, true)) return;
    try {
      file.close(error == nullptr);
    } catch (...) {
      if (!error) error = std::current_exception();
    }
  }

  /// Ends the file with what it has, and throws the error that it ends for.
  [[noreturn]] void fail() {
    end();
    std::rethrow_exception(error);
  }

  void requireBodies(const World& world, std::int64_t step) {
    if (world.observe().hasBodies(bodies)) return;
    join();
    if (!error) {
      error = std::make_exception_ptr(InputError(fmt::format(
          "{}: a body was added or removed before step {}, and a recording holds one set of "
          "bodies; finish the recording before such a change, and begin another after it. What "
          "came before is in the file",
          label, step)));
    }
    fail();
  }

  void addLastFrame(const World& world) {
    join();
    if (error || world.stepCount() == lastFrame) return;
    requireBodies(world, world.stepCount() + 1);
    WorldSnapshot last;
    world.observe().snapshot(last);
    try {
      file.addFrame(last);
    } catch (...) {
      error = std::current_exception();
    }
  }
};

Recorder::Recorder(const std::string& path, const RecordingInfo& info, const World& world)
    : state_(std::make_unique<State>(path, info, world)) {}

Recorder::Recorder(Recorder&&) noexcept = default;

Recorder::~Recorder() {
  // Whoever wants to know of errors calls finish().
  if (state_) state_->end();
}

void Recorder::addStep(const World& world) {
  State& state = *state_;
  const std::int64_t step = world.stepCount();
  if (state.isClosed) state.fail();
  state.requireBodies(world, step);
  std::unique_lock lock(state.mutex);
  state.toCaller.wait(lock, [&] { return state.front.bytes < kWaitingBytes || state.error; });
  if (state.error) {
    lock.unlock();
    state.fail();
  }
  StepCopy& copy = state.front.next();
  const bool withFrame = (step - state.firstStep) % state.every == 0;
  state.copy(world, withFrame, copy);
  if (withFrame) state.lastFrame = step;
  state.front.bytes += sizeOfCopy(copy);
  const bool isDue = state.front.bytes >= kHandOverBytes;
  lock.unlock();
  if (isDue) state.toWriter.notify_one();
}

void Recorder::finish(const World& world) {
  State& state = *state_;
  if (!state.isClosed) state.addLastFrame(world);
  state.end();
  if (state.error) std::rethrow_exception(state.error);
}

}  // namespace drystone
