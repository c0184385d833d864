#include "engine/model/body_store.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "core/check.h"
#include "core/input_error.h"
#include "engine/model/argument_checks.h"
#include "engine/model/keys.h"

namespace drystone {
namespace {

Vec6 loadOf(const ForceKey& key) {
  Vec6 load;
  load << key.force, key.torque;
  return load;
}

Vec6 loadAt(const std::vector<ForceKey>& keys, Real time) {
  const auto [before, next, share] = placeAmong(keys, time);
  return loadOf(before) + share * (loadOf(next) - loadOf(before));
}

/// Calls `visit(length, start, end)` for each linear piece of a load between two times.
template <class Visit>
void forEachPiece(const std::vector<ForceKey>& keys, Real from, Real to, Visit&& visit) {
  if (keys.empty()) return;
  Real start = from;
  Vec6 load = loadAt(keys, from);
  auto key = std::upper_bound(keys.begin(), keys.end(), from,
                              [](Real t, const ForceKey& other) { return t < other.time; });
  for (; key != keys.end() && key->time < to; ++key) {
    const Vec6 next = loadOf(*key);
    visit(key->time - start, load, next);
    start = key->time;
    load = next;
  }
  visit(to - start, load, loadAt(keys, to));
}

/// As BodyStore::locked has them.
std::uint8_t bitsOf(const LockedAxes& axes) {
  int bits = 0;
  for (int i = 0; i < 3; ++i) {
    bits |= (axes.translation[i] ? 1 : 0) << i | (axes.rotation[i] ? 1 : 0) << (3 + i);
  }
  return static_cast<std::uint8_t>(bits);
}

Real extentOf(const std::optional<Shape>& shape, Real mass, const Vec3& moments) {
  const std::optional<Bounds> bounds = shape ? shapeBounds(*shape) : std::nullopt;
  if (bounds) return (bounds->upper - bounds->lower).minCoeff();
  return mass > 0 ? std::sqrt(12 * moments.maxCoeff() / mass) : 0;
}

/// That of the corner of the box around the shape that is farthest from the centre of mass [m].
Real reachOf(const std::optional<Shape>& shape, const Vec3& centerOfMass) {
  if (!shape) return 0;
  const std::optional<Bounds> bounds = shapeBounds(*shape);
  if (!bounds) return kInfinity;
  return (bounds->upper - centerOfMass).cwiseMax(centerOfMass - bounds->lower).norm();
}

}  // namespace

MaterialId BodyStore::materialOf(int index, const TouchedPart& touched) const {
  const int part = touched.part >= 0 ? touched.part : touched.triangle;
  if (hasPartMaterials[index] == 0 || part < 0) return material[index];
  const MaterialId own = record[index].partMaterials[static_cast<std::size_t>(part)];
  return own >= 0 ? own : material[index];
}

void BodyStore::resize(int count) {
  record.resize(count);
  // So that remove() takes no memory.
  if (static_cast<std::size_t>(count) > freeSlots.capacity()) freeSlots.reserve(record.capacity());
  kind.resize(count);
  collider.resize(count);
  material.resize(count);
  hasPartMaterials.resize(count);
  reference.resize(count);
  mass.resize(count);
  moments.resize(count);
  surfaceVelocity.resize(count);
  isSensor.resize(count);
  extent.resize(count);
  reach.resize(count);
  linearDamping.resize(count);
  angularDamping.resize(count);
  gravityScale.resize(count);
  locked.resize(count);
  position.resize(count);
  rotation.resize(count);
  velocity.resize(count);
  load.resize(count);
  jointTorque.resize(count);
  inverseInertia.resize(count);
  maySleep.resize(count);
  asleep.resize(count);
  disturbed.resize(count);
  hasForces.resize(count);
  hasAdhesion.resize(count);
  stillTime.resize(count);
  isGhost.resize(count);
  placed.resize(count);
}

void BodyStore::describe(int index, const BodyDefinition& definition) {
  MassProperties properties;
  if (definition.kind == BodyKind::kDynamic) {
    properties =
        definition.mass ? *definition.mass : massProperties(*definition.shape, definition.density);
  }
  const PrincipalInertia principal = principalInertia(properties.inertia);
  const Real ownExtent = extentOf(definition.shape, properties.mass, principal.moments);
  const Real ownReach = reachOf(definition.shape, properties.centerOfMass);
  BodyDefinition copy = definition;
  // From here on nothing takes memory.
  static_cast<BodyDefinition&>(record[index]) = std::move(copy);
  kind[index] = definition.kind;
  material[index] = definition.material;
  hasPartMaterials[index] = definition.partMaterials.empty() ? 0 : 1;
  reference[index] = Pose{properties.centerOfMass, principal.rotation}.inverse();
  mass[index] = properties.mass;
  moments[index] = principal.moments;
  surfaceVelocity[index] = reference[index].rotation * definition.surfaceVelocity;
  isSensor[index] = definition.isSensor ? 1 : 0;
  extent[index] = ownExtent;
  reach[index] = ownReach;
  linearDamping[index] = definition.linearDamping;
  angularDamping[index] = definition.angularDamping;
  gravityScale[index] = definition.gravityScale;
  locked[index] = definition.kind == BodyKind::kDynamic ? bitsOf(definition.lockedAxes) : 0;
  maySleep[index] = definition.allowSleep ? 1 : 0;
  hasForces[index] = definition.forces.empty() ? 0 : 1;
  hasAdhesion[index] = definition.adhesion.empty() ? 0 : 1;
}

BodyId BodyStore::add(const BodyDefinition& definition) {
  const bool isNew = freeSlots.empty();
  const int index = isNew ? slots() : freeSlots.front();  // the least of the heap
  check(definition, index);
  try {
    if (isNew) resize(index + 1);
    describe(index, definition);
  } catch (...) {
    if (isNew) resize(index);
    throw;
  }
  if (!isNew) {
    std::pop_heap(freeSlots.begin(), freeSlots.end(), std::greater<>());
    freeSlots.pop_back();
  }

  record[index].alive = true;
  const std::uint32_t generation = ++record[index].generation;
  collider[index] = -1;
  velocity[index] << definition.linearVelocity, definition.angularVelocity;
  dropLocked(index, velocity[index]);
  load[index].setZero();
  jointTorque[index].setZero();
  asleep[index] = 0;
  disturbed[index] = 1;
  stillTime[index] = 0;
  setReferencePose(index, {definition.pose.position, definition.pose.rotation.normalized()});
  noteChange();
  return {index, generation};
}

void BodyStore::redefine(int index, const BodyDefinition& definition) {
  const Pose place = referencePose(index), before = reference[index];
  const Vec3 center = position[index];
  describe(index, definition);
  const Pose& now = reference[index];
  if (now.position != before.position || now.rotation.coeffs() != before.rotation.coeffs()) {
    setReferencePose(index, place);
    velocity[index].head<3>() += velocity[index].tail<3>().cross(position[index] - center);
  }
  updateInverseInertia(index);
  dropLocked(index, velocity[index]);
  if (kind[index] == BodyKind::kStatic) velocity[index].setZero();
  if (!isDynamic(index)) {
    load[index].setZero();
    jointTorque[index].setZero();
  }
  noteChange();
}

int BodyStore::countAsleep() const {
  return static_cast<int>(std::count(asleep.begin(), asleep.end(), 1));
}

void BodyStore::listActive() const {
  active_.clear();
  momentAsleep_.setZero();
  for (int i = 0; i < slots(); ++i) {
    if (isAsleep(i)) {
      momentAsleep_ += gravityScale[i] * mass[i] * position[i];
    } else if (kind[i] != BodyKind::kStatic) {
      active_.push_back(i);
    }
  }
  listedVersion_ = version_;
}

void BodyStore::sleep(int index) {
  asleep[index] = 1;
  velocity[index].setZero();
  noteChange();
}

void BodyStore::wake(int index) {
  if (isAsleep(index)) noteChange();
  asleep[index] = 0;
  stillTime[index] = 0;
}

void BodyStore::wakeAll() {
  for (int i = 0; i < slots(); ++i) wake(i);
}

void BodyStore::remove(int index) {
  DRYSTONE_ASSERT(record[index].alive);
  const std::uint32_t generation = record[index].generation;
  record[index] = {};
  record[index].generation = generation;
  kind[index] = BodyKind::kStatic;
  collider[index] = -1;
  mass[index] = 0;
  velocity[index].setZero();
  load[index].setZero();
  jointTorque[index].setZero();
  asleep[index] = 0;
  hasForces[index] = 0;
  hasAdhesion[index] = 0;
  locked[index] = 0;
  inverseInertia[index] = {};
  noteChange();
  freeSlots.push_back(index);
  std::push_heap(freeSlots.begin(), freeSlots.end(), std::greater<>());
}

void BodyStore::takeBack(int index) {
  if (record[index].generation == 1) {
    resize(index);  // to fewer, which takes no memory
    noteChange();
    return;
  }
  remove(index);
  --record[index].generation;
}

int BodyStore::slotOf(BodyId id) const {
  if (!contains(id)) throw InputError(missingProblem("body", id.index, slots()));
  return id.index;
}

void BodyStore::setReferencePose(int index, const Pose& pose) {
  const Pose bodyFrame = pose * reference[index].inverse();
  position[index] = bodyFrame.position;
  rotation[index] = bodyFrame.rotation.normalized();
  updateInverseInertia(index);
  placed[index] = 1;
}

void BodyStore::setForces(int index, std::vector<ForceKey> forces) {
  std::vector<std::string> problems;
  checkForces(record[index].name, kind[index], forces, problems);
  if (!problems.empty()) throw InputError(problems);
  hasForces[index] = forces.empty() ? 0 : 1;
  record[index].forces = std::move(forces);
}

Vec6 BodyStore::meanLoad(int index, Real time, Real h) const {
  Vec6 scheduled = Vec6::Zero();  // its integral: the trapezoidal rule is exact on linear pieces
  forEachPiece(record[index].forces, time, time + h,
               [&](Real length, const Vec6& start, const Vec6& end) {
                 scheduled += 0.5 * length * (start + end);
               });
  return load[index] + scheduled / h;
}

bool BodyStore::isForced(int index, Real time, Real h) const {
  bool isZero = true;
  forEachPiece(record[index].forces, time, time + h, [&](Real, const Vec6& start, const Vec6& end) {
    isZero = isZero && start.isZero(0) && end.isZero(0);
  });
  return !isZero;
}

Real BodyStore::adhesionAt(int index, Real time) const {
  const std::vector<AdhesionKey>& keys = record[index].adhesion;
  const auto next = std::upper_bound(keys.begin(), keys.end(), time,
                                     [](Real t, const AdhesionKey& key) { return t < key.time; });
  return next == keys.begin() ? 0 : std::prev(next)->force;
}

void BodyStore::updateInverseInertia(int index) {
  if (!isDynamic(index)) {
    inverseInertia[index] = {};
    return;
  }
  const Mat3 axes = rotation[index].toRotationMatrix();
  inverseInertia[index].inverseMass = 1 / mass[index];
  Mat3& inverse = inverseInertia[index].inverseInertia;
  if (locked[index] >> 3 == 0) {
    inverse.noalias() = axes * moments[index].cwiseInverse().asDiagonal() * axes.transpose();
    return;
  }
  // The inverse on the free axes alone, and 0 elsewhere.
  inverse = axes * moments[index].asDiagonal() * axes.transpose();
  const auto cut = [&](Real diagonal) {
    for (int i = 0; i < 3; ++i) {
      if (!isLocked(index, 3 + i)) continue;
      inverse.row(i).setZero();
      inverse.col(i).setZero();
      inverse(i, i) = diagonal;
    }
  };
  cut(1);
  inverse = Mat3(inverse.inverse());
  cut(0);
}

Vec3 BodyStore::angularMomentum(int index, const Vec3& angularVelocity) const {
  const Quat& q = rotation[index];
  return q * moments[index].cwiseProduct(q.conjugate() * angularVelocity);
}

Real BodyStore::kineticEnergy(int index, const Vec6& u) const {
  const Vec3 omega = rotation[index].conjugate() * Vec3(u.tail<3>());
  return 0.5 *
         (mass[index] * u.head<3>().squaredNorm() + moments[index].dot(omega.cwiseProduct(omega)));
}

}  // namespace drystone
