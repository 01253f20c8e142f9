"""lint.callers: nothing in the product is there for its tests alone.   callers.py ROOT

A function that a header declares is named once more, besides its declaration and its definition, in a source of the
product. Headers of ddr/ are left out: generated code calls these by names that are made of parts, and clients by
theirs; and index functions, which lint.ixfun judges.
"""
import collections
import pathlib
import re
import sys

PRODUCT = ["frontend", "ir", "backend-c", "backend-cuda", "driver", "runtime", "tools"]
ENDINGS = {".c", ".h", ".def", ".cu", ".l", ".y", ".cpp", ".py", ".cmake", ".txt", ".in"}
ALLOWED = {
    "addr_at_level": "the algebra of index functions is kept whole (doc/ir.md)",
    "addr_print": "shows what tests compare",
    "ddr_nrrd_component_axes": "what a file says of its axes, for clients with elements of several numbers",
    "pass_from": "fuzzed passes are chosen by it",
}
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
DECLARED = re.compile(r"^(?!typedef)[A-Za-z_][\w \*]*?[ \*](\w+)\((?=[^{]*?;)", re.MULTILINE)
DEFINED = re.compile(r"^(?!typedef)[A-Za-z_][\w \*]*?[ \*](\w+)\((?=[^;]*?{)", re.MULTILINE)


def main(root):
    words, declared, defined = collections.Counter(), {}, collections.Counter()
    for path in sorted(file for folder in PRODUCT for file in (root / folder).rglob("*")):
        if path.suffix not in ENDINGS:
            continue
        text = path.read_text(encoding="utf-8")
        if path.suffix in {".c", ".h", ".def"}:
            text = COMMENT.sub(" ", text)
        words.update(re.findall(r"[A-Za-z_]\w*", text))
        if path.suffix == ".c":
            defined.update(DEFINED.findall(text))
        if path.suffix == ".h" and root / "runtime/include" not in path.parents:
            declared.update((name, path) for name in DECLARED.findall(text) if not name.startswith("ixfun_"))
    if len(declared) < 1000:
        sys.exit(f"only {len(declared)} declarations are found")
    uncalled = {name for name in declared if 0 < defined[name] >= words[name] - 1}
    for name in sorted(uncalled - set(ALLOWED)):
        print(f"{declared[name].relative_to(root)}: {name} is called by tests alone, or by nobody")
    for name in sorted(set(ALLOWED) - uncalled):
        print(f"{name} has callers, or is gone: not to be allowed here")
    return uncalled != set(ALLOWED)


sys.exit(main(pathlib.Path(sys.argv[1])))
