"""For tests in Python that continue after a failed check, and end with the number of failed checks."""
import sys
import time

n_failures = 0


def check(held, *what):
    global n_failures
    if not held:
        n_failures += 1
        print("does not hold:", *what)
    return held


def until(condition, seconds=60):
    """Whether it comes true within that time, which is long on a machine with other work, too."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.0005)
    return condition()


def finish():
    print(n_failures, "failures")
    sys.exit(n_failures > 0)
