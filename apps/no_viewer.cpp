// In place of apps/viewer/ in builds without the viewer: its commands are there and say why they
// cannot.
#include "apps/commands.h"

#include <CLI/CLI.hpp>

#include "apps/support/program.h"

namespace drystone::cli {
namespace {

Command addMissing(CLI::App& program, const char* name, const char* description) {
  CLI::App* app = program.add_subcommand(name, description);
  app->allow_extras();
  const std::string problem =
      std::string(name) +
      ": this drystone was built without the viewer. Install what it needs (scripts/setup), "
      "configure with -DDRYSTONE_BUILD_VIEWER=ON and build again";
  return {app, [problem]() -> int { throw NoDeviceError(problem); }, problem};
}

}  // namespace

Command addRenderCommand(CLI::App& program) {
  return addMissing(program, "render",
                    "Draw a scene or recording into a picture or video (not in this build)");
}

Command addViewCommand(CLI::App& program) {
  return addMissing(program, "view", "Show a scene or recording in a window (not in this build)");
}

}  // namespace drystone::cli
