// Rows of joints against rows of contacts: steps of a net of 10,000 ball joints and of a pile with
// about as many contacts, taken in turn, with the same number of Gauss–Seidel sweeps.
#include <fmt/format.h>

#include "apps/support/option_checks.h"
#include "apps/support/program.h"
#include "bench/studies/measure.h"
#include "bench/studies/study_program.h"
#include "scenes/scene_builder.h"
#include "solvers/default_registry.h"

int main(int argc, char** argv) {
  using namespace drystone;
  bench::StudyApp app("joint_rows");
  constexpr int kMost = 1'000'000;
  int steps = 60, settle = 70, sweeps = 10;
  app.add_option("--steps", steps, "steps that are measured")
      ->transform(cli::wholeNumber(1, kMost));
  app.add_option("--settle", settle, "steps of the pile before them, until it has its contacts")
      ->transform(cli::wholeNumber(0, kMost));
  app.add_option("--sweeps", sweeps, "of nsgs, a step")->transform(cli::wholeNumber(1, kMost));
  return bench::runStudy(app, argc, argv, [&] {
    const SolverRegistry registry = makeDefaultRegistry();
    // A tolerance that is never met: every step does all its sweeps.
    const std::vector<std::string> settings = {fmt::format("max_iterations={}", sweeps)};
    const std::vector<std::string> never = {"solver.tolerance=1e-12"};
    World joints = buildWorld(bench::sceneWith("joint_grid", "nsgs", settings, never), registry);
    World contacts = buildWorld(bench::sceneWith("pile_4000", "nsgs", settings, never), registry);
    for (int step = 0; step < settle; ++step) contacts.step();
    if (contacts.lastReport().rows == 0) {
      throw cli::UsageError(fmt::format(
          "--settle {}: the pile is still falling, without a contact to measure", settle));
    }

    struct Figures {
      std::vector<Real> step, perRow;
      int rows = 0;
    };
    const auto measure = [](World& world, Figures& figures) {
      const StepReport& report = world.step();
      figures.step.push_back(report.times.step);
      figures.perRow.push_back(1e3 * report.times.step / report.rows);
      figures.rows = report.rows;
    };
    Figures ofJoints, ofContacts;
    for (int step = 0; step < steps; ++step) {
      measure(joints, ofJoints);
      measure(contacts, ofContacts);
    }
    fmt::print(
        "| rows of | rows at the end | ms a step, median | µs a row, median "
        "|\n|---|--:|--:|--:|\n");
    fmt::print("| joints (joint_grid) | {} | {:.1f} | {:.3f} |\n", ofJoints.rows,
               bench::median(ofJoints.step), bench::median(ofJoints.perRow));
    fmt::print("| contacts (pile_4000) | {} | {:.1f} | {:.3f} |\n", ofContacts.rows,
               bench::median(ofContacts.step), bench::median(ofContacts.perRow));
    fmt::print("\njoints to contacts, a row: {:.2f}\n",
               bench::median(ofJoints.perRow) / bench::median(ofContacts.perRow));
    return 0;
  });
}
