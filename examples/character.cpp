// A character walks over a small course. It is a kinematic capsule that asks the world where it may
// go: it climbs steps of 0.3 m, stops at a slope of 60°, is pushed by a moving wall, rides on a
// platform and pushes a crate.
//
// What it walks on is in group 1, what it pushes in group 2, and itself in group 4.
// z is up. Units are metres, seconds and radians.
#include <drystone/drystone.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string_view>

namespace {

using namespace drystone;

class Character {
 public:
  static constexpr double kRadius = 0.3, kHalfLength = 0.6;
  static constexpr double kHeight = kHalfLength + kRadius;  ///< of its middle above the ground

  Character(World& world, const Vec3& feet) : world_(world) {
    body_ = world.addBody({.name = "character",
                           .kind = BodyKind::kKinematic,
                           .shape = shape_,
                           .pose = {feet + Vec3(0, 0, kHeight)},
                           .filter = {.group = 4}});
  }

  Vec3 feet() const { return world_.body(body_).pose().position - Vec3(0, 0, kHeight); }

  /// Call before each step of the world: walks as fast as `velocity` says, which lies level.
  void walk(const Vec3& velocity) {
    const double h = world_.settings().timestep;
    queries_.emplace(world_.queries());
    const Vec3 start = world_.body(body_).pose().position;
    const Vec3 pushed = pushedOut(start);
    const Vec3 way = h * (velocity + (ground_ ? velocityOf(*ground_) : Vec3::Zero()));
    const std::optional<Vec3> stepped = ground_ ? overStep(pushed, way) : std::nullopt;
    const Vec3 end = stepped ? *stepped : fall(slide(pushed, way), h);
    // The world moves it there, so that what is in its way is pushed.
    world_.body(body_).setVelocity((end - start) / h, Vec3::Zero());
  }

 private:
  static constexpr double kSkin = 0.01;     // kept to all surfaces
  static constexpr double kMaxStep = 0.35;  // height that it climbs at once
  static constexpr double kLeastUp = 0.7;   // of the normal of ground that it walks on: 45°

  /// Where it stands when nothing comes closer than the skin.
  Vec3 pushedOut(Vec3 at) const {
    for (int i = 0; i < 4; ++i) {
      const auto closest = queries_->closestBody(shape_, {at}, kSkin, others_);
      if (!closest) break;
      at -= (kSkin - closest->gap) * closest->normal;
    }
    return at;
  }

  /// As far along the way as the first surface lets it, less the skin.
  Vec3 moved(const Vec3& from, const Vec3& way, std::optional<BodyHit>& hit) const {
    hit = way.isZero(0) ? std::nullopt : queries_->shapeCast(shape_, {from}, from + way, others_);
    if (!hit) return from + way;
    const double slant = std::max(-hit->normal.dot(way.normalized()), 0.1);
    return from + std::max(hit->fraction - kSkin / slant / way.norm(), 0.0) * way;
  }

  /// Along walls, and along what is too steep as along a wall.
  Vec3 slide(Vec3 at, Vec3 way) const {
    for (int i = 0; i < 3; ++i) {
      std::optional<BodyHit> hit;
      const Vec3 next = moved(at, way, hit);
      if (!hit) return next;
      way -= next - at;
      at = next;
      Vec3 wall = hit->normal;
      if (!isWalkable(*hit)) wall.z() = 0;
      if (wall.isZero(1e-6)) return at;
      way -= std::min(way.dot(wall.normalized()), 0.0) * wall.normalized();
    }
    return at;
  }

  /// Up, along and down onto ground that it can walk on, as over a step or up and down a slope.
  std::optional<Vec3> overStep(const Vec3& from, const Vec3& way) {
    std::optional<BodyHit> hit;
    const Vec3 up = moved(from, {0, 0, kMaxStep}, hit);
    const Vec3 along = slide(up, way);
    const Vec3 down = moved(along, {0, 0, from.z() - up.z() - kMaxStep}, hit);
    if (!hit || !isWalkable(*hit)) return std::nullopt;
    ground_ = hit->body;
    fallSpeed_ = 0;
    return down;
  }

  Vec3 fall(const Vec3& from, double h) {
    fallSpeed_ += 9.81 * h;
    std::optional<BodyHit> hit;
    const Vec3 down = moved(from, {0, 0, -h * fallSpeed_ - kSkin}, hit);
    ground_.reset();
    if (!hit) return down + Vec3(0, 0, kSkin);
    if (isWalkable(*hit)) ground_ = hit->body;
    fallSpeed_ = 0;
    return down;
  }

