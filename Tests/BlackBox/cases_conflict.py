"""operations.md 1: what is changed here, at the remote and by a stream at the same time.

Each upstream here is a few rows, a hand on its answers and, where a case asks for one, a stream.
"""
import hashlib
import json
import queue
import threading
import time

from harness import case, check, folder, same, soon
from upstream import Upstream, serving

REMOTE = {"upstream": "api", "search": {"path": "/w"}, "create": {"method": "POST", "path": "/w"},
          "update": {"method": "PUT", "path": "/w/{id}"}, "remove": {"method": "DELETE", "path": "/w/{id}"}}


class Rows:
    """The rows of a REST service. A hand that is put on a method holds its answers; a method may be refused."""

    def __init__(self, rows=(), renames=False, refused=()):
        self.rows, self.renames, self.refused, self.made = {row["id"]: row for row in rows}, renames, refused, 0
        self.hands, self.asked = {}, []

    def hold(self, method):
        self.hands[method] = threading.Event()
        return self.hands[method]

    def __call__(self, request):
        method, name = request.command, request.path.rpartition("/")[2]
        self.asked.append((method, request.path))
        # As they are when it asks.
        found = [dict(row) for row in self.rows.values()]
        if method in self.hands:
            self.hands[method].wait(30)
        if method == "GET":
            return request.reply(200, found)
        if method in self.refused:
            return request.reply(409, {})
        if method == "DELETE":
            return request.reply(204 if self.rows.pop(name, None) else 404, b"")
        row = json.loads(request.body)
        if method == "POST" and self.renames:
            self.made += 1
            row["id"] = f"r{self.made}"
        elif method == "PUT" and row["id"] not in self.rows:
            return request.reply(404, {})
        self.rows[row["id"]] = row
        request.reply(201 if method == "POST" else 200, row)


def configuration(upstream, **types):
    return {"upstreams": {"api": {"base": upstream.base}}, "types": types or {"w": {"remote": REMOTE}}}


def local(server, path="/v1/w"):
    return server.get(f"{path}?source=local").is_(200).json["items"]


def is_idle(server):
    return all(entry["state"] not in ("pending", "sending") for entry in server.get("/v1/_outbox").json["items"])


@case("a name is made, removed and made again for as long as one likes, though the remote renames what it makes")
def _(context):
    rows = Rows(renames=True)
    with Upstream(rows) as upstream, folder() as data:
        with serving(context, configuration(upstream), data=data) as server:
            for number in range(12):
                server.put("/v1/w/c1?target=both&wait=remote", {"n": number}).is_(201)
                server.put("/v1/w/c1?target=both&wait=remote", {"n": 100 + number}).is_(200)
                same([row["n"] for row in rows.rows.values()], [100 + number], "at the remote")
                same(server.get("/v1/w/c1?source=local").is_(200).json["n"], 100 + number, "by its first name")
                if number < 11:
                    server.ask("DELETE", "/v1/w/c1?target=both&wait=remote").is_(204)
        with serving(context, configuration(upstream), data=data) as server:
            same(server.get("/v1/w/c1?source=local").is_(200).json["n"], 111, "after a restart")
            server.put("/v1/w/c1?target=both&wait=remote", {"n": 7}).is_(200)
            same([row["n"] for row in rows.rows.values()], [7], "at the remote")


@case("what somebody else changes behind a write that is being sent is not lost with the stream's word")
def _(context):
    row, events = {"id": "7", "n": 0}, queue.Queue()

    def answer(request):
        if request.path == "/events":
            request.send_response(200)
            request.send_header("Content-Type", "text/event-stream")
            request.end_headers()
            request.close_connection = True
            number = 0
            while not upstream.ended.is_set():
                try:
                    event = events.get(timeout=0.2)
                except queue.Empty:
                    continue
                number += 1
                request.wfile.write(b"id: %d\nevent: up\ndata: %s\n\n" % (number, json.dumps(event).encode()))
                request.wfile.flush()
            return
        if request.command == "GET":
            return request.reply(200, [dict(row)])
        row.update(json.loads(request.body))
        mine = dict(row)
        events.put(mine)
        # Somebody else's change right behind ours, of which the stream tells before ours is answered.
        row["n"] += 4
        events.put(dict(row))
        time.sleep(0.5)
        request.reply(200, mine)

    with Upstream(answer) as upstream:
        controller = {"sse": {"upstream": "api", "path": "/events"}, "attach": "always", "reduce": [{"on": "up", "do": "upsert"}]}
        settings = {**configuration(upstream), "operations": {"all": {"type": "w", "query": {}, "controllers": [controller]}}}
        with serving(context, settings) as server:
            soon(lambda: "/events" in upstream.paths, "it follows", 10)
            for number, target in ((5, "both"), (50, "remote")):
                server.put(f"/v1/w/7?target={target}", {"n": number})
                soon(lambda: local(server) == [{"id": "7", "n": number + 4}], f"{target}: it has what the remote has, {row}", 10)


