uniform vec3 eye;
uniform bool lit;
uniform bool twoSided;

in vec3 worldAt;
in vec3 worldNormalAt;
in vec3 shadowAt;
flat in vec4 colorOf;
flat in vec3 albedo;
out vec4 pixel;

void main() {
  if (!lit) {
    pixel = colorOf;
    return;
  }
  vec3 n = normalize(worldNormalAt);
  if (twoSided && !gl_FrontFacing) n = -n;
  float facing = dot(n, toSun);
  vec3 light = skyLight(n.z);
  float shine = 0.0;
  if (facing > 0.0) {
    // Fades in over the terminator, where the map is too coarse to tell.
    float sun = sunlight(shadowAt) * smoothstep(0.0, 0.12, facing);
    light += facing * sun * kSun;
    vec3 halfway = normalize(toSun + normalize(eye - worldAt));
    float s = max(dot(n, halfway), 0.0);
    s *= s; s *= s; s *= s; s *= s; s *= s;  // its 32nd power
    shine = 0.10 * sun * s;
  }
  pixel = vec4(toSrgb(albedo * light + shine), colorOf.a);
}
