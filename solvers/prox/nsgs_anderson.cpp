#include "solvers/prox/nsgs_anderson.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace drystone {

void AndersonAcceleration::reserve(int size, int memory) {
  const auto entries = static_cast<std::size_t>(size) * memory;
  lastX_.reserve(size);
  lastChange_.reserve(size);
  deltaX_.reserve(entries);
  deltaChange_.reserve(entries);
}

void AndersonAcceleration::start(std::span<const Real> weights, int memory) {
  size_ = static_cast<int>(weights.size());
  weights_ = weights;
  memory_ = std::min(memory, kMaxMemory);
  lastX_.resize(size_);
  lastChange_.resize(size_);
  restart();
}

void AndersonAcceleration::remember(std::span<const Real> x, std::span<const Real> before) {
  const auto weighted = [&](int i) { return weights_[i] * (x[i] - before[i]); };
  Real* dx = nullptr;
  Real* df = nullptr;
  if (hasLast_) {
    newest_ = count_ == 0 ? 0 : (newest_ + 1) % memory_;
    count_ = std::min(count_ + 1, memory_);
    const std::size_t first = static_cast<std::size_t>(size_) * newest_;
    // Memory that no solve got to is never touched.
    for (auto* differences : {&deltaX_, &deltaChange_}) {
      differences->resize(std::max(differences->size(), first + size_));
    }
    dx = &deltaX_[first];
    df = &deltaChange_[first];
    for (int i = 0; i < size_; ++i) dx[i] = x[i] - lastX_[i];
    for (int i = 0; i < size_; ++i) df[i] = weighted(i) - lastChange_[i];
  }
  std::copy(x.begin(), x.end(), lastX_.begin());
  for (int i = 0; i < size_; ++i) lastChange_[i] = weighted(i);
  hasLast_ = true;
  if (df == nullptr) return;
  // One pass over the memory gives both the new row of the Gram matrix and the right-hand side.
  using Column = Eigen::Map<const VecX>;
  gamma_.resize(count_);
  const Column newest(df, size_), last(lastChange_.data(), size_);
  for (int slot = 0; slot < count_; ++slot) {
    const Column other(&deltaChange_[static_cast<std::size_t>(size_) * slot], size_);
    gram_(newest_, slot) = gram_(slot, newest_) = newest.dot(other);
    gamma_[slot] = other.dot(last);
  }
}

bool AndersonAcceleration::solveWeights() {
  // Differences shrink by orders while the sweeps converge: scaled to unit length first, and
  // regularised at the round-off of the inner products.
  constexpr Real kRegularization = 1e-12;
  Small scaled(count_, count_);
  SmallColumn length(count_);
  for (int i = 0; i < count_; ++i) {
    length[i] = std::sqrt(gram_(i, i));
    if (!(length[i] > 0)) return false;
  }
  for (int i = 0; i < count_; ++i) {
    for (int j = 0; j < count_; ++j) scaled(i, j) = gram_(i, j) / (length[i] * length[j]);
    scaled(i, i) += kRegularization;
    gamma_[i] /= length[i];
  }
  const Eigen::LLT<Small> factor(scaled);
  if (factor.info() != Eigen::Success) return false;
  factor.solveInPlace(gamma_);
  for (int i = 0; i < count_; ++i) gamma_[i] /= length[i];
  return gamma_.allFinite();
}

void AndersonAcceleration::next(std::span<Real> x, std::span<const Real> before) {
  remember(x, before);
  if (count_ == 0) return;
  if (!solveWeights()) {
    count_ = 0;
    return;
  }
  Eigen::Map<VecX> result(x.data(), size_);
  for (int slot = 0; slot < count_; ++slot) {
    result -= gamma_[slot] *
              Eigen::Map<const VecX>(&deltaX_[static_cast<std::size_t>(size_) * slot], size_);
  }
}

}  // namespace drystone
