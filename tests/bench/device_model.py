#!/usr/bin/env python3
"""Predicts times of programs on GPUs that are not available, from counts of an interpreter of PTX.

    tests/bench/device_model.py [--bytes N] [--warps N] [--markdown] STATISTICS...

STATISTICS is what the interpreter wrote at the end of a run (PTX_WARPS=1 PTX_STATS=1, doc/devices.md):
a line for each kernel with its launches, and one with the instructions that warps issued, flops per
byte, sectors of 32 bytes, and which part of them was asked for. --bytes says how many of images are
read at least once, --warps how many ran at first, of the kernels that update strands.

Of each kernel the time is the largest of these, none of which a device can be faster than:

    issue       a multiprocessor begins so many instructions of warps in a cycle
    arithmetic  and has so many units for floats: a product and its sum take one
    cache       and its cache delivers about a sector in a cycle
    latency     a warp waits for its own last instruction: what matters where there are few

With fewer warps of strands than multiprocessors, only so many of these work. Of a program it is the sum over its
kernels, or what memory takes for --bytes if that is longer, and microseconds for each launch. Sectors,
latency and launches are what an H200 showed (doc/devices.md): expect half to twice the time.
"""

import argparse
import re
import sys
from collections import namedtuple

# Multiprocessors; GHz that are held; instructions and units for floats in each; GB/s of memory.
Device = namedtuple('Device', 'name n_sm ghz issue units gbytes')
DEVICES = [
    Device('H200', 132, 1.83, 4, 128, 4800),
    Device('A100', 108, 1.41, 4, 64, 1935),
    Device('RTX 4070', 46, 2.48, 4, 128, 504),
    Device('RTX 4050 laptop', 20, 2.0, 4, 128, 192),
]
SECTORS = 1         # of the cache of a multiprocessor, in a cycle
LATENCY = 12        # cycles between instructions of a warp that waits for its own loads
LAUNCH = 10e-6      # seconds until a kernel begins that has not run before
SECTOR = 32         # bytes

Kernel = namedtuple('Kernel', 'name n_launches issued flops sectors')
Bound = namedtuple('Bound', 'seconds of')

LAUNCHES = re.compile(r'ptx-run: +\d+ instructions in +(\d+) launches of (\S+)')
WARPS = re.compile(r'ptx-run: +(\d+) +([\d.]+) +([\d.]+) +(\d+) +([\d.]+) +([\d.]+) +(\d+) +(\S+)')


def read_kernels(text):
    """In the order of the text. Long names are cut in the second table."""
    launches = LAUNCHES.findall(text)
    kernels = []
    for number, row in enumerate(WARPS.findall(text)):
        issued, _, per_byte, sectors, _, asked, _, name = row
        n_launches, whole_name = launches[number]
        if not whole_name.startswith(name):
            raise ValueError(f'{name} is not {whole_name}, whose launches stand in its place')
        flops = float(per_byte)*float(asked)*int(sectors)*SECTOR
        kernels.append(Kernel(name, int(n_launches), int(issued), flops, int(sectors)))
    if not kernels or len(kernels) != len(launches):
        raise ValueError(f'{len(launches)} kernels with launches, {len(kernels)} with figures of warps')
    return kernels


def bound_of(kernel, device, n_warps):
    """The longest, and what it is of; warps are evenly spread."""
    cycles = device.ghz*1e9
    n_busy = min(device.n_sm, n_warps or device.n_sm)
    bounds = {
        'issue': kernel.issued/(n_busy*device.issue*cycles),
        'arithmetic': kernel.flops/2/(n_busy*device.units*cycles),
        'cache': kernel.sectors/(n_busy*SECTORS*cycles),
        'latency': LATENCY*kernel.issued/n_warps/cycles if n_warps else 0,
    }
    of = max(bounds, key=bounds.get)
    return Bound(bounds[of], of)


def predict(kernels, device, n_bytes=0, n_warps=0):
    """Seconds, and the bound of the kernel that takes longest."""
    bounds = [bound_of(kernel, device, n_warps if 'update_kernel' in kernel.name else 0) for kernel in kernels]
    seconds, of = sum(bound.seconds for bound in bounds), max(bounds).of
    memory = n_bytes/(device.gbytes*1e9) if n_bytes else 0
    launches = LAUNCH*sum(kernel.n_launches for kernel in kernels)
    if memory > seconds:
        seconds, of = memory, 'memory'
    if launches > seconds:
        of = 'launches'
    return Bound(seconds + launches, of)


def table(files, n_bytes, n_warps, is_markdown):
    rows = [['ms'] + [device.name for device in DEVICES]]
    for path in files:
        with open(path, encoding='utf-8') as file:
            kernels = read_kernels(file.read())
        bounds = [predict(kernels, device, n_bytes, n_warps) for device in DEVICES]
        rows.append([re.sub(r'.*/', '', path)] + [f'{1e3*b.seconds:.2f} {b.of}' for b in bounds])
    if is_markdown:
        rows.insert(1, ['---']*len(rows[0]))
        return [f'| {" | ".join(row)} |' for row in rows]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return ['  '.join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]


def main():
    parser = argparse.ArgumentParser(description='Predicts the time of programs on GPUs.')
    parser.add_argument('--bytes', type=int, default=0, help='of images, read at least once')
    parser.add_argument('--warps', type=int, default=0, help='that ran at first')
    parser.add_argument('--markdown', action='store_true')
    parser.add_argument('statistics', nargs='+')
    args = parser.parse_args()
    try:
        print('\n'.join(table(args.statistics, args.bytes, args.warps, args.markdown)))
    except (OSError, ValueError, IndexError) as error:
        print(f'device_model.py: {error}', file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
