#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "collision/shape/shape.h"

namespace drystone::importing {

/// Where the file of a mesh lies: `name` is a path from `directory`, absolute with or without
/// `file://`, or `package://PACKAGE/path`, whose package is looked for in `directory` and in the
/// folders above it. Throws InputError where there is no such file.
std::string findMeshFile(const std::string& name, const std::string& directory);

/// Vertices of an OBJ, STL (binary or text), DAE or glTF file (GLB or text), by its extension.
/// Throws InputError with the path and the remedy.
std::vector<Vec3> readMeshVertices(const std::string& path);

/// Corners of the triangles of an STL file; `path` stands in messages only. Throws as above.
std::vector<Vec3> parseStl(std::string_view bytes, const std::string& path);

/// Corners of the polygons that the scene of a COLLADA file shows [m], turned so that its up axis
/// is z. `path` stands in messages only. Throws as above, with the line.
std::vector<Vec3> parseDae(std::string_view text, const std::string& path);

/// Corners of the triangles that the default scene of a glTF 2.0 file shows, with the axes of the
/// file. Buffers may lie in the folder of `path`, which also stands in messages. Throws as above,
/// with the JSON pointer.
std::vector<Vec3> parseGltf(std::string_view bytes, const std::string& path);

/// The convex hull of a mesh whose vertices are scaled by `scale`. Throws InputError where they
/// span no volume, or the hull has too many edges for a shape.
ConvexHull hullOfMesh(const std::string& path, const Vec3& scale);

}  // namespace drystone::importing
