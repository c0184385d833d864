uniform mat4 viewProjection;
uniform mat4 shadowMatrix;   // world to the map, [0, 1]
uniform float shadowOffset;  // along the normal, against shadows of a surface on itself [m]

out vec3 worldAt;
out vec3 worldNormalAt;
out vec3 shadowAt;
flat out vec4 colorOf;

void main() {
  worldAt = worldPosition();
  worldNormalAt = worldNormal();
  shadowAt = (shadowMatrix * vec4(worldAt + shadowOffset * worldNormalAt, 1)).xyz;
  colorOf = color;
  gl_Position = viewProjection * vec4(worldAt, 1);
}