@case("an answer of the remote leaves the changes alone that wait to be sent to it")
def _(context):
    people, works, hand = {"p1": {"id": "p1", "name": "old"}}, {"8": {"id": "8", "n": 0}}, threading.Event()

    def answer(request):
        if request.path.startswith("/p"):
            if request.command == "PUT":
                hand.wait(30)
                people["p1"] = json.loads(request.body)
            return request.reply(200, people["p1"] if request.command == "PUT" else list(people.values()))
        # A service that finds what it is to make, and nests who has written it.
        request.reply(200, {**works["8"], "author": {"id": "p1", "name": "old"}})

    with Upstream(answer) as upstream:
        person = {"upstream": "api", "search": {"path": "/p"}, "update": {"method": "PUT", "path": "/p/{id}"}}
        work = {**REMOTE, "extract": {"author": {"type": "p", "at": "/author"}}}
        with serving(context, configuration(upstream, p={"remote": person}, w={"remote": work})) as server:
            server.get("/v1/p?source=remote").is_(200)
            server.put("/v1/p/p1?target=both", {"name": "new"}).is_(202)
            server.put("/v1/w/8?target=remote", {"n": 9, "author": "p1"})
            same(local(server, "/v1/p"), [{"id": "p1", "name": "new"}], "a direct write's answer")
            server.put("/v1/w/c1?target=remote", {"n": 1, "author": "p1"})
            same(local(server, "/v1/p"), [{"id": "p1", "name": "new"}], "one that names another entity")
            hand.set()
            soon(lambda: is_idle(server) and people["p1"]["name"] == "new", "it is delivered", 10)
            same(local(server, "/v1/p"), [{"id": "p1", "name": "new"}], "behind the delivery")

    rows = Rows([{"id": "7", "n": 0}])
    with Upstream(lambda request: request.reply(201, {"id": "7", "n": 0}) if request.command == "POST" else rows(request)) as upstream:
        with serving(context, configuration(upstream)) as server:
            for target in ("both&wait=remote", "remote"):
                server.get("/v1/w?source=remote").is_(200)
                hand = rows.hold("PUT")
                server.put("/v1/w/7?target=both", {"n": 5}).is_(202)
                soon(lambda: ("PUT", "/w/7") in rows.asked, "it is on its way", 10)
                server.ask("POST", f"/v1/w?target={target}", {"id": "c1", "n": 9})
                same(local(server), [{"id": "7", "n": 5}], f"{target}: a create that is answered with another row")
                hand.set()
                soon(lambda: is_idle(server), "it is delivered", 10)
                same((local(server), rows.rows["7"]["n"]), ([{"id": "7", "n": 5}], 5), "behind the delivery")
                rows.rows["7"], rows.asked = {"id": "7", "n": 0}, []


@case("a direct removal takes away what it was asked for, and nothing that was written meanwhile")
def _(context):
    for target in ("both", "local"):
        rows = Rows([{"id": "7", "n": 0}])
        with Upstream(rows) as upstream, serving(context, configuration(upstream)) as server:
            server.get("/v1/w?source=remote").is_(200)
            hand, answers = rows.hold("DELETE"), []
            asking = threading.Thread(target=lambda: answers.append(server.ask("DELETE", "/v1/w/7?target=remote")))
            asking.start()
            soon(lambda: ("DELETE", "/w/7") in rows.asked, "it is on its way", 10)
            check(server.put(f"/v1/w/7?target={target}", {"n": 5}).status in (200, 201, 202), "it is acknowledged")
            hand.set()
            asking.join()
            answers[0].is_(204)
            soon(lambda: is_idle(server), "it is delivered", 10)
            same([row["n"] for row in local(server)], [5], f"target={target}: it is there")


