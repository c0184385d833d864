#include "viewer/window/window.h"

// GLFW must not bring its own OpenGL header.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "viewer/render/offscreen.h"
#include "viewer/window/actions.h"

namespace drystone::viewer {
namespace {

std::string lastError;

void rememberError(int /*code*/, const char* text) { lastError = text; }

/// Keys without a letter or sign of their own.
std::string specialKey(int key) {
  constexpr std::pair<int, const char*> kNames[] = {
      {GLFW_KEY_SPACE, "Space"},         {GLFW_KEY_RIGHT, "Right"},
      {GLFW_KEY_LEFT, "Left"},           {GLFW_KEY_TAB, "Tab"},
      {GLFW_KEY_BACKSPACE, "Backspace"}, {GLFW_KEY_HOME, "Home"},
      {GLFW_KEY_ESCAPE, "Escape"},       {GLFW_KEY_KP_ADD, "+"},
      {GLFW_KEY_KP_SUBTRACT, "-"},       {GLFW_KEY_PAGE_UP, "Page Up"},
      {GLFW_KEY_PAGE_DOWN, "Page Down"},
  };
  for (const auto& [code, name] : kNames) {
    if (code == key) return name;
  }
  if (key >= GLFW_KEY_F1 && key <= GLFW_KEY_F12) return fmt::format("F{}", key - GLFW_KEY_F1 + 1);
  return "";
}

GLFWwindow* openWindow(const WindowSettings& settings) {
  glfwSetErrorCallback(&rememberError);
  if (glfwInit() != GLFW_TRUE) throw NoDisplayError(fmt::format("no window: {}", lastError));
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, settings.debug ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
  // The scene has its own multisampled target, and the panels need neither samples nor depth.
  glfwWindowHint(GLFW_SAMPLES, 0);
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  GLFWwindow* window =
      glfwCreateWindow(settings.width, settings.height, settings.title.c_str(), nullptr, nullptr);
  if (window != nullptr) return window;
  glfwTerminate();
  throw NoDisplayError(fmt::format("no window with OpenGL 3.3: {}", lastError));
}

/// Screen units a point. Where GLFW multiplied the size asked for by the content scale, this is it;
/// where windows are measured in points already, pixels are finer than screen units, and it is 1.
float unitsPerPoint(GLFWwindow* window) {
  float contentScale = 1;
  glfwGetWindowContentScale(window, &contentScale, nullptr);
  int units = 0, pixels = 0;
  glfwGetWindowSize(window, &units, nullptr);
  glfwGetFramebufferSize(window, &pixels, nullptr);
  if (units < 1 || pixels < 1) return contentScale;
  return contentScale * static_cast<float>(units) / static_cast<float>(pixels);
}

}  // namespace

struct Window::Events {
  static Window& windowOf(GLFWwindow* handle) {
    return *static_cast<Window*>(glfwGetWindowUserPointer(handle));
  }
  template <class... Values>
  static void note(GLFWwindow* handle, Values...) {
    windowOf(handle).hasEvents_ = true;
  }

  static void drop(GLFWwindow* handle, int count, const char** paths) {
    note(handle);
    Window& window = windowOf(handle);
    if (count > 0 && window.onDrop) window.onDrop({paths, paths + count});
  }

  static bool isModifier(int key) {
    return key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER;
  }

  static void text(GLFWwindow* handle, unsigned character) {
    note(handle);
    windowOf(handle).keys_.push(
        {.kind = KeyEvent::Kind::kText, .key = static_cast<int>(character)});
  }

