// A vertex of one copy of a mesh.
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 row0;  // mesh to world, row by row
layout(location = 3) in vec4 row1;
layout(location = 4) in vec4 row2;
layout(location = 5) in vec4 color;

vec3 worldPosition() {
  vec4 p = vec4(position, 1);
  return vec3(dot(row0, p), dot(row1, p), dot(row2, p));
}

/// Normals go by the inverse transpose, whose columns are, but for the length, the cross products of
/// those of the matrix; its sign is the determinant's.
vec3 worldNormal() {
  mat3 rows = mat3(row0.xyz, row1.xyz, row2.xyz);
  mat3 cofactors = mat3(cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1]));
  vec3 n = normal * cofactors;
  return normalize(dot(rows[0], cofactors[0]) < 0.0 ? -n : n);
}