@case("a remote that asks to be left alone is left alone: by other entities, and over a restart")
def _(context):
    asked = []

    def answer(request):
        if request.command == "GET":
            return request.reply(200, [])
        asked.append(request.path)
        request.reply(429, {}, Retry_After="60")

    with Upstream(answer) as upstream, folder() as data:
        settings = configuration(upstream, w={"remote": {name: REMOTE[name] for name in ("upstream", "search", "update")}})
        with serving(context, settings, data=data) as server:
            server.put("/v1/w/0?target=both", {"n": 0}).is_(202)
            soon(lambda: server.get("/v1/_outbox").json["items"][0]["state"] == "pending" and asked, "it was tried", 10)
            soon(lambda: "nextAttemptAt" in server.get("/v1/_outbox").json["items"][0], "it waits", 10)
            for number in range(1, 40):
                server.put(f"/v1/w/{number}?target=both", {"n": number}).is_(202)
            time.sleep(1)
            same(len(asked), 1, "none of the others is sent")
        with serving(context, settings, data=data) as server:
            first = min(server.get("/v1/_outbox?limit=100").json["items"], key=lambda entry: entry["number"])
            time.sleep(1)
            check("/w/0" not in asked[1:], f"the first waits for what it was asked to: {asked}")
            # Whoever drives it again knows better.
            asked.clear()
            server.ask("POST", f"/v1/_outbox/{first['id']}/retry", b"").is_(200)
            soon(lambda: "/w/0" in asked, "it is sent", 10)


@case("a row that is given back what it was before is no part of a fresh answer, though a fetch came meanwhile")
def _(context):
    rows = Rows([{"id": "7", "n": 0}], refused={"PUT"})
    hand = rows.hold("PUT")
    with Upstream(rows) as upstream:
        remote = {**REMOTE, "rejected": "revert"}
        with serving(context, configuration(upstream, w={"remote": remote})) as server:
            server.get("/v1/w?source=localOrRemote").is_(200)
            server.put("/v1/w/7?target=both", {"n": 5}).is_(202)
            rows.rows["7"]["n"] = 8
            server.get("/v1/w?source=remote").is_(200)
            hand.set()
            soon(lambda: is_idle(server), "it is rejected", 10)
            same(local(server), [{"id": "7", "n": 0}], "it is taken back")
            read = server.get("/v1/w?source=localOrRemote").is_(200)
            same((read.json["items"], read.header("Freshet-Source")), ([{"id": "7", "n": 8}], "remote"), "it is asked for again")
            same(server.get("/v1/w?source=localOrRemote").is_(200).header("Freshet-Source"), "local", "and then it is known")


@case("a row that is given back while a fetch is on its way is no part of a fresh answer either")
def _(context):
    rows = Rows([{"id": "7", "n": 0}], refused={"PUT"})
    put = rows.hold("PUT")
    with Upstream(rows) as upstream:
        with serving(context, configuration(upstream, w={"remote": {**REMOTE, "rejected": "revert"}})) as server:
            server.get("/v1/w?source=localOrRemote").is_(200)
            server.put("/v1/w/7?target=both", {"n": 5}).is_(202)
            rows.rows["7"]["n"] = 8
            answers, asked = rows.hold("GET"), len(rows.asked)
            asking = threading.Thread(target=lambda: server.get("/v1/w?source=remote").is_(200))
            asking.start()
            soon(lambda: ("GET", "/w") in rows.asked[asked:], "the fetch is on its way", 10)
            put.set()
            soon(lambda: is_idle(server), "the change is rejected", 10)
            answers.set()
            asking.join()
            same(local(server), [{"id": "7", "n": 0}], "what was given back stays")
            read = server.get("/v1/w?source=localOrRemote").is_(200)
            same((read.json["items"], read.header("Freshet-Source")), ([{"id": "7", "n": 8}], "remote"), "it is asked for again")


@case("an operation that holds itself for fresh runs again behind an answer with a row that was given back")
def _(context):
    rows = Rows([{"id": "7", "n": 0}], refused={"PUT"})
    put = rows.hold("PUT")
    with Upstream(rows) as upstream:
        settings = configuration(upstream, w={"remote": {**REMOTE, "rejected": "revert"}})
        settings["operations"] = {"all": {"type": "w", "stale": [{"age": "1h"}]}}
        with serving(context, settings) as server:
            server.get("/v1/w?source=localOrRemote").is_(200)
            same(server.get("/v1/w?source=localThenRemote").header("Freshet-Refresh"), "fresh", "it is young")
            server.put("/v1/w/7?target=both", {"n": 5}).is_(202)
            rows.rows["7"]["n"] = 8
            server.get("/v1/w?source=remote").is_(200)
            put.set()
            soon(lambda: is_idle(server), "it is rejected", 10)
            same(server.get("/v1/w?source=localThenRemote").header("Freshet-Refresh"), "started", "it runs again")
            soon(lambda: local(server) == [{"id": "7", "n": 8}], "what the remote has comes", 10)


