#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/step/contacts.h"
#include "engine/step/joint_row_list.h"
#include "engine/step/rows.h"

namespace drystone {

/// What the next step knows of one contact of this step: its warm start, and what is forgiven. And
/// what sensors make of it later, when its bodies are elsewhere.
struct WarmContact {
  int colliderA = -1, colliderB = -1;
  std::uint64_t feature = 0;
  Vec3 impulse = Vec3::Zero();  ///< on B, world axes [N s]; its normal part is λ_n
  Vec3 ahead = Vec3::Zero();    ///< what the next solve starts from beyond it, likewise [N s]
  Vec3 trend = Vec3::Zero();    ///< what the start after that adds, likewise [N s]
  Real torsion = 0;             ///< λ_τ [N s]
  Vec3 moment = Vec3::Zero();   ///< of the torsion or rolling rows on B, world axes [N m s]
  RowState state[5] = {};
  Real forgiven = 0;  ///< as StepContact::forgiven [m]
  SoftMemory soft;
  Vec3 position = Vec3::Zero();  ///< at detection, world [m]
  /// Those that its impulse acted at, from where the centres of mass were then.
  ContactArms arms{Vec3::Zero(), Vec3::Zero()};
};

/// What the next step's warm start knows of one row of a joint.
struct WarmJointRow {
  int joint = -1, key = 0;
  Real lambda = 0;
  RowState state = RowState::kUnknown;
};

/// Entries of what is awake, and of what slept at the last store; either list ascends.
template <class Warm>
struct WarmLists {
  std::vector<Warm> awake, asleep;
};

/// Takes entries out by keys that ascend, each once: of equal ones one after the other. `orderOf`
/// gives the key of an entry. A key that is not found awake costs a binary search.
template <class Warm, class OrderOf>
class WarmLookup {
 public:
  WarmLookup(const WarmLists<Warm>& lists, OrderOf orderOf)
      : awake_(lists.awake), asleep_(lists.asleep), orderOf_(orderOf) {}

  /// Leaves out all below a key, in less time than take() would.
  template <class Key>
  void skipTo(const Key& key) {
    for (auto* entries : {&awake_, &asleep_}) {
      const auto at = std::ranges::lower_bound(*entries, key, {}, orderOf_);
      *entries = entries->subspan(static_cast<std::size_t>(at - entries->begin()));
    }
  }

  template <class Key>
  const Warm* take(const Key& key) {
    while (!awake_.empty() && orderOf_(awake_.front()) < key) awake_ = awake_.subspan(1);
    if (const Warm* const found = takeFirst(key, awake_)) return found;
    if (asleep_.empty()) return nullptr;
    const auto at = std::ranges::lower_bound(asleep_, key, {}, orderOf_);
    asleep_ = asleep_.subspan(static_cast<std::size_t>(at - asleep_.begin()));
    return takeFirst(key, asleep_);
  }

 private:
  template <class Key>
  const Warm* takeFirst(const Key& key, std::span<const Warm>& entries) {
    if (entries.empty() || orderOf_(entries.front()) != key) return nullptr;
    const Warm* const found = &entries.front();
    entries = entries.subspan(1);
    return found;
  }

  std::span<const Warm> awake_, asleep_;
  OrderOf orderOf_;
};

/// The impulses and row states that the next solve starts from: those of the step before, and those
/// that what sleeps had when it fell asleep. Keeps its capacity: a warm step allocates nothing.
class WarmStarts {
 public:
  /// Starts every row from the impulse that its contact, found by colliders and feature key, or its
  /// joint's row of the same key had in the step before, scaled by the ratio of the timesteps. New
  /// contacts start from zero with unknown row states; with `use` off all do. Also gives the `box`
  /// friction model its λ̄_n: the normal impulse of the step before, 0 for a new contact, which is
  /// thus frictionless for one step. Under soft steps a new contact of a pair starts from the
  /// nearest old one of it that found no match: corners of faces that lie flush change their names
  /// at any turn; and the rows get zeros ahead and the trend of the contacts. Returns how many
  /// contacts started from theirs. h: of the step to solve [s].
  int match(std::span<StepContact> contacts, const JointRowList& joints, Real h, bool use,
            bool isSoft, int threads, ConstraintRows& rows) const;

  /// Keeps the impulses, arms and row states, and under soft steps the filtered impulses, of the
  /// rows, solved for a step of h [s], for the next. Pairs and joints that sleep have no rows: they
  /// keep what they had, scaled to h.
  void store(std::span<const StepContact> contacts, const JointRowList& list,
             const ConstraintRows& rows, Real h, const BodyStore& bodies, const JointStore& joints,
             std::span<const int> bodyOfCollider, int threads);

  /// Forgets what belongs to a collider or to a joint, before its index is used again.
  void forget(int collider);
  void forgetJoint(int joint);
  /// Forgets the rows on one coordinate of a joint.
  void forgetCoordinate(int joint, int coordinate);

  const WarmLists<WarmContact>& lists() const { return contacts_; }      ///< sorted as contacts
  const WarmLists<WarmJointRow>& jointLists() const { return joints_; }  ///< by joint and key
  std::span<WarmContact> awakeContacts() { return contacts_.awake; }
  /// Those that sleep, if some overlap of them is forgiven.
  std::span<WarmContact> forgivenAsleep();
  /// The colliders without dynamic bodies among those that sleep.
  std::span<const int> supports() const { return supports_; }
  std::vector<WarmContact> contacts() const;   ///< all, sorted as contacts
  std::vector<WarmJointRow> joints() const;    ///< all, by joint and key
  Real timestep() const { return timestep_; }  ///< h of the step before [s]; 0: none

  /// Takes the lists of a saved state, in the same orders.
  void restore(std::span<const WarmContact> contacts, std::span<const WarmJointRow> joints,
               Real timestep);

 private:
  void startByPlace(std::span<StepContact> contacts, Real factor, ConstraintRows& rows) const;
  /// Sorts anew who sleeps.
  void part(const BodyStore& bodies, const JointStore& joints, std::span<const int> bodyOfCollider);

  WarmLists<WarmContact> contacts_;
  WarmLists<WarmJointRow> joints_;
  std::vector<int> supports_;
  bool isForgiving_ = false;   ///< some overlap of what sleeps
  std::uint64_t version_ = 0;  ///< BodyStore::activeVersion() of the last store
  Real timestep_ = 0;
};

}  // namespace drystone
