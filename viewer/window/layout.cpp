#include "viewer/window/layout.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

namespace drystone::viewer {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOpen = "open.";

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

/// Leaves `value` where the text is no number or out of range.
template <class Number>
void readNumber(const std::string& text, double low, double high, Number& value) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != 0 || !(number >= low && number <= high)) return;
  value = static_cast<Number>(number);
}

void readLine(const std::string& key, const std::string& value, Layout& layout) {
  if (key == "width") readNumber(value, 320, 16384, layout.width);
  if (key == "height") readNumber(value, 240, 16384, layout.height);
  if (key == "left") readNumber(value, 180, 1000, layout.left);
  if (key == "right") readNumber(value, 180, 1000, layout.right);
  const bool isYes = value == "yes";
  if (!isYes && value != "no") return;
  if (key == "panels") layout.panels = isYes;
  if (key == "fold_left") layout.foldLeft = isYes;
  if (key == "fold_right") layout.foldRight = isYes;
  if (key.starts_with(kOpen)) layout.open[key.substr(kOpen.size())] = isYes;
}

}  // namespace

bool Layout::isOpen(const std::string& section, bool byDefault) const {
  const auto at = open.find(section);
  return at == open.end() ? byDefault : at->second;
}

std::string layoutPath() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  fs::path folder;
  // The specification of these folders has relative paths ignored.
  if (config != nullptr && fs::path(config).is_absolute()) {
    folder = config;
  } else if (home != nullptr && *home != 0) {
    folder = fs::path(home) / ".config";
  } else {
    return "";
  }
  return (folder / "drystone" / "layout.ini").string();
}

Layout parseLayout(const std::string& text) {
  Layout layout;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto equals = line.find('=');
    if (equals == std::string::npos) continue;
    readLine(trimmed(line.substr(0, equals)), trimmed(line.substr(equals + 1)), layout);
  }
  return layout;
}

std::string layoutText(const Layout& layout) {
  const auto word = [](bool value) { return value ? "yes" : "no"; };
  std::string text = fmt::format(
      "width = {}\nheight = {}\nleft = {:.0f}\nright = {:.0f}\npanels = {}\nfold_left = {}\n"
      "fold_right = {}\n",
      layout.width, layout.height, layout.left, layout.right, word(layout.panels),
      word(layout.foldLeft), word(layout.foldRight));
  for (const auto& [section, isOpen] : layout.open) {
    text += fmt::format("{}{} = {}\n", kOpen, section, word(isOpen));
  }
  return text;
}

Layout loadLayout(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  return parseLayout(text.str());
}

bool saveLayout(const Layout& layout, const std::string& path) {
  if (path.empty()) return false;
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  std::ofstream file(path);
  file << layoutText(layout);
  file.flush();
  return file.good();
}

}  // namespace drystone::viewer
