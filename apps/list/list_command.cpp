#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "apps/commands.h"
#include "apps/list/lists.h"
#include "apps/support/command_line.h"
#include "apps/support/json_values.h"
#include "apps/support/option_checks.h"
#include "apps/support/program.h"
#include "apps/support/solver_registry.h"
#include "apps/support/table.h"

namespace drystone::cli {
namespace {

struct ListOptions {
  std::string what, name;
  SolverListOptions list;
  bool isLong = false;
};

void printList(const Json& json, const Table& table, bool asJson) {
  fmt::print("{}", asJson ? jsonText(json) : table.markdown());
}

void listCommands(const CLI::App& program, bool asJson) {
  Json json = Json::array();
  Table table({{"command"}, {"what it does"}});
  for (const CLI::App* command : program.get_subcommands({})) {
    Json options = Json::array();
    for (const CLI::Option* option : command->get_options()) {
      options.push_back({{"name", option->get_name()}, {"description", option->get_description()}});
    }
    json.push_back({{"name", command->get_name()},
                    {"description", command->get_description()},
                    {"options", options}});
    table.addRow({command->get_name(), command->get_description()});
  }
  printList(json, table, asJson);
}

int list(const CLI::App& program, const ListOptions& options) {
  static const std::vector<std::string> kKinds = {"solvers", "scenes", "keys", "commands",
                                                  "devices"};
  const int kind = chooseName("list of", options.what, kKinds);
  if (kind != 0 && (options.list.settings || options.list.reference)) {
    throw UsageError("--settings and --reference go with `list solvers` only");
  }
  if (kind > 2 && options.isLong) {
    throw UsageError("--long goes with `list solvers`, `list scenes` and `list keys` only");
  }
  if (kind > 2 && !options.name.empty()) {
    throw UsageError("a name goes with `list solvers`, `list scenes` and `list keys` only");
  }
  SolverListOptions solvers = options.list;
  solvers.isLong = options.isLong;
  switch (kind) {
    case 0:
      fmt::print("{}", solverList(makeRegistry(), options.name, solvers));
      if (options.name.empty() && !options.list.reference && !options.list.json) {
        fmt::print(stderr, "The methods of the literature: drystone list solvers --reference\n");
      }
      break;
    case 1:
      fmt::print("{}",
                 sceneList(options.name, {.isLong = options.isLong, .json = options.list.json}));
      if (options.name.empty() && !options.isLong && !options.list.json) {
        fmt::print(stderr,
                   "Whole descriptions, solvers, rows and mass ratios: drystone list scenes "
                   "--long\n");
      }
      break;
    case 2:
      fmt::print("{}",
                 keyList(options.name, {.isLong = options.isLong, .json = options.list.json}));
      break;
    case 3:
      listCommands(program, options.list.json);
      break;
    default:
      fmt::print("{}", deviceList(options.list.json));
  }
  return kDone;
}

}  // namespace

Command addListCommand(CLI::App& program) {
  auto options = std::make_shared<ListOptions>();
  CLI::App* app = program.add_subcommand(
      "list", "List solvers, scenes, keys of scene files, commands or devices");
  app->add_option("what", options->what, "solvers, scenes, keys, commands or devices")
      ->type_name("WHAT")
      ->required();
  app->add_option(
         "name", options->name,
         "One solver with its settings, scene with its parameters, object with its keys, or key "
         "with its objects")
      ->type_name("NAME")
      ->transform(notEmpty());
  app->add_flag("--reference", options->list.reference,
                "The solvers of the literature that are kept to measure against");
  app->add_flag("--settings", options->list.settings, "Settings of every solver");
  app->add_flag(
      "--long", options->isLong,
      "Lines of any length: all columns and whole descriptions, which a terminal does not "
      "get");
  app->add_flag("--json", options->list.json, "Print JSON");
  app->footer(
      "Example:\n"
      "  drystone list solvers\n"
      "  drystone list solvers --reference\n"
      "  drystone list solvers nsgs\n"
      "  drystone list scenes --long\n"
      "  drystone list scenes heavy_on_light\n"
      "  drystone list keys world\n"
      "  drystone list keys part_materials\n"
      "  drystone list keys --json > scene.schema.json\n"
      "The lists are Markdown tables.");
  const CLI::App* root = &program;
  return {app, [root, options] { return list(*root, *options); },
          "name what to list: solvers, scenes, keys, commands or devices"};
}

}  // namespace drystone::cli
