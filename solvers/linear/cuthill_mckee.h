#pragma once

#include <span>
#include <vector>

namespace drystone {

/// Work space of the order; keeps its capacity.
struct CuthillMckeeWorkspace {
  std::vector<int> level, queue;
};

/// Reverse Cuthill–McKee order of a graph in compressed rows: `neighbour[start[i] … start[i + 1])`
/// are the nodes that node i touches; i itself may be among them. Starts each component at a node
/// that is far from its others. order: position → node. E. Cuthill and J. McKee, "Reducing the
/// bandwidth of sparse symmetric matrices", ACM 1969; reversed after A. George 1971.
void reverseCuthillMckee(std::span<const int> start, std::span<const int> neighbour,
                         CuthillMckeeWorkspace& workspace, std::vector<int>& order);

}  // namespace drystone
