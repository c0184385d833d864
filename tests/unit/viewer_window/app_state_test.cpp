// What keys, panels and scripts ask for, and what the simulation makes of it.
#include <cmath>

#include "core/input_error.h"
#include "scenes/scene_library.h"
#include "tests/unit/viewer_window/headless.h"
#include "viewer/window/actions.h"
#include "viewer/window/interface.h"
#include "viewer/window/mouse.h"
#include "viewer/window/script_runner.h"

namespace drystone::viewer::test {
namespace {

constexpr const char* kCrate = R"({"version": 1, "name": "box", "solver": {"name": "gate"},
  "bodies": [
    {"name": "floor", "kind": "static", "shape": {"type": "plane"}},
    {"name": "crate", "shape": {"type": "sphere", "radius": 1}, "position": [0, 0, 1]}],
  "camera": {"position": [0, -8, 1], "target": [0, 0, 1]}})";

/// Where the crate stands in the picture.
const ImVec2 kOnCrate(640, 360);

class State : public testing::Test {
 protected:
  /// The mouse there, with its button and Ctrl held or not.
  void mouse(const ImVec2& at, bool isDown) {
    ImGuiIO& io = ImGui::GetIO();
    io.MousePos = at;
    io.MouseDown[0] = io.KeyCtrl = isDown;
    window_.picture([&] { mouse_.update(*app); });
  }
  bool updateUntil(const std::function<bool()>& holds) { return window_.updateUntil(holds); }
  bool logHas(const std::string& text) const { return window_.logHas(text); }
  /// Does the lines until they are done.
  void runScript(const std::string& text) {
    ScriptRunner script(parseScript(text, "script"));
    Interface interface;
    EXPECT_TRUE(updateUntil([&] {
      window_.picture([&] { script.advance(*app, interface); });
      return !script.active();
    }));
  }

  const TestFile file_{"state.json", kCrate};
  Headless window_{file_.path};
  AppState* app = &window_.app;

 private:
  MouseControl mouse_;
};

TEST_F(State, SceneThatComesWhileABodyIsPulled_IsNotPulledAt) {
  mouse(kOnCrate, false);
  mouse(kOnCrate, true);
  ASSERT_TRUE(app->held.has_value());
  app->reopen();
  ASSERT_TRUE(updateUntil([&] { return !app->opening(); }));
  mouse({640, 100}, true);
  mouse({640, 50}, true);
  EXPECT_FALSE(app->held.has_value());
  app->send(SetSolver{{.name = "nsgs"}});
  app->send(StepBy{40});
  ASSERT_TRUE(updateUntil([&] { return app->frame->snapshot.step == 40; }));
  EXPECT_NEAR(app->frame->snapshot.bodies[1].centerOfMass.z(), 1, 0.01);
  mouse({640, 50}, false);
  mouse({640, 50}, true);
  EXPECT_FALSE(app->held.has_value());
}

TEST_F(State, WhileASceneIsOpened_NoBodyIsPulled) {
  {
    ClosedGate gate;
    app->send(StepBy{1});
    ASSERT_TRUE(waitUntil([] { return Gate::waiting > 0; }));
    app->reopen();
    app->update();
    ASSERT_TRUE(app->opening());
    mouse(kOnCrate, false);
    mouse(kOnCrate, true);
    EXPECT_FALSE(app->held.has_value());
    mouse(kOnCrate, false);
  }
  ASSERT_TRUE(updateUntil([&] { return !app->opening(); }));
  mouse(kOnCrate, false);
  mouse(kOnCrate, true);
  EXPECT_TRUE(app->held.has_value());
}

TEST_F(State, SceneThatDoesNotOpen_LeavesWhatThereIs) {
  const ViewBody* crate = &app->frame->scene->bodies[1];
  app->draw.selected = crate->id;
  app->openScene("no_such_scene");
  EXPECT_TRUE(app->opening());
  ASSERT_TRUE(updateUntil([&] { return !app->opening(); }));
  EXPECT_FALSE(app->newScene);
  EXPECT_TRUE(logHas("no_such_scene"));
  EXPECT_EQ(app->source.path, file_.path);
  app->openScene("bounce");
  ASSERT_TRUE(updateUntil([&] { return app->newScene; }));
  EXPECT_EQ(app->frame->scene->name, "bounce");
  EXPECT_EQ(app->source.path, "bounce");
  app->update();
  EXPECT_FALSE(app->newScene) << "for one picture";
}

