#include "engine/step/soft_clusters.h"

#include <algorithm>

#include "engine/step/union_find.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

/// Values of S that a row may have on average: an impulse changes so many velocities. A free box
/// under eight contacts has 24 of them on either side.
constexpr std::int64_t kMostValuesPerRow = 400;
/// Least share of a row's A_ii that its joints leave in S_ii: of less, round-off and the floor of
/// redundant joints (1e-8) make the most, and nothing moves it.
constexpr Real kLeastShareLeft = 1e-6;

Real inverseOf(Real entry, Real without) {
  return entry > kLeastShareLeft * without ? 1 / entry : 0;
}

}  // namespace

/// One island at work, in the velocities of its kept rows.
class SoftClusters::Sweeps : public SoftContactSweeps<SoftClusters::Sweeps> {
 public:
  Sweeps(const SoftInput& input, SoftClusters& own)
      : SoftContactSweeps(own.contacts_, own.lambda_, input.h / kSoftSubsteps, input.maxPush),
        own_(own),
        view_(own.condensed_.problem()),
        matrix_(*view_.assembled) {}

  /// Leaves λ of the step in `total_` and its mean over the moves in `mean_`. [kept rows]
  void run() {
    const std::size_t rows = own_.velocity_.size();
    own_.way_.assign(rows, 0);
    own_.mean_.assign(rows, 0);
    // Joints have the bounds and impulses of the whole step, contacts those of a sub-step.
    for (const BoundedRow& row : own_.bounded_) change(row.block, row.offset, lambda_[row.row]);
    for (int step = 0; step < kSoftSubsteps; ++step) {
      for (std::size_t i = 0; i < rows; ++i) own_.velocity_[i] += own_.gain_[i];
      for (const SoftContact& contact : own_.contacts_) {
        for (int i = 0; i < contact.rows; ++i) {
          apply(contact, i, lambda_[contact.firstRow + i]);
        }
      }
      holdBounds();
      push();
      move();
      holdBounds();
      relax();
      for (std::size_t i = firstContactRow(); i < rows; ++i) own_.total_[i] += lambda_[i];
    }
    rebound([&](const SoftContact& contact) { return own_.restitution_[contact.firstRow]; },
            own_.total_);
    holdBounds();
    for (const BoundedRow& row : own_.bounded_) own_.total_[row.row] = lambda_[row.row];
  }

  Real velocity(const SoftContact& contact, int i) const {
    return own_.velocity_[contact.firstRow + i];
  }
  Real gap(const SoftContact& contact) const { return contact.gap + own_.way_[contact.firstRow]; }
  void apply(const SoftContact& contact, int i, Real impulse) { change(contact.bodyA, i, impulse); }

 private:
  /// Rows of joints come first.
  std::size_t firstContactRow() const { return own_.bounded_.size(); }

  /// What an impulse along row i of a block changes: the column of S, which is its row.
  void change(int block, int i, Real impulse) {
    if (impulse == 0) return;
    for (int entry = matrix_.blockStart[block]; entry < matrix_.blockStart[block + 1]; ++entry) {
      const int column = matrix_.blockColumn[entry];
      const int first = matrix_.rowStart[column], count = matrix_.rowStart[column + 1] - first;
      const Real* values = &matrix_.values[matrix_.valueStart[entry] + i * count];
      for (int j = 0; j < count; ++j) own_.velocity_[first + j] += impulse * values[j];
    }
  }

  void holdBounds() {
    for (const BoundedRow& row : own_.bounded_) {
      const Real next = std::clamp(lambda_[row.row] - row.step * own_.velocity_[row.row],
                                   view_.lower[row.row], view_.upper[row.row]);
      change(row.block, row.offset, next - lambda_[row.row]);
      lambda_[row.row] = next;
    }
  }

  void move() {
    for (std::size_t i = 0; i < own_.way_.size(); ++i) {
      own_.way_[i] += h_ * own_.velocity_[i];
      own_.mean_[i] += (own_.total_[i] + lambda_[i]) / kSoftSubsteps;
    }
  }

  SoftClusters& own_;
  const ContactProblem view_;
  const BlockSparseMatrix& matrix_;
};

