#include "viewer/draw/contact_state.h"

#include <algorithm>
#include <cmath>

#include "engine/step/contacts.h"

namespace drystone::viewer {

Real frictionDemand(const ContactSnapshot& contact, FrictionModel model) {
  const Vec3 tangential = contact.impulse - contact.impulse.dot(contact.normal) * contact.normal;
  const Vec3 axis = contactTangent(contact.normal);
  const Real first = std::abs(tangential.dot(axis));
  const Real second = std::abs(tangential.dot(contact.normal.cross(axis)));
  switch (model) {
    case FrictionModel::kBox:
    case FrictionModel::kPyramid:
      return std::max(first, second);
    case FrictionModel::kDiamond:
      return first + second;
    case FrictionModel::kNone:
    case FrictionModel::kCone:
    case FrictionModel::kContensou:
      break;
  }
  return tangential.norm();
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

ContactState contactState(const ContactSnapshot& contact, FrictionModel model, Real negligible) {
  if (contact.impulse.norm() <= negligible) return ContactState::kOpen;
  if (contact.normalImpulse < -negligible) return ContactState::kViolating;
  const Real limit = model == FrictionModel::kNone
                         ? 0
                         : contact.friction * std::max<Real>(0, contact.normalImpulse);
  const Real demand = frictionDemand(contact, model);
  if (demand > (1 + kStateTolerance) * limit + negligible) return ContactState::kViolating;
  return demand >= (1 - kStateTolerance) * limit ? ContactState::kSlip : ContactState::kStick;
}

}  // namespace drystone::viewer
