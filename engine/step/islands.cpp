#include "engine/step/islands.h"

#include <numeric>

#include "engine/step/cable_rows.h"
#include "engine/step/union_find.h"

namespace drystone {
namespace {

/// Turns counts at [i + 1] into starts at [i].
void accumulate(std::vector<int>& starts) {
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
}

}  // namespace

void findIslands(const BodyStore& bodies, FrictionModel friction, std::span<StepJointBlock> joints,
                 std::span<StepContact> contacts, Islands& islands) {
  const int slots = bodies.slots();
  // Calls visit(source, bodyA, bodyB, rows, block) for every joint and contact, in order.
  const auto forEachSource = [&](auto&& visit) {
    BlockSource source{BlockSource::Kind::kJoint, 0};
    for (StepJointBlock& joint : joints) {
      visit(source, joint.bodyA, joint.bodyB, joint.rows, joint.block);
      ++source.index;
    }
    source = {BlockSource::Kind::kContact, 0};
    for (StepContact& contact : contacts) {
      visit(source, contact.bodyA, contact.bodyB, contactRows(friction), contact.block);
      ++source.index;
    }
  };

  startGroups(islands.parent, slots);
  islands.ofBody.assign(slots, -1);
  islands.localBody.assign(slots, -1);
  forEachSource([&](BlockSource, int a, int b, int, int) {
    if (bodies.isDynamic(a) && bodies.isDynamic(b)) unite(islands.parent, a, b);
    for (const int body : {a, b}) {
      if (bodies.isDynamic(body)) islands.ofBody[body] = 0;  // held; numbered below
    }
  });

  for (const StepJointBlock& joint : joints) {  // spans may hang on what does not move
    if (joint.cable < 0) continue;
    unite(islands.parent, moverOf(bodies, joint), moverOf(bodies, leadOf(joints, joint)));
  }

  // Number by lowest body: a root comes before every other body of its group.
  int count = 0;
  for (const int body : bodies.active()) {
    if (islands.ofBody[body] < 0) continue;
    const int root = findRoot(islands.parent, body);
    islands.ofBody[body] = root == body ? count++ : islands.ofBody[root];
  }

  islands.bodyStart.assign(count + 1, 0);
  islands.blockStart.assign(count + 1, 0);
  islands.rowStart.assign(count + 1, 0);
  for (const int body : bodies.active()) {
    if (islands.ofBody[body] >= 0) {
      islands.localBody[body] = islands.bodyStart[islands.ofBody[body] + 1]++;
    }
  }
  const auto islandOf = [&](int a, int b) {
    return bodies.isDynamic(a) ? islands.ofBody[a] : islands.ofBody[b];
  };
  forEachSource([&](BlockSource, int a, int b, int rows, int) {
    const int island = islandOf(a, b);
    ++islands.blockStart[island + 1];
    islands.rowStart[island + 1] += rows;
  });
  accumulate(islands.bodyStart);
  accumulate(islands.blockStart);
  accumulate(islands.rowStart);

  islands.bodies.resize(islands.bodyStart[count]);
  for (const int body : bodies.active()) {
    const int island = islands.ofBody[body];
    if (island >= 0) islands.bodies[islands.bodyStart[island] + islands.localBody[body]] = body;
  }

  islands.sources.resize(islands.blockStart[count]);
  std::vector<int>& next = islands.parent;  // its work is done; holds each island's next block
  next.assign(islands.blockStart.begin(), islands.blockStart.end());
  forEachSource([&](BlockSource source, int a, int b, int, int& block) {
    block = next[islandOf(a, b)]++;
    islands.sources[block] = source;
  });
}

}  // namespace drystone
