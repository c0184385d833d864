// The light of the scene: one sun with shadows, and a sky above a bright floor. Linear colors; what
// leaves a fragment shader is sRGB, so that it looks the same in every framebuffer. sunlight() is in
// a file after this: shadow.glsl or no_shadow.glsl.
uniform vec3 toSun;

const vec3 kSun = vec3(0.66, 0.64, 0.60);
const vec3 kSky = vec3(0.44, 0.46, 0.50);
const vec3 kFloor = vec3(0.25, 0.245, 0.24);

vec3 toLinear(vec3 c) {
  return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
}
vec3 toSrgb(vec3 c) {
  c = clamp(c, 0.0, 1.0);
  return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

/// Share of the sun that arrives at a place of the shadow map.
float sunlight(vec3 place);

vec3 skyLight(float up) { return mix(kFloor, kSky, 0.5 + 0.5 * up); }
