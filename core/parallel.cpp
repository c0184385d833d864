#include "core/parallel.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <string>
#include <thread>

#include "core/executor.h"
#include "core/input_error.h"

namespace drystone {
namespace {

/// What a thread knows of its loops.
struct LoopState {
  Parallel* executor = nullptr;  ///< of the innermost ExecutorScope
  bool isInside = false;         ///< of parallelFor(), as caller or as worker
  bool isTimed = false;
  std::int64_t gained = 0;  ///< see LoopTimer [ns]
};
thread_local LoopState state;

/// Each thread that runs loops has workers of its own, so that worlds on different threads do not
/// wait for each other.
Parallel& executor() {
  if (state.executor != nullptr) return *state.executor;
  thread_local const std::shared_ptr<Parallel> own =
      defaultExecutorName() == "openmp" ? makeOpenMp() : makeThreadPool();
  return *own;
}

/// A look at the clock, some 25 ns [ns].
std::int64_t now() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

/// Indices that one thread takes before it helps the others: the same part of every loop, so that
/// what a thread wrote in one loop is still in its cache in the next.
struct alignas(64) Share {
  std::atomic<int> next = 0;  ///< index
  int end = 0;

  bool isTaken() const { return next.load(std::memory_order_relaxed) >= end; }
};

/// So many threads have shares of their own; those beyond help them.
constexpr int kMostShares = 64;

/// A loop that threads share: each takes indices until none is left, or one has failed.
struct Loop {
  Loop(int indices, int mostThreads, void* bodyContext, detail::ParallelBody loopBody, bool timed)
      : threads(mostThreads),
        shareCount(std::min({indices, mostThreads, kMostShares})),
        context(bodyContext),
        body(loopBody),
        isTimed(timed) {
    const auto bound = [&](int share) {
      return static_cast<int>(std::int64_t{indices} * share / shareCount);
    };
    for (int i = 0; i < shareCount; ++i) {
      share(i).next.store(bound(i), std::memory_order_relaxed);
      share(i).end = bound(i + 1);
    }
  }

  Share& share(int i) { return shares[static_cast<std::size_t>(i % shareCount)]; }

  bool isTaken() const {
    return std::all_of(shares.begin(), shares.begin() + shareCount,
                       [](const Share& one) { return one.isTaken(); });
  }

  int threads;
  int shareCount;
  void* context;
  detail::ParallelBody body;
  bool isTimed;
  std::exception_ptr error = nullptr;
  std::atomic<bool> hasFailed = false;
  std::atomic<std::int64_t> worked = 0;  ///< by all threads together [ns]
  std::array<Share, kMostShares> shares;
};

void runIndices(Loop& loop, int thread) {
  if (thread < 0 || thread >= loop.threads) {
    throw InputError("Parallel::run: thread must be 0 to " + std::to_string(loop.threads - 1) +
                     ", got " + std::to_string(thread));
  }
  for (int i = 0; i < loop.shareCount; ++i) {
    Share& share = loop.share(thread + i);
    while (!share.isTaken() && !loop.hasFailed.load(std::memory_order_relaxed)) {
      const int index = share.next.fetch_add(1, std::memory_order_relaxed);
      if (index < share.end) loop.body(loop.context, index, thread);
    }
  }
}

/// What an executor runs once for each thread.
void takeShare(void* context, int, int thread) noexcept {
  Loop& loop = *static_cast<Loop*>(context);
  if (loop.isTaken()) return;
  const std::int64_t begin = loop.isTimed ? now() : 0;
  state.isInside = true;
  try {
    runIndices(loop, thread);
  } catch (...) {
    if (!loop.hasFailed.exchange(true)) loop.error = std::current_exception();
  }
  state.isInside = false;
  if (loop.isTimed) loop.worked.fetch_add(now() - begin, std::memory_order_relaxed);
}

}  // namespace

void detail::parallelFor(int count, int threads, void* context, ParallelBody body) {
  const bool isShared = threads > 1 && count > 1 && !state.isInside;
  const int most = isShared ? std::min(threads, executor().threads()) : 1;
  if (most <= 1) {
    for (int index = 0; index < count; ++index) body(context, index, 0);
    return;
  }
  Loop loop(count, most, context, body, state.isTimed);
  const std::int64_t begin = loop.isTimed ? now() : 0;
  executor().run(std::min(count, most), most, &loop, takeShare);
  if (loop.isTimed) state.gained += loop.worked.load(std::memory_order_relaxed) - (now() - begin);
  if (loop.error) std::rethrow_exception(loop.error);
  if (!loop.isTaken()) {
    throw InputError("Parallel::run: must call its body for every index, but called it for none");
  }
}

ExecutorScope::ExecutorScope(Parallel* executor) : before_(state.executor) {
  if (executor != nullptr) state.executor = executor;
}

ExecutorScope::~ExecutorScope() { state.executor = before_; }

LoopTimer::LoopTimer() : wasTimed_(state.isTimed), start_(state.gained) { state.isTimed = true; }

LoopTimer::~LoopTimer() { state.isTimed = wasTimed_; }

double LoopTimer::gained() const { return 1e-6 * static_cast<double>(state.gained - start_); }

int availableThreads() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace drystone
