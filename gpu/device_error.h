#pragma once

#include <stdexcept>

namespace drystone::gpu {

/// A device failed, or has no memory left: what a machine lacks, not what a problem does.
class DeviceError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace drystone::gpu
