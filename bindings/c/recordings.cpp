// Runs as files for C: those that a world writes as it is stepped, and those that are read.

#include "bindings/c/boundary.h"
#include "core/build_text.h"
#include "engine/recording/recorder.h"
#include "engine/recording/recording.h"
#include "scenes/recorded_world.h"

struct drystone_recorder {
  drystone_world* world = nullptr;               ///< null: it has ended
  std::optional<drystone::Recorder> recorder{};  ///< none: likewise

  /// No step comes to it any more.
  void leave() {
    if (world != nullptr) std::erase(world->recorders, this);
    world = nullptr;
  }
};

struct drystone_recording {
  explicit drystone_recording(const std::string& path) : file(path) {
    file.frame(0, snapshot);
    for (const drystone::BodySnapshot& body : snapshot.bodies) slots.push_back(body.id.index);
  }

  drystone::Recording file;
  drystone::WorldSnapshot snapshot{};  ///< of the frame that was read last
  std::vector<int> slots{};            ///< of the bodies, ascending, by row
};

namespace drystone::c {
namespace {

const WorldSnapshot& frameOf(drystone_recording* recording, std::int64_t frame) {
  drystone_recording& read = given(recording, "recording");
  const std::int64_t count = read.file.frameCount();
  if (frame < 0 || frame >= count) {
    throw InputError("there is no frame " + std::to_string(frame) + ": they count from 0 to " +
                     std::to_string(count - 1));
  }
  read.file.frame(frame, read.snapshot);
  return read.snapshot;
}

void requireStep(const Recording& file, std::int64_t step) {
  if (step >= 1 && step <= file.stepCount()) return;
  throw InputError("there is no step " + std::to_string(step) + ": they count from 1 to " +
                   std::to_string(file.stepCount()));
}

/// `columns` numbers of each body of a frame to a buffer of the caller.
template <class Read>
drystone_error writeFrame(drystone_recording* recording, std::int64_t frame, std::size_t columns,
                          double* numbers, std::size_t capacity, std::size_t* count, Read&& read) {
  return guarded([&] {
    const WorldSnapshot& snapshot = frameOf(recording, frame);
    if (!fits(columns * snapshot.bodies.size(), numbers, capacity, count)) return;
    double* row = numbers;
    for (const BodySnapshot& body : snapshot.bodies) {
      read(body, row);
      row += columns;
    }
  });
}

/// A file has the slots of bodies; callers know their rows.
void toRow(const drystone_recording& recording, drystone_body_id& id) {
  const auto at = std::ranges::lower_bound(recording.slots, id.index);
  const bool isThere = at != recording.slots.end() && *at == id.index;
  id = {.index = isThere ? static_cast<std::int32_t>(at - recording.slots.begin()) : -1,
        .generation = 0};
}

template <class Pair>
void toRows(const drystone_recording& recording, std::vector<Pair>& list) {
  for (Pair& pair : list) {
    toRow(recording, pair.a);
    toRow(recording, pair.b);
  }
}

/// What a figure of a step is, by its name.
const StepFigure* figureNamed(const std::string& name) {
  if (name == "time") return nullptr;
  std::string names = " time";
  for (const StepFigure& figure : kStepFigures) {
    if (name == figure.name) return &figure;
    names += std::string(" ") + figure.name;
  }
  throw InputError("there is no figure '" + name + "': there are" + names);
}

}  // namespace

void stepRecorded(drystone_world& world) {
  World& stepped = world.keyed.world;
  const std::int64_t before = stepped.stepCount();
  const auto addStep = [&world, &stepped] {
    for (drystone_recorder* open : std::vector(world.recorders)) {
      try {
        open->recorder->addStep(stepped);
      } catch (...) {
        open->leave();
        open->recorder.reset();
        throw;
      }
    }
  };
  try {
    stepped.step();
  } catch (...) {
    // A callback's change was wrong; the step is complete all the same.
    if (stepped.stepCount() > before) addStep();
    throw;
  }
  addStep();
}

void endRecordings(drystone_world& world) noexcept {
  for (drystone_recorder* open : world.recorders) {
    try {
      open->recorder->finish(world.keyed.world);
    } catch (const std::exception&) {
      // Whoever wants to know calls drystone_recorder_finish().
    }
    open->recorder.reset();
    open->world = nullptr;
  }
  world.recorders.clear();
}

void requireNotRecorded(const drystone_world& world, const char* function) {
  if (world.recorders.empty()) return;
  throw InputError(std::string(function) + ": the world is recorded: finish the recording first");
}

extern "C" {

drystone_error drystone_world_record(drystone_world* world, const char* path, int every,
                                     drystone_recorder** recorder) {
  return guarded([&] {
    const World& recorded = worldOf(world);
    requireIdle(*world, "drystone_world_record");
    given(recorder, "recorder");
    if (every < 1) throw InputError("every must be at least 1 step, got " + std::to_string(every));
    RecordingInfo info = recordingInfoOf(recorded);
    info.version = DRYSTONE_VERSION;
    info.build = buildText(DRYSTONE_BUILD_TYPE, DRYSTONE_PROCESSOR);
    info.every = every;
    info.solvers = allSolvers().names();
    auto made = std::make_unique<drystone_recorder>(drystone_recorder{.world = world});
    made->recorder.emplace(textOf(path, "path"), info, recorded);
    world->recorders.push_back(made.get());
    *recorder = made.release();
  });
}

drystone_error drystone_recorder_finish(drystone_recorder* recorder) {
  return guarded([&] {
    drystone_recorder& open = given(recorder, "recorder");
    if (open.world == nullptr) return;
    requireIdle(*open.world, "drystone_recorder_finish");
    const World& recorded = open.world->keyed.world;
    open.leave();
    Recorder last = std::move(*open.recorder);
    open.recorder.reset();
    last.finish(recorded);
  });
}

drystone_error drystone_recorder_destroy(drystone_recorder* recorder) {
  return guarded([&] {
    if (recorder == nullptr) return;
    if (recorder->world != nullptr) requireIdle(*recorder->world, "drystone_recorder_destroy");
    recorder->leave();
    delete recorder;
  });
}

drystone_error drystone_recording_open(const char* path, drystone_recording** recording) {
  return guarded([&] {
    given(recording, "recording");
    *recording = std::make_unique<drystone_recording>(textOf(path, "path")).release();
  });
}

drystone_error drystone_recording_destroy(drystone_recording* recording) {
  return guarded([&] { delete recording; });
}

drystone_error drystone_recording_describe(drystone_recording* recording,
                                           drystone_recording_info* info) {
  return guarded([&] {
    requireSize<drystone_recording_info>(given(info, "info").size, "info");
    const Recording& file = given(recording, "recording").file;
    const drystone_recording_info from = {.size = sizeof from,
                                          .steps = file.stepCount(),
                                          .frames = file.frameCount(),
                                          .bodies = std::ssize(file.bodies()),
                                          .every = file.info().every,
                                          .is_complete = file.complete(),
                                          .start_hash = file.startHash()};
    writeStruct(from, info, info->size);
  });
}

drystone_error drystone_recording_body_name(drystone_recording* recording, int64_t row,
                                            const char** name) {
  return guarded([&] {
    const std::vector<RecordedBody>& bodies = given(recording, "recording").file.bodies();
    if (row < 0 || row >= std::ssize(bodies)) {
      throw InputError("there is no body " + std::to_string(row) + ": they count from 0 to " +
                       std::to_string(std::ssize(bodies) - 1));
    }
    given(name, "name") = bodies[static_cast<std::size_t>(row)].name.c_str();
  });
}

drystone_error drystone_recording_frame(drystone_recording* recording, int64_t frame, int64_t* step,
                                        double* time) {
  return guarded([&] {
    const WorldSnapshot& snapshot = frameOf(recording, frame);
    if (step != nullptr) *step = recording->file.stepOfFrame(frame);
    if (time != nullptr) *time = snapshot.time;
  });
}

drystone_error drystone_recording_positions(drystone_recording* recording, int64_t frame,
                                            double* numbers, size_t capacity, size_t* count) {
  return writeFrame(recording, frame, 3, numbers, capacity, count,
                    [](const BodySnapshot& body, double* row) { put(body.pose.position, row); });
}

drystone_error drystone_recording_orientations(drystone_recording* recording, int64_t frame,
                                               double* numbers, size_t capacity, size_t* count) {
  return writeFrame(recording, frame, 4, numbers, capacity, count,
                    [](const BodySnapshot& body, double* row) {
                      std::ranges::copy(toPose(body.pose).orientation, row);
                    });
}

drystone_error drystone_recording_velocities(drystone_recording* recording, int64_t frame,
                                             double* numbers, size_t capacity, size_t* count) {
  return writeFrame(recording, frame, 6, numbers, capacity, count,
                    [](const BodySnapshot& body, double* row) {
                      put(body.linearVelocity, row);
                      put(body.angularVelocity, row + 3);
                    });
}

drystone_error drystone_recording_contacts(drystone_recording* recording, int64_t frame,
                                           drystone_contact* contacts, size_t element_size,
                                           size_t capacity, size_t* count) {
  return guarded([&] {
    std::vector<drystone_contact> list;
    for (const ContactSnapshot& from : frameOf(recording, frame).contacts) {
      list.push_back(contactOf(from));
    }
    toRows(*recording, list);
    writeElements(list, contacts, element_size, capacity, count);
  });
}

drystone_error drystone_recording_figure(drystone_recording* recording, const char* name,
                                         double* numbers, size_t capacity, size_t* count) {
  return guarded([&] {
    const Recording& file = given(recording, "recording").file;
    const StepFigure* figure = figureNamed(textOf(name, "name"));
    const auto steps = static_cast<std::size_t>(file.stepCount());
    if (!fits(steps, numbers, capacity, count)) return;
    const std::vector<RecordedStep> list = file.steps(1, file.stepCount());
    std::ranges::transform(list, numbers, [figure](const RecordedStep& step) {
      return figure == nullptr ? step.report.time : figure->valueIn(step.report);
    });
  });
}

drystone_error drystone_recording_hash(drystone_recording* recording, int64_t step,
                                       uint64_t* hash) {
  return guarded([&] {
    const Recording& file = given(recording, "recording").file;
    requireStep(file, step);
    given(hash, "hash") = file.steps(step, 1).front().hash;
  });
}

drystone_error drystone_recording_events(drystone_recording* recording, int64_t step,
                                         drystone_event* events, size_t element_size,
                                         size_t capacity, size_t* count) {
  return guarded([&] {
    const Recording& file = given(recording, "recording").file;
    requireStep(file, step);
    std::vector<drystone_event> list = eventsOf(file.events(step));
    toRows(*recording, list);
    writeElements(list, events, element_size, capacity, count);
  });
}

}  // extern "C"

}  // namespace drystone::c
