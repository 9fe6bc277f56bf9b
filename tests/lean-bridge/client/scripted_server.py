"""A language server that does what a script says, and is as strict as Lean's about what it is sent.

scripted_server.py SCRIPT LOG

The script is a JSON object:
  auto       {method: result}   requests that are answered at once
  mirror     true: keep documents by didOpen and didChange; $/test/text returns one; after each change the whole file is
             reported as in progress, then one diagnostic with the length of the text, then as finished
  on_eof     "ignore": go on when standard input ends
  on_term    "ignore": go on after SIGTERM
  steps      what happens, in order; each step is an object with one of
    wait METHOD            until such a message has come that no earlier step has waited for; `as` names it
    answer NAME            result or error to that message (default: its method)
    notify METHOD, request METHOD (with id), params
    notify_for NAME, method, params
                           a notification about the document that the named message opened or changed, in its version
    body TEXT / bytes TEXT a frame with this body / bytes as they are (latin-1)
    pieces N, messages [..] these messages as one stream, written N bytes at a time
    diagnostics {uri, version, count, bytes, incremental}
    stderr TEXT, stderr_bytes N, sleep SECONDS, repeat N with steps, exit STATUS, hang
The log has one JSON object a line: {"start": pid}, {"in": message}, {"violation": text}, {"eof": true}.
"""

import json
import os
import re
import signal
import sys
import threading
import time

HEADER = re.compile(rb"Content-Length: ([0-9]+)\r\n")
ALLOWED_ERRORS = {-32700, -32600, -32601, -32602, -32603, -32002, -32001, -32801, -32800, -32900, -32901, -32902}
out_lock = threading.Lock()


class Violation(Exception):
    pass


class Log:
    def __init__(self, path):
        self.file = open(path, "a", encoding="utf-8")
        self.lock = threading.Lock()

    def write(self, **entry):
        with self.lock:
            self.file.write(json.dumps(entry) + "\n")
            self.file.flush()


def write(data):
    with out_lock:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def frame(body):
    data = body.encode() if isinstance(body, str) else body
    return b"Content-Length: %d\r\n\r\n" % len(data) + data


def message(**fields):
    return json.dumps({"jsonrpc": "2.0", **fields}, ensure_ascii=False)


def read_message(stream):
    """The next message, or None at the end of the input."""
    line = stream.readline()
    if not line:
        return None
    found = HEADER.fullmatch(line)
    if not found:
        raise Violation("Invalid header field: %r" % line)
    if stream.readline() != b"\r\n":
        raise Violation("no empty line after the header")
    body = stream.read(int(found.group(1)))
    if len(body) < int(found.group(1)):
        return None
    return json.loads(body.decode("utf-8"))


def check(msg, state):
    """What Lean's server would stop for."""
    if not isinstance(msg, dict) or msg.get("jsonrpc") != "2.0":
        raise Violation("no JSON-RPC 2.0")
    method = msg.get("method")
    if "id" in msg and msg["id"] is None:
        raise Violation("id is null")
    if method is not None and method not in ("shutdown", "exit") and not isinstance(msg.get("params"), (dict, list)):
        raise Violation("no parameters: " + method)
    if method == "exit" and "params" in msg:
        raise Violation("exit with parameters")
    if state["last"] == "initialize" and state["replied"] and method != "initialized":
        raise Violation("not initialized but " + str(method))
    if state["last"] is None and method != "initialize":
        raise Violation("first message is " + str(method))
    if "error" in msg and msg["error"]["code"] not in ALLOWED_ERRORS:
        raise Violation("error code %d" % msg["error"]["code"])
    if method is not None:
        state["last"] = method


def position_offset(text, position):
    lines = text.split("\n")
    line = min(position["line"], len(lines) - 1)
    start = sum(len(l) + 1 for l in lines[:line])
    units = 0
    for index, char in enumerate(lines[line]):
        if units >= position["character"]:
            return start + index
        units += 2 if ord(char) > 0xFFFF else 1
    return start + len(lines[line])


