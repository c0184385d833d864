// Mistakes of one value each, in materials, in the materials of parts, and in words of other
// engines.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/scenes/scene_testing.h"

namespace drystone {
namespace {

const Mistake kSurfaceMistakes[] = {
    {"RestitutionAboveOne", R"("materials": {"rubber": {"restitution": @1.5}})",
     "/materials/rubber/restitution: must be ≤ 1, got 1.5"},
    {"FrictionAcrossNone", R"("materials": {"ski": @{"friction": 0, "friction_across": 1}})",
     "/materials/ski: friction must be > 0 where friction_across is given"},
    {"FrictionWithoutDirection",
     R"("materials": {"ski": @{"friction_across": 1, "friction_direction": [0, 0, 0]}})",
     "/materials/ski: friction_direction must not be zero"},
    {"DirectionWithoutFrictionAcross",
     R"("materials": {"ski": {@"friction_direction": [1, 0, 0]}})",
     R"(/materials/ski/friction_direction: goes with "friction_across", the friction square to it, which is not given)"},
    {"DirectionOfAPairWithoutFrictionAcross",
     R"("materials": {"ski": {}, "snow": {}}, "pairs": [{"a": "ski", "b": "snow", @"friction_direction": [1, 0, 0]}])",
     R"(/pairs/0/friction_direction: goes with "friction_across", the friction square to it, which is not given)"},
    {"PairOfADirectionWithoutFriction",
     R"("materials": {"ski": {"friction_across": 1}, "snow": {}}, "pairs": [@{"a": "ski", "b": "snow"}])",
     "/pairs/0: one of its materials has friction_across: the pair must give its friction, and "
     "friction_across where that shall differ"},
    {"PairOfOneWithADirection",
     R"("materials": {"ski": {}}, "pairs": [@{"a": "ski", "b": "ski", "friction_across": 1}])",
     "/pairs/0: a pair of a material with itself does not tell whose direction counts; give "
     "friction_across to the material"},
    {"NegativeFriction", R"("materials": {"ice": {"friction": @-0.1}})",
     "/materials/ice/friction: must be ≥ 0, got -0.1"},
    {"UnknownMaterial",
     R"("materials": {"wood": {}}, "bodies": [{"shape": {"type": "sphere", "radius": 1}, "material": @"wod"}])",
     R"(/bodies/0/material: there is no material "wod"; did you mean "wood"?)"},
    {"TooFewPartMaterials",
     R"("materials": {"ice": {}}, "bodies": [{"shape": {"type": "compound", "children": [{"shape": {"type": "sphere", "radius": 1}}, {"shape": {"type": "sphere", "radius": 1}}]}, "part_materials": @["ice"]}])",
     "/bodies/0/part_materials: 1 material for 2 children: give one for each, in their order"},
    {"NoPartMaterialsForParts",
     R"("bodies": [{"shape": {"type": "compound", "children": [{"shape": {"type": "sphere", "radius": 1}}, {"shape": {"type": "sphere", "radius": 1}}]}, "part_materials": @[]}])",
     "/bodies/0/part_materials: 0 materials for 2 children: give one for each, in their order"},
    {"PartMaterialsForTriangles",
     R"("materials": {"ice": {}}, "bodies": [{"kind": "static", "shape": {"type": "heightfield", "columns": 2, "rows": 2, "spacing": [1, 1], "heights": [0, 0, 0, 0]}, "part_materials": @["ice"]}])",
     "/bodies/0/part_materials: 1 material for 2 triangles: give one for each, in their order"},
    {"PartMaterialsOfOnePart",
     R"("materials": {"ice": {}}, "bodies": [{"shape": {"type": "sphere", "radius": 1}, "part_materials": @["ice"]}])",
     R"(/bodies/0/part_materials: the shape "sphere" has no parts: give one material for all of it instead; only the children of a compound and the triangles of a mesh or height field are parts)"},
    {"PartMaterialsOfAGenerator",
     R"("materials": {"ice": {}}, "generators": [{"type": "grid", "counts": [1, 1, 1], "spacing": [1, 1, 1], "shape": {"type": "sphere", "radius": 1}, "part_materials": @["ice"]}])",
     R"(/generators/0/part_materials: the shape "sphere" has no parts: give one material for all of it instead; only the children of a compound and the triangles of a mesh or height field are parts)"},
    {"MaterialOfAChild",
     R"("materials": {"ice": {}}, "shapes": {"a": {"type": "compound", "children": [{"shape": {"type": "sphere", "radius": 1}, @"material": "ice"}]}})",
     R"(/shapes/a/children/0/material: unknown key of child; the body that has the compound names the materials of its children, in their order, in "part_materials")"},
    {"RollingFrictionOfBullet", R"("materials": {"ball": {@"rollingFriction": 0.1}})",
     R"(/materials/ball/rollingFriction: unknown key of material; it is here "rolling_resistance" in materials.NAME, an arm [m], with "friction": "rolling" in world)"},
    {"RollingFrictionOfABody", R"("bodies": [{"kind": "static", @"rolling_friction": 0.1}])",
     R"(/bodies/0/rolling_friction: unknown key of body; it is here "rolling_resistance" in materials.NAME, an arm [m], with "friction": "rolling" in world)"},
    {"CondimOfMuJoCo", R"("bodies": [{"kind": "static", @"condim": 6}])",
     R"(/bodies/0/condim: unknown key of body; it is here "friction" in world, one model for all contacts: "none" for 1, "cone" for 3, "contensou" for 4, "rolling" for 6)"},
    {"RotationOfABody", R"("bodies": [{"kind": "static", @"rotation": [1, 0, 0, 0]}])",
     R"(/bodies/0/rotation: unknown key of body; it is here "orientation": [w, x, y, z] with w first, or {"axis": [x, y, z], "angle_deg": …})"},
    {"FixedAsAKind", R"("bodies": [{"kind": @"fixed"}])",
     R"(/bodies/0/kind: must be one of dynamic, static, kinematic, got "fixed"; it is here "static")"},
    {"TimestepAsDt", R"("world": {@"dt": 0.01})",
     R"(/world/dt: unknown key of world; it is here "timestep" in world)"},
    {"FrictionAsMu", R"("materials": {"ball": {@"mu": 0.5}})",
     R"(/materials/ball/mu: unknown key of material; it is here "friction" in materials.NAME)"},
    {"IterationsOfTheSolver", R"("solver": {@"iterations": 50})",
     R"(/solver/iterations: unknown key of solver; it is here "max_iterations")"},
    {"RevoluteAsAJoint",
     R"("bodies": [{"name": "g", "kind": "static"}, {"name": "a", "mass": 1, "inertia": [1, 1, 1]}], "joints": [{"type": @"revolute", "body_a": "g", "body_b": "a", "anchor": [0, 0, 0], "axis": [0, 0, 1]}])",
     R"(/joints/0/type: unknown type of joint "revolute"; it is here "hinge")"},
    {"ParentOfAJoint",
     R"("bodies": [{"name": "g", "kind": "static"}, {"name": "a", "mass": 1, "inertia": [1, 1, 1]}], "joints": [{"type": "fixed", @"parent": "g", "body_a": "g", "body_b": "a", "anchor": [0, 0, 0]}])",
     R"(/joints/0/parent: unknown key of fixed; it is here "body_a" in joints)"},
    {"TorqueOfAMotor",
     R"("bodies": [{"name": "g", "kind": "static"}, {"name": "a", "mass": 1, "inertia": [1, 1, 1]}], "joints": [{"type": "hinge", "body_a": "g", "body_b": "a", "anchor": [0, 0, 0], "axis": [0, 0, 1], "motor": {"velocity": 1, @"torque": 5}}])",
     R"(/joints/0/motor/torque: unknown key of motor; it is here "max_force")"},
    {"SolrefOfMuJoCo", R"("materials": {"ball": {@"solref": [0.02, 1]}})",
     R"(/materials/ball/solref: unknown key of material; it is here "stiffness" and "damping" in materials.NAME; docs/nothing_to_tune.md has the conversion)"},
    {"NegativeStiffness", R"("materials": {"ball": {"stiffness": @-5}})",
     R"(/materials/ball/stiffness: must be ≥ 1e-15 N/m, got -5)"},
    {"StiffnessAndModulus",
     R"("materials": {"ball": @{"stiffness": 5, "youngs_modulus": 1e6, "contact_area": 1}})",
     R"(/materials/ball: give stiffness, or youngs_modulus with contact_area, not both)"},
    {"ModulusWithoutArea", R"("materials": {"ball": @{"youngs_modulus": 1e6}})",
     R"(/materials/ball: youngs_modulus needs contact_area, the area that bodies touch with)"},
    {"DampingAlone", R"("materials": {"ball": @{"damping": 5}})",
     R"(/materials/ball: damping goes with stiffness or youngs_modulus; neither is given)"},
    {"StiffnessAndCompliance", R"("materials": {"ball": @{"stiffness": 5, "compliance": 1}})",
     R"(/materials/ball: give compliance, or stiffness and damping, not both)"},
    {"StiffnessAndRestitution", R"("materials": {"ball": @{"stiffness": 5, "restitution": 0.5}})",
     R"(/materials/ball: restitution is for rigid contacts: one with stiffness rebounds by its spring, less what damping takes; leave restitution out)"},
    {"MarginOfMuJoCo", R"("bodies": [{"kind": "static", @"margin": 0.1}])",
     R"(/bodies/0/margin: unknown key of body; it is here "contact_margin" in world, one for all contacts)"},
};

class SurfaceMistake : public testing::TestWithParam<Mistake> {};

TEST_P(SurfaceMistake, IsReportedWithPlaceAndRemedy) { expectReported(GetParam()); }

// The box is 0.2 m long in each direction, so that a ball of 0.173 m holds it.
TEST(RollingResistance, LongerThanTheBodyThatRolls_IsWarnedOf) {
  const auto with = [](const std::string& arm, const std::string& shape,
                       const std::string& model = "rolling") {
    return readSections(R"("world": {"friction": ")" + model +
                        R"("}, "materials": {"rubber": {"rolling_resistance": )" + arm +
                        R"(}}, "bodies": [{"name": "ball", "material": "rubber", "shape": )" +
                        shape + "}]")
        .warnings;
  };
  const std::string ball = R"({"type": "sphere", "radius": 0.1})";
  const std::string box = R"({"type": "box", "size": [0.2, 0.2, 0.2]})";
  EXPECT_THAT(with("0.11", ball),
              testing::ElementsAre(testing::HasSubstr(
                  "/bodies/0: 'ball' never rolls: the \"rolling_resistance\" of its material is a "
                  "length, 0.11 m, and longer than its radius of 0.1 m; usual is 0.001 to 0.02 of "
                  "the radius")));
  EXPECT_THAT(with("0.1", ball), testing::IsEmpty());
  EXPECT_THAT(with("0.17", box), testing::IsEmpty());
  EXPECT_THAT(with("0.18", box), testing::ElementsAre(testing::HasSubstr("never rolls")));
}

// Of two materials the larger resistance counts.
TEST(RollingResistance, OfTheGroundAboveTheRadius_IsWarnedOf) {
  const auto with = [](const std::string& ofGrounds, const std::string& ofBall = "") {
    return readSections(
               R"("world": {"friction": "rolling"}, "materials": {"felt": {"rolling_resistance": 0.05}, "rubber": {"rolling_resistance": 0.11}},
"bodies": [{"name": "table", "kind": "static", "shape": {"type": "plane"}, "material": "felt"},
  {"name": "mat", "kind": "static", "shape": {"type": "plane"}, "material": "rubber")" +
               ofGrounds + R"(}, {"name": "ball", "shape": {"type": "sphere", "radius": 0.1})" +
               ofBall + "}]")
        .warnings;
  };
  const auto warns = testing::Contains(
      testing::HasSubstr("/bodies/2: 'ball' never rolls on 'mat': the \"rolling_resistance\" of "
                         "that one's material is "
                         "a length, 0.11 m, and longer than its radius of 0.1 m"));
  EXPECT_THAT(with(""), warns);
  EXPECT_THAT(with(R"(, "group": 4)", R"(, "mask": 4)"), warns);
  EXPECT_THAT(with(R"(, "group": 4)", R"(, "mask": 1)"), testing::Not(warns));
  EXPECT_THAT(with(R"(, "mask": 4)"), testing::Not(warns));
  EXPECT_THAT(with(R"(, "sensor": true)"), testing::Not(warns));
  EXPECT_THAT(
      with(
          "",
          R"(, "material": "felt"}], "pairs": [{"a": "rubber", "b": "felt", "rolling_resistance": 0)"),
      testing::Not(warns));
}

INSTANTIATE_TEST_SUITE_P(Scenes, SurfaceMistake, testing::ValuesIn(kSurfaceMistakes),
                         [](const auto& test) { return test.param.claim; });

}  // namespace
}  // namespace drystone
