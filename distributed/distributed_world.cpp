#include "distributed/distributed_world.h"

#include <algorithm>
#include <utility>

#include "core/input_error.h"
#include "distributed/ghosts.h"
#include "engine/step/position_errors.h"
#include "engine/step/union_find.h"

namespace drystone {
namespace {

/// A process may have so many times the mean of the bodies before space is bisected anew.
constexpr Real kMostLoad = 1.2;
/// Steps between two looks at the load: where no plane divides bodies better, each would send all
/// positions for nothing.
constexpr int kBalanceEvery = 20;

}  // namespace

DistributedWorld::DistributedWorld(World whole, SolverRegistry registry, Processes& processes)
    : processes_(processes),
      world_(sharedSettings(whole.settings()), std::move(registry)),
      parts_(*world_.parts_),
      islands_(processes, ghosts_) {
  if (std::vector<std::string> problems = unsupportedIn(*whole.parts_); !problems.empty()) {
    throw InputError(std::move(problems));
  }
  fill(whole, *whole.parts_);
  parts_.coupling = &islands_;
  if (processes_.count() == 1) return;
  world_.setPairFilter(
      [this](BodyId a, BodyId b) { return isOwnPair(share_, parts_.bodies, a.index, b.index); });
}

DistributedWorld::~DistributedWorld() = default;

/// Keeps of the whole world what this process has: what does not move freely, and the bodies of its
/// region. Bodies on joints with each other belong to the region of the first of them.
void DistributedWorld::fill(World& whole, WorldParts& parts) {
  const BodyStore& all = parts.bodies;
  const int count = all.slots();
  parts_.materials = parts.materials;
  PositionErrors errors;
  StepReport report;
  beginPositionErrors(parts.settings, all, errors, report);
  extent_ = errors.size;

  std::vector<int> group;
  startGroups(group, count);
  share_.isBound.assign(count, 0);
  share_.slotOf.assign(count, -1);
  for (const Joint& joint : parts.joints) {
    if (!joint.alive) continue;
    for (const int body : {joint.bodyA, joint.bodyB}) share_.isBound[body] = 1;
    if (all.isDynamic(joint.bodyA) && all.isDynamic(joint.bodyB)) {
      unite(group, joint.bodyA, joint.bodyB);
    }
  }
  std::vector<Vec3> points;
  for (int body = 0; body < count; ++body) {
    share_.catalog.push_back(all.record[body]);
    share_.ids.push_back(all.idOf(body));
    if (all.isDynamic(body)) points.push_back(all.position[findRoot(group, body)]);
  }
  regions_ = Regions(points, processes_.count());
  for (int body = 0; body < count; ++body) {
    const bool isHere = !all.isDynamic(body) ||
                        regions_.regionOf(all.position[findRoot(group, body)]) == processes_.rank();
    if (!isHere) continue;
    const int slot = share_.add(body, false, world_, parts_.bodies);
    // The whole world has the bits: those of a definition are another form of them.
    parts_.bodies.position[slot] = all.position[body];
    parts_.bodies.rotation[slot] = all.rotation[body];
    parts_.bodies.velocity[slot] = all.velocity[body];
    parts_.bodies.load[slot] = all.load[body];
    parts_.bodies.updateInverseInertia(slot);
  }
  addJoints(whole, parts);
  takeHistory(parts);
}

/// A joint is where its dynamic bodies are; between others it is where the first process is.
void DistributedWorld::addJoints(const World& whole, const WorldParts& parts) {
  for (const JointId id : whole.joints()) {
    JointDefinition joint = whole.joint(id).definition();
    const int a = joint.bodyA.index, b = joint.bodyB.index;
    const bool isFixed = !parts.bodies.isDynamic(a) && !parts.bodies.isDynamic(b);
    const int slotA = share_.slotOf[a], slotB = share_.slotOf[b];
    if (slotA < 0 || slotB < 0 || (isFixed && processes_.rank() != 0)) continue;
    joint.bodyA = parts_.bodies.idOf(slotA);
    joint.bodyB = parts_.bodies.idOf(slotB);
    const int here = world_.addJoint(joint).index;
    static_cast<JointMemory&>(parts_.joints[here]) = parts.joints[id.index];
    jointOf_.resize(parts_.joints.slots(), -1);
    jointOf_[here] = id.index;
  }
}

/// What steps before this world left: time, and what the first solve starts from.
void DistributedWorld::takeHistory(const WorldParts& whole) {
  parts_.time = whole.time;
  parts_.stepCount = whole.stepCount;
  const WarmStarts& warm = whole.data.warm;
  std::vector<WarmJointRow> rows;
  std::vector<int> hereOf(whole.joints.slots(), -1);
  for (int here = 0; here < std::ssize(jointOf_); ++here) hereOf[jointOf_[here]] = here;
  for (WarmJointRow row : warm.joints()) {
    row.joint = hereOf[row.joint];
    if (row.joint >= 0) rows.push_back(row);  // joints ascend here as there
  }
  parts_.data.warm.restore({}, rows, warm.timestep());
  // Contacts with ghosts wait for these.
  for (const WarmContact& contact : warm.contacts()) {
    started_.push_back({whole.bodyOfCollider[contact.colliderA],
                        whole.bodyOfCollider[contact.colliderB], contact});
  }
}

/// Brings bodies to the processes that they belong to, and ghosts up to date.
void DistributedWorld::balance() {
  figures_.isRebalanced = world_.stepCount() % kBalanceEvery == 0 &&
                          rebalance(kMostLoad, processes_, share_, parts_.bodies, regions_);
  figures_.migrated = migrateBodies(regions_, processes_, share_, world_, parts_, moved_);
  refreshGhosts(world_.settings().substep(), processes_, share_, world_, parts_.bodies, ghosts_);
  moved_.insert(moved_.end(), started_.begin(), started_.end());
  started_.clear();
  addWarmStarts(moved_, share_.slotOf, parts_);
  parts_.data.positionErrors.size = extent_;
  parts_.data.positionErrors.isSizeKnown = true;
}

const StepReport& DistributedWorld::step() {
  const Traffic before = processes_.traffic();
  balance();
  world_.step();
  figures_.traffic = {processes_.traffic().messages - before.messages,
                      processes_.traffic().bytes - before.bytes};
  combineReports();
  return report_;
}

}  // namespace drystone
