uniform vec3 eye;
uniform vec4 ground;
uniform float spacing;  // [m]

in vec3 worldAt;
in vec3 shadowAt;
out vec4 pixel;

/// How much of the pixel lines at whole numbers cover, `width` pixels wide, in either direction.
/// Where they come closer than a few pixels they fade into nothing instead of a pattern.
float lines(vec2 at, float width) {
  vec2 pixelSize = max(fwidth(at), vec2(1e-6));
  vec2 away = abs(fract(at - 0.5) - 0.5) / pixelSize;
  vec2 cover = clamp(0.5 * width + 0.5 - away, 0.0, 1.0);
  cover *= 1.0 - smoothstep(0.06, 0.3, pixelSize);
  return max(cover.x, cover.y);
}

void main() {
  float fromMiddle = length(worldAt.xy - ground.xy) / ground.w;
  float fade = 1.0 - smoothstep(0.45, 1.0, fromMiddle);
  vec3 albedo = vec3(0.80, 0.805, 0.81);
  vec3 light = skyLight(1.0) + max(toSun.z, 0.0) * sunlight(shadowAt) * kSun;
  vec3 seen = toSrgb(albedo * light);
  float line = max(0.11 * lines(worldAt.xy / spacing, 1.0),
                   0.26 * lines(worldAt.xy / (10.0 * spacing), 1.4));
  seen = mix(seen, vec3(0.20, 0.24, 0.30), line);
  // From below it is only a veil.
  float alpha = eye.z < ground.z ? 0.3 : 1.0;
  pixel = vec4(seen, fade * alpha);
}
