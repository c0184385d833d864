// The summary of a recorded run, from the reports of its steps in the file.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "apps/replay/replay.h"
#include "apps/support/json_values.h"
#include "apps/support/run_record.h"
#include "apps/support/run_summary.h"
#include "core/hash.h"
#include "core/input_error.h"
#include "core/wording.h"

namespace drystone::cli {
namespace {

/// What of the settings a summary names. Programs record fewer of them.
struct RecordedSettings {
  std::string integrator, friction, solver;
  std::optional<Real> timestep, tolerance;  ///< [s], [m/s]
};

RecordedSettings settingsOf(const RecordingInfo& info, const std::string& file) {
  RecordedSettings settings;
  try {
    const Json json = Json::parse(info.settings);
    settings.integrator = json.value("integrator", "");
    settings.friction = json.value("friction", "");
    settings.solver = json.value("solver", "");
    if (json.contains("dt")) settings.timestep = json["dt"].get<Real>();
    if (json.contains("tolerance_m_s")) settings.tolerance = json["tolerance_m_s"].get<Real>();
  } catch (const Json::exception& error) {
    throw InputError(fmt::format("{}: /run/settings is damaged: {}", file, error.what()));
  }
  return settings;
}

/// With its tolerance, and the preset where the command line named one.
std::string solverText(const RecordingInfo& info, const RecordedSettings& settings) {
  std::string text = settings.solver;
  const Json options = Json::parse(info.commandLine, nullptr, false);
  const auto preset = options.is_object() ? options.find("preset") : options.end();
  if (preset != options.end() && preset->is_string()) {
    text += ", preset " + preset->get<std::string>();
  }
  if (settings.tolerance) text += fmt::format(", tolerance {:.3g} m/s", *settings.tolerance);
  return text;
}

std::string recordedHeading(const Recording& recording, const RecordedSettings& settings,
                            const RunRecord& record) {
  const RecordingInfo& info = recording.info();
  std::string text = summaryLine("Scene", fmt::format("{} ({})", info.scene, info.sceneLabel));
  text += summaryLine("Recorded", fmt::format("by drystone {} ({})", info.version, info.build));
  std::string model;
  if (!settings.integrator.empty()) model += settings.integrator + ", ";
  if (settings.timestep) model += fmt::format("dt {:.6g} s, ", *settings.timestep);
  if (!settings.friction.empty()) model += fmt::format("friction {}, ", settings.friction);
  const auto dynamic =
      std::ranges::count(recording.bodies(), BodyKind::kDynamic, &RecordedBody::kind);
  text +=
      summaryLine("Model", fmt::format("{}{} ({} dynamic), {}", model,
                                       counted(std::ssize(recording.bodies()), "body", "bodies"),
                                       dynamic, counted(std::ssize(info.joints), "joint")));
  if (!settings.solver.empty()) text += summaryLine("Solver", solverText(info, settings));
  const double seconds = record.times[0].sum() / 1e3;
  std::string run = counted(record.steps, "step");
  if (settings.timestep) run += fmt::format(", {:.4g} s simulated", record.simulated);
  if (seconds > 0) {
    run += fmt::format(" in {:.3g} s of steps: {}", seconds,
                       rateText(static_cast<double>(record.steps) / seconds));
  }
  return text + summaryLine("Run", run);
}

/// Of the ledger the file has the energies at the ends of steps, and how each step closes.
std::string recordedEnergy(const EnergyLedger& first, const RunRecord& record) {
  const auto firstAndEnd = [](const char* what, Real atFirst, Real end) {
    return fmt::format("{} {:.6g} after the first step, {:.6g} at the end", what, atFirst, end);
  };
  return summaryLine("Energy [J]", firstAndEnd("kinetic", first.kinetic, record.kineticEnd)) +
         summaryLine("", firstAndEnd("potential of gravity (0 at the origin)", first.potential,
                                     record.potentialEnd)) +
         summaryLine("", fmt::format("a step's ledger closes to {:.2g}", record.ledgerErrorMax));
}

std::string vectorText(const Vec3& vector) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g})", vector.x(), vector.y(), vector.z());
}

/// What force plates read in the step before the last frame.
std::string plateText(const Recording& recording) {
  const auto readings = recording.plateReadings(recording.frameCount() - 1);
  std::string text;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const std::string& name = recording.forcePlates()[i].name;
    const std::string says =
        readings[i] ? fmt::format("force {} ± {:.2g} N, torque {} ± {:.2g} N m",
                                  vectorText(readings[i]->force), readings[i]->forceError,
                                  vectorText(readings[i]->torque), readings[i]->torqueError)
                    : "no reading";
    text +=
        summaryLine(i == 0 ? "Force plates" : "", fmt::format("'{}' at the end: {}", name, says));
  }
  return text;
}

}  // namespace

std::string recordedReport(const Recording& recording, const std::string& file) {
  const RecordedSettings settings = settingsOf(recording.info(), file);
  RunRecord record;
  EnergyLedger first;
  std::uint64_t hash = recording.startHash();
  StepWalk walk(recording);
  for (std::int64_t step = 1; step <= recording.stepCount(); ++step) {
    const RecordedStep& recorded = walk.at(step);
    record.addReport(recorded.report, settings.timestep.value_or(0));
    if (step == 1) first = recorded.report.energy;
    hash = recorded.hash;
  }
  if (record.steps == 0) {
    return recordedHeading(recording, settings, record) + summaryLine("Hash", hashText(hash));
  }
  return recordedHeading(recording, settings, record) + "\n" + partTable(record) + "\n" +
         figureTable(record) + "\n" + outcomeText(record, settings.tolerance) + "\n" +
         recordedEnergy(first, record) + plateText(recording) + summaryLine("Hash", hashText(hash));
}

}  // namespace drystone::cli