TEST_F(State, Reopen_ReadsTheFileAsItIsNow) {
  std::string text = kCrate;
  text.replace(text.find("\"box\""), 5, "\"new\"");
  std::ofstream(file_.path) << text;
  perform(ActionId::kReopen, *app);
  ASSERT_TRUE(updateUntil([&] { return app->newScene; }));
  EXPECT_EQ(app->frame->scene->name, "new");
}

TEST_F(State, SolverAskedForWithinASlowStep_StandsUntilTheSimulationHasIt) {
  {
    ClosedGate gate;
    app->send(StepBy{1});
    ASSERT_TRUE(waitUntil([] { return Gate::waiting > 0; }));
    SolverChoice choice = app->solver;
    choice.budget.tolerance = 1e-3;
    app->setSolver(choice);
    app->update();
    EXPECT_EQ(app->solver.budget.tolerance, 1e-3);
    // What is asked for next starts from there.
    perform(ActionId::kNextSolver, *app);
    app->update();
    EXPECT_TRUE(app->settingSolver());
  }
  const std::string asked = app->solver.name;
  EXPECT_NE(asked, "gate");
  ASSERT_TRUE(updateUntil([&] { return !app->settingSolver(); }));
  EXPECT_EQ(app->status.solver.name, asked);
  EXPECT_EQ(app->status.solver.budget.tolerance, 1e-3);
}

TEST_F(State, SolverThatIsRefused_GivesWayToThePresentOne) {
  app->setSolver(app->choiceOf("no_such_solver"));
  EXPECT_EQ(app->solver.name, "no_such_solver");
  ASSERT_TRUE(updateUntil([&] { return !app->settingSolver(); }));
  EXPECT_EQ(app->solver.name, "gate");
}

TEST_F(State, Speed_GoesOnTwofoldToAsFastAsItGoes) {
  const auto press = [&](ActionId key, double speed) {
    perform(key, *app);
    EXPECT_TRUE(updateUntil([&] { return app->status.speed == speed; })) << speed;
  };
  for (double speed = 2; speed <= 64; speed *= 2) press(ActionId::kFaster, speed);
  press(ActionId::kFaster, INFINITY);
  press(ActionId::kFaster, INFINITY);
  press(ActionId::kSlower, 64);
  press(ActionId::kSlower, 32);
}

TEST_F(State, KeysPressedAgainBeforeTheSimulationAnswers_GoOnFromTheOneBefore) {
  {
    ClosedGate gate;
    app->send(StepBy{1});
    ASSERT_TRUE(waitUntil([] { return Gate::waiting > 0; }));
    for (const ActionId key : {ActionId::kFaster, ActionId::kFaster, ActionId::kFaster,
                               ActionId::kNextScene, ActionId::kNextScene}) {
      perform(key, *app);
      app->update();
    }
    EXPECT_EQ(app->speed(), 8);
    EXPECT_EQ(app->status.speed, 1);
  }
  ASSERT_TRUE(updateUntil([&] { return !app->opening(); }));
  EXPECT_EQ(app->status.speed, 8);
  EXPECT_EQ(app->frame->scene->name, libraryScenes()[1].name);
}

TEST_F(State, ChangeWhileAnotherSceneIsOpened_IsOfThatScene) {
  {
    ClosedGate gate;
    app->send(StepBy{1});
    ASSERT_TRUE(waitUntil([] { return Gate::waiting > 0; }));
    app->change({"world.gravity", "[0, 0, -1]"});
    EXPECT_FALSE(app->openingAnother());
    app->openScene("bounce");
    EXPECT_TRUE(app->openingAnother());
    app->change({"world.timestep", "0.004"});
  }
  ASSERT_TRUE(updateUntil([&] { return !app->opening(); }));
  EXPECT_FALSE(app->openingAnother());
  EXPECT_EQ(app->frame->scene->name, "bounce");
  EXPECT_EQ(app->frame->scene->timestep, 0.004);
  EXPECT_EQ(app->frame->scene->gravity.z(), -9.81) << "that change was of the other scene";
}

