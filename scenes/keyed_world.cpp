#include "scenes/keyed_world.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/input_error.h"
#include "core/json_text.h"
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
json placeOf(const ConstBodyHandle& body, const char* name) {
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
  json materials = json::object();
  for (const std::string& name : keyed.materials) materials[name] = json::object();
  const Scene scene = sceneOf("add_body", "bodies", "[" + keys + "\n]", {{"materials", materials}});
  BodyDefinition body = scene.bodies.front();
  if (!object.contains("name")) body.name.clear();  // the reader's counts from 0
  body.material = materialOf(keyed, scene, body.material);
  for (MaterialId& material : body.partMaterials) {
    material = materialOf(keyed, scene, material);
  }
  return addBody(keyed, std::move(body));
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
  std::string text = plainJson(keys);
  const std::string ends = R"("body_a": "a", "body_b": "b")";
  text.insert(text.find('{') + 1, ends + (object.empty() ? "" : ", "));
  const Scene scene = sceneOf("add_joint", "joints", "[" + text + "\n]", {{"bodies", bodies}});
  JointDefinition joint = scene.joints.front().definition;
  if (!object.contains("name")) joint.name.clear();
  joint.bodyA = a;
  joint.bodyB = b;
  return addJoint(keyed, std::move(joint));
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
