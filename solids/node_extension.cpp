#include "solids/node_extension.h"

#include <algorithm>
#include <array>

#include "core/check.h"

namespace drystone {
namespace {

constexpr int kNodesPerRange = 64;

/// Calls `visit(node, offset)` for a node and the 26 around it.
template <class Visit>
void forNodesAround(const SolidGrid& grid, int node, Visit&& visit) {
  for (int k = -1; k <= 1; ++k) {
    for (int j = -1; j <= 1; ++j) {
      for (int i = -1; i <= 1; ++i) {
        visit(node + i + j * grid.stride(1) + k * grid.stride(2), Vec3(i, j, k));
      }
    }
  }
}

/// Keeps room for a body that grows, so that steps find it.
template <class T>
void growTo(std::vector<T>& array, std::size_t size) {
  if (size > array.capacity()) array.reserve(2 * size);
  array.resize(size);
}

}  // namespace

void NodeExtension::rebuild(const SolidGrid& grid, std::span<const int> carriers) {
  listNodes(grid, carriers);
  shares_.clear();
  for (std::size_t f = 0; f < followers_.size(); ++f) {
    shareBegin_[f] = static_cast<int>(shares_.size());
    fit(grid, followers_[f]);
  }
  shareBegin_[followers_.size()] = static_cast<int>(shares_.size());
  transpose();
}

void NodeExtension::listNodes(const SolidGrid& grid, std::span<const int> carriers) {
  kinds_.resize(grid.nodeCount());
  place_.resize(grid.nodeCount());
  for (const int node : carriers_) kinds_[node] = NodeKind::kFar;
  for (const int node : followers_) kinds_[node] = NodeKind::kFar;
  growTo(carriers_, carriers.size());
  growTo(own_, carriers.size());
  std::copy(carriers.begin(), carriers.end(), carriers_.begin());
  box_ = {grid.nodes, {-1, -1, -1}};
  for (std::size_t c = 0; c < carriers_.size(); ++c) {
    const int node = carriers_[c];
    kinds_[node] = NodeKind::kCarrier;
    place_[node] = static_cast<int>(c);
    own_[c] = {node, 1, 1};
    const std::array<int, 3> at = grid.coordinates(node);
    for (int a = 0; a < 3; ++a) {
      DRYSTONE_ASSERT(at[a] > 1 && at[a] < grid.nodes[a] - 2);
      box_.low[a] = std::min(box_.low[a], at[a] - 1);
      box_.high[a] = std::max(box_.high[a], at[a] + 1);
    }
  }
  followers_.clear();
  for (const int carrier : carriers_) {
    forNodesAround(grid, carrier, [&](int node, const Vec3&) {
      if (kinds_[node] != NodeKind::kFar) return;
      kinds_[node] = NodeKind::kFollower;
      place_[node] = static_cast<int>(followers_.size());
      followers_.push_back(node);
    });
  }
  growTo(shareBegin_, followers_.size() + 1);
}

// Around each nearest carrier m, the linear function through its value that is nearest to the
// carriers j beside it: q(m + d) = q_m + dᵀ C⁻¹ Σ e_j (q_j − q_m), C = Σ e_j e_jᵀ, e_j = x_j − x_m
// in cells. Of several nearest ones the mean, so that a mirrored body has mirrored values.
void NodeExtension::fit(const SolidGrid& grid, int follower) {
  const auto forCarriersAround = [&](int node, const auto& visit) {
    forNodesAround(grid, node, [&](int other, const Vec3& offset) {
      if (kinds_[other] == NodeKind::kCarrier) visit(other, offset);
    });
  };
  Real nearest = 4;
  int ties = 0;
  forCarriersAround(follower, [&](int, const Vec3& offset) {
    const Real distance = offset.squaredNorm();
    if (distance < nearest) {
      nearest = distance;
      ties = 0;
    }
    if (distance == nearest) ++ties;
  });
  DRYSTONE_ASSERT(ties > 0);
  const std::size_t begin = shares_.size();
  const auto share = [&](int node) -> NodeShare& {
    for (std::size_t s = begin; s < shares_.size(); ++s) {
      if (shares_[s].node == node) return shares_[s];
    }
    return shares_.emplace_back(NodeShare{node, 0, 0});
  };
  const Real part = 1.0 / ties;
  forCarriersAround(follower, [&](int middle, const Vec3& offset) {
    if (offset.squaredNorm() != nearest) return;
    Mat3 spread = Mat3::Zero();
    forCarriersAround(middle, [&](int, const Vec3& arm) { spread += arm * arm.transpose(); });
    Real determinant = determinantOf(spread);
    if (determinant < 0.5) {
      // It is a whole number, so 0: the carriers lie in a plane, across which values stay the same.
      spread += 1e-9 * Mat3::Identity();
      determinant = determinantOf(spread);
    }
    const Vec3 direction = inverseOf(spread, determinant) * -offset;
    share(middle).massShare += part;
    share(middle).weight += part;
    forCarriersAround(middle, [&](int other, const Vec3& arm) {
      if (other == middle) return;
      const Real weight = part * direction.dot(arm);
      share(other).weight += weight;
      share(middle).weight -= weight;
    });
  });
}

void NodeExtension::transpose() {
  growTo(hangingBegin_, carriers_.size() + 1);
  growTo(hangingNext_, carriers_.size());
  growTo(hanging_, shares_.size());
  std::fill(hangingBegin_.begin(), hangingBegin_.end(), 0);
  for (const NodeShare& share : shares_) ++hangingBegin_[place_[share.node] + 1];
  for (std::size_t c = 0; c < carriers_.size(); ++c) hangingBegin_[c + 1] += hangingBegin_[c];
  std::copy(hangingBegin_.begin(), hangingBegin_.end() - 1, hangingNext_.begin());
  for (std::size_t f = 0; f < followers_.size(); ++f) {
    for (int s = shareBegin_[f]; s < shareBegin_[f + 1]; ++s) {
      const NodeShare& share = shares_[s];
      hanging_[hangingNext_[place_[share.node]]++] = {followers_[f], share.weight, share.massShare};
    }
  }
}

void NodeExtension::extend(std::span<Vec3> field, int threads) const {
  parallelRanges(static_cast<int>(followers_.size()), kNodesPerRange, threads,
                 [&](int begin, int end) {
                   for (int f = begin; f < end; ++f) {
                     Vec3 value = Vec3::Zero();
                     for (int s = shareBegin_[f]; s < shareBegin_[f + 1]; ++s) {
                       value += shares_[s].weight * field[shares_[s].node];
                     }
                     field[followers_[f]] = value;
                   }
                 });
}

void NodeExtension::gather(std::span<const Vec3> rawForce, std::span<const Real> rawMass,
                           Real scale, std::span<Vec3> force, std::span<Real> mass,
                           int threads) const {
  parallelRanges(static_cast<int>(carriers_.size()), kNodesPerRange, threads,
                 [&](int begin, int end) {
                   for (int c = begin; c < end; ++c) {
                     const int node = carriers_[c];
                     Vec3 f = rawForce[node];
                     Real m = rawMass[node];
                     for (int h = hangingBegin_[c]; h < hangingBegin_[c + 1]; ++h) {
                       f += hanging_[h].weight * rawForce[hanging_[h].node];
                       m += hanging_[h].massShare * rawMass[hanging_[h].node];
                     }
                     force[node] = scale * f;
                     mass[node] = scale * m;
                   }
                 });
}

std::span<const NodeShare> NodeExtension::sharesOf(int node) const {
  switch (kinds_[node]) {
    case NodeKind::kCarrier:
      return {&own_[place_[node]], 1};
    case NodeKind::kFollower: {
      const int f = place_[node];
      return std::span(shares_).subspan(shareBegin_[f], shareBegin_[f + 1] - shareBegin_[f]);
    }
    case NodeKind::kFar:
      break;
  }
  return {};
}

}  // namespace drystone
