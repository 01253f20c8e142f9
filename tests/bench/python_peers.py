"""How fast programs in Diderot are from Python beside the same in numba, Taichi, scipy and Dr.Jit, all on
one thread, in one run: for each the best CPU time of some calls, arrays of numpy in and out, and how
many times ours that is. Not a test: nothing is compared with a limit, but results must agree.

    DIDEROTC=.../diderotc python3 tests/bench/python_peers.py [SIDE]

Peers that are not installed are left out (pip install numpy scipy numba taichi drjit; Dr.Jit wants
libLLVM, where $DRJIT_LIBLLVM_PATH or its search says). Compiling does not count.

    mip     of a volume of SIDE^3 in 256^2 pixels: the largest of 123 values along each ray
    points  value and gradient at 2^21 points
    call    of a program of one strand, with another number each time: the functions of its library
            alone, a call from Python, and one with a look at the output

Fields are cubic B-splines of float32, on the samples as they are.
"""

import os
import sys
import time

sys.dont_write_bytecode = True
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "runtime",
                                "python"))
# pylint: disable=wrong-import-position,import-outside-toplevel,import-error
import numpy  # noqa: E402

import diderot  # noqa: E402

SIDE = int(sys.argv[1]) if len(sys.argv) > 1 else 128
PIXELS, STEPS, POINTS = 256, SIDE - 5, 1 << 21
TILT = (0.08, 0.05)  # x and y that a ray gains with each step along z
ORIGIN, SPAN = 0.1 * SIDE, 0.68 * SIDE / PIXELS  # of the first pixel, of one: rays stay inside

MIP = """#version 2.0
input image(3)[] vol;
input real origin;
input real span;
input int pixels;
input int steps;
input vec2 tilt;
field#2(3)[] F = vol ⊛ bspln3;

strand ray (int row, int column) {
   vec3 pos = [origin + span*column, origin + span*row, 2];
   int n = 0;
   output real most = -∞;
   update {
      most = max(most, F(pos));
      pos += [tilt[0], tilt[1], 1];
      n += 1;
      if (n == steps) { stabilize; }
   }
}
create_array { ray(row, column) | row in 0..pixels-1, column in 0..pixels-1 }
"""
ONE = """#version 2.0
input real scale = 1;
strand s (int i) { output real x = 0; update { x = scale*i; stabilize; } }
create_array { s(i) | i in 1..1 }
"""
PROBE = """#version 2.0
input image(3)[] vol;
input vec3[] points;
field#2(3)[] F = vol ⊛ bspln3;

strand probe (vec3 pos) {
   output real value = 0;
   output vec3 slope = [0, 0, 0];
   update {
      value = F(pos);
      slope = ∇F(pos);
      stabilize;
   }
}
create_collection { probe(pos) | pos in points }
"""


def diderot_peer():
    mip, probe = diderot.compile(MIP), diderot.compile(PROBE)
    given = {"origin": ORIGIN, "span": SPAN, "pixels": PIXELS, "steps": STEPS, "tilt": TILT}

    def points(vol, at):
        result = probe(vol=vol, points=at, threads=1)
        return result.value, result.slope

    return lambda vol: mip(vol=vol, threads=1, **given).most, points


# ---- numba ------------------------------------------------------------------------------------


def numba_peer():
    from math import floor

    from numba import njit
    f4 = numpy.float32
    fast = njit(fastmath=True, error_model="numpy", inline="always")

    @fast
    def weights(t):
        s = f4(1) - t
        return (s*s*s/f4(6), (f4(4) - f4(6)*t*t + f4(3)*t*t*t)/f4(6),
                (f4(4) - f4(6)*s*s + f4(3)*s*s*s)/f4(6), t*t*t/f4(6))

    @fast
    def slopes(t):
        s = f4(1) - t
        return (-s*s/f4(2), f4(1.5)*t*t - f4(2)*t, f4(2)*s - f4(1.5)*s*s, t*t/f4(2))

    @fast
    def row(vol, k, j, i, w):
        return w[0]*vol[k, j, i] + w[1]*vol[k, j, i + 1] + w[2]*vol[k, j, i + 2] + w[3]*vol[k, j, i + 3]

    @njit(fastmath=True, error_model="numpy")
    def mip(vol, origin, span, pixels, steps, tilt_x, tilt_y):
        out = numpy.empty((pixels, pixels), f4)
        for r in range(pixels):
            for c in range(pixels):
                x, y, z = f4(origin + span*c), f4(origin + span*r), f4(2)
                most = f4(-numpy.inf)
                for _ in range(steps):
                    i, j, k = int(floor(x)), int(floor(y)), int(floor(z))
                    wx, wy, wz = weights(x - f4(i)), weights(y - f4(j)), weights(z - f4(k))
                    value = f4(0)
                    for dk in range(4):
                        plane = f4(0)
                        for dj in range(4):
                            plane += wy[dj]*row(vol, k + dk - 1, j + dj - 1, i - 1, wx)
                        value += wz[dk]*plane
                    most = max(most, value)
                    x, y, z = x + f4(tilt_x), y + f4(tilt_y), z + f4(1)
                out[r, c] = most
        return out

    @njit(fastmath=True, error_model="numpy")
    def points(vol, at):
        value, slope = numpy.empty(len(at), f4), numpy.empty((len(at), 3), f4)
        for n in range(len(at)):
            x, y, z = at[n, 0], at[n, 1], at[n, 2]
            i, j, k = int(floor(x)), int(floor(y)), int(floor(z))
            tx, ty, tz = x - f4(i), y - f4(j), z - f4(k)
            wx, wy, wz = weights(tx), weights(ty), weights(tz)
            dx, dy, dz = slopes(tx), slopes(ty), slopes(tz)
            v, gx, gy, gz = f4(0), f4(0), f4(0), f4(0)
            for dk in range(4):
                pv, px, py = f4(0), f4(0), f4(0)
                for dj in range(4):
                    rv = row(vol, k + dk - 1, j + dj - 1, i - 1, wx)
                    px += wy[dj]*row(vol, k + dk - 1, j + dj - 1, i - 1, dx)
                    pv += wy[dj]*rv
                    py += dy[dj]*rv
                v, gz = v + wz[dk]*pv, gz + dz[dk]*pv
                gx, gy = gx + wz[dk]*px, gy + wz[dk]*py
            value[n] = v
            slope[n, 0], slope[n, 1], slope[n, 2] = gx, gy, gz
        return value, slope

    return (lambda vol: mip(vol, ORIGIN, SPAN, PIXELS, STEPS, *TILT)), points


