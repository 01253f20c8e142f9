"""lint.sizes: no file and no function is too long to be overlooked.   sizes.py ROOT

A file of C or Python has at most 500 lines; a function of the product at most 42, one of the tests, where rows of
tables are written down, at most 65. What a function of Python defines within itself counts for itself.
"""
import ast
import pathlib
import re
import sys

FILE, FUNCTION, FUNCTION_OF_TESTS = 500, 42, 65
ENDINGS = {".c", ".h", ".cu", ".cpp", ".l", ".y", ".py"}


def functions_of_c(lines):
    """(line, length, name): by the form that clang-format gives. A head begins in the first column, a body ends there."""
    head, is_open = 0, False
    for number, line in enumerate(lines, 1):
        if is_open:
            if line.startswith("}"):
                yield head, number - head + 1, re.search(r"(\w+) *\(", lines[head - 1]).group(1)
                head, is_open = 0, False
        elif re.match(r"(?!typedef)[A-Za-z_].*\w *\(", line):
            head = number
        if head and not is_open:
            is_open = line.endswith("{") and not line.endswith("= {")
            if not is_open and re.search(r"([;}]|= {|^)$", line):  # a declaration, one line, a table
                head = 0


def own_lines(function):
    """Without those of functions that are defined within."""
    inner, left = 0, list(ast.iter_child_nodes(function))
    while left:
        node = left.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inner += node.end_lineno - node.lineno + 1
        else:
            left += ast.iter_child_nodes(node)
    return function.end_lineno - function.lineno + 1 - inner


def functions_of_python(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, own_lines(node), node.name


def main():
    root = pathlib.Path(sys.argv[1])
    folders = [folder for folder in root.iterdir() if folder.is_dir() and folder.name != "build" and folder.name[0] != "."]
    paths = [path for folder in sorted(folders) for path in sorted(folder.rglob("*")) if path.suffix in ENDINGS]
    names = [name for name in (path.relative_to(root).as_posix() for path in paths) if not name.startswith("tests/golden/")]
    n_functions, wrong = 0, []
    for name in names:
        text = (root / name).read_text(encoding="utf-8")
        lines = text.split("\n")
        if len(lines) - 1 > FILE:
            wrong.append("%s: %d lines, expected %d at most" % (name, len(lines) - 1, FILE))
        is_python = name.endswith(".py")
        most = FUNCTION_OF_TESTS if name.startswith("tests/") else FUNCTION
        for line, length, function in functions_of_python(text) if is_python else functions_of_c(lines):
            n_functions += 1
            if length > most:
                wrong.append("%s:%d: %s has %d lines, expected %d at most" % (name, line, function, length, most))
    print("\n".join([*wrong, "%d functions in %d files" % (n_functions, len(names))]))
    return 1 if wrong or n_functions < 10000 else 0


if __name__ == "__main__":
    sys.exit(main())
