// `drystone inverse` against closed forms, of scenes and of recordings.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/cli/program.h"

namespace drystone::test {
namespace {

/// What the interior point leaves.
constexpr double kLeftForce = 1e-5;

/// A cart of 3 kg on a rail along x, whose motor is told to go `target` [m/s], with a box of 2 kg
/// on it. Friction is 0.4, g is 10 m/s².
std::string writeCart(const Scratch& scratch, const std::string& target = "0",
                      const std::string& cap = "1000") {
  return scratch.write("cart.json", R"({"version": 1, "name": "cart",
    "materials": {"default": {"friction": 0.4}},
    "world": {"gravity": [0, 0, -10], "timestep": 0.01, "duration": 0.2},
    "bodies": [
      {"name": "rail", "kind": "static"},
      {"name": "cart", "mass": 3, "shape": {"type": "box", "half_extents": [1, 0.5, 0.1]}},
      {"name": "box", "mass": 2, "position": [0, 0, 0.3],
       "shape": {"type": "box", "half_extents": [0.2, 0.2, 0.2]}}],
    "joints": [{"type": "slider", "name": "slide", "body_a": "rail", "body_b": "cart",
      "anchor": [0, 0, 0], "axis": [1, 0, 0],
      "motor": {"velocity": )" + target +
                                        R"(, "max_force": )" + cap + "}}]}");
}

/// A bob of 2 kg, 1.5 m from a hinge about y with a motor, 0.5 rad off its rest.
std::string writePendulum(const Scratch& scratch) {
  return scratch.write("pendulum.json", R"({"version": 1, "name": "pendulum",
    "world": {"gravity": [0, 0, -10]},
    "bodies": [
      {"name": "post", "kind": "static"},
      {"name": "bob", "mass": 2, "position": [0.7191383079063045, 0, -1.3163738428355591],
       "shape": {"type": "sphere", "radius": 0.1}}],
    "joints": [{"type": "hinge", "name": "hinge", "body_a": "post", "body_b": "bob",
      "anchor": [0, 0, 0], "axis": [0, -1, 0], "motor": {"velocity": 0, "max_force": 100}}]})");
}

double motorOf(const nlohmann::ordered_json& json, const std::string& joint) {
  for (const auto& motor : json["motors"]) {
    if (motor["joint"] == joint) return motor["force"].get<double>();
  }
  ADD_FAILURE() << "no motor " << joint << " in " << json.dump(2);
  return NAN;
}

TEST(Inverse, HeldPendulum_NeedsItsWeightTimesItsArm) {
  const Scratch scratch;
  const std::string pendulum = writePendulum(scratch);
  const double weight = 2 * 10 * 1.5 * std::sin(0.5);  // m g l sin θ
  const ProgramResult held = drystone({"inverse", pendulum});
  EXPECT_EQ(held.exitCode, 0) << held.err;
  EXPECT_TRUE(held.outContains("pendulum.json: possible\n")) << held.out;
  EXPECT_TRUE(held.outContains("hinge  14.383 N m  100 N m")) << held.out;
  const double inertia = 2 * 1.5 * 1.5 + 0.4 * 2 * 0.1 * 0.1;
  const auto pushed = drystone({"inverse", pendulum, "--joint", "hinge=3", "--json"}).json();
  EXPECT_EQ(pushed["verdict"], "possible");
  EXPECT_NEAR(motorOf(pushed, "hinge"), weight + 3 * inertia, kLeftForce);
  // It falls by itself without a force: α = −m g l sin θ / I.
  const std::string falling = "hinge=" + std::to_string(-weight / inertia);
  EXPECT_NEAR(
      motorOf(drystone({"inverse", pendulum, "--joint", falling, "--json"}).json(), "hinge"), 0,
      1e-4);
}

TEST(Inverse, BoxOnACart_IsCarriedUpToItsFriction) {
  const Scratch scratch;
  const std::string cart = writeCart(scratch);
  const auto ask = [&](const std::string& a) {
    return drystone({"inverse", cart, "--joint", "slide=" + a, "--acceleration",
                     "box=" + a + ",0,0", "--json"});
  };
  const ProgramResult carried = ask("3.5");
  EXPECT_EQ(carried.exitCode, 0) << carried.err;
  const auto forces = carried.json();
  EXPECT_NEAR(motorOf(forces, "slide"), (3 + 2) * 3.5, kLeftForce);
  double normal = 0;
  for (const auto& contact : forces["contacts"]) normal += contact["normal_N"].get<double>();
  EXPECT_NEAR(normal, 20, 1e-4);
  // Above μ g = 4 the least that lacks is square to the cone.
  const ProgramResult left = ask("5");
  EXPECT_EQ(left.exitCode, 1) << left.err;
  EXPECT_EQ(left.json()["verdict"], "not_possible");
  EXPECT_EQ(left.json()["lacks"][0]["body"], "box");
  EXPECT_NEAR(left.json()["violation_m_s2"].get<double>(), (5 - 4) / std::hypot(1, 0.4), 1e-4);
}

TEST(Inverse, MotorAtItsCap_LacksTheRest) {
  const Scratch scratch;
  const ProgramResult weak = drystone({"inverse", writeCart(scratch, "0", "4"), "--joint",
                                       "slide=2", "--acceleration", "box=2,0,0"});
  EXPECT_EQ(weak.exitCode, 1) << weak.err;
  EXPECT_TRUE(weak.outContains(": not possible, by ")) << weak.out;
  EXPECT_TRUE(weak.outContains("Lacking       for ")) << weak.out;
  EXPECT_TRUE(weak.outContains("  slide    4 N  4 N\n")) << weak.out;
}

TEST(Inverse, OfTheCartPole_HasTheForcesOfItsEquations) {
  const double lean = M_PI / 9, a = 2, pole = 0.1, arm = 0.5;
  const auto json = drystone({"inverse", "cart_pole", "--set", "scene.lean=20", "--actuate",
                              "--joint", "slide=2", "--joint", "hinge=0", "--json"})
                        .json();
  EXPECT_NEAR(motorOf(json, "slide"), (1 + pole) * a, kLeftForce);
  EXPECT_NEAR(motorOf(json, "hinge"), pole * arm * (a * std::cos(lean) - 9.81 * std::sin(lean)),
              kLeftForce);
  // Without motors nothing holds the pole.
  EXPECT_EQ(drystone({"inverse", "cart_pole"}).exitCode, 1);
}

TEST(Inverse, OfARecording_FindsTheForceThatTheMotorHad) {
  const Scratch scratch;
  // The target grows by 3 m/s a second.
  const std::string cart = writeCart(scratch, "[[0, 0], [1, 3]]"), file = scratch.path("cart.h5");
  const std::string table = scratch.path("forces.csv");
  ASSERT_EQ(drystone({"run", cart, "--record", file, "--quiet"}).exitCode, 0);
  const ProgramResult result = drystone({"inverse", file, "--csv", table});
  EXPECT_EQ(result.exitCode, 0) << result.err << result.out;
  EXPECT_TRUE(result.outContains("cart.h5: 20 of 20 steps are possible\n")) << result.out;
  const std::vector<std::string> lines = splitLines(readText(table));
  ASSERT_EQ(lines.size(), 21u);
  const std::vector<std::string> titles = splitFields(lines[0]);
  ASSERT_EQ(titles.back(), "slide_N");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> row = splitFields(lines[i]);
    EXPECT_NEAR(std::stod(row[1]), 0.01 * static_cast<double>(i), 1e-9);
    EXPECT_NEAR(std::stod(row.back()), (3 + 2) * 3, 1e-3) << lines[i];
  }
}

TEST(Inverse, OfARecordedFall_NamesTheStepOfTheImpact) {
  const Scratch scratch;
  const std::string drop = scratch.write("drop.json", R"({"version": 1, "name": "drop",
    "materials": {"default": {"restitution": 0.5}},
    "world": {"gravity": [0, 0, -10], "timestep": 0.01, "duration": 0.2},
    "bodies": [
      {"name": "ground", "kind": "static", "shape": {"type": "plane"}},
      {"name": "ball", "mass": 2, "position": [0, 0, 0.55],
       "shape": {"type": "sphere", "radius": 0.5}}]})");
  const std::string file = scratch.path("drop.h5");
  ASSERT_EQ(drystone({"run", drop, "--record", file, "--quiet"}).exitCode, 0);
  const ProgramResult result = drystone({"inverse", file, "--json"});
  EXPECT_EQ(result.exitCode, 1);
  // It falls 0.05 m in 0.1 s. In the step of its touch it keeps its speed, which leads into the
  // ground. Then it bounces off: 1.5 times 1 m/s are no force of a contact that parts.
  const auto json = result.json();
  EXPECT_EQ(json["possible"], 18);
  double largest = 0;
  std::vector<std::string> where;
  for (const auto& step : json["steps"]) {
    if (step["possible"] == true) continue;
    where.push_back(step["where"]);
    EXPECT_NEAR(step["time_s"].get<double>(), 0.105, 0.006);
    largest = std::max(largest, step["violation_m_s2"].get<double>());
  }
  EXPECT_EQ(where, (std::vector<std::string>{"ground, ball", "ball"}));
  EXPECT_NEAR(largest, 1.5 / 0.01, 5);
}

// A force that grows moves a body; a hinge breaks at once. Each step has the force of its time, and
// no joint that broke.
TEST(Inverse, OfARecording_KnowsItsTimesAndWhatBroke) {
  const Scratch scratch;
  const std::string scene = scratch.write("breaks.json", R"({"version": 1, "name": "breaks",
    "world": {"timestep": 0.01, "duration": 0.1},
    "bodies": [
      {"name": "post", "kind": "static"},
      {"name": "pushed", "mass": 2, "position": [9, 0, 0], "gravity_scale": 0,
       "shape": {"type": "sphere", "radius": 0.1},
       "forces": [{"time": 0, "force": [0, 0, 0]}, {"time": 0.1, "force": [10, 0, 0]}]},
      {"name": "bob", "mass": 2, "position": [1, 0, 0], "shape": {"type": "sphere", "radius": 0.1}}],
    "joints": [{"type": "hinge", "name": "hinge", "body_a": "post", "body_b": "bob",
      "anchor": [0, 0, 0], "axis": [0, 1, 0], "breaking_impulse": 0.01,
      "motor": {"velocity": 0, "max_force": 100}}]})");
  const std::string file = scratch.path("breaks.h5");
  ASSERT_EQ(drystone({"run", scene, "--record", file, "--quiet"}).exitCode, 0);
  const ProgramResult result = drystone({"inverse", file, "--json"});
  EXPECT_EQ(result.exitCode, 0) << result.out;
  const auto steps = result.json()["steps"];
  ASSERT_EQ(steps.size(), 10u);
  EXPECT_NEAR(std::abs(steps[0]["motors"]["hinge"].get<double>()), 2 * 9.81, 1e-3);
  for (std::size_t i = 1; i < steps.size(); ++i) EXPECT_TRUE(steps[i]["motors"]["hinge"].is_null());
}

