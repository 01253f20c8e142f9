"""Reduces a program that fails: parts are left out, or replaced by simpler ones, as long as it fails in the same way."""
import copy
import time

from tree import Node, is_seq, is_tensor


def nodes(node):
    yield node
    for part in node.parts:
        yield from nodes(part)


def roots(program):
    """Everything with parts."""
    yield from (node for node in program.inputs)
    yield from (node for node in program.globals)
    yield from (node for node, _ in program.state)
    yield from program.bodies()


def simplest(ty):
    if ty is None or ty == 'strand':
        return None
    if ty in ('int', 'real', 'bool', 'string'):
        return Node('literal', ty=ty, name={'int': 0, 'real': 0, 'bool': False, 'string': ''}[ty])
    if is_tensor(ty):
        inner = 'real' if len(ty) == 2 else ('tensor',) + ty[2:]
        return Node('tensor', [simplest(inner) for _ in range(ty[1])], ty)
    if is_seq(ty):
        return Node('sequence', [simplest(ty[1]) for _ in range(ty[2] or 0)], ty)
    return None


def without_lists(program):
    """Whole parts left out: methods, globals, functions, state."""
    for name in ('init', 'strand_init', 'start', 'stabilize', 'global_start', 'global_update'):
        if getattr(program, name):
            smaller = copy.deepcopy(program)
            setattr(smaller, name, None)
            yield smaller
    for name in ('globals', 'functions', 'state', 'inputs', 'fields', 'images'):
        for k in reversed(range(len(getattr(program, name)))):
            smaller = copy.deepcopy(program)
            del getattr(smaller, name)[k]
            yield smaller
    for k, size in enumerate(program.sizes):
        if size > 1:
            smaller = copy.deepcopy(program)
            smaller.sizes[k] = 1 if size < 4 else size // 2
            yield smaller


def without_statements(program):
    for r, root in enumerate(roots(program)):
        for n, node in enumerate(nodes(root)):
            if node.kind != 'block':
                continue
            for k in range(len(node.parts)):
                smaller = copy.deepcopy(program)
                block = list(nodes(list(roots(smaller))[r]))[n]
                inner = block.parts[k]
                del block.parts[k]
                yield smaller
                if inner.kind == 'if':
                    for arm in inner.parts[1:]:
                        spliced = copy.deepcopy(smaller)
                        target = list(nodes(list(roots(spliced))[r]))[n]
                        target.parts[k:k] = copy.deepcopy(arm.parts)
                        yield spliced


def with_simpler(program):
    for r, root in enumerate(roots(program)):
        for n, node in enumerate(nodes(root)):
            for k, part in enumerate(node.parts):
                if part.ty is None or part.kind in ('block', 'local', 'assign', 'foreach', 'literal', 'set', 'sphere'):
                    continue
                inner = [p for p in part.parts if p.ty == part.ty]
                for simple in [simplest(part.ty)] + inner:
                    if simple is None:
                        continue
                    smaller = copy.deepcopy(program)
                    list(nodes(list(roots(smaller))[r]))[n].parts[k] = copy.deepcopy(simple)
                    yield smaller


def make(program, fails, deadline):
    is_smaller = True
    while is_smaller and time.monotonic() < deadline:
        is_smaller = False
        for candidates in (without_lists, without_statements, with_simpler):
            again = True
            while again and time.monotonic() < deadline:
                again = False
                for candidate in candidates(program):
                    if time.monotonic() >= deadline:
                        break
                    if len(candidate.text()) < len(program.text()) and fails(candidate):
                        program, is_smaller, again = candidate, True, True
                        break
    return program
