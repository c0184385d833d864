// E. D. Andersen, C. Roos and T. Terlaky, "On implementing a primal-dual interior-point method for
// conic quadratic optimization", Mathematical Programming 95 (2003), for the embedding and its
// steps.

#include "engine/statics/conic_program.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/statics/cone_scaling.h"

namespace drystone {
namespace {

using Sparse = Eigen::SparseMatrix<Real>;

/// Relative error that is aimed at: a hundred times what decisions are made by.
constexpr Real kAim = 1e-10;
/// Relative error that will do where rounding ends the path before.
constexpr Real kWillDo = 1e-7;
constexpr int kMostSteps = 100;
/// Share of the way to the border of the cones.
constexpr Real kStepShare = 0.99;
/// On the diagonal of the factored matrix: round-off of its entries, and of entries of 1.
constexpr Real kRelativeShift = 1e-14;
/// The second and third are for programs that stall with the one before: columns that depend on
/// each other need more.
constexpr std::array<Real, 3> kShifts{1e-13, 1e-10, 1e-8};
constexpr int kRefinements = 3;
/// A column with more entries, such as a load on all bodies, would fill A W⁻² Aᵀ. A contact has 12.
constexpr int kMostEntries = 24;
/// More steps than these in a row without a smaller error are lost in rounding.
constexpr int kPatience = 8;

class Embedding {
 public:
  Embedding(const ConicProgram& program, Real shift)
      : p_(program),
        shift_(shift),
        rows_(static_cast<int>(program.a.rows())),
        columns_(static_cast<int>(program.a.cols())) {
    int first = p_.free;
    for (const int size : p_.cones) {
      cones_.push_back({.first = first, .size = size, .eta = 1, .w = {}});
      first += size;
    }
    x_ = VecX::Zero(columns_);
    z_ = VecX::Zero(columns_);
    y_ = VecX::Zero(rows_);
    for (const conic::ConeScaling& cone : cones_) x_[cone.first] = z_[cone.first] = 1;
    splitColumns();
  }

  ConicSolution follow();

 private:
  struct Direction {
    VecX x, y, z;
    Real tau = 0, kappa = 0;
  };

  void splitColumns();
  void measure();
  bool factor();
  VecX solve(const VecX& primal, const VecX& dual);
  VecX applyInverseSquare(const VecX& v) const;
  void prepareFixed();
  Direction find(Real share, Real target, const Direction* before);
  Real longest(const Direction& step) const;
  Real meanProduct() const {
    return (x_.dot(z_) + tau_ * kappa_) / (static_cast<Real>(cones_.size()) + 1);
  }
  bool decides(Real tolerance, ConicSolution& out) const;