TEST(Inverse, OfStepsThatAreOtherwise_Warns) {
  const Scratch scratch;
  const std::string file = scratch.path("cart.h5"), cart = writeCart(scratch);
  ASSERT_EQ(drystone({"run", cart, "--record", file, "--quiet", "--set",
                      "world.geometric_stiffness=true"})
                .exitCode,
            0);
  EXPECT_TRUE(drystone({"inverse", file, "--every", "9"}).errContains("its steps add inertia"));
  for (const std::string model : {"pyramid", "cone"}) {
    const ProgramResult asked = drystone({"inverse", cart, "--set", "world.friction=" + model});
    EXPECT_EQ(asked.errContains("box, pyramid or diamond"), model == "pyramid") << asked.err;
  }
}

/// Records a scene, and asks how many of its steps are possible.
void expectAllPossible(const Scratch& scratch, const std::string& scene,
                       const std::vector<std::string>& sets, const std::string& every = "1") {
  const std::string file = scratch.path("run.h5");
  std::vector<std::string> run = {"run", scene, "--record", file, "--quiet"};
  for (const std::string& set : sets) run.insert(run.end(), {"--set", set});
  ASSERT_EQ(drystone(run).exitCode, 0);
  const ProgramResult result = drystone({"inverse", file, "--every", every});
  EXPECT_EQ(result.exitCode, 0) << result.out << result.err;
}

