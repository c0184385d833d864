// The page: what is drawn of the present time, and what its buttons do.

const kStateColors = [[0.54, 0.565, 0.588, 1], [0, 0.447, 0.698, 1], [0.902, 0.624, 0, 1], [0.835, 0.369, 0, 1]];
const kLargestFriction = 10;  // cones of more are drawn as of this
const kLevel = 0.02;  // rise up to which a normal counts as level
const kConeColor = [0.13, 0.14, 0.16, 0.16];  // arrows have the colors

const byId = id => document.getElementById(id);

/// Rows of a matrix with these columns, moved to a place.
function rowsOf(x, y, z, place) {
  return [x[0], y[0], z[0], place[0], x[1], y[1], z[1], place[1], x[2], y[2], z[2], place[2]];
}

class Player {
  constructor(data) {
    this.recording = new Recording(data);
    this.renderer = new Renderer(byId("view"), this.recording);
    this.camera = new Camera(data.camera);
    this.isPlaying = false;
    this.shown = { bodies: true, points: false, impulses: false, cones: false };
    this.makeScene(data);
    this.makePanel(data);
    this.makeBar();
    this.listen();
    this.needsDraw = true;
    this.now = performance.now();
    const loop = now => { this.advance(now); requestAnimationFrame(loop); };
    requestAnimationFrame(loop);
  }

  makeScene(data) {
    const { gl } = this.renderer;
    // A batch for each mesh and way in which it is drawn.
    const batches = new Map();
    this.scene = { casters: [], others: [], clear: [], overlays: [], overlaysClear: [], lines: [] };
    for (const part of data.parts) {
      const body = data.bodies[part.body];
      const list = body.color[3] < 1 ? "clear" : body.casts ? "casters" : "others";
      const key = part.mesh + list;
      if (!batches.has(key)) {
        batches.set(key, new Batch(gl, data.meshes[part.mesh], 16));
        this.scene[list].push(batches.get(key));
      }
      part.batch = batches.get(key);
    }
    const mark = (name, list) => {
      const batch = new Batch(gl, data.meshes[data.marks[name]], 64);
      this.scene[list].push(batch);
      return batch;
    };
    const set = data.contacts.set === "cone" ? "cone" : "pyramid";
    this.marks = { cones: mark(set, "overlaysClear"), balls: mark("ball", "overlays"),
      shafts: mark("shaft", "overlays"), heads: mark("cone", "overlays") };
  }

  makePanel(data) {
    byId("about").textContent = data.description;
    const names = { bodies: "bodies (B)", points: "contact points (C)", impulses: "impulses (I)", cones: "friction cones (K)" };
    this.switches = {};
    for (const name in names) {
      const label = document.createElement("label"), box = document.createElement("input");
      box.type = "checkbox";
      box.checked = this.shown[name];
      box.addEventListener("change", () => this.show(name, box.checked));
      label.append(box, " " + names[name]);
      byId("switches").append(label);
      this.switches[name] = box;
    }
    const { times, residuals, kinetic, potential } = this.recording.plot;
    const total = kinetic.map((value, i) => value + potential[i]);
    const goTo = time => { this.pause(); this.seek(time); };
    this.plots = times.length === 0 ? [] : [
      new Plot(byId("residual"), times, [{ values: residuals, color: "#009e73" }], true, goTo),
      new Plot(byId("energy"), times, [{ values: potential, color: "#0072b2" }, { values: kinetic, color: "#d55e00" },
        { values: total, color: "#202428" }], false, goTo)];
  }

  show(name, isShown) {
    this.shown[name] = this.switches[name].checked = isShown;
    byId("states").style.display = this.shown.points || this.shown.impulses || this.shown.cones ? "block" : "none";
    this.needsDraw = true;
  }

  makeBar() {
    const slider = byId("time");
    [slider.min, slider.max] = [this.recording.begin, this.recording.end];
    slider.addEventListener("input", () => { this.pause(); this.seek(Number(slider.value)); });
    byId("play").onclick = () => this.isPlaying ? this.pause() : this.play();
    byId("start").onclick = () => this.seek(this.recording.begin);
    byId("back").onclick = () => this.stepBy(-1);
    byId("next").onclick = () => this.stepBy(1);
    byId("frame").onclick = () => { this.camera.reset(); this.needsDraw = true; };
    byId("panel").onclick = () => {
      byId("side").style.display = byId("side").style.display === "none" ? "block" : "none";
      this.needsDraw = true;
    };
  }

