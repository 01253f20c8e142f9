"""The notebooks of doc/notebooks run from top to bottom, and what they compute is right; they are kept
without outputs. The last picture of each goes to a folder.

    notebooks_test.py MODULE-FOLDER NOTEBOOK-FOLDER PICTURE-FOLDER
"""

import base64
import os
import unittest

import nbformat
from nbclient import NotebookClient

import common

FOLDER, PICTURES = common.FOLDERS

# What is asked after the last cell of each: laws, by numpy.
CHECKS = {
    # From above it is as large as the ellipse around it, less what the folds are deep.
    "brain": """
seen = (views[3].rgb - views[3].rgb[0, 0]).any(axis=-1).mean()
assert 0.8 < seen/(numpy.pi*62*78/200**2) < 1.02, seen
sizes = [(view.rgb - view.rgb[0, 0]).any(axis=-1) for view in views]
assert abs(sizes[1].sum(axis=1).max() - 200*124/200) < 12        # from behind as wide as it is
assert abs(sizes[2].sum(axis=1).max() - 200*156/200) < 12        # from the side as long
""",
    # Lines go where the flow does, as its formula says.
    "flow": """
def exact(p):
    total = numpy.array([0.4, 0]) + 0*p
    for cx, cy, strength in ((-1.2, 0.3, 1), (-0.3, -0.4, -1), (0.6, 0.35, 0.8), (1.3, -0.3, -0.9)):
        r = p - [cx, cy]
        total += (strength*numpy.exp(-(r**2).sum(-1)/0.12)/0.25)[:, None]*r[:, ::-1]*[-1, 1]
    return total

assert len(paths) == 450
for path in paths:
    inner = path[2:-2].astype("f8")
    along, v = numpy.diff(inner, axis=0), exact((inner[1:] + inner[:-1])/2)
    turned = abs(along[:, 0]*v[:, 1] - along[:, 1]*v[:, 0])
    assert (turned <= 0.03*numpy.hypot(*along.T)*numpy.hypot(*v.T) + 1e-4).all(), turned.max()
    assert numpy.allclose(numpy.hypot(*along.T), 0.01, atol=1e-4)
assert numpy.allclose(result.speed, numpy.hypot(*exact(seeds.astype("f8")).T), rtol=0.02, atol=0.01)
""",
    # All are on the surface, and none sits on another.
    "particles": """
x, y, z = positions.astype("f8").T
first = (numpy.hypot(x + 0.4, y) - 0.75)**2 + z**2
second = (numpy.hypot(x - 0.4, z) - 0.75)**2 + y**2
assert len(positions) > 1300 and abs(-numpy.log(first*second + 1e-4) - 3.9).max() < 0.15
near = numpy.sort(((positions[:, None] - positions)**2).sum(-1), axis=1)[:, 1]**0.5
assert near.min() > 0.02 and numpy.median(near) > 0.06
""",
}


def notebook(name):
    with open(os.path.join(FOLDER, name + ".ipynb"), encoding="utf-8") as file:
        return nbformat.read(file, 4)


class Notebooks(unittest.TestCase):

    def check(self, name):
        document = notebook(name)
        document.cells.append(nbformat.v4.new_code_cell(CHECKS[name]))
        NotebookClient(document, timeout=180, kernel_name="python3").execute()
        outputs = [output for cell in document.cells for output in cell.get("outputs", ())]
        self.assertEqual([output.text for output in outputs if output.get("name") == "stderr"], [])
        pictures = [output.data["image/png"] for output in outputs
                    if "image/png" in output.get("data", {})]
        os.makedirs(PICTURES, exist_ok=True)
        with open(os.path.join(PICTURES, name + ".png"), "wb") as file:
            file.write(base64.b64decode(pictures[-1]))

    def test_brain(self):
        self.check("brain")

    def test_flow(self):
        self.check("flow")

    def test_particles(self):
        self.check("particles")

    def test_they_are_kept_without_outputs(self):
        found = sorted(name[:-6] for name in os.listdir(FOLDER) if name.endswith(".ipynb"))
        self.assertEqual(found, sorted(CHECKS))
        for name in found:
            document = notebook(name)
            nbformat.validate(document)
            for cell in document.cells:
                self.assertFalse(cell.get("outputs") or cell.get("execution_count"), name)


if __name__ == "__main__":
    os.environ["PYTHONPATH"] = common.MODULE if common.MODULE != "-" else ""
    common.main()
