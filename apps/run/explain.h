#pragma once

#include <string>

#include "engine/step/step_report.h"

namespace drystone::cli {

/// How each island of a step was solved, the worst first: its size, why its answer was taken, what
/// the solver tried one after the other and what each try left. For `--explain`.
std::string explainStep(const StepReport& report);

}  // namespace drystone::cli
