#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "solids/solid.h"

namespace drystone {

/// A plane that solids do not pass.
struct SolidWall {
  Vec3 point = Vec3::Zero();    ///< of the plane [m]
  Vec3 normal = Vec3::UnitZ();  ///< of unit length, to the side where solids may be
  Real friction = 0.5;          ///< μ ≥ 0
};

/// A cell of the grid in which the surfaces of two bodies, or of a body and a wall, meet. Both
/// sides see the same shape functions, their means over the common surface, and the same normal:
/// what one gets the other gives, with its torque.
struct ContactCell {
  std::uint64_t key = 0;  ///< of the pair and the cell, the same in the next sub-step
  int first = 0;          ///< index of a body
  int second = -1;        ///< index of a body, or -1: a wall
  int cell = 0;
  Vec3 normal = Vec3::Zero();     ///< from the second to the first, of unit length
  Vec3 place = Vec3::Zero();      ///< mean over the surface [m]
  Real area = 0;                  ///< of the surface [m²]
  Real gap = 0;                   ///< mean over the surface; negative where they overlap [m]
  Real friction = 0;              ///< μ
  std::array<Real, 8> weights{};  ///< ∫ φ_N dΓ / ∫ dΓ of the corners; they sum to 1
};

/// Finds the cells of contact of bodies on one grid. Keeps its work space.
class ContactFinder {
 public:
  /// Surfaces meet where their gap is at most what the bodies close within `duration` [s] at their
  /// present velocities, and a twentieth of a cell. Where all is held nothing meets, since no
  /// impulse moves it. The cells are in order of their keys; valid until the next call. Pairs of
  /// bodies have `friction`.
  std::span<const ContactCell> find(std::span<Solid> bodies, std::span<const SolidWall> walls,
                                    Real friction, Real duration);

 private:
  /// A part of the common surface.
  struct Point {
    int cell;
    Vec3 place, normal;
    Real gap, area;
  };
  void addBodies(std::span<Solid> bodies, int first, int second, Real reach);
  void addWall(const Solid& body, int index, const SolidWall& wall, Real reach);
  /// Makes cells of the points and forgets these. `pair` counts pairs of bodies and walls.
  void closePair(std::span<const Solid> bodies, std::uint64_t pair, const ContactCell& like);

  std::vector<std::vector<SolidSurfacePoint>> surfaces_;  ///< of each body
  std::vector<Point> points_;
  std::vector<ContactCell> cells_;
};

}  // namespace drystone
