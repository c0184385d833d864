// Runs of a scene, taken together.
#include "bench/studies/peers/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/studies/measure.h"

namespace drystone::bench {
namespace {

Real stepMs(const PeerFigures& figures) {
  return figures.steps > 0 ? figures.processor.mean : std::numeric_limits<Real>::quiet_NaN();
}

/// Step time of the unit in a run [ms]; not a number where it has none.
Real unitMs(const std::vector<PeerRun>& run) {
  const auto unit = std::ranges::find(run, kUnitConfiguration, &PeerRun::configuration);
  return unit == run.end() ? std::numeric_limits<Real>::quiet_NaN() : stepMs(unit->figures);
}

/// Runs that did not come to the end are worse than all others, and what is no number too.
bool isWorse(const PeerCase& test, const PeerFigures& a, const PeerFigures& b) {
  const auto ended = [](const PeerFigures& figures) { return !figures.ended.empty(); };
  if (ended(a) != ended(b)) return ended(a);
  const Real ofA = measure(test, a), ofB = measure(test, b);
  return std::isnan(ofA) ? !std::isnan(ofB) : ofA > ofB;
}

TimeFigures medians(const std::vector<PeerFigures>& runs, TimeFigures PeerFigures::*times) {
  TimeFigures out;
  for (Real TimeFigures::*figure :
       {&TimeFigures::mean, &TimeFigures::median, &TimeFigures::settled}) {
    std::vector<Real> values;
    for (const PeerFigures& run : runs) values.push_back(run.*times.*figure);
    out.*figure = median(values);
  }
  return out;
}

std::string twoDigits(Real value) {
  if (value >= 1e5) return fmt::format("{:.0e}", value);
  return fmt::format("{:.{}f}", value, value < 9.95 ? 1 : 0);
}

std::string lengthText(Real metres) {
  struct Unit {
    Real metres;
    const char* name;
  };
  // Below a tenth of the last unit nobody sees a difference.
  static constexpr std::array<Unit, 4> kUnits = {
      {{1, "m"}, {1e-3, "mm"}, {1e-6, "µm"}, {1e-9, "nm"}}};
  for (const Unit& unit : kUnits) {
    if (metres >= unit.metres) return twoDigits(metres / unit.metres) + " " + unit.name;
  }
  return metres < 1e-10 ? "<0.1 nm" : twoDigits(metres / 1e-9) + " nm";
}

}  // namespace

Spread spreadOf(std::vector<Real> values) {
  std::erase_if(values, [](Real value) { return std::isnan(value); });
  if (values.empty()) return {};
  const auto [least, most] = std::ranges::minmax(values);
  return {.median = median(values), .least = least, .most = most};
}

std::vector<PeerRow> rowsOf(const PeerCase& test, std::span<const std::vector<PeerRun>> runs) {
  std::vector<PeerRow> rows;
  for (std::size_t i = 0; !runs.empty() && i < runs.front().size(); ++i) {
    PeerRow row{.configuration = runs.front()[i].configuration};
    std::vector<Real> ms, ratios;
    for (const std::vector<PeerRun>& run : runs) {
      row.runs.push_back(run[i].figures);
      ms.push_back(stepMs(run[i].figures));
      ratios.push_back(ms.back() / unitMs(run));
    }
    row.figures = *std::ranges::min_element(
        row.runs, [&](const PeerFigures& a, const PeerFigures& b) { return isWorse(test, a, b); });
    row.figures.processor = medians(row.runs, &PeerFigures::processor);
    row.figures.wall = medians(row.runs, &PeerFigures::wall);
    row.milliseconds = spreadOf(std::move(ms));
    row.inBullets = spreadOf(std::move(ratios));
    rows.push_back(std::move(row));
  }
  return rows;
}

Real measure(const PeerCase& test, const PeerFigures& figures) {
  switch (test.kind) {
    case PeerKind::kStands:
      return figures.drift;
    case PeerKind::kFlows:
      return figures.overlapLargest;
    case PeerKind::kHangs:
      return figures.jointGap;
    case PeerKind::kPasses:
      return figures.driftLateral;
    case PeerKind::kSlides:
      return std::abs(figures.acceleration / test.acceleration - 1);
    case PeerKind::kWeighs:
      return figures.shareError;
  }
  return 0;
}

std::string measureText(const PeerCase& test, Real measured) {
  if (std::isnan(measured)) return "–";
  if (test.kind != PeerKind::kSlides && test.kind != PeerKind::kWeighs) return lengthText(measured);
  // The speeds that it comes from are not read more closely than that.
  constexpr Real kLeast = 1e-5;
  return measured < kLeast ? "<0.001 %" : fmt::format("{:.2g} %", 100 * measured);
}

std::string ratioText(Real ratio) {
  if (std::isnan(ratio)) return "–";
  return ratio < 0.995 ? fmt::format("{:.2f}", ratio) : twoDigits(ratio);
}

std::string_view outcome(const PeerCase& test, const PeerFigures& figures) {
  if (figures.steps == 0) return "refused";
  if (!figures.ended.empty()) return "ended";
  if (test.kind != PeerKind::kStands) return "ran";
  return figures.drift < test.tolerance ? "stands" : "fell";
}

}  // namespace drystone::bench
