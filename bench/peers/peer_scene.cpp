#include "bench/peers/peer_scene.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/support/program.h"
#include "collision/shape/shape.h"

namespace drystone::bench {
namespace {

[[noreturn]] void refuse(const Scene& scene, const std::string& name, const std::string& what) {
  throw cli::UsageError(
      fmt::format("{}: '{}' {}, which the engines are not compared on", scene.name, name, what));
}

bool isIdentity(const Pose& pose) {
  return pose.position.norm() < 1e-12 && pose.rotation.vec().norm() < 1e-12;
}

bool isPlain(const Shape& shape) {
  return std::holds_alternative<Sphere>(shape) || std::holds_alternative<Box>(shape) ||
         std::holds_alternative<Capsule>(shape);
}

/// The shape seen from a frame. Hulls are moved point by point; of the others, those that stand
/// otherwise than along their own axes have an inertia that is not theirs.
std::optional<Shape> shapeIn(const Pose& frame, const Shape& shape) {
  if (const auto* hull = std::get_if<ConvexHull>(&shape)) {
    if (isIdentity(frame)) return shape;
    std::vector<Vec3> points = hull->data->vertices;
    for (Vec3& point : points) point = frame.inverse() * point;
    return makeHull(points);
  }
  if (const auto* compound = std::get_if<Compound>(&shape)) {
    Compound out = *compound;
    for (CompoundChild& child : out.children) {
      if (!isPlain(child.shape)) return std::nullopt;
      child.pose = frame.inverse() * child.pose;
    }
    return out;
  }
  const bool isKnown = isPlain(shape) || std::holds_alternative<Plane>(shape);
  if (!isKnown || !isIdentity(frame)) return std::nullopt;
  return shape;
}

/// The one axis of the world that a body with locked axes is left.
Vec3 railOf(const Scene& scene, const BodyDefinition& body) {
  const auto& [translation, rotation] = body.lockedAxes;
  if (std::ranges::count(rotation, true) != 3 || std::ranges::count(translation, true) != 2) {
    refuse(scene, body.name, "has locked axes other than those of a rail");
  }
  return Vec3::Unit(std::ranges::find(translation, false) - translation.begin());
}

void addMotion(const Scene& scene, const BodyDefinition& body, PeerBody& out) {
  if (body.gravityScale != 1) refuse(scene, body.name, "has a gravity of its own");
  if (body.linearDamping != 0 || body.angularDamping != 0) refuse(scene, body.name, "is damped");
  if (!body.adhesion.empty()) refuse(scene, body.name, "adheres");
  if (body.forces.size() > 1 || (!body.forces.empty() && !body.forces[0].torque.isZero())) {
    refuse(scene, body.name, "has a torque, or a force that changes");
  }
  if (!body.forces.empty()) out.force = body.forces[0].force;
  if (body.lockedAxes != LockedAxes{}) out.rail = railOf(scene, body);
  out.velocity = body.linearVelocity;
  out.angularVelocity = body.angularVelocity;
}

PeerBody peerBody(const Scene& scene, const BodyDefinition& body) {
  if (body.kind == BodyKind::kKinematic) refuse(scene, body.name, "is kinematic");
  if (body.isSensor) refuse(scene, body.name, "is a sensor");
  if (!body.surfaceVelocity.isZero()) refuse(scene, body.name, "has a moving surface");
  PeerBody out{.name = body.name, .isDynamic = body.kind == BodyKind::kDynamic};
  if (out.isDynamic) {
    const MassProperties mass = body.mass ? *body.mass : massProperties(*body.shape, body.density);
    const PrincipalInertia inertia = principalInertia(mass.inertia);
    out.mass = mass.mass;
    out.moments = inertia.moments;
    out.frame = {mass.centerOfMass, inertia.rotation};
    addMotion(scene, body, out);
  }
  out.pose = body.pose * out.frame;
  const bool touches = body.filter.group != 0 && body.filter.mask != 0;
  if (body.shape && touches) {
    if (body.filter.group != 1 || (body.filter.mask & 1) == 0) {
      refuse(scene, body.name, "has a collision filter");
    }
    out.shape = shapeIn(out.frame, *body.shape);
    if (!out.shape) {
      refuse(scene, body.name,
             fmt::format("is a {} off its own axes, or none of sphere, box, capsule, plane, hull "
                         "and compounds of the first three",
                         shapeName(*body.shape)));
    }
    if (!out.isDynamic && std::holds_alternative<Compound>(*out.shape)) {
      refuse(scene, body.name, "is a compound that does not move");
    }
  }
  if (body.material > 0) {
    const SceneMaterial& entry = scene.materials[body.material - 1];
    if (entry.material.restitution != 0 || entry.material.tangentialRestitution != 0) {
      refuse(scene, body.name, "has restitution");
    }
    if (entry.material.adhesion != 0) refuse(scene, body.name, "adheres");
    out.friction = entry.material.friction;
  }
  return out;
}

/// Locked in place and free to turn, with nothing that pushes, and no contact of its bodies.
bool isPlainBallJoint(const JointDefinition& joint) {
  const auto isHeld = [](const JointAxis& axis) { return axis.lower == 0 && axis.upper == 0; };
  const auto isFree = [](const JointAxis& axis) {
    return axis.lower == -kInfinity && axis.upper == kInfinity && !axis.spring && !axis.motor &&
           axis.friction == 0;
  };
  return joint.geometry == JointGeometry::kFrames && joint.swingLimit == kInfinity &&
         joint.breakingImpulse == kInfinity && !joint.collide &&
         std::all_of(joint.axes.begin(), joint.axes.begin() + 3, isHeld) &&
         std::all_of(joint.axes.begin() + 3, joint.axes.end(), isFree);
}

}  // namespace

PeerScene peerScene(const Scene& scene) {
  PeerScene out{
      .name = scene.name, .gravity = scene.settings.gravity, .timestep = scene.settings.timestep};
  if (!scene.pairs.empty()) refuse(scene, "pairs", "sets the friction of single pairs");
  for (const BodyDefinition& body : scene.bodies) out.bodies.push_back(peerBody(scene, body));
  for (const SceneJoint& joint : scene.joints) {
    const JointDefinition& definition = joint.definition;
    if (!isPlainBallJoint(definition)) refuse(scene, definition.name, "is no plain ball joint");
    const auto anchor = [&](int body, const Pose& frame) -> Vec3 {
      return out.bodies[body].frame.inverse() * frame.position;
    };
    out.joints.push_back({joint.bodyA, joint.bodyB, anchor(joint.bodyA, definition.frameA),
                          anchor(joint.bodyB, definition.frameB)});
  }
  for (const SceneForcePlate& plate : scene.forcePlates) {
    const std::optional<Shape>& shape = out.bodies[plate.body].shape;
    const auto* compound = shape ? std::get_if<Compound>(&*shape) : nullptr;
    const int part = plate.definition.part;
    if (compound == nullptr || part < 0) continue;
    out.feet.push_back({plate.body, compound->children[part].pose.position});
  }
  return out;
}

}  // namespace drystone::bench
