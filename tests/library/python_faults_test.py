"""runtime/python/diderot when what it asks for fails: each call of each kind that the library
makes, alone and with all that follow. It raises diderot.Error and says why, or all is as without
the fault; the library leaks nothing (LeakSanitizer, which leaves out what Python itself keeps).

    python_faults_test.py MODULE-FOLDER LIBRARY-FOLDER FAULTY-LIBRARY KINDS [EVERY]

FAULTY-LIBRARY is that of field.diderot with the calls of tests/faults, KINDS its kinds.def. All
that follow fail for each EVERY-th call.
"""

import ctypes
import os
import re
import sys

MODULE, FOLDER, FAULTY, KINDS = sys.argv[1:5]
EVERY = int(sys.argv[5]) if len(sys.argv) > 5 else 8
sys.dont_write_bytecode = True
sys.path.insert(0, MODULE)
import diderot  # noqa: E402  pylint: disable=wrong-import-position,import-error

SKIPPED = 77
WANTED = ("memory", "teem", "open", "read", "read-stop", "read-short", "close", "look", "seek",
          "limits")
LINEAR = [[10 * x + y for x in range(8)] for y in range(7)]


class Plan(ctypes.Structure):
    """FaultPlan of tests/faults/plan.h."""

    _fields_ = [("is_on", ctypes.c_bool), ("kind", ctypes.c_int), ("n_calls", ctypes.c_int64),
                ("first", ctypes.c_int64), ("last", ctypes.c_int64)]


def kinds():
    """Names and outcomes in the order of their numbers."""
    with open(KINDS, encoding="utf-8") as file:
        return re.findall(r'^KIND\( *\w+, *"([a-z-]+)", *\w+, *(\w+),', file.read(), re.MULTILINE)


def use(library):
    """A client that uses every kind of input and output."""
    lines = []
    with library.world(img=os.path.join(FOLDER, "levels.nrrd"), word="some words") as world:
        world.on_print(lines.append)
        world["flow"] = os.path.join(FOLDER, "flow.nrrd")
        world["weights"] = [1, 2.5, 3]
        world["points"] = [[1, 2], [3, 4]]
        world["flags"] = [True, False, True]
        world["shift"] = [0.5, 0.25]
        world["img"] = diderot.Frame(bytes(56), "NCHW", (1, 1, 7, 8))
        world["img"] = diderot.Image(LINEAR, origin=[0, 0], steps=[[1, 0], [0, 1]])
        world.run(1)
        early = world.snapshot("steps").tolist()
        world.run()
        trail = world["trail"]
        return (lines, early, trail.lengths.tolist(), trail.data.tolist(),
                [world[name].tolist() for name in ("value", "slope", "flag")])


class Tries:
    """Runs of use() in which calls of one kind fail."""

    def __init__(self, plan, library, good):
        self.plan, self.library, self.good = plan, library, good
        self.n_bad = 0

    def complain(self, what):
        self.n_bad += 1
        print("fault %d of kind %d to %d: %s" % (self.plan.first, self.plan.kind, self.plan.last,
                                                 what))

    def once(self, kind, is_error, first, last):
        """Whether there was such a call, and whether it was an error."""
        plan, failure, found = self.plan, None, None
        plan.kind, plan.n_calls, plan.first, plan.last = kind, 0, first, last
        plan.is_on = True
        try:
            found = use(self.library)
        except BaseException as error:  # pylint: disable=broad-except
            failure = type(error), str(error)
        plan.is_on = False
        has_failed = plan.n_calls > first
        if failure is None:
            if found != self.good:
                self.complain("other results")
        elif failure[0] is not diderot.Error or not failure[1].strip():
            self.complain("%s: %r" % (failure[0].__name__, failure[1]))
        elif not has_failed or not is_error:
            self.complain("an error without need: %s" % failure[1])
        return has_failed, failure is not None

    def each(self, kind, is_error, step, is_alone):
        n_errors, first = 0, 0
        while self.n_bad < 5:
            has_failed, was_error = self.once(kind, is_error, first,
                                              first if is_alone else 2**62)
            if not has_failed:
                break
            n_errors += was_error
            first += step
        return first, n_errors


def main():
    shared = ctypes.CDLL(FAULTY)
    plan = Plan()
    ctypes.c_void_p.in_dll(shared, "fault_plan").value = ctypes.addressof(plan)
    library = diderot.Library(os.path.join(FOLDER, "field_lib.json"), FAULTY)
    good = use(library)
    shared.fault_watch_system.restype = ctypes.c_bool
    if not shared.fault_watch_system():
        print("skipped: this system does not let a process watch its calls")
        return SKIPPED
    tries = Tries(plan, library, good)
    for number, (name, outcome) in enumerate(kinds()):
        if name not in WANTED:
            continue
        is_error = outcome == "ERROR"
        n_calls, n_errors = tries.each(number, is_error, 1, True)
        n_together = tries.each(number, is_error, EVERY, False)[1] if is_error else 0
        print("%-12s %5d calls, %5d are errors; from one on: %5d" % (
            name, n_calls, n_errors, n_together))
    return tries.n_bad > 0


if __name__ == "__main__":
    sys.exit(main())
