// Errors for Python: messages of the library with the names that Python has for what they speak of.

#include <algorithm>
#include <array>
#include <regex>
#include <string>
#include <string_view>

#include "bindings/python/binding.h"
#include "core/input_error.h"

namespace drystone::python {
namespace {

/// Setters of the library that are properties in Python.
constexpr std::array<std::string_view, 17> kProperties = {
    "set_mass",      "set_kind",        "set_gravity",          "set_timestep",
    "set_threads",   "set_locked_axes", "set_sensor",           "set_allow_sleep",
    "set_material",  "set_user_data",   "set_gravity_scale",    "set_surface_velocity",
    "set_collide",   "set_gear_ratio",  "set_breaking_impulse", "set_swing_limit",
    "set_compliance"};

struct Wording {
  std::string_view text, inPython;
};
constexpr Wording kWordings[] = {
    {"RestoreMode::kMatching or kByName", "mode=\"matching\" or \"by_name\""},
    {"setKind first", "set its kind first"},
    {"massOf(shape, mass) gives that of the shape with the mass",
     "without one that of the shape is taken, at the mass"},
    {"motor on coordinate 0", "motor on ALONG_X"},
    {"motor on coordinate 1", "motor on ALONG_Y"},
    {"motor on coordinate 2", "motor on ALONG_Z"},
    {"motor on coordinate 3", "motor on ABOUT_X"},
    {"motor on coordinate 4", "motor on ABOUT_Y"},
    {"motor on coordinate 5", "motor on ABOUT_Z"},
};

/// `setMotorTarget` as set_motor_target; `setKind` as kind.
std::string pythonName(const std::string& name) {
  std::string text;
  for (const char letter : name) {
    const bool isUpper = letter >= 'A' && letter <= 'Z';
    if (isUpper) text += '_';
    text += isUpper ? static_cast<char>(letter - 'A' + 'a') : letter;
  }
  const bool isProperty = std::ranges::find(kProperties, text) != kProperties.end();
  return isProperty ? text.substr(4) : text;
}

std::string pythonLine(std::string line) {
  for (const auto& [text, inPython] : kWordings) {
    const std::size_t at = line.find(text);
    if (at != std::string::npos) line.replace(at, text.size(), inPython);
  }
  // Options of the program are arguments here: `--set scene.angle=30`, `--set world.timestep=1`.
  static const std::regex parameter(R"(--set scene\.([^ =]+)=)"), other(R"(--set ([^ =]+)=)");
  line = std::regex_replace(line, parameter, R"(parameter "$1": )");
  line = std::regex_replace(line, other, R"(override "$1": )");
  // Keys of a call are read as JSON that the user has not written: its lines say nothing.
  static const std::regex place(
      R"(^(add_\w+|set_\w+|shape_cast|overlap|closest_\w+|World|scene):\d+:\d+ )"
      R"((?:/bodies/0|/joints/0|/world|/solver)?(?:/shape(?=/\w))?/?([^ :]*):? )");
  std::smatch found;
  if (std::regex_search(line, found, place)) {
    const std::string key = found[2].str();
    return found[1].str() + ": " + (key.empty() ? "" : key + ": ") + found.suffix().str();
  }
  static const std::regex function(R"(^[a-z]+(?:[A-Z][A-Za-z]*)+(?=: ))");
  if (std::regex_search(line, found, function)) {
    return pythonName(found.str()) + found.suffix().str();
  }
  return line;
}

std::string pythonText(const std::string& message) {
  std::string text;
  for (std::size_t begin = 0; begin <= message.size();) {
    const std::size_t end = std::min(message.find('\n', begin), message.size());
    text += (begin == 0 ? "" : "\n") + pythonLine(message.substr(begin, end - begin));
    begin = end + 1;
  }
  return text;
}

}  // namespace

void addErrors(py::module_& module) {
  static py::exception<InputError> inputError(module, "InputError", PyExc_ValueError);
  inputError.attr("__doc__") =
      "Bad input. The text names every problem, each with its place and the remedy. The call that "
      "raised it has changed nothing.";
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      inputError(pythonText(error.what()).c_str());
    }
  });
}

}  // namespace drystone::python
