#pragma once

#include <cstdint>

namespace drystone::test {

/// Number of heap allocations of this process so far, those of libraries included: a program that
/// calls this has its malloc family replaced by a counting one. Under a sanitizer, which has its
/// own heap, it stays 0.
std::int64_t allocationCount();

enum class FailingAllocations {
  kAll,
  kOfNew,  ///< those of operator new alone: a library in C goes on as it is
};

/// Lets the n-th heap allocation from now on fail, once, in whatever thread; 0: none. Returns
/// whether one failed since the last call. Nothing fails under a sanitizer.
bool failAllocation(std::int64_t n, FailingAllocations which = FailingAllocations::kAll);

/// Bytes that all of these asked for. What was freed counts on, and so do the smaller arrays that a
/// growing one left behind.
std::int64_t allocatedBytes();

}  // namespace drystone::test
