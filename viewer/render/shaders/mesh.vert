uniform mat4 viewProjection;
uniform mat4 shadowMatrix;   // world to the map, [0, 1]
uniform float shadowOffset;  // along the normal, against shadows of a surface on itself [m]

out vec3 worldAt;
out vec3 worldNormalAt;
out vec3 shadowAt;
flat out vec4 colorOf;
flat out vec3 albedo;  // linear

void main() {
  worldAt = worldPosition();
  worldNormalAt = worldNormal();
  shadowAt = (shadowMatrix * vec4(worldAt + shadowOffset * worldNormalAt, 1)).xyz;
  colorOf = color;
  albedo = toLinear(color.rgb);
  gl_Position = viewProjection * vec4(worldAt, 1);
}
