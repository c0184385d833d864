// What a study is checked for before its first run: a sweep of hours is not to fail row by row for
// a slip of the pen.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "apps/support/log.h"
#include "apps/support/program.h"
#include "apps/sweep/sweep_run.h"
#include "core/hash.h"
#include "core/input_error.h"
#include "core/json_text.h"
#include "core/wording.h"
#include "scenes/reading/json_positions.h"
#include "scenes/scene_builder.h"

namespace drystone::cli {
namespace {

/// What of the study is wrong, each with its place.
using Problems = std::vector<std::string>;

/// Why a scene cannot be made with these options; empty: it can.
std::string problemOf(const ReadySweep& sweep, const SimulationOptions& options) {
  try {
    stepsToDo(options, setUpScene(sweep.scene, options, sweep.registry));
    return "";
  } catch (const UsageError& error) {
    return error.what();
  } catch (const InputError& error) {
    return error.what();
  }
}

SimulationOptions fixedOptions(const ReadySweep& sweep) {
  return sweep.optionsOf({.number = 1, .values = {}, .seed = {}});
}

/// Reads the scene as it is. What is wrong in it has its own places.
void findSceneOf(ReadySweep& sweep) {
  SimulationOptions options;
  options.scene = sweep.study.scene;
  try {
    sweep.scene = findScene(options, sweep.registry);
  } catch (const UsageError& error) {
    throw InputError(sweep.study.problemAt("/scene", error.what()));
  } catch (const InputError& error) {
    throw InputError(sweep.study.problemAt("/scene", error.what()));
  }
  setUpScene(sweep.scene, options, sweep.registry);
}

/// The fixed settings one after the other, so that the first wrong one is named.
void checkSet(const ReadySweep& sweep, Problems& problems) {
  SimulationOptions options = fixedOptions(sweep);
  for (std::size_t i = 0; i < sweep.study.set.size(); ++i) {
    options.sets.assign(sweep.study.set.begin(),
                        sweep.study.set.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    const std::string problem = problemOf(sweep, options);
    if (problem.empty()) continue;
    const std::string& text = sweep.study.set[i];
    const std::string key = text.substr(0, text.find('='));
    problems.push_back(sweep.study.problemAt("/set/" + escapePointerToken(key), problem));
    return;
  }
}

bool varies(const Study& study, const std::string& key) {
  return std::ranges::find(study.parameters, key, &StudyParameter::key) != study.parameters.end();
}

/// A parameter is wrong where none of its values can be run by itself: then its key is, most
/// likely. Single values that are wrong are rows of the table.
void checkParameter(const ReadySweep& sweep, const StudyParameter& parameter, Problems& problems) {
  // What settings there are depends on the solver.
  if (solverSetting(parameter.key) && varies(sweep.study, "solver.name")) return;
  std::vector<std::string> values = parameter.values;
  if (values.empty()) values = {parameter.valueAt(0), parameter.valueAt(1 - 0x1.0p-53)};
  std::string first;
  for (const std::string& value : values) {
    SimulationOptions options = fixedOptions(sweep);
    options.sets.push_back(parameter.key + "=" + value);
    const std::string problem = problemOf(sweep, options);
    if (problem.empty()) return;
    if (first.empty()) first = problem;
  }
  problems.push_back(
      sweep.study.problemAt(parameter.pointer, "no run can be made with it: " + first));
}

void findSeeds(ReadySweep& sweep, Problems& problems) {
  const Study& study = sweep.study;
  if (study.repeats == 0) return;
  for (const ParameterOverride& seed : seedOverrides(sweep.scene, study.seed)) {
    sweep.seedKeys.push_back(seed.path);
    const bool isSet = std::ranges::any_of(
        study.set, [&](const std::string& one) { return one.starts_with(seed.path + "="); });
    if (isSet || varies(study, seed.path)) {
      problems.push_back(study.problemAt(
          "/repeats",
          fmt::format("gives the scene other seeds, and so does \"{}\" in \"{}\"; leave "
                      "one out",
                      seed.path, isSet ? "set" : "vary")));
    }
  }
  if (sweep.seedKeys.empty()) {
    problems.push_back(study.problemAt(
        "/repeats",
        "nothing in the scene is random (it has no random_fill), so that all repeats "
        "would be the same; leave it out"));
  }
}

void checkBodies(const ReadySweep& sweep, const Scene& scene, Problems& problems) {
  std::vector<std::string> names;
  for (const BodyDefinition& body : scene.bodies) names.push_back(body.name);
  for (std::size_t i = 0; i < sweep.study.figures.size(); ++i) {
    const std::string body = bodyOfFigure(sweep.study.figures[i]);
    if (body.empty() || std::ranges::find(names, body) != names.end()) continue;
    problems.push_back(sweep.study.problemAt(
        fmt::format("/figures/{}", i),
        fmt::format("the scene has no body \"{}\"; {}", body,
                    nearNames(body, names).empty() ? "`drystone run SCENE --bodies` lists them"
                                                   : didYouMean(body, names))));
  }
}

/// Of all that decides the results, and the order of the runs.
std::string hashOf(const ReadySweep& sweep, const Scene& scene) {
  Hasher hasher;
  const auto add = [&hasher](const std::string& text) {
    hasher.add(text.size());
    hasher.bytes(text.data(), text.size());
  };
  // Neither blanks nor comments count.
  add(nlohmann::ordered_json::parse(plainJson(sweep.study.text)).dump());
  add(sweep.scene.text);
  for (const SceneFile& file : scene.attachments) add(file.text);
  add(versionText());
  add(buildText());
  return hashText(hasher.value());
}

}  // namespace

ReadySweep prepareSweep(const std::string& path) {
  ReadySweep sweep{.study = readStudy(path),
                   .registry = makeRegistry(),
                   .scene = {},
                   .figures = {},
                   .seedKeys = {},
                   .hash = {}};
  findSceneOf(sweep);
  Problems problems;
  checkSet(sweep, problems);
  if (!problems.empty()) throw InputError(problems);
  findSeeds(sweep, problems);
  for (const StudyParameter& parameter : sweep.study.parameters) {
    checkParameter(sweep, parameter, problems);
  }
  SimulationOptions options = fixedOptions(sweep);
  options.warns = true;
  const ReadyScene scene = setUpScene(sweep.scene, options, sweep.registry);
  checkBodies(sweep, scene, problems);
  if (!problems.empty()) throw InputError(problems);
  logWarnings(sceneWarnings(scene, sweep.registry));
  for (const std::string& name : sweep.study.figures) sweep.figures.push_back(figureNamed(name));
  sweep.hash = hashOf(sweep, scene);
  return sweep;
}

}  // namespace drystone::cli
