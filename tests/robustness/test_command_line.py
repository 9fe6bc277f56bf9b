"""Help for each command, and what is said about a name that is misspelt."""

import json
import re
import unittest

import program

COMMANDS = ("check", "import", "eval", "run", "method", "gate", "coverage", "serve", "doctor")
MODEL = program.SOURCE / "tests" / "robustness" / "relu.json"
KERNEL = program.SAMPLES / "relu-guard" / "kernel.cu"
NUMBERS = {"shape": [2], "dtype": "float32", "bits": [0, 0x3F800000]}
LAUNCH = {"kernels": {"relu_kernel": {
    "symbols": {"n": [1, 1000000]}, "block": [128, 1, 1], "grid": ["ceil(n / 128)", 1, 1],
    "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}}, "scalars": {"n": "n"}}}}


class Help(program.ProgramTest):
    def test_each_command_shows_its_own_usage(self):
        everything = self.run_program("help").stdout
        for command in COMMANDS:
            with self.subTest(command):
                asked = self.run_program(command, "--help")
                self.assertEqual((asked.returncode, asked.stderr), (0, ""))
                self.assertIn(f"plumbline {command}", asked.stdout)
                for line in asked.stdout.splitlines():
                    if line.startswith("  plumbline "):
                        self.assertTrue(line.startswith(f"  plumbline {command}"), line)
                        self.assertIn(line, everything)
                self.assertEqual(self.run_program("help", command).stdout, asked.stdout)
                self.assertEqual(self.run_program(command, "a", "-h", "--no-such-option").stdout, asked.stdout)

    def test_it_explains_the_words_it_uses(self):
        check = self.run_program("check", "--help").stdout
        for word in ("\nREADING ", "\nMODEL ", "\nKERNEL ", "\nExit status"):
            self.assertIn(word, check)
        self.assertIn("[--timeout SECONDS] [--jobs N]", check)
        run = self.run_program("run", "--help").stdout
        self.assertIn("\nKERNEL ", run)
        self.assertNotIn("\nREADING ", run)

    def test_an_unknown_command_has_none(self):
        for words in (["none", "--help"], ["help", "none"]):
            self.assert_named_error(self.run_program(*words), [4], "usage")

    def test_the_server_has_help_too(self):
        server = program.BIN / "plumbline-server"
        asked = self.run_program("--help", program=server)
        self.assertEqual((asked.returncode, asked.stderr), (0, ""))
        self.assertIn("usage: plumbline-server", asked.stdout)
        self.assertEqual(self.run_program("--none", program=server).returncode, 4)
        # What editors add; the input ends before anything was said.
        self.assertEqual(self.run_program("--stdio", program=server).returncode, 1)


class Names(program.ProgramTest):
    def inputs(self, *names):
        return self.file("inputs.json", json.dumps({name: NUMBERS for name in names}))

    def test_a_misspelt_input_of_the_module(self):
        wrong = self.run_program("eval", MODEL, "--inputs", self.inputs("xx"))
        self.assert_named_error(wrong, [4], "input-unknown")
        self.assertIn("'xx'", wrong.stderr)
        self.assertRegex(wrong.stderr, r"takes x\b")
        right = self.run_program("eval", MODEL, "--inputs", self.inputs("x"))
        self.assertEqual(right.returncode, 0)
        self.assertNotIn("does not take", right.stderr)
        more = self.run_program("eval", MODEL, "--inputs", self.inputs("x", "other"))
        self.assertEqual((more.returncode, more.stdout), (0, right.stdout))
        self.assertIn("'other'", more.stderr)

    def test_a_misspelt_input_of_a_launch(self):
        launch = self.file("launch.json", json.dumps(LAUNCH))
        wrong = self.run_program("run", KERNEL, "--launch", launch, "--inputs", self.inputs("xx"))
        self.assert_named_error(wrong, [4], "input-unknown")
        self.assertIn("'xx'", wrong.stderr)
        self.assertIn("takes n, x, y", wrong.stderr)
        right = self.run_program("run", KERNEL, "--launch", launch, "--inputs", self.inputs("x"))
        self.assertEqual(right.returncode, 0, right.stderr)
        self.assertNotIn("does not take", right.stderr)

    def test_a_kernel_that_is_not_there(self):
        for words in (["check", MODEL, KERNEL], ["method", MODEL, KERNEL], ["gate", KERNEL]):
            with self.subTest(words[0]):
                asked = self.run_program(*words, "--kernel", "nope")
                self.assert_named_error(asked, [4], "kernel-unknown", "kernel-missing")
                self.assertIn("relu_kernel", asked.stdout + asked.stderr)

    def test_a_refused_pair_has_no_witness(self):
        sample = program.SAMPLES / "vector-add-unguarded"
        for option in ("--witness", "--sweep"):
            asked = self.run_program("method", sample / "graph.json", sample / "kernel.cu", option)
            self.assertEqual((asked.returncode, asked.stdout), (5, ""))
            self.assertIn("refused the kernel", asked.stderr)
            self.assertIn("[kernel-refused]", asked.stderr)


class Readme(program.ProgramTest):
    """Every session that README.md shows is what the program prints, without what it says it leaves out."""

    # Which of the two solvers answers first is a matter of time.
    SOLVERS = re.compile(r" (?:z3\+cvc5|z3|cvc5)\b")

    def shown(self, lines):
        left_out = [line for line in lines if not re.fullmatch(r"note: executed .*|[0-9.]+ s", line)]
        return [self.SOLVERS.sub("", line) if line.startswith("goals: ") else line for line in left_out]

    def test_sessions(self):
        blocks = re.findall(r"^    \$ plumbline (.*)\n((?:    .*\n)+)", (program.SOURCE / "README.md").read_text(), re.M)
        self.assertEqual(len(blocks), 3)
        for words, output in blocks:
            with self.subTest(words):
                printed = self.run_program(*words.split(), cwd=program.SOURCE).stdout
                self.assertEqual(self.shown(line[4:] for line in output.splitlines()), self.shown(printed.splitlines()))


if __name__ == "__main__":
    unittest.main()
