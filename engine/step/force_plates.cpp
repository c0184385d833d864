// Force plates: sums over contacts that are asked for, with bounds by what the solves left.
#include "engine/step/force_plates.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/step/contacts.h"
#include "engine/step/rows.h"
#include "engine/step/solve_islands.h"
#include "engine/step/world_parts.h"

namespace drystone {
namespace {

/// Eigenvalues of W Wᵀ, relative to the largest, below which wrenches are dependent: round-off is
/// 1e-15, and contacts 1e-5 of the plate apart count as one.
constexpr Real kRankShare = 1e-10;
/// A force along the plate's normal below this share of those that cancel in it is round-off.
constexpr Real kPressureShare = 1e-9;

/// Site of a plate in the world, and what turns readings to its axes.
struct PlateFrame {
  Vec3 origin;
  Mat3 toAxes;
};

PlateFrame frameOf(const BodyStore& bodies, const ForcePlateDefinition& plate) {
  const Pose site = bodies.referencePose(plate.body.index) * plate.site;
  PlateFrame frame{site.position, Mat3::Identity()};
  if (!plate.inWorldAxes) frame.toAxes = site.rotation.conjugate().toRotationMatrix();
  return frame;
}

Vec3 placeIn(const PlateFrame& frame, const ForcePlateDefinition& plate, const Vec3& point) {
  return plate.inWorldAxes ? point : Vec3(frame.toAxes * (point - frame.origin));
}

/// Whether the plate counts a contact, and whether its body is the first of the two.
struct Counted {
  bool isCounted = false, isA = false;
  int other = -1;
  std::array<TouchedPart, 2> parts;
};

Counted countedOf(const WorldParts& world, const ForcePlateDefinition& plate, int bodyA, int bodyB,
                  const ContactPoint& point) {
  Counted counted{.isA = bodyA == plate.body.index};
  if (!counted.isA && bodyB != plate.body.index) return counted;
  counted.other = counted.isA ? bodyB : bodyA;
  if (plate.other && plate.other->index != counted.other) return counted;
  counted.parts = world.collision.touchedParts(point);
  if (!counted.isA) std::swap(counted.parts[0], counted.parts[1]);
  counted.isCounted = plate.part < 0 || counted.parts[0].part == plate.part;
  return counted;
}

auto plateOrderOf(const PlateContact& contact) {
  return std::tuple(contact.colliderA, contact.colliderB, contact.feature);
}

PlateContact& entryOf(const ContactPoint& point, ForcePlateReading& reading) {
  PlateContact wanted;
  wanted.colliderA = point.colliderA;
  wanted.colliderB = point.colliderB;
  wanted.feature = point.feature;
  auto& list = reading.contacts;
  const auto at = std::ranges::lower_bound(list, plateOrderOf(wanted), {}, plateOrderOf);
  if (at != list.end() && plateOrderOf(*at) == plateOrderOf(wanted)) return *at;
  return *list.insert(at, wanted);
}

/// Adds an impulse on the plate that acts at a point of the world, with a moment [N m s].
void addImpulse(const WorldParts& world, const Counted& counted, const ContactPoint& point,
                const Vec3& at, const Vec3& impulse, const Vec3& moment, ForcePlate& plate) {
  const PlateFrame frame = frameOf(world.bodies, plate.definition);
  const Vec3 linear = frame.toAxes * impulse;
  const Vec3 angular = frame.toAxes * ((at - frame.origin).cross(impulse) + moment);
  PlateContact& entry = entryOf(point, plate.reading);
  entry.other = world.bodies.idOf(counted.other);
  entry.part = counted.parts[0];
  entry.otherPart = counted.parts[1];
  entry.point = placeIn(frame, plate.definition, at);
  entry.force += linear;
  entry.torque += angular;
  plate.reading.force += linear;
  plate.reading.torque += angular;
}

/// Where the rows of a contact act: on what they move [m], world.
Vec3 actingPoint(const BodyStore& bodies, const StepContact& contact) {
  const ContactArms arms = armsOf(bodies, contact);
  return bodies.isDynamic(contact.bodyB) ? Vec3(bodies.position[contact.bodyB] + arms.b)
                                         : Vec3(bodies.position[contact.bodyA] + arms.a);
}

/// The wrench on the plate about its site, in its axes, of a unit impulse in a row of a contact.
Vec6 rowWrench(const StepContact& contact, const PlateFrame& frame, bool isA, const Vec3& at,
               int count, int row) {
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  if (row < 3) {
    force = row == 0 ? contact.point.normal : row == 1 ? contact.tangent1 : contact.tangent2;
    torque = (at - frame.origin).cross(force);
  } else {
    torque = count == 4 ? Vec3(contact.contensouRadius * contact.point.normal)
                        : rollingAxis(contact, row - 3);
  }
  const Real sign = isA ? -1 : 1;
  Vec6 wrench;
  wrench << sign * (frame.toAxes * force), sign * (frame.toAxes * torque);
  return wrench;
}

/// Calls visit(contact, counted) for the contacts of this inner step that the plate counts.
template <class Visit>
void forEachCounted(const WorldParts& world, const ForcePlateDefinition& plate, Visit&& visit) {
  for (const StepContact& contact : world.data.contacts) {
    if (contact.block < 0) continue;
    const Counted counted = countedOf(world, plate, contact.bodyA, contact.bodyB, contact.point);
    if (counted.isCounted) visit(contact, counted);
  }
}

/// Whether the rows of this inner step are all that its impulses come from.
bool isExactStep(const WorldParts& world) {
  return world.settings.stepping == Stepping::kExact && world.coupling == nullptr &&
         !world.data.hasImpacts;
}

int islandOf(const WorldParts& world, const StepContact& contact) {
  const Islands& islands = world.data.islands;
  return islands.ofBody[world.bodies.isDynamic(contact.bodyA) ? contact.bodyA : contact.bodyB];
}

/// Adds the bounds of the sums over one island's contacts.
void addIslandBound(WorldParts& world, const PlateFrame& frame, int island, ForcePlate& plate) {
  const Islands& islands = world.data.islands;
  const ConstraintRows& rows = world.data.rows;
  ForcePlates& all = world.plates;
  ForcePlateReading& reading = plate.reading;
  const ContactProblem problem = islandProblem(islands, rows, island);
  const int firstRow = islands.rowStart[island];
  const std::span<const Real> lambda = rowsOf(islands, rows.lambda, island);
  if (!isExactStep(world) || rows.isTied(island) || !all.bound.measure(problem, lambda)) {
    reading.forceError = reading.torqueError = kInfinity;
    reading.isSumUnique = false;
    return;
  }
  Vec6 error;
  for (int i = 0; i < 6; ++i) {
    all.weights.assign(lambda.size(), 0);
    forEachCounted(world, plate.definition, [&](const StepContact& contact, const Counted& is) {
      if (islandOf(world, contact) != island || contact.waits) return;
      const int first = rows.firstRow[contact.block];
      const int count = rows.blocks[contact.block].rows;
      const Vec3 at = actingPoint(world.bodies, contact);
      for (int row = 0; row < count; ++row) {
        all.weights[first + row - firstRow] = rowWrench(contact, frame, is.isA, at, count, row)[i];
      }
    });
    error[i] = all.bound.errorOf(all.weights);
    reading.isSumUnique = reading.isSumUnique && all.bound.isUnique();
  }
  reading.forceError += error.head<3>().norm();
  reading.torqueError += error.tail<3>().norm();
}

/// Adds to the bounds what the solve of every island with a contact of the plate left.
void addBounds(WorldParts& world, ForcePlate& plate) {
  const PlateFrame frame = frameOf(world.bodies, plate.definition);
  int last = -1;
  for (;;) {
    int next = -1;
    forEachCounted(world, plate.definition, [&](const StepContact& contact, const Counted&) {
      const int island = islandOf(world, contact);
      if (island > last && (next < 0 || island < next)) next = island;
    });
    if (next < 0) return;
    addIslandBound(world, frame, next, plate);
    last = next;
  }
}

/// Counts the independent wrenches of the contacts that push in this inner step.
void countWrenches(const WorldParts& world, ForcePlate& plate) {
  const PlateFrame frame = frameOf(world.bodies, plate.definition);
  const ConstraintRows& rows = world.data.rows;
  // W Wᵀ, torques at the length that makes them as large as forces.
  Real arm = 0;
  const auto forEachRow = [&](auto&& visit) {
    forEachCounted(world, plate.definition, [&](const StepContact& contact, const Counted& is) {
      const int first = rows.firstRow[contact.block], count = rows.blocks[contact.block].rows;
      if (!(rows.push(first) > 0)) return;
      const Vec3 at = actingPoint(world.bodies, contact);
      for (int row = 0; row < count; ++row) {
        const bool isFrictionless = rows.blocks[contact.block].friction == 0;
        if (row > 0 && isFrictionless) continue;
        visit(rowWrench(contact, frame, is.isA, at, count, row), at);
      }
    });
  };
  forEachRow([&](const Vec6&, const Vec3& at) { arm = std::max(arm, (at - frame.origin).norm()); });
  Eigen::Matrix<Real, 6, 6> square = Eigen::Matrix<Real, 6, 6>::Zero();
  plate.reading.unknowns = 0;
  forEachRow([&](Vec6 wrench, const Vec3&) {
    if (arm > 0) wrench.tail<3>() /= arm;
    square += wrench * wrench.transpose();
    ++plate.reading.unknowns;
  });
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<Real, 6, 6>> eigen(square,
                                                                       Eigen::EigenvaluesOnly);
  const Real largest = eigen.eigenvalues()[5];
  plate.reading.rank = 0;
  for (int i = 0; largest > 0 && i < 6; ++i) {
    if (eigen.eigenvalues()[i] > kRankShare * largest) ++plate.reading.rank;
  }
  plate.reading.areSharesUnique = plate.reading.rank == plate.reading.unknowns;
}

/// Adds what contacts that sleep do all the time. Returns how many there are.
int addAsleep(const WorldParts& world, Real h, ForcePlate& plate) {
  int count = 0;
  const WarmStarts& warm = world.data.warm;
  for (const WarmContact& contact : warm.lists().asleep) {
    const ContactPoint point{
        .colliderA = contact.colliderA, .colliderB = contact.colliderB, .feature = contact.feature};
    const int a = world.bodyOfCollider[contact.colliderA];
    const int b = world.bodyOfCollider[contact.colliderB];
    if (!world.bodies.areAsleep(a, b)) continue;
    const Counted counted = countedOf(world, plate.definition, a, b, point);
    if (!counted.isCounted) continue;
    ++count;
    const Real share = (counted.isA ? -1 : 1) * h / warm.timestep();
    const Vec3 at = world.bodies.isDynamic(b) ? Vec3(world.bodies.position[b] + contact.arms.b)
                                              : Vec3(world.bodies.position[a] + contact.arms.a);
    addImpulse(world, counted, point, at, share * contact.impulse, share * contact.moment, plate);
  }
  return count;
}

/// The solve that sleepers rest by is gone: their bound is that of all, in the step before they
/// fell asleep, when all of them were in the sums.
void addRestingBound(const WorldParts& world, Real h, ForcePlate& plate) {
  ForcePlateReading& reading = plate.reading;
  const ForcePlateReading& before = plate.before;
  if (plate.restingVersion != world.bodies.activeVersion()) {
    plate.restingVersion = world.bodies.activeVersion();
    plate.restingForceError = before.forceError;
    plate.restingTorqueError = before.torqueError;
  }
  reading.forceError += h * plate.restingForceError;
  reading.torqueError += h * plate.restingTorqueError;
  const bool isAllAsleep = reading.unknowns == 0;
  reading.isSumUnique = isAllAsleep && before.isSumUnique;
  reading.areSharesUnique = isAllAsleep && before.areSharesUnique;
  if (isAllAsleep) {
    reading.rank = before.rank;
    reading.unknowns = before.unknowns;
  }
}

bool isThere(const WorldParts& world, const ForcePlateDefinition& plate) {
  return world.bodies.contains(plate.body) && (!plate.other || world.bodies.contains(*plate.other));
}

/// The centre of pressure of force and torque in the axes of the site.
void findCenter(const WorldParts& world, ForcePlate& plate) {
  ForcePlateReading& reading = plate.reading;
  const PlateFrame frame = frameOf(world.bodies, plate.definition);
  const Pose site = world.bodies.referencePose(plate.definition.body.index) * plate.definition.site;
  const Quat toSite = plate.definition.inWorldAxes ? site.rotation.conjugate() : Quat::Identity();
  const Vec3 force = toSite * reading.force, torque = toSite * reading.torque;
  Real total = 0;
  for (const PlateContact& contact : reading.contacts) total += contact.force.norm();
  if (!(std::abs(force.z()) > kPressureShare * total)) return;
  const Vec3 local(-torque.y() / force.z(), torque.x() / force.z(), 0);
  reading.center =
      plate.definition.inWorldAxes ? Vec3(frame.origin + site.rotation * local) : local;
  const Real least = std::abs(force.z()) - reading.forceError;
  if (least > 0) {
    reading.centerError = (reading.torqueError + local.norm() * reading.forceError) / least;
  }
}

}  // namespace

void beginForcePlates(ForcePlates& plates) {
  for (ForcePlate& plate : plates.plates) {
    if (!plate.hasReading) plate.reading = {};
    plate.hasReading = false;
    std::swap(plate.reading, plate.before);
    std::vector<PlateContact> contacts = std::move(plate.reading.contacts);
    contacts.clear();
    plate.reading = {};
    plate.reading.contacts = std::move(contacts);
    plate.reading.forceError = plate.reading.torqueError = 0;
    plate.reading.isSumUnique = true;
  }
}

void addToForcePlates(WorldParts& world, Real h) {
  for (ForcePlate& plate : world.plates.plates) {
    if (!isThere(world, plate.definition)) continue;
    forEachCounted(world, plate.definition, [&](const StepContact& contact, const Counted& is) {
      const int first = world.data.rows.firstRow[contact.block];
      const int count = world.data.rows.blocks[contact.block].rows;
      const Real sign = is.isA ? -1 : 1;
      Vec3 moment = Vec3::Zero();
      for (int i = 3; i < count; ++i) {
        moment += world.data.rows.impulse(first + i) *
                  (count == 4 ? Vec3(contact.contensouRadius * contact.point.normal)
                              : rollingAxis(contact, i - 3));
      }
      const Vec3 impulse = contactImpulse(contact, world.data.rows);
      if (impulse.isZero(0) && moment.isZero(0)) return;
      addImpulse(world, is, contact.point, actingPoint(world.bodies, contact), sign * impulse,
                 sign * moment, plate);
    });
    addBounds(world, plate);
    countWrenches(world, plate);
    if (addAsleep(world, h, plate) > 0) addRestingBound(world, h, plate);
  }
}

void finishForcePlates(WorldParts& world) {
  for (ForcePlate& plate : world.plates.plates) {
    if (world.report.hasDiverged() || !isThere(world, plate.definition)) continue;
    const Real h = world.settings.timestep;
    ForcePlateReading& reading = plate.reading;
    reading.force /= h;
    reading.torque /= h;
    reading.forceError /= h;
    reading.torqueError /= h;
    for (PlateContact& contact : reading.contacts) {
      contact.force /= h;
      contact.torque /= h;
    }
    findCenter(world, plate);
    plate.hasReading = true;
  }
}

}  // namespace drystone
