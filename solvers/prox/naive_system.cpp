#include "solvers/prox/naive_system.h"

#include <cmath>

#include "core/timer.h"
#include "solvers/problem/laws.h"
#include "solvers/problem/scale_math.h"

namespace drystone {

void NaiveSystem::reserve(const ProblemSize& size) {
  steps_.reserve(size.rows);
  lambda_.reserve(size.rows);
  next_.reserve(size.rows);
  assembly_.bodyStart.reserve(size.bodies + 1);
  assembly_.bodyBlocks.reserve(2 * size.blocks);
  assembly_.weightedA.reserve(size.rows);
  assembly_.weightedB.reserve(size.rows);
}

void NaiveSystem::prepare(const ContactProblem& problem, const SweepPlan& plan,
                          const StepRule& rule, int threads) {
  problem_ = problem;
  plan_ = &plan;
  threads_ = threads;
  assemblyMs_ = 0;
  matrix_ = problem.assembled;
  if (!matrix_) {
    const Timer timer;
    assembleDelassus(problem, assembly_, owned_);
    matrix_ = &owned_;
    assemblyMs_ = timer.milliseconds();
  }
  lambda_.resize(problem.rowCount());
  next_.resize(problem.rowCount());
  rule_ = rule;
  computeSteps();
}

/// R factors from the diagonal blocks. Simultaneous updates that share what they meet in (`split`)
/// add Σ_j |A_ij| over the other blocks of the phase to A_ii: with these sums the block diagonal of
/// A minus A is diagonally dominant, hence every Jacobi sweep descends on the impulse energy
/// whatever the graph looks like. The rows of a joint do not see each other: theirs is the sum over
/// all.
void NaiveSystem::computeSteps() {
  steps_.assign(problem_.rowCount(), rule_.relaxation * rule_.globalStep);
  if (rule_.strategy == StepStrategy::kGlobal) return;
  for (int block = 0; block < problem_.blockCount(); ++block) {
    const ProblemBlock& info = problem_.blocks[block];
    const int rows = info.rows;
    const Real* diagonal = &matrix_->values[matrix_->valueStart[matrix_->diagonal[block]]];
    Real scales[kMaxBlockRows] = {};
    const bool isSplit = rule_.strategy == StepStrategy::kSplit && plan_->isSimultaneous(block);
    if (isSplit) addNeighbours(block, scales);
    if (info.law == BlockLaw::kContact) {
      const ContactScales own = contactScales(diagonal, rows);
      const auto fill = [&](int begin, int end, Real scale) {
        if (begin == end) return;
        const Real others = *std::max_element(scales + begin, scales + end);
        std::fill(scales + begin, scales + end, scale + others);
      };
      const int tangents = rows == 5 ? 3 : rows;
      scales[0] += own.normal;
      fill(1, tangents, own.tangent);
      fill(tangents, rows, own.rolling);
    } else {
      for (int i = 0; i < rows * rows; ++i) {
        if (isSplit || i % (rows + 1) == 0) scales[i / rows] += std::abs(diagonal[i]);
      }
    }
    for (int i = 0; i < rows; ++i) {
      steps_[info.firstRow + i] = stepFor(rule_.relaxation, scales[i]);
    }
  }
}

/// Adds Σ_j |A_ij| over the other blocks of the phase.
void NaiveSystem::addNeighbours(int block, Real* scales) const {
  const int rows = problem_.blocks[block].rows;
  for (int stored = matrix_->blockStart[block]; stored < matrix_->blockStart[block + 1]; ++stored) {
    const int column = matrix_->blockColumn[stored];
    if (column == block || plan_->phaseOf[column] != plan_->phaseOf[block]) continue;
    const int columns = matrix_->blockRows(column);
    const Real* values = &matrix_->values[matrix_->valueStart[stored]];
    for (int i = 0; i < rows * columns; ++i) scales[i / columns] += std::abs(values[i]);
  }
}

void NaiveSystem::setImpulses(std::span<const Real> lambda) {
  std::copy(lambda.begin(), lambda.end(), lambda_.begin());
}

void NaiveSystem::getImpulses(std::span<Real> lambda) const {
  std::copy(lambda_.begin(), lambda_.end(), lambda.begin());
}

template <FrictionModel kModel>
void NaiveSystem::sweepContact(int block, bool isCoupled, std::span<Real> write) {
  constexpr int kRows = contactRows(kModel);
  const ProblemBlock& info = problem_.blocks[block];
  Real w[kRows];
  matrix_->multiplyRow(block, lambda_, w);
  for (int i = 0; i < kRows; ++i) w[i] += problem_.b[info.firstRow + i];

  ContactSteps<kRows> steps;
  steps.normal = steps_[info.firstRow];
  if constexpr (kRows > 1) {
    steps.tangent = steps_[info.firstRow + 1];
    const Real* diagonal = &matrix_->values[matrix_->valueStart[matrix_->diagonal[block]]];
    for (int i = 1; i < kRows; ++i) steps.coupling[i - 1] = isCoupled ? diagonal[i * kRows] : 0;
    if constexpr (kRows == 5) {
      steps.rolling = steps_[info.firstRow + 3];
      for (int i = 0; i < 4; ++i) {
        steps.rollingCoupling[i] = isCoupled ? diagonal[(3 + i / 2) * kRows + 1 + i % 2] : 0;
      }
    }
  }
  Real change[kRows];
  Real lambda[kRows];
  std::copy_n(&lambda_[info.firstRow], kRows, lambda);
  updateContact<kModel, kRows>(steps, info.friction, secondCoefficient(kModel, info), w, lambda,
                               change);
  std::copy_n(lambda, kRows, &write[info.firstRow]);
}

void NaiveSystem::sweepRows(int block, bool isCoupled, std::span<Real> write) {
  const ProblemBlock& info = problem_.blocks[block];
  Real w[kMaxBlockRows];
  matrix_->multiplyRow(block, lambda_, w);
  const Real* diagonal = &matrix_->values[matrix_->valueStart[matrix_->diagonal[block]]];
  for (int i = 0; i < info.rows; ++i) {
    const int row = info.firstRow + i;
    const Real z = lambda_[row] - steps_[row] * (w[i] + problem_.b[row]);
    const Real lambda = std::clamp(z, problem_.lower[row], problem_.upper[row]);
    const Real change = lambda - lambda_[row];
    write[row] = lambda;
    if (!isCoupled) continue;
    // The rows below see this one's change.
    for (int j = i + 1; j < info.rows; ++j) w[j] += diagonal[j * info.rows + i] * change;
  }
}

template <FrictionModel kModel>
void NaiveSystem::sweepPhase(const SweepPlan::Phase& phase) {
  const bool isCoupled = !phase.isSimultaneous;
  const std::span<Real> write = phase.isSimultaneous ? next_ : lambda_;
  forBlocks(*plan_, phase, threads_, [&](int block) {
    if (problem_.blocks[block].law == BlockLaw::kContact) {
      sweepContact<kModel>(block, rule_.couplesTangents(phase.isSimultaneous), write);
    } else {
      sweepRows(block, isCoupled, write);
    }
  });
  if (phase.isSimultaneous) plan_->copyPhase(phase, problem_, next_, lambda_);
}

void NaiveSystem::sweep() {
  dispatchFrictionModel(problem_.friction, [&]<FrictionModel kModel>() {
    for (const SweepPlan::Phase& phase : plan_->phases) sweepPhase<kModel>(phase);
  });
}

void NaiveSystem::constraintVelocity(std::span<Real> w) {
  matrix_->multiply(lambda_, w);
  for (int row = 0; row < problem_.rowCount(); ++row) w[row] += problem_.b[row];
}

void NaiveSystem::scaleSteps(Real factor) {
  for (Real& step : steps_) step *= factor;
}

}  // namespace drystone
