// The only file that names a threading runtime. OpenMP by default; plain threads where the thread
// sanitizer, which cannot see into GCC's OpenMP runtime, must be able to follow every access.
#include "engine/core/parallel.h"

#ifdef DRYSTONE_PLAIN_THREADS
#include <atomic>
#include <thread>
#include <vector>
#else
#include <omp.h>
#endif

namespace drystone {

void detail::parallelFor(int count, int threads, void* context, ParallelBody body) {
  if (threads <= 1 || count <= 1) {
    for (int index = 0; index < count; ++index) body(context, index, 0);
    return;
  }
#ifdef DRYSTONE_PLAIN_THREADS
  std::atomic<int> next = 0;
  std::vector<std::jthread> workers;
  for (int thread = 0; thread < threads; ++thread) {
    workers.emplace_back([&, thread] {
      for (int index = next++; index < count; index = next++) body(context, index, thread);
    });
  }
#else
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (int index = 0; index < count; ++index) body(context, index, omp_get_thread_num());
#endif
}

int availableThreads() {
#ifdef DRYSTONE_PLAIN_THREADS
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
#else
  return omp_get_num_procs();
#endif
}

}  // namespace drystone
