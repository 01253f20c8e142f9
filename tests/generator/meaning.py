"""The results of a program, computed with exact numbers, one strand after another, from the manual alone.

A value that floats cannot represent, an index out of range and the like raise Unfit: such a program is no
test of compilers, and the generator makes another one.
"""
from fractions import Fraction

from tree import is_seq, is_tensor


class Unfit(Exception):
    pass


class Exit(Exception):
    """Of a method: continue, stabilize, die; or of a function, with its result."""

    def __init__(self, how, result=None):
        self.how, self.result = how, result


def fit(value):
    """A real: 22 bits, far from overflow."""
    value = Fraction(value)
    n, bits = abs(value.numerator), value.denominator.bit_length() - 1
    if value.denominator != 1 << bits or bits > 40 or n > 1 << 40:
        raise Unfit
    while n and n % 2 == 0:
        n //= 2
    if n >= 1 << 22:
        raise Unfit
    return value


def fit_int(value):
    if abs(value) >= 1 << 30:
        raise Unfit
    return value


def each(fn, *values):
    """fn, component by component; numbers go with every component."""
    tensors = [value for value in values if isinstance(value, tuple)]
    if not tensors:
        return fn(*values)
    n = len(tensors[0])
    rows = [value if isinstance(value, tuple) else (value,) * n for value in values]
    return tuple(each(fn, *parts) for parts in zip(*rows))


def quotient(a, b):
    if b == 0:
        raise Unfit
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def times(a, b):
    return fit(a * b)


def dot(a, b):
    total = Fraction(0)
    for x, y in zip(a, b):
        total = fit(total + fit(x * y))
    return total


INT = {'+': lambda a, b: fit_int(a + b), '-': lambda a, b: fit_int(a - b), '*': lambda a, b: fit_int(a * b),
       '/': quotient, '%': lambda a, b: a - b * quotient(a, b)}
REAL = {'+': lambda a, b: fit(a + b), '-': lambda a, b: fit(a - b), '*': times, '/': lambda a, b: fit(a / b)}
COMPARE = {'<': lambda a, b: a < b, '<=': lambda a, b: a <= b, '>': lambda a, b: a > b, '>=': lambda a, b: a >= b,
           '==': lambda a, b: a == b, '!=': lambda a, b: a != b}


