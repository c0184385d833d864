#include "solvers/prox/nsgs_system.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/timer.h"

namespace drystone {

void NsgsSystem::reserve(const ProblemSize& size) {
  state_.reserve(size.rows + 6 * (size.bodies + 1));
  locals_.reserve(size.blocks);
  cones_.reserve(size.blocks);
  rollings_.reserve(size.blocks);
  rowSolves_.reserve(size.blocks);
  scaled_.reserve(size.rows);
  roots_.reserve(size.bodies);
  diagonals_.reserve(static_cast<std::size_t>(kMaxBlockRows) * size.rows);
}

void NsgsSystem::prepare(const ContactProblem& problem, NsgsScheme scheme) {
  problem_ = problem;
  factorized_ = problem.assembled == nullptr && scheme != NsgsScheme::kAssembled;
  assemblyMs_ = 0;
  locals_.clear();
  cones_.clear();
  rollings_.clear();
  rowSolves_.clear();
  allThree_ = std::all_of(problem.blocks.begin(), problem.blocks.end(),
                          [](const ProblemBlock& block) { return block.rows == 3; });
  if (factorized_) {
    state_.assign(problem.b.size() + 6 * (problem.bodies.size() + 1), 0);
    return prepareFactorized();
  }
  state_.assign(problem.b.size(), 0);
  matrix_ = problem.assembled;
  if (matrix_ == nullptr) {
    const Timer timer;
    assembleDelassus(problem, assembly_, own_);
    assemblyMs_ = timer.milliseconds();
    matrix_ = &own_;
  }
  for (int i = 0; i < problem.blockCount(); ++i) {
    prepareLocal(i, &matrix_->values[matrix_->valueStart[matrix_->diagonal[i]]]);
  }
}

void NsgsSystem::prepareLocal(int index, const Real* diagonal) {
  const ProblemBlock& block = problem_.blocks[index];
  Local local;
  local.firstRow = block.firstRow;
  local.rows = block.rows;
  for (int i = 0; i < block.rows; ++i) local.size += diagonal[i * (block.rows + 1)];
  if (block.law == BlockLaw::kRows) {
    local.kind = Kind::kRows;
    local.solver = static_cast<int>(rowSolves_.size());
    rowSolves_.emplace_back(diagonal, block.rows, &problem_.lower[block.firstRow],
                            &problem_.upper[block.firstRow]);
  } else if (problem_.friction == FrictionModel::kCone) {
    local.kind = Kind::kCone;
    local.solver = static_cast<int>(cones_.size());
    cones_.emplace_back(diagonal, block.friction);
  } else if (problem_.friction == FrictionModel::kRolling) {
    local.kind = Kind::kRolling;
    local.solver = static_cast<int>(rollings_.size());
    rollings_.emplace_back(diagonal, block.friction, block.rolling);
  } else if (problem_.friction == FrictionModel::kBox) {
    const Real radius = block.friction * block.normalBound;
    const Real lower[3] = {0, -radius, -radius};
    const Real upper[3] = {kInfinity, radius, radius};
    local.kind = Kind::kRows;
    local.solver = static_cast<int>(rowSolves_.size());
    rowSolves_.emplace_back(diagonal, block.rows, lower, upper);
  } else {
    local.kind = Kind::kNormal;
    local.inverse = diagonal[0] > 0 ? 1 / diagonal[0] : 0;
  }
  locals_.push_back(local);
}

void NsgsSystem::prepareFactorized() {
  const int rows = problem_.rowCount();
  widest_ = 0;
  for (const ProblemBlock& block : problem_.blocks) widest_ = std::max(widest_, block.rows);
  scaled_.clear();
  scaled_.resize(rows);
  diagonals_.resize(static_cast<std::size_t>(widest_) * rows);
  roots_.clear();
  for (const InverseInertia& body : problem_.bodies) roots_.push_back(massRoot(body));
  const auto setHalf = [&](int body, const Vec6& jacobian, Real* half) {
    if (body < 0) return;
    Eigen::Map<Vec6> scaled(half);
    scaled.head<3>() = roots_[body].linear * jacobian.head<3>();
    scaled.tail<3>() = roots_[body].angular.transpose() * jacobian.tail<3>();
  };
  const auto velocityOf = [&](int body) {
    return rows + 6 * (body < 0 ? problem_.bodyCount() : body);
  };
  for (int index = 0; index < problem_.blockCount(); ++index) {
    const ProblemBlock& block = problem_.blocks[index];
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      setHalf(block.bodyA, problem_.jacobianA[row], scaled_[row].jacobian);
      setHalf(block.bodyB, problem_.jacobianB[row], scaled_[row].jacobian + 6);
    }
    Real* diagonal = &diagonals_[static_cast<std::size_t>(widest_) * block.firstRow];
    diagonalBlock(problem_, index, diagonal);
    prepareLocal(index, diagonal);
    locals_.back().velocityA = velocityOf(block.bodyA);
    locals_.back().velocityB = velocityOf(block.bodyB);
  }
}

