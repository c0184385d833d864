// Bodies for C. Each call looks its body up, so that a stale one is an error.

#include "bindings/c/boundary.h"

namespace drystone::c {
namespace {

drystone_body_definition defaultBody() {
  static const BodyDefinition defaults;
  return {.size = sizeof(drystone_body_definition),
          .kind = DRYSTONE_DYNAMIC,
          .pose = toPose(defaults.pose),
          .density = defaults.density,
          .material = defaults.material,
          .group = defaults.filter.group,
          .mask = defaults.filter.mask,
          .allow_sleep = defaults.allowSleep,
          .gravity_scale = defaults.gravityScale};
}

BodyKind kindOf(int kind) {
  if (kind == DRYSTONE_DYNAMIC) return BodyKind::kDynamic;
  if (kind == DRYSTONE_STATIC) return BodyKind::kStatic;
  if (kind == DRYSTONE_KINEMATIC) return BodyKind::kKinematic;
  throw InputError("body: kind must be DRYSTONE_DYNAMIC, _STATIC or _KINEMATIC, got " +
                   std::to_string(kind));
}

/// The mass that a definition gives; none: that of shape and density.
std::optional<MassProperties> massOf(const drystone_body_definition& from,
                                     const std::optional<Shape>& shape) {
  const double* i = from.inertia;
  const bool hasInertia = std::any_of(i, i + 6, [](double one) { return one != 0; });
  requireFinite({&from.mass, 1}, "body: mass");
  if (from.mass == 0 && !hasInertia) return std::nullopt;
  if (!(from.mass > 0)) throw InputError("body: mass must be > 0 kg where it is given");
  if (hasInertia) {
    MassProperties mass{.mass = from.mass};
    mass.centerOfMass = vectorOf(from.center_of_mass, "body: center_of_mass");
    mass.inertia << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
    return mass;
  }
  if (!shape) throw InputError("body: inertia: without a shape it must be given");
  MassProperties mass = massProperties(*shape, 1);
  mass.inertia *= from.mass / mass.mass;
  mass.mass = from.mass;
  return mass;
}

BodyDefinition bodyOf(const drystone_body_definition* definition) {
  const drystone_body_definition from = readStruct(definition, defaultBody(), "body");
  BodyDefinition body;
  if (from.name != nullptr) body.name = from.name;
  body.kind = kindOf(from.kind);
  if (from.shape != nullptr) body.shape = from.shape->shape;
  body.pose = poseOf(&from.pose, "body: pose");
  body.density = from.density;
  if (body.kind == BodyKind::kDynamic) body.mass = massOf(from, body.shape);
  body.linearVelocity = vectorOf(from.linear_velocity, "body: linear_velocity");
  body.angularVelocity = vectorOf(from.angular_velocity, "body: angular_velocity");
  body.material = from.material;
  body.filter = {.group = from.group, .mask = from.mask};
  body.surfaceVelocity = vectorOf(from.surface_velocity, "body: surface_velocity");
  body.isSensor = from.is_sensor != 0;
  body.allowSleep = from.allow_sleep != 0;
  body.linearDamping = from.linear_damping;
  body.angularDamping = from.angular_damping;
  body.gravityScale = from.gravity_scale;
  for (int i = 0; i < 3; ++i) {
    body.lockedAxes.translation[i] = from.locked_axes[i] != 0;
    body.lockedAxes.rotation[i] = from.locked_axes[3 + i] != 0;
  }
  body.userData = from.user_data;
  return body;
}

BodyHandle handleOf(drystone_world* world, drystone_body_id body) {
  return worldOf(world).body(fromId(body));
}

/// A point of the world, or the centre of mass.
Vec3 pointOf(const BodyHandle& body, const double* point) {
  return point == nullptr ? body.centerOfMass() : vectorOf(point, "point");
}

}  // namespace

extern "C" {

drystone_error drystone_body_defaults(drystone_body_definition* body, size_t size) {
  return setDefaults(defaultBody(), body, size, "body");
}

drystone_error drystone_world_add_body(drystone_world* world, const drystone_body_definition* body,
                                       drystone_body_id* id) {
  return guarded([&] {
    KeyedWorld& keyed = keyedOf(world);
    given(id, "id");
    *id = toId(addBody(keyed, bodyOf(body)));
  });
}

drystone_error drystone_world_add_body_from_text(drystone_world* world, const char* json,
                                                 drystone_body_id* id) {
  return guarded([&] {
    KeyedWorld& keyed = keyedOf(world);
    given(id, "id");
    *id = toId(addBody(keyed, textOf(json, "json")));
  });
}

drystone_error drystone_body_change_from_text(drystone_world* world, drystone_body_id body,
                                              const char* json) {
  return guarded([&] { changeBody(keyedOf(world), fromId(body), textOf(json, "json")); });
}

drystone_error drystone_world_remove_body(drystone_world* world, drystone_body_id body) {
  return guarded([&] { worldOf(world).removeBody(fromId(body)); });
}

drystone_error drystone_world_find_body(drystone_world* world, const char* name,
                                        drystone_body_id* id) {
  return guarded([&] {
    const World& from = worldOf(world);
    given(id, "id") = toId(from.findBody(textOf(name, "name")));
  });
}

drystone_error drystone_body_exists(drystone_world* world, drystone_body_id body, int* exists) {
  return guarded([&] { given(exists, "exists") = worldOf(world).contains(fromId(body)); });
}

drystone_error drystone_body_name(drystone_world* world, drystone_body_id body, const char** name) {
  // A view of a std::string, which ends in a zero.
  return guarded([&] { given(name, "name") = handleOf(world, body).name().data(); });
}

drystone_error drystone_body_user_data(drystone_world* world, drystone_body_id body,
                                       uint64_t* user_data) {
  return guarded([&] { given(user_data, "user_data") = handleOf(world, body).userData(); });
}

drystone_error drystone_body_is_awake(drystone_world* world, drystone_body_id body, int* is_awake) {
  return guarded([&] { given(is_awake, "is_awake") = handleOf(world, body).isAwake(); });
}

drystone_error drystone_body_wake(drystone_world* world, drystone_body_id body) {
  return guarded([&] { handleOf(world, body).wake(); });
}

drystone_error drystone_body_mass(drystone_world* world, drystone_body_id body, double* mass) {
  return guarded([&] { given(mass, "mass") = handleOf(world, body).mass(); });
}

drystone_error drystone_body_pose(drystone_world* world, drystone_body_id body,
                                  drystone_pose* pose) {
  return guarded([&] { given(pose, "pose") = toPose(handleOf(world, body).pose()); });
}

drystone_error drystone_body_set_pose(drystone_world* world, drystone_body_id body,
                                      const drystone_pose* pose) {
  return guarded([&] { handleOf(world, body).setPose(poseOf(pose, "pose")); });
}

drystone_error drystone_body_center_of_mass(drystone_world* world, drystone_body_id body,
                                            double center[3]) {
  return guarded([&] { put(handleOf(world, body).centerOfMass(), &given(center, "center")); });
}

drystone_error drystone_body_velocity(drystone_world* world, drystone_body_id body,
                                      double linear[3], double angular[3]) {
  return guarded([&] {
    const BodyHandle handle = handleOf(world, body);
    given(linear, "linear");
    given(angular, "angular");
    put(handle.linearVelocity(), linear);
    put(handle.angularVelocity(), angular);
  });
}

drystone_error drystone_body_set_velocity(drystone_world* world, drystone_body_id body,
                                          const double linear[3], const double angular[3]) {
  return guarded([&] {
    handleOf(world, body).setVelocity(vectorOf(linear, "linear"), vectorOf(angular, "angular"));
  });
}

drystone_error drystone_body_apply_force(drystone_world* world, drystone_body_id body,
                                         const double force[3], const double* point) {
  return guarded([&] {
    const BodyHandle handle = handleOf(world, body);
    handle.applyForceAt(vectorOf(force, "force"), pointOf(handle, point));
  });
}

drystone_error drystone_body_apply_torque(drystone_world* world, drystone_body_id body,
                                          const double torque[3]) {
  return guarded([&] { handleOf(world, body).applyTorque(vectorOf(torque, "torque")); });
}

drystone_error drystone_body_apply_impulse(drystone_world* world, drystone_body_id body,
                                           const double impulse[3], const double* point) {
  return guarded([&] {
    const BodyHandle handle = handleOf(world, body);
    handle.applyImpulse(vectorOf(impulse, "impulse"), pointOf(handle, point));
  });
}

drystone_error drystone_body_apply_angular_impulse(drystone_world* world, drystone_body_id body,
                                                   const double impulse[3]) {
  return guarded([&] { handleOf(world, body).applyAngularImpulse(vectorOf(impulse, "impulse")); });
}

drystone_error drystone_body_adhesion(drystone_world* world, drystone_body_id body, double* force) {
  return guarded([&] { given(force, "force") = handleOf(world, body).adhesion(); });
}

drystone_error drystone_body_set_adhesion(drystone_world* world, drystone_body_id body,
                                          double force) {
  return guarded([&] { handleOf(world, body).setAdhesion(force); });
}

drystone_error drystone_body_contact_force(drystone_world* world, drystone_body_id body,
                                           double force[3], double torque[3]) {
  return guarded([&] {
    given(force, "force");
    given(torque, "torque");
    const ContactForce sum = handleOf(world, body).contactForce();
    put(sum.force, force);
    put(sum.torque, torque);
  });
}

}  // extern "C"

}  // namespace drystone::c
