// Every form of a problem on a device.
#include "gpu/band_runner.h"
#include "gpu/cuda/cuda_executor.h"
#include "gpu/forms/block_form.h"
#include "gpu/forms/dense_form.h"
#include "gpu/forms/descent_form.h"
#include "gpu/forms/factorized_form.h"
#include "gpu/runner.h"

namespace drystone::gpu {

template <class Form>
std::unique_ptr<Backend<Form>> makeCudaBackend() {
  return std::make_unique<Runner<CudaExecutor, Form>>();
}

template std::unique_ptr<Backend<FactorizedForm<float>>> makeCudaBackend();
template std::unique_ptr<Backend<FactorizedForm<double>>> makeCudaBackend();
template std::unique_ptr<Backend<DescentForm<float>>> makeCudaBackend();
template std::unique_ptr<Backend<DescentForm<double>>> makeCudaBackend();
template std::unique_ptr<Backend<BlockForm<float>>> makeCudaBackend();
template std::unique_ptr<Backend<BlockForm<double>>> makeCudaBackend();
template std::unique_ptr<Backend<DenseForm<float>>> makeCudaBackend();
template std::unique_ptr<Backend<DenseForm<double>>> makeCudaBackend();

std::unique_ptr<BandBackend> makeCudaBand() { return std::make_unique<BandRunner<CudaExecutor>>(); }

}  // namespace drystone::gpu
