// The page: messages about the program, controls for its inputs, and the picture of its outputs.
import { Controls } from "./controls.js";
import { findCamera, orbit, towards } from "./camera.js";
import { mapNames } from "./maps.js";
import { Picture, wayOf } from "./picture.js";
import { Place } from "./place.js";
import { Runs } from "./runs.js";
import { Trace } from "./trace.js";
import { getJson } from "./wire.js";

const $ = (id) => document.getElementById(id);
const FRAME_TIME = 40; // milliseconds between supersteps while they play
const STILL = 4; // pixels that the pointer may move during a click
const PER_PIXEL = 0.01, PER_KEY = 0.08; // radians
const NEARER = 1 / 1.1;
const LEAST_MARK = 9; // least size of a mark, in pixels of the page

let program = null, file = "", command = null, builds = 0, camera = null, lastFrame = null;
let isPlaying = false, cursor = null, byKeys = false;
let chosen = new URLSearchParams(location.hash.slice(1)).get("@output"); // the output to show

const picture = new Picture($("picture"), $("histogram"), $("numbers"));
const controls = new Controls($("controls"), changed);
const runs = new Runs(() => controls.given(), { frame: showFrame, message: showMessage, state: showState, ended: showEnd });
const trace = new Trace($("trace"), `${runs.page}.trace`, () => controls.given(), showMarks);
const place = new Place(`${runs.page}.place`, () => controls.given(), showCursor);

// --- status and messages

function showState(text, isBad = false) {
  $("status").textContent = text;
  $("status").classList.toggle("bad", isBad);
}

function showMistakes(text) {
  $("mistakes").textContent = text;
  $("mistakes").hidden = text === "";
}

function showMessage(message) {
  if (message.kind === "print") {
    $("printed").hidden = false;
    $("printed").textContent = ($("printed").textContent + message.text).slice(-20000);
    return;
  }
  if (message.kind === "missing") {
    controls.ask(message.name);
    showMistakes(`The program needs a file for its input "${message.name}".\n${message.text.replaceAll("[DIDEROT] ", "")}`);
  } else showMistakes(message.text.replaceAll("[DIDEROT] ", ""));
  showState("no result", true);
}

// --- frames

function showFrame(frame, run) {
  lastFrame = frame;
  showMistakes("");
  offerOutputs(frame);
  picture.show(frame, $("output").value, program.collection);
  const way = picture.way === "slices";
  $("slice-label").hidden = !way;
  if (way) $("slice").max = picture.output.shape[0] - 1;
  showRange();
  showCursor();
  const ms = Math.round(performance.now() - run.began);
  const what = frame.thinning > 1 ? `every ${frame.thinning}th strand` : `${frame.active} active, ${frame.stable} stable`;
  showState(`step ${frame.step}, ${what}, ${ms} ms`);
  document.body.dataset.frame = `${run.number} ${frame.kind} ${frame.thinning}`;
  document.body.dataset.isCurrent = run.version === runs.version;
  if (run.mode === "play" && frame.kind === "step") {
    $("step").disabled = $("end").disabled = $("play").disabled = false;
    if (isPlaying) setTimeout(() => isPlaying && runs.letter("s"), FRAME_TIME);
  }
}

function showEnd(run) {
  if (run.mode === "play") setPlaying(false, true);
}

function offerOutputs(frame) {
  const names = frame.outputs.map((output) => output.name);
  if ([...$("output").options].map((option) => option.value).join() === names.join()) return;
  $("output").replaceChildren(...names.map((name) => new Option(name, name)));
  const shown = frame.outputs.filter((output) => wayOf(output, program.collection));
  const best = shown.find((output) => output.n >= 3) ?? shown[0] ?? frame.outputs[0];
  $("output").value = names.includes(chosen) ? chosen : best?.name;
}

function showRange() {
  if (!picture.output) return;
  const [low, high] = picture.range();
  for (const [box, value, given] of [[$("low"), low, picture.look.low], [$("high"), high, picture.look.high]])
    if (document.activeElement !== box) box.value = given === null ? "" : String(given), box.placeholder = Number(value).toPrecision(4);
}

function showCursor() {
  const strand = cursor && picture.strandAt(...cursor);
  const superstep = lastFrame?.kind === "step" ? lastFrame.step : Infinity;
  const isMade = strand && lastFrame.thinning === 1 && runs.current?.isPreview !== true;
  $("readout").textContent = strand ? picture.readout(strand, isMade ? place.of(picture.traceName(strand), superstep) : null) : "";
  showMarks();
}

