// Draws meshes in copies, with the shadows of one sun, and says what is under the pointer.

const kShadowSize = 2048;
const kInstance = 17;  // numbers of a copy: three rows, color, body

/// Copies of one mesh.
class Batch {
  constructor(gl, mesh, capacity) {
    this.gl = gl;
    this.count = 0;
    this.indices = decoded(Uint32Array, mesh.indices);
    this.array = gl.createVertexArray();
    gl.bindVertexArray(this.array);
    const buffer = (target, content) => {
      gl.bindBuffer(target, gl.createBuffer());
      gl.bufferData(target, content, gl.STATIC_DRAW);
    };
    buffer(gl.ARRAY_BUFFER, decoded(Float32Array, mesh.positions));
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    buffer(gl.ARRAY_BUFFER, decoded(Int8Array, mesh.normals));
    gl.vertexAttribPointer(1, 3, gl.BYTE, true, 3, 0);
    buffer(gl.ELEMENT_ARRAY_BUFFER, this.indices);
    this.copies = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.copies);
    for (let k = 0; k < 5; ++k) {
      gl.vertexAttribPointer(2 + k, k < 4 ? 4 : 1, gl.FLOAT, false, 4 * kInstance, 16 * k);
      gl.vertexAttribDivisor(2 + k, 1);
    }
    for (let k = 0; k < 7; ++k) gl.enableVertexAttribArray(k);
    gl.bindVertexArray(null);
    this.values = new Float32Array(kInstance * Math.max(capacity, 1));
  }
  clear() { this.count = 0; }
  /// `rows`: 12 numbers, mesh to world.
  add(rows, color, body) {
    if (kInstance * (this.count + 1) > this.values.length) {
      const wider = new Float32Array(2 * this.values.length);
      wider.set(this.values);
      this.values = wider;
    }
    const at = kInstance * this.count++;
    this.values.set(rows, at);
    this.values.set(color, at + 12);
    this.values[at + 16] = body;
  }
  upload() {
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.copies);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, this.values.subarray(0, kInstance * this.count), this.gl.DYNAMIC_DRAW);
  }
  draw() {
    if (this.count === 0) return;
    this.gl.bindVertexArray(this.array);
    this.gl.drawElementsInstanced(this.gl.TRIANGLES, this.indices.length, this.gl.UNSIGNED_INT, 0, this.count);
  }
}

