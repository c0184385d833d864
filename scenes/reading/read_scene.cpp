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
  const auto at = in.child({"version", "of the format"}, KeyType::of("version"), kRequired);
  if (at && at->integer(version, 1, std::numeric_limits<int>::max()) && version != kFormatVersion) {
    at->error(fmt::format("must be {}, the version of the format that this program reads, got {}",
                          kFormatVersion, version));
  }
}

void readBodies(ObjectReader& in, SceneContext& context) {
  const auto at = in.at().member("bodies");
  if (at && at->size() > kMaxSceneBodies) {
    at->error(fmt::format("a scene holds at most {} bodies, got {}", kMaxSceneBodies, at->size()));
    return;
  }
  in.list({"bodies", "in order of creation"}, KeyType::listOf("body"), [&](const JsonCursor& body) {
    readBody(body, context);
    context.bodyPlaces.resize(context.scene.bodies.size(), body.pointer());
  });
}

void readSections(const JsonCursor& root, SceneContext& context) {
  using Section = void (*)(const JsonCursor&, SceneContext&);
  ObjectReader in(root, "scene", "a scene");
  const auto section = [&](std::string_view key, Section read) {
    if (const auto at = in.child(key, KeyType::of(key))) read(*at, context);
  };
  const auto named = [&](const Key& key, std::string_view definition, auto read) {
    in.entries(key, KeyType::of(definition),
               [&](const std::string& name, const JsonCursor& at) { read(name, at, context); });
  };
  const auto list = [&](const Key& key, std::string_view kind, Section read) {
    in.list(key, KeyType::listOf(kind), [&](const JsonCursor& at) {
      read(at, context);
      context.bodyPlaces.resize(context.scene.bodies.size(), at.pointer());
      context.jointPlaces.resize(context.scene.joints.size(), at.pointer());
    });
  };

  in.child({"$schema", "where editors find this schema"}, KeyType::text());
  readVersion(in);
  in.text({"name", "of the scene"}, context.scene.name);
  in.text({"description", "one sentence"}, context.scene.description);
  in.integer({"peak_rows", "largest number of constraint rows of a run, as measured; for lists"},
             context.scene.peakRows, 1, std::numeric_limits<int>::max(), kNoDefault);
  // Read before: they stand for values of all other sections.
  in.child({"parameters", "numbers that users may choose, by name"},
           KeyType::of("named_parameters"));
  section("world", readWorld);
  section("solver", readSolver);
  named({"materials", "by name; \"default\" is that of bodies without one"}, "named_materials",
        readMaterial);
  list({"pairs", "what pairs of materials make together"}, "pair", readPair);
  named({"shapes", "by name"}, "named_shapes", readNamedShape);
  readBodies(in, context);
  list({"generators", "makers of many bodies; they come after `bodies`"}, "generator",
       readGenerator);
  in.list({"joints", "between two bodies each"}, KeyType::listOf("joint"),
          [&](const JsonCursor& joint) {
            const auto name = joint.member("name");
            if (name && name->isString())
              context.jointsOfFile.insert(name->json().get<std::string>());
          });
  list("joints", "joint", readJoint);
  list({"cables", "from eyelet to eyelet; they come after `joints`"}, "routed_cable", readCable);
  list({"force_plates", "sensors of the forces of contacts"}, "force_plate", readForcePlate);
  section("camera", readCamera);
  section("output", readOutput);
}

SceneContext contextOf(Scene& scene, const SceneReadOptions& options, const std::string& directory,
                       ReadLog& log) {
  return {.scene = scene,
          .log = log,
          .directory = directory,
          .attachments = options.attachments,
          .registry = options.registry,
          .materials = {},
          .shapes = {},
          .bodies = {},
          .joints = {},
          .bodyPlaces = {},
          .jointPlaces = {},
          .guessedJoints = {},
          .jointsOfFile = {}};
}

}  // namespace

void askForAllKeys(const nlohmann::json& everyKind, ReadLog& log) {
  Scene scene;
  readParameters(everyKind, {}, log);
  SceneContext context = contextOf(scene, {}, "", log);
  readSections(JsonCursor(everyKind, "", log), context);
}

Scene readSceneLogged(std::string_view text, const std::string& label,
                      const SceneReadOptions& options, const std::string& directory, ReadLog& log) {
  nlohmann::json root = parseJsonText(text, label, log);
  applyOverrides(options.overrides, root, log);
  Scene scene;
  scene.parameters = readParameters(root, options.overrides, log);
  substituteParameters(scene.parameters, root, log);
  SceneContext context = contextOf(scene, options, directory, log);
  readSections(JsonCursor(root, "", log), context);
  if (log.clean()) {
    checkJoints(context);
    if (options.warns) {
      checkScales(context);
      checkMeetings(context);
      for (const auto& [kind, found] : log.doubts) warnOfFirst(found, log);
    }
  }
  throwProblems(log, text, label);
  if (options.warns) scene.warnings = placedMessages(log.warnings, log, text, label);
  return scene;
}

}  // namespace drystone
