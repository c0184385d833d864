#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/studies/peers/cases.h"
#include "bench/studies/peers/figures.h"

namespace drystone::bench {

/// Of some values: the median with the least and the most. Not numbers where there is none.
struct Spread {
  Real median = std::numeric_limits<Real>::quiet_NaN();
  Real least = std::numeric_limits<Real>::quiet_NaN();
  Real most = std::numeric_limits<Real>::quiet_NaN();
};
/// Values that are not numbers are left out.
Spread spreadOf(std::vector<Real> values);

/// One run of a scene in one configuration.
struct PeerRun {
  std::string configuration;
  PeerFigures figures;
};

/// What became of a scene in one configuration, over all runs.
struct PeerRow {
  std::string configuration;
  std::vector<PeerFigures> runs;
  PeerFigures figures;  ///< of the run that went worst, with times that are medians over the runs
  Spread milliseconds;  ///< processor time of a step, mean over its run [ms]
  Spread inBullets;     ///< the same over that of kUnitConfiguration in the same run
};

/// A row a configuration, from all runs; each run has the configurations in the same order.
std::vector<PeerRow> rowsOf(const PeerCase& test, std::span<const std::vector<PeerRun>> runs);

/// A scene with its rows.
struct PeerResult {
  PeerCase test;
  std::vector<PeerRow> rows;
};

/// The one figure that says how badly a scene went: drift, largest overlap or largest joint gap
/// [m], or the error of the acceleration, or of what a foot bears, as a share.
Real measure(const PeerCase& test, const PeerFigures& figures);
/// With its unit: "0.7 nm", "1.2 %".
std::string measureText(const PeerCase& test, Real measured);

/// "stands", "fell", "ran", "ended" (before the last step) or "refused" (the scene).
std::string_view outcome(const PeerCase& test, const PeerFigures& figures);

/// "1.8": two digits, as far as a time on a shared machine has them; "–" for what is no number.
std::string ratioText(Real ratio);

}  // namespace drystone::bench
