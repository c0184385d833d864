#include "tests/support/random_shots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "core/random.h"

namespace drystone::test {
namespace {

constexpr Real kWallHalfWidth = 2;
/// Half of the square that is aimed at [m].
constexpr Real kAim = 1;

Real logUniform(Random& random, Real low, Real high) {
  return low * std::pow(high / low, random.uniform());
}

Vec3 direction(Random& random) {
  const Real z = random.uniform(-1, 1), angle = random.uniform(0, 2 * std::numbers::pi);
  const Real ring = std::sqrt(1 - z * z);
  return {ring * std::cos(angle), ring * std::sin(angle), z};
}

Quat anyTurn(Random& random) {
  return Quat(Eigen::AngleAxisd(random.uniform(0, std::numbers::pi), direction(random)));
}

Shape randomHull(Random& random, Real size) {
  const Vec3 scale = size * Vec3(random.uniform(0.3, 1), random.uniform(0.3, 1), 1);
  std::vector<Vec3> points;
  for (int i = 0; i < 12; ++i) points.emplace_back(scale.cwiseProduct(direction(random)));
  return makeHull(points);
}

/// Two boxes in the form of an L.
Shape randomCompound(Random& random, Real size) {
  const Real arm = size * random.uniform(0.1, 0.4);
  return Compound{
      {{Box{{arm, arm, size}}, {{0, 0, 0}, Quat::Identity()}},
       {Box{{size / 2, arm, arm}}, {{arm + size / 2, 0, arm - size}, Quat::Identity()}}}};
}

struct NamedShape {
  std::string_view name;
  Shape shape;
};

NamedShape randomProjectile(Random& random) {
  const Real size = logUniform(random, 0.01, 0.2);
  const Real flat = size * random.uniform(0.2, 1), other = size * random.uniform(0.2, 1);
  switch (static_cast<int>(random.uniform(0, 8))) {
    case 0:
      return {"sphere", Sphere{size}};
    case 1:
      return {"box", Box{{flat, other, size}}};
    case 2:
      return {"hull", randomHull(random, size)};
    case 3:
      return {"capsule", Capsule{flat / 2, size}};
    case 4:
      return {"compound", randomCompound(random, size)};
    case 5:
      return {"cylinder", Cylinder{flat, other}};
    case 6:
      return {"cone", Cone{flat, size}};
    default:
      return {"ellipsoid", Ellipsoid{{flat, other, size}}};
  }
}

struct Target {
  NamedShape shape;
  BodyKind kind = BodyKind::kStatic;
  Real front = 0, bumps = 0;  ///< as of a shot
};

/// Heights of a bumpy square.
std::vector<Real> randomHeights(Random& random, int columns, Real most) {
  std::vector<Real> heights(static_cast<std::size_t>(columns) * columns);
  for (Real& height : heights) height = random.uniform(-most, most);
  return heights;
}

constexpr int kColumns = 17;

Shape meshOf(const std::vector<Real>& heights) {
  auto data = std::make_shared<MeshData>();
  const Real spacing = 2 * kWallHalfWidth / (kColumns - 1);
  for (int j = 0; j < kColumns; ++j) {
    for (int i = 0; i < kColumns; ++i) {
      data->vertices.emplace_back(i * spacing - kWallHalfWidth, j * spacing - kWallHalfWidth,
                                  heights[static_cast<std::size_t>(j * kColumns + i)]);
    }
  }
  for (int j = 0; j + 1 < kColumns; ++j) {
    for (int i = 0; i + 1 < kColumns; ++i) {
      const int corner = j * kColumns + i;
      data->triangles.push_back({corner, corner + 1, corner + kColumns + 1});
      data->triangles.push_back({corner, corner + kColumns + 1, corner + kColumns});
    }
  }
  return TriangleMesh{data};
}

Shape fieldOf(std::vector<Real> heights) {
  auto data = std::make_shared<HeightfieldData>();
  data->columns = data->rows = kColumns;
  data->spacingX = data->spacingY = 2 * kWallHalfWidth / (kColumns - 1);
  data->heights = std::move(heights);
  return Heightfield{data};
}

Shape tiles(Real half) {
  Compound compound;
  constexpr int kTiles = 8;
  const Real width = kWallHalfWidth / kTiles;
  for (int j = 0; j < kTiles; ++j) {
    for (int i = 0; i < kTiles; ++i) {
      const Vec3 center{(2 * i + 1) * width - kWallHalfWidth, (2 * j + 1) * width - kWallHalfWidth,
                        -half};
      compound.children.push_back({Box{{width, width, half}}, {center, Quat::Identity()}});
    }
  }
  return compound;
}

Target randomTarget(Random& random) {
  const Real half = logUniform(random, 0.0005, 0.05);
  const Box wall{{kWallHalfWidth, kWallHalfWidth, half}};
  const Real bumps = random.uniform() < 0.5 ? 0 : random.uniform(0, 0.1);
  const auto heights = [&] { return randomHeights(random, kColumns, bumps); };
  switch (static_cast<int>(random.uniform(0, 7))) {
    case 0:
      return {{"wall", wall}, BodyKind::kStatic, half};
    case 1:
      return {{"plane", Plane{}}};
    case 2:
      return {{"mesh", meshOf(heights())}, BodyKind::kStatic, 0, bumps};
    case 3:
      return {{"height field", fieldOf(heights())}, BodyKind::kStatic, 0, bumps};
    case 4:
      return {{"tiles", tiles(half)}};
    case 5:
      return {{"moving wall", wall}, BodyKind::kKinematic, half};
    default:
      return {{"free wall", wall}, BodyKind::kDynamic, half};
  }
}

/// Whether a point in the frame of the target lies over its front or under it.
bool isOver(const Shot& shot, const Vec3& point) {
  return point.head<2>().cwiseAbs().maxCoeff() < shot.halfWidth;
}

/// Whether a point crosses the front, or the lowest part of it, on its way through a step in which
/// the target moves, too.
bool crosses(const Shot& shot, const std::array<Pose, 2>& target,
             const std::array<Vec3, 2>& center) {
  constexpr int kTimes = 2000;
  Real before = 0;
  for (int k = 0; k <= kTimes; ++k) {
    const Real share = static_cast<Real>(k) / kTimes;
    const Pose there{target[0].position + share * (target[1].position - target[0].position),
                     target[0].rotation.slerp(share, target[1].rotation)};
    const Vec3 point = there.inverse() * Vec3(center[0] + share * (center[1] - center[0]));
    const Real height = point.z() - shot.front + shot.bumps;
    if (k > 0 && before >= 0 && height < 0 && isOver(shot, point)) return true;
    before = height;
  }
  return false;
}

/// Where the ray from above the point meets the target that stands, along z.
Real frontAt(const World& world, BodyId projectile, const Vec3& point) {
  const std::array without = {projectile};
  const QueryFilter filter{.without = without};
  const auto hit =
      world.queries().rayCast({point.x(), point.y(), 10}, {point.x(), point.y(), -10}, filter);
  return hit ? hit->position.z() : -kInfinity;
}

}  // namespace

Shot makeShot(std::uint64_t seed) {
  Random random(seed * 7919 + 17);
  for (int i = 0; i < 10; ++i) random.uniform();  // neighbouring seeds start alike
  Shot shot;
  const NamedShape shape = randomProjectile(random);
  const Target target = randomTarget(random);
  shot.projectileName = shape.name;
  shot.targetName = target.shape.name;
  shot.halfWidth = target.shape.name == "plane" ? kInfinity : kWallHalfWidth;
  shot.front = target.front;
  shot.bumps = target.bumps;
  shot.settings.timestep = random.uniform() < 0.5 ? 1.0 / 60 : 1.0 / 240;
  if (random.uniform() < 0.5) shot.settings.gravity.setZero();
  const std::array<Real, 3> restitutions = {0, 0.5, 1};
  shot.material.restitution = restitutions[static_cast<std::size_t>(random.uniform(0, 3))];

  shot.target.name = "target";
  shot.target.kind = target.kind;
  shot.target.shape = target.shape.shape;
  shot.target.density = 8000;
  shot.target.gravityScale = 0;
  if (target.kind != BodyKind::kStatic) {
    shot.target.linearVelocity = random.uniform(0, 50) * direction(random);
    shot.target.angularVelocity = random.uniform(0, 5) * direction(random);
  }

  const Bounds box = *shapeBounds(shape.shape);
  const Real radius = std::max(box.lower.norm(), box.upper.norm());
  shot.leastExtent = (box.upper - box.lower).minCoeff();
  shot.speed = logUniform(random, 1, 1000);
  const Real slope = std::acos(random.uniform(0.17, 1));
  const Real around = random.uniform(0, 2 * std::numbers::pi);
  const Vec3 way{std::sin(slope) * std::cos(around), std::sin(slope) * std::sin(around),
                 -std::cos(slope)};
  const Vec3 aim{random.uniform(-kAim, kAim), random.uniform(-kAim, kAim), shot.front};
  const Real h = shot.settings.timestep;
  const Real before = (radius + shot.bumps + 1e-3) / std::cos(slope);
  const Real flight = random.uniform(0, 3) * shot.speed * h;
  shot.projectile.name = "projectile";
  shot.projectile.shape = shape.shape;
  shot.projectile.density = logUniform(random, 100, 8000);
  shot.projectile.material = shot.target.material = 1;
  // Its centre of mass flies along the line of aim, as a target that moves sees it.
  shot.projectile.pose = {aim - (before + flight) * way, anyTurn(random)};
  shot.projectile.linearVelocity = shot.speed * way + shot.target.linearVelocity;
  shot.flight = flight;
  if (random.uniform() < 0.5) {
    shot.projectile.angularVelocity = logUniform(random, 0.1, 100) * direction(random);
  }
  const Real arrival = (before + flight) / (shot.speed * h);
  shot.steps = std::min(static_cast<int>(std::ceil(arrival)) + 8, 100);
  return shot;
}

Shot makeStruckShot(std::uint64_t seed) {
  Shot shot = makeShot(seed);
  Random random(seed * 104729 + 5);
  for (int i = 0; i < 10; ++i) random.uniform();
  const Vec3 flight = shot.projectile.linearVelocity - shot.target.linearVelocity;
  const Vec3 way = flight.normalized();
  const Bounds box = *shapeBounds(*shot.projectile.shape);
  const Real radius = std::max(box.lower.norm(), box.upper.norm());
  shot.projectile.pose.position += random.uniform(0, 1) * shot.flight * way;
  shot.projectile.linearVelocity = shot.target.linearVelocity;
  shot.projectile.angularVelocity.setZero();
  const Real size = 2 * radius;
  const Real mass = massProperties(*shot.projectile.shape, shot.projectile.density).mass;
  const Real volume = massProperties(Sphere{size}, 1).mass;
  BodyDefinition hammer{.name = "hammer", .shape = Sphere{size}, .density = 10 * mass / volume};
  hammer.pose.position = shot.projectile.pose.position - (radius + size + 1e-3) * way;
  hammer.linearVelocity = shot.projectile.linearVelocity + flight;
  hammer.filter = {.group = 2, .mask = 4};
  hammer.material = 1;
  shot.projectile.filter = {.group = 4};
  shot.hammer = hammer;
  shot.steps = 10;
  return shot;
}

ShotOutcome fly(const Shot& shot, const SolverRegistry& registry) {
  World world(shot.settings, registry);
  world.addMaterial(shot.material);
  const BodyId target = world.addBody(shot.target);
  const BodyId projectile = world.addBody(shot.projectile);
  if (shot.hammer) world.addBody(*shot.hammer);
  const auto poseOf = [&](BodyId body) { return world.body(body).pose(); };
  Pose targetBefore = poseOf(target);
  Vec3 centerBefore = world.body(projectile).centerOfMass();
  ShotOutcome outcome;
  bool hasLeft = false;  // beside the target and behind its front
  for (int i = 0; i < shot.steps && !outcome.hasPassed && !outcome.hasDiverged && !hasLeft; ++i) {
    const StepReport& report = world.step();
    outcome.deepest = std::max(outcome.deepest, report.overlapError);
    outcome.hasDiverged = report.hasDiverged();
    if (!report.solvesWithin) ++outcome.missed;
    outcome.stopped += report.stopped;
    outcome.wasSwept = outcome.wasSwept || report.swept > 0;
    for (const ContactEvent& event : world.lastEvents().contactsBegun) {
      outcome.hasTouched = outcome.hasTouched || event.points > 0;
    }
    const Pose targetNow = poseOf(target);
    const Vec3 centerNow = world.body(projectile).centerOfMass();
    outcome.hasPassed = crosses(shot, {targetBefore, targetNow}, {centerBefore, centerNow});
    if (shot.bumps > 0 && isOver(shot, centerBefore) && isOver(shot, centerNow)) {
      outcome.hasPassed =
          outcome.hasPassed || centerNow.z() < frontAt(world, projectile, centerNow);
    }
    const Vec3 seen = targetNow.inverse() * centerNow;
    hasLeft = !isOver(shot, seen) && seen.z() < shot.front - shot.bumps;
    targetBefore = targetNow;
    centerBefore = centerNow;
  }
  return outcome;
}

}  // namespace drystone::test
