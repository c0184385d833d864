uniform mat4 viewProjection;
uniform mat4 shadowMatrix;
uniform vec4 ground;  // middle x, y, height, radius [m]
out vec3 worldAt;
out vec3 shadowAt;

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  worldAt = vec3(ground.xy + corner * ground.w, ground.z);
  shadowAt = (shadowMatrix * vec4(worldAt, 1)).xyz;
  gl_Position = viewProjection * vec4(worldAt, 1);
}
