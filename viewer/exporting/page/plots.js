// Curves over time, with the present time marked. A press goes there.

class Plot {
  constructor(canvas, times, curves, logarithmic, goTo) {
    Object.assign(this, { canvas, times, curves, logarithmic });
    const seek = event => {
      if (event.type === "pointermove" && !event.buttons) return;
      const box = canvas.getBoundingClientRect();
      goTo(times[0] + (event.clientX - box.left) / box.width * (times[times.length - 1] - times[0]));
    };
    canvas.addEventListener("pointerdown", seek);
    canvas.addEventListener("pointermove", seek);
    let low = Infinity, high = -Infinity;
    for (const curve of curves) for (const value of curve.values) {
      if (!Number.isFinite(value) || (logarithmic && value <= 0)) continue;
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (!(low <= high)) [low, high] = logarithmic ? [1e-12, 1] : [0, 1];
    if (logarithmic) {
      low = Math.max(low, 1e-18);
      [this.low, this.high] = [Math.floor(Math.log10(low)), Math.max(Math.ceil(Math.log10(high)), Math.floor(Math.log10(low)) + 1)];
    } else {
      const slack = 0.05 * (high - low) || 1;
      [this.low, this.high] = [low - slack, high + slack];
    }
  }

  draw(time) {
    const ratio = window.devicePixelRatio || 1, canvas = this.canvas;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const paint = canvas.getContext("2d");
    paint.scale(ratio, ratio);
    const begin = this.times[0], span = this.times[this.times.length - 1] - begin || 1;
    const x = t => (t - begin) / span * width;
    const y = v => height - ((this.logarithmic ? Math.log10(Math.max(v, 1e-30)) : v) - this.low) / (this.high - this.low) * height;
    paint.fillStyle = "#f2f4f6";
    paint.fillRect(0, 0, width, height);
    for (const curve of this.curves) {
      paint.strokeStyle = curve.color;
      paint.beginPath();
      for (let i = 0; i < this.times.length; ++i) {
        const at = Math.min(Math.max(y(curve.values[i]), -1), height + 1);
        if (i === 0) paint.moveTo(x(this.times[i]), at); else paint.lineTo(x(this.times[i]), at);
      }
      paint.stroke();
    }
    paint.fillStyle = "#59636d";
    paint.font = "10px system-ui, sans-serif";
    const text = v => this.logarithmic ? "1e" + v : v.toPrecision(3);
    paint.fillText(text(this.high), 3, 10);
    paint.fillText(text(this.low), 3, height - 3);
    paint.strokeStyle = "#202428";
    paint.beginPath();
    paint.moveTo(x(time), 0);
    paint.lineTo(x(time), height);
    paint.stroke();
  }
}
