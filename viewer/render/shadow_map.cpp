#include "viewer/render/shadow_map.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <Eigen/Geometry>

#include "viewer/render/instance_plan.h"

namespace drystone::viewer {

Vec3f sunDirection() {
  // High, and from behind the left shoulder of the default camera.
  return Vec3f(-0.42F, -0.62F, 1.25F).normalized();
}

SunView sunView(const Vec3f& lower, const Vec3f& upper, int size) {
  const Vec3f back = sunDirection();
  const Vec3f right = Vec3f::UnitZ().cross(back).normalized();
  const Vec3f up = back.cross(right);
  Eigen::Matrix3f axes;
  axes << right.transpose(), up.transpose(), back.transpose();

  Vec3f low = Vec3f::Constant(std::numeric_limits<float>::max()), high = -low;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3f at((corner & 1) != 0 ? upper.x() : lower.x(),
                   (corner & 2) != 0 ? upper.y() : lower.y(),
                   (corner & 4) != 0 ? upper.z() : lower.z());
    const Vec3f seen = axes * at;
    low = low.cwiseMin(seen);
    high = high.cwiseMax(seen);
  }
  // A margin of a few texels for the blur; eight lengths to each doubling.
  const float needed = 1.02F * std::max({high.x() - low.x(), high.y() - low.y(), 1e-6F});
  const float side = std::exp2(std::ceil(8 * std::log2(needed)) / 8);
  SunView view;
  view.texel = side / static_cast<float>(size);
  Vec3f middle = 0.5F * (low + high);
  for (int axis = 0; axis < 2; ++axis) {
    middle[axis] = std::round(middle[axis] / view.texel) * view.texel;
  }
  const float depth = std::max(high.z() - low.z(), 1e-6F);

  Eigen::Matrix4f& m = view.viewProjection;
  m.topLeftCorner<3, 3>() = Vec3f(2 / side, 2 / side, -2 / depth).asDiagonal() * axes;
  m.col(3).head<3>() =
      -Vec3f(2 / side * middle.x(), 2 / side * middle.y(), -2 / depth * middle.z());
  Eigen::Matrix4f half = Eigen::Matrix4f::Identity();
  half.topLeftCorner<3, 3>() *= 0.5F;
  half.col(3).head<3>().setConstant(0.5F);
  view.toMap = half * m;
  return view;
}

ShadowMap::ShadowMap(int size) : size_(size) {
  glBindTexture(GL_TEXTURE_2D, depth_.id());
  glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT,
               GL_UNSIGNED_INT, nullptr);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);

  GLint before = 0;
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
  glBindFramebuffer(GL_FRAMEBUFFER, target_.id());
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth_.id(), 0);
  glDrawBuffer(GL_NONE);
  glReadBuffer(GL_NONE);
  const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(before));
  if (!complete) throw std::runtime_error("the OpenGL driver cannot draw into a depth texture");
}

void ShadowMap::begin() const {
  glBindFramebuffer(GL_FRAMEBUFFER, target_.id());
  glViewport(0, 0, size_, size_);
  glClear(GL_DEPTH_BUFFER_BIT);
}

void ShadowMap::bindTexture() const {
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, depth_.id());
}

namespace {

// The longest side that the box may have: in lengths of the scene, so that all of it has shadows
// from near by as well; or in distances of the target. At three of these a texel of 1024 is some
// three pixels of a picture, about what the blur hides.
constexpr float kScenes = 4;
constexpr float kDistances = 3;

std::vector<Ball> casters(const DrawList& list, GpuMeshCache& meshes) {
  std::vector<Ball> balls;
  for (const Batch& batch : list.batches) {
    if (!batch.mesh || batch.mesh->indices.empty() || !batch.castsShadow || batch.overlay) continue;
    const GpuMeshLevels& mesh = meshes.of(batch.mesh);
    for (const Instance& copy : batch.instances) {
      if (copy.color[3] < 1) continue;  // glass
      const Ball ball = ballOf(copy, mesh);
      if (ball.center.allFinite() && std::isfinite(ball.radius)) balls.push_back(ball);
    }
  }
  return balls;
}

Eigen::AlignedBox3f grownBy(const Ball& ball, Eigen::AlignedBox3f box) {
  const Vec3f reach = Vec3f::Constant(ball.radius);
  box.extend(Vec3f(ball.center - reach));
  box.extend(Vec3f(ball.center + reach));
  return box;
}

}  // namespace

Eigen::AlignedBox3f shadowBounds(const DrawList& list, GpuMeshCache& meshes, const Camera& camera) {
  std::vector<Ball> balls = casters(list, meshes);
  Eigen::AlignedBox3f all;
  for (const Ball& ball : balls) all = grownBy(ball, all);
  const float most = std::max(kScenes * (list.boundsUpper - list.boundsLower).maxCoeff(),
                              kDistances * static_cast<float>(camera.distance()));
  if (all.isEmpty() || all.sizes().maxCoeff() <= most) return all;

  const Vec3f target = camera.target.cast<float>();
  std::ranges::stable_sort(balls, {},
                           [&](const Ball& ball) { return (ball.center - target).squaredNorm(); });
  Eigen::AlignedBox3f near = grownBy(balls.front(), {});
  for (const Ball& ball : balls) {
    const Eigen::AlignedBox3f grown = grownBy(ball, near);
    if (grown.sizes().maxCoeff() <= most) near = grown;
  }
  return near;
}

}  // namespace drystone::viewer
