#pragma once

#include <map>
#include <string>

namespace drystone::viewer {

/// What the window looks like beside the scene: kept from one run to the next.
struct Layout {
  int width = 1280, height = 720;            ///< of the window [points]
  float left = 300, right = 310;             ///< widths of the side bars [points]
  bool panels = true;                        ///< false: the scene alone
  bool foldLeft = false, foldRight = false;  ///< side bars that are a strip with a button
  std::map<std::string, bool> open;          ///< sections by key, where it is not their default

  bool isOpen(const std::string& section, bool byDefault) const;
};

/// $XDG_CONFIG_HOME/drystone/layout.ini, or ~/.config/drystone/layout.ini; empty without either.
std::string layoutPath();

/// Lines `key = value`; what is not understood or out of range is left at its default, so that a
/// file of another version does no harm.
Layout parseLayout(const std::string& text);
std::string layoutText(const Layout& layout);

/// A file that is not there gives the default.
Layout loadLayout(const std::string& path);
/// False when the file cannot be written, which is no error.
bool saveLayout(const Layout& layout, const std::string& path);

}  // namespace drystone::viewer
