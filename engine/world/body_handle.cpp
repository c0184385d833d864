#include "engine/world/body_handle.h"

#include <fmt/format.h>

#include <utility>

#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "engine/observe/snapshot.h"
#include "engine/observe/world_state.h"
#include "engine/step/sleeping.h"
#include "engine/step/world_parts.h"

namespace drystone {

ConstBodyHandle::ConstBodyHandle(WorldParts* parts, BodyId id) : parts_(parts), id_(id) { slot(); }

int ConstBodyHandle::slot() const { return parts_->bodies.slotOf(id_); }

std::string_view ConstBodyHandle::name() const { return parts_->bodies.record[slot()].name; }

const Shape* ConstBodyHandle::shape() const {
  const auto& shape = parts_->bodies.record[slot()].shape;
  return shape ? &*shape : nullptr;
}

BodyKind ConstBodyHandle::kind() const { return parts_->bodies.kind[slot()]; }

bool ConstBodyHandle::isSensor() const { return parts_->bodies.isSensor[slot()] != 0; }

bool ConstBodyHandle::isAwake() const { return !parts_->bodies.isAsleep(slot()); }

Real ConstBodyHandle::mass() const {
  return kind() == BodyKind::kDynamic ? parts_->bodies.mass[slot()] : kInfinity;
}

InverseInertia ConstBodyHandle::inverseInertia() const {
  return parts_->bodies.inverseInertia[slot()];
}

Pose ConstBodyHandle::pose() const { return parts_->bodies.referencePose(slot()); }

Vec3 ConstBodyHandle::centerOfMass() const { return parts_->bodies.position[slot()]; }

Vec3 ConstBodyHandle::linearVelocity() const { return parts_->bodies.velocity[slot()].head<3>(); }

Vec3 ConstBodyHandle::angularVelocity() const { return parts_->bodies.velocity[slot()].tail<3>(); }

std::span<const ForceKey> ConstBodyHandle::forces() const {
  return parts_->bodies.record[slot()].forces;
}

std::vector<BodyContact> ConstBodyHandle::contacts() const {
  const int body = slot();
  std::vector<BodyContact> found;
  for (const StepContact& contact : parts_->data.contacts) {
    if (contact.bodyA != body && contact.bodyB != body) continue;
    const ContactSnapshot seen = snapshotOf(*parts_, contact);
    const bool isA = contact.bodyA == body;
    const Real side = isA ? -1 : 1;
    found.push_back({.other = isA ? seen.bodyB : seen.bodyA,
                     .position = seen.position,
                     .normal = side * seen.normal,
                     .gap = seen.gap,
                     .impulse = side * seen.impulse,
                     .normalImpulse = seen.normalImpulse});
  }
  return found;
}

std::vector<JointId> ConstBodyHandle::joints() const {
  const int body = slot();
  const JointStore& all = parts_->joints;
  std::vector<JointId> found;
  for (int j = 0; j < all.slots(); ++j) {
    if (all[j].active() && (all[j].bodyA == body || all[j].bodyB == body)) {
      found.push_back(all.idOf(j));
    }
  }
  return found;
}

void BodyHandle::disturb() const {
  if (parts_->settings.jointRows == JointRows::kMean) {
    for (Joint& joint : parts_->joints) {
      if (joint.bodyA == slot() || joint.bodyB == slot()) joint.forgetRates();
    }
  }
  if (!parts_->settings.sleeping.enabled) return;
  disturbBody(slot(), parts_->joints, parts_->data.warm, parts_->bodyOfCollider, parts_->bodies);
}

void BodyHandle::setPose(const Pose& pose) const {
  const int body = slot();
  const Pose unit = requirePose("setPose", "pose", pose);
  disturb();
  parts_->bodies.setReferencePose(body, unit);
  const int collider = parts_->bodies.collider[body];
  if (collider >= 0) parts_->collision.setPose(collider, parts_->bodies.referencePose(body));
}

void BodyHandle::setVelocity(const Vec3& linear, const Vec3& angular) const {
  const int body = slot();
  requireFinite("setVelocity", "linear velocity", linear);
  requireFinite("setVelocity", "angular velocity", angular);
  if (kind() == BodyKind::kStatic) {
    throw InputError(fmt::format(
        "setVelocity: body '{}' is static and has no velocity: make it kinematic", name()));
  }
  disturb();
  parts_->bodies.velocity[body] << linear, angular;
}

void BodyHandle::applyForce(const Vec3& force) const {
  requireFinite("applyForce", "force", force);
  if (kind() == BodyKind::kStatic || force.isZero(0)) return;
  parts_->bodies.load[slot()].head<3>() += force;
  wake();
}

void BodyHandle::applyForceAt(const Vec3& force, const Vec3& worldPoint) const {
  requireFinite("applyForceAt", "force", force);
  requireFinite("applyForceAt", "point", worldPoint);
  const Vec3 torque = (worldPoint - centerOfMass()).cross(force);
  requireFinite("applyForceAt", "torque of the force", torque);  // nothing is added unless all is
  applyForce(force);
  applyTorque(torque);
}

void BodyHandle::applyTorque(const Vec3& torque) const {
  requireFinite("applyTorque", "torque", torque);
  if (kind() == BodyKind::kStatic || torque.isZero(0)) return;
  parts_->bodies.load[slot()].tail<3>() += torque;
  wake();
}

void BodyHandle::setForces(std::vector<ForceKey> forces) const {
  parts_->bodies.setForces(slot(), std::move(forces));
}

void BodyHandle::wake() const { parts_->bodies.wake(slot()); }

}  // namespace drystone
