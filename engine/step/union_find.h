#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

namespace drystone {

/// Every element a group of its own.
inline void startGroups(std::vector<int>& parent, int count) {
  parent.resize(static_cast<std::size_t>(count));
  std::iota(parent.begin(), parent.end(), 0);
}

inline int findRoot(std::vector<int>& parent, int element) {
  while (parent[element] != element) {
    parent[element] = parent[parent[element]];  // halves the path
    element = parent[element];
  }
  return element;
}

/// The lower root stays root, so that a group is known by its lowest element.
inline void unite(std::vector<int>& parent, int a, int b) {
  a = findRoot(parent, a);
  b = findRoot(parent, b);
  if (a != b) parent[std::max(a, b)] = std::min(a, b);
}

}  // namespace drystone
