"""Rewritings that must not change the meaning of a program."""
import copy
from fractions import Fraction

import fields
from tree import Frame, Node

COMMUTES = ('+', '*', '==', '!=')


def nodes(node):
    yield node
    for part in node.parts:
        yield from nodes(part)


def blocks(program):
    return [node for body in program.bodies() for node in nodes(body) if node.kind == 'block']


def expressions(program, kinds):
    return [node for body in program.bodies() for node in nodes(body) if node.kind in kinds]


def name_expression(program, rng):
    """The value of an assignment becomes a variable before it."""
    found = [(b, k) for b in blocks(program) for k, p in enumerate(b.parts)
             if p.kind == 'assign' and p.parts[0].ty not in (None, 'strand')]
    if not found:
        return False
    block, k = rng.choice(found)
    value = block.parts[k].parts[0]
    block.parts[k].parts[0] = Node('variable', ty=value.ty, name='named')
    block.parts[k] = Node('block', [Node('local', (value,), value.ty, 'named'), block.parts[k]])
    return True


def turn_branches(program, rng):
    """if (c) a else b becomes if (!c) b else a."""
    found = expressions(program, ('if',))
    for node in found:
        if rng.random() < 0.7:
            cond, yes, no = node.parts
            node.parts = [Node('unary', (cond,), 'bool', 'not'), no, yes]
    return bool(found)


def turn_operands(program, rng):
    found = [n for n in expressions(program, ('binary',)) if n.name in COMMUTES and n.parts[0].ty == n.parts[1].ty
             and n.ty in ('int', 'real', 'bool')]
    for node in found:
        if rng.random() < 0.7:
            node.parts.reverse()
    return bool(found)


def nest_rest(program, rng):
    """What follows a branch that leaves goes into its else."""
    found = [(b, k) for b in blocks(program) for k, p in enumerate(b.parts)
             if p.kind == 'if' and not p.parts[2].parts and leaves(p.parts[1]) and k + 1 < len(b.parts)]
    if not found:
        return False
    block, k = rng.choice(found)
    block.parts[k].parts[2] = Node('block', block.parts[k + 1:])
    del block.parts[k + 1:]
    return True


def leaves(block):
    last = block.parts[-1] if block.parts else None
    if last is None:
        return False
    if last.kind == 'if':
        return leaves(last.parts[1]) and leaves(last.parts[2])
    return last.kind == 'exit'


def into_function(program, rng):
    """A real or int expression of literals and inputs' operators goes into a function of what it reads."""
    found = [n for n in expressions(program, ('binary',)) if n.ty in ('int', 'real')
             and all(p.ty in ('int', 'real') for p in n.parts)]
    if not found:
        return False
    node = rng.choice(found)
    params = [(part.ty, 'given%d' % k) for k, part in enumerate(node.parts)]
    body = Node('binary', [Node('variable', ty=t, name=n) for t, n in params], node.ty, node.name)
    program.functions.insert(0, ('moved', params, node.ty, Node('block', [Node('return', (body,))])))
    node.kind, node.name = 'call', 'moved'
    return True


def free_variables(node, bound=()):
    """What an expression reads besides its own items, each once: {name: type}."""
    if node.kind == 'variable':
        return {} if node.name in bound else {node.name: node.ty}
    inner = bound + (node.name,) if node.kind == 'comprehension' else bound
    found = {}
    for k, part in enumerate(node.parts):
        found.update(free_variables(part, bound if k == 0 else inner))
    return found


def statement_into_function(program, rng):
    """What a strand assigns is computed by a function of all that it reads."""
    methods = [body for body in (program.start, program.update, program.stabilize) if body]
    found = [(node, free_variables(node.parts[0])) for body in methods for node in nodes(body)
             if node.kind == 'assign' and not any(n.kind in ('set', 'sphere', 'state') for n in nodes(node))]
    found = [(node, reads) for node, reads in found
             if reads and node.parts[0].ty != 'string' and all(ty and ty != 'strand' for ty in reads.values())]
    if not found:
        return False
    node, reads = rng.choice(found)
    value, params = node.parts[0], [(ty, name) for name, ty in reads.items()]
    body = Node('block', [Node('return', (value,))])
    program.functions.append(('computed', params, value.ty, body))
    args = [Node('variable', ty=ty, name=name) for ty, name in params]
    node.parts[0] = Node('call', args, value.ty, 'computed')
    return True


