"""Child process that runs user Python for Plumbline: one JSON request per line in, one JSON answer per line out.

Requests: {"id", "do": "model" | "candidate" | "evaluate", ...}. Answers: {"id", "ok": ...} or
{"id", "error": {"id", "message", "file"?, "line"?}}. Everything that user code prints goes to standard error.

usage: capture.py OTHER_INTERPRETER...     tried in turn when this one cannot import torch
"""

import importlib
import importlib.util
import json
import os
import sys


def torch_or_next_interpreter():
    """True when torch can be imported here; otherwise becomes the next interpreter, if there is one."""
    if importlib.util.find_spec("torch") is not None:
        return True
    rest = sys.argv[1:]
    while rest:
        try:
            os.execvp(rest[0], [rest[0], "-u", os.path.abspath(__file__), *rest[1:]])
        except OSError:
            rest = rest[1:]
    return False


def take_protocol_streams():
    """Moves requests and answers to private descriptors, so that user code cannot disturb them."""
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, answers


def describe(error, path):
    """The error as an answer: kind and text, and the last line of the user's file that it passed."""
    text = str(error).strip().split("\n")[0] or "no message"
    result = {"id": getattr(error, "error_id", "capture-failed")}
    result["message"] = text if hasattr(error, "error_id") else f"{type(error).__name__}: {text}"
    if isinstance(error, SyntaxError) and error.filename == path:
        return result | {"file": path, "line": error.lineno or 0}
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == path:
            result |= {"file": path, "line": trace.tb_lineno}
        trace = trace.tb_next
    return result


def serve():
    have_torch = torch_or_next_interpreter()
    requests, answers = take_protocol_streams()
    if have_torch:
        import torch  # noqa: F401  while the first request is on its way
    for line in requests:
        request = json.loads(line)
        answer = {"id": request["id"]}
        try:
            if not have_torch:
                answer["error"] = {"id": "torch-missing", "message": f"{sys.executable} cannot import torch"}
            else:
                handler = importlib.import_module("plumbline_capture." + request["do"])
                answer["ok"] = handler.handle(request)
        except BaseException as error:  # user code may raise anything, SystemExit included
            answer["error"] = describe(error, request.get("path", ""))
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve()
