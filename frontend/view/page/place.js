// The position in the world of the strand under the cursor. A trace finds it when the cursor rests.
import { askTrace } from "./trace.js";

const RESTS = 120;       // milliseconds
const PATIENCE = 3000;   // milliseconds for a trace; if it takes longer, the position stays unknown
const POSITION = /^pos(ition)?$/i;

const isPlace = (value) => (Array.isArray(value) ? value.length <= 3 : true) && [value].flat().every((v) => typeof v === "number");
const size = (value) => [value].flat().length;

// The last value of a variable `pos` up to a superstep; else the last position of a probe, of a field with the most
// dimensions.
export function placeOf(trace, superstep = Infinity) {
  let probed = null;
  if (trace.records.left_out) return null;
  for (const part of trace.parts.filter((p) => p.superstep <= superstep).reverse())
    for (const record of [...part.records].reverse()) {
      const site = trace.sites[record.site];
      if (site.kind === "assign" && POSITION.test(site.name) && isPlace(record.value)) return record.value;
      if (site.kind === "probe" && isPlace(record.at) && (probed === null || size(record.at) > size(probed))) probed = record.at;
    }
  return probed;
}

export class Place {
  // page: a name for the server; values(): of the inputs; found(): called when the position is known.
  constructor(page, values, found) {
    Object.assign(this, { page, values, found, number: 0, strand: null, trace: null, timer: null, abort: null });
  }

  // What is known is out of date.
  forget() {
    clearTimeout(this.timer);
    this.abort?.abort();
    this.strand = this.trace = null;
  }

  // The position of a strand, by its name in traces, up to a superstep; null: unknown, or not known yet.
  of(strand, superstep) {
    if (strand !== this.strand) {
      this.forget();
      this.strand = strand;
      this.timer = setTimeout(() => this.ask(strand), RESTS);
    }
    return this.trace && placeOf(this.trace, superstep);
  }

  async ask(strand) {
    const abort = new AbortController();
    const patience = setTimeout(() => abort.abort(), PATIENCE);
    this.abort = abort;
    try {
      const trace = await askTrace({ page: this.page, run: ++this.number, strand, values: this.values() }, abort.signal);
      if (this.strand === strand) this.trace = trace;
    } catch {
      return; // the panel says why there is none
    } finally {
      clearTimeout(patience);
    }
    if (this.trace) this.found();
  }
}
