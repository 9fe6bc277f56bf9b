"""The files of the repository, as the structure tests see them."""

import os
import pathlib
import re

SOURCE = pathlib.Path(os.environ.get("PLUMBLINE_SOURCE_DIR", pathlib.Path(__file__).resolve().parents[2]))

CODE_FOLDERS = ("app", "core", "lean-bridge", "tests", "views")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.MULTILINE)


def skipped(name):
    """Build products and hidden folders, except the one that CI reads."""
    return (name.startswith("build") or name == "__pycache__" or (name.startswith(".") and name != ".ci"))


def files(*folders):
    """Repository-relative paths of all files below the folders (default: the whole repository)."""
    for folder in folders or (".",):
        for where, names, file_names in os.walk(SOURCE / folder):
            names[:] = sorted(n for n in names if not skipped(n))
            for name in sorted(file_names):
                yield pathlib.Path(where, name).relative_to(SOURCE)


def cpp_files():
    """Our own C++: headers, sources, and the tables they include."""
    return [p for p in files(*CODE_FOLDERS) if p.suffix in (".h", ".cpp", ".def")]


def read(path):
    """The text of a file; bytes that are no UTF-8 (fuzzing seeds) are replaced."""
    return (SOURCE / path).read_text(encoding="utf-8", errors="replace")


def includes(text):
    """(is_system, path) of every #include."""
    return [(kind == "<", name) for kind, name in INCLUDE.findall(text)]