def floor(x):
    return Fraction(x.numerator // x.denominator)


FUNCTIONS = {
    'min': min, 'max': max, 'abs': abs, 'floor': floor, 'ceil': lambda x: -floor(-x),
    'trunc': lambda x: floor(x) if x >= 0 else -floor(-x), 'real': Fraction,
    'clamp': lambda lo, hi, x: min(max(x, lo), hi), 'length': len, 'trace': lambda m: fit(m[0][0] + m[1][1]),
    'transpose': lambda m: tuple(zip(*m)),
    'det': lambda m: fit(fit(m[0][0] * m[1][1]) - fit(m[0][1] * m[1][0])),
    'lerp': lambda a, b, t: fit(fit(fit(1 - t) * a) + fit(t * b)),
}


def filled(ty, number):
    if is_tensor(ty):
        return (filled('real' if len(ty) == 2 else ('tensor',) + ty[2:], number),) * ty[1]
    return int(number) if ty == 'int' else Fraction(number)


def fold(name, ty, values):
    """Component by component; what an empty set gives to min, max and mean is no number here."""
    if name in ('all', 'exists'):
        return all(values) if name == 'all' else any(values)
    if not values and name in ('min', 'max', 'mean'):
        raise Unfit
    ops = INT if ty == 'int' else REAL
    one = ops['*'] if name == 'product' else ops['+'] if name in ('sum', 'mean') else FUNCTIONS[name]
    if not values:
        return filled(ty, name == 'product')
    total = values[0]
    for value in values[1:]:
        total = each(one, total, value)
    return each(lambda x: fit(x / len(values)), total) if name == 'mean' else total


def shown(value, ty):
    if ty == 'bool':
        return 'true' if value else 'false'
    if ty == 'real':
        value = Fraction(value)
        if value.denominator == 1 and abs(value) < 1 << 20:
            return str(value.numerator)
        if abs(value) >= Fraction(1, 16) and value.denominator <= 64 and abs(value) < 1024:
            digits = ('%.10f' % float(value)).rstrip('0')
            if len(digits.lstrip('-').replace('.', '').lstrip('0')) <= 6:
                return digits
        raise Unfit  # how many digits are printed is not this oracle's business
    if is_tensor(ty):
        inner = 'real' if len(ty) == 2 else ('tensor',) + ty[2:]
        return '[%s]' % ','.join(shown(part, inner) for part in value)
    return str(value)


class Strand:
    def __init__(self, rank, env):
        self.rank, self.env, self.status, self.is_new = rank, env, 'active', True


class Run:
    """A program run to its end: `outputs` by name, each a list of values, and the `printed` text."""

    MOST_STEPS = 30

    def __init__(self, program):
        self.program, self.printed, self.strands, self.births = program, [], [], []
        self.snapshot, self.me, self.step = {}, None, 0
        self.globals = {}
        self.fields = {field.name: field for field in program.fields}
        self.functions = {f[0]: f for f in program.functions}
        for node in program.inputs:
            self.globals[node.name] = self.value(node.parts[0], [self.globals])
        self.given = dict(self.globals)
        for node in program.globals:
            self.globals[node.name] = self.coerced(node.parts[0], [self.globals], node.ty)
        self.block(program.init, [self.globals])
        self.create_all()
        if program.global_start:
            self.run_global(program.global_start)
        self.run_steps()
        self.collect()

    # ---- expressions ------------------------------------------------------------------------------

    def find(self, name, scopes):
        for scope in reversed(scopes):
            if name in scope:
                return scope
        raise Unfit

    def coerced(self, node, scopes, ty):
        value = self.value(node, scopes)
        return Fraction(value) if ty == 'real' else value

    def value(self, node, scopes):
        return getattr(self, 'value_' + node.kind)(node, scopes)

    def values(self, node, scopes):
        return [self.value(part, scopes) for part in node.parts]

    def value_literal(self, node, scopes):
        return Fraction(node.name) if node.ty == 'real' else node.name

    def value_variable(self, node, scopes):
        return self.find(node.name, scopes)[node.name]

    def value_unary(self, node, scopes):
        value = self.value(node.parts[0], scopes)
        return not value if node.name == 'not' else each(lambda a: -a, value)

    def value_binary(self, node, scopes):
        name, a = node.name, self.value(node.parts[0], scopes)
        if name in ('&&', '||'):
            return a if a == (name == '||') else self.value(node.parts[1], scopes)
        b = self.value(node.parts[1], scopes)
        if name in COMPARE:
            return COMPARE[name](a, b)
        if name == '@':
            return (a if is_seq(node.parts[0].ty) else (a,)) + (b if is_seq(node.parts[1].ty) else (b,))
        if name == '•':
            if isinstance(a[0], tuple):
                columns = list(zip(*b)) if isinstance(b[0], tuple) else None
                return tuple(tuple(dot(row, c) for c in columns) if columns else dot(row, b) for row in a)
            return dot(a, b)
        if name == '⊗':
            return tuple(tuple(fit(x * y) for y in b) for x in a)
        return each(INT[name] if node.ty == 'int' else REAL[name], a, b)

    def value_call(self, node, scopes):
        args = self.values(node, scopes)
        if node.name not in self.functions:
            if node.name in ('numStrands', 'numActive', 'numStable'):
                return self.count(node.name)
            return FUNCTIONS[node.name](*args)
        _, params, ty, body = self.functions[node.name]
        local = {name: Fraction(arg) if t == 'real' else arg for (t, name), arg in zip(params, args)}
        try:
            self.block(body, [self.globals, local])
        except Exit as end:
            return Fraction(end.result) if ty == 'real' else end.result
        raise Unfit

    def count(self, name):
        now = [strand.status for strand in self.counted]
        return {'numStrands': len(now), 'numActive': now.count('active'), 'numStable': now.count('stable')}[name]

    def value_tensor(self, node, scopes):
        return tuple(each(Fraction, value) for value in self.values(node, scopes))

    def value_sequence(self, node, scopes):
        return tuple(self.values(node, scopes))

    def value_index(self, node, scopes):
        value, *indices = self.values(node, scopes)
        for index in indices:
            if not 0 <= index < len(value):
                raise Unfit
            value = value[index]
        return value

    def value_condition(self, node, scopes):
        value = self.value(node.parts[1 if self.value(node.parts[0], scopes) else 2], scopes)
        return Fraction(value) if node.ty == 'real' else value

    def value_range(self, node, scopes):
        lo, hi = self.values(node, scopes)
        return tuple(range(lo, hi + 1))

    def value_comprehension(self, node, scopes):
        source = self.value(node.parts[0], scopes)
        return tuple(self.value(node.parts[1], scopes + [{node.name: item}]) for item in source)

    def value_fold(self, node, scopes):
        return fold(node.name, node.ty, self.value(node.parts[0], scopes))

    def value_set(self, node, scopes):
        wanted = node.name.split('.')[1]
        return tuple(s.env for s in self.strands if wanted == 'all' or s.status == wanted)

    def value_state(self, node, scopes):
        return self.value(node.parts[0], scopes)[node.name]

    def value_sphere(self, node, scopes):
        radius, here = self.value(node.parts[0], scopes), self.me.env['pos']
        near = []
        for strand, env in self.snapshot:
            there = env['pos']
            if strand is self.me:
                continue
            if is_tensor(node.ty):
                square = sum((a - b) ** 2 for a, b in zip(here, there))
            else:
                square = (here - there) ** 2
            if square == radius ** 2:
                raise Unfit  # on the sphere: a matter of rounding
            if radius > 0 and square < radius ** 2:
                near.append(env)
        return tuple(near)

    def position(self, node, scopes):
        at = self.value(node.parts[0], scopes)
        return at if isinstance(at, tuple) else (at,)

    def value_probe(self, node, scopes):
        return each(fit, self.fields[node.name].value(self.position(node, scopes)))

    def value_gradient(self, node, scopes):
        return each(fit, self.fields[node.name].slope(self.position(node, scopes)))

    # ---- statements -------------------------------------------------------------------------------

    def block(self, node, scopes):
        if node:
            inner = scopes + [{}]
            for part in node.parts:
                getattr(self, 'run_' + part.kind)(part, inner)

    def run_block(self, node, scopes):
        self.block(node, scopes)

    def run_local(self, node, scopes):
        scopes[-1][node.name] = self.coerced(node.parts[0], scopes, node.ty)

    def run_assign(self, node, scopes):
        scope = self.find(node.name, scopes)
        old, new = scope[node.name], self.value(node.parts[0], scopes)
        if node.ty != '=':
            table = INT if isinstance(old, int) else REAL
            new = each(table[node.ty[0]], old, new)
        scope[node.name] = Fraction(new) if isinstance(old, Fraction) else new

    def run_if(self, node, scopes):
        self.block(node.parts[1 if self.value(node.parts[0], scopes) else 2], scopes)

    def run_foreach(self, node, scopes):
        source = self.value(node.parts[0], scopes)
        if len(source) > 200:
            raise Unfit
        for item in source:
            self.block(node.parts[1], scopes + [{node.name: item}])

    def run_print(self, node, scopes):
        for part in node.parts:
            self.printed.append(shown(self.value(part, scopes), part.ty))

    def run_new(self, node, scopes):
        me, strands, self.strands = self.me, self.strands, []
        self.create(self.values(node, scopes)) # at once, and so are its prints; it joins the others later
        self.births += self.strands
        self.me, self.strands = me, strands

    def run_return(self, node, scopes):
        raise Exit('return', self.value(node.parts[0], scopes))

    def run_exit(self, node, scopes):
        if self.me or node.name == 'continue':
            raise Exit(node.name)
        for strand in self.strands:
            if strand.status == 'active':
                self.end(strand, 'stable' if node.name == 'stabilize' else 'dead')
        self.strands = [strand for strand in self.strands if strand.status != 'dead']

    # ---- strands ----------------------------------------------------------------------------------

    def create(self, args):
        program = self.program
        names = program.params + [name for _, name, _ in program.extra]
        env = dict(zip(names, args))
        for ty, name, _ in program.extra:
            if ty == 'real':
                env[name] = Fraction(env[name])
        for node, _ in program.state:
            env[node.name] = self.coerced(node.parts[0], [self.globals, env], node.ty)
        strand = Strand(len(self.ranks), env)
        self.ranks.append(strand)
        self.strands.append(strand)
        self.block(program.strand_init, [self.globals, env])
        return strand

    def create_all(self):
        self.ranks, rows = [], [[]]
        for size in self.program.sizes:
            rows = [row + [k] for row in rows for k in range(size)]
        extra = [self.value(value, [self.globals]) for _, _, value in self.program.extra]
        for row in rows:
            if self.program.is_turned:
                row = [self.program.sizes[0] - 1 - row[0]] + row[1:]
            self.create(row + extra)
        self.counted = list(self.strands)

    def end(self, strand, status):
        strand.status = status
        if status == 'stable':
            me, self.me = self.me, strand
            self.block(self.program.stabilize, [self.globals, strand.env])
            self.me = me

    def method(self, strand, body):
        if not body or strand.status != 'active':
            return
        self.me = strand
        try:
            self.block(body, [self.globals, strand.env])
        except Exit as leave:
            if leave.how != 'continue':
                self.end(strand, 'stable' if leave.how == 'stabilize' else 'dead')
        self.me = None

    def run_global(self, body):
        self.counted = list(self.strands)
        try:
            self.block(body, [self.globals])
        except Exit:
            pass

    def is_lockstep(self):
        program = self.program
        text = '\n'.join(program.strand())
        communicates = any(word in text for word in ('sphere', 'new S', 'numStrands', 'numActive', 'numStable'))
        return program.global_update is not None or communicates

    def superstep(self, strands):
        """Of those strands: the others wait."""
        for strand in strands:
            if strand.is_new:
                self.method(strand, self.program.start)
                strand.is_new = False
            self.method(strand, self.program.update)

    def run_steps(self):
        if not self.is_lockstep():
            for strand in self.strands:
                for _ in range(self.MOST_STEPS):
                    self.superstep([strand])
                if strand.status == 'active':
                    raise Unfit
            self.strands = [strand for strand in self.strands if strand.status != 'dead']
            return
        while any(strand.status == 'active' for strand in self.strands):
            self.step += 1
            if self.step > self.MOST_STEPS or len(self.strands) > 200:
                raise Unfit
            self.snapshot = [(strand, dict(strand.env)) for strand in self.strands]
            self.counted = [Strand(0, {}) for _ in self.strands]
            for copy, strand in zip(self.counted, self.strands):
                copy.status = strand.status
            self.superstep(list(self.strands))
            self.strands = [strand for strand in self.strands if strand.status != 'dead']
            self.strands += self.births
            self.births = []
            if self.program.global_update:
                self.run_global(self.program.global_update)

    def collect(self):
        kept = [s for s in self.strands if s.status == 'stable' or not self.program.is_collection]
        if not kept:
            raise Unfit
        self.outputs = {node.name: [strand.env[node.name] for strand in kept]
                        for node, is_output in self.program.state if is_output}
        self.printed = ''.join(self.printed)
