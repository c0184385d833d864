in vec4 colorOf;
out vec4 pixel;

void main() { pixel = colorOf; }
