// A sub-step, after [Litven 2013, sec. 4.1]: forces and the rest of the momentum equation give the
// free velocity, impulses change it, and the result carries X along and, unlike there, itself. So
// the velocity that a sub-step leaves belongs to the places that it leaves, and M v is the
// momentum.
#include "solids/solid.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/field_checks.h"
#include "core/input_error.h"

namespace drystone {
namespace {

constexpr int kCarriersPerRange = 64;

// Share of a cell's volume above which a node carries, and below which it no longer does. A node of
// less has a force that its mass cannot bear in a step of this length. The gap keeps a node at the
// limit from changing sides in every sub-step.
constexpr Real kJoinShare = 0.11;
constexpr Real kLeaveShare = 0.09;

std::vector<std::string> setupProblems(const SolidSetup& setup) {
  std::vector<std::string> problems = fieldProblems("solid material", setup.material);
  for (const std::string& one : setup.shape.problems()) problems.push_back(one);
  const SolidGrid& grid = setup.grid;
  const auto need = [&](bool holds, const char* problem) {
    if (!holds) problems.push_back(problem);
  };
  need(grid.spacing >= kSmallestPositiveInput && grid.spacing <= kLargestInput,
       "solid: the spacing of its grid must be > 0 m");
  const bool hasNodes = *std::min_element(grid.nodes.begin(), grid.nodes.end()) >= 5;
  need(hasNodes, "solid: its grid must have at least 5 nodes a side");
  const Real count = Real(grid.nodes[0]) * Real(grid.nodes[1]) * Real(grid.nodes[2]);
  need(!hasNodes || count <= 1e9, "solid: its grid must have at most 1e9 nodes");
  need(grid.origin.allFinite() && setup.pose.position.allFinite() && setup.velocity.allFinite() &&
           setup.angularVelocity.allFinite() && setup.gravity.allFinite(),
       "solid: its vectors must be finite");
  need(std::abs(setup.pose.rotation.norm() - 1) < 1e-9,
       "solid: the rotation of its pose must be a unit quaternion");
  need(setup.courant > 0 && setup.courant <= 0.5,
       "solid: courant must lie in (0, 0.5]: longer sub-steps may grow");
  need(setup.threads >= 1, "solid: threads must be >= 1");
  return problems;
}

const SolidSetup& checked(const SolidSetup& setup) {
  const std::vector<std::string> problems = setupProblems(setup);
  if (!problems.empty()) throw InputError(problems);
  return setup;
}

/// Whether a node may carry: it has followers, and these have neighbours.
bool isInside(const SolidGrid& grid, int axis, int coordinate) {
  return coordinate >= 2 && coordinate <= grid.nodes[axis] - 3;
}

}  // namespace

Solid::Solid(const SolidSetup& setup)
    : setup_(checked(setup)),
      reference_(setup.grid.nodeCount(), Vec3::Zero()),
      velocity_(reference_),
      nextReference_(reference_),
      nextVelocity_(reference_),
      force_(reference_),
      mass_(setup.grid.nodeCount()),
      isHeld_(setup.grid.nodeCount()),
      cells_(setup.grid),
      totalMass_(setup.material.density * setup.shape.volume()) {
  const Pose toReference = setup_.pose.inverse();
  for (int node = 0; node < setup_.grid.nodeCount(); ++node) {
    const Vec3 arm = setup_.grid.position(node) - setup_.pose.position;
    velocity_[node] = setup_.velocity + setup_.angularVelocity.cross(arm);
  }
  setReference([&](const Vec3& point) { return toReference * point; });
}

void Solid::setReference(const std::function<Vec3(const Vec3&)>& map) {
  const SolidGrid& grid = setup_.grid;
  chosen_.clear();
  for (int node = 0; node < grid.nodeCount(); ++node) {
    reference_[node] = map(grid.position(node));
    const std::array<int, 3> at = grid.coordinates(node);
    bool isInner = true;
    for (int a = 0; a < 3; ++a) isInner = isInner && isInside(grid, a, at[a]);
    if (isInner) chosen_.push_back(node);
  }
  // All nodes have values, so that all may carry until the cells tell which do.
  nodes_.rebuild(grid, chosen_);
  status_ = SolidStatus::kOk;
  place();
  if (status_ == SolidStatus::kInverted) {
    throw InputError("solid: its reference map turns it inside out: det dX/dx must be > 0 in it");
  }
  if (status_ == SolidStatus::kLeftGrid) {
    throw InputError("solid: it reaches the border of its grid: widen the grid or move the solid");
  }
  if (nodes_.carriers().empty()) {
    throw InputError(
        "solid: no node of its grid lies in it: the grid must be finer or the pose within it");
  }
}

void Solid::setVelocity(const std::function<Vec3(const Vec3&)>& velocity) {
  for (int node = 0; node < setup_.grid.nodeCount(); ++node) {
    velocity_[node] = isHeld_[node] != 0 ? Vec3::Zero() : velocity(setup_.grid.position(node));
  }
  extendVelocity();
  integrate();
}

void Solid::hold(const Vec3& low, const Vec3& high) {
  for (int node = 0; node < setup_.grid.nodeCount(); ++node) {
    const Vec3 at = setup_.grid.position(node);
    if ((at.array() < low.array()).any() || (at.array() > high.array()).any()) continue;
    isHeld_[node] = 1;
    velocity_[node].setZero();
    anyHeld_ = true;
  }
  extendVelocity();
}

SolidReport Solid::step(Real duration) {
  if (!(duration >= 0 && duration <= kLargestInput)) {
    throw InputError("solid: the duration of a step must be >= 0 s");
  }
  SolidReport report;
  report.status = status_;
  report.smallestStep = duration;
  for (Real left = duration; left > 0 && report.status == SolidStatus::kOk;) {
    const Real parts = std::ceil(left / stableStep());
    const Real part = left / parts;
    begin(part);
    report.status = finish();
    left = parts > 1 ? left - part : 0;
    ++report.substeps;
    report.smallestStep = std::min(report.smallestStep, part);
    report.correction = std::max(report.correction, correction_);
  }
  return report;
}

// Of an oscillation ω with Kelvin–Voigt damping, v' = v − Δt (ω² u + η v) and u' = u + Δt v' are
// stable while Δt² ω² + 2 η Δt < 4. A grid of spacing h has none above ω = 2 c / h and η = 4 ν /
// h².
Real Solid::stableStep() const {
  Real speed = 0;
  for (const int node : nodes_.carriers()) {
    speed = std::max(speed, velocity_[node].lpNorm<Eigen::Infinity>());
  }
  const Real h = setup_.grid.spacing, viscosity = totals_.viscosity;
  // The root of c² Δt² + 2 ν Δt = h², without a difference of like numbers.
  const Real ofWaves =
      h * h / (std::hypot(viscosity, std::sqrt(totals_.soundSquared) * h) + viscosity);
  return setup_.courant * (speed > 0 ? std::min(ofWaves, h / speed) : ofWaves);
}

void Solid::begin(Real duration) {
  DRYSTONE_ASSERT(status_ == SolidStatus::kOk);
  duration_ = duration;
  hasImpulses_ = false;
  const std::span<const int> carriers = nodes_.carriers();
  parallelRanges(static_cast<int>(carriers.size()), kCarriersPerRange, setup_.threads,
                 [&](int begin, int end) {
                   for (int c = begin; c < end; ++c) {
                     const int node = carriers[c];
                     if (isHeld_[node] != 0) continue;
                     velocity_[node] += duration * (force_[node] / mass_[node] + setup_.gravity);
                   }
                 });
  extendVelocity();
}

void Solid::applyImpulse(int node, const Vec3& impulse) {
  for (const NodeShare& share : nodes_.sharesOf(node)) {
    velocity_[share.node] += share.weight * inverseMass(share.node) * impulse;
    hasImpulses_ = true;
  }
}

void Solid::extendVelocity() { nodes_.extend(velocity_, setup_.threads); }

SolidStatus Solid::finish() {
  if (status_ != SolidStatus::kOk) return status_;
  if (hasImpulses_) extendVelocity();
  const Vec3 kept = momentum(), keptSpin = spin();
  for (const int node : nodes_.carriers()) {
    // Of NaN no comparison holds.
    const bool isNear = (duration_ * velocity_[node].array().abs() <= setup_.grid.spacing).all();
    if (!isNear) return status_ = SolidStatus::kTooFast;
  }
  advect();
  place();
  if (status_ == SolidStatus::kOk && !anyHeld_) keep(kept, keptSpin);
  return status_;
}

// Both fields come from where their material was: v from x − Δt v(x), and X from x − Δt (v(x) + v(x
// − Δt v)) / 2, which makes turns exact to second order.
void Solid::advect() {
  const SolidGrid& grid = setup_.grid;
  const std::span<const int> carriers = nodes_.carriers();
  const Real cells = -duration_ / grid.spacing;
  parallelRanges(static_cast<int>(carriers.size()), kCarriersPerRange, setup_.threads,
                 [&](int begin, int end) {
                   for (int c = begin; c < end; ++c) {
                     const int node = carriers[c];
                     const Vec3& v = velocity_[node];
                     nextVelocity_[node] = isHeld_[node] != 0
                                               ? v
                                               : valueNear(grid, velocity_, node, cells * v,
                                                           setup_.velocityAdvection);
                     nextReference_[node] =
                         valueNear(grid, reference_, node, 0.5 * cells * (v + nextVelocity_[node]),
                                   setup_.referenceAdvection);
                   }
                 });
  for (const int node : carriers) {
    velocity_[node] = nextVelocity_[node];
    reference_[node] = nextReference_[node];
  }
}

void Solid::place() {
  extendBoth();
  if (status_ != SolidStatus::kOk || !chooseCarriers()) return;
  nodes_.rebuild(setup_.grid, chosen_);
  if (!chosen_.empty()) extendBoth();
}

void Solid::extendBoth() {
  nodes_.extend(reference_, setup_.threads);
  // A node that begins to carry has the velocity that it followed with.
  if (anyHeld_) {
    for (const int node : nodes_.carriers()) {
      if (isHeld_[node] != 0) velocity_[node].setZero();
    }
  }
  extendVelocity();
  integrate();
}

void Solid::integrate() {
  totals_ = cells_.integrate(fields(), setup_.threads);
  if (totals_.isInverted) status_ = SolidStatus::kInverted;
  scale_ = totals_.mass > 0 ? totalMass_ / totals_.mass : 1;
  nodes_.gather(cells_.force(), cells_.mass(), scale_, force_, mass_, setup_.threads);
}

/// Whether other nodes than before carry.
bool Solid::chooseCarriers() {
  const SolidGrid& grid = setup_.grid;
  const NodeBox& box = nodes_.box();
  const Real cell = grid.spacing * grid.spacing * grid.spacing;
  chosen_.clear();
  for (int k = box.low[2]; k <= box.high[2]; ++k) {
    for (int j = box.low[1]; j <= box.high[1]; ++j) {
      for (int i = box.low[0]; i <= box.high[0]; ++i) {
        const int node = grid.index(i, j, k);
        const NodeKind kind = nodes_.kind(node);
        if (kind == NodeKind::kFar) continue;
        const Real limit = kind == NodeKind::kCarrier ? kLeaveShare : kJoinShare;
        if (cells_.volume()[node] <= limit * cell) continue;
        if (!isInside(grid, 0, i) || !isInside(grid, 1, j) || !isInside(grid, 2, k)) {
          status_ = SolidStatus::kLeftGrid;
          return false;
        }
        chosen_.push_back(node);
      }
    }
  }
  return !std::equal(chosen_.begin(), chosen_.end(), nodes_.carriers().begin(),
                     nodes_.carriers().end());
}

// Moving nodal values over a grid loses momentum of the order of its spacing. What is lost comes
// back as a rigid motion, which strains nothing: a + b × (x − c) with Σ m a = ΔP and I b = ΔS.
void Solid::keep(const Vec3& momentum, const Vec3& spin) {
  const Vec3 centre = centreOfMass();
  Mat3 inertia = Mat3::Zero();
  for (const int node : nodes_.carriers()) {
    const Vec3 arm = setup_.grid.position(node) - centre;
    inertia += mass_[node] * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
  }
  const Vec3 shift = (momentum - this->momentum()) / totalMass_;
  const Vec3 turn = inverseOf(inertia, determinantOf(inertia)) * (spin - this->spin());
  correction_ = 0;
  const NodeBox& box = nodes_.box();
  for (int k = box.low[2]; k <= box.high[2]; ++k) {
    for (int j = box.low[1]; j <= box.high[1]; ++j) {
      for (int i = box.low[0]; i <= box.high[0]; ++i) {
        const int node = setup_.grid.index(i, j, k);
        if (nodes_.kind(node) == NodeKind::kFar) continue;
        const Vec3 change = shift + turn.cross(setup_.grid.position(node) - centre);
        velocity_[node] += change;
        correction_ = std::max(correction_, change.norm());
      }
    }
  }
}

std::span<const SolidSurfacePoint> Solid::findSurface() {
  listSurface(fields(), surface_);
  return surface_;
}

bool Solid::covers(int cell) const {
  for (int c = 0; c < 8; ++c) {
    if (nodes_.kind(setup_.grid.corner(cell, c)) == NodeKind::kFar) return false;
  }
  return true;
}

SolidSide Solid::sideOf(const Vec3& point) const {
  const SolidGrid& grid = setup_.grid;
  const int cell = grid.cellAt(point);
  const std::array<Real, 8> weights = grid.weights(cell, point);
  const std::array<Vec3, 8> slopes = grid.slopes(cell, point);
  Vec3 reference = Vec3::Zero();
  Mat3 gradient = Mat3::Zero();
  for (int c = 0; c < 8; ++c) {
    const Vec3& value = reference_[grid.corner(cell, c)];
    reference += weights[c] * value;
    gradient += value * slopes[c].transpose();
  }
  return drystone::sideOf(setup_.shape, reference, gradient);
}

Real Solid::fastest() const {
  Real squared = 0;
  for (const int node : nodes_.carriers()) {
    squared = std::max(squared, velocity_[node].squaredNorm());
  }
  return std::sqrt(squared);
}

Vec3 Solid::centreOfMass() const {
  Vec3 sum = Vec3::Zero();
  for (const int node : nodes_.carriers()) sum += mass_[node] * setup_.grid.position(node);
  return sum / totalMass_;
}

Vec3 Solid::momentum() const {
  Vec3 sum = Vec3::Zero();
  for (const int node : nodes_.carriers()) sum += mass_[node] * velocity_[node];
  return sum;
}

Vec3 Solid::spin() const {
  const Vec3 centre = centreOfMass();
  Vec3 sum = Vec3::Zero();
  for (const int node : nodes_.carriers()) {
    sum += mass_[node] * (setup_.grid.position(node) - centre).cross(velocity_[node]);
  }
  return sum;
}

Real Solid::kineticEnergy() const {
  Real sum = 0;
  for (const int node : nodes_.carriers()) {
    sum += mass_[node] * velocity_[node].squaredNorm();
  }
  return 0.5 * sum;
}

CellFields Solid::fields() const {
  return {setup_.grid, setup_.shape, setup_.material, nodes_, reference_, velocity_};
}

}  // namespace drystone
