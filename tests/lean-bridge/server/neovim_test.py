"""A client that is not ours: Neovim opens a sample's document, shows its diagnostics and applies a code action."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import textwrap
import unittest

SOURCE = pathlib.Path(os.environ["PLUMBLINE_SOURCE_DIR"])
BIN = pathlib.Path(os.environ["PLUMBLINE_BIN_DIR"])
HERE = pathlib.Path(__file__).resolve().parent


@unittest.skipUnless(shutil.which("nvim"), "Neovim is not installed")
class Neovim(unittest.TestCase):
    def run_on(self, text, action):
        """What neovim.lua says, and the file afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "document.lean")
            file.write_text(text)
            environment = dict(os.environ, PLUMBLINE_SERVER=str(BIN / "plumbline-server"), PLUMBLINE_ACTION=action,
                               HOME=folder, XDG_STATE_HOME=folder, XDG_DATA_HOME=folder)
            done = subprocess.run(["nvim", "--headless", "-n", "-u", "NONE", str(file), "-c",
                                   f"luafile {HERE / 'neovim.lua'}"], env=environment, cwd=folder, capture_output=True,
                                  text=True, timeout=100)
            said = dict(line.split(" ", 1) for line in done.stdout.splitlines() if " " in line)
            self.assertEqual(done.returncode, 0, done.stderr)
            return said, file.read_text()

    def test_the_documented_lines_connect_it(self):
        manual = (SOURCE / "docs/language-server.md").read_text()
        block = manual[manual.index("- **Neovim**"):manual.index("- **VS Code**")].split("\n\n")[1]
        lines = textwrap.dedent(block).replace("/path/to/build/bin/plumbline-server", str(BIN / "plumbline-server"))
        self.assertIn(str(BIN), lines)
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "init.lua").write_text(lines)
            pathlib.Path(folder, "ask.lua").write_text(
                "vim.wait(10000, function() return #vim.diagnostic.get(0) > 0 end, 20)\n"
                "for _, each in ipairs(vim.diagnostic.get(0)) do io.stdout:write(each.code .. '\\n') end\n"
                "vim.cmd('qall!')\n")
            pathlib.Path(folder, "document.lean").write_text("theorem (((\n")
            environment = dict(os.environ, HOME=folder, XDG_STATE_HOME=folder, XDG_DATA_HOME=folder)
            done = subprocess.run(["nvim", "--headless", "-n", "-u", "init.lua", "document.lean", "-c",
                                   "luafile ask.lua"], env=environment, cwd=folder, capture_output=True, text=True,
                                  timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("syntax", done.stdout, done.stderr)

    def test_a_sample_with_a_wrong_index_is_mended(self):
        right = (SOURCE / "tests/method/golden/relu-guard.lean").read_text()
        wrong = right.replace("let v : Float32 := x[i.toNat]!", "let v : Float32 := x[i]!")
        self.assertNotEqual(wrong, right)
        said, after = self.run_on(wrong, "Write .toNat")
        line = wrong[:wrong.index("let v : Float32 := x[i]!")].count("\n")
        self.assertEqual(said["diagnostics"], "2")
        self.assertEqual(said["codes"], f"locked-line:{line} type-mismatch:{line}")
        self.assertEqual(int(said["line"]), line)
        self.assertIn("i : Int", said["hover"])
        self.assertIn("kernel.cu:", said["hover"])
        self.assertGreater(int(said["symbols"]), 2)
        self.assertEqual(said["applied"], "Write .toNat")
        self.assertEqual(said["left"], "0")
        self.assertEqual(said["stopped"], "true")
        self.assertEqual(after, right)


if __name__ == "__main__":
    unittest.main()
