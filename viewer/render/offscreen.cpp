#include "viewer/render/offscreen.h"

#include <algorithm>

#include "core/input_error.h"
#include "viewer/render/gl_objects.h"

namespace drystone::viewer {
namespace {

/// A framebuffer with a color and a depth buffer; `samples` 0: not multisampled.
struct Target {
  Target(int width, int height, int samples) {
    glBindRenderbuffer(GL_RENDERBUFFER, color.id());
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
    glBindRenderbuffer(GL_RENDERBUFFER, depth.id());
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color.id());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth.id());
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
      throw std::runtime_error("the OpenGL driver has no memory for a picture of " +
                               std::to_string(width) + " x " + std::to_string(height) + " pixels");
    }
  }
  GlFramebuffer framebuffer;
  GlRenderbuffer color, depth;
};

int checkedSamples(int samples) {
  GLint most = 1;
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  return std::clamp(samples, 1, std::max(most, 1));
}

void checkSize(int width, int height) {
  GLint most = 0, view[2] = {};
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, view);
  most = std::min({most, view[0], view[1]});
  if (width >= 1 && height >= 1 && width <= most && height <= most) return;
  throw InputError("a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                   " pixels: this device draws from 1 to " + std::to_string(most) + " a side");
}

}  // namespace

struct OffscreenRenderer::State {
  State(int width_, int height_, const RenderSettings& settings)
      : width(width_), height(height_), context(settings.debug) {
    checkSize(width, height);
    const int samples = checkedSamples(settings.samples);
    resolved = std::make_unique<Target>(width, height, 0);
    if (samples > 1) multisampled = std::make_unique<Target>(width, height, samples);
    renderer = std::make_unique<Renderer>(settings);
  }
  ~State() { context.makeCurrent(); }

  int width, height;
  EglContext context;
  std::unique_ptr<Target> resolved, multisampled;
  std::unique_ptr<Renderer> renderer;
};

OffscreenRenderer::OffscreenRenderer(int width, int height, const RenderSettings& settings)
    : state_(std::make_unique<State>(width, height, settings)) {}

OffscreenRenderer::~OffscreenRenderer() = default;

Image OffscreenRenderer::render(const DrawList& list, const Camera& camera) {
  State& s = *state_;
  s.context.makeCurrent();
  const Target& target = s.multisampled ? *s.multisampled : *s.resolved;
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer.id());
  s.renderer->draw(list, camera, s.width, s.height);
  if (s.multisampled) {
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, s.resolved->framebuffer.id());
    glBlitFramebuffer(0, 0, s.width, s.height, 0, 0, s.width, s.height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
  }
  glBindFramebuffer(GL_READ_FRAMEBUFFER, s.resolved->framebuffer.id());
  return s.renderer->read(s.width, s.height);
}

std::string OffscreenRenderer::takeErrors() {
  state_->context.makeCurrent();
  return Renderer::takeErrors();
}

}  // namespace drystone::viewer
