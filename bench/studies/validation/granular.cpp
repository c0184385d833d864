// Many balls: a column that collapses, and a bin that empties through a hole.
#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/studies/validation/rig.h"
#include "bench/studies/validation/study.h"
#include "core/random.h"

namespace drystone::bench {
namespace {

constexpr Real kGrain = 0.02;    // diameter [m]
constexpr Real kDensity = 2500;  // [kg/m³]
constexpr Real kGrainFriction = 0.5;
constexpr int kRimParts = 24;  // of a round wall or rim

Real grainMass() { return kDensity * kPi / 6 * kGrain * kGrain * kGrain; }

/// Sweeps with a budget: thousands of contacts, whose errors are small beside the scatter of laws.
WorldSettings granularSettings() {
  WorldSettings settings;
  settings.timestep = 1.0 / 250;  // at 0.6 m/s a grain moves an eighth of its size
  settings.contactMargin = 0.05 * kGrain;
  settings.solver = {.name = "nsgs", .budget = {.tolerance = 1e-4, .iterations = 30}};
  return settings;
}

/// Surface between two rings of points about z: a tube, or a floor with a hole.
BodyId addRings(World& world, Real radius1, Real z1, Real radius2, Real z2) {
  auto data = std::make_shared<MeshData>();
  for (int i = 0; i < kRimParts; ++i) {
    const Real angle = 2 * kPi * i / kRimParts;
    const Vec3 out(std::cos(angle), std::sin(angle), 0);
    data->vertices.push_back(radius1 * out + z1 * Vec3::UnitZ());
    data->vertices.push_back(radius2 * out + z2 * Vec3::UnitZ());
  }
  for (int i = 0; i < kRimParts; ++i) {
    const int a = 2 * i, b = a + 1, c = 2 * ((i + 1) % kRimParts), d = c + 1;
    data->triangles.push_back({a, c, b});
    data->triangles.push_back({b, c, d});
  }
  BodyDefinition rings;
  rings.kind = BodyKind::kStatic;
  rings.shape = TriangleMesh{data};
  return world.addBody(rings);
}

/// Fills a tube with layers of grains a little off a grid, from z up.
std::vector<BodyId> addGrains(World& world, Real radius, Real z, int count) {
  std::vector<BodyId> grains;
  Random random(1);
  const Real spacing = 1.05 * kGrain;
  const int across = static_cast<int>(radius / spacing) + 1;
  for (Real height = z + kGrain; static_cast<int>(grains.size()) < count; height += spacing) {
    for (int i = -across; i <= across; ++i) {
      for (int j = -across; j <= across; ++j) {
        const Vec3 place(i * spacing, j * spacing, height);
        if (place.head<2>().norm() > radius - 0.6 * kGrain) continue;
        if (static_cast<int>(grains.size()) == count) return grains;
        const Vec3 off(random.uniform(-1, 1), random.uniform(-1, 1), 0);
        grains.push_back(addSolid(world, Sphere{kGrain / 2}, grainMass(),
                                  {place + 0.02 * kGrain * off, Quat::Identity()}));
      }
    }
  }
  return grains;
}

// --- The column.

constexpr Real kColumn = 7 * kGrain;  ///< radius r0 [m]

struct Collapse {
  Real aspect = 0;  ///< height over r0
  Real runout = 0;  ///< (r∞ − r0)/r0
};

/// Where less than half of the floor is covered, in rings as wide as a grain [m].
Real edgeOf(const World& world, const std::vector<BodyId>& grains) {
  std::vector<int> rings(200);
  for (const BodyId grain : grains) {
    const Real radius = world.body(grain).centerOfMass().head<2>().norm();
    ++rings[std::min(static_cast<int>(radius / kGrain), 199)];
  }
  for (int i = 1; i < 200; ++i) {
    const Real covered = rings[i] * kGrain * kGrain * kPi / 4;
    const Real area = kPi * (2 * i + 1) * kGrain * kGrain;
    if (covered < 0.5 * area) return i * kGrain;
  }
  return std::nan("");
}

Collapse collapse(int count) {
  World world = makeWorld(granularSettings(), {.friction = kGrainFriction});
  addFloor(world);
  // Grains that are fixed to the floor: on a flat one balls roll on until all lie in one layer.
  const int across = static_cast<int>(3 * kColumn / kGrain);
  for (int i = -across; i <= across; ++i) {
    for (int j = -across; j <= across; ++j) {
      BodyDefinition fixed;
      fixed.kind = BodyKind::kStatic;
      fixed.shape = Sphere{kGrain / 2};
      fixed.pose.position = {i * kGrain, j * kGrain, 0};
      world.addBody(fixed);
    }
  }
  const BodyId tube = addRings(world, kColumn, 0, kColumn, 1);
  const std::vector<BodyId> grains = addGrains(world, kColumn, kGrain / 2, count);
  run(world, 1);
  Real middle = 0;
  for (const BodyId grain : grains) middle += world.body(grain).centerOfMass().z() / count;
  world.removeBody(tube);
  run(world, 1.5);
  const Real bottom = kGrain / 2;  // of the column, which is even: the tops of the fixed grains
  return {2 * (middle - bottom) / kColumn, (edgeOf(world, grains) - kColumn) / kColumn};
}

void addColumn(ValidationTable& table) {
  const Collapse got = collapse(1000);
  table.add({fmt::format("column of 1000 balls, a = {:.2f}", got.aspect),
             "runout over r0",
             1.24 * got.aspect,
             got.runout,
             "1.24 a (Lube et al. 2004), a < 1.7",
             {0.2, "six grains high: most of the law's slope is thinner than a grain"}});
}

// --- The bin.

struct Discharge {
  Real flow = 0;     ///< [kg/s]
  Real density = 0;  ///< of the filling [kg/m³]
};

constexpr int kBinGrains = 2400;

Discharge discharge(Real opening, const StudyOptions& options) {
  World world = makeWorld(granularSettings(), {.friction = kGrainFriction});
  const Real radius = 8 * kGrain;
  const int count = kBinGrains;
  addRings(world, radius, -0.1 * kGrain, radius, 2);
  // From outside to the hole, so that the floor ends at the wall.
  addRings(world, 1.2 * radius, 0, opening / 2, 0);
  BodyDefinition plug;
  plug.kind = BodyKind::kStatic;
  plug.shape = Box{{opening / 2, opening / 2, kGrain}};
  plug.pose.position = {0, 0, -kGrain};
  const BodyId closed = world.addBody(plug);
  std::vector<BodyId> grains = addGrains(world, radius, 0, count);
  run(world, 1);
  Real middle = 0;
  for (const BodyId grain : grains) middle += world.body(grain).centerOfMass().z() / count;
  world.removeBody(closed);
  CsvFile csv(options, fmt::format("hopper_{:.0f}", 1e3 * opening), "time_s,grains");
  const Real begin = world.time();
  Real first = 0, last = 0;
  // The law is that of a bin which is filled higher than the hole is wide: 11 d at first, and 8 d
  // at the end.
  const int from = count / 20, to = count / 4;
  int out = 0, outFirst = 0;
  while (world.time() < begin + 10 && out < to) {
    world.step();
    // What has fallen through is taken away.
    std::erase_if(grains, [&](BodyId grain) {
      if (world.body(grain).centerOfMass().z() > -2 * kGrain) return false;
      world.removeBody(grain);
      return true;
    });
    out = count - static_cast<int>(grains.size());
    csv.row(world.time() - begin, out);
    if (first == 0 && out >= from) {
      first = world.time();
      outFirst = out;
    }
    last = world.time();
  }
  const Real volume = kPi * radius * radius * 2 * middle;
  return {(out - outFirst) * grainMass() / (last - first), count * grainMass() / volume};
}

/// W = C ρ √g (D − k d)^(5/2), C = 0.58, k = 1.4 (Beverloo et al. 1961). From three openings the
/// exponent's line W^(2/5) ∝ D − k d shows k.
void addBins(const StudyOptions& options, ValidationTable& table) {
  const std::vector<Real> openings = {5 * kGrain, 6 * kGrain, 7 * kGrain};
  std::vector<Real> roots;
  for (const Real opening : openings) {
    const Discharge got = discharge(opening, options);
    roots.push_back(std::pow(got.flow, 0.4));
    const Real expected =
        0.58 * got.density * std::sqrt(kGravity) * std::pow(opening - 1.4 * kGrain, 2.5);
    table.add(
        {fmt::format("bin of {} balls, hole of {:.0f} d", kBinGrains, opening / kGrain),
         "flow kg/s",
         expected,
         got.flow,
         "Beverloo, C = 0.58, k = 1.4",
         {0.18,
          "C is that of sand; balls with μ = 0.5 have 0.50 to 0.54, more with less friction"}});
  }
  Real meanD = 0, meanRoot = 0, product = 0, square = 0;
  for (std::size_t i = 0; i < openings.size(); ++i) {
    meanD += openings[i] / static_cast<Real>(openings.size());
    meanRoot += roots[i] / static_cast<Real>(openings.size());
  }
  for (std::size_t i = 0; i < openings.size(); ++i) {
    product += (openings[i] - meanD) * (roots[i] - meanRoot);
    square += (openings[i] - meanD) * (openings[i] - meanD);
  }
  const Real k = (meanD - meanRoot * square / product) / kGrain;
  table.add({fmt::format("bin of {} balls, holes of 5 to 7 d", kBinGrains),
             "k, from W^(2/5) against D",
             1.4,
             k,
             "Beverloo: 1.4; 1 to 2 by the shape of grains",
             {0.4, "a line through three flows of some hundred grains"}});
}

}  // namespace

void validateGranular(const StudyOptions& options) {
  ValidationTable table(options, "granular");
  addColumn(table);
  addBins(options, table);
}

}  // namespace drystone::bench
