#include "viewer/draw/contact_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/step/contacts.h"

namespace drystone::viewer {
namespace {

// Sine of the rise up to which a normal counts as level: 1.1°.
constexpr Real kLevelNormal = 0.02;

}  // namespace

Mat3 contactAxes(const ContactSnapshot& contact) {
  Mat3 axes;
  axes.col(0) = contact.tangent.isZero(0) ? contactTangent(contact.normal) : contact.tangent;
  axes.col(1) = contact.normal.cross(axes.col(0));
  axes.col(2) = contact.normal;
  return axes;
}

Real frictionRatio(const ContactSnapshot& contact) {
  const bool isKnown = contact.frictionAcross > 0 && contact.friction > 0;
  return isKnown ? contact.frictionAcross / contact.friction : 1;
}

Real frictionDemand(const ContactSnapshot& contact, FrictionModel model) {
  const Mat3 axes = contactAxes(contact);
  const Real first = std::abs(contact.impulse.dot(axes.col(0)));
  const Real second = std::abs(contact.impulse.dot(axes.col(1))) / frictionRatio(contact);
  switch (model) {
    case FrictionModel::kBox:
    case FrictionModel::kPyramid:
      return std::max(first, second);
    case FrictionModel::kDiamond:
      return first + second;
    case FrictionModel::kNone:
    case FrictionModel::kCone:
    case FrictionModel::kContensou:
    case FrictionModel::kRolling:
      break;
  }
  return std::hypot(first, second);
}

Real meanImpulse(const std::vector<ContactSnapshot>& contacts) {
  Real sum = 0;
  int count = 0;
  for (const ContactSnapshot& contact : contacts) {
    const Real impulse = contact.impulse.norm();
    if (!(impulse > 0) || !std::isfinite(impulse)) continue;
    sum += impulse;
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

std::span<const Real> shownSides(const ContactSnapshot& contact, const Vec3& gravity) {
  static constexpr Real kOnB[] = {1}, kOnA[] = {-1}, kOnBoth[] = {1, -1};
  const Real rise = -contact.normal.dot(gravity), least = kLevelNormal * gravity.norm();
  if (rise > least) return kOnB;
  if (rise < -least) return kOnA;
  return kOnBoth;
}

ContactSnapshot seenFrom(const ContactSnapshot& contact, Real side) {
  ContactSnapshot seen = contact;
  if (side > 0) return seen;
  seen.tangent = contactAxes(contact).col(0);
  std::swap(seen.bodyA, seen.bodyB);
  seen.normal *= -1;
  seen.impulse *= -1;
  return seen;
}

ContactState contactState(const ContactSnapshot& contact, FrictionModel model, Real negligible) {
  const Real push = contact.normalImpulse + contact.attraction;
  if (contact.impulse.norm() <= negligible && push <= negligible) return ContactState::kOpen;
  if (push < -negligible) return ContactState::kViolating;
  const Real limit = model == FrictionModel::kNone ? 0 : contact.friction * std::max<Real>(0, push);
  const Real demand = frictionDemand(contact, model);
  if (demand > (1 + kStateTolerance) * limit + negligible) return ContactState::kViolating;
  return demand >= (1 - kStateTolerance) * limit ? ContactState::kSlip : ContactState::kStick;
}

}  // namespace drystone::viewer
