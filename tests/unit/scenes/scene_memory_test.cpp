// Where memory ends while a world is built from a scene, std::bad_alloc comes out, and no other
// error in its place. The scene stays what it is. What reads scenes is left out: the JSON library
// takes memory where it gives some back, and does not survive that this fails.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "engine/world/world.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "solvers/default_registry.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/fail_each.h"

namespace drystone {
namespace {

/// With a part of most kinds, and names too long for the strings themselves.
const std::string kManyParts = R"({"version": 1, "parameters": {"height": {"default": 0.5}},
  "materials": {"a_material_with_a_long_name": {"friction": 0.4}},
  "bodies": [
    {"name": "the_ground_that_all_stands_on", "kind": "static", "shape": {"type": "plane"}},
    {"name": "a_box_with_a_rather_long_name", "material": "a_material_with_a_long_name",
     "shape": {"type": "box", "half_extents": [0.5, 0.5, 0.5]}, "position": [0, 0, "$height"]},
    {"name": "a_ball_with_a_rather_long_name", "shape": {"type": "sphere", "radius": 0.2},
     "position": [0, 0, 1.5]}],
  "joints": [{"name": "a_hinge_with_a_rather_long_name", "type": "hinge",
    "body_a": "a_box_with_a_rather_long_name", "body_b": "a_ball_with_a_rather_long_name",
    "anchor": [0, 0, 1], "axis": [1, 0, 0]}]})";

TEST(SceneMemory, EndsAnywhere_TheNextWorldIsTheSame) {
  if (test::allocationCount() == 0) GTEST_SKIP() << "the heap is a sanitizer's own";
  const SolverRegistry registry = makeDefaultRegistry();
  const Scene scene = readSceneText(kManyParts, "s.json");
  std::uint64_t hash = 0;
  const auto build = [&] {
    hash = 0;
    hash = buildWorld(scene, registry).observe().hash();
  };
  build();
  const std::uint64_t expected = hash;
  const auto isWholeOrNone = [&](bool isDone) { EXPECT_EQ(hash, isDone ? expected : 0); };
  EXPECT_GT(test::failEach(build, isWholeOrNone), 100);
  EXPECT_EQ(hash, expected);
}

}  // namespace
}  // namespace drystone
