// Colour maps: viridis [van der Walt, Smith 2015], and others made from lightness, chroma and hue of OKLab [Ottosson
// 2020, "A perceptual color space for image processing"], so that equal steps of a value look alike.

function fromOklch(lightness, chroma, hue) {
  const a = chroma * Math.cos(hue * 2 * Math.PI), b = chroma * Math.sin(hue * 2 * Math.PI);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((c) => {
    const v = Math.min(1, Math.max(0, c));
    return 255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055);
  });
}

const mix = (a, b, t) => a + (b - a) * t;

// Interpolates between evenly spaced colours.
function along(colours, t) {
  const at = t * (colours.length - 1), k = Math.min(Math.floor(at), colours.length - 2);
  return [16, 8, 0].map((shift) => mix((colours[k] >> shift) & 255, (colours[k + 1] >> shift) & 255, at - k));
}

const VIRIDIS = [
  0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d, 0x2c728e, 0x26828e, 0x21918c,
  0x1fa088, 0x28ae80, 0x3fbc73, 0x5ec962, 0x84d44b, 0xaddc30, 0xd8e219, 0xfde725,
];

// The colour for t from 0 to 1: red, green and blue from 0 to 255.
const makers = {
  gray: (t) => [255 * t, 255 * t, 255 * t],
  viridis: (t) => along(VIRIDIS, t),
  meadow: (t) => fromOklch(mix(0.24, 0.92, t), 0.14 * Math.sin(Math.PI * mix(0.25, 0.85, t)), mix(0.83, 0.28, t)),
  ember: (t) => fromOklch(mix(0.12, 0.95, t), 0.19 * Math.sin(Math.PI * mix(0.1, 0.9, t)), mix(0.95, 1.27, t)),
  bow: (t) => fromOklch(0.72, 0.15, mix(0.8, 0.05, t)),
  ring: (t) => fromOklch(0.7, 0.12, t),
  signed: (t) => fromOklch(mix(0.97, 0.42, Math.abs(2 * t - 1)), 0.17 * Math.abs(2 * t - 1), t < 0.5 ? 0.72 : 0.07),
};

export const mapNames = Object.keys(makers);

const tables = new Map();

// 256 colours, three bytes each.
export function mapTable(name) {
  if (!tables.has(name)) {
    const table = new Uint8Array(3 * 256);
    for (let k = 0; k < 256; k++) table.set(makers[name](k / 255).map(Math.round), 3 * k);
    tables.set(name, table);
  }
  return tables.get(name);
}