  play() {
    if (this.recording.time >= this.recording.end) this.seek(this.recording.begin);
    this.isPlaying = true;
    byId("play").textContent = "❚❚";
  }
  pause() {
    this.isPlaying = false;
    byId("play").textContent = "▶";
  }
  seek(time) {
    this.recording.seek(time);
    this.needsDraw = true;
  }
  stepBy(frames) {
    this.pause();
    const { times, frame } = this.recording;
    this.seek(times[Math.min(Math.max(frame + frames, 0), times.length - 1)]);
  }

  advance(now) {
    const passed = Math.min(now - this.now, 250) / 1000;
    this.now = now;
    if (this.isPlaying) {
      this.seek(this.recording.time + passed * Number(byId("speed").value));
      if (this.recording.time >= this.recording.end) this.pause();
    }
    if (this.needsDraw) this.draw();
  }

  draw() {
    this.needsDraw = false;
    this.placeBodies();
    this.placeContacts();
    this.renderer.draw(this.scene, this.camera);
    const { time, end, frame, times } = this.recording;
    byId("time").value = time;
    byId("clock").textContent = time.toFixed(3) + " / " + end.toFixed(2) + " s";
    byId("clock").title = "frame " + (frame + 1) + " of " + times.length;
    for (const plot of this.plots) plot.draw(time);
  }

  placeBodies() {
    const { recording, scene } = this, { data, poses, bodies } = recording;
    for (const list of [scene.casters, scene.others, scene.clear]) for (const batch of list) batch.clear();
    scene.lines = [];
    if (!this.shown.bodies) return;
    const rows = new Float32Array(12);
    for (const { body, batch, rows: part } of data.parts) {
      const o = 12 * body;
      for (let r = 0; r < 12; r += 4) for (let c = 0; c < 4; ++c) {
        rows[r + c] = poses[o + r] * part[c] + poses[o + r + 1] * part[4 + c] + poses[o + r + 2] * part[8 + c]
          + (c === 3 ? poses[o + r + 3] : 0);
      }
      batch.add(rows, bodies[body].color, body);
    }
    for (const rod of data.rods) {
      scene.lines.push(recording.placeOn(rod.bodyA, rod.onA), recording.placeOn(rod.bodyB, rod.onB));
    }
  }

  placeContacts() {
    const { recording, marks, shown } = this, { contacts, data } = recording;
    for (const name in marks) marks[name].clear();
    const size = data.layout.bodySize, perImpulse = data.contacts.lengthPerImpulse;
    const [first, last] = recording.contactRange();
    for (let i = first; i < last; ++i) {
      const place = recording.contactPlace(i), color = kStateColors[contacts.states[i]];
      const three = list => [list[3 * i], list[3 * i + 1], list[3 * i + 2]];
      // As many pixels as one sees, however far away.
      const far = 0.0035 * vec.length(vec.sub(this.camera.position, place));
      const radius = Math.max(0.06 * size, far);
      if (shown.points) marks.balls.add(rowsOf([radius, 0, 0], [0, radius, 0], [0, 0, radius], place), color, -1);
      const impulse = three(contacts.impulses);
      const normal = vec.unit(three(contacts.normals)), tangent = vec.unit(three(contacts.tangents));
      // The push on the upper body; on both where their normal is level.
      const rise = vec.dot(normal, data.contacts.up);
      for (const side of rise > kLevel ? [1] : rise < -kLevel ? [-1] : [1, -1]) {
        if (shown.impulses || shown.cones) this.addArrow(place, vec.scale(side * perImpulse, impulse), size, color);
        if (shown.cones) {
          this.addCone(place, vec.scale(side, normal), tangent, vec.dot(impulse, normal) * perImpulse,
            contacts.frictions[2 * i], contacts.frictions[2 * i + 1]);
        }
      }
    }
  }

  addArrow(place, way, bodySize, color) {
    const length = vec.length(way);
    if (!(length > 0.06 * bodySize) || !Number.isFinite(length)) return;
    const along = vec.unit(way), x = vec.across(along), y = vec.cross(along, x);
    const size = bodySize * Math.min(1, length / (0.56 * bodySize)), head = 0.28 * size, shaft = length - head;
    const stretched = (across, reach, at) => rowsOf(vec.scale(across, x), vec.scale(across, y), vec.scale(reach, along),
      vec.add(place, vec.scale(at, along)));
    this.marks.shafts.add(stretched(0.03 * size, 0.5 * shaft, 0.5 * shaft), color, -1);
    this.marks.heads.add(stretched(0.09 * size, head, length - 0.5 * head), color, -1);
  }

