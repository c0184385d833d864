/// What is seen where there is nothing, by the sine of the elevation; sRGB.
vec3 backdrop(float up) {
  vec3 horizon = vec3(0.945, 0.952, 0.960), zenith = vec3(0.66, 0.755, 0.86);
  vec3 below = vec3(0.88, 0.885, 0.89);
  return up > 0.0 ? mix(horizon, zenith, smoothstep(0.0, 0.9, up))
                  : mix(horizon, below, smoothstep(0.0, 0.6, -up));
}
