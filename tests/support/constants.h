#pragma once

#include <numbers>

#include "core/types.h"

namespace drystone::test {

inline constexpr Real kGravity = 9.81;   ///< [m/s²]
inline constexpr Real kTimestep = 0.01;  ///< of the problems of one step [s]
inline constexpr Real kPi = std::numbers::pi;

}  // namespace drystone::test
