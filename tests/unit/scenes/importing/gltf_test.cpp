// glTF meshes: where their bytes lie, nodes and kinds of triangles, and files that are wrong.
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "scenes/importing/mesh_file.h"
#include "tests/unit/scenes/importing/gltf_sample.h"
#include "tests/unit/scenes/importing/importing.h"

namespace drystone {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

/// Where a point of the file is in the scene: the y axis of glTF points up.
Vec3 raisedPoint(const Vec3& v) { return {v.x(), -v.z(), v.y()}; }

void expectGltfCorners(const std::string& bytes, const std::vector<Vec3>& expected,
                       const std::string& path = "m.glb") {
  const std::vector<Vec3> corners = importing::parseGltf(bytes, path);
  ASSERT_EQ(corners.size(), expected.size());
  for (std::size_t i = 0; i < corners.size(); ++i) {
    EXPECT_LT((corners[i] - raisedPoint(expected[i])).norm(), kAsInFile)
        << i << ": " << corners[i].transpose();
  }
}

TEST(Gltf, Bytes_LieInTheFileInItsTextOrBesideIt) {
  expectGltfCorners(GltfSample().glb(), cubeCorners());
  expectGltfCorners(GltfSample().withData(), cubeCorners(), "m.gltf");
  const ModelFolder folder;
  GltfSample sample;
  folder.write("parts/a b.bin", sample.bytes);
  folder.write("m.gltf", sample.withUri("parts/a%20b.bin"));
  const std::vector<Vec3> corners = importing::readMeshVertices(folder.path("m.gltf"));
  EXPECT_EQ(corners, cubeCorners(raisedPoint));
}

// A file of 8 more bytes, an empty chunk of a kind that the specification does not know.
TEST(Gltf, ChunksOfOtherKinds_AreSkipped) {
  std::string bytes = GltfSample().glb() + std::string("\0\0\0\0XXXX", 8);
  const auto size = static_cast<std::uint32_t>(bytes.size());
  bytes.replace(8, 4, reinterpret_cast<const char*>(&size), 4);
  expectGltfCorners(bytes, cubeCorners());
}

// Base 64 makes four digits of three bytes; the last ones may be one or two.
TEST(Gltf, Base64_OfAnyLength_IsRead) {
  for (int more = 0; more < 3; ++more) {
    GltfSample sample;
    sample.bytes.append(static_cast<std::size_t>(more), '\xFF');
    sample.file["buffers"][0]["byteLength"] = sample.bytes.size();
    expectGltfCorners(sample.withData(), cubeCorners());
  }
}

TEST(Gltf, Indices_OfAllTypesAndNone_GiveTheSameCorners) {
  for (const int type : {5121, 5123, 5125}) {
    SCOPED_TRACE(type);
    expectGltfCorners(GltfSample(type).glb(), cubeCorners());
  }
  GltfSample plain;
  plain.part().erase("indices");
  plain.accessor(0)["count"] = 6;
  expectGltfCorners(plain.glb(), {cubePoint(0), cubePoint(1), cubePoint(2), cubePoint(3),
                                  cubePoint(4), cubePoint(5)});
}

TEST(Gltf, StripsAndFans_AreReadAndLinesAreNot) {
  for (const int mode : {5, 6}) {
    GltfSample sample;
    sample.part()["mode"] = mode;
    sample.accessor(1)["count"] = 4;
    const std::vector<Vec3> all = cubeCorners();
    expectGltfCorners(sample.glb(), {all.begin(), all.begin() + 4});
  }
  GltfSample lines;
  lines.file["meshes"][0]["primitives"].push_back({{"mode", 1}, {"attributes", {{"POSITION", 0}}}});
  expectGltfCorners(lines.glb(), cubeCorners());
}

// Points of 12 bytes every 20, the first of which starts 4 bytes late.
TEST(Gltf, Strides_AndOffsets_AreThoseOfTheFile) {
  GltfSample sample;
  const std::string indices = sample.bytes.substr(kCubePointBytes);
  std::string points(4, '\x7F');
  for (std::size_t i = 0; i < 8; ++i) {
    points += sample.bytes.substr(12 * i, 12) + std::string(8, '\x7F');
  }
  sample.bytes = points + indices;
  sample.file["buffers"][0]["byteLength"] = sample.bytes.size();
  sample.accessor(0)["byteOffset"] = 4;
  sample.view(0) = {{"buffer", 0}, {"byteLength", points.size()}, {"byteStride", 20}};
  sample.view(1)["byteOffset"] = points.size();
  expectGltfCorners(sample.glb(), cubeCorners());
}

// A cube of shorts; normalized ones are fractions of 32767, and -32768 is no less than -1.
TEST(Gltf, PointsOfIntegers_AreNumbersOrFractions) {
  GltfSample sample;
  std::string points;
  for (const std::int16_t number : {0, 0, 0, 32767, -32768, 0, 7, 0, 0}) {
    points.append(reinterpret_cast<const char*>(&number), 2);
  }
  sample.bytes.replace(0, points.size(), points);
  sample.part().erase("indices");
  sample.file["extensionsRequired"] = {"KHR_mesh_quantization"};
  sample.accessor(0)["componentType"] = 5122;
  sample.accessor(0)["count"] = 3;
  expectGltfCorners(sample.glb(), {{0, 0, 0}, {32767, -32768, 0}, {7, 0, 0}});
  sample.accessor(0)["normalized"] = true;
  expectGltfCorners(sample.glb(), {{0, 0, 0}, {1, -1, 0}, {7 / 32767.0, 0, 0}});
}

// A turn by 90° about z takes x to y; parents act last; y of the file stays y.
TEST(Gltf, Nodes_PutMeshesInTheirPlaces) {
  GltfSample sample;
  const Real half = std::sqrt(0.5);
  sample.file["nodes"] = {
      {{"translation", {10, 0, 0}},
       {"rotation", {0, 0, 2 * half, 2 * half}},
       {"scale", {2, 1, 1}},
       {"children", {1}}},
      {{"matrix", {1, 0, 0, 0, 0, 3, 0, 0, 0, 0, 1, 0, 0, 0, 5, 1}}, {"mesh", 0}}};
  expectGltfCorners(sample.glb(), cubeCorners([](const Vec3& v) {
                      return Vec3(10 - 3 * v.y(), 2 * v.x(), v.z() + 5);
                    }));
}

TEST(Gltf, DefaultScene_IsTheOneThatIsShown) {
  GltfSample sample;
  sample.file["nodes"].push_back({{"mesh", 0}, {"translation", {0, 7, 0}}});
  sample.file["scenes"].push_back({{"nodes", {1}}});
  sample.file["scene"] = 1;
  const auto raised = cubeCorners([](const Vec3& v) -> Vec3 { return v + Vec3(0, 7, 0); });
  expectGltfCorners(sample.glb(), raised);
  sample.file.erase("scene");
  expectGltfCorners(sample.glb(), cubeCorners());
  sample.file["scenes"][0]["nodes"] = {1, 0};
  std::vector<Vec3> both = raised;
  for (const Vec3& corner : cubeCorners()) both.push_back(corner);
  expectGltfCorners(sample.glb(), both);
}

TEST(Gltf, Mesh_CollidesAsItsHull) {
  const ModelFolder folder;
  const std::string robot =
      "<robot name=\"r\"><link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
      "iyy=\"1\" izz=\"1\"/></inertial><collision><geometry>\n<mesh filename=\"m.GLB\" "
      "scale=\"2 2 2\"/></geometry></collision></link></robot>";
  folder.write("m.GLB", GltfSample().glb());
  folder.write("r.urdf", robot);
  const Scene scene = folder.import("r.urdf");
  const auto& hull = std::get<ConvexHull>(*bodyOf(scene, "a").shape);
  EXPECT_EQ(hull.data->vertices.size(), 8u);
  EXPECT_NEAR(massProperties(hull, 1).mass, 64, kAsInFile);
  folder.write("m.GLB", "{\"asset\":\n{\"version\": \"1.0\"}}");
  EXPECT_THAT(folder.problems("r.urdf"),
              testing::ElementsAre(StartsWith(
                  "r.urdf:2: m.GLB:2:13 /asset/version: only glTF 2 is read, got the text")));
}

struct WrongGltf {
  std::string claim;
  std::function<void(GltfSample&)> spoil;
  std::string problem;
};
void PrintTo(const WrongGltf& wrong, std::ostream* out) { *out << wrong.claim; }

class WrongGltfMesh : public testing::TestWithParam<WrongGltf> {};

TEST_P(WrongGltfMesh, IsRefusedWithItsPlace) {
  GltfSample sample;
  GetParam().spoil(sample);
  try {
    importing::parseGltf(sample.glb(), "m.glb");
    FAIL() << "it is accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), AllOf(StartsWith("m.glb:1:"), HasSubstr(GetParam().problem)));
  }
}

/// A value of the file is replaced.
WrongGltf replaced(const std::string& claim, const std::string& pointer, json value,
                   const std::string& problem) {
  return {
      claim,
      [pointer, value](GltfSample& sample) { sample.file[json::json_pointer(pointer)] = value; },
      problem};
}

void chainNodes(GltfSample& sample) {
  json nodes = json::array();
  for (int i = 1; i <= 300; ++i) nodes.push_back({{"children", {i}}});
  nodes.push_back({{"mesh", 0}});
  sample.file["nodes"] = nodes;
}

void growNodes(GltfSample& sample) {
  json nodes = json::array();
  for (int i = 1; i <= 40; ++i) nodes.push_back({{"children", {i}}, {"scale", {1e14, 1, 1}}});
  nodes.push_back({{"mesh", 0}});
  sample.file["nodes"] = nodes;
}

/// A strip of so many corners, all of them the first point.
void makeStrip(GltfSample& sample, std::size_t corners) {
  sample.bytes.resize(kCubePointBytes);
  sample.bytes.resize(kCubePointBytes + corners, '\0');
  sample.file["buffers"][0]["byteLength"] = sample.bytes.size();
  sample.view(1)["byteLength"] = corners;
  sample.accessor(1)["componentType"] = 5121;
  sample.accessor(1)["count"] = corners;
  sample.part()["mode"] = 5;
}

void showTwice(GltfSample& sample) {
  makeStrip(sample, 5'000'001);
  sample.file["nodes"].push_back({{"mesh", 0}});
  sample.file["scenes"][0]["nodes"] = {0, 1};
}

void putNan(GltfSample& sample) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  sample.bytes.replace(12, 4, reinterpret_cast<const char*>(&nan), 4);
}

