// Vectors of three numbers, and a camera that goes around a target.

const vec = {
  add: (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]],
  sub: (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]],
  scale: (s, a) => [s * a[0], s * a[1], s * a[2]],
  dot: (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
  cross: (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
  length: a => Math.hypot(a[0], a[1], a[2]),
  unit: a => vec.scale(1 / (vec.length(a) || 1), a),
  /// Unit and square to a unit vector.
  across: a => vec.unit(vec.cross(Math.abs(a[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0], a)),
  turned: (a, axis, angle) => {  // Rodrigues
    const c = Math.cos(angle), s = Math.sin(angle);
    return vec.add(vec.add(vec.scale(c, a), vec.scale(s, vec.cross(axis, a))),
      vec.scale((1 - c) * vec.dot(axis, a), axis));
  }
};

/// a b of two matrices of 4 × 4, by columns.
function product(a, b) {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; ++c) for (let r = 0; r < 4; ++r) {
    for (let k = 0; k < 4; ++k) out[4 * c + r] += a[4 * k + r] * b[4 * c + k];
  }
  return out;
}

function lookAt(position, target, up) {
  const z = vec.unit(vec.sub(position, target)), x = vec.unit(vec.cross(up, z)), y = vec.cross(z, x);
  return new Float32Array([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0,
    -vec.dot(x, position), -vec.dot(y, position), -vec.dot(z, position), 1]);
}

class Camera {
  constructor(first) { this.first = first; this.reset(); }
  reset() {
    this.position = this.first.position.slice();
    this.target = this.first.target.slice();
    this.up = vec.unit(this.first.up);
  }
  get distance() { return vec.length(vec.sub(this.position, this.target)); }

  /// Stops short of looking along `up`.
  orbit(right, down) {
    let offset = vec.turned(vec.sub(this.position, this.target), this.up, -right);
    const height = Math.asin(vec.dot(vec.unit(offset), this.up));
    const angle = Math.min(Math.max(height + down, -1.55), 1.55) - height;
    offset = vec.turned(offset, vec.unit(vec.cross(offset, this.up)), angle);
    this.position = vec.add(this.target, offset);
  }
  /// In heights of the picture.
  pan(right, up) {
    const away = vec.unit(vec.sub(this.position, this.target));
    const x = vec.unit(vec.cross(this.up, away)), y = vec.cross(away, x);
    const size = 2 * this.distance * Math.tan(0.5 * this.first.fieldOfView);
    const way = vec.add(vec.scale(-right * size, x), vec.scale(-up * size, y));
    this.position = vec.add(this.position, way);
    this.target = vec.add(this.target, way);
  }
  zoom(factor) {
    this.position = vec.add(this.target, vec.scale(factor, vec.sub(this.position, this.target)));
  }

  /// World to clip space; `size`: of the scene.
  matrix(aspect, size) {
    const far = this.distance + 12 * size, near = Math.max(0.01 * this.distance, 1e-4 * far);
    const f = 1 / Math.tan(0.5 * this.first.fieldOfView);
    const projection = new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0,
      0, 0, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0]);
    return product(projection, lookAt(this.position, this.target, this.up));
  }
}
