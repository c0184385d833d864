#pragma once

#include <utility>

#include "gpu/backend.h"
#include "gpu/counting_executor.h"
#include "gpu/layout/memory_layout.h"

namespace drystone::gpu {

/// The host side of a form, for every executor: uploads, launches, downloads.
template <class Executor, class Form>
class Runner final : public Backend<Form> {
 public:
  /// `options`: of the executor.
  template <class... Options>
  explicit Runner(Options... options) : executor_(options...) {}

  const typename Form::View& allocate(const typename Form::Sizes& sizes) override {
    const auto ignore = [](std::byte*, std::size_t) {};
    sections_ = Form::bind(sizes, nullptr, host_, ignore);
    image_.resize(executor_, sections_.resultEnd);
    memory_.resize(executor_, sections_.end);
    Form::bind(sizes, image_.data(), host_, ignore);
    Form::bind(sizes, memory_.data(), device_,
               [&](std::byte* begin, std::size_t bytes) { executor_.forbid(begin, bytes); });
    return host_;
  }

  void upload(const typename Form::Plan& plan, bool isKept) override {
    plan_ = plan;
    const std::size_t begin = isKept ? sections_.keptEnd : 0;
    executor_.upload(memory_.data() + begin, image_.data() + begin, sections_.inputEnd - begin);
    Form::begin(executor_, device_, plan_);
    islandSweeps_ = 0;
    if (hasRecording()) executor_.record(sweep_, [&] { Form::sweep(executor_, device_, plan_); });
  }

  void setImpulses() override {
    const std::size_t begin = sections_.inputEnd;
    executor_.upload(memory_.data() + begin, image_.data() + begin, sections_.impulseEnd - begin);
    Form::start(executor_, device_, plan_);
    islandSweeps_ = 0;
    isFinished_ = true;
    isFetched_ = false;
  }

  void getImpulses() override {
    finish();
    if (!isFetched_) download(sections_.inputEnd, sections_.impulseEnd);
    isFetched_ = true;
  }

  void sweep() override {
    if (hasRecording()) executor_.replay(sweep_);
    if (++islandSweeps_ == kMostIslandSweeps) sweepIslands();
    isFinished_ = false;
    isFetched_ = false;
  }

  double timeSweeps(int count) override {
    return executor_.time([&] {
      for (int i = 0; i < count; ++i) sweep();
      sweepIslands();
    });
  }

  void constraintVelocity() override {
    finish();
    Form::constraintVelocity(executor_, device_, plan_);
  }

  void measureResidual(double tolerance) override {
    constraintVelocity();
    Form::measureResidual(executor_, device_, plan_, tolerance);
  }

  void keepImpulses() override { Form::keepImpulses(executor_, device_, plan_); }

  void scaleSteps(typename Form::Value factor) override {
    sweepIslands();
    Form::scaleSteps(executor_, device_, plan_, factor);
  }

  void fetch(const void* array, std::size_t bytes) override {
    const std::size_t begin = placeOf(array);
    download(begin, begin + bytes);
  }

  void send(const void* array, std::size_t bytes) override {
    const std::size_t begin = placeOf(array);
    executor_.upload(memory_.data() + begin, image_.data() + begin, bytes);
  }

  const ExecutorWork& work() const override { return executor_.work(); }

 private:
  using Counted = CountingExecutor<Executor>;

  /// So many sweeps of islands are one launch at most, so that none takes for ever.
  static constexpr int kMostIslandSweeps = 100;

  /// A sweep may be of islands alone.
  bool hasRecording() const {
    if constexpr (requires { plan_.phases; }) return !plan_.phases.empty();
    return true;
  }
  /// Those that were asked for and not done: islands share nothing with what else is swept.
  void sweepIslands() {
    const int sweeps = std::exchange(islandSweeps_, 0);
    if constexpr (requires { Form::sweepIslands(executor_, device_, plan_, sweeps); }) {
      if (sweeps > 0) Form::sweepIslands(executor_, device_, plan_, sweeps);
    }
  }
  /// As λ was set, it is the caller's to the bit.
  void finish() {
    sweepIslands();
    if (!isFinished_) Form::finish(executor_, device_, plan_);
    isFinished_ = true;
  }
  /// In the image, and so on the device.
  std::size_t placeOf(const void* array) {
    return static_cast<std::size_t>(static_cast<const std::byte*>(array) - image_.data());
  }
  /// Waits for the device.
  void download(std::size_t begin, std::size_t end) {
    executor_.download(image_.data() + begin, memory_.data() + begin, end - begin);
  }

  Counted executor_;
  typename Form::Plan plan_;
  Sections sections_;
  typename Form::View host_, device_;
  typename Counted::HostMemory image_;
  typename Counted::DeviceMemory memory_;
  typename Counted::Recording sweep_;
  int islandSweeps_ = 0;    ///< asked for and not done
  bool isFinished_ = true;  ///< no sweep since λ was last brought to the problem's rows
  bool isFetched_ = false;  ///< the host's image has this λ
};

}  // namespace drystone::gpu
