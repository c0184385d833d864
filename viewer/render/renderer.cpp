#include "viewer/render/renderer.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "viewer/render/gl_objects.h"
#include "viewer/render/instance_plan.h"
#include "viewer/render/painters.h"
#include "viewer/render/shadow_map.h"

namespace drystone::viewer {
namespace {

/// Of a size in pixels: what a frame is drawn with.
struct Picture {
  int width, height;
  Vec3f eye;
  Eigen::Matrix4f viewProjection;
};

/// The camera in the coordinates of the list.
Camera inList(Camera camera, const DrawList& list) {
  camera.position -= list.origin;
  camera.target -= list.origin;
  return camera;
}

/// The camera's near and far planes are to hold the ground as well.
Picture pictureOf(const DrawList& list, const Camera& camera, int width, int height) {
  Vec3f lower = list.boundsLower, upper = list.boundsUpper;
  if (list.ground.visible) {
    const Vec3f reach(list.ground.radius, list.ground.radius, 0);
    Vec3f middle = list.ground.center;
    middle.z() = list.ground.height;
    lower = lower.cwiseMin(middle - reach);
    upper = upper.cwiseMax(middle + reach);
  }
  const Real aspect = static_cast<Real>(width) / height;
  return {width, height, camera.position.cast<float>(),
          camera.projectionMatrix(aspect, lower.cast<Real>(), upper.cast<Real>()) *
              camera.viewMatrix()};
}

/// What this draws with differs from what others, as Dear ImGui, leave behind and expect.
void setUpState() {
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_TRUE);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  // What lies beyond the far plane is drawn all the same.
  glEnable(GL_DEPTH_CLAMP);
  glEnable(GL_MULTISAMPLE);
  glCullFace(GL_BACK);
  glFrontFace(GL_CCW);
  glDisable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glClearDepth(1);
}

void restoreState() {
  glDisable(GL_DEPTH_CLAMP);
  glDisable(GL_CULL_FACE);
  glDisable(GL_BLEND);
  glDisable(GL_DEPTH_TEST);
  glDepthMask(GL_TRUE);
  glBindVertexArray(0);
  glUseProgram(0);
}

}  // namespace

struct Renderer::State {
  explicit State(const RenderSettings& settings)
      : shadowMap(std::clamp(settings.shadowSize, 16, 8192)),
        detail(settings.detail),
        shadowFile(settings.softShadows ? "soft_shadow.glsl" : "hard_shadow.glsl") {}

  void plan(const DrawList& list, const Picture& picture, bool shadows);
  /// Finds where the sun sees the list from. Returns whether the shadow map has to be drawn.
  bool turnSun(const DrawList& list, const Camera& camera);
  void draw(const std::vector<DrawRange>& calls, const GlProgram& program);
  void drawShadows();
  void drawBackground(const Picture& picture);
  void drawGround(const GroundGrid& ground, const Picture& picture);
  void setLight(const GlProgram& program, const Picture& picture, bool shadows);

  GpuMeshCache meshes;
  ShadowMap shadowMap;
  SunView sun;                      // that the shadow map was drawn from; no texels: no shadows
  std::uint64_t shadowVersion = 0;  // of the list that it is of; 0: none
  Camera shadowCamera;              // that it was drawn for
  const float detail;
  const std::string_view shadowFile;
  GlBuffer instanceBuffer;
  GlVertexArray noAttributes;
  InstancePlan instancePlan;
  LinePainter lines;
  TextPainter text;
  LegendPainter legends;
  GlProgram mesh{{"instance.glsl", "color.glsl", "mesh.vert"},
                 {"color.glsl", "light.glsl", "shadow.glsl", shadowFile, "mesh.frag"}};
  GlProgram glass{{"instance.glsl", "color.glsl", "mesh.vert"},
                  {"color.glsl", "light.glsl", "no_shadow.glsl", "mesh.frag"}};
  GlProgram shadow{{"instance.glsl", "shadow.vert"}, {"shadow.frag"}};
  GlProgram background{{"background.vert"}, {"sky.glsl", "background.frag"}};
  GlProgram groundProgram{{"ground.vert"},
                          {"color.glsl", "light.glsl", "shadow.glsl", shadowFile, "ground.frag"}};
};

