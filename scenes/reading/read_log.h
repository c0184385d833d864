#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace drystone {

class SceneDescription;

/// One thing wrong with a scene.
struct LoggedProblem {
  std::string pointer;  ///< JSON pointer of the offending value
  bool atKey = false;   ///< the key is what is wrong, not its value
  std::string message;
  std::optional<std::size_t> offset = {};  ///< byte in the text, when the pointer does not tell
  std::string source = {};                 ///< "--set world.timestep=0": not in the text at all
};

/// What the reading of a scene found out. Readers add problems and go on, so that a file's errors
/// are all reported together.
struct ReadLog {
  std::vector<LoggedProblem> problems;
  std::vector<LoggedProblem> warnings;  ///< what looks wrong but can be run
  /// Likewise, by kind: the first ten of each kind become warnings.
  std::map<std::string_view, std::vector<LoggedProblem>> doubts;
  /// Values that came from elsewhere, by pointer: "--set world.timestep".
  std::map<std::string, std::string> overridden;
  /// Values that a parameter stood for, by pointer: "$ratio".
  std::map<std::string, std::string> fromParameter;
  /// Values that name a parameter that there is not, by pointer: reported once, as that.
  std::set<std::string> unresolved;
  /// Where set, gets all keys that readers ask for, with their types.
  SceneDescription* description = nullptr;

  bool clean() const { return problems.empty(); }
};

/// The problems, each with its place, in the order of the text: the first thousand.
std::vector<std::string> placedMessages(const std::vector<LoggedProblem>& problems,
                                        const ReadLog& log, std::string_view text,
                                        const std::string& label);

/// The most warnings of one kind: the others are alike, as a rule.
constexpr std::size_t kMostWarningsOfAKind = 10;

/// Adds the first ten of what is of one kind to the warnings, and a count of the rest. Of equal
/// places, such as those of a generator, only the first counts.
void warnOfFirst(std::vector<LoggedProblem> found, ReadLog& log);

/// Throws InputError with all problems in the order of the text, each with its place. Does nothing
/// when there are none.
void throwProblems(const ReadLog& log, std::string_view text, const std::string& label);

/// `there is no KIND "NAME"; did you mean …`, for a name that is none of the scene's `names` of
/// that kind.
std::string missingName(std::string_view kind, std::string_view name,
                        std::vector<std::string> names);

}  // namespace drystone
