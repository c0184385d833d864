#include "viewer/render/gl_objects.h"

#include <cstdint>
#include <stdexcept>
#include <utility>

#include <epoxy/gl.h>

#include "viewer/render/embedded.h"

namespace drystone::viewer {
namespace {

GLuint compile(GLenum stage, std::initializer_list<std::string_view> files) {
  std::string source = "#version 330 core\n";
  std::string names;
  for (std::string_view file : files) {
    source += "#line 1\n";
    source += shaderSource(file);
    names += (names.empty() ? "" : " + ") + std::string(file);
  }
  const GLuint shader = glCreateShader(stage);
  const char* text = source.c_str();
  glShaderSource(shader, 1, &text, nullptr);
  glCompileShader(shader);
  GLint done = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
  if (done == GL_TRUE) return shader;
  char words[2048] = "";
  glGetShaderInfoLog(shader, sizeof(words), nullptr, words);
  glDeleteShader(shader);
  throw std::runtime_error("the OpenGL driver does not compile " + names + ": " + words);
}

}  // namespace

GlProgram::GlProgram(std::initializer_list<std::string_view> vertexFiles,
                     std::initializer_list<std::string_view> fragmentFiles) {
  const GLuint vertex = compile(GL_VERTEX_SHADER, vertexFiles);
  const GLuint fragment = compile(GL_FRAGMENT_SHADER, fragmentFiles);
  id_ = glCreateProgram();
  glAttachShader(id_, vertex);
  glAttachShader(id_, fragment);
  glLinkProgram(id_);
  glDeleteShader(vertex);
  glDeleteShader(fragment);
  GLint done = 0;
  glGetProgramiv(id_, GL_LINK_STATUS, &done);
  if (done == GL_TRUE) return;
  char words[2048] = "";
  glGetProgramInfoLog(id_, sizeof(words), nullptr, words);
  glDeleteProgram(id_);
  throw std::runtime_error(std::string("the OpenGL driver does not link ") +
                           std::string(*(vertexFiles.end() - 1)) + ": " + words);
}

GlProgram::~GlProgram() { glDeleteProgram(id_); }

void setAttribute(GLuint index, int components, std::size_t stride, std::size_t offset,
                  GLuint divisor) {
  glEnableVertexAttribArray(index);
  glVertexAttribPointer(index, components, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                        reinterpret_cast<const void*>(static_cast<std::uintptr_t>(offset)));
  glVertexAttribDivisor(index, divisor);
}

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
