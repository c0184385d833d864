// Sizes, masses and timesteps that are likely given in another unit than they are read in.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "engine/model/joint_coordinates.h"
#include "scenes/reading/json_positions.h"
#include "scenes/reading/scene_context.h"

namespace drystone {
namespace {

// What moves in a scene of rigid bodies lies within these, or is in another unit.
constexpr Real kSmallestSize = 1e-3;    ///< [m] a grain of sand
constexpr Real kLargestSize = 1e3;      ///< [m] beyond the largest ships
constexpr Real kLightest = 1;           ///< [kg/m³] that of air
constexpr Real kHeaviest = 30'000;      ///< [kg/m³] osmium has 22,600
constexpr Real kLargestFriction = 100;  ///< holds on slopes of 89.4°; far above it solves miss
constexpr Real kOverlapShare = 0.01;    ///< of a size: the overlap tolerance where none is given
constexpr Real kLargestPhaseAStep = 1;  ///< ωh [rad]: about six steps a period

bool isMovedShape(const BodyDefinition& body) {
  return body.kind == BodyKind::kDynamic && body.shape && !isStaticOnly(*body.shape);
}

/// The longest side of the box around the shape of a dynamic body [m].
std::optional<Real> sizeOf(const BodyDefinition& body) {
  if (!isMovedShape(body)) return std::nullopt;
  const std::optional<Bounds> bounds = shapeBounds(*body.shape);
  if (!bounds) return std::nullopt;
  return (bounds->upper - bounds->lower).maxCoeff();
}

/// Of the ball about the middle of its box that holds the shape of a dynamic body [m].
std::optional<Real> radiusOf(const BodyDefinition& body) {
  if (!isMovedShape(body)) return std::nullopt;
  if (const auto* ball = std::get_if<Sphere>(&*body.shape)) return ball->radius;
  const std::optional<Bounds> bounds = shapeBounds(*body.shape);
  if (!bounds) return std::nullopt;
  return (bounds->upper - bounds->lower).norm() / 2;
}

MassProperties massOf(const BodyDefinition& body) {
  return body.mass ? *body.mass : massProperties(*body.shape, body.density);
}

class ScaleCheck {
 public:
  explicit ScaleCheck(SceneContext& context) : context_(context), scene_(context.scene) {}

  void sizes() {
    std::vector<LoggedProblem> found;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const std::optional<Real> size = sizeOf(scene_.bodies[i]);
      if (!size || (*size >= kSmallestSize && *size <= kLargestSize)) continue;
      found.push_back({.pointer = context_.bodyPlaces[i],
                       .message = fmt::format(
                           "'{}' is {:.3g} m long: lengths are in metres, so check those of its "
                           "shape",
                           scene_.bodies[i].name, *size)});
    }
    warnOfFirst(std::move(found), context_.log);
  }

  void densities() {
    std::vector<LoggedProblem> found;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const BodyDefinition& body = scene_.bodies[i];
      if (!isMovedShape(body)) continue;
      const Real volume = massProperties(*body.shape, 1).mass;
      const Real density = body.mass ? body.mass->mass / volume : body.density;
      if (!(volume > 0) || (density >= kLightest && density <= kHeaviest)) continue;
      found.push_back(
          {.pointer = context_.bodyPlaces[i],
           .message = fmt::format("'{}' has {:.3g} kg/m³, {}: check its {} and the lengths of its "
                                  "shape in m",
                                  body.name, density,
                                  density < kLightest ? "less than air" : "more than any metal",
                                  body.mass ? "mass in kg" : "density")});
    }
    warnOfFirst(std::move(found), context_.log);
  }