TEST_F(State, ReopenBeforeAChangeIsAnswered_KeepsTheChange) {
  {
    ClosedGate gate;
    app->send(StepBy{1});
    ASSERT_TRUE(waitUntil([] { return Gate::waiting > 0; }));
    app->change({"world.timestep", "0.004"});
    app->reopen();
  }
  ASSERT_TRUE(updateUntil([&] { return !app->opening(); }));
  EXPECT_EQ(app->frame->scene->timestep, 0.004);
}

TEST_F(State, HeldStepKey_IsSentAsSuch) {
  {
    ClosedGate gate;
    perform(ActionId::kStep, *app);
    ASSERT_TRUE(waitUntil([] { return Gate::waiting > 0; }));
    for (int i = 0; i < 100; ++i) perform(ActionId::kStep, *app, true);
  }
  app->setSolver(app->choiceOf("nsgs"));
  ASSERT_TRUE(updateUntil([&] { return !app->settingSolver(); }));
  EXPECT_EQ(app->frame->snapshot.step, 2) << "the one under way and one more";
}

TEST_F(State, FollowWithoutASelection_SaysWhatIsMissing) {
  perform(ActionId::kFollow, *app);
  EXPECT_FALSE(app->follow);
  EXPECT_TRUE(logHas("select a body"));
  app->draw.selected = app->frame->scene->bodies[1].id;
  perform(ActionId::kFollow, *app);
  EXPECT_TRUE(app->follow);
}

TEST_F(State, SolverKeys_SayWhyNothingHappens) {
  app->status.recording = true;
  perform(ActionId::kNextSolver, *app);
  EXPECT_TRUE(logHas("a recording is played: its solver cannot be switched"));
  EXPECT_FALSE(app->settingSolver());
}

TEST_F(State, ScriptWhoseSceneIsMissing_Fails) {
  runScript("scene bounce\nscene stack_10\n");
  EXPECT_EQ(app->frame->scene->name, "stack_10");
  EXPECT_THROW(runScript("scene no_such_scene\n"), InputError);
  EXPECT_EQ(app->frame->scene->name, "stack_10");
}

TEST_F(State, ChangedValue_BeginsTheSceneAgainWithTheSolverAndTheCameraAsTheyAre) {
  runScript("solver nsgs\nkey Right\nstep 1\n");
  runScript("set world.timestep=0.004\nset world.gravity=[0, 0, -1]\n");
  EXPECT_FALSE(app->newScene) << "the camera stays";
  EXPECT_EQ(app->frame->snapshot.step, 0);
  EXPECT_EQ(app->frame->scene->timestep, 0.004) << "the change before stays";
  EXPECT_EQ(app->frame->scene->gravity, Vec3(0, 0, -1));
  EXPECT_EQ(app->status.solver.name, "nsgs");
  EXPECT_TRUE(logHas("restarted with world.timestep=0.004, world.gravity=[0, 0, -1]"));
  perform(ActionId::kReopen, *app);
  ASSERT_TRUE(updateUntil([&] { return app->newScene; }));
  EXPECT_EQ(app->frame->scene->timestep, 0.004) << "read anew with the changes";
  EXPECT_EQ(app->status.solver.name, "gate") << "and with its own solver";
  app->unchange();
  ASSERT_TRUE(updateUntil([&] { return !app->opening(); }));
  EXPECT_EQ(app->frame->scene->gravity, Vec3(0, 0, -9.81));
}

TEST_F(State, ScriptWhoseValueCannotBe_FailsAndChangesNothing) {
  runScript("set world.timestep=0.004\n");
  for (const char* line : {"set world.timestep=-1\n", "set world.timestap=1\n",
                           "set relaxation=1\n", "set world.timestep\n", "set =1\n"}) {
    EXPECT_THROW(runScript(line), InputError) << line;
  }
  EXPECT_EQ(app->frame->scene->timestep, 0.004);
  runScript("set world.gravity=[0, 0, -2]\n");
  EXPECT_EQ(app->source.changes.size(), 2u) << "what was refused is none of them";
}

TEST_F(State, ScriptWhoseRaceCannotBe_Fails) {
  // The race before this one must not be taken for it.
  runScript("solver nsgs\nkey Right\nstep 1\nrace nsgs\n");
  ASSERT_NE(app->race, nullptr);
  EXPECT_THROW(runScript("scene bounce\nrace nsgs\n"), InputError);
  EXPECT_THROW(runScript("scene rope_bridge\nsolver lemke\n"), InputError);
}

}  // namespace
}  // namespace drystone::viewer::test
