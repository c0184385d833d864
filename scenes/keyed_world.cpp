#include "scenes/keyed_world.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/input_error.h"
#include "core/json_text.h"
#include "core/wording.h"
#include "engine/model/joint_coordinates.h"
#include "scenes/reading/read_log.h"
#include "scenes/reading/read_scene.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"

namespace drystone {
namespace {

using nlohmann::json;

/// Throws InputError with the place unless the text is one JSON object.
json objectOf(const std::string& text, const std::string& label) {
  ReadLog log;
  json object = parseJsonText(text, label, log);
  if (!object.is_object()) throw InputError(label + ": must be a JSON object");
  return object;
}

/// The scene of such keys. They stand first, so that the lines of errors are theirs.
Scene sceneOf(const std::string& label, const std::string& section, const std::string& keys,
              const json& others) {
  json scene = others;
  scene["version"] = 1;
  const std::string rest = scene.dump();
  return readSceneText("{\"" + section + "\": " + keys + "\n, " + rest.substr(1), label, {}, ".");
}

/// The material of the world that a material of a scene stands for, by its name.
MaterialId materialOf(const KeyedWorld& keyed, const Scene& scene, MaterialId id) {
  if (id <= 0) return id;  // the default one; of parts, that of the body
  const auto found = std::ranges::find(keyed.materials, scene.materials[id - 1].name);
  return static_cast<MaterialId>(found - keyed.materials.begin()) + 1;
}

/// A body of such keys, which may name materials of the world.
BodyDefinition readBody(const KeyedWorld& keyed, const std::string& label,
                        const std::string& keys) {
  json materials = json::object();
  for (const std::string& name : keyed.materials) materials[name] = json::object();
  const Scene scene = sceneOf(label, "bodies", "[" + keys + "\n]", {{"materials", materials}});
  BodyDefinition body = scene.bodies.front();
  body.material = materialOf(keyed, scene, body.material);
  for (MaterialId& material : body.partMaterials) material = materialOf(keyed, scene, material);
  return body;
}

/// Gives a name that nothing of a world has, as scenes do, where there is none.
template <class Find>
void giveName(std::string& name, const std::string& kind, int number, Find&& find) {
  if (!name.empty()) {
    if (find(name).index < 0) return;
    throw InputError("add_" + kind + ": name: there is a " + kind + " '" + name + "' already");
  }
  do {
    name = kind + "_" + std::to_string(number++);
  } while (find(name).index >= 0);
}

const char* kindName(BodyKind kind) {
  if (kind == BodyKind::kDynamic) return "dynamic";
  return kind == BodyKind::kStatic ? "static" : "kinematic";
}

/// A body of a scene that stands where one of a world is: joints read no more of theirs.
json placeOf(const ConstBodyHandle& body, const std::string& name) {
  const Pose pose = body.pose();
  const Vec3& p = pose.position;
  const Quat& q = pose.rotation;
  return {{"name", name},
          {"kind", kindName(body.kind())},
          {"mass", 1},
          {"inertia", {1, 1, 1}},
          {"position", {p.x(), p.y(), p.z()}},
          {"orientation", {q.w(), q.x(), q.y(), q.z()}}};
}

/// What can be changed between two steps.
const std::vector<std::string> kBodyKeys = {"kind",
                                            "shape",
                                            "mass",
                                            "density",
                                            "inertia",
                                            "center_of_mass",
                                            "material",
                                            "group",
                                            "mask",
                                            "collide",
                                            "adhesion",
                                            "surface_velocity",
                                            "sensor",
                                            "allow_sleep",
                                            "linear_damping",
                                            "angular_damping",
                                            "gravity_scale",
                                            "locked_translations",
                                            "locked_rotations"};
const std::vector<std::string> kAxisKeys = {"lower", "upper", "spring", "motor", "friction"};

void requireKeys(const json& object, const std::vector<std::string>& known,
                 const std::string& label) {
  for (const auto& [key, value] : object.items()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    throw InputError(label + ": \"" + key + "\" cannot be changed so; " + didYouMean(key, known));
  }
}

/// The mass that a definition has.
MassProperties massNow(const BodyDefinition& body) {
  if (body.mass) return *body.mass;
  const bool hasVolume = body.shape && !isStaticOnly(*body.shape);
  return hasVolume ? massProperties(*body.shape, body.density) : MassProperties{};
}

/// The mass of a body that keeps its shape: `given` where the keys say so, all else as it was.
MassProperties changedMass(const BodyDefinition& body, const MassProperties& given,
                           const json& keys) {
  MassProperties mass = massNow(body);
  if (mass.mass == 0 && !keys.contains("inertia")) {
    throw InputError("change_body: inertia: without a shape it must be given");
  }
  if (mass.mass > 0) mass.inertia *= given.mass / mass.mass;
  mass.mass = given.mass;
  if (keys.contains("inertia")) mass.inertia = given.inertia;
  if (keys.contains("center_of_mass")) mass.centerOfMass = given.centerOfMass;
  return mass;
}

void takeShapeAndMass(const BodyDefinition& given, const json& keys, BodyDefinition& body) {
  for (const char* key : {"mass", "density"}) {
    if (!keys.contains(key) || given.kind == BodyKind::kDynamic) continue;
    throw InputError(std::string("change_body: ") + key + ": only a dynamic body has a mass");
  }
  if (keys.contains("shape")) {
    if (body.kind == BodyKind::kDynamic) body.mass = massNow(body);
    body.shape = keys["shape"].is_null() ? std::nullopt : given.shape;
    body.partMaterials.clear();
  }
  if (keys.contains("density")) {
    body.density = given.density;
    body.mass.reset();
  }
  if (keys.contains("mass")) {
    const bool isOfShape = keys.contains("shape") && !keys["shape"].is_null();
    body.mass = isOfShape ? *given.mass : changedMass(body, *given.mass, keys);
  }
}

void takeKind(BodyKind kind, BodyDefinition& body) {
  body.kind = kind;
  if (kind != BodyKind::kKinematic) body.motion.clear();
  if (kind != BodyKind::kDynamic) body.forces.clear();
  if (kind == BodyKind::kStatic) {
    body.linearVelocity.setZero();
    body.angularVelocity.setZero();
  }
}

void takeRest(const BodyDefinition& given, const json& keys, BodyDefinition& body) {
  const auto take = [&](const char* key, auto field) {
    if (keys.contains(key)) body.*field = given.*field;
  };
  take("material", &BodyDefinition::material);
  take("adhesion", &BodyDefinition::adhesion);
  take("surface_velocity", &BodyDefinition::surfaceVelocity);
  take("sensor", &BodyDefinition::isSensor);
  take("allow_sleep", &BodyDefinition::allowSleep);
  take("linear_damping", &BodyDefinition::linearDamping);
  take("angular_damping", &BodyDefinition::angularDamping);
  take("gravity_scale", &BodyDefinition::gravityScale);
  if (keys.contains("group")) body.filter.group = given.filter.group;
  if (keys.contains("mask") || keys.contains("collide")) body.filter.mask = given.filter.mask;
  if (keys.contains("locked_translations")) {
    body.lockedAxes.translation = given.lockedAxes.translation;
  }
  if (keys.contains("locked_rotations")) body.lockedAxes.rotation = given.lockedAxes.rotation;
}

/// More members of a JSON object, before its own: its lines stay where they are.
std::string withMembers(const std::string& keys, const json& object, const std::string& members) {
  std::string text = plainJson(keys);
  return text.insert(text.find('{') + 1, members + (object.empty() ? "" : ", "));
}

}  // namespace

KeyedWorld buildKeyedWorld(const Scene& scene, SolverRegistry registry) {
  KeyedWorld keyed{.world = buildWorld(scene, std::move(registry))};
  for (const SceneMaterial& material : scene.materials) keyed.materials.push_back(material.name);
  keyed.bodyCount = static_cast<int>(scene.bodies.size());
  keyed.jointCount = static_cast<int>(scene.joints.size());
  return keyed;
}

BodyId addBody(KeyedWorld& keyed, BodyDefinition body) {
  giveName(body.name, "body", keyed.bodyCount,
           [&](const std::string& name) { return keyed.world.findBody(name); });
  const BodyId id = keyed.world.addBody(body);
  ++keyed.bodyCount;
  return id;
}

BodyId addBody(KeyedWorld& keyed, const std::string& keys) {
  const json object = objectOf(keys, "add_body");
  BodyDefinition body = readBody(keyed, "add_body", keys);
  if (!object.contains("name")) body.name.clear();  // the reader's counts from 0
  return addBody(keyed, std::move(body));
}

void changeBody(KeyedWorld& keyed, BodyId id, const std::string& keys) {
  const std::string label = "change_body";
  json object = objectOf(keys, label);
  requireKeys(object, kBodyKeys, label);
  const BodyHandle handle = keyed.world.body(id);
  const BodyDefinition before = handle.definition();
  // What a body needs and these keys do not say; none of it is taken.
  std::string others = R"("name": "changed")";
  if (!object.contains("kind")) {
    others += std::string(R"(, "kind": ")") + kindName(before.kind) + '"';
  }
  const bool losesShape = object.contains("shape") && object["shape"].is_null();
  if (!object.contains("shape")) others += R"(, "shape": {"type": "sphere", "radius": 1})";
  std::string text = withMembers(keys, object, others);
  if (losesShape) {
    json rest = object;
    rest["shape"] = {{"type", "sphere"}, {"radius", 1}};
    text = withMembers(rest.dump(), rest, others);
  }
  const BodyDefinition given = readBody(keyed, label, text);
  BodyDefinition body = before;
  takeShapeAndMass(given, object, body);
  takeRest(given, object, body);
  if (object.contains("kind")) takeKind(given.kind, body);
  handle.redefine(body, object.contains("shape"));
}

void changeJoint(KeyedWorld& keyed, JointId id, int coordinate, const std::string& keys) {
  const std::string label = "change_joint";
  json object = objectOf(keys, label);
  requireKeys(object, kAxisKeys, label);
  const JointHandle handle = keyed.world.joint(id);
  const JointDefinition definition = handle.definition();
  JointAxis axis = definition.axes[coordinate];
  // Nulls are no values of a scene: they are taken here, and the rest is read.
  const bool isNewMotor = object.contains("motor");
  const bool hasNull =
      std::ranges::any_of(object, [](const json& value) { return value.is_null(); });
  const auto takeNull = [&](const char* key, auto&& clear) {
    if (!object.contains(key) || !object[key].is_null()) return;
    clear();
    object.erase(key);
  };
  takeNull("lower", [&] { axis.lower = -kInfinity; });
  takeNull("upper", [&] { axis.upper = kInfinity; });
  takeNull("spring", [&] { axis.spring.reset(); });
  takeNull("motor", [&] { axis.motor.reset(); });
  const bool isTurn = isAngle(definition.geometry, coordinate);
  const std::string others = std::string(R"("type": ")") + (isTurn ? "hinge" : "slider") +
                             R"(", "body_a": "a", "body_b": "b", "anchor": [0, 0, 0], )" +
                             R"("axis": [1, 0, 0])";
  const std::string text = withMembers(hasNull ? object.dump() : keys, object, others);
  const json bodies = {{{"name", "a"}, {"kind", "static"}},
                       {{"name", "b"}, {"mass", 1}, {"inertia", {1, 1, 1}}}};
  const Scene scene = sceneOf(label, "joints", "[" + text + "\n]", {{"bodies", bodies}});
  const JointAxis& given = scene.joints.front().definition.axes[isTurn ? kAboutX : kAlongX];
  if (object.contains("lower")) axis.lower = given.lower;
  if (object.contains("upper")) axis.upper = given.upper;
  if (object.contains("spring")) axis.spring = given.spring;
  if (object.contains("motor")) axis.motor = given.motor;
  if (object.contains("friction")) axis.friction = given.friction;
  handle.setAxis(coordinate, axis, isNewMotor);
}

