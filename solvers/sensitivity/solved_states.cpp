#include "solvers/sensitivity/solved_states.h"

#include <algorithm>
#include <cmath>

#include "solvers/problem/friction_square.h"
#include "solvers/problem/laws.h"

namespace drystone {
namespace {

Real rateOf(std::span<const Real> change, int i) { return change.empty() ? 0 : change[i]; }

/// The least t > 0 at which value + t rate is 0.
Real rootOfLine(Real value, Real rate) {
  return rate < 0 ? std::max<Real>(0, value) / -rate : kInfinity;
}

/// The least t > 0 with (r + t dr)² = ‖x + t dx‖²: the largest root s = 1/t of c s² + 2 b s + a.
Real rootOfDisc(Real r, Real dr, const Real* x, const Real* dx) {
  const Real a = dr * dr - dx[0] * dx[0] - dx[1] * dx[1];
  const Real b = r * dr - x[0] * dx[0] - x[1] * dx[1];
  const Real c = r * r - x[0] * x[0] - x[1] * x[1];
  if (!(c > 0)) return b < 0 ? 0 : kInfinity;
  const Real discriminant = b * b - a * c;
  if (discriminant < 0) return kInfinity;
  const Real root = std::sqrt(discriminant) - b;
  return root > 0 ? c / root : kInfinity;
}

}  // namespace

bool SolvedStates::takes(FrictionModel model) {
  return model != FrictionModel::kContensou && model != FrictionModel::kRolling;
}

bool SolvedStates::isCoupled(int block) const {
  const ContactProblem& problem = rows_->problem();
  return problem.blocks[block].law == BlockLaw::kContact && followsNormal(problem.friction);
}

void SolvedStates::read(const RowSystem& rows, std::span<const Real> lambda,
                        std::span<const Real> w) {
  rows_ = &rows;
  lambda_ = lambda;
  w_ = w;
  const ContactProblem& problem = rows.problem();
  bounds_.assignKnown(problem);
  contacts_.assign(problem.blockCount(), Contact{});
  state_.assign(problem.rowCount(), RowState::kUnknown);
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    if (isCoupled(c)) {
      contacts_[c] = readContact(c);
      continue;
    }
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      state_[row] = readRow(row);
    }
  }
}

RowState SolvedStates::readRow(int row) const {
  const Real diagonal = rows_->diagonal(row);
  const Real z = lambda_[row] - w_[row] / (diagonal > 0 ? diagonal : 1);
  if (bounds_.lower[row] == bounds_.upper[row] || z <= bounds_.lower[row]) return RowState::kLower;
  return z >= bounds_.upper[row] ? RowState::kUpper : RowState::kFree;
}

SolvedStates::Contact SolvedStates::readContact(int block) const {
  const ContactProblem& problem = rows_->problem();
  const ProblemBlock& info = problem.blocks[block];
  const Real rho = rows_->step(block);
  const Real* lambda = &lambda_[info.firstRow];
  const Real* w = &w_[info.firstRow];
  Real z[3];
  for (int i = 0; i < 3; ++i) z[i] = lambda[i] - rho * w[i];
  Contact contact;
  if (const FrictionSquare* square = frictionSquareOf(problem.friction)) {
    if (z[0] <= 0) return contact;
    contact.state = State::kStick;
    square->toAxes(z + 1);
    for (int i = 0; i < 2; ++i) {
      if (info.friction > 0 && std::abs(z[i + 1]) <= square->share * info.friction * z[0]) continue;
      contact.state = State::kSlip;
      contact.sign[i] = std::copysign(1.0, z[i + 1]);
      contact.direction[i] = contact.sign[i] * square->share;
    }
    square->fromAxes(contact.direction);
    return contact;
  }
  const Real length = std::hypot(z[1], z[2]);
  const Real shifted = z[0] - rho * deSaxceShift(problem.friction, info, w + 1);
  if (info.friction * length <= -shifted) return contact;
  if (info.friction > 0 && length <= info.friction * shifted) {
    contact.state = State::kStick;
    return contact;
  }
  contact.state = State::kSlip;
  if (length > 0) {
    contact.direction[0] = z[1] / length;
    contact.direction[1] = z[2] / length;
  }
  const Real slip = -(contact.direction[0] * w[1] + contact.direction[1] * w[2]);
  const Real radius = info.friction * lambda[0];
  if (radius > 0) contact.extra = std::max<Real>(0, slip) / radius;
  return contact;
}

