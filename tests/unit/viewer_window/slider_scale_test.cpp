#include "viewer/window/slider_scale.h"

#include <gtest/gtest.h>

#include <limits>

#include "solvers/default_registry.h"

namespace drystone::viewer {
namespace {

constexpr Real kNone = std::numeric_limits<Real>::infinity();

TEST(SliderScale, EndsAreTheLimits) {
  EXPECT_EQ(SliderScale(0, 1, 1e-9, false).value(0), 0);
  EXPECT_EQ(SliderScale(0, 1, 1e-9, false).value(1), 1);
  EXPECT_EQ(SliderScale(1e-6, 2, 1, false).value(0), 1e-6);
  EXPECT_EQ(SliderScale(1, kNone, 100, true).value(1), kNone);
  EXPECT_EQ(settingNumber(kNone), "none");
}

TEST(SliderScale, Tolerance_IsSpreadByDecades) {
  const SliderScale scale(0, 1, 1e-9, false);
  EXPECT_TRUE(scale.logarithmic());
  EXPECT_NEAR(scale.position(1e-8) - scale.position(1e-9),
              scale.position(1e-2) - scale.position(1e-3), 1e-12);
}

TEST(SliderScale, NarrowRange_IsLinear) {
  const SliderScale scale(0.001, 0.4, 0.2, false);
  EXPECT_FALSE(scale.logarithmic());
}

/// Every setting of every solver.
class Checked : public SettingVisitor {
 public:
  void real(const SettingInfo& info, Real& value, Real low, Real high) override {
    check(info, value, low, high, false);
  }
  void integer(const SettingInfo& info, int& value, int low, int high) override {
    check(info, value, low, high, true);
  }
  void boolean(const SettingInfo&, bool&) override {}
  void choice(const SettingInfo&, int&, std::span<const std::string_view>) override {}
  int count = 0;

 private:
  void check(const SettingInfo& info, Real value, Real low, Real high, bool whole) {
    const SliderScale scale(low, high, value, whole);
    double last = -1;
    for (double position = 0; position <= 1; position += 1.0 / 64) {
      const Real there = scale.value(position);
      EXPECT_GE(there, low) << info.name;
      EXPECT_LE(there, high) << info.name;
      EXPECT_GE(there, last) << info.name;
      last = there;
    }
    // The default is on the slider: going there and reading it off gives it back, to two digits.
    const Real back = scale.value(scale.position(value));
    if (value < kUnlimited) {
      EXPECT_NEAR(back, value, 0.06 * std::abs(value) + (whole ? 1 : 0)) << info.name;
    } else {
      EXPECT_GE(back, kUnlimited) << info.name;
    }
    ++count;
  }
};

TEST(SliderScale, EverySettingOfEverySolver_HasASliderThatStaysInItsRange) {
  const SolverRegistry registry = makeDefaultRegistry();
  Checked checked;
  for (const std::string& name : registry.names()) registry.create(name)->visitSettings(checked);
  EXPECT_GT(checked.count, 40);
}

}  // namespace
}  // namespace drystone::viewer
