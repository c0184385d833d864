#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/model/body.h"
#include "engine/model/joint.h"
#include "engine/model/material.h"
#include "engine/model/world_settings.h"
#include "engine/observe/snapshot.h"
#include "engine/step/step_events.h"
#include "engine/step/step_report.h"
#include "solvers/driver/registry.h"

namespace drystone {

struct WorldParts;

/// A simulated world: bodies, joints, materials, and the step that moves them. One thread at a
/// time; `threads` in the settings makes the step itself use more, without changing a bit of the
/// result. Bad arguments throw InputError.
class World {
 public:
  /// The registry makes the solvers that the settings name, now and in `setSolver`.
  World(const WorldSettings& settings, SolverRegistry registry);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  MaterialId addMaterial(const Material& material);
  void setMaterialPair(MaterialId a, MaterialId b, const Material& material);
  BodyId addBody(const BodyDefinition& definition);
  void removeBody(BodyId body);  ///< also removes the joints on it
  JointId addJoint(const JointDefinition& definition);
  void removeJoint(JointId joint);  ///< also removes the gears on it

  /// Advances by one timestep. Numerics never throw: the report tells.
  const StepReport& step();
  const StepReport& lastReport() const;
  /// What the last step began and ended; empty after restore().
  const StepEvents& lastEvents() const;
  /// From now on every detection calls this within the step, while pose() says where the bodies
  /// were detected. It gets all points found, those of sensors and sleeping bodies too, by
  /// collider: bodyOfCollider(). It must not change the world. An empty function ends it.
  void observeDetections(std::function<void(std::span<const ContactPoint>)> observer);

  const WorldSettings& settings() const;
  void setGravity(const Vec3& gravity);
  void setTimestep(Real timestep);
  void setThreads(int threads);
  /// Switches the solver between two steps; warm starts stay.
  void setSolver(const SolverChoice& choice);

  /// External load on the centre of mass for the next step only, world axes [N], [N m].
  void applyForce(BodyId body, const Vec3& force);
  void applyForceAt(BodyId body, const Vec3& force, const Vec3& worldPoint);
  void applyTorque(BodyId body, const Vec3& torque);
  void setVelocity(BodyId body, const Vec3& linear, const Vec3& angular);
  void setPose(BodyId body, const Pose& pose);
  /// Wakes a body, and with the next step all of its island (WorldSettings::sleeping). So do the
  /// setters above, loads that are not zero, and whatever changes what acts on the body.
  void wake(BodyId body);

  /// Holds the target of a motor from now on, in place of its schedule [m], [rad] or their rates.
  void setMotorTarget(JointId joint, int coordinate, Real target);

  int bodyCount() const;
  int jointCount() const;              ///< without the broken ones
  std::vector<BodyId> bodies() const;  ///< ascending by index
  bool contains(BodyId body) const;
  BodyId findBody(std::string_view name) const;  ///< index -1 when there is none
  /// Valid, like what `shape` points to, until a body is added or this one is removed.
  std::string_view name(BodyId body) const;
  BodyKind kind(BodyId body) const;
  bool isAwake(BodyId body) const;  ///< only dynamic bodies sleep
  bool isSensor(BodyId body) const;
  const Shape* shape(BodyId body) const;             ///< null: none
  Real mass(BodyId body) const;                      ///< [kg]; +∞ unless dynamic
  InverseInertia inverseInertia(BodyId body) const;  ///< at the present pose; 0 unless dynamic
  Pose pose(BodyId body) const;                      ///< reference frame
  Vec3 centerOfMass(BodyId body) const;
  Vec3 linearVelocity(BodyId body) const;  ///< of the centre of mass
  Vec3 angularVelocity(BodyId body) const;
  std::vector<JointId> joints() const;             ///< without the broken ones, by slot
  bool contains(JointId joint) const;              ///< false too once it broke
  JointId findJoint(std::string_view name) const;  ///< index -1 when there is none
  std::string_view name(JointId joint) const;      ///< valid until a joint is added
  int coordinateCount(JointId joint) const;        ///< 6, or 1 of distance and gear joints
  /// A coordinate of the joint at the present poses [m], [rad]; see JointGeometry.
  Real jointCoordinate(JointId joint, int coordinate) const;
  Real jointRate(JointId joint, int coordinate) const;  ///< [m/s], [rad/s]
  /// What the joint did to body B in the last step, world axes: mean force [N], and mean torque
  /// about frame B's origin [N m]. On body A it did the opposite at the same point.
  JointReaction jointReaction(JointId joint) const;
  Real time() const;  ///< [s]
  std::int64_t stepCount() const;

  CollisionWorld& collision();  ///< for queries; colliders are the world's to change
  BodyId bodyOfCollider(int collider) const;

  /// Copies what an observer sees; reuses the capacity of `out`.
  void snapshot(WorldSnapshot& out) const;
  /// Hash of time, poses, velocities, loads, warm starts and sleep; not of the cached collision
  /// features and of who touches whom.
  std::uint64_t hash() const;
  /// The bytes that hash() hashes (Hasher), for whoever does so later; reuses the capacity.
  void copyState(std::vector<std::byte>& out) const;
  /// All that evolves. A world built the same way that restores it continues bit for bit.
  std::vector<std::byte> save() const;
  void save(std::vector<std::byte>& out) const;  ///< reuses the capacity
  /// Throws InputError when the bytes come from a world built differently, or are damaged.
  void restore(std::span<const std::byte> state);

  /// The island problems of the last step, as the solvers got them, and their answers.
  int islandCount() const;
  ContactProblem islandProblem(int island) const;
  std::span<const Real> islandImpulses(int island) const;
  /// The impulses and row states that the solvers of the last step started from.
  std::span<const Real> islandWarmStart(int island) const;
  std::span<const RowState> islandWarmStates(int island) const;
  /// Residual by iteration of the last step's largest island.
  std::span<const ResidualHistory::Entry> convergence() const;

 private:
  std::unique_ptr<WorldParts> parts_;
};

}  // namespace drystone
