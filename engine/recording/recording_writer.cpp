#include "engine/recording/recording_writer.h"

#include "core/hash.h"

namespace drystone::detail {
namespace {

std::uint64_t hashOf(const std::vector<std::byte>& state) {
  Hasher hasher;
  hasher.bytes(state.data(), state.size());
  return hasher.value();
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
  file.number(place::kProcesses, static_cast<std::uint64_t>(info.processes));
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

void writeBodies(ArrayFileWriter& file, std::span<const std::string> names,
                 const FrameRows& start) {
  std::vector<BodyRow> rows;
  for (const BodySnapshot& body : start.snapshot.bodies) {
    rows.push_back({body.id, body.kind, body.pose.inverse() * body.centerOfMass});
  }
  writeTexts(file, place::kBodyNames, names);
  TableWriter<BodyRow>(file, "bodies", bodyColumns()).add(rows, start.bodies);
}

}  // namespace

RecordingWriter::RecordingWriter(const std::string& path, const RecordingInfo& info,
                                 std::span<const std::string> names, const FrameRows& start,
                                 std::uint64_t startHash, std::span<const ForcePlate> plates)
    : file_(path, start.bodies == nullptr ? Writers::kThisProcess : Writers::kAllProcesses) {
  writeInfo(file_, info);
  writeBodies(file_, names, start);
  file_.number(place::kStartHash, startHash);
  poses_.emplace(file_, "frames/bodies", poseColumns());
  contacts_.emplace(file_, "frames/contacts", contactColumns());
  plates_.emplace(file_, plates, start.snapshot.bodies);
  frames_.emplace(file_, "frames", frameColumns());
  steps_.emplace(file_, "steps", stepColumns());
  contactEvents_.emplace(file_, "events/contacts", contactEventColumns());
  sensorEvents_.emplace(file_, "events/sensors", sensorEventColumns());
  breakEvents_.emplace(file_, "events/breaks", breakEventColumns());
  file_.number(place::kComplete, 0);
  file_.start(place::kFlushed);
  std::vector<ForcePlateReading> readings;
  copyReadings(plates, readings);
  addFrame(start, readings);
  flush();
}

void RecordingWriter::addFrame(const FrameRows& frame, std::span<const ForcePlateReading> plates) {
  const WorldSnapshot& snapshot = frame.snapshot;
  poses_->add(snapshot.bodies, frame.bodies);
  plates_->addFrame(plates);
  const FrameRow row = {snapshot.step, snapshot.time,
                        contacts_->add(snapshot.contacts, frame.contacts)};
  frames_->add({&row, 1});
}

void RecordingWriter::add(StepCopy& copy) {
  if (!copy.state.empty()) copy.row.step.hash = hashOf(copy.state);
  if (copy.hasFrame) addFrame(copy.frame, copy.plates);
  addEvents(copy);
  steps_->add({&copy.row, 1});
}

void RecordingWriter::close(bool isComplete) {
  flush();
  if (isComplete) file_.setNumber(place::kComplete, 1);
  file_.close();
}

void RecordingWriter::addEvents(StepCopy& copy) {
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

}  // namespace drystone::detail
