#include "gpu/product_timing.h"

#include <cublas_v2.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gpu/cuda/cuda_executor.h"
#include "gpu/cuda/stopwatch.h"
#include "gpu/device_error.h"
#include "gpu/forms/dense_form.h"

namespace drystone::gpu {
namespace {

void checkBlas(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw DeviceError(std::string("cuBLAS failed at ") + what + ": " + cublasGetStatusString(status));
}

class Blas {
 public:
  explicit Blas(cudaStream_t stream) {
    checkBlas(cublasCreate(&handle_), "starting");
    checkBlas(cublasSetStream(handle_, stream), "starting");
  }
  ~Blas() { cublasDestroy(handle_); }
  Blas(const Blas&) = delete;
  Blas& operator=(const Blas&) = delete;
  cublasHandle_t handle() const { return handle_; }

 private:
  cublasHandle_t handle_ = nullptr;
};

/// Numbers in [−1, 1) that differ from place to place.
double numberAt(std::size_t index) {
  return static_cast<double>(index * 2654435761u % 65536) / 32768 - 1;
}

template <class Work>
double bestOf(int repeats, cudaStream_t stream, Work&& work) {
  Stopwatch watch;
  double best = HUGE_VAL;
  for (int i = 0; i <= repeats; ++i) {
    watch.start(stream);
    work();
    const double time = watch.milliseconds(stream);
    if (i > 0) best = std::min(best, time);  // the first warms up
  }
  return best;
}

}  // namespace

ProductTiming timeDenseProduct(int rows, int repeats) {
  using Form = DenseForm<double>;
  CudaExecutor executor;
  CudaExecutor::HostMemory image;
  CudaExecutor::DeviceMemory memory;
  DenseView<double> host, device;
  const auto ignore = [](std::byte*, std::size_t) {};
  const DenseSizes sizes{.contactRows = 1, .contacts = rows};
  const Sections sections = Form::bind(sizes, nullptr, host, ignore);
  image.resize(executor, sections.end);
  memory.resize(executor, sections.end);
  Form::bind(sizes, image.data(), host, ignore);
  Form::bind(sizes, memory.data(), device, ignore);
  for (int column = 0; column < rows; ++column) {
    for (int row = 0; row < rows; ++row) {
      host.t[column * host.stride + row] = numberAt(column * host.stride + row);
    }
    host.lambda[column] = numberAt(column);
    host.d[column] = numberAt(7 * static_cast<std::size_t>(column));
  }
  executor.upload(memory.data(), image.data(), sections.impulseEnd);

  ProductTiming timing;
  const ProductShape shape{128, 128, 4};
  timing.ownMs = bestOf(repeats, executor.stream(), [&] {
    executor.launch(shape.blocks(rows), shape.threads, MultiplyDense<double>{device, shape});
  });
  const Blas blas(executor.stream());
  const double one = 1;
  const std::size_t bytes = rows * sizeof(double);
  timing.blasMs = bestOf(repeats, executor.stream(), [&] {
    checkCuda(
        cudaMemcpyAsync(device.sum, device.d, bytes, cudaMemcpyDeviceToDevice, executor.stream()),
        "copying");
    checkBlas(cublasDgemv(blas.handle(), CUBLAS_OP_N, rows, rows, &one, device.t,
                          static_cast<int>(device.stride), device.lambda, 1, &one, device.sum, 1),
              "a product");
  });
  std::vector<double> own(rows), theirs(rows);
  const auto fetch = [&](std::vector<double>& to, const double* from) {
    executor.download(reinterpret_cast<std::byte*>(to.data()),
                      reinterpret_cast<const std::byte*>(from), bytes);
  };
  fetch(own, device.next);
  fetch(theirs, device.sum);
  double largest = 0;
  for (int row = 0; row < rows; ++row) {
    timing.difference = std::max(timing.difference, std::abs(own[row] - theirs[row]));
    largest = std::max(largest, std::abs(theirs[row]));
  }
  if (largest > 0) timing.difference /= largest;
  return timing;
}

}  // namespace drystone::gpu
