#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include "tests/support/cuda_fake/fibers.h"

namespace drystone::cuda_fake {

/// Choices that a seed repeats.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// In [0, count).
  std::size_t below(std::size_t count) {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return ((mixed >> 32) * static_cast<std::uint64_t>(count)) >> 32;
  }

 private:
  std::uint64_t state_;
};

/// A kernel with its arguments, and how many threads call it.
struct Launch {
  std::function<void()> body;
  const std::type_info* kernel = nullptr;  ///< equal for launches of the same kernel
  int blocks = 0, threads = 0;
  std::size_t sharedBytes = 0;
};

/// Runs the threads of launches, one at a time, each on a fiber. A thread runs until it comes to a
/// barrier or ends; which one goes on then is drawn from all of several blocks at a time, and
/// blocks are taken in an order by chance.
class Processor {
 public:
  /// Where launches come from. Its calls may come on the stack of a fiber.
  class Source {
   public:
    virtual ~Source() = default;
    /// No block is begun any more; those that have begun still run to their ends.
    virtual bool isDone() = 0;
    /// Does a copy, calls `begin`, or the like; false: there is nothing to do for now.
    virtual bool bringWork() = 0;
    virtual void fail(const std::string& fault) = 0;
  };

  Processor(Source& source, std::uint64_t seed);
  ~Processor();

  /// Threads acquire what those that released `before` did (see watched), and release `after`.
  /// `onEnd` is called after the last one.
  void begin(Launch launch, void* before, void* after, std::function<void()> onEnd);
  /// Until the source is done or has nothing left. After a fault all launches are dropped.
  void run();

  // What the running thread asks for.
  void barrier(int line);
  std::byte* sharedBytes();

 private:
  static constexpr int kBlocksAtATime = 4;

  struct Active {
    Launch launch;
    void *before, *after;
    std::function<void()> onEnd;
    std::vector<int> toBegin;  ///< blocks
    int toEnd;
  };
  struct Block {
    Active* active = nullptr;
    int index = 0, slot = 0;
    std::vector<Fiber*> fibers;  ///< of each thread; null: it has not begun
    std::vector<int> ready;      ///< threads
    int waiting = 0, ended = 0;
    int line = 0, barriers = 0;
    std::vector<std::byte> shared;  ///< between guards
    std::size_t sharedAt = 0;
  };
  struct Thread {
    Block* block = nullptr;
    int index = 0;
  };

  static void work();
  bool pick();
  bool bringWork();
  void beginBlock(std::size_t active);
  void endBlock(Block& block);
  void endThread();
  void goOn(Fiber& from);
  void leave(Fiber& self);
  void* watchedThread();
  void fault(const std::string& what);
  void dropAll();

  Source& source_;
  Random random_;
  Fiber* main_ = nullptr;       ///< where `run` was called
  void* mainThread_ = nullptr;  ///< see watched
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> free_;
  std::vector<std::unique_ptr<Active>> active_;
  std::array<Block, kBlocksAtATime> pool_;
  std::vector<Block*> live_, idle_;
  std::array<std::vector<void*>, kBlocksAtATime> watched_;
  Thread current_;
  bool failed_ = false;
};

}  // namespace drystone::cuda_fake
