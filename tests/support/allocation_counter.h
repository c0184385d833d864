#pragma once

#include <cstdint>

namespace drystone::test {

/// Number of heap allocations of this process so far, those of libraries included: a program that
/// calls this has its malloc family replaced by a counting one. Under a sanitizer, which has its
/// own heap, it stays 0.
std::int64_t allocationCount();

/// Bytes that all of these asked for. What was freed counts on, and so do the smaller arrays that a
/// growing one left behind.
std::int64_t allocatedBytes();

}  // namespace drystone::test
