"""A client of plumbline-server for tests: opens a text, waits until nothing is left to settle, asks, applies edits."""

import json
import os
import pathlib
import subprocess

BIN = pathlib.Path(os.environ["PLUMBLINE_BIN_DIR"])
URI = "file:///talk.lean"


class Talk:
    """One server and one document."""

    def __init__(self):
        self.process = subprocess.Popen([BIN / "plumbline-server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.count = 0
        self.version = 0
        self.goals = None
        self.diagnostics = []
        self.request("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": {}})
        self.notify("initialized", {})

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def receive(self):
        length = None
        while line := self.process.stdout.readline().strip():
            name, value = line.split(b":")
            length = int(value) if name == b"Content-Length" else length
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "$/plumbline/goals":
            self.goals = message["params"]
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics = message["params"]["diagnostics"]
        return message

    def request(self, method, params):
        self.count += 1
        self.send({"id": self.count, "method": method, "params": params})
        while (answer := self.receive()).get("id") != self.count or "method" in answer:
            pass
        return answer["result"]

    def settle(self, text):
        """({goal: state}, diagnostics) of a text once no engine is at work on it."""
        self.version += 1
        document = {"uri": URI, "version": self.version}
        if self.version == 1:
            self.notify("textDocument/didOpen", {"textDocument": {**document, "languageId": "lean4", "text": text}})
        else:
            self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        while self.goals is None or self.goals["textDocument"]["version"] != self.version or not self.goals["complete"]:
            self.receive()
        return {goal["goal"]: goal["state"] for goal in self.goals["goals"]}, self.diagnostics

    @staticmethod
    def position(text, part, offset=0, last=False):
        at = (text.rindex(part) if last else text.index(part)) + offset
        line = text.count("\n", 0, at)
        before = text[text.rfind("\n", 0, at) + 1:at]
        return {"line": line, "character": len(before.encode("utf-16-le")) // 2}

    def actions(self, text, part):
        place = self.position(text, part)
        return self.request("textDocument/codeAction",
                            {"textDocument": {"uri": URI}, "range": {"start": place, "end": place},
                             "context": {"diagnostics": []}})

    def goals_at(self, text, part, offset=0, last=False):
        answer = self.request("$/lean/plainGoal", {"textDocument": {"uri": URI},
                                                   "position": self.position(text, part, offset, last)})
        return answer["goals"] if answer else []

    @staticmethod
    def edited(text, edits):
        """As an editor applies them: all refer to the text before."""
        lines = text.split("\n")

        def offset(position):
            line = lines[position["line"]].encode("utf-16-le")
            return sum(len(each) + 1 for each in lines[:position["line"]]) + len(
                line[:2 * position["character"]].decode("utf-16-le"))

        for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
            begin, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
            text = text[:begin] + edit["newText"] + text[end:]
        return text
