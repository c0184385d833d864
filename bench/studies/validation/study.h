#pragma once

#include "bench/studies/study.h"

namespace drystone::bench {

// The groups: each prints its table.
void validateFreeBodies(const StudyOptions& options);
void validateTops(const StudyOptions& options);
void validatePendulums(const StudyOptions& options);

}  // namespace drystone::bench