// A lift gains speed, with a box on it and a weight that hangs on a spring below it.
TEST(Inverse, OfARecordedLift_IsPossibleWithEachIntegrator) {
  const Scratch scratch;
  const std::string lift = scratch.write("lift.json", R"({"version": 1, "name": "lift",
    "world": {"timestep": 0.01, "duration": 0.3},
    "bodies": [
      {"name": "lift", "kind": "kinematic", "shape": {"type": "box", "half_extents": [1, 1, 0.1]},
       "motion": [{"time": 0, "velocity": [0, 0, 0]}, {"time": 1, "velocity": [0.3, 0, 1]}]},
      {"name": "box", "mass": 2, "position": [0, 0, 0.3],
       "shape": {"type": "box", "half_extents": [0.2, 0.2, 0.2]}},
      {"name": "weight", "mass": 2, "position": [0, 0, -1],
       "shape": {"type": "box", "half_extents": [0.2, 0.2, 0.2]}}],
    "joints": [{"type": "slider", "name": "slide", "body_a": "lift", "body_b": "weight",
      "anchor": [0, 0, 0], "axis": [0, 0, 1],
      "spring": {"stiffness": 300, "damping": 2, "rest": 0}}]})");
  expectAllPossible(scratch, lift, {"world.integrator=moreau"});
  expectAllPossible(scratch, lift, {});
}

