uniform float width;

noperspective in vec2 fromAxis;
flat in float lengthOf;
flat in vec4 colorOf;
out vec4 pixel;

void main() {
  float beyond = max(max(-fromAxis.y, fromAxis.y - lengthOf), 0.0);
  float distance = length(vec2(fromAxis.x, beyond));
  pixel = vec4(colorOf.rgb, colorOf.a * clamp(0.5 * width + 0.5 - distance, 0.0, 1.0));
}
