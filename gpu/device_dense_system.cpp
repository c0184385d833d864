#include "gpu/device_dense_system.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"

namespace drystone::gpu {

template <class Scalar>
void DeviceDenseSystem<Scalar>::reserve(const ProblemSize& size) {
  naive_.reserve(size);
  Base::reserveRows(size);
}

/// Rows of T and d that a block has; T must be 0 elsewhere.
template <class Scalar>
void DeviceDenseSystem<Scalar>::fillRows(int block) {
  const DenseView<Scalar>& view = *view_;
  const BlockSparseMatrix& matrix = naive_.matrix();
  const ProblemBlock& info = problem_.blocks[block];
  const Real* steps = &naive_.steps()[info.firstRow];
  for (int stored = matrix.blockStart[block]; stored < matrix.blockStart[block + 1]; ++stored) {
    const int columnBlock = matrix.blockColumn[stored];
    const int columns = matrix.blockRows(columnBlock);
    const Real* values = &matrix.values[matrix.valueStart[stored]];
    for (int j = 0; j < columns; ++j) {
      const int column = matrix.rowStart[columnBlock] + j;
      Scalar* out = view.t + column * view.stride + info.firstRow;
      for (int i = 0; i < info.rows; ++i) {
        const Real one = column == info.firstRow + i ? 1 : 0;
        out[i] = static_cast<Scalar>(one - steps[i] * values[i * columns + j]);
      }
    }
  }
  for (int i = 0; i < info.rows; ++i) {
    view.d[info.firstRow + i] = static_cast<Scalar>(-steps[i] * problem_.b[info.firstRow + i]);
  }
}

template <class Scalar>
void DeviceDenseSystem<Scalar>::prepare(const ContactProblem& problem, const SweepPlan& plan,
                                        const StepRule& rule, int threads) {
  problem_ = problem;
  naive_.prepare(problem, plan, rule, threads);
  const int rows = contactRows(problem.friction);
  densePlan_.model = problem.friction;
  densePlan_.couplesTangents = rule.couplesTangents(true);
  // A block that projects has whole contacts.
  if (densePlan_.method == DenseMethod::kJorAllInOne) {
    densePlan_.shape.rowsPerBlock -= densePlan_.shape.rowsPerBlock % rows;
  }
  Base::allocate(
      {.contactRows = rows, .contacts = problem.blockCount(), .isAligned = densePlan_.isAligned});
  for (int column = 0; column < view_->sizes.rows(); ++column) {
    std::fill_n(view_->t + column * view_->stride, view_->sizes.rows(), Scalar(0));
  }
  for (int block = 0; block < problem.blockCount(); ++block) {
    const ProblemBlock& info = problem.blocks[block];
    DRYSTONE_ASSERT(info.law == BlockLaw::kContact && info.firstRow == block * rows);
    view_->friction[block] = static_cast<Scalar>(info.friction);
    view_->boxRadius[block] = static_cast<Scalar>(info.friction * info.normalBound);
    fillRows(block);
  }
  backend_->upload(densePlan_);
}

template <class Scalar>
void DeviceDenseSystem<Scalar>::writeImpulses(std::span<const Real> lambda) {
  std::transform(lambda.begin(), lambda.end(), view_->lambda,
                 [](Real value) { return static_cast<Scalar>(value); });
}

template <class Scalar>
void DeviceDenseSystem<Scalar>::readImpulses(std::span<Real> lambda) const {
  std::copy_n(view_->lambda, lambda.size(), lambda.begin());
  Base::returnRounded(lambda);
}

template <class Scalar>
bool DeviceDenseSystem<Scalar>::readVelocity(std::span<Real>) {
  return false;
}

template <class Scalar>
bool DeviceDenseSystem<Scalar>::standsStill() {
  backend_->fetch(view_->hasMoved, sizeof(int));
  return *view_->hasMoved == 0;
}

template <class Scalar>
void DeviceDenseSystem<Scalar>::getPrevious(std::span<Real> lambda) {
  backend_->fetch(view_->previous, lambda.size() * sizeof(Scalar));
  std::copy_n(view_->previous, lambda.size(), lambda.begin());
  Base::returnRounded(lambda);
}

/// A sweep rounds T λ + d, of which a part in R of w is left.
template <class Scalar>
Real DeviceDenseSystem<Scalar>::largestOverStep() const {
  Real largest = 0;
  for (int row = 0; row < problem_.rowCount(); ++row) {
    const Real step = naive_.steps()[row];
    if (step > 0) largest = std::max<Real>(largest, std::abs(view_->lambda[row]) / step);
  }
  return largest;
}

template class DeviceDenseSystem<float>;
template class DeviceDenseSystem<double>;

}  // namespace drystone::gpu
