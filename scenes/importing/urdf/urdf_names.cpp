// The elements and attributes of URDF.
#include <array>

#include "scenes/importing/urdf/urdf.h"

namespace drystone::importing {
namespace {

/// In the order of the file format. What a robot has beside them belongs to other programs.
constexpr std::array kUrdfElements = {
    KnownElement{"", "robot", "name", "version"},
    KnownElement{"robot", "link", "name", "type"},
    KnownElement{"robot", "joint", "name type"},
    KnownElement{.parents = "robot", .tag = "material", .isLeftOut = true},
    KnownElement{.parents = "robot", .tag = "transmission", .isLeftOut = true},
    KnownElement{.parents = "robot", .tag = "gazebo", .isLeftOut = true},
    KnownElement{.parents = "robot", .tag = "sensor", .isLeftOut = true},
    KnownElement{.parents = "robot", .tag = "ros2_control", .isLeftOut = true},
    KnownElement{"link", "inertial"},
    KnownElement{"link", "collision", "name", "group"},
    KnownElement{.parents = "link", .tag = "visual", .isLeftOut = true},
    KnownElement{"inertial collision joint", "origin", "xyz rpy"},
    KnownElement{"inertial", "mass", "value"},
    KnownElement{"inertial", "inertia", "ixx ixy ixz iyy iyz izz"},
    KnownElement{"collision", "geometry"},
    KnownElement{"geometry", "box", "size"},
    KnownElement{"geometry", "sphere", "radius"},
    KnownElement{"geometry", "cylinder", "radius length"},
    KnownElement{"geometry", "capsule", "radius length"},
    KnownElement{"geometry", "mesh", "filename scale"},
    KnownElement{"joint", "parent", "link"},
    KnownElement{"joint", "child", "link"},
    KnownElement{"joint", "axis", "xyz"},
    KnownElement{"joint", "limit", "lower upper effort velocity", "acceleration deceleration jerk"},
    KnownElement{"joint", "dynamics", "damping friction", "spring_stiffness spring_reference"},
    KnownElement{"joint", "mimic", "joint multiplier offset"},
    KnownElement{.parents = "joint", .tag = "calibration", .isLeftOut = true},
    KnownElement{.parents = "joint", .tag = "safety_controller", .isLeftOut = true},
};

}  // namespace

const KnownNames& urdfNames() {
  static const KnownNames names{.elements = kUrdfElements,
                                .openTags = "robot link collision joint"};
  return names;
}

}  // namespace drystone::importing
