// What the engines did, as markdown and as a file for the plots.
#include "bench/studies/peers/table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace drystone::bench {
namespace {

constexpr Real kMm = 1e3;  // of a metre

struct Column {
  const char* title;
  std::function<std::string(const PeerRow&)> cell;
};

/// The median, with the least and the most where there are several runs.
std::string spreadText(const PeerRow& row, Spread PeerRow::*spread,
                       const std::function<std::string(Real)>& text) {
  const Spread& values = row.*spread;
  if (row.runs.size() < 2 || std::isnan(values.median)) return text(values.median);
  return fmt::format("{} ({}–{})", text(values.median), text(values.least), text(values.most));
}

Column millimetres(const char* title, Real PeerFigures::*value) {
  return {title, [=](const PeerRow& row) {
            const Real mm = kMm * row.figures.*value;
            return std::abs(mm) < 1e5 ? fmt::format("{:.2g}", mm) : fmt::format("{:.1e}", mm);
          }};
}

std::vector<Column> columns(const PeerCase& test) {
  const auto milliseconds = [](Real ms) { return fmt::format("{:.3g}", ms); };
  std::vector<Column> out = {
      {"× Bullet",
       [](const PeerRow& row) { return spreadText(row, &PeerRow::inBullets, &ratioText); }},
      {"CPU ms a step",
       [=](const PeerRow& row) { return spreadText(row, &PeerRow::milliseconds, milliseconds); }},
      {"settled", [=](const PeerRow& row) { return milliseconds(row.figures.processor.settled); }},
      {"contacts", [](const PeerRow& row) { return fmt::format("{}", row.figures.contacts); }},
  };
  if (test.kind == PeerKind::kHangs) {
    out.back() = millimetres("largest joint gap mm", &PeerFigures::jointGap);
  } else {
    out.push_back(millimetres("overlap mm: largest", &PeerFigures::overlapLargest));
    out.push_back(millimetres("mean", &PeerFigures::overlapMean));
  }
  if (test.kind == PeerKind::kStands || test.kind == PeerKind::kPasses) {
    out.push_back(millimetres("drift mm", &PeerFigures::drift));
    out.push_back(millimetres("lateral", &PeerFigures::driftLateral));
    out.push_back(millimetres("vertical", &PeerFigures::driftVertical));
  }
  if (test.kind == PeerKind::kSlides) {
    out.push_back({"acceleration error %", [=](const PeerRow& row) {
                     const Real error = row.figures.acceleration / test.acceleration - 1;
                     return std::isnan(error) ? "–" : fmt::format("{:.3f}", 100 * error);
                   }});
  }
  if (test.kind == PeerKind::kWeighs) {
    const auto percent = [](Real PeerFigures::*share) {
      return [=](const PeerRow& row) { return fmt::format("{:.2g}", 100 * row.figures.*share); };
    };
    out.push_back({"error of a foot %", percent(&PeerFigures::shareError)});
    out.push_back({"of the sum %", percent(&PeerFigures::weightError)});
  }
  out.push_back(
      {"kinetic J", [](const PeerRow& row) { return fmt::format("{:.2g}", row.figures.kinetic); }});
  return out;
}

/// The last column: what no number says.
std::string remark(const PeerCase& test, const PeerRow& row) {
  const std::string_view word = outcome(test, row.figures);
  if (word == "fell") return "**fell**";
  if (word == "stands") return "stands";
  if (word == "ended") {
    return fmt::format("ended after {} steps: {}", row.figures.steps, row.figures.ended);
  }
  return row.figures.ended;
}

void printModels(std::span<const PeerScene> scenes) {
  const bool touches = std::ranges::any_of(scenes, [](const PeerScene& scene) {
    return std::ranges::any_of(scene.bodies, &PeerBody::collides);
  });
  const bool hasJoints =
      std::ranges::any_of(scenes, [](const PeerScene& scene) { return !scene.joints.empty(); });
  fmt::print("\nThe models differ:\n");
  for (const PeerModel& model : peerModels()) {
    if (!model.absent.empty()) continue;
    fmt::print("- {} {}:", model.name, model.version);
    if (touches) fmt::print(" contacts {}; friction: {};", model.contacts, model.friction);
    if (hasJoints) fmt::print(" joints: {};", model.joints);
    fmt::print(" {}.\n", model.stepping);
  }
}

/// What the second figure of a cell is, for the kinds of scenes that there are.
void printLegend(std::span<const PeerResult> results) {
  struct Meaning {
    PeerKind kind;
    const char* text;
  };
  constexpr std::array<Meaning, 6> kMeanings = {{
      {PeerKind::kStands, "drift of standing scenes at the end"},
      {PeerKind::kFlows, "largest overlap of piles at the end"},
      {PeerKind::kHangs, "largest joint gap of chains at any step"},
      {PeerKind::kSlides, "error of the acceleration on slopes"},
      {PeerKind::kPasses, "way aside, at the end, of what falls past"},
      {PeerKind::kWeighs, "largest error of what a foot bears, by equal springs, at the end"},
  }};
  std::string all;
  for (const Meaning& meaning : kMeanings) {
    const bool isThere = std::ranges::any_of(
        results, [&](const PeerResult& result) { return result.test.kind == meaning.kind; });
    if (isThere) all += (all.empty() ? "" : "; ") + std::string(meaning.text);
  }
  fmt::print(
      "Each cell has the time of a step in units of Bullet's own step of the same run, then how "
      "well "
      "the scene went: {}. ended@k: it ended after k steps. fell 2/5: it fell in two of five runs. "
      "–: the engine does not take the scene.\n\n",
      all);
}

}  // namespace

