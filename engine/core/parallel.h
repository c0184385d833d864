#pragma once

#include <memory>

namespace drystone {
namespace detail {

using ParallelBody = void (*)(void* context, int index, int thread);
void parallelFor(int count, int threads, void* context, ParallelBody body);

}  // namespace detail

/// Calls `body(index, thread)` for index in [0, count) and thread in [0, threads). Indices are
/// handed out dynamically, so `body` may write only to what belongs to its index or its thread;
/// results that follow this rule have the same bits for every thread count. With one thread the
/// calls run in order in the caller. `body` must not throw. Allocates nothing.
template <class Body>
void parallelFor(int count, int threads, Body&& body) {
  detail::parallelFor(count, threads, const_cast<void*>(static_cast<const void*>(std::addressof(body))),
                      [](void* context, int index, int thread) {
                        (*static_cast<std::remove_reference_t<Body>*>(context))(index, thread);
                      });
}

/// Number of processors that this process may use, at least 1.
int availableThreads();

}  // namespace drystone
