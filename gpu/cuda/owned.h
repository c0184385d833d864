#pragma once

#include <memory>
#include <type_traits>

#include <cuda_runtime.h>

namespace drystone::gpu {

/// Throws DeviceError with what was tried unless `status` is success.
void checkCuda(cudaError_t status, const char* what);

template <auto kDestroy>
struct DestroyBy {
  template <class Object>
  void operator()(Object* object) const {
    kDestroy(object);
  }
};

/// What CUDA hands out as a pointer (a stream, a graph, memory), destroyed by `kDestroy` with its
/// owner.
template <class Handle, auto kDestroy>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, DestroyBy<kDestroy>>;

}  // namespace drystone::gpu
