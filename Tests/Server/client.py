# SPDX-License-Identifier: MIT
"""A minimal client of the Language Server Protocol for tests and measurements."""
import json
import os
import subprocess
import threading
import time


def frame(message):
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Client:
    """A server as a child process. Requests may overlap; every response is counted."""

    def __init__(self, command, folder=None, log=None):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log or subprocess.DEVNULL,
            cwd=folder)
        self.number = 0
        self.notices = []
        self.answers = {}
        self.doubled = []
        # How often a saved text differed from the server's.
        self.corrected = 0
        self.unknown = []
        self.closed = False
        self.keeps = True
        self.changed = threading.Condition()
        self.writing = threading.Lock()
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        stream = self.process.stdout
        while True:
            length = None
            while True:
                line = stream.readline()
                if not line:
                    with self.changed:
                        self.closed = True
                        self.changed.notify_all()
                    return
                line = line.strip()
                if not line:
                    break
                name, value = line.split(b":", 1)
                if name.lower() == b"content-length":
                    length = int(value)
            message = json.loads(stream.read(length))
            now = time.perf_counter()
            with self.changed:
                if "method" in message:
                    if message["method"] == "window/logMessage":
                        self.corrected += "the saved text" in message["params"]["message"]
                    if self.keeps:
                        self.notices.append((now, message))
                    else:
                        self.notices[:] = self.notices[-50:] + [(now, message)]
                elif message.get("id") in self.answers:
                    self.doubled.append(message)
                else:
                    self.answers[message.get("id")] = (now, message)
                    if message.get("id") is None:
                        self.unknown.append(self.answers.pop(None))
                self.changed.notify_all()
            if "method" in message and "id" in message:
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": self.reply(message)})

    def reply(self, message):
        if message["method"] == "workspace/configuration":
            return [None for _ in message["params"]["items"]]
        if message["method"] == "workspace/applyEdit":
            return {"applied": True}
        return None

    def send(self, message):
        self.write(frame(message))

    def write(self, data):
        with self.writing:
            try:
                self.process.stdin.write(data)
                self.process.stdin.flush()
            except (BrokenPipeError, OSError):
                self.closed = True

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self, method, params):
        """Sends a request without waiting, and returns its number."""
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        return self.number

    def wait(self, number, seconds=90):
        with self.changed:
            self.changed.wait_for(lambda: number in self.answers or self.closed, seconds)
            return self.answers.get(number, (None, None))

    def ask(self, method, params, seconds=90):
        return self.wait(self.begin(method, params), seconds)[1]

    def start(self, root, capabilities=None, options=None):
        answer = self.ask(
            "initialize",
            {"processId": os.getpid(), "rootUri": "file://" + root,
             "workspaceFolders": [{"uri": "file://" + root, "name": "root"}],
             "capabilities": capabilities or CAPABILITIES, "initializationOptions": options})
        self.notify("initialized", {})
        return answer

    def open(self, uri, language, text, version=1):
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": language, "version": version, "text": text}})

    def diagnostics(self, uri, version, after=0, seconds=90):
        """Waits for the diagnostics of a version; returns the time of their arrival and the diagnostics."""
        def found():
            for moment, it in reversed(self.notices):
                params = it.get("params") or {}
                if (it["method"] == "textDocument/publishDiagnostics" and params["uri"] == uri
                        and moment > after and params.get("version", version) >= version):
                    return moment, params["diagnostics"]
            return None
        with self.changed:
            self.changed.wait_for(lambda: found() or self.closed, seconds)
            return found()

    def end(self):
        self.ask("shutdown", None)
        self.notify("exit", None)
        try:
            return self.process.wait(90)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None

    def kill(self):
        self.process.kill()
        self.process.wait()


CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"applyEdit": True, "workspaceFolders": True, "configuration": True,
                  "workspaceEdit": {"documentChanges": True}},
    "textDocument": {
        "synchronization": {"didSave": True},
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True,
                               "codeDescriptionSupport": True, "tagSupport": {"valueSet": [1, 2]}},
        "completion": {
            "completionItem": {"snippetSupport": True, "insertReplaceSupport": True},
            "completionList": {"itemDefaults": ["commitCharacters", "editRange", "insertTextFormat",
                                                "insertTextMode", "data"]}},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "semanticTokens": {"requests": {"full": {"delta": True}, "range": True}, "tokenTypes": [
            "type", "property", "variable", "parameter", "function", "enumMember", "namespace",
            "class"], "tokenModifiers": ["declaration"], "formats": ["relative"]},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}},
    },
}


def children(process):
    """A process and all of its descendants."""
    found, waiting = [], [process]
    while waiting:
        number = waiting.pop()
        found.append(number)
        try:
            for task in os.listdir(f"/proc/{number}/task"):
                with open(f"/proc/{number}/task/{task}/children", encoding="ascii") as file:
                    waiting += [int(it) for it in file.read().split()]
        except OSError:
            continue
    return found


def started(process):
    """The ids of the direct child processes of a process."""
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
            return file.read().split()
    except OSError:
        return []


def memory(process):
    """The memory of a process and its descendants in MiB, and their ids."""
    total, numbers = 0, children(process)
    for number in numbers:
        try:
            with open(f"/proc/{number}/status", encoding="ascii", errors="replace") as file:
                for line in file:
                    if line.startswith("VmRSS"):
                        total += int(line.split()[1])
        except OSError:
            continue
    return total / 1024, numbers


def cpu(process):
    """The CPU time of a process and its descendants, in seconds."""
    total = 0
    for number in children(process):
        try:
            with open(f"/proc/{number}/stat", encoding="ascii", errors="replace") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            total += int(fields[11]) + int(fields[12])
        except OSError:
            continue
    return total / os.sysconf("SC_CLK_TCK")
