#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "core/types.h"

namespace drystone::bench {

/// What an engine cannot do: be there, take a scene, or go on with it. The text completes
/// "ENGINE: …".
class PeerLimit : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Where a body is and how it moves, in the frame of PeerBody.
struct BodyState {
  Pose pose;
  Vec3 velocity = Vec3::Zero();         ///< of the centre of mass [m/s]
  Vec3 angularVelocity = Vec3::Zero();  ///< world axes [rad/s]
};

/// How a contact point presses on a body that never moves.
struct FloorForce {
  Vec3 position = Vec3::Zero();  ///< [m]
  Real force = 0;                ///< along the normal [N]
};

/// A scene in one of the engines that are compared. Made by the function make…World() of the
/// engine, which throws PeerLimit for a scene that it does not take.
class PeerWorld {
 public:
  virtual ~PeerWorld() = default;

  /// Advances by the timestep of the scene. Throws PeerLimit when the engine gives up; the world is
  /// not to be stepped again then.
  virtual void step() = 0;
  /// Contact points that the engine kept in its last step, by its own count.
  virtual int contactCount() const = 0;
  /// Replaces `states` by those of the dynamic bodies, in order of the scene.
  virtual void readStates(std::vector<BodyState>& states) const = 0;
  /// Replaces `forces` by those of the last step. Of scenes with feet alone.
  virtual void readFloorForces(std::vector<FloorForce>& forces) const = 0;
};

/// Two shapes of which an engine finds the contact again and again.
class PeerPair {
 public:
  virtual ~PeerPair() = default;

  /// Finds the contact with the second shape at this place; returns the number of its points.
  virtual int collide(const Vec3& positionB) = 0;
};

/// How an engine models what the scenes have in them, for those who compare its figures.
struct PeerModel {
  std::string name;
  std::string version;
  std::string absent;    ///< why it was not built; empty: it was
  std::string contacts;  ///< where they are seen, how stiff they are
  std::string friction;
  std::string joints;
  std::string stepping;
};

}  // namespace drystone::bench
