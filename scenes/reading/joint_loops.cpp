// Loops of joints. Around a loop the vectors from joint to joint add up to zero: those across a
// body, between its two anchors, have a fixed length, those within a joint the lengths that its
// coordinates allow. Such a sum exists in space just when no vector is longer than all others
// together; what the axes of the joints forbid beyond that is not looked at.
#include "scenes/reading/joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "engine/model/drum.h"
#include "engine/model/joint_coordinates.h"

namespace drystone {
namespace {

/// Work that scenes with many long loops may cost: parts of loops that are looked at.
constexpr std::size_t kMostParts = 10'000'000;

/// Lengths that one part of a loop can have [m].
struct Lengths {
  Real least = 0, most = 0;
};

const BodyDefinition& bodyOf(const Scene& scene, int body) {
  return scene.bodies[static_cast<std::size_t>(body)];
}

/// Distances of the joint's two points that its coordinates allow.
Lengths lengthsOf(const JointDefinition& joint) {
  Real least = 0, most = 0;
  for (int i = 0; i < lengthCount(joint.geometry); ++i) {
    const JointAxis& axis = joint.axes[static_cast<std::size_t>(i)];
    const Real nearest = std::clamp<Real>(0, axis.lower, axis.upper);
    least += nearest * nearest;
    const Real farthest = std::max(std::abs(axis.lower), std::abs(axis.upper));
    most += farthest * farthest;
  }
  const bool boundsGap = traitsOf(joint.geometry).boundsGap && joint.drumRadius == 0;
  return {std::sqrt(least), boundsGap ? std::sqrt(most) : kInfinity};
}

/// Joints as edges between dynamic bodies and one node for all that stands: the last one.
class JointGraph {
 public:
  explicit JointGraph(const Scene& scene)
      : scene_(scene), ground_(static_cast<int>(scene.bodies.size())) {
    edges_.resize(scene.bodies.size() + 1);
    for (std::size_t j = 0; j < scene.joints.size(); ++j) {
      const SceneJoint& joint = scene.joints[j];
      if (joint.bodyA < 0) continue;  // a gear
      edges_[at(nodeOf(joint.bodyA))].push_back(static_cast<int>(j));
      edges_[at(nodeOf(joint.bodyB))].push_back(static_cast<int>(j));
    }
    growTree();
  }

  std::vector<OpenLoop> openLoops() const {
    std::vector<OpenLoop> found;
    std::size_t parts = 0;
    for (std::size_t j = 0; j < scene_.joints.size() && parts < kMostParts; ++j) {
      const SceneJoint& joint = scene_.joints[j];
      if (joint.bodyA < 0) continue;
      const int a = nodeOf(joint.bodyA), b = nodeOf(joint.bodyB), index = static_cast<int>(j);
      if (a == b || treeJoint_[at(a)] == index || treeJoint_[at(b)] == index) continue;
      const std::vector<int> loop = loopOf(index);
      parts += loop.size();
      if (auto open = judge(loop)) found.push_back(std::move(*open));
    }
    return found;
  }

 private:
  static std::size_t at(int node) { return static_cast<std::size_t>(node); }
  const SceneJoint& jointAt(int joint) const { return scene_.joints[at(joint)]; }
  int nodeOf(int body) const {
    return bodyOf(scene_, body).kind == BodyKind::kDynamic ? body : ground_;
  }
  int otherEnd(int joint, int node) const {
    const int a = nodeOf(jointAt(joint).bodyA), b = nodeOf(jointAt(joint).bodyB);
    return a == node ? b : a;
  }

  /// Breadth first, so that loops come out short; from the ground, then from what hangs nowhere.
  void growTree() {
    treeJoint_.assign(edges_.size(), -1);
    depth_.assign(edges_.size(), -1);
    for (int root = ground_; root >= 0; --root) {
      if (depth_[at(root)] >= 0) continue;
      depth_[at(root)] = 0;
      std::vector<int> queue = {root};
      for (std::size_t next = 0; next < queue.size(); ++next) {
        const int node = queue[next];
        for (const int joint : edges_[at(node)]) {
          const int other = otherEnd(joint, node);
          if (depth_[at(other)] >= 0) continue;
          depth_[at(other)] = depth_[at(node)] + 1;
          treeJoint_[at(other)] = joint;
          queue.push_back(other);
        }
      }
    }
  }

