#pragma once

#include <numbers>

#include "core/types.h"

namespace drystone::test {

inline constexpr Real kGravity = 9.81;  ///< [m/s²]
inline constexpr Real kPi = std::numbers::pi;

}  // namespace drystone::test
