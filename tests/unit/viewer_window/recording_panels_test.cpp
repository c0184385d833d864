// What the panels say of a recording, without a window.
#include <chrono>
#include <filesystem>

#include "engine/recording/recorder.h"
#include "scenes/scene_builder.h"
#include "tests/unit/viewer_window/panels.h"
#include "viewer/window/panels/windows.h"
#include "viewer/window/widgets.h"

namespace drystone::viewer::test {
namespace {

/// A recording of five steps.
class PanelsOfARecording : public testing::Test {
 protected:
  PanelsOfARecording()
      : file_(
            (std::filesystem::temp_directory_path() /
             ("drystone_panels_" +
              std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()) + ".h5"))
                .string()) {
    World world = buildWorld(stacks(), registry());
    RecordingInfo info;
    info.scene = "stacks";
    info.sceneLabel = "stacks.json";
    info.sceneText = kStacks;
    info.commandLine = "{}";
    info.settings = "{}";
    info.solvers = registry().names();
    Recorder recorder(file_, info, world);
    for (int i = 0; i < 5; ++i) {
      world.step();
      recorder.addStep(world);
    }
    recorder.finish(world);
  }
  ~PanelsOfARecording() override { std::filesystem::remove(file_); }
  Panels at(std::int64_t step) const {
    return Panels(std::make_unique<Simulation>(file_, registry()), step);
  }
  const std::string file_;
};

TEST_F(PanelsOfARecording, ShowItsValuesAndChangeNone) {
  Panels panels = at(5);
  const std::string text = panels.text(parametersSection());
  EXPECT_EQ(valueOf(text, "gravity [m/s²]"), "0, 0, -9.81") << text;
  EXPECT_EQ(valueOf(text, "friction"), "cone") << text;
  EXPECT_EQ(text.find("begins the scene again"), std::string::npos) << text;
}

TEST_F(PanelsOfARecording, SayWhatWasRecordedAndWhatWasNot) {
  Panels panels = at(5);
  const std::string counters = panels.text(countersSection());
  EXPECT_EQ(valueOf(counters, "bodies"), "5") << counters;
  EXPECT_EQ(valueOf(counters, "islands"), "2") << counters;
  EXPECT_EQ(valueOf(counters, "asleep bodies"), "0") << counters;
  EXPECT_NE(valueOf(counters, "natural map"), kNotKnown) << counters;
  const std::string convergence = panels.text(convergenceSection());
  EXPECT_NE(convergence.find("are not recorded"), std::string::npos) << convergence;
  EXPECT_EQ(convergence.find("No islands"), std::string::npos) << convergence;
  const std::string profiler = panels.text(profilerSection());
  for (const char* stage : {"rows", "integrate", "other", "threads"}) {
    EXPECT_EQ(profiler.find(stage), std::string::npos) << stage << "\n" << profiler;
  }
  EXPECT_NE(profiler.find("solve, assembly"), std::string::npos) << profiler;
  panels.select("d");
  const std::string inspector = panels.text(inspectorSection());
  EXPECT_EQ(valueOf(inspector, "island"), "1") << inspector;
  EXPECT_EQ(valueOf(inspector, "awake"), kNotKnown) << inspector;
  panels.select("floor");
  EXPECT_EQ(valueOf(panels.text(inspectorSection()), "island"), "none");
}

// Its contacts would all be gray beside a legend of residuals.
TEST_F(PanelsOfARecording, ContactsAreDrawnByStateWhateverIsAskedForElsewhere) {
  Panels recording = at(5);
  EXPECT_EQ(recording.app().draw.contacts, ContactColoring::kResidual);
  EXPECT_EQ(recording.app().drawn().contacts, ContactColoring::kState);
  const std::string text = recording.text(drawingSection());
  EXPECT_NE(text.find("by state"), std::string::npos) << text;
  EXPECT_EQ(recording.app().draw.contacts, ContactColoring::kResidual) << "for the next scene";
}

TEST_F(PanelsOfARecording, FirstFrame_IsNoStep) {
  Panels panels = at(0);
  EXPECT_EQ(valueOf(panels.text(countersSection()), "natural map"), kNotKnown);
  EXPECT_TRUE(panels.app().history.empty());
}

// A report without values would be that of a perfect step: 0 m/s, within the tolerance.
TEST_F(PanelsOfARecording, DamagedFigures_AreNotKnown) {
  Panels panels = at(5);
  EXPECT_EQ(solvedText(panels.frame()).find(kNotKnown), std::string::npos);
  EXPECT_NE(panels.text(energySection()).find("ledger error |"), std::string::npos);
  panels.frame().report = {};
  panels.frame().isReportDamaged = true;
  const std::string counters = panels.text(countersSection());
  for (const char* name : {"natural map", "solves", "iterations", "contacts", "rows",
                           "warm started", "penetration", "step takes"}) {
    EXPECT_EQ(valueOf(counters, name), kNotKnown) << name << "\n" << counters;
  }
  EXPECT_EQ(panels.text(energySection()).find("ledger error |"), std::string::npos);
  EXPECT_EQ(solvedText(panels.frame()),
            std::string("solved to ") + kNotKnown + " m/s: damaged in the recording");
}

}  // namespace
}  // namespace drystone::viewer::test
