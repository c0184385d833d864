#include "solvers/prox/nsgs_anderson.h"

#include <Eigen/Cholesky>
#include <algorithm>

#include "engine/core/check.h"

namespace drystone {

namespace {

using Array = Eigen::Map<const Eigen::Array<Real, Eigen::Dynamic, 1>>;

}  // namespace

void AndersonAcceleration::reserve(int size, int memory) {
  const auto entries = static_cast<std::size_t>(size) * memory;
  lastX_.reserve(size);
  lastChange_.reserve(size);
  deltaX_.reserve(entries);
  deltaChange_.reserve(entries);
}

void AndersonAcceleration::start(int size, int changeSize, std::span<const Real> weights,
                                 int memory) {
  DRYSTONE_ASSERT(changeSize <= size && static_cast<int>(weights.size()) == changeSize);
  size_ = size;
  changeSize_ = changeSize;
  weights_ = weights;
  memory_ = std::min(memory, kMaxMemory);
  lastX_.resize(size);
  lastChange_.resize(changeSize);
  deltaX_.resize(static_cast<std::size_t>(size) * memory_);
  deltaChange_.resize(static_cast<std::size_t>(changeSize) * memory_);
  restart();
}

void AndersonAcceleration::remember(std::span<const Real> x, std::span<const Real> change) {
  newest_ = count_ == 0 ? 0 : (newest_ + 1) % memory_;
  count_ = std::min(count_ + 1, memory_);
  Real* dx = &deltaX_[static_cast<std::size_t>(size_) * newest_];
  Real* df = &deltaChange_[static_cast<std::size_t>(changeSize_) * newest_];
  for (int i = 0; i < size_; ++i) dx[i] = x[i] - lastX_[i];
  // Stored with the root of the weight, so that inner products need none.
  for (int i = 0; i < changeSize_; ++i) df[i] = weights_[i] * (change[i] - lastChange_[i]);
  const Array newest(df, changeSize_);
  for (int slot = 0; slot < count_; ++slot) {
    const Array other(&deltaChange_[static_cast<std::size_t>(changeSize_) * slot], changeSize_);
    gram_(newest_, slot) = gram_(slot, newest_) = (newest * other).sum();
  }
}

bool AndersonAcceleration::solveWeights(std::span<const Real> change) {
  gamma_.resize(count_);
  const Array f(change.data(), changeSize_), weights(weights_.data(), changeSize_);
  for (int slot = 0; slot < count_; ++slot) {
    const Array df(&deltaChange_[static_cast<std::size_t>(changeSize_) * slot], changeSize_);
    gamma_[slot] = (df * (f * weights)).sum();
  }
  // Differences shrink by orders while the sweeps converge: scaled to unit length first, and
  // regularised at the round-off of the inner products.
  Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, 0, kMaxMemory, kMaxMemory> scaled(count_,
                                                                                        count_);
  Eigen::Matrix<Real, Eigen::Dynamic, 1, 0, kMaxMemory, 1> length(count_);
  for (int i = 0; i < count_; ++i) length[i] = std::sqrt(gram_(i, i));
  if (!(length.minCoeff() > 0)) return false;
  for (int i = 0; i < count_; ++i) {
    for (int j = 0; j < count_; ++j) scaled(i, j) = gram_(i, j) / (length[i] * length[j]);
    scaled(i, i) += 1e-12;
  }
  gamma_ = gamma_.cwiseQuotient(length);
  const Eigen::LLT<decltype(scaled)> factor(scaled);
  if (factor.info() != Eigen::Success) return false;
  gamma_ = factor.solve(gamma_).cwiseQuotient(length).eval();
  return gamma_.allFinite();
}

void AndersonAcceleration::next(std::span<Real> x, std::span<const Real> change) {
  if (hasLast_) remember(x, change);
  std::copy(x.begin(), x.end(), lastX_.begin());
  std::copy(change.begin(), change.end(), lastChange_.begin());
  hasLast_ = true;
  if (count_ == 0) return;
  if (!solveWeights(change)) {
    count_ = 0;
    return;
  }
  Eigen::Map<VecX> result(x.data(), size_);
  for (int slot = 0; slot < count_; ++slot) {
    result -= gamma_[slot] * Eigen::Map<const VecX>(
                                 &deltaX_[static_cast<std::size_t>(size_) * slot], size_);
  }
}

}  // namespace drystone
