// The recording as arrays, and where its bodies are at any time.

function decoded(Type, text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return new Type(bytes.buffer);
}

class Recording {
  constructor(data) {
    this.data = data;
    this.bodies = data.bodies;
    this.times = decoded(Float32Array, data.times);
    this.positions = decoded(Uint16Array, data.tracks.positions);
    this.rotations = decoded(Int16Array, data.tracks.rotations);
    this.moving = [];  // tracks of a frame, in their order
    for (const body of this.bodies) body.track = body.moves ? this.moving.push(body) - 1 : -1;
    const c = data.contacts;
    this.contacts = {
      starts: decoded(Uint32Array, c.starts), positions: decoded(Uint16Array, c.positions),
      normals: decoded(Int8Array, c.normals), tangents: decoded(Int8Array, c.tangents),
      impulses: decoded(Float32Array, c.impulses), frictions: decoded(Float32Array, c.frictions),
      bodies: decoded(Int32Array, c.bodies), states: decoded(Uint8Array, c.states)
    };
    const p = data.plot;
    this.plot = { times: decoded(Float32Array, p.times), residuals: decoded(Float32Array, p.residuals),
      kinetic: decoded(Float32Array, p.kinetic), potential: decoded(Float32Array, p.potential) };
    // The pose of each body at the present time: 3 rows of rotation and place.
    this.poses = new Float32Array(12 * this.bodies.length);
    this.bodies.forEach((body, i) => this.setPose(i, body.rotation, body.position));
    this.seek(this.begin);
  }

  get begin() { return this.times[0]; }
  get end() { return this.times[this.times.length - 1]; }

  /// The last frame that is not after the time.
  frameAt(time) {
    let low = 0, high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time + 1e-6) low = middle; else high = middle - 1;
    }
    return low;
  }

  /// Moves the bodies to the time; between two frames they are in between.
  seek(time) {
    this.time = Math.min(Math.max(time, this.begin), this.end);
    this.frame = this.frameAt(this.time);
    const next = Math.min(this.frame + 1, this.times.length - 1);
    const span = this.times[next] - this.times[this.frame];
    const share = span > 0 ? Math.min(1, Math.max(0, (this.time - this.times[this.frame]) / span)) : 0;
    const n = this.moving.length, q = [0, 0, 0, 0], place = [0, 0, 0];
    this.bodies.forEach((body, i) => {
      if (body.track < 0) return;
      const a = this.frame * n + body.track, b = next * n + body.track;
      for (let k = 0; k < 3; ++k) {
        const mean = (1 - share) * this.positions[3 * a + k] + share * this.positions[3 * b + k];
        place[k] = body.lower[k] + body.span[k] * mean / 65535;
      }
      let dot = 0;
      for (let k = 0; k < 4; ++k) dot += this.rotations[4 * a + k] * this.rotations[4 * b + k];
      const side = dot < 0 ? -share : share;
      for (let k = 0; k < 4; ++k) {
        q[k] = (1 - share) * this.rotations[4 * a + k] + side * this.rotations[4 * b + k];
      }
      this.setPose(i, q, place);
    });
  }

  setPose(i, q, place) {
    const length = Math.hypot(q[0], q[1], q[2], q[3]) || 1;
    const w = q[0] / length, x = q[1] / length, y = q[2] / length, z = q[3] / length;
    this.poses.set([
      1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), place[0],
      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), place[1],
      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), place[2]], 12 * i);
  }

  /// A place of the body, in the world.
  placeOn(i, p) {
    const m = this.poses, o = 12 * i;
    return [0, 4, 8].map(r => m[o + r] * p[0] + m[o + r + 1] * p[1] + m[o + r + 2] * p[2] + m[o + r + 3]);
  }

  /// The contacts of the present frame.
  contactRange() { return [this.contacts.starts[this.frame], this.contacts.starts[this.frame + 1]]; }

  contactPlace(i) {
    const c = this.data.contacts;
    return [0, 1, 2].map(k => c.lower[k] + c.span[k] * this.contacts.positions[3 * i + k] / 65535);
  }
}