# ---- Taichi -----------------------------------------------------------------------------------


def taichi_peer():
    import taichi as ti
    ti.init(arch=ti.cpu, cpu_max_num_threads=1, log_level=ti.ERROR, offline_cache=False)
    array = ti.types.ndarray

    @ti.func
    def weights(t):
        s = 1 - t
        return ti.Vector([s*s*s/6, (4 - 6*t*t + 3*t*t*t)/6, (4 - 6*s*s + 3*s*s*s)/6, t*t*t/6])

    @ti.func
    def slopes(t):
        s = 1 - t
        return ti.Vector([-s*s/2, 1.5*t*t - 2*t, 2*s - 1.5*s*s, t*t/2])

    @ti.kernel
    def mip(vol: array(ti.f32, 3), out: array(ti.f32, 2), origin: ti.f32, span: ti.f32, steps: int,
            tilt_x: ti.f32, tilt_y: ti.f32):
        for r, c in out:
            x, y, z = origin + span*c, origin + span*r, 2.0
            most = -ti.math.inf
            for _ in range(steps):
                i, j, k = int(ti.floor(x)), int(ti.floor(y)), int(ti.floor(z))
                wx, wy, wz = weights(x - i), weights(y - j), weights(z - k)
                value = 0.0
                for dk in ti.static(range(4)):
                    plane = 0.0
                    for dj in ti.static(range(4)):
                        row = 0.0
                        for di in ti.static(range(4)):
                            row += wx[di]*vol[k + dk - 1, j + dj - 1, i + di - 1]
                        plane += wy[dj]*row
                    value += wz[dk]*plane
                most = ti.max(most, value)
                x, y, z = x + tilt_x, y + tilt_y, z + 1
            out[r, c] = most

    @ti.kernel
    def points(vol: array(ti.f32, 3), at: array(ti.f32, 2), value: array(ti.f32, 1),
               slope: array(ti.f32, 2)):
        for n in value:
            x, y, z = at[n, 0], at[n, 1], at[n, 2]
            i, j, k = int(ti.floor(x)), int(ti.floor(y)), int(ti.floor(z))
            wx, wy, wz = weights(x - i), weights(y - j), weights(z - k)
            dx, dy, dz = slopes(x - i), slopes(y - j), slopes(z - k)
            v, gx, gy, gz = 0.0, 0.0, 0.0, 0.0
            for dk in ti.static(range(4)):
                pv, px, py = 0.0, 0.0, 0.0
                for dj in ti.static(range(4)):
                    rv, rx = 0.0, 0.0
                    for di in ti.static(range(4)):
                        sample = vol[k + dk - 1, j + dj - 1, i + di - 1]
                        rv += wx[di]*sample
                        rx += dx[di]*sample
                    pv += wy[dj]*rv
                    px += wy[dj]*rx
                    py += dy[dj]*rv
                v += wz[dk]*pv
                gx += wz[dk]*px
                gy += wz[dk]*py
                gz += dz[dk]*pv
            value[n] = v
            slope[n, 0], slope[n, 1], slope[n, 2] = gx, gy, gz

    def run_mip(vol):
        out = numpy.empty((PIXELS, PIXELS), "f4")
        mip(vol, out, ORIGIN, SPAN, STEPS, *TILT)
        return out

    def run_points(vol, at):
        value, slope = numpy.empty(len(at), "f4"), numpy.empty((len(at), 3), "f4")
        points(vol, at, value, slope)
        return value, slope

    return run_mip, run_points


