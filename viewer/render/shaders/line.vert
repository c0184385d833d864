// A line becomes a strip of two triangles that faces the viewer.
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 2) in vec4 color;

uniform mat4 viewProjection;
uniform vec2 size;    // of the picture [pixels]
uniform float width;  // of lines [pixels]

noperspective out vec2 fromAxis;  // across and beyond the ends [pixels]
flat out float lengthOf;
flat out vec4 colorOf;

void main() {
  vec4 a = viewProjection * vec4(from, 1), b = viewProjection * vec4(to, 1);
  // What is behind the viewer has no place in the picture: cut there.
  const float kNear = 1e-4;
  if (a.w < kNear && b.w > kNear) a = mix(a, b, (kNear - a.w) / (b.w - a.w));
  if (b.w < kNear && a.w > kNear) b = mix(b, a, (kNear - b.w) / (a.w - b.w));
  vec2 pixelA = 0.5 * size * a.xy / a.w, pixelB = 0.5 * size * b.xy / b.w;
  vec2 along = pixelB - pixelA;
  lengthOf = length(along);
  along = lengthOf > 1e-6 ? along / lengthOf : vec2(1, 0);
  float reach = 0.5 * width + 1.0;
  bool atEnd = (gl_VertexID & 1) == 1;
  float side = gl_VertexID < 2 ? -1.0 : 1.0;
  vec2 offset = reach * (side * vec2(-along.y, along.x) + (atEnd ? along : -along));
  fromAxis = vec2(side * reach, atEnd ? lengthOf + reach : -reach);
  colorOf = color;
  vec4 end = atEnd ? b : a;
  // A hair nearer than the surface that it may lie on.
  gl_Position = vec4(end.xy + 2.0 * offset / size * end.w, end.z - 5e-5 * end.w, end.w);
  if (a.w < kNear && b.w < kNear) gl_Position = vec4(2, 2, 2, 1);
}
