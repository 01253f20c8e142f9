#!/usr/bin/env python3
"""The bound of bound.py against figures that were simulated elsewhere, of places chosen at random:
hence 5 %."""

import sys

from bound import lines_per_load, probes_per_second

X, Y, Z = (1, 0, 0), (0, 1, 0), (0, 0, 1)
OBLIQUE = (0.8, -0.6, 0), (0.48, 0.64, -0.6)    # the camera of the volume renderers

n_failed = 0


def simulated(*camera, **tile):
    return lines_per_load(*camera, n_places=500, **tile)


def check(what, found, expected, tolerance=0.05):
    global n_failed
    if abs(found - expected) > tolerance*expected:
        print(f'{what}: {found:.4g}, expected {expected} within {100*tolerance:g} %')
        n_failed += 1


check('along z, half a voxel', simulated(X, Y, 0.5), 2.8)
check('along z, a voxel', simulated(X, Y, 1), 5.0)
check('oblique, half a voxel', simulated(*OBLIQUE, 0.5), 6.9)
check('oblique, a voxel', simulated(*OBLIQUE, 1), 15.6)
check('along x, half a voxel', simulated(Y, Z, 0.5), 11.1)
check('along x, a voxel', simulated(Y, Z, 1), 32)
check('oblique, strips of 32 pixels', simulated(*OBLIQUE, 0.5, tile=(32, 1)), 10.6)

# In closed form: 2.5 rows of 3.5 voxels, of which one may begin a line.
check('along z, half a voxel, by hand', lines_per_load(X, Y, 0.5), 2.5*(1 + 3.5/32), 0.01)

# 132 multiprocessors at 1.98 GHz; four cycles deliver a row of taps, however few its lines.
for lines, expected in ((2.8, 131e9), (6.9, 75.8e9), (32, 16.3e9)):
    check(f'{lines} lines', probes_per_second(lines, 132, 1.98e9), expected, 0.03)

sys.exit(1 if n_failed else 0)
