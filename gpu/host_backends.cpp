// Every form of a problem on the processor: what tests and hosts without a device run.
#include "gpu/band_runner.h"
#include "gpu/forms/block_form.h"
#include "gpu/forms/dense_form.h"
#include "gpu/forms/descent_form.h"
#include "gpu/forms/factorized_form.h"
#include "gpu/host_executor.h"
#include "gpu/runner.h"

namespace drystone::gpu {

template <class Form>
std::unique_ptr<Backend<Form>> makeHostBackend(bool runsBackwards) {
  return std::make_unique<Runner<HostExecutor, Form>>(runsBackwards);
}

template std::unique_ptr<Backend<FactorizedForm<float>>> makeHostBackend(bool);
template std::unique_ptr<Backend<FactorizedForm<double>>> makeHostBackend(bool);
template std::unique_ptr<Backend<DescentForm<float>>> makeHostBackend(bool);
template std::unique_ptr<Backend<DescentForm<double>>> makeHostBackend(bool);
template std::unique_ptr<Backend<BlockForm<float>>> makeHostBackend(bool);
template std::unique_ptr<Backend<BlockForm<double>>> makeHostBackend(bool);
template std::unique_ptr<Backend<DenseForm<float>>> makeHostBackend(bool);
template std::unique_ptr<Backend<DenseForm<double>>> makeHostBackend(bool);

std::unique_ptr<BandBackend> makeHostBand(bool runsBackwards) {
  return std::make_unique<BandRunner<HostExecutor>>(runsBackwards);
}

}  // namespace drystone::gpu
