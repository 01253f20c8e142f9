"""Denoises frames of a film, as film.c does for the frames that it shows, in Python.

    film.py [420SP|NHWC|NCHW] PICTURE      with diderot on PYTHONPATH, video.json here
"""

import math
import struct
import sys
import zlib

import diderot

WIDTH, HEIGHT, PITCH, N_FRAMES, STEP = 200, 140, 256, 4, 2


# ---- the film ---------------------------------------------------------------------------------


def scene(x, y, time):
    """Luma and chroma at a point of the picture: a wheel of six colours rolls before slanting bars."""
    turn = 2*math.pi*time
    u, v = x - WIDTH/2 - 45*math.cos(turn), y - HEIGHT/2 - 25*math.sin(turn)
    sector = math.floor(3*math.atan2(v, u)/math.pi - 6*time)
    if u*u + v*v < 40*40:
        return (130 + 40*math.cos(math.pi*sector), 128 + 60*math.cos(sector*math.pi/3),
                128 + 60*math.sin(sector*math.pi/3))
    is_dark = math.fmod(x + 0.5*y + 200*time, 24) < 12
    return (60 + 0.25*x, 136, 124) if is_dark else (190 - 0.25*x, 122, 132)


def noises(state):
    """Around 0, about as wide as 1: sums of four numbers without order."""
    while True:
        total = 0
        for _ in range(4):
            state = (state*1664525 + 1013904223) % 2**32
            total += state >> 24
        yield (total - 510)/148


def level(value):
    return 0 if value < 0 else 255 if value > 255 else math.floor(value + 0.5)


def make_frame(number):
    """A buffer of luma and pairs of chroma, and one of two planes of chroma."""
    time, noise = number/N_FRAMES, noises(number)
    frame, planes = bytearray(3*HEIGHT//2*PITCH), bytearray(HEIGHT*PITCH)
    for y in range(HEIGHT):
        for x in range(WIDTH):
            frame[y*PITCH + x] = level(scene(x, y, time)[0] + 14*next(noise))
    for y in range(HEIGHT//2):
        for x in range(WIDTH//2):
            sample = scene(2*x + 0.5, 2*y + 0.5, time)
            for c in range(2):
                chroma = level(sample[1 + c] + 10*next(noise))
                frame[(HEIGHT + y)*PITCH + 2*x + c] = chroma
                planes[(c*HEIGHT//2 + y)*PITCH + x] = chroma
    return frame, planes


# ---- the library ------------------------------------------------------------------------------


def images(layout, frame, planes):
    """Luma and chroma; a sample of chroma is in the middle of four of luma."""
    h, w, all_luma, all_chroma = HEIGHT//2, WIDTH//2, HEIGHT*PITCH, HEIGHT//2*PITCH
    place = {"origin": [0.5, 0.5], "steps": [[0, 2], [2, 0]]}
    if layout == "420SP":
        pitches = (all_luma + all_chroma, all_luma, PITCH)
        return [diderot.Frame(frame, "420SP", (3, HEIGHT, WIDTH), pitches=pitches, component=c)
                for c in (0, 1)]
    if layout == "NHWC":
        return [diderot.Frame(frame, "NHWC", (1, HEIGHT, WIDTH, 1),
                              pitches=(all_luma, all_luma, PITCH, 1)),
                diderot.Frame(frame, "NHWC", (1, h, w, 2), offset=all_luma,
                              pitches=(all_chroma, all_chroma, PITCH, 2), **place)]
    return [diderot.Frame(frame, "NCHW", (1, 1, HEIGHT, WIDTH),
                          pitches=(all_luma, all_luma, all_luma, PITCH)),
            diderot.Frame(planes, "NCHW", (1, 2, h, w),
                          pitches=(2*all_chroma, 2*all_chroma, all_chroma, PITCH), **place)]


# ---- the picture ------------------------------------------------------------------------------


def before(frame, y):
    """A row of the frame as it is."""
    for x in range(WIDTH):
        at = (HEIGHT + y//2)*PITCH + x//2*2
        luma, blue, red = frame[y*PITCH + x], frame[at] - 128, frame[at + 1] - 128
        yield luma + 1.402*red
        yield luma - 0.344136*blue - 0.714136*red
        yield luma + 1.772*blue


def chunk(name, content):
    return (struct.pack(">I", len(content)) + name + content +
            struct.pack(">I", zlib.crc32(name + content)))


def save(name, rows):
    header = struct.pack(">IIBBBBB", 2*WIDTH, len(rows), 8, 2, 0, 0, 0)
    with open(name, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header))
        file.write(chunk(b"IDAT", zlib.compress(b"".join(b"\0" + row for row in rows))))
        file.write(chunk(b"IEND", b""))


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1:-1] not in ([], ["420SP"], ["NHWC"], ["NCHW"]):
        sys.exit("usage: film.py [420SP|NHWC|NCHW] PICTURE")
    layout = (["420SP"] + sys.argv[1:-1])[-1]
    library, rows = diderot.Library("video.json"), []
    for number in range(0, N_FRAMES, STEP):
        frame, planes = make_frame(number)
        luma, chroma = images(layout, frame, planes)
        with library.world(luma=luma, chroma=chroma) as world:
            world.run()
            after = world["rgb"].tolist()
        for y in range(HEIGHT):
            values = list(before(frame, y)) + [value for pixel in after[y] for value in pixel]
            rows.append(bytes(map(level, values)))
    save(sys.argv[-1], rows)


if __name__ == "__main__":
    main()
