#include "bench/peers/bullet_world.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>

#include "engine/core/input_error.h"

namespace drystone::bench {
namespace {

btVector3 toBullet(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

std::unique_ptr<btCollisionShape> makeShape(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape)) {
    return std::make_unique<btSphereShape>(sphere->radius);
  }
  if (const auto* box = std::get_if<Box>(&shape)) {
    return std::make_unique<btBoxShape>(toBullet(box->halfExtents));
  }
  if (std::holds_alternative<Plane>(shape)) {
    return std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), 0);
  }
  throw InputError("the race with Bullet takes spheres, boxes and planes only");
}

}  // namespace

struct BulletWorld::Implementation {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  std::vector<std::unique_ptr<btCollisionShape>> shapes;
  std::vector<std::unique_ptr<btRigidBody>> bodies;
  Real timestep = 1.0 / 60;
};

BulletWorld::BulletWorld(const Scene& scene, int iterations)
    : implementation_(std::make_unique<Implementation>()) {
  Implementation& self = *implementation_;
  self.timestep = scene.settings.timestep;
  self.world.setGravity(toBullet(scene.settings.gravity));
  self.world.getSolverInfo().m_numIterations = iterations;
  for (const BodyDefinition& body : scene.bodies) {
    if (!body.shape) continue;
    self.shapes.push_back(makeShape(*body.shape));
    const bool dynamic = body.kind == BodyKind::kDynamic;
    MassProperties mass;
    if (dynamic) mass = body.mass ? *body.mass : massProperties(*body.shape, body.density);
    const Vec3 moments = mass.inertia.diagonal();
    btRigidBody::btRigidBodyConstructionInfo info(dynamic ? mass.mass : 0, nullptr,
                                                  self.shapes.back().get(),
                                                  dynamic ? toBullet(moments) : btVector3(0, 0, 0));
    const Quat& q = body.pose.rotation;
    info.m_startWorldTransform =
        btTransform(btQuaternion(q.x(), q.y(), q.z(), q.w()), toBullet(body.pose.position));
    const Real friction =
        body.material > 0 ? scene.materials[body.material - 1].material.friction : 0.5;
    info.m_friction = std::sqrt(friction);
    self.bodies.push_back(std::make_unique<btRigidBody>(info));
    btRigidBody& rigid = *self.bodies.back();
    rigid.setLinearVelocity(toBullet(body.linearVelocity));
    rigid.setAngularVelocity(toBullet(body.angularVelocity));
    rigid.setActivationState(DISABLE_DEACTIVATION);
    self.world.addRigidBody(&rigid);
  }
}

BulletWorld::~BulletWorld() {
  for (const auto& body : implementation_->bodies) {
    implementation_->world.removeRigidBody(body.get());
  }
}

void BulletWorld::step() { implementation_->world.stepSimulation(implementation_->timestep, 0); }

int BulletWorld::contactCount() const {
  int count = 0;
  for (int i = 0; i < implementation_->dispatcher.getNumManifolds(); ++i) {
    count += implementation_->dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
  }
  return count;
}

std::vector<Vec3> BulletWorld::positions() const {
  std::vector<Vec3> result;
  for (const auto& body : implementation_->bodies) {
    if (body->getMass() == 0) continue;
    const btVector3& p = body->getWorldTransform().getOrigin();
    result.emplace_back(p.x(), p.y(), p.z());
  }
  return result;
}

}  // namespace drystone::bench
