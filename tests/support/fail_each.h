#pragma once

#include <gtest/gtest.h>

#include <new>

#include "tests/support/allocation_counter.h"

namespace drystone::test {

/// Calls `call` with one allocation after the other failing, until it has none left to fail, and
/// `after` each time, whether the call was done. What it throws for an allocation is
/// std::bad_alloc. Returns how many failed.
template <class Call, class After>
int failEach(Call&& call, After&& after, FailingAllocations which = FailingAllocations::kAll) {
  for (int n = 1;; ++n) {
    bool isDone = true;
    failAllocation(n, which);
    try {
      call();
    } catch (const std::bad_alloc&) {
      isDone = false;
    }
    const bool hasFailed = failAllocation(0);
    EXPECT_TRUE(isDone || hasFailed);
    after(isDone);
    // Some do without, as a sort without its buffer.
    if (!hasFailed) return n - 1;
  }
}

}  // namespace drystone::test
