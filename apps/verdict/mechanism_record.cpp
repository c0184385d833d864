// recordMechanism() of apps/verdict/verdict_output.h.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>

#include "apps/verdict/verdict_output.h"
#include "engine/recording/recorder.h"

namespace drystone::cli {
namespace {

constexpr Real kRest = 1, kCollapse = 3;  // [s]
constexpr Real kPictures = 30;            // a second
/// Way of the fastest body, of the least side of the box around it.
constexpr Real kWay = 0.5;

struct Moving {
  std::size_t body = 0;  ///< in the snapshot
  Vec3 linear, angular;  ///< at the end of the way [m], [rad]
};

std::vector<Moving> motionsOf(const WorldSnapshot& start, const StaticAnswer& answer) {
  std::map<int, Real> wayOfGroup;  // of its fastest body, which comes first
  std::vector<Moving> out;
  for (const StaticMotion& motion : answer.mechanism) {
    const auto body = std::ranges::find(start.bodies, motion.body, &BodySnapshot::id);
    const Real side = (body->boundsUpper - body->boundsLower).minCoeff();
    const Real way = wayOfGroup.emplace(motion.group, kWay * side).first->second;
    out.push_back({static_cast<std::size_t>(body - start.bodies.begin()), way * motion.linear,
                   way * motion.angular});
  }
  return out;
}

void addContacts(const StaticAnswer& answer, Real timestep, WorldSnapshot& frame) {
  for (const StaticContact& contact : answer.contacts) {
    ContactSnapshot one;
    one.bodyA = contact.bodyA;
    one.bodyB = contact.bodyB;
    one.position = contact.position;
    one.normal = contact.normal;
    one.impulse = timestep * contact.force;
    one.normalImpulse = timestep * contact.normalForce;
    one.friction = contact.mu;
    frame.contacts.push_back(one);
  }
}

/// The bodies a share of the way along, at a speed of so much of it a second.
void place(const WorldSnapshot& start, const std::vector<Moving>& motions, Real share, Real speed,
           WorldSnapshot& frame) {
  for (const Moving& one : motions) {
    const BodySnapshot& from = start.bodies[one.body];
    BodySnapshot& body = frame.bodies[one.body];
    const Real angle = share * one.angular.norm();
    Quat turn = Quat::Identity();
    if (angle > 0) turn = Eigen::AngleAxis<Real>(angle, one.angular.normalized());
    body.centerOfMass = from.centerOfMass + share * one.linear;
    body.pose.rotation = (turn * from.pose.rotation).normalized();
    body.pose.position = body.centerOfMass + turn * (from.pose.position - from.centerOfMass);
    body.linearVelocity = speed * one.linear;
    body.angularVelocity = speed * one.angular;
  }
}

}  // namespace

void recordMechanism(const std::string& path, RecordingInfo info, const World& world,
                     const StaticAnswer& answer) {
  const Real timestep = world.settings().timestep;
  info.every = std::max(1, static_cast<int>(std::lround(1 / (kPictures * timestep))));
  info.processes = 0;  // nothing was simulated
  WorldSnapshot start;
  world.observe().snapshot(start);
  start.contacts.clear();
  for (BodySnapshot& body : start.bodies) {
    body.linearVelocity.setZero();
    body.angularVelocity.setZero();
  }
  const std::vector<Moving> motions = motionsOf(start, answer);
  WorldSnapshot frame = start;
  addContacts(answer, timestep, frame);
  std::vector<std::string> names;
  for (const BodySnapshot& body : start.bodies) names.emplace_back(world.body(body.id).name());
  Recorder recorder(path, info, names, frame, 0);
  const auto last = static_cast<std::int64_t>(std::ceil((kRest + kCollapse) / timestep));
  for (std::int64_t step = 1; step <= last; ++step) {
    RecordedStep record;
    record.report.step = step;
    record.report.time = static_cast<Real>(step) * timestep;
    record.report.bodies = static_cast<int>(start.bodies.size());
    frame.step = step;
    frame.time = record.report.time;
    const Real share = std::max(frame.time - kRest, 0.0) / kCollapse;
    if (share > 0) frame.contacts.clear();
    place(start, motions, share * share, 2 * share / kCollapse, frame);
    record.report.contacts = static_cast<int>(frame.contacts.size());
    const bool isDue = step % info.every == 0 || step == last;
    recorder.addStep(record, isDue ? &frame : nullptr);
  }
  recorder.finish();
}

}  // namespace drystone::cli
