// A frame as a picture: the output that is shown, its range and colours, the strand under the cursor, the histogram.
import { mapTable } from "./maps.js";
import { valueText } from "./trace.js";

const N_BINS = 128, MOST_ROWS = 200, POINTS = 512, DIGITS = 6;

// How an output is shown: plane, slices, curve, points; null: as numbers.
export function wayOf(output, isCollection) {
  const rank = output.shape.length, isShort = output.n <= 4;
  if (isCollection) return /pos$/i.test(output.name) && (output.n === 2 || output.n === 3) ? "points" : null;
  if (rank === 2 && isShort) return "plane";
  if (rank === 3 && isShort) return "slices";
  return rank === 1 && output.n === 1 ? "curve" : null;
}

// The least and the greatest finite value.
export function extremes(values) {
  let low = Infinity, high = -Infinity;
  for (const v of values) {
    if (v < low && v > -Infinity) low = v;
    if (v > high && v < Infinity) high = v;
  }
  return low <= high ? [low, high] : [0, 1];
}

const rgbOf = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));

export class Picture {
  constructor(canvas, histogram, numbers) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { willReadFrequently: true });
    this.histogram = histogram;
    this.numbers = numbers;
    this.look = { map: "gray", low: null, high: null, gamma: 0, behind: "#000000", slice: 0, zoom: 0 };
    this.frame = null;
  }

  // Shows the output `name` of a frame.
  show(frame, name, isCollection) {
    this.frame = frame;
    this.isCollection = isCollection;
    this.output = frame.outputs.find((output) => output.name === name) ?? frame.outputs[0];
    this.way = this.output ? wayOf(this.output, isCollection) : null;
    this.draw();
  }

  get isColour() { return this.output.n >= 3 && this.way !== "points"; }

  // The range of the colour map: as set, else 0 to 1 for colours, else that of the values.
  range() {
    const { low, high } = this.look;
    const [least, greatest] = this.isColour ? [0, 1] : extremes(this.values());
    return [low ?? least, high ?? greatest];
  }

  fitted() { return extremes(this.values()); }

  // The values of the plane that is shown.
  values() {
    const { output } = this;
    if (this.way !== "slices") return output.values;
    const n = output.n * output.shape[1] * output.shape[2];
    const slice = Math.min(this.look.slice, output.shape[0] - 1);
    return output.values.subarray(slice * n, (slice + 1) * n);
  }

  size() {
    const { shape } = this.output;
    if (this.way === "points") return [POINTS, POINTS];
    if (this.way === "curve") return [POINTS, POINTS / 2];
    return [shape.at(-1), shape.at(-2)];
  }

  draw() {
    if (!this.output) return;
    const isShown = this.way !== null && this.output.values.length > 0;
    this.canvas.hidden = !isShown;
    this.numbers.hidden = isShown;
    if (!isShown) this.list();
    else {
      const [width, height] = this.size();
      if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
      if (this.way === "points") this.drawPoints();
      else if (this.way === "curve") this.drawCurve();
      else this.drawPlane(width, height);
      this.place();
    }
    this.drawHistogram();
  }

  // A function from values to 0..1, by range and gamma.
  scaling() {
    const [low, high] = this.range(), power = 2 ** -this.look.gamma, width = high - low || 1;
    return (v) => {
      const t = Math.min(1, Math.max(0, (v - low) / width));
      return power === 1 ? t : t ** power;
    };
  }

  drawPlane(width, height) {
    const image = this.context.createImageData(width, height), to = image.data;
    const values = this.values(), { n } = this.output, scale = this.scaling(), behind = rgbOf(this.look.behind);
    const table = mapTable(this.look.map);
    for (let k = 0, at = 0; k < width * height; k++, at += 4) {
      const v = k * n;
      to[at + 3] = 255;
      if (n >= 3) {
        const alpha = n === 4 ? Math.min(1, Math.max(0, values[v + 3])) : 1;
        for (let c = 0; c < 3; c++) to[at + c] = Math.round(255 * scale(values[v + c]) * alpha + behind[c] * (1 - alpha));
      } else {
        const value = n === 1 ? values[v] : Math.hypot(values[v], values[v + 1]);
        const entry = Number.isNaN(value) ? -1 : 3 * Math.round(255 * scale(value));
        for (let c = 0; c < 3; c++) to[at + c] = entry < 0 ? behind[c] : table[entry + c];
      }
    }
    this.context.putImageData(image, 0, 0);
  }

  blank() {
    this.context.fillStyle = this.look.behind;
    this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
  }

  // Points have the colours of an output of three numbers, if there is one.
  drawPoints() {
    const { output } = this, n = output.n, colours = this.frame.outputs.find((o) => o.n === 3 && /colou?r|rgb/i.test(o.name));
    const count = output.values.length / n, x = [], y = [];
    for (let k = 0; k < count; k++) {
      x.push(output.values[k * n]);
      y.push(output.values[k * n + 1]);
    }
    const [x0, x1] = extremes(x), [y0, y1] = extremes(y), size = Math.max(x1 - x0, y1 - y0) || 1;
    this.blank();
    this.spots = x.map((v, k) => [
      POINTS * (0.5 + 0.9 * (v - (x0 + x1) / 2) / size), POINTS * (0.5 - 0.9 * (y[k] - (y0 + y1) / 2) / size)]);
    this.spots.forEach(([px, py], k) => {
      const c = colours ? [0, 1, 2].map((i) => Math.round(255 * colours.values[3 * k + i])) : [220, 225, 235];
      this.context.fillStyle = `rgb(${c.join(",")})`;
      this.context.fillRect(px - 2, py - 2, 4, 4);
    });
  }

  drawCurve() {
    const values = this.output.values, scale = this.scaling(), [width, height] = this.size();
    this.blank();
    this.context.strokeStyle = "#7fb4ff";
    this.context.beginPath();
    values.forEach((v, k) => {
      const x = ((k + 0.5) * width) / values.length, y = height * (0.97 - 0.94 * scale(v));
      if (k === 0) this.context.moveTo(x, y);
      else this.context.lineTo(x, y);
    });
    this.context.stroke();
  }

  // A thinned picture is shown in the size of the whole one.
  place() {
    const thinning = this.way === "plane" || this.way === "slices" ? this.frame.thinning : 1;
    const room = this.canvas.parentElement, [width, height] = this.size().map((length) => length * thinning);
    const fit = Math.min((room.clientWidth - 8) / width, (room.clientHeight - 8) / height);
    const zoom = this.look.zoom || Math.max(0.05, fit >= 1 ? Math.floor(fit) : fit);
    this.canvas.style.width = `${Math.round(width * zoom)}px`;
    this.canvas.style.height = `${Math.round(height * zoom)}px`;
  }

  // Without a picture: lists the first strands, one per line.
  list() {
    const { outputs } = this.frame, n = Math.min(MOST_ROWS, ...outputs.map((o) => o.values.length / o.n));
    const lines = outputs.length ? [`${outputs.map((o) => o.name).join(", ")}: no picture; the first values`] : ["no outputs"];
    for (let k = 0; k < n; k++) lines.push(`${k}: ${outputs.map((o) => `${o.name} ${this.words(o, k)}`).join("  ")}`);
    this.numbers.textContent = lines.join("\n");
  }

  words(output, k) {
    return [...output.values.slice(k * output.n, (k + 1) * output.n)].map((v) => Number(v).toPrecision(6).replace(/\.?0+$/, "")).join(" ");
  }

  // The strand at a point of the canvas: its number in the frame and its index, or null.
  strandAt(x, y) {
    if (!this.output || this.canvas.hidden) return null;
    const rect = this.canvas.getBoundingClientRect(), { shape } = this.output;
    const px = ((x - rect.left) / rect.width) * this.canvas.width, py = ((y - rect.top) / rect.height) * this.canvas.height;
    if (px < 0 || py < 0 || px >= this.canvas.width || py >= this.canvas.height) return null;
    if (this.way === "points") return this.nearest(px, py);
    if (this.way === "curve") return { number: Math.floor((px / this.canvas.width) * shape[0]), index: [Math.floor((px / this.canvas.width) * shape[0])] };
    const index = [Math.floor(py), Math.floor(px)];
    if (this.way === "slices") index.unshift(Math.min(this.look.slice, shape[0] - 1));
    return { number: index.reduce((sum, i, k) => sum * shape[k] + i, 0), index };
  }

  nearest(px, py) {
    let best = null, least = 64;
    this.spots.forEach(([x, y], k) => {
      const distance = (x - px) ** 2 + (y - py) ** 2;
      if (distance < least) [best, least] = [k, distance];
    });
    return best === null ? null : { number: best, index: [best] };
  }

  // The strand's name for the option --trace: its index from 0, fastest axis first; in a collection its birth number.
  traceName(strand) {
    if (this.isCollection) return `#${this.frame.births.values[strand.number]}`;
    return strand.index.map((i) => i * this.frame.thinning).reverse().join(",");
  }

  // All outputs of a strand, as lines; place: its position, or null.
  readout(strand, place) {
    const where = place === null ? "" : `, world position ${valueText(place, DIGITS)}`;
    const lines = this.frame.outputs.map((output) => `${output.name} = ${this.words(output, strand.number)}`);
    return [`strand ${this.traceName(strand)}${where}`, ...lines].join("\n");
  }

  // Where a strand is shown, {x, y, width, height} in pixels of the page; index: fastest axis first.
  boxOf({ index, birth }) {
    const { way, frame } = this, { clientWidth, clientHeight } = this.canvas;
    if (this.canvas.hidden || !way) return null;
    if (way === "points") {
      const spot = this.spots[frame.births.values.indexOf(birth)], scale = clientWidth / POINTS;
      return spot ? { x: (spot[0] - 2) * scale, y: (spot[1] - 2) * scale, width: 4 * scale, height: 4 * scale } : null;
    }
    if (index.length !== this.output.shape.length) return null;
    const [column, row, slice] = index.map((i) => Math.floor(i / frame.thinning));
    if (way === "slices" && slice !== Math.min(this.look.slice, this.output.shape[0] - 1)) return null;
    const n = way === "curve" ? this.output.shape[0] : this.canvas.width, width = clientWidth / n;
    if (way === "curve") return { x: column * width, y: 0, width, height: clientHeight };
    const height = clientHeight / this.canvas.height;
    return { x: column * width, y: row * height, width, height };
  }

  drawHistogram() {
    const context = this.histogram.getContext("2d"), { width, height } = this.histogram;
    context.clearRect(0, 0, width, height);
    if (!this.output?.values.length) return;
    const [low, high] = this.range(), bins = new Uint32Array(N_BINS), scale = N_BINS / (high - low || 1);
    for (const v of this.values()) {
      const bin = Math.floor((v - low) * scale);
      if (bin >= 0 && bin <= N_BINS) bins[Math.min(bin, N_BINS - 1)]++;
    }
    const most = Math.max(...bins) || 1;
    context.fillStyle = "#7fb4ff";
    bins.forEach((count, k) => {
      const size = count ? Math.max(1, Math.round((height * Math.log1p(count)) / Math.log1p(most))) : 0;
      context.fillRect((k * width) / N_BINS, height - size, width / N_BINS, size);
    });
  }

  // An nrrd file as the program would write it, but with less information about axes.
  nrrd() {
    const { output } = this, types = { f4: "float", f8: "double", i4: "int", i8: "double", b1: "uchar" };
    const sizes = [...(output.n > 1 ? [output.n] : []), ...[...output.shape].reverse()];
    const head = `NRRD0004\ntype: ${types[output.type]}\ndimension: ${sizes.length}\nsizes: ${sizes.join(" ")}\nendian: little\nencoding: raw\n\n`;
    return new Blob([head, output.values], { type: "application/octet-stream" });
  }
}