class Renderer {
  constructor(canvas, recording) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    if (!gl) throw new Error("This page needs WebGL 2, which this browser does not give.");
    this.gl = gl;
    this.canvas = canvas;
    this.layout = recording.data.layout;
    this.programs = {};
    for (const name in kShaders) this.programs[name] = compiled(gl, kShaders[name]);
    const { lower, upper } = this.layout;
    this.size = Math.max(...vec.sub(upper, lower), 1e-3);
    this.up = vec.unit(recording.data.camera.up);
    this.setSun(vec.scale(0.5, vec.add(lower, upper)));
    this.makeShadows();
    this.makePicker();
    this.square = this.makePoints(new Float32Array([-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0]));
    this.lines = this.makePoints(new Float32Array(3));
  }

  makePoints(content) {
    const gl = this.gl, array = gl.createVertexArray(), buffer = gl.createBuffer();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, content, gl.DYNAMIC_DRAW);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.enableVertexAttribArray(0);
    gl.bindVertexArray(null);
    return { array, buffer };
  }

  /// The sun shines on all around the middle of what moves.
  setSun(middle) {
    const side = vec.across(this.up);
    this.sun = vec.unit(vec.add(vec.add(this.up, vec.scale(0.35, side)), vec.scale(-0.3, vec.cross(this.up, side))));
    const reach = 1.6 * this.size;
    const scale = new Float32Array([1 / reach, 0, 0, 0, 0, 1 / reach, 0, 0, 0, 0, -1 / (2 * reach), 0, 0, 0, -1, 1]);
    this.light = product(scale, lookAt(vec.add(middle, vec.scale(2 * reach, this.sun)), middle, side));
  }

  makeShadows() {
    const gl = this.gl;
    this.shadowMap = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.shadowMap);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, kShadowSize, kShadowSize);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    this.shadowTarget = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowTarget);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadowMap, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  /// One pixel, with the number of the body in it.
  makePicker() {
    const gl = this.gl;
    this.pickTarget = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.pickTarget);
    for (const [format, place] of [[gl.RGBA8, gl.COLOR_ATTACHMENT0], [gl.DEPTH_COMPONENT16, gl.DEPTH_ATTACHMENT]]) {
      const buffer = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, 1, 1);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, buffer);
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  use(name, matrix) {
    const { program, places } = this.programs[name], gl = this.gl;
    gl.useProgram(program);
    gl.uniformMatrix4fv(places.camera, false, matrix);
    if (places.light) gl.uniformMatrix4fv(places.light, false, this.light);
    if (places.sun) gl.uniform3fv(places.sun, this.sun);
    if (places.shadows) gl.uniform1i(places.shadows, 0);
    return places;
  }

  resize() {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.max(1, Math.round(this.canvas.clientWidth * ratio));
    const height = Math.max(1, Math.round(this.canvas.clientHeight * ratio));
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    return width / height;
  }

  /// `scene`: { casters, others, clear, overlays, overlaysClear: lists of batches; lines: [from, to, …] }.
  draw(scene, camera) {
    const gl = this.gl, aspect = this.resize();
    const all = [...scene.casters, ...scene.others, ...scene.clear, ...scene.overlays, ...scene.overlaysClear];
    for (const batch of all) batch.upload();
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadowTarget);
    gl.viewport(0, 0, kShadowSize, kShadowSize);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.use("depth", this.light);
    for (const batch of scene.casters) batch.draw();

    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0.914, 0.929, 0.945, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.bindTexture(gl.TEXTURE_2D, this.shadowMap);
    const matrix = camera.matrix(aspect, this.size);
    const mesh = shade => {
      const places = this.use("mesh", matrix);
      gl.uniform3fv(places.eye, camera.position);
      gl.uniform3fv(places.up, this.up);
      gl.uniform1f(places.shade, shade);
    };
    mesh(1);
    for (const batch of [...scene.casters, ...scene.others]) batch.draw();
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    this.drawGround(matrix);
    this.drawLines(scene.lines, matrix);
    mesh(1);
    gl.depthMask(false);
    for (const batch of scene.clear) batch.draw();
    gl.disable(gl.DEPTH_TEST);
    mesh(0.35);
    for (const batch of [...scene.overlaysClear, ...scene.overlays]) batch.draw();
    gl.depthMask(true);
  }

  drawGround(matrix) {
    const gl = this.gl, ground = this.layout.ground;
    if (!ground.visible) return;
    const places = this.use("ground", matrix);
    gl.uniform3fv(places.center, ground.center);
    gl.uniform1f(places.radius, ground.radius);
    gl.uniform1f(places.spacing, ground.spacing);
    gl.bindVertexArray(this.square.array);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  drawLines(points, matrix) {
    const gl = this.gl;
    if (points.length === 0) return;
    const places = this.use("line", matrix);
    gl.uniform4f(places.color, 0.24, 0.26, 0.29, 1);
    gl.bindVertexArray(this.lines.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.lines.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(points.flat()), gl.DYNAMIC_DRAW);
    gl.drawArrays(gl.LINES, 0, points.length);
  }

  /// The body at a place of the canvas [pixels of the page], or -1.
  bodyAt(x, y, scene, camera) {
    const gl = this.gl, width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    // The matrix of the one pixel: all of the picture moved and made larger.
    const u = 2 * x / width - 1, v = 1 - 2 * y / height;
    const zoom = new Float32Array([width, 0, 0, 0, 0, height, 0, 0, 0, 0, 1, 0, -u * width, -v * height, 0, 1]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.pickTarget);
    gl.viewport(0, 0, 1, 1);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.use("pick", product(zoom, camera.matrix(width / height, this.size)));
    for (const batch of [...scene.casters, ...scene.others]) batch.draw();
    const pixel = new Uint8Array(4);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return pixel[0] + 256 * pixel[1] + 65536 * pixel[2] - 1;
  }
}
