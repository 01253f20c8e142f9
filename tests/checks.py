"""For tests in Python that continue after a failed check, and end with the number of failed checks."""
import sys

n_failures = 0


def check(held, *what):
    global n_failures
    if not held:
        n_failures += 1
        print("does not hold:", *what)
    return held


def finish():
    print(n_failures, "failures")
    sys.exit(n_failures > 0)
