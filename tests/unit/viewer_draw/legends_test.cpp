#include "viewer/draw/annotations.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "tests/unit/viewer_draw/drawn_worlds.h"
#include "viewer/draw/palette.h"

namespace drystone::viewer {
namespace {

/// A unit box at rest on the ground, its four contacts in the frame.
ViewFrame restingBox() {
  World world = makeWorld();
  test::addGround(world);
  test::addUnitBox(world, {0, 0, 0.5});
  world.step();
  return frameOf(world);
}

DrawOptions withLegends() {
  DrawOptions options = only();
  options.legends = true;
  return options;
}

TEST(Legends, OfResiduals_AreTheMapWithItsDecades) {
  ViewFrame frame = restingBox();
  frame.contactResidual.assign(4, 1e-5);
  DrawOptions options = withLegends();
  options.contactPoints = true;
  const DrawList list = draw(frame, options);
  ASSERT_EQ(list.legends.size(), 1u);
  const Legend& legend = list.legends[0];
  EXPECT_EQ(legend.title, "contact residual [m/s]");
  EXPECT_TRUE(legend.entries.empty()) << "all are known";
  EXPECT_TRUE(legend.bar.front() == mapColor(ColorMap::kViridis, 0));
  EXPECT_TRUE(legend.bar.back() == mapColor(ColorMap::kViridis, 1));
  // Seven decades from 1e-9 to 1e-2: every second one has its mark.
  ASSERT_EQ(legend.marks.size(), 4u);
  EXPECT_EQ(legend.marks[0].text, "1e-9");
  EXPECT_EQ(legend.marks[0].at, 0);
  EXPECT_EQ(legend.marks[3].text, "0.001");
  EXPECT_NEAR(legend.marks[3].at, 6.0 / 7, 1e-6);
}

TEST(Legends, OfWhatIsNotMeasured_SaySo) {
  DrawOptions options = withLegends();
  options.contactPoints = true;
  for (const ContactColoring coloring : {ContactColoring::kResidual, ContactColoring::kGraph}) {
    options.contacts = coloring;
    const DrawList list = draw(restingBox(), options);
    ASSERT_EQ(list.legends.size(), 1u);
    ASSERT_EQ(list.legends[0].entries.size(), 1u);
    EXPECT_EQ(list.legends[0].entries[0].text, "not known");
    EXPECT_TRUE(isColor(list.batches.back().instances[0], list.legends[0].entries[0].color));
  }
}

TEST(Legends, OfTheGraph_HaveTheColorsThatAreDrawn) {
  ViewFrame frame = restingBox();
  frame.contactColor = {0, 1, 2, 8};
  DrawOptions options = withLegends();
  options.contactPoints = true;
  options.contacts = ContactColoring::kGraph;
  const DrawList list = draw(frame, options);
  const Legend& legend = list.legends.at(0);
  ASSERT_EQ(legend.entries.size(), kMarkColors.size());
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(isColor(list.batches.back().instances[static_cast<std::size_t>(i)],
                        legend.entries[static_cast<std::size_t>(i)].color));
  }
  EXPECT_EQ(legend.entries[1].text, "1, 8") << "two that look alike share a line";
  EXPECT_EQ(legend.entries[2].text, "2");
}

TEST(Legends, OfArrows_TellTheImpulseOfALength) {
  const ViewFrame frame = restingBox();
  DrawOptions options = withLegends();
  options.impulses = true;
  options.contacts = ContactColoring::kState;
  options.forceScale = 3;
  const DrawList list = draw(frame, options);
  ASSERT_EQ(list.legends.size(), 2u) << "the states of the contacts, and the arrows";
  double metres = 0, impulse = 0;
  ASSERT_EQ(
      std::sscanf(list.legends[1].title.c_str(), "push up: %lf m = %lf N s", &metres, &impulse), 2)
      << list.legends[1].title;
  EXPECT_FLOAT_EQ(static_cast<float>(metres), frame.scene->layout.ground.spacing);
  // The apex of the arrow's head, at z = 1/2 of its mesh.
  const float* m = list.batches.back().instances[0].transform;
  const ContactSnapshot& contact = frame.snapshot.contacts[0];
  const Vec3 tip =
      Vec3(m[3] + 0.5 * m[2], m[7] + 0.5 * m[6], m[11] + 0.5 * m[10]) - contact.position;
  EXPECT_NEAR(tip.norm() / contact.impulse.norm() * impulse / metres, 1, 0.06) << "to two digits";
  ViewFrame weightless = frame;
  auto scene = std::make_shared<SceneView>(*frame.scene);
  scene->gravity.setZero();
  weightless.scene = scene;
  EXPECT_EQ(draw(weightless, options).legends[1].title.find("push: "), 0u);
}

// Cones have one color; the arrows that come with them that of the state, unless they are asked for
// in another.
TEST(Legends, OfCones_AreThoseOfTheArrowsInThem) {
  DrawOptions options = withLegends();
  options.cones = true;
  const auto titles = [&] {
    std::vector<std::string> all;
    for (const Legend& legend : draw(restingBox(), options).legends) {
      all.push_back(legend.title.substr(0, legend.title.find(":")));
    }
    return all;
  };
  using Titles = std::vector<std::string>;
  for (const auto& [coloring, title] :
       {std::pair{ContactColoring::kResidual, "contact residual [m/s]"},
        {ContactColoring::kGraph, "color in the graph"}}) {
    options.contacts = coloring;
    options.impulses = false;
    EXPECT_EQ(titles(), (Titles{"contacts", "push up"}));
    options.impulses = true;
    EXPECT_EQ(titles(), (Titles{title, "push up"})) << "one meaning of colors";
  }
  options.contacts = ContactColoring::kState;
  EXPECT_EQ(titles(), (Titles{"contacts", "push up"})) << "once for all";
}

TEST(Legends, OfSpeeds_AreThoseOfTheBodiesColors) {
  DrawOptions options = withLegends();
  options.bodies = BodyColoring::kSpeed;
  const DrawList list = draw(restingBox(), options);
  ASSERT_EQ(list.legends.size(), 1u);
  EXPECT_EQ(list.legends[0].title, "speed [m/s]");
  EXPECT_TRUE(list.legends[0].bar.front() == mapColor(ColorMap::kCividis, 0));
}

TEST(Legends, ThatNobodyAskedFor_AreNotThere) {
  DrawOptions options = withLegends();
  EXPECT_TRUE(draw(restingBox(), options).legends.empty()) << "nothing that needs one is shown";
  options.legends = false;
  options.contactPoints = options.impulses = true;
  EXPECT_TRUE(draw(restingBox(), options).legends.empty());
}

TEST(Axes, OfAPictureWithAGrid_TellItsScale) {
  const ViewFrame frame = restingBox();
  DrawOptions options;
  EXPECT_FALSE(draw(frame, options).axes);
  options.axes = true;
  const DrawList list = draw(frame, options);
  EXPECT_TRUE(list.axes);
  double thin = 0, thick = 0;
  ASSERT_EQ(std::sscanf(list.axesNote.c_str(), "grid %lf m / %lf m", &thin, &thick), 2)
      << list.axesNote;
  EXPECT_FLOAT_EQ(static_cast<float>(thin), list.ground.spacing);
  EXPECT_FLOAT_EQ(static_cast<float>(thick), 10 * list.ground.spacing);
  options.ground = false;
  EXPECT_EQ(draw(frame, options).axesNote, "");
}

}  // namespace
}  // namespace drystone::viewer
