#pragma once

#include <memory>
#include <stdexcept>

#include "viewer/render/renderer.h"

namespace drystone::viewer {

/// There is nothing here to draw with. `what()` says what is missing and what to install.
class NoDisplayError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An OpenGL 3.3 core context without a surface.
class EglContext {
 public:
  /// Current on this thread afterwards. Throws NoDisplayError.
  explicit EglContext(bool debug);
  ~EglContext();
  void makeCurrent() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Pictures without a window or display: a surfaceless EGL context of its own, on the thread that
/// made it.
class OffscreenRenderer {
 public:
  /// Throws NoDisplayError, naming the package or driver that is missing, and InputError when the
  /// device cannot draw pictures of that size [pixels].
  OffscreenRenderer(int width, int height, const RenderSettings& settings = {});
  ~OffscreenRenderer();
  Image render(const DrawList& list, const Camera& camera);
  /// Renderer::takeErrors of this context.
  std::string takeErrors();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace drystone::viewer
