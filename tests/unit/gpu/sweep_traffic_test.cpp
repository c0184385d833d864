// Bytes that a sweep moves for a contact, counted by what changes when a number of the problem in
// memory does.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "core/random.h"
#include "gpu/kernels/sweep_kernels.h"
#include "gpu/layout/sweep_traffic.h"
#include "solvers/problem/contact_problem.h"

namespace drystone::gpu {
namespace {

/// One contact that slides between two bodies that move, laid out for sweeps in `T`.
template <class T, FrictionModel kModel>
class OneContact {
 public:
  explicit OneContact(bool isCompliant) {
    const SweepSizes sizes{.contactRows = contactRows(kModel),
                           .contacts = 1,
                           .units = 1,
                           .safeContacts = 1,
                           .problemRows = contactRows(kModel),
                           .bodies = 2,
                           .entries = 2,
                           .hasCompliance = isCompliant};
    const auto ignore = [](std::byte*, std::size_t) {};
    sections_ = bindSweepView<T>(sizes, nullptr, view_, ignore);
    memory_.resize(sections_.end / sizeof(std::max_align_t) + 1);
    bindSweepView<T>(sizes, bytes(), view_, ignore);
    Random random(3);
    for (std::size_t i = firstOnDevice(); i < count(); ++i) numbers()[i] = random.uniform(0.1, 1);
    view_.b[0] = -9;  // it closes, so that friction has a bound
    view_.bodyB[0] = 1;
    view_.contactStart[1] = 1;
  }

  /// Numbers that a sweep changes, and numbers without which it would change them otherwise.
  void count(int& read, int& written) {
    const std::vector<T> start = copy();
    const std::vector<T> swept = sweptFrom(start);
    read = written = 0;
    for (std::size_t i = firstOnDevice(); i < count(); ++i) {
      written += swept[i] != start[i] ? 1 : 0;
      std::vector<T> poisoned = start;
      poisoned[i] = std::numeric_limits<T>::quiet_NaN();
      std::vector<T> other = sweptFrom(poisoned);
      other[i] = swept[i];
      read += other != swept ? 1 : 0;
    }
  }

 private:
  std::byte* bytes() { return reinterpret_cast<std::byte*>(memory_.data()); }
  T* numbers() { return reinterpret_cast<T*>(memory_.data()); }
  std::size_t firstOnDevice() const { return sections_.resultEnd / sizeof(T); }
  std::size_t count() const { return sections_.end / sizeof(T); }
  /// Indices, which come first, are left out.
  std::vector<T> copy() {
    std::vector<T> numbers(count());
    std::memcpy(&numbers[firstOnDevice()], bytes() + sections_.resultEnd,
                sections_.end - sections_.resultEnd);
    return numbers;
  }
  std::vector<T> sweptFrom(const std::vector<T>& start) {
    std::memcpy(bytes() + sections_.resultEnd, &start[firstOnDevice()],
                sections_.end - sections_.resultEnd);
    SweepUnits<T, kModel>{view_, 0}(0);
    return copy();
  }

  SweepView<T> view_;
  Sections sections_;
  std::vector<std::max_align_t> memory_;
};

template <class T, FrictionModel kModel>
void expectCounted(bool isCompliant) {
  constexpr int kSize = sizeof(T), kIndices = 4 * 4, kUsed = 6, kPadded = 8;
  int read = 0, written = 0;
  OneContact<T, kModel>(isCompliant).count(read, written);
  const SweepTraffic traffic = sweepTraffic<T>(kModel, isCompliant);
  EXPECT_EQ(read * kSize, traffic.read - kIndices + 2 * kUsed * kSize) << frictionModelName(kModel);
  EXPECT_EQ(written * kSize, traffic.written + 2 * kUsed * kSize) << frictionModelName(kModel);
  EXPECT_EQ(traffic.bodies, 4 * kPadded * kSize);
}

TEST(SweepTraffic, IsWhatTheKernelReadsAndWrites) {
  for (const bool isCompliant : {false, true}) {
    expectCounted<float, FrictionModel::kCone>(isCompliant);
    expectCounted<double, FrictionModel::kCone>(isCompliant);
    expectCounted<float, FrictionModel::kNone>(isCompliant);
    expectCounted<float, FrictionModel::kContensou>(isCompliant);
  }
}

// docs/gpu.md has these numbers, and predicts times of sweeps with them.
TEST(SweepTraffic, OfACone_IsWhatTheTableSays) {
  const SweepTraffic single = sweepTraffic<float>(FrictionModel::kCone, false);
  EXPECT_EQ(single.read, 204);
  EXPECT_EQ(single.written, 12);
  EXPECT_EQ(single.bodies, 128);
  EXPECT_EQ(single.state(), 216);
  EXPECT_EQ(single.all(), 344);
  const SweepTraffic both = sweepTraffic<double>(FrictionModel::kCone, false);
  EXPECT_EQ(both.state(), 416);
  EXPECT_EQ(both.all(), 672);
}

}  // namespace
}  // namespace drystone::gpu
