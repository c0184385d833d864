#include "solvers/linear/ranked_factor.h"

#include <Eigen/LU>
#include <Eigen/QR>

namespace drystone {
namespace {

/// Pivots below this share of the largest are round-off: n roundings of 1e-16 for n = 2,000 give
/// 4e-13. The compliance of contacts, 1e-9 of a diagonal and more, stays above.
constexpr Real kLeastPivot = 1e-12;

}  // namespace

struct RankedFactor::Parts {
  bool isRegular = false;
  int rank = 0;
  VecX scale;
  Eigen::PartialPivLU<MatX> lu;
  Eigen::CompleteOrthogonalDecomposition<MatX> orthogonal;
};

RankedFactor::RankedFactor() : parts_(std::make_unique<Parts>()) {}
RankedFactor::~RankedFactor() = default;

bool RankedFactor::factor(const MatX& matrix, std::span<const Real> scale) {
  Parts& parts = *parts_;
  parts.rank = 0;
  parts.scale = Eigen::Map<const VecX>(scale.data(), static_cast<Eigen::Index>(scale.size()));
  const MatX scaled = parts.scale.asDiagonal() * matrix * parts.scale.asDiagonal();
  if (!scaled.allFinite()) return false;
  parts.isRegular = true;
  if (scaled.size() == 0) return true;
  parts.lu.compute(scaled);
  // Of a zero pivot the estimate of the condition may be no number.
  const VecX pivots = parts.lu.matrixLU().diagonal().cwiseAbs();
  parts.isRegular =
      pivots.minCoeff() > kLeastPivot * pivots.maxCoeff() && parts.lu.rcond() > kLeastPivot;
  parts.rank = static_cast<int>(scaled.rows());
  if (parts.isRegular) return true;
  parts.orthogonal.setThreshold(kLeastPivot);
  parts.orthogonal.compute(scaled);
  parts.rank = static_cast<int>(parts.orthogonal.rank());
  return true;
}

void RankedFactor::solve(std::span<Real> x) const {
  if (x.empty()) return;
  Eigen::Map<VecX> values(x.data(), static_cast<Eigen::Index>(x.size()));
  const VecX right = parts_->scale.cwiseProduct(values);
  VecX answer;
  if (parts_->isRegular) {
    answer = parts_->lu.solve(right);
  } else {
    answer = parts_->orthogonal.solve(right);
  }
  values = parts_->scale.cwiseProduct(answer);
}

void RankedFactor::solveTransposed(std::span<Real> x) const {
  if (x.empty()) return;
  Eigen::Map<VecX> values(x.data(), static_cast<Eigen::Index>(x.size()));
  const VecX right = parts_->scale.cwiseProduct(values);
  VecX answer;
  if (parts_->isRegular) {
    answer = parts_->lu.transpose().solve(right);
  } else {
    answer = parts_->orthogonal.transpose().solve(right);
  }
  values = parts_->scale.cwiseProduct(answer);
}

int RankedFactor::rank() const { return parts_->rank; }

}  // namespace drystone
