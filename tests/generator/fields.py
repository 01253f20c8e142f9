"""Images, and fields whose values are exact: sums over samples with kernels from their definition,
and polynomials. Positions are tuples of Fractions, one for each axis.
"""
from collections import namedtuple
from fractions import Fraction
from itertools import product

from tree import is_tensor, vec

# text is the declaration, slope the gradient or None; image None where there is none
Field = namedtuple('Field', 'name text dim ty value slope image')


class Image(namedtuple('Image', 'name sizes ty samples is_input polynomial')):
    """Samples by index, fastest axis first; one of type vec(2) is a pair. Those of a Polynomial: that, or None."""

    def text(self):
        shape = '[2]' if is_tensor(self.ty) else '[]'
        head = 'input ' if self.is_input else ''
        return '%simage(%d)%s %s = load_image("%s.nrrd");' % (head, len(self.sizes), shape, self.name, self.name)


class Polynomial(namedtuple('Polynomial', 'factors')):
    """A product, one factor c0 + c1 x + c2 x^2 for each axis."""

    def value(self, position):
        result = Fraction(1)
        for (c0, c1, c2), x in zip(self.factors, position):
            result *= c0 + c1 * x + c2 * x * x
        return result

    def slope(self, position):
        parts = []
        for axis, ((_, c1, c2), x) in enumerate(zip(self.factors, position)):
            others = [f if k != axis else (c1 + 2 * c2 * x, 0, 0) for k, f in enumerate(self.factors)]
            parts.append(Polynomial(others).value(position))
        return parts[0] if len(parts) == 1 else tuple(parts)

    def is_kept_by(self, kernel):
        """The kernel between samples gives it back: tent of degree 1, ctmr of degree 2."""
        return kernel == 'ctmr' or all(c2 == 0 for _, _, c2 in self.factors)


def tent(x):
    return max(Fraction(0), 1 - abs(x))


def ctmr(x):
    x = abs(x)
    if x < 1:
        return 1 + x * x * (Fraction(3, 2) * x - Fraction(5, 2))
    return 2 + x * (-4 + x * (Fraction(5, 2) - x / 2)) if x < 2 else Fraction(0)


def ctmr_slope(x):
    sign, x = (-1, -x) if x < 0 else (1, x)
    if x < 1:
        return sign * x * (Fraction(9, 2) * x - 5)
    return sign * (-4 + x * (5 - Fraction(3, 2) * x)) if x < 2 else Fraction(0)


def convolved(image, weights):
    """The sum over samples, each with the product of its weights: one function for each axis."""
    def value(position):
        total = (Fraction(0),) * 2 if is_tensor(image.ty) else Fraction(0)
        near = [range(max(0, x // 1 - 1), min(size, x // 1 + 3)) for x, size in zip(position, image.sizes)]
        for index in product(*near):
            weight = Fraction(1)
            for of_axis, x, k in zip(weights, position, index):
                weight *= of_axis(x - k)
            sample = image.samples[index]
            total = (tuple(t + weight * s for t, s in zip(total, sample)) if is_tensor(image.ty)
                     else total + weight * sample)
        return total
    return value


def slope_of(image):
    """The gradient of its convolution with ctmr: a real, or a vector."""
    parts = [convolved(image, [ctmr_slope if k == axis else ctmr for k in range(len(image.sizes))])
             for axis in range(len(image.sizes))]
    if len(parts) == 1:
        return parts[0]
    return lambda position: tuple(part(position) for part in parts)


def of_image(name, image, kernels):
    """One kernel for all axes, or one for each."""
    dim, is_smooth = len(image.sizes), all(kernel == 'ctmr' for kernel in kernels)
    shape = '[2]' if is_tensor(image.ty) else '[]'
    weights = kernels[0] if len(kernels) == 1 else 'KRNS(%s)' % ', '.join(kernels)
    text = 'field#%d(%d)%s %s = %s ⊛ %s;' % (is_smooth, dim, shape, name, image.name, weights)
    if image.polynomial and all(image.polynomial.is_kept_by(kernel) for kernel in kernels):
        slope = image.polynomial.slope if is_smooth else None
        return Field(name, text, dim, image.ty, image.polynomial.value, slope, image.name)
    slope = slope_of(image) if is_smooth and not is_tensor(image.ty) else None
    each = [ctmr if kernel == 'ctmr' else tent for kernel in (kernels if len(kernels) > 1 else kernels * dim)]
    return Field(name, text, dim, image.ty, convolved(image, each), slope, image.name)


def of_formula(name, a):
    """a x^2 - x/2"""
    text = 'field(1)[] %s(x) = %d*x*x - x/2;' % (name, a) if a >= 0 else 'field(1)[] %s(x) = -(x/2) - %d*x*x;' % (name, -a)
    return Field(name, text, 1, 'real', lambda x: a * x[0] * x[0] - x[0] / 2,
                 lambda x: 2 * a * x[0] - Fraction(1, 2), None)


def moved(field, frame):
    """The field after its image was moved so: sample k of each axis is at origin + k spacing."""
    def turned(parts):
        return parts[::-1] if frame.is_swapped else parts

    def back(position):
        return turned(tuple((x - frame.origin) / Fraction(frame.spacing) for x in position))

    def slope(position):
        value = field.slope(back(position))
        if isinstance(value, tuple):
            return turned(tuple(part / frame.spacing for part in value))
        return value / frame.spacing
    return field._replace(value=lambda position: field.value(back(position)), slope=field.slope and slope)


def nrrd_text(image, frame):
    dim, is_vector = len(image.sizes), is_tensor(image.ty)
    ways = [dim - 1 - axis if frame.is_swapped else axis for axis in range(dim)]
    steps = ['(%s)' % ','.join(str(frame.spacing if k == way else 0) for k in range(dim)) for way in ways]
    sizes = ([2] if is_vector else []) + list(image.sizes)
    rows = [image.samples[index[::-1]] for index in product(*[range(n) for n in reversed(image.sizes)])]
    numbers = [number for row in rows for number in (row if is_vector else (row,))]
    head = ['NRRD0004', 'type: float', 'dimension: %d' % len(sizes), 'space dimension: %d' % dim,
            'sizes: ' + ' '.join(map(str, sizes)), 'space directions: ' + ' '.join(['none'] * is_vector + steps),
            'space origin: (%s)' % ','.join([str(frame.origin)] * dim),
            'kinds: ' + ' '.join(['2-vector'] * is_vector + ['space'] * dim), 'encoding: ascii', '']
    return '\n'.join(head + [' '.join(map(str, numbers))]) + '\n'


def random_image(rng, name):
    """One axis and numbers, most often; else pairs, or two axes. A quarter of those with numbers is a polynomial's."""
    kind = rng.random()
    sizes = (10,) if kind < 0.7 else (7, 8)
    ty = vec(2) if 0.5 < kind < 0.7 else 'real'
    polynomial = None
    if not is_tensor(ty) and rng.random() < 0.25:
        square = rng.choice([0, 1])
        polynomial = Polynomial([(rng.randint(-4, 4), rng.randint(-3, 3), square * rng.randint(-1, 1)) for _ in sizes])
    samples = {}
    for index in product(*[range(n) for n in sizes]):
        values = [rng.randint(-4, 4) for _ in range(2)]
        samples[index] = tuple(map(Fraction, values)) if is_tensor(ty) else Fraction(values[0])
        if polynomial:
            samples[index] = polynomial.value(tuple(map(Fraction, index)))
    return Image(name, sizes, ty, samples, rng.random() < 0.4, polynomial)
