"""Runs a program as a library, for check.py: library.py FILE.json GIVEN.json RESULT.json STEPS.

GIVEN has inputs by name. RESULT gets what was printed and, for each output, the lengths (of dynamic
sequences, else null) and all numbers. STEPS is how many supersteps are done at once, 0 for all.
"""
import itertools
import json
import sys

import diderot


def flat(value):
    return [number for part in value for number in flat(part)] if isinstance(value, list) else [value]


def output(world, name):
    value = world.output(name)
    if not isinstance(value, diderot.Sequences):
        return [None, flat(value.tolist())]
    strands = list(itertools.product(*map(range, value.lengths.shape[:-1])))
    rows = [flat(value[strand].tolist()) for strand in strands]
    return [[len(value[strand]) for strand in strands], [number for row in rows for number in row]]


def main():
    description, given, result, steps = sys.argv[1:]
    library, printed = diderot.Library(description), []
    with open(given, encoding='utf-8') as file:
        inputs = json.load(file)
    with library.world(**inputs) as world:
        world.on_print(printed.append)
        world.create()
        world.run(int(steps))
        while world.num_active:
            world.run(int(steps))
        found = {name: output(world, name) for name in library.outputs}
    with open(result, 'w', encoding='utf-8') as file:
        json.dump({'printed': ''.join(printed), 'outputs': found}, file)


if __name__ == '__main__':
    main()