void SolvedStates::fillBasis(FreeBasis& basis) const {
  const ContactProblem& problem = rows_->problem();
  const FrictionSquare* square = frictionSquareOf(problem.friction);
  basis.begin(problem);
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    const int first = block.firstRow;
    basis.beginBlock();
    if (!isCoupled(c)) {
      for (int row = first; row < first + block.rows; ++row) {
        if (state_[row] == RowState::kFree) basis.addRow(row);
      }
      continue;
    }
    const Contact& contact = contacts_[c];
    if (contact.state == State::kOpen) continue;
    if (contact.state == State::kStick) {
      for (int row = first; row < first + block.rows; ++row) basis.addRow(row);
      continue;
    }
    const Real mu = block.friction;
    const Real* d = contact.direction;
    basis.add(first, Vec3(1, 0, 0), Vec3(1, mu * d[0], mu * d[1]), 0);
    if (square != nullptr) {
      for (int i = 0; i < 2; ++i) {
        if (contact.sign[i] == 0) basis.add(first, square->axis(i), square->axis(i), 0);
      }
    } else if (contact.extra >= 0) {
      const Vec3 across(0, -d[1], d[0]);
      basis.add(first, across, across, contact.extra);
    }
  }
  basis.end();
}

void SolvedStates::settle(std::span<Real> lambda) const {
  const ContactProblem& problem = rows_->problem();
  const FrictionSquare* square = frictionSquareOf(problem.friction);
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    Real* own = &lambda[block.firstRow];
    if (!isCoupled(c)) {
      for (int i = 0; i < block.rows; ++i) {
        const int row = block.firstRow + i;
        if (state_[row] == RowState::kLower) own[i] = bounds_.lower[row];
        if (state_[row] == RowState::kUpper) own[i] = bounds_.upper[row];
      }
      continue;
    }
    const Contact& contact = contacts_[c];
    if (contact.state == State::kOpen) std::fill_n(own, block.rows, 0.0);
    if (contact.state != State::kSlip) continue;
    const Real radius = block.friction * own[0];
    const Real* d = contact.direction;
    if (square == nullptr) {
      const Real missing = radius - d[0] * own[1] - d[1] * own[2];
      for (int i = 0; i < 2; ++i) own[i + 1] += missing * d[i];
      continue;
    }
    square->toAxes(own + 1);
    for (int i = 0; i < 2; ++i) {
      if (contact.sign[i] != 0) own[i + 1] = contact.sign[i] * square->share * radius;
    }
    square->fromAxes(own + 1);
  }
}

Real SolvedStates::lowerRate(const ProblemChange& change, int block, int row) const {
  const ProblemBlock& info = rows_->problem().blocks[block];
  if (info.law == BlockLaw::kRows) return rateOf(change.lower, row);
  return row == info.firstRow ? 0 : -info.normalBound * rateOf(change.friction, block);
}

Real SolvedStates::upperRate(const ProblemChange& change, int block, int row) const {
  const ProblemBlock& info = rows_->problem().blocks[block];
  if (info.law == BlockLaw::kRows) return rateOf(change.upper, row);
  return row == info.firstRow ? 0 : info.normalBound * rateOf(change.friction, block);
}

void SolvedStates::move(const ProblemChange& change, std::span<Real> c) const {
  const ContactProblem& problem = rows_->problem();
  std::fill(c.begin(), c.end(), 0.0);
  for (int block = 0; block < problem.blockCount(); ++block) {
    const ProblemBlock& info = problem.blocks[block];
    const int first = info.firstRow;
    if (!isCoupled(block)) {
      for (int row = first; row < first + info.rows; ++row) {
        if (state_[row] == RowState::kLower) c[row] = lowerRate(change, block, row);
        if (state_[row] == RowState::kUpper) c[row] = upperRate(change, block, row);
      }
    } else if (contacts_[block].state == State::kSlip) {
      for (int i = 0; i < 2; ++i) {
        c[first + 1 + i] =
            rateOf(change.friction, block) * lambda_[first] * contacts_[block].direction[i];
      }
    }
  }
}

void SolvedStates::pullBack(std::span<const Real> q, ProblemGradient& gradient) const {
  const ContactProblem& problem = rows_->problem();
  for (int block = 0; block < problem.blockCount(); ++block) {
    const ProblemBlock& info = problem.blocks[block];
    const int first = info.firstRow;
    if (isCoupled(block)) {
      if (contacts_[block].state != State::kSlip) continue;
      for (int i = 0; i < 2; ++i) {
        gradient.friction[block] +=
            q[first + 1 + i] * lambda_[first] * contacts_[block].direction[i];
      }
      continue;
    }
    for (int row = first; row < first + info.rows; ++row) {
      const bool isLower = state_[row] == RowState::kLower;
      if (!isLower && state_[row] != RowState::kUpper) continue;
      if (info.law == BlockLaw::kRows) {
        (isLower ? gradient.lower : gradient.upper)[row] += q[row];
      } else if (row > first) {
        gradient.friction[block] += (isLower ? -1 : 1) * info.normalBound * q[row];
      }
    }
  }
}

