#include "solvers/direct/contact_states.h"

#include <algorithm>
#include <cmath>

namespace drystone {
namespace {

bool sameState(RowState a, RowState b) { return a == b; }

/// Sets of one bounded row from z = λ − ρ w.
RowState classifyRow(Real z, Real lower, Real upper) {
  if (lower == upper || z <= lower) return RowState::kLower;
  return z >= upper ? RowState::kUpper : RowState::kFree;
}

}  // namespace

void ContactStates::reserve(const ProblemSize& size) {
  contacts_.reserve(size.blocks);
  state_.reserve(size.rows);
}

ContactStates::Contact ContactStates::classifyContact(const RowSystem& rows, int block,
                                                      const Real* z) const {
  Contact contact;
  if (z[0] <= 0) return contact;
  contact.state = ContactState::kStick;
  const ContactProblem& problem = rows.problem();
  if (problem.blocks[block].rows == 1) return contact;
  const Real radius = problem.blocks[block].friction * z[0];
  if (problem.friction == FrictionModel::kPyramid) {
    for (int i = 0; i < 2; ++i) {
      if (std::abs(z[i + 1]) > radius || radius == 0) {
        contact.state = ContactState::kSlip;
        contact.direction[i] = std::copysign(1.0, z[i + 1]);
      }
    }
    return contact;
  }
  const Real length = std::hypot(z[1], z[2]);
  if (length <= radius && radius > 0) return contact;
  contact.state = ContactState::kSlip;
  contact.direction[0] = length > 0 ? z[1] / length : 1;
  contact.direction[1] = length > 0 ? z[2] / length : 0;
  if (radius > 0) contact.extra = (length / radius - 1) / rows.step(block);
  return contact;
}

int ContactStates::classify(const RowSystem& rows, std::span<const Real> lambda,
                            std::span<const Real> w) {
  const ContactProblem& problem = rows.problem();
  int changes = 0;
  slipping_ = 0;
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    const int first = block.firstRow;
    if (block.law == BlockLaw::kRows) {
      for (int row = first; row < first + block.rows; ++row) {
        const Real step = rows.diagonal(row) > 0 ? 1 / rows.diagonal(row) : 1;
        const RowState next =
            classifyRow(lambda[row] - step * w[row], problem.lower[row], problem.upper[row]);
        changes += sameState(next, state_[row]) ? 0 : 1;
        state_[row] = next;
      }
      continue;
    }
    const Real rho = rows.step(c);
    Real z[3] = {0, 0, 0};
    for (int i = 0; i < block.rows; ++i) z[i] = lambda[first + i] - rho * w[first + i];
    const Contact next = classifyContact(rows, c, z);
    Contact& contact = contacts_[c];
    changes += next.state != contact.state ||
                       (problem.friction == FrictionModel::kPyramid &&
                        (next.direction[0] != contact.direction[0] ||
                         next.direction[1] != contact.direction[1]))
                   ? 1
                   : 0;
    contact = next;
    slipping_ += contact.state == ContactState::kSlip ? 1 : 0;
  }
  return changes;
}

void ContactStates::start(const RowSystem& rows, std::span<const RowState> states,
                          std::span<const Real> lambda, std::span<const Real> w) {
  const ContactProblem& problem = rows.problem();
  contacts_.assign(problem.blockCount(), Contact{});
  state_.assign(problem.rowCount(), RowState::kFree);
  classify(rows, lambda, w);
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    const int first = block.firstRow;
    if (block.law == BlockLaw::kRows) {
      for (int row = first; row < first + block.rows; ++row) {
        const RowState known = states[row];
        const bool bounded = (known == RowState::kLower && problem.lower[row] > -kInfinity) ||
                             (known == RowState::kUpper && problem.upper[row] < kInfinity);
        if (problem.lower[row] == problem.upper[row]) continue;
        if (bounded || known == RowState::kFree) state_[row] = known;
      }
      continue;
    }
    // An approaching contact sticks until it is known better; one that was open and approaches
    // now is no news that the old sets could tell.
    Contact& contact = contacts_[c];
    const bool known = states[first] != RowState::kUnknown;
    const bool slid = known && block.rows > 1 && (states[first + 1] == RowState::kLower ||
                                                  states[first + 1] == RowState::kUpper ||
                                                  states[first + 2] == RowState::kLower ||
                                                  states[first + 2] == RowState::kUpper);
    if (known && states[first] == RowState::kLower) {
      contact = Contact{};
    } else if (known && !slid) {
      contact = Contact{ContactState::kStick, {0, 0}, 0};
    } else if (!known && (contact.state == ContactState::kSlip || w[first] <= 0)) {
      contact = Contact{ContactState::kStick, {0, 0}, 0};
    }
    if (contact.state == ContactState::kStick && block.rows > 1 && block.friction == 0) {
      contact = Contact{ContactState::kSlip, {1, 0}, 0};
    }
  }
  slipping_ = 0;
  for (const Contact& contact : contacts_) {
    slipping_ += contact.state == ContactState::kSlip ? 1 : 0;
  }
}

