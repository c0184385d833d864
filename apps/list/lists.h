#pragma once

#include <string>

#include "solvers/driver/registry.h"

namespace drystone::cli {

/// What `list solvers` shows where it names no solver.
struct SolverListOptions {
  bool reference = false;  ///< the methods that are kept to measure against, not the main shelf
  bool settings = false;   ///< of every solver
  bool isLong = false;     ///< all columns, also on a terminal
  bool json = false;       ///< an array of all solvers, always with their settings
};

/// The text of `list solvers`: a Markdown table; of one solver (`name` not empty) all that it says
/// of itself, with its settings. Throws UsageError for an unknown name.
std::string solverList(const SolverRegistry& registry, const std::string& name,
                       const SolverListOptions& options);

/// What `list scenes` shows.
struct SceneListOptions {
  bool isLong = false;  ///< whole descriptions and all columns; else what fits the terminal
  bool json = false;    ///< an array that always has the parameters
};

/// The text of `list scenes`: a Markdown table of the library; of one scene (`name` not empty) what
/// it is, what it runs with and its parameters. Throws UsageError for an unknown name.
std::string sceneList(const std::string& name, const SceneListOptions& options);

/// What `list keys` shows.
struct KeyListOptions {
  bool isLong = false;  ///< whole cells, also on a terminal
  bool json = false;    ///< the schema or its part
};

/// The text of `list keys`: a Markdown table of the objects of scene files; of one of them (`name`
/// not empty) its keys with their defaults and ranges. Throws UsageError for an unknown name.
std::string keyList(const std::string& name, const KeyListOptions& options);

/// The text of `list devices`: a Markdown table of the processor and the CUDA devices, or JSON.
std::string deviceList(bool json);

}  // namespace drystone::cli