  /// Asks for the surface just behind the point: at the edge of a step the normal of the hit leans.
  bool isWalkable(const BodyHit& hit) const {
    if (hit.normal.z() > kLeastUp) return true;
    if (hit.normal.z() < 0.05) return false;
    const Vec3 behind = hit.position - 0.02 * Vec3(hit.normal.x(), hit.normal.y(), 0).normalized();
    const auto top = queries_->rayCast(behind + Vec3(0, 0, 0.1), behind - Vec3(0, 0, 0.1), others_);
    return top && top->normal.z() > kLeastUp;
  }

  Vec3 velocityOf(BodyId body) const { return world_.body(body).linearVelocity(); }

  World& world_;
  Shape shape_ = Capsule{.radius = kRadius, .halfLength = kHalfLength};
  BodyId body_;
  QueryFilter others_{.filter = {.mask = 1}};
  std::optional<WorldQueries> queries_;
  std::optional<BodyId> ground_;  ///< that it stands on
  double fallSpeed_ = 0;
};

BodyId addBox(World& world, BodyKind kind, const Vec3& centre, const Vec3& halfSize,
              const Vec3& velocity = Vec3::Zero()) {
  return world.addBody({.kind = kind,
                        .shape = Box{halfSize},
                        .pose = {centre},
                        .density = 100,
                        .linearVelocity = velocity,
                        .filter = {.group = kind == BodyKind::kDynamic ? 2u : 1u}});
}

/// A slope that begins at x = 3 and climbs along x.
void addSlope(World& world, double y, double angle) {
  const Quat turned(Eigen::AngleAxisd(-angle, Vec3::UnitY()));
  world.addBody({.kind = BodyKind::kStatic,
                 .shape = Box{{3, 1, 0.5}},
                 .pose = {Vec3(3, y, 0) + turned * Vec3(3, 0, -0.5), turned}});
}

}  // namespace

int main(int argc, char** argv) {
  const SolverRegistry solvers = makeDefaultRegistry();
  World world({}, solvers);
  world.addBody({.kind = BodyKind::kStatic, .shape = Plane{}});
  for (const int i : {1, 2, 3}) {  // stairs of 0.3 m, and a floor behind them
    addBox(world, BodyKind::kStatic, {5 + 0.5 * i, 0, 0.3 * i - 0.15}, {3, 1, 0.15});
  }
  addSlope(world, 4, M_PI / 3);
  addSlope(world, 8, M_PI / 6);
  addBox(world, BodyKind::kKinematic, {2, 12, 1}, {0.1, 1, 1}, {-0.8, 0, 0});
  addBox(world, BodyKind::kKinematic, {0, 16, 0.1}, {1, 1, 0.1}, {0, 1, 0});
  const BodyId crate = addBox(world, BodyKind::kDynamic, {2, -4, 0.5}, {0.5, 0.5, 0.5});

  Character onStairs(world, {0, 0, 0}), atSteepSlope(world, {0, 4, 0}), onSlope(world, {0, 8, 0});
  Character pushed(world, {0, 12, 0}), rider(world, {0, 16, 0.21}), pusher(world, {0, -4, 0});
  std::optional<Recorder> recorder;
  if (argc == 3 && std::string_view(argv[1]) == "--record") {
    recorder.emplace(argv[2], recordingInfoOf(world), world);
  }
  while (world.time() < 4) {
    for (Character* walker : {&onStairs, &atSteepSlope, &onSlope, &pusher}) {
      walker->walk({1.2, 0, 0});
    }
    for (Character* stander : {&pushed, &rider}) stander->walk(Vec3::Zero());
    world.step();
    if (recorder) recorder->addStep(world);
  }
  if (recorder) recorder->finish(world);

  bool isGood = true;
  const auto expect = [&](bool holds, const char* what, const Vec3& at) {
    std::printf("%-4s %s: (%.2f, %.2f, %.2f)\n", holds ? "ok" : "BAD", what, at.x(), at.y(),
                at.z());
    isGood = isGood && holds;
  };
  const auto isAt = [](double value, double wanted) { return std::abs(value - wanted) < 0.05; };
  Vec3 at = onStairs.feet();
  expect(isAt(at.z(), 0.9) && isAt(at.x(), 4.8), "climbs stairs without getting slower", at);
  at = atSteepSlope.feet();
  expect(at.z() < 0.05 && at.x() < 3, "stays below a slope of 60 degrees", at);
  at = onSlope.feet();
  expect(at.x() > 4.5 && at.z() > 0.8, "climbs a slope of 30 degrees", at);
  at = pushed.feet();
  expect(isAt(at.x(), 1.9 - 0.8 * 4 - Character::kRadius), "is pushed by a wall", at);
  at = rider.feet();
  expect(isAt(at.y(), 20) && isAt(at.z(), 0.2), "rides on a platform", at);
  at = world.body(crate).pose().position;
  expect(at.x() > 5 && isAt(at.z(), 0.5), "pushes a crate", at);
  return isGood ? 0 : 1;
}
