#include "engine/world/body_handle.h"

#include <fmt/format.h>

#include <utility>

#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "engine/model/cable.h"
#include "engine/observe/snapshot.h"
#include "engine/observe/world_state.h"
#include "engine/step/body_changes.h"
#include "engine/step/half_done.h"
#include "engine/step/integrate.h"
#include "engine/step/world_parts.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {

ConstBodyHandle::ConstBodyHandle(WorldParts* parts, BodyId id) : parts_(parts), id_(id) { slot(); }

int ConstBodyHandle::slot() const { return parts_->bodies.slotOf(id_); }

std::string_view ConstBodyHandle::name() const { return parts_->bodies.record[slot()].name; }

const Shape* ConstBodyHandle::shape() const {
  const auto& shape = parts_->bodies.record[slot()].shape;
  return shape ? &*shape : nullptr;
}

std::uint64_t ConstBodyHandle::userData() const { return parts_->bodies.record[slot()].userData; }

BodyKind ConstBodyHandle::kind() const { return parts_->bodies.kind[slot()]; }

bool ConstBodyHandle::isSensor() const { return parts_->bodies.isSensor[slot()] != 0; }

bool ConstBodyHandle::isAwake() const { return !parts_->bodies.isAsleep(slot()); }

Real ConstBodyHandle::mass() const {
  return kind() == BodyKind::kDynamic ? parts_->bodies.mass[slot()] : kInfinity;
}

InverseInertia ConstBodyHandle::inverseInertia() const {
  return parts_->bodies.inverseInertia[slot()];
}

BodyDefinition ConstBodyHandle::definition() const {
  BodyDefinition definition = parts_->bodies.record[slot()];
  definition.pose = pose();
  definition.linearVelocity = linearVelocity();
  definition.angularVelocity = angularVelocity();
  return definition;
}

Pose ConstBodyHandle::pose() const { return parts_->bodies.referencePose(slot()); }

Vec3 ConstBodyHandle::centerOfMass() const { return parts_->bodies.position[slot()]; }

Vec3 ConstBodyHandle::linearVelocity() const { return parts_->bodies.velocity[slot()].head<3>(); }

Vec3 ConstBodyHandle::angularVelocity() const { return parts_->bodies.velocity[slot()].tail<3>(); }

std::span<const ForceKey> ConstBodyHandle::forces() const {
  return parts_->bodies.record[slot()].forces;
}

Real ConstBodyHandle::adhesion() const {
  return parts_->bodies.adhesionAt(slot(), parts_->time + parts_->settings.substep() / 2);
}

