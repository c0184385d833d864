#include "gpu/device_staggered_solver.h"

#include <algorithm>

#include "core/check.h"
#include "gpu/devices.h"

namespace drystone::gpu {
namespace {

SolverTraits deviceTraits(SolverTraits traits, Target target) {
  traits.cpuTwin = traits.name;
  traits.name = "gpu-staggered";
  traits.summary = "staggered with band matrices on a CUDA device";
  traits.source = "Litven 2013, section 5.3 and chapter 6";
  traits.whenToTake = "";  // gpu-sor is the door to devices
  if (target == Target::kCuda) traits.whyUnavailable = &whyUnavailable;
  return traits;
}

}  // namespace

BandEntries DeviceBand::begin(int size, int bandwidth) {
  if (!backend_) backend_ = makeBand(target_);
  view_ = &backend_->allocate(
      {.size = size, .bandwidth = std::clamp(bandwidth, 0, std::max(size - 1, 0))});
  const std::size_t stride = view_->sizes.stride();
  std::fill_n(view_->matrix, size * (stride + 1), 0.0);
  isUploaded_ = false;
  return {view_->matrix, stride};
}

void DeviceBand::upload() {
  if (isUploaded_) return;
  backend_->upload();
  isUploaded_ = true;
}

bool DeviceBand::factor() {
  failedRow_ = -1;
  if (size() == 0) return true;
  upload();
  failedRow_ = backend_->factor();
  return failedRow_ < 0;
}

void DeviceBand::writeRight(const Real* columns, int count) {
  const std::size_t rows = size();
  for (int k = 0; k < count; ++k) {
    std::copy_n(columns + k * rows, rows, view_->right + view_->atRight(0, k));
  }
  const int end = (count + kBandTile - 1) / kBandTile * kBandTile;
  for (int k = count; k < end; ++k) std::fill_n(view_->right + view_->atRight(0, k), rows, 0.0);
}

void DeviceBand::solveMany(std::span<Real> columns, int count, int /*threads*/) {
  const std::size_t rows = size();
  DRYSTONE_ASSERT(columns.size() == rows * count);
  if (rows == 0) return;
  for (int first = 0; first < count; first += kMostRightSides) {
    const int taken = std::min(kMostRightSides, count - first);
    Real* part = columns.data() + first * rows;
    writeRight(part, taken);
    backend_->solve(taken);
    for (int k = 0; k < taken; ++k) {
      std::copy_n(view_->right + view_->atRight(0, k), rows, part + k * rows);
    }
  }
}

void DeviceBand::multiply(std::span<const Real> columns, std::span<Real> product, int count) {
  const std::size_t rows = size();
  DRYSTONE_ASSERT(columns.size() == rows * count && product.size() == columns.size());
  if (rows == 0) return;
  upload();
  for (int first = 0; first < count; first += kMostRightSides) {
    const int taken = std::min(kMostRightSides, count - first);
    writeRight(columns.data() + first * rows, taken);
    backend_->multiply(taken);
    for (int k = 0; k < taken; ++k) {
      std::copy_n(view_->product + view_->atRight(0, k), rows, product.data() + (first + k) * rows);
    }
  }
}

DeviceStaggeredSolver::DeviceStaggeredSolver(Target target)
    : StaggeredSolver(deviceTraits(staggeredTraits(), target), std::make_unique<DeviceBand>(target),
                      std::make_unique<DeviceBand>(target)) {
  settings.factor = StaggeredFactor::kBanded;
}

}  // namespace drystone::gpu
