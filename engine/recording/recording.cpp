#include "engine/recording/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "core/check.h"
#include "engine/recording/recorded_plates.h"
#include "engine/recording/recording_format.h"

namespace drystone {
namespace {

using namespace detail;

RecordingInfo readInfo(ArrayFileReader& file) {
  RecordingInfo info;
  info.version = file.text(place::kProgramVersion);
  info.build = file.text(place::kBuild);
  info.scene = file.text(place::kScene);
  info.sceneLabel = file.text(place::kSceneLabel);
  info.sceneText = file.text(place::kSceneText);
  info.commandLine = file.text(place::kCommandLine);
  info.settings = file.text(place::kSettings);
  info.every = static_cast<int>(file.number(place::kEvery));
  if (file.has(place::kProcesses)) {
    info.processes = static_cast<int>(file.number(place::kProcesses));
  }
  std::vector<std::string> names = readTexts(file, std::string(place::kFiles) + "/names");
  std::vector<std::string> texts = readTexts(file, std::string(place::kFiles) + "/contents");
  if (names.size() != texts.size()) file.fail("/scene/files is damaged: a content is missing");
  for (std::size_t i = 0; i < names.size(); ++i) {
    info.files.push_back({std::move(names[i]), std::move(texts[i])});
  }
  info.solvers = readTexts(file, place::kSolvers);

  std::vector<std::string> joints = readTexts(file, place::kJointNames);
  const TableReader<RecordedJoint> table(file, "joints", jointColumns());
  if (table.rows() != std::ssize(joints)) file.fail("/joints is damaged: a name is missing");
  info.joints.resize(joints.size());
  table.read(0, info.joints);
  for (std::size_t i = 0; i < joints.size(); ++i) info.joints[i].name = std::move(joints[i]);
  if (file.number(place::kSceneHash) != sceneHash(info)) {
    file.fail("/scene is damaged: its text does not have the hash that was stored with it");
  }
  return info;
}

/// The file, once it has said that it is a recording of this version.
ArrayFileReader openRecording(const std::string& path) {
  ArrayFileReader file(path);
  if (!file.has(place::kKind) || file.text(place::kKind) != kRecordingKind) {
    file.fail("is an HDF5 file but no recording of drystone");
  }
  const std::uint64_t version = file.number(place::kVersion);
  if (version != kRecordingVersion) {
    file.fail(fmt::format("is a recording of version {}, and this program reads version {}",
                          version, kRecordingVersion));
  }
  return file;
}

}  // namespace

struct Recording::State {
  ArrayFileReader file;
  RecordingInfo info;
  std::uint64_t startHash = 0;
  bool isComplete = false;
  std::vector<RecordedBody> bodies;
  std::vector<BodyId> ids;  ///< [bodies] their slots ascend
  std::vector<FrameRow> frames;
  std::int64_t steps = 0, firstStep = 0;
  TableReader<StepRow> stepTable;
  TableReader<BodySnapshot> poseTable;
  TableReader<ContactSnapshot> contactTable;
  TableReader<ContactEventRow> contactEvents;
  TableReader<SensorEventRow> sensorEvents;
  TableReader<JointBreakEvent> breakEvents;
  std::optional<PlateReader> plates;

  explicit State(const std::string& path)
      : file(openRecording(path)),
        info(readInfo(file)),
        startHash(file.number(place::kStartHash)),
        isComplete(file.closed() &&
                   (!file.has(place::kComplete) || file.number(place::kComplete) == 1)),
        stepTable(file, "steps", stepColumns()),
        poseTable(file, "frames/bodies", poseColumns()),
        contactTable(file, "frames/contacts", contactColumns()),
        contactEvents(file, "events/contacts", contactEventColumns()),
        sensorEvents(file, "events/sensors", sensorEventColumns()),
        breakEvents(file, "events/breaks", breakEventColumns()) {
    readBodies();
    readFrames();
    plates.emplace(file, ids, std::ssize(frames));
  }

  void readBodies() {
    std::vector<std::string> names = readTexts(file, place::kBodyNames);
    const TableReader<BodyRow> table(file, "bodies", bodyColumns());
    std::vector<BodyRow> rows(static_cast<std::size_t>(table.rows()));
    if (rows.size() != names.size()) file.fail("/bodies is damaged: a name is missing");
    table.read(0, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const int before = ids.empty() ? -1 : ids.back().index;
      if (rows[i].id.index <= before || rows[i].kind > kLastKind) {
        file.fail("/bodies is damaged: slots must ascend and kinds be known");
      }
      ids.push_back(rows[i].id);
      bodies.push_back({std::move(names[i]), rows[i].kind, rows[i].centerOfMass});
    }
  }

  void readFrames() {
    steps = static_cast<std::int64_t>(file.number(place::kFlushed));
    if (steps > stepTable.rows()) file.fail("/steps is shorter than /flushed_steps says");
    const TableReader<FrameRow> table(file, "frames", frameColumns());
    frames.resize(static_cast<std::size_t>(table.rows()));
    table.read(0, frames);
    if (frames.empty()) file.fail("/frames is empty: not even the start was recorded");
    firstStep = frames.front().step;
    // What follows the mark may be half there.
    const auto end = std::find_if(frames.begin(), frames.end(), [this](const FrameRow& frame) {
      return frame.step - firstStep > steps;
    });
    frames.erase(end, frames.end());
    if (std::ssize(frames) * std::ssize(bodies) > poseTable.rows()) {
      file.fail("/frames/bodies is shorter than /frames says: the file is damaged");
    }
  }

