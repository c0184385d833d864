/// Nine comparisons, each the mean of four texels, weighted like a tent; an edge blurs over six texels.
float litShare(vec3 place) {
  float t = 1.5 * shadowTexel;
  float sum = 4.0 * texture(shadowMap, place);
  sum += 2.0 * (texture(shadowMap, place + vec3(t, 0, 0)) + texture(shadowMap, place - vec3(t, 0, 0)) +
                texture(shadowMap, place + vec3(0, t, 0)) + texture(shadowMap, place - vec3(0, t, 0)));
  sum += texture(shadowMap, place + vec3(t, t, 0)) + texture(shadowMap, place - vec3(t, t, 0)) +
         texture(shadowMap, place + vec3(t, -t, 0)) + texture(shadowMap, place + vec3(-t, t, 0));
  return sum / 16.0;
}
