"""A library used through its description alone: json and ctypes, no header, no Teem.

    described_test.py FOLDER     holds field_lib.json, field_lib.so, swarm_lib.json, swarm_lib.so
"""

import ctypes
import json
import os
import sys
import unittest

FOLDER = "."

C_TYPES = {"int": ctypes.c_int, "long long int": ctypes.c_longlong, "float": ctypes.c_float,
           "double": ctypes.c_double, "bool": ctypes.c_bool, "uint32_t": ctypes.c_uint32,
           "size_t": ctypes.c_size_t, "ptrdiff_t": ctypes.c_ssize_t, "void*": ctypes.c_void_p,
           "void": None}


def load(name):
    with open(os.path.join(FOLDER, name + ".json"), encoding="utf-8") as file:
        return json.load(file), ctypes.CDLL(os.path.join(os.path.abspath(FOLDER), name + ".so"))


def functions_of(entry):
    """Every object of a description that describes a function."""
    if isinstance(entry, list):
        return [found for element in entry for found in functions_of(element)]
    if not isinstance(entry, dict):
        return []
    if "return-ty" in entry and "name" in entry:
        return [entry]
    return [found for value in entry.values() for found in functions_of(value)]


def c_type(kind):
    if isinstance(kind, dict):
        return c_type(kind["arg"]) if kind["kind"] == "const" else ctypes.c_void_p
    return C_TYPES.get(kind, ctypes.c_void_p)


def bind(shared, description):
    function = getattr(shared, description["name"])
    function.restype = c_type(description["return-ty"])
    function.argtypes = [c_type(parameter["param-ty"]) for parameter in description["params"]]
    return function


def view_type(description):
    fields = []
    for field in description["view"]["fields"]:
        kind = C_TYPES[field["type"]]
        fields.append((field["name"], kind * field["size"] if "size" in field else kind))
    return type("View", (ctypes.Structure,), {"_fields_": fields})


class Described(unittest.TestCase):
    def test_every_function_is_there(self):
        for name, least in (("field_lib", 50), ("swarm_lib", 30)):
            description, shared = load(name)
            functions = functions_of(description)
            self.assertGreaterEqual(len(functions), least)
            self.assertEqual(len({f["name"] for f in functions}), len(functions))
            for function in functions:
                self.assertIsNotNone(getattr(shared, function["name"]))

    def test_members_are_in_the_order_of_the_contract(self):
        description, _ = load("swarm_lib")
        self.assertEqual(list(description), [
            "program", "source-file", "build-cmd", "version", "float-size", "int-size", "target",
            "inputs", "runtime", "outputs", "view", "libraries"])
        self.assertEqual([description[key] for key in ("program", "float-size", "int-size",
                                                       "target")],
                         ["swarm_lib", "64", "64", "DIDEROT_TARGET_PARALLEL"])
        self.assertEqual([entry["name"] for entry in description["runtime"]], [
            "new_world", "init_world", "create_strands", "run", "shutdown",
            "make_interruptible", "checkpoint", "resume", "num_strands", "num_active_strands", "num_stable_strands",
            "any_errors", "get_errors", "verbose", "printer_cb", "num_cores", "num_workers"])
        world = description["runtime"][1]["func"]["params"][0]
        self.assertEqual(world["attrs"], ["world"])
        self.assertEqual(world["attrbs"], ["world"])
        field, _ = load("field_lib")
        image = field["inputs"][0]
        self.assertEqual(list(image), ["name", "description", "type", "set", "has-default",
                                       "set-view", "set-frame"])
        self.assertEqual([f["name"] for f in image["set"]],
                         ["field_input_set_by_name_img", "field_input_set_img"])
        flow = field["inputs"][1]
        self.assertEqual(list(flow)[4:], ["has-default", "get", "get-size", "set-view", "set-frame"])
        self.assertEqual(flow["type"], {"kind": "image", "dimension": 2, "shape": [2]})
        self.assertEqual(list(field["outputs"][0]),
                         ["name", "type", "snapshot", "get", "snapshot-view", "get-view", "write-view",
                          "write-frame"])

    def test_an_image_goes_in_and_values_come_out(self):
        description, shared = load("field_lib")
        runtime = {entry["name"]: bind(shared, entry.get("func") or entry.get("get") or
                                       entry["set"]) for entry in description["runtime"]}
        inputs = {entry["name"]: entry for entry in description["inputs"]}
        outputs = {entry["name"]: entry for entry in description["outputs"]}
        view = view_type(description)
        codes = description["view"]["types"]

        samples = (ctypes.c_float * 56)(*[10 * (k % 8) + k // 8 for k in range(56)])
        given = view(data=ctypes.addressof(samples), type=codes["float32"], rank=2)
        given.shape[0], given.shape[1] = 7, 8
        given.strides[0], given.strides[1] = 32, 4
        world = runtime["new_world"]()
        self.assertTrue(world)
        self.assertFalse(runtime["init_world"](world))
        set_image = bind(shared, inputs["img"]["set-view"])
        self.assertFalse(set_image(world, ctypes.addressof(given), None, None))
        self.assertFalse(bind(shared, inputs["scale"]["set"])(world, 2.0))
        word = ctypes.create_string_buffer(b".")
        self.assertFalse(bind(shared, inputs["word"]["set"])(world, ctypes.addressof(word)))
        self.assertFalse(runtime["create_strands"](world))
        self.assertEqual(runtime["run"](world, 0), 3)
        self.assertEqual(runtime["num_strands"](world), 6)
        found = view()
        self.assertFalse(bind(shared, outputs["value"]["get-view"])(world,
                                                                    ctypes.addressof(found)))
        self.assertEqual((found.rank, found.type), (2, codes["float32"]))
        for i in range(found.shape[0]):
            for j in range(found.shape[1]):
                at = found.data + i * found.strides[0] + j * found.strides[1]
                value = ctypes.c_float.from_address(at).value
                self.assertAlmostEqual(value, 2 * (10 * (i + 2) + j + 2), places=3)
        runtime["shutdown"](world)

    def test_errors_are_text(self):
        description, shared = load("field_lib")
        runtime = {entry["name"]: bind(shared, entry.get("func") or entry.get("get") or
                                       entry["set"]) for entry in description["runtime"]}
        world = runtime["new_world"]()
        self.assertTrue(runtime["create_strands"](world))
        address = runtime["get_errors"](world)
        self.assertIn(b"must call field_init_world", ctypes.string_at(address))
        free = ctypes.CDLL(None).free
        free.argtypes = [ctypes.c_void_p]
        free(address)
        runtime["shutdown"](world)


if __name__ == "__main__":
    FOLDER = sys.argv.pop(1)
    unittest.main()
