// Blocks without mortar: arches, overhangs, tipping and rocking.
#include <algorithm>
#include <cmath>

#include "bench/studies/validation/ode.h"
#include "bench/studies/validation/rig.h"
#include "bench/studies/validation/study.h"

namespace drystone::bench {
namespace {

// --- The arch: limit analysis of its stones, and the engine.

constexpr int kStones = 21;
constexpr Real kStoneAngle = kPi / kStones;

/// Section of a stone, flat where a ring would be round, of mean radius 1: area, and the distance
/// of its centroid from the centre of the arch.
struct StoneSection {
  Real inner, outer, area, centroid;

  explicit StoneSection(Real thickness) : inner(1 - thickness / 2), outer(1 + thickness / 2) {
    const Real low = inner * std::cos(kStoneAngle / 2), high = outer * std::cos(kStoneAngle / 2);
    area = (outer * outer - inner * inner) * std::sin(kStoneAngle) / 2;
    centroid = low + (high - low) / 3 * (inner + 2 * outer) / (inner + outer);
  }
};

/// Whether some thrust of the crown keeps the line of thrust within every joint. The joint at the
/// angle φ off the vertical carries the horizontal thrust H, of moment M about the centre, and the
/// weight W of the stones above: its line meets the joint at (M + W x)/(H cos φ + W sin φ). Linear
/// bounds on (H, M): where they can be met at all, they can at a corner of two of them.
bool archStands(Real thickness) {
  const StoneSection stone(thickness);
  struct Bound {
    Real h, m, right;  ///< h H + m M ≤ right
  };
  std::vector<Bound> bounds;
  // The keystone is cut into halves, whose joint needs no bounds: there is none.
  Real weight = stone.area / 2;
  // A half of a stone has its centroid at its own mean angle; that of x is a half of the whole's.
  Real moment = 0;
  {
    // Half the keystone: ∫ x over a trapezoid between x = 0 and x = r sin(a/2).
    const Real s = std::sin(kStoneAngle / 2), c = std::cos(kStoneAngle / 2);
    moment = c * s * s * (std::pow(stone.outer, 3) - std::pow(stone.inner, 3)) / 6;
  }
  for (int i = 0; i <= kStones / 2; ++i) {
    const Real angle = (i + 0.5) * kStoneAngle;
    if (i > 0) {
      weight += stone.area;
      moment += stone.area * stone.centroid * std::sin(i * kStoneAngle);
    }
    const Real c = std::cos(angle), s = std::sin(angle);
    bounds.push_back({stone.inner * c, -1, moment - stone.inner * weight * s});
    bounds.push_back({-stone.outer * c, 1, stone.outer * weight * s - moment});
  }
  constexpr Real kRoundOff = 1e-12;
  for (std::size_t a = 0; a < bounds.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const Real determinant = bounds[a].h * bounds[b].m - bounds[a].m * bounds[b].h;
      if (std::abs(determinant) < kRoundOff) continue;
      const Real h = (bounds[a].right * bounds[b].m - bounds[a].m * bounds[b].right) / determinant;
      const Real m = (bounds[a].h * bounds[b].right - bounds[a].right * bounds[b].h) / determinant;
      if (std::all_of(bounds.begin(), bounds.end(), [&](const Bound& one) {
            return one.h * h + one.m * m <= one.right + kRoundOff;
          })) {
        return true;
      }
    }
  }
  return false;
}

Real archLimit() {
  Real falls = 0.05, stands = 0.3;
  for (int i = 0; i < 50; ++i) {
    const Real middle = (falls + stands) / 2;
    (archStands(middle) ? stands : falls) = middle;
  }
  return stands;
}

/// How far the keystone has sunk after a time [m].
Real archSinks(Real thickness, Real duration) {
  const StoneSection section(thickness);
  World world = makeWorld(settingsOf(kEuler, 1.0 / 240), {.friction = 1});
  std::vector<Vec3> corners;
  const Real s = std::sin(kStoneAngle / 2), c = std::cos(kStoneAngle / 2);
  for (const Real radius : {section.inner, section.outer}) {
    for (const Real side : {-1.0, 1.0}) {
      for (const Real y : {-0.1, 0.1}) {
        corners.emplace_back(radius * c - section.centroid, y, side * radius * s);
      }
    }
  }
  const ConvexHull hull = makeHull(corners);
  addFloor(world);
  BodyId keystone;
  for (int i = 0; i < kStones; ++i) {
    const Quat rotation = turn(Vec3::UnitY(), -(i + 0.5) * kStoneAngle);
    const BodyId stone = addSolid(world, hull, 2000 * section.area * 0.2,
                                  {rotation * Vec3(section.centroid, 0, 0), rotation});
    if (i == kStones / 2) keystone = stone;
  }
  const Real before = world.body(keystone).centerOfMass().z();
  run(world, duration);
  return before - world.body(keystone).centerOfMass().z();
}

void addArch(ValidationTable& table) {
  const Real limit = archLimit();
  table.add({"arch, limit analysis",
             "t/R of 21 stones",
             0.1075,
             limit,
             "Milankovitch's for a ring of any joints",
             {0.05, "stones can hinge at 22 joints only: thinner arches stand"}});
  for (const Real share : {1.01, 0.99}) {
    const Real sunk = archSinks(share * limit, 4);
    table.add({"arch of 21 stones, μ = 1, 4 s", fmt::format("{:.2f} of the limit thickness", share),
               share > 1 ? "stands" : "falls", sunk < 0.01 ? "stands" : "falls",
               "line of thrust within the joints", fmt::format("keystone sinks {:.1e} m", sunk)});
  }
}

// --- Stacks with the largest overhang: L/2 (1 + 1/2 + … + 1/n).

void addOverhang(ValidationTable& table) {
  const int blocks = 10;
  const Vec3 half(0.25, 0.1, 0.05);
  Real limit = 0;
  for (int k = 1; k <= blocks; ++k) limit += half.x() / k;
  for (const Real more : {-1e-3, 1e-3}) {
    World world = makeWorld(settingsOf(kEuler, 1.0 / 240), {.friction = 0.5});
    BodyDefinition stand;
    stand.kind = BodyKind::kStatic;
    stand.shape = Box{{2, 1, 0.5}};
    stand.pose.position = {-2, 0, -0.5};  // its edge is x = 0
    world.addBody(stand);
    // From the bottom: each block's end lies L/(2 k) beyond the one below, k blocks being on it.
    Real end = 0, z = half.z();
    BodyId top;
    for (int k = blocks; k >= 1; --k, z += 2 * half.z()) {
      end += half.x() / k * (1 + more / limit);
      top = addSolid(world, Box{half}, 1, {{end - half.x(), 0, z}, Quat::Identity()});
    }
    const Real before = world.body(top).centerOfMass().z();
    run(world, 4);
    const Real sunk = before - world.body(top).centerOfMass().z();
    table.add({"stack of 10 blocks of 0.5 m, 4 s",
               fmt::format("{:.3f} m of overhang, {:+.0f} mm", limit, 1e3 * more),
               more < 0 ? "stands" : "falls", sunk < 0.01 ? "stands" : "falls",
               "L/2 (1 + 1/2 + … + 1/10)", fmt::format("top sinks {:.1e} m", sunk)});
  }
}

// --- A block on a slope, and one that rocks.

void addTipping(ValidationTable& table) {
  const Vec3 half(0.1, 0.1, 0.4);
  const Real limit = std::atan(half.x() / half.z());
  for (const Real degrees : {-0.05, 0.05}) {
    World world = makeWorld(settingsOf(kEuler, 1.0 / 240), {.friction = 1});
    const Quat rotation = turn(Vec3::UnitY(), limit + degrees * kPi / 180);
    BodyDefinition slab;
    slab.kind = BodyKind::kStatic;
    slab.shape = Box{{5, 5, 1}};
    slab.pose = {rotation * Vec3(0, 0, -1), rotation};
    world.addBody(slab);
    const BodyId block = addSolid(world, Box{half}, 1, {rotation * Vec3(0, 0, half.z()), rotation});
    run(world, 4);
    const Real turned = world.body(block).pose().rotation.angularDistance(rotation);
    table.add({"block on a slope, 4 s", fmt::format("{:+.2f}° from atan b/h", degrees),
               degrees < 0 ? "stands" : "tips", turned < 0.01 ? "stands" : "tips", "atan b/h",
               fmt::format("turns by {:.1e} rad", turned)});
  }
}

/// Housner's block: about its edge I θ'' = −m g R sin(α − θ), and at each landing θ' falls to
/// 1 − (3/2) sin² α of it.
void addRocking(const Scheme& scheme, ValidationTable& table) {
  const Vec3 half(0.1, 0.1, 0.4);
  const Real radius = std::hypot(half.x(), half.z()), slenderness = std::atan(half.x() / half.z());
  const Real p2 = 3 * kGravity / (4 * radius), start = 0.6 * slenderness;
  const Real lost = 1 - 1.5 * std::pow(std::sin(slenderness), 2);
  VecX state(2);
  state << start, 0;
  const Real quarter = timeOfEvent(
      [&](Real, const VecX& y) {
        VecX rate(2);
        rate << y[1], -p2 * std::sin(slenderness - y[0]);
        return rate;
      },
      state, [](const VecX& y) { return y[0]; }, 5, 1 << 16);
  // Energy: ½ θ'² = p² (cos(α − θ0) − cos α), and after the landing `lost` of θ'.
  const Real rise = (std::cos(slenderness - start) - std::cos(slenderness)) * lost * lost;
  const Real peak = slenderness - std::acos(rise + std::cos(slenderness));
  std::vector<Real> times, peaks;
  Real landed = 0, risen = 0;
  for (const Real h : {1.0 / 500, 1.0 / 1000, 1.0 / 2000}) {
    World world = makeWorld(settingsOf(scheme, h), {.friction = 1});
    addFloor(world);
    // Stands on the edge x = half.x and leans to it.
    const Quat rotation = turn(Vec3::UnitY(), start);
    const Vec3 edge(half.x(), 0, 0);
    const BodyId block =
        addSolid(world, Box{half}, 1, {edge + rotation * Vec3(-half.x(), 0, half.z()), rotation});
    const auto lean = [&] {
      const Vec3 up = world.body(block).pose().rotation * Vec3::UnitZ();
      return std::atan2(up.x(), up.z());
    };
    // Within a step the passage through upright is that of a steady turn.
    Real previous = start;
    while (lean() > 0 && world.time() < 5) {
      previous = lean();
      world.step();
    }
    const Real rate = (previous - lean()) / h;
    landed = world.time() + (rate > 0 ? lean() / rate : 0);
    risen = 0;
    const Real landing = world.time();
    while (world.time() < landing + 1.2 * quarter) {
      world.step();
      risen = std::max(risen, -lean());
    }
    times.push_back(landed - quarter);
    peaks.push_back(risen - peak);
  }
  const std::string name = fmt::format("rocking block at 1/2000, {}", scheme.name);
  table.add({name,
             "time to the first landing s",
             quarter,
             landed,
             "Housner 1963, Runge–Kutta",
             {5e-3, "the landing falls within a step"},
             orderOf(times, 1)});
  table.add({name,
             "next lean rad",
             peak,
             risen,
             "(1 − 1.5 sin² α)² of the energy",
             {2e-2, "the landing falls within a step"},
             orderOf(peaks, 1)});
}

}  // namespace

void validateMasonry(const StudyOptions& options) {
  ValidationTable table(options, "masonry");
  addArch(table);
  addOverhang(table);
  addTipping(table);
  for (const Scheme& scheme : kSchemes) addRocking(scheme, table);
}

}  // namespace drystone::bench