  static void key(GLFWwindow* handle, int key, int scancode, int event, int modifiers) {
    note(handle);
    windowOf(handle).keys_.push({.kind = event == GLFW_PRESS     ? KeyEvent::Kind::kPress
                                         : event == GLFW_RELEASE ? KeyEvent::Kind::kRelease
                                                                 : KeyEvent::Kind::kRepeat,
                                 .key = key,
                                 .scancode = scancode,
                                 .modifiers = modifiers,
                                 .isModifier = isModifier(key)});
    if (event == GLFW_RELEASE || ImGui::GetIO().WantTextInput) return;
    std::string label = specialKey(key);
    if (label.empty()) {
      // What is printed on the key, wherever the layout has it.
      const char* printed = glfwGetKeyName(key, scancode);
      if (printed == nullptr) return;
      label = printed;
      for (char& c : label) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    const bool repeats = label == "Left" || label == "Right" || label == "." || label == ",";
    if (event == GLFW_REPEAT && !repeats) return;
    Window& window = windowOf(handle);
    if (!window.onKey) return;
    window.onKey(
        keyName(label, (modifiers & GLFW_MOD_CONTROL) != 0, (modifiers & GLFW_MOD_SHIFT) != 0),
        event == GLFW_REPEAT);
  }

  /// After ImGui, in place of what it set: it gets the keys from the queue.
  static void listenToKeys(GLFWwindow* window) {
    glfwSetKeyCallback(window, &key);
    glfwSetCharCallback(window, &text);
  }

  static void forward(GLFWwindow* window, const KeyEvent& event) {
    if (event.kind == KeyEvent::Kind::kText) {
      ImGui_ImplGlfw_CharCallback(window, static_cast<unsigned>(event.key));
      return;
    }
    const int action = event.kind == KeyEvent::Kind::kPress     ? GLFW_PRESS
                       : event.kind == KeyEvent::Kind::kRelease ? GLFW_RELEASE
                                                                : GLFW_REPEAT;
    ImGui_ImplGlfw_KeyCallback(window, event.key, event.scancode, action, event.modifiers);
  }

  /// Before ImGui, which calls those that were there.
  static void listen(GLFWwindow* window) {
    glfwSetCursorPosCallback(window, &note<double, double>);
    glfwSetCursorEnterCallback(window, &note<int>);
    glfwSetMouseButtonCallback(window, &note<int, int, int>);
    glfwSetScrollCallback(window, &note<double, double>);
    glfwSetWindowFocusCallback(window, &note<int>);
    glfwSetWindowRefreshCallback(window, &note<>);
    glfwSetFramebufferSizeCallback(window, &note<int, int>);
    glfwSetDropCallback(window, &drop);
  }
};

Window::Window(const WindowSettings& settings) : window_(openWindow(settings)) {
  glfwSetWindowUserPointer(window_, this);
  Events::listen(window_);
  glfwMakeContextCurrent(window_);
  glfwSwapInterval(1);
  float contentScale = 1;
  glfwGetWindowContentScale(window_, &contentScale, nullptr);
  // Pixels that are finer than screen units are left to them.
  scale_ = std::max(1.0f, std::min(contentScale, unitsPerPoint(window_)));

  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGui::GetIO().IniFilename = nullptr;  // see layout.h
  ImGui_ImplGlfw_InitForOpenGL(window_, true);
  Events::listenToKeys(window_);
  ImGui_ImplOpenGL3_Init("#version 330 core");
}

Window::~Window() {
  ImGui_ImplOpenGL3_Shutdown();
  ImGui_ImplGlfw_Shutdown();
  ImGui::DestroyContext();
  glfwDestroyWindow(window_);
  glfwTerminate();
}

bool Window::closing() const { return glfwWindowShouldClose(window_) != 0; }

void Window::poll(double wait) {
  if (wait > 0) {
    glfwWaitEventsTimeout(wait);
  } else {
    glfwPollEvents();
  }
}

void Window::beginFrame() {
  keys_.forward([this](const KeyEvent& event) { Events::forward(window_, event); });
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
}

void Window::drawInterface() {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Window::present() { glfwSwapBuffers(window_); }

void Window::hide() { glfwHideWindow(window_); }

int Window::pixelWidth() const {
  int width = 0;
  glfwGetFramebufferSize(window_, &width, nullptr);
  return width;
}

int Window::pixelHeight() const {
  int height = 0;
  glfwGetFramebufferSize(window_, nullptr, &height);
  return height;
}

int Window::pointWidth() const {
  int width = 0;
  glfwGetWindowSize(window_, &width, nullptr);
  return static_cast<int>(std::lround(static_cast<float>(width) / unitsPerPoint(window_)));
}

int Window::pointHeight() const {
  int height = 0;
  glfwGetWindowSize(window_, nullptr, &height);
  return static_cast<int>(std::lround(static_cast<float>(height) / unitsPerPoint(window_)));
}

void Window::setTitle(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }

}  // namespace drystone::viewer
