// Requests to the view, and the frames of a run (runtime/viewed/README.md describes them).

const arrays = { f4: Float32Array, f8: Float64Array, i4: Int32Array, i8: BigInt64Array, b1: Uint8Array };

export async function getJson(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

export async function getText(path, signal) {
  const answer = await fetch(path, { signal });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.text();
}

export function post(path, value, signal) {
  return fetch(path, { method: "POST", body: JSON.stringify(value), signal });
}

// Collects bytes until there are as many as requested.
class Bytes {
  constructor(reader) {
    this.reader = reader;
    this.parts = [];
    this.length = 0;
  }

  // The next n bytes, in new memory; null: there are not so many.
  async take(n) {
    while (this.length < n) {
      const { done, value } = await this.reader.read();
      if (done) return null;
      this.parts.push(value);
      this.length += value.length;
    }
    const taken = new Uint8Array(n);
    for (let at = 0; at < n;) {
      const part = this.parts[0], m = Math.min(part.length, n - at);
      taken.set(part.subarray(0, m), at);
      at += m;
      if (m === part.length) this.parts.shift();
      else this.parts[0] = part.subarray(m);
    }
    this.length -= n;
    return taken;
  }
}

function withValues(head, bytes) {
  if (head.kind === "trace") head.trace = JSON.parse(new TextDecoder().decode(bytes));
  let at = 0;
  for (const output of [...(head.outputs ?? []), ...(head.births ? [head.births] : [])]) {
    const kind = arrays[output.type];
    output.values = new kind(bytes.buffer, at, output.bytes / kind.BYTES_PER_ELEMENT);
    if (kind === BigInt64Array) output.values = Float64Array.from(output.values, Number);
    at += Math.ceil(output.bytes / 8) * 8;
  }
  return head;
}

// The frames of a run, one after the other.
export async function* frames(answer) {
  const bytes = new Bytes(answer.body.getReader());
  for (;;) {
    const sizes = await bytes.take(8);
    if (!sizes) return;
    const view = new DataView(sizes.buffer);
    const head = await bytes.take(view.getUint32(0, true));
    const values = head && (await bytes.take(view.getUint32(4, true)));
    if (!values) return;
    yield withValues(JSON.parse(new TextDecoder().decode(head)), values);
  }
}
