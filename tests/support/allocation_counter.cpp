// Counts at the level of malloc, so that Eigen's and Bullet's own allocations are seen as well as
// operator new, which ends there too. glibc keeps the real functions under a second name.
#include "tests/support/allocation_counter.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::int64_t> allocations{0};
std::atomic<std::int64_t> bytes{0};
std::atomic<std::int64_t> failing{0};  // the number of the one that fails; 0: none
std::atomic<std::int64_t> ofNew{0};
std::atomic<std::int64_t> failingOfNew{0};
std::atomic<bool> hasFailed{false};

/// Counts an allocation; true: it is to fail.
[[maybe_unused]] bool isToFail(std::size_t size) {
  bytes += static_cast<std::int64_t>(size);
  if (++allocations != failing) return false;
  hasFailed = true;
  return true;
}

}  // namespace

namespace drystone::test {

std::int64_t allocationCount() { return allocations; }
std::int64_t allocatedBytes() { return bytes; }

bool failAllocation(std::int64_t n, FailingAllocations which) {
  const bool isOfNew = which == FailingAllocations::kOfNew;
  failing = n > 0 && !isOfNew ? allocations + n : 0;
  failingOfNew = n > 0 && isOfNew ? ofNew + n : 0;
  return hasFailed.exchange(false);
}

}  // namespace drystone::test

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  if (isToFail(size)) return nullptr;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  if (isToFail(count * size)) return nullptr;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  if (isToFail(size)) return nullptr;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  if (isToFail(size)) return nullptr;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  if (isToFail(size)) return ENOMEM;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}

// Of what the library has, only this takes the memory; its delete gives it to free().
void* operator new(std::size_t size) {
  if (++ofNew == failingOfNew) {
    hasFailed = true;
    throw std::bad_alloc();
  }
  if (void* const memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
#endif
