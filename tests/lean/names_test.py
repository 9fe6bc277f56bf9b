"""Every name that lean/ and the emitted documents use is bound or declared there, or stands in lean/names.tsv with the
source that it was read from; and every row of the table is used. Runs without Lean."""

import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "arch"))
import tree  # noqa: E402

LEAN = tree.SOURCE / "lean"
GOLDEN = [tree.SOURCE / "tests" / "method" / "golden", tree.SOURCE / "tests" / "lean" / "golden"]
PART = r"(?:«[^»]*»|[A-Za-z_][A-Za-z0-9_]*[!?]?|\d+)"
TOKEN = re.compile(r"\"(?:[^\"\\]|\\.)*\"|\d[0-9A-Za-z_]*#?\d*|" + PART + r"(?:\." + PART + r")*")
# What binds the names after it, up to the mark; the names are those outside types.
BINDERS = [r"\bfun ((?:[A-Za-z_]\w* )+)=>", r"\bintro ((?:[A-Za-z_]\w* ?)+)", r"\brename_i ((?:[A-Za-z_]\w* ?)+)",
           r"\blet (?:mut )?([A-Za-z_«]\S*)", r"\bhave ([A-Za-z_]\w*)", r"[∀∃] ([^:]*) :", r"[({]([A-Za-z_«][^:(){}]*) :(?!=)",
           r"\| \.?[A-Za-z]\w* ((?:[A-Za-z_]\w* ?)+)=>", r"\.finite ((?:[A-Za-z_]\w* ?)+)", r"\| ([a-z], [a-z]) =>",
           r"\bgeneralize .* = ([a-z]\w*)", r"\bby_cases ([a-z]\w*) :", r"\bfor ([a-z]\w*) in", r" ([a-z]\w*):ident",
           r"\breturns \(([^:]*) :", r"\| ([a-z]) \+ 1", r"\.infinity ((?:[a-z]\w* ?)+)\)",
           r"(?:requires|ensures|invariant|decreasing|done_with|assert|while) ([A-Za-z_]\w*):"]
DECLARES = re.compile(r"^\s*(?:@\[[^\]]*\] )?(?:def|theorem|opaque|class|method|noncomputable def|noncomputable opaque) (\S+)", re.M)


def code(text):
    """The text without comments and strings."""
    lines = [re.sub(r"--.*", "", re.sub(r"\"(?:[^\"\\]|\\.)*\"", "\"\"", line)) for line in text.split("\n")]
    return "\n".join(lines)


def table():
    """{name: [(kind, source, commit)]}"""
    rows = {}
    for line in (LEAN / "names.tsv").read_text(encoding="utf-8").split("\n"):
        if line and not line.startswith("#"):
            name, kind, source, commit = line.split("\t")
            rows.setdefault(name, []).append((kind, source, commit))
    return rows


def bound_names(text):
    """Names that the text itself introduces for variables."""
    found = set()
    for pattern in BINDERS:
        for match in re.finditer(pattern, text):
            found.update(part.strip("«»,") for part in match.group(1).split())
    return found


def declared_names(paths):
    """Names and modules of the package, and the members of its class."""
    names = {"Plumbline"}
    for path in paths:
        text = code(path.read_text(encoding="utf-8"))
        names.add(".".join(path.relative_to(LEAN).with_suffix("").parts).removeprefix("real."))
        for name in DECLARES.findall(text):
            names.update({name, "Plumbline." + name})
        if path.name == "Scalar.lean":
            members = re.findall(r"^  ([A-Za-z_]\w*) :", text, re.M)
            names.update(prefix + member for member in members for prefix in ("", "Scalar.", "Plumbline.Scalar."))
    return names


class Use:
    """What one text uses of the table, and what nothing explains."""

    def __init__(self, text, declared, rows):
        text = code(text)
        bound = bound_names(text)
        local = {name for name in DECLARES.findall(text)}
        self.used, self.unknown = set(), []
        for number, line in enumerate(text.split("\n"), 1):
            for token in TOKEN.findall(line):
                self.look(token, bound, declared | local, rows, number)

    def look(self, token, bound, declared, rows, number):
        if token == "_" or token == '""' or token[0].isdigit():
            return
        if token in declared or token in bound or token.strip("«»") in bound:
            return
        if token in rows:
            self.used.add(token)
            return
        head, _, rest = token.partition(".")
        if head.strip("«»") in bound and rest:
            for part in rest.split("."):
                self.used.add(part) if part in rows else self.unknown.append((number, token))
            return
        self.unknown.append((number, token))

    def fields(self, text, rows):
        """Fields of expressions in parentheses or brackets: ").toNat"."""
        for part in re.findall(r"[)\]]\.([A-Za-z_0-9]+!?)", code(text)):
            self.used.add(part) if part in rows else self.unknown.append((0, part))
        for part in re.findall(r"(?<![\w)\].])\.([A-Za-z_]\w*)", code(text)):
            self.used.add(part) if part in rows else self.unknown.append((0, part))


def lean_files():
    return sorted(LEAN.rglob("*.lean"))


class Names(unittest.TestCase):
    def setUp(self):
        self.rows = table()
        self.declared = declared_names(lean_files())

    def uses(self, paths):
        used = set()
        for path in paths:
            text = path.read_text(encoding="utf-8")
            use = Use(text, self.declared, self.rows)
            use.fields(text, self.rows)
            self.assertEqual(use.unknown, [], path)
            used |= use.used
        return used

    def test_every_name_has_a_source_and_every_row_a_use(self):
        golden = [path for folder in GOLDEN for path in sorted(folder.glob("*.lean"))
                  if "import" in path.read_text(encoding="utf-8")]
        self.assertGreater(len(golden), 20)
        used = self.uses(lean_files() + golden)
        self.assertEqual(sorted(set(self.rows) - used), [])

    def test_rows_are_complete_and_unique(self):
        kinds = {"constant", "field", "constructor", "argument", "tactic", "keyword", "attribute", "option", "notation",
                 "syntax", "module"}
        for name, entries in self.rows.items():
            self.assertEqual(len({kind for kind, _, _ in entries}), len(entries), name)
            for kind, source, commit in entries:
                self.assertIn(kind, kinds, name)
                self.assertTrue(source, name)
                if source.startswith(("leanprover/", "leanprover-community/", "verse-lab/")):
                    self.assertTrue(commit, name)

    def test_a_wrong_name_is_noticed(self):
        text = "theorem wrong (a : Float32) : Float32.isNan a = Float32.isNan a := by\n  exact rfl_of_nothing\n"
        use = Use(text, self.declared, self.rows)
        self.assertEqual([token for _, token in use.unknown], ["Float32.isNan", "Float32.isNan", "rfl_of_nothing"])
        use = Use("theorem wrong (a : Float32) : a.toModell = a := rfl\n", self.declared, self.rows)
        self.assertEqual([token for _, token in use.unknown], ["a.toModell"])


if __name__ == "__main__":
    unittest.main()
