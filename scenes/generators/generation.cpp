#include "scenes/generators/generation.h"

#include <fmt/format.h>

#include "scenes/scene_reader.h"

namespace drystone {

Generation::Generation(ObjectReader& in, SceneContext& context, std::string_view type,
                       bool ownBodies)
    : in_(in), context_(context), type_(type), prefix_(type) {
  in.text({"name", "prefix of the names of bodies and joints"}, prefix_);
  frame_ = readPose(in);
  if (!ownBodies) readBodyTemplate(in, context, template_);
}

bool Generation::allows(Real count, const std::string& formula) {
  const Real present = static_cast<Real>(context_.scene.bodies.size());
  if (present + count > kMaxSceneBodies) {
    return in_.at().error(fmt::format("{} would make {:.10g} bodies ({}); a scene holds at most {}",
                                      type_, count, formula, kMaxSceneBodies));
  }
  return in_.clean();
}

int Generation::append(const std::string& suffix, BodyDefinition body, const Pose& local) {
  body.name = prefix_ + "_" + suffix;
  body.pose = frame_ * local;
  body.linearVelocity = frame_.rotation * body.linearVelocity;
  body.angularVelocity = frame_.rotation * body.angularVelocity;
  for (VelocityKey& key : body.motion) {
    key.linear = frame_.rotation * key.linear;
    key.angular = frame_.rotation * key.angular;
  }
  for (ForceKey& key : body.forces) {
    key.force = frame_.rotation * key.force;
    key.torque = frame_.rotation * key.torque;
  }
  const std::string name = body.name;
  if (!in_.clean()) return -1;
  if (!appendBody(std::move(body), context_)) {
    in_.at().error(fmt::format(
        "would name a body \"{}\", as another is; give the generator another \"name\"", name));
    return -1;
  }
  return static_cast<int>(context_.scene.bodies.size()) - 1;
}

int Generation::add(const std::string& suffix, const Shape& shape, const Pose& local,
                    const BodyTemplate& from) {
  if (!in_.clean()) return -1;  // what is wrong with one body is wrong with all
  BodyDefinition body = from.definition;
  if (!completeBody(from, shape, in_, body)) return -1;
  return append(suffix, std::move(body), local);
}

int Generation::add(const std::string& suffix, const Shape& shape, const Pose& local) {
  return add(suffix, shape, local, template_);
}

int Generation::add(const std::string& suffix, const Shape& shape, const Pose& local, Real mass) {
  BodyTemplate from = template_;
  from.mass = mass;
  return add(suffix, shape, local, from);
}

int Generation::addStatic(const std::string& suffix, const Shape& shape, const Pose& local) {
  BodyDefinition body;
  body.kind = BodyKind::kStatic;
  body.material = template_.definition.material;
  body.filter = template_.definition.filter;
  body.shape = shape;
  return append(suffix, std::move(body), local);
}

int Generation::addDefined(const std::string& suffix, BodyDefinition body) {
  const Pose local = body.pose;
  return append(suffix, std::move(body), local);
}

void Generation::push(int body, const Vec3& velocity) {
  if (body < 0) return;
  context_.scene.bodies[static_cast<std::size_t>(body)].linearVelocity +=
      frame_.rotation * velocity;
}

Pose Generation::frameOn(int body, const Pose& local) const {
  return context_.scene.bodies[static_cast<std::size_t>(body)].pose.inverse() * (frame_ * local);
}

void Generation::addJoint(const std::string& suffix, SceneJoint joint) {
  joint.definition.name = prefix_ + "_" + suffix;
  const int index = static_cast<int>(context_.scene.joints.size());
  if (!context_.joints.insert({joint.definition.name, index}).second) {
    in_.at().error(
        fmt::format("would name a joint \"{}\", as another is; give the generator another \"name\"",
                    joint.definition.name));
    return;
  }
  context_.scene.joints.push_back(std::move(joint));
}

void Generation::join(int bodyA, int bodyB, const Pose& local, JointDefinition definition,
                      const std::string& suffix) {
  definition.frameA = frameOn(bodyA, local);
  definition.frameB = frameOn(bodyB, local);
  addJoint("joint_" + suffix,
           {.bodyA = bodyA, .bodyB = bodyB, .definition = std::move(definition)});
}

std::string GridCounts::formula() const { return fmt::format("{} x {} x {}", x, y, z); }

GridCounts readCounts(ObjectReader& in, Presence presence) {
  GridCounts counts;
  const auto at = in.child({"counts", "along x, y and z"}, KeyType::of("counts"), presence);
  if (!at) return counts;
  if (!at->isArray() || at->size() != 3) {
    at->error("must be a list of 3 counts, along x, y and z, got " + at->describe());
    return counts;
  }
  int* const out[] = {&counts.x, &counts.y, &counts.z};
  for (int i = 0; i < 3; ++i) at->element(i).integer(*out[i], 1, std::numeric_limits<int>::max());
  return counts;
}

namespace {

struct GeneratorKind {
  std::string_view name, help;
  void (*generate)(ObjectReader&, SceneContext&);
};
constexpr GeneratorKind kKinds[] = {
    {"chain", "bodies tied one to the next, joints half a step before and after each centre",
     generateChain},
    {"cable",
     "capsules end to end along a polyline, tied by joints that bend, twist and stretch against "
     "springs",
     generateCable},
    {"grid", "equal bodies on a regular grid, x fastest", generateGrid},
    {"stack", "equal bodies, each a step from the one before", generateStack},
    {"wall", "brick wall in running bond along x, standing on z = 0", generateWall},
    {"log_tower",
     "layers of parallel cylinders, crosswise in turn, standing on z = 0; the lowest lie along x",
     generateLogTower},
    {"pyramid", "plane pyramid of boxes in the xz plane, standing on z = 0", generatePyramid},
    {"card_house", "house of cards in the xz plane, standing on z = 0", generateCardHouse},
    {"arch", "half-circle arch of equal stones in the xz plane, springing from z = 0",
     generateArch},
    {"random_fill", "spheres and boxes of random size on a jittered grid, filled layer by layer",
     generateRandomFill},
    {"replicate",
     "copies of a group of bodies and joints on a lattice; alone, the group in a frame of its own",
     generateReplicate},
};

}  // namespace

std::vector<std::string_view> generatorTypes() {
  std::vector<std::string_view> types;
  for (const GeneratorKind& kind : kKinds) types.push_back(kind.name);
  return types;
}

void readGenerator(const JsonCursor& at, SceneContext& context) {
  const ObjectType type = readType(at, "generator", generatorTypes());
  const GeneratorKind& kind = kKinds[static_cast<std::size_t>(type.index)];
  ObjectReader in(at, kind.name, kind.help);
  if (type.isGuess) in.guess();
  in.type("generator");
  kind.generate(in, context);
}

}  // namespace drystone
