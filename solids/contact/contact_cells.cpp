#include "solids/contact/contact_cells.h"

#include <algorithm>

namespace drystone {
namespace {

// Gap in cells within which surfaces meet at any speed, so that what rests does not come and go.
constexpr Real kSmallestReach = 0.05;
// Cosine between a surface and what it meets below which it does not face it.
constexpr Real kSmallestFacing = 0.1;
// Length of the mean of unit normals below which a cell has none: its surfaces turn in it.
constexpr Real kSmallestNormal = 0.1;

/// The part of a surface that faces along −normal [m²]; 0 where it looks aside.
Real facing(const Vec3& area, const Vec3& normal) {
  const Real part = -area.dot(normal);
  return part > kSmallestFacing * area.norm() ? part : 0;
}

/// Whether an impulse in a cell moves the body: not all that carries there is held.
bool isMovable(const Solid& body, int cell) {
  for (int c = 0; c < 8; ++c) {
    for (const NodeShare& share : body.nodes().sharesOf(body.grid().corner(cell, c))) {
      if (share.weight != 0 && body.inverseMass(share.node) > 0) return true;
    }
  }
  return false;
}

}  // namespace

std::span<const ContactCell> ContactFinder::find(std::span<Solid> bodies,
                                                 std::span<const SolidWall> walls, Real friction,
                                                 Real duration) {
  cells_.clear();
  const int count = static_cast<int>(bodies.size());
  surfaces_.resize(count);
  for (int i = 0; i < count; ++i) {
    const std::span<const SolidSurfacePoint> surface = bodies[i].findSurface();
    surfaces_[i].assign(surface.begin(), surface.end());
  }
  std::uint64_t pair = 0;
  for (int i = 0; i < count; ++i) {
    const Real own = kSmallestReach * bodies[i].grid().spacing + duration * bodies[i].fastest();
    for (const SolidWall& wall : walls) {
      addWall(bodies[i], i, wall, own);
      closePair(bodies, pair++, {.first = i, .second = -1, .friction = wall.friction});
    }
    for (int j = i + 1; j < count; ++j) {
      addBodies(bodies, i, j, own + duration * bodies[j].fastest());
      closePair(bodies, pair++, {.first = i, .second = j, .friction = friction});
    }
  }
  return cells_;
}

// The points of each surface beside the other body, halfway to it. Of the two surfaces each is
// seen along the normals of the other, so that neither is preferred.
void ContactFinder::addBodies(std::span<Solid> bodies, int first, int second, Real reach) {
  const SolidGrid& grid = bodies[first].grid();
  const auto add = [&](int own, int other, Real sign) {
    for (const SolidSurfacePoint& point : surfaces_[own]) {
      if (!bodies[other].covers(point.cell)) continue;
      const SolidSide side = bodies[other].sideOf(point.position);
      const Real area = facing(point.area, side.normal);
      if (side.distance > reach || area == 0) continue;
      const Vec3 place = point.position - 0.5 * side.distance * side.normal;
      const int cell = grid.cellAt(place);
      if (!bodies[own].covers(cell) || !bodies[other].covers(cell)) continue;
      points_.push_back({cell, place, sign * side.normal, side.distance, area});
    }
  };
  add(first, second, 1);
  add(second, first, -1);
}

void ContactFinder::addWall(const Solid& body, int index, const SolidWall& wall, Real reach) {
  for (const SolidSurfacePoint& point : surfaces_[index]) {
    const Real gap = wall.normal.dot(point.position - wall.point);
    const Real area = facing(point.area, wall.normal);
    if (gap > reach || area == 0 || !body.covers(point.cell)) continue;
    points_.push_back({point.cell, point.position, wall.normal, gap, area});
  }
}

void ContactFinder::closePair(std::span<const Solid> bodies, std::uint64_t pair,
                              const ContactCell& like) {
  const SolidGrid& grid = bodies[like.first].grid();
  std::sort(points_.begin(), points_.end(), [](const Point& a, const Point& b) {
    if (a.cell != b.cell) return a.cell < b.cell;
    return std::lexicographical_compare(a.place.begin(), a.place.end(), b.place.begin(),
                                        b.place.end());
  });
  for (std::size_t begin = 0, end = 0; begin < points_.size(); begin = end) {
    ContactCell contact = like;
    contact.cell = points_[begin].cell;
    contact.key = pair * static_cast<std::uint64_t>(grid.nodeCount()) + contact.cell;
    for (; end < points_.size() && points_[end].cell == contact.cell; ++end) {
      const Point& point = points_[end];
      const std::array<Real, 8> weights = grid.weights(contact.cell, point.place);
      for (int c = 0; c < 8; ++c) contact.weights[c] += point.area * weights[c];
      contact.normal += point.area * point.normal;
      contact.place += point.area * point.place;
      contact.gap += point.area * point.gap;
      contact.area += point.area;
    }
    const Real length = contact.normal.norm();
    if (length < kSmallestNormal * contact.area) continue;
    contact.normal /= length;
    contact.place /= contact.area;
    contact.gap /= contact.area;
    for (Real& weight : contact.weights) weight /= contact.area;
    const bool isSecondMovable =
        contact.second >= 0 && isMovable(bodies[contact.second], contact.cell);
    if (!isSecondMovable && !isMovable(bodies[contact.first], contact.cell)) continue;
    cells_.push_back(contact);
  }
  points_.clear();
}

}  // namespace drystone
