#pragma once

#include <memory>

#include "viewer/render/renderer.h"

namespace drystone::viewer {

/// Pictures without a window or display: a surfaceless EGL context of its own, current on the
/// thread that made it.
class OffscreenRenderer {
 public:
  /// Throws NoDisplayError, naming the package or driver that is missing.
  OffscreenRenderer(int width, int height, const RenderSettings& settings = {});
  ~OffscreenRenderer();
  Image render(const DrawList& list, const Camera& camera);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace drystone::viewer
