#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/observe/snapshot.h"
#include "solvers/driver/contact_solver.h"

namespace drystone {

struct WorldParts;

/// What viewers, recorders and studies see of a world beyond its bodies: World::observe(). Nothing
/// here changes how the world goes on. Valid as long as the world is; the views that it returns are
/// valid until the next step or restore. Islands count from 0; others throw InputError.
class WorldObserver {
 public:
  explicit WorldObserver(WorldParts& world) : world_(&world) {}

  /// Whether these are the bodies of the world, all of them and in the order of World::bodies().
  bool hasBodies(std::span<const BodyId> ids) const;
  /// Copies poses, velocities, contacts and joints; reuses the capacity of `out`.
  void snapshot(WorldSnapshot& out) const;
  /// Hash of time, poses, velocities, loads, warm starts and sleep; not of the cached collision
  /// features and of who touches whom.
  std::uint64_t hash() const;
  /// The bytes that hash() hashes (Hasher), for whoever does so later; reuses the capacity.
  void copyState(std::vector<std::byte>& out) const;

  /// The island problems of the last step, as the solvers got them, and their answers.
  int islandCount() const;
  ContactProblem islandProblem(int island) const;
  std::span<const Real> islandImpulses(int island) const;
  /// The impulses and row states that the solvers of the last step started from.
  std::span<const Real> islandWarmStart(int island) const;
  std::span<const RowState> islandWarmStates(int island) const;
  /// Residual by iteration of the last step's largest island.
  std::span<const ResidualHistory::Entry> convergence() const;

  /// Why the last step failed (StepReport::failed), with the body that is to blame and what may
  /// help; empty: it did not.
  std::string failure() const;

  /// From now on every detection calls this within the step, while the bodies stand where they were
  /// detected, and again where others wake then. It gets all points found, those of sensors too, by
  /// collider: bodyOfCollider(). Pairs that sleep are detected once. It must not change the world.
  /// A world has one: an empty function ends it, and another throws InputError until then.
  void onDetection(std::function<void(std::span<const ContactPoint>)> callback) const;
  BodyId bodyOfCollider(int collider) const;  ///< index -1 when there is none

 private:
  void requireIsland(int island) const;

  WorldParts* world_;
};

}  // namespace drystone
