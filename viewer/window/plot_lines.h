#pragma once

#include <span>

#include "solvers/driver/contact_solver.h"
#include "viewer/session/race.h"
#include "viewer/window/plot.h"

namespace drystone::viewer {

/// Residual by iteration of one solve. Where the solver began to count anew, as block pivoting does
/// when it is rescued, the count goes on.
PlotLine convergenceLine(std::span<const ResidualHistory::Entry> entries);

/// The judged residual of a solver of a race; exact solvers have a point, their one answer. A time
/// is no longer than that of any run of more iterations: what it took beyond that was the
/// machine's.
PlotLine raceLine(const RaceEntry& entry, ImU32 color, bool byTime);

}  // namespace drystone::viewer
