#include "gpu/forms/dense_form.h"
#include "gpu/host_executor.h"
#include "gpu/runner.h"

namespace drystone::gpu {

template <class Form>
std::unique_ptr<Backend<Form>> makeHostBackend() {
  return std::make_unique<Runner<HostExecutor, Form>>();
}

template std::unique_ptr<Backend<DenseForm<float>>> makeHostBackend();
template std::unique_ptr<Backend<DenseForm<double>>> makeHostBackend();

}  // namespace drystone::gpu
