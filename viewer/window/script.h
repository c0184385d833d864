#pragma once

#include <string>
#include <vector>

namespace drystone::viewer {

/// One line of a script that drives the viewer, for tests and for the pictures of the manual.
enum class ScriptVerb {
  kFrames,      ///< N: wait for so many pictures
  kStep,        ///< N: wait until the simulation has done so many steps
  kKey,         ///< NAME: as if the key was pressed
  kScene,       ///< PATH: open, and wait until it is there
  kSet,         ///< KEY=VALUE: of the scene, and wait until it has begun again
  kSolver,      ///< NAME
  kSelect,      ///< BODY
  kOpen,        ///< KEY: of a section of the side bars
  kClose,       ///< KEY, or `all`
  kRace,        ///< NAME,NAME…: start, and wait until it is finished
  kScreenshot,  ///< FILE
  kQuit,
};

struct ScriptLine {
  int number = 0;  ///< in the file, from 1
  ScriptVerb verb = ScriptVerb::kQuit;
  std::string argument;
  int count = 0;  ///< the argument of kFrames and kStep
};

/// Lines of a verb and its argument; empty ones and those that begin with # are left out. Throws
/// InputError with every mistake, each as `LABEL:line: what`.
std::vector<ScriptLine> parseScript(const std::string& text, const std::string& label);

/// Throws InputError also when the file cannot be read.
std::vector<ScriptLine> readScript(const std::string& path);

}  // namespace drystone::viewer
