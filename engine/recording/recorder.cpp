#include "engine/recording/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "engine/recording/recording_writer.h"

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

/// Copies of some steps; keeps the capacity of all of them.
struct Batch {
  std::vector<StepCopy> copies;
  std::size_t used = 0;
  std::size_t bytes = 0;

  /// The one that counts once `used` does.
  StepCopy& next() {
    if (used == copies.size()) copies.emplace_back();
    return copies[used];
  }
  void clear() { used = bytes = 0; }
};

std::size_t sizeOfCopy(const StepCopy& copy) {
  std::size_t size = sizeof(StepCopy) + copy.state.size();
  if (copy.hasFrame) {
    size += copy.frame.bodies.size() * sizeof(BodySnapshot) +
            copy.frame.contacts.size() * sizeof(ContactSnapshot) +
            copy.plates.size() * sizeof(ForcePlateReading);
  }
  return size;
}

}  // namespace

struct Recorder::State {
  std::string label;  ///< of the file, in messages
  RecordingWriter file;
  std::vector<BodyId> bodies;                ///< of all steps
  std::vector<ForcePlateDefinition> plates;  ///< likewise
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

  State(const std::string& path, const RecordingInfo& info, std::span<const std::string> names,
        const WorldSnapshot& start, std::uint64_t startHash,
        std::span<const ForcePlate> startPlates)
      : label(path),
        file(path, info, names, start, startHash, startPlates),
        solvers(info.solvers),
        every(info.every),
        firstStep(start.step),
        lastFrame(start.step) {
    for (const BodySnapshot& body : start.bodies) bodies.push_back(body.id);
    for (const ForcePlate& plate : startPlates) plates.push_back(plate.definition);
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
    if (!withFrame) return;
    world.observe().snapshot(out.frame);
    copyReadings(world.forcePlates(), out.plates);
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
    if (error) std::rethrow_exception(error);
    throw InputError(fmt::format("{}: the recording is finished; begin another one", label));
  }

  /// Runs what adds to the file. What it throws ends the recording, which would lack that.
  template <class Add>
  void orFail(const Add& add) {
    try {
      add();
    } catch (...) {
      join();  // what the thread threw came first
      if (!error) error = std::current_exception();
      fail();
    }
  }

  void requireBodies(bool areSame, std::int64_t step) const {
    if (areSame) return;
    throw InputError(fmt::format(
        "{}: a body was added or removed before step {}, and a recording holds one set of bodies; "
        "finish the recording before such a change, and begin another after it. What came before "
        "is in the file",
        label, step));
  }

  /// Whether a step of the world fits what the file holds.
  void requireSame(const World& world, std::int64_t step) const {
    requireBodies(world.observe().hasBodies(bodies), step);
    if (areRecordedPlates(world.forcePlates(), plates)) return;
    throw InputError(fmt::format(
        "{}: other force plates were set before step {}, and a recording holds one set of them; "
        "set them before the recording begins, or finish it and begin another. What came before "
        "is in the file",
        label, step));
  }

  /// Has `fill` put a step into the next copy, and hands over what has come together.
  template <class Fill>
  void addCopy(const Fill& fill) {
    std::unique_lock lock(mutex);
    toCaller.wait(lock, [&] { return front.bytes < kWaitingBytes || error; });
    if (error) std::rethrow_exception(error);
    StepCopy& next = front.next();
    fill(next);
    ++front.used;
    front.bytes += sizeOfCopy(next);
    const bool isDue = front.bytes >= kHandOverBytes;
    lock.unlock();
    if (isDue) toWriter.notify_one();
  }

  void addLastFrame(const World& world) {
    join();
    if (error || world.stepCount() == lastFrame) return;
    requireSame(world, world.stepCount() + 1);
    WorldSnapshot last;
    world.observe().snapshot(last);
    std::vector<ForcePlateReading> readings;
    copyReadings(world.forcePlates(), readings);
    file.addFrame(last, readings);
  }
};

Recorder::Recorder(const std::string& path, const RecordingInfo& info, const World& world) {
  std::vector<std::string> names;
  for (const BodyId id : world.bodies()) names.emplace_back(world.body(id).name());
  WorldSnapshot start;
  world.observe().snapshot(start);
  state_ = std::make_unique<State>(path, info, names, start, world.observe().hash(),
                                   world.forcePlates());
}

Recorder::Recorder(const std::string& path, const RecordingInfo& info,
                   std::span<const std::string> names, const WorldSnapshot& start,
                   std::uint64_t startHash) {
  if (names.size() != start.bodies.size()) {
    throw InputError(fmt::format("{}: {} names for the {} bodies of the first frame", path,
                                 names.size(), start.bodies.size()));
  }
  state_ =
      std::make_unique<State>(path, info, names, start, startHash, std::span<const ForcePlate>());
}

Recorder::Recorder(Recorder&&) noexcept = default;

Recorder::~Recorder() {
  // Whoever wants to know of errors calls finish().
  if (state_) state_->end();
}

void Recorder::addStep(const World& world) {
  State& state = *state_;
  const std::int64_t step = world.stepCount();
  if (state.isClosed) state.fail();
  const bool withFrame = (step - state.firstStep) % state.every == 0;
  state.orFail([&] {
    state.requireSame(world, step);
    state.addCopy([&](StepCopy& copy) { state.copy(world, withFrame, copy); });
  });
  if (withFrame) state.lastFrame = step;
}

void Recorder::addStep(const RecordedStep& step, const WorldSnapshot* frame) {
  State& state = *state_;
  if (state.isClosed) state.fail();
  state.orFail([&] {
    if (frame != nullptr) {
      state.requireBodies(std::ranges::equal(frame->bodies, state.bodies, {}, &BodySnapshot::id),
                          step.report.step);
    }
    state.addCopy([&](StepCopy& copy) {
      copy.row.step = step;
      copy.events = {};
      copy.state.clear();
      copy.hasFrame = frame != nullptr;
      copy.plates.clear();
      if (copy.hasFrame) copy.frame = *frame;
    });
  });
}

void Recorder::finish(const World& world) {
  State& state = *state_;
  if (!state.isClosed) {
    state.orFail([&] { state.addLastFrame(world); });
  }
  finish();
}

void Recorder::finish() {
  state_->end();
  if (state_->error) std::rethrow_exception(state_->error);
}

}  // namespace drystone
