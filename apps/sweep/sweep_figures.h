#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/support/run_record.h"
#include "engine/world/world.h"

namespace drystone::cli {

// The columns of a sweep that say what came of a run. Over the steps of a run there are `NAME_max`,
// `NAME_median`, `NAME_mean`, `NAME_p99` and `NAME_end` of each figure of a step; beside these
// those of the run, of its end, and of a body at the end: `bodies.NAME.x`.

struct SweepFigure {
  std::string title;  ///< of the column: the name with its unit
  std::function<std::string(const World& world, const RunRecord& record)> text;
};

/// Why there is no figure of that name, with the near ones; empty: there is. Bodies are looked for
/// in no scene.
std::string figureProblem(const std::string& name);
/// The figure of a name that is good. A body that the world has not gives `nan`.
SweepFigure figureNamed(const std::string& name);
/// The body that a figure is of; empty: of none.
std::string bodyOfFigure(const std::string& name);

/// What a study has that names none: what the judge says of the runs, their contacts, time and end.
std::vector<std::string> defaultFigures();

}  // namespace drystone::cli
