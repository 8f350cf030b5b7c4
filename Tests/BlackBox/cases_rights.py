"""http-api.md 9: what is under way when rights change, and what a caller may not learn of what it may not see."""
import hashlib
import json
import signal
import socket
import threading
import time

from harness import Server, case, check, folder, same, soon
from upstream import Upstream

EVENTS = {"Accept": "text/event-stream"}


def bearer(name):
    return {"Authorization": f"Bearer {name}"}


class Rights:
    """A server whose tokens can be changed; a token's value is its name."""

    def __init__(self, context, place, rest, **tokens):
        self.file, self.rest = place / "freshet.json", rest
        self.write(tokens)
        self.server = Server(context.binary, None, "--config", str(self.file))

    def write(self, tokens):
        tokens = {"root": {"admin": True}, **tokens}
        self.file.write_text(json.dumps({**self.rest, "access": {"tokens": [
            {"name": name, "sha256": hashlib.sha256(name.encode()).hexdigest(), **rights} for name, rights in tokens.items()]}}))

    def change(self, **tokens):
        before = self.last()
        self.write(tokens)
        self.server.signal(signal.SIGHUP)
        soon(lambda: self.last() != before, "the reload")

    def last(self):
        return self.server.ask("GET", "/v1/_service", headers=bearer("root")).is_(200).json["configuration"]["lastReload"]

    def ask(self, name, method, path, body=None, **headers):
        return self.server.ask(method, path, body, {**bearer(name), **headers})

    def later(self, *request):
        """Asks on a thread of its own; what is returned waits for the answer."""
        found = []
        thread = threading.Thread(target=lambda: found.append(self.ask(*request)))
        thread.start()

        def answer():
            thread.join(60)
            return found[0]
        return answer

    def __enter__(self):
        self.server.__enter__()
        return self

    def __exit__(self, *rest):
        return self.server.__exit__(*rest)


BLUE = {"types": {"w": {"read": "team == 'blue'", "write": "team == 'blue'"}}}


@case("what was under way when rights changed shows and does nothing by the old ones")
def under_way(context):
    gate, rows, written = threading.Event(), [{"id": n, "team": "blue"} for n in range(3)], []

    def answer(request):
        if request.command == "PUT":
            written.append(request.path)
            time.sleep(0.2)
            return request.reply(200, json.loads(request.body))
        if request.path != "/w":
            return request.reply(200, {"id": int(request.path.rpartition("/")[2]), "team": "blue"})
        gate.wait(20)
        request.reply(200, rows)

    with Upstream(answer) as upstream, folder() as place:
        rest = {"upstreams": {"api": {"base": upstream.base, "maxConcurrent": 2}},
                "types": {"w": {"remote": {"upstream": "api", "search": {"path": "/w"}, "get": {"path": "/w/{id}"}, "update": {"path": "/w/{id}"}}}}}
        with Rights(context, place, rest, ann=BLUE) as s:
            read = s.later("ann", "GET", "/v1/w?source=remote")
            soon(lambda: upstream.count("/w") == 1, "the question")
            s.change(ann={"types": {"w": {"read": "id == 2"}}})
            gate.set()
            read().is_(403, "forbidden")
            same([row["id"] for row in s.ask("ann", "GET", "/v1/w?source=remote").is_(200).json["items"]], [2], "asked again")
            gate.clear()
            read = s.later("ann", "GET", "/v1/w?source=remote")
            soon(lambda: upstream.count("/w") == 3, "the next question")
            s.change(ann={"types": {"w": {"read": "id == 2"}}}, other={})
            gate.set()
            same([row["id"] for row in read().is_(200).json["items"]], [2], "a reload that changes nothing for it")
            gate.clear()
            read = s.later("ann", "GET", "/v1/w?source=remote")
            soon(lambda: upstream.count("/w") == 4, "the last question")
            s.change(ann={"types": {"w": {"read": "id == 2", "write": True}, "x": {"read": True}}})
            gate.set()
            read().is_(200)
            for changed in ({}, {"ann": {"types": {"w": {"read": True}}}}, {"ann": {"types": {"w": {**BLUE["types"]["w"], "level": "local"}}}}):
                s.change(ann=BLUE)
                many = [{"id": n, "team": "blue"} for n in range(40)]
                s.ask("root", "POST", "/v1/w/_set", many).is_(200)
                before = len(written)
                write = s.later("ann", "POST", "/v1/w/_set?target=remote", [{**row, "of": str(changed)} for row in many])
                soon(lambda: len(written) > before, "the first of the list")
                s.change(**changed)
                then = len(written)
                write()
                # Those whose turn had come wait for a place at the upstream: 16 at most.
                check(len(written) <= then + 16, f"{len(written) - then} writes behind the reload")


