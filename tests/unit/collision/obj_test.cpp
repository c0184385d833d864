// Wavefront OBJ files: what is read, and the message for every way to be wrong.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "collision/shape/shape.h"
#include "core/input_error.h"

namespace drystone {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;
using Triangle = std::array<int, 3>;

class ReadObj : public testing::Test {
 protected:
  ReadObj() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::temp_directory_path() /
                 ("drystone_obj_" + std::to_string(getpid()) + test->name());
    std::filesystem::create_directories(directory_);
  }
  ~ReadObj() override { std::filesystem::remove_all(directory_); }

  MeshData read(const std::string& text) {
    const std::string path = (directory_ / "mesh.obj").string();
    std::ofstream(path) << text;
    return readObj(path);
  }
  void expectRefused(const std::string& text, const std::string& message) {
    EXPECT_THAT([&] { read(text); }, ThrowsMessage<InputError>(HasSubstr(message)));
  }

  std::filesystem::path directory_;
};

TEST_F(ReadObj, VerticesAndPolygons_AreReadAndSplitIntoFans) {
  const MeshData mesh = read(
      "# comment\no square\nvn 0 0 1\nv 0 0 0\nv 1 0 0 # corner\r\n  v\t1 1 +0.5e-1\nv 0 1 0 1.0\n"
      "usemtl stone\nf 1/1/1 2//1 3/3 4\n");
  ASSERT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.vertices[2], Vec3(1, 1, 0.05));
  EXPECT_THAT(mesh.triangles, ElementsAre(Triangle{0, 1, 2}, Triangle{0, 2, 3}));
}

TEST_F(ReadObj, NegativeIndices_CountBackFromTheLastVertex) {
  const MeshData mesh =
      read("v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -4 -2 -1\n");
  EXPECT_THAT(mesh.triangles, ElementsAre(Triangle{1, 2, 3}, Triangle{1, 3, 4}));
}

TEST_F(ReadObj, UnreadableFiles_NameThePath) {
  EXPECT_THAT([&] { readObj((directory_ / "none.obj").string()); },
              ThrowsMessage<InputError>(HasSubstr("none.obj: cannot be opened")));
  EXPECT_THAT([&] { readObj(directory_.string()); },
              ThrowsMessage<InputError>(HasSubstr("is a folder")));
  expectRefused("", "has no faces");
  expectRefused("v 0 0 0\nv 1 0 0\nv 0 1 0\n", "mesh.obj: has no faces");
}

TEST_F(ReadObj, WrongVertices_NameTheLine) {
  expectRefused("v 0 0 0\nv 1 0\n", "mesh.obj:2: v needs three coordinates, got 2");
  expectRefused("v 0 nan 0\n",
                "mesh.obj:1: coordinate 2 of v must be a finite number, got \"nan\"");
  expectRefused("v 0 0 1e999\n", "coordinate 3");
  expectRefused("v 0 1,5 0\n", "got \"1,5\"");
}

TEST_F(ReadObj, WrongFaces_NameTheLine) {
  const std::string triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  expectRefused(triangle + "f 1 2\n", "mesh.obj:4: f needs at least three vertices, got 2");
  expectRefused(triangle + "f 1 2 4\n",
                "mesh.obj:4: f refers to vertex 4, but 3 are defined above");
  expectRefused(triangle + "f 0 1 2\n", "f refers to vertex 0");
  expectRefused(triangle + "f -4 1 2\n", "f refers to vertex -4");
  expectRefused(triangle + "f 1 2 x\n", "got \"x\"");
  expectRefused(triangle + "f 1 2 2\n", "uses vertex 2 twice");
  expectRefused(triangle + "f 1 2 99999999999\n", "got \"99999999999\"");
}

TEST_F(ReadObj, SeveralProblems_AreReportedTogether) {
  try {
    read("v 0 0 x\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2 9\n");
    FAIL() << "nothing thrown";
  } catch (const InputError& error) {
    ASSERT_EQ(error.problems().size(), 2u);
    EXPECT_THAT(error.problems()[0], HasSubstr("mesh.obj:1:"));
    EXPECT_THAT(error.problems()[1], HasSubstr("mesh.obj:5:"));
  }
}

}  // namespace
}  // namespace drystone
