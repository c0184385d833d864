#include "solvers/linear/free_basis.h"

#include <algorithm>
#include <cmath>

namespace drystone {

void FreeBasis::reserve(const ProblemSize& size) {
  blockStart_.reserve(size.blocks + 1);
  row_.reserve(size.rows);
  general_.reserve(size.rows);
  vectors_.reserve(size.rows);
  extra_.reserve(size.rows);
}

void FreeBasis::begin(const ContactProblem& problem) {
  reserve({problem.bodyCount(), problem.blockCount(), problem.rowCount()});
  blockStart_.clear();
  row_.clear();
  general_.clear();
  vectors_.clear();
  extra_.clear();
  symmetric_ = true;
}

void FreeBasis::addRow(int row, Real extra) {
  row_.push_back(row);
  general_.push_back(-1);
  extra_.push_back(extra);
}

void FreeBasis::add(int firstRow, const Vec3& equation, const Vec3& column, Real extra) {
  row_.push_back(firstRow);
  general_.push_back(static_cast<int>(vectors_.size()));
  vectors_.push_back({equation, column});
  extra_.push_back(extra);
  symmetric_ = symmetric_ && equation == column;
}

Real FreeBasis::residual(std::span<const Real> lambda, std::span<const Real> w,
                         std::span<Real> r) const {
  Real largest = 0;
  for (int k = 0; k < count(); ++k) {
    const int i = row_[k];
    if (plain(k)) {
      r[k] = -(w[i] + extra_[k] * lambda[i]);
    } else {
      const Vectors& v = vectors_[general_[k]];
      r[k] = 0;
      for (int j = 0; j < 3; ++j) r[k] -= v.equation[j] * (w[i + j] + extra_[k] * lambda[i + j]);
    }
    largest = std::isfinite(r[k]) ? std::max(largest, std::abs(r[k])) : kInfinity;
  }
  return largest;
}

void FreeBasis::restrict(std::span<const Real> r, std::span<Real> y) const {
  for (int k = 0; k < count(); ++k) {
    const int i = row_[k];
    y[k] = plain(k) ? r[i] : equation(k).dot(Vec3(r[i], r[i + 1], r[i + 2]));
  }
}

void FreeBasis::expand(std::span<const Real> y, std::span<Real> lambda) const {
  for (int k = 0; k < count(); ++k) {
    const int i = row_[k];
    if (plain(k)) {
      lambda[i] += y[k];
    } else {
      const Vec3& column = vectors_[general_[k]].column;
      for (int j = 0; j < 3; ++j) lambda[i + j] += column[j] * y[k];
    }
  }
}

}  // namespace drystone
