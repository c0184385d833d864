#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <epoxy/gl.h>
#include <Eigen/Core>

namespace drystone::viewer {

/// Owns the name of an OpenGL object; made and destroyed with the context current.
template <class Kind>
class GlObject {
 public:
  GlObject() { Kind::create(&id_); }
  ~GlObject() {
    if (id_ != 0) Kind::destroy(&id_);
  }
  GlObject(GlObject&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  GlObject& operator=(GlObject&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  GLuint id() const { return id_; }

 private:
  GLuint id_ = 0;
};

struct BufferKind {
  static void create(GLuint* id) { glGenBuffers(1, id); }
  static void destroy(GLuint* id) { glDeleteBuffers(1, id); }
};
struct VertexArrayKind {
  static void create(GLuint* id) { glGenVertexArrays(1, id); }
  static void destroy(GLuint* id) { glDeleteVertexArrays(1, id); }
};
struct TextureKind {
  static void create(GLuint* id) { glGenTextures(1, id); }
  static void destroy(GLuint* id) { glDeleteTextures(1, id); }
};
struct FramebufferKind {
  static void create(GLuint* id) { glGenFramebuffers(1, id); }
  static void destroy(GLuint* id) { glDeleteFramebuffers(1, id); }
};
struct RenderbufferKind {
  static void create(GLuint* id) { glGenRenderbuffers(1, id); }
  static void destroy(GLuint* id) { glDeleteRenderbuffers(1, id); }
};
using GlBuffer = GlObject<BufferKind>;
using GlVertexArray = GlObject<VertexArrayKind>;
using GlTexture = GlObject<TextureKind>;
using GlFramebuffer = GlObject<FramebufferKind>;
using GlRenderbuffer = GlObject<RenderbufferKind>;

/// A linked program of embedded shaders (embedded.h).
class GlProgram {
 public:
  /// Each stage is the named files one after the other. Throws std::runtime_error with the driver's
  /// words.
  GlProgram(std::initializer_list<std::string_view> vertexFiles,
            std::initializer_list<std::string_view> fragmentFiles);
  ~GlProgram();
  GlProgram(const GlProgram&) = delete;
  GlProgram& operator=(const GlProgram&) = delete;

  void use() const { glUseProgram(id_); }
  // Of the program in use; a name that the program does not have is ignored.
  void set(const char* name, float value) const { glUniform1f(at(name), value); }
  void set(const char* name, int value) const { glUniform1i(at(name), value); }
  void set(const char* name, const Eigen::Vector2f& value) const {
    glUniform2fv(at(name), 1, value.data());
  }
  void set(const char* name, const Eigen::Vector3f& value) const {
    glUniform3fv(at(name), 1, value.data());
  }
  void set(const char* name, const Eigen::Vector4f& value) const {
    glUniform4fv(at(name), 1, value.data());
  }
  void set(const char* name, const Eigen::Matrix4f& value) const {
    glUniformMatrix4fv(at(name), 1, GL_FALSE, value.data());
  }

 private:
  GLint at(const char* name) const { return glGetUniformLocation(id_, name); }
  GLuint id_ = 0;
};

/// Makes the attribute of the bound vertex array `components` floats of the buffer bound to
/// GL_ARRAY_BUFFER, at a distance in bytes; `divisor` 1: one for each instance.
void setAttribute(GLuint index, int components, std::size_t stride, std::size_t offset,
                  GLuint divisor = 0);

/// Has the driver report errors to takeGlErrors() in words, where the current context is one for
/// debugging and the driver can (KHR_debug).
void collectDebugMessages();

/// glGetError until it is quiet, and what the driver said on this thread; one a line.
std::string takeGlErrors();

}  // namespace drystone::viewer
