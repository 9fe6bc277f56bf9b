"""Which part may include which: the layers of core/, the parts above them, and the one home of each heavy library."""

import re
import unittest

import tree

# The layers of core/, lowest first. Importers stand on one step: they do not see each other.
STEPS = [["base"], ["f32"], ["logic"], ["ir"], ["torch", "cuda"], ["spec"], ["velvet"], ["vc"], ["engine"],
         ["gate"], ["method"], ["goals"], ["session"], ["workbench"]]
LAYERS = [layer for step in STEPS for layer in step]

# Parts outside core/: what they may include besides themselves, as path prefixes.
PARTS = {
    "app": ["core/", "views/", "lean-bridge/"],
    "views": ["core/base/", "core/workbench/", "lean-bridge/protocol/", "lean-bridge/client/"],
    "lean-bridge/protocol": ["core/base/"],
    "lean-bridge/discovery": ["core/base/"],
    "lean-bridge/client": ["core/base/", "lean-bridge/protocol/"],
    "lean-bridge/server": ["core/", "lean-bridge/protocol/"],
    "tests": ["app/", "core/", "views/", "lean-bridge/"],
}

# A library's headers and the only places that may include them.
LIBRARIES = [
    (r"clang/|clang-c/", ["core/cuda/clang/"]),
    (r"llvm/|llvm-c/", ["app/sweep/", "core/cuda/clang/"]),
    (r"minizip/|(un)?zip\.h$", ["core/torch/", "tests/unit/torch/"]),
    (r"gmp(xx)?\.h$|mpfr\.h$", ["core/f32/"]),
    (r"nlohmann/|tl/expected", ["core/base/"]),
    (r"gtest/|gmock/", ["tests/"]),
    (r"z3(\+\+|_.*)?\.h$|cvc5/|torch/|ATen/|c10/", []),
    (r"Qsci/|KSyntaxHighlighting/", ["views/editor/", "tests/views/editor/"]),
    (r"graphviz/", ["views/graph/"]),
    (r"Q[A-Z]\w*(/|$)", ["views/", "lean-bridge/client/", "app/workbench/", "tests/views/", "tests/lean-bridge/client/"]),
]


def layers_below(layer):
    """The layers that `layer` may include."""
    index = next(i for i, step in enumerate(STEPS) if layer in step)
    return {name for step in STEPS[:index] for name in step}


def part_of(path):
    """The first folder of a path; below lean-bridge/ the first two."""
    folders = path.split("/")
    return "/".join(folders[:2]) if folders[0] == "lean-bridge" else folders[0]


def include_error(path, is_system, target):
    """Why `path` (a posix path) must not include `target`, or None."""
    if target.endswith(".moc") and path.startswith("tests/views/"):
        return None  # made by Qt's generator at build time
    for pattern, homes in LIBRARIES:
        if (is_system or not (tree.SOURCE / target).exists()) and re.match(pattern, target):
            if not any(path.startswith(home) for home in homes):
                return f"{target} belongs in {' or '.join(homes) or 'a child process'} only"
            is_system = True
    if is_system:
        return None
    if not (tree.SOURCE / target).is_file():
        return f'"{target}" is not a path from the root of the repository'
    if target.startswith("resources/") and target.endswith(".def"):
        return None  # a table that is compiled in
    part, other = part_of(path), target.split("/")
    if part == "core":
        layer = path.split("/")[1]
        if other[0] != "core":
            return f"core/ must not include {other[0]}/"
        if other[1] != layer and other[1] not in layers_below(layer):
            return f"{layer} must not include {other[1]}"
    elif part_of(target) != part and not any(target.startswith(prefix) for prefix in PARTS[part]):
        return f"{part}/ must not include {target}"
    return None


def declared_dependencies():
    """{layer: layers named after DEPENDS} of the CMake files."""
    found = {}
    for layer in LAYERS:
        path = tree.SOURCE / "core" / layer / "CMakeLists.txt"
        if path.exists():
            call = re.search(r"plumbline_layer\(\s*(\w+)(.*?)\)", path.read_text(), re.DOTALL)
            depends = re.search(r"DEPENDS\s+((?:\w+\s*)*?)(?=LIBRARIES|SOURCES|$)", call.group(2))
            found[call.group(1)] = set(depends.group(1).split()) if depends else set()
    return found


def closure(graph, start):
    """Everything reachable from `start`."""
    seen, open_names = set(), [start]
    while open_names:
        for name in graph.get(open_names.pop(), ()):
            if name not in seen:
                seen.add(name)
                open_names.append(name)
    return seen


