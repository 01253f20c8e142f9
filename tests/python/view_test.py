"""diderot.view: the page of `diderotc view`, from its start to its end."""

import gc
import json
import os
import socket
import tempfile
import unittest
import urllib.request

import common
from common import COUNT, environment
import diderot
from diderot import _live  # pylint: disable=no-name-in-module

KNOBS = """#version 2.0
input real gain ("how bright") = 1.0;
input vec3 eye  ("where from") = [0.0, 0.0, 1.0];
input bool loud = false;
input image(1)[] img ("samples");
field#0(1)[] F = img ⊛ tent;
strand point (int k) {
   output real x = 0.0;
   update { x = gain*F(1.0) + eye[0]; stabilize; }
}
create_array { point(k) | k in 0..9 }
"""


def answer(address):
    with urllib.request.urlopen(address, timeout=60) as response:
        return response.read().decode(), response.headers


def is_served(address):
    host, port = address.split("/")[2].split(":")
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except ConnectionRefusedError:
        return False
    return True


class Viewed(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "knobs.diderot")
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(KNOBS)

    def view(self, *arguments, **more):
        try:
            return diderot.view(*arguments, **more)
        except diderot.Error as error:
            if "microhttpd" in str(error):
                self.skipTest(str(error))
            raise

    def begin(self, view):
        """The values that controls begin with."""
        version, state = 0, {}
        while not state.get("program"):
            state = json.loads(answer(view.address + "state?after=%d" % version)[0])
            version = state["version"]
        return {shown["name"]: shown["value"] for shown in state["program"]["inputs"]}

    def test_life(self):
        with self.view(self.file, gain=2.5, eye=[1, 2.5, -0.25], loud=True, img="ramp.nrrd") as view:
            page, headers = answer(view.address)
            self.assertIn("<html", page)
            self.assertIn("frame-ancestors 'self' http://127.0.0.1:* http://localhost:*",
                          headers["Content-Security-Policy"])
            self.assertEqual(view._repr_html_().count(view.address), 1)
            self.assertIn("iframe", view._repr_html_())
            self.assertEqual(self.begin(view), {"gain": ["2.5"], "eye": ["1", "2.5", "-0.25"],
                                                "loud": ["true"], "img": ["ramp.nrrd"]})
        self.assertFalse(is_served(view.address))
        self.assertEqual((repr(view), view._repr_html_()), ("<diderot.View closed>", "<p>closed</p>"))
        view.close()  # again

    def test_ranges_are_lists(self):
        self.assertEqual(list(_live._words("eye", range(3))), ["0", "1", "2"])
        self.assertEqual(list(_live._words("eye", [range(2), (2.5, True)])), ["0", "1", "2.5", "true"])

    def test_dropped(self):
        view = self.view(self.file, height=123)
        address = view.address
        self.assertIn('height="123"', view._repr_html_())
        self.assertTrue(is_served(address))
        del view
        gc.collect()
        self.assertFalse(is_served(address))

    def test_of_a_program(self):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(COUNT)
        with self.view(diderot.compile(self.file)) as view:
            self.assertIn("<html", answer(view.address)[0])

    def test_names_in_other_letters(self):
        """An input of a Program, or of a file, as it is written there."""
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(COUNT.replace("scale", "λ"))
        program = diderot.compile(self.file)
        with self.view(program, λ=2.5) as view:
            self.assertEqual(self.begin(view)["lambda"], ["2.5"])
        with self.view(self.file, λ=3.5) as view:
            self.assertEqual(self.begin(view)["lambda"], ["3.5"])
        with self.assertRaisesRegex(diderot.Error, "the input 'lambda' is given twice"):
            diderot.view(program, **{"λ": 1, "lambda": 2})

    def test_refused(self):
        self.view(self.file).close()
        for arguments, more, said in [
                ((diderot.compile(COUNT),), {}, "there is no program.diderot; one of a text has none"),
                ((self.file + ".txt",), {}, "view needs a file that ends in .diderot"),
                ((3,), {}, "view needs a file or a Program; this is a int"),
                ((self.file,), {"gain": 1j}, "view takes numbers, .*; gain is a complex"),
                ((self.file,), {"options": ["--port=none"]}, "--port"),
                (("/none/such.diderot",), {}, "such.diderot.*No such file or directory$"),
                (("/none/such.ddro",), {}, "such.ddro.*No such file")]:
            with self.assertRaisesRegex(diderot.Error, said):
                diderot.view(*arguments, **more)
        with environment(DIDEROTC="/none/diderotc"), self.assertRaisesRegex(diderot.Error, "/none/diderotc"):
            diderot.view(self.file)


if __name__ == "__main__":
    common.main()
