"""lint.comments: comments name what exists.   comments.py ROOT

A file that a comment of the product's C names is a file of the tree: by its path from the root, by the end of
its path (ddr/seq.h), or by its bare name. A file that opens with a name in lower case opens with its own, or
with that of a function or pass that it has.
"""
import pathlib
import re
import sys

FOLDERS = ("frontend", "ir", "backend-c", "backend-cuda", "driver", "runtime", "tools")
ENDINGS = {".c", ".h", ".cu", ".def", ".l", ".y"}
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
NAMED = re.compile(r"(?<![\w./<*-])((?:[a-z][\w-]*/)*[a-z][\w-]*\.(?:c|h|cu|def|py))(?![\w/*]|\.\w)")
HEAD = re.compile(r"/\* ([a-z][\w-]*)(?:\.\w+)?:")
ELSEWHERE = {
    "grammar.h": "made by bison",
    "assets.c": "made by CMake",
    "array-cuda.h": "array_cuda.h, when it is installed",
    "teem/nrrd.h": "Teem's",
    "stdbool.h": "C's",
    "math.h": "C's",
    "string.h": "C's",
    "nrrd.h": "Teem's",
}


def files_of(root, folder):
    return sorted(path for path in (root / folder).rglob("*") if path.is_file())


def main():
    root = pathlib.Path(sys.argv[1])
    paths = [path.relative_to(root).as_posix() for folder in (*FOLDERS, "tests", "doc", "examples", "cmake") for path in files_of(root, folder)]
    known = {"/".join(path.split("/")[i:]) for path in paths for i in range(path.count("/") + 1)} | set(ELSEWHERE)
    n_names, wrong = 0, []
    for path in (path for path in paths if path.split("/")[0] in FOLDERS and pathlib.Path(path).suffix in ENDINGS):
        text = (root / path).read_text(encoding="utf-8")
        for comment in COMMENT.finditer(text):
            for name in NAMED.findall(comment.group()):
                n_names += 1
                if name not in known and name.removeprefix("ddr/") not in known:
                    line = text.count("\n", 0, comment.start()) + 1
                    wrong.append("%s:%d: a comment names %s, expected a file of the tree" % (path, line, name))
        head = HEAD.match(text)
        stem = pathlib.Path(path).stem
        if head and head.group(1).replace("-", "_") != stem and head.group(1) not in COMMENT.sub("", text):
            wrong.append("%s:1: the first comment says '%s:', expected '%s:'" % (path, head.group(1), stem))
    print("\n".join([*wrong, "%d names of files in comments" % n_names]))
    return 1 if wrong or n_names < 500 else 0


if __name__ == "__main__":
    sys.exit(main())