def include_cycle(graph):
    """One cycle of the include graph as a list of files, or None."""
    state = {}

    def visit(node, trail):
        state[node] = "open"
        for target in sorted(graph.get(node, ())):
            if state.get(target) == "open":
                return trail[trail.index(target):] + [target] if target in trail else [node, target]
            if target not in state:
                found = visit(target, trail + [target])
                if found:
                    return found
        state[node] = "done"
        return None

    for node in sorted(graph):
        if node not in state:
            found = visit(node, [node])
            if found:
                return found
    return None


class Includes(unittest.TestCase):
    longMessage = False

    def test_every_include_follows_the_layers(self):
        errors = []
        for path in tree.cpp_files():
            for is_system, target in tree.includes(tree.read(path)):
                error = include_error(path.as_posix(), is_system, target)
                if error:
                    errors.append(f"{path}: {error}")
        self.assertEqual(errors, [], "\n" + "\n".join(errors))

    def test_no_include_cycle(self):
        graph = {p.as_posix(): {t for _, t in tree.includes(tree.read(p)) if (tree.SOURCE / t).is_file()}
                 for p in tree.cpp_files()}
        self.assertIsNone(include_cycle(graph))

    def test_cmake_names_the_layers_that_are_included(self):
        declared = declared_dependencies()
        errors = []
        for layer, depends in declared.items():
            for name in depends - layers_below(layer):
                errors.append(f"core/{layer}/CMakeLists.txt: {name} is not below {layer}")
        for path in tree.files("core"):
            if path.suffix in (".h", ".cpp") and len(path.parts) > 2 and path.parts[1] in declared:
                reachable = closure(declared, path.parts[1]) | {path.parts[1]}
                for _, target in tree.includes(tree.read(path)):
                    if target.startswith("core/") and target.split("/")[1] not in reachable:
                        errors.append(f"{path}: {target} is not among DEPENDS of core/{path.parts[1]}/CMakeLists.txt")
        self.assertEqual(errors, [], "\n" + "\n".join(errors))

    def test_folders_of_core_are_layers(self):
        folders = {p.parts[1] for p in tree.files("core") if len(p.parts) > 2}
        self.assertEqual(folders - set(LAYERS), set())


class TheRulesThemselves(unittest.TestCase):
    """A rule that never fires is no rule: each kind of violation is recognised."""

    def test_violations(self):
        for path, is_system, target in [
                ("core/base/error.cpp", False, "core/ir/kernel.h"),
                ("core/torch/graph.cpp", False, "core/cuda/cuda_import.h"),
                ("core/session/x.cpp", False, "app/cli/x.h"),
                ("core/ir/kernel.cpp", False, "kernel.h"),
                ("views/x.cpp", False, "core/cuda/cuda_import.h"),
                ("lean-bridge/protocol/framing.cpp", False, "core/ir/kernel.h"),
                ("lean-bridge/protocol/framing.cpp", True, "QString"),
                ("core/ir/kernel.cpp", True, "clang/AST/Expr.h"),
                ("core/engine/x.cpp", True, "llvm/ADT/StringRef.h"),
                ("core/logic/term.cpp", True, "gmpxx.h"),
                ("core/logic/term.cpp", True, "QString"),
                ("core/engine/x.cpp", True, "z3++.h"),
                ("app/cli/main.cpp", True, "gtest/gtest.h"),
                ("core/ir/kernel.cpp", True, "nlohmann/json.hpp"),
                ("core/ir/kernel.cpp", False, "kernel.moc")]:
            self.assertIsNotNone(include_error(path, is_system, target), f"{path} includes {target}")

    def test_permitted(self):
        for path, is_system, target in [
                ("core/ir/kernel.cpp", False, "core/ir/kernel.h"),
                ("core/ir/kernel.cpp", False, "core/base/json.h"),
                ("core/ir/kernel.cpp", True, "vector"),
                ("app/cli/main.cpp", False, "core/torch/graph.h"),
                ("lean-bridge/protocol/framing.cpp", False, "lean-bridge/protocol/framing.h"),
                ("views/x.cpp", False, "lean-bridge/protocol/framing.h"),
                ("core/cuda/clang/x.cpp", True, "llvm/ADT/StringRef.h"),
                ("core/cuda/clang/x.cpp", False, "clang/AST/Expr.h"),
                ("tests/views/log/x.cpp", False, "x.moc")]:
            self.assertIsNone(include_error(path, is_system, target), f"{path} includes {target}")

    def test_cycles(self):
        self.assertEqual(include_cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}), ["b", "c", "b"])
        self.assertIsNone(include_cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}))


if __name__ == "__main__":
    unittest.main()
