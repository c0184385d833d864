#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenes/scene.h"

namespace drystone::bench {

/// A body of a scene as every engine is given it. Its frame lies in the centre of mass along the
/// principal axes of inertia.
struct PeerBody {
  std::string name;
  bool isDynamic = false;  ///< otherwise it never moves
  Pose pose;               ///< of the frame, at the start
  Pose frame;              ///< the frame in the reference frame of the scene's body
  /// Sphere, box, capsule, plane or hull, or a dynamic compound of the first three; in the frame.
  std::optional<Shape> shape;
  Real mass = 0;                        ///< [kg] of dynamic bodies
  Vec3 moments = Vec3::Zero();          ///< principal moments of inertia [kg m²] of dynamic bodies
  Vec3 velocity = Vec3::Zero();         ///< of the centre of mass, at the start [m/s]
  Vec3 angularVelocity = Vec3::Zero();  ///< at the start [rad/s]
  Vec3 force = Vec3::Zero();            ///< at the centre of mass, constant [N]
  std::optional<Vec3> rail;             ///< the axis along which alone it moves, without turning
  Real friction = 0.5;                  ///< of a pair: the geometric mean

  /// Without one it is not meant to touch anything.
  bool collides() const { return shape.has_value(); }
};

/// A ball joint.
struct PeerJoint {
  int bodyA = -1, bodyB = -1;                           ///< index into PeerScene::bodies
  Vec3 anchorA = Vec3::Zero(), anchorB = Vec3::Zero();  ///< in the bodies' frames [m]
};

/// A part of a body that a force plate of the scene weighs.
struct PeerFoot {
  int body = -1;  ///< index into PeerScene::bodies
  Vec3 position;  ///< of the part, in the body's frame [m]
};

/// What the engines of a comparison have in common, and nothing else: bodies that are let go or
/// pressed, rigid shapes, dry friction, ball joints, rails.
struct PeerScene {
  std::string name;
  Vec3 gravity = Vec3::Zero();   ///< [m/s²]
  Real timestep = 1.0 / 60;      ///< [s]
  std::vector<PeerBody> bodies;  ///< as many as in the scene, in its order
  std::vector<PeerJoint> joints;
  std::vector<PeerFoot> feet;
};

/// Throws cli::UsageError for a scene that has more in it: a right scene, wrongly chosen.
PeerScene peerScene(const Scene& scene);

}  // namespace drystone::bench