void ContactStates::place(const RowSystem& rows, std::span<Real> lambda) const {
  const ContactProblem& problem = rows.problem();
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    const int first = block.firstRow;
    if (block.law == BlockLaw::kRows) {
      for (int row = first; row < first + block.rows; ++row) {
        if (state_[row] == RowState::kLower) lambda[row] = problem.lower[row];
        if (state_[row] == RowState::kUpper) lambda[row] = problem.upper[row];
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
      if (problem.friction == FrictionModel::kPyramid) {
        for (int i = 0; i < 2; ++i) {
          if (d[i] != 0) impulse[i + 1] = d[i] * radius;
        }
      } else {
        const Real across = radius == 0 ? 0 : -d[1] * impulse[1] + d[0] * impulse[2];
        impulse[1] = radius * d[0] - across * d[1];
        impulse[2] = radius * d[1] + across * d[0];
      }
    }
  }
}

void ContactStates::fillBasis(const RowSystem& rows, FreeBasis& basis) const {
  const ContactProblem& problem = rows.problem();
  basis.begin(problem);
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    const int first = block.firstRow;
    basis.beginBlock();
    if (block.law == BlockLaw::kRows) {
      for (int row = first; row < first + block.rows; ++row) {
        if (state_[row] == RowState::kFree) basis.addRow(row);
      }
      continue;
    }
    const Contact& contact = contacts_[c];
    if (contact.state == ContactState::kStick) {
      for (int row = first; row < first + block.rows; ++row) basis.addRow(row);
    } else if (contact.state == ContactState::kSlip) {
      const Real mu = block.friction;
      const Real* d = contact.direction;
      if (mu == 0) {
        basis.addRow(first);
        continue;
      }
      basis.add(first, Vec3::UnitX(), Vec3(1, mu * d[0], mu * d[1]), 0);
      if (problem.friction == FrictionModel::kPyramid) {
        for (int i = 0; i < 2; ++i) {
          if (d[i] == 0) basis.addRow(first + 1 + i);
        }
      } else {
        const Vec3 across(0, -d[1], d[0]);
        basis.add(first, across, across, contact.extra);
      }
    }
  }
  basis.end();
}

void ContactStates::write(const RowSystem& rows, std::span<const Real> lambda,
                          std::span<RowState> states) const {
  const ContactProblem& problem = rows.problem();
  for (int c = 0; c < problem.blockCount(); ++c) {
    const ProblemBlock& block = problem.blocks[c];
    const int first = block.firstRow;
    if (block.law == BlockLaw::kRows) {
      for (int row = first; row < first + block.rows; ++row) states[row] = state_[row];
      continue;
    }
    const Contact& contact = contacts_[c];
    states[first] =
        contact.state == ContactState::kOpen ? RowState::kLower : RowState::kFree;
    for (int i = 1; i < block.rows; ++i) {
      const int row = first + i;
      const bool stuckAxis =
          problem.friction == FrictionModel::kPyramid && contact.direction[i - 1] == 0;
      if (contact.state == ContactState::kStick ||
          (contact.state == ContactState::kSlip && stuckAxis)) {
        states[row] = RowState::kFree;
      } else {
        states[row] = lambda[row] > 0 ? RowState::kUpper : RowState::kLower;
      }
    }
  }
}

}  // namespace drystone
