// Programs of the graphics card.

const kLight = `
uniform highp sampler2DShadow shadows;
uniform vec3 sun;
in vec3 inLight;
float lit() {
  if (any(greaterThan(abs(inLight - 0.5), vec3(0.499)))) return 1.0;
  float sum = 0.0;
  for (int x = -1; x <= 1; ++x) for (int y = -1; y <= 1; ++y) {
    sum += texture(shadows, vec3(inLight.xy + vec2(x, y) / 2048.0, inLight.z - 0.0012));
  }
  return sum / 9.0;
}`;

const kShaders = {
  mesh: [`
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 row0;
layout(location = 3) in vec4 row1;
layout(location = 4) in vec4 row2;
layout(location = 5) in vec4 color;
uniform mat4 camera, light;
out vec3 direction, place, inLight;
out vec4 tint;
void main() {
  vec4 p = vec4(position, 1);
  place = vec3(dot(row0, p), dot(row1, p), dot(row2, p));
  // Normals turn by the cofactors.
  direction = normal.x * vec3(row1.y * row2.z - row1.z * row2.y, row2.y * row0.z - row2.z * row0.y, row0.y * row1.z - row0.z * row1.y)
    + normal.y * vec3(row1.z * row2.x - row1.x * row2.z, row2.z * row0.x - row2.x * row0.z, row0.z * row1.x - row0.x * row1.z)
    + normal.z * vec3(row1.x * row2.y - row1.y * row2.x, row2.x * row0.y - row2.y * row0.x, row0.x * row1.y - row0.y * row1.x);
  tint = color;
  inLight = 0.5 * (light * vec4(place, 1)).xyz + 0.5;
  gl_Position = camera * vec4(place, 1);
}`, kLight + `
uniform vec3 eye, up;
uniform float shade;
in vec3 direction, place;
in vec4 tint;
out vec4 pixel;
void main() {
  vec3 n = normalize(direction), toEye = normalize(eye - place);
  if (dot(n, toEye) < 0.0) n = -n;
  float sunny = max(dot(n, sun), 0.0);
  if (sunny > 0.0) sunny *= lit();
  float sky = 0.5 + 0.5 * dot(n, up);
  vec3 brightness = mix(vec3(0.44, 0.43, 0.42), vec3(0.62, 0.65, 0.68), sky) + 0.5 * sunny;
  pixel = vec4(tint.rgb * mix(vec3(1), brightness, shade), tint.a);
}`],
  depth: [`
layout(location = 0) in vec3 position;
layout(location = 2) in vec4 row0;
layout(location = 3) in vec4 row1;
layout(location = 4) in vec4 row2;
uniform mat4 camera;
void main() {
  vec4 p = vec4(position, 1);
  gl_Position = camera * vec4(dot(row0, p), dot(row1, p), dot(row2, p), 1);
}`, `
void main() {}`],
  pick: [`
layout(location = 0) in vec3 position;
layout(location = 2) in vec4 row0;
layout(location = 3) in vec4 row1;
layout(location = 4) in vec4 row2;
layout(location = 6) in float body;
uniform mat4 camera;
flat out float number;
void main() {
  vec4 p = vec4(position, 1);
  number = body + 1.0;
  gl_Position = camera * vec4(dot(row0, p), dot(row1, p), dot(row2, p), 1);
}`, `
flat in float number;
out vec4 pixel;
void main() {
  pixel = vec4(mod(number, 256.0), mod(floor(number / 256.0), 256.0), floor(number / 65536.0), 255.0) / 255.0;
}`],
  ground: [`
layout(location = 0) in vec3 position;
uniform mat4 camera, light;
uniform vec3 center;
uniform float radius;
out vec3 place, inLight;
void main() {
  place = center + radius * position;
  inLight = 0.5 * (light * vec4(place, 1)).xyz + 0.5;
  gl_Position = camera * vec4(place, 1);
}`, kLight + `
uniform vec3 center;
uniform float radius, spacing;
in vec3 place;
out vec4 pixel;
float lines(float apart) {
  vec2 at = place.xy / apart, width = fwidth(at);
  vec2 from = abs(fract(at - 0.5) - 0.5) / max(width, 1e-6);
  float fine = 1.0 - clamp(2.0 * max(width.x, width.y), 0.0, 1.0);
  return fine * (1.0 - min(min(from.x, from.y), 1.0));
}
void main() {
  float fade = 1.0 - smoothstep(0.35, 1.0, length(place.xy - center.xy) / radius);
  vec3 color = mix(vec3(0.80, 0.82, 0.84), vec3(0.67, 0.69, 0.71), max(0.55 * lines(spacing), lines(10.0 * spacing)));
  pixel = vec4(color * mix(0.72, 1.0, lit()), fade);
}`],
  line: [`
layout(location = 0) in vec3 position;
uniform mat4 camera;
void main() { gl_Position = camera * vec4(position, 1); }`, `
uniform vec4 color;
out vec4 pixel;
void main() { pixel = color; }`]
};

function compiled(gl, [vertex, fragment]) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, "#version 300 es\nprecision highp float;" + text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) {
    const logs = gl.getAttachedShaders(program).map(one => gl.getShaderInfoLog(one)).join("");
    throw new Error("a shader does not compile: " + logs + gl.getProgramInfoLog(program));
  }
  const places = {};
  const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
  for (let i = 0; i < count; ++i) {
    const name = gl.getActiveUniform(program, i).name;
    places[name] = gl.getUniformLocation(program, name);
  }
  return { program, places };
}
