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

Vec3 dragForce(const World& world, BodyId body, const Vec3& pointInBody, const Vec3& target) {
  const Real h = world.settings().timestep;
  const Real mass = world.mass(body);
  const Vec3 arm = world.pose(body) * pointInBody - world.centerOfMass(body);
  const Vec3 stretch = world.centerOfMass(body) + arm - target;
  // At the end of a free step: without gravity in it the body would hang lower than its spring
  // says.
  const Vec3 velocity = world.linearVelocity(body) + world.angularVelocity(body).cross(arm) +
                        h * world.settings().gravity;
  const InverseInertia inertia = world.inverseInertia(body);

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
