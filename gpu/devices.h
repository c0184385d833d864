#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace drystone::gpu {

/// A CUDA device of this machine.
struct Device {
  std::string name{};
  int major = 0, minor = 0;  ///< compute capability
  int processors = 0;
  std::size_t memoryBytes = 0;
};

/// Devices in the order in which CUDA counts them; solvers use the first. Takes none of them into
/// use.
const std::vector<Device>& devices();

/// A device failed, or has no memory left: what a machine lacks, not what a problem does.
class DeviceError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// cuBLAS, which only some settings need, is not there.
class MissingBlasError : public DeviceError {
  using DeviceError::DeviceError;
};

/// Why solvers for a device cannot run here; empty: they can. The same for the life of the program.
/// Takes the first device into use, to see whether it runs kernels of this build: to be asked only
/// for who wants to run there or to know.
std::string_view whyUnavailable();

/// Why the settings that multiply by cuBLAS cannot be used here; empty: they can.
std::string_view whyNoBlas();

/// GB/s, read and written, of a copy of so many bytes from the first device's memory to itself: the
/// best of `repeats`. Throws DeviceError where there is none.
double copyBandwidth(std::size_t bytes, int repeats);

/// y = T x + d with a dense T of `rows` rows and columns, in double: our kernel (Nützi 2011,
/// §5.2.1, the sizes of JOR variant 5) beside cuBLAS.
struct ProductTiming {
  double ownMs = 0;       ///< best of the repeats
  double blasMs = 0;      ///< cublasDgemv, and a kernel that adds d, as JOR variant 1 has them
  double difference = 0;  ///< largest |y − y'| over largest |y'|
};

/// Only where there are a device and cuBLAS (whyNoBlas); throws DeviceError.
ProductTiming timeDenseProduct(int rows, int repeats);

}  // namespace drystone::gpu
