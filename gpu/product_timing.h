#pragma once

namespace drystone::gpu {

/// y = T x + d with a dense T of `rows` rows and columns, in double: our kernel (003 §5.2.1, the
/// sizes of JOR variant 5) beside cuBLAS.
struct ProductTiming {
  double ownMs = 0;       ///< best of the repeats
  double blasMs = 0;      ///< cublasDgemv, and a kernel that adds d, as JOR variant 1 has them
  double difference = 0;  ///< largest |y − y'| over largest |y'|
};

/// Only where there are a device and cuBLAS (whyNoBlas); throws DeviceError.
ProductTiming timeDenseProduct(int rows, int repeats);

}  // namespace drystone::gpu
