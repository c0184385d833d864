#include "solvers/pivoting/contact_states.h"

#include <algorithm>
#include <cmath>

#include "solvers/problem/friction_square.h"
#include "solvers/problem/laws.h"

namespace drystone {
void ContactStates::reserve(const ProblemSize& size) {
  contacts_.reserve(size.blocks);
  state_.reserve(size.rows);
  weight_.reserve(size.rows);
  bounds_.reserve(size);
}

RowState ContactStates::classifyRow(int row, std::span<const Real> lambda,
                                    std::span<const Real> w) const {
  const Real z = lambda[row] - w[row] / weight_[row];
  if (bounds_.lower[row] == bounds_.upper[row] || z <= bounds_.lower[row]) return RowState::kLower;
  return z >= bounds_.upper[row] ? RowState::kUpper : RowState::kFree;
}

ContactStates::Contact ContactStates::classifyContact(const RowSystem& rows, int block,
                                                      std::span<const Real> lambda,
                                                      std::span<const Real> w) const {
  const ContactProblem& problem = rows.problem();
  const int first = problem.blocks[block].firstRow;
  const Real rho = rows.step(block);
  Real z[3];
  for (int i = 0; i < 3; ++i) z[i] = lambda[first + i] - rho * w[first + i];
  Contact contact;
  if (z[0] <= 0) return contact;
  contact.state = ContactState::kStick;
  const Real radius = problem.blocks[block].friction * z[0];
  if (const FrictionSquare* square = frictionSquareOf(problem.friction)) {
    Real along[2] = {z[1], z[2]};
    square->toAxes(along);
    for (int i = 0; i < 2; ++i) {
      if (std::abs(along[i]) > square->share * radius || radius == 0) {
        contact.state = ContactState::kSlip;
        contact.direction[i] = std::copysign(1.0, along[i]);
      }
    }
    return contact;
  }
  const Real length = std::hypot(z[1], z[2]);
  if (length <= radius && radius > 0) return contact;
  contact.state = ContactState::kSlip;
  contact.direction[0] = length > 0 ? z[1] / length : 1;
  contact.direction[1] = length > 0 ? z[2] / length : 0;
  if (radius > 0) contact.extra = (length / radius - 1) / rho;
  return contact;
}

bool ContactStates::coupled(const RowSystem& rows, int block) const {
  const ContactProblem& problem = rows.problem();
  return problem.blocks[block].law == BlockLaw::kContact && followsNormal(problem.friction);
}

int ContactStates::classify(const RowSystem& rows, std::span<const Real> lambda,
                            std::span<const Real> w) {
  const ContactProblem& problem = rows.problem();
  int changes = 0;
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    const int first = block.firstRow;
    if (!coupled(rows, c)) {
      for (int row = first; row < first + block.rows; ++row) {
        const RowState next = classifyRow(row, lambda, w);
        changes += next != state_[row] ? 1 : 0;
        state_[row] = next;
      }
      continue;
    }
    const Contact next = classifyContact(rows, c, lambda, w);
    const bool turned = frictionSquareOf(problem.friction) != nullptr &&
                        (next.direction[0] != contacts_[c].direction[0] ||
                         next.direction[1] != contacts_[c].direction[1]);
    changes += next.state != contacts_[c].state || turned ? 1 : 0;
    contacts_[c] = next;
  }
  return changes;
}

bool ContactStates::start(const RowSystem& rows, std::span<const RowState> states,
                          std::span<const Real> lambda, std::span<const Real> w) {
  const ContactProblem& problem = rows.problem();
  bounds_.assignKnown(problem);
  const bool isPossible = bounds_.fixIdleRows(rows);
  weight_.resize(problem.rowCount());
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    const bool bound = coupled(rows, c);
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      weight_[row] = bound ? 1 / rows.step(c) : rows.diagonal(row);
      if (!(weight_[row] > 0)) weight_[row] = 1;
    }
  }
  contacts_.assign(problem.blockCount(), Contact{});
  state_.assign(problem.rowCount(), RowState::kFree);
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    if (coupled(rows, c)) {
      contacts_[c] = classifyContact(rows, c, lambda, w);
      startContact(rows, c, states, w);
      continue;
    }
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      const RowState known = states[row];
      const bool possible = known == RowState::kFree
                                ? bounds_.lower[row] < bounds_.upper[row]
                                : (known == RowState::kLower && bounds_.lower[row] > -kInfinity) ||
                                      (known == RowState::kUpper && bounds_.upper[row] < kInfinity);
      state_[row] = possible ? known : classifyRow(row, lambda, w);
    }
  }
  return isPossible;
}