  /// The joints around the loop in order, from the one that closes it.
  std::vector<int> loopOf(int closing) const {
    std::vector<int> fromB = {closing}, fromA;
    int a = nodeOf(jointAt(closing).bodyA), b = nodeOf(jointAt(closing).bodyB);
    while (a != b) {
      int& deeper = depth_[at(a)] > depth_[at(b)] ? a : b;
      const int joint = treeJoint_[at(deeper)];
      (&deeper == &a ? fromA : fromB).push_back(joint);
      deeper = otherEnd(joint, deeper);
    }
    fromB.insert(fromB.end(), fromA.rbegin(), fromA.rend());
    return fromB;
  }

  /// Of the joint's two points the one on a node, in the frame of its body, for the ground the
  /// world's.
  Vec3 pointOn(int joint, int node) const {
    const SceneJoint& one = jointAt(joint);
    const bool isA = nodeOf(one.bodyA) == node;
    const Vec3& local = (isA ? one.definition.frameA : one.definition.frameB).position;
    return node == ground_ ? bodyOf(scene_, isA ? one.bodyA : one.bodyB).pose * local : local;
  }

  std::optional<OpenLoop> judge(const std::vector<int>& loop) const {
    // Going round: joint, body, joint, body … The first joint leads from its node A to its node B.
    std::vector<Lengths> parts;
    std::vector<int> nodes;
    int node = nodeOf(jointAt(loop.front()).bodyA);
    Real reach = 0;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      node = otherEnd(loop[i], node);
      nodes.push_back(node);
      const int next = loop[(i + 1) % loop.size()];
      const Real length = (pointOn(next, node) - pointOn(loop[i], node)).norm();
      parts.push_back(lengthsOf(jointAt(loop[i]).definition));
      parts.push_back({length, length});
      reach += parts[2 * i].most + length;
    }
    // The one that exceeds the rest by most, if any does.
    const auto longest = std::ranges::max_element(
        parts, {}, [](const Lengths& part) { return part.least + part.most; });
    const Real others = reach - longest->most;
    // Not a number where two parts have no end: such a loop closes.
    if (!(longest->least > others + closingTolerance(longest->least))) return std::nullopt;
    const auto index = static_cast<std::size_t>(longest - parts.begin());
    return OpenLoop{loop, index % 2 == 0 ? jointName(loop[index / 2]) : nodeName(nodes[index / 2]),
                    longest->least, others};
  }

  std::string jointName(int joint) const {
    return fmt::format("joint '{}'", jointAt(joint).definition.name);
  }
  std::string nodeName(int node) const {
    return node == ground_ ? "the ground" : fmt::format("'{}'", bodyOf(scene_, node).name);
  }

  const Scene& scene_;
  int ground_;
  std::vector<std::vector<int>> edges_;  ///< [nodes] joints
  std::vector<int> treeJoint_;           ///< [nodes] that leads to the root; -1: is one
  std::vector<int> depth_;               ///< [nodes]
};

}  // namespace

Real gapAtStart(const Scene& scene, const SceneJoint& joint) {
  const JointDefinition& definition = joint.definition;
  const GeometryTraits& geometry = traitsOf(definition.geometry);
  if (geometry.lengthsOf == nullptr) return 0;
  const Pose frameA = bodyOf(scene, joint.bodyA).pose * definition.frameA;
  const Pose frameB = bodyOf(scene, joint.bodyB).pose * definition.frameB;
  std::array<Real, 6> lengths{};
  geometry.lengthsOf(frameA.inverse() * frameB.position, lengths);
  if (definition.drumRadius > 0) {  // the cable leaves it on the tangent
    lengths[0] = drumEnd(frameA.position, frameB, definition.drumRadius).length;
  }
  Real squared = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(geometry.lengths); ++i) {
    const JointAxis& axis = definition.axes[i];
    const Real beyond = lengths[i] - std::clamp(lengths[i], axis.lower, axis.upper);
    squared += beyond * beyond;
  }
  return std::sqrt(squared);
}

std::vector<OpenLoop> loopsThatCannotClose(const Scene& scene) {
  if (scene.joints.empty()) return {};
  return JointGraph(scene).openLoops();
}

}  // namespace drystone
