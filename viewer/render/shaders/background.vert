uniform mat4 inverseViewProjection;
uniform vec3 eye;
out vec3 direction;

/// One triangle over the whole picture, as far away as depth goes.
void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1);
  vec4 far = inverseViewProjection * vec4(corner, 1, 1);
  direction = far.xyz / far.w - eye;
  gl_Position = vec4(corner, 1, 1);
}
