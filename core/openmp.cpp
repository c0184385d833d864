// The one file that is compiled with OpenMP, where there is one.
#include "core/executor.h"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace drystone {

#ifdef _OPENMP
namespace {

class OpenMp : public Parallel {
 public:
  void run(int count, int threads, void* context, Body body) override {
    // Always a team of `threads`, though fewer may do: GCC's library ends the threads that a
    // smaller team does not need, and starts them anew for the next.
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int index = 0; index < count; ++index) body(context, index, omp_get_thread_num());
  }

  int threads() const override { return omp_get_thread_limit(); }
};

}  // namespace

std::shared_ptr<Parallel> makeOpenMp() { return std::make_shared<OpenMp>(); }
#else
std::shared_ptr<Parallel> makeOpenMp() { return nullptr; }
#endif

std::string_view defaultExecutorName() {
#if defined(_OPENMP) && defined(DRYSTONE_THREADS_OPENMP)
  return "openmp";
#else
  return "pool";
#endif
}

}  // namespace drystone
