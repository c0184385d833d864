#include "viewer/window/window.h"

#include <epoxy/gl.h>

#include <algorithm>

namespace drystone::viewer {

SceneTarget::~SceneTarget() { release(); }

void SceneTarget::release() {
  if (framebuffer_ == 0) return;
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteFramebuffers(1, &resolved_);
  glDeleteRenderbuffers(1, &color_);
  glDeleteRenderbuffers(1, &depth_);
  glDeleteRenderbuffers(1, &resolvedColor_);
  framebuffer_ = 0;
}

void SceneTarget::begin(int width, int height, int samples) {
  GLint most = 0;
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  samples = samples <= 1 ? 0 : std::min(samples, most);
  if (framebuffer_ == 0 || width != width_ || height != height_ || samples != samples_) {
    release();
    width_ = width;
    height_ = height;
    samples_ = samples;
    glGenFramebuffers(1, &framebuffer_);
    glGenRenderbuffers(1, &color_);
    glGenRenderbuffers(1, &depth_);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
    glBindRenderbuffer(GL_RENDERBUFFER, color_);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_);
    glBindRenderbuffer(GL_RENDERBUFFER, depth_);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_);

    glGenFramebuffers(1, &resolved_);
    glGenRenderbuffers(1, &resolvedColor_);
    glBindRenderbuffer(GL_RENDERBUFFER, resolvedColor_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, resolved_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                              resolvedColor_);
  }
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
}

void SceneTarget::show(const PixelRectangle& place, int windowWidth, int windowHeight) {
  // Samples can be resolved into a framebuffer of the same format and place only, so first here.
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved_);
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glViewport(0, 0, windowWidth, windowHeight);
  glClearColor(1, 1, 1, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved_);
  const bool isSame = place.width == width_ && place.height == height_;
  glBlitFramebuffer(0, 0, width_, height_, place.x, place.y, place.x + place.width,
                    place.y + place.height, GL_COLOR_BUFFER_BIT, isSame ? GL_NEAREST : GL_LINEAR);
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

}  // namespace drystone::viewer
