#pragma once

#include "bench/studies/study.h"

namespace drystone::bench {

// The groups: each prints its table.
void validateFreeBodies(const StudyOptions& options);
void validateTops(const StudyOptions& options);
void validatePendulums(const StudyOptions& options);
void validateFriction(const StudyOptions& options);
void validateMasonry(const StudyOptions& options);
void validateImpacts(const StudyOptions& options);
void validateRolling(const StudyOptions& options);
void validateChains(const StudyOptions& options);
void validateGranular(const StudyOptions& options);

}  // namespace drystone::bench
