#pragma once

#include <cassert>

/// States what only a bug can break. Bad input throws and bad numerics return a status instead.
#define DRYSTONE_ASSERT(condition) assert(condition)
