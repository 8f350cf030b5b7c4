"""operations.md 1: reads through a remote, by the optimised program.

What runs in these reads is mostly tasks, and the optimiser has had faults of its own there that no
debug build shows.
"""
import hashlib
import http.server
import json
import threading
import time
import urllib.parse

from harness import Server, case, check, folder, same, soon
from upstream import Upstream, serving

EVENTS = {"Accept": "text/event-stream"}


class Remote:
    """A REST service whose entities are had one by one, or all at once; it can hold its answers."""

    def __init__(self, ids):
        self.paths, self.traces, self.lock = [], set(), threading.Lock()
        self.begun, self.gate = threading.Semaphore(0), threading.Event()
        self.gate.set()
        remote = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                with remote.lock:
                    remote.paths.append(self.path)
                    remote.traces.add(self.headers["traceparent"])
                remote.begun.release()
                remote.gate.wait(30)
                id_ = self.path.rpartition("/")[2]
                known = [{"id": name, "friend": ids[0]} for name in ids]
                found = known if self.path == "/w" else next((row for row in known if row["id"] == id_), None)
                text = json.dumps(found).encode()
                try:
                    self.send_response(404 if found is None else 200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text)
                except OSError:
                    self.close_connection = True

            def log_message(self, *_):
                pass

        class Service(http.server.ThreadingHTTPServer):
            daemon_threads, request_queue_size = True, 128

            def handle_error(self, *_):
                """The program has ended."""

        self.server = Service(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def configuration(self):
        remote = {"upstream": "api", "get": {"path": "/w/{id}"}, "search": {"path": "/w"}}
        friend = {"friend": {"type": "w", "association": "one"}}
        return {"upstreams": {"api": {"base": self.base, "retry": {"limit": 0}}},
                "types": {"w": {"remote": remote, "relationships": friend}}}

    def close(self):
        self.gate.set()
        self.server.shutdown()
        self.server.server_close()


def ids_of(answer):
    same(answer.status, 200, answer.body)
    return [item["id"] for item in answer.json["items"]]


@case("entities that a remote gives one by one: as they are asked for, and as no answer to anything else")
def one_by_one(context):
    names = [f"k{number}" for number in range(30)]
    remote = Remote(names)
    try:
        with folder() as place:
            file = place / "freshet.json"
            file.write_text(json.dumps(remote.configuration()))
            with Server(context.binary, None, "--config", str(file)) as s:
                for count in (1, 2, 3, 9, 30):
                    asked = names[-count:]
                    same(ids_of(s.get(f"/v1/w?source=remote&ids={','.join(asked)}")), asked, f"{count} ids")
                answer = s.get("/v1/w?source=remote&ids=k1,none,k2")
                same(ids_of(answer), ["k1", "k2"], "ids that the remote has")
                same(answer.json["meta"]["missing"], ["none"], "the id that it has not")
                answer = s.get("/v1/w/k9?source=remote&include=friend")
                same(list(answer.json["included"]["w"]), ["k0"], "what an include leads to")
                remote.gate.clear()
                while remote.begun.acquire(blocking=False):
                    pass
                answers = {}
                paths = ["ids=k3", "ids=k4,k5", "count=true"]
                readers = []
                for path in paths:
                    def read(path=path):
                        answers[path] = s.get(f"/v1/w?source=remote&{path}")
                    readers.append(threading.Thread(target=read))
                    readers[-1].start()
                    check(remote.begun.acquire(timeout=30), f"{path} is asked by itself")
                remote.gate.set()
                for reader in readers:
                    reader.join(30)
                same(ids_of(answers["ids=k3"]), ["k3"], "one id")
                same(ids_of(answers["ids=k4,k5"]), ["k4", "k5"], "two ids")
                same(len(ids_of(answers["count=true"])), 30, "all of them")
                check(s.alive(), "the program goes on")
    finally:
        remote.close()


class Pages:
    """A REST list with `offset` and `limit`, each answer's status and rows to be changed."""

    def __init__(self, rows):
        self.rows, self.status, self.gate = rows, 200, threading.Event()
        self.gate.set()

    def __call__(self, request):
        path, _, query = request.path.partition("?")
        asked = {name: int(value) for name, value in urllib.parse.parse_qsl(query) if name in ("offset", "limit")}
        self.gate.wait(30)
        first = asked.get("offset", 0)
        rows = self.rows[first:first + asked.get("limit", len(self.rows))]
        request.reply(self.status, {"top": rows[:1], "items": rows} if path == "/both" else rows)


PAGES = {"offset": "{offset}", "limit": "{limit}"}


def listed(upstream, search, **more):
    return {"upstreams": {"api": {"base": upstream.base, "retry": {"limit": 0}}},
            "types": {"t": {"remote": {"upstream": "api", "search": search, **more}}}}


def shown(answer):
    same(answer.status, 200, answer.body)
    return [item["id"] for item in answer.json["items"]]


@case("a window of a remote's list is one of the rows that the caller may see, in the order that was asked for")
def windows(context):
    pages = Pages([{"id": number, "team": "red" if number <= 150 else "blue"} for number in range(1, 161)])
    with Upstream(pages) as upstream:
        token = {"name": "blue", "sha256": hashlib.sha256(b"token-of-the-blue").hexdigest(), "types": {"*": {"read": "team == 'blue'"}}}
        config = {**listed(upstream, {"path": "/t", "query": PAGES}), "access": {"tokens": [token]}}
        with serving(context, config) as server:
            def read(query):
                return shown(server.ask("GET", f"/v1/t?{query}", headers={"Authorization": "Bearer token-of-the-blue"}))

            same(read("limit=3&source=remote"), [151, 152, 153], "the first that it may see")
            same(read("limit=3&offset=3&source=remote"), [154, 155, 156], "the next")
            same(read("limit=100"), list(range(151, 161)), "all")
        pages.rows = [{"id": number} for number in (30, 10, 20, 5, 40)]
        with serving(context, listed(upstream, {"path": "/t", "query": PAGES})) as server:
            same(shown(server.get("/v1/t?order=id&limit=2&source=remote")), [5, 10], "by id")
            same(shown(server.get("/v1/t?order=id&limit=2&offset=2")), [20, 30], "the next by id")
            same(shown(server.get("/v1/t?limit=2&source=remote")), [30, 10], "as the remote has them")


@case("a search whose rows are not stored has no tag, since its rows have no revision")
def untagged(context):
    rows = [{"id": "1", "n": 1}]
    with Upstream(lambda request: request.reply(200, rows)) as upstream, serving(context, listed(upstream, {"path": "/t"})) as server:
        same(server.get("/v1/t?source=remote&persist=none").is_(200).header("ETag"), None, "of what is not stored")
        server.get("/v1/t?source=remote").is_(200)
        tag = server.get("/v1/t?source=local").is_(200).header("ETag")
        check(tag, "of what is")
        server.get("/v1/t?source=local", If_None_Match=tag).is_(304)
        rows[0]["n"] = 2
        same(server.get("/v1/t?source=remote&persist=none", If_None_Match=tag).is_(200).json["items"], [{"id": "1", "n": 2}], "the rows of now")


@case("nothing is here of an endpoint that was never fetched")
def unfetched(context):
    def answer(request):
        if request.path == "/down":
            return request.reply(500, {})
        request.reply(200, [{"id": "2", "n": 2}])

    with Upstream(answer) as upstream:
        endpoints = {"popular": {"path": "/popular"}, "down": {"path": "/down"}}
        with serving(context, listed(upstream, {"path": "/t"}, endpoints=endpoints)) as server:
            server.put("/v1/t/1", {"n": 1}).is_(201)
            same(shown(server.get("/v1/t?source=local")), ["1"], "what is here")
            for name in endpoints:
                same(shown(server.get(f"/v1/t?source=local&endpoint={name}")), [], f"of {name}")
                with server.watch(f"/v1/t?source=local&endpoint={name}&live=1", EVENTS) as stream:
                    while (event := stream.next())[0] != "snapshot":
                        pass
                    same(event[2]["items"], [], f"live, of {name}")
            server.get("/v1/t?source=remoteOrLocal&endpoint=down").is_(502, "upstream-status")
            same(shown(server.get("/v1/t?endpoint=popular")), ["2"], "fetched")
            same(shown(server.get("/v1/t?source=local&endpoint=popular")), ["2"], "since it was fetched")
            same(sorted(shown(server.get("/v1/t?source=local"))), ["1", "2"], "what is here now")


@case("a page of another site does not have rows replaced")
def foreign(context):
    with Upstream(lambda request: request.reply(200, [])) as upstream, serving(context, listed(upstream, {"path": "/t"})) as server:
        server.put("/v1/t/1", {"n": 1}).is_(201)
        for query in ("persist=replace", "%70ersist=replace"):
            for site in ("cross-site", "same-site"):
                server.ask("GET", f"/v1/t?source=remote&{query}", headers={"Sec-Fetch-Site": site}).is_(403)
            inner = urllib.parse.quote(f"/v1/t?source=remote&{query}", safe="")
            server.ask("GET", f"/v1/_live?q.a={inner}", headers={**EVENTS, "Sec-Fetch-Site": "cross-site"}).is_(403)
        server.ask("GET", "/v1/t?source=remote&persist=replace", headers={"Sec-Fetch-Site": "none"}).is_(200)
        server.ask("GET", "/v1/t", headers={"Sec-Fetch-Site": "cross-site"}).is_(200)


@case("totals of parts whose sum no number holds are no total")
def totals(context):
    def answer(request):
        id_ = urllib.parse.parse_qs(urllib.parse.urlsplit(request.path).query)["ids"][0]
        request.reply(200, {"total": 2 ** 63 - 1, "data": [{"id": id_}]})

    search = {"path": "/t", "items": "/data", "total": "/total", "pageSize": 1, "query": {"ids": "{ids}"}}
    with Upstream(answer) as upstream, serving(context, listed(upstream, search)) as server:
        same(sorted(row["id"] for row in server.get("/v1/t?ids=1,2&source=remote").is_(200).json["items"]), ["1", "2"], "rows")


@case("an answer that is a part of a remote's list is never taken for the whole")
def parts(context):
    pages = Pages([{"id": number} for number in range(1, 1_201)])
    with Upstream(pages) as upstream:
        with serving(context, listed(upstream, {"path": "/t", "query": {"limit": "{limit}"}})) as server:
            same(len(shown(server.get("/v1/t?source=remote&limit=1200"))), 1_200, "the whole")
            server.get("/v1/t?source=remote&persist=replace").is_(200)
            same(server.get("/v1/t?source=local&count=true&limit=0").json["meta"]["total"], 1_200, "what a page does not remove")
        pages.rows = pages.rows[:5]
        with serving(context, listed(upstream, {"path": "/t"})) as server:
            same(len(shown(server.get("/v1/t?source=remote"))), 5, "the whole")
            pages.rows, pages.status = pages.rows[:1], 206
            server.get("/v1/t?source=remote&persist=replace").is_(200)
            same(len(shown(server.get("/v1/t?source=local"))), 5, "what 206 does not remove")
            pages.status = 200
            server.get("/v1/t?source=remote&persist=replace").is_(200)
            same(len(shown(server.get("/v1/t?source=local"))), 1, "what a whole answer removes")


@case("two questions with one path at the remote have an answer each")
def flights(context):
    pages = Pages([{"id": number} for number in range(1, 26)])
    with Upstream(pages) as upstream:
        endpoint = {"search": {"path": "/both", "items": "/top"}}
        configurations = [
            (listed(upstream, {"path": "/t", "query": PAGES, "pageSize": 10}), "limit=10", "count=true", 10, 25),
            (listed(upstream, {"path": "/both", "items": "/items"}, endpoints=endpoint), "", "endpoint=search", 25, 1)]
        for configuration, first, second, one, other in configurations:
            with serving(context, configuration) as server:
                pages.gate.clear()
                answers, asked = {}, len(upstream.paths)

                def read(query):
                    answers[query] = shown(server.get(f"/v1/t?source=remote&{query}"))

                readers = [threading.Thread(target=read, args=(query,)) for query in (first, second)]
                for number, reader in enumerate(readers):
                    reader.start()
                    soon(lambda: len(upstream.paths) > asked + number, f"request {number}")
                pages.gate.set()
                for reader in readers:
                    reader.join(30)
                same((len(answers[first]), len(answers[second])), (one, other), f"rows of {first!r} and of {second!r}")


@case("a remote is not asked whether an entity is as it was where what is stored is not what it gave")
def validated(context):
    def answer(request):
        if request.command == "PUT":
            return request.reply(204, b"")
        if request.path == "/t":
            return request.reply(200, [{"id": 1, "a": 1}])
        if request.headers.get("If-None-Match") == '"f1"':
            return request.reply(304, b"", ETag='"f1"')
        request.reply(200, {"id": 1, "a": 1, "body": "long"}, ETag='"f1"')

    with Upstream(answer) as upstream:
        calls = {"get": {"path": "/t/{id}"}, "update": {"method": "PUT", "path": "/t/{id}"}}
        with serving(context, listed(upstream, {"path": "/t"}, **calls)) as server:
            whole = {"id": 1, "a": 1, "body": "long"}
            for step in ("the first", "the same, by 304"):
                same(server.get("/v1/t/1?source=remote").json, whole, step)
            shown(server.get("/v1/t?source=remote"))
            same(server.get("/v1/t/1?source=remote").json, whole, "behind a list that has a part of it")
            server.ask("PUT", "/v1/t/1?target=remote", {"a": 2}).is_(200)
            same(server.get("/v1/t/1?source=remote").json, whole, "behind a write that the remote passed over")
            server.get("/v1/t/1?source=remote").is_(200)
            same(shown(server.get("/v1/t?source=remote")), [1], "a list behind a get")
            same(server.get("/v1/t/1?source=local").json, {"id": 1, "a": 1}, "what the list has brought")


@case("what came within a remote's rows and is lost here is brought back, though its list is as it was")
def extracted(context):
    def answer(request):
        tags.append(request.headers.get("If-None-Match"))
        if tags[-1] == '"1"':
            return request.reply(304, b"", ETag='"1"')
        rows = [{"id": 1, "by": {"id": "a", "name": "Ada"}}, {"id": 2, "by": {"id": "a", "name": "Ada"}}, {"id": 3, "by": {"id": "b/1", "name": "Bo"}}]
        request.reply(200, rows if request.path == "/t" else rows[0], ETag='"1"')

    tags = []
    with folder() as data, Upstream(answer) as upstream:
        configuration = listed(upstream, {"path": "/t"}, get={"path": "/t/{id}"}, extract={"author": {"type": "author", "at": "/by"}})
        configuration["types"]["author"] = {"store": "memory"}

        def read(url, **sent):
            tags.clear()
            answer = server.get(f"{url}?source=remote").is_(200)
            same(server.get("/v1/author?source=local&ids=" + ("a" if "/1" in url else "a,b%2F1")).json["items"],
                 [{"id": "a", "name": "Ada"}] + ([] if "/1" in url else [{"id": "b/1", "name": "Bo"}]), f"authors behind {url}")
            same(tags, [sent["tag"]], f"what {url} was asked with")
            return answer.json

        with serving(context, configuration, data=data) as server:
            for url in ("/v1/t", "/v1/t/1"):
                read(url, tag=None)
                read(url, tag='"1"')
                server.ask("DELETE", "/v1/author/a?target=local").is_(204)
                read(url, tag=None)
                read(url, tag='"1"')
        with serving(context, configuration, data=data) as server:
            same(server.get("/v1/author?source=local").json["items"], [], "what is in memory alone")
            read("/v1/t", tag=None)
            read("/v1/t", tag='"1"')

    def both(request):
        tags.append(request.headers.get("If-None-Match"))
        if tags[-1] == '"1"':
            return request.reply(304, b"", ETag='"1"')
        request.reply(200, [{"id": 1, "title": "x"}, {"id": 2, "by": {"id": 1}}], ETag='"1"')

    tags.clear()
    with Upstream(both) as upstream, serving(context, listed(upstream, {"path": "/t"}, extract={"t": {"type": "t", "at": "/by"}})) as server:
        for _ in range(2):
            same(server.get("/v1/t?source=remote").json["items"][0], {"id": 1, "title": "x"}, "what is a row and came within another one")
        same(tags, [None, '"1"'], "what the list was asked with")


@case("what is known of a remote's answers is forgotten with its address and its mapping")
def readdressed(context):
    def tagged(rows):
        def answer(request):
            if request.headers.get("If-None-Match") == '"1"':
                return request.reply(304, b"", ETag='"1"')
            request.reply(200, rows if request.path == "/t" else rows[0], ETag='"1"')
        return answer

    with folder() as data, Upstream(tagged([{"id": 1, "of": "a"}])) as first, Upstream(tagged([{"id": 1, "of": "b"}, {"id": 2}])) as second:
        def read(configuration):
            with serving(context, configuration, data=data) as server:
                rows = server.get("/v1/t?source=localOrRemote").json["items"]
                return rows, server.get("/v1/t?source=remote").json["items"], server.get("/v1/t/1?source=remote").json

        calls = {"get": {"path": "/t/{id}"}}
        one = [{"id": 1, "of": "a"}]
        same(read(listed(first, {"path": "/t"}, **calls)), (one, one, one[0]), "of the first")
        asked = len(first.paths)
        same(read(listed(first, {"path": "/t"}, **calls)), (one, one, one[0]), "of the first again")
        same(len(first.paths), asked + 2, "a list of before serves")
        two = [{"id": 1, "of": "b"}, {"id": 2}]
        same(read(listed(second, {"path": "/t"}, **calls)), (two, two, two[0]), "of the second")
        named = [{"id": 1, "from": "b"}, {"id": 2}]
        same(read(listed(second, {"path": "/t"}, rename={"of": "from"}, **calls)), (named, named, named[0]), "with another mapping")


@case("entities by ids are asked for, however many, and one that cannot be asked for is missing alone")
def many_ids(context):
    def answer(request):
        name = urllib.parse.unquote(request.path.rpartition("/")[2])
        if request.path == "/t":
            return request.reply(200, [{"id": number, "author": number} for number in range(250)])
        request.reply(404 if name == "7" else 200, {"id": name})

    with Upstream(answer) as upstream:
        configuration = listed(upstream, {"path": "/t"})
        configuration["types"]["t"]["relationships"] = {"author": {"type": "p", "association": "one"}}
        configuration["types"]["p"] = {"remote": {"upstream": "api", "get": {"path": "/p/{id}"}}}
        with serving(context, configuration) as server:
            found = server.get("/v1/t?source=remote&limit=250&include=author").json
            same((len(found["included"]["p"]), found["meta"]["missing"]), (249, ["p:7"]), "included")
            found = server.get("/v1/p?ids=" + ",".join(map(str, range(300, 550)))).json
            same((len(found["items"]), found["meta"]["missing"]), (250, []), "by ids")
            found = server.get("/v1/p?ids=a,..,b&source=remote").json
            same(([item["id"] for item in found["items"]], found["meta"]["missing"]), (["a", "b"], [".."]), "an id that is no segment of a path")


@case("an operation counts the rows of its value, whatever the remote passes over, and behind a restart")
def counted(context):
    rows = [{"id": number, "open": number % 2 == 1} for number in range(1, 12)]
    queries = {"window": {"limit": 4}, "filtered": {"limit": 2, "filter": "open == true"}, "last": {"offset": 8, "limit": 4}, "ids": {"ids": "1,2"}}
    expected = {"window": 4, "filtered": 2, "last": 3, "ids": 2}
    for query in ({}, PAGES):
        with folder() as data, Upstream(Pages(rows)) as upstream:
            configuration = listed(upstream, {"path": "/t", "query": query})
            configuration["operations"] = {name: {"type": "t", "query": one} for name, one in queries.items()}
            configuration["operations"]["pages"] = {"kind": "pages", "type": "t", "query": {"limit": 4}}
            for step in ("run", "kept"):
                with serving(context, configuration, data=data) as server:
                    if step == "run":
                        for name in queries:
                            server.ask("POST", f"/v1/_operations/{name}/run?wait=1").is_(200)
                        counts = []
                        for _ in range(5):
                            server.ask("POST", "/v1/_operations/pages/pages/next?wait=1").is_(200)
                            counts.append(server.get("/v1/_operations/pages").json["count"])
                        same(counts, [4, 8, 11, 11, 11], f"rows of pages with {query}")
                    found = {name: server.get(f"/v1/_operations/{name}").json["count"] for name in queries}
                    same(found, expected, f"{step} with {query}")


@case("a member that is removed is null in what a remote is patched with")
def patched(context):
    row, bodies = {"id": 1, "a": 1, "b": {"c": 1, "d": 2}}, []

    def answer(request):
        if request.command == "PATCH":
            bodies.append(json.loads(request.body))
            return request.reply(204, b"")
        request.reply(200, row)

    with Upstream(answer) as upstream:
        calls = {"get": {"path": "/t/{id}"}, "update": {"method": "PATCH", "path": "/t/{id}"}}
        with serving(context, listed(upstream, {"path": "/t"}, **calls)) as server:
            server.get("/v1/t/1?source=remote").is_(200)
            server.ask("PUT", "/v1/t/1?target=remote", {"b": {"d": 3}}).is_(200)
            server.ask("PUT", "/v1/t/1?target=both&wait=remote", {"a": 2}).is_(200)
            same(bodies, [{"id": 1, "a": None, "b": {"c": None, "d": 3}}, {"id": 1, "a": 2, "b": None}], "what was sent")


@case("more pages than a search asks for are told of, here and behind a restart")
def cut(context):
    pages = Pages([{"id": number} for number in range(1, 41)])
    with folder() as data, Upstream(pages) as upstream:
        configuration = listed(upstream, {"path": "/t", "query": PAGES, "pageSize": 10, "maxPages": 3})
        for query in ("source=remote&count=true", "source=localOrRemote&count=true"):
            with serving(context, configuration, data=data) as server:
                meta = server.get(f"/v1/t?{query}&limit=1").is_(200).json["meta"]
                same((meta["total"], meta["degraded"]["cut"]), (30, True), query)
        configuration["types"]["t"]["remote"]["search"]["maxPages"] = 5
        with serving(context, configuration, data=data) as server:
            meta = server.get("/v1/t?source=remote&count=true&limit=1").is_(200).json["meta"]
            same((meta["total"], "degraded" in meta), (40, False), "all of them")


class Row:
    """A REST service with one row, which takes a while where it is told to."""

    def __init__(self):
        self.row = {"id": 1, "title": "t", "author": {"id": 9, "name": "A", "mail": "a@b"}, "price": 1}
        self.sent, self.pause = [], 0.0

    def __call__(self, request):
        if request.command == "GET":
            return request.reply(200, self.row)
        self.sent.append((request.command, json.loads(request.body or b"null")))
        time.sleep(self.pause)
        body = self.sent[-1][1]
        self.row = {**(self.row if request.command == "PATCH" else {}), **body}
        request.reply(200, self.row)


@case("a change of a remote's row sends what it changes, with what was taken out of it, and an unsure create once")
def changes(context):
    row = Row()
    with Upstream(row) as upstream:
        calls = {"get": {"path": "/t/{id}"}, "create": {"path": "/t"}, "extract": {"author": {"type": "author", "at": "/author"}}}
        for method in ("PATCH", "PUT"):
            calls["update"] = {"method": method, "path": "/t/{id}"}
            configuration = listed(upstream, {"path": "/t"}, **calls)
            configuration["upstreams"]["api"].update(timeout="500ms", retry={"limit": 2, "backoff": {"exponential": "1ms"}})
            with serving(context, configuration) as server:
                server.get("/v1/t/1?source=remote").is_(200)
                # Somebody else.
                row.row["price"] = 99
                for target in ("remote", "both&wait=remote"):
                    title = f"{method} {target}"
                    server.ask("PATCH", f"/v1/t/1?target={target}", {"title": title}).is_(200)
                    same(row.row["author"], {"id": 9, "name": "A", "mail": "a@b"}, f"what was taken out, {title}")
                    same(row.row["title"], title, "the change")
                    if method == "PATCH":
                        same((row.sent[-1], row.row["price"]), (("PATCH", {"id": 1, "title": title}), 99), "what is left alone")
                row.sent.clear()
                row.pause = 1.0
                answer = server.ask("POST", "/v1/t?target=remote", {"id": 2}).is_(504)
                same((answer.json["outcome"], len(row.sent)), ("unknown", 1), "a create that takes long")
                row.pause = 0.0


@case("an id that stood for another is the remote's own entity as soon as that has come")
def own_id(context):
    rows = {1: {"id": 1, "title": "one"}}

    def answer(request):
        if request.command == "POST":
            rows[101] = {**json.loads(request.body), "id": 101}
            return request.reply(201, rows[101])
        if request.command == "PATCH":
            rows[int(request.path.rpartition("/")[2])].update(json.loads(request.body))
            return request.reply(204, b"")
        if request.path == "/t":
            return request.reply(200, list(rows.values()))
        found = rows.get(int(request.path.rpartition("/")[2]))
        request.reply(200 if found else 404, found)

    with folder() as data, Upstream(answer) as upstream:
        calls = {"get": {"path": "/t/{id}"}, "create": {"path": "/t", "sendId": False}, "update": {"method": "PATCH", "path": "/t/{id}"}}
        configuration = listed(upstream, {"path": "/t"}, **calls)
        with serving(context, configuration, data=data) as server:
            server.ask("POST", "/v1/t?target=both&wait=remote", {"id": 7, "title": "mine"}).is_(201)
            same(server.get("/v1/t/7").json["id"], 101, "the id before")
            rows[7] = {"id": 7, "title": "theirs"}
            same(shown(server.get("/v1/t?source=remote")), [1, 101, 7], "all")
            same(server.get("/v1/t/7?source=remote").json["title"], "theirs", "its own entity")
            server.ask("PATCH", "/v1/t/7?target=remote", {"title": "theirs!"}).is_(200)
            same((rows[7]["title"], rows[101]["title"]), ("theirs!", "mine"), "what is changed")
        with serving(context, configuration, data=data) as server:
            same([server.get(f"/v1/t/{id_}?source=local").json["title"] for id_ in (7, 101)], ["theirs!", "mine"], "behind a restart")
