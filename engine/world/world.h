#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine/model/cable.h"
#include "engine/model/material.h"
#include "engine/model/world_settings.h"
#include "engine/observe/restore_report.h"
#include "engine/observe/world_observer.h"
#include "engine/step/contact_callbacks.h"
#include "engine/step/force_plates.h"
#include "engine/step/step_events.h"
#include "engine/step/step_report.h"
#include "engine/world/body_handle.h"
#include "engine/world/joint_handle.h"
#include "engine/world/world_queries.h"
#include "solvers/driver/registry.h"

namespace drystone {

class Parallel;
struct WorldParts;

/// Where a coordinate of a joint is to stand. NaN: as it is at present.
struct JointPlace {
  JointId joint;
  int coordinate = 0;  ///< one of kAlongX to kAboutZ
  Real value = 0;      ///< [m], [rad], whole turns counted
  Real rate = 0;       ///< [m/s], [rad/s]
};

/// A simulated world: bodies, joints, materials, and the step that moves them. One body or joint is
/// read and changed through its handle: body(id), joint(id). One thread at a time, for queries and
/// observers too; `threads` in the settings makes the step itself use more, without changing a bit
/// of the result. Bad arguments throw InputError in every build, and change nothing.
///
/// Where memory ends, std::bad_alloc leaves the call. Adding a body, a joint or a material has then
/// changed nothing, and removing takes no memory. So it is with settings, callbacks and force
/// plates. After a step, a restore, a query or a change of a body's or joint's definition the world
/// may be half done: it can be destroyed, and restored from a saved state, from which it goes on to
/// the bit. Until then all other changes, queries and saves throw InputError.
class World {
 public:
  /// The registry makes the solvers that the settings name, now and in `setSolver`. The world keeps
  /// its own.
  World(const WorldSettings& settings, SolverRegistry registry);
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  MaterialId addMaterial(const Material& material);
  /// Changes a material between two steps: all bodies of it have the new one, 0 being the default.
  /// Pairs of setMaterialPair() stay as they are. Wakes all bodies, and so does the next.
  void setMaterial(MaterialId id, const Material& material);
  void setMaterialPair(MaterialId a, MaterialId b, const Material& material);
  const Material& material(MaterialId id) const;  ///< valid until one is added
  BodyId addBody(const BodyDefinition& definition);
  void removeBody(BodyId id);  ///< also removes the joints on it
  JointId addJoint(const JointDefinition& definition);
  /// Likewise, with both frames where this one of the world is now, in place of those of the
  /// definition: positions and angles begin at 0. Not for gears, which have no frames.
  JointId addJoint(JointDefinition definition, const Pose& worldFrame);
  /// A cable as distance joints, one for each span that changes. Returns the first one, which
  /// stands for it; the others follow in its slots' order. Throws InputError, and adds nothing,
  /// where it is bad.
  JointId addCable(const CableDefinition& cable);
  /// The same of the spans of a cable, as spansOf() makes them.
  JointId addSpans(const std::vector<JointDefinition>& spans);
  void removeJoint(JointId id);  ///< also removes the gears on it
  /// Puts coordinates of joints where they are to stand, by moving the bodies that hang on them.
  /// Joints are followed from static and kinematic bodies on, and where there are none from the
  /// body of the lowest index, which stays. The others keep their coordinates and rates, locks what
  /// they hold. Contacts are not looked at, nor limits. Throws InputError, and changes nothing, for
  /// a joint that is broken, that closes a loop, or that is a distance or gear joint: place the
  /// joints that these hang on.
  void placeJoints(std::span<const JointPlace> places);

  /// One body or joint, to read and to change. Valid until it is removed: InputError from then on.
  BodyHandle body(BodyId id);
  JointHandle joint(JointId id);
  ConstBodyHandle body(BodyId id) const;
  ConstJointHandle joint(JointId id) const;

  std::vector<BodyId> bodies() const;              ///< ascending by index
  std::vector<JointId> joints() const;             ///< without the broken ones, ascending by index
  BodyId findBody(std::string_view name) const;    ///< index -1 when there is none
  JointId findJoint(std::string_view name) const;  ///< index -1 when there is none
  bool contains(BodyId id) const;
  bool contains(JointId id) const;  ///< false too once it broke

  /// Says which pairs of bodies meet, on top of their filters, and what becomes of a contact: see
  /// there. Empty: all meet, and contacts stay as they are. They are no part of a saved state, and
  /// what they go by is theirs to keep. Where they come to answer otherwise, wake what is asleep.
  /// Setting one wakes all.
  void setPairFilter(PairFilter filter);
  void setContactModifier(ContactModifier modifier);

  /// Measures what contacts do to bodies, from the next step on and in place of the plates before.
  /// They are no part of a saved state. Each costs some fits over the rows of the islands on it.
  /// Throws InputError where a body, part or site is none.
  void setForcePlates(std::vector<ForcePlateDefinition> plates);
  /// In their order, each with its reading of the last step if it has one. Valid until the next.
  std::span<const ForcePlate> forcePlates() const;

  /// Advances by one timestep. Numerics never throw: the report tells. What a filter or modifier
  /// threw, and InputError where a modifier left a value out of range, comes when the step is done.
  const StepReport& step();
  const StepReport& lastReport() const;
  /// What the last step began and ended; empty after restore().
  const StepEvents& lastEvents() const;
  Real time() const;  ///< [s]
  std::int64_t stepCount() const;

  const WorldSettings& settings() const;
  void setGravity(const Vec3& gravity);  ///< [m/s²]
  void setTimestep(Real timestep);       ///< [s]
  void setThreads(int threads);
  /// Runs the loops of the step and of rayCasts() on `executor`, on at most the threads that it
  /// offers and the settings ask for. It may serve several worlds, and must not change the world
  /// meanwhile. Null: on what is the thread's own (core/executor.h).
  void setExecutor(std::shared_ptr<Parallel> executor);
  /// Switches the solver between two steps; warm starts stay.
  void setSolver(const SolverChoice& choice);

  /// Ray casts, shape casts, overlaps and distances, with the bodies where they are now.
  WorldQueries queries() const;
  /// Snapshots, hashes, and the problems that the solvers got.
  WorldObserver observe() const;

  /// All that evolves, gravity and the timestep, and what bodies, joints and materials are made of,
  /// as far as it can be changed between steps. A world that restores it continues bit for bit, if
  /// it has the same bodies, joints and solver.
  std::vector<std::byte> save() const;
  void save(std::vector<std::byte>& out) const;  ///< reuses the capacity
  /// Back to a saved state: bodies, joints and materials that were changed since are as they were.
  /// Solver, threads and tolerances stay. Throws InputError, and changes nothing, when the bytes
  /// are damaged, when they come from a world with more materials, or with other settings, which it
  /// names. With other bodies or joints, or fewer materials, it names them too, or under kMatching
  /// and kByName restores the rest, and returns what it left out. Sleeping bodies are awake then.
  /// A gear that was added since must suit what comes back: else InputError says to remove it.
  RestoreReport restore(std::span<const std::byte> state, RestoreMode mode = RestoreMode::kExact);

 private:
  friend class WorldBatch;        // lends solvers
  friend class DistributedWorld;  // couples the worlds of several processes
  friend class Statics;           // finds contacts without a step
  friend class InverseDynamics;   // likewise
  friend class StepDerivative;    // reads a step that it takes back
  std::unique_ptr<WorldParts> parts_;
};

}  // namespace drystone
