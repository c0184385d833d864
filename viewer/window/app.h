#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>

#include "scenes/scene.h"
#include "solvers/driver/registry.h"
#include "viewer/session/simulation.h"

namespace drystone::viewer {

struct AppOptions {
  std::string path;                  ///< scene of the library, scene file or recording
  std::optional<Scene> scene;        ///< that was read from the path already and may differ from it
  SceneReader read;                  ///< reads it so again, from another thread; none: by the path
  std::optional<int> width, height;  ///< [points]; else as it was last
  bool paused = false;
  std::optional<std::int64_t> frames;  ///< close after so many pictures
  std::string log;                     ///< file for tests, see journal.h; empty: none
  std::string script;                  ///< file, see script.h; empty: none
  std::function<bool()> interrupted;   ///< asked several times a second: true closes; none: never
};

/// How the window came to its end.
struct AppEnd {
  bool interrupted = false;    ///< AppOptions::interrupted closed it
  bool withinStep = false;     ///< the last step still runs, and ends with the process alone
  std::exception_ptr problem;  ///< a line of the script failed, or what the window did; null: none
};

/// Shows a window until it is closed; videos are ended then. Throws InputError for what is wrong in
/// the scene, before a window opens, and NoDisplayError (viewer/render/offscreen.h) where none can
/// be had.
AppEnd runApp(const AppOptions& options, const SolverRegistry& registry);

}  // namespace drystone::viewer
