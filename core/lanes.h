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

/// Four numbers from anywhere. A copy by memcpy goes through memory in halves.
DRYSTONE_INLINE Lanes<double> loadLanes(const double* from) {
  // Clang takes the alignment of an attribute after the name alone: after `double` it would be 32.
  using Loose __attribute__((vector_size(32), aligned(8), may_alias)) = double;
  return *reinterpret_cast<const Loose*>(from);
}

/// Rows of four become lanes of four: out[k][lane] = rows[lane][k].
DRYSTONE_INLINE void transpose(Lanes<double>* m) {
  using V = Lanes<double>;
  const V a = __builtin_shufflevector(m[0], m[1], 0, 4, 2, 6);
  const V b = __builtin_shufflevector(m[0], m[1], 1, 5, 3, 7);
  const V c = __builtin_shufflevector(m[2], m[3], 0, 4, 2, 6);
  const V d = __builtin_shufflevector(m[2], m[3], 1, 5, 3, 7);
  m[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  m[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  m[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  m[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

#ifdef __x86_64__
/// Whether functions with the attribute target("avx2") may be called. DRYSTONE_WITHOUT_AVX2 is for
/// comparisons of builds.
inline bool hasAvx2() {
#ifdef DRYSTONE_WITHOUT_AVX2
  return false;
#else
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
#endif
}
#endif

}  // namespace drystone::wide
