"""live.md sections 2 to 6: deltas, cursors, long poll, sessions, access."""
import concurrent.futures
import contextlib
import hashlib
import http.client
import json
import pathlib
import random
import signal
import socket
import time
from urllib.parse import quote

from harness import Failure, Server, case, check, folder, same, soon

EVENTS = {"Accept": "text/event-stream"}


class Query:
    """The reducer of live.md section 4, word for word."""

    def __init__(self):
        self.order, self.items, self.total, self.included, self.v = [], {}, None, {}, -1
        self.whole, self.reasons, self.why = False, {}, None
        self.figures = None
        self.known = -1  # the last cursor at which it was told to be exact

    def apply(self, name, data):
        if name == "snapshot":
            # Parts are kept aside until all have come.
            self.parts = [data] if data["part"] == 0 else self.parts + [data]
            self.whole = not data["more"]
            if not self.whole:
                return
            self.order, self.items, self.included, self.total, self.why = [], {}, {}, None, data["why"]
            for item in (item for part in self.parts for item in part.get("items", [])):
                self.order.append(str(item["id"]))
                self.items[str(item["id"])] = item
            for part in self.parts:
                self.include(part)
            self.figures = data.get("aggregates")
            self.v = data["v"]
        elif name == "delta" and data["to"] > self.v:
            # What came and went between two steps is told by nothing, so that `from` may be later than what was told.
            check(data["from"] < data["to"], f"a delta from {data['from']} to {data['to']}")
            out = set(data["remove"]) | {str(i) for i, _ in data["place"]}
            self.order = [i for i in self.order if i not in out]
            for key, at in sorted(data["place"], key=lambda p: p[1]):
                check(at <= len(self.order), f"placed at {at} of {len(self.order)}")
                self.order.insert(at, str(key))
            for key in data["remove"]:
                self.items.pop(key, None)
            self.reasons.update(data["remove"])
            for item in data["put"]:
                self.items[str(item["id"])] = item
            for kind, ids in data.get("dropped", {}).items():
                for key in ids:
                    self.included.get(kind, {}).pop(str(key), None)
            self.include(data)
            self.v = data["to"]

    def include(self, data):
        for kind, entities in data.get("included", {}).items():
            self.included.setdefault(kind, {}).update(entities)
        if "total" in data:
            self.total = data["total"]

    @property
    def rows(self):
        return [self.items[i] for i in self.order]


class Session:
    """A client of one connection with several queries."""

    def __init__(self, server, path, headers=None, queries=None):
        self.stream = server.watch(path, {**EVENTS, **(headers or {})})
        same(self.stream.status, 200, f"status of {path}")
        self.queries = queries if queries is not None else {}
        self.log, self.cursor = [], None

    def step(self, seconds=10):
        """Takes events up to and with the next `sync`; answers its cursor."""
        while True:
            name, mark, data = self.next(seconds)
            if name == "sync":
                same(mark, data["at"], "the id of a sync")
                self.cursor = mark
                for query in self.queries.values():
                    query.known = int(mark.split(".")[1])
                return mark

    def next(self, seconds=10):
        event = self.stream.next(seconds)
        check(event, f"the stream ended after {self.log[-3:]}")
        name, mark, data = event
        self.log.append((name, data))
        if name in ("snapshot", "delta"):
            check(mark is None, "on a connection of several queries only a sync has an id")
            self.queries.setdefault(data["q"], Query()).apply(name, data)
        return event

    def until(self, name, seconds=10):
        while True:
            event = self.next(seconds)
            if event[0] == name:
                return event[2]

    def rows(self, alias):
        return [(r["id"], r.get("n")) for r in self.queries[alias].rows]

    def close(self):
        self.stream.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def several(**queries):
    return "/v1/_live?" + "&".join(f"q.{alias}={quote(url, safe='')}" for alias, url in queries.items())


def post(server, queries, headers=None):
    return server.ask("POST", "/v1/_live", {"queries": queries}, headers)


def relative(server, url):
    return url[len(server.url):] if url.startswith("http") else url


def read(stream, query, *names, seconds=10):
    """The next event of these names, applied; a snapshot whole."""
    while True:
        name, mark, data = stream.until("snapshot", "delta", "sync", "fault", "bye", seconds=seconds)
        query.apply(name, data)
        if name in names and not (name == "snapshot" and data["more"]):
            return mark, data


@case("a delta removes, places and puts, with a reason for what leaves")
def deltas(context):
    s, t = context.server, context.type()
    s.ask("POST", f"/v1/{t}/_set", [{"id": n, "n": n} for n in range(1, 6)])
    q = Query()
    with s.watch(f"/v1/{t}?filter=n>0&order=n&limit=3&count=true&live=delta&old=true") as w:
        _, _, hello = w.until("hello")
        same(hello["queries"][""]["mode"], "delta", "mode of hello")
        same(hello["queries"][""]["window"], {"offset": 0, "limit": 3}, "window of hello")
        read(w, q, "snapshot")
        same(([r["id"] for r in q.rows], q.total), ([1, 2, 3], 5), "the first window")
        s.put(f"/v1/{t}/9", {"id": 9, "n": 1.5})
        mark, data = read(w, q, "delta")
        check(mark, "a delta of a single query has an id")
        same((data["remove"], data["place"], data["commits"]), ({"3": "displaced"}, [[9, 1]], 1), "a row comes between")
        same(data["put"], [{"id": 9, "n": 1.5}], "put")
        same(q.total, 6, "total")
        s.ask("DELETE", f"/v1/{t}/1")
        _, data = read(w, q, "delta")
        same((data["remove"], [r["id"] for r in q.rows]), ({"1": "deleted"}, [9, 2, 3]), "a removal")
        same(data["old"], {"1": {"id": 1, "n": 1}}, "old values")
        s.put(f"/v1/{t}/9", {"id": 9, "n": -1})
        _, data = read(w, q, "delta")
        same((data["remove"], [r["id"] for r in q.rows]), ({"9": "unmatched"}, [2, 3, 4]), "out of the filter")
        s.put(f"/v1/{t}/2", {"id": 2, "n": 2, "x": 1})
        _, data = read(w, q, "delta")
        same((data["remove"], data["place"], data["put"]), ({}, [], [{"id": 2, "n": 2, "x": 1}]), "a change in place")
        same(data["old"], {"2": {"id": 2, "n": 2}}, "old values of a change")