# ---- scipy ------------------------------------------------------------------------------------


def scipy_peer():
    """By arrays, a step of all rays at a time; gradients are left out."""
    from scipy.ndimage import map_coordinates
    at = ORIGIN + SPAN*numpy.arange(PIXELS)

    def mip(vol):
        most = numpy.full((PIXELS, PIXELS), -numpy.inf, "f4")
        for n in range(STEPS):
            where = numpy.stack(numpy.broadcast_arrays(
                numpy.float64(2 + n), (at + n*TILT[1])[:, None], at + n*TILT[0]))
            numpy.maximum(most, map_coordinates(vol, where, output="f4", order=3, prefilter=False),
                          out=most)
        return most

    return mip, None


# ---- Dr.Jit -----------------------------------------------------------------------------------


def drjit_peer():
    """By its textures, which have cubic B-splines."""
    import drjit as dr
    from drjit.llvm import Array3f, Float, Texture3f, TensorXf
    dr.set_thread_count(1)

    def points(vol, at):
        # Samples are in the middle of their cells, of which there are SIDE between 0 and 1.
        texture = Texture3f(TensorXf(numpy.ascontiguousarray(vol)[..., None]))
        columns = [Float(numpy.ascontiguousarray(at[:, axis])) for axis in range(3)]
        where = (Array3f(*columns) + 0.5)*numpy.float32(1/SIDE)
        (value,), (slope,) = texture.eval_cubic_grad(where)
        slope /= numpy.float32(SIDE)
        dr.eval(value, slope)
        return numpy.array(value), numpy.array(slope).T

    return None, points


PEERS = {"Diderot": diderot_peer, "numba": numba_peer, "Taichi": taichi_peer, "scipy": scipy_peer,
         "Dr.Jit": drjit_peer}


# ---- all of them ------------------------------------------------------------------------------


def best_of(call, n_calls=5):
    """Seconds of CPU time, and what the call gives."""
    result, times = call(), []  # which compiles
    for _ in range(n_calls):
        begin = time.process_time()
        result = call()
        times.append(time.process_time() - begin)
        if sum(times) > 20:
            break
    return min(times), result


def compare(title, calls):
    """Rows of one table; ours is the first."""
    print(title)
    ours = expected = None
    for name, call in calls.items():
        try:
            seconds, result = best_of(call)
        except Exception as reason:  # whatever it raises: the others go on  # pylint: disable=W0718
            print("    %-8s left out: %s" % (name, str(reason).strip().split("\n", maxsplit=1)[0]))
            continue
        parts = result if isinstance(result, tuple) else (result,)
        if ours is None:
            ours, expected = seconds, [part.copy() for part in parts]
        error = max(abs(a - b).max() for a, b in zip(parts, expected))
        if not error < 1e-3:
            sys.exit("%s differs by %g" % (name, error))
        print("    %-8s %9.1f ms   %6.2f times ours, differs by %.1g" % (
            name, 1e3*seconds, seconds/ours, error), flush=True)


def calls():
    """Microseconds of CPU time."""
    program, n = diderot.compile(ONE), 2000
    library = program.library
    new, begin, create, run, end = (library.runtime[name, "func"] for name in (
        "new_world", "init_world", "create_strands", "run", "shutdown"))
    set_scale = library.function(library.inputs["scale"]["set"])

    def alone(k):
        world = new()
        begin(world)
        set_scale(world, k)
        create(world)
        run(world, 0)
        end(world)

    for name, call in (("library", alone), ("call", lambda k: program(scale=k)),
                       ("and output", lambda k: program(scale=k).x)):
        best = min(best_of(lambda call=call: [call(k) for k in range(n)], 9)[0] for _ in range(2))
        print("    %-10s %5.1f us" % (name, 1e6*best/n))


def main():
    random = numpy.random.default_rng(1)
    vol = diderot.empty((SIDE,)*3)
    vol[:] = random.random(vol.shape, dtype="f4")
    at = random.uniform(2, SIDE - 3, (POINTS, 3)).astype("f4")
    mips, points = {}, {}
    for name, peer in PEERS.items():
        try:
            mip, probe = peer()
        except Exception as reason:  # no module, no LLVM  # pylint: disable=broad-exception-caught
            print("%s is left out: %s" % (name, str(reason).strip().split("\n", maxsplit=1)[0]))
            continue
        if mip:
            mips[name] = lambda mip=mip: mip(vol)
        if probe:
            points[name] = lambda probe=probe: probe(vol, at)
    compare("mip of %d^3 in %d^2, %d values along each ray" % (SIDE, PIXELS, STEPS), mips)
    compare("value and gradient of %d^3 at %d points" % (SIDE, POINTS), points)
    print("one strand")
    calls()


if __name__ == "__main__":
    main()
