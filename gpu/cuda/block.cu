#include "gpu/cuda/cuda_executor.h"
#include "gpu/forms/block_form.h"
#include "gpu/runner.h"

namespace drystone::gpu {

template <class Form>
std::unique_ptr<Backend<Form>> makeCudaBackend() {
  return std::make_unique<Runner<CudaExecutor, Form>>();
}

template std::unique_ptr<Backend<BlockForm<float>>> makeCudaBackend();
template std::unique_ptr<Backend<BlockForm<double>>> makeCudaBackend();

}  // namespace drystone::gpu
