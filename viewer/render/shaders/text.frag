// The atlas holds distances to the outline, 0.5 on it, growing inwards.
uniform sampler2D atlas;
uniform float sharpness;  // pixels per unit of distance

in vec2 atlasAt;
flat in vec4 colorOf;
out vec4 pixel;

void main() {
  float inside = sharpness * (texture(atlas, atlasAt).r - 0.5);
  float ink = clamp(inside + 0.5, 0.0, 1.0);
  // A light seam keeps text readable on everything.
  float seam = 0.85 * clamp(inside + 2.5, 0.0, 1.0);
  pixel = vec4(mix(vec3(1), colorOf.rgb, ink), colorOf.a * max(ink, seam));
}
