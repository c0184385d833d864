#include "engine/step/warm_starts.h"

#include <algorithm>
#include <tuple>
#include <utility>

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

void scale(Real factor, WarmContact& warm) {
  warm.impulse *= factor;
  warm.torsion *= factor;
}
void scale(Real factor, WarmJointRow& warm) { warm.lambda *= factor; }

void startContact(const StepContact& contact, const WarmContact& warm, Real factor,
                  ConstraintRows& rows) {
  const int first = rows.firstRow[contact.block];
  const int count = rows.blocks[contact.block].rows;
  // Normal and tangents may have turned since: the impulse is kept in world axes.
  rows.lambda[first] = factor * std::max(warm.impulse.dot(contact.point.normal), 0.0);
  if (count >= 3) {
    rows.lambda[first + 1] = factor * warm.impulse.dot(contact.tangent1);
    rows.lambda[first + 2] = factor * warm.impulse.dot(contact.tangent2);
  }
  if (count == 4) rows.lambda[first + 3] = factor * warm.torsion;
  std::copy_n(warm.state, count, rows.state.begin() + first);
}

/// One walk through both lists, which are in the order of joints and keys. The rows of a limit that
/// is left for the opposite one start from zero.
void startJoints(std::span<const WarmJointRow> before, const JointRowList& list, Real factor,
                 ConstraintRows& rows) {
  auto warm = before.begin();
  for (const StepJointBlock& source : list.blocks) {
    for (int i = 0; i < source.rows; ++i) {
      const std::pair wanted(source.joint, list.rows[source.firstRow + i].key);
      while (warm != before.end() && orderOf(*warm) < wanted) ++warm;
      if (warm == before.end()) return;
      if (orderOf(*warm) != wanted) continue;
      const int row = rows.firstRow[source.block] + i;
      rows.lambda[row] = std::clamp(factor * warm->lambda, rows.lower[row], rows.upper[row]);
      rows.state[row] = warm->state;
    }
  }
}

WarmContact warmContactOf(const StepContact& contact, const ConstraintRows& rows) {
  const int first = rows.firstRow[contact.block];
  const int count = rows.blocks[contact.block].rows;
  WarmContact warm{.colliderA = contact.point.colliderA,
                   .colliderB = contact.point.colliderB,
                   .feature = contact.point.feature,
                   .impulse = contactImpulse(contact, rows),
                   .forgiven = contact.forgiven};
  if (count == 4) warm.torsion = rows.impulse(first + 3);
  std::copy_n(rows.state.begin() + first, count, warm.state);
  return warm;
}

/// Copies those that sleep out of a list, scaled.
template <class Warm, class IsAsleep>
void setAside(std::span<const Warm> all, Real factor, IsAsleep&& isAsleep,
              std::vector<Warm>& asleep) {
  for (const Warm& warm : all) {
    if (isAsleep(warm)) scale(factor, asleep.emplace_back(warm));
  }
}

/// Merges a sorted list into another one.
template <class Warm>
void putBack(const std::vector<Warm>& asleep, std::vector<Warm>& merged, std::vector<Warm>& all) {
  if (asleep.empty()) return;
  merged.resize(all.size() + asleep.size());
  std::merge(all.begin(), all.end(), asleep.begin(), asleep.end(), merged.begin(),
             [](const Warm& p, const Warm& q) { return orderOf(p) < orderOf(q); });
  all.assign(merged.begin(), merged.end());
}

}  // namespace

int WarmStarts::match(std::span<const StepContact> contacts, const JointRowList& joints, Real h,
                      bool use, ConstraintRows& rows) const {
  if (timestep_ <= 0) return 0;
  const Real factor = h / timestep_;
  if (use) startJoints(joints_.all, joints, factor, rows);
  // Both lists have the same order, so one walk through them finds every match.
  int started = 0;
  auto warm = contacts_.all.begin();
  for (const StepContact& contact : contacts) {
    while (warm != contacts_.all.end() && orderOf(*warm) < orderOf(contact.point)) ++warm;
    if (warm != contacts_.all.end() && orderOf(*warm) == orderOf(contact.point)) {
      // The `box` model takes the normal impulse of the step before as given (M.9).
      rows.blocks[contact.block].normalBound =
          factor * std::max(warm->impulse.dot(contact.point.normal), 0.0);
      if (use) {
        startContact(contact, *warm, factor, rows);
        ++started;
      }
      ++warm;
    }
  }
  return started;
}

void WarmStarts::store(std::span<const StepContact> contacts, const JointRowList& list,
                       const ConstraintRows& rows, Real h, const BodyStore& bodies,
                       const JointStore& joints, std::span<const int> bodyOfCollider) {
  contacts_.asleep.clear();
  joints_.asleep.clear();
  if (bodies.countAsleep() > 0) {
    const Real factor = h / timestep_;
    const auto sleeps = [&](const WarmContact& warm) {
      return bodies.areAsleep(bodyOfCollider[warm.colliderA], bodyOfCollider[warm.colliderB]);
    };
    setAside<WarmContact>(contacts_.all, factor, sleeps, contacts_.asleep);
    setAside<WarmJointRow>(
        joints_.all, factor,
        [&](const WarmJointRow& warm) { return isAsleep(bodies, joints[warm.joint]); },
        joints_.asleep);
  }
  contacts_.all.clear();
  for (const StepContact& contact : contacts) {
    contacts_.all.push_back(warmContactOf(contact, rows));
  }
  joints_.all.clear();
  for (const StepJointBlock& source : list.blocks) {
    for (int i = 0; i < source.rows; ++i) {
      const int row = rows.firstRow[source.block] + i;
      joints_.all.push_back(
          {source.joint, list.rows[source.firstRow + i].key, rows.impulse(row), rows.state[row]});
    }
  }
  putBack(contacts_.asleep, contacts_.merged, contacts_.all);
  putBack(joints_.asleep, joints_.merged, joints_.all);
  timestep_ = h;
}

void WarmStarts::forget(int collider) {
  std::erase_if(contacts_.all, [&](const WarmContact& warm) {
    return warm.colliderA == collider || warm.colliderB == collider;
  });
}

void WarmStarts::forgetJoint(int joint) {
  std::erase_if(joints_.all, [&](const WarmJointRow& warm) { return warm.joint == joint; });
}

void WarmStarts::restore(std::span<const WarmContact> contacts,
                         std::span<const WarmJointRow> joints, Real timestep) {
  contacts_.all.assign(contacts.begin(), contacts.end());
  joints_.all.assign(joints.begin(), joints.end());
  timestep_ = timestep;
}

}  // namespace drystone