  const ConicProgram& p_;
  Real shift_;
  int rows_, columns_;
  std::vector<conic::ConeScaling> cones_;
  Sparse conePart_;        ///< A without the columns of free unknowns, full ones empty
  Sparse border_;          ///< columns of free unknowns, then the full ones
  std::vector<int> full_;  ///< cones of size 1 with a full column
  Sparse freeProduct_;     ///< F Fᵀ of the columns F of free unknowns
  Sparse inverse_, matrix_;
  Eigen::SimplicialLDLT<Sparse, Eigen::Lower> ldlt_;
  bool isAnalysed_ = false;
  VecX x_, y_, z_;
  Real tau_ = 1, kappa_ = 1;
  VecX primal_, dual_;  ///< what A x = b and Aᵀ y + z = c lack
  Real gap_ = 0;
  VecX fixedY_, fixedX_;  ///< the step per unit of τ
};

void Embedding::splitColumns() {
  conePart_ = p_.a.rightCols(columns_ - p_.free);
  for (int k = 0; k < static_cast<int>(cones_.size()); ++k) {
    const int column = cones_[k].first - p_.free;
    if (cones_[k].size == 1 && conePart_.col(column).nonZeros() > kMostEntries) full_.push_back(k);
  }
  std::vector<Eigen::Triplet<Real>> entries;
  const auto add = [&](int column, int to) {
    for (Sparse::InnerIterator it(p_.a, column); it; ++it) {
      entries.emplace_back(static_cast<int>(it.row()), to, it.value());
    }
  };
  const int fullCount = static_cast<int>(full_.size());
  for (int k = 0; k < p_.free; ++k) add(k, k);
  for (int k = 0; k < fullCount; ++k) add(cones_[full_[k]].first, p_.free + k);
  border_.resize(rows_, p_.free + fullCount);
  border_.setFromTriplets(entries.begin(), entries.end());
  const Sparse free = border_.leftCols(p_.free);
  freeProduct_ = free * Sparse(free.transpose());
  conePart_.prune([&](Eigen::Index, Eigen::Index column, Real) {
    return std::ranges::none_of(
        full_, [&](int k) { return cones_[k].first - p_.free == static_cast<int>(column); });
  });
}

void Embedding::measure() {
  primal_ = p_.b * tau_ - p_.a * x_;
  dual_ = p_.c * tau_ - p_.a.transpose() * y_ - z_;
  gap_ = kappa_ + p_.c.dot(x_) - p_.b.dot(y_);
}

VecX Embedding::applyInverseSquare(const VecX& v) const {
  VecX out = VecX::Zero(columns_);
  for (const conic::ConeScaling& cone : cones_) {
    out.segment(cone.first, cone.size) =
        cone.apply(cone.apply(v.segment(cone.first, cone.size), true), true);
  }
  return out;
}

/// [A W⁻² Aᵀ + F Fᵀ, F, G; Fᵀ, 0, 0; Gᵀ, 0, −W²] with the columns F of free unknowns and full
/// columns G, which A lacks here, shifted to be quasi-definite. F Fᵀ changes no solution, as its
/// product with dy is known, and keeps pivots of bodies that only joints hold away from zero.
bool Embedding::factor() {
  std::vector<Eigen::Triplet<Real>> entries;
  for (conic::ConeScaling& cone : cones_) {
    cone.set(x_, z_);
    for (int i = 0; i < cone.size; ++i) {
      for (int j = 0; j < cone.size; ++j) {
        entries.emplace_back(cone.first - p_.free + i, cone.first - p_.free + j,
                             cone.inverseSquare(i, j));
      }
    }
  }
  inverse_.resize(conePart_.cols(), conePart_.cols());
  inverse_.setFromTriplets(entries.begin(), entries.end());
  const Sparse weighted = conePart_ * inverse_;
  Sparse normal = weighted * Sparse(conePart_.transpose());
  normal += freeProduct_;
  entries.clear();
  for (int k = 0; k < normal.outerSize(); ++k) {
    for (Sparse::InnerIterator it(normal, k); it; ++it) {
      if (it.row() >= it.col()) {
        entries.emplace_back(static_cast<int>(it.row()), static_cast<int>(it.col()), it.value());
      }
      if (it.row() == it.col()) {
        entries.emplace_back(static_cast<int>(it.row()), static_cast<int>(it.col()),
                             kRelativeShift * it.value());
      }
    }
  }
  for (int k = 0; k < border_.outerSize(); ++k) {
    for (Sparse::InnerIterator it(border_, k); it; ++it) {
      entries.emplace_back(rows_ + k, static_cast<int>(it.row()), it.value());
    }
  }
  for (int i = 0; i < rows_ + p_.free; ++i) {
    entries.emplace_back(i, i, i < rows_ ? shift_ : -shift_);
  }
  int next = rows_ + p_.free;
  for (const int k : full_) {
    entries.emplace_back(next, next, -cones_[k].eta * cones_[k].eta);
    ++next;
  }
  matrix_.resize(next, next);
  matrix_.setFromTriplets(entries.begin(), entries.end());
  if (!isAnalysed_) ldlt_.analyzePattern(matrix_);
  isAnalysed_ = true;
  ldlt_.factorize(matrix_);
  return ldlt_.info() == Eigen::Success;
}

/// dy and the free dx of A W⁻² Aᵀ dy + F dx = primal, Fᵀ dy = dual, refined without the shift.
VecX Embedding::solve(const VecX& primal, const VecX& dual) {
  const auto known = rows_ + p_.free;  // the unknowns of full columns follow from dy
  VecX right = VecX::Zero(matrix_.rows());
  const auto free = border_.leftCols(p_.free);
  right.head(known) << primal + free * dual, dual;
  VecX out = ldlt_.solve(right).head(known);
  for (int i = 0; i < kRefinements; ++i) {
    VecX all = p_.a.transpose() * out.head(rows_);
    VecX pressed = applyInverseSquare(all);
    pressed.head(p_.free) = out.tail(p_.free);
    const VecX lacksDual = dual - all.head(p_.free);
    right.head(known) << primal - p_.a * pressed + free * lacksDual, lacksDual;
    out += ldlt_.solve(right).head(known);
  }
  return out;
}

void Embedding::prepareFixed() {
  const VecX u = solve(p_.b + p_.a * applyInverseSquare(p_.c), p_.c.head(p_.free));
  fixedY_ = u.head(rows_);
  fixedX_ = applyInverseSquare(p_.a.transpose() * fixedY_ - p_.c);
  fixedX_.head(p_.free) = u.tail(p_.free);
}

/// The step that leaves 1 − share of what the equations lack, with products of `target`.
Embedding::Direction Embedding::find(Real share, Real target, const Direction* before) {
  VecX pull = VecX::Zero(columns_);  // W (v \ r) of each cone
  for (const conic::ConeScaling& cone : cones_) {
    const VecX v = cone.apply(x_.segment(cone.first, cone.size), false);
    VecX wanted = -conic::product(v, v);
    wanted[0] += target;
    if (before != nullptr) {
      wanted -= conic::product(cone.apply(before->x.segment(cone.first, cone.size), false),
                               cone.apply(before->z.segment(cone.first, cone.size), true));
    }
    pull.segment(cone.first, cone.size) = cone.apply(conic::quotient(wanted, v), false);
  }
  Real wantedTau = target - tau_ * kappa_;
  if (before != nullptr) wantedTau -= before->tau * before->kappa;
  const VecX q = share * dual_ - pull;
  const VecX u = solve(share * primal_ + p_.a * applyInverseSquare(q), q.head(p_.free));
  Direction step;
  step.y = u.head(rows_);
  step.x = applyInverseSquare(p_.a.transpose() * step.y - q);
  step.x.head(p_.free) = u.tail(p_.free);
  step.tau = (share * gap_ + wantedTau / tau_ - p_.b.dot(step.y) + p_.c.dot(step.x)) /
             (p_.b.dot(fixedY_) - p_.c.dot(fixedX_) + kappa_ / tau_);
  step.y += step.tau * fixedY_;
  step.x += step.tau * fixedX_;
  step.kappa = (wantedTau - kappa_ * step.tau) / tau_;
  // By the equation of the dual and not by W, so that what it lacks falls with the step.
  step.z = share * dual_ + p_.c * step.tau - p_.a.transpose() * step.y;
  step.z.head(p_.free).setZero();
  return step;
}

Real Embedding::longest(const Direction& step) const {
  Real share = std::numeric_limits<Real>::infinity();
  for (const conic::ConeScaling& cone : cones_) {
    const auto part = [&](const VecX& v) { return v.segment(cone.first, cone.size); };
    share = std::min(
        {share, conic::wayOut(part(x_), part(step.x)), conic::wayOut(part(z_), part(step.z))});
  }
  if (step.tau < 0) share = std::min(share, -tau_ / step.tau);
  if (step.kappa < 0) share = std::min(share, -kappa_ / step.kappa);
  return share;
}

/// Whether the point decides the program within the tolerance. Sets status, answer and error.
bool Embedding::decides(Real tolerance, ConicSolution& out) const {
  const Real primal = p_.c.dot(x_), dual = p_.b.dot(y_);
  const VecX lacksPrimal = p_.b * tau_ - p_.a * x_;
  const VecX lacksDual = p_.c * tau_ - p_.a.transpose() * y_ - z_;
  out.error =
      std::max({lacksPrimal.norm() / (tau_ * (1 + p_.b.norm())),
                lacksDual.norm() / (tau_ * (1 + p_.c.norm())),
                std::abs(primal - dual) / (tau_ + std::min(std::abs(primal), std::abs(dual)))});
  out.x = x_ / tau_;
  out.y = y_ / tau_;
  out.status = ConicStatus::kSolved;
  if (out.error <= tolerance) return true;
  if (tau_ > kappa_) return false;
  const Real ray =
      dual > 0 ? (p_.a.transpose() * y_ + z_).norm() / dual : std::numeric_limits<Real>::infinity();
  if (ray <= tolerance) {
    out.status = ConicStatus::kInfeasible;
    out.error = ray;
    out.y = y_ / dual;
    return true;
  }
  const Real way =
      primal < 0 ? (p_.a * x_).norm() / -primal : std::numeric_limits<Real>::infinity();
  if (way <= tolerance) {
    out.status = ConicStatus::kUnbounded;
    out.error = way;
    out.x = x_ / -primal;
    return true;
  }
  return false;
}

ConicSolution Embedding::follow() {
  ConicSolution out, willDo;
  const char* reason = "no more steps are taken";
  willDo.error = std::numeric_limits<Real>::infinity();
  for (int steps = 0, idle = 0; steps < kMostSteps && idle < kPatience; ++steps) {
    out.steps = willDo.steps = steps;
    if (decides(kAim, out)) return out;
    if (decides(kWillDo, out) && out.error < willDo.error) {
      willDo = out;
      idle = 0;
    } else if (std::isfinite(willDo.error)) {
      ++idle;
    }
    measure();
    if (!factor()) {
      reason = "the factor has a zero pivot";
      break;
    }
    prepareFixed();
    const Direction ahead = find(1, 0, nullptr);
    const Real affine = std::min(longest(ahead), 1.0);
    const Real rest = (1 - affine) * (1 - affine) * (1 - affine);
    const Direction step = find(1 - rest, rest * meanProduct(), &ahead);
    const Real share = std::min(kStepShare * longest(step), 1.0);
    if (!(share > 1e-9) || !step.x.allFinite() || !step.y.allFinite()) {
      reason = "rounding left no way ahead";
      break;
    }
    x_ += share * step.x;
    y_ += share * step.y;
    z_ += share * step.z;
    tau_ += share * step.tau;
    kappa_ += share * step.kappa;
  }
  if (std::isfinite(willDo.error)) return willDo;
  out.status = ConicStatus::kStalled;
  out.reason = reason;
  return out;
}

}  // namespace

ConicSolution solveConic(const ConicProgram& program) {
  ConicSolution out;
  int steps = 0;
  for (const Real shift : kShifts) {
    out = Embedding(program, shift).follow();
    steps += out.steps;
    if (out.status != ConicStatus::kStalled) break;
  }
  out.steps = steps;
  return out;
}

}  // namespace drystone
