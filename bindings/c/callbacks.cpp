// Functions of C that a step asks: which pairs meet, and what becomes of a contact point.

#include <optional>

#include "bindings/c/boundary.h"

namespace drystone::c {
namespace {

/// C has no optional numbers: one that is negative is none.
constexpr double kNone = -1;

std::optional<Real> unlessNegative(double number) {
  // Not a number is no lack of one, but an error of the step.
  return number < 0 ? std::nullopt : std::optional<Real>(number);
}

drystone_contact_change toChange(const ContactChange& from) {
  const Material& material = from.material;
  drystone_contact_change to = {.size = sizeof to,
                                .a = toId(from.bodyA),
                                .b = toId(from.bodyB),
                                .part_a = from.partA.part,
                                .part_b = from.partB.part,
                                .triangle_a = from.partA.triangle,
                                .triangle_b = from.partB.triangle,
                                .gap = from.gap,
                                .friction = material.friction,
                                .restitution = material.restitution,
                                .tangential_restitution = material.tangentialRestitution,
                                .compliance = material.compliance.value_or(kNone),
                                .contensou_radius = material.contensouRadius,
                                .rolling_resistance = material.rollingResistance,
                                .is_disabled = from.isDisabled,
                                .stiffness = material.stiffness.value_or(kNone),
                                .damping = material.damping.value_or(kNone),
                                .adhesion = material.adhesion};
  put(from.position, to.position);
  put(from.normal, to.normal);
  put(from.velocity, to.velocity);
  put(from.surfaceVelocity, to.surface_velocity);
  return to;
}

/// The fields that a modifier may change. The step checks them.
void take(const drystone_contact_change& from, ContactChange& to) {
  Material& material = to.material;
  material.friction = from.friction;
  material.restitution = from.restitution;
  material.tangentialRestitution = from.tangential_restitution;
  material.compliance = unlessNegative(from.compliance);
  material.stiffness = unlessNegative(from.stiffness);
  material.damping = unlessNegative(from.damping);
  material.adhesion = from.adhesion;
  material.contensouRadius = from.contensou_radius;
  material.rollingResistance = from.rolling_resistance;
  to.surfaceVelocity = Vec3(from.surface_velocity);
  to.isDisabled = from.is_disabled != 0;
}

}  // namespace

extern "C" {

drystone_error drystone_world_set_pair_filter(drystone_world* world, drystone_pair_filter filter,
                                              void* user) {
  return guarded([&] {
    if (filter == nullptr) return worldOf(world).setPairFilter({});
    worldOf(world).setPairFilter([world, filter, user](BodyId a, BodyId b) {
      return filter(world, toId(a), toId(b), user) != 0;
    });
  });
}

drystone_error drystone_world_set_contact_modifier(drystone_world* world,
                                                   drystone_contact_modifier modifier, void* user) {
  return guarded([&] {
    if (modifier == nullptr) return worldOf(world).setContactModifier({});
    worldOf(world).setContactModifier([world, modifier, user](ContactChange& contact) {
      drystone_contact_change change = toChange(contact);
      modifier(world, &change, user);
      take(change, contact);
    });
  });
}

}  // extern "C"

}  // namespace drystone::c
