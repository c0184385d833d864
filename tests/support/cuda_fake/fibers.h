#pragma once

#include <ucontext.h>

#include <csetjmp>
#include <cstddef>

namespace drystone::cuda_fake {

/// A place where code waits, on a stack of its own, until another fiber switches to it. All fibers
/// that switch to each other belong to one thread of the system at a time.
class Fiber {
 public:
  /// What runs now, on the stack that it has. It is first switched from, then back to.
  Fiber();
  /// `entry` runs when it is first switched to, and must not return.
  explicit Fiber(void (*entry)());
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;
  /// What waits there is forgotten: nothing on its stack is destroyed.
  ~Fiber();

  /// From this fiber, which runs; returns when one switches back.
  void switchTo(Fiber& to);

 private:
  static void start();

  void (*entry_)() = nullptr;
  std::byte* mapping_ = nullptr;  ///< with a page below the stack that faults
  void* stack_ = nullptr;
  std::size_t stackBytes_ = 0;
  [[maybe_unused]] void* fakeStack_ = nullptr;  ///< of the address sanitizer
  bool isFresh_ = false;
  ucontext_t context_;
  std::jmp_buf place_;
};

/// What the thread sanitizer takes for threads: it reports what two of them touch without one
/// having released a token that the other acquired after it. All of it is empty without that
/// sanitizer.
namespace watched {

void* createThread();
void destroyThread(void* thread);
void* currentThread();
/// What runs from now on is done by `thread`. The caller's calls must be even for each thread.
void goOnAs(void* thread);
void acquire(void* token);
void release(void* token);
/// The current thread is not watched from the first to the last.
void ignoreBegin();
void ignoreEnd();

}  // namespace watched
}  // namespace drystone::cuda_fake
