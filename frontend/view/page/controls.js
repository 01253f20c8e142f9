// Controls for the inputs of a program: one fieldset each, whose value is an array of words.
import { getJson } from "./wire.js";

const HINT = /\[\s*(log\s+)?([-+.\deE]+)\s*\.\.\s*([-+.\deE]+)\s*\]/;
const N_STOPS = 400;

const isColour = (input) => input.kind === "real" && input.n === 3 && /(colou?r|rgb|background|tint|glow|ground)/i.test(input.name);
const isFile = (input) => input.kind === "image" || input.kind === "sequence";

// The shortest form of a number: the server sends nine digits for floats, seventeen for doubles.
function clean(word) {
  const value = Number(word);
  if (!Number.isFinite(value)) return word;
  for (let digits = 6; digits < 9 && word.replace(/e.*|\D/g, "").replace(/^0+/, "").length <= 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return String(short);
  }
  return String(value);
}

// The range of a slider: from a hint such as [0..1] or [log 0.1..10] in the description, else by the default.
export function rangeOf(input, value) {
  const hint = HINT.exec(input.description);
  if (hint) {
    const low = Number(hint[2]), high = Number(hint[3]), isLog = Boolean(hint[1]) && low > 0;
    if (low < high) return { low, high, isLog };
  }
  const size = Math.abs(value) || 1;
  if (input.kind === "int") return { low: value < 0 ? -4 * size : 0, high: Math.max(4 * size, 4), isLog: false };
  return value > 0 ? { low: 0, high: 4 * size, isLog: false } : { low: -4 * size, high: 4 * size, isLog: false };
}

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// A slider and a box for the same number; the number in the box may be out of the slider's range.
function numberPair(input, word, changed) {
  const range = rangeOf(input, Number(word) || 0), isInt = input.kind === "int";
  const slider = element("input", { type: "range", min: 0, max: N_STOPS, step: 1 });
  if (isInt && range.high - range.low <= N_STOPS) Object.assign(slider, { min: range.low, max: range.high });
  const isPlain = isInt && range.high - range.low <= N_STOPS;
  const box = element("input", { type: "number", step: isInt ? 1 : "any", value: word });
  const toStop = (v) => {
    if (isPlain) return v;
    const t = range.isLog ? Math.log(v / range.low) / Math.log(range.high / range.low) : (v - range.low) / (range.high - range.low);
    return Math.round(N_STOPS * t);
  };
  const fromStop = (stop) => {
    if (isPlain) return stop;
    const t = stop / N_STOPS, v = range.isLog ? range.low * (range.high / range.low) ** t : range.low + (range.high - range.low) * t;
    return isInt ? Math.round(v) : Number(v.toPrecision(6));
  };
  slider.value = toStop(Number(word));
  slider.addEventListener("input", () => {
    box.value = fromStop(Number(slider.value));
    changed(true);
  });
  slider.addEventListener("change", () => changed(false));
  box.addEventListener("input", () => {
    slider.value = toStop(Number(box.value));
    changed(false);
  });
  const set = (v) => {
    box.value = v;
    slider.value = toStop(Number(v));
  };
  return { slider, box, set };
}

function scalar(input, words, changed) {
  const pair = numberPair(input, words[0], changed);
  pair.slider.setAttribute("aria-label", input.name);
  pair.box.setAttribute("aria-label", `${input.name}, as a number`);
  return { row: [pair.slider, pair.box], read: () => [pair.box.value], write: ([word]) => pair.set(word) };
}

function vector(input, words, changed) {
  const boxes = words.map((word, k) => {
    const box = element("input", { type: "number", step: input.kind === "int" ? 1 : "any", value: word });
    box.setAttribute("aria-label", `${input.name}[${k}]`);
    box.addEventListener("input", () => changed(false));
    return box;
  });
  return {
    row: boxes, isVector: true, read: () => boxes.map((box) => box.value),
    write: (values) => boxes.forEach((box, k) => { box.value = values[k]; }),
  };
}

const toHex = (words) => "#" + words.map((w) => Math.round(255 * Math.min(1, Math.max(0, Number(w)))).toString(16).padStart(2, "0")).join("");

function colour(input, words, changed) {
  const three = vector(input, words, (moves) => { picker.value = toHex(three.read()); changed(moves); });
  const picker = element("input", { type: "color", value: toHex(words) });
  picker.setAttribute("aria-label", input.name);
  const take = () => three.write([1, 3, 5].map((k) => Number((parseInt(picker.value.slice(k, k + 2), 16) / 255).toFixed(4))));
  picker.addEventListener("input", () => { take(); changed(true); });
  picker.addEventListener("change", () => { take(); changed(false); });
  return { ...three, row: [picker, ...three.row], write: (values) => { three.write(values); picker.value = toHex(values); } };
}

