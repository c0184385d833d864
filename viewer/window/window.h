#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "viewer/render/renderer.h"
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

  /// Called by poll() with the files that the mouse let go over the window, at least one.
  std::function<void(const std::vector<std::string>& paths)> onDrop;

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

/// A multisampled framebuffer whose picture is shown in a part of the window: the scene beside the
/// panels. With a current context only.
class SceneTarget {
 public:
  SceneTarget() = default;
  ~SceneTarget();
  SceneTarget(const SceneTarget&) = delete;
  SceneTarget& operator=(const SceneTarget&) = delete;

  /// Makes it the bound framebuffer, of that size [pixels]; `samples` 1: not multisampled.
  void begin(int width, int height, int samples);
  /// Clears the window of that size [pixels], enlarges the picture into that part of it, and leaves
  /// the window's framebuffer bound.
  void show(const PixelRectangle& place, int windowWidth, int windowHeight);

 private:
  void release();

  int width_ = 0, height_ = 0, samples_ = 0;
  unsigned framebuffer_ = 0, color_ = 0, depth_ = 0;
  unsigned resolved_ = 0, resolvedColor_ = 0;
};

}  // namespace drystone::viewer
