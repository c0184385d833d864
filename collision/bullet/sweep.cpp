// First overlaps of what moves and turns within a step, parts by parts. Two are tried at times that
// conservative advancement gives (Mirtich 1996, "Impulse-based dynamic simulation of rigid body
// systems"): their closest points tell a direction along which they do not close faster than they
// move and turn. Where that leads nowhere, the times are so close that the thinner part of the
// smaller body cannot be passed in between. Where that takes too long, the rest of the way is
// tried in even strides.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "collision/bullet/implementation.h"
#include "collision/narrow/distance.h"
#include "collision/narrow/manifold.h"
#include "collision/shape/shape_operations.h"
#include "core/parallel.h"

namespace drystone {
namespace {

using bullet::Part;

/// Share of its thickness that a part may move between two times: half of the ball within.
constexpr Real kStride = 0.25;
/// Times at which a pair is tried by such strides, some 5 ms of work. The rest of the way is tried
/// in as many strides again. So nothing is passed on a way of 750 thicknesses.
constexpr int kMostTries = 1000;
/// Halvings of the last stretch at most, and the share of the allowed overlap that ends them.
constexpr int kMostHalvings = 50;
constexpr Real kHalvedShare = 0.25;

/// A part of a collider and the way of that collider.
struct MovingPart {
  const Part* part = nullptr;
  const ColliderSweep* sweep = nullptr;  ///< null: it stands
  Pose pose;                             ///< of its collider at the start
};

Pose poseAt(const MovingPart& moving, Real time) {
  const Pose start = moving.pose * moving.part->local;
  if (moving.sweep == nullptr) return start;
  return sweptPose(*moving.sweep, start, time);
}

/// Of the centre, while it moves [m per unit of time].
Vec3 velocityAt(const MovingPart& moving, Real time) {
  if (moving.sweep == nullptr || time >= moving.sweep->share) return Vec3::Zero();
  return moving.sweep->way / moving.sweep->share;
}

/// By how much turning closes a gap within a time s: by `rate` s at most, and by `start` s +
/// `growth` s² at most [m].
struct ClosingByTurning {
  Real rate = 0, start = 0, growth = 0;
};

/// Of a part that is placed where it is at a time. The points closest to the other body go round:
/// along a normal that stands they move, at arms r, by n · (R r - r), of which the rate is
/// (n × a) · R r for the axis a. That is at most |n × a| times the reach, and starts with what the
/// part reaches along n × a.
ClosingByTurning turningAlong(const MovingPart& moving, const PlacedShape& placed,
                              const Vec3& normal, Real time) {
  if (moving.sweep == nullptr || time >= moving.sweep->share) return {};
  const ColliderSweep& sweep = *moving.sweep;
  const Real turn = sweep.turn.norm();
  if (turn == 0) return {};
  const Vec3 along = normal.cross(sweep.turn) / sweep.share;
  const Real slope = along.norm();
  if (slope == 0) return {};
  const Real rate = std::min(slope * sweep.reach, sweep.turning / sweep.share);
  if (!std::isfinite(rate)) return {.rate = rate, .start = rate};
  const Vec3 arm = placed.position - sweep.center - time / sweep.share * sweep.way;
  const Real start = along.dot(arm + support(placed, along, false));
  if (start >= rate) return {.rate = rate, .start = rate};
  return {.rate = rate, .start = start, .growth = 0.5 * slope * sweep.reach * turn / sweep.share};
}

/// When start s + growth s² comes to a distance that is not negative.
Real timeOfWay(Real distance, Real start, Real growth) {
  if (growth == 0) return start > 0 ? distance / start : SweptTouch::kNever;
  const Real root = std::sqrt(start * start + 4 * growth * distance);
  return start > 0 ? 2 * distance / (start + root) : (root - start) / (2 * growth);
}

/// When it stops, after a time; 1: not before the end.
Real stopAfter(const MovingPart& moving, Real time) {
  const bool stops = moving.sweep != nullptr && time < moving.sweep->share;
  return stops ? std::min<Real>(moving.sweep->share, 1) : 1;
}

bool isEndless(const Part& part) { return part.placed.kind == ShapeKind::kPlane && !part.surface; }

/// How far the surfaces of two move against each other at most; null: it stands [m].
Real wayBetween(const ColliderSweep* one, const ColliderSweep* other) {
  if (one == nullptr || other == nullptr) {
    const ColliderSweep* const moving = one == nullptr ? other : one;
    return moving == nullptr ? 0 : moving->length();
  }
  // Both move until one of them stops.
  if (one->share > other->share) std::swap(one, other);
  const Real both = one->share / other->share;
  return (both * other->way - one->way).norm() + (1 - both) * other->way.norm() + one->turning +
         other->turning;
}

/// Whether two whose thicknesses are these together may have passed each other within such a way,
/// so that the end of it does not show what they met [m].
bool mayPass(Real way, Real thicknesses) { return way > ColliderSweep::kSlowShare * thicknesses; }

bool isFast(const ColliderSweep* sweep) { return sweep != nullptr && sweep->isFast; }

/// Whether a way may bring two boxes together.
bool mayComeTogether(const Bounds& one, const Bounds& other, Real way) {
  return one.meets({other.lower - Vec3::Constant(way), other.upper + Vec3::Constant(way)});
}

Real sizeOf(const Part& part) { return (part.bounds.upper - part.bounds.lower).norm(); }

/// Two parts on their ways, of which the first is convex and bounded.
class PartSweep {
 public:
  PartSweep(const MovingPart& convex, const MovingPart& other, Real speed,
            std::vector<int>& triangles, Polytope& triangle)
      : convex_(convex),
        other_(other),
        speed_(speed),
        a_(convex.part->placed),
        b_(other.part->placed),
        triangles_(triangles),
        polytope_(triangle) {
    stride_ = bullet::thicknessOf(*convex.part);
    // The smaller one of the two is what could pass.
    if (!other.part->surface && !isEndless(*other.part) &&
        sizeOf(*other.part) < sizeOf(*convex.part)) {
      stride_ = bullet::thicknessOf(*other.part);
    }
    stride_ *= kStride;
  }

