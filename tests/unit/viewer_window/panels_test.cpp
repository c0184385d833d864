// What the panels say, without a window.
#include <fmt/format.h>

#include "tests/unit/viewer_window/panels.h"
#include "viewer/window/panels/windows.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer::test {
namespace {

TEST(Panels, OfAWorldAtItsStart_CountItsBodies) {
  Panels panels = ofWorld(0);
  const std::string counters = panels.text(countersSection());
  EXPECT_EQ(valueOf(counters, "bodies"), "5") << counters;
  for (const char* name :
       {"natural map", "joint error", "overlap error", "solves", "iterations", "islands", "rows"}) {
    EXPECT_EQ(valueOf(counters, name), kNotKnown) << name << "\n" << counters;
  }
  const std::string convergence = panels.text(convergenceSection());
  EXPECT_NE(convergence.find("No step was done yet"), std::string::npos) << convergence;
  EXPECT_EQ(panels.text(energySection()).find("ledger error |"), std::string::npos);
  EXPECT_EQ(valueOf(panels.text(profilerSection()), "whole step"), kNotKnown);
}

// Also of steps that came and went between two pictures.
TEST(Panels, Plots_HaveEveryStepFromTheFirst) {
  Panels panels = ofWorld(30);
  const StepHistory& history = panels.app().history;
  ASSERT_EQ(history.size(), 30U);
  for (std::size_t i = 0; i < history.size(); ++i) {
    EXPECT_EQ(history[i].step, static_cast<std::int64_t>(i) + 1);
    EXPECT_GT(history[i].energy.potential, 0);
  }
}

// A step gone to has the figures of those before it, wherever one was in between.
TEST(Panels, StepGoneTo_IsPlottedWithAllStepsBefore) {
  Panels panels = ofWorld(30);
  AppState& app = panels.app();
  for (const std::int64_t step : {0, 30, 7, 25}) {
    app.send(GoToStep{step});
    const auto wanted = static_cast<std::size_t>(step);
    ASSERT_TRUE(waitUntil([&] { return app.update(), app.history.size() == wanted; }))
        << app.history.size() << " of " << step;
    for (std::size_t i = 0; i < wanted; ++i) {
      EXPECT_EQ(app.history[i].step, static_cast<std::int64_t>(i) + 1);
    }
  }
}

TEST(Panels, ScenesSteppedBackAndOpenedAnew_ForgetWhatIsGone) {
  Panels panels = ofWorld(30);
  AppState& app = panels.app();
  const auto has = [&](std::size_t size, std::int64_t newest) {
    return waitUntil([&] {
      app.update();
      return app.history.size() == size && (size == 0 || app.history.newest().step == newest);
    });
  };
  app.send(StepBy{-10});
  EXPECT_TRUE(has(20, 20));
  app.send(StepBy{1});
  EXPECT_TRUE(has(21, 21));
  app.send(Restart{});
  EXPECT_TRUE(has(0, 0));
  app.send(StepBy{3});
  EXPECT_TRUE(has(3, 3));
  app.openScene("bounce");
  ASSERT_TRUE(waitUntil([&] { return app.update(), app.newScene; }));
  EXPECT_TRUE(has(0, 0));
}

/// A click with the section on the screen.
void click(Headless& window, const Section& section, const ImVec2& at, int button) {
  ImGuiIO& io = ImGui::GetIO();
  io.MousePos = at;
  for (const bool isDown : {false, true, false, false}) {
    io.MouseDown[button] = isDown;
    window.textOf(section);
  }
}

// As the settings below it.
TEST(Panels, RightClickOnTheJudgedTolerance_GoesBackToTheDefault) {
  const TestFile heap("tolerance.json", heapText());
  Headless window(heap.path);
  AppState& app = window.app;
  SolverChoice loose = app.solver;
  loose.budget.tolerance = 1e-3;
  app.setSolver(loose);
  const Section section = solverSection();
  ImGui::GetIO().DisplaySize = {1200, 1000};
  // It is somewhere in the right column; its default stands below the field for an exact value.
  for (float y = 30; y < 400 && app.solver.budget.tolerance == 1e-3; y += 4) {
    click(window, section, {560, y}, 1);
    if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) continue;
    click(window, section, {580, y + 38}, 0);
  }
  EXPECT_EQ(app.solver.budget.tolerance, Budget{}.tolerance);
  EXPECT_EQ(app.solver.settings.size(), loose.settings.size()) << "nothing else is changed";
}

