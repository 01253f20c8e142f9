"""Diderot for Pygments, which notebooks and documents use to colour programs.

The word lists come from tables of the compiler; see editors/words.awk.
"""

from __future__ import annotations

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

_TYPES = (
    # words: python-words type
    "bool", "field", "image", "int", "kernel", "mat2", "mat3", "mat4", "real", "string",
    "tensor", "vec2", "vec3", "vec4",
    # words end
)
_STRUCTURE = (
    # words: python-words structure word
    "const", "create_array", "create_collection", "else", "function", "global", "in",
    "initialize", "initially", "input", "output", "start", "strand", "update",
    # words end
)
_STATEMENTS = (
    # words: python-words statement
    "continue", "die", "foreach", "if", "new", "print", "return", "stabilize",
    # words end
)
_VALUES = (
    # words: python-words value
    "false", "identity", "load", "load_image", "load_sequence", "nan", "true", "zeros",
    "inf",
    # words end
)
_BUILTINS = (
    # words: python-words builtin
    "normalize", "trace", "transpose", "det", "inv", "evals", "evecs", "modulate",
    "lerp", "clerp", "clamp", "mirror", "wrap", "border", "sqrt", "exp", "sin", "cos",
    "tan", "asin", "acos", "atan", "atan2", "ceil", "floor", "trunc", "round", "erf",
    "erfc", "fmod", "log", "log2", "log10", "pow", "max", "min", "size", "inside",
    "compose", "concat", "maxF", "minF", "abs", "dist", "length", "all", "exists",
    "mean", "product", "sum", "variance", "sphere", "numStrands", "numActive",
    "numStable",
    # words end
)
_KERNELS = (
    # words: python-words kernel
    "tent", "c1tent", "c2tent", "ctmr", "c2ctmr", "bspln3", "bspln5", "c4hexic",
    # words end
)
_OPERATORS = (
    # words: python-words operator
    "||", "&&", "!", "<", "<=", "==", "!=", ">=", ">", "+", "-", "*", "/", "%", "^", "@",
    ":", "⊛", "•", "⋅", "×", "⊗", "∘", "∇", "∇⊗", "∇×", "∇•",
    "∇⋅", "=", "+=", "-=", "*=", "/=", "%=", "..", "|",
    # words end
)

# Names may contain ' besides letters, including Greek ones.
_BEFORE, _AFTER = r"(?<![\w'])", r"(?![\w'])"


def _whole(names: tuple[str, ...]) -> words:
    return words(names, prefix=_BEFORE, suffix=_AFTER)


class DiderotLexer(RegexLexer):
    """Programs in Diderot."""

    name = "Diderot"
    aliases = ["diderot"]
    filenames = ["*.diderot", "*.ddro"]
    mimetypes = ["text/x-diderot"]

    tokens = {
        "root": [
            (r"\A#version\b.*", Comment.Preproc),
            (r"//.*", Comment.Single),
            (r"/\*", Comment.Multiline, "comment"),
            (r'"', String, "string"),
            (r"(strand)(\s+)([^\W\d][\w']*)", bygroups(Keyword, Text, Name.Class)),
            (_whole(_TYPES), Keyword.Type),
            (_whole(_STRUCTURE), Keyword.Declaration),
            (_whole(_STATEMENTS), Keyword),
            (_whole(_VALUES), Keyword.Constant),
            (_whole(_BUILTINS), Name.Builtin),
            (_whole(_KERNELS), Name.Constant),
            (r"∞|" + _BEFORE + "π" + _AFTER, Keyword.Constant),
            (r"\d+\.\d+([eE][-+]?\d+)?", Number.Float),
            (r"\d+", Number.Integer),
            (words(sorted(_OPERATORS, key=len, reverse=True)), Operator),
            (r"[^\W\d][\w']*", Name),
            (r"[()\[\]{},;#]", Punctuation),
            (r"\s+", Text),
        ],
        "comment": [(r"\*/", Comment.Multiline, "#pop"), (r"[^*]+|\*", Comment.Multiline)],
        "string": [
            (r'\\(?:[ntabfrv"\\]|\d{3})', String.Escape),
            (r'[^"\\\n]+', String),
            (r'"|\n', String, "#pop"),
            (r"\\", String),
        ],
    }
