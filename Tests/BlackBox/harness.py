"""The server as a process, a plain HTTP client, raw sockets and event streams. Standard library only."""
import argparse
import contextlib
import fcntl
import http.client
import json
import os
import pathlib
import pty
import random
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import traceback
from urllib.parse import unquote_plus

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES = HERE / "data/package.ndjson"
MAINTAINERS = HERE / "data/maintainer.ndjson"
READY = re.compile(r"(?:listening on |\"url\":\")http://(\[[^\]]+\]|[^:\s]+):(\d+)")


class Failure(Exception):
    """What was expected and what came instead."""


def check(condition, reason):
    if not condition:
        raise Failure(reason)


def same(actual, wanted, what):
    check(actual == wanted, f"{what}: wanted {short(wanted)}, got {short(actual)}")


def soon(found, what, seconds=15):
    """What `found` answers, as soon as it is not false."""
    end = time.monotonic() + seconds
    while True:
        value = found()
        if value:
            return value
        check(time.monotonic() < end, f"{what} did not come within {seconds} s")
        time.sleep(0.01)


def send(process, number):
    """A signal; one that stops a process has stopped all of its threads when this returns."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, number)

    def has_stopped():
        for task in pathlib.Path(f"/proc/{process}/task").glob("*/stat"):
            with contextlib.suppress(OSError):
                if task.read_text().rpartition(")")[2].split()[0] not in "TtZX":
                    return False
        return True
    if number == signal.SIGSTOP:
        soon(has_stopped, f"the stop of process {process}")


def short(value, limit=300):
    text = repr(value)
    return text if len(text) <= limit else text[:limit] + "…"


def environment():
    kept = {k: v for k, v in os.environ.items() if not k.startswith("FRESHET_")}
    return {**kept, "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"}


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        try:
            return json.loads(self.body)
        except ValueError:
            raise Failure(f"the body is no JSON: {short(self.body)}") from None

    def header(self, name):
        return self.headers.get(name.lower())

    def is_(self, status, code=None):
        """The status, and for a problem its code and form."""
        check(self.status == status, f"wanted {status} {code or ''}, got {self.status} {short(self.body)}")
        check(self.header("X-Request-Id"), "the answer has no X-Request-Id")
        if code:
            kind = (self.header("Content-Type") or "").split(";")[0]
            same(kind, "application/problem+json", "content type of a problem")
            problem = self.json
            same(problem.get("code"), code, "problem code")
            same(problem.get("type"), f"/problems/{code}", "problem type")
            same(problem.get("status"), status, "problem status")
            check(problem.get("title"), "the problem has no title")
            check(self.body.endswith(b"\n"), "the problem does not end with a newline")
        return self


class Description:
    """What OpenAPI/openapi.json says of answers; each that a case is given is held against it."""

    def __init__(self):
        document = json.loads((HERE.parent.parent / "OpenAPI/openapi.json").read_text())
        self.general, self.paths = set(document["x-codes"]), document["paths"]
        self.parameters = document["components"]["parameters"]

    def operation(self, method, target):
        parts = target.split("?")[0].split("/")
        found = None
        for path, item in sorted(self.paths.items(), key=lambda pair: pair[0].count("{")):
            wanted = path.split("/")
            if len(wanted) == len(parts) and found is None and all(
                    part.startswith("{") and not (at == 2 and own.startswith("_")) or part == own
                    for at, (part, own) in enumerate(zip(wanted, parts))):
                found = item
        name = {"QUERY": "x-query"}.get(method, method.lower())
        return (found or {}).get(name) or (found or {}).get("get" if name == "head" else "")

    def check(self, method, target, answer):
        operation = self.operation(method, target)
        if operation is None:
            return
        if answer.status < 300:
            self.check_parameters(method, target, operation)
        code = None
        if (answer.header("Content-Type") or "").startswith("application/problem+json"):
            with contextlib.suppress(ValueError):
                code = json.loads(answer.body).get("code")
        if code in self.general:
            return
        check(code is None or code in operation["x-codes"],
              f"{method} {target}: x-codes does not have {code}")
        check(str(answer.status) in operation["responses"],
              f"{method} {target}: {answer.status} {code} is not described")

    def check_parameters(self, method, target, operation):
        """What is taken is described."""
        own = [p if "$ref" not in p else self.parameters[p["$ref"].split("/")[-1]] for p in operation.get("parameters", [])]
        known = {p["name"] for p in own if p["in"] == "query"}
        for name in (unquote_plus(pair.split("=")[0]) for pair in target.partition("?")[2].split("&") if pair):
            check(name in known or name.partition(".")[0] in ("endpoint", "q"), f"{method} {target}: the parameter {name} is not described")


DESCRIPTION = Description()


class Server:
    """One `freshet serve` on a free port of loopback. Ends with the `with` block."""

    running = []
    # What the program is run by.
    prefix = ()

    def __init__(self, binary, data=None, *flags, port=0, settle=20):
        self.log = tempfile.NamedTemporaryFile("w+b", prefix="freshet-log-", delete=False)
        store = ["--data", str(data)] if data else ["--memory"]
        self.process = subprocess.Popen(
            [*self.prefix, binary, "serve", "--listen", f"127.0.0.1:{port}", *store, *flags],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.log, env=environment())
        Server.running.append(self)
        self.ready = self._first_line(settle)
        found = READY.search(self.ready)
        if not found:
            self.kill()
            raise Failure(f"no ready line but {short(self.ready)}; log: {self.tail()}")
        self.port = int(found.group(2))
        self.url = f"http://127.0.0.1:{self.port}"

    def _first_line(self, seconds):
        line = []
        reader = threading.Thread(
            target=lambda: line.append(self.process.stdout.readline().decode("utf-8", "replace")),
            daemon=True)
        reader.start()
        reader.join(seconds)
        return line[0] if line else ""

    def tail(self):
        with open(self.log.name, "rb") as file:
            return short(file.read()[-600:].decode("utf-8", "replace"), 700)

    def log_text(self):
        return pathlib.Path(self.log.name).read_text("utf-8", "replace")

    def alive(self):
        return self.process.poll() is None

    def stop(self, seconds=12):
        """SIGTERM; answers the exit status."""
        if self.alive():
            self.signal(signal.SIGTERM)
            try:
                self.process.wait(seconds)
            except subprocess.TimeoutExpired:
                threads = self.threads()
                self.kill()
                raise Failure(f"did not stop within {seconds} s of SIGTERM; {threads}; log: {self.tail()}") from None
        self.process.stdout.close()
        return self.process.returncode

    def signal(self, number):
        send(self.process.pid, number)

    def threads(self):
        """What each thread waits in: its name, the number of its system call, the kernel's function."""
        found = []
        for task in sorted(pathlib.Path(f"/proc/{self.process.pid}/task").glob("*")):
            with contextlib.suppress(OSError):
                words = [(task / name).read_text().split() for name in ("comm", "syscall", "wchan")]
                found.append(" ".join(word[0] for word in words if word))
        return ", ".join(found)

    def kill(self):
        if self.alive():
            self.signal(signal.SIGKILL)
        self.process.wait()

    def forget(self):
        self.kill()
        self.log.close()
        with contextlib.suppress(OSError):
            os.unlink(self.log.name)
        if self in Server.running:
            Server.running.remove(self)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.forget()

    # Requests ---------------------------------------------------------------------------------

    def ask(self, method, path, body=None, headers=None, connection=None):
        """One request. A body that is no bytes or text is sent as JSON."""
        headers = dict(headers or {})
        names = {name.lower() for name in headers}
        if body is not None:
            if not isinstance(body, (bytes, str)):
                body = json.dumps(body)
            if isinstance(body, str):
                body = body.encode()
            if "content-type" not in names:
                headers["Content-Type"] = "application/json"
        own = connection is None
        connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.putrequest(method, path, skip_host="host" in names, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name, value)
            if body is not None and "content-length" not in names:
                connection.putheader("Content-Length", str(len(body)))
            elif body is None and method in ("POST", "PUT", "PATCH"):
                connection.putheader("Content-Length", "0")
            connection.endheaders(body)
            answer = connection.getresponse()
            content = answer.read()
            told = Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, content)
            DESCRIPTION.check(method, path, told)
            return told
        except (OSError, http.client.HTTPException) as fault:
            raise Failure(f"{method} {path}: {type(fault).__name__} {fault}; log: {self.tail()}") from None
        finally:
            if own:
                connection.close()

    def get(self, path, **headers):
        return self.ask("GET", path, headers={k.replace("_", "-"): v for k, v in headers.items()})

    def put(self, path, body, **headers):
        return self.ask("PUT", path, body, {k.replace("_", "-"): v for k, v in headers.items()})

    def connect(self):
        link = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return link

    def raw(self, *pieces, pause=0.0, half_close=False, count=None, seconds=5):
        """Sends the pieces and reads until the server closes or `count` answers are there.

        Answers (answers, whether the server closed).
        """
        with self.connect() as link:
            for piece in pieces:
                try:
                    link.sendall(piece)
                except OSError:
                    break
                if pause:
                    time.sleep(pause)
            if half_close:
                with contextlib.suppress(OSError):
                    link.shutdown(socket.SHUT_WR)
            got, end = b"", time.monotonic() + seconds
            closed = False
            while time.monotonic() < end:
                if count is not None and len(parse(got)) >= count:
                    break
                link.settimeout(max(0.01, end - time.monotonic()))
                try:
                    more = link.recv(65536)
                except socket.timeout:
                    break
                except OSError:
                    closed = True
                    break
                if not more:
                    closed = True
                    break
                got += more
            answers = parse(got)
            if count is not None and not answers:
                raise Failure(f"no answer to {short(pieces[0], 120)} within {seconds} s (closed: {closed})")
            return answers, closed

    def watch(self, path, headers=None):
        return Stream(self, path, headers or {"Accept": "text/event-stream"})


