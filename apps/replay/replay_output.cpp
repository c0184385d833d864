#include "apps/replay/replay.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "apps/support/command_line.h"
#include "apps/support/json_values.h"
#include "apps/support/table.h"
#include "core/hash.h"

namespace drystone::cli {
namespace {

struct Threshold {
  Real distance;  ///< [m]
  const char* text;
};
constexpr std::array<Threshold, 5> kThresholds = {
    {{1e-6, "1 µm"}, {1e-3, "1 mm"}, {1e-2, "1 cm"}, {0.1, "10 cm"}, {1, "1 m"}}};

Json deviationJson(const Deviation* deviation) {
  if (deviation == nullptr) return nullptr;
  return {{"step", deviation->step}, {"m", deviation->distance}, {"body", deviation->body}};
}

Json residualJson(const Samples& residual) {
  return {{"median", residual.median()}, {"p99", residual.p99()}, {"max", residual.max()}};
}

void addHashes(const ReplayResult& result, Json& json) {
  json["agree"] = !result.firstDifferent;
  json["first_different"] = result.firstDifferent ? Json(*result.firstDifferent) : Json(nullptr);
  json["recorded_hash"] = hashText(result.recordedHash);
  json["replayed_hash"] = hashText(result.replayedHash);
  json["deviation"] =
      deviationJson(result.deviations.empty() ? nullptr : &result.deviations.front());
}

void addMotion(const ReplayResult& result, Json& json) {
  json["deviation"] = {
      {"end", deviationJson(result.deviations.empty() ? nullptr : &result.deviations.back())},
      {"largest", deviationJson(largestDeviation(result))}};
  Json beyond = Json::array();
  for (const Threshold& one : kThresholds) {
    const Deviation* first = firstBeyond(result, one.distance);
    beyond.push_back(
        {{"m", one.distance}, {"step", first == nullptr ? Json(nullptr) : Json(first->step)}});
  }
  json["first_beyond"] = beyond;
  Json steps = Json::array(), distances = Json::array();
  for (const Deviation& one : result.deviations) {
    steps.push_back(one.step);
    distances.push_back(one.distance);
  }
  json["per_frame"] = {{"step", steps}, {"m", distances}};
  json["natural_map_m_s"] = {{"recorded", residualJson(result.recordedResidual)},
                             {"replayed", residualJson(result.replayedResidual)}};
}

std::string hashesText(const ReplayReport& report) {
  const ReplayResult& result = report.result;
  if (!result.firstDifferent) {
    return fmt::format(
        "{} agree, the last with hash {}\n",
        result.steps == 1 ? "the one step" : fmt::format("all {} steps", result.steps),
        hashText(result.replayedHash));
  }
  std::string text = *result.firstDifferent == 0
                         ? std::string("the start differs already")
                         : fmt::format("step {} of {} is the first that differs",
                                       *result.firstDifferent, report.recording.stepCount());
  text += fmt::format(": hash {} recorded, {} replayed\n", hashText(result.recordedHash),
                      hashText(result.replayedHash));
  if (*result.firstDifferent > 0) {
    text +=
        "what a program changed between two steps is not in the file: only it can repeat that\n";
  }
  if (result.deviations.empty()) return text;
  const Deviation& there = result.deviations.front();
  if (there.distance == 0) return text + "all centres of mass are the same there\n";
  return text +
         fmt::format("largest distance there: {:.3g} m ('{}')\n", there.distance, there.body);
}

std::string motionText(const ReplayReport& report) {
  using enum Table::Align;
  const ReplayResult& result = report.result;
  if (result.deviations.empty()) return "the recording has no frame to compare with\n";
  const auto one = [](const Deviation& deviation) {
    return fmt::format("{:.3g} m{}, step {}", deviation.distance,
                       deviation.body.empty() ? "" : fmt::format(" ('{}')", deviation.body),
                       deviation.step);
  };
  std::string text = "Deviation     largest distance of a centre of mass\n";
  text += fmt::format("  at the end  {}\n", one(result.deviations.back()));
  text += fmt::format("  largest     {}\n", one(*largestDeviation(result)));
  for (const Threshold& threshold : kThresholds) {
    const Deviation* first = firstBeyond(result, threshold.distance);
    text += fmt::format("  {}{}\n", padded(fmt::format("> {}", threshold.text), 12),
                        first == nullptr ? "never" : fmt::format("from step {}", first->step));
  }
  Table table({{"Natural map [m/s]"}, {"median", kRight}, {"p99", kRight}, {"max", kRight}});
  const auto row = [&](const char* name, const Samples& samples) {
    table.addRow({name, fmt::format("{:.3g}", samples.median()),
                  fmt::format("{:.3g}", samples.p99()), fmt::format("{:.3g}", samples.max())});
  };
  row("  recorded", result.recordedResidual);
  row("  replayed", result.replayedResidual);
  return text + table.plain(0);
}

}  // namespace

std::string replayJson(const ReplayReport& report) {
  const RecordingInfo& info = report.recording.info();
  const SolverChoice& choice = report.world.settings().solver;
  Json json;
  json["recording"] = report.file;
  json["scene"] = info.scene;
  json["drystone"] = info.version;
  json["build"] = info.build;
  json["complete"] = report.recording.complete();
  json["recorded_steps"] = report.recording.stepCount();
  json["recorded_steps_time_limited"] = stepsTimeLimited(report.recording);
  json["steps"] = report.result.steps;
  json["ended"] = report.result.interrupted ? "interrupted" : "completed";
  json["solver"] = choice.name;
  json["compared"] = report.comparesHashes ? "hashes" : "motion";
  if (report.comparesHashes) {
    addHashes(report.result, json);
  } else {
    addMotion(report.result, json);
  }
  return jsonText(json);
}

std::string replayText(const ReplayReport& report) {
  std::string text = fmt::format("{}: {}, {} of '{}'\n", report.file,
                                 counted(report.recording.stepCount(), "step"),
                                 counted(std::ssize(report.recording.bodies()), "body", "bodies"),
                                 report.recording.info().scene);
  if (report.result.interrupted) {
    text += fmt::format("INTERRUPTED after {}\n", counted(report.result.steps, "step"));
  }
  if (const std::int64_t limited = stepsTimeLimited(report.recording); limited > 0) {
    text += fmt::format(
        "Time limit    hit in {} of {} when it was recorded: the results depend on the machine\n",
        limited, counted(report.recording.stepCount(), "step"));
  }
  return text + (report.comparesHashes ? hashesText(report) : motionText(report));
}

}  // namespace drystone::cli
