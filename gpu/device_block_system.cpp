#include "gpu/device_block_system.h"

#include <algorithm>
#include <cmath>

namespace drystone::gpu {
namespace {

constexpr int kLanes = BlockView<double>::kLanes;
constexpr int kSlicesOfARange = 8;

/// Scalar columns of the block row.
int columnCount(const BlockSparseMatrix& matrix, int block) {
  int count = 0;
  for (int stored = matrix.blockStart[block]; stored < matrix.blockStart[block + 1]; ++stored) {
    count += matrix.blockRows(matrix.blockColumn[stored]);
  }
  return count;
}

}  // namespace

template <class Scalar>
void DeviceBlockSystem<Scalar>::reserve(const ProblemSize& size) {
  naive_.reserve(size);
  const int slices = size.blocks / kLanes + 1;
  valueStart_.reserve(slices);
  columnStart_.reserve(slices);
  sliceRows_.reserve(slices);
  unitPlan_.phases.reserve(SweepPlan::kMaxPhases);
  Base::reserveRows(size);
}

template <class Scalar>
void DeviceBlockSystem<Scalar>::sizeSlices() {
  const BlockSparseMatrix& matrix = naive_.matrix();
  sizes_.rows = problem_.rowCount();
  sizes_.places = plan_->blockCount();
  sizes_.units = static_cast<int>(plan_->unitStart.size()) - 1;
  sizes_.slices = (sizes_.places + kLanes - 1) / kLanes;
  sizes_.entries = sizes_.values = 0;
  valueStart_.clear();
  columnStart_.clear();
  sliceRows_.clear();
  for (int slice = 0; slice < sizes_.slices; ++slice) {
    int rows = 0, blocks = 0, columns = 0;
    const int end = std::min((slice + 1) * kLanes, sizes_.places);
    for (int place = slice * kLanes; place < end; ++place) {
      const int block = plan_->blocks[place];
      rows = std::max(rows, matrix.blockRows(block));
      blocks = std::max(blocks, matrix.blockStart[block + 1] - matrix.blockStart[block]);
      columns = std::max(columns, columnCount(matrix, block));
    }
    valueStart_.push_back(sizes_.values);
    columnStart_.push_back(sizes_.entries);
    sliceRows_.push_back(rows);
    sizes_.values += static_cast<std::size_t>(columns) * rows * kLanes;
    sizes_.entries += static_cast<std::size_t>(blocks) * kLanes;
  }
}

template <class Scalar>
void DeviceBlockSystem<Scalar>::fillPlace(int place) {
  const BlockView<Scalar>& view = *view_;
  const BlockSparseMatrix& matrix = naive_.matrix();
  const int index = plan_->blocks[place];
  const ProblemBlock& block = problem_.blocks[index];
  const int first = matrix.blockStart[index], end = matrix.blockStart[index + 1];
  int scalarColumn = 0;
  for (int stored = first; stored < end; ++stored) {
    const int column = matrix.blockColumn[stored];
    const int columns = matrix.blockRows(column);
    if (stored == matrix.diagonal[index]) view.diagonal[place] = scalarColumn;
    view.packedColumn[view.columnAt(place, stored - first)] =
        matrix.rowStart[column] << 3 | columns;
    const Real* values = &matrix.values[matrix.valueStart[stored]];
    for (int j = 0; j < columns; ++j, ++scalarColumn) {
      for (int i = 0; i < block.rows; ++i) {
        view.values[view.valueAt(place, scalarColumn, i)] =
            static_cast<Scalar>(values[i * columns + j]);
      }
    }
  }
  view.blocks[place] = end - first;
  view.firstRow[place] = block.firstRow;
  view.placeRows[place] = block.law == BlockLaw::kContact ? block.rows : -block.rows;
  view.friction[place] = static_cast<Scalar>(block.friction);
  view.boxRadius[place] = static_cast<Scalar>(block.friction * block.normalBound);
  for (int row = block.firstRow; row < block.firstRow + block.rows; ++row) {
    view.b[row] = static_cast<Scalar>(problem_.b[row]);
    view.step[row] = static_cast<Scalar>(naive_.steps()[row]);
    const bool isBounded = block.law == BlockLaw::kRows;
    view.lower[row] = isBounded ? static_cast<Scalar>(problem_.lower[row]) : 0;
    view.upper[row] = isBounded ? static_cast<Scalar>(problem_.upper[row]) : 0;
  }
}

template <class Scalar>
void DeviceBlockSystem<Scalar>::prepare(const ContactProblem& problem, const SweepPlan& plan,
                                        const StepRule& rule, int threads) {
  problem_ = problem;
  plan_ = &plan;
  naive_.prepare(problem, plan, rule, threads);
  sizeSlices();
  Base::countLayout(false);
  Base::allocate(sizes_);
  std::copy(valueStart_.begin(), valueStart_.end(), view_->valueStart);
  std::copy(columnStart_.begin(), columnStart_.end(), view_->columnStart);
  std::copy(sliceRows_.begin(), sliceRows_.end(), view_->sliceRows);
  std::copy(plan.unitStart.begin(), plan.unitStart.end(), view_->unitStart);
  parallelRanges(sizes_.places, kSlicesOfARange * kLanes, threads, [&](int begin, int end) {
    for (int place = begin; place < end; ++place) fillPlace(place);
  });
  fillUnitPlan(problem.friction, plan, rule, unitPlan_);
  backend_->upload(unitPlan_);
}

template <class Scalar>
void DeviceBlockSystem<Scalar>::writeImpulses(std::span<const Real> lambda) {
  std::transform(lambda.begin(), lambda.end(), view_->lambda,
                 [](Real value) { return static_cast<Scalar>(value); });
}

template <class Scalar>
void DeviceBlockSystem<Scalar>::readImpulses(std::span<Real> lambda) const {
  std::copy_n(view_->lambda, lambda.size(), lambda.begin());
  Base::returnRounded(lambda);
}

template <class Scalar>
bool DeviceBlockSystem<Scalar>::readVelocity(std::span<Real> w) {
  if constexpr (!Base::isDouble()) return false;
  backend_->constraintVelocity();
  backend_->fetch(view_->w, w.size() * sizeof(Scalar));
  std::copy_n(view_->w, sizes_.rows, w.begin());
  return true;
}

/// Of normals and joint rows; tangents have no larger ones.
template <class Scalar>
Real DeviceBlockSystem<Scalar>::largestOverStep() const {
  Real largest = 0;
  for (int row = 0; row < sizes_.rows; ++row) {
    if (view_->step[row] > 0) {
      largest = std::max<Real>(largest, std::abs(view_->lambda[row]) / view_->step[row]);
    }
  }
  return largest;
}

template class DeviceBlockSystem<float>;
template class DeviceBlockSystem<double>;

}  // namespace drystone::gpu