class Server:
    def __init__(self, script, log):
        self.script, self.log = script, log
        self.received = []
        self.waited = 0
        self.named = {}
        self.documents = {}
        self.versions = {}
        self.condition = threading.Condition()
        self.state = {"last": None, "replied": False}

    def reader(self):
        try:
            while (msg := read_message(sys.stdin.buffer)) is not None:
                check(msg, self.state)
                self.log.write(**{"in": msg})
                self.take(msg)
        except Violation as error:
            self.log.write(violation=str(error))
            sys.stderr.write("Watchdog error: %s\n" % error)
            sys.stderr.flush()
            os._exit(1)
        self.log.write(eof=True)
        if self.script.get("on_eof") != "ignore":
            os._exit(0 if self.state["last"] in ("shutdown", "exit") else 1)

    def take(self, msg):
        method = msg.get("method")
        if self.script.get("mirror"):
            self.mirror(msg)
        if method in self.script.get("auto", {}) and "id" in msg:
            if method == "initialize":
                self.state["replied"] = True
            write(frame(message(id=msg["id"], result=self.script["auto"][method])))
        if method == "exit":
            self.log.write(exit=True)
            os._exit(0 if self.script.get("auto", {}).get("shutdown", 0) is None else 1)
        with self.condition:
            self.received.append(msg)
            self.condition.notify_all()

    def mirror(self, msg):
        method, params = msg.get("method"), msg.get("params", {})
        if method == "$/test/text":
            return write(frame(message(id=msg["id"], result=self.documents.get(params["uri"]))))
        if method not in ("textDocument/didOpen", "textDocument/didChange"):
            return None
        document = params["textDocument"]
        uri, version = document["uri"], document["version"]
        if version <= self.versions.get(uri, -1):
            raise Violation("version %d after %d" % (version, self.versions[uri]))
        self.versions[uri] = version
        if method == "textDocument/didOpen":
            self.documents[uri] = document["text"]
        for change in params.get("contentChanges", []):
            text = self.documents[uri]
            if "range" in change:
                begin = position_offset(text, change["range"]["start"])
                end = position_offset(text, change["range"]["end"])
                self.documents[uri] = text[:begin] + change["text"] + text[end:]
            else:
                self.documents[uri] = change["text"]
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": 1 << 20, "character": 0}}
        where = {"uri": uri, "version": version}
        say = lambda method, params: write(frame(message(method=method, params=params)))
        say("$/lean/fileProgress", {"textDocument": where, "processing": [{"range": whole, "kind": 1}]})
        say("textDocument/publishDiagnostics",
            {**where, "diagnostics": [{"range": whole, "severity": 3, "message": str(len(self.documents[uri]))}]})
        return say("$/lean/fileProgress", {"textDocument": where, "processing": []})

    def wait(self, method):
        with self.condition:
            while True:
                for index in range(self.waited, len(self.received)):
                    if self.received[index].get("method") == method:
                        self.waited = index + 1
                        return self.received[index]
                self.condition.wait()

    def answer(self, step):
        msg = self.named[step["answer"]]
        if msg.get("method") == "initialize":
            self.state["replied"] = True
        body = {"error": step["error"]} if "error" in step else {"result": step.get("result")}
        write(frame(message(id=step.get("id", msg["id"]), **body)))

    def diagnostics(self, what):
        point = {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 4}}
        one = {"range": point, "severity": 2, "message": "m" * what.get("bytes", 10)}
        params = {"uri": what["uri"], "version": what["version"], "diagnostics": [one] * what["count"]}
        if what.get("incremental"):
            params["isIncremental"] = True
        write(frame(message(method="textDocument/publishDiagnostics", params=params)))

    def run(self, steps):
        for step in steps:
            if "wait" in step:
                found = self.wait(step["wait"])
                self.named[step.get("as", step["wait"])] = found
            elif "answer" in step:
                self.answer(step)
            elif "notify" in step:
                write(frame(message(method=step["notify"], params=step.get("params", {}))))
            elif "notify_for" in step:
                where = self.named[step["notify_for"]]["params"]["textDocument"]
                where = {"uri": where["uri"], "version": where["version"]}
                write(frame(message(method=step["method"], params={"textDocument": where, **where, **step["params"]})))
            elif "request" in step:
                write(frame(message(id=step["id"], method=step["request"], params=step.get("params", {}))))
            elif "body" in step:
                write(frame(step["body"].encode("latin-1")))
            elif "bytes" in step:
                write(step["bytes"].encode("latin-1"))
            elif "pieces" in step:
                stream = b"".join(frame(json.dumps(m, ensure_ascii=False)) for m in step["messages"])
                for at in range(0, len(stream), step["pieces"]):
                    write(stream[at:at + step["pieces"]])
                    time.sleep(step.get("pause", 0))
            elif "diagnostics" in step:
                self.diagnostics(step["diagnostics"])
            elif "stderr" in step:
                sys.stderr.write(step["stderr"])
                sys.stderr.flush()
            elif "stderr_bytes" in step:
                sys.stderr.buffer.write(b"x\xff" * (step["stderr_bytes"] // 2))
                sys.stderr.buffer.flush()
            elif "sleep" in step:
                time.sleep(step["sleep"])
            elif "repeat" in step:
                for _ in range(step["repeat"]):
                    self.run(step["steps"])
            elif "exit" in step:
                sys.stderr.flush()
                os._exit(step["exit"])
            elif "hang" in step:
                while True:
                    time.sleep(1000)
            else:
                raise SystemExit("unknown step: %r" % step)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        script = json.load(file)
    log = Log(sys.argv[2])
    log.write(start=os.getpid())
    if script.get("on_term") == "ignore":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    server = Server(script, log)
    threading.Thread(target=server.reader, daemon=True).start()
    server.run(script.get("steps", []))
    while True:
        time.sleep(1000)


if __name__ == "__main__":
    main()
