#include "tests/support/cuda_fake/processor.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>

#include "tests/support/cuda_fake/include/cuda_runtime.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

uint3 threadIdx, blockIdx;
dim3 blockDim, gridDim;

namespace drystone::cuda_fake {
namespace {

/// Bytes at least before, and just behind, the memory that a block shares; none may change.
constexpr std::size_t kGuard = 128;
constexpr std::size_t kSharedAlignment = 64;

/// Work comes in this often while there are blocks to go on with.
constexpr std::size_t kWorkEvery = 16;

Processor* running = nullptr;

void guardShared([[maybe_unused]] std::vector<std::byte>& shared, [[maybe_unused]] std::size_t at,
                 [[maybe_unused]] bool isOn) {
#if defined(__SANITIZE_ADDRESS__)
  ASAN_UNPOISON_MEMORY_REGION(shared.data(), shared.size());
  if (!isOn) return;
  ASAN_POISON_MEMORY_REGION(shared.data(), at);
  ASAN_POISON_MEMORY_REGION(shared.data() + shared.size() - kGuard, kGuard);
#endif
}

}  // namespace

Processor::Processor(Source& source, std::uint64_t seed) : source_(source), random_(seed) {
  for (int slot = 0; slot < kBlocksAtATime; ++slot) {
    pool_[slot].slot = slot;
    idle_.push_back(&pool_[slot]);
  }
}

Processor::~Processor() {
  dropAll();
  // None of the threads that touched it frees it.
  watched::ignoreBegin();
  for (Block& block : pool_) block.shared = std::vector<std::byte>();
  watched::ignoreEnd();
  for (auto& threads : watched_) {
    for (void* thread : threads) watched::destroyThread(thread);
  }
}

void Processor::begin(Launch launch, void* before, void* after, std::function<void()> onEnd) {
  // Threads read the arguments, which the program wrote. It acquires nothing of theirs, so that no
  // two launches are put in order by this.
  watched::release(before);
  const int blocks = launch.blocks;
  active_.push_back(std::make_unique<Active>(Active{
      std::move(launch), before, after, std::move(onEnd), std::vector<int>(blocks), blocks}));
  std::iota(active_.back()->toBegin.begin(), active_.back()->toBegin.end(), 0);
}

void Processor::run() {
  Processor* const before = std::exchange(running, this);
  Fiber main;
  main_ = &main;
  mainThread_ = watched::currentThread();
  watched::ignoreBegin();
  if (pick()) goOn(main);
  if (failed_) dropAll();
  watched::ignoreEnd();
  running = before;
}

/// Chooses the thread that goes on; false: none is left, or a fault ends it all.
bool Processor::pick() {
  if (failed_) return false;
  for (;;) {
    const bool hasRoom = !idle_.empty();
    if (hasRoom && (live_.empty() || random_.below(kWorkEvery) == 0) && bringWork()) continue;
    if (failed_ || live_.empty()) return false;
    Block& block = *live_[random_.below(live_.size())];
    std::swap(block.ready[random_.below(block.ready.size())], block.ready.back());
    current_ = {&block, block.ready.back()};
    block.ready.pop_back();
    return true;
  }
}

/// Begins a block of a launch, or what else the source has; false: there is nothing.
bool Processor::bringWork() {
  if (source_.isDone()) return false;
  std::vector<std::size_t> beginnable;
  for (std::size_t i = 0; i < active_.size(); ++i) {
    if (!active_[i]->toBegin.empty()) beginnable.push_back(i);
  }
  const std::size_t choice = random_.below(beginnable.size() + 1);
  if (choice == beginnable.size() && source_.bringWork()) return true;
  if (beginnable.empty()) return false;
  beginBlock(beginnable[choice % beginnable.size()]);
  return true;
}

void Processor::beginBlock(std::size_t active) {
  Active& from = *active_[active];
  Block& block = *idle_.back();
  idle_.pop_back();
  live_.push_back(&block);
  std::swap(from.toBegin[random_.below(from.toBegin.size())], from.toBegin.back());
  block.active = &from;
  block.index = from.toBegin.back();
  from.toBegin.pop_back();
  block.fibers.assign(from.launch.threads, nullptr);
  block.ready.resize(from.launch.threads);
  std::iota(block.ready.begin(), block.ready.end(), 0);
  block.waiting = block.ended = block.barriers = 0;
  // Numbers that would show in every result, for what is read before it is written.
  // Memory of its own, of which no sanitizer knows anything from blocks before.
  constexpr std::size_t kBefore = kGuard + kSharedAlignment;
  block.shared =
      std::vector<std::byte>(kBefore + from.launch.sharedBytes + kGuard, std::byte{0xff});
  block.sharedAt =
      kBefore - reinterpret_cast<std::uintptr_t>(block.shared.data()) % kSharedAlignment;
  block.shared.resize(block.sharedAt + from.launch.sharedBytes + kGuard);
  guardShared(block.shared, block.sharedAt, true);
  auto& threads = watched_[block.slot];
  while (threads.size() < block.fibers.size()) threads.push_back(watched::createThread());
}

void Processor::endBlock(Block& block) {
  guardShared(block.shared, block.sharedAt, false);
  const auto isTouched = [](std::byte byte) { return byte != std::byte{0xff}; };
  if (std::any_of(block.shared.begin(), block.shared.begin() + block.sharedAt, isTouched) ||
      std::any_of(block.shared.end() - kGuard, block.shared.end(), isTouched)) {
    fault("a block wrote beyond the memory that it shares");
  }
  live_.erase(std::find(live_.begin(), live_.end(), &block));
  idle_.push_back(&block);
  Active& active = *block.active;
  if (--active.toEnd > 0) return;
  const auto onEnd = std::move(active.onEnd);
  std::erase_if(active_, [&](const auto& one) { return one.get() == &active; });
  onEnd();
}

void* Processor::watchedThread() { return watched_[current_.block->slot][current_.index]; }

/// Lets the chosen thread go on in place of `from`.
void Processor::goOn(Fiber& from) {
  const Block& block = *current_.block;
  Fiber*& fiber = current_.block->fibers[current_.index];
  if (fiber == nullptr && free_.empty()) {
    fibers_.push_back(std::make_unique<Fiber>(&Processor::work));
    free_.push_back(fibers_.back().get());
  }
  if (fiber == nullptr) {
    fiber = free_.back();
    free_.pop_back();
  }
  threadIdx.x = static_cast<unsigned>(current_.index);
  blockIdx.x = static_cast<unsigned>(block.index);
  blockDim.x = static_cast<unsigned>(block.active->launch.threads);
  gridDim.x = static_cast<unsigned>(block.active->launch.blocks);
  if (fiber != &from) from.switchTo(*fiber);
}

/// The running thread waits or has ended: another goes on.
void Processor::leave(Fiber& self) {
  if (pick()) {
    goOn(self);
  } else {
    self.switchTo(*main_);
  }
}

/// What a fiber does: thread after thread, from its beginning to its end.
void Processor::work() {
  Processor& own = *running;
  for (;;) {
    const Active& active = *own.current_.block->active;
    watched::goOnAs(own.watchedThread());
    watched::acquire(active.before);
    active.launch.body();
    watched::release(own.current_.block->active->after);
    watched::goOnAs(own.mainThread_);
    Fiber& self = *own.current_.block->fibers[own.current_.index];
    own.endThread();
    own.leave(self);
  }
}

void Processor::endThread() {
  Block& block = *current_.block;
  free_.push_back(block.fibers[current_.index]);
  ++block.ended;
  if (block.waiting > 0) fault("a thread ended while others of its block wait at a barrier");
  if (block.ended == static_cast<int>(block.fibers.size())) endBlock(block);
}

void Processor::barrier(int line) {
  Block& block = *current_.block;
  Fiber& self = *block.fibers[current_.index];
  // Two in turn: who comes to the next barrier must not be taken for one of this.
  std::byte* const token = block.shared.data() + block.barriers % 2;
  void* const own = watchedThread();
  watched::release(token);
  watched::goOnAs(mainThread_);
  if (block.ended > 0) fault("a thread waits at a barrier that another of its block never reached");
  if (block.waiting > 0 && block.line != line) {
    fault("threads of a block wait at different barriers");
  }
  block.line = line;
  if (++block.waiting == static_cast<int>(block.fibers.size())) {
    block.waiting = 0;
    ++block.barriers;
    block.ready.resize(block.fibers.size());
    std::iota(block.ready.begin(), block.ready.end(), 0);
  }
  leave(self);
  watched::goOnAs(own);
  watched::acquire(token);
}

std::byte* Processor::sharedBytes() {
  return current_.block->shared.data() + current_.block->sharedAt;
}

void Processor::fault(const std::string& what) {
  if (!failed_) source_.fail(what);
  failed_ = true;
}

/// Threads that wait are forgotten, with the fibers that they wait on.
void Processor::dropAll() {
  for (Block& block : pool_) guardShared(block.shared, block.sharedAt, false);
  idle_.clear();
  for (Block& block : pool_) idle_.push_back(&block);
  live_.clear();
  active_.clear();
  free_.clear();
  fibers_.clear();
  failed_ = false;
}

void waitForBlock(int line) { running->barrier(line); }

unsigned char* sharedMemory() { return reinterpret_cast<unsigned char*>(running->sharedBytes()); }

}  // namespace drystone::cuda_fake
