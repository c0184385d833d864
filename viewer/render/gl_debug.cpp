#include "viewer/render/gl_debug.h"

#include <epoxy/gl.h>

#include <utility>

namespace drystone::viewer {
namespace {

// Calls that the driver answers at once come on the thread that made them.
thread_local std::string debugMessages;

void APIENTRY onMessage(GLenum, GLenum type, GLuint, GLenum severity, GLsizei length,
                        const GLchar* words, const void*) {
  if (type != GL_DEBUG_TYPE_ERROR && severity != GL_DEBUG_SEVERITY_HIGH) return;
  debugMessages.append(words, static_cast<std::size_t>(length)) += '\n';
}

const char* errorName(GLenum error) {
  switch (error) {
    case GL_INVALID_ENUM:
      return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE:
      return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION:
      return "GL_INVALID_OPERATION";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
      return "GL_INVALID_FRAMEBUFFER_OPERATION";
    case GL_OUT_OF_MEMORY:
      return "GL_OUT_OF_MEMORY";
    default:
      return "unknown OpenGL error";
  }
}

}  // namespace

void collectDebugMessages() {
  GLint flags = 0;
  glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
  if ((static_cast<GLuint>(flags) & GL_CONTEXT_FLAG_DEBUG_BIT) == 0) return;
  if (epoxy_gl_version() < 43 && !epoxy_has_gl_extension("GL_KHR_debug")) return;
  glEnable(GL_DEBUG_OUTPUT);
  glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
  glDebugMessageCallback(&onMessage, nullptr);
}

std::string takeGlErrors() {
  std::string text = std::exchange(debugMessages, {});
  // A lost context never becomes quiet.
  constexpr int kMost = 100;
  for (int i = 0; i < kMost; ++i) {
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR) break;
    text += errorName(error);
    text += '\n';
  }
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace drystone::viewer
