#include "viewer/session/stepped_world.h"

#include <Eigen/Cholesky>

namespace drystone::viewer {
namespace {

Mat3 crossMatrix(const Vec3& v) {
  Mat3 m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

}  // namespace

Vec3 dragForce(const World& world, BodyId id, const Vec3& pointInBody, const Vec3& target) {
  const Real h = world.settings().timestep;
  const ConstBodyHandle body = world.body(id);
  const Real mass = body.mass();
  const Vec3 arm = body.pose() * pointInBody - body.centerOfMass();
  const Vec3 stretch = body.centerOfMass() + arm - target;
  // At the end of a free step: without gravity in it the body would hang lower than its spring
  // says.
  const Vec3 velocity =
      body.linearVelocity() + body.angularVelocity().cross(arm) + h * world.settings().gravity;
  const InverseInertia inertia = body.inverseInertia();

  // Impulse p = −h k (x + h v⁺) − h d v⁺ with v⁺ = v + G p, where G p is what p does to the point.
  const Mat3 cross = crossMatrix(arm);
  const Mat3 response =
      inertia.inverseMass * Mat3::Identity() - cross * inertia.inverseInertia * cross;
  const Real stiffness = mass * kDragFrequency * kDragFrequency;
  const Real damping = 2 * mass * kDragFrequency;
  const Real gain = h * damping + h * h * stiffness;
  const Mat3 system = Mat3::Identity() + gain * response;
  const Vec3 impulse = system.llt().solve(-h * stiffness * stretch - gain * velocity);

  const Real cap = kDragMaxAcceleration * mass;
  const Vec3 force = impulse / h;
  const Real size = force.norm();
  return size > cap ? Vec3(force * (cap / size)) : force;
}

}  // namespace drystone::viewer
