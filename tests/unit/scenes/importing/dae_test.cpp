// COLLADA meshes: units, axes, nodes and polygons, and files that are wrong.
#include "scenes/importing/mesh_file.h"
#include "tests/unit/scenes/importing/importing.h"

namespace drystone {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// What a file has beside a mesh of four points, of which the last is of no triangle.
struct Dae {
  std::string asset = "<up_axis>Z_UP</up_axis>";
  std::string points = "0 0 0 1 0 0 0 2 0 9 9 9";
  std::string accessor = "count=\"4\" stride=\"3\"";
  std::string polygons =
      "<triangles count=\"1\"><input semantic=\"NORMAL\" source=\"#n\" offset=\"0\"/>"
      "<input semantic=\"VERTEX\" source=\"#v\" offset=\"1\"/><p>7 0 7 1 7 2</p></triangles>";
  std::string nodes = "<node><instance_geometry url=\"#g\"/></node>";
  std::string more;

  /// Points are in line 4, polygons in line 7, nodes in line 10.
  std::string text() const {
    return "<COLLADA><asset>" + asset +
           "</asset>\n<library_geometries><geometry id=\"g\"><mesh>\n" +
           "<source id=\"s\">\n<float_array>" + points +
           "</float_array>\n<technique_common><accessor " + accessor +
           "/></technique_common></source>\n<vertices id=\"v\"><input semantic=\"POSITION\" "
           "source=\"#s\"/></vertices>\n" +
           polygons + "\n</mesh></geometry></library_geometries>" + more +
           "\n<library_visual_scenes><visual_scene id=\"vs\">\n" + nodes +
           "\n</visual_scene></library_visual_scenes>\n" +
           "<scene><instance_visual_scene url=\"#vs\"/></scene></COLLADA>";
  }
  std::vector<Vec3> corners() const { return importing::parseDae(text(), "m.dae"); }
};

void expectCorners(const Dae& dae, const std::vector<Vec3>& expected) {
  const std::vector<Vec3> corners = dae.corners();
  ASSERT_EQ(corners.size(), expected.size());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    EXPECT_LT((corners[i] - expected[i]).norm(), kAsInFile) << i << ": " << corners[i].transpose();
  }
}

TEST(Dae, Triangles_GiveTheirCornersAlone) {
  expectCorners({}, {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}});
  Dae shifted;
  shifted.points = "5 0 0 0 8 1 0 0 8 0 2 0 8";
  shifted.accessor = "count=\"3\" stride=\"4\" offset=\"1\"";
  expectCorners(shifted, {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}});
}

TEST(Dae, PolygonsOfAllKinds_AreRead) {
  for (const std::string kind : {"polylist", "polygons", "tristrips", "trifans"}) {
    Dae dae;
    dae.polygons = "<" + kind + "><input semantic=\"VERTEX\" source=\"#v\"/><vcount>3</vcount>" +
                   "<p>0 1 2</p></" + kind + ">" +
                   "<lines><input semantic=\"VERTEX\" source=\"#v\"/><p>0 3</p></lines>";
    expectCorners(dae, {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}});
  }
}

// Up is z in the end; a file that says nothing has y up.
TEST(Dae, UnitAndAxes_AreThoseOfTheFile) {
  Dae dae;
  dae.asset = "<unit meter=\"0.001\"/><up_axis>Z_UP</up_axis>";
  expectCorners(dae, {{0, 0, 0}, {1e-3, 0, 0}, {0, 2e-3, 0}});
  for (const char* axis : {"", "<up_axis>Y_UP</up_axis>"}) {
    dae.asset = axis;
    expectCorners(dae, {{0, 0, 0}, {1, 0, 0}, {0, 0, 2}});
  }
  dae.asset = "<up_axis>X_UP</up_axis>";
  expectCorners(dae, {{0, 0, 0}, {0, 0, 1}, {-2, 0, 0}});
}

