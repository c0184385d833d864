#include "engine/model/joint_presets.h"

#include <cmath>

namespace drystone {
namespace {

constexpr PresetAxis kAxis = {"axis", "Direction of the world at the start; any length."};

void visitBall(JointDefinition& joint, FieldVisitor& visitor) {
  std::optional<Real> swing;
  visitor.optional({"swing_limit", "rad", "largest angle between the axes of the two bodies"},
                   swing, kSmallestPositiveInput, M_PI);
  joint.swingLimit = swing.value_or(kInfinity);
  Real friction = 0;
  visitor.notNegative({"friction", "N m", "dry friction of each of the three turns"}, friction);
  for (const int i : {kAboutX, kAboutY, kAboutZ}) joint.axes[i].friction = friction;
}

void visitDistance(JointDefinition& joint, FieldVisitor& visitor) {
  std::optional<Real> length;
  visitor.optional({"length", "m", "of a rod, in place of lower and upper"}, length,
                   kSmallestPositiveInput, kLargestInput);
  if (length) joint.axes[0].lower = joint.axes[0].upper = *length;
}

}  // namespace

std::span<const JointPreset> jointPresets() {
  static const std::vector<JointPreset> presets = {
      {.name = "ball",
       .help = "A point of body a and a point of body b stay together; all turns are free, or body "
               "b's axis stays in a cone.",
       .axes = {{"axis", "Axis of the swing limit, as that of a hinge; x unless given.", false}},
       .free = {{kAboutX}, {kAboutY}, {kAboutZ}},
       .visitOwn = &visitBall},
      {.name = "hinge",
       .help = "Body b turns about an axis of body a.",
       .axes = {kAxis},
       .free = {{kAboutX}}},
      {.name = "slider",
       .help = "Body b slides along an axis of body a.",
       .axes = {kAxis},
       .free = {{kAlongX}}},
      {.name = "cylindrical",
       .help = "Body b slides along and turns about an axis of body a.",
       .axes = {kAxis},
       .free = {{kAlongX, "slide", "Along the axis."}, {kAboutX, "turn", "About the axis."}}},
      {.name = "universal",
       .help = "Two shafts on a cross: turns about an arm of body a and an arm of body b.",
       .axes = {{"axis_a", "Arm of the cross in body a, a direction of the world at the start."},
                {"axis_b", "Arm in body b, at a right angle to axis_a."}},
       .free = {{kAboutX, "turn_a", "About axis_a."}, {kAboutZ, "turn_b", "About axis_b."}}},
      {.name = "wheel",
       .help = "Body b is a wheel of body a: it travels along an axis of the suspension, steers "
               "about it and spins about its own axle.",
       .axes = {{"steer_axis",
                 "Axis of the suspension and of the steering, a direction of the world at the "
                 "start, as [0, 0, 1] for up."},
                {"wheel_axis",
                 "The axle, a direction of the world at the start at a right angle to steer_axis, "
                 "as [0, 1, 0]."}},
       .free = {{.index = kAlongX,
                 .key = "suspension",
                 .help = "Travel of the wheel along steer_axis.",
                 .carriesLoad = true},
                {kAboutX, "steer", "Turn about steer_axis; locked unless given.", true},
                {kAboutZ, "spin", "Turn about the axle."}},
       .mayLock = true},
      {.name = "fixed", .help = "Nothing moves.", .hasOrientation = true},
      {.name = "six_dof",
       .help = "Every coordinate as it is said: \"free\" (the default), \"locked\" or an object.",
       .hasOrientation = true,
       .free = {{kAlongX, "x", "Along x of the frame."},
                {kAlongY, "y", "Along y."},
                {kAlongZ, "z", "Along z."},
                {kAboutX, "about_x", "Turn about x of body a's frame."},
                {kAboutY, "about_y",
                 "Turn in between; within ±90° where all three turns are free."},
                {kAboutZ, "about_z", "Turn about z of body b's frame."}},
       .mayLock = true},
      {.name = "distance",
       .help = "The distance of the two anchors: a rod (length), a rope (upper alone), a spring.",
       .geometry = JointGeometry::kDistance,
       .free = {{0}},
       .visitOwn = &visitDistance},
      {.name = "gear",
       .help = "Couples two joints with exactly one free coordinate, as hinges, sliders and ropes: "
               "q_a + ratio q_b stays.",
       .geometry = JointGeometry::kGear},
      {.name = "rack_and_pinion",
       .help = "Couples a slider, the rack, to a hinge, the pinion: q_a - radius q_b stays.",
       .geometry = JointGeometry::kGear,
       .coupling = {.first = PresetCoupling::Kind::kSlide,
                    .second = PresetCoupling::Kind::kTurn,
                    .key = "radius",
                    .unit = "m",
                    .help = "travel of the rack per radian; below 0: the other way",
                    .sign = -1}},
      {.name = "pulley",
       .help = "A rope over pulleys couples two distances: q_a + ratio q_b may become less than at "
               "the start, and not more.",
       .geometry = JointGeometry::kGear,
       .coupling = {.first = PresetCoupling::Kind::kDistance,
                    .second = PresetCoupling::Kind::kDistance,
                    .help = "not 0; 2: the rope goes to body b and back",
                    .isRope = true}},
      {.name = "winch",
       .help = "A rope that a drum winds up: q_a + radius q_b of a distance and a hinge may become "
               "less than at the start, and not more.",
       .geometry = JointGeometry::kGear,
       .coupling = {.first = PresetCoupling::Kind::kDistance,
                    .second = PresetCoupling::Kind::kTurn,
                    .key = "radius",
                    .unit = "m",
                    .help = "rope per radian of the drum; below 0: turning forwards pays out",
                    .isRope = true}},
  };
  return presets;
}

}  // namespace drystone