void Renderer::State::plan(const DrawList& list, const Picture& picture, bool shadows) {
  instancePlan.clear();
  const float half = 0.5F * static_cast<float>(picture.height);
  const PlanView seen = {picture.viewProjection, detail * half, true, half};
  planInstances(list, meshes, seen, Pass::kColor, instancePlan);
  if (shadows) {
    planInstances(list, meshes,
                  {sun.viewProjection, 0.5F * detail * static_cast<float>(shadowMap.size()), false},
                  Pass::kShadow, instancePlan, &seen);
  }
  glBindBuffer(GL_ARRAY_BUFFER, instanceBuffer.id());
  glBufferData(GL_ARRAY_BUFFER,
               static_cast<GLsizeiptr>(instancePlan.instances.size() * sizeof(Instance)),
               instancePlan.instances.data(), GL_STREAM_DRAW);
}

bool Renderer::State::turnSun(const DrawList& list, const Camera& camera) {
  const bool sameList = list.version != 0 && list.version == shadowVersion;
  if (sameList && camera == shadowCamera) return false;
  shadowVersion = list.version;
  shadowCamera = camera;
  Eigen::AlignedBox3f casters;
  if (list.shadows && !list.wireframe) casters = shadowBounds(list, meshes, camera);
  sun = casters.isEmpty() ? SunView() : sunView(casters.min(), casters.max(), shadowMap.size());
  return sun.texel > 0;
}

void Renderer::State::draw(const std::vector<DrawRange>& calls, const GlProgram& program) {
  program.use();
  glBindBuffer(GL_ARRAY_BUFFER, instanceBuffer.id());
  for (const DrawRange& call : calls) {
    (call.twoSided ? glDisable : glEnable)(GL_CULL_FACE);
    program.set("twoSided", static_cast<int>(call.twoSided));
    glBindVertexArray(call.mesh->array.id());
    const std::size_t start = call.first * sizeof(Instance);
    for (GLuint part = 0; part < 4; ++part) {  // three rows and the color
      setAttribute(2 + part, 4, sizeof(Instance), start + part * 4 * sizeof(float), 1);
    }
    glDrawElementsInstanced(GL_TRIANGLES, call.mesh->indexCount, GL_UNSIGNED_INT, nullptr,
                            static_cast<GLsizei>(call.count));
  }
  glDisable(GL_CULL_FACE);
}

void Renderer::State::drawShadows() {
  GLint target = 0, source = 0, viewport[4] = {};
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target);
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &source);
  glGetIntegerv(GL_VIEWPORT, viewport);
  shadowMap.begin();
  shadow.use();
  shadow.set("viewProjection", sun.viewProjection);
  // Away from the sun, more so where the surface is steep to it: no shadow of a face on itself.
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(2.0F, 4.0F);
  draw(instancePlan.shadow, shadow);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, static_cast<GLuint>(target));
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(source));
  glViewport(viewport[0], viewport[1], viewport[2], viewport[3]);
}

void Renderer::State::setLight(const GlProgram& program, const Picture& picture, bool shadows) {
  program.use();
  shadowMap.bindTexture();
  program.set("viewProjection", picture.viewProjection);
  program.set("eye", picture.eye);
  program.set("toSun", sunDirection());
  program.set("shadowMap", 0);
  program.set("shadowMatrix", sun.toMap);
  program.set("shadowTexel", shadows ? 1 / static_cast<float>(shadowMap.size()) : 0.0F);
  program.set("shadowOffset", 1.5F * sun.texel);
}

void Renderer::State::drawBackground(const Picture& picture) {
  background.use();
  background.set("inverseViewProjection", Eigen::Matrix4f(picture.viewProjection.inverse()));
  background.set("eye", picture.eye);
  glBindVertexArray(noAttributes.id());
  glDepthMask(GL_FALSE);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDepthMask(GL_TRUE);
}

void Renderer::State::drawGround(const GroundGrid& ground, const Picture& picture) {
  setLight(groundProgram, picture, sun.texel > 0);
  groundProgram.set("ground", Eigen::Vector4f(ground.center.x(), ground.center.y(), ground.height,
                                              ground.radius));
  groundProgram.set("spacing", ground.spacing);
  glBindVertexArray(noAttributes.id());
  // Over a plane of the scene that lies in the same place.
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(-1, -2);
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  glDisable(GL_POLYGON_OFFSET_FILL);
}

