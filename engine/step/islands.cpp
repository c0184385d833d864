#include "engine/step/islands.h"

#include <numeric>

#include "engine/step/union_find.h"

namespace drystone {
namespace {

/// Turns counts at [i + 1] into starts at [i].
void accumulate(std::vector<int>& starts) {
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
}

}  // namespace

void findIslands(const BodyStore& bodies, std::vector<StepJointBlock>& joints,
                 std::vector<StepContact>& contacts, FrictionModel friction, Islands& islands) {
  const int slots = bodies.slots();
  const int jointCount = static_cast<int>(joints.size());
  const int sourceCount = jointCount + static_cast<int>(contacts.size());
  // Calls visit(source, bodyA, bodyB, rows) for every joint and contact, in order.
  const auto forEachSource = [&](auto&& visit) {
    for (int j = 0; j < jointCount; ++j) {
      visit(j, joints[j].bodyA, joints[j].bodyB, joints[j].rows);
    }
    for (int c = jointCount; c < sourceCount; ++c) {
      const StepContact& contact = contacts[c - jointCount];
      visit(c, contact.bodyA, contact.bodyB, contactRows(friction));
    }
  };

  startGroups(islands.parent, slots);
  islands.ofBody.assign(slots, -1);
  islands.localBody.assign(slots, -1);
  forEachSource([&](int, int a, int b, int) {
    if (bodies.isDynamic(a) && bodies.isDynamic(b)) unite(islands.parent, a, b);
    for (const int body : {a, b}) {
      if (bodies.isDynamic(body)) islands.ofBody[body] = 0;  // held; numbered below
    }
  });

  // Number by lowest body: a root comes before every other body of its group.
  int count = 0;
  for (int body = 0; body < slots; ++body) {
    if (islands.ofBody[body] < 0) continue;
    const int root = findRoot(islands.parent, body);
    islands.ofBody[body] = root == body ? count++ : islands.ofBody[root];
  }

  islands.bodyStart.assign(count + 1, 0);
  islands.blockStart.assign(count + 1, 0);
  islands.rowStart.assign(count + 1, 0);
  for (int body = 0; body < slots; ++body) {
    if (islands.ofBody[body] >= 0) {
      islands.localBody[body] = islands.bodyStart[islands.ofBody[body] + 1]++;
    }
  }
  const auto islandOf = [&](int a, int b) {
    return bodies.isDynamic(a) ? islands.ofBody[a] : islands.ofBody[b];
  };
  forEachSource([&](int, int a, int b, int rows) {
    const int island = islandOf(a, b);
    ++islands.blockStart[island + 1];
    islands.rowStart[island + 1] += rows;
  });
  accumulate(islands.bodyStart);
  accumulate(islands.blockStart);
  accumulate(islands.rowStart);

  islands.bodies.resize(islands.bodyStart[count]);
  for (int body = 0; body < slots; ++body) {
    const int island = islands.ofBody[body];
    if (island >= 0) islands.bodies[islands.bodyStart[island] + islands.localBody[body]] = body;
  }

  islands.sources.resize(islands.blockStart[count]);
  std::vector<int>& next = islands.parent;  // its work is done; holds each island's next block
  next.assign(islands.blockStart.begin(), islands.blockStart.end());
  forEachSource([&](int source, int a, int b, int) {
    const int block = next[islandOf(a, b)]++;
    islands.sources[block] = source;
    (source < jointCount ? joints[source].block : contacts[source - jointCount].block) = block;
  });
}

}  // namespace drystone
