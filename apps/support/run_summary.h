#pragma once

#include <optional>
#include <string>

#include "apps/support/run_record.h"

namespace drystone::cli {

// What `run` says of a run and `replay --report` of a recorded one.

/// A line of a summary. Without a label it goes on with what the line before says.
std::string summaryLine(const std::string& label, const std::string& text);

/// A figure with three digits.
std::string threeDigits(double value);

/// Steps a second, with four digits: `51,380 steps/s`.
std::string rateText(double steps);

/// Wall times of the parts of a step. Those that took none are left out: a recording has not all.
std::string partTable(const RunRecord& record);

/// Figures of a step over the run. Those that are 0 throughout are left out.
std::string figureTable(const RunRecord& record);

/// How the islands were solved, which tolerances were held, and where it was worst. `tolerance`: of
/// the residual [m/s], where it is known.
std::string outcomeText(const RunRecord& record, std::optional<Real> tolerance);

}  // namespace drystone::cli