std::vector<BodyContact> ConstBodyHandle::contacts() const {
  const int body = slot();
  requireUsable(*parts_, "contacts");
  std::vector<BodyContact> found;
  for (const StepContact& contact : parts_->data.contacts) {
    if (contact.bodyA != body && contact.bodyB != body) continue;
    const ContactSnapshot seen = snapshotOf(*parts_, contact);
    const auto [partA, partB] = parts_->collision.touchedParts(contact.point);
    const bool isA = contact.bodyA == body;
    const Real side = isA ? -1 : 1;
    found.push_back({.other = isA ? seen.bodyB : seen.bodyA,
                     .part = isA ? partA : partB,
                     .otherPart = isA ? partB : partA,
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

int BodyHandle::slotToChange() const {
  requireUsable(*parts_, "change of a body");
  return slot();
}

void BodyHandle::setPose(const Pose& pose) const {
  const int body = slotToChange();
  const Pose unit = requirePose("setPose", "pose", pose);
  disturb(*parts_, body);
  forgetEnd(body, parts_->data.motion);
  parts_->bodies.setReferencePose(body, unit);
  const int collider = parts_->bodies.collider[body];
  if (collider >= 0) parts_->collision.setPose(collider, parts_->bodies.referencePose(body));
}

void BodyHandle::setVelocity(const Vec3& linear, const Vec3& angular) const {
  const int body = slotToChange();
  requireBounded("setVelocity", "linear velocity", linear, "m/s");
  requireBounded("setVelocity", "angular velocity", angular, "rad/s");
  if (kind() == BodyKind::kStatic) {
    throw InputError(fmt::format(
        "setVelocity: body '{}' is static and has no velocity: make it kinematic", name()));
  }
  disturb(*parts_, body);
  parts_->bodies.velocity[body] << linear, angular;
  parts_->bodies.dropLocked(body, parts_->bodies.velocity[body]);
}

void BodyHandle::applyForce(const Vec3& force) const {
  requireFinite("applyForce", "force", force);
  if (kind() == BodyKind::kStatic || force.isZero(0)) return;
  parts_->bodies.load[slotToChange()].head<3>() += force;
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
  parts_->bodies.load[slotToChange()].tail<3>() += torque;
  wake();
}

void BodyHandle::setForces(std::vector<ForceKey> forces) const {
  const int body = slotToChange();
  parts_->bodies.setForces(body, std::move(forces));
  disturb(*parts_, body);
}

void BodyHandle::addImpulse(std::string_view function, const Vec6& impulse) const {
  const int body = slotToChange();
  BodyStore& bodies = parts_->bodies;
  if (!bodies.isDynamic(body) || impulse.isZero(0)) return;
  Vec6 velocity = bodies.velocity[body] + applyInverseInertia(bodies.inverseInertia[body], impulse);
  bodies.dropLocked(body, velocity);
  requireBounded(function, "velocity after the impulse", velocity.head<3>(), "m/s");
  requireBounded(function, "velocity after the impulse", velocity.tail<3>(), "rad/s");
  disturb(*parts_, body);
  bodies.velocity[body] = velocity;
}

void BodyHandle::applyImpulse(const Vec3& impulse, const Vec3& worldPoint) const {
  requireFinite("applyImpulse", "impulse", impulse);
  requireFinite("applyImpulse", "point", worldPoint);
  const Vec3 moment = (worldPoint - centerOfMass()).cross(impulse);
  Vec6 both;
  both << impulse, moment;
  addImpulse("applyImpulse", both);
}

void BodyHandle::applyAngularImpulse(const Vec3& impulse) const {
  requireFinite("applyAngularImpulse", "impulse", impulse);
  Vec6 both;
  both << Vec3::Zero(), impulse;
  addImpulse("applyAngularImpulse", both);
}

template <class Edit>
void BodyHandle::change(Edit&& edit, bool isNewShape) const {
  const int body = slotToChange();
  BodyDefinition definition = parts_->bodies.record[body];
  edit(definition);
  changeBody(*parts_, body, definition, isNewShape);
}

void BodyHandle::setMass(const MassProperties& mass) const {
  if (kind() != BodyKind::kDynamic) {
    throw InputError(
        fmt::format("setMass: body '{}' is not dynamic and has no mass: setKind first", name()));
  }
  change([&](BodyDefinition& body) { body.mass = mass; });
}

void BodyHandle::setDensity(Real density) const {
  if (shape() == nullptr) {
    throw InputError(
        fmt::format("setDensity: body '{}' has no shape: give it one, or a mass", name()));
  }
  requireFinite("setDensity", "density", density);
  change([&](BodyDefinition& body) {
    body.density = density;
    body.mass.reset();
  });
}

void BodyHandle::setMaterial(MaterialId material) const {
  change([&](BodyDefinition& body) { body.material = material; });
}

void BodyHandle::setPartMaterials(std::vector<MaterialId> materials) const {
  change([&](BodyDefinition& body) { body.partMaterials = std::move(materials); });
}

void BodyHandle::setFilter(const CollisionFilter& filter) const {
  change([&](BodyDefinition& body) { body.filter = filter; });
}

void BodyHandle::requireKind(std::string_view function, BodyKind kind) const {
  const int body = slot();
  if (parts_->bodies.kind[body] == kind) return;
  const JointStore& joints = parts_->joints;
  // Its spans were chosen by which bodies move.
  for (int i = 0; i < joints.slots(); ++i) {
    const Joint& span = joints[i];
    if (!span.active() || cableOf(joints, i) < 0) continue;
    if (span.bodyA != body && span.bodyB != body) continue;
    throw InputError(fmt::format(
        "{}: cable '{}' passes body '{}', which must keep its kind: remove the cable first",
        function, joints[cableOf(joints, i)].name, name()));
  }
  if (kind != BodyKind::kDynamic) return;
  for (const Joint& gear : joints) {
    if (!gear.alive || !carries(joints, gear, body)) continue;
    throw InputError(fmt::format(
        "{}: body '{}' carries the joints of gear '{}', so it cannot be dynamic: remove the gear "
        "first",
        function, name(), gear.name));
  }
}

void BodyHandle::setKind(BodyKind kind) const {
  const int body = slotToChange();
  if (parts_->bodies.kind[body] == kind) return;
  requireKind("setKind", kind);
  change([&](BodyDefinition& definition) {
    definition.kind = kind;
    if (kind != BodyKind::kKinematic) definition.motion.clear();
    if (kind != BodyKind::kDynamic) definition.forces.clear();
    if (kind == BodyKind::kStatic) {
      definition.linearVelocity.setZero();
      definition.angularVelocity.setZero();
    }
  });
}

void BodyHandle::setShape(std::optional<Shape> shape, ShapeMass mass) const {
  change(
      [&](BodyDefinition& body) {
        if (mass == ShapeMass::kByDensity) {
          body.mass.reset();
        } else if (body.kind == BodyKind::kDynamic && !body.mass) {
          body.mass = massProperties(*body.shape, body.density);
        }
        body.shape = std::move(shape);
        body.partMaterials.clear();
      },
      true);
}

void BodyHandle::setSurfaceVelocity(const Vec3& velocity) const {
  change([&](BodyDefinition& body) { body.surfaceVelocity = velocity; });
}

void BodyHandle::setSensor(bool isSensor) const {
  change([&](BodyDefinition& body) { body.isSensor = isSensor; });
}

void BodyHandle::setAdhesion(Real force) const {
  change([&](BodyDefinition& body) {
    body.adhesion.clear();
    if (force != 0) body.adhesion.push_back({.force = force});
  });
}

void BodyHandle::setAdhesion(std::vector<AdhesionKey> keys) const {
  change([&](BodyDefinition& body) { body.adhesion = std::move(keys); });
}

void BodyHandle::setAllowSleep(bool allowSleep) const {
  change([&](BodyDefinition& body) { body.allowSleep = allowSleep; });
}

void BodyHandle::setMotion(std::vector<VelocityKey> motion) const {
  change([&](BodyDefinition& body) { body.motion = std::move(motion); });
}

void BodyHandle::setDamping(Real linear, Real angular) const {
  change([&](BodyDefinition& body) {
    body.linearDamping = linear;
    body.angularDamping = angular;
  });
}

void BodyHandle::setGravityScale(Real scale) const {
  change([&](BodyDefinition& body) { body.gravityScale = scale; });
}

void BodyHandle::setLockedAxes(const LockedAxes& axes) const {
  change([&](BodyDefinition& body) { body.lockedAxes = axes; });
}

void BodyHandle::redefine(const BodyDefinition& definition, bool isNewShape) const {
  slotToChange();
  requireKind("redefine", definition.kind);
  change(
      [&](BodyDefinition& body) {
        BodyDefinition next = definition;
        next.name = body.name;
        next.pose = body.pose;
        next.userData = body.userData;
        body = std::move(next);
      },
      isNewShape);
}

void BodyHandle::setUserData(std::uint64_t data) const {
  parts_->bodies.record[slot()].userData = data;
}

void BodyHandle::wake() const { parts_->bodies.wake(slotToChange()); }

}  // namespace drystone
