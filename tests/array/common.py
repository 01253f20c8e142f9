"""What the tests of diderot.array share.   NAME_test.py SOURCE

$DIDEROT_ARRAY_LIBRARY names the library.
"""

import os
import sys
import unittest

ROOT = sys.argv.pop(1)
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "runtime", "python"))
# pylint: disable=wrong-import-position,import-error
import diderot  # noqa: E402
from diderot import array  # noqa: E402

try:
    import numpy
except ImportError:
    numpy = None

needs_numpy = unittest.skipUnless(numpy, "there is no numpy")


class Case(unittest.TestCase):
    def refused(self, status, function, *arguments, **named):
        """Check the error, and that it says in one line what is wrong."""
        with self.assertRaises(array.ArrayError) as caught:
            function(*arguments, **named)
        self.assertEqual(caught.exception.status, status)
        self.assertIsInstance(caught.exception, diderot.Error)
        self.assertNotIn("\n", str(caught.exception))
        self.assertGreater(len(str(caught.exception)), 12)


def main():
    if numpy is None:
        print("there is no numpy: what is compared with it is left out")
    unittest.main()
