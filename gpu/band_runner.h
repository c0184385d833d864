#pragma once

#include <array>

#include "gpu/band_backend.h"
#include "gpu/forms/band_form.h"

namespace drystone::gpu {

/// The host side of BandForm, for every executor.
template <class Executor>
class BandRunner final : public BandBackend {
 public:
  /// `options`: of the executor.
  template <class... Options>
  explicit BandRunner(Options... options) : executor_(options...) {}

  const BandView& allocate(const BandSizes& sizes) override {
    const auto ignore = [](std::byte*, std::size_t) {};
    sections_ = bindBandView(sizes, nullptr, host_, ignore);
    image_.resize(executor_, sections_.resultEnd);
    memory_.resize(executor_, sections_.end);
    bindBandView(sizes, image_.data(), host_, ignore);
    bindBandView(sizes, memory_.data(), device_,
                 [&](std::byte* begin, std::size_t bytes) { executor_.forbid(begin, bytes); });
    isRecorded_.fill(false);
    return host_;
  }

  void upload() override { upload(0, sections_.matrixEnd); }

  int factor() override {
    BandForm::factor(executor_, device_);
    download(sections_.productEnd, sections_.resultEnd);
    return *host_.info - 1;
  }

  void solve(int count) override {
    const int tiles = sideTiles(count);
    upload(sections_.matrixEnd, rightEnd(tiles));
    // Many solves follow a factor: their launches are replayed in one call.
    if (!isRecorded_[tiles - 1]) {
      executor_.record(solves_[tiles - 1],
                       [this, tiles] { BandForm::solve(executor_, device_, tiles); });
      isRecorded_[tiles - 1] = true;
    }
    executor_.replay(solves_[tiles - 1]);
    download(sections_.matrixEnd, rightEnd(tiles));
  }

  void multiply(int count) override {
    const int tiles = sideTiles(count);
    upload(sections_.matrixEnd, rightEnd(tiles));
    BandForm::multiply(executor_, device_, tiles);
    download(sections_.rightEnd, sections_.rightEnd + rightEnd(tiles) - sections_.matrixEnd);
  }

 private:
  static int sideTiles(int count) { return (count + kBandTile - 1) / kBandTile; }
  std::size_t rightEnd(int tiles) const {
    return sections_.matrixEnd + tiles * kBandTile * host_.rightStride * sizeof(double);
  }
  void upload(std::size_t begin, std::size_t end) {
    executor_.upload(memory_.data() + begin, image_.data() + begin, end - begin);
  }
  /// Waits for the device.
  void download(std::size_t begin, std::size_t end) {
    executor_.download(image_.data() + begin, memory_.data() + begin, end - begin);
  }

  Executor executor_;
  BandSections sections_;
  BandView host_, device_;
  typename Executor::HostMemory image_;
  typename Executor::DeviceMemory memory_;
  std::array<typename Executor::Recording, kMostRightSides / kBandTile> solves_;
  std::array<bool, kMostRightSides / kBandTile> isRecorded_ = {};
};

}  // namespace drystone::gpu
