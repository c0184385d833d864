#pragma once

#include <functional>
#include <string>
#include <unordered_map>

#include "scenes/reading/object_reader.h"
#include "scenes/scene.h"

namespace drystone {

class SolverRegistry;

/// Hash that looks up text without making a string of it.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};
using NameIndex = std::unordered_map<std::string, int, TextHash, std::equal_to<>>;

/// What the readers of the sections share: the scene so far and the names in it.
struct SceneContext {
  Scene& scene;
  ReadLog& log;
  std::string directory;  ///< of files that the scene names; empty: it may name none
  std::span<const SceneFile> attachments;  ///< files in place of those in the directory
  const SolverRegistry* registry;          ///< null: solver names and settings go unchecked
  NameIndex materials;                     ///< → Scene::materials
  NameIndex shapes;                        ///< → Scene::shapes
  NameIndex bodies;                        ///< → Scene::bodies
  NameIndex joints;                        ///< → Scene::joints
  std::vector<std::string> bodyPlaces;     ///< [Scene::bodies] JSON pointer of what made it
  std::vector<std::string> jointPlaces;    ///< [Scene::joints] likewise
  std::set<int> guessedJoints;             ///< → Scene::joints: their types are guesses
  std::set<std::string> jointsOfFile;      ///< names in `joints`, those not yet read included
  int cables = 0;                          ///< read so far
};

/// Index of the name that a cursor holds, or -1 after reporting it with near names.
int resolveName(const JsonCursor& at, std::string_view kind, const NameIndex& index);

// One function a section of the file, in its own .cpp. Each reads what is there into the scene.
void readWorld(const JsonCursor& at, SceneContext& context);
void readSolver(const JsonCursor& at, SceneContext& context);
void readMaterial(const std::string& name, const JsonCursor& at, SceneContext& context);
void readPair(const JsonCursor& at, SceneContext& context);
void readNamedShape(const std::string& name, const JsonCursor& at, SceneContext& context);
void readBody(const JsonCursor& at, SceneContext& context);
void readJoint(const JsonCursor& at, SceneContext& context);
void readCable(const JsonCursor& at, SceneContext& context);
void readGenerator(const JsonCursor& at, SceneContext& context);
void readForcePlate(const JsonCursor& at, SceneContext& context);
void readCamera(const JsonCursor& at, SceneContext& context);
void readOutput(const JsonCursor& at, SceneContext& context);

/// The values of "type" that a generator may have.
std::vector<std::string_view> generatorTypes();

/// A shape given in place, or the name of one in `shapes`. None after an error.
std::optional<Shape> readShape(const JsonCursor& at, SceneContext& context);

/// The key `color`, `#rrggbb`. None where it is not there, or wrong, which is reported.
SceneColor readColor(ObjectReader& in, std::string_view help);

/// Position and orientation from the keys of those names.
Pose readPose(ObjectReader& in);

/// Everything of a body but its name, shape and pose, as bodies and generators give it.
struct BodyTemplate {
  BodyDefinition definition;
  std::optional<Real> mass;   ///< [kg]
  std::vector<Real> inertia;  ///< 3 moments, or 6 with the products xy, xz, yz; empty: the shape's
  Vec3 centerOfMass = Vec3::Zero();
  bool hasCenter = false;
};
void readBodyTemplate(ObjectReader& in, SceneContext& context, BodyTemplate& out);

/// Gives the definition its shape and the mass properties that follow. Reports what does not fit
/// together at `in` and returns false.
bool completeBody(const BodyTemplate& from, std::optional<Shape> shape, const ObjectReader& in,
                  BodyDefinition& out);

/// Looks at the sizes, masses and springs of a scene that was read without an error, and warns of
/// what is likely meant otherwise.
void checkScales(SceneContext& context);

/// Looks at what the bodies of a scene that was read without an error may meet: warns of planes
/// that gravity runs along, and of bodies whose groups let them meet nothing.
void checkMeetings(SceneContext& context);

/// Appends a body with a name of its own. False when the name is taken.
bool appendBody(BodyDefinition body, SceneContext& context);

}  // namespace drystone
