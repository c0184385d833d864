// Several joints of one body as one.
#include "scenes/importing/mjcf/mjcf.h"

#include <array>
#include <cmath>
#include <vector>

namespace drystone::importing {
namespace {

/// Cosine or distance [m] that rounding of numbers with six digits may leave.
constexpr Real kRounding = 1e-6;

Pose motionOf(const MjcfJoint& joint) {
  const Real moved = joint.start - joint.reference;
  if (moved == 0) return {};
  if (joint.isSlide) return {moved * joint.axis, Quat::Identity()};
  const Quat turn(Eigen::AngleAxis<Real>(moved, joint.axis));
  return {joint.position - turn * joint.position, turn};
}

ImportedJoint singleJoint(const MjcfJoint& joint, const Pose& pose) {
  const Pose moved = pose * motionOf(joint);
  ImportedJoint out;
  out.type = joint.isSlide ? "slider" : "hinge";
  out.anchor = moved * joint.position;
  out.axis = moved.rotation * joint.axis;
  out.coordinate = countedFrom(joint.start, joint.coordinate);
  return out;
}

bool isSquare(const Vec3& a, const Vec3& b) { return std::abs(a.dot(b)) <= kRounding; }

/// Axes of the frames in the body: x, y, z are the hinges in their order, then the slides.
std::optional<Mat3> framesOf(std::span<const MjcfJoint> joints) {
  std::vector<Vec3> axes;
  for (const bool isSlide : {false, true}) {
    for (const MjcfJoint& joint : joints) {
      if (joint.isSlide != isSlide || axes.size() == 2) continue;
      if (!axes.empty() && !isSquare(axes[0], joint.axis)) {
        if (!isSlide) return std::nullopt;
        continue;  // a slide along the hinge
      }
      axes.push_back(joint.axis);
    }
  }
  Mat3 frame;
  frame.col(0) = axes[0];
  const Vec3 second = axes.size() == 2 ? axes[1] : Vec3(axes[0].unitOrthogonal());
  frame.col(1) = (second - axes[0].dot(second) * axes[0]).normalized();
  frame.col(2) = frame.col(0).cross(frame.col(1));
  return frame;
}

}  // namespace

std::optional<ImportedJoint> stackedJoint(std::span<const MjcfJoint> joints, const Pose& pose) {
  if (joints.size() == 1) return singleJoint(joints.front(), pose);
  const auto frame = framesOf(joints);
  if (!frame) return std::nullopt;
  ImportedJoint out;
  out.type = "six_dof";
  constexpr std::array<const char*, 3> kAlong = {"x", "y", "z"};
  constexpr std::array<const char*, 3> kAbout = {"about_x", "about_y", "about_z"};
  const MjcfJoint* hinge = nullptr;
  int hinges = 0;
  for (const MjcfJoint& joint : joints) {
    if (joint.isSlide && hinges > 0) return std::nullopt;  // it would turn with the hinge
    if (!joint.isSlide && hinge != nullptr &&
        (joint.position - hinge->position).norm() > kRounding) {
      return std::nullopt;
    }
    Vec3 shares = frame->transpose() * joint.axis;
    int axis = 0;
    const Real share = shares.cwiseAbs().maxCoeff(&axis);
    if (1 - share > kRounding || (!joint.isSlide && axis != hinges)) return std::nullopt;
    const char* key = joint.isSlide ? kAlong[static_cast<std::size_t>(axis)]
                                    : kAbout[static_cast<std::size_t>(axis)];
    const Real sign = shares[axis] > 0 ? 1 : -1;
    if (!out.axes.emplace(key, countedFrom(joint.start, joint.coordinate, sign)).second) {
      return std::nullopt;
    }
    if (joint.isSlide) continue;
    hinge = &joint;
    ++hinges;
  }
  out.anchor = pose * (hinge != nullptr ? hinge->position : Vec3(Vec3::Zero()));
  out.orientation = pose.rotation * Quat(*frame);
  return out;
}

Pose startOf(std::span<const MjcfJoint> joints) {
  Pose pose;
  for (const MjcfJoint& joint : joints) pose = pose * motionOf(joint);
  return pose;
}

}  // namespace drystone::importing
