#include "bench/peers/worlds.h"

#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <cmath>

namespace drystone::bench {
namespace {

btVector3 toBullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

Vec3 fromBullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

btTransform toBullet(const Pose& pose) {
  const Quat& q = pose.rotation;
  return btTransform(btQuaternion(q.x(), q.y(), q.z(), q.w()), toBullet(pose.position));
}

std::unique_ptr<btCollisionShape> makeShape(const PeerBody& body) {
  if (!body.shape) return std::make_unique<btEmptyShape>();
  if (const auto* sphere = std::get_if<Sphere>(&*body.shape)) {
    return std::make_unique<btSphereShape>(sphere->radius);
  }
  if (const auto* box = std::get_if<Box>(&*body.shape)) {
    return std::make_unique<btBoxShape>(toBullet(box->halfExtents));
  }
  if (const auto* hull = std::get_if<ConvexHull>(&*body.shape)) {
    auto shape = std::make_unique<btConvexHullShape>();
    for (const Vec3& vertex : hull->data->vertices) shape->addPoint(toBullet(vertex), false);
    shape->recalcLocalAabb();
    return shape;
  }
  return std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0);
}

class BulletWorld : public PeerWorld {
 public:
  BulletWorld(const PeerScene& scene, int iterations) : timestep_(scene.timestep) {
    world_.setGravity(toBullet(scene.gravity));
    world_.getSolverInfo().m_numIterations = iterations;
    for (const PeerBody& body : scene.bodies) addBody(body);
    for (const PeerJoint& joint : scene.joints) addJoint(joint);
  }

  ~BulletWorld() override {
    for (const auto& joint : joints_) world_.removeConstraint(joint.get());
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  BulletWorld(const BulletWorld&) = delete;
  BulletWorld& operator=(const BulletWorld&) = delete;

  void step() override { world_.stepSimulation(timestep_, 0); }

  int contactCount() const override {
    int count = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      // The non-const accessor is the only one.
      auto& dispatcher = const_cast<btCollisionDispatcher&>(dispatcher_);
      count += dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
    }
    return count;
  }

  void readStates(std::vector<BodyState>& states) const override {
    states.clear();
    for (const auto& body : bodies_) {
      if (body->getMass() == 0) continue;
      const btTransform& at = body->getWorldTransform();
      const btQuaternion q = at.getRotation();
      states.push_back({.pose = {fromBullet(at.getOrigin()), Quat(q.w(), q.x(), q.y(), q.z())},
                        .velocity = fromBullet(body->getLinearVelocity()),
                        .angularVelocity = fromBullet(body->getAngularVelocity())});
    }
  }

 private:
  void addBody(const PeerBody& body) {
    shapes_.push_back(makeShape(body));
    btRigidBody::btRigidBodyConstructionInfo info(body.mass, nullptr, shapes_.back().get(),
                                                  toBullet(body.moments));
    info.m_startWorldTransform = toBullet(body.pose);
    info.m_friction = std::sqrt(body.friction);
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& rigid = *bodies_.back();
    rigid.setLinearVelocity(toBullet(body.velocity));
    rigid.setAngularVelocity(toBullet(body.angularVelocity));
    rigid.setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(&rigid);
  }

  void addJoint(const PeerJoint& joint) {
    joints_.push_back(std::make_unique<btPoint2PointConstraint>(
        *bodies_[joint.bodyA], *bodies_[joint.bodyB], toBullet(joint.anchorA),
        toBullet(joint.anchorB)));
    world_.addConstraint(joints_.back().get(), true);
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  Real timestep_;
};

}  // namespace

PeerModel bulletModel() {
  return {
      .name = "Bullet",
      .version = fmt::format("{}.{} float64", BT_BULLET_VERSION / 100, BT_BULLET_VERSION % 100),
      .contacts =
          "rigid, up to 4 points a pair, gathered over the steps and kept until they part by "
          "2 % of the smaller body; hulls have 4 cm of margin around them; velocities take "
          "0.2 of an overlap back a step, poses (split impulse) where it is over 4 cm",
      .friction =
          "one direction a point, that of sliding, at most μ times the normal impulse of the "
          "iteration",
      .joints = "velocities take 0.2 of the error back a step",
      .stepping =
          "semi-implicit Euler, gyroscopic term implicit; starts from 0.85 of the last impulses",
  };
}

std::unique_ptr<PeerWorld> makeBulletWorld(const PeerScene& scene, int iterations) {
  return std::make_unique<BulletWorld>(scene, iterations);
}

}  // namespace drystone::bench
