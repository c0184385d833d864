// Impacts: a ball that bounces, rows and triangles of balls, and a rod that jams.
#include <algorithm>
#include <cmath>

#include "bench/studies/validation/rig.h"
#include "bench/studies/validation/study.h"

namespace drystone::bench {
namespace {

WorldSettings bouncySettings(const Scheme& scheme, Real h) {
  WorldSettings settings = settingsOf(scheme, h);
  settings.restitutionThreshold = 1e-3;  // [m/s]: bounces that rise by less than a micrometre end
  return settings;
}

void addBounces(const Scheme& scheme, const StudyOptions& options, ValidationTable& table) {
  const Real e = 0.8, height = 1, radius = 0.1;
  const Real time = std::sqrt(2 * height / kGravity) * (1 + e) / (1 - e);
  std::vector<Real> peakErrors, timeErrors;
  Real peak = 0, rest = 0;
  for (const Real h : {1.0 / 1000, 1.0 / 2000, 1.0 / 4000}) {
    World world = makeWorld(bouncySettings(scheme, h), {.friction = 0, .restitution = e});
    addFloor(world);
    const BodyId ball =
        addSolid(world, Sphere{radius}, 1, {{0, 0, height + radius}, Quat::Identity()});
    CsvFile csv(options, fmt::format("bounces_{}_{:.0f}", scheme.name, 1 / h), "time_s,height_m");
    int bounces = 0;
    Real before = 0;
    peak = 0;
    while (world.time() < 1.5 * time) {
      world.step();
      const Real now = world.body(ball).linearVelocity().z();
      const Real z = world.body(ball).centerOfMass().z() - radius;
      csv.row(world.time(), z);
      bounces += before < 0 && now > 0 ? 1 : 0;
      if (bounces == 3) peak = std::max(peak, z);
      // The last that moves.
      if (std::abs(now) > 2 * kGravity * h) rest = world.time();
      before = now;
    }
    peakErrors.push_back(peak - height * std::pow(e, 6));
    timeErrors.push_back(rest - time);
  }
  const std::string name = fmt::format("bouncing ball, e = 0.8, at 1/4000, {}", scheme.name);
  table.add({name,
             "third peak m",
             height * std::pow(e, 6),
             peak,
             "e⁶ h",
             {0.02, "where in a step it lands: first order, of either sign"},
             orderOf(peakErrors, 1)});
  table.add({name,
             "time until it rests s",
             time,
             rest,
             "√(2 h/g) (1 + e)/(1 − e)",
             {0.02, "bounces shorter than a few steps are one"},
             orderOf(timeErrors, 1)});
}

/// Five balls in a row, of which the first arrives at 1 m/s. Returns their speeds afterwards.
std::vector<Real> cradle(Real gap) {
  WorldSettings settings = bouncySettings(kMidpoint, 1.0 / 10000);
  settings.gravity.setZero();
  World world = makeWorld(settings, {.friction = 0, .restitution = 1});
  const Real radius = 0.05;
  std::vector<BodyId> balls;
  for (int i = 0; i < 5; ++i) {
    // The first one starts 20 mm before it touches.
    const Real x = i * (2 * radius + gap) - (i == 0 ? 0.02 : 0);
    balls.push_back(addSolid(world, Sphere{radius}, 1, {{x, 0, 0}, Quat::Identity()},
                             {i == 0 ? 1.0 : 0.0, 0, 0}));
  }
  run(world, 0.1);
  std::vector<Real> speeds;
  for (const BodyId ball : balls) speeds.push_back(world.body(ball).linearVelocity().x());
  return speeds;
}

void addCradle(ValidationTable& table) {
  const std::vector<Real> touching = cradle(0), apart = cradle(2e-3);
  const Allowance allowance = {1e-6, "Newton's law of impact, solved for all contacts at once"};
  table.add({"five balls that touch", "speed of the first m/s", -0.6, touching[0],
             "one impact of all: −3/5 v", allowance});
  table.add({"five balls that touch", "speed of the last m/s", 0.4, touching[4],
             "one impact of all: 2/5 v (real balls: v)", allowance});
  table.add({"five balls, gaps of 2 mm",
             "speed of the last m/s",
             1,
             apart[4],
             "impacts in turn: v",
             {1e-6, "each impact has a step of its own"}});
}

/// Fifteen balls in a triangle, hit straight on by a sixteenth. Newton's law keeps momentum and
/// energy, and the mirror image.
void addBreak(ValidationTable& table) {
  WorldSettings settings = bouncySettings(kMidpoint, 1.0 / 2000);
  settings.gravity.setZero();
  World world = makeWorld(settings, {.friction = 0, .restitution = 1});
  const Real radius = 0.028, speed = 5, mass = 0.17;
  std::vector<std::pair<BodyId, BodyId>> mirrored;
  std::vector<BodyId> all;
  for (int row = 0; row < 5; ++row) {
    std::vector<BodyId> balls;
    for (int k = 0; k <= row; ++k) {
      const Vec3 place(row * radius * std::sqrt(3.0), (2 * k - row) * radius, 0);
      balls.push_back(addSolid(world, Sphere{radius}, mass, {place, Quat::Identity()}));
    }
    for (int k = 0; k <= row; ++k) mirrored.emplace_back(balls[k], balls[row - k]);
    all.insert(all.end(), balls.begin(), balls.end());
  }
  all.push_back(
      addSolid(world, Sphere{radius}, mass, {{-0.3, 0, 0}, Quat::Identity()}, {speed, 0, 0}));
  run(world, 0.5);
  Real asymmetry = 0, energy = 0, momentum = 0;
  for (const auto& [a, b] : mirrored) {
    const Vec3 va = world.body(a).linearVelocity(), vb = world.body(b).linearVelocity();
    asymmetry = std::max(asymmetry, (va - Vec3(vb.x(), -vb.y(), vb.z())).norm());
  }
  for (const BodyId ball : all) {
    energy += world.body(ball).linearVelocity().squaredNorm() / (speed * speed);
    momentum += world.body(ball).linearVelocity().x() / speed;
  }
  table.add({"break of 15 balls",
             "asymmetry m/s",
             0,
             asymmetry,
             "mirror image",
             {1e-6, "solver tolerance"}});
  table.add({"break of 15 balls",
             "momentum along x, share",
             1,
             momentum,
             "conservation",
             {1e-9, "round-off"}});
  table.add({"break of 15 balls",
             "energy, share",
             1,
             energy,
             "e = 1 keeps it",
             {1e-6, "Newton's law with one e for all keeps the energy"}});
}

/// A rod whose tip slides ahead of its centre of mass: beyond μ = (I/m + x²)/(x z) friction presses
/// the tip into the floor, and the slip ends at once: it jams.
bool painleveJams(Real friction, Real h) {
  const Real length = 2, tip = 1e-3, speed = 1;
  const Real angle = std::atan(2.0);  // where μ is least
  WorldSettings settings = settingsOf(kEuler, h);
  World world = makeWorld(settings, {.friction = friction});
  addFloor(world);
  const Vec3 center(-length / 2 * std::cos(angle), 0, length / 2 * std::sin(angle) - tip);
  const MassProperties rod = {1, center, Mat3::Identity() * (length * length / 12)};
  const BodyId body =
      addBody(world, Sphere{tip}, rod, {{0, 0, tip}, Quat::Identity()}, {speed, 0, 0});
  world.step();
  const Vec3 arm = Vec3(0, 0, 0) - Vec3(center.x(), 0, center.z() + tip);
  const Vec3 slip =
      world.body(body).linearVelocity() + world.body(body).angularVelocity().cross(arm);
  return slip.x() < speed / 2;
}

void addPainleve(ValidationTable& table) {
  std::vector<Real> errors;
  Real got = 0;
  const Real x = std::cos(std::atan(2.0)), z = std::sin(std::atan(2.0));
  const Real expected = (1.0 / 3 + x * x) / (x * z);
  for (const Real h : {1e-4, 5e-5, 2.5e-5}) {
    Real slides = 0.5, jams = 3;
    for (int i = 0; i < 40; ++i) {
      const Real middle = (slides + jams) / 2;
      (painleveJams(middle, h) ? jams : slides) = middle;
    }
    got = jams;
    errors.push_back(got - expected);
  }
  table.add({"Painlevé's rod, one step of 25 µs",
             "μ at which it jams",
             expected,
             got,
             "(I/m + x²)/(x z) = 4/3",
             {0.01, "an impulse of h m g/p halves the slip already: first order"},
             orderOf(errors, 1)});
}

}  // namespace

void validateImpacts(const StudyOptions& options) {
  ValidationTable table(options, "impacts");
  for (const Scheme& scheme : kSchemes) addBounces(scheme, options, table);
  addCradle(table);
  addBreak(table);
  addPainleve(table);
}

}  // namespace drystone::bench
