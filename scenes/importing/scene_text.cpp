// A model as the text of a scene file: a line for each body, joint and material.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "scenes/importing/imported_model.h"
#include "scenes/scene_json.h"

namespace drystone::importing {
namespace {

using Json = nlohmann::ordered_json;

bool isIdentity(const Pose& pose) {
  return pose.position.isZero(0) && pose.rotation.vec().isZero(0);
}

/// Shape and materials of a body.
void addParts(const ImportedBody& body, Json& to) {
  if (body.parts.empty()) return;
  std::vector<SceneFile> meshes;  // stays empty: models come without triangle meshes
  const bool isOne = body.parts.size() == 1 && isIdentity(body.parts.front().pose);
  const auto named = std::ranges::find_if(body.materials, [](const auto& m) { return !m.empty(); });
  const bool isSame =
      std::ranges::all_of(body.materials, [&](const auto& m) { return m == body.materials[0]; });
  if (isOne) {
    to["shape"] = shapeJson(body.parts.front().shape, meshes);
  } else {
    Json children = Json::array();
    for (const CompoundChild& part : body.parts) {
      Json child = {{"shape", shapeJson(part.shape, meshes)}};
      addPoseJson(part.pose, child);
      children.push_back(std::move(child));
    }
    to["shape"] = {{"type", "compound"}, {"children", std::move(children)}};
  }
  if (named == body.materials.end()) return;
  if (isSame) {
    to["material"] = body.materials[0];
  } else {
    to["part_materials"] = body.materials;
  }
}

Json jsonOf(const ImportedBody& body) {
  Json out = {{"name", body.name}};
  if (body.kind == BodyKind::kStatic) out["kind"] = "static";
  if (body.kind == BodyKind::kKinematic) out["kind"] = "kinematic";
  addPoseJson(body.pose, out);
  if (body.kind == BodyKind::kDynamic) addMassJson(body.mass, out);
  addParts(body, out);
  if (body.filter.group != CollisionFilter{}.group) out["group"] = body.filter.group;
  if (body.filter.mask != CollisionFilter{}.mask) out["mask"] = body.filter.mask;
  if (body.gravityScale != 1) out["gravity_scale"] = body.gravityScale;
  return out;
}

void addCoordinate(const JointAxis& axis, Json& to) {
  if (std::isfinite(axis.lower)) to["lower"] = axis.lower;
  if (std::isfinite(axis.upper)) to["upper"] = axis.upper;
  if (axis.spring) {
    to["spring"] = {{"stiffness", axis.spring->stiffness},
                    {"damping", axis.spring->damping},
                    {"rest", axis.spring->rest}};
  }
  if (axis.motor) {
    const bool isVelocity = axis.motor->kind == MotorKind::kVelocity;
    Json motor = {{isVelocity ? "velocity" : "position", axis.motor->target.at(0)}};
    if (std::isfinite(axis.motor->maxForce)) motor["max_force"] = axis.motor->maxForce;
    if (axis.motor->servo) {
      motor["stiffness"] = axis.motor->servo->stiffness;
      motor["damping"] = axis.motor->servo->damping;
    }
    to["motor"] = std::move(motor);
  }
  if (axis.friction > 0) to["friction"] = axis.friction;
}

/// A coordinate of `six_dof`.
Json jsonOf(const JointAxis& axis) {
  if (axis.lower == 0 && axis.upper == 0) return "locked";
  Json out = Json::object();
  addCoordinate(axis, out);
  if (out.empty()) return "free";
  return out;
}

Json jsonOf(const ImportedJoint& joint, const ImportedModel& model) {
  Json out = {{"type", joint.type}, {"name", joint.name}};
  if (joint.type == "gear") {
    out["joint_a"] = model.joints[static_cast<std::size_t>(joint.jointA)].name;
    out["joint_b"] = model.joints[static_cast<std::size_t>(joint.jointB)].name;
    out["ratio"] = joint.ratio;
    return out;
  }
  out["body_a"] = model.bodies[static_cast<std::size_t>(joint.bodyA)].name;
  out["body_b"] = model.bodies[static_cast<std::size_t>(joint.bodyB)].name;
  out["anchor"] = vectorJson(joint.anchor);
  if (joint.collide) out["collide"] = true;
  if (joint.type == "hinge" || joint.type == "slider") {
    out["axis"] = vectorJson(joint.axis);
    if (joint.start != 0) out["start"] = joint.start;
    addCoordinate(joint.coordinate, out);
  }
  if (joint.type == "six_dof") {
    if (!joint.orientation.vec().isZero(0)) out["orientation"] = rotationJson(joint.orientation);
    for (const char* key : {"x", "y", "z", "about_x", "about_y", "about_z"}) {
      const auto found = joint.axes.find(key);
      out[key] = found == joint.axes.end() ? Json("locked") : jsonOf(found->second);
    }
  }
  return out;
}

/// Pairs whose friction the scene would combine otherwise.
std::vector<std::string> pairsOf(const ImportedModel& model) {
  std::vector<std::string> pairs;
  if (!model.takesLargerFriction) return pairs;
  const auto& materials = model.materials;
  for (auto a = materials.begin(); a != materials.end(); ++a) {
    for (auto b = std::next(a); b != materials.end(); ++b) {
      const Real one = a->second.friction, other = b->second.friction;
      if (one == other) continue;
      const Json pair = {{"a", a->first}, {"b", b->first}, {"friction", std::max(one, other)}};
      pairs.push_back(pair.dump());
    }
  }
  return pairs;
}

/// A list with a line for each entry.
std::string listText(std::string_view key, const std::vector<std::string>& entries) {
  return entries.empty()
             ? ""
             : fmt::format(",\n  \"{}\": [\n    {}\n  ]", key, fmt::join(entries, ",\n    "));
}

}  // namespace

std::string sceneText(const ImportedModel& model) {
  std::string text = "{\n  \"version\": 1";
  const auto add = [&](std::string_view key, const Json& value) {
    text += fmt::format(",\n  \"{}\": {}", key, value.dump());
  };
  if (!model.name.empty()) add("name", model.name);
  Json world = Json::object();
  if (model.gravity) world["gravity"] = vectorJson(*model.gravity);
  if (model.timestep) world["timestep"] = *model.timestep;
  if (!world.empty()) add("world", world);
  Json materials = Json::object();
  for (const auto& [name, material] : model.materials) {
    Json keys = {{"friction", material.friction}};
    if (material.spring) {
      keys["stiffness"] = material.spring->stiffness;
      keys["damping"] = material.spring->damping;
    }
    materials[name] = keys;
  }
  if (!materials.empty()) add("materials", materials);
  text += listText("pairs", pairsOf(model));
  std::vector<std::string> bodies, joints;
  for (const ImportedBody& body : model.bodies) bodies.push_back(jsonOf(body).dump());
  for (const ImportedJoint& joint : model.joints) joints.push_back(jsonOf(joint, model).dump());
  return text + listText("bodies", bodies) + listText("joints", joints) + "\n}\n";
}

}  // namespace drystone::importing