void ContactStates::startContact(const RowSystem& rows, int block, std::span<const RowState> states,
                                 std::span<const Real> w) {
  const ProblemBlock& info = rows.problem().blocks[block];
  const int first = info.firstRow;
  const auto tight = [&](int row) {
    return states[row] == RowState::kLower || states[row] == RowState::kUpper;
  };
  Contact& contact = contacts_[block];
  if (tight(first)) {
    contact = Contact{};
  } else if (states[first] == RowState::kFree) {
    // Where it slipped, the direction is read off the warm start, by `classifyContact`.
    if (!tight(first + 1) && !tight(first + 2)) contact = Contact{ContactState::kStick, {0, 0}, 0};
  } else if (contact.state == ContactState::kSlip || w[first] <= 0) {
    // Unknown and not separating: it sticks until it is known better.
    contact = Contact{ContactState::kStick, {0, 0}, 0};
  }
  if (contact.state == ContactState::kStick && info.friction == 0) {
    contact = Contact{ContactState::kSlip, {1, 0}, 0};
  }
}

void ContactStates::place(const RowSystem& rows, std::span<Real> lambda) const {
  const ContactProblem& problem = rows.problem();
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    const int first = block.firstRow;
    if (!coupled(rows, c)) {
      for (int row = first; row < first + block.rows; ++row) {
        if (state_[row] == RowState::kLower) lambda[row] = bounds_.lower[row];
        if (state_[row] == RowState::kUpper) lambda[row] = bounds_.upper[row];
      }
      continue;
    }
    const Contact& contact = contacts_[c];
    Real* impulse = &lambda[first];
    if (contact.state == ContactState::kOpen) {
      std::fill(impulse, impulse + block.rows, 0.0);
    } else if (contact.state == ContactState::kSlip) {
      const Real radius = block.friction * impulse[0];
      const Real* d = contact.direction;
      if (const FrictionSquare* square = frictionSquareOf(problem.friction)) {
        square->toAxes(impulse + 1);
        for (int i = 0; i < 2; ++i) {
          if (d[i] != 0) impulse[i + 1] = d[i] * square->share * radius;
        }
        square->fromAxes(impulse + 1);
      } else {
        const Real across = radius == 0 ? 0 : -d[1] * impulse[1] + d[0] * impulse[2];
        impulse[1] = radius * d[0] - across * d[1];
        impulse[2] = radius * d[1] + across * d[0];
      }
    }
  }
}

void ContactStates::fillBasis(const RowSystem& rows, Real damping, FreeBasis& basis) const {
  const ContactProblem& problem = rows.problem();
  basis.begin(problem);
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    const int first = block.firstRow;
    basis.beginBlock();
    if (!coupled(rows, c)) {
      for (int row = first; row < first + block.rows; ++row) {
        if (state_[row] == RowState::kFree) basis.addRow(row, damping * weight_[row]);
      }
      continue;
    }
    const Contact& contact = contacts_[c];
    const Real extra = damping * weight_[first];
    if (contact.state == ContactState::kStick) {
      for (int row = first; row < first + block.rows; ++row) basis.addRow(row, extra);
    } else if (contact.state == ContactState::kSlip) {
      const Real mu = block.friction;
      const Real* d = contact.direction;
      if (mu == 0) {
        basis.addRow(first, extra);
        continue;
      }
      if (const FrictionSquare* square = frictionSquareOf(problem.friction)) {
        const Vec3 slip = d[0] * square->axis(0) + d[1] * square->axis(1);
        basis.add(first, Vec3::UnitX(), Vec3::UnitX() + mu * square->share * slip, extra);
        for (int i = 0; i < 2; ++i) {
          if (d[i] != 0) continue;
          if (square->sine == 0) {
            basis.addRow(first + 1 + i, extra);
          } else {
            basis.add(first, square->axis(i), square->axis(i), extra);
          }
        }
      } else {
        basis.add(first, Vec3::UnitX(), Vec3(1, mu * d[0], mu * d[1]), extra);
        const Vec3 across(0, -d[1], d[0]);
        basis.add(first, across, across, contact.extra + extra);
      }
    }
  }
  basis.end();
}

void ContactStates::makeFeasible(const RowSystem& rows, std::span<Real> lambda) const {
  const ContactProblem& problem = rows.problem();
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    if (coupled(rows, c)) {
      projectContact(problem.friction, block, &lambda[block.firstRow]);
      continue;
    }
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      lambda[row] = std::clamp(lambda[row], bounds_.lower[row], bounds_.upper[row]);
    }
  }
}

void ContactStates::write(const RowSystem& rows, std::span<const Real> lambda,
                          std::span<RowState> states) const {
  const ContactProblem& problem = rows.problem();
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    const int first = block.firstRow;
    if (!coupled(rows, c)) {
      for (int row = first; row < first + block.rows; ++row) states[row] = state_[row];
      continue;
    }
    const Contact& contact = contacts_[c];
    states[first] = contact.state == ContactState::kOpen ? RowState::kLower : RowState::kFree;
    const bool isSquare = frictionSquareOf(problem.friction) != nullptr;
    for (int i = 1; i < block.rows; ++i) {
      const int row = first + i;
      const Real sign = isSquare ? contact.direction[i - 1] : lambda[row];
      const bool isStuckAxis = isSquare && sign == 0 && contact.state == ContactState::kSlip;
      if (contact.state == ContactState::kStick || isStuckAxis) {
        states[row] = RowState::kFree;
      } else {
        states[row] = sign > 0 ? RowState::kUpper : RowState::kLower;
      }
    }
  }
}

}  // namespace drystone
