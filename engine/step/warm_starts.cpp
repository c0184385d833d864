#include "engine/step/warm_starts.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <tuple>
#include <utility>

#include "core/parallel.h"
#include "engine/step/sleeping.h"

namespace drystone {
namespace {

auto orderOf(const WarmContact& warm) {
  return std::tuple(warm.colliderA, warm.colliderB, warm.feature);
}
auto orderOf(const ContactPoint& point) {
  return std::tuple(point.colliderA, point.colliderB, point.feature);
}
auto orderOf(const WarmJointRow& warm) { return std::pair(warm.joint, warm.key); }

/// What bodies lost their speed under has no prediction, nor has a step of another length.
void forgetPrediction(WarmContact& warm) { warm.ahead = warm.trend = Vec3::Zero(); }

void scale(Real factor, WarmContact& warm) {
  if (factor != 1) forgetPrediction(warm);
  warm.impulse *= factor;
  warm.torsion *= factor;
  warm.moment *= factor;
  warm.soft.average *= factor;
}
void scale(Real factor, WarmJointRow& warm) { warm.lambda *= factor; }

SoftMemory scaled(Real factor, SoftMemory memory) {
  memory.average *= factor;
  return memory;
}

/// The parts of an impulse, in world axes, along normal and tangents: to the contact's rows.
void splitAlong(const StepContact& contact, const Vec3& impulse, int count, Real* rows) {
  rows[0] = impulse.dot(contact.point.normal);
  if (count < 3) return;
  rows[1] = impulse.dot(contact.tangent1);
  const Real squared = contact.across * contact.across;
  rows[2] = impulse.dot(contact.tangent2) / squared;
}

void startContact(const StepContact& contact, const WarmContact& warm, Real factor,
                  ConstraintRows& rows) {
  const int first = rows.firstRow[contact.block];
  const int count = rows.blocks[contact.block].rows;
  // Normal and tangents may have turned since: impulses are kept in world axes.
  const bool isPredicted = factor == 1;  // for a step as long as the one before
  const Vec3 impulse = factor * warm.impulse;
  splitAlong(contact, isPredicted ? Vec3(impulse + warm.ahead) : impulse, count,
             &rows.lambda[first]);
  rows.lambda[first] = std::max(rows.lambda[first] + rows.pull(first), 0.0);
  if (!rows.trend.empty() && isPredicted) {
    splitAlong(contact, warm.trend, count, &rows.trend[first]);
  }
  if (count == 4) rows.lambda[first + 3] = factor * warm.torsion;
  for (int i = 3; count == 5 && i < count; ++i) {
    const Real squared = contact.rollingArm * contact.rollingArm;
    rows.lambda[first + i] = factor * warm.moment.dot(rollingAxis(contact, i - 3)) / squared;
  }
  std::copy_n(warm.state, count, rows.state.begin() + first);
}

/// The rows of a limit that is left for the opposite one start from zero.
void startJoints(const WarmLists<WarmJointRow>& before, const JointRowList& list, Real factor,
                 ConstraintRows& rows) {
  WarmLookup lookup(before, [](const WarmJointRow& warm) { return orderOf(warm); });
  for (const StepJointBlock& source : list.blocks) {
    for (int i = 0; i < source.rows; ++i) {
      const WarmJointRow* const warm =
          lookup.take(std::pair(source.joint, list.rows[source.firstRow + i].key));
      if (warm == nullptr) continue;
      const int row = rows.firstRow[source.block] + i;
      rows.lambda[row] = std::clamp(factor * warm->lambda, rows.lower[row], rows.upper[row]);
      rows.state[row] = warm->state;
    }
  }
}

WarmContact warmContactOf(const BodyStore& bodies, const StepContact& contact,
                          const ConstraintRows& rows) {
  const int first = rows.firstRow[contact.block];
  const int count = rows.blocks[contact.block].rows;
  WarmContact warm{.colliderA = contact.point.colliderA,
                   .colliderB = contact.point.colliderB,
                   .feature = contact.point.feature,
                   .impulse = contactImpulse(contact, rows),
                   .forgiven = contact.forgiven,
                   .soft = contact.soft,
                   .position = contact.point.position,
                   .arms = armsOf(bodies, contact)};
  if (!rows.ahead.empty()) {
    warm.ahead = sumAlong(contact, rows.ahead, rows);
    warm.trend = sumAlong(contact, rows.trend, rows);
  }
  if (count == 4) {
    warm.torsion = rows.impulse(first + 3);
    warm.moment = warm.torsion * contact.contensouRadius * contact.point.normal;
  }
  for (int i = 3; count == 5 && i < count; ++i) {
    warm.moment += rows.impulse(first + i) * rollingAxis(contact, i - 3);
  }
  std::copy_n(rows.state.begin() + first, count, warm.state);
  return warm;
}

/// Both lists in one.
template <class Warm>
std::vector<Warm> merged(const WarmLists<Warm>& lists) {
  std::vector<Warm> all(lists.awake.size() + lists.asleep.size());
  std::merge(lists.awake.begin(), lists.awake.end(), lists.asleep.begin(), lists.asleep.end(),
             all.begin(), [](const Warm& p, const Warm& q) { return orderOf(p) < orderOf(q); });
  return all;
}

/// Leaves in the list of what sleeps what does so now.
template <class Warm, class IsAsleep>
void keepAsleep(IsAsleep&& isAsleep, WarmLists<Warm>& lists) {
  if (lists.awake.empty() && lists.asleep.empty()) return;
  const std::vector<Warm> all = merged(lists);
  lists.asleep.clear();
  std::ranges::copy_if(all, std::back_inserter(lists.asleep), isAsleep);
}

}  // namespace

int WarmStarts::match(std::span<StepContact> contacts, const JointRowList& joints, Real h, bool use,
                      bool isSoft, int threads, ConstraintRows& rows) const {
  for (auto* values : {&rows.ahead, &rows.trend}) {
    values->assign(isSoft ? rows.lambda.size() : 0, 0);
  }
  if (timestep_ <= 0) return 0;
  const Real factor = h / timestep_;
  if (use) startJoints(joints_, joints, factor, rows);
  std::atomic<int> started = 0;
  forEachPairRange(contacts, threads, [&](auto first, auto last) {
    WarmLookup lookup(contacts_, [](const WarmContact& warm) { return orderOf(warm); });
    lookup.skipTo(orderOf(first->point));
    int count = 0;
    for (auto contact = first; contact != last; ++contact) {
      const WarmContact* const warm = lookup.take(orderOf(contact->point));
      if (warm == nullptr) continue;
      // The `box` model takes the normal impulse of the step before as given (M.9).
      rows.blocks[contact->block].normalBound =
          factor * std::max(warm->impulse.dot(contact->point.normal), 0.0);
      contact->soft = scaled(factor, warm->soft);
      if (!use) continue;
      startContact(*contact, *warm, factor, rows);
      ++count;
    }
    started += count;
  });
  if (use && isSoft) startByPlace(contacts, factor, rows);
  return started;
}

void WarmStarts::startByPlace(std::span<StepContact> contacts, Real factor,
                              ConstraintRows& rows) const {
  const auto pairOf = [](const auto& one) { return std::pair(one.colliderA, one.colliderB); };
  const auto isNew = [&](const StepContact& contact) {
    return rows.state[rows.firstRow[contact.block]] == RowState::kUnknown;
  };
  auto old = contacts_.awake.begin();
  const auto end = contacts_.awake.end();
  for (auto begin = contacts.begin(), next = begin; begin != contacts.end(); begin = next) {
    const auto pair = pairOf(begin->point);
    bool hasNew = false;
    for (; next != contacts.end() && pairOf(next->point) == pair; ++next) {
      hasNew = hasNew || isNew(*next);
    }
    while (old != end && pairOf(*old) < pair) ++old;
    auto contact = begin;
    for (; hasNew && old != end && pairOf(*old) == pair; ++old) {
      while (contact != next && contact->point.feature < old->feature) ++contact;
      if (contact != next && contact->point.feature == old->feature) continue;
      StepContact* nearest = nullptr;
      Real least = kInfinity;
      for (auto one = begin; one != next; ++one) {
        const Real distance = (one->point.position - old->position).squaredNorm();
        if (isNew(*one) && distance < least) {
          least = distance;
          nearest = &*one;
        }
      }
      if (nearest == nullptr) break;
      WarmContact warm = *old;
      std::fill(std::begin(warm.state), std::end(warm.state), RowState::kFree);
      nearest->soft = scaled(factor, warm.soft);
      startContact(*nearest, warm, factor, rows);
    }
  }
}

void WarmStarts::store(std::span<const StepContact> contacts, const JointRowList& list,
                       const ConstraintRows& rows, Real h, const BodyStore& bodies,
                       const JointStore& joints, std::span<const int> bodyOfCollider, int threads) {
  if (version_ != bodies.activeVersion()) part(bodies, joints, bodyOfCollider);
  version_ = bodies.activeVersion();
  if (h != timestep_) {
    const Real factor = h / timestep_;
    for (WarmContact& warm : contacts_.asleep) scale(factor, warm);
    for (WarmJointRow& warm : joints_.asleep) scale(factor, warm);
  }
  contacts_.awake.resize(contacts.size());
  parallelRanges(static_cast<int>(contacts.size()), kContactsPerRange, threads,
                 [&](int begin, int end) {
                   for (int i = begin; i < end; ++i) {
                     contacts_.awake[i] = warmContactOf(bodies, contacts[i], rows);
                   }
                 });
  joints_.awake.clear();
  for (const StepJointBlock& source : list.blocks) {
    for (int i = 0; i < source.rows; ++i) {
      const int row = rows.firstRow[source.block] + i;
      joints_.awake.push_back(
          {source.joint, list.rows[source.firstRow + i].key, rows.impulse(row), rows.state[row]});
    }
  }
  timestep_ = h;
}

void WarmStarts::part(const BodyStore& bodies, const JointStore& joints,
                      std::span<const int> bodyOfCollider) {
  supports_.clear();
  isForgiving_ = false;
  if (bodies.countAsleep() == 0) {
    contacts_.asleep.clear();
    joints_.asleep.clear();
    return;
  }
  keepAsleep(
      [&](const WarmContact& warm) {
        return bodies.areAsleep(bodyOfCollider[warm.colliderA], bodyOfCollider[warm.colliderB]);
      },
      contacts_);
  keepAsleep([&](const WarmJointRow& warm) { return isAsleep(bodies, joints[warm.joint]); },
             joints_);
  for (WarmContact& warm : contacts_.asleep) {
    forgetPrediction(warm);
    isForgiving_ = isForgiving_ || warm.forgiven > 0;
    for (const int collider : {warm.colliderA, warm.colliderB}) {
      if (!bodies.isDynamic(bodyOfCollider[collider])) supports_.push_back(collider);
    }
  }
  std::ranges::sort(supports_);
  supports_.erase(std::unique(supports_.begin(), supports_.end()), supports_.end());
}

std::span<WarmContact> WarmStarts::forgivenAsleep() {
  return isForgiving_ ? std::span(contacts_.asleep) : std::span<WarmContact>();
}

std::vector<WarmContact> WarmStarts::contacts() const { return merged(contacts_); }

std::vector<WarmJointRow> WarmStarts::joints() const { return merged(joints_); }

void WarmStarts::forget(int collider) {
  for (auto* list : {&contacts_.awake, &contacts_.asleep}) {
    std::erase_if(*list, [&](const WarmContact& warm) {
      return warm.colliderA == collider || warm.colliderB == collider;
    });
  }
  std::erase(supports_, collider);
}

void WarmStarts::forgetJoint(int joint) {
  for (auto* list : {&joints_.awake, &joints_.asleep}) {
    std::erase_if(*list, [&](const WarmJointRow& warm) { return warm.joint == joint; });
  }
}

void WarmStarts::forgetCoordinate(int joint, int coordinate) {
  for (auto* list : {&joints_.awake, &joints_.asleep}) {
    std::erase_if(*list, [&](const WarmJointRow& warm) {
      return warm.joint == joint && coordinateOfKey(warm.key) == coordinate;
    });
  }
}

void WarmStarts::restore(std::span<const WarmContact> contacts,
                         std::span<const WarmJointRow> joints, Real timestep) {
  contacts_ = {{contacts.begin(), contacts.end()}, {}};
  joints_ = {{joints.begin(), joints.end()}, {}};
  supports_.clear();
  version_ = 0;
  timestep_ = timestep;
}

}  // namespace drystone
