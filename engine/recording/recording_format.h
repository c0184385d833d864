#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/recording/recording.h"
#include "engine/recording/recording_table.h"

/// What a recording holds and where: the one list that its writer and its reader share. Described
/// for readers in docs/recording.md. Private to both.
namespace drystone::detail {

constexpr std::string_view kRecordingKind = "drystone recording";
constexpr std::uint64_t kRecordingVersion = 2;

/// Where the values that are no tables lie.
namespace place {
constexpr const char* kKind = "kind";
constexpr const char* kVersion = "version";
constexpr const char* kFlushed = "flushed_steps";
constexpr const char* kComplete = "complete";
constexpr const char* kProgramVersion = "program/version";
constexpr const char* kBuild = "program/build";
constexpr const char* kScene = "scene/name";
constexpr const char* kSceneLabel = "scene/label";
constexpr const char* kSceneText = "scene/text";
constexpr const char* kSceneHash = "scene/hash";
constexpr const char* kFiles = "scene/files";
constexpr const char* kCommandLine = "run/command_line";
constexpr const char* kSettings = "run/settings";
constexpr const char* kSolvers = "run/solvers";
constexpr const char* kEvery = "run/every";
constexpr const char* kProcesses = "run/processes";
constexpr const char* kStartHash = "run/start_hash";
constexpr const char* kBodyNames = "bodies/names";
constexpr const char* kJointNames = "joints/names";
}  // namespace place

/// One text of a list: its length in the text of them all.
struct TextRow {
  std::int64_t length = 0;
};
/// A body beside its name.
struct BodyRow {
  BodyId id;
  BodyKind kind = BodyKind::kDynamic;
  Vec3 centerOfMass;
};
struct FrameRow {
  std::int64_t step = 0;
  Real time = 0;
  RowRange contacts;
};
struct StepRow {
  RecordedStep step;
  RowRange contactEvents, sensorEvents, breakEvents;
};

/// Where a contact or an overlap is in its life.
enum class EventPhase : std::uint8_t { kBegun, kLasting, kEnded };
struct ContactEventRow {
  EventPhase phase = EventPhase::kBegun;
  ContactEvent event;
};
struct SensorEventRow {
  EventPhase phase = EventPhase::kBegun;
  SensorEvent event;
};

const std::vector<Column<TextRow>>& textColumns();
const std::vector<Column<BodyRow>>& bodyColumns();
const std::vector<Column<RecordedJoint>>& jointColumns();
const std::vector<Column<FrameRow>>& frameColumns();
const std::vector<Column<BodySnapshot>>& poseColumns();
const std::vector<Column<ContactSnapshot>>& contactColumns();
const std::vector<Column<StepRow>>& stepColumns();
const std::vector<Column<ContactEventRow>>& contactEventColumns();
const std::vector<Column<SensorEventRow>>& sensorEventColumns();
const std::vector<Column<JointBreakEvent>>& breakEventColumns();

/// Lists of texts: all of them in one, and the length of each.
void writeTexts(ArrayFileWriter& file, const std::string& path, std::span<const std::string> texts);
std::vector<std::string> readTexts(ArrayFileReader& file, const std::string& path);

/// The hash of the scene's text and the files that it names.
std::uint64_t sceneHash(const RecordingInfo& info);

}  // namespace drystone::detail
