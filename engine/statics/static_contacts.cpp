#include "engine/statics/static_contacts.h"

#include <algorithm>
#include <functional>

#include "engine/model/body_store.h"
#include "engine/statics/scaled_program.h"
#include "engine/statics/static_rows.h"

namespace drystone {
namespace {

/// Contacts with less of the largest normal force carry nothing: what the interior point leaves.
constexpr Real kNoForce = 1e-6;

}  // namespace

std::vector<StaticContact> contactsOf(const StaticRows& rows, const BodyStore& bodies,
                                      const ScaledProgram& scaled, const VecX& x) {
  std::vector<StaticContact> out;
  Real largest = 0;
  for (std::size_t c = 0; c < rows.contacts.size(); ++c) {
    const StaticContactRows& own = rows.contacts[c];
    const ContactForces forces = scaled.contactForces(own, static_cast<int>(c), x);
    out.push_back({.bodyA = bodies.idOf(own.slotA),
                   .bodyB = bodies.idOf(own.slotB),
                   .position = own.position,
                   .normal = own.normal,
                   .normalForce = forces.normal,
                   .friction = forces.friction,
                   .use = forces.use});
    largest = std::max(largest, forces.normal);
  }
  for (StaticContact& contact : out) {
    if (contact.normalForce <= kNoForce * largest) contact.use = 0;
  }
  std::ranges::stable_sort(out, std::greater(), &StaticContact::use);
  return out;
}

}  // namespace drystone
