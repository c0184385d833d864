// Joints for C. Each call looks its joint up, so that a stale one is an error.

#include "bindings/c/boundary.h"
#include "engine/model/joint_presets.h"

namespace drystone::c {
namespace {

drystone_joint_definition defaultJoint() {
  return {.size = sizeof(drystone_joint_definition),
          .a = {.index = -1, .generation = 0},
          .b = {.index = -1, .generation = 0},
          .frame_a = toPose({}),
          .frame_b = toPose({})};
}

JointDefinition jointOf(const drystone_joint_definition* definition) {
  const drystone_joint_definition from = readStruct(definition, defaultJoint(), "joint");
  const std::string type = textOf(from.type, "joint: type");
  for (const JointPreset& preset : jointPresets()) {
    if (type != preset.name) continue;
    if (preset.geometry == JointGeometry::kGear) {
      throw InputError("joint: type '" + type + "' couples joints: drystone_world_add_gear()");
    }
    JointDefinition joint =
        presetJoint(type, fromId(from.a), fromId(from.b), poseOf(&from.frame_a, "joint: frame_a"),
                    poseOf(&from.frame_b, "joint: frame_b"));
    if (from.name != nullptr) joint.name = from.name;
    if (from.swing_limit != 0) joint.swingLimit = from.swing_limit;
    if (from.breaking_impulse != 0) joint.breakingImpulse = from.breaking_impulse;
    joint.collide = from.collide != 0;
    joint.userData = from.user_data;
    return joint;
  }
  std::string names;
  for (const JointPreset& preset : jointPresets()) {
    if (preset.geometry != JointGeometry::kGear) names += " " + std::string(preset.name);
  }
  throw InputError("joint: there is no type '" + type + "': there are" + names);
}

JointHandle jointHandleOf(drystone_world* world, drystone_joint_id joint) {
  return worldOf(world).joint(fromId(joint));
}

void requireCoordinate(const ConstJointHandle& joint, int coordinate) {
  if (coordinate >= 0 && coordinate < joint.coordinateCount()) return;
  throw InputError("joint '" + std::string(joint.name()) + "' has the coordinates 0 to " +
                   std::to_string(joint.coordinateCount() - 1) + ", not " +
                   std::to_string(coordinate));
}

std::optional<JointMotor> motorOf(const drystone_motor* definition) {
  const drystone_motor from = readStruct(definition, drystone_motor{}, "motor");
  if (from.kind == DRYSTONE_NO_MOTOR) return std::nullopt;
  if (from.kind != DRYSTONE_VELOCITY_MOTOR && from.kind != DRYSTONE_POSITION_MOTOR) {
    throw InputError("motor: kind must be DRYSTONE_NO_, _VELOCITY_ or _POSITION_MOTOR, got " +
                     std::to_string(from.kind));
  }
  const bool isPosition = from.kind == DRYSTONE_POSITION_MOTOR;
  const bool isSoft = from.stiffness != 0 || from.damping != 0;
  if (isSoft && !isPosition) throw InputError("motor: stiffness is for position motors");
  requireFinite({&from.target, 1}, "motor: target");
  JointMotor motor{.kind = isPosition ? MotorKind::kPosition : MotorKind::kVelocity,
                   .target = from.target};
  if (from.max_force != 0) motor.maxForce = from.max_force;
  if (isSoft) motor.servo = JointSpring{.stiffness = from.stiffness, .damping = from.damping};
  return motor;
}

}  // namespace

extern "C" {

drystone_error drystone_joint_defaults(drystone_joint_definition* joint, size_t size) {
  return setDefaults(defaultJoint(), joint, size, "joint");
}

drystone_error drystone_joint_place(drystone_world* world, drystone_joint_definition* joint,
                                    const double anchor[3], const double axis[3]) {
  return guarded([&] {
    const World& from = worldOf(world);
    drystone_joint_definition placed = readStruct(joint, defaultJoint(), "joint");
    const Pose frame = jointFrame(vectorOf(anchor, "anchor"), vectorOf(axis, "axis"));
    placed.frame_a = toPose(from.body(fromId(placed.a)).pose().inverse() * frame);
    placed.frame_b = toPose(from.body(fromId(placed.b)).pose().inverse() * frame);
    writeStruct(placed, joint, joint->size);
  });
}

drystone_error drystone_world_add_joint(drystone_world* world,
                                        const drystone_joint_definition* joint,
                                        drystone_joint_id* id) {
  return guarded([&] {
    KeyedWorld& keyed = keyedOf(world);
    given(id, "id");
    *id = toId(addJoint(keyed, jointOf(joint)));
  });
}

drystone_error drystone_world_add_joint_from_text(drystone_world* world, drystone_body_id a,
                                                  drystone_body_id b, const char* json,
                                                  drystone_joint_id* id) {
  return guarded([&] {
    KeyedWorld& keyed = keyedOf(world);
    given(id, "id");
    *id = toId(addJoint(keyed, fromId(a), fromId(b), textOf(json, "json")));
  });
}

drystone_error drystone_world_add_cable_from_text(drystone_world* world,
                                                  const drystone_body_id* bodies, size_t count,
                                                  const char* json, drystone_joint_id* id) {
  return guarded([&] {
    KeyedWorld& keyed = keyedOf(world);
    given(id, "id");
    given(bodies, "bodies");
    std::vector<BodyId> ids;
    for (size_t i = 0; i < count; ++i) ids.push_back(fromId(bodies[i]));
    *id = toId(addCable(keyed, ids, textOf(json, "json")));
  });
}

drystone_error drystone_world_add_gear(drystone_world* world, drystone_joint_id a,
                                       drystone_joint_id b, double ratio, int is_rope,
                                       drystone_joint_id* id) {
  return guarded([&] {
    KeyedWorld& keyed = keyedOf(world);
    given(id, "id");
    requireFinite({&ratio, 1}, "ratio");
    *id = toId(addJoint(keyed, is_rope != 0 ? pulleyJoint(fromId(a), fromId(b), ratio)
                                            : gearJoint(fromId(a), fromId(b), ratio)));
  });
}

drystone_error drystone_world_remove_joint(drystone_world* world, drystone_joint_id joint) {
  return guarded([&] { worldOf(world).removeJoint(fromId(joint)); });
}

drystone_error drystone_world_find_joint(drystone_world* world, const char* name,
                                         drystone_joint_id* id) {
  return guarded([&] {
    const World& from = worldOf(world);
    given(id, "id") = toId(from.findJoint(textOf(name, "name")));
  });
}

drystone_error drystone_joint_exists(drystone_world* world, drystone_joint_id joint, int* exists) {
  return guarded([&] { given(exists, "exists") = worldOf(world).contains(fromId(joint)); });
}

drystone_error drystone_joint_coordinate(drystone_world* world, drystone_joint_id joint,
                                         int coordinate, double* value, double* rate) {
  return guarded([&] {
    const JointHandle handle = jointHandleOf(world, joint);
    requireCoordinate(handle, coordinate);
    given(value, "value");
    given(rate, "rate");
    *value = handle.coordinate(coordinate);
    *rate = handle.rate(coordinate);
  });
}

drystone_error drystone_joint_reaction(drystone_world* world, drystone_joint_id joint,
                                       double force[3], double torque[3]) {
  return guarded([&] {
    const JointReaction reaction = jointHandleOf(world, joint).reaction();
    given(force, "force");
    given(torque, "torque");
    put(reaction.force, force);
    put(reaction.torque, torque);
  });
}

drystone_error drystone_joint_axis_force(drystone_world* world, drystone_joint_id joint,
                                         int coordinate, drystone_axis_force* force) {
  return guarded([&] {
    requireSize<drystone_axis_force>(given(force, "force").size, "force");
    const JointHandle handle = jointHandleOf(world, joint);
    requireCoordinate(handle, coordinate);
    const AxisForce from = handle.axisForce(coordinate);
    const drystone_axis_force result = {.size = sizeof result,
                                        .lock = from.lock,
                                        .limit = from.limit,
                                        .spring = from.spring,
                                        .motor = from.motor,
                                        .friction = from.friction};
    writeStruct(result, force, force->size);
  });
}

drystone_error drystone_joint_set_limits(drystone_world* world, drystone_joint_id joint,
                                         int coordinate, double lower, double upper) {
  return guarded([&] {
    const JointHandle handle = jointHandleOf(world, joint);
    requireCoordinate(handle, coordinate);
    handle.setLimits(coordinate, lower, upper);
  });
}

drystone_error drystone_joint_change_from_text(drystone_world* world, drystone_joint_id joint,
                                               int coordinate, const char* json) {
  return guarded([&] {
    requireCoordinate(jointHandleOf(world, joint), coordinate);
    changeJoint(keyedOf(world), fromId(joint), coordinate, textOf(json, "json"));
  });
}

drystone_error drystone_joint_set_motor(drystone_world* world, drystone_joint_id joint,
                                        int coordinate, const drystone_motor* motor) {
  return guarded([&] {
    const JointHandle handle = jointHandleOf(world, joint);
    requireCoordinate(handle, coordinate);
    handle.setMotor(coordinate, motorOf(motor));
  });
}

drystone_error drystone_joint_set_motor_target(drystone_world* world, drystone_joint_id joint,
                                               int coordinate, double target) {
  return guarded([&] {
    const JointHandle handle = jointHandleOf(world, joint);
    requireCoordinate(handle, coordinate);
    handle.setMotorTarget(coordinate, target);
  });
}

}  // extern "C"

}  // namespace drystone::c
