// Runs of the program: while a control moves, thinned runs, one after the other; then a complete run. Runs that are out
// of date are given up: the server ends a run when its connection is closed, or when the page requests another one.
import { frames, post } from "./wire.js";

const AT_FIRST = 4, MOST = 16;         // thinning of previews, which adapts to how long they take
const TOO_SLOW = 120, QUICK = 25;      // milliseconds
const PATIENCE = 200;                  // for a preview that is out of date
const SETTLED = 180;                   // after the last move

export class Runs {
  // values(): of the inputs. on: frame(frame, run), message(frame), state(text), ended(run).
  constructor(values, on) {
    this.values = values;
    this.on = on;
    this.page = crypto.randomUUID();
    this.number = this.version = 0; // of runs, and of values
    this.thinning = AT_FIRST;
    this.canThin = false;
    this.current = null;
    this.timer = null;
    this.took = [];
  }

  // A value has changed; moves: it is still changing.
  changed(moves) {
    this.version++;
    clearTimeout(this.timer);
    if (moves && this.canThin) {
      this.timer = setTimeout(() => this.start(1), SETTLED);
      this.preview();
    } else if (moves) {
      this.start(1);
    } else {
      this.timer = setTimeout(() => this.start(1), 0);
    }
  }

  preview() {
    const { current } = this;
    if (current?.isPreview && performance.now() - current.began < PATIENCE) current.isStale = true;
    else this.start(this.thinning);
  }

  // Runs superstep by superstep: waits for a letter after each frame.
  play() { return this.start(1, "play"); }

  letter(letter) {
    if (this.current?.mode === "play") post("step", { page: this.page, run: this.current.number, letter });
  }

  async start(thinning, mode = "end") {
    if (thinning === 1) clearTimeout(this.timer);
    this.current?.abort.abort();
    const run = {
      number: ++this.number, version: this.version, mode, isPreview: thinning > 1, isStale: false,
      abort: new AbortController(), began: performance.now(),
    };
    this.current = run;
    this.on.state(run.isPreview ? "preview…" : "running…");
    try {
      await this.follow(run, thinning);
    } catch (error) {
      if (error.name !== "AbortError") this.on.message({ kind: "error", text: `the view does not answer: ${error.message}` });
    }
    if (this.current === run) this.current = null;
    if (!run.abort.signal.aborted) this.on.ended(run);
  }

  async follow(run, thinning) {
    const order = { page: this.page, run: run.number, thinning, mode: run.mode, values: this.values() };
    const answer = await post("run", order, run.abort.signal);
    if (!answer.ok) {
      this.on.message({ kind: "error", text: await answer.text() });
      return;
    }
    let isDone = false;
    for await (const frame of frames(answer)) {
      if (this.current !== run) return;
      isDone ||= frame.kind !== "step" && frame.kind !== "print";
      if (frame.outputs) this.on.frame(frame, run);
      else this.on.message(frame);
      if (frame.kind === "last") this.measure(run, performance.now() - run.began);
    }
    if (!isDone && this.current === run) this.on.message({ kind: "error", text: "the run has ended without a result" });
    if (run.isStale && this.current === run) queueMicrotask(() => this.start(this.thinning));
  }

  measure(run, took) {
    this.took.push({ thinning: run.isPreview ? this.thinning : 1, ms: took });
    if (!run.isPreview) return;
    if (took > TOO_SLOW) this.thinning = Math.min(MOST, this.thinning * 2);
    else if (took < QUICK) this.thinning = Math.max(AT_FIRST, this.thinning / 2);
  }
}
