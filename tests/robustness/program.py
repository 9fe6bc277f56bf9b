"""Running the command line program from tests: status, texts, and whether anything is left over."""

import os
import pathlib
import subprocess
import tempfile
import time
import unittest
import uuid

SOURCE = pathlib.Path(os.environ.get("PLUMBLINE_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))
BIN = pathlib.Path(os.environ.get("PLUMBLINE_BIN_DIR", SOURCE / "build" / "bin"))
SAMPLES = SOURCE / "resources" / "samples"
MARK = "PLUMBLINE_TEST_MARK"

# What no user should ever meet.
CRASH_WORDS = ("terminate called", "Segmentation fault", "AddressSanitizer", "runtime error:", "Assertion",
               "core dumped", "what():")


def marked_processes(mark):
    """Processes, other than zombies, that inherited the mark of one run."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if f"{MARK}={mark}".encode() in (entry / "environ").read_bytes().split(b"\0"):
                found.append((entry.name, (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()))
        except OSError:
            pass  # it ended while we looked
    return found


class ProgramTest(unittest.TestCase):
    """Gives each test a folder and checks every run for crashes and left-over processes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="plumbline-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, content):
        """A file of that name and content in the test's folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content)
        return path

    def script(self, name, text):
        """An executable shell script."""
        path = self.file(name, "#!/bin/sh\n" + text + "\n")
        path.chmod(0o755)
        return path

    def run_program(self, *arguments, env=None, program=None, timeout=120, **options):
        """Runs plumbline; the result has returncode, stdout, stderr."""
        mark = uuid.uuid4().hex
        environment = {**os.environ, **(env or {}), MARK: mark}
        environment = {key: value for key, value in environment.items() if value is not None}
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        run = subprocess.run([str(program or BIN / "plumbline"), *map(str, arguments)], stderr=subprocess.PIPE,
                             env=environment, timeout=timeout, check=False, text=True, errors="replace", **options)
        self.check_run(run, mark)
        return run

    def check_run(self, run, mark):
        said = (run.stdout or "") + run.stderr
        self.assertIn(run.returncode, range(7), f"status {run.returncode} is none of the contract\n{said[-2000:]}")
        for word in CRASH_WORDS:
            self.assertNotIn(word, said)
        self.assert_nothing_left(mark)

    def assert_nothing_left(self, mark):
        for _ in range(50): # the kernel may need a moment to take them away
            left = marked_processes(mark)
            if not left:
                return
            time.sleep(0.1)
        self.fail(f"left over: {left}")

    def assert_named_error(self, run, statuses, *ids):
        """The run ended with one of the statuses and said one of the ids (any id when none is given)."""
        said = run.stdout + run.stderr
        self.assertIn(run.returncode, statuses, said[-2000:])
        if ids:
            self.assertTrue(any(name in said for name in ids), f"none of {ids} in:\n{said[-2000:]}")
        else:
            self.assertRegex(said, r"\[[a-z0-9]+(-[a-z0-9]+)*\]")
