"""The greatest number of probes per second of a GPU, by the number of lines of its L1 cache that they touch.

A warp of 32 strands loads a row of taps each; every 128-byte line that these lie in takes a cycle of
the multiprocessor's cache, and so do 128 bytes that it delivers. Strands are 8 by 4 pixels, as
runtime/cuda/device.cu orders them; a probe of a kernel with four taps on an axis loads 16 rows of four.
"""

import math
import random

LINE = 32       # samples of four bytes in a line of the cache
WARP = 32       # strands
LOADS = 16      # of a probe: rows of samples
ROW = 4         # samples


def lines_per_load(right, up, spacing, tile=(8, 4), size=512, n_places=2000):
    """Mean number of lines that a load touches: pixels of a tile lie `spacing` voxels apart along the
    unit vectors right and up (x, y, z), in a volume of size^3 whose rows begin with a line."""
    places = random.Random(1)
    total = 0
    for _ in range(n_places):
        first = [places.uniform(size/4, size/2) for _ in range(3)]
        lines = set()
        for v in range(tile[1]):
            for u in range(tile[0]):
                x, y, z = (math.floor(f + spacing*(u*r + v*a)) for f, r, a in zip(first, right, up))
                lines.add(((z*size + y)*size + x)//LINE)
        total += len(lines)
    return total/n_places


def probes_per_second(lines, n_multiprocessors, clock):
    """The bound, of strands that are never idle; clock in Hz."""
    delivered = WARP*ROW/LINE
    return WARP*n_multiprocessors*clock/(LOADS*max(lines, delivered))
