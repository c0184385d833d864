#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/model/body.h"
#include "engine/model/joint.h"
#include "engine/model/material.h"
#include "engine/model/world_settings.h"
#include "engine/step/force_plates.h"

namespace drystone {

/// A number that a scene lets its users choose ("$name" in the file, `--set scene.name=…`).
struct SceneParameter {
  std::string name{};
  std::string description{};
  Real value = 0;  ///< the one in use
  Real defaultValue = 0;
  Real minimum = 0;
  Real maximum = 0;
  bool integer = false;
};

/// A color for pictures, as `#rrggbb` in the file: 0xRRGGBB.
using SceneColor = std::optional<unsigned>;

struct SceneMaterial {
  std::string name{};
  Material material{};
  SceneColor color{};  ///< of the bodies of it; none: the viewer's
};

/// What two materials make together, in place of the combination rule.
struct SceneMaterialPair {
  int a = -1;  ///< index into Scene::materials
  int b = -1;
  Material material{};
};

/// A shape that bodies name.
struct SceneShape {
  std::string name{};
  Shape shape{};
};

/// A joint of the scene. The ids in its definition are filled in when the world is built.
struct SceneJoint {
  int bodyA = -1, bodyB = -1;  ///< index into Scene::bodies; -1 for gears
  int gear1 = -1, gear2 = -1;  ///< index into Scene::joints, of those before; -1 but for gears
  int cable = -1;  ///< index into Scene::joints of the first span, of further spans of a cable
  JointDefinition definition{};
};

/// A force plate of the scene. The bodies in its definition are filled in when the world is built.
struct SceneForcePlate {
  int body = -1, other = -1;  ///< index into Scene::bodies; `other` -1: any
  ForcePlateDefinition definition{};
};

/// Where a picture of the scene is taken from.
struct SceneCamera {
  Vec3 position{8, -12, 6};  ///< [m]
  Vec3 target{0, 0, 1};      ///< looked at [m]
  Vec3 up{0, 0, 1};
  Real fieldOfViewDeg = 45;  ///< vertical [degrees]
  int follow = -1;           ///< index into Scene::bodies of what it goes with; -1: nothing
};

/// What a program writes about a run unless its user says otherwise.
struct SceneOutput {
  int every = 1;  ///< steps between two rows of a table or frames of a recording
};

/// A file that a scene names, with its content.
struct SceneFile {
  std::string name{};  ///< as the scene names it
  std::string text{};
};

/// A scene as read from a file: plain data with every generator expanded and every name resolved.
struct Scene {
  std::string name{};
  std::string description{};
  /// Every file that it was read from: its own, unless it is of the library, and the meshes'.
  std::vector<std::string> files{};
  std::vector<SceneFile> attachments{};  ///< the files that it names, each once
  /// What looks wrong but can be run, each with its place, as errors have it: what the reader sees.
  /// sceneWarnings() has the rest too.
  std::vector<std::string> warnings{};
  std::vector<SceneParameter> parameters{};
  WorldSettings settings{};
  int peakRows = 0;    ///< largest number of constraint rows of a run, as measured; 0: not said
  Real duration = 10;  ///< simulated time that the scene is meant for [s]
  std::vector<SceneMaterial> materials{};
  std::vector<SceneMaterialPair> pairs{};
  std::vector<SceneShape> shapes{};
  /// In order of creation: those of the file, then the generators', in the order of the file.
  /// `material` is an index into `materials` plus one; 0 is the engine's default material.
  std::vector<BodyDefinition> bodies{};
  /// [bodies], or shorter: what is beyond its end has none. Goes before the material's.
  std::vector<SceneColor> bodyColors{};
  std::vector<SceneJoint> joints{};
  std::vector<SceneForcePlate> forcePlates{};
  SceneCamera camera{};
  bool hasCamera = false;  ///< the file has one; else `camera` is only the default
  SceneOutput output{};

  /// Steps that make up the duration, at least 1.
  int stepCount() const;
};

/// The keys of the section `world`: the fields of the settings, and what a scene adds.
void visitWorldKeys(Scene& scene, FieldVisitor& visitor);

}  // namespace drystone
