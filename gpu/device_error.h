#pragma once

#include <stdexcept>

namespace drystone::gpu {

/// A device failed, or has no memory left: what a machine lacks, not what a problem does.
class DeviceError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// cuBLAS, which only some settings need, is not there.
class MissingBlasError : public DeviceError {
  using DeviceError::DeviceError;
};

}  // namespace drystone::gpu
