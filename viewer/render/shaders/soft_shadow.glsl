uniform sampler2DShadow shadowMap;
uniform float shadowTexel;  // of the side of the map; 0: no shadows

/// Nine comparisons, each the mean of four texels, weighted like a tent; an edge blurs over six texels.
float sunlight(vec3 place) {
  if (shadowTexel == 0.0 || any(lessThan(place.xy, vec2(0))) || any(greaterThan(place.xy, vec2(1)))) {
    return 1.0;
  }
  place.z = min(place.z, 1.0);
  float t = 1.5 * shadowTexel;
  float sum = 4.0 * texture(shadowMap, place);
  sum += 2.0 * (texture(shadowMap, place + vec3(t, 0, 0)) + texture(shadowMap, place - vec3(t, 0, 0)) +
                texture(shadowMap, place + vec3(0, t, 0)) + texture(shadowMap, place - vec3(0, t, 0)));
  sum += texture(shadowMap, place + vec3(t, t, 0)) + texture(shadowMap, place - vec3(t, t, 0)) +
         texture(shadowMap, place + vec3(t, -t, 0)) + texture(shadowMap, place + vec3(-t, t, 0));
  return sum / 16.0;
}
