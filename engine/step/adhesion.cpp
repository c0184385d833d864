#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "engine/step/rows.h"
#include "solvers/problem/problem_ops.h"

namespace drystone {
namespace {

/// Whether adhesion acts at a contact. Two bodies that turn as one part by up to
/// ½ h² ω × (ω × r) in a step, since their centres move straight on: what of it lies along the
/// normal opens the contact.
bool isClosed(const BodyStore& bodies, const StepContact& contact, const StepMotion& motion,
              Real h) {
  if (contact.isLate || contact.waits) return false;
  if (contact.point.gap <= kRestingGap) return true;
  const ContactArms arms = armsOf(bodies, contact);
  const auto opened = [&](int body, const Vec3& arm) {
    const Vec3 spin = motion.old[body].tail<3>();
    return h * h * std::abs(contact.point.normal.dot(spin.cross(spin.cross(arm))));
  };
  return contact.point.gap <=
         kRestingGap + opened(contact.bodyA, arms.a) + opened(contact.bodyB, arms.b);
}

/// What one contact of each body pulls with by the body's own adhesion [N], in equal shares.
void findPulls(const BodyStore& bodies, std::span<const StepContact> contacts, Real time, Real h,
               StepMotion& motion) {
  std::vector<Real>& pull = motion.pull;
  pull.assign(bodies.hasAdhesion.size(), 0.0);  // first how many there are
  for (const StepContact& contact : contacts) {
    if (!isClosed(bodies, contact, motion, h)) continue;
    ++pull[contact.bodyA];
    ++pull[contact.bodyB];
  }
  for (int i = 0; i < bodies.slots(); ++i) {
    if (pull[i] > 0) pull[i] = bodies.adhesionAt(i, time) / pull[i];
  }
}

/// The stretch of contacts of one pair of bodies that begins the list.
std::span<const StepContact> firstPair(std::span<const StepContact> contacts) {
  const StepContact& first = contacts.front();
  const auto isOther = [&](const StepContact& contact) {
    return contact.bodyA != first.bodyA || contact.bodyB != first.bodyB;
  };
  return {contacts.begin(), std::ranges::find_if(contacts, isOther)};
}

bool adheres(const StepContact& contact) { return contact.adhesion > 0; }

}  // namespace

void attract(const BodyStore& bodies, std::span<const StepContact> contacts, Real time, Real h,
             ConstraintRows& rows, StepMotion& motion) {
  rows.attraction.clear();
  motion.attracted.clear();
  const bool bodiesAdhere = std::ranges::find(bodies.hasAdhesion, 1) != bodies.hasAdhesion.end();
  if (!bodiesAdhere && std::ranges::none_of(contacts, adheres)) return;
  rows.attraction.assign(rows.b.size(), 0.0);
  motion.attracted.assign(motion.free.size(), Vec6::Zero());
  // The middle: a key that the round-off of times moves across the start still counts as one step.
  findPulls(bodies, contacts, time + h / 2, h, motion);
  const auto pullTogether = [&](const StepContact& contact, Real impulse) {
    rows.attraction[rows.firstRow[contact.block]] = impulse;
    const ContactArms arms = armsOf(bodies, contact);
    const auto push = [&](int body, Real along, const Vec3& arm) {
      if (!bodies.isDynamic(body)) return;
      Vec6 row = pointRow(contact.point.normal, arm);
      bodies.dropLocked(body, row);
      const Vec6 change = along * applyInverseInertia(bodies.inverseInertia[body], row);
      motion.attracted[body] += change;
      motion.free[body] += change;
    };
    push(contact.bodyA, impulse, arms.a);
    push(contact.bodyB, -impulse, arms.b);
  };
  const auto touches = [&](const StepContact& contact) {
    return isClosed(bodies, contact, motion, h);
  };
  for (std::span<const StepContact> left = contacts; !left.empty();) {
    const std::span<const StepContact> pair = firstPair(left);
    const auto sharing = static_cast<Real>(std::ranges::count_if(pair, touches));
    for (const StepContact& contact : pair) {
      if (!touches(contact)) continue;
      const Real ofBodies = motion.pull[contact.bodyA] + motion.pull[contact.bodyB];
      const Real pull = ofBodies + contact.adhesion / sharing;
      if (pull > 0) pullTogether(contact, h * pull);
    }
    left = left.subspan(pair.size());
  }
}

}  // namespace drystone
