#include "bench/peers/worlds.h"

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace drystone::bench {
namespace {

btVector3 toBullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

Vec3 fromBullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

btTransform toBullet(const Pose& pose) {
  const Quat& q = pose.rotation;
  return btTransform(btQuaternion(q.x(), q.y(), q.z(), q.w()), toBullet(pose.position));
}

/// A triangle mesh with its triangles; the shape goes first.
struct MeshShape {
  explicit MeshShape(const MeshData& data) {
    for (const std::array<int, 3>& corners : data.triangles) {
      const auto at = [&](int k) {
        return toBullet(
            data.vertices[static_cast<std::size_t>(corners[static_cast<std::size_t>(k)])]);
      };
      triangles.addTriangle(at(0), at(1), at(2));
    }
    shape.emplace(&triangles, true);
  }
  btTriangleMesh triangles;
  std::optional<btBvhTriangleMeshShape> shape;
};

std::shared_ptr<btCollisionShape> makeShape(const Shape& shape);

/// A compound with its children; the shape goes first.
struct CompoundShape {
  explicit CompoundShape(const Compound& compound) {
    for (const CompoundChild& child : compound.children) {
      children.push_back(makeShape(child.shape));
      shape.addChildShape(toBullet(child.pose), children.back().get());
    }
  }
  std::vector<std::shared_ptr<btCollisionShape>> children;
  btCompoundShape shape;
};

/// The heights must lie as far below the frame as above it: Bullet puts the frame halfway.
std::unique_ptr<btHeightfieldTerrainShape> makeField(const HeightfieldData& data) {
  const auto [low, high] = std::minmax_element(data.heights.begin(), data.heights.end());
  auto shape = std::make_unique<btHeightfieldTerrainShape>(
      data.columns, data.rows, data.heights.data(), *low, *high, 2, false);
  shape->setLocalScaling(btVector3(data.spacingX, data.spacingY, 1));
  return shape;
}

/// Not of ellipsoids and cones, which no comparison has.
std::shared_ptr<btCollisionShape> makeShape(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    return std::make_shared<btSphereShape>(sphere->radius);
  }
  if (const auto* box = std::get_if<Box>(&shape)) {
    return std::make_shared<btBoxShape>(toBullet(box->halfExtents));
  }
  if (const auto* capsule = std::get_if<Capsule>(&shape)) {
    return std::make_shared<btCapsuleShapeZ>(capsule->radius, 2 * capsule->halfLength);
  }
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
    return std::make_shared<btCylinderShapeZ>(
        btVector3(cylinder->radius, cylinder->radius, cylinder->halfLength));
  }
  if (const auto* hull = std::get_if<ConvexHull>(&shape)) {
    auto made = std::make_shared<btConvexHullShape>();
    for (const Vec3& vertex : hull->data->vertices) made->addPoint(toBullet(vertex), false);
    made->recalcLocalAabb();
    return made;
  }
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) {
    const auto made = std::make_shared<MeshShape>(*mesh->data);
    return {made, &*made->shape};
  }
  if (const auto* compound = std::get_if<Compound>(&shape)) {
    const auto made = std::make_shared<CompoundShape>(*compound);
    return {made, &made->shape};
  }
  if (const auto* field = std::get_if<Heightfield>(&shape)) return makeField(*field->data);
  return std::make_shared<btStaticPlaneShape>(btVector3(0, 0, 1), 0);
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

  void step() override {
    for (const auto& [body, force] : pressed_) body->applyCentralForce(force);
    world_.stepSimulation(timestep_, 0);  // which forgets the forces
  }

  int contactCount() const override {
    int count = 0;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) count += manifold(i).getNumContacts();
    return count;
  }

  void readFloorForces(std::vector<FloorForce>& forces) const override {
    forces.clear();
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const btPersistentManifold& pair = manifold(i);
      if (!pair.getBody0()->isStaticObject() && !pair.getBody1()->isStaticObject()) continue;
      for (int c = 0; c < pair.getNumContacts(); ++c) {
        const btManifoldPoint& point = pair.getContactPoint(c);
        forces.push_back(
            {fromBullet(point.getPositionWorldOnB()), point.getAppliedImpulse() / timestep_});
      }
    }
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
  const btPersistentManifold& manifold(int index) const {
    // The non-const accessor is the only one.
    return *const_cast<btCollisionDispatcher&>(dispatcher_).getManifoldByIndexInternal(index);
  }

  void addBody(const PeerBody& body) {
    shapes_.push_back(body.shape ? makeShape(*body.shape) : std::make_shared<btEmptyShape>());
    btRigidBody::btRigidBodyConstructionInfo info(body.mass, nullptr, shapes_.back().get(),
                                                  toBullet(body.moments));
    info.m_startWorldTransform = toBullet(body.pose);
    info.m_friction = std::sqrt(body.friction);
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& rigid = *bodies_.back();
    rigid.setLinearVelocity(toBullet(body.velocity));
    rigid.setAngularVelocity(toBullet(body.angularVelocity));
    rigid.setActivationState(DISABLE_DEACTIVATION);
    if (body.rail) {
      rigid.setLinearFactor(toBullet(*body.rail));
      rigid.setAngularFactor(0);
    }
    if (!body.force.isZero()) pressed_.push_back({&rigid, toBullet(body.force)});
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
  std::vector<std::shared_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  std::vector<std::pair<btRigidBody*, btVector3>> pressed_;
  Real timestep_;
};

