// The whole of a scene file, section by section. Later sections refer to names of earlier ones.

#include "scenes/reading/read_scene.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "scenes/reading/joints.h"
#include "scenes/reading/scene_context.h"

namespace drystone {
namespace {

constexpr int kFormatVersion = 1;

void readVersion(ObjectReader& in) {
  int version = kFormatVersion;
  const auto at = in.child("version", kRequired);
  if (at && at->integer(version, 1, std::numeric_limits<int>::max()) && version != kFormatVersion) {
    at->error(fmt::format("must be {}, the version of the format that this program reads, got {}",
                          kFormatVersion, version));
  }
}

void readBodies(ObjectReader& in, SceneContext& context) {
  const auto at = in.child("bodies");
  if (at && at->size() > kMaxSceneBodies) {
    at->error(fmt::format("a scene holds at most {} bodies, got {}", kMaxSceneBodies, at->size()));
    return;
  }
  in.list("bodies", [&](const JsonCursor& body) { readBody(body, context); });
}

void readSections(const JsonCursor& root, SceneContext& context) {
  using Section = void (*)(const JsonCursor&, SceneContext&);
  ObjectReader in(root, "scene");
  const auto section = [&](std::string_view key, Section read) {
    if (const auto at = in.child(key)) read(*at, context);
  };
  const auto named = [&](std::string_view key, auto read) {
    in.entries(key,
               [&](const std::string& name, const JsonCursor& at) { read(name, at, context); });
  };
  const auto list = [&](std::string_view key, Section read) {
    in.list(key, [&](const JsonCursor& at) {
      read(at, context);
      context.jointPlaces.resize(context.scene.joints.size(), at.pointer());
    });
  };

  in.child("$schema");  // for editors
  readVersion(in);
  in.text("name", context.scene.name);
  in.text("description", context.scene.description);
  in.integer("peak_rows", context.scene.peakRows, 1, std::numeric_limits<int>::max());
  in.child("parameters");  // read before: they stand for values of all other sections
  section("world", readWorld);
  section("solver", readSolver);
  named("materials", readMaterial);
  list("pairs", readPair);
  named("shapes", readNamedShape);
  readBodies(in, context);
  list("generators", readGenerator);
  in.list("joints", [&](const JsonCursor& joint) {
    const auto name = joint.member("name");
    if (name && name->isString()) context.jointsOfFile.insert(name->json().get<std::string>());
  });
  list("joints", readJoint);
  section("camera", readCamera);
  section("output", readOutput);
}

}  // namespace

Scene readSceneLogged(std::string_view text, const std::string& label,
                      const SceneReadOptions& options, const std::string& directory, ReadLog& log) {
  nlohmann::json root = parseJsonText(text, label, log);
  applyOverrides(options.overrides, root, log);
  Scene scene;
  scene.parameters = readParameters(root, options.overrides, log);
  substituteParameters(scene.parameters, root, log);
  SceneContext context{.scene = scene,
                       .log = log,
                       .directory = directory,
                       .attachments = options.attachments,
                       .registry = options.registry,
                       .materials = {},
                       .shapes = {},
                       .bodies = {},
                       .joints = {},
                       .jointPlaces = {},
                       .jointsOfFile = {}};
  readSections(JsonCursor(root, "", log), context);
  if (log.clean()) checkJoints(context);
  throwProblems(log, text, label);
  scene.warnings = placedMessages(log.warnings, log, text, label);
  return scene;
}

}  // namespace drystone
