#include "viewer/window/panels/section.h"

namespace drystone::viewer {

std::vector<Section> makeSections() {
  return {sceneSection(),    parametersSection(), drawingSection(),   logSection(),
          solverSection(),   countersSection(),   inspectorSection(), convergenceSection(),
          profilerSection(), energySection()};
}

}  // namespace drystone::viewer
