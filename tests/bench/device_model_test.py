#!/usr/bin/env python3
"""device_model.py on figures whose times are computed by hand."""

import sys

import device_model as model

TEXT = """\
ptx-run:       372736 instructions in      1 launches of _Z13create_kernelPK7globals18ddr_device_strands
ptx-run:    165057295 instructions in      8 launches of _Z13update_kernelPK7globals18ddr_device_strands9ddr_grant
ptx-run:   issued by warps, lanes of 32 on, flops per byte, sectors, per request, bytes asked for per byte of them, local bytes
ptx-run:         1000   31.6     0.00           100    2.7   1.00           0  _Z13create_kernelPK7globals
ptx-run:      8000000   19.5     2.00       2000000   10.6   0.50           0  _Z13update_kernelPK7globals18ddr_device_strands9ddr_grant
"""
PLAIN = model.Device('plain', n_sm=10, ghz=1, issue=4, units=32, gbytes=100)

n_failed = 0


def check(what, found, expected):
    global n_failed
    close = isinstance(expected, float) and abs(found - expected) <= 1e-9*abs(expected)
    if not close and found != expected:
        print(f'{what}: {found!r}, expected {expected!r}')
        n_failed += 1


def fails(what, text, expected):
    try:
        found = model.read_kernels(text)
    except ValueError as error:
        found = str(error)
    check(what, found, expected)


create, update = model.read_kernels(TEXT)
check('launches', (create.n_launches, update.n_launches), (1, 8))
check('instructions', update.issued, 8000000)
check('flops: 2 for each of half the bytes', update.flops, 64e6)
check('issue', model.bound_of(update, PLAIN, 0), model.Bound(8e6/(10*4*1e9), 'issue'))
few_units = PLAIN._replace(units=1)
check('arithmetic', model.bound_of(update, few_units, 0), model.Bound(32e6/(10*1e9), 'arithmetic'))
wide = PLAIN._replace(issue=1000, units=1000)
check('cache', model.bound_of(update, wide, 0), model.Bound(2e6/(10*1e9), 'cache'))
scattered = update._replace(sectors=10**9)
check('warps for half of it', model.bound_of(scattered, wide, 5), model.Bound(1e9/(5*1e9), 'cache'))
check('latency', model.bound_of(update, PLAIN, 100), model.Bound(12*8e6/100/1e9, 'latency'))
# Both kernels, 200 and 0.025 microseconds, and nine launches.
whole = model.predict([create, update], PLAIN)
check('all', round(whole.seconds*1e9), 200025 + 9*10000)
check('of all', whole.of, 'issue')
check('memory', model.predict([create, update], PLAIN, n_bytes=10**9).of, 'memory')
check('launches', model.predict([create], PLAIN).of, 'launches')
fails('nothing', 'no GPU is used\n', '0 kernels with launches, 0 with figures of warps')
fails('without warps', TEXT.split('ptx-run:   issued')[0], '2 kernels with launches, 0 with figures of warps')
check('each device is known once', len({device.name for device in model.DEVICES}), len(model.DEVICES))

sys.exit(1 if n_failed else 0)
