// What the engines did, as markdown and as a file for the plots.
#include <algorithm>
#include <cmath>
#include <functional>

#include "bench/studies/peers/figures.h"

namespace drystone::bench {
namespace {

constexpr Real kMm = 1e3;  // of a metre

struct Column {
  const char* title;
  std::function<std::string(const PeerFigures&)> cell;
};

std::string times(const TimeFigures& time) {
  return fmt::format("{:.3g} / {:.3g} / {:.3g}", time.mean, time.median, time.settled);
}

Column millimetres(const char* title, Real PeerFigures::*value) {
  return {title, [=](const PeerFigures& figures) {
            const Real mm = kMm * figures.*value;
            return std::abs(mm) < 1e5 ? fmt::format("{:.2g}", mm) : fmt::format("{:.1e}", mm);
          }};
}

Real accelerationError(const PeerFigures& figures, Real exact) {
  return figures.acceleration / exact - 1;
}

std::vector<Column> columns(const PeerCase& test, const Scene& scene) {
  std::vector<Column> out = {
      {"CPU ms a step: mean / median / settled",
       [](const PeerFigures& figures) { return times(figures.processor); }},
      {"wall ms", [](const PeerFigures& figures) { return times(figures.wall); }},
      {"contacts", [](const PeerFigures& figures) { return fmt::format("{}", figures.contacts); }},
  };
  if (test.kind == PeerKind::kHangs) {
    out.back() = millimetres("largest joint gap mm", &PeerFigures::jointGap);
  } else {
    out.push_back(millimetres("overlap mm: largest", &PeerFigures::overlapLargest));
    out.push_back(millimetres("mean", &PeerFigures::overlapMean));
  }
  if (test.kind == PeerKind::kStands) {
    out.push_back(millimetres("drift mm", &PeerFigures::drift));
    out.push_back(millimetres("lateral", &PeerFigures::driftLateral));
    out.push_back(millimetres("vertical", &PeerFigures::driftVertical));
  }
  if (test.kind == PeerKind::kSlides) {
    const Real exact = exactAcceleration(scene);
    out.push_back({"acceleration error %", [=](const PeerFigures& figures) {
                     const Real error = accelerationError(figures, exact);
                     return std::isnan(error) ? "–" : fmt::format("{:.3f}", 100 * error);
                   }});
  }
  out.push_back({"kinetic J", [](const PeerFigures& figures) {
                   return fmt::format("{:.2g}", figures.kinetic);
                 }});
  return out;
}

/// The last column: what no number says.
std::string remark(const PeerCase& test, const PeerRow& row) {
  const std::string_view word = outcome(test, row);
  if (word == "fell") return "**fell**";
  if (word == "stands") return "stands";
  if (word == "ended") {
    return fmt::format("ended after {} steps: {}", row.figures.steps, row.figures.ended);
  }
  return row.figures.ended;
}

void printModels(const PeerScene& scene) {
  const bool touches = std::any_of(scene.bodies.begin(), scene.bodies.end(),
                                   [](const PeerBody& body) { return body.collides(); });
  fmt::print("\nThe models differ:\n");
  for (const PeerModel& model : peerModels()) {
    if (model.version.empty()) continue;
    fmt::print("- {} {}:", model.name, model.version);
    if (touches) fmt::print(" contacts {}; friction: {};", model.contacts, model.friction);
    if (!scene.joints.empty()) fmt::print(" joints: {};", model.joints);
    fmt::print(" {}.\n", model.stepping);
  }
}

}  // namespace

std::string_view outcome(const PeerCase& test, const PeerRow& row) {
  if (row.figures.steps == 0) return "refused";
  if (!row.figures.ended.empty()) return "ended";
  if (test.kind != PeerKind::kStands) return "ran";
  return row.figures.drift < test.tolerance ? "stands" : "fell";
}

void printPeerTable(const PeerCase& test, const Scene& scene, const PeerScene& peers,
                    const std::vector<PeerRow>& rows) {
  const std::vector<Column> all = columns(test, scene);
  fmt::print("| engine |");
  for (const Column& column : all) fmt::print(" {} |", column.title);
  fmt::print(" |\n|---|");
  for (std::size_t i = 0; i < all.size(); ++i) fmt::print("--:|");
  fmt::print("---|\n");
  for (const PeerRow& row : rows) {
    fmt::print("| {} |", row.configuration);
    for (const Column& column : all) {
      fmt::print(" {} |", row.figures.steps > 0 ? column.cell(row.figures) : "–");
    }
    printRow(" {} |\n", remark(test, row));
  }
  printModels(peers);
  fmt::print("\n");
}

CsvFile openPeerCsv(const StudyOptions& options) {
  return CsvFile(options, "figures",
                 "scene,kind,configuration,outcome,steps,cpu_mean_ms,cpu_median_ms,cpu_settled_ms,"
                 "wall_mean_ms,wall_median_ms,wall_settled_ms,contacts,overlap_largest_m,"
                 "overlap_mean_m,overlapping_pairs,drift_m,drift_lateral_m,drift_vertical_m,"
                 "drift_most_m,joint_gap_m,acceleration_error,kinetic_j");
}

void writePeerRow(CsvFile& csv, const PeerCase& test, const Scene& scene, const PeerRow& row) {
  const PeerFigures& f = row.figures;
  const Real error = test.kind == PeerKind::kSlides ? accelerationError(f, exactAcceleration(scene))
                                                    : std::numeric_limits<Real>::quiet_NaN();
  csv.row(test.name, peerKindName(test.kind), row.configuration, outcome(test, row), f.steps,
          f.processor.mean, f.processor.median, f.processor.settled, f.wall.mean, f.wall.median,
          f.wall.settled, f.contacts, f.overlapLargest, f.overlapMean, f.overlapping, f.drift,
          f.driftLateral, f.driftVertical, f.driftMost, f.jointGap, error, f.kinetic);
}

}  // namespace drystone::bench