const json kEmpty = json::object();

INSTANTIATE_TEST_SUITE_P(
    Gltf, WrongGltfMesh,
    testing::Values(
        replaced("OldVersion", "/asset/version", "1.0", "/asset/version: only glTF 2 is read"),
        replaced("LaterVersion", "/asset/minVersion", "2.1", "/asset/minVersion: only glTF 2.0"),
        replaced("NoVersion", "/asset", kEmpty, "/asset: needs \"version\""),
        replaced("Draco", "/extensionsRequired", {"KHR_draco_mesh_compression"},
                 "/extensionsRequired/0: the extension KHR_draco_mesh_compression is not read"),
        replaced("ExtensionsNoList", "/extensionsRequired", 1, "must be a list, got 1"),
        WrongGltf{"NoScenes",
                  [](GltfSample& sample) {
                    sample.file.erase("scene");
                    sample.file["scenes"] = json::array();
                  },
                  "/: has no scene"},
        replaced("NoSuchScene", "/scene", 1,
                 "/scene: there is no entry 1 in \"scenes\", which has 1"),
        replaced("EmptyScene", "/scenes/0", kEmpty, "/scenes/0: shows no triangles"),
        replaced("NoSuchNode", "/scenes/0/nodes", {2}, "/scenes/0/nodes/0: there is no entry 2"),
        replaced("NegativeNode", "/scenes/0/nodes", {-1}, "/scenes/0/nodes/0: must be"),
        replaced("BrokenNode", "/scenes/0/nodes", {0.5}, "must be a whole number, got 0.5"),
        replaced("NodesInACircle", "/nodes/0/children", {0}, "/nodes/0/children/0: nodes contain"),
        replaced("NodeTwice", "/scenes/0/nodes", {0, 0}, "/scenes/0/nodes/1: nodes contain each"),
        WrongGltf{"DeepNodes", chainNodes, "nodes nest deeper than 200 levels"},
        WrongGltf{"BeyondAllBounds", growNodes, "a point lies beyond all bounds"},
        WrongGltf{"TooManyTriangles", [](GltfSample& sample) { makeStrip(sample, 10'000'001); },
                  "/meshes/0/primitives/0: the mesh has too many triangles"},
        WrongGltf{"ShownTooOften", showTwice, "/nodes/1/mesh: the scene has too many triangles"},
        replaced("Skin", "/nodes/0/skin", 0, "/nodes/0/skin: skinned meshes are not read"),
        replaced("MorphOfNode", "/nodes/0/weights", {0, 0.5}, "/nodes/0/weights/1: morph targets"),
        replaced("MorphOfMesh", "/meshes/0/weights", {1}, "/meshes/0/weights/0: morph targets"),
        replaced("ShortMatrix", "/nodes/0/matrix", {1, 0}, "must be a list of 16 numbers"),
        replaced("Perspective", "/nodes/0/matrix", {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                 "the last row of its matrix"),
        WrongGltf{"MatrixAndScale",
                  [](GltfSample& sample) {
                    sample.file["nodes"][0]["scale"] = {1, 1, 1};
                    sample.file["nodes"][0]["matrix"] = {1, 0, 0, 0, 0, 1, 0, 0,
                                                         0, 0, 1, 0, 0, 0, 0, 1};
                  },
                  "/nodes/0: has both a matrix and"},
        replaced("NoRotation", "/nodes/0/rotation", {0, 0, 0, 0}, "rotation must not be zero"),
        replaced("NoSuchMesh", "/nodes/0/mesh", 3, "/nodes/0/mesh: there is no entry 3"),
        replaced("UnknownMode", "/meshes/0/primitives/0/mode", 7, "primitives/0/mode: "),
        replaced("NoPositions", "/meshes/0/primitives/0/attributes", kEmpty, "needs \"POSITION\""),
        replaced("HalfATriangle", "/accessors/1/count", 35, "35 corners make no triangles"),
        WrongGltf{"ShortStrip",
                  [](GltfSample& sample) {
                    sample.part()["mode"] = 5;
                    sample.accessor(1)["count"] = 2;
                  },
                  "/meshes/0/primitives/0: 2 corners make no triangles"},
        replaced("NoSuchPoint", "/accessors/0/count", 7, "names the point 7, and there are 7"),
        WrongGltf{"NotANumber", putNan, "/POSITION: point 1 is not finite"}),
    [](const auto& one) { return one.param.claim; });

INSTANTIATE_TEST_SUITE_P(
    GltfBytes, WrongGltfMesh,
    testing::Values(
        replaced("Sparse", "/accessors/0/sparse", kEmpty, "/accessors/0/sparse: sparse accessors"),
        replaced("FlatPoints", "/accessors/0/type", "VEC2", "must be \"VEC3\" here, got the text"),
        replaced("PointsOfWholeNumbers", "/accessors/0/componentType", 5125,
                 "/accessors/0: componentType 5125 cannot be used here"),
        replaced("IndicesOfReals", "/accessors/1/componentType", 5126, "componentType 5126 cannot"),
        WrongGltf{"NoView", [](GltfSample& sample) { sample.accessor(0).erase("bufferView"); },
                  "/accessors/0: has no bufferView"},
        replaced("NoPoints", "/accessors/0/count", 0, "/accessors/0: count must be > 0"),
        replaced("TooManyPoints", "/accessors/0/count", 9,
                 "/accessors/0: 9 vectors every 12 bytes"),
        replaced("HugeCount", "/accessors/0/count", 2147483647, "2147483647 vectors every 12"),
        replaced("CountBeyondInt", "/accessors/0/count", 4294967304, "/accessors/0/count: must be"),
        replaced("NegativeCount", "/accessors/0/count", -1, "/accessors/0/count: must be"),
        replaced("LateStart", "/accessors/0/byteOffset", 1, "8 vectors every 12 bytes from 1 on"),
        replaced("StartBehindView", "/accessors/0/byteOffset", 97, "bytes from 97 on are more"),
        replaced("NarrowStride", "/bufferViews/0/byteStride", 8,
                 "byteStride 8 is less than the 12"),
        replaced("WideStride", "/bufferViews/0/byteStride", 16, "8 vectors every 16 bytes from 0"),
        replaced("LongView", "/bufferViews/1/byteLength", 73,
                 "/bufferViews/1: 73 bytes from 96 on"),
        replaced("LateView", "/bufferViews/1/byteOffset", 999, "/bufferViews/1: 72 bytes from 999"),
        replaced("NoSuchBuffer", "/bufferViews/0/buffer", 1, "there is no entry 1 in \"buffers\""),
        replaced("LongBuffer", "/buffers/0/byteLength", 999, "/buffers/0: byteLength is 999, and"),
        WrongGltf{"NoBytes",
                  [](GltfSample& sample) {
                    sample.file["buffers"].push_back({{"byteLength", 96}});
                    sample.view(0)["buffer"] = 1;
                  },
                  "/buffers/1: has no bytes"},
        replaced("NoBase64", "/buffers/0/uri", "data:,AAAA", "must be \"data:TYPE;base64,\""),
        replaced("NoDigit", "/buffers/0/uri", "data:;base64,A-AA", "digits of base 64"),
        replaced("OneDigitTooMany", "/buffers/0/uri", "data:;base64,AAAAA", "digits of base 64"),
        replaced("ShortData", "/buffers/0/uri", "data:;base64,AAAA", "/uri: holds 3 bytes, and"),
        replaced("NoFile", "/buffers/0/uri", "none.bin", "/uri: there is no file none.bin"),
        replaced("FileAbove", "/buffers/0/uri", "../a.bin", "must be a path in the folder of"),
        replaced("FileAboveInParts", "/buffers/0/uri", "b/%2E%2e/../a.bin", "must be a path in"),
        replaced("AbsoluteFile", "/buffers/0/uri", "/dev/zero", "must be a path in the folder of"),
        replaced("OfTheWeb", "/buffers/0/uri", "http://a/b.bin", "must be a path in the folder of"),
        replaced("BrokenEscape", "/buffers/0/uri", "a%2", "must be a path in the folder of"),
        replaced("ZeroInName", "/buffers/0/uri", "a%00.bin", "must be a path in the folder of"),
        replaced("UriNoText", "/buffers/0/uri", 5, "/buffers/0/uri: must be text, got 5")),
    [](const auto& one) { return one.param.claim; });

std::string problemOf(const std::string& bytes, const std::string& path = "m.glb") {
  try {
    importing::parseGltf(bytes, path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Gltf, FilesBesideIt_AreLongEnough) {
  const ModelFolder folder;
  const GltfSample sample;
  folder.write("a.bin", sample.bytes.substr(1));
  EXPECT_THAT(problemOf(sample.withUri("a.bin"), folder.path("m.gltf")),
              HasSubstr("a.bin has 167 bytes, and byteLength is 168"));
}

// A file with a hole, which takes no room.
TEST(Gltf, FilesBesideIt_AreNoLargerThanMeshesNeed) {
  const ModelFolder folder;
  folder.write("a.bin", "");
  std::filesystem::resize_file(folder.path("a.bin"), (std::size_t{1} << 30) + 1);
  EXPECT_THAT(problemOf(GltfSample().withUri("a.bin"), folder.path("m.gltf")),
              HasSubstr("/buffers/0/uri: the files of the buffers have more than 1024 MiB"));
}

TEST(Gltf, Damaged_IsRefusedWithItsPlace) {
  EXPECT_THAT(problemOf(""), StartsWith("m.glb: is empty"));
  EXPECT_THAT(problemOf("[]"), StartsWith("m.glb:1:1 /: is no glTF"));
  EXPECT_THAT(problemOf("{\"asset\": {}\n,,}"), StartsWith("m.glb:2:"));
  const std::string whole = GltfSample().glb();
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    EXPECT_THAT(problemOf(whole.substr(0, size)), StartsWith("m.glb:")) << size;
  }
  const auto with = [&](std::size_t at, std::uint32_t number) {
    std::string bytes = whole;
    return bytes.replace(at, 4, reinterpret_cast<const char*>(&number), 4);
  };
  EXPECT_THAT(problemOf(with(4, 1)), StartsWith("m.glb: is binary glTF 1, and only 2 is read"));
  EXPECT_THAT(problemOf(with(8, 4)), StartsWith("m.glb: announces 4 bytes and has "));
  EXPECT_THAT(problemOf(whole.substr(0, whole.size() - 4)), StartsWith("m.glb: announces "));
  EXPECT_THAT(problemOf(with(12, 0xFFFFFFFF)), StartsWith("m.glb: chunk 0 announces 4294967295"));
  EXPECT_THAT(problemOf(with(16, 1)), StartsWith("m.glb: its first chunk is no JSON"));
  EXPECT_THAT(problemOf(with(whole.find("BIN"), 1)), HasSubstr("/buffers/0: has no bytes"));
  EXPECT_THAT(problemOf(with(8, 12).substr(0, 12)), HasSubstr("ends within the header of chunk 0"));
}

// Whatever byte is wrong, the file is read or refused.
TEST(Gltf, BytesByChance_AreReadOrRefused) {
  const std::string whole = GltfSample().glb();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char byte : {'\0', '9', '-', '\xFF'}) {
      std::string bytes = whole;
      bytes[i] = byte;
      const std::string problem = problemOf(bytes);
      EXPECT_TRUE(problem.empty() || problem.starts_with("m.glb:")) << i << ": " << problem;
    }
  }
}

}  // namespace
}  // namespace drystone