  /// The friction set, cut at the normal impulse: the tip of the impulse lies in its base.
  addCone(place, normal, tangent, height, friction, across) {
    const { set } = this.recording.data.contacts;
    if (!(height > 0) || !(friction > 0) || set === "none") return;
    let x = vec.scale(Math.min(friction, kLargestFriction) * height, tangent);
    let y = vec.scale(Math.min(across, kLargestFriction) * height, vec.cross(normal, tangent));
    // A square with its corners on the tangents.
    if (set === "diamond") [x, y] = [vec.scale(0.5, vec.sub(x, y)), vec.scale(0.5, vec.add(x, y))];
    // The cone's mesh has its apex above and its middle at the origin.
    const rows = set === "cone"
      ? rowsOf(x, vec.scale(-1, y), vec.scale(-height, normal), vec.add(place, vec.scale(0.5 * height, normal)))
      : rowsOf(x, y, vec.scale(height, normal), place);
    this.marks.cones.add(rows, kConeColor, -1);
  }

  listen() {
    const view = byId("view"), fingers = new Map();
    const middle = () => { const list = [...fingers.values()]; return [0, 1].map(k => (list[0][k] + list[1][k]) / 2); };
    const apart = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a[0] - b[0], a[1] - b[1]) || 1; };
    view.addEventListener("pointerdown", event => {
      view.setPointerCapture(event.pointerId);
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      byId("hover").style.display = "none";
    });
    for (const end of ["pointerup", "pointercancel"]) view.addEventListener(end, event => fingers.delete(event.pointerId));
    view.addEventListener("pointermove", event => {
      const before = fingers.get(event.pointerId);
      if (!before) return this.hover(event);
      const height = view.clientHeight, two = fingers.size === 2;
      const [from, distance] = two ? [middle(), apart()] : [before, 1];
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      const to = two ? middle() : [event.clientX, event.clientY];
      const right = (to[0] - from[0]) / height, down = (to[1] - from[1]) / height;
      if (two) this.camera.zoom(distance / apart());
      if (two || event.buttons & 6 || event.shiftKey) this.camera.pan(right, -down);
      else this.camera.orbit(4 * right, 4 * down);
      this.needsDraw = true;
    });
    view.addEventListener("contextmenu", event => event.preventDefault());
    view.addEventListener("wheel", event => {
      event.preventDefault();
      this.camera.zoom(Math.exp(Math.sign(event.deltaY) * Math.min(Math.abs(event.deltaY), 100) * 0.0015));
      this.needsDraw = true;
    }, { passive: false });
    window.addEventListener("resize", () => { this.needsDraw = true; });
    const flip = name => () => this.show(name, !this.shown[name]);
    const keys = { " ": byId("play").onclick, ArrowLeft: byId("back").onclick, ArrowRight: byId("next").onclick,
      Home: byId("start").onclick, End: () => this.seek(this.recording.end), f: byId("frame").onclick,
      h: byId("panel").onclick, b: flip("bodies"), c: flip("points"), i: flip("impulses"), k: flip("cones") };
    window.addEventListener("keydown", event => {
      const action = keys[event.key] || keys[event.key.toLowerCase()];
      if (!action || event.ctrlKey || event.altKey || event.metaKey || event.target.tagName === "SELECT") return;
      event.preventDefault();
      action();
    });
  }

  hover(event) {
    const label = byId("hover");
    const i = this.renderer.bodyAt(event.clientX, event.clientY, this.scene, this.camera);
    const body = this.recording.bodies[i];
    label.style.display = body ? "block" : "none";
    if (!body) return;
    const place = this.recording.placeOn(i, [0, 0, 0]).map(value => value.toFixed(3)).join(", ");
    label.textContent = body.name + "  (" + body.kind + (body.mass ? ", " + body.mass.toPrecision(4) + " kg" : "") + ")\n"
      + place + " m";
    label.style.left = Math.min(event.clientX + 14, window.innerWidth - 240) + "px";
    label.style.top = event.clientY + 14 + "px";
  }
}

try {
  const player = new Player(JSON.parse(byId("data").textContent));
  window.drystone = player;
  // What the address asks for: #time=2&points&impulses&cones&play
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    if (name === "time") player.seek(Number(value));
    if (name === "play") player.play();
    if (name in player.shown) player.show(name, true);
  }
  player.draw();
  document.body.dataset.loaded = Math.round(performance.now());
} catch (error) {
  byId("failure").style.display = "block";
  byId("failure").textContent = error.message;
  document.body.dataset.failed = error.message;
}
