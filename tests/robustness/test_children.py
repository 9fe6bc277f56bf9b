"""Missing, dying, silent and lying children: a named error, or a verdict that does not depend on them."""

import os
import shutil
import unittest

import program

PYTHON_MODEL = program.SAMPLES / "relu-guard" / "model.py"
MODEL = program.SOURCE / "tests" / "robustness" / "relu.json"
KERNEL = program.SAMPLES / "relu-guard" / "kernel.cu"
ASSOCIATION = (program.SAMPLES / "association" / "model.py", program.SAMPLES / "association" / "kernel.cu")
COMMUTED = (program.SAMPLES / "leaky-relu-commuted" / "model.py", program.SAMPLES / "leaky-relu-commuted" / "kernel.cu")


class Python(program.ProgramTest):
    def test_missing(self):
        run = self.run_program("check", PYTHON_MODEL, KERNEL, env={"PLUMBLINE_PYTHON": "/no/such/python3"})
        self.assert_named_error(run, [4], "python-missing", "tool-missing")

    def test_without_torch(self):
        bare = self.script("python3", 'exec /usr/bin/python3 -S "$@"')
        run = self.run_program("check", PYTHON_MODEL, KERNEL, env={"PLUMBLINE_PYTHON": str(bare)})
        self.assert_named_error(run, [4], "torch-missing")

    def test_that_dies_or_talks_nonsense(self):
        for name, text in {"dies": "exit 7", "killed": "kill -9 $$", "nonsense": "while read x; do echo '}{'; done",
                           "other-id": "while read x; do echo '{\"id\": 12345}'; done"}.items():
            with self.subTest(name):
                run = self.run_program("check", PYTHON_MODEL, KERNEL, env={"PLUMBLINE_PYTHON": str(self.script(name, text))})
                self.assert_named_error(run, [4])

    def test_that_is_silent(self):
        silent = self.script("silent", "exec sleep 300")
        run = self.run_program("check", PYTHON_MODEL, KERNEL, "--timeout", "3", env={"PLUMBLINE_PYTHON": str(silent)}, timeout=60)
        self.assertIn(run.returncode, (2, 4))


class Importer(program.ProgramTest):
    """plumbline-cuda is looked for beside the program: a copy of the program gets another one."""

    def copy_with(self, importer):
        shutil.copy(program.BIN / "plumbline", self.folder / "plumbline")
        path = self.folder / "plumbline-cuda"
        path.unlink(missing_ok=True)
        if importer is not None:
            self.script("plumbline-cuda", importer)
        return self.folder / "plumbline"

    def test_missing(self):
        run = self.run_program("check", MODEL, KERNEL, program=self.copy_with(None),
                               env={"PLUMBLINE_LIBEXEC": None, "PATH": "/usr/bin:/bin"})
        self.assert_named_error(run, [4], "tool-missing")

    def test_that_dies_or_talks_nonsense(self):
        for name, text in {"dies": "exit 7", "killed": "kill -9 $$", "nonsense": "while read x; do echo '}{'; done",
                           "empty object": "while read x; do echo '{}'; done"}.items():
            with self.subTest(name):
                self.assert_named_error(self.run_program("check", MODEL, KERNEL, program=self.copy_with(text)), [4])

    def test_that_is_silent(self):
        run = self.run_program("check", MODEL, KERNEL, "--timeout", "3", program=self.copy_with("exec sleep 300"), timeout=60)
        self.assertIn(run.returncode, (2, 4))


class Solvers(program.ProgramTest):
    """z3 and cvc5 are looked for on PATH. Without them a verdict may get weaker, never different."""

    def check(self, pair, expected, **solvers):
        """`solvers`: script text by name; a solver without one is missing."""
        tools = self.folder / "tools"
        shutil.rmtree(tools, ignore_errors=True)
        tools.mkdir()
        for name, text in solvers.items():
            self.script(f"tools/{name}", text)
        for name in ("sh", "sleep", "cat"):
            os.symlink(shutil.which(name), tools / name)
        run = self.run_program("check", *pair, "--timeout", "60",
                               env={"PATH": str(tools), "PLUMBLINE_PYTHON": "/usr/bin/python3"})
        self.assertIn(run.returncode, expected, run.stdout + run.stderr)

    def test_missing(self):
        self.check(ASSOCIATION, (1, 2, 4))
        self.check(COMMUTED, (0, 2, 4))

    def test_that_fail(self):
        for text in ("exit 1", "kill -9 $$", "echo nonsense; cat >/dev/null", "echo '(error \"no\")'; cat >/dev/null",
                     "exec sleep 300"):
            with self.subTest(text):
                self.check(ASSOCIATION, (1, 2, 4), z3=text, cvc5=text)

    def test_that_claim_proofs_of_what_is_false(self):
        lying = "while read line; do case \"$line\" in *check-sat*) echo unsat;; *echo*) echo \"$line\";; esac; done"
        genuine = f'exec {shutil.which("cvc5")} "$@"'
        self.check(ASSOCIATION, (1, 2, 6), z3=lying, cvc5=genuine)


if __name__ == "__main__":
    unittest.main()
