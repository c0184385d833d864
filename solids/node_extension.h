#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "solids/grid.h"

namespace drystone {

enum class NodeKind : std::uint8_t {
  kFar,       ///< away from the body: its values mean nothing
  kFollower,  ///< beside the body: its values are extrapolated from carriers
  kCarrier,   ///< within the body: it has mass and values of its own
};

/// How a follower hangs on a carrier, or a carrier on itself.
struct NodeShare {
  int node = 0;
  Real weight = 0;     ///< of the carrier's value, and of the force that it gets; the sum is 1
  Real massShare = 0;  ///< of the follower's mass, which goes to the nearest carriers; the sum is 1
};

/// Extrapolates nodal fields from the carriers to the nodes around them, and brings forces and
/// masses from there back. A follower takes the linear fit around its nearest carriers, so linear
/// fields are exact and forces keep their sum and their torque.
class NodeExtension {
 public:
  /// Takes these nodes for carriers, ascending and none of the outer two layers of the grid. The
  /// nodes that touch one become followers, and all others are far.
  void rebuild(const SolidGrid& grid, std::span<const int> carriers);

  /// Sets the field on followers.
  void extend(std::span<Vec3> field, int threads) const;
  /// Adds to each carrier what its followers have, scaled. `raw…` are on all nodes around carriers.
  void gather(std::span<const Vec3> rawForce, std::span<const Real> rawMass, Real scale,
              std::span<Vec3> force, std::span<Real> mass, int threads) const;

  std::span<const int> carriers() const { return carriers_; }
  NodeKind kind(int node) const { return kinds_[node]; }
  /// The block of all carriers and followers.
  const NodeBox& box() const { return box_; }
  /// The carriers that a node hangs on: itself where it is one, none where it is far.
  std::span<const NodeShare> sharesOf(int node) const;

 private:
  void listNodes(const SolidGrid& grid, std::span<const int> carriers);
  void fit(const SolidGrid& grid, int follower);
  void transpose();

  NodeBox box_;
  std::vector<int> carriers_;
  std::vector<int> followers_;
  std::vector<int> place_;  ///< of each node: among carriers or followers
  std::vector<NodeKind> kinds_;
  std::vector<NodeShare> own_;     ///< of carriers: themselves
  std::vector<NodeShare> shares_;  ///< of all followers, one after the other
  std::vector<int> shareBegin_;    ///< of each follower, and the end
  /// The same by carrier: `node` is the follower.
  std::vector<NodeShare> hanging_;
  std::vector<int> hangingBegin_;
  std::vector<int> hangingNext_;
};

}  // namespace drystone
