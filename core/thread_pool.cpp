#include "core/thread_pool.h"

#include <system_error>

namespace drystone::detail {
namespace {

/// Looks before a thread sleeps. A look with its pause takes 20 to 50 ns: together as long as most
/// parts of a step that one thread does alone (100 to 200 µs), and little to lose where another
/// program wants the processor. A thread that sleeps comes late to the next loop, by some 50 µs.
constexpr int kLooks = 4000;

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

ThreadPool::~ThreadPool() {
  stop_.store(true);
  opened_.fetch_add(1);
  opened_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(int count, int threads, void* context, Body body) {
  if (isBusy_.test_and_set(std::memory_order_acquire)) {
    for (int index = 0; index < count; ++index) body(context, index, 0);
    return;
  }
  startWorkers(threads - 1);
  open(count, threads, context, body);
  takeIndices(0);
  // What a late worker reads from here on it may not use: it can no longer take an index.
  ticket_.store(ticket(loop_, kClosed), std::memory_order_release);
  waitUntilDone(count);
  isBusy_.clear(std::memory_order_release);
}

void ThreadPool::open(int count, int threads, void* context, Body body) {
  context_.store(context, std::memory_order_release);
  body_.store(body, std::memory_order_release);
  count_.store(count, std::memory_order_release);
  threads_.store(threads, std::memory_order_release);
  done_.store(0, std::memory_order_relaxed);
  ticket_.store(ticket(++loop_, 0), std::memory_order_release);
  opened_.fetch_add(1);
  opened_.notify_all();
}

void ThreadPool::startWorkers(int count) {
  try {
    while (static_cast<int>(workers_.size()) < count) {
      const int thread = static_cast<int>(workers_.size()) + 1;
      workers_.emplace_back([this, thread] { work(thread); });
    }
  } catch (const std::system_error&) {
    // The limit of threads is reached: those that there are do all of the work.
  }
}

void ThreadPool::work(int thread) {
  std::uint32_t seen = 0;
  while (!stop_.load()) {
    takeIndices(thread);
    waitForLoop(seen);
    seen = opened_.load();
  }
}

void ThreadPool::takeIndices(int thread) {
  int taken = 0, count = 0;
  std::uint64_t current = ticket_.load(std::memory_order_acquire);
  while (static_cast<std::uint32_t>(current) != kClosed) {
    void* const context = context_.load(std::memory_order_acquire);
    const Body body = body_.load(std::memory_order_acquire);
    count = count_.load(std::memory_order_acquire);
    const int threads = threads_.load(std::memory_order_acquire);
    const auto index = static_cast<std::uint32_t>(current);
    if (thread >= threads || index >= static_cast<std::uint32_t>(count)) break;
    if (!ticket_.compare_exchange_strong(current, current + 1, std::memory_order_acq_rel)) continue;
    ++taken;
    body(context, static_cast<int>(index), thread);
    current = ticket_.load(std::memory_order_acquire);
  }
  if (taken == 0) return;
  // The loop stays open until what was taken is said to be done: all of the above is of it.
  if (done_.fetch_add(taken, std::memory_order_acq_rel) + taken == count) done_.notify_one();
}

void ThreadPool::waitForLoop(std::uint32_t seen) {
  for (int look = 0; look < kLooks; ++look) {
    if (opened_.load(std::memory_order_acquire) != seen) return;
    pause();
  }
  opened_.wait(seen);
}

void ThreadPool::waitUntilDone(int count) {
  for (int look = 0; look < kLooks; ++look) {
    if (done_.load(std::memory_order_acquire) == count) return;
    pause();
  }
  for (int done = done_.load(); done != count; done = done_.load()) done_.wait(done);
}

}  // namespace drystone::detail

std::shared_ptr<drystone::Parallel> drystone::makeThreadPool() {
  return std::make_shared<detail::ThreadPool>();
}