void NsgsSystem::addImpulse(const Local& local, int row, Real change) {
  using Half = Eigen::Map<const Vec6>;
  const Real* const jacobian = scaled_[row].jacobian;
  Eigen::Map<Vec6>(&state_[local.velocityA]) += change * Half(jacobian);
  Eigen::Map<Vec6>(&state_[local.velocityB]) += change * Half(jacobian + 6);
}

void NsgsSystem::setImpulses(std::span<const Real> impulses) {
  DRYSTONE_ASSERT(impulses.size() == problem_.b.size());
  if (impulses.data() != state_.data()) {
    std::copy(impulses.begin(), impulses.end(), state_.begin());
  }
  if (!factorized_) return;
  std::fill(state_.begin() + problem_.rowCount(), state_.end(), 0);
  for (const Local& local : locals_) {
    for (int row = local.firstRow; row < local.firstRow + local.rows; ++row) {
      if (state_[row] != 0) addImpulse(local, row, state_[row]);
    }
  }
}

void NsgsSystem::blockSizes(std::span<Real> sizes) const {
  for (const Local& local : locals_) {
    std::fill_n(sizes.begin() + local.firstRow, local.rows, local.size);
  }
}

/// w of one row from ũ.
static inline Real rowVelocity(const Real* jacobian, const Real* uA, const Real* uB) {
  using Half = Eigen::Map<const Vec6>;
  return Half(jacobian).dot(Half(uA)) + Half(jacobian + 6).dot(Half(uB));
}

void NsgsSystem::constraintVelocity(std::span<Real> w) {
  if (!factorized_) {
    matrix_->multiply(lambda(), w);
    for (int row = 0; row < problem_.rowCount(); ++row) w[row] += problem_.b[row];
    return;
  }
  setImpulses(lambda());
  for (const Local& local : locals_) {
    const Real *a = &state_[local.velocityA], *b = &state_[local.velocityB];
    for (int row = local.firstRow; row < local.firstRow + local.rows; ++row) {
      w[row] = rowVelocity(scaled_[row].jacobian, a, b) + complianceOf(row) * state_[row] +
               problem_.b[row];
    }
  }
}

void NsgsSystem::solveLocal(Local& local, const Real* q, Real* impulse) const {
  switch (local.kind) {
    case Kind::kCone:
      return cones_[local.solver].solve(q, impulse, local.slip);
    case Kind::kRolling:
      return rollings_[local.solver].solve(q, impulse);
    case Kind::kNormal:
      impulse[0] = std::max<Real>(0, -q[0] * local.inverse);
      return;
    case Kind::kRows:
      return rowSolves_[local.solver].solve(q, impulse);
  }
}

/// q_c = b_c + Σ_{j ≠ c} A_cj λ_j from stored blocks of 3 x 3.
struct NsgsSystem::AssembledThree {
  static constexpr int kRows = 3;
  NsgsSystem& system;

  void velocity(int block, const Local&, Real* q) const {
    const BlockSparseMatrix& matrix = *system.matrix_;
    const Real* lambda = system.state_.data();
    const Real* b = &system.problem_.b[3 * block];
    q[0] = b[0];
    q[1] = b[1];
    q[2] = b[2];
    const int diagonal = matrix.diagonal[block];
    add(matrix, lambda, matrix.blockStart[block], diagonal, q);
    add(matrix, lambda, diagonal + 1, matrix.blockStart[block + 1], q);
  }
  void apply(const Local&, const Real*) const {}

