"""Random programs: valid, terminating, with all features of the language. programs.make(seed) gives the same one
for the same seed. Next: meaning.py says what it means, check.py compares.
"""
from fractions import Fraction

import fields
from expressions import FOLDS, HALF, Expressions, binary, call, literal, real_of, variable
from tree import Node, is_tensor, vec


class Maker(Expressions):
    """A program, from its globals to its sums."""

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
            per_axis = tuple(self.pick(['ctmr', 'tent']) for _ in image.sizes)
            choices = self.pick([[('ctmr',)], [('tent',)], [('ctmr',), ('tent',)], [per_axis], [('ctmr',), per_axis]])
            self.program.fields += [fields.of_image(self.new_name('F'), image, kernels) for kernels in choices]
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