@case("a write straight to the remote is refused as the same write here is, and asks nobody")
def _(context):
    rows = Rows([{"id": "seen", "n": 1}, {"id": "hidden", "n": 9}])

    def token(name, **rights):
        return {"name": name, "sha256": hashlib.sha256(name.encode()).hexdigest(), **rights}

    with Upstream(rows) as upstream:
        settings = configuration(upstream)
        settings["access"] = {"tokens": [
            token("root", types={"*": {"read": True, "write": True}}),
            token("guest", types={"w": {"read": "n < 5", "write": "n < 5"}})]}
        with serving(context, settings) as server:
            def ask(method, name, body, target, headers, who):
                answer = server.ask(method, f"/v1/w/{name}?target={target}", body, {"Authorization": f"Bearer {who}", **headers})
                problem = answer.json
                return answer.status, problem["code"], problem.get("errors")

            server.ask("GET", "/v1/w?source=remote", headers={"Authorization": "Bearer root"}).is_(200)
            rows.asked.clear()
            old, new = {"If-Match": '"1-1"'}, {"If-None-Match": "*"}
            for status, method, name, body, headers in (
                    (404, "PATCH", "none", {"n": 1}, {}), (412, "PATCH", "none", {"n": 1}, old), (412, "PATCH", "none", {"n": 1}, {"If-Match": "*"}),
                    (404, "PATCH", "hidden", {"n": 1}, {}), (412, "PATCH", "hidden", {"n": 1}, old), (412, "DELETE", "hidden", None, old),
                    (404, "DELETE", "hidden", None, {}), (404, "DELETE", "none", None, {}), (412, "DELETE", "none", None, old),
                    (403, "PUT", "hidden", {"n": 1}, {}), (403, "PUT", "seen", {"n": 7}, {}), (403, "PATCH", "seen", {"n": 7}, {}),
                    (412, "PUT", "seen", {"n": 2}, new), (412, "PUT", "seen", {"n": 2}, old), (422, "PATCH", "seen", {"id": "other"}, {})):
                here, there = (ask(method, name, body, target, headers, "guest") for target in ("local", "remote"))
                same(there, here, f"{method} {name} {body} {headers}")
                same(here[0], status, f"{method} {name} {body} {headers}")
    same(rows.asked, [], "the remote is asked nothing")


@case("a change tells what it changes alone, also of a row that the remote has from here, so that theirs stays")
def _(context):
    remote = {**REMOTE, "update": {"method": "PATCH", "path": "/w/{id}"}}
    for shows, target, waits in ((True, "both", False), (False, "both", False), (True, "remote", False), (False, "remote", False),
                                 (True, "both", True), (False, "both", True)):
        rows = Rows([{"id": "1", "t": "a", "k": 0}])
        sent, hand = [], threading.Event()

        def answer(request):
            if request.command != "PATCH":
                return rows(request)
            patch = json.loads(request.body)
            sent.append({name: value for name, value in patch.items() if name != "id"})
            if waits and len(sent) == 1:
                hand.wait(30)
            rows.rows["1"].update(patch)
            request.reply(200, rows.rows["1"]) if shows else request.reply(204, b"")

        name = f"shows {shows}, {target}, waits {waits}"
        with Upstream(answer) as upstream, serving(context, configuration(upstream, w={"remote": remote})) as server:
            server.get("/v1/w?source=remote").is_(200)
            server.ask("PATCH", "/v1/w/1?target=both", {"k": 1}).is_(202)
            if waits:
                soon(lambda: sent, "the first change is on its way", 10)
                server.ask("PATCH", f"/v1/w/1?target={target}", {"k": 2}).is_(202)
                hand.set()
            else:
                soon(lambda: is_idle(server), "the first change is sent", 10)
                rows.rows["1"]["t"] = "theirs"
                server.ask("PATCH", f"/v1/w/1?target={target}", {"k": 2}).is_(202 if target == "both" else 200)
            soon(lambda: is_idle(server), "all is sent", 10)
            same(sent, [{"k": 1}, {"k": 2}], name)
            same(rows.rows["1"], {"id": "1", "t": "a" if waits else "theirs", "k": 2}, name)


@case("the cursor of an answer that shows what the remote has made of a write is not behind it")
def _(context):
    rows = Rows(renames=True)
    with Upstream(rows) as upstream, serving(context, configuration(upstream)) as server:
        answer = server.ask("POST", "/v1/w?target=both&wait=remote", {"n": 1}).is_(201)
        cursor = int(answer.header("Freshet-Cursor").rpartition(".")[2])
        check(cursor >= int(answer.header("ETag").strip('"')), f"{answer.header('Freshet-Cursor')} {answer.header('ETag')}")