  /// Contacts store slots. A table by slot would be as long as a damaged file says.
  BodyId bodyOfSlot(int slot) {
    const auto found = std::ranges::lower_bound(ids, slot, {}, &BodyId::index);
    if (found == ids.end() || found->index != slot) {
      file.fail("/frames/contacts names a body that there is not: the file is damaged");
    }
    return *found;
  }

  static constexpr BodyKind kLastKind = BodyKind::kKinematic;
};

Recording::Recording(const std::string& path) : state_(std::make_unique<State>(path)) {}
Recording::~Recording() = default;
Recording::Recording(Recording&&) noexcept = default;
Recording& Recording::operator=(Recording&&) noexcept = default;

const RecordingInfo& Recording::info() const { return state_->info; }
bool Recording::complete() const { return state_->isComplete; }
const std::vector<RecordedBody>& Recording::bodies() const { return state_->bodies; }
std::uint64_t Recording::startHash() const { return state_->startHash; }
std::int64_t Recording::stepCount() const { return state_->steps; }
std::int64_t Recording::frameCount() const { return std::ssize(state_->frames); }

std::vector<RecordedStep> Recording::steps(std::int64_t first, std::int64_t count) const {
  DRYSTONE_ASSERT(first >= 1 && count >= 0);
  count = std::clamp<std::int64_t>(state_->steps - first + 1, 0, count);
  std::vector<RecordedStep> steps;
  for (StepRow& row : state_->stepTable.read({first - 1, count})) {
    steps.push_back(std::move(row.step));
  }
  return steps;
}

StepEvents Recording::events(std::int64_t step) const {
  DRYSTONE_ASSERT(step >= 1 && step <= stepCount());
  const State& state = *state_;
  const StepRow row = state.stepTable.read({step - 1, 1}).front();
  StepEvents events;
  std::vector<ContactEvent>* contacts[] = {&events.contactsBegun, &events.contactsLasting,
                                           &events.contactsEnded};
  for (const ContactEventRow& one : state.contactEvents.read(row.contactEvents)) {
    if (one.phase <= EventPhase::kEnded)
      contacts[static_cast<int>(one.phase)]->push_back(one.event);
  }
  for (const SensorEventRow& one : state.sensorEvents.read(row.sensorEvents)) {
    (one.phase == EventPhase::kBegun ? events.sensorsBegun : events.sensorsEnded)
        .push_back(one.event);
  }
  events.jointsBroken = state.breakEvents.read(row.breakEvents);
  return events;
}

std::int64_t Recording::stepOfFrame(std::int64_t frame) const {
  DRYSTONE_ASSERT(frame >= 0 && frame < frameCount());
  return state_->frames[static_cast<std::size_t>(frame)].step - state_->firstStep;
}

std::int64_t Recording::frameOfStep(std::int64_t step) const {
  const std::vector<FrameRow>& frames = state_->frames;
  const auto found =
      std::ranges::lower_bound(frames, step + state_->firstStep, {}, &FrameRow::step);
  const bool isThere = found != frames.end() && found->step - state_->firstStep == step;
  return isThere ? found - frames.begin() : -1;
}

void Recording::frame(std::int64_t index, WorldSnapshot& out) const {
  DRYSTONE_ASSERT(index >= 0 && index < frameCount());
  State& state = *state_;
  const FrameRow& row = state.frames[static_cast<std::size_t>(index)];
  out.step = row.step;
  out.time = row.time;
  out.bodies.resize(state.bodies.size());
  state.poseTable.read(index * std::ssize(state.bodies), out.bodies);
  for (std::size_t i = 0; i < out.bodies.size(); ++i) {
    BodySnapshot& body = out.bodies[i];
    body.id = state.ids[i];
    body.kind = state.bodies[i].kind;
    body.centerOfMass = body.pose * state.bodies[i].centerOfMass;
    body.boundsLower.setZero();
    body.boundsUpper.setZero();
    body.awake = true;
  }
  if (row.contacts.count < 0 || row.contacts.count > state.contactTable.rows()) {
    state.file.fail("/frames/contact_count is damaged");
  }
  out.contacts.resize(static_cast<std::size_t>(row.contacts.count));
  state.contactTable.read(row.contacts.start, out.contacts);
  for (ContactSnapshot& contact : out.contacts) {
    contact.bodyA = state.bodyOfSlot(contact.bodyA.index);
    contact.bodyB = state.bodyOfSlot(contact.bodyB.index);
    contact.block = -1;
  }
  out.joints.clear();
}

const std::vector<ForcePlateDefinition>& Recording::forcePlates() const {
  return state_->plates->definitions();
}

std::vector<std::optional<ForcePlateReading>> Recording::plateReadings(std::int64_t frame) const {
  DRYSTONE_ASSERT(frame >= 0 && frame < frameCount());
  return state_->plates->frame(frame);
}

}  // namespace drystone
