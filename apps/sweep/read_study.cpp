// The JSON of a study. Values are read by the cursors of scene files, so that problems have places.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "apps/support/run_setup.h"
#include "apps/sweep/study.h"
#include "apps/sweep/sweep_figures.h"
#include "core/input_error.h"
#include "core/wording.h"
#include "scenes/reading/json_cursor.h"
#include "scenes/reading/json_positions.h"
#include "scenes/reading/read_log.h"
#include "scenes/reading/read_scene.h"

namespace drystone::cli {
namespace {

constexpr int kMostSamples = static_cast<int>(kMostRuns);
/// Doubles count whole numbers up to here one by one.
constexpr Real kLargestWhole = 0x1.0p53;
constexpr Real kSmallestSeconds = 1e-15;  // [s], the least timestep

constexpr std::array<std::string_view, 3> kSamplings = {"grid", "random", "latin_hypercube"};
constexpr std::array<std::string_view, 2> kScales = {"linear", "log"};

void requireKnownKeys(const JsonCursor& at, std::string_view kind,
                      const std::vector<std::string>& known) {
  for (const std::string& key : at.keys()) {
    if (std::ranges::find(known, key) != known.end()) continue;
    at.member(key)->keyError(fmt::format("unknown key of {}; {}", kind, didYouMean(key, known)));
  }
}

/// Keys in the order of the file, which a parsed object no longer knows.
std::vector<std::string> keysInOrder(const JsonCursor& object, std::string_view text) {
  std::vector<std::string> keys = object.keys();
  std::set<std::string, std::less<>> wanted;
  const auto pointerOf = [&](const std::string& key) {
    return object.pointer() + "/" + escapePointerToken(key);
  };
  for (const std::string& key : keys) wanted.insert(pointerOf(key));
  const JsonScan scan = scanJson(plainJson(text), wanted);
  std::ranges::sort(keys, {}, [&](const std::string& key) {
    return scan.places.find(pointerOf(key))->second.key;
  });
  return keys;
}

/// A value as text of `--set`: a list or object as JSON.
std::string settingTextOf(const JsonCursor& at) {
  return at.isString() ? at.json().get<std::string>() : at.json().dump();
}

bool keyIsGood(const JsonCursor& at, const std::string& key) {
  if (!key.empty() && key.find('=') == std::string::npos) return true;
  return at.keyError("is no key of --set: it must not be empty or hold \"=\"");
}

void readSet(const JsonCursor& at, std::string_view text, Study& study) {
  if (!at.isObject()) {
    at.error(fmt::format("must be an object with keys of --set, got {}", at.describe()));
    return;
  }
  for (const std::string& key : keysInOrder(at, text)) {
    const JsonCursor value = *at.member(key);
    if (keyIsGood(value, key)) study.set.push_back(key + "=" + settingTextOf(value));
  }
}

void readList(const JsonCursor& at, StudyParameter& parameter) {
  if (at.size() == 0) at.error("must have at least one value");
  for (int i = 0; i < at.size(); ++i) {
    const std::string value = settingTextOf(at.element(i));
    if (std::ranges::find(parameter.values, value) != parameter.values.end()) {
      at.element(i).error("is in the list already; leave one out, or take \"repeats\"");
    }
    parameter.values.push_back(value);
  }
}

/// What is wrong with the ends and the number of values; nothing, where that is all there is.
void checkRange(const JsonCursor& at, const Study& study, const StudyParameter& parameter) {
  const bool isGrid = study.sampling == Sampling::kGrid;
  if (isGrid && !at.member("count")) {
    at.error("a range in a grid needs \"count\": how many values, both ends among them");
  }
  if (!isGrid && at.member("count")) {
    at.member("count")->keyError(
        "only a grid has it; \"samples\" says how many samples the study takes");
  }
  if (parameter.from >= parameter.to) at.error("\"from\" must be below \"to\"");
  if (parameter.isLogarithmic && parameter.from <= 0) {
    at.error("\"scale\": \"log\" needs a \"from\" above 0");
  }
  if (!parameter.isWhole) return;
  const bool endsAreWhole =
      parameter.from == std::floor(parameter.from) && parameter.to == std::floor(parameter.to);
  if (!endsAreWhole) at.error("\"whole\" needs whole numbers as \"from\" and \"to\"");
  if (isGrid && parameter.count > parameter.to - parameter.from + 1) {
    at.error(fmt::format("there are only {} whole numbers from {} to {}; take a smaller \"count\"",
                         parameter.to - parameter.from + 1, parameter.from, parameter.to));
  }
  if (isGrid && parameter.isLogarithmic) {
    std::set<std::string> values;
    for (int i = 0; i < parameter.count; ++i) values.insert(parameter.gridValue(i));
    if (static_cast<int>(values.size()) < parameter.count) {
      at.error(
          "\"scale\": \"log\" with \"whole\" gives some values twice; take a smaller \"count\"");
    }
  }
}

void readRange(const JsonCursor& at, const Study& study, StudyParameter& parameter) {
  const std::size_t problemsBefore = at.log().problems.size();
  requireKnownKeys(at, "a range", {"from", "to", "count", "scale", "whole"});
  for (const char* key : {"from", "to"}) {
    if (!at.member(key)) at.error(fmt::format("a range needs \"{}\"", key));
  }
  const Range ends = within(-kLargestWhole, kLargestWhole);
  if (const auto from = at.member("from")) from->real(parameter.from, ends);
  if (const auto to = at.member("to")) to->real(parameter.to, ends);
  if (const auto count = at.member("count")) count->integer(parameter.count, 2, kMostSamples);
  if (const auto whole = at.member("whole")) whole->boolean(parameter.isWhole);
  if (const auto scale = at.member("scale")) {
    int index = 0;
    scale->choice(index, kScales);
    parameter.isLogarithmic = index == 1;
  }
  if (at.log().problems.size() == problemsBefore) checkRange(at, study, parameter);
}

void readVary(const JsonCursor& at, std::string_view text, Study& study) {
  if (!at.isObject() || at.size() == 0) {
    at.error(
        fmt::format("must be an object of parameters, each a key of --set with a list of "
                    "values or a range, got {}",
                    at.isObject() ? "an empty one" : at.describe()));
    return;
  }
  for (const std::string& key : keysInOrder(at, text)) {
    const JsonCursor value = *at.member(key);
    if (!keyIsGood(value, key)) continue;
    StudyParameter parameter{.key = key, .values = {}, .pointer = value.pointer()};
    if (value.isArray()) {
      readList(value, parameter);
    } else if (value.isObject()) {
      readRange(value, study, parameter);
    } else {
      value.error(
          fmt::format("must be a list of values, or a range {{\"from\": …, \"to\": …}}, "
                      "got {}; a fixed value belongs in \"set\"",
                      value.describe()));
    }
    study.parameters.push_back(std::move(parameter));
  }
}

void readFigures(const JsonCursor& at, Study& study) {
  if (!at.isArray()) {
    at.error(fmt::format("must be a list of names, got {}", at.describe()));
    return;
  }
  study.figures.clear();
  for (int i = 0; i < at.size(); ++i) {
    std::string name;
    if (!at.element(i).text(name)) continue;
    const std::string problem = figureProblem(name);
    if (!problem.empty()) at.element(i).error(problem);
    if (std::ranges::find(study.figures, name) != study.figures.end()) {
      at.element(i).error("is in the list already");
    }
    study.figures.push_back(name);
  }
}

void readSampling(const JsonCursor& root, Study& study) {
  if (const auto at = root.member("sampling")) {
    int index = 0;
    at->choice(index, kSamplings);
    study.sampling = static_cast<Sampling>(index);
  }
  const bool isGrid = study.sampling == Sampling::kGrid;
  const auto samples = root.member("samples");
  if (samples) {
    samples->integer(study.samples, 1, kMostSamples);
    if (isGrid) {
      samples->keyError(
          "a grid has as many as its values make; leave it out, or say \"sampling\": \"random\" or "
          "\"latin_hypercube\"");
    }
  } else if (!isGrid) {
    root.error("a study with random samples needs \"samples\": how many");
  }
  std::uint64_t seed = 1;
  // So that the seed of the last repeat is a whole number of JSON's too.
  if (const auto at = root.member("seed")) at->natural(seed, std::uint64_t{1} << 52U);
  study.seed = static_cast<std::int64_t>(seed);
  if (const auto at = root.member("repeats")) at->integer(study.repeats, 1, kMostSamples);
}

void readLength(const JsonCursor& root, Study& study) {
  const auto steps = root.member("steps"), seconds = root.member("seconds");
  if (steps) {
    std::uint64_t count = 0;
    if (steps->natural(count, static_cast<std::uint64_t>(kMostSteps))) {
      study.steps = static_cast<std::int64_t>(count);
      if (count == 0) steps->error("must be at least 1");
    }
  }
  if (!seconds) return;
  Real value = 0;
  if (seconds->real(value, within(kSmallestSeconds, kLargestInput, "s"))) study.seconds = value;
  if (steps) seconds->keyError("\"steps\" is given already; leave one out");
}

void readScenePath(const JsonCursor& root, Study& study) {
  namespace fs = std::filesystem;
  const auto at = root.member("scene");
  if (!at) {
    root.error("a study needs \"scene\": a name of `drystone list scenes`, or a file");
    return;
  }
  if (!at->text(study.scene)) return;
  const bool isPath = study.scene.find('/') != std::string::npos || study.scene.ends_with(".json");
  const fs::path folder = fs::path(study.label).parent_path();
  // Beside the study, as the files that a scene names are beside the scene.
  if (isPath) study.scene = (folder / study.scene).lexically_normal().string();
}

}  // namespace

std::string Study::problemAt(const std::string& pointer, const std::string& message) const {
  const ReadLog log;
  return placedMessages({{.pointer = pointer, .message = message}}, log, text, label).front();
}

Study readStudy(const std::string& path) {
  Study study{.label = path, .text = readTextFile(path), .scene = {}, .figures = defaultFigures()};
  ReadLog log;
  const nlohmann::json json = parseJsonText(study.text, path, log);
  const JsonCursor root(json, "", log);
  if (!root.isObject()) {
    root.error(fmt::format("must be an object (study), got {}", root.describe()));
    throwProblems(log, study.text, path);
  }
  requireKnownKeys(root, "study",
                   {"scene", "steps", "seconds", "set", "vary", "sampling", "samples", "seed",
                    "repeats", "figures"});
  readScenePath(root, study);
  readLength(root, study);
  readSampling(root, study);
  if (const auto set = root.member("set")) readSet(*set, study.text, study);
  if (const auto vary = root.member("vary")) {
    readVary(*vary, study.text, study);
  } else {
    root.error("a study needs \"vary\": the parameters, each with its values");
  }
  if (const auto figures = root.member("figures")) readFigures(*figures, study);
  throwProblems(log, study.text, path);
  return study;
}

}  // namespace drystone::cli
