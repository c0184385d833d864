// What should meet and does not: planes that carry nothing, and groups that leave a body alone.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/step/union_find.h"
#include "scenes/reading/scene_context.h"

namespace drystone {
namespace {

/// Sine of the angle up to which gravity counts as along a plane: it may come of typed numbers.
constexpr Real kAlongPlane = 1e-3;

bool isSolid(const BodyDefinition& body) { return body.shape && !body.isSensor; }

bool isPlane(const BodyDefinition& body) {
  return isSolid(body) && std::holds_alternative<Plane>(*body.shape);
}

/// True when a dynamic body neither rests on joints nor on any body but planes.
bool somethingFalls(const Scene& scene) {
  const int count = static_cast<int>(scene.bodies.size());
  const auto groupOf = [&](int body) {  // 0: what does not move
    return scene.bodies[static_cast<std::size_t>(body)].kind == BodyKind::kDynamic ? body + 1 : 0;
  };
  std::vector<int> parent;
  startGroups(parent, count + 1);
  for (const SceneJoint& joint : scene.joints) {
    if (joint.bodyA >= 0) unite(parent, groupOf(joint.bodyA), groupOf(joint.bodyB));
  }
  for (int i = 0; i < count; ++i) {
    const BodyDefinition& body = scene.bodies[static_cast<std::size_t>(i)];
    const bool isHeavy = isSolid(body) && body.gravityScale != 0 && body.filter.mask != 0;
    if (isHeavy && findRoot(parent, groupOf(i)) != 0) return true;
  }
  return false;
}

/// Warns where all that could carry what falls is planes, and gravity presses onto none of them.
void checkPlanes(SceneContext& context) {
  const Scene& scene = context.scene;
  const Vec3& gravity = scene.settings.gravity;
  std::vector<LoggedProblem> found;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodyDefinition& body = scene.bodies[i];
    if (body.kind == BodyKind::kDynamic || !isSolid(body)) continue;
    if (!isPlane(body)) return;
    const Vec3 normal = body.pose.rotation * Vec3::UnitZ();
    const Real pressing = -normal.dot(gravity);
    if (pressing > kAlongPlane * gravity.norm()) return;
    found.push_back(
        {.pointer = context.bodyPlaces[i],
         .message = fmt::format(
             "gravity ({:g}, {:g}, {:g}) does not press onto plane '{}', whose normal is "
             "({:.3g}, {:.3g}, {:.3g}): all falls beside it; turn the plane by \"orientation\", "
             "or world.gravity",
             gravity.x(), gravity.y(), gravity.z(), body.name, normal.x(), normal.y(),
             normal.z())});
  }
  if (found.empty() || gravity.isZero(0) || !somethingFalls(scene)) return;
  warnOfFirst(std::move(found), context.log);
}

/// Highest place of solid bodies, dynamic ones or all others but planes [m]; -∞: there are none.
Real highest(const Scene& scene, bool areDynamic) {
  Real height = -kInfinity;
  for (const BodyDefinition& body : scene.bodies) {
    const bool isAsked = (body.kind == BodyKind::kDynamic) == areDynamic;
    if (isAsked && isSolid(body) && !isPlane(body)) {
      height = std::max(height, body.pose.position.z());
    }
  }
  return height;
}

/// Warns of gravity that points up, where nothing that stands is above all that falls. A plane
/// below has a warning of its own.
void checkUpwardGravity(SceneContext& context) {
  const Scene& scene = context.scene;
  const Vec3& gravity = scene.settings.gravity;
  const bool isUp = gravity.z() > kAlongPlane * gravity.norm();
  if (!isUp || std::ranges::any_of(scene.bodies, isPlane)) return;
  if (highest(scene, false) > highest(scene, true) || !somethingFalls(scene)) return;
  context.log.warnings.push_back(
      {.pointer = "/world/gravity",
       .message = fmt::format("gravity ({:g}, {:g}, {:g}) points up, as z does, so bodies fly off; "
                              "write [{:g}, {:g}, {:g}] where down is meant",
                              gravity.x(), gravity.y(), gravity.z(), gravity.x(), gravity.y(),
                              -gravity.z())});
}

using Groups = std::pair<std::uint32_t, std::uint32_t>;  // group, mask

bool meet(const Groups& a, const Groups& b) {
  return (a.second & b.first) != 0 && (b.second & a.first) != 0;
}

/// Of each body those that it is joined to and does not touch for that, once each.
std::vector<std::vector<int>> joinedBodies(const Scene& scene) {
  std::vector<std::vector<int>> joined(scene.bodies.size());
  for (const SceneJoint& joint : scene.joints) {
    if (joint.bodyA < 0 || joint.definition.collide) continue;
    joined[static_cast<std::size_t>(joint.bodyA)].push_back(joint.bodyB);
    joined[static_cast<std::size_t>(joint.bodyB)].push_back(joint.bodyA);
  }
  for (std::vector<int>& bodies : joined) {
    std::ranges::sort(bodies);
    bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  }
  return joined;
}

/// Why a body meets nothing, and what to do.
std::string aloneText(const BodyDefinition& body, bool isJoined, bool isSensed) {
  std::string remedy = isSensed ? "share a bit with what it shall touch"
                                : "where that is meant, write \"collide\": false";
  if (isJoined) remedy = "where they shall touch, give the joint \"collide\": true; " + remedy;
  return fmt::format(
      "'{}' meets {}: no other solid body{} has a \"group\" of its \"mask\" {} and a \"mask\" with "
      "its \"group\" {}; {}",
      body.name, isSensed ? "nothing but sensors" : "nothing",
      isJoined ? " than those that it is joined to" : "", body.filter.mask, body.filter.group,
      remedy);
}

/// Warns of solid dynamic bodies that no solid body meets, where that was not said by `collide`. Of
/// a 0 in their keys their reader warns.
void checkGroups(SceneContext& context) {
  const Scene& scene = context.scene;
  std::map<Groups, int> counts;
  const auto groupsOf = [](const BodyDefinition& body) {
    return Groups(body.filter.group, body.filter.mask);
  };
  for (const BodyDefinition& body : scene.bodies) {
    if (isSolid(body)) ++counts[groupsOf(body)];
  }
  std::map<Groups, int> partners;  // of a body with these groups
  for (const auto& [own, unused] : counts) {
    int& count = partners[own] = meet(own, own) ? -1 : 0;  // it does not meet itself
    for (const auto& [other, bodies] : counts) count += meet(own, other) ? bodies : 0;
  }
  const std::vector<std::vector<int>> joined = joinedBodies(scene);
  std::vector<LoggedProblem> found;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodyDefinition& body = scene.bodies[i];
    const Groups own = groupsOf(body);
    const bool isAsked = own != Groups(1, 0xffffffffu) && own.first != 0 && own.second != 0;
    if (!isSolid(body) || body.kind != BodyKind::kDynamic || !isAsked) continue;
    const auto joinedPartners = std::ranges::count_if(joined[i], [&](int index) {
      const BodyDefinition& other = scene.bodies[static_cast<std::size_t>(index)];
      return isSolid(other) && meet(own, groupsOf(other));
    });
    if (partners[own] > joinedPartners) continue;
    const bool isSensed = std::ranges::any_of(scene.bodies, [&](const BodyDefinition& other) {
      return other.isSensor && meet(own, groupsOf(other));
    });
    found.push_back({.pointer = context.bodyPlaces[i],
                     .message = aloneText(body, joinedPartners > 0, isSensed)});
  }
  warnOfFirst(std::move(found), context.log);
}

}  // namespace

void checkMeetings(SceneContext& context) {
  checkPlanes(context);
  checkUpwardGravity(context);
  checkGroups(context);
}

}  // namespace drystone
