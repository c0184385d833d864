#include "solvers/staggered/qp/schur_system.h"

#include <algorithm>

namespace drystone {

void SchurSystem::forget() {
  changes_.clear();
  c_.clear();
  hasStart_ = false;
}

bool SchurSystem::rebase(std::span<const RowState> sets) {
  forget();
  r_.clear();
  columnOf_.assign(sets.size(), -1);
  place_.assign(sets.size(), -1);
  base_.assign(sets.size(), 0);
  if (!factorFree(sets)) return false;
  for (std::size_t k = 0; k < free_.size(); ++k) place_[free_[k]] = static_cast<int>(k);
  return true;
}

bool SchurSystem::refactor(std::span<const RowState> sets) {
  return !changes_.empty() && rebase(sets);
}

Real SchurSystem::rowTimesFree(int variable, std::span<const Real> freePart) const {
  Real sum = 0;
  for (int k = hessian_->start[variable]; k < hessian_->start[variable + 1]; ++k) {
    const int place = place_[hessian_->column[k]];
    if (place >= 0) sum += hessian_->value[k] * freePart[place];
  }
  return sum;
}

void SchurSystem::removeColumn(int index) {
  const auto begin = r_.begin() + static_cast<std::ptrdiff_t>(index * free_.size());
  r_.erase(begin, begin + static_cast<std::ptrdiff_t>(free_.size()));
  columnOf_[changes_[index].variable] = -1;
  changes_.erase(changes_.begin() + index);
  for (int k = index; k < static_cast<int>(changes_.size()); ++k) {
    columnOf_[changes_[k].variable] = k;
  }
  c_.remove(index);
}

void SchurSystem::appendColumns(int first) {
  // K_0⁻¹ (e_i, 0) of a variable that is fixed now, K_0⁻¹ (0, e_i) of one released.
  const std::size_t size = free_.size();
  const int count = static_cast<int>(changes_.size()) - first;
  r_.resize(size * changes_.size(), 0);
  for (int k = first; k < first + count; ++k) {
    const auto [variable, isReleased] = changes_[k];
    Real* right = r_.data() + k * size;
    std::fill(right, right + size, 0);
    if (!isReleased) {
      right[place_[variable]] = 1;
      continue;
    }
    for (int e = hessian_->start[variable]; e < hessian_->start[variable + 1]; ++e) {
      const int place = place_[hessian_->column[e]];
      if (place >= 0) right[place] = -hessian_->value[e];
    }
  }
  k0_->solve({r_.data() + first * size, size * count}, count);
  solves_ += count;
  for (int k = first; k < first + count; ++k) {
    const int own = changes_[k].variable;
    entries_.clear();
    // C_kj = −U_kᵀ R_j: −x_i of column j where i is fixed now, and −λ_i = (H x)_i where it is
    // released. C is symmetric.
    for (int j = 0; j <= k; ++j) {
      const auto [variable, isReleased] = changes_[j];
      Real entry;
      if (!isReleased) {
        entry = -column(k)[place_[variable]];
      } else {
        entry = rowTimesFree(variable, column(k));
        if (changes_[k].isReleased) entry += hessian_->at(variable, own);
        if (variable == own) entry += extra_[own];
      }
      entries_.push_back(entry);
    }
    c_.append(entries_);
  }
}

bool SchurSystem::follow(std::span<const RowState> sets) {
  const auto differs = [&](int variable) {
    return (sets[variable] == RowState::kFree) != isBaseFree(variable);
  };
  for (int k = static_cast<int>(changes_.size()) - 1; k >= 0; --k) {
    if (!differs(changes_[k].variable)) removeColumn(k);
  }
  const int first = static_cast<int>(changes_.size());
  for (int i = 0; i < static_cast<int>(sets.size()); ++i) {
    if (!differs(i) || columnOf_[i] >= 0) continue;
    columnOf_[i] = static_cast<int>(changes_.size());
    changes_.push_back({i, !isBaseFree(i)});
  }
  if (static_cast<int>(changes_.size()) > maxSolves_) return false;
  if (static_cast<int>(changes_.size()) > first) appendColumns(first);
  return c_.factor();
}

void SchurSystem::scatter(std::span<Real> x) {
  k0_->solve(right_, 1);
  ++solves_;
  for (std::size_t k = 0; k < free_.size(); ++k) x[free_[k]] = right_[k];
}

void SchurSystem::solveStart(std::span<const RowState> sets) {
  // Where no bound has moved since, v stands for every working set of the problem.
  bool isSame = hasStart_;
  for (int i = 0; i < qp_.size(); ++i) {
    if (isBaseFree(i) || sets[i] == RowState::kFree) continue;
    const Real bound = boundOf(i, sets[i]);
    isSame = isSame && base_[i] == bound;
    base_[i] = bound;
  }
  if (isSame) return;
  for (const int i : free_) base_[i] = 0;
  right_.clear();
  for (const int i : free_) right_.push_back(qp_.linear[i] - hessian_->rowTimes(i, base_));
  scatter(base_);
  hasStart_ = true;
}

void SchurSystem::combine(std::span<const RowState> sets, std::span<const Real> linear,
                          std::span<const Real> start, bool isCorrection, std::span<Real> x) {
  pi_.clear();
  for (const auto [i, isReleased] : changes_) {
    if (isReleased) {
      // λ_i = c_i − (H v)_i is to vanish.
      pi_.push_back(hessian_->rowTimes(i, start) + extra_[i] * start[i] - linear[i]);
    } else {
      pi_.push_back((isCorrection ? 0 : boundOf(i, sets[i])) - start[i]);
    }
  }
  c_.solve(pi_);
  std::copy(start.begin(), start.end(), x.begin());
  for (std::size_t j = 0; j < changes_.size(); ++j) {
    const std::span<const Real> r = column(static_cast<int>(j));
    for (std::size_t k = 0; k < free_.size(); ++k) x[free_[k]] -= pi_[j] * r[k];
  }
  for (std::size_t j = 0; j < changes_.size(); ++j) {
    const auto [i, isReleased] = changes_[j];
    if (isReleased) {
      x[i] = start[i] - pi_[j];
    } else {
      x[i] = isCorrection ? 0 : boundOf(i, sets[i]);
    }
  }
}

bool SchurSystem::solve(std::span<const RowState> sets, std::span<Real> x) {
  if (!isFactored_ || !follow(sets)) {
    if (!rebase(sets)) return false;
  }
  solveStart(sets);
  combine(sets, qp_.linear, base_, false, x);
  sets_.assign(sets.begin(), sets.end());
  return true;
}

void SchurSystem::correct(std::span<const Real> r, std::span<Real> x) {
  start_.assign(r.size(), 0);
  right_.clear();
  for (const int i : free_) right_.push_back(r[i]);
  scatter(start_);
  entries_.assign(r.size(), 0);
  combine(sets_, r, start_, true, entries_);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += entries_[i];
}

}  // namespace drystone
