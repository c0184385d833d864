#pragma once

#include <cstdint>

namespace drystone::test {

/// Number of calls of operator new in this process so far. A program that calls this has its global
/// operator new replaced by a counting one.
std::int64_t allocationCount();

}  // namespace drystone::test