function truth(input, words, changed) {
  const boxes = words.map((word, k) => {
    const box = element("input", { type: "checkbox", checked: word === "true" });
    box.setAttribute("aria-label", words.length > 1 ? `${input.name}[${k}]` : input.name);
    box.addEventListener("change", () => changed(false));
    return box;
  });
  return {
    row: boxes, read: () => boxes.map((box) => String(box.checked)),
    write: (values) => boxes.forEach((box, k) => { box.checked = values[k] === "true"; }),
  };
}

// Words in one line; names of files are completed, below the folder of the view.
function text(input, words, changed) {
  const box = element("input", { type: "text", value: words.join(" "), placeholder: isFile(input) ? "file" : "" });
  box.setAttribute("aria-label", input.name);
  box.addEventListener("change", () => changed(false));
  const read = () => (input.n === 1 || isFile(input) ? (isFile(input) && box.value === "" ? [] : [box.value]) : box.value.trim().split(/\s+/));
  const row = [box];
  if (isFile(input)) {
    const list = element("datalist", { id: `files-${input.name}` });
    box.setAttribute("list", list.id);
    const offer = async () => {
      const names = await getJson(`files?under=${encodeURIComponent(box.value)}`);
      list.replaceChildren(...names.map((name) => element("option", { value: name })));
    };
    box.addEventListener("focus", offer);
    box.addEventListener("input", offer);
    row.push(list);
  }
  return { row, read, write: (values) => { box.value = values.join(" "); } };
}

function kindOf(input) {
  if (isFile(input) || input.kind === "string") return text;
  if (input.kind === "bool") return truth;
  if (isColour(input)) return colour;
  if (input.n === 1) return scalar;
  return input.n <= 4 ? vector : text;
}

const same = (a, b) => a.length === b.length && a.every((word, k) => word === b[k]);

// All controls. changed(moves) is called after a change; moves: the control is still moving.
export class Controls {
  constructor(form, changed) {
    this.form = form;
    this.changed = changed;
    this.inputs = [];
    this.made = new Map();
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  // Controls that existed before keep their values.
  build(inputs, given) {
    const kept = { ...this.given(), ...given };
    const before = new Map(this.inputs.map((input) => [input.name, input]));
    this.inputs = inputs.map((input) => ({
      ...input, initial: input.kind === "real" ? input.value.map(clean) : input.value,
    }));
    this.made.clear();
    this.form.replaceChildren(...this.inputs.map((input) => this.make(input)));
    for (const input of this.inputs) {
      const old = before.get(input.name), words = kept[input.name];
      const fits = words && (isFile(input) || words.length === input.n) && (!old || old.kind === input.kind);
      if (fits) this.set(input.name, words);
    }
  }

  make(input) {
    const words = input.initial.length || isFile(input) ? input.initial : Array(input.n).fill(input.kind === "bool" ? "false" : "0");
    const control = kindOf(input)(input, words, (moves) => this.touch(input.name, moves));
    const reset = element("button", { type: "button", textContent: "↺", title: "as in the program" });
    reset.addEventListener("click", () => {
      this.set(input.name, input.initial);
      this.changed(false);
    });
    const about = element("span", { className: "about", textContent: input.description, title: input.description });
    const legend = element("legend", {}, element("b", { textContent: input.name }), about, reset);
    control.field = element("fieldset", { name: input.name }, legend,
      element("div", { className: control.isVector ? "row vector" : "row" }, ...control.row));
    this.made.set(input.name, control);
    return control.field;
  }

  touch(name, moves) {
    this.mark(name);
    this.changed(moves);
  }

  mark(name) {
    const control = this.made.get(name), input = this.inputs.find((i) => i.name === name);
    control.field.classList.toggle("changed", !same(control.read(), input.initial));
    control.field.classList.remove("missing");
  }

  get(name) { return this.made.get(name).read(); }
  isFile(name) { return isFile(this.inputs.find((input) => input.name === name)); }
  numbers(name) { return this.get(name).map(Number); }

  set(name, words) {
    this.made.get(name).write(words);
    this.mark(name);
  }

  // The values that differ from the program's defaults: words by name.
  given() {
    const values = {};
    for (const input of this.inputs) {
      const words = this.get(input.name);
      if (!same(words, input.initial) && words.length > 0 && words.every((word) => word !== "")) values[input.name] = words;
    }
    return values;
  }

  ask(name) {
    const control = this.made.get(name);
    if (!control) return;
    control.field.classList.add("missing");
    control.field.scrollIntoView({ block: "nearest" });
    control.row[0].focus();
  }
}
