"""Programs as trees, and their text. Types are 'bool', 'int', 'real', 'string', ('tensor', 3, ...) and
('seq', element, length), the length None where it is dynamic. Next: meaning.py, programs.py.
"""
from collections import namedtuple

# of images: where the first sample is, how far apart they are on each axis, and whether two axes change places
Frame = namedtuple('Frame', 'origin spacing is_swapped', defaults=(False,))


def is_tensor(ty):
    return ty[0] == 'tensor'


def is_seq(ty):
    return ty[0] == 'seq'


def vec(*dims):
    return ('tensor',) + dims


def component(ty):
    """What one index of a tensor gives."""
    return ('tensor',) + ty[2:] if len(ty) > 2 else 'real'


def type_text(ty):
    if is_tensor(ty):
        return 'vec%d' % ty[1] if len(ty) == 2 and ty[1] < 5 else 'tensor[%s]' % ','.join(map(str, ty[1:]))
    if is_seq(ty):
        return '%s[%s]' % (type_text(ty[1]), '' if ty[2] is None else ty[2])
    return ty


class Node:
    """A node of the tree: what it is, its type if it is an expression, its parts, and what names it."""

    def __init__(self, kind, parts=(), ty=None, name=None):
        self.kind, self.parts, self.ty, self.name = kind, list(parts), ty, name

    def copy(self):
        parts = [part.copy() if isinstance(part, Node) else part for part in self.parts]
        return Node(self.kind, parts, self.ty, self.name)


