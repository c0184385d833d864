// `drystone verdict`: what it says, its JSON and its exit codes. The numbers: tests/statics.
#include <gtest/gtest.h>

#include <string>

#include "engine/recording/recording.h"
#include "tests/cli/program.h"

namespace drystone::test {
namespace {

/// A cube of 1 m and 2 kg at x [m] on ground whose edge is at x = 0.
std::string writeCube(const Scratch& scratch, const std::string& x) {
  return scratch.write("cube.json", R"({"version": 1, "name": "cube",
    "materials": {"default": {"friction": 0.5}},
    "world": {"gravity": [0, 0, -10]},
    "bodies": [
      {"name": "ground", "kind": "static", "position": [-9, 0, -1],
       "shape": {"type": "box", "half_extents": [9, 9, 1]}},
      {"name": "cube", "mass": 2, "position": [)" +
                                        x + R"(, 0, 0.5],
       "shape": {"type": "box", "half_extents": [0.5, 0.5, 0.5]}}]})");
}

TEST(Verdict, OfWhatStands_HasTheFactorAndExitsWith0) {
  const Scratch scratch;
  const std::string cube = writeCube(scratch, "-2");
  const ProgramResult result = drystone({"verdict", cube});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  for (const char* text : {"cube.json: stands\n", "Load factor   0.5 of the weights along x\n",
                           "At limit      4 contacts of 4\n", "1 of 2 bodies moves as it gives way",
                           "may be smaller"}) {
    EXPECT_TRUE(result.outContains(text)) << text << " is not in:\n" << result.out;
  }
}

TEST(Verdict, OfShares_SaysWhatBalanceLeavesOpen) {
  const Scratch scratch;
  const std::string cube = writeCube(scratch, "-2");
  const ProgramResult result = drystone({"verdict", cube, "--shares", "cube", "--disturb", "cube"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  // Of a weight of 20 N; the pull at the angle of friction is 20 N sin(atan 0.5).
  for (const char* text :
       {"Shares        normal forces on cube in any balance\n",
        "  ground at (-2.5, -0.5, 0)    0 N  10 N", "  ground, all of them         20 N  20 N",
        "Disturbed     cube bears in every direction\n", "  force       8.9443 N, least along ("}) {
    EXPECT_TRUE(result.outContains(text)) << text << " is not in:\n" << result.out;
  }
  const ProgramResult unknown = drystone({"verdict", cube, "--shares", "ground"});
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_TRUE(unknown.errContains("no dynamic body 'ground'")) << unknown.err;
}

TEST(Verdict, RecordsTheMechanism_WhichReplayRefuses) {
  const Scratch scratch;
  const std::string cube = writeCube(scratch, "-2"), file = scratch.path("gives_way.h5");
  ASSERT_EQ(drystone({"verdict", cube, "--record", file}).exitCode, 0);
  const Recording recording(file);
  WorldSnapshot rest, end;
  recording.frame(0, rest);
  recording.frame(recording.frameCount() - 1, end);
  EXPECT_EQ(recording.steps(recording.stepCount(), 1)[0].report.time, 4);
  // At rest the forces of the contacts bear the weight of 20 N and the load of half of it.
  Vec3 force = Vec3::Zero();
  const Real timestep = 4.0 / static_cast<Real>(recording.stepCount());
  for (const ContactSnapshot& one : rest.contacts) force += one.impulse / timestep;
  EXPECT_LT((force - Vec3(-10, 0, 20)).norm(), 1e-3);
  EXPECT_TRUE(end.contacts.empty());
  // It slides by half of its side, and lifts by mu of that: the friction is associated.
  const Vec3 way = end.bodies[1].pose.position - rest.bodies[1].pose.position;
  EXPECT_NEAR(way.z() / way.x(), 0.5, 1e-3);
  EXPECT_NEAR(way.norm(), 0.5, 0.02);
  const ProgramResult replay = drystone({"replay", file});
  EXPECT_EQ(replay.exitCode, 2);
  EXPECT_TRUE(replay.errContains("shows the mechanism of a verdict")) << replay.err;
}

TEST(Verdict, OfWhatFalls_HasTheMechanismAndExitsWith1) {
  const Scratch scratch;
  const ProgramResult result = drystone({"verdict", writeCube(scratch, "0.1")});
  EXPECT_EQ(result.exitCode, 1) << result.err;
  EXPECT_TRUE(
      result.outContains("cube.json: falls\nMechanism     1 of 2 bodies moves as it gives way"))
      << result.out;
}

TEST(Verdict, SaysWhatTouchesNothingAndWhatCannotBeLoaded) {
  const ProgramResult wall = drystone({"verdict", "wall"});
  EXPECT_EQ(wall.exitCode, 1) << wall.err;
  // The bricks stand 1 to 3 mm apart; the projectile touches nothing.
  EXPECT_TRUE(wall.outContains("mm, and 1 with --reach 0.0032:\n              move them"))
      << wall.out;
  EXPECT_TRUE(wall.outContains("wall: falls: ")) << wall.out;
  EXPECT_TRUE(wall.outContains(" groups (")) << wall.out;
  EXPECT_TRUE(wall.outContains("1 body moves at the start; taken as at rest")) << wall.out;
  EXPECT_TRUE(drystone({"verdict", "arch"}).outContains("Exact         nothing slips"));
  const ProgramResult weightless = drystone({"verdict", "cylinders"});
  EXPECT_EQ(weightless.exitCode, 2);
  EXPECT_TRUE(weightless.errContains("name a force: --load BODY:FX,FY,FZ")) << weightless.err;
}

// The two steps that the verdict on the wall names: a reach that closes its gaps, and its
// projectile left out.
TEST(Verdict, OfTheWallWithoutItsProjectile_HasAFactor) {
  const ProgramResult result =
      drystone({"verdict", "wall", "--reach", "0.0032", "--without", "projectile"});
  EXPECT_EQ(result.exitCode, 0) << result.err;
  EXPECT_TRUE(result.outContains("wall: stands\nLoad factor   0.")) << result.out;
  const ProgramResult unknown = drystone({"verdict", "wall", "--without", "projectil"});
  EXPECT_EQ(unknown.exitCode, 2);
  EXPECT_TRUE(unknown.errContains("\"projectile\"")) << unknown.err;
}

TEST(Verdict, OfWhatStands_SaysNothingOfWhatIsNear) {
  const ProgramResult house = drystone({"verdict", "card_house"});
  EXPECT_EQ(house.exitCode, 0) << house.err;
  EXPECT_FALSE(house.outContains("Apart")) << house.out;
}

TEST(Verdict, AsJson_HasAllContactsAndTheLoadAsGiven) {
  const Scratch scratch;
  // Pulled 2 m above the ground it tips about its lower edge, at F · 2 m = 20 N · 0.5 m, before it
  // slides at 10 N.
  const std::string load = "cube:1,0,0@-2,0,2";
  const ProgramResult result =
      drystone({"verdict", writeCube(scratch, "-2"), "--load", load, "--json"});
  const auto json = result.json();
  EXPECT_EQ(json["verdict"], "stands");
  EXPECT_EQ(json["load"], load);
  EXPECT_NEAR(json["factor"].get<double>(), 5, 1e-3);
  EXPECT_EQ(json["unbounded"], false);
  EXPECT_EQ(json["contacts"].size(), 4U);
  EXPECT_EQ(json["mechanism"][0]["body"], "cube");
  const auto pressed =
      drystone({"verdict", writeCube(scratch, "-2"), "--load", "-z", "--json"}).json();
  EXPECT_TRUE(pressed["factor"].is_null());
  EXPECT_EQ(pressed["unbounded"], true);
}

TEST(Verdict, OfBadLoads_SaysWhatTheyMustBe) {
  const Scratch scratch;
  const std::string cube = writeCube(scratch, "-2");
  for (const char* load : {"w", "cube", "cube:1,2", "cube:1,0,nan", "cube:1,0,0@1", ":1,0,0"}) {
    const ProgramResult result = drystone({"verdict", cube, "--load", load});
    EXPECT_EQ(result.exitCode, 2) << load;
    EXPECT_TRUE(result.errContains("--load: must be x, y, z")) << result.err;
  }
  EXPECT_TRUE(drystone({"verdict", cube, "--load", "cub:1,0,0"}).errContains("\"cube\""));
  EXPECT_EQ(drystone({"verdict", cube, "--load", "cube:0,0,0"}).exitCode, 2);
  EXPECT_EQ(drystone({"verdict", scratch.path("absent.json")}).exitCode, 3);
}

}  // namespace
}  // namespace drystone::test
