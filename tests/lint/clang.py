"""lint.clang: clang has no warning about any C source as it is compiled.   clang.py ROOT BUILD [-j N] [NAME...]

Asks for the syntax alone, in a build by any compiler: so mistakes that only the presets of clang would show are found
without building one. With NAMEs only sources whose paths begin with one of them are looked at.
"""
import argparse
import concurrent.futures
import os
import pathlib
import subprocess
import sys

from tidy import sources_of


def warnings(root, source):
    name, options, folder = source
    done = subprocess.run(["clang", *options, "-fsyntax-only", "-Werror", str(root / name)], cwd=folder, check=False,
                          capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("   ", maxsplit=1)[0])
    for place in ("root", "build"):
        parser.add_argument(place, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("names", nargs="*")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    arguments = parser.parse_intermixed_args()
    sources = sources_of(arguments.root, arguments.build, arguments.names)
    n_wrong = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.j) as pool:
        for text in pool.map(lambda source: warnings(arguments.root, source), sources):
            if text:
                n_wrong += 1
                print(text.replace("%s/" % arguments.root, ""), flush=True)
    print("%d sources, warnings about %d" % (len(sources), n_wrong))
    sys.exit(n_wrong > 0 or not sources)


main()