@case("a live query of a caller that may not have a remote asked any more has none asked")
def local_from_now(context):
    with Upstream(lambda request: request.reply(200, [{"id": 1, "team": "blue"}])) as upstream, folder() as place:
        rest = {"upstreams": {"api": {"base": upstream.base}}, "types": {"w": {"remote": {"upstream": "api", "search": {"path": "/w"}}}},
                "operations": {"ws": {"type": "w", "query": {"filter": "team == 'blue'"},
                                      "refetch": {"every": "200ms", "when": {"subscribers": 1}}}}}
        with Rights(context, place, rest, ann=BLUE) as s:
            with s.server.watch("/v1/w?live=delta&filter=team%3D%3D'blue'", {**EVENTS, **bearer("ann")}) as stream:
                stream.next()
                soon(lambda: upstream.count("/w") > 3, "the fetches of a watched operation")
                s.change(ann={"types": {"w": {**BLUE["types"]["w"], "level": "local"}}})
                time.sleep(0.5)
                before = upstream.count("/w")
                time.sleep(1)
                same(upstream.count("/w"), before, "requests for a caller of the level local")
                s.ask("root", "PUT", "/v1/w/2", {"team": "blue"})
                soon(lambda: (e := stream.next()) and e[0] == "delta", "the stream goes on")
                s.change(ann=BLUE)
                soon(lambda: upstream.count("/w") > before + 2, "the fetches, allowed again")


