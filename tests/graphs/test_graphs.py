"""Programs that nobody developed against: each works, or is refused for the reviewed reason and no other.

The installed PyTorch captures them. The values are compared element by element, under the derived bound and on special
values, by tests/differential/spec/cases_graphs.py; here `plumbline eval` has to give PyTorch's values on the way that a
user takes.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

SOURCE = pathlib.Path(os.environ.get("PLUMBLINE_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
BIN = pathlib.Path(os.environ.get("PLUMBLINE_BIN_DIR", SOURCE / "build" / "bin"))
sys.path.insert(0, str(SOURCE / "resources" / "capture"))
sys.path.insert(0, str(SOURCE / "tests" / "graphs"))

import torch  # noqa: E402
from plumbline_capture import model as capture  # noqa: E402

import programs  # noqa: E402

SEED = 5
# Of the largest element: at most 100 terms and 40 further roundings in a row, of moderate values.
TOLERANCE = 200 * 2.0**-24
STAGES = ("import", "shape", "denotation", "print")


def described(value):
    value = value.detach()
    if value.dtype == torch.float32:
        bits = [b & 0xFFFFFFFF for b in value.contiguous().view(torch.int32).reshape(-1).tolist()]
    else:
        bits = [int(b) for b in value.reshape(-1).tolist()]
    return {"shape": list(value.shape), "dtype": str(value.dtype).removeprefix("torch."), "bits": bits}


def tensor(value):
    dtype = getattr(torch, value["dtype"])
    bits = value["bits"]
    if dtype == torch.float32:
        return torch.tensor([b - (1 << 32) if b >> 31 else b for b in bits], dtype=torch.int32).view(dtype).reshape(value["shape"])
    return torch.tensor(bits, dtype=torch.int64).to(dtype).reshape(value["shape"])


def tensors_of(result):
    return list(result) if isinstance(result, (tuple, list)) else [result]


class Captured:
    """One program: its exported document, inputs for it, and what PyTorch computes."""

    def __init__(self, program, path):
        torch.manual_seed(1)
        module = program.make()
        given = program.inputs(torch.Generator().manual_seed(SEED))
        exported = torch.export.export(module, tuple(given), strict=False)
        path.write_text(json.dumps(capture.document(exported)), encoding="utf-8")
        self.inputs = {}
        remaining = iter(given)
        for spec in exported.graph_signature.input_specs:
            is_user = spec.kind.name == "USER_INPUT"
            state = None if is_user else exported.state_dict.get(spec.target, exported.constants.get(spec.target))
            self.inputs[spec.arg.name] = described(next(remaining) if is_user else state)
        self.outputs = [spec.arg.name for spec in exported.graph_signature.output_specs]
        self.results = tensors_of(module(*given))


class Graphs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        warnings.simplefilter("ignore")
        torch.set_num_threads(1)
        cls.folder = tempfile.TemporaryDirectory()
        cls.programs = programs.all_programs()
        cls.captured, cls.paths = {}, {}
        for number, program in enumerate(cls.programs):
            path = pathlib.Path(cls.folder.name) / f"{number:03}.json"
            cls.captured[program.name] = Captured(program, path)
            cls.paths[program.name] = path
        run = subprocess.run([BIN / "plumbline", "coverage", cls.folder.name, "--json"], capture_output=True, text=True)
        cls.coverage = {pathlib.Path(e["file"]).name: e for e in json.loads(run.stdout)["programs"]}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_there_are_many(self):
        self.assertGreaterEqual(len(self.programs), 40)
        self.assertGreaterEqual(sum(not p.missing and not p.refused for p in self.programs), 40)

    def test_states_are_the_reviewed_ones(self):
        for program in self.programs:
            with self.subTest(program.name):
                found = self.coverage[self.paths[program.name].name]
                reasons = [found[stage] for stage in STAGES if found[stage] != "ok" and not found[stage].startswith("not reached")]
                self.assertEqual(found["missing"], program.missing)
                if not program.missing and not program.refused:
                    self.assertEqual(reasons, [])
                elif program.refused:
                    self.assertEqual(len(reasons), 1)
                    self.assertTrue(reasons[0].endswith(f"[{program.refused}]"), reasons[0])
                else:
                    self.assertEqual(len(reasons), 1)
                    self.assertIn(f"({program.missing[0]})", reasons[0])

    def test_values_are_pytorchs(self):
        compared = 0
        for program in self.programs:
            if program.missing or program.refused:
                continue
            with self.subTest(program.name):
                compared += self.compare(program, self.captured[program.name])
        self.assertGreater(compared, 500)

    def compare(self, program, captured):
        inputs = pathlib.Path(self.folder.name) / "inputs"
        inputs.write_text(json.dumps(captured.inputs), encoding="utf-8")
        command = [BIN / "plumbline", "eval", self.paths[program.name], "--inputs", inputs]
        run = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr)
        values = json.loads(run.stdout)
        for name, wanted in zip(captured.outputs, captured.results, strict=True):
            found = tensor(values[name])
            self.assertEqual((found.shape, found.dtype), (wanted.shape, wanted.dtype))
            if wanted.dtype != torch.float32:
                self.assertTrue(torch.equal(found, wanted))
                continue
            wanted = wanted.detach()
            self.assertTrue(torch.equal(found.isnan(), wanted.isnan()))
            self.assertTrue(torch.equal(found.isinf(), wanted.isinf()))
            finite = wanted.isfinite()
            if finite.any():
                largest = wanted[finite].abs().max().item()
                self.assertLessEqual((found - wanted)[finite].abs().max().item(), TOLERANCE * largest)
        return sum(r.numel() for r in captured.results)


if __name__ == "__main__":
    unittest.main()