def turned(source):
    """A range or a literal, from its end."""
    if source.kind == 'sequence':
        return Node('sequence', reversed(source.parts), source.ty)
    lo, hi = source.parts
    item = Node('binary', (Node('binary', (lo.copy(), hi.copy()), 'int', '+'),
                           Node('variable', ty='int', name='back')), 'int', '-')
    return Node('comprehension', (source, item), ('seq', 'int', None), 'back')


def only_adds(body):
    """Statements that do no more than to add up what none of them reads: in any order the same."""
    found = [node for node in nodes(body) if node.kind not in ('block', 'if')]
    statements = [n for n in found if n.kind in ('assign', 'local', 'print', 'foreach', 'exit', 'new', 'return')]
    targets = {node.name for node in statements}
    return all(node.kind == 'assign' and node.ty in ('+=', '-=') for node in statements) and not any(
        node.kind == 'variable' and node.name in targets for node in found)


def turn_loops(program, _rng):
    """Sums and the like, and loops that only add, go the other way round."""
    loops = [n for n in expressions(program, ('foreach',)) if only_adds(n.parts[1])]
    loops += [n.parts[0] for n in expressions(program, ('fold',)) if n.parts[0].kind == 'comprehension']
    loops = [n for n in loops if n.parts[0].kind in ('range', 'sequence')]
    for node in loops:
        node.parts[0] = turned(node.parts[0])
    return bool(loops)


def once_around(program, rng):
    """A statement goes into a loop that runs once; reductions over strands may not."""
    found = [(b, k) for b in blocks(program) for k, p in enumerate(b.parts)
             if p.kind in ('assign', 'print', 'if') and not any(n.kind == 'set' for n in nodes(p))]
    if not found:
        return False
    block, k = rng.choice(found)
    zero = Node('literal', ty='int', name=0)
    once = Node('range', (zero, zero.copy()), ('seq', 'int', None))
    block.parts[k] = Node('foreach', (once, Node('block', [block.parts[k]])), 'int', 'once')
    return True


def move_images(program, rng):
    """Samples elsewhere, farther apart and with their axes turned, asked for where they are now."""
    found = {field.name: field for field in program.fields if field.image}
    if not found:
        return False
    frame = Frame(rng.choice([-3, 5, 16]), rng.choice([2, 4, -1, -2]), rng.random() < 0.5)
    program.frame = frame
    program.fields = [fields.moved(field, frame) if field.image else field for field in program.fields]
    roots = program.bodies() + program.globals + program.inputs + [node for node, _ in program.state]
    for node in [n for root in roots for n in nodes(root) if n.kind in ('probe', 'gradient') and n.name in found]:
        move_probe(node, found[node.name].dim, frame)
    return True


def move_probe(node, dim, frame):
    at, ty = node.parts[0], node.parts[0].ty
    is_swapped = frame.is_swapped and dim == 2
    if is_swapped:
        at = swapped(at)
    origin = real(frame.origin) if dim == 1 else Node('tensor', [real(frame.origin) for _ in range(dim)], ty)
    node.parts[0] = Node('binary', (Node('binary', (real(frame.spacing), at), ty, '*'), origin), ty, '+')
    if node.kind == 'gradient':
        slope = swapped(node) if is_swapped else node.copy()
        node.kind, node.name, node.parts = 'binary', '*', [real(frame.spacing), slope]


def swapped(node):
    """Of a vector of two: its components the other way round."""
    part = [Node('index', (node.copy(), Node('literal', ty='int', name=k)), 'real') for k in (1, 0)]
    return Node('tensor', part, node.ty)


def real(value):
    return Node('literal', ty='real', name=Fraction(value))


def turn_strands(program, _rng):
    """The first of them last."""
    is_heard = any(node.kind == 'print' for body in program.bodies() for node in nodes(body))
    if program.is_collection or is_heard:
        return False
    program.is_turned = True
    return True


def in_order(program, outputs):
    """As they would be, were the strands not turned."""
    if not program.is_turned:
        return outputs
    n = len(next(iter(outputs.values()))) // program.sizes[0]
    return {name: [value for k in reversed(range(program.sizes[0])) for value in values[k * n:k * n + n]]
            for name, values in outputs.items()}


REWRITINGS = [move_images, turn_strands, name_expression, turn_branches, turn_operands, nest_rest, into_function,
              statement_into_function, turn_loops, once_around]


def each(program, rng):
    """Changed copies, and the name of the change; at last a copy that is not."""
    for change in rng.sample(REWRITINGS, len(REWRITINGS)):
        copied = copy.deepcopy(program)
        if change(copied, rng):
            yield copied, change.__name__.replace('_', ' ')
    yield copy.deepcopy(program), 'none'