JointId addJoint(KeyedWorld& keyed, JointDefinition joint) {
  giveName(joint.name, "joint", keyed.jointCount,
           [&](const std::string& name) { return keyed.world.findJoint(name); });
  const JointId id = keyed.world.addJoint(joint);
  ++keyed.jointCount;
  return id;
}

JointId addJoint(KeyedWorld& keyed, BodyId a, BodyId b, const std::string& keys) {
  const json bodies = {placeOf(std::as_const(keyed.world).body(a), "a"),
                       placeOf(std::as_const(keyed.world).body(b), "b")};
  const json object = objectOf(keys, "add_joint");
  for (const char* key : {"body_a", "body_b"}) {
    if (object.contains(key)) {
      throw InputError(std::string("add_joint: ") + key +
                       ": the bodies are arguments; leave it out");
    }
  }
  const std::string text = withMembers(keys, object, R"("body_a": "a", "body_b": "b")");
  const Scene scene = sceneOf("add_joint", "joints", "[" + text + "\n]", {{"bodies", bodies}});
  JointDefinition joint = scene.joints.front().definition;
  if (!object.contains("name")) joint.name.clear();
  joint.bodyA = a;
  joint.bodyB = b;
  return addJoint(keyed, std::move(joint));
}

JointId addCable(KeyedWorld& keyed, const std::vector<BodyId>& bodies, const std::string& keys) {
  json cable = objectOf(keys, "add_cable");
  const auto points = cable.find("points");
  if (points == cable.end() || !points->is_array() || points->size() != bodies.size()) {
    throw InputError("add_cable: points: must be a list of an object for each of the " +
                     std::to_string(bodies.size()) + " bodies");
  }
  json places = json::array();
  std::vector<BodyId> placed;  // each body once
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto found = std::ranges::find(placed, bodies[i]);
    const std::string name = "body_" + std::to_string(found - placed.begin());
    if (found == placed.end()) {
      places.push_back(placeOf(std::as_const(keyed.world).body(bodies[i]), name));
      placed.push_back(bodies[i]);
    }
    json& point = (*points)[i];
    if (!point.is_object() || point.contains("body")) {
      throw InputError(
          "add_cable: points: each is an object without \"body\": the bodies are "
          "arguments");
    }
    point["body"] = name;
  }
  const auto find = [&](const std::string& name) { return keyed.world.findJoint(name); };
  const bool isNamed = cable.contains("name");
  if (!isNamed) {
    std::string name;
    giveName(name, "cable", 0, find);
    cable["name"] = name;
  }
  const Scene scene =
      sceneOf("add_cable", "cables", "[" + cable.dump() + "\n]", {{"bodies", places}});
  std::vector<JointDefinition> spans;
  for (const SceneJoint& joint : scene.joints) {
    JointDefinition& span = spans.emplace_back(joint.definition);
    if (isNamed) giveName(span.name, "cable", 0, find);
    span.bodyA = placed[joint.bodyA];
    span.bodyB = placed[joint.bodyB];
  }
  const JointId first = keyed.world.addSpans(spans);
  keyed.jointCount += static_cast<int>(spans.size());
  return first;
}

MaterialId addMaterial(KeyedWorld& keyed, const std::string& name, const std::string& keys) {
  if (std::ranges::count(keyed.materials, name) > 0) {
    throw InputError("add_material: there is a material '" + name + "' already");
  }
  objectOf(keys, "add_material");
  const Scene scene = sceneOf("add_material", "materials",
                              "{" + json(name).dump() + ": " + keys + "\n}", json::object());
  const MaterialId id = keyed.world.addMaterial(scene.materials.front().material);
  keyed.materials.push_back(name);
  return id;
}

Shape readShapeText(const std::string& keys) {
  objectOf(keys, "shape");
  const Scene scene = sceneOf("shape", "shapes", "{\"shape\": " + keys + "\n}", json::object());
  return scene.shapes.front().shape;
}

}  // namespace drystone