void printPeerTable(const PeerResult& result) {
  const std::vector<Column> all = columns(result.test);
  fmt::print("| engine |");
  for (const Column& column : all) fmt::print(" {} |", column.title);
  fmt::print(" |\n|---|");
  for (std::size_t i = 0; i < all.size(); ++i) fmt::print("--:|");
  fmt::print("---|\n");
  for (const PeerRow& row : result.rows) {
    fmt::print("| {} |", row.configuration);
    for (const Column& column : all) {
      fmt::print(" {} |", row.figures.steps > 0 ? column.cell(row) : "–");
    }
    printRow(" {} |\n", remark(result.test, row));
  }
  fmt::print("\n");
}

void printVerdict(std::span<const PeerResult> results, std::span<const PeerScene> scenes) {
  fmt::print("## Verdict\n\n");
  printLegend(results);
  fmt::print("{}", verdictTable(results));
  const std::string runs = repeatability(results);
  if (!runs.empty()) fmt::print("\n{}", runs);
  printModels(scenes);
}

std::string absentEngines() {
  std::string all;
  for (const PeerModel& model : peerModels()) {
    if (model.absent.empty()) continue;
    all += fmt::format("{}{} ({})", all.empty() ? " Not built: " : ", ", model.name, model.absent);
  }
  return all.empty() ? all : all + ".";
}

CsvFile openPeerCsv(const StudyOptions& options) {
  return CsvFile(options, "figures",
                 "scene,kind,configuration,outcome,steps,cpu_mean_ms,cpu_median_ms,cpu_settled_ms,"
                 "wall_mean_ms,wall_median_ms,wall_settled_ms,contacts,overlap_largest_m,"
                 "overlap_mean_m,overlapping_pairs,drift_m,drift_lateral_m,drift_vertical_m,"
                 "drift_most_m,joint_gap_m,acceleration_error,kinetic_j,runs,cpu_mean_least_ms,"
                 "cpu_mean_most_ms,bullets,bullets_least,bullets_most");
}

void writePeerRow(CsvFile& csv, const PeerCase& test, const PeerRow& row) {
  const PeerFigures& f = row.figures;
  const Real error = test.kind == PeerKind::kSlides ? f.acceleration / test.acceleration - 1
                                                    : std::numeric_limits<Real>::quiet_NaN();
  csv.row(test.name, peerKindName(test.kind), row.configuration, outcome(test, f), f.steps,
          f.processor.mean, f.processor.median, f.processor.settled, f.wall.mean, f.wall.median,
          f.wall.settled, f.contacts, f.overlapLargest, f.overlapMean, f.overlapping, f.drift,
          f.driftLateral, f.driftVertical, f.driftMost, f.jointGap, error, f.kinetic,
          row.runs.size(), row.milliseconds.least, row.milliseconds.most, row.inBullets.median,
          row.inBullets.least, row.inBullets.most);
}

}  // namespace drystone::bench
