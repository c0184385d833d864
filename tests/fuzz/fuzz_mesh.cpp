// The first byte names a format, the others are a mesh in it. It is refused, or its vertices are
// finite, and their hull is a shape or refused.

#include <algorithm>

#include "collision/shape/shape.h"
#include "scenes/importing/mesh_file.h"
#include "tests/fuzz/fuzz_input.h"

namespace drystone::fuzz {
namespace {

constexpr std::size_t kMostPoints = 200;  // of a hull, so that one takes no time

std::vector<Vec3> verticesOf(int format, std::string_view bytes) {
  switch (format) {
    case 0:
      return importing::parseStl(bytes, "mesh.stl");
    case 1:
      return importing::parseDae(bytes, "mesh.dae");
    case 2:
      return importing::parseGltf(bytes, "/proc/self/fdinfo/none/mesh.gltf");
    default: {
      const MeshData mesh = readObj(MemoryFile(bytes).path());
      for (const std::array<int, 3>& triangle : mesh.triangles) {
        for (const int corner : triangle) {
          require(corner >= 0 && corner < static_cast<int>(mesh.vertices.size()),
                  "a triangle has a corner that there is not");
        }
      }
      return mesh.vertices;
    }
  }
}

}  // namespace
}  // namespace drystone::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace drystone;
  fuzz::FuzzInput in(data, size);
  const int format = in.below(4);
  std::vector<Vec3> vertices;
  if (!fuzz::isAccepted([&] { vertices = fuzz::verticesOf(format, in.text()); })) return 0;
  for (const Vec3& vertex : vertices) fuzz::require(vertex.allFinite(), "a vertex is not finite");
  vertices.resize(std::min(vertices.size(), fuzz::kMostPoints));
  fuzz::isAccepted([&] { checkShape(makeHull(vertices)); });
  return 0;
}
