#include "viewer/render/offscreen.h"

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <string>
#include <vector>

namespace drystone::viewer {
namespace {

/// epoxy ends the program when it does not find a library, so look first.
void requireLibrary(const char* library, const char* package) {
  if (dlopen(library, RTLD_LAZY | RTLD_LOCAL) != nullptr) return;  // stays loaded for epoxy
  throw NoDisplayError(std::string("no OpenGL without a display: ") + library +
                       " is missing; install " + package);
}

const char* errorName(EGLint error) {
  switch (error) {
    case EGL_NOT_INITIALIZED:
      return "EGL_NOT_INITIALIZED";
    case EGL_BAD_ALLOC:
      return "EGL_BAD_ALLOC";
    case EGL_BAD_MATCH:
      return "EGL_BAD_MATCH";
    case EGL_BAD_ATTRIBUTE:
      return "EGL_BAD_ATTRIBUTE";
    case EGL_BAD_CONFIG:
      return "EGL_BAD_CONFIG";
    default:
      return "EGL error";
  }
}

/// The displays that need no window system: Mesa's own, then the devices of any vendor.
std::vector<EGLDisplay> candidates() {
  std::vector<EGLDisplay> displays;
  if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
    displays.push_back(
        eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
  }
  if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") &&
      epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration")) {
    constexpr EGLint kMost = 16;
    EGLDeviceEXT devices[kMost] = {};
    EGLint count = 0;
    if (eglQueryDevicesEXT(kMost, devices, &count) == EGL_TRUE) {
      for (EGLint i = 0; i < count; ++i) {
        displays.push_back(eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], nullptr));
      }
    }
  }
  std::erase(displays, EGL_NO_DISPLAY);
  return displays;
}

/// Empty where it worked, else what did not.
std::string makeContext(EGLDisplay display, bool debug, EGLContext& context) {
  if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return "it has no desktop OpenGL";
  const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (eglChooseConfig(display, wanted, &config, 1, &count) != EGL_TRUE || count == 0) {
    return "it has no configuration for OpenGL";
  }
  std::vector<EGLint> attributes = {
      EGL_CONTEXT_MAJOR_VERSION,       3,
      EGL_CONTEXT_MINOR_VERSION,       3,
      EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT};
  if (debug) {
    attributes.insert(attributes.end(), {EGL_CONTEXT_FLAGS_KHR, EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR});
  }
  attributes.push_back(EGL_NONE);
  context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes.data());
  if (context == EGL_NO_CONTEXT) {
    return std::string("it makes no context of OpenGL 3.3 core: ") + errorName(eglGetError());
  }
  if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE) return "";
  eglDestroyContext(display, context);
  context = EGL_NO_CONTEXT;
  return "it cannot draw without a surface";
}

}  // namespace

struct EglContext::State {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
};

EglContext::EglContext(bool debug) : state_(std::make_unique<State>()) {
  requireLibrary("libEGL.so.1", "libegl1");
  requireLibrary("libOpenGL.so.0", "libopengl0");
  std::string problem;
  for (EGLDisplay display : candidates()) {
    // A display is one for the whole process and may be in use elsewhere: it is never terminated.
    if (eglInitialize(display, nullptr, nullptr) != EGL_TRUE) {
      problem = std::string("a driver does not start: ") + errorName(eglGetError());
      continue;
    }
    problem = makeContext(display, debug, state_->context);
    if (problem.empty()) {
      state_->display = display;
      return;
    }
  }
  throw NoDisplayError(
      "no OpenGL without a display: " +
      (problem.empty() ? std::string("EGL knows no driver") : "EGL has a driver but " + problem) +
      "; install libegl-mesa0 and libgl1-mesa-dri, which draw on the processor");
}

EglContext::~EglContext() {
  if (eglGetCurrentContext() == state_->context) {
    eglMakeCurrent(state_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  }
  eglDestroyContext(state_->display, state_->context);
}

void EglContext::makeCurrent() const {
  if (eglGetCurrentContext() == state_->context) return;
  if (eglMakeCurrent(state_->display, EGL_NO_SURFACE, EGL_NO_SURFACE, state_->context) !=
      EGL_TRUE) {
    throw std::runtime_error("an EGL context cannot become current again");
  }
}

}  // namespace drystone::viewer
