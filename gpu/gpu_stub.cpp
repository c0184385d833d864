// What stands for the CUDA back end in builds without nvcc.
#include "gpu/backend.h"
#include "gpu/band_backend.h"
#include "gpu/devices.h"
#include "gpu/forms/block_form.h"
#include "gpu/forms/dense_form.h"
#include "gpu/forms/descent_form.h"
#include "gpu/forms/factorized_form.h"

namespace drystone::gpu {

std::string_view whyNoBlas() { return whyUnavailable(); }

ProductTiming timeDenseProduct(int, int) { throw DeviceError(std::string(whyUnavailable())); }

double copyBandwidth(std::size_t, int) { throw DeviceError(std::string(whyUnavailable())); }

std::unique_ptr<BandBackend> makeCudaBand() { throw DeviceError(std::string(whyUnavailable())); }

template <class Form>
std::unique_ptr<Backend<Form>> makeCudaBackend() {
  throw DeviceError(std::string(whyUnavailable()));
}

template std::unique_ptr<Backend<FactorizedForm<float>>> makeCudaBackend();
template std::unique_ptr<Backend<FactorizedForm<double>>> makeCudaBackend();
template std::unique_ptr<Backend<DescentForm<float>>> makeCudaBackend();
template std::unique_ptr<Backend<DescentForm<double>>> makeCudaBackend();
template std::unique_ptr<Backend<BlockForm<float>>> makeCudaBackend();
template std::unique_ptr<Backend<BlockForm<double>>> makeCudaBackend();
template std::unique_ptr<Backend<DenseForm<float>>> makeCudaBackend();
template std::unique_ptr<Backend<DenseForm<double>>> makeCudaBackend();

}  // namespace drystone::gpu
