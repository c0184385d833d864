#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "viewer/draw/camera.h"
#include "viewer/draw/draw_list.h"
#include "viewer/render/image.h"

namespace drystone::viewer {

struct RenderSettings {
  int samples = 4;        ///< multisampling of offscreen pictures; 1: none. Windows have their own.
  int shadowSize = 1024;  ///< side of the shadow map [pixels]
  bool softShadows = true;  ///< blurred edges; false: half of the time where the processor draws
  float detail = 1;         ///< of meshes: below 1 coarser ones are good enough sooner
  bool debug = false;       ///< offscreen: have the driver check every call (takeErrors)
};

/// Those of a window on a device of that name (Renderer::deviceName): without samples, blurred
/// shadows and fine meshes where a processor does the work of a GPU.
RenderSettings windowSettingsFor(std::string_view device);

/// Part of a framebuffer, from its lower left corner [pixels].
struct PixelRectangle {
  int x = 0, y = 0, width = 0, height = 0;
};

/// Draws a list with OpenGL 3.3 core. Made, used and destroyed with the same context current, on
/// its thread. Sets all the state it needs and leaves depth test, blending and culling off.
class Renderer {
 public:
  /// Throws std::runtime_error with the driver's words when a shader does not compile.
  explicit Renderer(const RenderSettings& settings = {});
  ~Renderer();
  /// Draws into the framebuffer that is bound, of that size [pixels]. It needs a depth buffer, and
  /// gets sRGB values whatever its format. A list whose version is that of the one before keeps its
  /// shadows, unless the camera left them.
  void draw(const DrawList& list, const Camera& camera, int width, int height);
  /// draw() without labels and legends, which get hard to read where the picture is enlarged after.
  void drawScene(const DrawList& list, const Camera& camera, int width, int height);
  /// The labels and legends of such a picture, over the place where it is shown.
  void drawWords(const DrawList& list, const Camera& camera, const PixelRectangle& place);
  /// Reads the bound framebuffer's pixels as seen; it must not be a multisampled one of its own. No
  /// rows, or none of any width, are an empty image: windows can be as small.
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
