#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "distributed/body_share.h"
#include "distributed/coupled_islands.h"
#include "distributed/migration.h"
#include "distributed/processes.h"
#include "distributed/regions.h"
#include "engine/observe/snapshot_part.h"
#include "engine/world/world.h"

namespace drystone {

/// What a step of all processes did beside the report; the same on all.
struct DistributedFigures {
  std::int64_t ownBodiesMost = 0, ownBodiesLeast = 0;  ///< dynamic ones, of a process
  std::int64_t ghosts = 0;                             ///< of all processes
  std::int64_t borderContacts = 0;    ///< contacts of two bodies that different processes own
  std::int64_t sharedBodies = 0;      ///< bodies that contacts of a process touch which is not the
                                      ///< owner's, once for each such process
  std::int64_t sharedRows = 0;        ///< of islands that several processes solved together
  std::int64_t sharedIterations = 0;  ///< of that solve
  std::int64_t migrated = 0;          ///< bodies that changed their process before the step
  bool isRebalanced = false;
  Traffic traffic;               ///< of the step, all processes together
  Vec3 momentum = Vec3::Zero();  ///< of all bodies, after the step [N s]
};

/// A world whose bodies are shared among processes, by regions of space. Each process builds the
/// same whole world and hands it in; of that it keeps what lies in its region, and copies of what
/// other processes have nearby. All processes call the same functions in the same order. The same
/// number of processes gives the same bits; another number gives the same motion within the
/// tolerance of the solver. docs/scale.md says what such a world does not do.
class DistributedWorld {
 public:
  /// The whole world goes on from where it is, with its warm starts. Throws InputError, the same on
  /// every process, that names all of it that is not supported. The processes must outlive the
  /// world.
  DistributedWorld(World whole, SolverRegistry registry, Processes& processes);
  ~DistributedWorld();
  DistributedWorld(const DistributedWorld&) = delete;
  DistributedWorld& operator=(const DistributedWorld&) = delete;

  /// Advances by one timestep. The report is that of all processes together, the same on each.
  /// Islands that reach over several processes count on each of them, and what names bodies is
  /// empty.
  const StepReport& step();
  const StepReport& lastReport() const { return report_; }
  const DistributedFigures& figures() const { return figures_; }
  /// Hash of time, poses and velocities of all dynamic bodies, whoever has them. All processes call
  /// it, and get the same.
  std::uint64_t hash();
  /// What a viewer or a recorder sees of all processes together, on the first one: bodies by
  /// ascending id, contacts by those of their two. Ids are those of the whole world, islands of a
  /// process count on from those of the ones before it, and joints are left out. The others get
  /// the time alone. All processes call it.
  void gatherSnapshot(WorldSnapshot& out);
  /// The same cut into about equal parts, one a process: bodies and contacts of all processes, one
  /// after the other, are those of gatherSnapshot(). All processes call it.
  void partSnapshot(SnapshotPart& out);
  /// Puts what all processes have after a step into a world that was built as the whole one was:
  /// time, motion, joints, warm starts. It can be saved, go on alone, or be shared anew among any
  /// number of processes: the same number goes on with the same bits each time. What touches what
  /// (StepEvents) and the cached features of collisions begin anew. All processes call it.
  void gatherInto(World& whole);
  /// What this process sent for hash() and the gather functions.
  const Traffic& gathered() const { return gathered_; }
  /// The motion of all dynamic bodies by global id: their place in World::bodies() of the whole
  /// world. All processes call it, and get the same.
  std::vector<BodyState> gatherBodies();

  /// This process's part, to look at: its bodies and its ghosts.
  const World& local() const { return world_; }
  const BodyShare& share() const { return share_; }
  /// The names of all bodies, in the order of gatherSnapshot().
  std::vector<std::string> names() const;
  /// The names of the catalog: body `StepReport::diverged` has a global id for an index.
  const std::string& nameOf(int body) const { return share_.catalog[body].name; }

 private:
  void fill(World& whole, WorldParts& parts);
  void addJoints(const World& whole, const WorldParts& parts);
  void takeHistory(const WorldParts& whole);
  void balance();
  void combineReports();

  Processes& processes_;
  World world_;
  WorldParts& parts_;
  BodyShare share_;
  Regions regions_;
  GhostLists ghosts_;
  CoupledIslands islands_;
  std::vector<MovedContact> moved_, started_;  ///< the latter for the first step
  std::vector<int> jointOf_;                   ///< [joint slots] in the whole world
  StepReport report_;
  DistributedFigures figures_;
  Traffic gathered_;
  Real extent_ = 0;  ///< median of all dynamic bodies, as PositionErrors::size [m]
};

/// What of a world several processes cannot share, each with a remedy; empty: nothing.
std::vector<std::string> unsupportedIn(const WorldParts& world);

/// The settings that the process's part of a world takes: those of the whole, with joints and
/// contacts met once a step. A look at where the step goes would be another solve of one process.
WorldSettings sharedSettings(WorldSettings settings);

}  // namespace drystone