@case("a cursor resumes with one net delta; an equal result is a sync")
def resume(context):
    s, t = context.server, context.type()
    s.ask("POST", f"/v1/{t}/_set", [{"id": n, "n": n} for n in range(10)])
    path = f"/v1/{t}?filter=n<100&live=delta"
    q = Query()
    with s.watch(path) as w:
        mark, _ = read(w, q, "snapshot")
    for n in range(5):
        s.put(f"/v1/{t}/3", {"id": 3, "n": 50 + n})
    s.ask("DELETE", f"/v1/{t}/4")
    s.put(f"/v1/{t}/20", {"id": 20, "n": 20})
    with s.watch(path, {**EVENTS, "Last-Event-ID": mark}) as w:
        mark, data = read(w, q, "delta", "snapshot", "sync")
        check("put" in data, f"a net delta, got {list(data)}")
        same(sorted(r["id"] for r in data["put"]), [3, 20], "net puts")
        same(data["remove"], {"4": "deleted"}, "net removals")
    same(q.rows, s.get(path.replace("&live=delta", "")).json["items"], "the state")
    s.put(f"/v1/{t}/30", {"id": 30, "n": 1000})
    with s.watch(path, {**EVENTS, "Last-Event-ID": mark}) as w:
        check("at" in read(w, q, "sync", "delta", "snapshot")[1], "nothing relevant is a sync")


@case("since and wait are a long poll: 204, a delta, and a cursor each time")
def long_poll(context):
    s, t = context.server, context.type()
    s.put(f"/v1/{t}/1", {"id": 1, "n": 1})
    first = s.get(f"/v1/{t}?since=&wait=1")
    if first.status == 400:
        first = s.get(f"/v1/{t}?since=none.0&wait=1")
    cursor = first.is_(200).json["cursor"]
    s.get(f"/v1/{t}?since={quote(cursor)}&wait=1").is_(204)
    s.put(f"/v1/{t}/2", {"id": 2, "n": 2})
    answer = s.get(f"/v1/{t}?since={quote(cursor)}&wait=5").is_(200).json
    same([r["id"] for r in answer["delta"]["put"]], [2], "the delta of a long poll")
    s.get(f"/v1/{t}?since={quote(answer['cursor'])}&wait=1").is_(204)
    answer = s.get(f"/v1/{t}?since={quote(cursor)}&wait=5&live=snapshot").is_(200).json
    same([r["id"] for r in answer["snapshot"]["items"]], [1, 2], "a long poll for snapshots")
    check("snapshot" in s.get(f"/v1/{t}?since=zzz.1&wait=1").is_(200).json, "a foreign cursor is a snapshot")
    # 204 says that nothing is new: no wait is too short for news that are there.
    for n in range(40):
        s.get(f"/v1/{t}?since={quote(cursor)}&wait=0").is_(200)
        check("snapshot" in s.get(f"/v1/{t}?filter=n>{n}&since=zzz.1&wait=0").is_(200).json, "at once")
    s.get(f"/v1/{t}?since={quote(answer['cursor'])}&wait=0").is_(204)


@case("a first poll has its snapshot, however short its wait and whoever writes beside it")
def first_polls(context):
    s, t = context.server, context.type()
    for n in range(30):
        s.put(f"/v1/{t}/{n}", {"n": n})
    end = time.monotonic() + 3
    statuses = set()

    def poll(number):
        while time.monotonic() < end:
            statuses.add(s.get(f"/v1/{t}?filter=n>{context.random.randrange(30)}&wait=0").status)

    def write(number):
        while time.monotonic() < end:
            s.put(f"/v1/{t}/{context.random.randrange(30)}", {"n": context.random.randrange(99)})

    with concurrent.futures.ThreadPoolExecutor(5) as pool:
        for done in [pool.submit(run, number) for number, run in enumerate([poll, poll, poll, write, write])]:
            done.result()
    same(statuses, {200}, "statuses")


@case("a long poll that waits ends with the rules that it began by, with the right to read, and with the server")
def long_poll_ends(context):
    with folder() as data:
        file = data / "c.json"

        def rules(read):
            file.write_text(json.dumps({"access": {"tokens": [
                {"name": "one", "sha256": hashlib.sha256(b"one").hexdigest(), "types": {"a": {"read": read}, "b": {"read": True}}},
                {"name": "root", "sha256": hashlib.sha256(b"root").hexdigest(), "admin": True,
                 "types": {"*": {"read": True, "write": True}}}]}}))

        rules("team in ('blue', 'red')")
        one, root = {"Authorization": "Bearer one"}, {"Authorization": "Bearer root"}
        with Server(context.binary, None, "--config", str(file)) as s, concurrent.futures.ThreadPoolExecutor() as pool:
            def polling():
                cursor = s.ask("GET", "/v1/a", headers=one).is_(200).json["meta"]["cursor"]
                poll = pool.submit(lambda: s.ask("GET", f"/v1/a?since={quote(cursor)}&wait=60", headers=one))
                soon(lambda: s.ask("GET", "/v1/_live", headers=root).json["subscriptions"] > 0, "the poll waits")
                return cursor, poll

            s.ask("PUT", "/v1/a/1", {"team": "blue"}, root).is_(201)
            cursor, poll = polling()
            rules("team == 'blue'")
            s.signal(signal.SIGHUP)
            poll.result(20).is_(204)
            s.ask("PUT", "/v1/a/2", {"team": "red"}, root).is_(201)
            s.ask("PUT", "/v1/a/3", {"team": "blue"}, root).is_(201)
            again = s.ask("GET", f"/v1/a?since={quote(cursor)}&wait=60", headers=one).is_(200)
            check(b'"red"' not in again.body, f"a row that the rule forbids: {again.body}")
            _, poll = polling()
            rules(False)
            s.signal(signal.SIGHUP)
            poll.result(20).is_(403)
            rules(True)
            s.signal(signal.SIGHUP)
            soon(lambda: s.ask("GET", "/v1/a", headers=one).status == 200, "the right is back")
            _, poll = polling()
            s.signal(signal.SIGTERM)
            poll.result(20).is_(503, "shutting-down")
            s.process.wait(20)


