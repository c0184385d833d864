#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/support/log.h"
#include "apps/support/option_checks.h"
#include "apps/support/output_file.h"
#include "apps/support/program.h"
#include "scenes/importing/import_model.h"

namespace drystone::cli {
namespace {

struct ImportCommandOptions {
  std::string model;
  std::string out;  ///< empty: stdout
  bool isFixed = false, isFree = false;
  bool holdJoints = false;
};

ImportOptions importOptions(const ImportCommandOptions& options) {
  ImportOptions out;
  if (options.isFixed) out.base = RobotBase::kFixed;
  if (options.isFree) out.base = RobotBase::kFree;
  out.holdJoints = options.holdJoints;
  return out;
}

int import(const ImportCommandOptions& options) {
  if (!options.out.empty()) {
    refuseInputFile(options.out, "--out", std::vector{options.model});
    checkWritableFile(options.out, "--out");
  }
  const ImportedScene scene = importModel(options.model, importOptions(options));
  for (const std::string& note : scene.notes) logInfo(note);
  if (options.out.empty()) {
    fmt::print("{}", scene.text);
  } else {
    // A line file ends its lines by itself.
    LineFile(options.out, "--out").writeLine(scene.text.substr(0, scene.text.size() - 1));
  }
  return kDone;
}

}  // namespace

Command addImportCommand(CLI::App& program) {
  auto options = std::make_shared<ImportCommandOptions>();
  CLI::App* app =
      program.add_subcommand("import", "Make a scene of a robot in URDF or a model in MJCF");
  app->add_option("model", options->model, "URDF or MJCF file")
      ->type_name("MODEL")
      ->transform(notEmpty())
      ->required();
  app->add_option("--out,-o", options->out, "Scene file to write; without it stdout")
      ->type_name("FILE")
      ->transform(notEmpty());
  CLI::Option* fixed = app->add_flag("--fixed-base", options->isFixed,
                                     "The root of a URDF robot does not move; not for MJCF");
  app->add_flag("--free-base", options->isFree, "The root of a URDF robot moves; not for MJCF")
      ->excludes(fixed);
  app->add_flag("--hold", options->holdJoints,
                "Give each URDF joint with an effort a motor that holds its start; not for MJCF");
  app->footer(
      "Notes on stderr name what is left out, each with its first line and its count.\n\n"
      "Example:\n"
      "  drystone import robot.urdf -o robot.json --fixed-base\n"
      "  drystone run robot.json\n");
  return {app, [options] { return import(*options); },
          "name the model to import: a URDF or MJCF file"};
}

}  // namespace drystone::cli