void clusterMasses(const BodyStore& bodies, std::span<const StepJointBlock> joints,
                   std::vector<int>& parent, std::vector<Real>& masses) {
  masses.assign(bodies.mass.begin(), bodies.mass.end());
  if (joints.empty()) return;
  const int count = static_cast<int>(masses.size());
  startGroups(parent, count);
  for (const StepJointBlock& joint : joints) {
    // What does not move connects nothing.
    if (bodies.isDynamic(joint.bodyA) && bodies.isDynamic(joint.bodyB)) {
      unite(parent, joint.bodyA, joint.bodyB);
    }
  }
  for (int body = 0; body < count; ++body) {
    const int root = findRoot(parent, body);
    if (root != body) masses[root] += masses[body];
  }
  // The root of a group is its lowest body, and has its sum by now.
  for (int body = 0; body < count; ++body) masses[body] = masses[findRoot(parent, body)];
}

bool SoftClusters::begin(const ContactProblem& problem, Real tolerance) {
  problem_ = problem;
  tolerance_ = tolerance;
  given_.assign(problem.b.begin(), problem.b.end());
  b_ = given_;
  ContactProblem own = problem;
  own.b = b_;
  condensed_.analyze(own);
  return condensed_.storage() <= kMostValuesPerRow * condensed_.keptRows() &&
         condensed_.make(tolerance);
}

void SoftClusters::expand(std::span<const Real> kept, std::span<Real> lambda) {
  std::ranges::copy(kept, condensed_.impulses().lambda.begin());
  condensed_.expand();
  condensed_.write({lambda, {}});
}

void SoftClusters::addResponse(std::span<const Real> lambda, Real factor,
                               std::span<Vec6> velocity) {
  bodies_.resize(problem_.bodyCount());
  impulseToVelocity(problem_, lambda, bodies_);
  for (std::size_t i = 0; i < velocity.size(); ++i) velocity[i] += factor * bodies_[i];
}

std::span<const Vec6> SoftClusters::predict(std::span<const Real> lambda,
                                            std::span<const Vec6> free) {
  full_.resize(given_.size());
  b_ = given_;
  condensed_.restrict(lambda, {});
  condensed_.expand();
  condensed_.write({full_, {}});
  predicted_.assign(free.begin(), free.end());
  addResponse(full_, 1, predicted_);
  return predicted_;
}

void SoftClusters::addToRows(std::span<const Real> change) {
  for (std::size_t row = 0; row < given_.size(); ++row) given_[row] += change[row];
}

/// Contacts and rows with bounds of the condensed problem: those of joints come first, as in the
/// island. `velocity_` and `gain_` are set, `lambda_` is that of the first sub-step.
void SoftClusters::listRows(const SoftInput& input) {
  const ContactProblem kept = condensed_.problem();
  const BlockSparseMatrix& matrix = *kept.assembled;
  const std::span<const int> rowOf = condensed_.rowsKept();
  const Real h = input.h / kSoftSubsteps;
  contacts_.clear();
  bounded_.clear();
  restitution_.assign(kept.rowCount(), 0);
  lambda_.resize(kept.rowCount());
  int source = 0;
  for (int k = 0; k < kept.blockCount(); ++k) {
    const ProblemBlock& block = kept.blocks[k];
    const Real* values = &matrix.values[matrix.valueStart[matrix.diagonal[k]]];
    const auto isBefore = [&](const ProblemBlock& one) {
      return one.firstRow + one.rows <= rowOf[block.firstRow];
    };
    while (isBefore(problem_.blocks[source])) ++source;
    const ProblemBlock& full = problem_.blocks[source];
    Real without[kMaxBlockRows * kMaxBlockRows];
    diagonalEntries(problem_, source, without);
    const auto inverse = [&](int i) {
      const int own = rowOf[block.firstRow + i] - full.firstRow;
      return inverseOf(values[i * (block.rows + 1)], without[own * (full.rows + 1)]);
    };
    if (block.law == BlockLaw::kRows) {
      for (int i = 0; i < block.rows; ++i) {
        bounded_.push_back({k, block.firstRow + i, i, inverse(i)});
      }
      continue;
    }
    SoftContact contact{.bodyA = k,
                        .bodyB = -1,
                        .firstRow = block.firstRow,
                        .rows = block.rows,
                        .friction = block.friction,
                        .gap = input.gap[source],
                        .leak = kSoftLeakShare * input.average[source] / kSoftSubsteps,
                        .normalMass = inverse(0)};
    if (block.rows == 3 && inverse(1) > 0 && inverse(2) > 0) {
      contact.tangentStep = softTangentStep(values[4], values[8], values[5]);
    }
    softenContact(full.bodyA < 0 || full.bodyB < 0, h, contact);
    contacts_.push_back(contact);
    restitution_[block.firstRow] = input.restitution[rowOf[block.firstRow]];
    for (int i = 0; i < block.rows; ++i) lambda_[block.firstRow + i] /= kSoftSubsteps;
  }
}

