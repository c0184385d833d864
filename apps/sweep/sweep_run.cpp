#include "apps/sweep/sweep_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <new>

#include "apps/support/csv_values.h"
#include "apps/support/program.h"
#include "apps/support/run_record.h"
#include "apps/sweep/sweep_table.h"
#include "core/input_error.h"
#include "scenes/scene_builder.h"

namespace drystone::cli {
namespace {

constexpr std::array<const char*, 5> kEnds = {"done", "stopped", "diverged", "invalid", "failed"};

/// The first line of a message, with the number of the others: a field of the table.
std::string firstLine(const std::string& message) {
  const std::size_t end = message.find('\n');
  if (end == std::string::npos) return message;
  const auto others =
      std::count(message.begin() + static_cast<std::ptrdiff_t>(end), message.end(), '\n');
  return fmt::format("{} (and {} more)", message.substr(0, end), others);
}

/// Steps until the end; false: `stop` was set.
bool simulate(World& world, std::int64_t steps, const std::atomic<bool>& stop, RunRecord& record) {
  while (record.steps < steps && record.failure.empty()) {
    if (stop.load(std::memory_order_relaxed)) return false;
    world.step();
    record.addStep(world);
  }
  return true;
}

struct Outcome {
  RunEnd end = RunEnd::kDone;
  std::vector<std::string> figures;  ///< empty texts where the run has none
  std::string message;
  double stepsMs = 0;
};

std::optional<Outcome> simulated(const ReadySweep& sweep, const StudyRun& run,
                                 const std::atomic<bool>& stop) {
  const SimulationOptions options = sweep.optionsOf(run);
  const ReadyScene scene = setUpScene(sweep.scene, options, sweep.registry);
  World world = buildWorld(scene, sweep.registry);
  RunRecord record(world);
  if (!simulate(world, stepsToDo(options, scene), stop, record)) return std::nullopt;
  Outcome outcome{.end = RunEnd::kDone, .figures = {}, .message = firstLine(record.failure)};
  if (!record.failure.empty()) {
    outcome.end = record.diverged.empty() ? RunEnd::kStopped : RunEnd::kDiverged;
  }
  for (const SweepFigure& figure : sweep.figures) {
    outcome.figures.push_back(figure.text(world, record));
  }
  outcome.stepsMs = record.times[0].sum();
  return outcome;
}

Outcome withoutFigures(const ReadySweep& sweep, RunEnd end, const std::string& message) {
  return {.end = end,
          .figures = std::vector<std::string>(sweep.figures.size()),
          .message = firstLine(message)};
}

std::optional<Outcome> triedRun(const ReadySweep& sweep, const StudyRun& run,
                                const std::atomic<bool>& stop) {
  try {
    return simulated(sweep, run, stop);
  } catch (const UsageError& error) {
    return withoutFigures(sweep, RunEnd::kInvalid, error.what());
  } catch (const InputError& error) {
    return withoutFigures(sweep, RunEnd::kInvalid, error.what());
  } catch (const NoDeviceError& error) {
    return withoutFigures(sweep, RunEnd::kInvalid, error.what());
  } catch (const std::bad_alloc&) {
    return withoutFigures(sweep, RunEnd::kFailed, "out of memory");
  } catch (const std::exception& error) {
    return withoutFigures(sweep, RunEnd::kFailed, error.what());
  }
}

}  // namespace

const char* runEndName(RunEnd end) { return kEnds[static_cast<std::size_t>(end)]; }

RunEnd runEndNamed(const std::string& name) {
  const auto found = std::ranges::find(kEnds, name);
  if (found == kEnds.end()) {
    throw InputError(fmt::format("the status '{}' is none of a run: the table is damaged", name));
  }
  return static_cast<RunEnd>(found - kEnds.begin());
}

std::string ReadySweep::header() const {
  std::string line = kRunColumn;
  const auto add = [&line](const std::string& title) { line += "," + csvText(title); };
  for (const StudyParameter& parameter : study.parameters) add(parameter.key);
  if (study.repeats > 0) add("scene_seed");
  add(kStatusColumn);
  for (const SweepFigure& figure : figures) add(figure.title);
  for (const char* last : {kMessageColumn, kRunsColumn, kStudyColumn}) add(last);
  return line;
}

SimulationOptions ReadySweep::optionsOf(const StudyRun& run) const {
  SimulationOptions options;
  options.scene = study.scene;
  options.sets = study.set;
  for (std::size_t i = 0; i < run.values.size(); ++i) {
    options.sets.push_back(study.parameters[i].key + "=" + run.values[i]);
  }
  for (const std::string& key : seedKeys) {
    if (run.seed) options.sets.push_back(fmt::format("{}={}", key, *run.seed));
  }
  options.steps = study.steps;
  options.time = study.seconds;
  options.threads = 1;
  options.warns = false;  // prepareSweep() did, once for all
  return options;
}

std::optional<SweepRow> doRun(const ReadySweep& sweep, const StudyRun& run, std::int64_t runs,
                              const std::atomic<bool>& stop) {
  const std::optional<Outcome> outcome = triedRun(sweep, run, stop);
  if (!outcome) return std::nullopt;
  std::string line = csvNumber(run.number);
  const auto add = [&line](std::string text) {
    std::ranges::replace(text, '\n', ' ');  // a row is a line
    line += "," + csvText(text);
  };
  for (const std::string& value : run.values) add(value);
  if (run.seed) add(csvNumber(*run.seed));
  add(runEndName(outcome->end));
  for (const std::string& figure : outcome->figures) add(figure);
  add(outcome->message);
  add(csvNumber(runs));
  add(sweep.hash);
  return SweepRow{outcome->end, std::move(line), outcome->stepsMs};
}

}  // namespace drystone::cli