class BulletPair final : public PeerPair {
 public:
  BulletPair(const Shape& a, const Pose& poseA, const Shape& b, const Pose& poseB)
      : shapeA_(makeShape(a)), shapeB_(makeShape(b)) {
    a_.setCollisionShape(shapeA_.get());
    b_.setCollisionShape(shapeB_.get());
    a_.setWorldTransform(toBullet(poseA));
    b_.setWorldTransform(toBullet(poseB));
    algorithm_ =
        dispatcher_.findAlgorithm(&wrappedA_, &wrappedB_, nullptr, BT_CONTACT_POINT_ALGORITHMS);
  }
  ~BulletPair() override {
    algorithm_->~btCollisionAlgorithm();
    dispatcher_.freeCollisionAlgorithm(algorithm_);
  }
  BulletPair(const BulletPair&) = delete;
  BulletPair& operator=(const BulletPair&) = delete;

  int collide(const Vec3& positionB) override {
    b_.getWorldTransform().setOrigin(toBullet(positionB));
    btManifoldResult result(&wrappedA_, &wrappedB_);
    algorithm_->processCollision(&wrappedA_, &wrappedB_, info_, &result);
    manifolds_.resize(0);
    algorithm_->getAllContactManifolds(manifolds_);
    int points = 0;
    for (int i = 0; i < manifolds_.size(); ++i) points += manifolds_[i]->getNumContacts();
    return points;
  }

 private:
  std::shared_ptr<btCollisionShape> shapeA_, shapeB_;
  btCollisionObject a_, b_;
  btCollisionObjectWrapper wrappedA_{nullptr, shapeA_.get(), &a_, a_.getWorldTransform(), -1, -1};
  btCollisionObjectWrapper wrappedB_{nullptr, shapeB_.get(), &b_, b_.getWorldTransform(), -1, -1};
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDispatcherInfo info_;
  btManifoldArray manifolds_;
  btCollisionAlgorithm* algorithm_ = nullptr;
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

std::unique_ptr<PeerPair> makeBulletPair(const Shape& a, const Pose& poseA, const Shape& b,
                                         const Pose& poseB) {
  return std::make_unique<BulletPair>(a, poseA, b, poseB);
}

std::unique_ptr<PeerWorld> makeBulletWorld(const PeerScene& scene, int iterations) {
  return std::make_unique<BulletWorld>(scene, iterations);
}

}  // namespace drystone::bench
