#pragma once

#include <functional>
#include <memory>
#include <string>

struct GLFWwindow;

namespace drystone::viewer {

struct WindowSettings {
  int width = 1280, height = 720;
  std::string title;
  bool debug = false;  ///< the driver checks every call (Renderer::takeErrors)
};

/// A window with an OpenGL 3.3 core context, current on the thread that made it, and Dear ImGui in
/// it. One at a time.
class Window {
 public:
  /// Throws NoDisplayError with what the system said.
  explicit Window(const WindowSettings& settings);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// Called with the name of each key that is pressed (actions.h) unless text is being typed.
  std::function<void(const std::string& key)> onKey;

  bool closing() const;
  /// Takes what the user did. Waits for it, but at most that long [s].
  void poll(double wait);
  void beginFrame();
  /// Draws what ImGui was told on top of the framebuffer.
  void drawInterface();
  void present();
  void hide();

  int pixelWidth() const;
  int pixelHeight() const;
  int width() const;                      ///< [screen units]
  int height() const;                     ///< [screen units]
  float scale() const { return scale_; }  ///< pixels a point that text should have
  void setTitle(const std::string& title);

 private:
  GLFWwindow* window_ = nullptr;
  float scale_ = 1;
};

}  // namespace drystone::viewer
