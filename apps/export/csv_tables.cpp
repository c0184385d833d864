#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/export/export_targets.h"
#include "apps/support/csv_values.h"
#include "viewer/exporting/quantities.h"

namespace drystone::cli {
namespace {

/// A file with a row per record and the same columns of each.
template <class Record>
class TableFile {
 public:
  TableFile(const std::filesystem::path& path, std::string titles,
            const std::vector<viewer::Quantity<Record>>& quantities)
      : file_(path), quantities_(quantities) {
    for (const viewer::Quantity<Record>& one : quantities_) {
      if (one.parts.empty()) titles += "," + csvTitle(one.name, one.unit);
      for (const std::string_view part : one.parts) {
        titles += "," + csvTitle(fmt::format("{}_{}", one.name, part), one.unit);
      }
    }
    file_.out() << titles << "\n";
  }

  /// `begin`: the fields before the quantities.
  void addRow(const std::string& begin, const Record& record) {
    row_ = begin;
    for (const viewer::Quantity<Record>& one : quantities_) {
      std::array<Real, viewer::kMostParts> numbers;
      one.put(record, numbers.data());
      for (std::size_t k = 0; k < one.width(); ++k) row_ += "," + csvNumber(numbers[k]);
    }
    file_.out() << row_ << "\n";
  }
  double close() { return file_.close(); }

 private:
  OutputFile file_;
  const std::vector<viewer::Quantity<Record>>& quantities_;
  std::string row_;
};

}  // namespace

std::string writeCsv(const viewer::ExportedRun& run, const Frames& frames,
                     const std::string& folder) {
  const std::filesystem::path path = folder;
  TableFile bodies(path / "bodies.csv", "step,time_s,body", viewer::bodyQuantities());
  TableFile contacts(path / "contacts.csv", "step,time_s,body_a,body_b",
                     viewer::contactQuantities());
  std::optional<TableFile<ForcePlateReading>> plates;  // none: the recording has none
  if (!run.recording.forcePlates().empty()) {
    plates.emplace(path / "force_plates.csv", "step,time_s,plate", viewer::plateQuantities());
  }
  std::vector<std::string> names, plateNames;
  for (const RecordedBody& body : run.recording.bodies()) names.push_back(csvText(body.name));
  for (const ForcePlateDefinition& plate : run.recording.forcePlates()) {
    const std::string number = fmt::format("plate_{}", plateNames.size());  // as scenes name them
    plateNames.push_back(csvText(plate.name.empty() ? number : plate.name));
  }
  const auto nameOf = [&](BodyId id) {
    const int index = viewer::bodyIndex(*run.scene, id);
    return index < 0 ? std::string() : names[static_cast<std::size_t>(index)];
  };
  auto index = frames.begin();  // of the frame that is visited
  viewer::visitFrames(run, frames, [&](const WorldSnapshot& frame) {
    const std::string begin = csvRow(frame.step, frame.time) + ",";
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
      bodies.addRow(begin + names[i], frame.bodies[i]);
    }
    for (const ContactSnapshot& contact : frame.contacts) {
      contacts.addRow(begin + nameOf(contact.bodyA) + "," + nameOf(contact.bodyB), contact);
    }
    const auto readings = run.recording.plateReadings(*index++);
    for (std::size_t i = 0; i < readings.size(); ++i) {
      if (readings[i]) plates->addRow(begin + plateNames[i], *readings[i]);
    }
  });
  const double plateBytes = plates ? plates->close() : 0;
  return summaryOf(frames, bodies.close() + contacts.close() + plateBytes);
}

}  // namespace drystone::cli
