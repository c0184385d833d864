#pragma once

// Vectors of lanes by the vector extensions of GCC and Clang: one source for every instruction set.
// A function that is compiled for AVX2 too gives the same bits as the plain one, as long as lanes
// are not summed up among each other.

#include "core/types.h"

// Functions that take or return vectors are all inlined: no call depends on how they are passed.
#pragma GCC diagnostic ignored "-Wpsabi"

#define DRYSTONE_INLINE inline __attribute__((always_inline))

namespace drystone::wide {

/// Eight floats or four doubles: one AVX register.
template <class Scalar>
struct LaneTraits;
template <>
struct LaneTraits<float> {
  static constexpr int kLanes = 8;
  using Vector = float __attribute__((vector_size(32), aligned(32)));
};
template <>
struct LaneTraits<double> {
  static constexpr int kLanes = 4;
  using Vector = double __attribute__((vector_size(32), aligned(32)));
};
template <class Scalar>
using Lanes = typename LaneTraits<Scalar>::Vector;
template <class Scalar>
constexpr int kLanes = LaneTraits<Scalar>::kLanes;

#ifdef __x86_64__
/// Whether functions with the attribute target("avx2") may be called.
inline bool hasAvx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}
#endif

}  // namespace drystone::wide
