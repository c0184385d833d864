#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "engine/model/body.h"

namespace drystone::viewer {

/// A file that a test or a program around the viewer reads along: a line for all that happened,
/// written at once.
class Journal {
 public:
  /// An empty path: nothing is written. Throws InputError when the file cannot be written.
  explicit Journal(const std::string& path);
  void say(const std::string& line);

 private:
  std::ofstream file_;
};

/// What of the viewer is told when it changes. Not what was asked for: what came of it.
struct Watched {
  std::string scene, solver;
  std::int64_t step = 0;
  bool paused = true, ended = false;
  bool loops = false;
  bool panels = true, help = false;
  bool foldLeft = false, foldRight = false;  ///< side bars
  std::map<std::string, bool> sections;      ///< whether open, of those that are not as at first
  bool contacts = false, forces = false, islands = false, wireframe = false, transparent = false;
  double speed = 1;
  bool follow = false, profiler = false;
  bool raceOpen = false, racing = false, recording = false;
  std::size_t bodies = 0;
  std::string selected;  ///< name of the body; empty: none
};

/// A line for each difference: `paused`, `step 12`, `solver bpp`, `contacts on`. Steps are told
/// while the simulation is paused only: a running one makes too many.
std::vector<std::string> changesBetween(const Watched& before, const Watched& now);

}  // namespace drystone::viewer
