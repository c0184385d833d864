#pragma once

// Bodies of contacts as lanes, for sweeps that update several contacts at once.

#include <cstring>

#include "core/lanes.h"

namespace drystone::wide {

/// One vector as an element of an array: without AVX the type itself is aligned to 16 bytes only.
template <class Scalar>
struct alignas(32) LaneSlot {
  Lanes<Scalar> value;
};

/// ũ of a body [kg^1/2 m/s], padded to a power of two.
template <class Scalar>
struct alignas(32) BodyRecord {
  Scalar value[8] = {};
};

/// Rows of eight become lanes of eight: out[k][lane] = rows[lane]->value[k]. Interleaves pairs,
/// then pairs of pairs, then halves, which are the shuffles that AVX has.
DRYSTONE_INLINE void transpose(Lanes<float>* m) {
  using V = Lanes<float>;
  V a[8], b[8];
  for (int i = 0; i < 8; i += 2) {
    a[i] = __builtin_shufflevector(m[i], m[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    a[i + 1] = __builtin_shufflevector(m[i], m[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int i = 0; i < 8; i += 4) {
    b[i] = __builtin_shufflevector(a[i], a[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
    b[i + 1] = __builtin_shufflevector(a[i], a[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    b[i + 2] = __builtin_shufflevector(a[i + 1], a[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
    b[i + 3] = __builtin_shufflevector(a[i + 1], a[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
  }
  for (int i = 0; i < 4; ++i) {
    m[i] = __builtin_shufflevector(b[i], b[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    m[i + 4] = __builtin_shufflevector(b[i], b[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

/// velocity[k][lane] = ũ_k of body index[lane]; eight entries, the last two unused.
DRYSTONE_INLINE void gather(const BodyRecord<float>* bodies, const int* index,
                            Lanes<float>* velocity) {
  for (int lane = 0; lane < 8; ++lane) {
    std::memcpy(&velocity[lane], bodies[index[lane]].value, sizeof velocity[lane]);
  }
  transpose(velocity);
}
DRYSTONE_INLINE void gather(const BodyRecord<double>* bodies, const int* index,
                            Lanes<double>* velocity) {
  for (int half = 0; half < 2; ++half) {
    for (int lane = 0; lane < 4; ++lane) {
      std::memcpy(&velocity[4 * half + lane], bodies[index[lane]].value + 4 * half,
                  sizeof velocity[0]);
    }
    transpose(velocity + 4 * half);
  }
}

/// Writes them back, but for the record `fixed`, which threads share. Destroys `velocity`.
DRYSTONE_INLINE void scatter(Lanes<float>* velocity, const int* index, int fixed,
                             BodyRecord<float>* bodies) {
  transpose(velocity);
  for (int lane = 0; lane < 8; ++lane) {
    if (index[lane] == fixed) continue;
    std::memcpy(bodies[index[lane]].value, &velocity[lane], sizeof velocity[lane]);
  }
}
DRYSTONE_INLINE void scatter(Lanes<double>* velocity, const int* index, int fixed,
                             BodyRecord<double>* bodies) {
  for (int half = 0; half < 2; ++half) {
    transpose(velocity + 4 * half);
    for (int lane = 0; lane < 4; ++lane) {
      if (index[lane] == fixed) continue;
      std::memcpy(bodies[index[lane]].value + 4 * half, &velocity[4 * half + lane],
                  sizeof velocity[0]);
    }
  }
}

template <class Vector>
DRYSTONE_INLINE Vector larger(const Vector& a, const Vector& b) {
  return a > b ? a : b;
}
template <class Vector>
DRYSTONE_INLINE Vector smaller(const Vector& a, const Vector& b) {
  return a < b ? a : b;
}

}  // namespace drystone::wide
