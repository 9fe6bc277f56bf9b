"""Form of the sources: sizes, headers, words that must not appear, and a reader's guide in every folder."""

import re
import unittest

import tree

MAX_LINES = 900
LAYOUT = ["app", "core", "views", "lean-bridge", "lean", "resources", "tests", "packaging", "docs"]
ROOT_FILES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "LICENSE", "CMakePresets.json", "dev", ".ci/run"]
TEXT = {".h", ".cpp", ".def", ".py", ".cu", ".cuh", ".md", ".txt", ".cmake", ".sh", ".json", ".lean", ".yml", ""}

# Words that name a machine or a registry: the repository must stand alone. The set-up takes addresses from the
# machine it runs on.
FORBIDDEN = [
    (re.compile(r"(?<![\w.])/work/"), "a path of one machine"),
    (re.compile(r"/(home|root)/\w"), "a path of one machine"),
    (re.compile(r"\b(deb\.debian|archive\.ubuntu|pypi|pythonhosted|npmjs|conda\.anaconda)\.(org|com)\b"), "a registry host"),
    (re.compile(r"\bsession's helper\b|\bhelper [A-Z]\b", re.IGNORECASE), "talk about how the code was written"),
]
UNOWNED = re.compile(r"\b(TODO|FIXME|XXX)\b(?!\([\w.@-]+\))")


def findings(path, text):
    """What is wrong with the words of one file, as 'path:line: why'."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, why in FORBIDDEN:
            if pattern.search(line):
                found.append(f"{path}:{number}: {why}: {line.strip()[:80]}")
        if UNOWNED.search(line):
            found.append(f"{path}:{number}: a note to do something names nobody")
    return found


class Words(unittest.TestCase):
    longMessage = False

    def test_no_forbidden_word(self):
        errors = []
        for path in tree.files():
            if path.suffix in TEXT and path.as_posix() != "tests/arch/test_sources.py":
                errors += findings(path, tree.read(path))
        self.assertEqual(errors, [], "\n" + "\n".join(errors))

    def test_the_patterns_fire(self):
        for line in ["see /work/x", "// TODO: later", "deb http://deb.debian" + ".org/debian", "/root/x", "ask helper B"]:
            self.assertEqual(len(findings("x", line)), 1, f"no finding in: {line}")
        for line in ["TODO(ada): later", "build/work/x", "homework/1", "the helper functions"]:
            self.assertEqual(findings("x", line), [], f"a finding in: {line}")


class Form(unittest.TestCase):
    longMessage = False

    def test_no_long_file(self):
        code = [p for p in tree.files() if p.suffix in (".h", ".cpp", ".def", ".py", ".sh", ".cmake")]
        long_files = {str(p): n for p in code if (n := len(tree.read(p).splitlines())) > MAX_LINES}
        self.assertEqual(long_files, {})

    def test_headers_open_with_their_subject_and_a_guard(self):
        errors = []
        for path in tree.cpp_files():
            text = tree.read(path)
            if path.suffix == ".h" and not re.search(r"^#pragma once$", text, re.MULTILINE):
                errors.append(f"{path}: no #pragma once")
            if path.suffix in (".h", ".def") and not text.startswith("//"):
                errors.append(f"{path}: does not open with a comment on its subject")
        self.assertEqual(errors, [], "\n" + "\n".join(errors))

    def test_names_are_snake_case(self):
        wrong = [str(p) for p in tree.cpp_files() if not re.fullmatch(r"[a-z0-9_]+\.(h|cpp|def)", p.name)]
        self.assertEqual(wrong, [])


class Layout(unittest.TestCase):
    def test_every_folder_of_the_layout_has_a_readme(self):
        missing = [name for name in LAYOUT if not (tree.SOURCE / name / "README.md").is_file()]
        self.assertEqual(missing, [])

    def test_root_files(self):
        self.assertEqual([name for name in ROOT_FILES if not (tree.SOURCE / name).is_file()], [])

    def test_every_layer_has_unit_tests(self):
        layers = {p.parts[1] for p in tree.files("core") if p.suffix == ".cpp"}
        tested = {p.parts[2] for p in tree.files("tests/unit") if p.suffix == ".cpp" and len(p.parts) > 3}
        untested = {layer for layer in layers if not any(t == layer or t.startswith(layer + "_") for t in tested)}
        self.assertEqual(untested, set())


if __name__ == "__main__":
    unittest.main()
