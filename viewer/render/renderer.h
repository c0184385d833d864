#pragma once

#include <memory>

#include "viewer/render/image.h"
#include "viewer/scene/camera.h"
#include "viewer/scene/draw_list.h"

namespace drystone::viewer {

struct RenderSettings {
  int samples = 4;        ///< multisampling of offscreen pictures; 1: none. Windows have their own.
  int shadowSize = 1024;  ///< side of the shadow map [pixels]
  bool debug = false;     ///< offscreen: have the driver check every call (takeErrors)
};

/// Draws a list with OpenGL 3.3 core. Made, used and destroyed with the same context current, on
/// its thread. Sets all the state it needs and leaves depth test, blending and culling off.
class Renderer {
 public:
  /// Throws std::runtime_error with the driver's words when a shader does not compile.
  explicit Renderer(const RenderSettings& settings = {});
  ~Renderer();
  /// Draws into the framebuffer that is bound, of that size [pixels]. It needs a depth buffer, and
  /// gets sRGB values whatever its format.
  void draw(const DrawList& list, const Camera& camera, int width, int height);
  /// Reads the bound framebuffer's pixels as seen; it must not be a multisampled one of its own.
  Image read(int width, int height) const;
  /// Name of the driver and device, for logs.
  static std::string deviceName();
  /// glGetError until it is quiet: the names, and the driver's words where its context is one for
  /// debugging; one a line. Empty when there was none.
  static std::string takeErrors();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace drystone::viewer
