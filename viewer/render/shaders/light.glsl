// The light of the scene: one sun with shadows, and a sky above a bright floor. Linear colors.
// sunlight() is in a file after this: shadow.glsl or no_shadow.glsl.
uniform vec3 toSun;

const vec3 kSun = vec3(0.66, 0.64, 0.60);
const vec3 kSky = vec3(0.44, 0.46, 0.50);
const vec3 kFloor = vec3(0.25, 0.245, 0.24);

/// Share of the sun that arrives at a place of the shadow map.
float sunlight(vec3 place);

vec3 skyLight(float up) { return mix(kFloor, kSky, 0.5 + 0.5 * up); }
