#pragma once

#include <vector>

#include "viewer/window/interface.h"
#include "viewer/window/script.h"

namespace drystone::viewer {

/// Does the lines of a script, at most one waiting line a picture.
class ScriptRunner {
 public:
  explicit ScriptRunner(std::vector<ScriptLine> script) : script_(std::move(script)) {}

  /// Called once a picture. Throws InputError for a line that cannot be done, or whose wait took
  /// more than some minutes.
  void advance(AppState& app, Interface& interface);
  bool active() const { return next_ < script_.size(); }

 private:
  bool perform(const ScriptLine& line, AppState& app, Interface& interface);
  /// The value that a line `set` changes.
  static ParameterOverride changeOf(const ScriptLine& line);
  /// Throws InputError for an answer that is none.
  static bool isAnswered(const ScriptLine& line, bool waits, const Answer& answer);
  [[noreturn]] static void fail(const ScriptLine& line, const std::string& what);

  std::vector<ScriptLine> script_;
  std::size_t next_ = 0;
  int waited_ = 0;     ///< pictures, in the present line
  double begun_ = -1;  ///< of the present line [s]
};

}  // namespace drystone::viewer