// Transforms act from the last to the first, and those of a node on the nodes in it.
TEST(Dae, Nodes_PutMeshesInTheirPlaces) {
  Dae dae;
  dae.nodes =
      "<node><translate>10 0 0</translate><rotate>0 0 2 90</rotate><node>"
      "<matrix>1 0 0 0 0 1 0 0 0 0 1 5 0 0 0 1</matrix><scale>2 1 1</scale>"
      "<instance_geometry url=\"#g\"/></node></node>";
  expectCorners(dae, {{10, 0, 5}, {10, 2, 5}, {8, 0, 5}});
  dae.more =
      "<library_nodes><node id=\"part\"><translate>0 0 1</translate>"
      "<instance_geometry url=\"#g\"/></node></library_nodes>";
  dae.nodes =
      "<node><instance_node url=\"#part\"/></node><node><translate>0 0 1</translate>"
      "<instance_node url=\"#part\"/></node>";
  expectCorners(dae, {{0, 0, 1}, {1, 0, 1}, {0, 2, 1}, {0, 0, 2}, {1, 0, 2}, {0, 2, 2}});
}

TEST(Dae, Mesh_CollidesAsItsHull) {
  const ModelFolder folder;
  Dae dae;
  dae.points = "0 0 0 1 0 0 0 1 0 0 0 1";
  dae.polygons =
      "<triangles><input semantic=\"VERTEX\" source=\"#v\"/><p>0 1 2 1 2 3</p></triangles>";
  folder.write("m.DAE", dae.text());
  folder.write("r.urdf",
               "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
               "iyy=\"1\" izz=\"1\"/></inertial><collision><geometry>\n<mesh filename=\"m.DAE\" "
               "scale=\"2 2 2\"/></geometry></collision></link></robot>");
  const Scene scene = folder.import("r.urdf");
  const auto& hull = std::get<ConvexHull>(*bodyOf(scene, "a").shape);
  EXPECT_EQ(hull.data->vertices.size(), 4u);
  EXPECT_NEAR(massProperties(hull, 1).mass, 8.0 / 6, kAsInFile);
  folder.write("m.DAE", "<COLLADA>\n<scene/></COLLADA>");
  EXPECT_THAT(folder.problems("r.urdf"),
              testing::ElementsAre(
                  StartsWith("r.urdf:2: m.DAE:2: <scene> needs a <instance_visual_scene>")));
}

struct WrongDae {
  std::string claim;
  Dae dae;
  std::string problem;
};
void PrintTo(const WrongDae& wrong, std::ostream* out) { *out << wrong.claim; }

class WrongMesh : public testing::TestWithParam<WrongDae> {};

TEST_P(WrongMesh, IsRefusedWithItsLine) {
  try {
    GetParam().dae.corners();
    FAIL() << "it is accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().problem));
  }
}

std::string trianglesOf(const std::string& indices, const std::string& input = "VERTEX") {
  return "<triangles><input semantic=\"" + input + "\" source=\"#v\"/><p>" + indices +
         "</p></triangles>";
}

const std::string kLoop =
    "<library_nodes><node id=\"a\"><instance_node url=\"#a\"/></node></library_nodes>";

