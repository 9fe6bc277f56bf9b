"""Broken, torn and strange inputs: a named error with status 3 or 4, never a crash."""

import os
import shutil
import signal
import subprocess
import time
import unittest
import uuid

import program

PYTHON_MODEL = program.SAMPLES / "relu-guard" / "model.py"
MODEL = program.SOURCE / "tests" / "robustness" / "relu.json"  # the same module, exported: no Python is started
KERNEL = program.SAMPLES / "relu-guard" / "kernel.cu"
ARCHIVE = program.SOURCE / "tests" / "fuzz" / "seeds" / "archive" / "where.pt2"


class Usage(program.ProgramTest):
    def test_wrong_calls(self):
        for arguments in ([], ["no-such-command"], ["check"], ["check", MODEL], ["check", MODEL, KERNEL, "--no-such-option"],
                          ["check", MODEL, KERNEL, "--reading", "imaginary"], ["check", MODEL, KERNEL, "--accept", "maybe"],
                          ["check", MODEL, KERNEL, "--timeout", "soon"], ["check", MODEL, KERNEL, "--timeout"],
                          ["check", MODEL, KERNEL, "--assume", "n %"], ["gate"], ["import", "nothing", KERNEL]):
            with self.subTest(arguments):
                self.assertEqual(self.run_program(*arguments).returncode, 4)


class Models(program.ProgramTest):
    def check(self, model, statuses, *ids):
        self.assert_named_error(self.run_program("check", model, KERNEL), statuses, *ids)

    def test_missing_file(self):
        self.check(self.folder / "none.py", [4], "file-not-found")
        self.check(self.folder / "none.json", [4], "file-not-found")

    def test_folder(self):
        self.check(self.folder, [4])

    def test_torn_archives(self):
        whole = ARCHIVE.read_bytes()
        for size in (0, 1, 4, 100, len(whole) // 2, len(whole) - 30):
            with self.subTest(size):
                self.check(self.file("torn.pt2", whole[:size]), [4], "archive-torn")

    def test_archive_with_a_flipped_byte(self):
        whole = bytearray(ARCHIVE.read_bytes())
        whole[len(whole) // 3] ^= 0x40
        run = self.run_program("check", self.file("flipped.pt2", bytes(whole)), KERNEL)
        self.assertIn(run.returncode, (3, 4))

    def test_json_that_is_no_graph(self):
        for text in ("", "{", "[]", "null", "{}", '{"graph_module": 3}', "\xff", '{"a": 1e999}'):
            with self.subTest(text):
                self.check(self.file("model.json", text), [3, 4])

    def test_python_that_fails(self):
        for name, text in {"syntax": "class Model(", "raises": "raise RuntimeError('no luck')", "no-model": "x = 1\n",
                           "exits": "import sys\nsys.exit(0)\n", "dies": "import os\nos._exit(9)\n",
                           "killed": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
                           "prints": "print('{\"id\": 1}')\nprint('noise')\n"}.items():
            with self.subTest(name):
                self.check(self.file(f"{name}.py", text), [3, 4])

    def test_python_that_never_ends(self):
        model = self.file("loop.py", "while True:\n    pass\n")
        run = self.run_program("check", model, KERNEL, "--timeout", "5", timeout=60)
        self.assertIn(run.returncode, (2, 3, 4))

    def test_python_that_prints_while_it_is_read(self):
        noisy = "print('hello')\nimport sys\nprint('to stderr', file=sys.stderr)\n" + PYTHON_MODEL.read_text()
        self.assertEqual(self.run_program("check", self.file("noisy.py", noisy), KERNEL).returncode, 1)


class Kernels(program.ProgramTest):
    def check(self, text, statuses, *ids):
        self.assert_named_error(self.run_program("check", MODEL, self.file("kernel.cu", text)), statuses, *ids)

    def test_empty(self):
        for text in ("", "\n\n", "// nothing\n"):
            with self.subTest(text):
                self.check(text, [3, 4])

    def test_syntax_error_has_its_position(self):
        run = self.run_program("check", MODEL, self.file("kernel.cu", KERNEL.read_text().replace("v > 0.0f ?", "v > ?")))
        self.assertEqual(run.returncode, 3)
        self.assertRegex(run.stdout + run.stderr, r"kernel\.cu:8:\d+")

    def test_bytes_that_are_no_text(self):
        for name, content in {"binary": bytes(range(256)) * 50, "zeros": b"\0" * 1000,
                              "latin": KERNEL.read_bytes() + "// \u00e9\n".encode("latin-1")}.items():
            with self.subTest(name):
                self.run_program("check", MODEL, self.file("kernel.cu", content))

    def test_deep_nesting(self):
        text = KERNEL.read_text().replace("v > 0.0f", "(" * 3000 + "v > 0.0f" + ")" * 3000)
        run = self.run_program("check", MODEL, self.file("kernel.cu", text))
        self.assertIn(run.returncode, (1, 3, 4))

    def test_python_without_cuda(self):
        run = self.run_program("check", MODEL, self.file("kernel.py", "x = 1\n"))
        self.assert_named_error(run, [3, 4])

    def test_names_with_spaces_and_odd_bytes(self):
        kernel = os.path.join(os.fsencode(self.folder), b"a \xff k.cu")
        shutil.copy(KERNEL, kernel)
        run = self.run_program("check", MODEL, os.fsdecode(kernel), "--json")
        self.assertEqual(run.returncode, 1)


class Outputs(program.ProgramTest):
    def test_folder_that_cannot_be_written(self):
        blocked = self.file("a-file", "")
        for folder in (blocked, blocked / "below", "/proc/nowhere"):
            with self.subTest(folder):
                run = self.run_program("check", MODEL, KERNEL, "--out", folder)
                self.assert_named_error(run, [4], "file-unwritable", "folder-unwritable")

    def test_full_disk(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            run = self.run_program("check", MODEL, KERNEL, "--json", stdout=full)
        self.assertEqual(run.returncode, 4)

    def test_closed_standard_streams(self):
        for redirection in ("<&-", "2>&-", "<&- 2>&-"):
            with self.subTest(redirection):
                command = f'exec "$0" check "$1" "$2" {redirection}'
                run = self.run_program("-c", command, program.BIN / "plumbline", MODEL, KERNEL, program="/bin/sh")
                self.assertEqual(run.returncode, 1)


class Interruption(program.ProgramTest):
    def interrupt(self, sent, after):
        mark = uuid.uuid4().hex
        child = subprocess.Popen([str(program.BIN / "plumbline"), "check", str(PYTHON_MODEL), str(KERNEL)], stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 env={**os.environ, program.MARK: mark})
        time.sleep(after)
        child.send_signal(sent)
        child.wait(timeout=10)
        self.assert_nothing_left(mark)

    def test_no_process_is_left(self):
        for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            for after in (0.05, 0.4, 1.0):
                with self.subTest(f"{sent.name} after {after} s"):
                    self.interrupt(sent, after)


if __name__ == "__main__":
    unittest.main()
