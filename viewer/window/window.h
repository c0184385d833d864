#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "viewer/window/key_queue.h"

struct GLFWwindow;

namespace drystone::viewer {

struct WindowSettings {
  int width = 1280, height = 720;  ///< [points]
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

  /// Called by poll() with the name of each key that is pressed (actions.h) unless text is being
  /// typed.
  std::function<void(const std::string& key, bool repeated)> onKey;

  bool closing() const;
  /// Takes what the user did. Waits for it, but at most that long [s].
  void poll(double wait);
  /// Whether the user or the desktop did anything since the last call.
  bool takeEvents() { return std::exchange(hasEvents_, false); }
  void beginFrame();
  /// Draws what ImGui was told on top of the framebuffer.
  void drawInterface();
  void present();
  void hide();

  int pixelWidth() const;
  int pixelHeight() const;
  int pointWidth() const;                 ///< as WindowSettings has it
  int pointHeight() const;                ///< as WindowSettings has it
  float scale() const { return scale_; }  ///< pixels a point that text should have
  void setTitle(const std::string& title);

 private:
  struct Events;  // callbacks of GLFW

  GLFWwindow* window_ = nullptr;
  KeyQueue keys_;  ///< for Dear ImGui
  bool hasEvents_ = true;
  float scale_ = 1;
};

}  // namespace drystone::viewer
