#include "scenes/recorded_world.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenes/scene_json.h"

namespace drystone {
namespace {

SceneJson bodyJson(const BodyDefinition& body, std::vector<SceneFile>& meshes) {
  SceneJson out = SceneJson::object();
  if (!body.name.empty()) out["name"] = body.name;
  if (body.kind == BodyKind::kStatic) out["kind"] = "static";
  if (body.kind == BodyKind::kKinematic) out["kind"] = "kinematic";
  if (body.isSensor) out["sensor"] = true;
  addPoseJson(body.pose, out);
  if (body.shape) out["shape"] = shapeJson(*body.shape, meshes);
  if (body.kind != BodyKind::kDynamic) return out;
  if (body.mass) {
    addMassJson(*body.mass, out);
  } else {
    out["density"] = body.density;
  }
  return out;
}

/// Whether body i is the first one of index i, as the bodies of a scene are.
bool haveAllStayed(const std::vector<BodyId>& bodies) {
  for (int i = 0; i < std::ssize(bodies); ++i) {
    if (bodies[i] != BodyId{i, 1}) return false;
  }
  return true;
}

}  // namespace

RecordingInfo recordingInfoOf(const World& world) {
  const std::vector<BodyId> bodies = world.bodies();
  RecordingInfo info{
      .scene = "program", .sceneLabel = std::string(kWorldOfProgram), .commandLine = "{}"};
  std::vector<SceneFile> meshes;
  if (haveAllStayed(bodies)) {
    SceneJson scene = {{"version", 1},
                       {"name", info.scene},
                       {"description", "The bodies of a world that a program made, to be drawn."},
                       {"world", {{"timestep", world.settings().timestep}}},
                       {"bodies", SceneJson::array()}};
    std::map<std::string, int, std::less<>> named;  // bodies of that name so far
    for (const BodyId id : bodies) {
      BodyDefinition body = world.body(id).definition();
      if (named[body.name]++ > 0) body.name.clear();  // names of a scene are unique
      scene["bodies"].push_back(bodyJson(body, meshes));
    }
    info.sceneText = scene.dump();
  }
  for (const SceneFile& mesh : meshes) info.files.push_back({mesh.name, mesh.text});
  const auto rowOf = [&](BodyId id) {
    const auto at = std::ranges::find(bodies, id);
    return at == bodies.end() ? -1 : static_cast<int>(at - bodies.begin());
  };
  for (const JointId id : world.joints()) {
    const JointDefinition joint = world.joint(id).definition();
    info.joints.push_back(
        {joint.name, rowOf(joint.bodyA), rowOf(joint.bodyB), static_cast<int>(joint.geometry)});
  }
  info.settings = "{}";
  info.solvers = {world.settings().solver.name};
  return info;
}

}  // namespace drystone
