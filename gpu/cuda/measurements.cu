#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/cuda/cuda_executor.h"
#include "gpu/devices.h"
#include "gpu/forms/dense_form.h"

namespace drystone::gpu {
double copyBandwidth(std::size_t bytes, int repeats) {
  CudaExecutor executor;
  CudaExecutor::DeviceMemory from, to;
  from.resize(executor, bytes);
  to.resize(executor, bytes);
  double best = 0;
  for (int i = 0; i <= repeats; ++i) {
    const double time = executor.time([&] {
      checkCuda(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice,
                                executor.stream()),
                "copying");
    });
    const double rate = 2e-6 * static_cast<double>(bytes) / time;
    if (i > 0) best = std::max(best, rate);
  }
  return best;
}

namespace {

/// Numbers in [−1, 1) that differ from place to place.
double numberAt(std::size_t index) {
  return static_cast<double>(index * 2654435761u % 65536) / 32768 - 1;
}

template <class Work>
double bestOf(int repeats, CudaExecutor& executor, Work&& work) {
  double best = HUGE_VAL;
  for (int i = 0; i <= repeats; ++i) {
    const double time = executor.time(work);
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
  timing.ownMs = bestOf(repeats, executor, [&] {
    executor.launch(shape.blocks(rows), shape.threads, MultiplyDense<double>{device, shape});
  });
  const auto fetch = [&] {
    std::vector<double> numbers(rows);
    executor.download(reinterpret_cast<std::byte*>(numbers.data()),
                      reinterpret_cast<const std::byte*>(device.next), rows * sizeof(double));
    return numbers;
  };
  const std::vector<double> own = fetch();
  executor.prepareGemv();
  timing.blasMs = bestOf(repeats, executor, [&] {
    executor.gemv(rows, device.t, device.stride, device.lambda, device.next);
    executor.forEach(rows, AddConstant<double>{device}, 192);
  });
  const std::vector<double> theirs = fetch();
  double largest = 0;
  for (int row = 0; row < rows; ++row) {
    timing.difference = std::max(timing.difference, std::abs(own[row] - theirs[row]));
    largest = std::max(largest, std::abs(theirs[row]));
  }
  if (largest > 0) timing.difference /= largest;
  return timing;
}

}  // namespace drystone::gpu