@case("a row that only the remote has is judged before it is replaced, and one that is hidden here is as one that is not there")
def unseen(context):
    rows = {"1": "red", "2": "blue"}

    def answer(request):
        name = request.path.rpartition("/")[2]
        if request.command == "PUT":
            return request.reply(200, json.loads(request.body))
        if name == "down" or name not in rows:
            return request.reply(404, {})
        request.reply(200, {"id": name, "team": rows[name]})

    with Upstream(answer) as upstream, folder() as place:
        rest = {"upstreams": {"api": {"base": upstream.base, "retry": {"limit": 0}}},
                "types": {"w": {"remote": {"upstream": "api", "get": {"path": "/w/{id}"}, "update": {"path": "/w/{id}"},
                                           "endpoints": {"other": {"method": "PUT", "path": "/w/{id}"}}}},
                          "blind": {"remote": {"upstream": "api", "update": {"path": "/w/{id}"}}}}}
        ann = {"types": {name: BLUE["types"]["w"] for name in ("w", "blind")}}
        with Rights(context, place, rest, ann=ann) as s:
            mine = {"team": "blue", "mine": 1}
            for target in ("remote", "both"):
                s.ask("ann", "PUT", f"/v1/w/1?target={target}", mine).is_(403, "forbidden")
                s.ask("ann", "PUT", f"/v1/blind/1?target={target}", mine).is_(403, "forbidden")
                s.ask("ann", "POST", f"/v1/w/_set?target={target}", [{"id": "1", **mine}])
                check(s.ask("ann", "PUT", f"/v1/w/2?target={target}", mine).status < 300, f"{target}: a row that it may write")
                check(s.ask("ann", "PUT", f"/v1/w/new-{target}?target={target}", mine).status < 300, f"{target}: a row that nobody has")
            # What the caller has made up here judges nothing.
            for target in ("remote", "both"):
                s.ask("ann", "PUT", "/v1/w/1", {**mine, "of": target}).is_(201)
                s.ask("ann", "PUT", f"/v1/w/1?target={target}", mine).is_(403, "forbidden")
                s.ask("ann", "PATCH", f"/v1/w/1?target={target}", {"mine": 2}).is_(403, "forbidden")
                s.ask("ann", "DELETE", "/v1/w/1").is_(204)
            s.ask("ann", "PUT", "/v1/w/1?target=remote&endpoint=other", mine).is_(403, "forbidden")
            began = time.monotonic()
            s.ask("ann", "POST", "/v1/w/_set?target=both", [{"id": f"list-{n}", "team": "blue"} for n in range(64)]).is_(202)
            check(time.monotonic() - began < 20, "a list is asked for 16 at a time")
            soon(lambda: "/w/new-both" in upstream.paths, "the delivery")
            with upstream.lock:
                # The upstream was asked for it, and never told.
                check(upstream.paths.count("/w/1") >= 4, f"questions: {upstream.paths}")
            same(s.ask("root", "GET", "/v1/w/1?source=remote").is_(200).json["team"], "red", "the hidden row")

            def told(path):
                answer = s.ask("ann", "GET", path)
                # The machine's clock may be set between the answer and its age.
                return (answer.status, *(answer.header(name) for name in ("Freshet-Source", "Freshet-Refresh")), answer.header("Age") is None)
            for parameters in ("", "?source=local", "?source=localOrRemote", "?source=remote"):
                same(told(f"/v1/w/1{parameters}"), told(f"/v1/w/777{parameters}"), f"hidden and absent, {parameters}")
            one, other = (s.ask("ann", "GET", f"/v1/w?ids={id_}").is_(200).json["meta"]["source"] for id_ in ("1", "777"))
            same(one, other, "by ids")
            upstream.server.server_close()
            upstream.server.shutdown()
            same(told("/v1/w/1")[:2], told("/v1/w/777")[:2], "without the upstream")


@case("a stream whose caller watches as much as it may goes on under another rule")
def at_bounds(context):
    with folder() as place:
        rest = {"types": {"w": {}}, "limits": {"liveGroups": 1, "residualGroups": 2}}
        # Filters of which no index knows.
        blue, red = ({"types": {"w": {"read": f"team != '{other}'"}}} for other in ("red", "blue"))
        url = "/v1/w?live=delta"
        with Rights(context, place, rest, ann=blue) as s:
            s.ask("root", "POST", "/v1/w/_set", [{"id": 1, "team": "blue"}, {"id": 2, "team": "red"}]).is_(200)
            with s.server.watch(url, {**EVENTS, **bearer("ann")}) as one, s.server.watch(url, {**EVENTS, **bearer("ann")}) as two:
                for stream in (one, two):
                    while (event := stream.next())[0] != "snapshot":
                        pass
                    same([row["id"] for row in event[2]["items"]], [1], "the rows of before")
                s.ask("ann", "GET", "/v1/w?order=team", **EVENTS).is_(422, "too-many-live-queries")
                for rights, gone, come in ((red, 1, 2), (blue, 2, 1), (red, 1, 2)):
                    s.change(ann=rights)
                    for stream in (one, two):
                        name, _, event = stream.next()
                        same((name, event.get("remove"), [row["id"] for row in event["put"]]), ("delta", {str(gone): "forbidden"}, [come]), "the rows of now")