bool SoftClusters::sweep(const SoftInput& input, std::span<Real> lambda, std::span<RowState> state,
                         std::span<Vec6> way) {
  // b of the start and of the end: what bounces does so at the end, and contacts push softly.
  const auto ownVelocity = [&](const ProblemBlock& block, int row, const auto& velocityOf) {
    Real own = 0;
    if (block.bodyA >= 0) own += problem_.jacobianA[row].dot(velocityOf(block.bodyA));
    if (block.bodyB >= 0) own += problem_.jacobianB[row].dot(velocityOf(block.bodyB));
    return own;
  };
  full_.resize(given_.size());  // b of the end less that of the start
  for (const ProblemBlock& block : problem_.blocks) {
    for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
      const auto gained = [&](int body) -> Vec6 { return input.free[body] - input.old[body]; };
      const auto old = [&](int body) -> const Vec6& { return input.old[body]; };
      full_[row] = ownVelocity(block, row, gained);
      b_[row] = block.law == BlockLaw::kContact ? input.fixed[row] + ownVelocity(block, row, old)
                                                : given_[row] - full_[row];
    }
  }
  if (!condensed_.renew(tolerance_)) return false;
  const auto condensedB = [&] { return condensed_.problem().b; };
  velocity_.assign(condensedB().begin(), condensedB().end());
  for (std::size_t row = 0; row < b_.size(); ++row) b_[row] += full_[row];
  if (!condensed_.renew(tolerance_)) return false;
  gain_.resize(velocity_.size());
  for (std::size_t i = 0; i < gain_.size(); ++i) {
    gain_[i] = (condensedB()[i] - velocity_[i]) / kSoftSubsteps;
  }
  condensed_.restrict(lambda, {});
  lambda_.assign(condensed_.impulses().lambda.begin(), condensed_.impulses().lambda.end());
  total_.assign(lambda_.size(), 0);
  listRows(input);
  Sweeps(input, *this).run();

  // The poses go by the mean velocity of the sub-steps, 9/16 of what the step adds.
  constexpr Real kMeanGain = (kSoftSubsteps + 1) / (2.0 * kSoftSubsteps);
  for (std::size_t row = 0; row < b_.size(); ++row) b_[row] -= (1 - kMeanGain) * full_[row];
  expand(mean_, full_);
  for (std::size_t i = 0; i < way.size(); ++i) {
    way[i] = input.h * (input.old[i] + kMeanGain * (input.free[i] - input.old[i]));
  }
  addResponse(full_, input.h, way);
  b_ = given_;
  std::ranges::copy(total_, condensed_.impulses().lambda.begin());
  if (!(condensed_.expand() <= tolerance_)) return false;
  condensed_.write({lambda, {}});
  for (std::size_t row = 0; row < state.size(); ++row) {
    const bool isBound = lambda[row] == problem_.lower[row];
    state[row] = isBound ? RowState::kLower : RowState::kFree;
    if (lambda[row] == problem_.upper[row]) state[row] = RowState::kUpper;
  }
  for (const SoftContact& contact : contacts_) {
    for (int i = 0; i < contact.rows; ++i) {
      const int row = condensed_.rowsKept()[contact.firstRow + i];
      state[row] = lambda[row] != 0 ? RowState::kFree : RowState::kLower;
    }
  }
  return true;
}

void SoftClusters::correct(std::span<const Real> error, std::span<Vec6> way) {
  std::ranges::copy(error, b_.begin());
  lambda_.assign(lambda_.size(), 0);
  full_.resize(given_.size());
  expand(lambda_, full_);
  addResponse(full_, 1, way);
}

}  // namespace drystone
