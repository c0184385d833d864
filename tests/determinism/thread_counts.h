#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "engine/world/world.h"

namespace drystone::test {

/// Steps the worlds that `make` builds for 1, 2, 4 and 8 threads side by side and compares their
/// hashes after every step. `watch` sees the world of one thread after each.
inline void expectSameBitsForEveryThreadCount(const std::function<World(int)>& make, int steps,
                                              const std::function<void(const World&)>& watch) {
  const std::vector<int> counts = {1, 2, 4, 8};
  std::vector<World> worlds;
  for (const int threads : counts) worlds.push_back(make(threads));
  for (int step = 1; step <= steps; ++step) {
    for (World& world : worlds) world.step();
    for (std::size_t i = 1; i < worlds.size(); ++i) {
      ASSERT_EQ(worlds[0].hash(), worlds[i].hash())
          << counts[i] << " threads, step " << step << " of " << steps;
    }
    watch(worlds[0]);
  }
}

}  // namespace drystone::test
