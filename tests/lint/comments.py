"""lint.comments: comments name what exists, and headings stand on one line.   comments.py ROOT

A file that a comment of the product's C names is a file of the tree: by its path from the root, by the end of
its path (ddr/seq.h), or by its bare name. A file that opens with a name in lower case opens with its own, or
with that of a function or pass that it has. A heading of a section is a comment that begins with dashes; its
paragraph may follow in the same comment.
"""
import pathlib
import re
import sys

FOLDERS = ("frontend", "ir", "backend-c", "backend-cuda", "driver", "runtime", "tools")
ENDINGS = {".c", ".h", ".cu", ".def", ".l", ".y"}
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
NAMED = re.compile(r"(?<![\w./<*-])((?:[a-z][\w-]*/)*[a-z][\w-]*\.(?:c|h|cu|def|py))(?![\w/*]|\.\w)")
HEADING = re.compile(r"^ */\* ---.*?\*/", re.DOTALL | re.MULTILINE)
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


def is_broken(heading):
    """Over two lines, and not just because a paragraph follows the line of dashes."""
    line, end, paragraph = heading.partition("\n")
    return end and not (line.endswith("---") and re.search(r"\w", paragraph))


def broken_headings(root, path):
    text = (root / path).read_text(encoding="utf-8")
    return ["%s:%d: this heading ends on another line, expected one line of 100 columns"
            % (path, text.count("\n", 0, heading.start()) + 1)
            for heading in HEADING.finditer(text) if is_broken(heading.group())]


def main():
    root = pathlib.Path(sys.argv[1])
    paths = [path.relative_to(root).as_posix() for folder in (*FOLDERS, "tests", "doc", "examples", "cmake") for path in files_of(root, folder)]
    known = {"/".join(path.split("/")[i:]) for path in paths for i in range(path.count("/") + 1)} | set(ELSEWHERE)
    n_names, wrong = 0, []
    sources = [path for path in paths if pathlib.Path(path).suffix in ENDINGS and not path.startswith("tests/golden/")]
    for path in sources:
        wrong += broken_headings(root, path)
    for path in (path for path in sources if path.split("/")[0] in FOLDERS):
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
