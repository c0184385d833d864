// A house of cards in the xz plane, standing on z = 0: every level is a row of tents, two cards
// leaning on each other, and level cards across their tops carry the next one. The cards touch
// exactly: no gap, no overlap.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "scenes/generators/generation.h"

namespace drystone {
namespace {

struct CardHouse {
  int levels = 0;
  Real length = 1;        ///< of a card [m]
  Real width = 0.7;       ///< along y [m]
  Real thickness = 0.02;  ///< [m]
  Real lean = 0;          ///< of the tents' cards from the vertical [rad]
  Real spacing = 1;       ///< between the tents of a level [m]

  /// Height of a leaning card's centre over its lowest edge, and half the distance of the centres
  /// of a tent's two cards.
  Real centerHeight() const { return length / 2 * std::cos(lean) + thickness / 2 * std::sin(lean); }
  Real centerOffset() const { return length / 2 * std::sin(lean) + thickness / 2 * std::cos(lean); }
};

Quat aboutY(Real angle) { return Quat(Eigen::AngleAxis<Real>(angle, Vec3::UnitY())); }

void addLevel(const CardHouse& house, int level, Real base, Generation& generation) {
  const Box leaning{Vec3(house.thickness / 2, house.width / 2, house.length / 2)};
  const Box flat{Vec3(house.length / 2, house.width / 2, house.thickness / 2)};
  const int tents = house.levels - level;
  const Real z = base + house.centerHeight();
  for (int i = 0; i < tents; ++i) {
    const Real apex = (i - (tents - 1) / 2.0) * house.spacing;
    generation.add(fmt::format("{}_{}_left", level, i), leaning,
                   {Vec3(apex - house.centerOffset(), 0, z), aboutY(house.lean)});
    generation.add(fmt::format("{}_{}_right", level, i), leaning,
                   {Vec3(apex + house.centerOffset(), 0, z), aboutY(-house.lean)});
  }
  for (int i = 0; i < tents - 1; ++i) {
    const Vec3 position((i - (tents - 2) / 2.0) * house.spacing, 0,
                        base + 2 * house.centerHeight() + house.thickness / 2);
    generation.add(fmt::format("{}_{}_flat", level, i), flat, {position, Quat::Identity()});
  }
}

}  // namespace

void generateCardHouse(ObjectReader& in, SceneContext& context) {
  Generation generation(in, context, "card_house");
  CardHouse house;
  Real leanDegrees = 25;
  const Range size = positive("m", 1e6);
  in.integer({"levels", "levels"}, house.levels, 1, std::numeric_limits<int>::max(), kRequired);
  in.real({"length", "of a card"}, house.length, size, kRequired);
  in.real({"width", "along y"}, house.width, size, kRequired);
  in.real({"thickness", "of a card"}, house.thickness, size, kRequired);
  in.real({"lean_deg", "of a tent's cards from the vertical"}, leanDegrees,
          within(0, 89, "degrees"), kRequired);
  in.real({"spacing", "between the tents of a level"}, house.spacing, size, kRequired);
  house.lean = leanDegrees * std::numbers::pi / 180;
  // K levels hold K(K+1)/2 tents and K(K-1)/2 level cards.
  const Real levels = house.levels;
  const Real count = levels * (levels + 1) + levels * (levels - 1) / 2;
  if (!generation.allows(count, fmt::format("{} levels", house.levels))) return;
  Real base = 0;
  for (int level = 0; level < house.levels; ++level) {
    addLevel(house, level, base, generation);
    base += 2 * house.centerHeight() + house.thickness;
  }
}

}  // namespace drystone
