#include "solvers/linear/cuthill_mckee.h"

#include <algorithm>

namespace drystone {
namespace {

constexpr int kUnseen = -1;
constexpr int kDone = -2;

/// The breadth-first walks of one graph.
class Walk {
 public:
  Walk(std::span<const int> start, std::span<const int> neighbour, CuthillMckeeWorkspace& workspace)
      : start_(start), neighbour_(neighbour), level_(workspace.level), queue_(workspace.queue) {}

  int degree(int node) const { return start_[node + 1] - start_[node]; }

  /// Visits the component of `root` by levels, neighbours by ascending degree. Leaves the nodes in
  /// the queue; returns the number of levels.
  int from(int root) {
    queue_.clear();
    queue_.push_back(root);
    level_[root] = 0;
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const int node = queue_[head];
      const std::size_t firstNew = queue_.size();
      for (int k = start_[node]; k < start_[node + 1]; ++k) {
        const int next = neighbour_[k];
        if (level_[next] != kUnseen) continue;
        level_[next] = level_[node] + 1;
        queue_.push_back(next);
      }
      std::sort(
          queue_.begin() + static_cast<std::ptrdiff_t>(firstNew), queue_.end(),
          [&](int a, int b) { return degree(a) != degree(b) ? degree(a) < degree(b) : a < b; });
    }
    return level_[queue_.back()] + 1;
  }

  /// Of the last level the node with the fewest neighbours.
  int farEnd() const {
    int best = queue_.back();
    for (auto it = queue_.rbegin(); it != queue_.rend() && level_[*it] == level_[best]; ++it) {
      if (degree(*it) < degree(best)) best = *it;
    }
    return best;
  }

  void mark(int value) {
    for (const int node : queue_) level_[node] = value;
  }

 private:
  std::span<const int> start_, neighbour_;
  std::vector<int>&level_, &queue_;
};

}  // namespace

void reverseCuthillMckee(std::span<const int> start, std::span<const int> neighbour,
                         CuthillMckeeWorkspace& workspace, std::vector<int>& order) {
  const int nodes = static_cast<int>(start.size()) - 1;
  workspace.level.assign(nodes, kUnseen);
  workspace.queue.reserve(nodes);
  order.clear();
  order.reserve(nodes);
  Walk walk(start, neighbour, workspace);
  for (int node = 0; node < nodes; ++node) {
    if (workspace.level[node] != kUnseen) continue;
    // The far end of a walk is a better start, as long as the walk gets longer (George and Liu).
    int root = node;
    int levels = walk.from(root);
    for (;;) {
      const int other = walk.farEnd();
      walk.mark(kUnseen);
      const int more = walk.from(other);
      if (more > levels) {
        levels = more;
        root = other;
        continue;
      }
      walk.mark(kUnseen);
      walk.from(root);
      break;
    }
    order.insert(order.end(), workspace.queue.begin(), workspace.queue.end());
    walk.mark(kDone);
  }
  std::reverse(order.begin(), order.end());
}

}  // namespace drystone
