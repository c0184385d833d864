#include "solvers/linear/block_kernel.h"

#include <cstring>

#include "core/lanes.h"

namespace drystone {
namespace {

using Four = wide::Lanes<Real>;
using Two = Real __attribute__((vector_size(16)));

/// Six numbers as four lanes and two, which need no padding.
struct Six {
  Four head;
  Two tail;
};

DRYSTONE_INLINE Six loadSix(const Real* from) {
  Six six;
  std::memcpy(&six.head, from, sizeof six.head);
  std::memcpy(&six.tail, from + 4, sizeof six.tail);
  return six;
}

DRYSTONE_INLINE void storeSix(const Six& six, Real* to) {
  std::memcpy(to, &six.head, sizeof six.head);
  std::memcpy(to + 4, &six.tail, sizeof six.tail);
}

/// One number in all lanes. Half of it serves both parts of a `Six`, so that it is read once.
DRYSTONE_INLINE Four spread(Real value) { return Four{value, value, value, value}; }
DRYSTONE_INLINE Two half(const Four& value) { return __builtin_shufflevector(value, value, 0, 1); }

/// Column of left · rightᵀ, of which `factors` is the row of `right`, spread.
DRYSTONE_INLINE Six productColumn(const Mat6& left, const Four* factors) {
  const Six first = loadSix(left.data());
  Six sum = {first.head * factors[0], first.tail * half(factors[0])};
  for (int k = 1; k < 6; ++k) {
    const Six column = loadSix(left.data() + 6 * k);
    sum.head += column.head * factors[k];
    sum.tail += column.tail * half(factors[k]);
  }
  return sum;
}

DRYSTONE_INLINE void spreadRow(const Mat6& right, int row, Four* factors) {
  for (int k = 0; k < 6; ++k) factors[k] = spread(right(row, k));
}

// Column by column through all blocks: the row of `right` then stays in registers.
DRYSTONE_INLINE void subtractLanes(std::span<Mat6* const> targets, const Mat6* left,
                                   const Mat6& right) {
  for (int j = 0; j < 6; ++j) {
    Four factors[6];
    spreadRow(right, j, factors);
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const Six sum = productColumn(left[i], factors);
      Real* to = targets[i]->data() + 6 * j;
      Six value = loadSix(to);
      value.head -= sum.head;
      value.tail -= sum.tail;
      storeSix(value, to);
    }
  }
}

DRYSTONE_INLINE void multiplyLanes(std::span<Mat6> blocks, const Mat6& right) {
  for (Mat6& block : blocks) {
    const Mat6 left = block;
    for (int j = 0; j < 6; ++j) {
      Four factors[6];
      spreadRow(right, j, factors);
      storeSix(productColumn(left, factors), block.data() + 6 * j);
    }
  }
}

DRYSTONE_INLINE void addOuterLanes(const OuterProducts& products, Mat6& target) {
  Six sum[6];
  for (int j = 0; j < 6; ++j) sum[j] = loadSix(target.data() + 6 * j);
  for (std::size_t k = 0; k < products.weights.size(); ++k) {
    const Vec6& left = products.left[k].*products.leftSide;
    const Vec6& right = products.right[k].*products.rightSide;
    const Four weight = spread(products.weights[k]);
    Six scaled = loadSix(left.data());
    scaled.head *= weight;
    scaled.tail *= half(weight);
    for (int j = 0; j < 6; ++j) {
      const Four factor = spread(right[j]);
      sum[j].head += scaled.head * factor;
      sum[j].tail += scaled.tail * half(factor);
    }
  }
  for (int j = 0; j < 6; ++j) storeSix(sum[j], target.data() + 6 * j);
}

void subtractPlain(std::span<Mat6* const> targets, const Mat6* left, const Mat6& right) {
  subtractLanes(targets, left, right);
}
void multiplyPlain(std::span<Mat6> blocks, const Mat6& right) { multiplyLanes(blocks, right); }
void addOuterPlain(const OuterProducts& products, Mat6& target) { addOuterLanes(products, target); }

constexpr BlockKernel kPlainKernel{subtractPlain, multiplyPlain, addOuterPlain};

#ifdef __x86_64__
#define DRYSTONE_AVX2 __attribute__((target("avx2")))
DRYSTONE_AVX2 void subtractAvx2(std::span<Mat6* const> targets, const Mat6* left,
                                const Mat6& right) {
  subtractLanes(targets, left, right);
}
DRYSTONE_AVX2 void multiplyAvx2(std::span<Mat6> blocks, const Mat6& right) {
  multiplyLanes(blocks, right);
}
DRYSTONE_AVX2 void addOuterAvx2(const OuterProducts& products, Mat6& target) {
  addOuterLanes(products, target);
}
#undef DRYSTONE_AVX2

constexpr BlockKernel kAvx2Kernel{subtractAvx2, multiplyAvx2, addOuterAvx2};
#endif

}  // namespace

const BlockKernel& plainBlockKernel() { return kPlainKernel; }

const BlockKernel& blockKernel() {
#ifdef __x86_64__
  if (wide::hasAvx2()) return kAvx2Kernel;
#endif
  return kPlainKernel;
}

}  // namespace drystone