// It turns on an edge whose points have a gap while it tips, and lands flat.
TEST(Inverse, OfARodThatTips_IsPossible) {
  const Scratch scratch;
  const std::string rod = scratch.write("rod.json", R"({"version": 1, "name": "rod",
    "materials": {"default": {"friction": 0.8}},
    "world": {"timestep": 0.016666666666666666, "duration": 0.4},
    "bodies": [
      {"name": "ground", "kind": "static", "shape": {"type": "plane"}},
      {"name": "rod", "mass": 2, "position": [0, 0, 0.5], "velocity": [1.5, 0, 0.15],
       "angular_velocity": [0, 3, 0],
       "shape": {"type": "box", "half_extents": [0.05, 0.05, 0.5]}}]})");
  expectAllPossible(scratch, rod, {});
}

// A wheel turns by a radian in five steps, and its spring counts all turns.
TEST(Inverse, OfSkippedSteps_KeepsWholeTurns) {
  const Scratch scratch;
  const std::string wheel = scratch.write("wheel.json", R"({"version": 1, "name": "wheel",
    "world": {"gravity": [0, 0, 0], "timestep": 0.01, "duration": 1},
    "bodies": [
      {"name": "post", "kind": "static"},
      {"name": "wheel", "mass": 2, "angular_velocity": [0, 0, 20],
       "shape": {"type": "sphere", "radius": 0.5}}],
    "joints": [{"type": "hinge", "name": "hinge", "body_a": "post", "body_b": "wheel",
      "anchor": [0, 0, 0], "axis": [0, 0, 1], "spring": {"stiffness": 0.1, "damping": 0}}]})");
  expectAllPossible(scratch, wheel, {}, "45");
}

TEST(Inverse, OfBadInput_SaysWhatIsMeant) {
  const Scratch scratch;
  const std::string cart = writeCart(scratch);
  const auto refused = [](const std::vector<std::string>& words, int code, const char* text) {
    const ProgramResult result = drystone(words);
    EXPECT_EQ(result.exitCode, code) << result.err;
    EXPECT_TRUE(result.errContains(text)) << result.err;
  };
  refused({"inverse", cart, "--acceleration", "bxo=1,0,0"}, 2, "did you mean \"box\"?");
  refused({"inverse", cart, "--spin", "rail=1,0,0"}, 2, "no dynamic body 'rail'");
  refused({"inverse", cart, "--spin", "box=1,0"}, 2, "--spin: must be BODY=X,Y,Z");
  refused({"inverse", cart, "--joint", "slid=1"}, 2, "did you mean \"slide\"?");
  refused({"inverse", cart, "--joint", "slide=fast"}, 2, "--joint: must be JOINT=A");
  refused({"inverse", cart, "--acceleration", "box=1,0,0", "--acceleration", "box=2,0,0"}, 2,
          "'box' is named twice");
  refused({"inverse", cart, "--every", "2"}, 2, "--every: is of a recorded motion");
  refused({"inverse", scratch.path("absent.json")}, 3, "absent.json");
  const std::string file = scratch.path("cart.h5");
  ASSERT_EQ(
      drystone({"run", cart, "--record", file, "--quiet", "--set", "output.every=4"}).exitCode, 0);
  refused({"inverse", file}, 3, "record it again with `--set output.every=1`");
  refused({"inverse", file, "--joint", "slide=1"}, 2, "--joint: is of a scene");
}

}  // namespace
}  // namespace drystone::test