Renderer::Renderer(const RenderSettings& settings) : state_(std::make_unique<State>(settings)) {
  collectDebugMessages();
}

Renderer::~Renderer() = default;

void Renderer::draw(const DrawList& list, const Camera& camera, int width, int height) {
  drawScene(list, camera, width, height);
  drawWords(list, camera, {0, 0, width, height});
}

void Renderer::drawScene(const DrawList& list, const Camera& camera, int width, int height) {
  State& s = *state_;
  const Camera local = inList(camera, list);
  const Picture picture = pictureOf(list, local, width, height);
  const bool newShadows = s.turnSun(list, local);
  setUpState();
  s.plan(list, picture, newShadows);
  if (newShadows) s.drawShadows();

  glViewport(0, 0, width, height);
  glClear(GL_DEPTH_BUFFER_BIT);
  s.setLight(s.mesh, picture, s.sun.texel > 0);
  s.mesh.set("lit", 1);
  glPolygonMode(GL_FRONT_AND_BACK, list.wireframe ? GL_LINE : GL_FILL);
  s.draw(s.instancePlan.opaque, s.mesh);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  s.drawBackground(picture);

  glEnable(GL_BLEND);
  glDepthMask(GL_FALSE);
  if (list.ground.visible) s.drawGround(list.ground, picture);
  glPolygonMode(GL_FRONT_AND_BACK, list.wireframe ? GL_LINE : GL_FILL);
  s.setLight(s.glass, picture, false);
  s.glass.set("lit", 1);
  s.draw(s.instancePlan.transparent, s.glass);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  s.lines.draw(list.lines, false, picture.viewProjection, width, height);

  glDisable(GL_DEPTH_TEST);
  s.mesh.use();
  s.mesh.set("lit", 0);
  s.draw(s.instancePlan.overlay, s.mesh);
  s.lines.draw(list.lines, true, picture.viewProjection, width, height);
  restoreState();
  s.meshes.sweep();
}

void Renderer::drawWords(const DrawList& list, const Camera& camera, const PixelRectangle& place) {
  State& s = *state_;
  const Picture picture = pictureOf(list, inList(camera, list), place.width, place.height);
  setUpState();
  glDisable(GL_DEPTH_TEST);
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glViewport(place.x, place.y, place.width, place.height);
  s.text.draw(list.labels, picture.viewProjection, place.width, place.height);
  s.legends.draw(list, camera.viewMatrix(), place.width, place.height, s.text, s.lines);
  restoreState();
}

Image Renderer::read(int width, int height) const {
  Image image{width, height, {}};
  const std::ptrdiff_t row = 3 * static_cast<std::ptrdiff_t>(width);
  image.pixels.resize(static_cast<std::size_t>(row * height));
  if (image.pixels.empty()) return image;
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, image.pixels.data());
  // OpenGL counts rows from the bottom.
  for (std::ptrdiff_t top = 0, bottom = height - 1; top < bottom; ++top, --bottom) {
    std::swap_ranges(image.pixels.begin() + top * row, image.pixels.begin() + (top + 1) * row,
                     image.pixels.begin() + bottom * row);
  }
  return image;
}

RenderSettings windowSettingsFor(std::string_view device) {
  RenderSettings settings;
  // Mesa's drivers without a GPU.
  for (const std::string_view software :
       {"llvmpipe", "softpipe", "swrast", "Software Rasterizer"}) {
    if (device.find(software) == std::string_view::npos) continue;
    settings.samples = 1;
    settings.softShadows = false;
    settings.detail = 0.5F;
  }
  return settings;
}

std::string Renderer::deviceName() {
  const auto text = [](GLenum what) {
    const auto* words = reinterpret_cast<const char*>(glGetString(what));
    return std::string(words == nullptr ? "?" : words);
  };
  return text(GL_RENDERER) + ", OpenGL " + text(GL_VERSION);
}

std::string Renderer::takeErrors() { return takeGlErrors(); }

}  // namespace drystone::viewer
