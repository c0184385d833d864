#pragma once

#include <gtest/gtest.h>

#include <new>

#include "tests/support/allocation_counter.h"

namespace drystone::test {

/// Calls `call` with one allocation after the other failing, or every `stride`-th of them, until it
/// has none left to fail, and `after` each time, whether the call was done. What it throws for an
/// allocation is std::bad_alloc. Returns how many failed.
template <class Call, class After>
int failEach(Call&& call, After&& after, int stride = 1,
             FailingAllocations which = FailingAllocations::kAll) {
  for (int n = 1, failed = 0;; n += stride, ++failed) {
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
    if (!hasFailed) return failed;
  }
}

}  // namespace drystone::test
