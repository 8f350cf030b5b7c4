"""What a cluster makes of steps whose answers are lost: the engine has taken them, and says so late."""
import base64
import contextlib
import json
import pathlib
import re
import socket
import threading
import time

from cluster import Cluster, Engine
from harness import case, check, folder, same, soon
from upstream import Upstream

# What a transaction is that puts a frame, as etcd's JSON gateway writes keys: "freshet/log/" in Base64.
FRAME = b"ZnJlc2hldC9sb2cv"
VALUE = re.compile(rb'"value":\s*"([A-Za-z0-9+/]*)')


def puts(data, mark):
    """Whether `data` is such a transaction, with `mark` in what it puts."""
    values = (base64.b64decode(value[:len(value) // 4 * 4]) for value in VALUE.findall(data))
    return FRAME in data and b"request_put" in data and any(mark in value for value in values)


class Mute:
    """A way to the engine that lets requests through. Once `arm` is called it withholds all answers from
    the next frame on that has the mark, until `speak`: the service makes frames of its own in between."""

    def __init__(self, target):
        self.target, self.mark, self.is_mute = target, None, threading.Event()
        self.speaks = threading.Event()
        self.speaks.set()
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def arm(self, mark):
        self.is_mute.clear()
        self.mark = mark

    def speak(self):
        self.mark = None
        self.speaks.set()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.door.accept()
                far = socket.create_connection(("127.0.0.1", self.target))
                for run, one, other in ((self.ask, near, far), (self.answer, far, near)):
                    threading.Thread(target=run, args=(one, other), daemon=True).start()

    def ask(self, near, far):
        with contextlib.suppress(OSError):
            while data := near.recv(1 << 20):
                if self.mark and puts(data, self.mark):
                    self.mark = None
                    self.speaks.clear()
                    self.is_mute.set()
                far.sendall(data)
            # An engine that saw the end would give the request up.
            self.speaks.wait()
            far.shutdown(socket.SHUT_WR)

    def answer(self, far, near):
        with contextlib.suppress(OSError):
            while data := far.recv(1 << 20):
                self.speaks.wait()
                near.sendall(data)
            near.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def muted(context, config):
    """One server and its leader, with the way to its engine."""
    with folder() as place, Engine(pathlib.Path(place)) as engine:
        way = Mute(engine.clients[0])
        engine.clients = [way.port]
        (place / "a.json").write_text(json.dumps(config))
        try:
            with Cluster(context.binary, engine, pathlib.Path(place), 1, "--config", f"{place}/{{name}}.json", takeover="4s") as cluster:
                server = cluster.servers[cluster.leader()]
                server.put("/v1/warm/1", {})
                yield server, way
        finally:
            way.speak()
            way.door.close()


def unknown(server, way, mark, ask, meanwhile=lambda: None):
    """The answer to a request whose step, which puts `mark`, is made and not answered; the engine speaks again behind it."""
    answers = []
    way.arm(mark)
    # What waits for too long behind the step before, on a slow machine, is refused: a client asks again.
    soon(lambda: (answers.append(ask()) or answers[-1].json["code"] != "overloaded"), "an answer to more than a full queue")
    answer = answers[-1].is_(503, "log-away")
    check(way.is_mute.is_set(), "a frame has passed")
    same(answer.json["outcome"], "unknown", "the outcome")
    meanwhile()
    way.speak()
    soon(lambda: server.ask("GET", "/readyz").status == 200, "the engine's answers")
    return answer


@case("what is stored though nobody could say so is sent, shown and in force at the leader: outbox, conditions, switches, imports")
def stored_late(context):
    got = []

    def answer(request):
        got.append((request.command, request.path))
        request.reply(200, {"id": "1", "n": 1})

    remote = {"upstream": "api", "search": {"path": "/todo"}, "create": {"method": "POST", "path": "/todo/{id}"}, "update": {"method": "PUT", "path": "/todo/{id}"}}
    with Upstream(answer) as upstream:
        config = {"upstreams": {"api": {"base": upstream.base}}, "types": {"todo": {"remote": remote}}, "conditions": {"open": {}}}
        with muted(context, config) as (server, way):
            unknown(server, way, b'"n":2', lambda: server.ask("PUT", "/v1/todo/1?target=both", {"n": 2}))
            soon(lambda: server.get("/v1/todo/1?source=local").status == 200, "the entity")
            soon(lambda: got, "the request to the remote")
            soon(lambda: server.get("/v1/_outbox?state=pending").json["items"] == [], "the end of the outbox")
            same(got, [("POST", "/todo/1")], "what the remote was sent")
            unknown(server, way, b'"open"', lambda: server.ask("PUT", "/v1/_conditions/open", {"value": True}))
            soon(lambda: server.get("/v1/_conditions/open").json["value"] is True, "the condition")
            # A repeat that is refused meanwhile does not say that nothing was done.
            again = lambda key: server.ask("PUT", "/v1/note/k", {"n": 1}, {"Idempotency-Key": key})
            unknown(server, way, b'"k"', lambda: again("a"), lambda: same([again(key).json["outcome"] for key in "ab"], ["unknown", "not-applied"], "a repeat's outcome, and another's"))
            soon(lambda: again("a").status == 201, "the first answer")
            unknown(server, way, b'"service"', lambda: server.ask("PUT", "/v1/_service/active", {"active": False}))
            soon(lambda: server.get("/v1/_service/active").json["active"] is False, "the switch")
            lines = "".join(json.dumps({"id": f"i{n}"}) + "\n" for n in range(16_000)).encode()
            unknown(server, way, b'"i0"', lambda: server.ask("POST", "/v1/_import?type=note", lines, {"Content-Type": "application/x-ndjson"}))
            soon(lambda: server.get("/v1/note/i0").status == 200, "the first part")


@case("what would be asked of a remote while the engine gives no answer ends by the upstream's own time")
def ends_in_time(context):
    remote = {"upstream": "api", "search": {"path": "/todo"}, "get": {"path": "/todo/{id}"}, "update": {"method": "PUT", "path": "/todo/{id}"}}
    with Upstream(lambda request: request.reply(200, {"id": "1", "n": 1})) as upstream:
        config = {"upstreams": {"api": {"base": upstream.base, "timeout": "2s", "retry": {"limit": 0}}}, "types": {"todo": {"remote": remote}}}
        with muted(context, config) as (server, way):

            def remotely():
                time.sleep(3)
                for method, path, body in (("GET", "/v1/todo/1?source=remote", None), ("PUT", "/v1/todo/1?target=remote", {"n": 1})):
                    before, asked = time.monotonic(), len(upstream.paths)
                    answer = server.ask(method, path, body)
                    check(answer.status in (503, 504), f"{method}: {answer.status} {answer.body[:200]}")
                    check(time.monotonic() - before < 20, f"{method} took {time.monotonic() - before:.0f} s")
                    same(len(upstream.paths), asked, "what the remote was asked")

            unknown(server, way, b'"n":2', lambda: server.ask("PUT", "/v1/note/1", {"n": 2}), remotely)
