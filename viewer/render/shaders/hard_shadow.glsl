uniform sampler2DShadow shadowMap;
uniform float shadowTexel;  // of the side of the map; 0: no shadows

/// One comparison, the mean of four texels: for processors that do the work of a GPU.
float sunlight(vec3 place) {
  if (shadowTexel == 0.0 || any(lessThan(place.xy, vec2(0))) || any(greaterThan(place.xy, vec2(1)))) {
    return 1.0;
  }
  place.z = min(place.z, 1.0);
  return texture(shadowMap, place);
}
