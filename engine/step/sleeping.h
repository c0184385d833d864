#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/model/joint_store.h"
#include "engine/step/contacts.h"
#include "engine/step/islands.h"
#include "engine/step/step_report.h"
#include "engine/step/warm_starts.h"

namespace drystone {

class CollisionWorld;

// Islands at rest are left out of the step: their bodies keep poses and zero velocities, their
// contacts and joints make no rows and keep their impulses for the warm start. Only dynamic bodies
// sleep. All of an island sleeps or none of it: a group of bodies that contacts or joints connect
// and of which one is awake wakes before the rows are made.

/// A pair that sleeps, as it was detected last.
struct SleepingPair {
  int colliderA = -1, colliderB = -1;
  int bodyA = -1, bodyB = -1;  ///< body slots
  Real depth = 0;              ///< deepest overlap; negative: a gap [m]
  Real forgiven = 0;           ///< as StepContact::forgiven at the detection [m]
  bool isSoft = false;
};

/// What is asleep, after the islands that something disturbs woke. Contacts of what sleeps are
/// detected once, and what follows from them is kept.
struct SleepData {
  int islands = 0;         ///< asleep
  DeepestOverlap overlap;  ///< of sleeping contacts

  /// [body slots] union–find over what sleeps and is connected; all others are alone
  std::vector<int> parent;
  int groups = 0;
  std::uint64_t groupsVersion = 0;      ///< BodyStore::activeVersion() of these groups
  std::vector<std::uint8_t> isResting;  ///< [colliders] as the collision world was told
  std::uint64_t restingVersion = 0;     ///< that of the list
  std::vector<SleepingPair> pairs, dropped, merged;  ///< ascending; the last two are work space
  std::uint64_t pairsVersion = 0;
  bool isForgiving = false;                ///< some of the overlap of these pairs
  std::vector<std::uint8_t> wasAsleep;     ///< [body slots]
  std::vector<std::uint8_t> groupIsAwake;  ///< [body slots] by root
  std::vector<std::uint8_t> missed;  ///< [body slots] a solve of its island in this step missed
};

/// Wakes a body and all that touched it in the last step or hang on it. To be called before it is
/// changed from outside. What it meets in the next step wakes too.
void disturbBody(int body, const JointStore& joints, const WarmStarts& warm,
                 std::span<const int> bodyOfCollider, BodyStore& bodies);

/// Wakes the islands that are disturbed, after the detection: by what moves or drives them in the
/// inner step of h that starts at `time` [s]. The step before is known by its warm starts.
void wakeIslands(std::span<const StepContact> contacts, const JointStore& joints,
                 const WarmStarts& warm, std::span<const int> bodyOfCollider, Real time, Real h,
                 BodyStore& bodies, SleepData& sleep);

/// Starts the impulses of the joints that woke anew: they were kept while they slept.
void forgetWokenReactions(const BodyStore& bodies, const SleepData& sleep, JointStore& joints);

/// Tells the collision world what rests. Returns whether that is new.
bool markResting(const BodyStore& bodies, CollisionWorld& collision, SleepData& sleep);

/// Drops the contacts of what sleeps, and measures the overlap of all that sleeps.
void dropSleepingContacts(const BodyStore& bodies, const WarmStarts& warm,
                          std::vector<StepContact>& contacts, SleepData& sleep);

/// Forgets the pairs of a body that is removed.
void forgetSleepingPairs(int body, SleepData& sleep);
/// Forgets all that was found before a restore.
void forgetSleepers(SleepData& sleep);

/// Starts a step of so many body slots.
void beginMisses(int slots, SleepData& sleep);
/// Keeps in mind whose solves of an inner step missed the tolerance.
void noteMisses(const Islands& islands, std::span<const IslandReport> reports, SleepData& sleep);

/// Adds a step of `timestep` [s] to the time for which slow bodies have been slow.
void timeStillness(const Sleeping& rule, Real timestep, BodyStore& bodies);

/// Finds out for every island why it stays awake after the step that ends at `time` [s], if at all:
/// it may sleep when it was slow for long enough and all solves of the step met the tolerance.
void findAwakeReasons(const BodyStore& bodies, const JointStore& joints, const Islands& islands,
                      std::span<const StepJointBlock> blocks, std::span<const StepContact> contacts,
                      const Sleeping& rule, Real time, Real timestep,
                      std::span<const std::uint8_t> missed, std::span<IslandReport> reports);

/// Puts the islands to sleep at `time` [s] that nothing keeps awake, at their last place, and books
/// their kinetic energy.
void fallAsleep(const Islands& islands, const SleepData& sleep, const WorldSettings& settings,
                Real time, BodyStore& bodies, CollisionWorld& collision, StepReport& report);

}  // namespace drystone
