#pragma once

#include <memory>

#include "viewer/render/image.h"
#include "viewer/scene/camera.h"
#include "viewer/scene/draw_list.h"

namespace drystone::viewer {

struct RenderSettings {
  int samples = 4;        ///< multisampling; 1: none
  int shadowSize = 2048;  ///< side of the shadow map [pixels]
};

/// Draws a list with OpenGL 3.3 core. Made and used with the same context current, on its thread.
class Renderer {
 public:
  /// Throws std::runtime_error with the driver's words when a shader does not compile.
  explicit Renderer(const RenderSettings& settings = {});
  ~Renderer();
  /// Draws into the framebuffer that is bound, of that size [pixels].
  void draw(const DrawList& list, const Camera& camera, int width, int height);
  /// Reads the bound framebuffer's pixels as seen.
  Image read(int width, int height) const;
  /// Name of the driver and device, for logs.
  static std::string deviceName();
  /// glGetError until it is quiet: the names, empty when there was none.
  static std::string takeErrors();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace drystone::viewer
