"""lean/check.sh: what it says without Lake, and what it records when a Lake (here a scripted one) compiles or refuses."""

import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "arch"))
import tree  # noqa: E402

TOOLS = ["sh", "date", "sed", "find", "sort", "tr", "cat", "dirname"]
FAKE = """#!/bin/sh
echo "$@" >> "{log}"
case "$2" in *{bad}) exit 1 ;; esac
"""


class Check(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.lean = self.folder / "lean"
        shutil.copytree(tree.SOURCE / "lean", self.lean, ignore=shutil.ignore_patterns(".lake"))
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        for tool in TOOLS:
            (self.bin / tool).symlink_to(shutil.which(tool))

    def run_check(self, *words):
        return subprocess.run([str(self.lean / "check.sh"), *words], capture_output=True, text=True, check=False,
                              env={**os.environ, "PATH": str(self.bin)})

    def fake_lake(self, bad):
        path = self.bin / "lake"
        path.write_text(FAKE.format(log=self.folder / "log", bad=bad))
        path.chmod(path.stat().st_mode | stat.S_IEXEC)

    def first_lines(self):
        return {path.relative_to(self.lean).as_posix(): path.read_text(encoding="utf-8").split("\n")[0]
                for path in self.lean.rglob("*.lean")}

    def test_without_lake_it_says_so_and_changes_nothing(self):
        before = self.first_lines()
        made = self.run_check()
        self.assertEqual(made.returncode, 3)
        self.assertIn("lean-check-no-lake", made.stderr)
        self.assertEqual(self.first_lines(), before)

    def test_it_records_what_compiled_and_names_what_did_not(self):
        self.fake_lake("Lemmas.MulComm")
        made = self.run_check()
        self.assertEqual(made.returncode, 1)
        self.assertIn("lean-check-failed: ./Plumbline/Lemmas/MulComm.lean (Plumbline.Lemmas.MulComm)", made.stderr)
        lines = self.first_lines()
        self.assertEqual(lines["Plumbline/Lemmas/MulComm.lean"], "-- not yet compiled")
        self.assertRegex(lines["Plumbline/Scalar.lean"],
                         r"^-- last compiled: \d{4}-\d\d-\d\d with leanprover/lean4:v4\.34\.0$")
        self.assertEqual(lines["PlumblineSweep/TwoMul.lean"], "-- not yet compiled")
        asked = (self.folder / "log").read_text().split("\n")
        self.assertIn("build +Plumbline.Model.Fma", asked)
        self.assertIn("build +Plumbline", asked)

    def test_sweeps_are_asked_for(self):
        self.fake_lake("nothing")
        made = self.run_check("--sweep")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertTrue(self.first_lines()["PlumblineSweep/TwoMul.lean"].startswith("-- last compiled: "))
        self.assertEqual(self.first_lines()["real/PlumblineReal.lean"], "-- not yet compiled")

    def test_an_unknown_word_is_refused(self):
        self.assertEqual(self.run_check("--all").returncode, 2)

    def test_the_roots_import_every_file(self):
        for library in ("Plumbline", "PlumblineSweep"):
            wanted = {".".join(path.relative_to(self.lean).with_suffix("").parts)
                      for path in (self.lean / library).rglob("*.lean")}
            text = (self.lean / f"{library}.lean").read_text(encoding="utf-8")
            self.assertEqual({line.split()[1] for line in text.split("\n") if line.startswith("import ")}, wanted)


if __name__ == "__main__":
    unittest.main()
