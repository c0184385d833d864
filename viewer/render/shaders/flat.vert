layout(location = 0) in vec2 corner;  // [pixels] from the top left
layout(location = 1) in vec4 color;
uniform vec2 size;
out vec4 colorOf;

void main() {
  colorOf = color;
  gl_Position = vec4(2.0 * corner.x / size.x - 1.0, 1.0 - 2.0 * corner.y / size.y, 0, 1);
}
