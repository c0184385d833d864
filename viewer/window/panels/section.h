#pragma once

#include <functional>
#include <vector>

namespace drystone::viewer {

struct AppState;

/// A part of a side bar that opens and closes.
struct Section {
  const char* key;  ///< in layout.ini and scripts
  const char* title;
  bool isLeft = true;
  bool open = true;  ///< unless the layout says otherwise
  std::function<void(AppState&)> draw;
};

// Each in the file of its name.
Section sceneSection();
Section parametersSection();
Section solverSection();
Section drawingSection();
Section logSection();
Section countersSection();
Section profilerSection();
Section convergenceSection();
Section energySection();
Section inspectorSection();

/// In the order of the side bars.
inline std::vector<Section> makeSections() {
  return {sceneSection(),    parametersSection(), drawingSection(),   logSection(),
          solverSection(),   countersSection(),   inspectorSection(), convergenceSection(),
          profilerSection(), energySection()};
}

}  // namespace drystone::viewer
