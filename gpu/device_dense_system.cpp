#include "gpu/device_dense_system.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/check.h"
#include "solvers/problem_ops.h"

namespace drystone::gpu {

template <class Scalar>
void DeviceDenseSystem<Scalar>::reserve(const ProblemSize& size) {
  naive_.reserve(size);
  bodyVelocity_.reserve(size.bodies);
  for (auto* array : {&lambda_, &start_}) array->reserve(size.rows);
}

template <class Scalar>
void DeviceDenseSystem<Scalar>::fillRow(int row, int block) {
  const DenseView<Scalar>& view = *view_;
  const BlockSparseMatrix& matrix = naive_.matrix();
  const Real step = naive_.steps()[row];
  const int own = row - problem_.blocks[block].firstRow;
  for (int column = 0; column < view.sizes.rows(); ++column) {
    view.t[column * view.stride + row] = 0;
  }
  for (int stored = matrix.blockStart[block]; stored < matrix.blockStart[block + 1]; ++stored) {
    const int columnBlock = matrix.blockColumn[stored];
    const int columns = matrix.blockRows(columnBlock);
    const Real* values = &matrix.values[matrix.valueStart[stored] + own * columns];
    for (int j = 0; j < columns; ++j) {
      const int column = matrix.rowStart[columnBlock] + j;
      view.t[column * view.stride + row] =
          static_cast<Scalar>((column == row ? 1 : 0) - step * values[j]);
    }
  }
  view.d[row] = static_cast<Scalar>(-step * problem_.b[row]);
}

template <class Scalar>
void DeviceDenseSystem<Scalar>::prepare(const ContactProblem& problem, const SweepPlan& plan,
                                        const StepRule& rule, int threads) {
  problem_ = problem;
  naive_.prepare(problem, plan, rule, threads);
  const int rows = contactRows(problem.friction);
  densePlan_.model = problem.friction;
  densePlan_.couplesTangents = rule.couplesTangents(true);
  // Whole contacts in a block.
  densePlan_.shape.rowsPerBlock -= densePlan_.shape.rowsPerBlock % rows;
  if (!backend_) backend_ = makeBackend<DenseForm<Scalar>>(target_);
  view_ = &backend_->allocate({.contactRows = rows, .contacts = problem.blockCount()});
  for (int block = 0; block < problem.blockCount(); ++block) {
    const ProblemBlock& info = problem.blocks[block];
    DRYSTONE_ASSERT(info.law == BlockLaw::kContact && info.firstRow == block * rows);
    view_->friction[block] = static_cast<Scalar>(info.friction);
    view_->boxRadius[block] = static_cast<Scalar>(info.friction * info.normalBound);
    for (int i = 0; i < rows; ++i) fillRow(info.firstRow + i, block);
  }
  backend_->upload(densePlan_);
}

template <class Scalar>
void DeviceDenseSystem<Scalar>::setImpulses(std::span<const Real> lambda) {
  start_.assign(lambda.begin(), lambda.end());
  isAtStart_ = true;
  std::transform(lambda.begin(), lambda.end(), view_->lambda,
                 [](Real value) { return static_cast<Scalar>(value); });
  backend_->setImpulses();
}

template <class Scalar>
void DeviceDenseSystem<Scalar>::getImpulses(std::span<Real> lambda) const {
  if (isAtStart_) {
    std::copy(start_.begin(), start_.end(), lambda.begin());
    return;
  }
  backend_->getImpulses();
  std::copy_n(view_->lambda, lambda.size(), lambda.begin());
}

template <class Scalar>
void DeviceDenseSystem<Scalar>::sweep() {
  isAtStart_ = false;
  backend_->sweep();
}

template <class Scalar>
void DeviceDenseSystem<Scalar>::constraintVelocity(std::span<Real> w) {
  lambda_.resize(problem_.rowCount());
  bodyVelocity_.resize(problem_.bodyCount());
  getImpulses(lambda_);
  drystone::constraintVelocity(problem_, lambda_, bodyVelocity_, w);
}

template <class Scalar>
void DeviceDenseSystem<Scalar>::scaleSteps(Real factor) {
  backend_->scaleSteps(static_cast<Scalar>(factor));
}

/// A sweep rounds T λ + d, of which a part in R of w is left.
template <class Scalar>
Real DeviceDenseSystem<Scalar>::roundOff() const {
  if (sizeof(Scalar) == sizeof(Real)) return 0;
  constexpr Real kTerms = 16;  // roundings that meet in one row
  Real largest = 0;
  for (int row = 0; row < problem_.rowCount(); ++row) {
    const Real step = naive_.steps()[row];
    if (step > 0) largest = std::max<Real>(largest, std::abs(view_->lambda[row]) / step);
  }
  return kTerms * std::numeric_limits<Scalar>::epsilon() * largest;
}

template class DeviceDenseSystem<float>;
template class DeviceDenseSystem<double>;

}  // namespace drystone::gpu
