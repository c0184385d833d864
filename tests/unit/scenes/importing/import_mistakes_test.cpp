// Wrong files: each is refused with its line and a remedy.
#include <array>
#include <cstring>
#include <limits>

#include "scenes/importing/mesh_file.h"
#include "tests/unit/scenes/importing/importing.h"

namespace drystone {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

struct WrongFile {
  std::string claim;
  std::string text;
  int line = 0;
  std::string problem;
};

void PrintTo(const WrongFile& file, std::ostream* out) { *out << file.claim; }

class WrongModel : public testing::TestWithParam<WrongFile> {};

TEST_P(WrongModel, IsRefusedWithItsLine) {
  const WrongFile& file = GetParam();
  EXPECT_THAT(importProblems(file.text),
              Contains(AllOf(StartsWith("m.xml:" + std::to_string(file.line) + ": "),
                             HasSubstr(file.problem))));
}

const std::string kMass =
    "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial>";

std::string links(const std::string& names) {
  std::string text;
  for (const char name : names)
    text += "<link name=\"" + std::string(1, name) + "\">" + kMass + "</link>";
  return text;
}

std::string fixedJoint(const std::string& name, const std::string& parent,
                       const std::string& child) {
  return "<joint name=\"" + name + "\" type=\"fixed\"><parent link=\"" + parent +
         "\"/><child link=\"" + child + "\"/></joint>";
}

std::string inRobot(const std::string& secondLine) {
  return "<robot name=\"r\">\n" + secondLine + "\n</robot>";
}

std::string inBody(const std::string& secondLine) {
  return "<mujoco><worldbody><body><freejoint/>\n" + secondLine + "\n</body></worldbody></mujoco>";
}

INSTANTIATE_TEST_SUITE_P(
    Urdf, WrongModel,
    testing::Values(
        WrongFile{"Empty", "", 1, "holds no XML"},
        WrongFile{"OpenTag", "<robot>\n<link name=\"a\">\n</robot>", 2, "close"},
        WrongFile{"OtherRoot", "<sdf/>", 1, "URDF files begin with <robot>"},
        WrongFile{"Xacro", inRobot("<xacro:include filename=\"a\"/>"), 2, "expand it first"},
        WrongFile{"NoLinks", "<robot name=\"r\"/>", 1, "has no <link>"},
        WrongFile{"UnknownLink", inRobot(links("ab") + fixedJoint("j", "a", "bb")), 2,
                  "there is no link 'bb'; did you mean \"b\"?"},
        WrongFile{
            "Cycle",
            inRobot(links("abc") + "\n" + fixedJoint("j", "b", "c") + fixedJoint("k", "c", "b")), 3,
            "closes a cycle"},
        WrongFile{
            "TwoParents",
            inRobot(links("abc") + "\n" + fixedJoint("j", "a", "c") + fixedJoint("k", "b", "c")), 3,
            "child of joint 'j' already"},
        WrongFile{"TwoRoots", inRobot(links("ab")), 1, "several roots (a, b)"},
        WrongFile{"TwoOfAName", inRobot(links("aa")), 2, "another link is named 'a'"},
        WrongFile{"NegativeMass",
                  inRobot("<link name=\"a\"><inertial>\n<mass value=\"-1\"/></inertial></link>"), 3,
                  "mass must be > 0 kg, got -1"},
        WrongFile{"NotANumber",
                  inRobot("<link name=\"a\"><inertial>\n<mass value=\"nan\"/></inertial></link>"),
                  3, "finite number (at most 1e+15), got \"nan\""},
        WrongFile{"NoInertia",
                  inRobot("<link name=\"a\"><inertial><mass value=\"1\"/></inertial></link>"), 2,
                  "needs an <inertia>"},
        WrongFile{"InertiaOfNoBody",
                  inRobot("<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
                          "iyy=\"1\" izz=\"3\"/></inertial></link>"),
                  2, "no body has this inertia"},
        WrongFile{
            "MovesWithoutMass",
            inRobot("<link name=\"world\"/>\n<link name=\"a\"/><joint name=\"j\" "
                    "type=\"continuous\"><parent link=\"world\"/><child link=\"a\"/></joint>"),
            3, "give it an <inertial>"},
        WrongFile{"NoLimit",
                  inRobot(links("ab") + "<joint name=\"j\" type=\"revolute\"><parent "
                                        "link=\"a\"/><child link=\"b\"/></joint>"),
                  2, "needs a <limit>"},
        WrongFile{
            "MimicOfItself",
            inRobot(links("ab") + "<joint name=\"j\" type=\"continuous\"><parent "
                                  "link=\"a\"/><child link=\"b\"/><mimic joint=\"j\"/></joint>"),
            2, "mimics itself"},
        WrongFile{"NoMeshFile",
                  inRobot("<link name=\"a\"><collision><geometry>\n<mesh "
                          "filename=\"package://p/none.stl\"/></geometry></collision></link>"),
                  3, "there is no mesh file package://p/none.stl"},
        WrongFile{"NegativeRadius",
                  inRobot("<link name=\"a\"><collision><geometry>\n<sphere radius=\"-1\"/>"
                          "</geometry></collision></link>"),
                  3, "radius of <sphere> must be > 0 m"}),
    [](const auto& one) { return one.param.claim; });

INSTANTIATE_TEST_SUITE_P(
    Mjcf, WrongModel,
    testing::Values(
        WrongFile{"NoWorld", "<mujoco/>", 1, "no <worldbody>"},
        WrongFile{"NoIncludedFile", "<mujoco>\n<include file=\"a\"/></mujoco>", 2,
                  "there is no file a to include; it is looked for in "},
        WrongFile{"IncludeOfNothing", "<mujoco>\n<include/></mujoco>", 2,
                  "needs the attribute \"file\""},
        WrongFile{"MassMissing", inBody(""), 1, "give it an <inertial>"},
        WrongFile{"NegativeDensity", inBody("<geom size=\"1\" density=\"-1\"/>"), 2, "must be ≥ 0"},
        WrongFile{"SizeMissing", inBody("<geom type=\"box\" size=\"1 1\"/>"), 2, "needs 3 numbers"},
        WrongFile{"NoMesh", inBody("<geom type=\"mesh\" mesh=\"m\"/>"), 2,
                  "there is no mesh \"m\""},
        WrongFile{"NoClass", inBody("<geom class=\"c\" size=\"1\"/>"), 2,
                  "there is no class \"c\""},
        WrongFile{"MovingPlane", inBody("<geom type=\"plane\" size=\"1 1 1\"/>"), 2,
                  "does not move"},
        WrongFile{"ObliqueAxes",
                  "<mujoco><worldbody>\n<body><joint axis=\"1 0 0\"/><joint axis=\"1 1 0\"/><geom "
                  "size=\"1\"/></body></worldbody></mujoco>",
                  2, "axes at right angles"},
        WrongFile{"HingesThatDoNotMeet",
                  "<mujoco><worldbody>\n<body><joint axis=\"1 0 0\"/><joint axis=\"0 1 0\" "
                  "pos=\"5 0 0.25\"/><geom size=\"1\"/></body></worldbody></mujoco>",
                  2, "that of hinge 2 passes by at 0.25 m"},
        WrongFile{"ThirdHingeThatDoesNotMeet",
                  "<mujoco><worldbody>\n<body><joint axis=\"1 0 0\"/><joint axis=\"0 1 0\"/>"
                  "<joint axis=\"0 0 1\" pos=\"0 0.5 9\"/><geom size=\"1\"/></body></worldbody>"
                  "</mujoco>",
                  2, "that of hinge 3 passes by at 0.5 m"},
        WrongFile{"NoBody",
                  "<mujoco><worldbody/><equality>\n<connect body1=\"b\" anchor=\"0 0 0\"/>"
                  "</equality></mujoco>",
                  2, "there is no body 'b'"}),
    [](const auto& one) { return one.param.claim; });

// A tetrahedron in both forms of STL.
constexpr float kCorners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
constexpr int kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

std::string binaryStl() {
  std::string bytes(80, ' ');
  const auto add = [&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  const std::uint32_t count = 4;
  add(&count, 4);
  for (const auto& face : kFaces) {
    bytes.append(12, '\0');
    for (const int corner : face) add(kCorners[corner], 12);
    bytes.append(2, '\0');
  }
  return bytes;
}

TEST(Stl, BothForms_GiveTheCorners) {
  EXPECT_EQ(importing::parseStl(binaryStl(), "m").size(), 12u);
  const std::vector<Vec3> text = importing::parseStl(
      "solid\nfacet normal 0 0 1\nouter loop\n vertex 0 0 0\n vertex 1 0 0\n\tvertex 0 2e0 "
      "0\nendloop\nendfacet\nendsolid\n",
      "m");
  ASSERT_EQ(text.size(), 3u);
  EXPECT_EQ(text[2], Vec3(0, 2, 0));
}

TEST(Stl, Damaged_IsRefused) {
  std::string cut = binaryStl();
  cut.pop_back();
  EXPECT_THROW(importing::parseStl(cut, "m"), InputError);
  std::string notFinite = binaryStl();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(notFinite.data() + 84 + 12, &nan, 4);
  EXPECT_THROW(importing::parseStl(notFinite, "m"), InputError);
  EXPECT_THROW(importing::parseStl("solid\nvertex 1 2\n", "m"), InputError);
  EXPECT_THROW(importing::parseStl("solid\nendsolid\n", "m"), InputError);
}

}  // namespace
}  // namespace drystone
