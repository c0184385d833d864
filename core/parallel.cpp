#include "core/parallel.h"

#include <atomic>
#include <exception>
#include <thread>

#include "core/thread_pool.h"

namespace drystone {
namespace {

// Each thread that runs loops has workers of its own, so that worlds on different threads do not
// wait for each other.
thread_local detail::ThreadPool pool;
thread_local bool insideLoop = false;  // of parallelFor(), as caller or as worker

/// What a loop hands to the pool: the caller's body, which must know that it runs inside a loop,
/// and whose first exception ends the loop.
struct Loop {
  void* context;
  detail::ParallelBody body;
  std::atomic<bool> hasFailed = false;
  std::exception_ptr error;
};

void runIndex(void* context, int index, int thread) noexcept {
  Loop& loop = *static_cast<Loop*>(context);
  if (loop.hasFailed.load(std::memory_order_relaxed)) return;
  insideLoop = true;
  try {
    loop.body(loop.context, index, thread);
  } catch (...) {
    if (!loop.hasFailed.exchange(true)) loop.error = std::current_exception();
  }
  insideLoop = false;
}

}  // namespace

void detail::parallelFor(int count, int threads, void* context, ParallelBody body) {
  if (threads <= 1 || count <= 1 || insideLoop) {
    for (int index = 0; index < count; ++index) body(context, index, 0);
    return;
  }
  Loop loop{context, body};
  pool.run(count, threads, &loop, runIndex);
  if (loop.error) std::rethrow_exception(loop.error);
}

LoopTimer::LoopTimer() : wasTimed_(pool.isTimed()), start_(pool.gained()) { pool.setTimed(true); }

LoopTimer::~LoopTimer() { pool.setTimed(wasTimed_); }

double LoopTimer::gained() const { return 1e-6 * static_cast<double>(pool.gained() - start_); }

int availableThreads() {
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

}  // namespace drystone