@case("a long poll that is answered at once leaves nothing behind")
def long_poll_leaves(context):
    with Server(context.binary) as s, s.watch("/v1/a?live=delta"):
        def polls():
            link = http.client.HTTPConnection("127.0.0.1", s.port)
            for _ in range(10_000):
                link.request("GET", "/v1/a?since=zzz.1&wait=300")
                answer = link.getresponse()
                same((answer.status, b"snapshot" in answer.read()), (200, True), "at once")
            link.close()
            return int(next(line for line in open(f"/proc/{s.process.pid}/status") if line.startswith("VmRSS")).split()[1])

        polls()
        before = polls()
        check(polls() + polls() < 2 * before + 6_000, "20,000 polls keep no memory")


@case("a changed contract and silent members that speak again hold for a stream that is open")
def reconfigured(context):
    with folder() as data:
        file = data / "c.json"

        def types(where, silent, name="c"):
            file.write_text(json.dumps({"types": {"a": {
                "properties": {"s": {"type": "string"}, "v": {"type": "integer", "silent": silent}}, "contracts": {name: {"where": where}}}}}))

        types("s == 'live'", True)
        with Server(context.binary, None, "--config", str(file)) as s:
            s.put("/v1/a/1", {"s": "live", "v": 1}).is_(201)
            s.put("/v1/a/2", {"s": "draft", "v": 1}).is_(201)
            ruled, plain = Query(), Query()
            with s.watch("/v1/a?contract=c&live=delta") as w, s.watch("/v1/a?live=delta") as v:
                read(w, ruled, "snapshot")
                read(v, plain, "snapshot")
                s.ask("PATCH", "/v1/a/1", {"v": 2}).is_(200)
                types("s == 'draft'", False)
                s.signal(signal.SIGHUP)
                read(w, ruled, "snapshot", "delta")
                same([r["id"] for r in ruled.rows], ["2"], "the contract of now")
                s.put("/v1/a/3", {"s": "draft", "v": 1}).is_(201)
                read(w, ruled, "delta")
                same([r["id"] for r in ruled.rows], ["2", "3"], "and behind it")
                while plain.items.get("1", {}).get("v") != 2 or "3" not in plain.items:
                    read(v, plain, "snapshot", "delta")
                s.ask("PATCH", "/v1/a/1", {"v": 99}).is_(200)
                read(v, plain, "delta")
                same(plain.items["1"]["v"], 99, "a member that is silent no more")
                types("s == 'draft'", False, "other")
                s.signal(signal.SIGHUP)
                told = w.until("bye", "fault")
                check("contract" in str(told), f"a contract that is gone: {told}")


@case("throttle spaces the events of a query and the last state is exact")
def throttle(context):
    s, t = context.server, context.type()
    with s.watch(f"/v1/{t}?live=delta&throttle=400") as w:
        q = Query()
        read(w, q, "snapshot")
        began, count = time.monotonic(), 0
        for n in range(40):
            s.put(f"/v1/{t}/1", {"id": 1, "n": n})
        while not q.rows or q.rows[0]["n"] != 39:
            read(w, q, "delta")
            count += 1
        check(count <= 2 + (time.monotonic() - began) / 0.4, f"{count} events")


@case("what has come and gone within one throttle is no second snapshot")
def unchanged(context):
    s, t = context.server, context.type()
    s.put(f"/v1/{t}/1", {"n": 5}).is_(201)
    inner = quote(f"/v1/{t}?live=snapshot", safe="")
    for path in (f"/v1/{t}?live=snapshot", f"/v1/{t}/1?live=snapshot", f"/v1/{t}?live=snapshot&group=n", f"/v1/{t}?live=1&aggregate=sum(n)",
                 f"/v1/{t}?live=snapshot&filter=n>1&count=true", f"/v1/_live?q.a={inner}&"):
        for other in ({"n": 6}, None) if path.endswith("live=snapshot") else ({"n": 6},):
            with s.watch(f"{path}&throttle=300&max=1") as w:
                shown = []
                while event := w.next():
                    if event[0] != "snapshot":
                        continue
                    value = {k: v for k, v in event[2].items() if k in ("items", "groups", "aggregates", "total")}
                    check(value not in shown[-1:], f"{path} shows {value} twice")
                    if not shown:
                        # Both before the throttle lets the next event go.
                        s.put(f"/v1/{t}/1", other) if other else s.ask("DELETE", f"/v1/{t}/1")
                        s.put(f"/v1/{t}/1", {"n": 5})
                    shown.append(value)
            # What is changed to stay is shown.
            with s.watch(f"{path}&throttle=300") as w:
                w.until("snapshot")
                s.put(f"/v1/{t}/1", {"n": 7}).is_(200)
                check("7" in json.dumps(w.until("snapshot")[2]), f"{path}: the change")
                s.put(f"/v1/{t}/1", {"n": 5}).is_(200)
                w.until("snapshot")