 private:
  static void add(const BlockSparseMatrix& matrix, const Real* lambda, int begin, int end,
                  Real* q) {
    const Real* a = matrix.values.data() + 9 * static_cast<std::ptrdiff_t>(begin);
    Real q0 = q[0], q1 = q[1], q2 = q[2];
    for (int stored = begin; stored < end; ++stored, a += 9) {
      const Real* x = lambda + 3 * static_cast<std::ptrdiff_t>(matrix.blockColumn[stored]);
      q0 += a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
      q1 += a[3] * x[0] + a[4] * x[1] + a[5] * x[2];
      q2 += a[6] * x[0] + a[7] * x[1] + a[8] * x[2];
    }
    q[0] = q0;
    q[1] = q1;
    q[2] = q2;
  }
};

/// The same for blocks of any size.
struct NsgsSystem::AssembledCoupling {
  static constexpr int kRows = 0;
  NsgsSystem& system;

  void velocity(int block, const Local& local, Real* q) const {
    const BlockSparseMatrix& matrix = *system.matrix_;
    for (int i = 0; i < local.rows; ++i) q[i] = system.problem_.b[local.firstRow + i];
    for (int stored = matrix.blockStart[block]; stored < matrix.blockStart[block + 1]; ++stored) {
      const int column = matrix.blockColumn[stored];
      if (column == block) continue;
      const int columns = matrix.blockRows(column);
      const Real* a = &matrix.values[matrix.valueStart[stored]];
      const Real* x = &system.state_[matrix.rowStart[column]];
      for (int i = 0; i < local.rows; ++i, a += columns) {
        for (int j = 0; j < columns; ++j) q[i] += a[j] * x[j];
      }
    }
  }
  void apply(const Local&, const Real*) const {}
};

/// q_c = b_c + J̃_c ũ + C λ_c − Â_cc λ_c, and ũ += J̃_cᵀ Δλ_c.
struct NsgsSystem::FactorizedCoupling {
  static constexpr int kRows = 0;
  NsgsSystem& system;

  void velocity(int, const Local& local, Real* q) const {
    const Real* diagonal = &system.diagonals_[system.diagonalAt(local)];
    const Real* impulse = &system.state_[local.firstRow];
    const Real *a = &system.state_[local.velocityA], *b = &system.state_[local.velocityB];
    for (int i = 0; i < local.rows; ++i, diagonal += local.rows) {
      const int row = local.firstRow + i;
      Real sum = system.problem_.b[row] + system.complianceOf(row) * impulse[i];
      for (int j = 0; j < local.rows; ++j) sum -= diagonal[j] * impulse[j];
      q[i] = sum + rowVelocity(system.scaled_[row].jacobian, a, b);
    }
  }
  void apply(const Local& local, const Real* change) const {
    for (int i = 0; i < local.rows; ++i) {
      system.addImpulse(local, local.firstRow + i, change[i]);
    }
  }
};

template <class Coupling>
SweepChange NsgsSystem::sweepWith(const Coupling& coupling, Real relaxation) {
  SweepChange total;
  const int blocks = problem_.blockCount();
  for (int block = 0; block < blocks; ++block) {
    Local& local = locals_[block];
    const int rows = Coupling::kRows > 0 ? Coupling::kRows : local.rows;
    Real* impulse = &state_[local.firstRow];
    Real q[kMaxBlockRows], change[kMaxBlockRows];
    coupling.velocity(block, local, q);
    for (int i = 0; i < rows; ++i) change[i] = impulse[i];
    solveLocal(local, q, impulse);
    Real squared = 0;
    for (int i = 0; i < rows; ++i) {
      const Real old = change[i];
      change[i] = relaxation * (impulse[i] - old);
      impulse[i] = old + change[i];
      squared += change[i] * change[i];
    }
    if (squared == 0) continue;
    coupling.apply(local, change);
    const Real size = local.size;
    total.velocity = std::max(total.velocity, size * size * squared);
    total.squared += std::max<Real>(1, size * size) * squared;
  }
  total.velocity = std::sqrt(total.velocity);
  return total;
}

SweepChange NsgsSystem::sweep(Real relaxation) {
  if (factorized_) return sweepWith(FactorizedCoupling{*this}, relaxation);
  if (allThree_) return sweepWith(AssembledThree{*this}, relaxation);
  return sweepWith(AssembledCoupling{*this}, relaxation);
}

}  // namespace drystone