def parse(data, heads=()):
    """The whole answers in `data`; 1xx ones, too. An unfinished one is left out."""
    answers = []
    while True:
        end = data.find(b"\r\n\r\n")
        if end < 0:
            return answers
        lines = data[:end].decode("latin-1").split("\r\n")
        try:
            status = int(lines[0].split(" ")[1])
        except (IndexError, ValueError):
            return answers
        headers = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            headers[name.strip().lower()] = value.strip()
        rest = data[end + 4:]
        if status < 200 or status in (204, 304) or len(answers) in heads:
            body = b""
        elif headers.get("transfer-encoding", "").lower() == "chunked":
            whole = dechunk(rest)
            if whole is None:
                return answers
            body, rest = whole
        else:
            size = int(headers.get("content-length", "0"))
            if len(rest) < size:
                return answers
            body, rest = rest[:size], rest[size:]
        answers.append(Answer(status, headers, body))
        data = rest


def dechunk(data):
    body = b""
    while True:
        end = data.find(b"\r\n")
        if end < 0:
            return None
        size = int(data[:end].split(b";")[0], 16)
        if len(data) < end + 2 + size + 2:
            return None
        body += data[end + 2:end + 2 + size]
        data = data[end + 2 + size + 2:]
        if size == 0:
            return body, data


