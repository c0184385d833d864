/// One comparison, the mean of four texels: for processors that do the work of a GPU.
float litShare(vec3 place) { return texture(shadowMap, place); }
