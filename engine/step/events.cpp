#include "engine/step/events.h"

#include <algorithm>
#include <tuple>

#include "core/parallel.h"
#include "engine/step/sleeping.h"

namespace drystone {
namespace {

/// Pairs that a thread takes at a time: some 10 µs of work.
constexpr int kPairsPerRange = 512;

auto orderOf(BodyId a, BodyId b) {
  return std::tuple(a.index, a.generation, b.index, b.generation);
}
auto orderOf(const ContactEvent& event) { return orderOf(event.bodyA, event.bodyB); }
auto orderOf(const SensorEvent& event) { return orderOf(event.sensor, event.visitor); }

/// Speed at which the points of the two bodies approach each other [m/s]; negative: they part.
Real approachSpeed(const BodyStore& bodies, std::span<const Vec6> oldVelocity,
                   const StepContact& contact) {
  const auto velocityOf = [&](int body, const Vec3& arm) -> Vec3 {
    const Vec6& u = oldVelocity[body];
    return u.head<3>() + u.tail<3>().cross(arm);
  };
  const ContactArms arms = armsOf(bodies, contact);
  return contact.point.normal.dot(velocityOf(contact.bodyA, arms.a) -
                                  velocityOf(contact.bodyB, arms.b));
}

/// Adds `other` of the same pair; the caller counts the points after it and makes the normal unit
/// again when all are in.
void merge(const ContactEvent& other, ContactEvent& event) {
  const Real total = event.normalImpulse + other.normalImpulse;
  const Real share = total > 0 ? other.normalImpulse / total
                               : other.points / static_cast<Real>(event.points + other.points);
  event.position += share * (other.position - event.position);
  const Vec3 normal = (1 - share) * event.normal + share * other.normal;
  // Normals that cancel out leave the one of the greater impulse.
  if (normal.norm() > 1e-6) {
    event.normal = normal;
  } else if (share > 0.5) {
    event.normal = other.normal;
  }
  event.normalImpulse = total;
  event.approachSpeed = std::max(event.approachSpeed, other.approachSpeed);
}

/// Pairs in which nothing moves make no rows: they touch as they did.
bool isAtRest(const BodyStore& bodies, const ContactEvent& pair) {
  const BodyId a = pair.bodyA, b = pair.bodyB;
  if (!bodies.contains(a) || !bodies.contains(b)) return false;
  return bodies.areAsleep(a.index, b.index);
}

/// Walks two ascending lists: calls both(old, now), gone(old) and come(now), in order.
template <class Event, class Both, class Gone, class Come>
void compare(const std::vector<Event>& before, const std::vector<Event>& now, Both&& both,
             Gone&& gone, Come&& come) {
  auto old = before.begin();
  for (const Event& event : now) {
    for (; old != before.end() && orderOf(*old) < orderOf(event); ++old) gone(*old);
    if (old != before.end() && orderOf(*old) == orderOf(event)) {
      both(*old++, event);
    } else {
      come(event);
    }
  }
  for (; old != before.end(); ++old) gone(*old);
}

/// Whether a contact is closed at the start of its inner step, or pushes in it.
bool touches(const StepContact& contact, const ConstraintRows& rows) {
  const bool isClosed = contact.point.gap <= 0 && !contact.isLate;
  return isClosed || rows.impulse(rows.firstRow[contact.block]) > 0;
}

/// Whether two contacts are of one pair. Those of a pair adjoin.
bool areOfPair(const StepContact& p, const StepContact& q) {
  return p.bodyA == q.bodyA && p.bodyB == q.bodyB;
}

/// Whether a contact is the first of its pair that touches.
bool isFirstTouch(std::span<const StepContact> contacts, int c, const ConstraintRows& rows) {
  if (!touches(contacts[c], rows)) return false;
  for (int k = c - 1; k >= 0 && areOfPair(contacts[k], contacts[c]); --k) {
    if (touches(contacts[k], rows)) return false;
  }
  return true;
}

/// What one contact tells of its pair.
ContactEvent eventOf(const BodyStore& bodies, std::span<const Vec6> oldVelocity,
                     const ConstraintRows& rows, const StepContact& contact) {
  const Real impulse = rows.impulse(rows.firstRow[contact.block]);
  return {.bodyA = bodies.idOf(contact.bodyA),
          .bodyB = bodies.idOf(contact.bodyB),
          .normalImpulse = std::max(impulse, 0.0),
          .approachSpeed = std::max(approachSpeed(bodies, oldVelocity, contact), 0.0),
          .points = 1,
          .position = touchPoint(bodies, contact),
          .normal = contact.point.normal};
}

/// One event per pair out of those of the inner steps.
void joinSubsteps(std::vector<PairTouch>& found, int threads, std::vector<ContactEvent>& out) {
  const int count = static_cast<int>(found.size());
  const auto descends = [&](int begin, int end) {
    for (int i = std::max(begin, 1); i < end; ++i) {
      if (!(orderOf(found[i - 1].event) < orderOf(found[i].event))) return true;
    }
    return false;
  };
  // One inner step finds each pair once, in order where colliders were added as their bodies were.
  if (!parallelAny(count, kPairsPerRange, threads, descends)) {
    out.resize(found.size());
    parallelRanges(count, kPairsPerRange, threads, [&](int begin, int end) {
      for (int i = begin; i < end; ++i) {
        out[i] = found[i].event;
        out[i].normal.normalize();
      }
    });
    return;
  }
  const auto isBefore = [](const PairTouch& p, const PairTouch& q) {
    return orderOf(p.event) != orderOf(q.event) ? orderOf(p.event) < orderOf(q.event)
                                                : p.substep < q.substep;
  };
  std::ranges::sort(found, isBefore);
  out.clear();
  for (const PairTouch& touch : found) {
    if (!out.empty() && orderOf(out.back()) == orderOf(touch.event)) {
      merge(touch.event, out.back());
      out.back().points = std::max(out.back().points, touch.event.points);
    } else {
      out.push_back(touch.event);
    }
  }
  for (ContactEvent& event : out) event.normal.normalize();
}

/// Merges pairs into a list of others.
void addResting(std::span<const ContactEvent> pairs, std::vector<ContactEvent>& resting) {
  const auto middle = static_cast<std::ptrdiff_t>(resting.size());
  resting.insert(resting.end(), pairs.begin(), pairs.end());
  std::inplace_merge(resting.begin(), resting.begin() + middle, resting.end(),
                     [](const auto& p, const auto& q) { return orderOf(p) < orderOf(q); });
}

void finishContacts(const BodyStore& bodies, int threads, EventTracker& tracker) {
  StepEvents& events = tracker.events;
  joinSubsteps(tracker.found, threads, tracker.nextTouching);
  if (tracker.restingVersion != bodies.activeVersion()) {
    tracker.touching = allTouching(tracker);
    tracker.resting.clear();
    tracker.restingVersion = bodies.activeVersion();
  }
  tracker.slept.clear();
  compare(
      tracker.touching, tracker.nextTouching,
      [&](const ContactEvent&, const ContactEvent& now) { events.contactsLasting.push_back(now); },
      [&](const ContactEvent& old) {
        if (isAtRest(bodies, old)) {
          tracker.slept.push_back(old);
          return;
        }
        ContactEvent& ended = events.contactsEnded.emplace_back(old);
        ended.normalImpulse = ended.approachSpeed = 0;
        ended.points = 0;
      },
      [&](const ContactEvent& now) { events.contactsBegun.push_back(now); });
  addResting(tracker.slept, tracker.resting);
  tracker.touching.swap(tracker.nextTouching);
}

void finishSensors(EventTracker& tracker) {
  std::vector<SensorEvent>& sensed = tracker.sensed;
  std::sort(sensed.begin(), sensed.end(),
            [](const auto& p, const auto& q) { return orderOf(p) < orderOf(q); });
  sensed.erase(std::unique(sensed.begin(), sensed.end()), sensed.end());
  compare(
      tracker.sensing, sensed, [](const SensorEvent&, const SensorEvent&) {},
      [&](const SensorEvent& old) { tracker.events.sensorsEnded.push_back(old); },
      [&](const SensorEvent& now) { tracker.events.sensorsBegun.push_back(now); });
  tracker.sensing.swap(sensed);
}

}  // namespace

std::vector<ContactEvent> allTouching(const EventTracker& tracker) {
  std::vector<ContactEvent> all = tracker.touching;
  addResting(tracker.resting, all);
  return all;
}

void beginEvents(EventTracker& tracker) {
  StepEvents& events = tracker.events;
  for (auto* list : {&events.contactsBegun, &events.contactsLasting, &events.contactsEnded}) {
    list->clear();
  }
  for (auto* list : {&events.sensorsBegun, &events.sensorsEnded, &tracker.sensed}) list->clear();
  events.jointsBroken.clear();
  tracker.found.clear();
}

void senseTouches(std::span<const ContactPoint> points, std::span<const int> bodyOfCollider,
                  const BodyStore& bodies, EventTracker& tracker) {
  for (const ContactPoint& point : points) {
    const int a = bodyOfCollider[point.colliderA], b = bodyOfCollider[point.colliderB];
    const bool isA = bodies.isSensor[a] != 0, isB = bodies.isSensor[b] != 0;
    if (isA == isB || point.gap > 0) continue;
    tracker.sensed.push_back({bodies.idOf(isA ? a : b), bodies.idOf(isA ? b : a)});
  }
}

void collectTouches(const BodyStore& bodies, std::span<const StepContact> contacts,
                    const ConstraintRows& rows, std::span<const Vec6> oldVelocity, int substep,
                    int threads, EventTracker& tracker) {
  const int count = static_cast<int>(contacts.size());
  tracker.select.list(
      count, kContactsPerRange, threads,
      [&](int c) { return isFirstTouch(contacts, c, rows) ? c : -1; }, tracker.firstOfPairs);
  std::vector<PairTouch>& found = tracker.found;
  const std::size_t before = found.size();  // of the inner steps before
  found.resize(before + tracker.firstOfPairs.size());
  parallelRanges(static_cast<int>(tracker.firstOfPairs.size()), kPairsPerRange, threads,
                 [&](int begin, int end) {
                   for (int pair = begin; pair < end; ++pair) {
                     int c = tracker.firstOfPairs[pair];
                     const StepContact& first = contacts[c];
                     PairTouch& touch = found[before + static_cast<std::size_t>(pair)];
                     touch = {eventOf(bodies, oldVelocity, rows, first), substep};
                     while (++c < count && areOfPair(first, contacts[c])) {
                       if (!touches(contacts[c], rows)) continue;
                       merge(eventOf(bodies, oldVelocity, rows, contacts[c]), touch.event);
                       ++touch.event.points;
                     }
                   }
                 });
}

void finishEvents(const BodyStore& bodies, int threads, EventTracker& tracker) {
  // Inner steps each add theirs.
  std::vector<JointBreakEvent>& broken = tracker.events.jointsBroken;
  std::sort(broken.begin(), broken.end(),
            [](const auto& p, const auto& q) { return p.joint.index < q.joint.index; });
  finishContacts(bodies, threads, tracker);
  finishSensors(tracker);
}

}  // namespace drystone
