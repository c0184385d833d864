#include "bench/studies/validation/rattleback_motion.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>

namespace drystone::bench {
namespace {

Mat3 crossMatrix(const Vec3& v) {
  Mat3 matrix;
  matrix << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return matrix;
}

}  // namespace

Mat3 Rattleback::inertia() const {
  const Vec3 squares = halfAxes.cwiseAbs2();
  const Mat3 axes = Eigen::AngleAxis<Real>(turned, Vec3::UnitZ()).toRotationMatrix();
  return axes * (mass / 5 * (Vec3::Constant(squares.sum()) - squares)).asDiagonal() *
         axes.transpose();
}

VecX Rattleback::start(const Vec3& spin) {
  VecX state(6);
  state << Vec3::UnitZ(), spin;
  return state;
}

Vec3 Rattleback::contact(const Vec3& up) const {
  return -halfAxes.cwiseProduct(halfAxes.cwiseProduct(up).normalized());
}

VecX Rattleback::rate(const VecX& state) const {
  const Vec3 up = state.head<3>(), spin = state.tail<3>();
  const Vec3 upRate = up.cross(spin);
  // The unit vector along S up, and its rate.
  const Vec3 scaled = halfAxes.cwiseProduct(up);
  const Vec3 u = scaled.normalized();
  const Vec3 change = halfAxes.cwiseProduct(upRate) / scaled.norm();
  const Vec3 arm = -halfAxes.cwiseProduct(u);
  const Vec3 armRate = -halfAxes.cwiseProduct(change - u.dot(change) * u);
  const Mat3 moments = inertia(), across = crossMatrix(arm);
  const Vec3 given = armRate.cross(spin) + spin.cross(arm.cross(spin)) + gravity * up;
  const Vec3 torque = mass * arm.cross(given) - spin.cross(moments * spin);
  VecX rate(6);
  rate << upRate, (moments - mass * across * across).ldlt().solve(torque);
  return rate;
}

Real Rattleback::energy(const VecX& state) const {
  const Vec3 up = state.head<3>(), spin = state.tail<3>(), arm = contact(up);
  return 0.5 * mass * arm.cross(spin).squaredNorm() + 0.5 * spin.dot(inertia() * spin) -
         mass * gravity * arm.dot(up);
}

}  // namespace drystone::bench
