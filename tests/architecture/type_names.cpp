// The types that a file defines, for the rule that each name has one file.
#include <algorithm>
#include <regex>
#include <sstream>

#include "tests/architecture/source_rules.h"

namespace drystone {
namespace {

constexpr const char* kBlock = "{";  // what is no namespace

/// Namespaces, definitions of types with their base classes, enumerations and all other braces. Not
/// a member type that is defined outside of its class, `struct Renderer::State {`.
const std::regex& pattern() {
  static const std::regex instance(
      R"(\bnamespace(?:\s+([\w:]+))?\s*\{|\benum\s+(?:struct|class)\b|)"
      R"(\b(?:struct|class)\s+(\w+)(?:\s+final)?\s*(?::(?!:)[^;{}()]*)?\{|\{|\})");
  return instance;
}

}  // namespace

std::vector<std::string> typesDefinedIn(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string code;
  for (std::string line; std::getline(lines, line);) code += codeOf(line) + '\n';
  std::vector<std::string> types;
  std::vector<std::string> around;  // an anonymous namespace hides its types, so it is a block here
  for (std::sregex_iterator at(code.begin(), code.end(), pattern()), end; at != end; ++at) {
    const std::smatch& match = *at;
    const std::string found = match.str();
    if (found == "}") {
      if (!around.empty()) around.pop_back();
    } else if (match[2].matched) {
      if (std::ranges::count(around, kBlock) == 0) {
        std::string name;
        for (const std::string& space : around) name += space + "::";
        types.push_back(name + match[2].str());
      }
      around.emplace_back(kBlock);
    } else if (found.ends_with('{')) {
      around.push_back(match[1].matched ? match[1].str() : kBlock);
    }
  }
  return types;
}

}  // namespace drystone
