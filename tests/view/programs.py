"""Programs of these tests, compiled and run by themselves, and the frames of runs."""
import json
import os
import struct
import subprocess


def run_alone(diderotc, program, folder, *arguments):
    """The files that the executable itself writes, by output: (shape, values), slowest axis first."""
    result = subprocess.run([diderotc, "run", "--warnings=none", os.path.abspath(program), "--", *arguments],
                            cwd=folder, capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(result.stderr)
    return {file[:-5]: read_nrrd(os.path.join(folder, file)) for file in os.listdir(folder) if file.endswith(".nrrd")}


def read_nrrd(path):
    with open(path, "rb") as file:
        head, data = file.read().split(b"\n\n", 1)
    fields = dict(line.split(b": ", 1) for line in head.split(b"\n") if b": " in line)
    sizes = [int(word) for word in fields[b"sizes"].split()][::-1]
    letter = {b"float": "f", b"double": "d", b"int": "i", b"uchar": "B", b"unsigned char": "B"}[fields[b"type"]]
    n = 1
    for size in sizes:
        n *= size
    return sizes, list(struct.unpack("<%d%s" % (n, letter), data[:n * struct.calcsize(letter)]))


def received(read):
    """The frames that come, as read(n) gives n bytes or fewer at the end: (head, values by output)."""
    while True:
        sizes = read(8)
        if len(sizes) < 8:
            return
        n_head, n_values = struct.unpack("<II", sizes)
        head, data = json.loads(read(n_head)), read(n_values)
        values, at = {}, 0
        for output in head.get("outputs", []) + ([head["births"]] if "births" in head else []):
            letter = {"f4": "f", "f8": "d", "i4": "i", "i8": "q", "b1": "B"}[output["type"]]
            n = output["bytes"] // struct.calcsize(letter)
            values[output["name"]] = list(struct.unpack_from("<%d%s" % (n, letter), data, at))
            at += (output["bytes"] + 7) // 8 * 8
        yield head, json.loads(data) if head["kind"] == "trace" else values


def reader(receive):
    """Of what receives at most n bytes, what receives n unless all ends before."""
    def read(n):
        parts = b""
        while len(parts) < n:
            part = receive(min(n - len(parts), 1 << 20))
            if not part:
                break
            parts += part
        return parts
    return read