  /// Searches for an overlap of more than `allowed` [m]. The closest points are named by the
  /// triangle of the second part, and their normal leads to that part.
  SweptTouch search(Real allowed) {
    constexpr Real until = 1;
    SweptTouch touch{.free = 0, .time = kNever};
    // What overlaps from the start is left alone as far as it does.
    allowed_ = std::max(allowed, -gapAt(0, stride_));
    allowed = allowed_;
    Real time = 0, ahead = stride_, least = stride_ / speed_;
    for (int tries = 0; time < until; ++tries) {
      const Real gap = gapAt(time, ahead);
      if (-gap > allowed) return halved(touch.free, time, allowed);
      if (tries == kMostTries) least = std::max(least, (until - time) / kMostTries);
      touch.free = time;
      ahead = gap >= ahead ? 2 * ahead : std::max(gap, stride_);
      const Real stop = std::min(stopAfter(convex_, time), stopAfter(other_, time));
      const Real safe = std::min(time + safe_, stop);
      time = std::min(std::max(safe, time + least), until);
      if (time == until && touch.free < until && -gapAt(until, ahead) > allowed) {
        return halved(touch.free, until, allowed);
      }
    }
    return touch;
  }

 private:
  static constexpr Real kNever = SweptTouch::kNever;

  void place(PlacedShape& shape, const Pose& pose) const {
    shape.position = pose.position;
    shape.rotation = pose.rotation.toRotationMatrix();
  }

  /// Gap of the two at a time; of a surface `ahead` where that is farther [m]. Leaves in `safe_`
  /// for how long they do not come to overlap by more than they may, unless one of them stops.
  Real gapAt(Real time, Real ahead) {
    place(a_, poseAt(convex_, time));
    place(b_, poseAt(other_, time));
    const Vec3 velocity = velocityAt(convex_, time) - velocityAt(other_, time);
    const auto safeFor = [&](const narrow::ClosestPoints& closest, const PlacedShape& b) {
      const Real distance = closest.gap + allowed_;
      if (!(distance > 0)) return Real(0);
      const ClosingByTurning own = turningAlong(convex_, a_, closest.normal, time);
      const ClosingByTurning its = turningAlong(other_, b, -closest.normal, time);
      const Real closing = closest.normal.dot(velocity);
      return std::max(
          timeOfWay(distance, closing + own.rate + its.rate, 0),
          timeOfWay(distance, closing + own.start + its.start, own.growth + its.growth));
    };
    if (!other_.part->surface) {
      const narrow::ClosestPoints closest = narrow::distanceTo(a_, b_);
      keep(closest, 0);
      safe_ = safeFor(closest, b_);
      return closest_.gap;
    }
    Bounds box = operationsOf(a_.kind).placedBounds(a_);
    box.lower -= Vec3::Constant(ahead);
    box.upper += Vec3::Constant(ahead);
    other_.part->surface->trianglesIn(bullet::boxIn(b_, box), triangles_);
    PlacedShape triangle = b_;
    triangle.kind = ShapeKind::kHull;
    triangle.polytope = &polytope_;
    Real gap = ahead;
    safe_ = (ahead + allowed_) / speed_;  // of the triangles beyond
    for (const int index : triangles_) {
      setTriangle(other_.part->surface->corners(index), polytope_);
      const narrow::ClosestPoints closest = narrow::distanceTo(a_, triangle);
      safe_ = std::min(safe_, safeFor(closest, triangle));
      if (closest.gap >= gap) continue;
      gap = closest.gap;
      keep(closest, index);
    }
    return gap;
  }

