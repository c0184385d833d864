in vec3 direction;
out vec4 pixel;

void main() { pixel = vec4(backdrop(normalize(direction).z), 1); }
