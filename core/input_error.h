#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace drystone {

/// Bad user input: an argument of the library, a scene or a problem file. `what()` names every
/// problem found, one a line, each with its place and the remedy. Programs exit with code 3.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& problem) : InputError(std::vector{problem}) {}
  explicit InputError(std::vector<std::string> problems)
      : std::runtime_error(join(problems)), problems_(std::move(problems)) {}

  const std::vector<std::string>& problems() const { return problems_; }

 private:
  static std::string join(const std::vector<std::string>& problems) {
    std::string text;
    for (const std::string& problem : problems) text += (text.empty() ? "" : "\n") + problem;
    return text;
  }

  std::vector<std::string> problems_;
};

}  // namespace drystone
