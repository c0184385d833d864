#include "engine/statics/scaled_program.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace drystone {
namespace {

/// Bounds beyond so many times the loads are none: no balance comes near them.
constexpr Real kNoBound = 1e6;

}  // namespace

Vec6 ScaledProgram::scaled(int body, const Vec6& wrench) const {
  Vec6 out;
  out.head<3>() = roots_[body].linear * wrench.head<3>();
  out.tail<3>() = roots_[body].angular.transpose() * wrench.tail<3>();
  return out;
}

Vec6 ScaledProgram::velocity(int body, const VecX& y) const {
  // The dual has −Aᵀ y where contacts open, hence the sign.
  Vec6 u;
  u.head<3>() = -roots_[body].linear * y.segment<3>(6 * body);
  u.tail<3>() = -roots_[body].angular * y.segment<3>(6 * body + 3);
  return u;
}

Real ScaledProgram::sizeOf(const StaticColumn& column) const {
  Real square = 0;
  if (column.a >= 0) square += scaled(column.a, column.onA).squaredNorm();
  if (column.b >= 0) square += scaled(column.b, column.onB).squaredNorm();
  return square > 0 ? std::sqrt(square) : 1;
}

void ScaledProgram::addColumn(const StaticColumn& column, Real scale) {
  const auto add = [&](int body, const Vec6& wrench) {
    if (body < 0) return;
    const Vec6 own = scale * scaled(body, wrench);
    for (int i = 0; i < 6; ++i) entries_.emplace_back(6 * body + i, columns_, own[i]);
  };
  add(column.a, column.onA);
  add(column.b, column.onB);
  ++columns_;
}

bool ScaledProgram::isFree(const StaticJointRow& row) const {
  return row.lower < -kNoBound * forceUnit_ && row.upper > kNoBound * forceUnit_;
}

void ScaledProgram::addFreeJoints(const StaticRows& rows) {
  jointColumns_.resize(rows.joints.size());
  for (std::size_t i = 0; i < rows.joints.size(); ++i) {
    const StaticJointRow& row = rows.joints[i];
    if (!isFree(row)) continue;
    const StaticColumn& column = rows.columns[row.column];
    const Real scale = 1 / sizeOf(column);
    jointColumns_[i] = {columns_, 0, scale * forceUnit_};
    addColumn(column, scale);
  }
  program_.free = columns_;
}

void ScaledProgram::addContacts(const StaticRows& rows) {
  for (const StaticContactRows& contact : rows.contacts) {
    const Real scale = 1 / sizeOf(rows.columns[contact.first]);
    const int normal = columns_;
    contactColumn_.push_back(normal);
    contactUnit_.push_back(scale * forceUnit_);
    // x_1 = μ λ_n of what has friction.
    const Real mu = contact.tangents > 0 ? contact.friction : 1;
    addColumn(rows.columns[contact.first], scale / mu);
    for (int i = 1; i <= contact.tangents; ++i) {
      addColumn(rows.columns[contact.first + i], scale);
    }
    program_.cones.push_back(1 + contact.tangents);
    if (contact.normalForce) {
      const auto equation = static_cast<int>(right_.size());
      right_.push_back(*contact.normalForce * mu / contactUnit_.back());
      entries_.emplace_back(equation, normal, 1);
    }
    if (contact.rolling == 0) continue;
    // The cone of rolling has a λ_n of its own, which an equation makes the same.
    const int equation = static_cast<int>(right_.size());
    right_.push_back(0);
    entries_.emplace_back(equation, normal, contact.rollingFriction / mu);
    entries_.emplace_back(equation, columns_++, -1);
    for (int i = 1; i <= contact.rolling; ++i) {
      addColumn(rows.columns[contact.first + contact.tangents + i], scale);
    }
    program_.cones.push_back(1 + contact.rolling);
  }
}

void ScaledProgram::addBoundedJoints(const StaticRows& rows) {
  for (std::size_t k = 0; k < rows.joints.size(); ++k) {
    const StaticJointRow& row = rows.joints[k];
    if (isFree(row)) continue;
    const StaticColumn& column = rows.columns[row.column];
    const Real scale = 1 / sizeOf(column);
    const Real unit = scale * forceUnit_;
    // Counted from a bound that there is.
    const bool fromLower = row.lower > -kNoBound * forceUnit_;
    const Real start = (fromLower ? row.lower : row.upper) / unit;
    const auto shift = [&](int body, const Vec6& wrench) {
      if (body < 0) return;
      const Vec6 own = start * scale * scaled(body, wrench);
      for (int i = 0; i < 6; ++i) right_[6 * body + i] -= own[i];
    };
    shift(column.a, column.onA);
    shift(column.b, column.onB);
    const int own = columns_;
    jointColumns_[k] = {own, start * unit, fromLower ? unit : -unit};
    addColumn(column, fromLower ? scale : -scale);
    program_.cones.push_back(1);
    if (!fromLower || row.upper > kNoBound * forceUnit_) continue;
    const int equation = static_cast<int>(right_.size());
    right_.push_back((row.upper - row.lower) / unit);
    entries_.emplace_back(equation, own, 1);
    entries_.emplace_back(equation, columns_++, 1);
    program_.cones.push_back(1);
  }
}

