#include "viewer/render/instance_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>

namespace drystone::viewer {

Ball ballOf(const Instance& copy, const GpuMeshLevels& mesh) {
  const float* t = copy.transform;
  const Vec3f& c = mesh.center;
  const Vec3f center(t[0] * c.x() + t[1] * c.y() + t[2] * c.z() + t[3],
                     t[4] * c.x() + t[5] * c.y() + t[6] * c.z() + t[7],
                     t[8] * c.x() + t[9] * c.y() + t[10] * c.z() + t[11]);
  float scale = 0;  // squared, of the longest column
  for (int column = 0; column < 3; ++column) {
    scale = std::max(scale, t[column] * t[column] + t[4 + column] * t[4 + column] +
                                t[8 + column] * t[8 + column]);
  }
  return {center, mesh.radius * std::sqrt(scale)};
}

namespace {

constexpr std::int8_t kLeftOut = -1;

class View {
 public:
  explicit View(const PlanView& view) : view_(view) {
    // The sides of what is seen, inwards: -w <= x, y, z <= w.
    const Eigen::Matrix4f& m = view.viewProjection;
    for (int axis = 0; axis < 2; ++axis) {
      for (float sign : {1.0F, -1.0F}) {
        Eigen::Vector4f plane = (m.row(3) + sign * m.row(axis)).transpose();
        planes_[static_cast<std::size_t>(2 * axis + (sign > 0 ? 0 : 1))] =
            plane / plane.head<3>().norm();
      }
    }
    depth_ = m.row(3).transpose();
    reach_ = m.row(1).head<3>().norm();
  }

  /// Behind the viewer everything counts as outside by the other four sides.
  bool sees(const Ball& ball) const {
    if (!view_.leaveOutHidden) return true;
    return std::ranges::all_of(planes_, [&](const Eigen::Vector4f& plane) {
      return plane.head<3>().dot(ball.center) + plane.w() >= -ball.radius;
    });
  }
  float depth(const Ball& ball) const { return depth_.head<3>().dot(ball.center) + depth_.w(); }
  /// The factor by which the copy has to grow to be seen that large.
  float growthTo(float leastPixels, const Ball& ball) const {
    const float w = depth(ball);
    const float radius = ball.radius * reach_ * view_.halfHeight / w;  // [pixels]
    return w > 0 && radius > 0 && radius < leastPixels ? leastPixels / radius : 1;
  }
  float pixelRadius(const Ball& ball) const {
    const float w = std::max(depth(ball) - ball.radius * depth_.head<3>().norm(), 1e-6F);
    return ball.radius * reach_ * view_.pixelsPerUnit / w;
  }

 private:
  const PlanView& view_;
  std::array<Eigen::Vector4f, 4> planes_;
  Eigen::Vector4f depth_;  // w of clip space
  float reach_ = 1;
};

/// The copies of the batch, none smaller than it may be.
std::vector<Instance> grownCopies(const Batch& batch, const GpuMeshLevels& mesh, const View& view) {
  std::vector<Instance> copies = batch.instances;
  for (Instance& copy : copies) {
    const float growth = view.growthTo(batch.leastPixels, ballOf(copy, mesh));
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column) copy.transform[4 * row + column] *= growth;
    }
  }
  return copies;
}

/// Appends the copies of the batch that `levelOf` does not leave out, those of a level together and
/// in that order.
void addLevels(const std::vector<Instance>& copies, const std::vector<std::int8_t>& levelOf,
               const std::vector<std::uint32_t>& order, const GpuMeshLevels& mesh,
               std::vector<Instance>& out, std::vector<DrawRange>& calls) {
  for (int level = 0; level < kMeshLevels; ++level) {
    const auto& gpu = mesh.levels[static_cast<std::size_t>(level)];
    if (!gpu) continue;
    DrawRange call = {&*gpu, out.size(), 0, mesh.twoSided};
    for (std::uint32_t i : order) {
      if (levelOf[i] == level) out.push_back(copies[i]);
    }
    call.count = out.size() - call.first;
    if (call.count > 0) calls.push_back(call);
  }
}

/// The copies by depth, near ones first: those behind them are then not shaded. Equal ones stay in
/// the order of the list, so that a picture has the same bits every time.
void sortNearFirst(const std::vector<float>& depths, std::vector<std::uint32_t>& order) {
  order.resize(depths.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](auto a, auto b) { return depths[a] < depths[b]; });
}

/// A transparent copy, of whatever batch.
struct Glass {
  float depth;
  const GpuMeshLevels* mesh;
  const Instance* copy;
};

/// Far ones first, so that near ones cover them; with the finest mesh. Copies of a mesh that follow
/// one another share a call.
void addSorted(std::vector<Glass>& copies, InstancePlan& plan) {
  std::ranges::stable_sort(copies, std::greater(), &Glass::depth);
  const GpuMeshLevels* last = nullptr;
  for (const Glass& one : copies) {
    if (one.mesh != last) {
      plan.transparent.push_back(
          {&*one.mesh->levels[0], plan.instances.size(), 0, one.mesh->twoSided});
    }
    last = one.mesh;
    ++plan.transparent.back().count;
    plan.instances.push_back(*one.copy);
  }
}

}  // namespace

void InstancePlan::clear() {
  instances.clear();
  for (auto* calls : {&shadow, &opaque, &transparent, &overlay}) calls->clear();
}

void planInstances(const DrawList& list, GpuMeshCache& meshes, const PlanView& planView, Pass pass,
                   InstancePlan& plan, const PlanView* lit) {
  const View view(planView), litView(lit ? *lit : planView);
  std::vector<std::int8_t> levelOf;
  std::vector<float> depths;
  std::vector<std::uint32_t> order;
  std::vector<Glass> glass;
  std::vector<Instance> grown;
  for (const Batch& batch : list.batches) {
    if (!batch.mesh || batch.mesh->indices.empty() || batch.instances.empty()) continue;
    if (pass == Pass::kShadow && (!batch.castsShadow || batch.overlay)) continue;
    const GpuMeshLevels& mesh = meshes.of(batch.mesh);
    if (batch.leastPixels > 0) grown = grownCopies(batch, mesh, view);
    const std::vector<Instance>& copies = batch.leastPixels > 0 ? grown : batch.instances;
    levelOf.assign(batch.instances.size(), kLeftOut);
    depths.assign(batch.instances.size(), 0);
    for (std::size_t i = 0; i < batch.instances.size(); ++i) {
      const Instance& copy = copies[i];
      const bool transparent = copy.color[3] < 1;
      const Ball ball = ballOf(copy, mesh);
      depths[i] = view.depth(ball);
      // Glass throws no shadow worth the name.
      if (transparent && !batch.overlay) {
        if (pass == Pass::kColor) glass.push_back({depths[i], &mesh, &copy});
        continue;
      }
      if (!view.sees(ball)) continue;
      const int level = mesh.levelFor(view.pixelRadius(ball));
      const int litLevel = mesh.levelFor(litView.pixelRadius(ball));
      levelOf[i] = static_cast<std::int8_t>(std::max(level, litLevel));
    }
    sortNearFirst(depths, order);
    if (pass == Pass::kShadow) {
      addLevels(copies, levelOf, order, mesh, plan.instances, plan.shadow);
    } else if (batch.overlay) {
      addLevels(copies, levelOf, order, mesh, plan.instances, plan.overlay);
    } else {
      addLevels(copies, levelOf, order, mesh, plan.instances, plan.opaque);
    }
  }
  addSorted(glass, plan);
}

}  // namespace drystone::viewer
