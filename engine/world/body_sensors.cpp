// What bodies measure: made of what the step keeps anyway, when it is asked for.
#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <variant>

#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "engine/step/half_done.h"
#include "engine/step/integrate.h"
#include "engine/step/world_parts.h"
#include "engine/world/body_handle.h"

namespace drystone {
namespace {

/// The motion of a body's centre of mass and axes that a reading is made of, world axes.
struct MeanMotion {
  Vec6 velocity = Vec6::Zero();      ///< [m/s], [rad/s]
  Vec6 acceleration = Vec6::Zero();  ///< [m/s²], [rad/s²]
  Vec3 gravity;                      ///< [m/s²]
  Quat rotation;                     ///< of the body frame, when these were so
};

bool hasEnd(const StepMotion& motion, int body) {
  return body < static_cast<int>(motion.end.size()) && !std::isnan(motion.end[body][0]);
}

std::optional<MeanMotion> meanMotion(const WorldParts& world, int body) {
  const BodyStore& bodies = world.bodies;
  const StepMotion& motion = world.data.motion;
  const Real scale = bodies.gravityScale[body];
  MeanMotion mean{.gravity = scale * world.settings.gravity, .rotation = bodies.rotation[body]};
  if (bodies.kind[body] == BodyKind::kStatic || bodies.isAsleep(body)) return mean;
  if (!hasEnd(motion, body)) return std::nullopt;
  const Real h = world.data.warm.timestep();
  Vec6 before = motion.old[body], after = motion.end[body];
  if (bodies.isDynamic(body)) {
    mean.rotation = motion.met[body];
  } else {
    // It has gone on from the middle all the time that is left.
    mean.rotation = displaced({Vec3::Zero(), mean.rotation}, -h / 2 * motion.end[body]).rotation;
    if (!bodies.record[body].motion.empty()) {
      before = prescribedVelocity(bodies, body, world.time - h);
      after = prescribedVelocity(bodies, body, world.time);
    }
  }
  mean.velocity = 0.5 * (before + after);
  mean.acceleration = (after - before) / h;
  mean.gravity = scale * motion.gravity;
  return mean;
}

}  // namespace

Vec3 ConstBodyHandle::velocityAt(const Vec3& worldPoint) const {
  const Vec6& u = parts_->bodies.velocity[slot()];
  requireFinite("velocityAt", "point", worldPoint);
  return u.head<3>() + u.tail<3>().cross(worldPoint - centerOfMass());
}

std::optional<ImuReading> ConstBodyHandle::imu(const Pose& site) const {
  const int body = slot();
  requireUsable(*parts_, "imu");
  const Pose unit = requirePose("imu", "site", site);
  const std::optional<MeanMotion> mean = meanMotion(*parts_, body);
  if (!mean) return std::nullopt;
  const Pose inBody = parts_->bodies.reference[body] * unit;
  const Vec3 arm = mean->rotation * inBody.position;
  const Vec3 omega = mean->velocity.tail<3>(), alpha = mean->acceleration.tail<3>();
  const Vec3 acceleration =
      mean->acceleration.head<3>() + alpha.cross(arm) + omega.cross(omega.cross(arm));
  const Quat toSite = (mean->rotation * inBody.rotation).conjugate();
  return ImuReading{.specificForce = toSite * (acceleration - mean->gravity),
                    .angularVelocity = toSite * omega,
                    .angularAcceleration = toSite * alpha};
}

template <class IsCounted>
ContactForce ConstBodyHandle::sumOfContacts(IsCounted&& isCounted) const {
  const int body = slot();
  requireUsable(*parts_, "contactForce");
  const WarmStarts& warm = parts_->data.warm;
  const int own = parts_->bodies.collider[body];
  ContactForce sum;
  for (const auto* list : {&warm.lists().awake, &warm.lists().asleep}) {
    for (const WarmContact& contact : *list) {
      const bool isA = contact.colliderA == own;
      if (own < 0 || (!isA && contact.colliderB != own)) continue;
      const int other = parts_->bodyOfCollider[isA ? contact.colliderB : contact.colliderA];
      const auto parts = parts_->collision.touchedParts({.colliderA = contact.colliderA,
                                                         .colliderB = contact.colliderB,
                                                         .feature = contact.feature});
      if (!isCounted(other, parts[isA ? 0 : 1].part)) continue;
      const Real rate = (isA ? -1 : 1) / warm.timestep();
      const Vec3 force = rate * contact.impulse;
      sum.force += force;
      const Vec3& arm = isA ? contact.arms.a : contact.arms.b;
      sum.torque += arm.cross(force) + rate * contact.moment;
    }
  }
  return sum;
}

ContactForce ConstBodyHandle::contactForce() const {
  return sumOfContacts([](int, int) { return true; });
}

ContactForce ConstBodyHandle::contactForce(BodyId other) const {
  const int wanted = parts_->bodies.slotOf(other);
  return sumOfContacts([&](int slot, int) { return slot == wanted; });
}

ContactForce ConstBodyHandle::contactForceOnPart(int part) const {
  const Shape* const own = shape();
  const auto* const compound = own != nullptr ? std::get_if<Compound>(own) : nullptr;
  const int count = compound != nullptr ? static_cast<int>(compound->children.size()) : 0;
  if (part < 0 || part >= count) {
    throw InputError(
        fmt::format("contactForceOnPart: the shape of body '{}' has no child {}; there are {}{}",
                    name(), part, count, count == 0 ? ": ask contactForce() for all of it" : ""));
  }
  return sumOfContacts([&](int, int touched) { return touched == part; });
}

}  // namespace drystone
