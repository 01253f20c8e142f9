// How a pixel was computed: a trace of its strand, shown beside the source.
import { frames, getText, post } from "./wire.js";

const PATIENCE = 30000; // milliseconds for a trace, and for compiling its program
const SETTLED = 180;    // after the last move
const MOST_SHOWN = 6;   // values beside a line, with DIGITS digits; the tooltip has all
const DIGITS = 6;
const NAMES = /[\p{L}_][\p{L}\p{N}_]*/gu;

const element = (tag, text = "", more = {}) => Object.assign(document.createElement(tag), { textContent: text }, more);

// A value as text, with all digits or fewer.
export function valueText(value, digits = 17) {
  if (Array.isArray(value)) return `[${value.map((v) => valueText(v, digits)).join(", ")}]`;
  return String(typeof value === "number" && !Number.isInteger(value) && digits < 17 ? Number(value.toPrecision(digits)) : value);
}

// A record as text.
export function recordText(site, record, digits) {
  const text = (value) => valueText(value, digits);
  const cut = record.cut ? " …" : "";
  const words = {
    assign: () => `${site.name} = ${text(record.value)}`,
    probe: () => `${site.name} at ${text(record.at)} = ${text(record.value)}`,
    inside: () => `inside ${site.name} at ${text(record.at)}: ${record.value}`,
    branch: () => `${site.name}: ${record.value}`,
    call: () => `calls ${site.name}`,
    return: () => `returns ${text(record.value)}`,
    print: () => `prints ${record.values.map(text).join("")}`,
    new: () => `new (${record.values.map(text).join(", ")})`,
    exit: () => site.name,
  }[site.kind];
  return words ? words() + cut : site.kind;
}

// The parts of each superstep: {superstep, parts, first}; first: the index of the first part among all.
export function moments(trace) {
  const found = [];
  trace.parts.forEach((part, k) => {
    if (found.at(-1)?.superstep !== part.superstep) found.push({ superstep: part.superstep, parts: [], first: k });
    found.at(-1).parts.push(part);
  });
  return found;
}

// The records of each line in a superstep.
export function byLine(trace, moment) {
  const lines = new Map();
  for (const record of moment.parts.flatMap((part) => part.records)) {
    const site = trace.sites[record.site];
    if (!lines.has(site.line)) lines.set(site.line, []);
    lines.get(site.line).push({ site, record });
  }
  return lines;
}

// The last record about a name up to the end of a superstep, or null.
export function lastOf(trace, moment, name) {
  for (let k = moment.first + moment.parts.length - 1; k >= 0; k--) {
    const record = trace.parts[k].records.findLast(({ site }) => {
      const { kind, name: its } = trace.sites[site];
      return its === name && (kind === "assign" || kind === "probe" || kind === "inside");
    });
    if (record) return { site: trace.sites[record.site], record, superstep: trace.parts[k].superstep };
  }
  return null;
}

// Requests the trace of a strand; throws if there is none.
export async function askTrace(order, signal) {
  const answer = await post("run", { ...order, thinning: 1, mode: "trace" }, signal);
  if (!answer.ok) throw new Error(await answer.text());
  for await (const frame of frames(answer)) {
    if (frame.kind === "missing") throw new Error(`the program needs a file for its input "${frame.name}"`);
    if (frame.kind !== "trace") throw new Error(frame.text);
    return frame.trace;
  }
  throw new Error("the run has ended without a trace");
}

