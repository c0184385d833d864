#include "engine/recording/recorded_plates.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "engine/recording/recording_format.h"

namespace drystone::detail {
namespace {

constexpr const char *kFolder = "force_plates", *kReadings = "frames/force_plates";
constexpr const char* kNames = "force_plates/names";
constexpr const char* kFirstColumn = "force_plates/body";  // is there where plates are
constexpr int kAny = -1, kGone = -2;                       // in place of a row of a body

/// A plate beside its name.
struct PlateRow {
  int body = kGone, other = kAny;  // rows of the recorded bodies
  ForcePlateDefinition definition{};
};

const std::vector<Column<PlateRow>>& plateColumns() {
  using Plate = ForcePlateDefinition;
  constexpr auto kPlate = &PlateRow::definition;
  static const std::vector<Column<PlateRow>> all = {
      column<&PlateRow::body>("body"),
      column<&PlateRow::other>("other"),
      column<kPlate, &Plate::part>("part"),
      column<kPlate, &Plate::site, &Pose::position>("position", "m"),
      column<kPlate, &Plate::site, &Pose::rotation>("rotation"),
      column<kPlate, &Plate::inWorldAxes>("in_world_axes"),
  };
  return all;
}

const std::vector<Column<ForcePlateReading>>& readingColumns() {
  using Reading = ForcePlateReading;
  static const std::vector<Column<Reading>> all = {
      column<&Reading::force>("force", "N"),
      column<&Reading::torque>("torque", "N m"),
      column<&Reading::center>("center", "m"),
      column<&Reading::forceError>("force_error", "N"),
      column<&Reading::torqueError>("torque_error", "N m"),
      column<&Reading::centerError>("center_error", "m"),
      column<&Reading::isSumUnique>("is_sum_unique"),
      column<&Reading::areSharesUnique>("are_shares_unique"),
      column<&Reading::rank>("rank"),
      column<&Reading::unknowns>("unknowns"),
  };
  return all;
}

BodyId bodyOfRow(ArrayFileReader& file, std::span<const BodyId> bodies, int row) {
  if (row == kGone) return {};
  if (row < 0 || row >= std::ssize(bodies)) {
    file.fail("/force_plates names a body that there is not: the file is damaged");
  }
  return bodies[static_cast<std::size_t>(row)];
}

}  // namespace

void copyReadings(std::span<const ForcePlate> plates, std::vector<ForcePlateReading>& rows) {
  rows.resize(plates.size());
  for (std::size_t i = 0; i < plates.size(); ++i) {
    rows[i] = plates[i].hasReading ? plates[i].reading : missingPlateReading();
    rows[i].contacts.clear();
  }
}

bool areRecordedPlates(std::span<const ForcePlate> plates,
                       std::span<const ForcePlateDefinition> recorded) {
  return std::ranges::equal(plates, recorded,
                            [](const ForcePlate& plate, const ForcePlateDefinition& b) {
                              const ForcePlateDefinition& a = plate.definition;
                              return a.name == b.name && a.body == b.body && a.other == b.other &&
                                     a.part == b.part && a.site.position == b.site.position &&
                                     a.site.rotation.coeffs() == b.site.rotation.coeffs() &&
                                     a.inWorldAxes == b.inWorldAxes;
                            });
}

PlateWriter::PlateWriter(ArrayFileWriter& file, std::span<const ForcePlate> plates,
                         std::span<const BodySnapshot> bodies) {
  if (plates.empty()) return;
  const auto rowOf = [bodies](BodyId id) {
    const auto found = std::ranges::find(bodies, id, &BodySnapshot::id);
    return found == bodies.end() ? kGone : static_cast<int>(found - bodies.begin());
  };
  std::vector<std::string> names;
  std::vector<PlateRow> rows;
  for (const ForcePlate& plate : plates) {
    const ForcePlateDefinition& one = plate.definition;
    names.push_back(one.name);
    rows.push_back({rowOf(one.body), one.other ? rowOf(*one.other) : kAny, one});
  }
  writeTexts(file, kNames, names);
  TableWriter<PlateRow>(file, kFolder, plateColumns()).add(rows);
  readings_.emplace(file, kReadings, readingColumns());
}

void PlateWriter::addFrame(std::span<const ForcePlateReading> rows) {
  if (readings_) readings_->add(rows);
}

PlateReader::PlateReader(ArrayFileReader& file, std::span<const BodyId> bodies,
                         std::int64_t frames) {
  if (!file.has(kFirstColumn)) return;
  std::vector<std::string> names = readTexts(file, kNames);
  const TableReader<PlateRow> table(file, kFolder, plateColumns());
  if (table.rows() != std::ssize(names)) file.fail("/force_plates is damaged: a name is missing");
  std::vector<PlateRow> rows(names.size());
  table.read(0, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ForcePlateDefinition& plate = rows[i].definition;
    plate.name = std::move(names[i]);
    plate.body = bodyOfRow(file, bodies, rows[i].body);
    if (rows[i].other != kAny) plate.other = bodyOfRow(file, bodies, rows[i].other);
    definitions_.push_back(std::move(plate));
  }
  readings_.emplace(file, kReadings, readingColumns());
  if (frames * std::ssize(definitions_) > readings_->rows()) {
    file.fail("/frames/force_plates is shorter than /frames says: the file is damaged");
  }
}

std::vector<std::optional<ForcePlateReading>> PlateReader::frame(std::int64_t index) const {
  if (!readings_) return {};
  std::vector<ForcePlateReading> rows(definitions_.size());
  readings_->read(index * std::ssize(rows), rows);
  std::vector<std::optional<ForcePlateReading>> found(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!std::isnan(rows[i].force.x())) found[i] = std::move(rows[i]);
  }
  return found;
}

}  // namespace drystone::detail

namespace drystone {

ForcePlateReading missingPlateReading() {
  ForcePlateReading none;
  none.force.setConstant(std::numeric_limits<Real>::quiet_NaN());
  none.torque = none.force;
  return none;
}

}  // namespace drystone