/// A cone of each body: the length of what lacks, and what it is.
void ScaledProgram::addLacks() {
  lackColumn_ = columns_;
  for (int body = 0; body < static_cast<int>(roots_.size()); ++body) {
    ++columns_;
    for (int i = 0; i < 6; ++i) entries_.emplace_back(6 * body + i, columns_++, 1);
    program_.cones.push_back(7);
  }
}

ScaledProgram::ScaledProgram(const StaticRows& rows, const BodyStore& bodies,
                             std::span<const Vec6> load)
    : ScaledProgram(rows, bodies, load, false) {}

ScaledProgram ScaledProgram::thatMayLack(const StaticRows& rows, const BodyStore& bodies) {
  return {rows, bodies, {}, true};
}

ScaledProgram::ScaledProgram(const StaticRows& rows, const BodyStore& bodies,
                             std::span<const Vec6> load, bool mayLack) {
  const int count = static_cast<int>(rows.slots.size());
  for (const int slot : rows.slots) roots_.push_back(massRoot(bodies.inverseInertia[slot]));
  Real dead = 0, grows = 0;
  for (int i = 0; i < count; ++i) {
    dead += scaled(i, rows.dead[i]).squaredNorm();
    if (!load.empty()) grows += scaled(i, load[i]).squaredNorm();
  }
  dead = std::sqrt(dead);
  grows = std::sqrt(grows);
  forceUnit_ = dead > 0 ? dead : grows > 0 ? grows : 1;
  factorUnit_ = grows > 0 ? forceUnit_ / grows : 1;
  right_.assign(static_cast<std::size_t>(6 * count), 0);
  for (int i = 0; i < count; ++i) {
    const Vec6 own = scaled(i, rows.dead[i]) / forceUnit_;
    for (int k = 0; k < 6; ++k) right_[6 * i + k] = -own[k];
  }
  addFreeJoints(rows);
  addContacts(rows);
  addBoundedJoints(rows);
  if (!load.empty()) {
    for (int i = 0; i < count; ++i) {
      const Vec6 own = scaled(i, load[i]) * (factorUnit_ / forceUnit_);
      for (int k = 0; k < 6; ++k) entries_.emplace_back(6 * i + k, columns_, own[k]);
    }
    ++columns_;
    program_.cones.push_back(1);
  }
  if (mayLack) addLacks();
  program_.a.resize(static_cast<int>(right_.size()), columns_);
  program_.a.setFromTriplets(entries_.begin(), entries_.end());
  program_.b = VecX::Map(right_.data(), static_cast<Eigen::Index>(right_.size()));
  program_.c = VecX::Zero(columns_);
  if (!load.empty()) program_.c[columns_ - 1] = -1;
  for (int i = lackColumn_; mayLack && i < columns_; i += 7) program_.c[i] = 1;
}

Real ScaledProgram::jointForce(int index, const VecX& x) const {
  const JointColumn& own = jointColumns_[index];
  return own.start + own.unit * x[own.column];
}

Real ScaledProgram::lackShare(int body, const VecX& x) const {
  return x.segment<6>(lackColumn_ + 7 * body + 1).norm();
}

Vec6 ScaledProgram::lack(int body, const VecX& x) const {
  const Vec6 scaledLack = forceUnit_ * x.segment<6>(lackColumn_ + 7 * body + 1);
  Vec6 out = Vec6::Zero();
  if (roots_[body].linear > 0) out.head<3>() = scaledLack.head<3>() / roots_[body].linear;
  // A locked axis has a column of zeros: nothing lacks along it.
  out.tail<3>() = roots_[body].angular.transpose().completeOrthogonalDecomposition().solve(
      scaledLack.tail<3>());
  return out;
}

void ScaledProgram::minimizeNormals(const StaticRows& rows, std::span<const int> contacts,
                                    Real sign) {
  for (const int c : contacts) {
    const StaticContactRows& contact = rows.contacts[c];
    const Real mu = contact.tangents > 0 ? contact.friction : 1;
    program_.c[contactColumn_[c]] = contactUnit_[c] / mu;
  }
  program_.c *= sign / program_.c.lpNorm<Eigen::Infinity>();
}

ContactForces ScaledProgram::contactForces(const StaticContactRows& contact, int index,
                                           const VecX& x) const {
  const int first = contactColumn_[index];
  const Real unit = contactUnit_[index];
  ContactForces out;
  if (contact.tangents == 0) {
    out.normal = unit * x[first];
    if (contact.slides) {
      out.friction = contact.friction * out.normal;
      out.use = 1;
    }
  } else {
    const Real bearable = x[first], length = x.segment(first + 1, contact.tangents).norm();
    out.normal = unit * bearable / contact.friction;
    out.tangents.head(contact.tangents) = unit * x.segment(first + 1, contact.tangents);
    out.friction = unit * std::hypot(x[first + 1], contact.across * x[first + 2]);
    out.use = bearable > 0 ? std::min(length / bearable, 1.0) : 0;
  }
  if (contact.rolling > 0) {
    const int rolling = first + 1 + contact.tangents;
    const Real length = x.segment(rolling + 1, contact.rolling).norm();
    if (x[rolling] > 0) out.use = std::max(out.use, std::min(length / x[rolling], 1.0));
  }
  return out;
}

}  // namespace drystone