template <class Line, class Disc>
void SolvedStates::visitContact(int block, Real frictionRate, std::span<const Real> dLambda,
                                std::span<const Real> dW, Line&& line, Disc&& disc) const {
  const ContactProblem& problem = rows_->problem();
  const ProblemBlock& info = problem.blocks[block];
  const Contact& contact = contacts_[block];
  const Real rho = rows_->step(block);
  const int first = info.firstRow;
  if (contact.state == State::kOpen) return line(w_[first], dW[first], 1);
  line(lambda_[first], dLambda[first], rho);
  // Without friction no slip changes anything; a μ that grows from 0 keeps to the direction of w.
  if (info.friction == 0) return;
  const Real radius = info.friction * lambda_[first];
  const Real radiusRate = info.friction * dLambda[first] + frictionRate * lambda_[first];
  const FrictionSquare* square = frictionSquareOf(problem.friction);
  Real x[2], dx[2], v[2], dv[2];
  for (int i = 0; i < 2; ++i) {
    x[i] = lambda_[first + 1 + i];
    dx[i] = dLambda[first + 1 + i];
    v[i] = w_[first + 1 + i];
    dv[i] = dW[first + 1 + i];
  }
  if (square == nullptr) {
    const Real* d = contact.direction;
    if (contact.state == State::kStick) return disc(radius, radiusRate, x, dx, rho);
    return line(-d[0] * v[0] - d[1] * v[1], -d[0] * dv[0] - d[1] * dv[1], 1);
  }
  for (Real* tangents : {x, dx, v, dv}) square->toAxes(tangents);
  for (int i = 0; i < 2; ++i) {
    if (contact.sign[i] != 0) {
      line(-contact.sign[i] * v[i], -contact.sign[i] * dv[i], 1);
      continue;
    }
    for (const Real side : {-1.0, 1.0}) {
      line(square->share * radius + side * x[i], square->share * radiusRate + side * dx[i], rho);
    }
  }
}

template <class Line, class Disc>
void SolvedStates::visitConditions(int block, const ProblemChange& change,
                                   std::span<const Real> dLambda, std::span<const Real> dW,
                                   Line&& line, Disc&& disc) const {
  const ProblemBlock& info = rows_->problem().blocks[block];
  if (isCoupled(block)) {
    return visitContact(block, rateOf(change.friction, block), dLambda, dW, line, disc);
  }
  for (int row = info.firstRow; row < info.firstRow + info.rows; ++row) {
    const Real lower = bounds_.lower[row], upper = bounds_.upper[row];
    const Real rise = dLambda[row] - lowerRate(change, block, row);
    const Real fall = upperRate(change, block, row) - dLambda[row];
    const Real unit = rows_->diagonal(row) > 0 ? 1 / rows_->diagonal(row) : 1;
    if (state_[row] == RowState::kUpper) {
      line(-w_[row], -dW[row], 1);
    } else if (state_[row] == RowState::kLower && lower < upper) {
      line(w_[row], dW[row], 1);
    } else if (state_[row] == RowState::kFree) {
      if (lower > -kInfinity) line(lambda_[row] - lower, rise, unit);
      if (upper < kInfinity) line(upper - lambda_[row], fall, unit);
    }
  }
}

void SolvedStates::margins(std::span<Real> margins) const {
  const std::vector<Real> still(lambda_.size(), 0);
  for (int c = 0; c < rows_->problem().blockCount(); ++c) {
    Real& least = margins[c] = kInfinity;
    visitConditions(
        c, {}, still, still,
        [&](Real value, Real, Real unit) { least = std::min(least, value / unit); },
        [&](Real radius, Real, const Real* x, const Real*, Real unit) {
          least = std::min(least, (radius - std::hypot(x[0], x[1])) / unit);
        });
  }
}

StateRadius SolvedStates::radius(const ProblemChange& change, std::span<const Real> dLambda,
                                 std::span<const Real> dW, int sense) const {
  StateRadius least;
  for (int c = 0; c < rows_->problem().blockCount(); ++c) {
    const auto meet = [&](Real t) {
      if (t < least.radius) least = {t, c};
    };
    visitConditions(
        c, change, dLambda, dW,
        [&](Real value, Real rate, Real) { meet(rootOfLine(value, sense * rate)); },
        [&](Real radius, Real rate, const Real* x, const Real* dx, Real) {
          const Real along[2] = {sense * dx[0], sense * dx[1]};
          meet(rootOfDisc(radius, sense * rate, x, along));
        });
  }
  return least;
}

}  // namespace drystone