export class Trace {
  // panel: the element of the page; page: a name for the server; values(): of the inputs; shown(): called when another
  // strand is shown.
  constructor(panel, page, values, shown) {
    this.panel = panel;
    this.page = page;
    this.values = values;
    this.onShown = shown;
    this.number = 0;
    this.strand = null; // the traced strand: "120,80", "#17"
    this.trace = null;
    this.at = 0;
    this.abort = null;
    const find = (name) => panel.querySelector(`[name=${name}]`);
    Object.assign(this, { box: find("strand"), back: find("back"), ahead: find("ahead"), slider: find("moment") });
    [this.title, this.when, this.lines, this.said] = ["title", "when", "lines", "said"].map((name) => panel.querySelector(`.${name}`));
    this.box.addEventListener("change", () => this.follow(this.box.value.trim()));
    this.back.addEventListener("click", () => this.go(-1));
    this.ahead.addEventListener("click", () => this.go(1));
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value) - this.at));
    find("close").addEventListener("click", () => this.close());
    this.lines.addEventListener("mouseover", (event) => this.point(event.target));
  }

  get isOpen() { return !this.panel.hidden; }

  // The strand that is shown, {index, birth}, or null.
  get shownStrand() { return this.isOpen && this.trace ? this.trace.strand : null; }

  open() {
    this.panel.hidden = false;
    this.box.focus();
  }

  close() {
    this.stop();
    this.panel.hidden = true;
    this.onShown();
  }

  stop() {
    clearTimeout(this.timer);
    this.abort?.abort();
    this.abort = null;
  }

  say(text, isBad = false) {
    this.said.textContent = text;
    this.said.classList.toggle("bad", isBad);
  }

  // The inputs or the program have changed.
  changed() {
    if (!this.isOpen || this.strand === null) return;
    this.stop();
    this.panel.classList.add("stale");
    this.timer = setTimeout(() => this.follow(this.strand), SETTLED);
  }

  async follow(strand) {
    if (strand === "") return;
    this.stop();
    const abort = new AbortController(), patience = setTimeout(() => abort.abort("time"), PATIENCE);
    this.abort = abort;
    this.panel.hidden = false;
    this.panel.classList.add("stale");
    this.strand = this.box.value = strand;
    this.say("following…");
    const began = performance.now();
    try {
      await this.ask(strand, abort.signal);
      this.panel.dataset.took = Math.round(performance.now() - began);
    } catch (error) {
      if (abort.signal.reason === "time") this.fail(`no trace within ${PATIENCE / 1000} seconds`);
      else if (!abort.signal.aborted) this.fail(error.message);
    }
    clearTimeout(patience);
    if (this.abort === abort) this.abort = null;
  }

  async ask(strand, signal) {
    const trace = await askTrace({ page: this.page, run: ++this.number, strand, values: this.values() }, signal);
    const source = await getText("source", signal);
    if (!signal.aborted) this.show(trace, source);
  }

  // Shows a failure in one line.
  fail(text) {
    this.trace = null;
    this.lines.replaceChildren();
    this.title.textContent = this.when.textContent = "";
    this.back.disabled = this.ahead.disabled = this.slider.disabled = true;
    this.say(text.replaceAll("[DIDEROT] ", "").trim(), true);
    this.shown();
  }

  shown() {
    this.panel.classList.remove("stale");
    this.onShown();
    this.panel.dataset.shown = `${this.number} ${this.trace ? this.moments[this.at]?.superstep : "none"}`;
  }

  show(trace, source) {
    const earlier = this.trace && this.moments[this.at]?.superstep;
    this.trace = trace;
    this.moments = moments(trace);
    this.at = Math.max(0, this.moments.findLastIndex(({ superstep }) => superstep <= (earlier ?? 1)));
    const { strand, end, records } = trace, place = strand.index ? ` (${strand.index.join(", ")})` : "";
    const how = end.how === "active" ? "not at its end" : end.how;
    this.title.textContent = `${strand.name} #${strand.birth}${place}: ${how} in superstep ${end.superstep}`;
    this.say(records.left_out ? `${records.left_out} values more are left out` : "");
    this.source = source.replace(/\n$/, "").split("\n");
    this.draw();
    this.lines.querySelector(".ran.update")?.scrollIntoView({ block: "center" });
  }

  go(by) {
    if (!this.trace) return;
    this.at = Math.min(this.moments.length - 1, Math.max(0, this.at + by));
    this.draw();
  }

  draw() {
    const moment = this.moments[this.at];
    this.back.disabled = this.at === 0;
    this.ahead.disabled = this.at >= this.moments.length - 1;
    Object.assign(this.slider, { disabled: false, max: this.moments.length - 1, value: this.at });
    const methods = moment ? moment.parts.map((part) => part.method).join(", ") : "nothing";
    this.when.textContent = moment ? `superstep ${moment.superstep} of ${this.trace.end.superstep}: ${methods}` : methods;
    const lines = moment ? byLine(this.trace, moment) : new Map();
    const updated = moment?.parts.findLast((part) => part.method === "update");
    const first = updated?.records[0] && this.trace.sites[updated.records[0].site].line;
    this.lines.replaceChildren(...this.source.map((text, k) => this.row(text, k + 1, lines.get(k + 1) ?? [], k + 1 === first)));
    this.shown();
  }

  row(text, number, records, isFirst) {
    const texts = (digits) => records.map(({ site, record }) => recordText(site, record, digits));
    const more = records.length > MOST_SHOWN ? `${records.length - MOST_SHOWN} more, then ` : "";
    const row = element("div", "", { className: records.length ? (isFirst ? "ran update" : "ran") : "" });
    row.dataset.line = number;
    const code = element("code");
    let at = 0;
    for (const match of text.matchAll(NAMES)) {
      code.append(text.slice(at, match.index), element("span", match[0]));
      at = match.index + match[0].length;
    }
    code.append(text.slice(at));
    const shown = more + texts(DIGITS).slice(-MOST_SHOWN).join("; ");
    row.append(element("i", String(number)), code, element("b", shown, { title: texts().join("\n") }));
    return row;
  }

  // Shows the value of the name under the cursor at the end of the superstep.
  point(target) {
    if (target.tagName !== "SPAN" || !this.trace || !this.moments.length) return;
    const last = lastOf(this.trace, this.moments[this.at], target.textContent);
    target.title = last ? `${recordText(last.site, last.record)} (superstep ${last.superstep})` : "";
  }
}