INSTANTIATE_TEST_SUITE_P(
    Dae, WrongMesh,
    testing::Values(
        WrongDae{"NotANumber", {.points = "0 0 nan"}, "m.dae:4: <float_array> must hold finite"},
        WrongDae{"NoNumber", {.points = "0 0 x"}, "m.dae:4: <float_array> must hold finite"},
        WrongDae{"TooFewNumbers", {.accessor = "count=\"5\" stride=\"3\""}, "m.dae:5: 5 points"},
        WrongDae{"HugeCount", {.accessor = "count=\"1e15\" stride=\"1e15\""}, "m.dae:5: 1000"},
        WrongDae{"FlatPoints", {.accessor = "count=\"2\" stride=\"2\""}, "m.dae:5: points need"},
        WrongDae{"NegativeCount", {.accessor = "count=\"-1\""}, "count of <accessor> must be a"},
        WrongDae{
            "NoSuchPoint", {.polygons = trianglesOf("0 1 4")}, "m.dae:7: <p> names the point 4"},
        WrongDae{"NegativeIndex", {.polygons = trianglesOf("0 1 -1")}, "names the point -1"},
        WrongDae{"BrokenIndex", {.polygons = trianglesOf("0 1.5 2")}, "names the point 1.5"},
        WrongDae{"NoVertices", {.polygons = trianglesOf("0", "NORMAL")}, "<input> with VERTEX"},
        WrongDae{"HalfAGroup",
                 {.polygons = "<polylist><input semantic=\"VERTEX\" source=\"#v\" offset=\"1\"/>"
                              "<p>0 1 2</p></polylist>"},
                 "m.dae:7: <p> holds 3 numbers, which are no groups of 2"},
        WrongDae{"NoPolygons", {.polygons = ""}, "shows no polygons"},
        WrongDae{"NoSuchGeometry",
                 {.nodes = "<node><instance_geometry url=\"#h\"/></node>"},
                 "m.dae:10: there is no element with the id \"h\""},
        WrongDae{"OtherFile",
                 {.nodes = "<node><instance_geometry url=\"b.dae#g\"/></node>"},
                 "the id of an element of this file, got \"b.dae#g\""},
        WrongDae{"NoGeometry",
                 {.nodes = "<node><instance_geometry url=\"#v\"/></node>"},
                 "must point to a <geometry>"},
        WrongDae{"Skin",
                 {.nodes = "<node><instance_controller url=\"#c\"/></node>"},
                 "m.dae:10: skinned meshes are not read"},
        WrongDae{"NodesInACircle",
                 {.nodes = "<node><instance_node url=\"#a\"/></node>", .more = kLoop},
                 "m.dae:8: nodes contain each other"},
        WrongDae{"ShortMatrix", {.nodes = "<node><matrix>1 0 0</matrix></node>"}, "16 numbers"},
        WrongDae{"LookAt", {.nodes = "<node><lookat/></node>"}, "<lookat> is not read"},
        WrongDae{"NoAxis", {.nodes = "<node><rotate>0 0 0 5</rotate></node>"}, "must not be zero"},
        WrongDae{"BeyondAllBounds",
                 {.polygons = trianglesOf("0 1 2"),
                  .nodes =
                      [] {
                        std::string nodes = "<instance_geometry url=\"#g\"/>";
                        for (int i = 0; i < 40; ++i) {
                          nodes = "<node><scale>1e15 1 1</scale>" + nodes + "</node>";
                        }
                        return nodes;
                      }()},
                 "beyond all bounds"},
        WrongDae{"NoUnit", {.asset = "<unit meter=\"0\"/>"}, "m.dae:1: meter of <unit>"},
        WrongDae{"OtherAxis", {.asset = "<up_axis>Up</up_axis>"}, "m.dae:1: <up_axis> must be"}),
    [](const auto& one) { return one.param.claim; });

TEST(Dae, Damaged_IsRefusedWithItsLine) {
  const auto problem = [](const std::string& text) -> std::string {
    try {
      importing::parseDae(text, "m.dae");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(problem(""), StartsWith("m.dae:1: the file holds no XML"));
  EXPECT_THAT(problem("<COLLADA>\n<asset>\n</COLLADA>"), StartsWith("m.dae:2: "));
  EXPECT_THAT(problem("<glTF/>"), StartsWith("m.dae:1: <glTF> is no mesh"));
  const std::string text = Dae().text();
  for (std::size_t size = 0; size < text.size(); size += 7) {
    EXPECT_THAT(problem(text.substr(0, size)), StartsWith("m.dae:")) << size;
  }
}

}  // namespace
}  // namespace drystone
