"""plumbline-server as a process: frames in pieces, the life of a session, exit statuses, `plumbline serve`."""

import json
import os
import pathlib
import subprocess
import unittest

BIN = pathlib.Path(os.environ["PLUMBLINE_BIN_DIR"])
URI = "file:///d.lean"


def frame(message):
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Server:
    """A running server, spoken to in frames."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command or [BIN / "plumbline-server"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.count = 0

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.write(frame({"jsonrpc": "2.0", "method": method, "params": params}))

    def read(self):
        length = None
        while (line := self.process.stdout.readline().strip()):
            name, value = line.split(b":")
            length = int(value) if name == b"Content-Length" else length
        return json.loads(self.process.stdout.read(length))

    def request(self, method, params):
        self.count += 1
        message = {"jsonrpc": "2.0", "id": self.count, "method": method}
        if params is not None:
            message["params"] = params
        self.write(frame(message))
        while (answer := self.read()).get("id") != self.count or "method" in answer:
            pass
        return answer

    def start(self):
        answer = self.request("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": {}})
        self.notify("initialized", {})
        return answer

    def open(self, text):
        self.notify("textDocument/didOpen",
                    {"textDocument": {"uri": URI, "languageId": "lean4", "version": 1, "text": text}})

    def diagnostics(self):
        while (message := self.read()).get("method") != "textDocument/publishDiagnostics":
            pass
        return message["params"]["diagnostics"]

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(timeout=20)


class Session(unittest.TestCase):
    def serve(self, *command):
        server = Server(*command)
        self.addCleanup(lambda: server.process.poll() is not None or server.process.kill())
        answer = server.start()
        self.assertEqual(answer["result"]["serverInfo"]["name"], "plumbline-server")
        server.open("def f (a : Nat) : Nat :=\n  b\n")
        self.assertEqual([d["code"] for d in server.diagnostics()], ["unknown-name"])
        hover = server.request("textDocument/hover",
                               {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 7}})
        self.assertIn("a : Nat", hover["result"]["contents"]["value"])
        return server

    def test_a_session(self):
        server = self.serve()
        self.assertIsNone(server.request("shutdown", None)["result"])
        server.write(frame({"jsonrpc": "2.0", "method": "exit"}))
        self.assertEqual(server.end(), 0)

    def test_plumbline_serve_is_the_same(self):
        server = self.serve(BIN / "plumbline", "serve")
        server.request("shutdown", None)
        server.write(frame({"jsonrpc": "2.0", "method": "exit"}))
        self.assertEqual(server.end(), 0)

    def test_exit_without_shutdown_and_end_of_input_are_failures(self):
        server = self.serve()
        server.write(frame({"jsonrpc": "2.0", "method": "exit"}))
        self.assertEqual(server.end(), 1)
        self.assertEqual(self.serve().end(), 1)

    def test_frames_in_pieces_and_together(self):
        server = Server()
        self.addCleanup(server.process.kill)
        first = frame({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})
        for byte in first:
            server.write(bytes([byte]))
        self.assertEqual(server.read()["id"], 1)
        server.write(b"".join(frame({"jsonrpc": "2.0", "id": i, "method": "no/such", "params": {}})
                              for i in range(2, 50)))
        self.assertEqual([server.read()["id"] for _ in range(2, 50)], list(range(2, 50)))
        server.end()

    def test_what_is_no_frame_ends_the_server(self):
        server = Server()
        self.addCleanup(server.process.kill)
        server.write(b"hello\r\n\r\n")
        self.assertEqual(server.process.wait(timeout=20), 1)
        server.end()

    def test_an_edit_is_answered_within_100_ms(self):
        import time
        golden = pathlib.Path(os.environ["PLUMBLINE_SOURCE_DIR"], "tests/method/golden/softmax_rows.lean").read_text()
        server = Server()
        self.addCleanup(server.process.kill)
        server.start()
        server.open(golden * 2)
        server.diagnostics()
        times = []
        for version in range(2, 42):
            begin = time.monotonic()
            server.notify("textDocument/didChange",
                          {"textDocument": {"uri": URI, "version": version},
                           "contentChanges": [{"range": {"start": {"line": 100, "character": 0},
                                                         "end": {"line": 100, "character": 0}}, "text": " "}]})
            server.diagnostics()
            times.append(time.monotonic() - begin)
        times.sort()
        print(f"diagnostics after an edit of {golden.count(chr(10)) * 2} lines: "
              f"p50 {times[20] * 1000:.1f} ms, p95 {times[37] * 1000:.1f} ms")
        self.assertLess(times[20], 0.1)
        server.end()


if __name__ == "__main__":
    unittest.main()
