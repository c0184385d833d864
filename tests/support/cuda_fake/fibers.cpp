#include "tests/support/cuda_fake/fibers.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <new>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

namespace drystone::cuda_fake {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// Sanitizers put themselves in place of setjmp, and make frames large.
constexpr bool kJumps = false;
constexpr std::size_t kStackBytes = std::size_t{256} << 10;
#else
// A jump takes no call of the system, unlike swapcontext.
constexpr bool kJumps = true;
constexpr std::size_t kStackBytes = std::size_t{64} << 10;
#endif

Fiber* starting = nullptr;

}  // namespace

Fiber::Fiber() {
#if defined(__SANITIZE_ADDRESS__)
  pthread_attr_t attributes;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &stack_, &stackBytes_);
  pthread_attr_destroy(&attributes);
#endif
}

Fiber::Fiber(void (*entry)()) : entry_(entry), stackBytes_(kStackBytes), isFresh_(true) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* mapping = mmap(nullptr, page + kStackBytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  mprotect(mapping, page, PROT_NONE);
  mapping_ = static_cast<std::byte*>(mapping);
  stack_ = mapping_ + page;
  getcontext(&context_);
  context_.uc_stack.ss_sp = stack_;
  context_.uc_stack.ss_size = stackBytes_;
  context_.uc_link = nullptr;
  makecontext(&context_, &Fiber::start, 0);
#if defined(__SANITIZE_ADDRESS__)
  // Else it would clear what it knows of the whole stack at every switch.
  context_.uc_stack.ss_size = 0;
#endif
}

Fiber::~Fiber() {
  if (mapping_ == nullptr) return;
#if defined(__SANITIZE_ADDRESS__)
  ASAN_UNPOISON_MEMORY_REGION(stack_, stackBytes_);
#endif
  munmap(mapping_,
         static_cast<std::size_t>(static_cast<std::byte*>(stack_) - mapping_) + stackBytes_);
}

void Fiber::start() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
  starting->entry_();
}

void Fiber::switchTo(Fiber& to) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&fakeStack_, to.stack_, to.stackBytes_);
#endif
  const bool isFresh = to.isFresh_;
  if (isFresh) {
    to.isFresh_ = false;
    starting = &to;
  }
  if constexpr (kJumps) {
    if (_setjmp(place_) == 0) {
      if (isFresh) setcontext(&to.context_);
      _longjmp(to.place_, 1);
    }
  } else {
    swapcontext(&context_, &to.context_);
  }
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fakeStack_, nullptr, nullptr);
#endif
}

namespace watched {

#if defined(__SANITIZE_THREAD__)
void* createThread() { return __tsan_create_fiber(0); }
void destroyThread(void* thread) { __tsan_destroy_fiber(thread); }
void* currentThread() { return __tsan_get_current_fiber(); }
void goOnAs(void* thread) { __tsan_switch_to_fiber(thread, __tsan_switch_to_fiber_no_sync); }
void acquire(void* token) { __tsan_acquire(token); }
void release(void* token) { __tsan_release(token); }
void ignoreBegin() {
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}
void ignoreEnd() {
  AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
}
#else
void* createThread() { return nullptr; }
void destroyThread(void*) {}
void* currentThread() { return nullptr; }
void goOnAs(void*) {}
void acquire(void*) {}
void release(void*) {}
void ignoreBegin() {}
void ignoreEnd() {}
#endif

}  // namespace watched
}  // namespace drystone::cuda_fake
