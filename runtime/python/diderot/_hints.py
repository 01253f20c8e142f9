"""What diderot.array calls what people know by other names, those of numpy."""

_NAMES = {
    "abs": "cwise_abs", "absolute": "cwise_abs", "amax": "max_element", "amin": "min_element",
    "array": "View", "asarray": "View", "astype": "cast", "bitwise_and": "and_",
    "bitwise_or": "or_", "convolve": "Convolution", "correlate": "Convolution(correlate=True)",
    "count_nonzero": "l0", "divide": "div", "equal": "eq", "greater": "gt", "greater_equal": "ge",
    "less": "lt", "less_equal": "le", "logical_and": "and_", "logical_not": "not_",
    "logical_or": "or_", "max": "max_element", "min": "min_element", "multiply": "mul",
    "negative": "neg", "norm": "l2", "not_equal": "ne", "pad": "extend", "prod": "product",
    "std": "sqrt of variance", "subtract": "sub", "transpose": "View.transpose",
    "true_divide": "div", "var": "variance", "where": "View.mask, or where= of an operation",
}


def hint_for(name: str) -> str:
    """The message for a name that the module does not have."""
    known = _NAMES.get(name)
    return "module 'diderot.array' has no attribute %r%s" % (
        name, "" if known is None else "; it is %s here" % known)