function mark(element, box) {
  element.hidden = !box;
  if (!box) return;
  const { canvas } = picture, width = Math.max(box.width, LEAST_MARK), height = Math.max(box.height, LEAST_MARK);
  const left = canvas.offsetLeft + box.x + (box.width - width) / 2, top = canvas.offsetTop + box.y + (box.height - height) / 2;
  Object.assign(element.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
}

// Marks the strand that the panel shows, and the one to which keys point.
function showMarks() {
  const strand = picture.output && trace.shownStrand;
  const pointed = byKeys && cursor && picture.strandAt(...cursor);
  const rect = pointed && picture.canvas.getBoundingClientRect();
  mark($("mark"), strand ? picture.boxOf(strand) : null);
  mark($("pointer"), pointed ? { x: cursor[0] - rect.left, y: cursor[1] - rect.top, width: 0, height: 0 } : null);
}

// --- traces

// Traces the strand at a point of the window; if there is none, opens the panel, where one can be entered.
function follow(point) {
  const strand = point && picture.strandAt(...point);
  if (strand) trace.follow(picture.traceName(strand));
  else if (!point) trace.open();
}

// --- the program

function showProgram(state) {
  program = state.program;
  camera = findCamera(program.inputs);
  $("frame").classList.toggle("camera", camera !== null);
  runs.canThin = program.thins;
  $("output").replaceChildren();
  $("printed").textContent = "";
  $("printed").hidden = true;
  controls.build(program.inputs, builds === 0 ? fromAddress() : {});
  builds = state.builds;
  setPlaying(false, true);
  changed(false);
}

async function watchState() {
  for (let version = -1; ;) {
    let state;
    try {
      state = await getJson(`state?after=${version}`);
    } catch {
      showState("the view has ended", true);
      await new Promise((resolve) => setTimeout(resolve, 2000));
      continue;
    }
    version = state.version;
    file = state.file;
    command = state.command;
    $("name").textContent = document.title = file;
    document.body.dataset.phase = state.phase;
    if (state.phase === "building") showState("compiling…");
    if (state.program && state.builds !== builds) showProgram(state);
    if (state.phase === "broken") {
      showMistakes(state.said);
      showState("there are mistakes", true);
    } else if (state.phase === "ready" && state.said && !$("mistakes").textContent) showMistakes(state.said);
  }
}

// --- the address contains all values, so that a bookmark keeps them

function fromAddress() {
  const given = {};
  for (const [name, word] of new URLSearchParams(location.hash.slice(1)))
    if (!name.startsWith("@")) (given[name] ??= []).push(word);
  return given;
}

function remember() {
  const words = new URLSearchParams();
  for (const [name, values] of Object.entries(controls.given())) for (const word of values) words.append(name, word);
  if (chosen) words.append("@output", chosen);
  history.replaceState(null, "", `#${words}`);
}

const quoted = (word) => (/^[-+.,:/=\w]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

// The arguments of the view for options of the program other than these.
function kept(names) {
  const isName = (word) => /^--?[a-z]/i.test(word) && !/^-(inf|nan)/i.test(word);
  let isOther = true;
  return command.arguments.filter((word) => {
    if (isName(word)) isOther = !names.includes(word.replace(/^-+/, ""));
    return isOther;
  });
}

// The command, to be run in the folder where the view was started.
function commandLine() {
  const given = controls.given(), folder = command.folder.replace(/\/$/, "");
  const below = (word) => (folder === "." ? word : `${folder}/${word}`);
  const words = Object.entries(given).flatMap(([name, values]) => [`-${name}`, ...(controls.isFile(name) ? values.map(below) : values)]);
  const all = [...kept(Object.keys(given)), ...words];
  return ["diderotc", "run", ...command.options.map(quoted), quoted(command.program), ...(all.length ? ["--", ...all.map(quoted)] : [])].join(" ");
}

function save(blob, suffix) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: `${file.replace(/\.\w+$/, "")}${suffix}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// --- supersteps

function setPlaying(plays, isOver = false) {
  isPlaying = plays;
  $("play").textContent = plays ? "pause" : "play";
  if (isOver) $("step").disabled = $("end").disabled = $("play").disabled = true;
  if (plays) runs.letter("s");
}

const actions = {
  steps: () => runs.play(),
  play: () => setPlaying(!isPlaying),
  step: () => { setPlaying(false); runs.letter("s"); },
  end: () => { isPlaying = false; runs.letter("e"); },
  command: async () => {
    try {
      await navigator.clipboard.writeText(commandLine());
      showState("copied");
    } catch {
      showMistakes(commandLine());
    }
  },
  png: () => picture.canvas.toBlob((blob) => save(blob, ".png")),
  nrrd: () => lastFrame && save(picture.nrrd(), ".nrrd"),
  why: () => follow(cursor),
  auto: () => { [picture.look.low, picture.look.high] = picture.fitted(); redraw(); },
};

// --- the camera

function setVector(name, vector) { controls.set(name, vector.map((v) => String(Number(v.toPrecision(7))))); }

function turn(right, above) {
  const up = camera.up ? controls.numbers(camera.up) : [0, 0, 1];
  setVector(camera.eye, orbit(controls.numbers(camera.eye), controls.numbers(camera.at), up, right, above));
  changed(true);
}

// Goes nearer: by a smaller angle of view, or by moving the eye.
function approach(factor) {
  if (camera.fov) controls.set(camera.fov, [String(Number(Math.min(170, controls.numbers(camera.fov)[0] * factor).toPrecision(5)))]);
  else setVector(camera.eye, towards(controls.numbers(camera.eye), controls.numbers(camera.at), factor));
  changed(true);
}

// An input or the program has changed; moves: it is still changing.
function changed(moves) {
  remember();
  place.forget();
  runs.changed(moves);
  document.body.dataset.isCurrent = false;
  trace.changed();
}

function zoom(direction) {
  const select = $("zoom"), next = select.selectedIndex + direction;
  if (next >= 0 && next < select.options.length) select.selectedIndex = next;
  picture.look.zoom = Number(select.value);
  picture.place();
  showMarks();
}

// Moves the pointer by a pixel, at first from the middle.
function point(right, down) {
  const rect = picture.canvas.getBoundingClientRect(), { way, canvas } = picture;
  if (!picture.output || canvas.hidden) return;
  const step = way === "plane" || way === "slices" ? rect.width / canvas.width : rect.width / 64;
  const inside = (v, low, high) => Math.min(high - step / 2, Math.max(low + step / 2, v));
  const from = cursor ?? [rect.left + rect.width / 2, rect.top + rect.height / 2];
  cursor = [inside(from[0] + right * step, rect.left, rect.right), inside(from[1] + down * step, rect.top, rect.bottom)];
  byKeys = true;
  showCursor();
}

function watchPicture() {
  const frame = $("frame");
  let drag = null, way = 0;
  frame.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    drag = [event.clientX, event.clientY];
    way = 0;
    frame.setPointerCapture(event.pointerId);
  });
  frame.addEventListener("pointermove", (event) => {
    cursor = [event.clientX, event.clientY];
    byKeys = false;
    if (!drag) return showCursor();
    const [dx, dy] = [event.clientX - drag[0], event.clientY - drag[1]];
    drag = cursor;
    way += Math.hypot(dx, dy);
    if (way < STILL) return;
    if (camera) turn(-dx * PER_PIXEL, dy * PER_PIXEL);
    else frame.scrollBy(-dx, -dy);
  });
  frame.addEventListener("pointerup", (event) => {
    if (drag && way < STILL) follow([event.clientX, event.clientY]);
  });
  for (const name of ["pointerup", "pointercancel"]) frame.addEventListener(name, () => { drag = null; });
  frame.addEventListener("pointerleave", () => { cursor = null; showCursor(); });
  frame.addEventListener("wheel", (event) => {
    event.preventDefault();
    if (camera && !event.ctrlKey) approach(NEARER ** -Math.sign(event.deltaY));
    else zoom(-Math.sign(event.deltaY));
  }, { passive: false });
  frame.addEventListener("keydown", (event) => {
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const power = { PageUp: 1, PageDown: -1 }[event.key];
    if (!(arrow && (camera || event.shiftKey)) && !(power && camera)) return;
    event.preventDefault();
    if (power) approach(NEARER ** power);
    else if (event.shiftKey) point(arrow[0], -arrow[1]);
    else turn(arrow[0] * PER_KEY, arrow[1] * PER_KEY);
  });
}

function watchKeys() {
  const keys = { " ": "play", ".": "step", e: "end", s: "steps", c: "command", p: "png", n: "nrrd", a: "auto", w: "why" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|BUTTON)$/.test(event.target.tagName)) return;
    if (trace.isOpen && (event.key === "," || event.key === ";")) trace.go(event.key === "," ? -1 : 1);
    if (event.key === "Escape") trace.close();
    if (event.key === "+" || event.key === "-") zoom(event.key === "+" ? 1 : -1);
    const button = keys[event.key] && $(keys[event.key]);
    if (!button || button.disabled) return;
    event.preventDefault();
    button.click();
  });
}

// --- appearance of the picture

function redraw() {
  if (!lastFrame) return;
  picture.show(lastFrame, $("output").value, program.collection);
  showRange();
  showCursor();
}

function watchLooks() {
  const number = (text) => (text.trim() === "" || Number.isNaN(Number(text)) ? null : Number(text));
  $("map").replaceChildren(...mapNames.map((name) => new Option(name, name)));
  const looks = { map: String, low: number, high: number, gamma: Number, behind: String, slice: Number, zoom: Number };
  for (const [id, read] of Object.entries(looks))
    $(id).addEventListener("input", () => { picture.look[id] = read($(id).value); redraw(); });
  $("output").addEventListener("input", () => { chosen = $("output").value; Object.assign(picture.look, { low: null, high: null }); remember(); redraw(); });
  for (const [id, act] of Object.entries(actions)) $(id).addEventListener("click", act);
  new ResizeObserver(() => {
    if (!lastFrame || picture.canvas.hidden) return;
    picture.place();
    showMarks();
  }).observe($("frame"));
}

watchLooks();
watchPicture();
watchKeys();
watchState();
