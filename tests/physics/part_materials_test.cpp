// Materials of the parts of a body: children of compounds, triangles of meshes and height fields.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/input_error.h"
#include "scenes/scene_builder.h"
#include "scenes/scene_reader.h"
#include "tests/support/worlds.h"

namespace drystone {
namespace {

constexpr Real kRough = 0.2;

/// Floors of 20 m by 2 m whose half with x < 0 is part 0 or the first two triangles.
std::vector<std::pair<std::string, Shape>> splitFloors() {
  const Compound tiles{{{Box{{5, 1, 0.5}}, {{-5, 0, -0.5}, Quat::Identity()}},
                        {Box{{5, 1, 0.5}}, {{5, 0, -0.5}, Quat::Identity()}}}};
  auto mesh = std::make_shared<MeshData>();
  mesh->vertices = {{-10, -1, 0}, {0, -1, 0}, {10, -1, 0}, {-10, 1, 0}, {0, 1, 0}, {10, 1, 0}};
  mesh->triangles = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
  auto field = std::make_shared<HeightfieldData>();
  field->columns = 3;
  field->rows = 2;
  field->spacingX = 10;
  field->spacingY = 2;
  field->heights.assign(6, 0);
  return {{"compound", tiles}, {"mesh", TriangleMesh{mesh}}, {"height field", Heightfield{field}}};
}

struct TwoFloors {
  World world;
  BodyId floor, box;
  MaterialId rough = 0, smooth = 0;
};

TwoFloors makeFloors(const Shape& shape, bool namesParts = true) {
  TwoFloors out{World(test::settingsFor("auto"), test::registry()), {}, {}};
  out.rough = out.world.addMaterial({.friction = kRough});
  out.smooth = out.world.addMaterial({.friction = 0});
  // Pairs with the box: what the floor says is what counts.
  out.world.setMaterialPair(0, out.rough, {.friction = kRough});
  out.world.setMaterialPair(0, out.smooth, {.friction = 0});
  BodyDefinition floor{.name = "floor", .kind = BodyKind::kStatic, .shape = shape};
  floor.material = out.rough;
  if (namesParts) {
    const MaterialId own = -1;
    floor.partMaterials = std::holds_alternative<Compound>(shape)
                              ? std::vector{own, out.smooth}
                              : std::vector{own, own, out.smooth, out.smooth};
  }
  out.floor = out.world.addBody(floor);
  out.box = test::addBody(out.world, Box{{0.1, 0.1, 0.1}}, 1, {{-3, 0, 0.1}, Quat::Identity()},
                          {4, 0, 0});
  return out;
}

TEST(PartMaterials, BoxThatSlidesOnToASmoothPart_KeepsItsSpeed) {
  for (const auto& [name, shape] : splitFloors()) {
    TwoFloors slide = makeFloors(shape);
    const auto speed = [&] { return slide.world.body(slide.box).linearVelocity().x(); };
    const auto place = [&] { return slide.world.body(slide.box).centerOfMass().x(); };
    while (place() < -0.2) slide.world.step();
    // v² = v0² − 2 μ g s, to first order of the step.
    const Real expected = std::sqrt(16 - 2 * kRough * 9.81 * (place() + 3));
    EXPECT_NEAR(speed(), expected, 0.03) << name;
    while (place() < 0.2) slide.world.step();
    const Real onSmooth = speed();
    EXPECT_LT(onSmooth, expected) << name;
    while (place() < 3) slide.world.step();
    EXPECT_NEAR(speed(), onSmooth, 1e-9) << name;
  }
}

// A mesh has two triangles a cell, and so has a height field: the second cell is smooth.
TEST(PartMaterials, SetBetweenSteps_AreThoseOfABodyMadeThatWay) {
  for (const auto& [name, shape] : splitFloors()) {
    TwoFloors made = makeFloors(shape), changed = makeFloors(shape, false);
    changed.world.body(changed.floor)
        .setPartMaterials(made.world.body(made.floor).definition().partMaterials);
    const std::vector<std::byte> before = made.world.save();
    for (int i = 0; i < 60; ++i) {
      made.world.step();
      changed.world.step();
    }
    EXPECT_EQ(made.world.observe().hash(), changed.world.observe().hash()) << name;
    // The state brings them along into a world without them.
    TwoFloors plain = makeFloors(shape, false);
    plain.world.restore(before);
    for (int i = 0; i < 60; ++i) plain.world.step();
    EXPECT_EQ(made.world.observe().hash(), plain.world.observe().hash()) << name;
    TwoFloors rough = makeFloors(shape, false);
    for (int i = 0; i < 60; ++i) rough.world.step();
    EXPECT_NE(made.world.observe().hash(), rough.world.observe().hash()) << name;
  }
}

TEST(PartMaterials, WrongNumberOrMaterial_IsRefusedAndChangesNothing) {
  TwoFloors slide = makeFloors(splitFloors()[0].second);
  const BodyHandle floor = slide.world.body(slide.floor);
  const std::vector<MaterialId> before = floor.definition().partMaterials;
  EXPECT_THROW(floor.setPartMaterials({0}), InputError);
  EXPECT_THROW(floor.setPartMaterials({0, 0, 0}), InputError);
  EXPECT_THROW(floor.setPartMaterials({0, 3}), InputError);
  EXPECT_THROW(floor.setPartMaterials({-2, 0}), InputError);
  EXPECT_THROW(slide.world.body(slide.box).setPartMaterials({0}), InputError);
  EXPECT_EQ(floor.definition().partMaterials, before);
  floor.setPartMaterials({});
  EXPECT_TRUE(floor.definition().partMaterials.empty());
}

TEST(PartMaterials, AnotherShape_TakesNoneOver) {
  TwoFloors slide = makeFloors(splitFloors()[0].second);
  slide.world.body(slide.floor).setShape(Box{{10, 1, 0.5}});
  EXPECT_TRUE(slide.world.body(slide.floor).definition().partMaterials.empty());
}

// A modifier sees the material of the part.
TEST(PartMaterials, Modifier_SeesThatOfThePart) {
  TwoFloors slide = makeFloors(splitFloors()[0].second);
  std::vector<Real> seen;
  slide.world.setContactModifier(
      [&](ContactChange& change) { seen.push_back(change.material.friction); });
  slide.world.body(slide.box).setPose({{3, 0, 0.1}, Quat::Identity()});
  slide.world.step();
  ASSERT_FALSE(seen.empty());
  for (const Real friction : seen) EXPECT_EQ(friction, 0);
}

// Feet at ±0.5 m, the mass centre 0.4 m above the floor, α = 22°: pairs with the floor have μ = 0.6
// (rubber) and 0.2 (steel). Friction s m g cos α moves the weight downhill by k s, k = 0.4/0.5, so
// that the lower foot carries (1 + k s)/2 of it and the upper one (1 - k s)/2. At the limit
// s = (0.6 + 0.2)/2 ± k s (0.6 - 0.2)/2: 0.476 with the rubber below, which is above tan α = 0.404,
// and 0.345 with it above.
TEST(PartMaterials, BenchOfTheLibrary_SlidesOnlyWithItsRubberFootAbove) {
  World world = buildWorld(readScene("rubber_foot"), test::registry());
  const Real angle = 22 * M_PI / 180;
  test::simulate(world, 2);
  const Vec3 above = world.body(world.findBody("slope_rubber_above")).linearVelocity();
  const Vec3 downhill(std::cos(angle), 0, -std::sin(angle));
  const Real share = 0.4 / (1 + 0.8 * 0.2);
  const Real speed = 2 * 9.81 * (std::sin(angle) - share * std::cos(angle));
  EXPECT_NEAR(above.dot(downhill) / speed, 1, 1e-2);
  EXPECT_LE(world.body(world.findBody("slope_rubber_below")).linearVelocity().norm(), 1e-6);
}

}  // namespace
}  // namespace drystone
