"""Executing a user's file as a module."""

import contextlib
import importlib.util
import os
import sys


@contextlib.contextmanager
def loaded(path):
    """Executes the file. Modules that it brings from its own folder are forgotten afterwards, so that a changed file
    is read again."""
    folder = os.path.dirname(os.path.abspath(path))
    before = set(sys.modules)
    sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location("plumbline_user_module", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        with open(path, encoding="utf-8") as source:
            code = compile(source.read(), path, "exec", dont_inherit=True)
        exec(code, module.__dict__)
        yield module
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(folder)
        for name in set(sys.modules) - before:
            origin = getattr(sys.modules[name], "__file__", None) or ""
            if name == spec.name or os.path.abspath(origin).startswith(folder + os.sep):
                del sys.modules[name]


def build(module, class_name):
    """The user's class, made from get_init_inputs() when the file has it."""
    return build_with(module, class_name, module)


def build_with(module, class_name, source):
    """The same with the get_init_inputs() of another file."""
    arguments = getattr(source, "get_init_inputs", list)()
    if isinstance(arguments, dict):
        return getattr(module, class_name)(**arguments)
    return getattr(module, class_name)(*arguments)
