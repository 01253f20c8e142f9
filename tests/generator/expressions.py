"""Random expressions: of each type, from the variables that are visible. Next: programs.py makes programs of them."""
import random
from fractions import Fraction

from tree import Node, Program, component, is_seq, is_tensor, vec

HALF = Fraction(1, 2)
TENSORS = [vec(2), vec(3), vec(2, 2)]
FOLDS = ['sum', 'sum', 'min', 'max', 'product']


def literal(value, ty):
    return Node('literal', ty=ty, name=value)


def variable(name, ty):
    return Node('variable', ty=ty, name=name)


def call(name, ty, *args):
    return Node('call', args, ty, name)


def binary(name, ty, a, b):
    return Node('binary', (a, b), ty, name)


def real_of(node):
    return call('real', 'real', node)


class Expressions:
    """Expressions of a type, from what is visible."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.program = Program()
        self.n_names = 0
        self.functions = []
        self.scopes = []         # lists of (name, type, may be assigned)
        self.is_plain = self.chance(0.5)   # nothing that keeps a program out of lanes, but at its end
        self.in_update = False

    # ---- choices ----------------------------------------------------------------------------------

    def chance(self, share):
        return self.rng.random() < share

    def pick(self, choices):
        return self.rng.choice(choices)

    def new_name(self, hint):
        self.n_names += 1
        return '%s%d' % (hint, self.n_names)

    def visible(self, ty, assigned=False):
        return [v for scope in self.scopes for v in scope if v[1] == ty and (v[2] or not assigned)]

    def some_type(self):
        kind = self.rng.random()
        if kind < 0.62:
            return self.pick(['int', 'real', 'real', 'bool'])
        if kind < 0.85 or (self.is_plain and self.in_update):
            return self.pick(TENSORS)
        element = self.pick(['int', 'real', 'bool', vec(2)])
        return ('seq', element, self.pick([2, 3, None, None]))

    # ---- expressions ------------------------------------------------------------------------------

    def expression(self, ty, depth):
        found = self.visible(ty)
        if depth <= 0 or self.chance(0.2):
            if found and self.chance(0.75):
                name, _, _ = self.pick(found)
                return variable(name, ty)
            return self.leaf(ty)
        is_dynamic = is_seq(ty) and ty[2] is None  # whose literals would be of two types
        if self.chance(0.08) and not is_dynamic:
            return Node('condition', (self.expression('bool', depth - 1), self.expression(ty, depth - 1),
                                      self.expression(ty, depth - 1)), ty)
        functions = [f for f in self.functions if f[2] == ty]
        if functions and self.chance(0.12):
            name, params, _, _ = self.pick(functions)
            return call(name, ty, *[self.expression(t, depth - 1) for t, _ in params])
        kind = 'tensor' if is_tensor(ty) else 'seq' if is_seq(ty) else ty
        return getattr(self, 'some_' + kind)(ty, depth - 1)

    def leaf(self, ty):
        if ty == 'int':
            return literal(self.rng.randint(-3, 5), ty)
        if ty == 'real':
            return literal(Fraction(self.rng.randint(-8, 12), self.pick([1, 2, 4])), ty)
        if ty == 'bool':
            return literal(self.chance(0.5), ty)
        if ty == 'string':
            return literal(self.pick(['', 'a', 'bc', 'x y']), ty)
        if is_tensor(ty):
            return Node('tensor', [self.leaf(component(ty)) for _ in range(ty[1])], ty)
        n = self.rng.randint(1, 3) if ty[2] is None else ty[2]
        return Node('sequence', [self.leaf(ty[1]) for _ in range(n)], ty)

    def below(self, n, depth):
        """An int from 0 to n - 1."""
        return binary('%', 'int', call('abs', 'int', self.expression('int', depth)), literal(n, 'int'))

    def element(self, ty, depth):
        """Of a sequence of some length that is seen; or None."""
        found = [v for scope in self.scopes for v in scope if is_seq(v[1]) and v[1][1] == ty and v[1][2]]
        if not found:
            return None
        name, seq, _ = self.pick(found)
        return Node('index', (variable(name, seq), self.below(seq[2], depth)), ty)

    def some_source(self, element, depth):
        """Something to go through, of that element."""
        found = [v for scope in self.scopes for v in scope if is_seq(v[1]) and v[1][1] == element]
        if found and self.chance(0.6):
            name, seq, _ = self.pick(found)
            return variable(name, seq)
        if element == 'int' and self.chance(0.7):
            lo = self.rng.randint(-1, 2)
            hi = binary('%', 'int', self.expression('int', depth), literal(4, 'int'))
            if self.chance(0.4):  # surely several
                hi = literal(lo + self.rng.randint(1, 3), 'int')
            return Node('range', (literal(lo, 'int'), hi), ('seq', 'int', None))
        return self.leaf(('seq', element, None))

    def fold(self, name, ty, depth):
        element = self.pick(['int', 'real']) if ty in ('int', 'bool') else 'real'
        source, item = self.some_source(element, depth), self.new_name('q')
        self.scopes.append([(item, element, False)])
        body = self.expression(ty, depth)
        if self.chance(0.7):
            body = self.with_item(variable(item, element), ty, body)
        self.scopes.pop()
        seq = Node('comprehension', (source, body), ('seq', ty, None), item)
        return Node('fold', (seq,), ty, name)

    def with_item(self, item, ty, body):
        """Elements that differ."""
        if ty == 'bool':
            return binary(self.pick(['<', '>=', '!=']), ty, item, self.leaf(item.ty))
        if is_tensor(ty):
            return binary('*', ty, item, body)
        return binary(self.pick(['+', '-']), ty, item, body) if item.ty == ty else body

    def some_int(self, ty, depth):
        kind = self.rng.randint(0, 9)
        if kind <= 3:
            name = self.pick(['+', '-', '*', '+'])
            return binary(name, ty, self.expression(ty, depth), self.expression(ty, depth if name != '*' else 0))
        if kind == 4:
            return binary(self.pick(['/', '%']), ty, self.expression(ty, depth),
                          literal(self.pick([2, 3, 5]), ty))
        if kind == 5:
            return call(self.pick(['min', 'max']), ty, self.expression(ty, depth), self.expression(ty, depth))
        if kind == 6:
            return call('abs', ty, self.expression(ty, depth))
        if kind == 7:
            found = [v for scope in self.scopes for v in scope if is_seq(v[1])]
            if found:
                name, seq, _ = self.pick(found)
                return call('length', ty, variable(name, seq))
            return self.leaf(ty)
        if kind == 8:
            return self.fold(self.pick(FOLDS), ty, min(depth, 1))
        return self.element(ty, 0) or Node('unary', (self.expression(ty, depth),), ty, 'neg')

    def some_real(self, ty, depth):
        kind = self.rng.randint(0, 15)
        if kind <= 4:
            name = self.pick(['+', '-', '*'])
            return binary(name, ty, self.expression(ty, depth), self.expression(ty, depth if name != '*' else 0))
        if kind == 5:
            return binary('/', ty, self.expression(ty, depth), literal(Fraction(self.pick([2, 4, -2])), ty))
        if kind == 6:
            return real_of(self.expression('int', depth))
        if kind == 7:
            return call(self.pick(['min', 'max']), ty, self.expression(ty, depth), self.expression(ty, depth))
        if kind == 8:
            return call(self.pick(['abs', 'floor', 'ceil', 'trunc']), ty, self.expression(ty, depth))
        if kind == 9:
            return call('clamp', ty, literal(Fraction(-2), ty), literal(Fraction(9, 2), ty),
                        self.expression(ty, depth))
        if kind == 10:
            shape = self.pick([vec(2), vec(3)])
            return binary('•', ty, self.expression(shape, depth), self.expression(shape, depth))
        if kind == 11:
            name = self.pick(['trace', 'det'])
            return call(name, ty, self.expression(vec(2, 2), min(depth, 1)))
        if kind == 12:
            shape = self.pick([vec(2), vec(3)])
            return Node('index', (self.expression(shape, 0), literal(self.rng.randint(0, shape[1] - 1), 'int')), ty)
        if kind == 13:
            return self.element(ty, 0) or self.fold(self.pick(FOLDS), ty, min(depth, 1))
        if kind == 14:
            return Node('unary', (self.expression(ty, depth),), ty, 'neg')
        return self.probe(ty, depth) or call('lerp', ty, self.expression(ty, depth), self.expression(ty, depth),
                                         literal(HALF, ty))

    def probe(self, ty, depth):
        """A field's value or gradient of that type, inside; or None."""
        values = [('probe', field) for field in self.program.fields if field.ty == ty]
        slopes = [('gradient', field) for field in self.program.fields
                  if field.slope and ty == ('real' if field.dim == 1 else vec(2))]
        if not values + slopes:
            return None
        kind, field = self.pick(values + slopes)
        at = [self.inside(depth) for _ in range(field.dim)]
        return Node(kind, (at[0] if field.dim == 1 else Node('tensor', at, vec(2)),), ty, field.name)

    def inside(self, depth):
        eighth = binary('*', 'real', literal(Fraction(1, 4), 'real'), real_of(self.below(8, depth)))
        return binary('+', 'real', literal(Fraction(3), 'real'), eighth)

    def some_bool(self, ty, depth):
        kind = self.rng.randint(0, 7)
        if kind <= 3:
            of = self.pick(['int', 'real'])
            name = self.pick(['<', '<=', '>', '>=', '==', '!='])
            return binary(name, ty, self.expression(of, depth), self.expression(of, depth))
        if kind <= 5:
            return binary(self.pick(['&&', '||']), ty, self.expression(ty, depth), self.expression(ty, depth))
        if kind == 6:
            strings = self.visible('string')
            if strings:
                name, _, _ = self.pick(strings)
                return binary(self.pick(['==', '!=']), ty, variable(name, 'string'), self.leaf('string'))
            return self.fold(self.pick(['all', 'exists']), ty, min(depth, 1))
        return Node('unary', (self.expression(ty, depth),), ty, 'not')

    def some_tensor(self, ty, depth):
        kind = self.rng.randint(0, 6)
        if ty == vec(2) and self.chance(0.2):
            found = self.probe(ty, depth)
            if found:
                return found
        if kind <= 1:
            return binary(self.pick(['+', '-']), ty, self.expression(ty, depth), self.expression(ty, depth))
        if kind == 2:
            return binary('*', ty, self.expression('real', 0), self.expression(ty, depth))
        if kind == 3 and ty == vec(2, 2):
            if self.chance(0.5):
                return call('transpose', ty, self.expression(ty, depth))
            return binary('⊗', ty, self.expression(vec(2), 0), self.expression(vec(2), 0))
        if kind == 4 and ty == vec(2):
            return binary('•', ty, self.expression(vec(2, 2), 0), self.expression(ty, 0))
        if kind == 5:
            if self.chance(0.5):
                return self.fold(self.pick(FOLDS), ty, min(depth, 1))
            return Node('unary', (self.expression(ty, depth),), ty, 'neg')
        return Node('tensor', [self.expression(component(ty), depth - 1) for _ in range(ty[1])], ty)

    def some_seq(self, ty, depth):
        if ty[2] is not None:
            return Node('sequence', [self.expression(ty[1], depth) for _ in range(ty[2])], ty)
        kind = self.rng.randint(0, 3)
        if kind == 0:
            return binary('@', ty, self.expression(ty, depth), self.expression(ty[1], depth))
        if kind == 1:
            return binary('@', ty, self.expression(ty[1], depth), self.expression(ty, 0))
        if kind == 2:
            source, item = self.some_source('int', 0), self.new_name('q')
            self.scopes.append([(item, 'int', False)])
            body = self.expression(ty[1], min(depth, 1))
            self.scopes.pop()
            return Node('comprehension', (source, body), ty, item)
        return self.leaf(ty)
