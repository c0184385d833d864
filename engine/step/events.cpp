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
  event.attraction += other.attraction;
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

/// Whether a contact is closed at the start of its inner step, or pushes or pulls in it.
bool touches(const StepContact& contact, const ConstraintRows& rows) {
  const bool isClosed = contact.point.gap <= 0 && !contact.isLate;
  const int normal = rows.firstRow[contact.block];
  return isClosed || rows.push(normal) > 0 || rows.pull(normal) > 0;
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
  const int normal = rows.firstRow[contact.block];
  return {.bodyA = bodies.idOf(contact.bodyA),
          .bodyB = bodies.idOf(contact.bodyB),
          .normalImpulse = std::max(rows.push(normal), 0.0),
          .attraction = rows.pull(normal),
          .approachSpeed = std::max(approachSpeed(bodies, oldVelocity, contact), 0.0),
          .points = 1,
          .position = touchPoint(bodies, contact),
          .normal = contact.point.normal};
}

/// Brings the pairs of one inner step, each once, in order.
void sortPairs(int threads, std::vector<ContactEvent>& pairs) {
  const auto descends = [&](int begin, int end) {
    for (int i = std::max(begin, 1); i < end; ++i) {
      if (!(orderOf(pairs[i - 1]) < orderOf(pairs[i]))) return true;
    }
    return false;
  };
  // They are in order where colliders were added as their bodies were.
  if (!parallelAny(static_cast<int>(pairs.size()), kPairsPerRange, threads, descends)) return;
  std::ranges::sort(pairs, {}, [](const ContactEvent& event) { return orderOf(event); });
}

/// Merges pairs into a list of others, in place.
void addPairs(std::span<const ContactEvent> pairs, std::vector<ContactEvent>& list) {
  const auto count = static_cast<std::ptrdiff_t>(list.size());
  list.resize(list.size() + pairs.size());
  auto from = list.begin() + count, to = list.end();
  for (std::size_t i = pairs.size(); i-- > 0;) {
    while (from != list.begin() && orderOf(pairs[i]) < orderOf(from[-1])) *--to = *--from;
    *--to = pairs[i];
  }
}

/// Adds the pairs of an inner step to those of the ones before it.
void joinSubstep(std::vector<ContactEvent>& later, std::vector<ContactEvent>& found) {
  auto added = later.begin();  // pairs that the inner steps before did not find
  auto own = found.begin();
  for (const ContactEvent& event : later) {
    while (own != found.end() && orderOf(*own) < orderOf(event)) ++own;
    if (own != found.end() && orderOf(*own) == orderOf(event)) {
      merge(event, *own);
      own->points = std::max(own->points, event.points);
    } else {
      *added++ = event;
    }
  }
  later.erase(added, later.end());
  addPairs(later, found);
}

void finishContacts(const BodyStore& bodies, int threads, EventTracker& tracker) {
  StepEvents& events = tracker.events;
  std::vector<ContactEvent>& found = tracker.found;
  parallelRanges(static_cast<int>(found.size()), kPairsPerRange, threads, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) found[i].normal.normalize();
  });
  if (tracker.restingVersion != bodies.activeVersion()) {
    addPairs(tracker.resting, tracker.touching);
    tracker.resting.clear();
    tracker.restingVersion = bodies.activeVersion();
  }
  tracker.slept.clear();
  auto lasting = found.begin();  // those that last move to the front
  compare(
      tracker.touching, found,
      [&](const ContactEvent&, const ContactEvent& now) { *lasting++ = now; },
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
  found.erase(lasting, found.end());
  found.swap(events.contactsLasting);
  addPairs(tracker.slept, tracker.resting);
  tracker.touching.clear();
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
  addPairs(tracker.events.contactsBegun, all);
  addPairs(tracker.events.contactsLasting, all);
  addPairs(tracker.resting, all);
  return all;
}

void beginEvents(EventTracker& tracker) {
  StepEvents& events = tracker.events;
  std::vector<ContactEvent>&begun = events.contactsBegun, &lasting = events.contactsLasting;
  tracker.found.clear();  // a step that diverged leaves some
  // The longest list takes in the others. What is found gets the most room that is left.
  for (auto* list : {&begun, &lasting}) {
    if (list->size() > tracker.touching.size()) list->swap(tracker.touching);
  }
  for (auto* list : {&begun, &lasting}) {
    addPairs(*list, tracker.touching);
    list->clear();
    if (list->capacity() > tracker.found.capacity()) list->swap(tracker.found);
  }
  events.contactsEnded.clear();
  for (auto* list : {&events.sensorsBegun, &events.sensorsEnded, &tracker.sensed}) list->clear();
  events.jointsBroken.clear();
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
                    const ConstraintRows& rows, std::span<const Vec6> oldVelocity, int threads,
                    EventTracker& tracker) {
  const int count = static_cast<int>(contacts.size());
  tracker.select.list(
      count, kContactsPerRange, threads,
      [&](int c) { return isFirstTouch(contacts, c, rows) ? c : -1; }, tracker.firstOfPairs);
  const bool isFirst = tracker.found.empty();
  std::vector<ContactEvent>& found = isFirst ? tracker.found : tracker.later;
  found.resize(tracker.firstOfPairs.size());
  parallelRanges(static_cast<int>(found.size()), kPairsPerRange, threads, [&](int begin, int end) {
    for (int pair = begin; pair < end; ++pair) {
      int c = tracker.firstOfPairs[pair];
      const StepContact& first = contacts[c];
      ContactEvent& event = found[pair];
      event = eventOf(bodies, oldVelocity, rows, first);
      while (++c < count && areOfPair(first, contacts[c])) {
        if (!touches(contacts[c], rows)) continue;
        merge(eventOf(bodies, oldVelocity, rows, contacts[c]), event);
        ++event.points;
      }
    }
  });
  sortPairs(threads, found);
  if (!isFirst) joinSubstep(found, tracker.found);
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
