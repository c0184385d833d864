// Models of several files: those that MJCF includes, and packages of URDF.
#include "tests/unit/scenes/importing/importing.h"

namespace drystone {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string mujoco(const std::string& parts) { return "<mujoco>\n" + parts + "\n</mujoco>\n"; }

std::string include(const std::string& file) { return "<include file=\"" + file + "\"/>"; }

std::string ball(const std::string& name, const std::string& more = "") {
  return "<body name=\"" + name + "\"><freejoint/><geom size=\"1\" " + more + "/></body>";
}

// Among bodies, in a file of its own folder, which includes another beside itself.
TEST(MjcfInclude, Files_StandInTheirPlaces) {
  const ModelFolder folder;
  folder.write("main.xml",
               mujoco(include("parts/settings.xml") + "<worldbody>" + ball("a") +
                      "<frame pos=\"0 0 5\">" + include("parts/b.xml") + "</frame></worldbody>"));
  folder.write("parts/settings.xml",
               mujoco("<option gravity=\"0 0 -1\"/><default><geom friction=\"0.25\"/>"
                      "<default class=\"heavy\"><geom density=\"3000\"/></default></default>"));
  folder.write("parts/b.xml", "<mujocoinclude>" + ball("b", "class=\"heavy\"") + include("c.xml") +
                                  "</mujocoinclude>");
  folder.write("parts/c.xml", "<mujocoinclude>" + ball("c") + "</mujocoinclude>");
  const Scene scene = folder.import("main.xml");
  EXPECT_EQ(scene.settings.gravity, Vec3(0, 0, -1));
  EXPECT_EQ(bodyOf(scene, "b").pose.position, Vec3(0, 0, 5));
  EXPECT_EQ(bodyOf(scene, "c").pose.position, Vec3(0, 0, 5));
  EXPECT_EQ(bodyOf(scene, "a").pose.position, Vec3::Zero());
  EXPECT_NEAR(bodyOf(scene, "b").mass->mass / bodyOf(scene, "c").mass->mass, 3, kAsInFile);
  ASSERT_EQ(scene.materials.size(), 1u);
}

// As MuJoCo has it; the folder of the file that includes comes second.
TEST(MjcfInclude, Names_CountFromTheFolderOfTheModelFirst) {
  const ModelFolder folder;
  folder.write("main.xml", mujoco("<worldbody>" + include("parts/b.xml") + "</worldbody>"));
  folder.write("parts/b.xml", "<mujocoinclude>" + include("c.xml") + "</mujocoinclude>");
  folder.write("c.xml", "<mujocoinclude>" + ball("outer") + "</mujocoinclude>");
  folder.write("parts/c.xml", "<mujocoinclude>" + ball("inner") + "</mujocoinclude>");
  EXPECT_NO_THROW(bodyOf(folder.import("main.xml"), "outer"));
}

TEST(MjcfInclude, Defaults_OfSeveralFilesCountAsOne) {
  const ModelFolder folder;
  folder.write("main.xml", mujoco(include("one.xml") +
                                  "<default><geom density=\"2000\"/></default>"
                                  "<worldbody>" +
                                  ball("a") + "</worldbody>"));
  folder.write("one.xml", mujoco("<default><geom size=\"2\" density=\"1\" friction=\"0.5\"/>"
                                 "</default>"));
  const Scene scene = folder.import("main.xml");
  EXPECT_NEAR(bodyOf(scene, "a").mass->mass, 2000 * 4.0 / 3 * 3.141592653589793, 1e-6);
  EXPECT_THAT(importModel(folder.path("main.xml")).text, HasSubstr("{\"friction\":0.5}"));
}

TEST(MjcfInclude, Mistakes_AreNamedWithTheirFiles) {
  const ModelFolder folder;
  folder.write("main.xml",
               mujoco("<worldbody>\n" + ball("a", "mass=\"-1\"") + "\n" + include("b.xml") + "\n" +
                      ball("c", "mass=\"-2\"") + "</worldbody>"));
  folder.write("b.xml", mujoco("\n\n" + ball("b", "\nmass=\"nan\"")));
  EXPECT_THAT(folder.problems("main.xml"),
              ElementsAre(StartsWith("main.xml:3: mass of <geom> must be ≥ 0, got -1"),
                          StartsWith("b.xml:5: mass of <geom> must be a finite number"),
                          StartsWith("main.xml:5: mass of <geom> must be ≥ 0, got -2")));
  folder.write("b.xml", mujoco("\n\n" + ball("b", "solmix=\"2\"")));
  folder.write("main.xml", mujoco("<worldbody>" + include("b.xml") + "</worldbody>"));
  EXPECT_THAT(importModel(folder.path("main.xml")).notes,
              Contains(AllOf(HasSubstr("b.xml:4: left out: solmix"))));
}

TEST(MjcfInclude, Cycles_AreRefusedInTheFileThatClosesThem) {
  const ModelFolder folder;
  folder.write("main.xml", mujoco("<worldbody>" + include("b.xml") + "</worldbody>"));
  folder.write("b.xml", mujoco(include("c.xml")));
  folder.write("c.xml", mujoco("\n" + include("./b.xml")));
  EXPECT_THAT(folder.problems("main.xml"),
              ElementsAre(StartsWith("c.xml:3: ./b.xml includes itself")));
  folder.write("b.xml", mujoco(include("main.xml")));
  EXPECT_THAT(folder.problems("main.xml"),
              ElementsAre(StartsWith("b.xml:2: main.xml includes itself")));
}

// Else a few files, each of which includes the next one twice, would be read for hours.
TEST(MjcfInclude, FileThatIsIncludedTwice_IsRefused) {
  const ModelFolder folder;
  folder.write("main.xml", mujoco(include("b.xml") + "\n" + include("b.xml") + "<worldbody/>"));
  folder.write("b.xml", mujoco(""));
  EXPECT_THAT(folder.problems("main.xml"),
              ElementsAre(StartsWith("main.xml:3: b.xml is included already")));
}

TEST(MjcfInclude, DamagedFile_IsRefusedWithItsOwnLine) {
  const ModelFolder folder;
  folder.write("main.xml", mujoco("\n\n\n" + include("b.xml") + "<worldbody/>"));
  folder.write("b.xml", "<mujoco>\n<worldbody>\n</mujoco>");
  EXPECT_THAT(folder.problems("main.xml"),
              ElementsAre(AllOf(StartsWith("b.xml:2: "), HasSubstr("close"))));
  folder.write("b.xml", "");
  EXPECT_THAT(folder.problems("main.xml"),
              ElementsAre(StartsWith("b.xml:1: the file holds no XML")));
  folder.write("b.xml", "<robot/>");
  EXPECT_THAT(folder.problems("main.xml"),
              ElementsAre(StartsWith("b.xml:1: <robot> is no part of a model")));
}

std::string robotOf(const std::string& mesh) {
  return "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/>"
         "<inertia ixx=\"1\" iyy=\"1\" izz=\"1\"/></inertial><collision><geometry><mesh "
         "filename=\"" +
         mesh + "\"/></geometry></collision></link></robot>";
}

// The package is the folder around, or one beside a folder around.
TEST(UrdfPackage, Meshes_AreLookedForInTheFoldersAbove) {
  const ModelFolder folder;
  const std::string tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\n";
  folder.write("arm/meshes/own.obj", tetrahedron);
  folder.write("hand/meshes/other.obj", tetrahedron);
  for (const char* mesh : {"package://arm/meshes/own.obj", "package://hand/meshes/other.obj",
                           "../meshes/own.obj", "package://renamed/meshes/own.obj"}) {
    folder.write("arm/urdf/arm.urdf", robotOf(mesh));
    EXPECT_THAT(folder.problems("arm/urdf/arm.urdf"), IsEmpty()) << mesh;
  }
  folder.write("arm/urdf/arm.urdf", robotOf("package://hand/meshes/none.obj"));
  EXPECT_THAT(folder.problems("arm/urdf/arm.urdf"),
              ElementsAre(HasSubstr("there is no mesh file package://hand/meshes/none.obj; put")));
}

}  // namespace
}  // namespace drystone
