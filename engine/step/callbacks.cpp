// What users say about pairs and contacts, between detection and rows: docs/callbacks.md.
#include "engine/step/callbacks.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "core/field_checks.h"
#include "core/input_error.h"

namespace drystone {
namespace {

/// Calls a function of the user. Returns whether it came to its end; what it throws is kept.
template <class Call>
bool run(Callbacks& callbacks, Call&& call) {
  callbacks.isRunning = true;
  bool isDone = false;
  try {
    call();
    isDone = true;
  } catch (...) {
    if (!callbacks.thrown) callbacks.thrown = std::current_exception();
  }
  callbacks.isRunning = false;
  return isDone;
}

bool hasSameGrain(const Material& a, const Material& b) {
  return a.frictionAcross == b.frictionAcross && a.frictionDirection == b.frictionDirection;
}

bool hasSameSpring(const Material& a, const Material& b) {
  return a.stiffness == b.stiffness && a.damping == b.damping &&
         a.youngsModulus == b.youngsModulus && a.poissonsRatio == b.poissonsRatio &&
         a.contactArea == b.contactArea && a.contactPoints == b.contactPoints;
}

bool isSame(const Material& a, const Material& b) {
  return a.friction == b.friction && a.restitution == b.restitution &&
         a.tangentialRestitution == b.tangentialRestitution && a.compliance == b.compliance &&
         a.contensouRadius == b.contensouRadius && a.rollingResistance == b.rollingResistance &&
         a.adhesion == b.adhesion && hasSameSpring(a, b) && hasSameGrain(a, b);
}

/// Throws InputError where a modifier left what no contact can have.
void check(const BodyStore& bodies, const StepContact& contact, const Material& before,
           const ContactChange& change) {
  std::vector<std::string> problems = fieldProblems("material", change.material);
  for (const std::string& one : springContradictions(change.material)) {
    problems.push_back("material: " + one);
  }
  if (!hasSameGrain(change.material, before)) {
    problems.emplace_back(
        "friction that differs between directions is that of the materials; give friction_across "
        "and friction_direction to these");
  }
  if (!change.surfaceVelocity.allFinite()) problems.emplace_back("surface velocity is not finite");
  if (problems.empty()) return;
  throw InputError(fmt::format("contact modifier, bodies '{}' and '{}': {}",
                               bodies.record[contact.bodyA].name, bodies.record[contact.bodyB].name,
                               problems.front()));
}

SurfacePair surfacesOf(const ModifierInput& input, const StepContact& contact) {
  return input.materials.combine(contact.materialA, contact.materialB);
}

ContactChange describe(const ModifierInput& input, const StepContact& contact) {
  const BodyStore& bodies = input.bodies;
  const int a = contact.bodyA, b = contact.bodyB;
  const ContactArms arms = armsOf(bodies, contact);
  const auto velocityAt = [&](int body, const Vec3& arm) -> Vec3 {
    const Vec6& u = input.velocity[body];
    return u.head<3>() + u.tail<3>().cross(arm);
  };
  const auto [partA, partB] = input.collision.touchedParts(contact.point);
  return {.bodyA = bodies.idOf(a),
          .bodyB = bodies.idOf(b),
          .partA = partA,
          .partB = partB,
          .position = touchPoint(bodies, contact),
          .normal = contact.point.normal,
          .gap = contact.point.gap,
          .velocity = velocityAt(b, arms.b) - velocityAt(a, arms.a),
          .material = surfacesOf(input, contact).material,
          .surfaceVelocity = surfaceSlip(bodies, contact)};
}

/// Has one contact changed. Returns whether it stays.
bool change(const ModifierInput& input, Callbacks& callbacks, StepContact& contact) {
  const ContactChange before = describe(input, contact);
  ContactChange changed = before;
  const bool isDone = run(callbacks, [&] {
    callbacks.modify(changed);
    const bool isAsBefore = isSame(changed.material, before.material) &&
                            changed.surfaceVelocity == before.surfaceVelocity;
    if (!isAsBefore) {
      check(input.bodies, contact, before.material, changed);
    }
  });
  if (!isDone) return true;
  if (changed.isDisabled) return false;
  SurfacePair pair = surfacesOf(input, contact);
  pair.material = changed.material;
  setSurfaces(input.bodies, pair, input.settings, input.h, contact);
  if (changed.surfaceVelocity != before.surfaceVelocity) contact.slip = changed.surfaceVelocity;
  return true;
}

}  // namespace

void requireOutside(const Callbacks& callbacks, std::string_view function) {
  if (!callbacks.isRunning) return;
  throw InputError(fmt::format(
      "{}: not from within a callback of a step: note what is to be done, and do it after the step",
      function));
}

void throwKept(Callbacks& callbacks) {
  if (callbacks.thrown) std::rethrow_exception(std::exchange(callbacks.thrown, nullptr));
}

bool PairQuestion::accepts(const ContactPoint& point) {
  if (!callbacks_.accepts) return true;
  if (point.colliderA == colliderA_ && point.colliderB == colliderB_) return isAccepted_;
  colliderA_ = point.colliderA;
  colliderB_ = point.colliderB;
  isAccepted_ = true;
  run(callbacks_, [&] {
    isAccepted_ = callbacks_.accepts(bodies_.idOf(bodyOfCollider_[colliderA_]),
                                     bodies_.idOf(bodyOfCollider_[colliderB_]));
  });
  return isAccepted_;
}

void dropRefused(std::span<const int> bodyOfCollider, const BodyStore& bodies, Callbacks& callbacks,
                 std::vector<ContactPoint>& points) {
  if (!callbacks.accepts) return;
  PairQuestion question(bodyOfCollider, bodies, callbacks);
  std::erase_if(points, [&](const ContactPoint& point) { return !question.accepts(point); });
}

void modifyContacts(const ModifierInput& input, Callbacks& callbacks,
                    std::vector<StepContact>& contacts) {
  if (!callbacks.modify) return;
  std::size_t kept = 0;
  for (StepContact& contact : contacts) {
    if (change(input, callbacks, contact)) contacts[kept++] = contact;
  }
  contacts.resize(kept);
}

}  // namespace drystone
