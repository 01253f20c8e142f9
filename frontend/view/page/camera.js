// A camera among the inputs: vectors called eye (or from), at and up, and an angle of view.

const find = (inputs, pattern, n) =>
  inputs.find((input) => input.kind === "real" && input.n === n && pattern.test(input.name))?.name;

// The names of the inputs, or null; fov may be missing.
export function findCamera(inputs) {
  const eye = find(inputs, /(eye|from)$/i, 3);
  const at = find(inputs, /(^|[a-z_])at$/i, 3) ?? find(inputs, /at$/i, 3);
  const up = find(inputs, /up$/i, 3);
  return eye && at ? { eye, at, up, fov: find(inputs, /fov/i, 1) } : null;
}

const sub = (a, b) => a.map((v, k) => v - b[k]);
const add = (a, b) => a.map((v, k) => v + b[k]);
const scale = (a, s) => a.map((v) => v * s);
const dot = (a, b) => a.reduce((sum, v, k) => sum + v * b[k], 0);
const length = (a) => Math.sqrt(dot(a, a));
const unit = (a) => scale(a, 1 / (length(a) || 1));
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

// Rotates v about a unit vector by an angle in radians [Rodrigues 1840].
function rotate(v, axis, angle) {
  const c = Math.cos(angle), s = Math.sin(angle);
  return add(add(scale(v, c), scale(cross(axis, v), s)), scale(axis, dot(axis, v) * (1 - c)));
}

const STEEPEST = 0.995; // greatest cosine of the angle to `up`, so that the camera does not turn over

// The eye, turned about `at` to the right and up by so many radians.
export function orbit(eye, at, up, right, above) {
  const axis = unit(up), from = sub(eye, at);
  const turned = rotate(from, axis, right);
  const side = unit(cross(axis, turned));
  const raised = rotate(turned, side, above);
  return add(at, Math.abs(dot(unit(raised), axis)) < STEEPEST ? raised : turned);
}

export const towards = (eye, at, factor) => add(at, scale(sub(eye, at), factor));