@case("what was begun of a row that may not be read any more has no end")
def cut_amid(context):
    text = "b" * 900_000
    with folder() as place, Rights(context, place, {}, ann={"types": {"w": {"read": True}, "x": {"read": True}}}) as s:
        for changed in ({"types": {"x": {"read": True}}}, {"types": {"w": {"read": "team == 'red'"}, "x": {"read": True}}}):
            s.change(ann={"types": {"w": {"read": True}, "x": {"read": True}}})
            s.ask("root", "PUT", "/v1/w/1", {"team": "blue", "x": text})
            with s.server.connect() as link:
                link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                link.sendall(b"GET /v1/_live?q.w=%2Fv1%2Fw%3Flive%3D1&q.x=%2Fv1%2Fx%3Flive%3D1 HTTP/1.0\r\nAuthorization: Bearer ann\r\n\r\n")
                link.settimeout(20)
                found = b""
                # Until the row is under way, so that most of it is to come.
                while b"bbbb" not in found:
                    more = link.recv(1000)
                    check(more and len(found) < 10_000, f"{found[:500]}")
                    found += more
                s.change(ann=changed)
                # Comments come for as long as a stream does.
                end = time.monotonic() + 60
                while len(found) < 700_000 and time.monotonic() < end and (more := link.recv(65536)):
                    found += more
                check(time.monotonic() < end, "the stream goes on")
                check(len(found) < 700_000, f"{len(found)} bytes behind the loss of the right")
                check(b'"b' not in found[-1000:] and b"bye" not in found, f"ends by {found[-100:]}")


@case("an include tells nothing of types behind one that may not be read")
def behind(context):
    def leads(**names):
        return {"relationships": {name: {"type": type_, "association": "one"} for name, type_ in names.items()}}

    with folder() as place:
        rest = {"types": {"task": leads(author="person"), "person": leads(plans="secret"), "secret": {}}}
        with Rights(context, place, rest, ann={"types": {"task": {"read": True}}}) as s:
            s.ask("root", "PUT", "/v1/task/1", {"author": "a"}).is_(201)
            s.ask("ann", "GET", "/v1/task?include=author").is_(200)
            known, unknown = (s.ask("ann", "GET", f"/v1/task?include=author.{name}").is_(400, "bad-parameter").json for name in ("plans", "nothing"))
            same(known["detail"], unknown["detail"], "what is said of a relationship that there is")
            check("secret" not in json.dumps([known, unknown]) and "person" not in known["detail"], f"{known}")


@case("an export and a backup whose caller has lost its right are cut off; nobody has all room for sessions")
def cut_off(context):
    with folder() as place:
        file = place / "freshet.json"
        with Rights(context, place, {}, admin={"admin": True}, ann={"types": {"task": {"read": True}}}) as s:
            text = "x" * 100_000
            for n in range(300):
                s.ask("root", "PUT", f"/v1/task/{n}", {"text": text}).is_(201)
            link = s.server.connect()
            link.sendall(b"GET /v1/_export HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer admin\r\n\r\n")
            got = link.recv(65536)
            check(got.startswith(b"HTTP/1.1 200"), "the export has begun")
            s.change(ann={"types": {"task": {"read": True}}})
            size, more = 0, got
            while more:
                size += len(more)
                got = more
                try:
                    more = link.recv(1 << 20)
                except ConnectionResetError:
                    break
            check(size < 29_000_000 and not got.endswith(b"0\r\n\r\n"), f"{size} bytes, whose end is {got[-9:]}")
            s.change(admin={"admin": True}, ann={"types": {"task": {"read": True}}})
            link = s.server.connect()
            link.sendall(b"GET /v1/_export HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer admin\r\n\r\n")
            link.recv(65536)
            s.change(ann={"types": {"task": {"read": True}}})
            try:
                while link.recv(1 << 20):
                    pass
                check(False, "an export that was cut looks whole over HTTP/1.0")
            except ConnectionResetError:
                pass
            queries = {f"q{n}": f"/v1/task?filter=text%3D%3D%22{'y' * 9000}{n}%22" for n in range(100)}
            made = 0
            while s.ask("ann", "POST", "/v1/_live", {"queries": queries}).status == 201:
                made += 1
                check(made < 60, "one caller has all room")
            s.ask("root", "POST", "/v1/_live", {"queries": queries}).is_(201)
        check(file.exists(), "the configuration")
