"""lint.tidy: clang-tidy finds nothing in any C source as it is compiled.   tidy.py ROOT BUILD FOLDER [-j N] [NAME...]

Asks with the settings of .clang-tidy, once for each text: what the preprocessor leaves of a source, with its comments and
macros. FOLDER/clean keeps a digest of every text in which nothing was found, with the options that the text was read with;
the next time only the others are asked about. With NAMEs only sources whose paths begin with one of them are looked at.
A source that this build does not compile is a finding, too: scripts that compile one have it in clients.cmake.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

# What only gcc knows, and what changes nothing that can be found.
UNKNOWN = ("-fsanitize", "-fno-sanitize", "--param=", "-fno-var-tracking", "-fno-thread-jumps", "-Wno-maybe-uninitialized",
           "-Werror", "-O", "-g")
SPENT = ("-D", "-U", "-I", "-W", "-fPIC", "-fvisibility", "-fno-semantic-interposition", "-ffp-contract")  # see digest
PLACED = {"-o", "-MF", "-MT", "-MQ"}  # with a file behind them
ALONE = {"-c", "-MD", "-MMD"}

# Sources that a build leaves out together where the machine lacks what they need: MPI, sets of instructions.
OPTIONAL = tuple(map(re.compile, (r"^(runtime/mpi|tests/ranks/library)/", r"_avx2(_fused)?\.c$", r"_avx512(_fused)?\.c$")))


def options_of(entry):
    """What the compiler was given, without its name (which may be several words), the source and the files made."""
    words = entry.get("arguments") or shlex.split(entry["command"])
    first = next((n for n, word in enumerate(words) if word.startswith("-")), len(words))
    options, is_file = [], False
    for word in words[first:]:
        if not is_file and word not in PLACED | ALONE and word != entry["file"] and not word.startswith(UNKNOWN):
            options.append(word)
        is_file = word in PLACED
    return tuple(options + ["-Wno-unknown-warning-option", "-Qunused-arguments"])


def sources_of(root, build, names):
    """(path, options, folder) of the sources of the tree, each once; what the build wrote is not judged."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if path.suffix != ".c" or not path.is_relative_to(root) or path.is_relative_to(build):
            continue
        name = path.relative_to(root).as_posix()
        if not names or name.startswith(tuple(names)):
            found[name, options_of(entry)] = entry["directory"]
    return [(name, options, folder) for (name, options), folder in sorted(found.items())]


def not_compiled(root, build, sources):
    """C of the tree that the build knows nothing of, but for outputs of the compiler and what the machine lacks."""
    known = {name for name, _, _ in sources}
    lacking = [part for part in OPTIONAL if not any(part.search(name) for name in known)]
    elsewhere = (build, root / "build", root / "tests/golden")
    paths = [path for path in root.rglob("*.c") if not any(path.is_relative_to(folder) for folder in elsewhere)]
    names = {path.relative_to(root).as_posix() for path in paths} - known
    return sorted(name for name in names if not any(part.search(name) for part in lacking))


class Judge:
    """Knows which texts are clean."""

    def __init__(self, root, folder):
        self.root, self.kept = root, folder / "clean"
        self.clean = set(self.kept.read_text(encoding="ascii").split()) if self.kept.exists() else set()
        self.seen, self.n_asked = set(), 0
        self.version = subprocess.run(["clang-tidy", "--version"], check=True, capture_output=True).stdout

    def rules(self, name):
        """All that says what is asked of a source: settings of its folder and of those above, up to the root."""
        folders = pathlib.PurePath(name).parents
        settings = [self.root / folder / ".clang-tidy" for folder in folders]
        return b"\0".join([self.version, *(path.read_bytes() for path in settings if path.exists())])

    def digest(self, name, options, folder):
        """None where the preprocessor fails: clang-tidy says why. Macros of the command line are in the text where they
        are used, and checks see neither warnings nor how functions are linked."""
        done = subprocess.run(["clang", *options, "-E", "-P", "-dD", "-CC", str(self.root / name)], cwd=folder,
                              check=False, capture_output=True)
        if done.returncode:
            return None
        given = {word[2:].split("=")[0].encode() for word in options if word.startswith(("-D", "-U"))}
        text = [line for line in done.stdout.split(b"\n")
                if not line.startswith((b"#define ", b"#undef ")) or line.split()[1] not in given]
        seen = [word for word in options if not word.startswith(SPENT)]
        parts = (self.rules(name), repr(seen).encode(), *text)
        place = str(self.root).encode()
        return hashlib.sha256(b"\0".join(part.replace(place, b"") for part in parts)).hexdigest()

    def findings(self, source):
        """Of one source: None where it is known to be clean."""
        name, options, folder = source
        digest = self.digest(name, options, folder)
        if digest in self.seen | self.clean:
            self.seen.add(digest)
            return None
        self.n_asked += 1
        done = subprocess.run(["clang-tidy", "--quiet", str(self.root / name), "--", *options], cwd=folder,
                              check=False, capture_output=True, text=True)
        if done.returncode:
            return done.stdout or done.stderr
        self.seen.add(digest or "")
        with self.kept.open("a", encoding="ascii") as kept:
            kept.write((digest or "") + "\n")
        return None

    def forget_others(self):
        """What no source has now is not kept."""
        following = self.kept.with_suffix(".next")
        following.write_text("".join(digest + "\n" for digest in sorted(self.seen)), encoding="ascii")
        following.replace(self.kept)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("   ", maxsplit=1)[0])
    for place in ("root", "build", "folder"):
        parser.add_argument(place, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("names", nargs="*")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    arguments = parser.parse_intermixed_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    sources = sources_of(arguments.root, arguments.build, arguments.names)
    left_out = [] if arguments.names else not_compiled(arguments.root, arguments.build, sources)
    for name in left_out:
        print("%s: not compiled in this build, expected each source in compile_commands.json" % name)
    judge, n_wrong = Judge(arguments.root, arguments.folder), len(left_out)
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        for text in pool.map(judge.findings, sources):
            if text:
                n_wrong += 1
                print(text.replace("%s/" % arguments.root, ""), flush=True)
    if not arguments.names and not n_wrong:
        judge.forget_others()
    print("%d sources, %d of them asked about, findings in %d" % (len(sources), judge.n_asked, n_wrong))
    sys.exit(n_wrong > 0 or not sources)


if __name__ == "__main__":
    main()
