#include "engine/recording/recording_format.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "core/hash.h"

namespace drystone::detail {

const std::vector<Column<TextRow>>& textColumns() {
  static const std::vector<Column<TextRow>> all = {column<&TextRow::length>("length", "bytes")};
  return all;
}

const std::vector<Column<BodyRow>>& bodyColumns() {
  static const std::vector<Column<BodyRow>> all = {
      column<&BodyRow::id, &BodyId::index>("slot"),
      column<&BodyRow::id, &BodyId::generation>("generation"),
      column<&BodyRow::kind>("kind"),
      column<&BodyRow::centerOfMass>("center_of_mass", "m"),
  };
  return all;
}

const std::vector<Column<RecordedJoint>>& jointColumns() {
  static const std::vector<Column<RecordedJoint>> all = {
      column<&RecordedJoint::geometry>("geometry"),
      column<&RecordedJoint::bodyA>("body_a"),
      column<&RecordedJoint::bodyB>("body_b"),
  };
  return all;
}

const std::vector<Column<FrameRow>>& frameColumns() {
  static const std::vector<Column<FrameRow>> all = {
      column<&FrameRow::step>("step"),
      column<&FrameRow::time>("time", "s"),
      column<&FrameRow::contacts, &RowRange::start>("contact_start"),
      column<&FrameRow::contacts, &RowRange::count>("contact_count"),
  };
  return all;
}

const std::vector<Column<BodySnapshot>>& poseColumns() {
  static const std::vector<Column<BodySnapshot>> all = {
      column<&BodySnapshot::pose, &Pose::position>("position", "m"),
      column<&BodySnapshot::pose, &Pose::rotation>("rotation"),
      column<&BodySnapshot::linearVelocity>("linear_velocity", "m/s"),
      column<&BodySnapshot::angularVelocity>("angular_velocity", "rad/s"),
      column<&BodySnapshot::island>("island"),
  };
  return all;
}

namespace {

/// A column that programs before it was there have not written.
template <auto... kPath>
auto optionalColumn(const char* name, const char* unit = "") {
  auto one = column<kPath...>(name, unit);
  one.isOptional = true;
  return one;
}

}  // namespace

const std::vector<Column<ContactSnapshot>>& contactColumns() {
  static const std::vector<Column<ContactSnapshot>> all = {
      column<&ContactSnapshot::bodyA, &BodyId::index>("body_a"),
      column<&ContactSnapshot::bodyB, &BodyId::index>("body_b"),
      column<&ContactSnapshot::position>("position", "m"),
      column<&ContactSnapshot::normal>("normal"),
      column<&ContactSnapshot::gap>("gap", "m"),
      column<&ContactSnapshot::impulse>("impulse", "N s"),
      column<&ContactSnapshot::normalImpulse>("normal_impulse", "N s"),
      optionalColumn<&ContactSnapshot::attraction>("attraction", "N s"),
      column<&ContactSnapshot::friction>("friction"),
      optionalColumn<&ContactSnapshot::tangent>("tangent"),
      optionalColumn<&ContactSnapshot::frictionAcross>("friction_across"),
      column<&ContactSnapshot::island>("island"),
  };
  return all;
}

namespace {

/// A file that has no column of the solves alone is of a program that counted nothing else.
Column<StepRow> withinToleranceColumn() {
  Column<StepRow> one = column<&StepRow::step, &RecordedStep::report, &StepReport::withinTolerance>(
      "within_tolerance");
  one.load = [](const std::byte* in, StepRow& row) {
    StepReport& report = row.step.report;
    Stored<bool>::load(in, report.withinTolerance);
    report.solvesWithin = report.withinTolerance;
  };
  return one;
}

template <std::size_t kIndex>
Column<StepRow> figureColumn() {
  constexpr const StepFigure& kFigure = kStepFigures[kIndex];
  constexpr auto kMember = std::get<kFigure.member.index()>(kFigure.member);
  return optionalColumn<&StepRow::step, &RecordedStep::report, kMember>(kFigure.name, kFigure.unit);
}

template <std::size_t... kIndices>
void addFigures(std::index_sequence<kIndices...>, std::vector<Column<StepRow>>& columns) {
  (columns.push_back(figureColumn<kIndices>()), ...);
}

std::vector<Column<StepRow>> makeStepColumns() {
  using Step = RecordedStep;
  using Report = StepReport;
  using Energy = EnergyLedger;
  using Times = StageTimes;
  using Worst = WorstSolve;
  constexpr auto kStep = &StepRow::step;
  constexpr auto kReport = &Step::report;
  constexpr auto kWorst = &Report::worst;
  std::vector<Column<StepRow>> all = {
      column<kStep, kReport, &Report::step>("step"),
      column<kStep, kReport, &Report::time>("time", "s"),
      column<kStep, &Step::hash>("hash"),
      column<kStep, &Step::solver>("solver"),
      column<kStep, kReport, kWorst, &Worst::result, &SolveResult::solver, &SolverReport::status>(
          "worst_status"),
      column<kStep, kReport, kWorst, &Worst::result, &SolveResult::reason>("worst_reason"),
      column<kStep, kReport, &Report::status>("status"),
      withinToleranceColumn(),
      optionalColumn<kStep, kReport, &Report::solvesWithin>("solves_within_tolerance"),
      optionalColumn<kStep, kReport, &Report::jointTolerance>("joint_tolerance", "m"),
      optionalColumn<kStep, kReport, &Report::overlapTolerance>("overlap_tolerance", "m"),
      column<kStep, kReport, kWorst, &Worst::island>("worst_island"),
      column<kStep, kReport, &Report::joints>("joints"),
      column<kStep, kReport, &Report::energy, &Energy::kinetic>("kinetic", "J"),
      column<kStep, kReport, &Report::energy, &Energy::potential>("potential", "J"),
      column<kStep, kReport, &Report::energy, &Energy::ledgerError>("ledger_error", "J"),
      column<kStep, kReport, &Report::times, &Times::collision>("collision_time", "ms"),
      column<kStep, kReport, &Report::times, &Times::solve>("solve_time", "ms"),
      column<kStep, kReport, &Report::times, &Times::step>("step_time", "ms"),
      column<&StepRow::contactEvents, &RowRange::start>("contact_event_start"),
      column<&StepRow::contactEvents, &RowRange::count>("contact_event_count"),
      column<&StepRow::sensorEvents, &RowRange::start>("sensor_event_start"),
      column<&StepRow::sensorEvents, &RowRange::count>("sensor_event_count"),
      column<&StepRow::breakEvents, &RowRange::start>("break_event_start"),
      column<&StepRow::breakEvents, &RowRange::count>("break_event_count"),
  };
  addFigures(std::make_index_sequence<kStepFigures.size()>(), all);
  return all;
}

}  // namespace

const std::vector<Column<StepRow>>& stepColumns() {
  static const std::vector<Column<StepRow>> all = makeStepColumns();
  return all;
}

const std::vector<Column<ContactEventRow>>& contactEventColumns() {
  using Row = ContactEventRow;
  static const std::vector<Column<Row>> all = {
      column<&Row::phase>("phase"),
      column<&Row::event, &ContactEvent::bodyA, &BodyId::index>("body_a"),
      column<&Row::event, &ContactEvent::bodyA, &BodyId::generation>("generation_a"),
      column<&Row::event, &ContactEvent::bodyB, &BodyId::index>("body_b"),
      column<&Row::event, &ContactEvent::bodyB, &BodyId::generation>("generation_b"),
      column<&Row::event, &ContactEvent::normalImpulse>("normal_impulse", "N s"),
      optionalColumn<&Row::event, &ContactEvent::attraction>("attraction", "N s"),
      column<&Row::event, &ContactEvent::approachSpeed>("approach_speed", "m/s"),
      column<&Row::event, &ContactEvent::points>("points"),
      column<&Row::event, &ContactEvent::position>("position", "m"),
      column<&Row::event, &ContactEvent::normal>("normal"),
  };
  return all;
}

const std::vector<Column<SensorEventRow>>& sensorEventColumns() {
  using Row = SensorEventRow;
  static const std::vector<Column<Row>> all = {
      column<&Row::phase>("phase"),
      column<&Row::event, &SensorEvent::sensor, &BodyId::index>("sensor"),
      column<&Row::event, &SensorEvent::sensor, &BodyId::generation>("sensor_generation"),
      column<&Row::event, &SensorEvent::visitor, &BodyId::index>("visitor"),
      column<&Row::event, &SensorEvent::visitor, &BodyId::generation>("visitor_generation"),
  };
  return all;
}

const std::vector<Column<JointBreakEvent>>& breakEventColumns() {
  using Row = JointBreakEvent;
  static const std::vector<Column<Row>> all = {
      column<&Row::joint, &JointId::index>("joint"),
      column<&Row::bodyA, &BodyId::index>("body_a"),
      column<&Row::bodyA, &BodyId::generation>("generation_a"),
      column<&Row::bodyB, &BodyId::index>("body_b"),
      column<&Row::bodyB, &BodyId::generation>("generation_b"),
      column<&Row::impulse>("impulse", "N s"),
  };
  return all;
}

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

std::vector<std::string> readTexts(ArrayFileReader& file, const std::string& path) {
  const std::string all = file.text(path + "/text");
  const TableReader<TextRow> table(file, path, textColumns());
  std::vector<TextRow> rows(static_cast<std::size_t>(table.rows()));
  table.read(0, rows);
  std::vector<std::string> texts;
  std::size_t start = 0;
  for (const TextRow& row : rows) {
    const auto length = static_cast<std::size_t>(row.length);
    if (row.length < 0 || length > all.size() - start) {
      file.fail(fmt::format("/{} is damaged: it is shorter than its lengths say", path));
    }
    texts.push_back(all.substr(start, length));
    start += length;
  }
  return texts;
}

std::uint64_t sceneHash(const RecordingInfo& info) {
  Hasher hasher;
  const auto add = [&](const std::string& text) {
    hasher.add(text.size());
    hasher.bytes(text.data(), text.size());
  };
  add(info.sceneText);
  for (const RecordedFile& file : info.files) {
    add(file.name);
    add(file.text);
  }
  return hasher.value();
}

}  // namespace drystone::detail