  /// A ball on a plane rolls where the tangent of the slope exceeds the arm over its radius. Of two
  /// materials the larger arm counts.
  void rollingArms() {
    if (scene_.settings.friction != FrictionModel::kRolling) return;
    std::vector<LoggedProblem> found;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const BodyDefinition& body = scene_.bodies[i];
      const std::optional<Real> radius = radiusOf(body);
      if (!radius) continue;
      const BodyDefinition* const braking = armOf(body) > *radius ? &body : groundOf(body);
      const bool isOwn = braking == &body;
      const Real arm = isOwn ? armOf(body) : braking != nullptr ? armOn(*braking, body) : 0;
      if (arm <= *radius) continue;
      found.push_back({.pointer = context_.bodyPlaces[i],
                       .message = fmt::format(
                           "'{}' never rolls{}: the \"rolling_resistance\" of {} material is "
                           "a length, {:.3g} m, and longer than its radius of {:.3g} m; "
                           "usual is 0.001 to 0.02 of the radius",
                           body.name, isOwn ? "" : fmt::format(" on '{}'", braking->name),
                           isOwn ? "its" : "that one's", arm, *radius)});
    }
    warnOfFirst(std::move(found), context_.log);
  }

  /// De Saxcé's shift multiplies a slip by μ. So does round-off grow, and what a solve must reach.
  void frictions() {
    std::vector<LoggedProblem> found;
    for (const SceneMaterial& entry : scene_.materials) {
      const Real friction = entry.material.friction;
      if (!(friction > kLargestFriction)) continue;
      found.push_back({.pointer = "/materials/" + escapePointerToken(entry.name) + "/friction",
                       .message = fmt::format(
                           "a friction of {:.3g} makes solves miss their tolerance; above some 10 "
                           "nothing slips any more: take 10",
                           friction)});
    }
    warnOfFirst(std::move(found), context_.log);
  }

  /// Contacts yield: a body that rests on four of them sinks in by m g h² C/(4 γ). Masses count as
  /// they are, since C has a unit; a material with a compliance of its own is left
  /// out.
  void weights() {
    constexpr Real kContacts = 4;
    constexpr Real kSafe = 0.9;  // what is proposed stays below the tolerance when it is rounded
    const WorldSettings& settings = scene_.settings;
    const Real h = innerStep();
    const Real gamma = settings.velocityGamma(h);
    if (gamma == 0) return;  // the projection takes back what sinks in, or the scene nothing at all
    const Real compliance = settings.stabilization.complianceFor(h);
    const Real perMass = settings.gravity.norm() * h * h * compliance / (kContacts * gamma);
    std::vector<LoggedProblem> found;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const BodyDefinition& body = scene_.bodies[i];
      const std::optional<Real> size = sizeOf(body);
      if (!size || hasCompliance(body)) continue;
      const Real mass = massOf(body).mass;
      const Real depth = mass * perMass;
      const Real most = settings.overlapTolerance.value_or(kOverlapShare * *size);
      if (depth <= most) continue;
      found.push_back({.pointer = context_.bodyPlaces[i],
                       .message = fmt::format(
                           "'{}' of {:.3g} kg sinks into what it rests on by {:.2g} m, since "
                           "contacts yield by {:.2g}/kg: set world.stabilization.compliance to "
                           "{:.2g}, or check its mass",
                           body.name, mass, depth, compliance, kSafe * compliance * most / depth)});
    }
    warnOfFirst(std::move(found), context_.log);
  }

  /// From rest a body falls g h² in an inner step.
  void freeFall() {
    const Real fall = scene_.settings.gravity.norm() * innerStep() * innerStep();
    Real smallest = kInfinity;
    std::size_t body = 0;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
      const Real size = sizeOf(scene_.bodies[i]).value_or(kInfinity);
      if (size < smallest) {
        smallest = size;
        body = i;
      }
    }
    if (!(fall > smallest)) return;
    warn(context_.bodyPlaces[body],
         fmt::format("'{}' is {:.3g} m long and falls {:.3g} m in one step of {:.3g} s; take a "
                     "world.timestep below {:.2g} s, or check its lengths",
                     scene_.bodies[body].name, smallest, fall, innerStep(),
                     longestStep(std::sqrt(smallest / scene_.settings.gravity.norm()))));
  }

  /// Springs are stable at every timestep, but the step does not follow one that swings too fast.
  void springs() {
    Real fastest = kLargestPhaseAStep / innerStep();  // [rad/s]
    std::optional<std::size_t> joint;
    for (std::size_t i = 0; i < scene_.joints.size(); ++i) {
      const Real speed = fastestSwing(scene_.joints[i]);
      if (speed <= fastest) continue;
      fastest = speed;
      joint = i;
    }
    if (!joint) return;
    warn(context_.jointPlaces[*joint],
         fmt::format("a spring of joint '{}' swings in {:.2g} s, which steps of {:.2g} s do not "
                     "follow: they damp it; take a world.timestep below {:.2g} s, or a softer "
                     "spring or one with more damping",
                     scene_.joints[*joint].definition.name, 2 * std::numbers::pi / fastest,
                     innerStep(), longestStep(kLargestPhaseAStep / fastest)));
  }

 private:
  /// Whether its material says by how much its contacts yield, or that they do not.
  bool hasCompliance(const BodyDefinition& body) const {
    if (body.material == 0) return false;
    const Material& material =
        scene_.materials[static_cast<std::size_t>(body.material) - 1].material;
    return material.compliance || springOf(material);
  }
  /// Rolling resistance of a body's material [m]; that of the engine has none.
  Real armOf(const BodyDefinition& body) const {
    if (body.material == 0) return 0;
    return scene_.materials[static_cast<std::size_t>(body.material) - 1].material.rollingResistance;
  }
  /// What a ground of another material adds to that; an exception for the two takes its place [m].
  Real armOn(const BodyDefinition& ground, const BodyDefinition& body) const {
    const auto pair = std::ranges::find_if(scene_.pairs, [&](const SceneMaterialPair& entry) {
      return std::minmax(entry.a, entry.b) == std::minmax(ground.material - 1, body.material - 1);
    });
    return pair != scene_.pairs.end() ? pair->material.rollingResistance : armOf(ground);
  }
  /// The solid one with the longest arm of what a body may meet that is not dynamic; null: none.
  const BodyDefinition* groundOf(const BodyDefinition& body) const {
    const BodyDefinition* longest = nullptr;
    for (const BodyDefinition& other : scene_.bodies) {
      const bool isGround = other.kind != BodyKind::kDynamic && other.shape && !other.isSensor;
      if (!isGround || (body.filter.mask & other.filter.group) == 0 ||
          (other.filter.mask & body.filter.group) == 0) {
        continue;
      }
      if (longest == nullptr || armOn(other, body) > armOn(*longest, body)) longest = &other;
    }
    return longest;
  }

  Real innerStep() const { return scene_.settings.substep(); }
  /// world.timestep of an inner step.
  Real longestStep(Real inner) const { return inner * scene_.settings.substeps; }

  void warn(const std::string& place, std::string message) {
    context_.log.warnings.push_back({.pointer = place, .message = std::move(message)});
  }

  /// Inverse of the inertia that one body has for a coordinate [1/kg], [1/(kg m²)]. For angles it
  /// is about the joint's own point, for lengths at the centre of mass: levers would only add to
  /// it.
  Real inverseInertia(int index, const Pose& frame, int coordinate, bool isTurn) const {
    const BodyDefinition& body = scene_.bodies[static_cast<std::size_t>(index)];
    if (body.kind != BodyKind::kDynamic) return 0;
    const MassProperties mass = massOf(body);
    if (!isTurn) return 1 / mass.mass;
    const Vec3 axis = frame.rotation * Vec3::Unit(coordinate % 3);
    const Real arm = axis.cross(frame.position - mass.centerOfMass).norm();
    return 1 / (axis.dot(mass.inertia * axis) + mass.mass * arm * arm);
  }

  /// Of the springs and soft motors of a joint [rad/s]; 0 where none swings.
  Real fastestSwing(const SceneJoint& joint) const {
    const JointDefinition& definition = joint.definition;
    Real fastest = 0;
    if (joint.bodyA < 0) return fastest;
    for (int i = 0; i < coordinateCount(definition.geometry); ++i) {
      const JointAxis& axis = definition.axes[static_cast<std::size_t>(i)];
      const std::optional<JointSpring> servo = axis.motor ? axis.motor->servo : std::nullopt;
      for (const std::optional<JointSpring>& spring : {axis.spring, servo}) {
        if (!spring || spring->stiffness == 0) continue;
        const bool isTurn = isAngle(definition.geometry, i);
        const Real inverse = inverseInertia(joint.bodyA, definition.frameA, i, isTurn) +
                             inverseInertia(joint.bodyB, definition.frameB, i, isTurn);
        const Real speed = std::sqrt(spring->stiffness * inverse);
        const bool creeps = spring->damping * inverse >= 2 * speed;  // no swinging to follow
        if (!creeps) fastest = std::max(fastest, speed);
      }
    }
    return fastest;
  }

  SceneContext& context_;
  const Scene& scene_;
};

}  // namespace

void checkScales(SceneContext& context) {
  ScaleCheck check(context);
  check.sizes();
  check.densities();
  check.rollingArms();
  check.frictions();
  check.weights();
  check.freeFall();
  check.springs();
}

}  // namespace drystone
