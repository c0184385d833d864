uniform sampler2DShadow shadowMap;
uniform float shadowTexel;  // of the side of the map; 0: no shadows

/// Comparisons around a place of the map: in soft_shadow.glsl, hard_shadow.glsl.
float litShare(vec3 place);

float sunlight(vec3 place) {
  if (shadowTexel == 0.0 || any(lessThan(place.xy, vec2(0))) || any(greaterThan(place.xy, vec2(1)))) {
    return 1.0;
  }
  place.z = min(place.z, 1.0);
  return litShare(place);
}
