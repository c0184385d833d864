// Mistakes of one value each: every kind that a scene file can hold, with the exact message.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "tests/unit/scenes/scene_testing.h"

namespace drystone {
namespace {

const Mistake kMistakes[] = {
    {"UnknownKey_NamesNearOnes", R"("world": {@"timstep": 0.01})",
     R"(/world/timstep: unknown key of world; did you mean "timestep"?)"},
    {"UnknownSection_NamesNearOnes", R"(@"bodys": [])",
     R"(/bodys: unknown key of scene; did you mean "bodies"?)"},
    {"NegativeMass", R"("bodies": [{"shape": {"type": "sphere", "radius": 1}, "mass": @-1}])",
     "/bodies/0/mass: must be ≥ 1e-15 kg, got -1"},
    {"ZeroDensity", R"("bodies": [{"shape": {"type": "sphere", "radius": 1}, "density": @0}])",
     "/bodies/0/density: must be ≥ 1e-15 kg/m³, got 0"},
    // Their reciprocals and squares would leave the range of doubles.
    {"TinyMass", R"("bodies": [{"shape": {"type": "sphere", "radius": 1}, "mass": @1e-160}])",
     "/bodies/0/mass: must be ≥ 1e-15 kg, got 1e-160"},
    {"TinyRadius", R"("shapes": {"a": {"type": "sphere", "radius": @1e-200}})",
     "/shapes/a/radius: must be ≥ 1e-15 m, got 1e-200"},
    {"TinyInertia", R"("bodies": [{"mass": 1, "inertia": @[1e-160, 1e-160, 1e-160]}])",
     "/bodies/0/inertia: its principal moments must be ≥ 1e-15 kg m², got 1e-160"},
    // 4/3 π (1e-15)³ m³ of water.
    {"TinyMassOfShapeAndDensity", R"("bodies": [@{"shape": {"type": "sphere", "radius": 1e-15}}])",
     "/bodies/0: its mass, density times volume, must be ≥ 1e-15 kg, got 4.18879e-42"},
    {"TimestepOfAnotherUnit", R"("world": {"timestep": @1001})",
     "/world/timestep: must be ≤ 1000 s, got 1001"},
    {"ToleranceThatNothingMeets", R"("solver": {"tolerance": @0})",
     "/solver/tolerance: must be ≥ 1e-15 m/s, got 0"},
    {"UnknownKeyWithAParameter_DoesNotNameTheParameter",
     R"("parameters": {"mu": {"default": 1}}, "materials": {"m": {@"fricton": "$mu"}})",
     R"(/materials/m/fricton: unknown key of material; did you mean "friction"?)"},
    {"JointOfTwoFixedBodies",
     R"("bodies": [{"kind": "static"}, {"kind": "static"}], "joints": [@{"type": "ball", "body_a": "body_0", "body_b": "body_1", "anchor": [0, 0, 0]}])",
     "/joints/0: one of the two bodies must be dynamic"},
    {"TextForNumber", R"("world": {"timestep": @"fast"})",
     R"(/world/timestep: must be a number, got the text "fast")"},
    {"NumberForText", R"("name": @3)", "/name: must be text, got 3"},
    {"NumberForFlag", R"("world": {"warm_start": @1})",
     "/world/warm_start: must be true or false, got 1"},
    {"NullForObject", R"("world": @null)", "/world: must be an object (world), got null"},
    {"ObjectForList", R"("bodies": @{})", "/bodies: must be a list, got an object"},
    {"ListForNames", R"("materials": @[])",
     "/materials: must be an object of named entries, got a list of 0"},
    {"FractionForCount", R"("world": {"threads": @1.5})",
     "/world/threads: must be a whole number, got 1.5"},
    {"TooManyThreads", R"("world": {"threads": @5000})",
     "/world/threads: must be ≤ 1024, got 5000"},
    {"ShortVector", R"("world": {"gravity": @[0, 0]})",
     "/world/gravity: must be a list of 3 numbers, got a list of 2"},
    {"TextInVector", R"("world": {"gravity": [0, @"x", 0]})",
     R"(/world/gravity/1: must be a number, got the text "x")"},
    {"UnknownFrictionModel", R"("world": {"friction": @"conical"})",
     R"(/world/friction: must be one of none, box, pyramid, diamond, cone, contensou, rolling, got "conical")"},
    {"UnknownShape", R"("bodies": [{"shape": @"cube"}])",
     R"(/bodies/0/shape: there is no shape "cube": the scene has none)"},
    {"UnknownTypeOfShape", R"("shapes": {"a": {"type": @"spher", "radius": 1}})",
     R"(/shapes/a/type: unknown type of shape "spher"; did you mean "sphere"?)"},
    {"ShapeWithoutType", R"("shapes": {"a": @{"radius": 1}})",
     R"(/shapes/a: a shape needs "type")"},
    {"ShapeWithoutRadius", R"("shapes": {"a": @{"type": "sphere"}})",
     R"(/shapes/a: sphere needs "radius")"},
    {"ZeroRadius", R"("shapes": {"a": {"type": "sphere", "radius": @0}})",
     "/shapes/a/radius: must be ≥ 1e-15 m, got 0"},
    {"ZeroHalfAxis", R"("shapes": {"a": {"type": "ellipsoid", "half_axes": [1, @0, 2]}})",
     "/shapes/a/half_axes/1: must be ≥ 1e-15 m, got 0"},
    {"BoxWithTwoSizes",
     R"("shapes": {"a": {"type": "box", "half_extents": [1, 1, 1], @"size": [2, 2, 2]}})",
     R"(/shapes/a/size: "half_extents" is given already; leave one out)"},
    {"HeightsOfWrongNumber",
     R"("shapes": {"a": {"type": "heightfield", "columns": 2, "rows": 2, "spacing": [1, 1], "heights": @[0]}})",
     "/shapes/a/heights: must hold columns x rows = 4 numbers, got 1"},
    {"MeshFileInTextWithoutFolder", R"("shapes": {"a": {"type": "mesh", "file": @"rock.obj"}})",
     "/shapes/a/file: a scene without a folder of its own cannot name files"},
    {"DynamicPlane", R"("bodies": [@{"shape": {"type": "plane"}}])",
     "/bodies/0: a plane has no volume: only a static body may carry it"},
    {"DynamicBodyOfNothing", R"("bodies": [@{}])",
     R"(/bodies/0: a dynamic body without a shape needs "mass" and "inertia")"},
    {"MassAndDensity",
     R"("bodies": [{"shape": {"type": "sphere", "radius": 1}, "mass": 1, @"density": 1}])",
     R"(/bodies/0/density: "mass" is given already; leave one out)"},
    {"InertiaWithoutMass",
     R"("bodies": [{"shape": {"type": "sphere", "radius": 1}, @"inertia": [1, 1, 1]}])",
     R"(/bodies/0/inertia: goes with "mass", which is not given)"},
    {"IndefiniteInertia", R"("bodies": [{"mass": 1, "inertia": @[1, 1, -1]}])",
     "/bodies/0/inertia: must be positive definite"},
    // A principal moment is at most the sum of the other two: 5 > 1 + 1.
    {"InertiaOfNoBody", R"("bodies": [{"mass": 1, "inertia": @[1, 1, 5]}])",
     "/bodies/0/inertia: no body has this inertia: its largest principal moment, 5 kg m², is "
     "larger than the sum of the other two, 2 kg m²"},
    {"InertiaOfFourNumbers", R"("bodies": [{"mass": 1, "inertia": @[1, 1, 1, 0]}])",
     "/bodies/0/inertia: must be [Ixx, Iyy, Izz] or [Ixx, Iyy, Izz, Ixy, Ixz, Iyz]"},
    {"MovingStaticBody", R"("bodies": [{"kind": "static", @"velocity": [1, 0, 0]}])",
     "/bodies/0/velocity: a static body does not move"},
    {"MotionOfDynamicBody", R"("bodies": [{"mass": 1, "inertia": [1, 1, 1], @"motion": []}])",
     "/bodies/0/motion: only a kinematic body moves as prescribed"},
    {"MotionBackInTime",
     R"("bodies": [{"kind": "kinematic", "motion": [{"time": 1}, {"time": @1}]}])",
     "/bodies/0/motion/1/time: must be > 1 s, the time of the key before"},
    {"ForcesOnAStaticBody", R"("bodies": [{"kind": "static", @"forces": []}])",
     "/bodies/0/forces: only a dynamic body takes forces"},
    {"ForcesBackInTime",
     R"("bodies": [{"mass": 1, "inertia": [1, 1, 1], "forces": [{"time": 2}, {"time": @1}]}])",
     "/bodies/0/forces/1/time: must be > 2 s, the time of the key before"},
    {"TwoBodiesOfOneName",
     R"("bodies": [{"kind": "static", "name": "a"}, {"kind": "static", "name": @"a"}])",
     R"(/bodies/1/name: another body is named "a" already)"},
    {"MaskBeyond32Bits", R"("bodies": [{"kind": "static", "mask": @4294967296}])",
     "/bodies/0/mask: must be a whole number from 0 to 4294967295, got 4294967296"},
    {"FrictionOfABody", R"("bodies": [{"kind": "static", @"friction": 0.5}])",
     "/bodies/0/friction: unknown key of body; it belongs in materials.NAME.friction"},
    {"FrictionOfABodyOfAGenerator",
     R"("generators": [{"type": "replicate", "bodies": [{"kind": "static", @"friction": 0.5}]}])",
     "/generators/0/bodies/0/friction: unknown key of body; it belongs in materials.NAME.friction"},
    {"RadiusOfABodyOfAGenerator",
     R"("generators": [{"type": "replicate", "bodies": [{"kind": "static", @"radius": 1}]}])",
     "/generators/0/bodies/0/radius: unknown key of body; it belongs in "
     "generators.NAME.bodies.NAME.shape.radius"},
    {"MassOfAShape", R"("shapes": {"a": {"type": "sphere", "radius": 1, @"mass": 2}})",
     "/shapes/a/mass: unknown key of sphere; it belongs in bodies.NAME.mass"},
    {"RadiusOfABody", R"("bodies": [{"kind": "static", @"radius": 1}])",
     "/bodies/0/radius: unknown key of body; it belongs in bodies.NAME.shape.radius"},
    {"GravityAtTheTop", R"(@"gravity": [0, 0, -1])",
     "/gravity: unknown key of scene; it belongs in world.gravity"},
    {"FrictionAtTheTop", R"(@"friction": 0.5)",
     "/friction: unknown key of scene; it belongs in materials.NAME.friction"},
    {"FrictionModelAtTheTop", R"(@"friction": "box")",
     "/friction: unknown key of scene; it belongs in world.friction"},
    {"ToleranceOfTheWorld", R"("world": {@"tolerance": 1e-3})",
     "/world/tolerance: unknown key of world; it belongs in world.projection.tolerance or "
     "solver.tolerance; or did you mean \"joint_tolerance\" or \"overlap_tolerance\"?"},
    {"SolverInTheWorld", R"("world": {@"solver": {}})",
     "/world/solver: unknown key of world; it belongs at the top of the file"},
    {"KeyOfAnotherShape", R"("shapes": {"a": {"type": "sphere", "radius": 1, @"height": 2}})",
     "/shapes/a/height: unknown key of sphere; only other types have it; known names: radius, "
     "type"},
    {"ZeroQuaternion", R"("bodies": [{"kind": "static", "orientation": @[0, 0, 0, 0]}])",
     "/bodies/0/orientation: a zero quaternion is no orientation; [1, 0, 0, 0] is the identity"},
    {"LongQuaternion", R"("bodies": [{"kind": "static", "orientation": @[1, 1, 0, 0]}])",
     "/bodies/0/orientation: must be a unit quaternion [w, x, y, z], got one of length 1.41421"},
    {"ZeroAxis",
     R"("bodies": [{"kind": "static", "orientation": {"axis": @[0, 0, 0], "angle": 1}}])",
     "/bodies/0/orientation/axis: must not be the zero vector"},
    {"AxisWithoutAngle", R"("bodies": [{"kind": "static", "orientation": @{"axis": [0, 0, 1]}}])",
     R"(/bodies/0/orientation: orientation needs "angle" or "angle_deg")"},
    {"SelfJoint",
     R"("bodies": [{"kind": "static", "name": "a"}], "joints": [{"type": "ball", "body_a": "a", "body_b": @"a", "anchor": [0, 0, 0]}])",
     "/joints/0/body_b: a joint connects two bodies, and this is body_a again"},
    {"JointToNobody",
     R"("bodies": [{"kind": "static", "name": "arm"}], "joints": [{"type": "ball", "body_a": "arm", "body_b": @"amr", "anchor": [0, 0, 0]}])",
     R"(/joints/0/body_b: there is no body "amr"; did you mean "arm"?)"},
    {"UnknownGenerator",
     R"("generators": [{"type": @"gird", "counts": [1, 1, 1], "spacing": [1, 1, 1], "shape": {"type": "sphere", "radius": 1}}])",
     R"(/generators/0/type: unknown type of generator "gird"; did you mean "grid"?)"},
    {"UnknownParameter",
     R"("parameters": {"ratio": {"default": 1}}, "world": {"timestep": @"$rato"})",
     R"(/world/timestep: this scene has no parameter "rato"; did you mean "ratio"?)"},
    {"ParameterOutOfTheValuesRange",
     R"("parameters": {"h": {"default": -1}}, "world": {"timestep": @"$h"})",
     "/world/timestep: must be ≥ 1e-15 s, got -1 ($h)"},
    {"DefaultOutOfTheParametersRange", R"("parameters": {"h": {"default": @5, "max": 2}})",
     "/parameters/h/default: must be ≤ 2, got 5"},
    {"ParameterWithoutDefault", R"("parameters": {"h": @{}})",
     R"(/parameters/h: parameter needs "default")"},
    {"KeyGivenTwice", R"("name": "a", @"name": "b")", "/name: the object has this key already"},
    {"SpringAndGamma",
     R"("world": {"stabilization": @{"gamma": 0.5, "stiffness": 1, "damping": 1}})",
     "/world/stabilization: give gamma and compliance, or stiffness and damping, not both"},
    {"FallbackPolicyWithoutSolver", R"("solver": {"policy": @"fallback"})",
     R"(/solver/policy: the policy "fallback" needs the key "fallback" with the name of a solver)"},
    {"CameraThatSeesNothing", R"("camera": @{"position": [0, 0, 1], "target": [0, 0, 1]})",
     R"(/camera: the camera must look from its position to another point, and not along "up")"},
};

/// `sections` are the joints of body_1, which is static, and the dynamic body_0, body_2 and body_3;
/// 1~0 stands for the keys of a joint of body_1 to body_0 at the origin.
const Mistake kMistakesInJoints[] = {
    {"UnknownTypeOfJoint", R"({"type": @"hing", 1~0, "axis": [0, 0, 1]})",
     R"(/joints/0/type: unknown type of joint "hing"; did you mean "hinge"?)"},
    {"UnknownTypeOfTheJointOfAGear",
     R"({"type": @"rotatory", "name": "a", 1~0, "axis": [0, 0, 1]}, )"
     R"({"type": "hinge", "name": "b", 1~2, "axis": [0, 0, 1]}, )"
     R"({"type": "gear", "joint_a": "a", "joint_b": "b", "ratio": 2})",
     R"(/joints/0/type: unknown type of joint "rotatory"; known names: ball, hinge, slider, cylindrical, universal, wheel, fixed, six_dof, distance, gear, rack_and_pinion, pulley, winch)"},
    {"LimitsTheWrongWayRound",
     R"({"type": "hinge", 1~0, "axis": [0, 0, 1], "lower": @1, "upper": -1})",
     R"(/joints/0/lower: must not exceed "upper", which is -1 rad)"},
    {"ScheduleThatGoesBack",
     R"({"type": "slider", 1~0, "axis": [0, 0, 1], "motor": {"position": [[0, 1], @[0, 2]]}})",
     "/joints/0/motor/position/1: must be later than 0 s, the time of the key before"},
    {"SpringWithoutStiffness",
     R"({"type": "slider", 1~0, "axis": [0, 0, 1], "spring": @{"rest": 1}})",
     R"(/joints/0/spring: needs a "stiffness" or a "damping" > 0)"},
    {"ServoWithoutStiffness",
     R"({"type": "slider", 1~0, "axis": [0, 0, 1], "motor": @{"position": 1, "damping": 5}})",
     R"(/joints/0/motor: "damping" of a position motor needs "stiffness" > 0; leave both out for a hard motor)"},
    {"SpringTableThatTurnsBack",
     R"({"type": "slider", 1~0, "axis": [0, 0, 1], "spring": {"force_table": [[0, 0], @[0, 1]]}})",
     "/joints/0/spring/force_table/1: must begin with more than 0, as the point before"},
    {"SpringTableOfOnePoint",
     R"({"type": "slider", 1~0, "axis": [0, 0, 1], "spring": {"damper_table": @[[0, 0]]}})",
     "/joints/0/spring/damper_table: must be a list of at least two [extension or rate, force]"},
    {"SpringTableBesideAStiffness",
     R"({"type": "slider", 1~0, "axis": [0, 0, 1], "spring": {"force_table": [[0, 0], [1, 1]], @"stiffness": 1}})",
     R"(/joints/0/spring/stiffness: "force_table" is given already; leave one out)"},
    {"MotorWithTwoTargets",
     R"({"type": "slider", 1~0, "axis": [0, 0, 1], "motor": {"velocity": 1, @"position": 2}})",
     R"(/joints/0/motor/position: "velocity" is given already; leave one out)"},
    {"CrossThatIsNotSquare",
     R"({"type": "universal", 1~0, "axis_a": [0, 0, 1], "axis_b": @[0, 1, 1]})",
     "/joints/0/axis_b: must be at a right angle to axis_a"},
    {"GearOfNoJoint",
     R"({"type": "hinge", "name": "door", 1~0, "axis": [0, 0, 1]}, )"
     R"({"type": "gear", "joint_a": "door", "joint_b": @"dor", "ratio": 2})",
     R"(/joints/1/joint_b: there is no joint "dor"; did you mean "door"?)"},
    {"GearOfOneJointTwice",
     R"({"type": "hinge", 1~0, "axis": [0, 0, 1]}, )"
     R"({"type": "gear", "joint_a": "joint_0", "joint_b": @"joint_0", "ratio": 2})",
     R"(/joints/1/joint_b: a gear couples two joints, and this is joint_a again)"},
    {"GearOfTwoJointsOfOneBody",
     R"({"type": "hinge", 1~0, "axis": [0, 0, 1]}, )"
     R"({"type": "hinge", 1~0, "axis": [0, 0, 1]}, )"
     R"({"type": "gear", "joint_a": "joint_0", "joint_b": @"joint_1", "ratio": 2})",
     R"(/joints/2/joint_b: a gear acts on two dynamic bodies, and those of the two joints are body_0; carriers are static, kinematic or one of the two; to drive more bodies, give each joint a motor of its own)"},
    {"GearOfThreeDynamicBodies",
     R"({"type": "hinge", 3~0, "axis": [0, 0, 1]}, )"
     R"({"type": "hinge", 3~2, "axis": [0, 0, 1]}, )"
     R"({"type": "gear", "joint_a": "joint_0", "joint_b": @"joint_1", "ratio": 2})",
     R"(/joints/2/joint_b: a gear acts on two dynamic bodies, and those of the two joints are body_0, body_2, body_3; carriers are static, kinematic or one of the two; to drive more bodies, give each joint a motor of its own)"},
    {"GearOfACylindricalJoint",
     R"({"type": "hinge", 1~0, "axis": [0, 0, 1]}, )"
     R"({"type": "cylindrical", 1~2, "axis": [0, 0, 1]}, )"
     R"({"type": "gear", "joint_a": "joint_0", "joint_b": @"joint_1", "ratio": 2})",
     R"(/joints/2/joint_b: joint_b here is a hinge, slider or distance, and "joint_1" has 2 free coordinates in place of one)"},
    {"GearOfABall",
     R"({"type": "ball", 1~0}, {"type": "hinge", 1~2, "axis": [0, 0, 1]}, )"
     R"({"type": "gear", "joint_a": @"joint_0", "joint_b": "joint_1", "ratio": 2})",
     R"(/joints/2/joint_a: joint_a here is a hinge, slider or distance, and "joint_0" has 3 free coordinates in place of one)"},
    {"GearOfAFixedJoint",
     R"({"type": "fixed", 1~0}, {"type": "hinge", 1~2, "axis": [0, 0, 1]}, )"
     R"({"type": "gear", "joint_a": @"joint_0", "joint_b": "joint_1", "ratio": 2})",
     R"(/joints/2/joint_a: joint_a here is a hinge, slider or distance, and "joint_0" has 0 free coordinates in place of one)"},
    {"GearOfAGear",
     R"({"type": "hinge", 1~0, "axis": [0, 0, 1]}, {"type": "hinge", 1~2, "axis": [0, 0, 1]}, )"
     R"({"type": "gear", "joint_a": "joint_0", "joint_b": "joint_1", "ratio": 2}, )"
     R"({"type": "gear", "joint_a": @"joint_2", "joint_b": "joint_1", "ratio": 2})",
     R"(/joints/3/joint_a: joint_a here is a hinge, slider or distance, and "joint_2" is a gear)"},
    {"PulleyOfAHinge",
     R"({"type": "distance", 1~0, "upper": 1}, {"type": "hinge", 1~2, "axis": [0, 0, 1]}, )"
     R"({"type": "pulley", "joint_a": "joint_0", "joint_b": @"joint_1", "ratio": 2})",
     R"(/joints/2/joint_b: joint_b here is a distance, and "joint_1" is none)"},
    {"WinchOfTwoRopes",
     R"({"type": "distance", 1~0, "upper": 1}, {"type": "distance", 1~2, "upper": 1}, )"
     R"({"type": "winch", "joint_a": "joint_0", "joint_b": @"joint_1", "radius": 2})",
     R"(/joints/2/joint_b: joint_b here is a hinge, and "joint_1" is none)"},
    {"RackThatIsAHinge",
     R"({"type": "hinge", 1~0, "axis": [0, 0, 1]}, {"type": "hinge", 1~2, "axis": [0, 0, 1]}, )"
     R"({"type": "rack_and_pinion", "joint_a": @"joint_1", "joint_b": "joint_0", "radius": 2})",
     R"(/joints/2/joint_a: joint_a here is a slider, and "joint_1" is none)"},
    {"RackAndPinionOfNoSize",
     R"({"type": "slider", 1~0, "axis": [0, 0, 1]}, {"type": "hinge", 1~2, "axis": [0, 0, 1]}, )"
     R"({"type": "rack_and_pinion", "joint_a": "joint_0", "joint_b": "joint_1", "radius": @0})",
     "/joints/2/radius: must not be 0"},
    {"WheelWithoutASquareAxle",
     R"({"type": "wheel", 1~0, "steer_axis": [0, 0, 1], "wheel_axis": @[0, 1, 1]})",
     "/joints/0/wheel_axis: must be at a right angle to steer_axis"},
    {"WheelWithoutSteerAxis", R"(@{"type": "wheel", 1~0, "wheel_axis": [0, 1, 0]})",
     R"(/joints/0: wheel needs "steer_axis": axis of the suspension and of the steering, a direction of the world at the start, as [0, 0, 1] for up)"},
    {"WheelWithoutWheelAxis", R"(@{"type": "wheel", 1~0, "steer_axis": [0, 0, 1]})",
     R"(/joints/0: wheel needs "wheel_axis": the axle, a direction of the world at the start at a right angle to steer_axis, as [0, 1, 0])"},
    {"HingeWithoutAxis", R"(@{"type": "hinge", 1~0})",
     R"(/joints/0: hinge needs "axis": direction of the world at the start; any length)"},
    {"LimitOfAWheel",
     R"({"type": "wheel", 1~0, "steer_axis": [0, 0, 1], "wheel_axis": [0, 1, 0], @"lower": -0.1})",
     R"(/joints/0/lower: unknown key of wheel; it belongs in "suspension" or "steer" or "spin")"},
    {"StiffnessOfAWheel",
     R"({"type": "wheel", 1~0, "steer_axis": [0, 0, 1], "wheel_axis": [0, 1, 0], @"stiffness": 9})",
     "/joints/0/stiffness: unknown key of wheel; it belongs in "
     "joints.NAME.suspension.spring.stiffness"},
    {"MiddleAngleBeyondAQuarterTurn",
     R"({"type": "six_dof", 1~0, "about_y": {"lower": -1, "upper": @1.6}})",
     R"(/joints/0/about_y/upper: about_y stays within ±90° (±1.570796 rad) where all three turns are free; lock about_x or about_z, or choose "orientation" so that the largest turn is about_x or about_z)"},
    {"MotorThatLeadsTheMiddleAngleOn",
     R"({"type": "six_dof", 1~0, "about_y": {"motor": @{"velocity": 1}}})",
     R"(/joints/0/about_y/motor: about_y stays within ±90° (±1.570796 rad) where all three turns are free; lock about_x or about_z, or choose "orientation" so that the largest turn is about_x or about_z)"},
    {"MotorWithoutTarget",
     R"({"type": "hinge", 1~0, "axis": [0, 0, 1], "motor": @{"max_force": 1}})",
     R"(/joints/0/motor: motor needs "velocity" or "position")"},
    {"StiffnessOfAHinge", R"({"type": "hinge", 1~0, "axis": [0, 0, 1], @"stiffness": 3})",
     "/joints/0/stiffness: unknown key of hinge; it belongs in joints.NAME.spring.stiffness"},
    {"NumberForAnAxisThatMayLock", R"({"type": "six_dof", 1~0, "x": @3})",
     R"(/joints/0/x: must be "free", "locked" or an object with "lower", "upper", …; got 3)"},
    {"NumberForAnAxis", R"({"type": "cylindrical", 1~0, "axis": [0, 0, 1], "turn": @3})",
     R"(/joints/0/turn: must be an object with "lower", "upper", …; got 3)"},
    {"DistanceBelowZero", R"({"type": "distance", 1~0, "lower": @-1})",
     R"(/joints/0/lower: must be ≥ 0 m, got -1)"},
    {"RopeOfNoLength", R"({"type": "distance", 1~0, "upper": @0})",
     R"(/joints/0/upper: must be ≥ 1e-15 m, got 0)"},
    {"CrossWithoutAnArm",
     R"({"type": "universal", 1~0, "axis_a": @[0, 0, 0], "axis_b": [0, 1, 0]})",
     R"(/joints/0/axis_a: must not be the zero vector)"},
    {"TwoJointsOfOneName",
     R"({"type": "ball", 1~0, "name": "a"}, {"type": "ball", 1~2, "name": @"a"})",
     R"(/joints/1/name: another joint is named "a" already)"},
    {"GearBeforeItsHinges",
     R"({"type": "hinge", 1~0, "axis": [0, 0, 1], "name": "one"}, )"
     R"({"type": "gear", "joint_a": "one", "joint_b": @"two", "ratio": 2}, )"
     R"({"type": "hinge", 1~2, "axis": [0, 0, 1], "name": "two"})",
     R"(/joints/1/joint_b: joint "two" stands further down; a gear comes after the joints it couples)"},
    {"JointWithOneAnchor",
     R"(@{"type": "ball", "body_a": "body_0", "body_b": "body_1", "anchor_a": [0, 0, 0]})",
     R"(/joints/0: joint needs "anchor", or "anchor_a" and "anchor_b")"},
};

std::vector<Mistake> allMistakes() {
  std::vector<Mistake> all(std::begin(kMistakes), std::end(kMistakes));
  const std::string inertia = R"({"mass": 1, "inertia": [1, 1, 1]})";
  const std::string bodies =
      "\"bodies\": [" + inertia + R"(, {"kind": "static"}, )" + inertia + ", " + inertia + "]";
  static const std::regex between("(\\d)~(\\d)");
  for (Mistake mistake : kMistakesInJoints) {
    const std::string joints =
        std::regex_replace(mistake.sections, between,
                           R"("body_a": "body_$1", "body_b": "body_$2", "anchor": [0, 0, 0])");
    mistake.sections = bodies + ", \"joints\": [" + joints + "]";
    all.push_back(mistake);
  }
  return all;
}

/// Sections with several mistakes, and what is said of each, in the order of the text.
struct HiddenMistakes {
  std::string claim;
  std::string sections;
  std::vector<std::string> problems;  ///< parts of the messages
};

const HiddenMistakes kHiddenMistakes[] = {
    {"OfAShapeWhoseTypeIsMisspelt",
     R"("shapes": {"a": {"type": "spher", "radius": -1}, "b": {"type": "sphere", "radius": -2}})",
     {"/shapes/a/type: unknown type", "/shapes/a/radius: must be ≥ 1e-15 m, got -1",
      "/shapes/b/radius: must be ≥ 1e-15 m, got -2"}},
    {"OfAShapeOfNoNearType",
     R"("shapes": {"a": {"type": "torus", "half_extents": [1, -1, 1], "colour": 3}})",
     {"/shapes/a/type: unknown type", "/shapes/a/half_extents/1: must be ≥ 1e-15 m, got -1",
      "/shapes/a/colour: unknown key of every shape"}},
    {"OfAShapeWithoutType",
     R"("shapes": {"a": {"radius": -1, "half_length": 1}})",
     {R"(/shapes/a: a shape needs "type")", "/shapes/a/radius: must be ≥ 1e-15 m, got -1"}},
    {"OfAJointWhoseTypeIsMisspelt",
     R"("bodies": [{"kind": "static"}], "joints": [{"type": "hing", "body_a": "body_0", )"
     R"("body_b": "arm", "axis": [0, 0, 0], "colour": 3}])",
     {"/joints/0: joint needs \"anchor\"", "/joints/0/type: unknown type",
      "/joints/0/body_b: there is no body \"arm\"", "/joints/0/axis: must not be the zero vector",
      "/joints/0/colour: unknown key of hinge"}},
    {"OfAJointOfNoNearType",
     R"("joints": [{"type": "rotatory", "body_a": "arm", "anchor": [0, 0, 0], "colour": 3}])",
     {"/joints/0/type: unknown type", "/joints/0/body_a: there is no body",
      "/joints/0/colour: unknown key of every joint"}},
    {"OfAGeneratorOfNoNearType",
     R"("generators": [{"type": "pallet", "layers": 0, "logs": 2, "mass": -1}])",
     {"/generators/0/type: unknown type", "/generators/0/layers: must be ≥ 1, got 0",
      "/generators/0/mass: must be ≥ 1e-15 kg, got -1"}},
};

class TypeMistake : public testing::TestWithParam<HiddenMistakes> {};

TEST_P(TypeMistake, HidesNoOther) {
  std::vector<testing::Matcher<std::string>> expected;
  for (const std::string& problem : GetParam().problems) {
    expected.push_back(testing::HasSubstr(problem));
  }
  EXPECT_THAT(problemsOf(sceneWith(GetParam().sections)), testing::ElementsAreArray(expected));
}

INSTANTIATE_TEST_SUITE_P(Scenes, TypeMistake, testing::ValuesIn(kHiddenMistakes),
                         [](const auto& test) { return test.param.claim; });

class SceneMistake : public testing::TestWithParam<Mistake> {};

TEST_P(SceneMistake, IsReportedWithPlaceAndRemedy) { expectReported(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Scenes, SceneMistake, testing::ValuesIn(allMistakes()),
                         [](const auto& test) { return test.param.claim; });

}  // namespace
}  // namespace drystone
