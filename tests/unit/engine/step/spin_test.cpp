// The derivative of the gyroscopic term is that of its differences.
#include "engine/step/spin.h"

#include <gtest/gtest.h>

namespace drystone {
namespace {

/// Central differences of the closed step, several parts of it included (|ω| h = 2.6 rad), and of
/// a spin along a principal axis, where the term is 0 but not its derivative. Their error is
/// about 1e-10 at this step.
TEST(Spin, DerivativeIsThatOfDifferences) {
  const Vec3 moments(1, 2.5, 3), torque(0.4, -0.7, 0.2);
  const Real h = 0.05, step = 1e-5;
  const Vec3 some(1, -1.5, 1), principal(0, 2, 0);
  for (const Vec3& omega : {some, Vec3(25 * some), principal}) {
    SpinDerivative derivative;
    gyroscopicChange(moments, omega, torque, h, &derivative);
    for (int i = 0; i < 3; ++i) {
      const Vec3 d = step * Vec3::Unit(i);
      const Vec3 bySpin = (gyroscopicChange(moments, omega + d, torque, h) -
                           gyroscopicChange(moments, omega - d, torque, h)) /
                          (2 * step);
      const Vec3 byTorque = (gyroscopicChange(moments, omega, torque + d, h) -
                             gyroscopicChange(moments, omega, torque - d, h)) /
                            (2 * step);
      EXPECT_LT((derivative.bySpin.col(i) - bySpin).norm(), 1e-8) << omega.transpose();
      EXPECT_LT((derivative.byTorque.col(i) - byTorque).norm(), 1e-8) << omega.transpose();
    }
  }
}

}  // namespace
}  // namespace drystone
