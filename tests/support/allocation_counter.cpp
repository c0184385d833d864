// Counts at the level of malloc, so that Eigen's and Bullet's own allocations are seen as well as
// operator new, which ends there too. glibc keeps the real functions under a second name.
#include "tests/support/allocation_counter.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>

namespace {

std::atomic<std::int64_t> allocations{0};
std::atomic<std::int64_t> bytes{0};

[[maybe_unused]] void note(std::size_t size) {
  ++allocations;
  bytes += static_cast<std::int64_t>(size);
}

}  // namespace

namespace drystone::test {

std::int64_t allocationCount() { return allocations; }
std::int64_t allocatedBytes() { return bytes; }

}  // namespace drystone::test

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  note(size);
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  note(count * size);
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  note(size);
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  note(size);
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  note(size);
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}
#endif
