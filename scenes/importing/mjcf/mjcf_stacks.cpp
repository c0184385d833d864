// Several joints of one body as one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/check.h"
#include "core/input_error.h"
#include "scenes/importing/mjcf/mjcf.h"

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

ImportedJoint singleJoint(const MjcfJoint& joint, const Pose& pose, ImportLog& log) {
  const Pose moved = pose * motionOf(joint);
  ImportedJoint out;
  out.type = joint.isSlide ? "slider" : "hinge";
  out.anchor = moved * joint.position;
  out.axis = moved.rotation * joint.axis;
  out.name = joint.name;
  out.line = joint.line;
  takeCoordinate(joint.start, joint.coordinate, out, log);
  return out;
}

bool isSquare(const Vec3& a, const Vec3& b) { return std::abs(a.dot(b)) <= kRounding; }

InputError wrongAxes() {
  return InputError(
      "several joints of a body need slides before hinges, and axes at right angles; put a body of "
      "its own, with a mass, between them");
}

/// Axes of the frames in the body: x, y, z are the hinges in their order, then the slides.
Mat3 framesOf(std::span<const MjcfJoint> joints) {
  std::vector<Vec3> axes;
  for (const bool isSlide : {false, true}) {
    for (const MjcfJoint& joint : joints) {
      if (joint.isSlide != isSlide || axes.size() == 2) continue;
      if (!axes.empty() && !isSquare(axes[0], joint.axis)) {
        if (!isSlide) throw wrongAxes();
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

/// The point of the body in which the axes of its hinges meet, which are at right angles; one of
/// them where there is a single hinge. Turning about any point of its axis, a hinge is the same.
Vec3 commonPoint(const std::vector<const MjcfJoint*>& hinges) {
  if (hinges.empty()) return Vec3::Zero();
  Vec3 point = hinges[0]->position;
  if (hinges.size() == 1) return point;
  const Vec3& axis = hinges[0]->axis;
  point += (hinges[1]->position - point).dot(axis) * axis;
  for (std::size_t i = 1; i < hinges.size(); ++i) {
    const Vec3 off = point - hinges[i]->position;
    const Real distance = (off - off.dot(hinges[i]->axis) * hinges[i]->axis).norm();
    if (distance <= kRounding) continue;
    throw InputError(
        fmt::format("the axes of the hinges of a body must meet in one point, and that of hinge {} "
                    "passes by at {:.3g} m; change its \"pos\", or put a body of its own, with a "
                    "mass, between them",
                    i + 1, distance));
  }
  return point;
}

}  // namespace

ImportedJoint stackedJoint(std::span<const MjcfJoint> joints, const Pose& pose, ImportLog& log) {
  if (joints.size() == 1) return singleJoint(joints.front(), pose, log);
  DRYSTONE_ASSERT(std::ranges::all_of(
      joints, [](const MjcfJoint& joint) { return joint.start == joint.reference; }));
  const Mat3 frame = framesOf(joints);
  ImportedJoint out;
  out.type = "six_dof";
  constexpr std::array<const char*, 3> kAlong = {"x", "y", "z"};
  constexpr std::array<const char*, 3> kAbout = {"about_x", "about_y", "about_z"};
  std::vector<const MjcfJoint*> hinges;
  for (const MjcfJoint& joint : joints) {
    if (joint.isSlide && !hinges.empty()) throw wrongAxes();  // it would turn with the hinge
    const Vec3 shares = frame.transpose() * joint.axis;
    int axis = 0;
    const Real share = shares.cwiseAbs().maxCoeff(&axis);
    if (1 - share > kRounding || (!joint.isSlide && axis != static_cast<int>(hinges.size()))) {
      throw wrongAxes();
    }
    const char* key = joint.isSlide ? kAlong[static_cast<std::size_t>(axis)]
                                    : kAbout[static_cast<std::size_t>(axis)];
    const Real sign = shares[axis] > 0 ? 1 : -1;
    if (!out.axes.emplace(key, countedFrom(joint.start, joint.coordinate, sign)).second) {
      throw wrongAxes();
    }
    noteCount(joint.name, joint.start, joint.line, log);
    if (!joint.isSlide) hinges.push_back(&joint);
  }
  out.anchor = pose * commonPoint(hinges);
  out.orientation = pose.rotation * Quat(frame);
  return out;
}

Pose startOf(std::span<const MjcfJoint> joints) {
  Pose pose;
  for (const MjcfJoint& joint : joints) pose = pose * motionOf(joint);
  return pose;
}

}  // namespace drystone::importing
