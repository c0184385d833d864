uniform mat4 viewProjection;

void main() { gl_Position = viewProjection * vec4(worldPosition(), 1); }