  void keep(const narrow::ClosestPoints& closest, int triangle) {
    closest_.position = 0.5 * (closest.onA + closest.onB);
    closest_.normal = closest.normal;
    closest_.gap = closest.gap;
    closest_.feature = static_cast<std::uint64_t>(triangle);
  }

  SweptTouch halved(Real free, Real time, Real allowed) {
    for (int k = 0; k < kMostHalvings && (time - free) * speed_ > kHalvedShare * allowed; ++k) {
      const Real middle = 0.5 * (free + time);
      (-gapAt(middle, stride_) > allowed ? time : free) = middle;
    }
    SweptTouch touch{
        .free = free, .time = time, .deep = std::min<Real>(time + stride_ / speed_, 1)};
    gapAt(time, stride_);
    touch.closest = closest_;
    const Real end = gapAt(1, stride_);
    if (end < 0) touch.sameSide = touch.closest.normal.dot(closest_.normal);
    touch.isDeepAtEnd = -end > allowed + stride_;
    return touch;
  }

  MovingPart convex_, other_;
  Real speed_, stride_ = 0, allowed_ = 0;
  Real safe_ = 0;  ///< after the last gap, unless one of the two stops
  PlacedShape a_, b_;
  ContactPoint closest_;         ///< of the last gap; its feature is the triangle of the other one
  std::vector<int>& triangles_;  ///< room for those that are near
  Polytope& polytope_;           ///< and for one of them
};

/// Names the closest points of a touch by what they are of, and turns their normal from A to B.
void nameClosest(const Part& partA, const Part& partB, std::uint64_t childrenOfB, bool isConvexA,
                 SweptTouch& touch) {
  ContactPoint& closest = touch.closest;
  const std::uint64_t triangle = closest.feature;
  const std::uint64_t childA = partA.firstChild + (isConvexA ? 0 : triangle);
  const std::uint64_t childB = partB.firstChild + (isConvexA ? triangle : 0);
  if (!isConvexA) closest.normal = -closest.normal;
  closest.colliderA = touch.colliderA;
  closest.colliderB = touch.colliderB;
  closest.feature = (childA * childrenOfB + childB) << narrow::kFeatureBits;
}

}  // namespace

Pose sweptPose(const ColliderSweep& sweep, const Pose& start, Real time) {
  const Real share = std::min<Real>(time / sweep.share, 1);
  const Real angle = share * sweep.turn.norm();
  const Quat turned =
      angle > 0 ? Quat(Eigen::AngleAxis<Real>(angle, sweep.turn.normalized())) : Quat::Identity();
  return {sweep.center + share * sweep.way + turned * (start.position - sweep.center),
          (turned * start.rotation).normalized()};
}

Real CollisionWorld::Implementation::turningOf(int index, const Vec3& center, const Vec3& turn,
                                               Real reach) const {
  const Real angle = turn.norm();
  if (angle == 0) return 0;
  const bullet::Collider& own = collider(index);
  if (!own.isConvex()) return angle * reach;
  const PlacedShape& shape = own.parts[0].placed;
  const Vec3 arm = shape.position - center;
  if (shape.kind == ShapeKind::kSphere) return angle * arm.norm();
  if (!(shape.halfAxis > 0)) return angle * reach;
  // Its axis goes round, as a rotation square to the axis leads it.
  const Vec3 axis = shape.axis(2);
  const Real beside = axis.cross(arm).norm();
  return std::min(angle * reach, angle * beside + axis.cross(turn).norm() * (reach + beside));
}

void CollisionWorld::Implementation::sweepPair(const bullet::PairState& state,
                                               const ColliderSweep* sweepA,
                                               const ColliderSweep* sweepB, Real allowed,
                                               ThreadScratch& own) const {
  const auto speedOf = [](const ColliderSweep* sweep) {
    return sweep == nullptr ? 0 : sweep->length() / sweep->share;
  };
  const auto turnOf = [](const ColliderSweep* sweep) {
    return sweep == nullptr ? 0 : sweep->turn.norm();
  };
  const Real speed = speedOf(sweepA) + speedOf(sweepB);
  if (!(speed > 0)) return;
  const Real way = wayBetween(sweepA, sweepB);
  const bool isFastPair = isFast(sweepA) || isFast(sweepB);
  const bullet::Collider &a = collider(state.a), &b = collider(state.b);
  for (const Part& partA : a.parts) {
    for (const Part& partB : b.parts) {
      const MovingPart one{&partA, sweepA, a.pose}, other{&partB, sweepB, b.pose};
      const bool isConvexA = !partA.surface && !isEndless(partA);
      if (!isConvexA && (partB.surface || isEndless(partB))) continue;
      const Real thicknesses = bullet::thicknessOf(partA) + bullet::thicknessOf(partB);
      if (!isFastPair && !mayPass(way, thicknesses)) continue;
      if (!mayComeTogether(partA.bounds, partB.bounds, way)) continue;
      PartSweep sweep(isConvexA ? one : other, isConvexA ? other : one, speed, own.triangles,
                      own.triangle.polytope);
      SweptTouch touch = sweep.search(allowed);
      if (!touch.exists()) continue;
      touch.colliderA = state.a;
      touch.colliderB = state.b;
      nameClosest(partA, partB, b.childCount, isConvexA, touch);
      touch.turn = (1 - touch.time) * (turnOf(sweepA) + turnOf(sweepB));
      own.touches.push_back(touch);
    }
  }
}

int CollisionWorld::Implementation::countSwept(std::span<const ColliderSweep> sweeps) {
  isSwept.assign(sweeps.size(), 0);
  for (std::size_t i = 0; i < sweeps.size(); ++i) isSwept[i] = sweeps[i].isFast ? 1 : 0;
  for (const int slot : triedPairs) {
    const bullet::PairState& pair = pairAt(slot);
    const int a = sweepOf[static_cast<std::size_t>(pair.a)];
    const int b = sweepOf[static_cast<std::size_t>(pair.b)];
    const auto isFastWay = [&](int at) {
      return at >= 0 && sweeps[static_cast<std::size_t>(at)].isFast;
    };
    if (isFastWay(a) || isFastWay(b)) continue;
    for (const int at : {a, b}) {
      if (at >= 0) isSwept[static_cast<std::size_t>(at)] = 1;
    }
  }
  return static_cast<int>(std::ranges::count(isSwept, 1));
}

int CollisionWorld::Implementation::sweep(std::span<const ColliderSweep> sweeps,
                                          const std::function<Real(int a, int b)>& allowed,
                                          std::vector<SweptTouch>& touches) {
  touches.clear();
  sweepOf.assign(colliders.size(), -1);
  for (std::size_t i = 0; i < sweeps.size(); ++i) {
    sweepOf[static_cast<std::size_t>(sweeps[i].collider)] = static_cast<int>(i);
  }
  const auto sweepFor = [&](int index) -> const ColliderSweep* {
    const int at = sweepOf[static_cast<std::size_t>(index)];
    return at < 0 ? nullptr : &sweeps[static_cast<std::size_t>(at)];
  };
  const auto isTaken = [&](const bullet::PairState& pair) {
    const ColliderSweep *a = sweepFor(pair.a), *b = sweepFor(pair.b);
    return isFast(a) || isFast(b) ||
           mayPass(wayBetween(a, b), collider(pair.a).thinnest + collider(pair.b).thinnest);
  };
  select.list(
      static_cast<int>(activePairs.size()), bullet::kPairsPerRange, settings.threads,
      [&](int i) {
        const int slot = activePairs[static_cast<std::size_t>(i)];
        return isTaken(pairCache.states[slot]) ? slot : -1;
      },
      triedPairs);
  listWayPairs(isTaken);
  const int threads = std::max(1, settings.threads);
  if (static_cast<int>(scratch.size()) < threads) scratch.resize(static_cast<std::size_t>(threads));
  for (ThreadScratch& own : scratch) own.touches.clear();
  parallelFor(static_cast<int>(triedPairs.size()), threads, [&](int i, int thread) {
    const bullet::PairState& pair = pairAt(triedPairs[static_cast<std::size_t>(i)]);
    const Real most = allowed(pair.a, pair.b);
    if (!std::isfinite(most)) return;
    sweepPair(pair, sweepFor(pair.a), sweepFor(pair.b), most,
              scratch[static_cast<std::size_t>(thread)]);
  });
  for (const ThreadScratch& own : scratch) {
    touches.insert(touches.end(), own.touches.begin(), own.touches.end());
  }
  const auto orderOf = [](const SweptTouch& touch) {
    return std::tuple(touch.colliderA, touch.colliderB, touch.time, touch.closest.feature);
  };
  std::ranges::sort(touches, {}, orderOf);
  return countSwept(sweeps);
}

}  // namespace drystone