class Stream:
    """An event stream. `next()` answers (event, id, data) or None at its end."""

    def __init__(self, server, path, headers):
        self.link = server.connect()
        head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
        head += "".join(f"{k}: {v}\r\n" for k, v in headers.items())
        self.link.sendall(head.encode() + b"\r\n")
        self.buffer, self.text, self.last_id = b"", b"", None
        while b"\r\n\r\n" not in self.buffer:
            more = self.link.recv(65536)
            check(more, "the stream closed before its head")
            self.buffer += more
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split(" ")[1])
        self.headers = {l.partition(":")[0].lower(): l.partition(":")[2].strip() for l in lines[1:]}
        self.chunked = self.headers.get("transfer-encoding", "").lower() == "chunked"
        self.ended = False

    def _more(self, seconds):
        self.link.settimeout(seconds)
        try:
            more = self.link.recv(65536)
        except socket.timeout:
            return
        except OSError:
            more = b""
        if not more:
            self.ended = True
        self.buffer += more

    def _take(self):
        if not self.chunked:
            self.text, self.buffer = self.text + self.buffer, b""
            return
        while True:
            end = self.buffer.find(b"\r\n")
            if end < 0:
                return
            size = int(self.buffer[:end].split(b";")[0], 16)
            if len(self.buffer) < end + 4 + size:
                return
            self.text += self.buffer[end + 2:end + 2 + size]
            self.buffer = self.buffer[end + 4 + size:]
            if size == 0:
                self.ended = True
                return

    def next(self, seconds=10, comments=False):
        # Comments come for as long as the stream does: what is waited for has its time altogether.
        end = time.monotonic() + seconds
        while True:
            self._take()
            block, mark, rest = self.text.partition(b"\n\n")
            if mark:
                self.text = rest
                event, data, comment, has_id = None, [], False, False
                for line in block.decode().split("\n"):
                    name, _, value = line.partition(":")
                    value = value[1:] if value.startswith(" ") else value
                    if name == "event":
                        event = value
                    elif name == "data":
                        data.append(value)
                    elif name == "id":
                        self.last_id, has_id = value, True
                    elif name == "":
                        comment = True
                if data:
                    check(len(data) == 1, "event data is one line")
                    return event, self.last_id if has_id else None, json.loads(data[0])
                if comments and comment:
                    return "heartbeat", self.last_id if has_id else None, None
                continue
            if self.ended:
                return None
            check(time.monotonic() < end, f"no event within {seconds} s")
            self._more(max(0.01, end - time.monotonic()))

    def until(self, *events, seconds=10):
        """The next event of one of these names."""
        while True:
            event = self.next(seconds)
            check(event, f"the stream ended before {' or '.join(events)}")
            if event[0] in events:
                return event

    def snapshot(self, seconds=10):
        """A whole snapshot: (items, id, why)."""
        items, why = [], None
        while True:
            _, mark, data = self.until("snapshot", seconds=seconds)
            if data["part"] == 0:
                items, why = [], data["why"]
            items += data.get("items", [])
            if not data["more"]:
                check(mark, "the last part of a snapshot has an id")
                return items, mark, why
            check(mark is None, "only the last part of a snapshot has an id")

    def close(self):
        self.link.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def command(binary, *arguments, stdin=None, seconds=60, **variables):
    """A run of the program that ends by itself: (exit status, standard output, standard error)."""
    try:
        done = subprocess.run(
            [binary, *map(str, arguments)], input=stdin, capture_output=True, timeout=seconds,
            env={**environment(), **variables})
    except subprocess.TimeoutExpired:
        raise Failure(f"freshet {' '.join(map(str, arguments))} did not end in {seconds} s") from None
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def terminal(binary, *arguments, until=None, rows=24, columns=80, seconds=60):
    """A run of the program on a terminal: (exit status, what the terminal got, in lines of "\\n").

    With `until` it is ended (SIGTERM) as soon as `until(text)` holds.
    """
    pid, screen = pty.fork()
    if pid == 0:
        os.execvpe(binary, [binary, *map(str, arguments)], environment())
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    text, end, is_ended = b"", time.monotonic() + seconds, False
    shown = lambda: text.decode("utf-8", "replace").replace("\r\n", "\n")
    try:
        while not is_ended and not (until and until(shown())):
            if not select.select([screen], [], [], max(0, end - time.monotonic()))[0]:
                raise Failure(f"freshet {' '.join(map(str, arguments))} shows after {seconds} s: {shown()!r}")
            try:
                more = os.read(screen, 65536)
            except OSError:
                more = b""
            text, is_ended = text + more, not more
    finally:
        if not is_ended:
            os.kill(pid, signal.SIGTERM)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.close(screen)
    return status, shown()