TEST(Panels, ParameterSetBackBeforeItsChangeIsAnswered_IsSetBack) {
  std::string text = kStacks;
  text.insert(text.find("\"bodies\""), R"("solver": {"name": "gate"}, )");
  const TestFile file("set_back.json", text);
  Headless window(file.path);
  AppState& app = window.app;
  ClosedGate gate;
  app.send(StepBy{1});
  ASSERT_TRUE(waitUntil([] { return Gate::waiting > 0; }));
  const auto timestep = [&] {
    for (const ParameterOverride& one : app.lastAsked().changes) {
      if (one.path == "world.timestep") return one.value;
    }
    return std::string();
  };
  app.change({"world.timestep", "0.004"});
  const Section section = parametersSection();
  ImGui::GetIO().DisplaySize = {1200, 1000};
  // The default, which the scene that is shown still has, stands below the field.
  for (float y = 30; y < 400 && timestep() == "0.004"; y += 4) {
    click(window, section, {560, y}, 1);
    if (!ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) continue;
    click(window, section, {580, y + 38}, 0);
  }
  EXPECT_EQ(timestep(), fmt::format("{}", app.frame->scene->timestep));
}

TEST(Panels, InspectorOfABody_NamesUnitsAndHasMicrometres) {
  Panels panels = ofWorld(5);
  panels.select("d");
  BodySnapshot& body = panels.frame().snapshot.bodies.back();
  body.pose.position = Vec3(0.500003, 1, -2);
  const std::string text = panels.text(inspectorSection());
  EXPECT_EQ(valueOf(text, "position [m]"), "0.500003 1.000000 -2.000000") << text;
  EXPECT_EQ(valueOf(text, "awake"), "sleeping is off") << text;
  for (const char* part : {"turned w x y z", "velocity [m/s]", "[N s]", "residual"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(Panels, OfAWorld_TellItsIslands) {
  Panels panels = ofWorld(5);
  const std::string counters = panels.text(countersSection());
  EXPECT_EQ(valueOf(counters, "bodies"), "5") << counters;
  EXPECT_EQ(valueOf(counters, "islands"), "2") << counters;
  const std::string convergence = panels.text(convergenceSection());
  EXPECT_NE(convergence.find("Largest island"), std::string::npos) << convergence;
  const std::string profiler = panels.text(profilerSection());
  for (const std::string& word : {std::string("integrate"), std::string("threads"),
                                  kStepStages.front().words(), kStepStages.back().words()}) {
    EXPECT_NE(profiler.find(word), std::string::npos) << word << "\n" << profiler;
  }
  EXPECT_EQ(panels.app().drawn().contacts, ContactColoring::kResidual);
  panels.select("d");
  const std::string inspector = panels.text(inspectorSection());
  EXPECT_EQ(valueOf(inspector, "island"), "1, of 2 bodies") << inspector;
  EXPECT_NE(valueOf(inspector, "awake"), "") << inspector;
}

TEST(Panels, DoorsThatWereTried_AreLinesOfTheWorstIslandAndOfTheSelectedBodys) {
  Panels panels = ofWorld(5);
  SolveResult result;
  result.reason = SolveReason::kAsked;
  result.judge.naturalMap = 3e-7;
  result.solver.doors[0] = {"pivots", SolveStatus::kStalled, 2000, 2e-5, 90};
  result.solver.doors[1] = {"sweeps", SolveStatus::kConverged, 1, 3e-7, 0.5};
  result.solver.doorCount = 2;
  EXPECT_THAT(
      triedLines(result),
      testing::ElementsAre("pivots: stalled after 2000 iterations and 90 ms, 2e-05 m/s left",
                           "sweeps: converged after 1 iteration and 0.5 ms, 3e-07 m/s left"));
  panels.frame().report.worst = {.substep = 0, .island = 1, .result = result};
  panels.frame().report.islands[1].result = result;
  const std::string convergence = panels.text(convergenceSection());
  EXPECT_NE(convergence.find("Worst island: 1, 3.00e-07 m/s left"), std::string::npos)
      << convergence;
  for (const std::string& line : triedLines(result)) {
    EXPECT_NE(convergence.find(line), std::string::npos) << line << "\n" << convergence;
  }
  panels.select("d");
  EXPECT_NE(panels.text(inspectorSection()).find("island tried | pivots"), std::string::npos);
}

TEST(Panels, SolverOfOneMethod_ListsNoDoors) {
  SolveResult result;
  EXPECT_TRUE(triedLines(result).empty());
  result.reason = SolveReason::kWarmStart;
  EXPECT_THAT(triedLines(result), testing::ElementsAre(testing::HasSubstr("still hold")));
  Panels panels = ofWorld(5);
  panels.frame().report.worst = {.substep = 0, .island = 0, .result = SolveResult{}};
  EXPECT_EQ(panels.text(convergenceSection()).find("Worst island"), std::string::npos);
}

TEST(Panels, OfASceneWithParameters_ShowThemWithTheirRangesAndTheWorldsOwn) {
  Panels panels(std::make_unique<Simulation>("heavy_on_light", registry()), 0);
  const std::string text = panels.text(parametersSection());
  for (const char* word :
       {"ratio", "100", "gravity", "-9.81", "timestep", "friction", "cone", "threads"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
  }
}

TEST(Panels, ToleranceOfJointsAndOverlaps_AreSlidersOnceAStepIsDone) {
  Panels panels = ofWorld(1);
  const std::string text = panels.text(parametersSection());
  for (const char* word : {"joint tolerance", "overlap tolerance"}) {
    EXPECT_NE(text.find(word), std::string::npos) << word << "\n" << text;
  }
}

TEST(Panels, StepWithoutALimitOfTime_HasNone) {
  Panels panels = ofWorld(1);
  const std::string text = panels.text(solverSection());
  const std::size_t at = text.find("time of a step");
  ASSERT_NE(at, std::string::npos) << text;
  const std::string line = text.substr(at, text.find("most iterations") - at);
  EXPECT_NE(line.find("none"), std::string::npos) << line;
}

TEST(Panels, SolverOfOurOwn_NamesNoLiterature) {
  Panels panels = ofWorld(1);
  ASSERT_EQ(panels.app().registry.traits(panels.app().solver.name).source, "own");
  std::istringstream lines(panels.text(solverSection()));
  for (std::string line; std::getline(lines, line);) EXPECT_NE(line, "own");
}

// The drawing takes it for none as well (ContactDrawing, ImpulsesThatAreRoundOff...).
TEST(Panels, ContactWithAnImpulseOfRoundOff_IsOpen) {
  Panels panels = ofWorld(5);
  panels.select("a");
  const auto count = [](const std::string& text, const std::string& word) {
    int found = 0;
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  const std::string before = panels.text(inspectorSection());
  EXPECT_EQ(count(before, "open"), 0) << before;
  for (ContactSnapshot& contact : panels.frame().snapshot.contacts) {
    if (contact.bodyA != panels.app().draw.selected && contact.bodyB != panels.app().draw.selected)
      continue;
    contact.impulse *= 1e-12;
    contact.normalImpulse *= 1e-12;
  }
  const std::string after = panels.text(inspectorSection());
  EXPECT_EQ(count(after, "open"), 8) << after;
}

}  // namespace
}  // namespace drystone::viewer::test
