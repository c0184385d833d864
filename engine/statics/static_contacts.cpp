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

/// From the columns of the contact, which say what each of its rows does to the bodies.
Vec3 forceOnB(const StaticRows& rows, const StaticContactRows& contact,
              const ContactForces& forces) {
  Vec3 out = Vec3::Zero();
  for (int i = 0; i <= contact.tangents; ++i) {
    const StaticColumn& column = rows.columns[contact.first + i];
    const Real amount = i == 0 ? forces.normal : forces.tangents[i - 1];
    const Vec3 ofRow = column.b >= 0 ? Vec3(column.onB.head<3>()) : Vec3(-column.onA.head<3>());
    out += amount * ofRow;
  }
  return out;
}

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
                   .force = forceOnB(rows, own, forces),
                   .mu = own.tangents > 0 || own.slides ? own.friction : 0,
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
