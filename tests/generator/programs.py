"""Random programs: valid, ending, of all that the language has. programs.make(seed) gives the same one
for the same seed. Next: meaning.py says what it means, check.py compares.
"""
import random
from fractions import Fraction

import fields
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


class Maker:
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

    # ---- statements -------------------------------------------------------------------------------

    def block(self, n, depth, exits):
        self.scopes.append([])
        parts = []
        for _ in range(n):
            part = self.statement(depth, exits)
            parts.append(part)
            if part.kind == 'exit':
                break
        self.scopes.pop()
        return Node('block', parts)

    def statement(self, depth, exits):
        kind = self.rng.random()
        if kind < 0.2 or (kind < 0.7 and not self.targets()):
            ty, name = self.some_type(), self.new_name('t')
            node = Node('local', (self.expression(ty, 2),), ty, name)
            self.scopes[-1].append((name, ty, True))
            return node
        if kind < 0.7:
            return self.assignment()
        if depth > 0 and kind < 0.86:
            cond = self.expression('bool', 2)
            n_else = self.rng.randint(0, 2) if self.chance(0.6) else 0
            return Node('if', (cond, self.block(self.rng.randint(1, 3), depth - 1, exits),
                               self.block(n_else, depth - 1, exits)))
        if depth > 0 and kind < 0.92:
            return self.loop(depth, exits)
        if kind < 0.95 and self.may_print:
            return self.print_statement()
        if exits and depth < 3 and self.chance(0.7):
            if 'new' in exits and self.chance(0.5):
                return self.birth()
            return Node('exit', name=self.pick([e for e in exits if e != 'new']))
        return self.assignment() if self.targets() else Node('block')

    def targets(self):
        return [v for scope in self.scopes for v in scope if v[2]]

    def assignment(self):
        name, ty, _ = self.pick(self.targets())
        if ty in ('int', 'real') and self.chance(0.5):
            op = self.pick(['+=', '-=', '*='])
            value = self.leaf(ty) if op == '*=' else self.expression(ty, 2)
            return Node('assign', (value,), op, name)
        return Node('assign', (self.expression(ty, 3),), '=', name)

    def loop(self, depth, exits):
        element = self.pick(['int', 'int', 'real'])
        source, name = self.some_source(element, 1), self.new_name('q')
        self.scopes.append([(name, element, False)])
        body = self.block(self.rng.randint(1, 2), depth - 1, exits)
        self.scopes.pop()
        return Node('foreach', (source, body), element, name)

    def print_statement(self):
        parts = [self.expression(self.pick(['int', 'bool', 'int', 'real']), 1), literal(' ', 'string')]
        return Node('print', parts)

    def birth(self):
        args = [self.expression('int', 0) for _ in self.program.params]
        args += [self.child_arg(ty, name) for ty, name, _ in self.program.extra]
        guard = binary('<', 'bool', variable('generation', 'int'), literal(2, 'int'))
        once = binary('==', 'bool', variable('age', 'int'), literal(self.rng.randint(0, 2), 'int'))
        guard = binary('&&', 'bool', guard, once if self.chance(0.7) else self.expression('bool', 1))
        return Node('if', (guard, Node('block', [Node('new', args)]), Node('block')))

    def child_arg(self, ty, name):
        if name == 'generation':
            return binary('+', 'int', variable(name, 'int'), literal(1, 'int'))
        return self.expression(ty, 1)

    # ---- parts of a program -----------------------------------------------------------------------

    def make_globals(self):
        program, scope = self.program, []
        self.scopes = [scope]
        for ty in self.rng.sample(['int', 'real', 'bool', 'string', vec(2), ('seq', 'real', 3), vec(2, 2),
                                   ('seq', 'int', 2)], self.rng.randint(1, 4)):
            name = self.new_name('in')
            program.inputs.append(Node('local', (self.leaf(ty),), ty, name))
            scope.append((name, ty, False))
        if self.chance(0.5):
            self.make_fields()
        for _ in range(self.rng.randint(0, 3)):
            ty, name = self.some_type(), self.new_name('g')
            program.globals.append(Node('local', (self.expression(ty, 2),), ty, name))
            scope.append((name, ty, False))
        for _ in range(self.rng.randint(0, 2)):
            self.make_function()
        if self.chance(0.25):
            self.set_assignable(program.globals, True)
            self.may_print = self.chance(0.3)
            program.init = self.block(2, 1, [])
            self.set_assignable(program.globals, False)

    def set_assignable(self, nodes, may):
        names = {node.name for node in nodes}
        self.scopes[0][:] = [(n, t, may if n in names else a) for n, t, a in self.scopes[0]]

    def make_fields(self):
        for _ in range(self.pick([1, 1, 2])):
            image = fields.random_image(self.rng, self.new_name('img'))
            self.program.images.append(image)
            kernels = self.pick([['ctmr'], ['tent'], ['ctmr', 'tent']])
            self.program.fields += [fields.of_image(self.new_name('F'), image, kernel) for kernel in kernels]
        if self.chance(0.4):
            self.program.fields.append(fields.of_formula(self.new_name('F'), self.rng.randint(-2, 3)))

    def make_function(self):
        name, ty = self.new_name('f'), self.pick(['int', 'real', 'bool', vec(2), 'real'])
        params = [(self.pick(['int', 'real', vec(2), 'bool']), self.new_name('a'))
                  for _ in range(self.rng.randint(1, 2))]
        self.scopes.append([(n, t, False) for t, n in params])
        self.may_print = not self.is_plain and self.chance(0.4)
        body = self.block(self.rng.randint(0, 2), 1, [])
        self.scopes.append([])
        if self.chance(0.5):
            early = Node('block', [Node('return', (self.expression(ty, 2),))])
            body.parts.append(Node('if', (self.expression('bool', 2), early, Node('block'))))
        if self.chance(0.3):
            loop = self.loop(1, [])
            if self.chance(0.5):
                early = Node('block', [Node('return', (self.expression(ty, 1),))])
                loop.parts[1].parts.append(Node('if', (self.expression('bool', 1), early, Node('block'))))
            body.parts.append(loop)
        body.parts.append(Node('return', (self.expression(ty, 2),)))
        self.scopes.pop()
        self.scopes.pop()
        function = (name, params, ty, body)
        self.program.functions.append(function)
        self.functions.append(function)

    def make_state(self):
        program, scope = self.program, []
        program.is_collection = self.chance(0.5)
        if self.chance(0.4):
            program.params, program.sizes = ['i'], [self.rng.randint(1, 20)]
        else:
            program.sizes = [self.rng.randint(1, 4), self.rng.randint(1, 6)]
        if program.is_collection and not self.is_plain and self.chance(0.75):
            program.extra = [('int', 'generation', literal(0, 'int'))]
            if self.chance(0.5):
                program.extra.append(('real', 'gift', literal(HALF, 'real')))
        scope += [(name, 'int', False) for name in program.params]
        scope += [(name, ty, False) for ty, name, _ in program.extra]
        self.scopes.append(scope)
        program.state.append((Node('local', (literal(0, 'int'),), 'int', 'age'), self.chance(0.3)))
        self.queries = not self.is_plain and self.chance(0.5)
        if self.queries:
            self.make_pos(scope)
        self.in_update = True
        for k in range(self.rng.randint(1, 4)):
            ty, name = self.some_type(), self.new_name('s')
            program.state.append((Node('local', (self.expression(ty, 2),), ty, name), k == 0 or self.chance(0.5)))
            scope.append((name, ty, True))

    def make_pos(self, scope):
        at = [binary('*', 'real', literal(Fraction(3, 4), 'real'), real_of(variable(n, 'int')))
              for n in self.program.params]
        ty = 'real' if len(at) == 1 else vec(2)
        node = at[0] if len(at) == 1 else Node('tensor', at, ty)
        self.program.state.append((Node('local', (node,), ty, 'pos'), False))
        scope.append(('pos', ty, False))

    def ageing(self):
        """Every strand ends."""
        most = binary('+', 'int', literal(self.rng.randint(1, 3), 'int'),
                      binary('%', 'int', call('abs', 'int', variable('i', 'int')), literal(3, 'int')))
        how = 'die' if self.program.is_collection and self.chance(0.15) else 'stabilize'
        end = Node('block', [Node('exit', name=how)])
        if how == 'die':
            even = binary('==', 'bool', binary('%', 'int', variable('i', 'int'), literal(2, 'int')),
                          literal(0, 'int'))
            end = Node('block', [Node('if', (even, end, Node('block', [Node('exit', name='stabilize')])))])
        cond = binary('>', 'bool', variable('age', 'int'), most)
        return [Node('assign', (literal(1, 'int'),), '+=', 'age'), Node('if', (cond, end, Node('block')))]

    def make_methods(self):
        program = self.program
        exits = ['continue', 'continue', 'stabilize'] + (['die'] if program.is_collection else [])
        if program.extra:
            exits.append('new')
        self.may_print = self.chance(0.3)
        self.scopes[1].append(('age', 'int', False))
        if self.chance(0.3):
            program.strand_init = self.block(2, 1, [])
        if self.chance(0.35):
            program.start = self.block(self.rng.randint(1, 3), 2, exits)
        may_print, self.may_print = self.may_print, self.may_print and not self.is_plain
        body = self.block(self.rng.randint(2, 6), 2, exits)
        self.may_print, self.in_update = may_print, False
        queries = [self.query()] if self.queries else []
        births = [self.birth()] if program.extra and self.chance(0.7) else []
        program.update = Node('block', births + self.ageing() + queries + body.parts)
        if self.chance(0.7):
            program.stabilize = self.block(self.rng.randint(1, 3), 1, [])
        self.scopes.pop()

    def query(self):
        """Sums over neighbours, into a state variable that can take it."""
        radius = literal(Fraction(self.rng.randint(1, 9), 4) + Fraction(1, 16), 'real')
        pos = next(node.ty for node, _ in self.program.state if node.name == 'pos')
        source = Node('sphere', (radius,), pos)
        item = Node('variable', ty='strand', name='p')
        targets = [(n, t) for n, t, a in self.scopes[1] if a and t in ('int', 'real')]
        if not targets:
            return Node('block')
        name, ty = self.pick(targets)
        state = Node('state', (item,), ty, name)
        return Node('foreach', (source, Node('block', [Node('assign', (state,), '+=', name)])), 'S', 'p')

    def make_global_blocks(self):
        program = self.program
        if self.is_plain:
            return
        self.may_print = self.chance(0.4)
        self.set_assignable(program.globals, True)
        if self.chance(0.2):
            program.global_start = self.block(2, 1, ['continue'])
        # Without one, the order of text depends on whether a query or birth is of use.
        is_needed = self.queries or program.extra
        if is_needed or self.chance(0.3):
            end = Node('print', [literal('|', 'string')])
            parts = self.sums() + self.block(2, 1, ['continue']).parts
            program.global_update = Node('block', ([end] if is_needed else []) + parts)

    def sums(self):
        """Over strands, of what globals can take: often several over the same, one after another."""
        of = self.pick(['S.all', 'S.all', 'S.active', 'S.stable'])
        parts = []
        for node in [n for n in self.program.globals if n.ty in ('int', 'real') or is_tensor(n.ty)][:3]:
            found = [n.name for n, _ in self.program.state if n.ty == node.ty]
            if found:
                of = of if self.chance(0.7) else self.pick(['S.all', 'S.active', 'S.stable'])
                name = self.pick(FOLDS + (['mean'] if node.ty != 'int' and of == 'S.all' else []))
                state = Node('state', (variable('p', 'strand'),), node.ty, self.pick(found))
                if self.chance(0.3):
                    state = binary('+', node.ty, state, self.leaf(node.ty))
                seq = Node('comprehension', (Node('set', ty=('seq', 'strand', None), name=of), state),
                           ('seq', node.ty, None), 'p')
                parts.append(Node('assign', (Node('fold', (seq,), node.ty, name),), '=', node.name))
        return parts

    def make(self):
        self.may_print = False
        self.make_globals()
        self.make_state()
        self.make_methods()
        self.make_global_blocks()
        return self.program


def make(seed):
    return Maker(seed).make()