def real_text(value):
    """Dyadic: its decimal digits end."""
    sign, value = ('-', -value) if value < 0 else ('', value)
    whole, rest, digits = value.numerator // value.denominator, value % 1, ''
    while rest:
        rest *= 10
        digits += str(rest.numerator // rest.denominator)
        rest %= 1
    return '%s%d.%s' % (sign, whole, digits or '0')


def literal_text(value, ty):
    if ty == 'bool':
        return 'true' if value else 'false'
    if ty == 'string':
        return '"%s"' % value
    text = str(value) if ty == 'int' else real_text(value)
    return '(%s)' % text if text[0] == '-' else text


PREFIX = {'neg': '-', 'not': '!'}


def text(node):
    """Of an expression."""
    inner = [text(part) for part in node.parts if isinstance(part, Node)]
    kind = node.kind
    if kind == 'literal':
        return literal_text(node.name, node.ty)
    if kind == 'variable':
        return node.name
    if kind == 'binary':
        return '(%s %s %s)' % (inner[0], node.name, inner[1])
    if kind == 'unary':
        return '(%s%s)' % (PREFIX[node.name], inner[0])
    if kind == 'call':
        return '%s(%s)' % (node.name, ', '.join(inner))
    if kind == 'tensor':
        return '[%s]' % ', '.join(inner)
    if kind == 'sequence':
        return '{%s}' % ', '.join(inner)
    if kind == 'index':
        return '%s[%s]' % (inner[0], ', '.join(inner[1:]))
    if kind == 'condition':
        return '(%s if %s else %s)' % (inner[1], inner[0], inner[2])
    if kind == 'range':
        return '(%s..%s)' % (inner[0], inner[1])
    if kind == 'comprehension':
        return '{ %s | %s in %s }' % (inner[1], node.name, inner[0])
    if kind == 'fold':  # over a comprehension or a set of strands
        return '%s %s' % (node.name, inner[0])
    if kind == 'set':
        return node.name
    if kind == 'sphere':
        return 'sphere(%s)' % inner[0]
    if kind == 'state':
        return '%s.%s' % (inner[0], node.name)
    if kind == 'probe':
        return '%s(%s)' % (node.name, inner[0])
    if kind == 'gradient':
        return '(∇%s)(%s)' % (node.name, inner[0])
    raise ValueError(kind)


def lines(node, depth):
    """Of a statement."""
    pad, kind = '  ' * depth, node.kind
    if kind == 'block':
        return [line for part in node.parts for line in lines(part, depth)]
    if kind == 'local':
        return ['%s%s %s = %s;' % (pad, type_text(node.ty), node.name, text(node.parts[0]))]
    if kind == 'assign':
        return ['%s%s %s %s;' % (pad, node.name, node.ty, text(node.parts[0]))]
    if kind == 'if':
        result = ['%sif (%s) {' % (pad, text(node.parts[0]))] + lines(node.parts[1], depth + 1)
        if node.parts[2].parts:
            result += [pad + '} else {'] + lines(node.parts[2], depth + 1)
        return result + [pad + '}']
    if kind == 'foreach':
        head = '%sforeach (%s %s in %s) {' % (pad, type_text(node.ty), node.name, text(node.parts[0]))
        return [head] + lines(node.parts[1], depth + 1) + [pad + '}']
    if kind == 'print':
        return ['%sprint(%s);' % (pad, ', '.join(text(part) for part in node.parts))]
    if kind == 'new':
        return ['%snew S(%s);' % (pad, ', '.join(text(part) for part in node.parts))]
    if kind == 'return':
        return ['%sreturn %s;' % (pad, text(node.parts[0]))]
    if kind == 'exit':
        return ['%s%s;' % (pad, node.name)]
    raise ValueError(kind)


class Program:
    """All parts by name; a method or block is a block node, or None."""

    def __init__(self):
        self.inputs = []     # local nodes
        self.images = []     # fields.Image
        self.frame = Frame(0, 1)
        self.fields = []     # fields.Field
        self.globals = []    # local nodes
        self.functions = []  # (name, [(type, name)], type, block)
        self.init = None
        self.state = []      # (local node, is_output)
        self.strand_init = None
        self.start = self.update = self.stabilize = None
        self.global_start = self.global_update = None
        self.params = ['i', 'j']
        self.sizes = [3, 4]
        self.is_collection = False
        self.is_turned = False  # the first parameter counts down
        self.extra = []      # (type, name, value of initial strands): further parameters

    def head(self):
        result = []
        for node in self.inputs:
            result.append('input %s %s = %s;' % (type_text(node.ty), node.name, text(node.parts[0])))
        result += [image.text() for image in self.images]
        result += [field.text for field in self.fields]
        for node in self.globals:
            result += lines(node, 0)
        for name, params, ty, body in self.functions:
            takes = ', '.join('%s %s' % (type_text(t), n) for t, n in params)
            result += ['function %s %s (%s) {' % (type_text(ty), name, takes)] + lines(body, 1) + ['}']
        if self.init:
            result += ['initialize {'] + lines(self.init, 1) + ['}']
        return result

    def strand(self):
        params = ['int %s' % name for name in self.params]
        params += ['%s %s' % (type_text(ty), name) for ty, name, _ in self.extra]
        result = ['strand S (%s) {' % ', '.join(params)]
        for node, is_output in self.state:
            head = 'output ' if is_output else ''
            result.append('  %s%s %s = %s;' % (head, type_text(node.ty), node.name, text(node.parts[0])))
        methods = [('initialize', self.strand_init), ('start', self.start), ('update', self.update),
                   ('stabilize', self.stabilize)]
        for name, body in methods:
            if body:
                result += ['  %s {' % name] + lines(body, 2) + ['  }']
        return result + ['}']

    def text(self):
        result = ['#version 2.0'] + self.head() + self.strand()
        for name, body in (('start', self.global_start), ('update', self.global_update)):
            if body:
                result += ['%s {' % name] + lines(body, 1) + ['}']
        kind = 'collection' if self.is_collection else 'array'
        first = '%d - %s' % (self.sizes[0] - 1, self.params[0]) if self.is_turned else self.params[0]
        args = [first] + self.params[1:] + [text(value) for _, _, value in self.extra]
        ranges = ['%s in 0..%d' % (n, size - 1) for n, size in zip(self.params, self.sizes)]
        result.append('create_%s { S(%s) | %s }' % (kind, ', '.join(args), ', '.join(ranges)))
        return '\n'.join(result) + '\n'

    def bodies(self):
        """All blocks of statements, functions' too."""
        own = [self.init, self.strand_init, self.start, self.update, self.stabilize, self.global_start,
               self.global_update]
        return [body for body in own + [f[3] for f in self.functions] if body]