@case("max ends a stream with bye; retry is between 1 and 3 seconds; heartbeat is held to its range")
def lifetime(context):
    s, t = context.server, context.type()
    with s.watch(f"/v1/{t}?max=1&heartbeat=1") as w:
        _, _, hello = w.until("hello")
        same(hello["heartbeat"], 5, "heartbeat")
        _, _, bye = w.until("bye")
        same((bye["reason"], bye["reconnect"]), ("max-age", True), "bye")
        check(w.next() is None, "the end")
    with s.connect() as link:
        link.sendall(f"GET /v1/{t}?live=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        got = b""
        while b"retry:" not in got or b"\n" not in got.split(b"retry:")[1]:
            got += link.recv(65536)
        retry = int(got.split(b"retry:")[1].split(b"\n")[0])
        check(1000 <= retry <= 3000, f"retry {retry}")


@case("an included entity that changes is a delta of the query that shows it")
def included(context):
    with folder() as data:
        types = {"types": {"book": {"relationships": {"author": {"type": "person", "association": "one"}}}, "person": {}}}
        (data / "c.json").write_text(json.dumps(types))
        with Server(context.binary, None, "--config", str(data / "c.json")) as s:
            s.put("/v1/person/p", {"name": "P"})
            s.put("/v1/person/q", {"name": "Q"})
            s.put("/v1/book/1", {"author": "p"})
            q = Query()
            with s.watch("/v1/book?include=author&live=delta") as w:
                read(w, q, "snapshot")
                same(q.included, {"person": {"p": {"id": "p", "name": "P"}}}, "included at first")
                s.put("/v1/person/p", {"name": "PP"})
                read(w, q, "delta", "snapshot")
                same(q.included["person"]["p"]["name"], "PP", "a changed author")
                s.put("/v1/book/1", {"author": "q"})
                read(w, q, "delta", "snapshot")
                same(list(q.included["person"]), ["q"], "another author")
                s.put("/v1/person/p", {"name": "nobody's"})
                s.ask("DELETE", "/v1/book/1")
                read(w, q, "delta", "snapshot")
                same((q.rows, q.included.get("person", {})), ([], {}), "nothing left")


@case("silent members alone make no event; what follows from them is told, with the row that moves")
def silent_members(context):
    with folder() as data:
        views = {"views": {"type": "integer", "silent": True}}
        (data / "c.json").write_text(json.dumps({"types": {
            "t": {"properties": views, "relationships": {"p": {"type": "p", "association": "one"}}}, "p": {"properties": views}}}))
        with Server(context.binary, None, "--config", str(data / "c.json")) as s:
            s.put("/v1/p/1", {"x": 1, "views": 1})
            for n in range(4):
                s.put(f"/v1/t/{n}", {"a": n % 2, "n": n, "p": 1, "views": 10 * n})
            bare = [
                "/v1/t?limit=9", "/v1/t?include=p", "/v1/t?include=p&meta=true", "/v1/t?group=a", "/v1/t?group=a&include=p",
                "/v1/t?order=views", "/v1/t?order=-views&limit=3", "/v1/t?distinct=a&order=views", "/v1/t?fields=views,n",
                "/v1/t?meta=true", "/v1/t?aggregate=count,sum(n)", "/v1/t?filter=views<100&count=true", "/v1/t?offset=1&limit=2",
                "/v1/t/1", "/v1/t/1?include=p"]
            paths = [f"{path}{'&' if '?' in path else '?'}live={mode}" for path in bare for mode in ("delta", "snapshot")]
            with contextlib.ExitStack() as stack:
                streams = [stack.enter_context(s.watch(path, EVENTS)) for path in paths]
                marks = [w.snapshot()[1] if "group" not in path and "aggregate" not in path else w.until("snapshot")[1]
                         for path, w in zip(paths, streams)]
                both = stack.enter_context(Session(s, several(a="/v1/t?include=p", b="/v1/t?group=a")))
                both.until("sync")
                # The rows stay where they are, and so do the groups.
                s.ask("PATCH", "/v1/p/1", {"views": 2}).is_(200)
                s.ask("PATCH", "/v1/t/1", {"views": 11}).is_(200)
                for path, mark in zip(paths, marks):
                    with s.watch(path, {**EVENTS, "Last-Event-ID": mark}) as w:
                        same(w.until("snapshot", "delta", "sync")[0], "sync", f"a cursor of before, {path}")
                    poll = s.get(f"{path}&since={quote(mark)}&wait=0")
                    same(poll.status, 204, f"a poll from before, {path}: {poll.body[:300]}")
                cursor = s.ask("PATCH", "/v1/t/1", {"n": 7}).is_(200).header("freshet-cursor")
                seq = int(cursor.split(".")[1])
                for path, w in zip(paths, streams):
                    name, _, told = w.until("snapshot", "delta")
                    same(told.get("v", told.get("to")), seq, f"the first event behind, {path}: {name} {told}")
                told = both.next()
                same((told[0], told[2].get("to")), ("delta", seq), f"the first event of several: {told}")
                # What is told is the row as it is.
                with s.watch("/v1/t?order=views&live=delta") as w:
                    q = Query()
                    read(w, q, "snapshot")
                    same([(r["id"], r["views"]) for r in q.rows], [("0", 0), ("1", 11), ("2", 20), ("3", 30)], "who comes sees all")
                    s.ask("PATCH", "/v1/t/1", {"views": 25}).is_(200)
                    _, event = read(w, q, "delta")
                    same((event["place"], [r["views"] for r in event["put"]]), ([["1", 2]], [25]), "a row that moves")
                    same(q.rows, s.get("/v1/t?order=views").json["items"], "the order of a search")
                # Figures, groups and the filter are no silent members.
                for path, value in (("aggregate=sum(views)", 90), ("group=views", 95), ("distinct=views", 20), ("filter=views<15", 5)):
                    with s.watch(f"/v1/t?{path}&live=1", EVENTS) as w:
                        w.until("snapshot")
                        s.ask("PATCH", "/v1/t/1", {"views": value}).is_(200)
                        w.until("snapshot")


@case("several queries on one connection step together, one sync for each cut")
def multiplexed(context):
    s, a, b = context.server, context.type(), context.type()
    s.put(f"/v1/{a}/x", {"n": 1})
    with Session(s, several(a=f"/v1/{a}?limit=5", b=f"/v1/{b}?order=-n&live=snapshot")) as c:
        hello = c.until("hello")
        same({k: v["mode"] for k, v in hello["queries"].items()}, {"a": "delta", "b": "snapshot"}, "modes")
        c.step()
        same((c.rows("a"), c.rows("b")), ([("x", 1)], []), "the first cut")
        for n in range(2, 40):
            s.ask("POST", "/v1/_batch", {"operations": [
                {"set": {"type": a, "entity": {"id": "x", "n": n}}},
                {"set": {"type": b, "entity": {"id": "y", "n": n}}}]}).is_(200)
        while c.rows("a") != [("x", 39)]:
            c.step()
            same([n for _, n in c.rows("a")], [n for _, n in c.rows("b")], "both of one commit")
        cursor = c.cursor
    s.put(f"/v1/{b}/z", {"n": 99})
    path = several(a=f"/v1/{a}?limit=5", b=f"/v1/{b}?order=-n&live=snapshot")
    with Session(s, path, {"Last-Event-ID": cursor}, c.queries) as c:
        c.step()
        same((c.rows("a"), c.rows("b")), ([("x", 39)], [("z", 99), ("y", 39)]), "the state after a resume")
        check(("snapshot" not in [n for n, d in c.log if d.get("q") == "a"]), "what did not change is not sent again")


@case("a faulty or forbidden query refuses the whole of _live with its own status")
def refused(context):
    s, t = context.server, context.type()
    answer = s.ask("GET", several(a=f"/v1/{t}", b=f"/v1/{t}?filter=n=="), headers=EVENTS).is_(400, "bad-filter")
    check("b" in json.dumps(answer.json), "it names the query")
    post(s, {"a": f"/v1/{t}?nosuch=1"}).is_(400, "bad-parameter")
    post(s, {"a": "http://elsewhere.test/v1/x"}).is_(400)
    post(s, {"a": "/livez"}).is_(400)
    post(s, {f"q{n}": f"/v1/{t}?limit={n + 1}" for n in range(101)}).is_(422, "too-many-queries")
    post(s, {f"q{n}": f"/v1/{t}?limit={n + 1}" for n in range(100)}).is_(201)
    s.ask("POST", "/v1/_live", "{").is_(400, "bad-json")
    s.ask("POST", "/v1/_live", {"queries": []}).is_(400)
    for method in ("PATCH", "DELETE"):
        s.ask(method, "/v1/_live/nosuch", {"queries": {}} if method == "PATCH" else None).is_(404)
    s.ask("GET", "/v1/_live/nosuch", headers=EVENTS).is_(404)


@case("a session: made by POST, read by its url alone, changed by PATCH, ended by DELETE")
def session(context):
    s, a, b = context.server, context.type(), context.type()
    s.put(f"/v1/{a}/1", {"n": 1})
    s.put(f"/v1/{b}/1", {"n": 10})
    made = post(s, {"a": f"/v1/{a}"}).is_(201).json
    same(sorted(made), ["expires", "session", "url"], "members of a session")
    with Session(s, relative(s, made["url"])) as c:
        c.step()
        same(c.rows("a"), [("1", 1)], "first")
        path = f"/v1/_live/{made['session']}"
        s.ask("PATCH", path, {"queries": {"b": f"/v1/{b}"}})
        while "b" not in c.queries:
            c.step()
        same(c.rows("b"), [("1", 10)], "an added query")
        s.ask("PATCH", path, {"queries": {"c": f"/v1/{a}?filter=n==", "a": None}}).is_(400, "bad-filter")
        s.put(f"/v1/{a}/1", {"n": 2})
        c.step()
        same(c.rows("a"), [("1", 2)], "a refused PATCH changes nothing")
        s.ask("PATCH", path, {"queries": {"a": None}})
        s.put(f"/v1/{a}/1", {"n": 3})
        s.put(f"/v1/{b}/1", {"n": 11})
        while c.rows("b") != [("1", 11)]:
            c.step()
        same(c.rows("a"), [("1", 2)], "a removed query is told nothing")
        check(s.ask("DELETE", path).status in (200, 204), "DELETE")
        same(c.until("bye")["reason"], "session-ended", "reason")
        check(c.stream.next() is None, "the end")
    s.ask("GET", path, headers=EVENTS).is_(404)
    s.ask("DELETE", path).is_(404)


@case("a second connection replaces the first; a session resumes, with what was added meanwhile")
def replaced(context):
    s, a, b = context.server, context.type(), context.type()
    s.put(f"/v1/{a}/1", {"n": 1})
    s.put(f"/v1/{b}/1", {"n": 10})
    made = post(s, {"a": f"/v1/{a}"}).is_(201).json
    url = relative(s, made["url"])
    with Session(s, url) as first:
        cursor = first.step()
        with Session(s, url, {"Last-Event-ID": cursor}, first.queries) as second:
            same(first.until("bye")["reason"], "replaced", "reason")
            second.step()
            check("snapshot" not in [n for n, _ in second.log], "nothing is sent again")
            cursor = second.cursor
    s.ask("PATCH", f"/v1/_live/{made['session']}", {"queries": {"b": f"/v1/{b}"}})
    s.put(f"/v1/{a}/2", {"n": 2})
    with Session(s, url, {"Last-Event-ID": cursor}, second.queries) as third:
        third.step()
        same(third.rows("a"), [("1", 1), ("2", 2)], "what was there before")
        same(third.rows("b"), [("1", 10)], "what was added while away")
        kinds = [(n, d["q"]) for n, d in third.log if n in ("snapshot", "delta")]
        same(sorted(kinds), [("delta", "a"), ("snapshot", "b")], "events of the resume")


@case("a ticket is good for its session only, and a session without it is not readable by others")
def tickets(context):
    with folder() as data:
        def token(name, types, admin=False):
            return {"name": name, "sha256": hashlib.sha256(name.encode()).hexdigest(), "admin": admin, "types": types}
        (data / "c.json").write_text(json.dumps({"access": {"tokens": [
            token("one", {"a": {"read": "n > 0"}}), token("two", {"a": {"read": True}}),
            token("root", {"*": {"read": True, "write": True}}, True)]}}))
        with Server(context.binary, None, "--config", str(data / "c.json")) as s:
            def bearer(name):
                return {"Authorization": f"Bearer {name}"}
            for n in (0, 1):
                s.ask("PUT", f"/v1/a/{n}", {"n": n}, bearer("root")).is_(201)
            post(s, {"a": "/v1/a"}).is_(401)
            post(s, {"b": "/v1/b"}, bearer("one")).is_(403)
            mine = post(s, {"a": "/v1/a"}, bearer("one")).is_(201).json
            other = post(s, {"a": "/v1/a"}, bearer("two")).is_(201).json
            check("one" not in mine["url"].split("?")[-1].split("=")[-1], "no token in the url")
            url, theirs = relative(s, mine["url"]), relative(s, other["url"])
            mixed = url.split("?")[0] + "?" + theirs.split("?")[1]
            check(s.ask("GET", mixed, headers=EVENTS).status in (401, 403, 404), "another session's ticket")
            check(s.ask("GET", url.split("?")[0], headers=EVENTS).status in (401, 404), "no ticket")
            for method, body in (("PATCH", {"queries": {"x": "/v1/a"}}), ("DELETE", None)):
                got = s.ask(method, f"/v1/_live/{mine['session']}", body, bearer("two")).status
                check(got in (403, 404), f"{method} by another: {got}")
            with Session(s, url) as c:
                c.step()
                same(c.rows("a"), [("1", 1)], "the row rule of its maker")
                s.ask("PUT", "/v1/a/1", {"n": -1}, bearer("root"))
                c.step()
                same(c.queries["a"].reasons, {"1": "forbidden"}, "out of the row rule")
            s.ask("GET", "/v1/_live", headers=bearer("one")).is_(403)
            view = s.ask("GET", "/v1/_live", headers=bearer("root")).is_(200).json
            for member in ("streams", "sessions", "groups", "subscriptions", "items"):
                check(member in view, f"{member} in the operators' view")


@case("a narrowed row rule takes rows away as forbidden, live, over a resume and over a restart")
def narrowed(context):
    with folder() as data:
        file = data / "c.json"

        def rule(text):
            file.write_text(json.dumps({"types": {"a": {}}, "access": {"tokens": [
                {"name": "one", "sha256": hashlib.sha256(b"one").hexdigest(), "types": {"a": {"read": text}}},
                {"name": "root", "sha256": hashlib.sha256(b"root").hexdigest(), "admin": True,
                 "types": {"*": {"read": True, "write": True}}}]}}))

        rule("n < 9")
        one, root = {"Authorization": "Bearer one"}, {"Authorization": "Bearer root"}
        path, q = "/v1/a?live=delta&count=true", Query()
        with Server(context.binary, data / "d", "--config", str(file)) as s:
            same(s.ask("PUT", "/v1/a/1", {"n": 1}, root).header("ETag"), '"1"', "a configuration takes no revision")
            for n in (2, 3, 4):
                s.ask("PUT", f"/v1/a/{n}", {"n": n}, root).is_(201)
            with s.watch(path, {**EVENTS, **one}) as w:
                read(w, q, "snapshot")
                rule("n < 4")
                s.process.send_signal(signal.SIGHUP)
                mark, data_ = read(w, q, "delta", "snapshot")
                same((data_.get("remove"), q.total), ({"4": "forbidden"}, 3), "a narrowed rule")
            rule("n < 3")
            s.process.send_signal(signal.SIGHUP)
            end = time.monotonic() + 10
            while s.ask("GET", "/v1/a/3", headers=one).status != 404:
                check(time.monotonic() < end, "the rule is taken over")
            with s.watch(path, {**EVENTS, **one, "Last-Event-ID": mark}) as w:
                mark, data_ = read(w, q, "snapshot", "delta", "sync")
                same(([r["id"] for r in q.rows], data_.get("why")), (["1", "2"], "schema"), "after a resume")
            s.kill()
        with Server(context.binary, data / "d", "--config", str(file)) as s:
            with s.watch(path, {**EVENTS, **one, "Last-Event-ID": mark}) as w:
                check("at" in read(w, q, "sync", "snapshot", "delta")[1], "the same rule resumes over a restart")
            s.kill()
        rule("n < 2")
        with Server(context.binary, data / "d", "--config", str(file)) as s:
            with s.watch(path, {**EVENTS, **one, "Last-Event-ID": mark}) as w:
                _, data_ = read(w, q, "snapshot", "delta", "sync")
                same(([r["id"] for r in q.rows], data_.get("why")), (["1"], "schema"), "another rule after a restart")


@case("cursors of before a kill -9 work after it, with one net delta")
def restart(context):
    with folder() as data:
        with Server(context.binary, data) as s:
            s.ask("POST", "/v1/t/_set", [{"id": n, "n": n} for n in range(20)])
            q = Query()
            with s.watch("/v1/t?filter=n>=0&live=delta") as w:
                mark, _ = read(w, q, "snapshot")
            s.put("/v1/t/3", {"id": 3, "n": 33})
            s.ask("DELETE", "/v1/t/4").is_(204)
            s.kill()
        with Server(context.binary, data) as s:
            s.put("/v1/t/50", {"id": 50, "n": 50})
            with s.watch("/v1/t?filter=n>=0&live=delta", {**EVENTS, "Last-Event-ID": mark}) as w:
                _, delta = read(w, q, "delta", "snapshot")
            same(q.rows, s.get("/v1/t?filter=n>=0").json["items"], "the state")
            same((delta.get("remove"), sorted(r["id"] for r in delta.get("put", []))), ({"4": "deleted"}, [3, 50]), "one net delta")


@case("random lives of several queries with reconnects: each cut is what a search answers")
def lives(context):
    s, t, random = context.server, context.type(), context.random
    urls = {"w": f"/v1/{t}?order=n&limit=4", "f": f"/v1/{t}?filter=n%3E50&count=true", "d": f"/v1/{t}?order=-n&offset=2&limit=3",
            "e": f"/v1/{t}/7", "s": f"/v1/{t}?filter=n<30&live=snapshot&order=-n", "i": f"/v1/{t}?ids=9,3,5",
            "g": f"/v1/{t}?filter=n>10&aggregate=count,min(n),max(n)"}
    path = several(**urls)
    c = Session(s, path)
    c.step()
    for _ in range(60):
        for _ in range(random.randint(1, 12)):
            key = random.randint(1, 25)
            if random.random() < 0.3:
                s.ask("DELETE", f"/v1/{t}/{key}")
            else:
                s.put(f"/v1/{t}/{key}", {"id": key, "n": random.randint(0, 100)})
        # A row that `f` shows: of one that no query shows nobody is told.
        last = int(s.put(f"/v1/{t}/99", {"id": 99, "n": 51 + random.random() * 900}).header("Freshet-Cursor").split(".")[1])
        if random.random() < 0.3:
            c.close()
            cursor = c.cursor
            c = Session(s, path, {"Last-Event-ID": cursor}, c.queries)
            c.step()
        while int(c.cursor.split(".")[1]) < last:
            c.step()
        for alias, url in urls.items():
            answer = s.get(url.replace("&live=snapshot", ""))
            if alias == "g":
                same(c.queries[alias].figures, answer.json["aggregates"], f"figures at {c.cursor}")
                continue
            wanted = [] if answer.status == 404 else answer.json.get("items", [answer.json])
            same(c.queries[alias].rows, wanted, f"{alias} at {c.cursor}")
            if alias == "f":
                same(c.queries[alias].total, answer.json["meta"]["total"], "total")
    with contextlib.suppress(OSError):
        c.close()


@case("system types: what is watched is what is searched, at four renderings a second at most, and a restart is told")
def system(context):
    url = "/v1/_types?filter=count%3E0&order=-count&fields=count,bytes"
    rendered = lambda s: sum(
        int(float(line.split()[-1])) for line in s.get("/metrics").body.decode().splitlines()
        if line.startswith("freshet_system_rows_rendered_total{"))
    with folder() as data:
        with Server(context.binary, data) as s:
            s.ask("POST", "/v1/a/_set", [{"id": n} for n in range(20)])
            same(rendered(s), 0, "rows that were made for nobody")
            q = Query()
            with s.watch(url + "&live=delta") as w:
                mark, first = read(w, q, "snapshot")
                same((first["source"], q.rows), ("system", s.get(url).json["items"]), "the first state")
                begun, before = time.monotonic(), rendered(s)
                for n in range(200):
                    s.put(f"/v1/{'abc'[n % 3]}/{n}", {"id": n})
                while q.rows != s.get(url).json["items"] or [r["count"] for r in q.rows] != [80, 67, 66]:
                    mark, _ = read(w, q, "delta", "snapshot", seconds=60)
                # A rendering at once, and one that ends a turn that had begun.
                most = 3 * (4 * (time.monotonic() - begun) + 3)
                check(rendered(s) - before <= most, f"{rendered(s) - before} renderings, at most {most}")
            s.ask("DELETE", "/v1/c?all=true").is_(200)
            with s.watch(url + "&live=delta", {**EVENTS, "Last-Event-ID": mark}) as w:
                while [r["id"] for r in q.rows] != ["a", "b"]:
                    read(w, q, "delta", "snapshot", seconds=60)
                same(q.reasons.get("c"), "deleted", "why it has left")
            s.kill()
        with Server(context.binary, data) as s:
            with s.watch(url + "&live=delta", {**EVENTS, "Last-Event-ID": mark}) as w:
                _, told = read(w, q, "snapshot")
            same((told["why"], q.rows), ("epoch", s.get(url).json["items"]), "the state after a restart")


@case("one type in memory costs no other its cursors at a clean restart, a kill costs all of them, and no row is hidden in silence")
def memory(context):
    with folder() as base:
        data, file = f"{base}/data", base / "freshet.json"

        def serve(types):
            file.write_text(json.dumps({"types": types}))
            return Server(context.binary, data, "--config", str(file))

        def first(server, path, cursor):
            with contextlib.closing(server.watch(path, {**EVENTS, "Last-Event-ID": cursor})) as stream:
                event = stream.next()
                return stream.next() if event[0] == "hello" else event

        def log(server):
            with open(server.log.name, encoding="utf-8") as lines:
                return lines.read()

        cached = {"t": {}, "m": {"store": "memory"}}
        with serve({"t": {}}) as s:
            s.ask("PUT", "/v1/t/1", {"n": 1})
            for number in range(3):
                s.ask("PUT", f"/v1/m/{number}", {"n": number})
            same(s.stop(), 0, "exit status")
        with serve(cached) as s:
            line = next(line for line in log(s).splitlines() if "kept in memory now" in line)
            check(" type=m " in line and " entities=3 " in line, f"a moved type: {line}")
            same(s.get("/v1/m").json["items"], [], "rows of the log")
            s.ask("PUT", "/v1/m/9", {"n": 9})
            held = s.ask("PUT", "/v1/t/2", {"n": 2}).header("Freshet-Cursor")
            last = s.ask("PUT", "/v1/m/8", {"n": 8}).header("Freshet-Cursor")
            same(s.stop(), 0, "exit status")
        urls = {"t": "/v1/t?live=delta&order=id", "m": "/v1/m?live=delta&order=id"}
        with serve(cached) as s:
            name, mark, _ = first(s, urls["t"], held)
            same((name, mark.split(".")[:2]), ("sync", last.split(".")), "a type in files")
            for cursor in (held, last):
                name, _, event = first(s, urls["m"], cursor)
                same((name, event["why"], event["items"]), ("snapshot", "epoch", []), "a type in memory")
            after = s.ask("PUT", "/v1/m/7", {"n": 7}).header("Freshet-Cursor")
            same(int(after.split(".")[1]), int(last.split(".")[1]) + 1, "the next seq")
            s.ask("PUT", "/v1/t/3", {"n": 3})
            rows = Query()
            rows.known, rows.order = int(held.split(".")[1]), ["1", "2"]
            rows.items = {i: {"id": i, "n": int(i)} for i in rows.order}
            with Session(s, several(**urls), {"Last-Event-ID": held}, {"t": rows}) as session:
                mark = session.step()
                same(sorted((n, d["q"]) for n, d in session.log if n in ("snapshot", "delta")),
                     [("delta", "t"), ("snapshot", "m")], "of both")
                same(session.rows("m"), [("7", 7)], "rows in memory")
                same(session.rows("t"), [("1", 1), ("2", 2), ("3", 3)], "rows in files")
            s.kill()
        with serve(cached) as s:
            name, _, event = first(s, urls["t"], mark)
            same((name, event["why"], len(event["items"])), ("snapshot", "epoch", 3), "behind a kill")
            same(s.stop(), 0, "exit status")
        with serve({"t": {}}) as s:
            same([row["n"] for row in s.get("/v1/m?order=n").json["items"]], [0, 1, 2], "rows that come back")
            same(s.stop(), 0, "exit status")


@case("what is large costs who does not read it a piece of memory, and is whole for who does")
def large_events(context):
    with Server(context.binary) as s:
        def resident():
            return int(next(line for line in open(f"/proc/{s.process.pid}/status") if line.startswith("VmRSS")).split()[1])

        s.put("/v1/a/1", {"x": "a"}).is_(201)
        cursor = quote(s.get("/v1/a?since=none.0&wait=1").json["cursor"])
        paths = ["/v1/a?live=delta", "/v1/a?live=1", "/v1/a/1?live=1", f"/v1/a?since={cursor}&wait=60",
                 several(one="/v1/a?live=delta", two="/v1/a?live=1")]
        links = []
        for number in range(150):
            link = socket.socket()
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            link.connect(("127.0.0.1", s.port))
            # Without chunks.
            link.sendall(f"GET {paths[number % len(paths)]} HTTP/1.0\r\n\r\n".encode())
            links.append(link)
        soon(lambda: s.get("/v1/_live").json["streams"] == 120, "all streams are there")
        before = resident()
        text = "b" * 1_000_000
        s.put("/v1/a/1", {"x": text}).is_(200)
        time.sleep(2)
        grown = resident() - before
        check(grown < 75_000, f"150 who do not read one MB take {grown} KB")
        for link, path in zip(links, paths):
            link.settimeout(10)
            # What is said to whoever sends no more must not come between two pieces.
            link.shutdown(socket.SHUT_WR)
            found = b""
            while found.count(text.encode()) < (2 if "two" in path else 1):
                more = link.recv(65536)
                check(more, f"{path} ended behind {len(found)} bytes")
                found += more
        for link in links:
            link.close()
        same(s.get("/v1/_live").status, 200, "the server goes on")


@case("slow readers amid snapshots of many versions keep a bounded part of them, and are told to come again")
def slow_readers(context):
    with Server(context.binary, None, "--limit-write-timeout", "5m") as s:
        def rewrite(step):
            for first in range(0, 400, 200):
                s.ask("POST", "/v1/a/_set", [{"id": n, "v": step, "x": chr(97 + step % 26) * 40_000} for n in range(first, first + 200)]).is_(200)

        links = []
        for step in range(60):
            rewrite(step)
            link = socket.socket()
            link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            link.connect(("127.0.0.1", s.port))
            link.sendall(b"GET /v1/a?live=1&limit=1000 HTTP/1.0\r\n\r\n")
            links.append(link)
            soon(lambda: s.get("/v1/_live").json["streams"] == step + 1 or step > 15, "the stream is there")
        resident = int(next(line for line in open(f"/proc/{s.process.pid}/status") if line.startswith("VmRSS")).split()[1])
        # 512 MiB of what is about to be sent, the rows themselves, and what was just replaced.
        check(resident < 800_000, f"60 snapshots of 16 MB take {resident} KB")
        links[0].settimeout(10)
        found = b""
        while more := links[0].recv(65536):
            found += more
        check(b"event: bye" in found[-200:] and b'"reason":"slow","reconnect":true' in found[-200:], f"the first ends by {found[-200:]}")
        links[-1].settimeout(10)
        last = links[-1].recv(65536)
        check(b"event: snapshot" in last, "the last goes on")
        for link in links:
            link.close()


@case("behind a final fault an EventSource that nobody closes rests for an hour")
def rests(context):
    with folder() as data, Server(context.binary, data, "--limit-snapshot", "1KiB") as s:
        s.put("/v1/t/1", {"text": "x" * 2000}).is_(201)
        told = s.get("/v1/t?live=1").is_(200).body.decode()
    check('"code":"snapshot-too-large"' in told and '"final":true' in told, told)
    check("retry: 3600000\nevent: bye\n" in told and '"reconnect":false' in told, told)


def quiet(stream, seconds):
    """The next event, or None where none comes for so long."""
    try:
        return stream.next(seconds)
    except Failure:
        return None


@case("a text that takes an expression too long spoils it for no other text, in a stream or behind a rule")
def spent_expression(context):
    row = {"n": 1, "txt": "a" + "x" * 1500 + "b"}
    # Each place of it begins what may be a match for 1,500 more.
    chance = random.Random(1)
    long = "".join(chance.choice("ac") for _ in range(60_000)) + "c" * 1600 + "b"
    pattern = 'txt ~= "a.{1500}b"'
    shut = {"n": 1, "secret": True, **row}
    with folder() as data:
        file = pathlib.Path(data) / "freshet.json"
        tokens = [{"name": name, "subject": name, "sha256": hashlib.sha256(name.encode()).hexdigest(), "types": {"*": types}}
                  for name, types in (("root", {"read": True, "write": True}), ("reader", {"read": f"!({pattern})", "write": False}))]
        file.write_text(json.dumps({"access": {"tokens": tokens}}))
        with Server(context.binary, None, "--config", str(file)) as server:
            def as_(name):
                return {"Authorization": f"Bearer {name}"}
            server.ask("PUT", "/v1/t/ok", row, as_("root")).is_(201)
            server.ask("PUT", "/v1/u/hidden", shut, as_("root")).is_(201)
            watched = "/v1/t?live=delta&filter=" + quote(f"n == 1 && {pattern}")
            for name, url, wanted in (("root", watched, ["ok"]), ("reader", "/v1/u?live=delta&filter=n==1", [])):
                kind = url.split("?")[0]
                with server.watch(url, as_(name)) as stream:
                    same([row["id"] for row in stream.until("snapshot")[2]["items"]], wanted, f"{name} at first")
                    server.ask("PUT", f"{kind}/long", {"n": 1, "txt": long}, as_("root")).is_(201)
                    # It says nothing, or that it cannot say; never what is not so.
                    while (event := quiet(stream, 3)):
                        check(event[0] not in ("snapshot", "delta") or not event[2].get("put") and not event[2].get("remove"), f"{name}: {event}")
                        if event[0] == "bye":
                            break
                server.ask("DELETE", f"{kind}/long", headers=as_("root")).is_(204)
                with server.watch(url, as_(name)) as stream:
                    same([row["id"] for row in stream.until("snapshot")[2]["items"]], wanted, f"{name} afterwards")
