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

}  // namespace drystone::gpu
