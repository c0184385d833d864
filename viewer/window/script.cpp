#include "viewer/window/script.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <sstream>

#include "core/input_error.h"
#include "core/wording.h"

namespace drystone::viewer {
namespace {

enum class Argument { kNone, kText, kCount };

struct VerbInfo {
  const char* name;
  ScriptVerb verb;
  Argument argument;
};

constexpr VerbInfo kVerbs[] = {
    {"frames", ScriptVerb::kFrames, Argument::kCount},
    {"step", ScriptVerb::kStep, Argument::kCount},
    {"key", ScriptVerb::kKey, Argument::kText},
    {"scene", ScriptVerb::kScene, Argument::kText},
    {"set", ScriptVerb::kSet, Argument::kText},
    {"solver", ScriptVerb::kSolver, Argument::kText},
    {"select", ScriptVerb::kSelect, Argument::kText},
    {"open", ScriptVerb::kOpen, Argument::kText},
    {"close", ScriptVerb::kClose, Argument::kText},
    {"race", ScriptVerb::kRace, Argument::kText},
    {"screenshot", ScriptVerb::kScreenshot, Argument::kText},
    {"quit", ScriptVerb::kQuit, Argument::kNone},
};

const VerbInfo* findVerb(const std::string& name) {
  for (const VerbInfo& info : kVerbs) {
    if (name == info.name) return &info;
  }
  return nullptr;
}

std::string unknownVerb(const std::string& name) {
  std::vector<std::string> names;
  for (const VerbInfo& info : kVerbs) names.emplace_back(info.name);
  return fmt::format("there is no verb '{}'; {}", name, didYouMean(name, names));
}

/// What is wrong with the line, or empty.
std::string readLine(const std::string& text, ScriptLine& line) {
  const auto space = text.find(' ');
  const std::string verb = text.substr(0, space);
  const VerbInfo* info = findVerb(verb);
  if (info == nullptr) return unknownVerb(verb);
  line.verb = info->verb;
  if (space != std::string::npos) line.argument = text.substr(text.find_first_not_of(' ', space));
  if (info->argument == Argument::kNone) {
    return line.argument.empty() ? "" : fmt::format("'{}' takes no argument", verb);
  }
  if (line.argument.empty()) return fmt::format("'{}' needs an argument", verb);
  if (info->argument == Argument::kText) return "";
  const char* end = line.argument.data() + line.argument.size();
  const auto [rest, error] = std::from_chars(line.argument.data(), end, line.count);
  if (error == std::errc() && rest == end && line.count >= 0) return "";
  return fmt::format("'{}' needs a whole number from 0, not '{}'", verb, line.argument);
}

}  // namespace

std::vector<ScriptLine> parseScript(const std::string& text, const std::string& label) {
  std::vector<ScriptLine> script;
  std::vector<std::string> problems;
  std::istringstream lines(text);
  int number = 0;
  for (std::string raw; std::getline(lines, raw);) {
    ++number;
    const auto end = raw.find_last_not_of(" \t\r");
    if (end == std::string::npos || raw.front() == '#') continue;
    ScriptLine line;
    line.number = number;
    const std::string problem = readLine(raw.substr(0, end + 1), line);
    if (problem.empty()) {
      script.push_back(line);
    } else {
      problems.push_back(fmt::format("{}:{}: {}", label, number, problem));
    }
  }
  if (!problems.empty()) throw InputError(problems);
  return script;
}

std::vector<ScriptLine> readScript(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw InputError(fmt::format("{}: cannot be read", path));
  std::ostringstream text;
  text << file.rdbuf();
  return parseScript(text.str(), path);
}

}  // namespace drystone::viewer
