#include "solvers/prox/t_system.h"

#include <algorithm>

#include "core/timer.h"
#include "solvers/problem/laws.h"

namespace drystone {

void TSystem::reserve(const ProblemSize& size) {
  naive_.reserve(size);
  for (auto* array : {&c_, &lambda_, &next_}) array->reserve(size.rows);
}

void TSystem::prepare(const ContactProblem& problem, const SweepPlan& plan, const StepRule& rule,
                      int threads) {
  const Timer timer;
  naive_.prepare(problem, plan, rule, threads);
  problem_ = problem;
  plan_ = &plan;
  threads_ = threads;
  matrix_ = &naive_.matrix();
  t_ = *matrix_;
  const std::span<const Real> steps = naive_.steps();
  c_.resize(problem.rowCount());
  lambda_.resize(problem.rowCount());
  next_.resize(problem.rowCount());
  for (int row = 0; row < problem.rowCount(); ++row) c_[row] = steps[row] * problem.b[row];
  for (int block = 0; block < problem.blockCount(); ++block) {
    const int rows = problem.blocks[block].rows;
    const Real* step = &steps[problem.blocks[block].firstRow];
    for (int stored = t_.blockStart[block]; stored < t_.blockStart[block + 1]; ++stored) {
      const int columns = t_.blockRows(t_.blockColumn[stored]);
      Real* values = &t_.values[t_.valueStart[stored]];
      for (int i = 0; i < rows * columns; ++i) values[i] *= -step[i / columns];
    }
    Real* diagonal = &t_.values[t_.valueStart[t_.diagonal[block]]];
    for (int i = 0; i < rows; ++i) diagonal[i * (rows + 1)] += 1;
  }
  assemblyMs_ = timer.milliseconds();
}

void TSystem::setImpulses(std::span<const Real> lambda) {
  std::copy(lambda.begin(), lambda.end(), lambda_.begin());
}

void TSystem::getImpulses(std::span<Real> lambda) const {
  std::copy(lambda_.begin(), lambda_.end(), lambda.begin());
}

template <FrictionModel kModel>
void TSystem::sweepContact(int block, bool isCoupled, std::span<Real> write) const {
  constexpr int kRows = contactRows(kModel);
  const ProblemBlock& info = problem_.blocks[block];
  Real z[kRows];
  t_.multiplyRow(block, lambda_, z);
  for (int i = 0; i < kRows; ++i) z[i] -= c_[info.firstRow + i];
  z[0] = std::max<Real>(0, z[0]);
  if (isCoupled) {
    // −R Â_tn of the tangents stands in the first column of the diagonal block.
    const Real* diagonal = &t_.values[t_.valueStart[t_.diagonal[block]]];
    const Real change = z[0] - lambda_[info.firstRow];
    for (int i = 1; i < kRows; ++i) z[i] += diagonal[i * kRows] * change;
  }
  if constexpr (kModel == FrictionModel::kRolling) {
    projectDisc(frictionRadius(kModel, info, z[0]), z + 1);
    // Rolling sees the tangents' change, as they see the normal's.
    const Real* diagonal = &t_.values[t_.valueStart[t_.diagonal[block]]];
    for (int i = 3; isCoupled && i < kRows; ++i) {
      for (int j = 1; j < 3; ++j) {
        z[i] += diagonal[i * kRows + j] * (z[j] - lambda_[info.firstRow + j]);
      }
    }
    projectDisc(rollingRadius(info, z[0]), z + 3);
  } else if constexpr (kRows > 1) {
    projectFriction(kModel, frictionRadius(kModel, info, z[0]), z + 1);
  }
  std::copy_n(z, kRows, &write[info.firstRow]);
}

void TSystem::sweepRows(int block, bool isCoupled, std::span<Real> write) const {
  const ProblemBlock& info = problem_.blocks[block];
  Real z[kMaxBlockRows];
  t_.multiplyRow(block, lambda_, z);
  const Real* diagonal = &t_.values[t_.valueStart[t_.diagonal[block]]];
  for (int i = 0; i < info.rows; ++i) {
    const int row = info.firstRow + i;
    const Real lambda = std::clamp(z[i] - c_[row], problem_.lower[row], problem_.upper[row]);
    const Real change = lambda - lambda_[row];
    write[row] = lambda;
    if (!isCoupled) continue;
    // The rows below see this one's change.
    for (int j = i + 1; j < info.rows; ++j) z[j] += diagonal[j * info.rows + i] * change;
  }
}

template <FrictionModel kModel>
void TSystem::sweepPhase(const SweepPlan::Phase& phase) {
  const bool isCoupled = !phase.isSimultaneous;
  const std::span<Real> write = phase.isSimultaneous ? next_ : lambda_;
  forBlocks(*plan_, phase, threads_, [&](int block) {
    if (problem_.blocks[block].law == BlockLaw::kContact) {
      sweepContact<kModel>(block, naive_.rule().couplesTangents(phase.isSimultaneous), write);
    } else {
      sweepRows(block, isCoupled, write);
    }
  });
  if (phase.isSimultaneous) plan_->copyPhase(phase, problem_, next_, lambda_);
}

void TSystem::sweep() {
  dispatchFrictionModel(problem_.friction, [&]<FrictionModel kModel>() {
    for (const SweepPlan::Phase& phase : plan_->phases) sweepPhase<kModel>(phase);
  });
}

void TSystem::constraintVelocity(std::span<Real> w) {
  matrix_->multiply(lambda_, w);
  for (int row = 0; row < problem_.rowCount(); ++row) w[row] += problem_.b[row];
}

void TSystem::scaleSteps(Real factor) {
  for (Real& value : c_) value *= factor;
  for (Real& value : t_.values) value *= factor;
  for (int block = 0; block < t_.blockCount(); ++block) {
    const int rows = t_.blockRows(block);
    Real* diagonal = &t_.values[t_.valueStart[t_.diagonal[block]]];
    for (int i = 0; i < rows; ++i) diagonal[i * (rows + 1)] += 1 - factor;
  }
}

}  // namespace drystone
