// The elements and attributes of MJCF.
#include <array>

#include "scenes/importing/mjcf/mjcf.h"

namespace drystone::importing {
namespace {

constexpr std::string_view kPose = "pos quat axisangle xyaxes zaxis euler";
/// What actuators have to do with beside joints; those that do are left out as a whole.
constexpr std::string_view kTransmission =
    "jointinparent tendon cranksite slidersite cranklength site refsite body";
constexpr std::string_view kBodies = "worldbody body frame";

constexpr KnownElement leftOut(std::string_view parents, std::string_view tag) {
  return {.parents = parents, .tag = tag, .isLeftOut = true};
}

/// In the order of the file format; each with the attributes of its defaults.
constexpr std::array kMjcfElements = {
    KnownElement{"", "mujoco", "model"},
    KnownElement{"mujoco", "compiler",
                 "angle eulerseq autolimits inertiafromgeom coordinate meshdir assetdir texturedir",
                 "boundmass boundinertia settotalmass balanceinertia strippath fitaabb "
                 "discardvisual usethread fusestatic inertiagrouprange saveinertial alignfree "
                 "exactmeshinertia convexhull conflict"},
    leftOut("compiler", "lengthrange"),
    KnownElement{"mujoco", "option", "gravity timestep",
                 "impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance "
                 "mpr_tolerance wind magnetic density viscosity o_margin o_solref o_solimp "
                 "o_friction integrator collision cone jacobian solver iterations ls_iterations "
                 "noslip_iterations ccd_iterations mpr_iterations sdf_iterations sdf_initpoints "
                 "actuatorgroupdisable apirate"},
    leftOut("option", "flag"),
    leftOut("mujoco", "size"),
    leftOut("mujoco", "visual"),
    leftOut("mujoco", "statistic"),
    leftOut("mujoco", "custom"),
    leftOut("mujoco", "extension"),
    leftOut("mujoco", "deformable"),
    leftOut("mujoco default", "tendon"),
    leftOut("mujoco", "sensor"),
    leftOut("mujoco", "keyframe"),
    KnownElement{"mujoco default", "default", "class"},
    KnownElement{"mujoco", "asset"},
    KnownElement{"asset default", "mesh",
                 "name class file refpos refquat scale content_type vertex normal face texcoord "
                 "builtin params",
                 "smoothnormal maxhullvert inertia material octreedepth"},
    leftOut("asset", "texture"),
    leftOut("asset default", "material"),
    leftOut("asset", "hfield"),
    leftOut("asset", "skin"),
    leftOut("asset", "model"),
    KnownElement{"mujoco", "worldbody", "childclass"},
    KnownElement{kBodies, "body", "name childclass mocap gravcomp", "user sleep", kPose},
    KnownElement{kBodies, "frame", "name childclass", "", kPose},
    KnownElement{"body", "inertial", "mass diaginertia fullinertia", "", kPose},
    KnownElement{"worldbody body frame default", "joint",
                 "name class type pos axis limited range ref springref stiffness damping "
                 "frictionloss",
                 "group springdamper actuatorfrclimited actuatorfrcrange actuatorgravcomp margin "
                 "solreflimit solimplimit solreffriction solimpfriction armature user"},
    KnownElement{"body", "freejoint", "name", "group align"},
    KnownElement{"worldbody body frame default", "geom",
                 "name class type size fromto mesh hfield mass density contype conaffinity condim "
                 "friction solref solimp",
                 "group priority material rgba shellinertia solmix margin gap "
                 "fitscale fluidshape fluidcoef user",
                 kPose},
    leftOut("worldbody body frame default", "site"),
    leftOut("worldbody body frame default", "camera"),
    leftOut("worldbody body frame default", "light"),
    leftOut(kBodies, "composite"),
    leftOut(kBodies, "flexcomp"),
    leftOut(kBodies, "replicate"),
    leftOut(kBodies, "attach"),
    leftOut(kBodies, "plugin"),
    KnownElement{"mujoco", "contact"},
    KnownElement{"contact", "exclude", "name class body1 body2"},
    leftOut("contact default", "pair"),
    KnownElement{"mujoco", "equality"},
    leftOut("default", "equality"),
    KnownElement{"equality", "connect", "name class active body1 body2 anchor site1 site2",
                 "solref solimp"},
    KnownElement{"equality", "weld", "name class active body1 body2 anchor relpose site1 site2",
                 "solref solimp torquescale"},
    KnownElement{"equality", "joint", "name class active joint1 joint2 polycoef", "solref solimp"},
    leftOut("equality", "tendon"),
    leftOut("equality", "flex"),
    leftOut("equality", "flexvert"),
    leftOut("equality", "flexstrain"),
    KnownElement{"mujoco", "actuator"},
    KnownElement{"actuator default", "motor",
                 "name class joint gear ctrlrange ctrllimited forcerange forcelimited group user "
                 "lengthrange actlimited actrange actearly delay nsample",
                 "", kTransmission},
    KnownElement{"actuator default", "position",
                 "name class joint gear kp kv ctrlrange ctrllimited forcerange forcelimited",
                 "dampratio timeconst inheritrange group user lengthrange actlimited actrange "
                 "actearly delay nsample",
                 kTransmission},
    KnownElement{"actuator default", "velocity", "name class joint gear kv",
                 "ctrlrange ctrllimited forcerange forcelimited group user lengthrange actlimited "
                 "actrange actearly delay nsample",
                 kTransmission},
    leftOut("actuator default", "general"),
    leftOut("actuator default", "intvelocity"),
    leftOut("actuator default", "damper"),
    leftOut("actuator default", "cylinder"),
    leftOut("actuator default", "muscle"),
    leftOut("actuator default", "adhesion"),
    leftOut("actuator", "plugin"),
};

}  // namespace

const KnownNames& mjcfNames() {
  static const KnownNames names{.elements = kMjcfElements};
  return names;
}

}  // namespace drystone::importing
