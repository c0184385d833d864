#pragma once

/// Marks a function for the processor and for CUDA devices; nothing where nvcc does not compile.
/// Such functions use no library but <cmath>.
#ifdef __CUDACC__
#define DRYSTONE_HD __host__ __device__
#else
#define DRYSTONE_HD
#endif