@contextlib.contextmanager
def folder():
    path = pathlib.Path(tempfile.mkdtemp(prefix="freshet-blackbox-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


# Cases ----------------------------------------------------------------------------------------

CASES = []


def case(sentence):
    """Registers a case: a function of the context, named by a sentence about behaviour."""
    def register(function):
        CASES.append((function.__module__.removeprefix("cases_"), sentence, function))
        return function
    return register


class Context:
    """What the cases share: the binary, a seeded generator, one memory server, fresh type names."""

    def __init__(self, binary, random):
        self.binary, self.random = binary, random
        self._server, self._types = None, 0

    @property
    def server(self):
        if self._server is None or not self._server.alive():
            self._server = Server(self.binary)
        return self._server

    def type(self):
        self._types += 1
        return f"t{self._types}"

    def end(self):
        for server in list(Server.running):
            server.forget()


def main(description):
    """Runs the registered cases as the command line says; answers the exit status."""
    # A shell has what it runs in the background ignore it, and children would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("--seed", type=int, default=20260101)
    parser.add_argument("--only", default="")
    parser.add_argument("--but")
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    if not os.access(binary, os.X_OK):
        sys.exit(f"{binary} is no program")
    print(f"seed {options.seed}", flush=True)
    context = Context(binary, random.Random(options.seed))
    passed, failed = 0, 0
    started = time.monotonic()
    try:
        for group, sentence, function in CASES:
            name = f"{group}: {sentence}"
            if options.only not in name or options.but and options.but in name:
                continue
            before = time.monotonic()
            try:
                function(context)
                passed += 1
                took = time.monotonic() - before
                print(f"ok    {name}" + (f" ({took:.1f} s)" if took > 1 else ""), flush=True)
            except Failure as failure:
                failed += 1
                print(f"FAIL  {name}\n      {failure}", flush=True)
            except Exception:
                failed += 1
                reason = traceback.format_exc().strip().replace("\n", "\n      ")
                print(f"FAIL  {name}\n      {reason}", flush=True)
    finally:
        context.end()
    print(f"{time.monotonic() - started:.0f} s")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0
