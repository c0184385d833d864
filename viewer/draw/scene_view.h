#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "collision/collision_world.h"
#include "engine/model/body.h"
#include "engine/model/joint.h"
#include "engine/observe/snapshot.h"
#include "engine/world/world.h"
#include "scenes/scene.h"
#include "viewer/draw/draw_list.h"

namespace drystone::viewer {

/// Coordinates of joints that are shown: each costs time in every step.
constexpr std::size_t kMostAxes = 200;

/// What a picture needs of a body and no step changes.
struct ViewBody {
  BodyId id;
  std::string name;
  BodyKind kind = BodyKind::kDynamic;
  std::optional<Shape> shape;  ///< none: there is nothing to draw
  bool isSensor = false;
  Real mass = 0;               ///< [kg]; +∞ unless dynamic
  std::optional<Color> color;  ///< that the scene gives it
  int paletteColor = 0;        ///< else: its color in the palette

  // Of statics, from where they stand as the scene begins (layOut).
  bool isGround = false;  ///< flat; the ground is drawn in its place
  /// A plane so steep, or a box so tall beside what moves, that it hides the scene from one side.
  bool isWall = false;
  bool isHuge = false;  ///< so large that shadows of it would cover everything
};

/// A coordinate of a joint that is shown: one with a motor, or the only free one of its joint.
struct ViewAxis {
  JointId joint;
  int coordinate = 0;
  bool isAngle = false;  ///< [rad] in place of [m]
  std::optional<MotorKind> motor;
  Schedule target;         ///< of the motor, as the scene has it [m], [rad] or their rates
  Real low = 0, high = 0;  ///< what its target may be set to
};

/// What of a picture follows from the scene as a whole, and stays while bodies move, come and go.
struct SceneLayout {
  Bounds moving;      ///< of what moves, as it began [m]
  Real bodySize = 1;  ///< half the longest side of the median dynamic body [m]
  /// Lists hold places less this one [m]: single precision resolves the scene wherever it lies.
  /// Whole squares of the ground away from the world's origin; zero for scenes around it.
  Vec3 origin = Vec3::Zero();
  GroundGrid ground;
};

/// The part of a world that stays as it is from step to step. Shared between the threads; a new one
/// is made when bodies come or go.
struct SceneView {
  /// The number of the beginning: another one each time that a scene is opened or starts anew,
  /// whatever its name; the same where bodies only came or went.
  std::uint64_t source = 0;
  std::string name;
  std::string description;
  std::vector<ViewBody> bodies;         ///< ascending by BodyId::index
  std::vector<std::string> jointNames;  ///< by JointId::index
  std::vector<ViewAxis> axes;           ///< at most kMostAxes, in the order of the joints
  std::vector<SceneParameter> parameters;
  Vec3 gravity = Vec3::Zero();  ///< [m/s²]
  Real timestep = 0;            ///< [s]
  Real duration = 0;            ///< that the scene is meant for [s]
  int threads = 1;
  SceneCamera camera;
  bool hasCamera = false;  ///< false: the camera is only the default; frame the bodies instead
  SceneLayout layout;

  /// Null when the scene does not have the body.
  const ViewBody* find(BodyId body) const;
  /// The body that the scene's camera goes with; null: none.
  const ViewBody* followed() const;
};

/// What pictures of the world need as it begins: its bodies as they are now, the names of the
/// scene's joints, broken ones too, and of those added since.
SceneView sceneViewOf(const Scene& scene, const World& world);

/// The same where bodies of `before` came or went: it stays laid out as it was.
SceneView sceneViewOf(const Scene& scene, const World& world, const SceneView& before);

/// Lays out the scene as it begins: its layout, and which bodies are ground, walls and huge.
void layOut(SceneView& scene, const WorldSnapshot& begin);

/// The power of ten times 1, 2 or 5 nearest below `length` > 0.
Real niceSpacing(Real length);

}  // namespace drystone::viewer
