"""operations.md 2 to 5: operations, their controllers and credentials, over an upstream of our own."""
import collections
import json
import queue
import signal
import threading
import time

from harness import Server, case, check, folder, same, soon
from upstream import Upstream, serving


def event(name, value, id_=None):
    text = value if isinstance(value, str) else json.dumps(value)
    return (f"id: {id_}\n" if id_ is not None else "") + f"event: {name}\ndata: {text}\n\n"


@case("a credential whose renewed tokens are refused has failed, says so, and is tried again in its time")
def credential_loop(context):
    tokens = collections.deque()

    def answer(request):
        if request.path == "/token":
            tokens.append(f"t{len(tokens) + 1}")
            return request.reply(200, {"access_token": tokens[-1], "token_type": "Bearer", "expires_in": 3600})
        if request.headers["Authorization"] in ("Bearer t1", "Bearer t2", "Bearer t3"):
            return request.reply(401, {})
        request.reply(200, {"id": "1", "n": 1})

    with Upstream(answer) as upstream:
        credential = {"type": "oauth2", "grant": "client_credentials", "tokenURL": upstream.base + "/token",
                      "clientId": "c", "maxRefreshes": 1, "retryFailedAfter": "1s"}
        configuration = {"upstreams": {"api": {"base": upstream.base, "credential": credential}},
                         "types": {"w": {"remote": {"upstream": "api", "get": {"path": "/w/{id}"}}}}}
        with serving(context, configuration) as s:
            found = s.get("/v1/w/1?source=remote").is_(502, "auth-loop").json
            same(found["origin"], True, "who finds the loop")
            # The first token was acquired, the second renewed.
            same(len(tokens), 2, "token calls")
            state = s.get("/v1/_upstreams/api/credential").json
            same((state["state"], state["valid"]), ("failed", False), "the credential")
            check(state["retryAt"] and state["reason"], f"the credential does not say why and until when: {state}")
            # After its time one renewal is tried, which is refused; after another, one that is not.
            soon(lambda: s.get("/v1/w/1?source=remote").status == 200, "the accepted token")
            same(list(tokens), ["t1", "t2", "t3", "t4"], "tokens")
            same(s.get("/v1/_upstreams/api/credential").json["state"], "ready", "the credential")


@case("a followed value is not stale and counts its rows, whatever changes them and after a restart")
def followed(context):
    streams, lock = [], threading.Lock()

    def answer(request):
        if request.path == "/w":
            return request.reply(200, [{"id": str(n), "on": True} for n in range(5)])
        with lock:
            streams.append(request)
        request.stream(event("all", [{"id": str(n), "on": True} for n in range(3)], 1) if len(streams) == 1 else "")

    def say(text):
        with lock:
            streams[-1].wfile.write(text.encode())
            streams[-1].wfile.flush()

    def operation(s):
        return s.get("/v1/_operations/ws").is_(200).json

    def settled(s, count, is_stale=False):
        found = soon(lambda: (o := operation(s))["count"] == count and o["isStale"] == is_stale and o,
                     f"{count} rows, stale: {is_stale}; it is {operation(s)}")
        same(s.get("/v1/w?filter=on%3D%3Dtrue&count=true&limit=0&source=local").json["meta"]["total"], count, "rows")
        return found

    with Upstream(answer) as upstream, folder() as data:
        controller = {"sse": {"upstream": "api", "path": "/events"}, "attach": "always",
                      "reduce": [{"on": "all", "do": "set"}, {"on": "gone", "do": "remove"}, {"on": "*", "do": "upsert"}],
                      "reconnect": {"exponential": "10s"}}
        configuration = {"upstreams": {"api": {"base": upstream.base}},
                         "types": {"w": {"remote": {"upstream": "api", "search": {"path": "/w"}}}},
                         "operations": {"ws": {"type": "w", "query": {"filter": "on == true"}, "automatic": False,
                                               "controllers": [controller]}}}
        with serving(context, configuration, data=data / "d") as s:
            settled(s, 3)
            same(upstream.count("/w"), 0, "fetches")
            say(event("put", {"id": "3", "on": True}, 2))
            settled(s, 4)
            say(event("put", {"id": "3", "on": True, "x": 1}, 3) + event("put", {"id": "9", "on": False}, 4))
            soon(lambda: s.get("/v1/w/9?source=local").status == 200, "the row of no query")
            settled(s, 4)
            say(event("put", {"id": "0", "on": False}, 5) + event("gone", "1", 6))
            settled(s, 2)
            # A run brings a value of its own, and the stream goes on from there.
            s.ask("POST", "/v1/_operations/ws/run?wait=1").is_(200)
            settled(s, 5)
            # It has no rules, and is not stale as long as it is followed.
            same(s.get("/v1/w?filter=on%3D%3Dtrue&source=localOrRemote").is_(200).header("Freshet-Source"), "local", "source")
            say(event("put", {"id": "5", "on": True}, 7))
            settled(s, 6)
        with serving(context, configuration, data=data / "d") as s:
            soon(lambda: len(streams) == 2, "the second start")
            # The value of the stream's last event, not of the run before it.
            settled(s, 6)
            say(event("put", {"id": "6", "on": True}, 8))
            settled(s, 7)
            upstream.ended.set()
            settled(s, 7, is_stale=True)


@case("an operation of the configuration without rules is always stale, and nothing is due behind a shut gate")
def without_rules(context):
    with Upstream(lambda request: request.reply(200, [{"id": "1", "n": 1}])) as upstream:
        operations = {"bare": {"type": "w", "query": {"filter": "n == 1"}},
                      "ruled": {"type": "w", "query": {"filter": "n == 2"}, "stale": [{"age": "1h"}],
                                "refetch": {"every": "1h", "requireSubscribers": False}}}
        configuration = {"upstreams": {"api": {"base": upstream.base}}, "operations": operations,
                         "types": {"w": {"remote": {"upstream": "api", "search": {"path": "/w"}}}}}
        with serving(context, configuration) as s:
            def asked(number):
                before = upstream.count("/w")
                answer = s.get(f"/v1/w?filter=n%3D%3D{number}&source=localOrRemote").is_(200)
                return upstream.count("/w") - before, answer.header("Freshet-Source")

            same([asked(1), asked(1)], [(1, "remote")] * 2, "without rules")
            same([asked(2), asked(2)], [(1, "remote"), (0, "local")], "within its age")
            # What was fetched answers all that is no operation of the configuration, at any age.
            same([asked(3), asked(3)], [(0, "local")] * 2, "any other")
            for name, stale in (("bare", True), ("ruled", False)):
                same(s.get(f"/v1/_operations/{name}").json["isStale"], stale, name)
            specs = "/v1/_operations/ruled/specs"
            check(s.get(specs).is_(200).json["nextRun"], "a poll is due")
            s.put("/v1/_operations/ruled/active", {"active": False}).is_(200)
            same(s.get(specs).is_(200).json["nextRun"], None, "what is due behind the gate")
            s.put("/v1/_operations/ruled/active", {"active": True}).is_(200)
            check(s.get(specs).is_(200).json["nextRun"], "a poll is due again")


@case("a parameter that no list knows is told of at the list of conditions, too; an empty list as a test has its own hint")
def unknown_parameters(context):
    s, t = context.server, context.type()
    for parameter in ("zzz=1", "all=true", "include=x", "meta=true", "source=local", "prefix=a"):
        s.get(f"/v1/_conditions?{parameter}").is_(400, "bad-parameter")
    s.put(f"/v1/{t}/1", {"v": 1})
    same(s.get(f"/v1/{t}?filter=v+in+[]").is_(200).json["meta"]["hint"], "an empty list matches nothing", "hint")


@case("a live query is told how many elements an answer lacks; an empty answer of a type without remote has a hint")
def left_out(context):
    rows = [{"id": "1"}, {"no": "id"}, 7]
    with Upstream(lambda request: request.reply(200, rows)) as upstream:
        configuration = {"upstreams": {"api": {"base": upstream.base}},
                         "types": {"w": {"remote": {"upstream": "api", "search": {"path": "/w"}}}, "own": {}}}
        with serving(context, configuration) as s:
            def fresh():
                with s.watch("/v1/w?live=delta") as stream:
                    while (event := stream.until("source")[2])["state"] != "fresh":
                        pass
                    return event.get("problem", {}).get("leftOut")

            same([fresh(), fresh()], [2, 2], "what is left out")
            same(s.get("/v1/w?source=remote").json["meta"]["degraded"]["leftOut"], 2, "the same of a search")
            rows[1:] = [{"id": "2"}]
            s.get("/v1/w?source=remote").is_(200)
            same(fresh(), None, "what is left out of a sound answer")
            for query in ("", "?source=local"):
                hint = s.get("/v1/own" + query).is_(200).json["meta"].get("hint", "")
                check("own" in hint, f"/v1/own{query} has the hint {hint!r}")
            empty = s.get("/v1/w?filter=none%3D%3D1&source=local").is_(200).json["meta"]
            check("hint" not in empty, f"a hint although there is a remote: {empty}")


def nested(levels):
    """An entity of so many levels."""
    value = 1
    for _ in range(levels):
        value = {"n": value}
    return {"id": "deep", **value}


HELLO = event("hello", {"protocol": 1, "queries": {"": {"window": {"offset": 0, "limit": 1000}}}})


def snapshot(v, items):
    return event("snapshot", {"v": v, "why": "initial", "items": items, "part": 0, "more": False}, f"e.{v}")


def delta(v, put):
    return event("delta", {"from": v - 1, "to": v, "remove": {}, "place": [], "put": put, "commits": 1}, f"e.{v}")


def following(upstream, **more):
    controller = {"freshet": {"upstream": "origin", "query": "/v1/w"}, "attach": "always",
                  "reconnect": {"exponential": "20ms", "max": "100ms"}, **more}
    return {"upstreams": {"origin": {"base": upstream.base}}, "types": {"w": {}},
            "operations": {"ws": {"type": "w", "controllers": [controller]}}}


@case("a follower skips nothing that it cannot read: it asks for the whole answer, and fails where that is no better")
def unreadable(context):
    a, b, c = {"id": "a"}, nested(64), {"id": "c"}
    answers = collections.deque([
        HELLO + snapshot(1, [a]),
        # An entity of 65 levels, and a later event that can be read.
        HELLO + delta(2, [nested(65)]) + delta(3, [c]),
        HELLO + snapshot(3, [a, nested(65), c])])
    repaired = threading.Event()
    positions = []

    def answer(request):
        positions.append(request.headers["Last-Event-ID"])
        if answers:
            return request.stream(answers.popleft(), hold=len(answers) != 2)
        if repaired.is_set():
            # The 64 levels of an entity are its own.
            return request.stream(HELLO + snapshot(4, [a, b, c]))
        request.stream(HELLO + snapshot(3, [a, nested(65), c]), hold=False)

    with Upstream(answer) as upstream, serving(context, following(upstream)) as s:
        def operation():
            return s.get("/v1/_operations/ws").is_(200).json

        found = soon(lambda: (o := operation())["status"] == "failure" and o, "the failure")
        check("1 of 3 entities cannot be read" in found["error"]["detail"], f"why: {found['error']}")
        same([row["id"] for row in s.get("/v1/w").json["items"]], ["a"], "the rows of the last answer that was read")
        repaired.set()
        found = soon(lambda: (o := operation())["status"] == "success" and o, "the repaired answer")
        same((found["error"], found["count"]), (None, 3), "the operation")
        same([row["id"] for row in s.get("/v1/w").json["items"]], ["a", "c", "deep"], "the rows")
        same(positions[:2], [None, "e.1"], "the first positions")
        check(set(positions[2:]) == {None}, f"the whole answer is asked for without a position: {positions}")


@case("whatever ends an upstream's stream, the next try is seen, and comes as `reconnect` says")
def endings(context):
    endings = collections.deque([
        lambda request: request.reply(404, {}), lambda request: request.reply(403, {}),
        lambda request: request.reply(401, {}), lambda request: request.reply(302, {}, Location="http://127.0.0.1:9/"),
        lambda request: request.reply(200, b"<p>", Content_Type="text/html")])
    closed = threading.Event()

    def answer(request):
        if not closed.is_set():
            return request.reply(404, {"why": "closed"})
        endings.popleft()(request) if endings else request.stream(event("put", {"id": "a"}, 1))

    with Upstream(answer) as upstream:
        controller = {"sse": {"upstream": "api", "path": "/events"}, "attach": "always",
                      "reduce": [{"on": "put", "do": "upsert"}], "reconnect": {"exponential": "20ms", "max": "100ms"}}
        configuration = {"upstreams": {"api": {"base": upstream.base}}, "types": {"w": {}},
                         "operations": {"ws": {"type": "w", "controllers": [controller]}}}
        with serving(context, configuration) as s:
            def report():
                return s.get("/v1/_operations/ws").is_(200).json["controllers"][0]

            found = soon(lambda: (r := report())["nextTry"] and r, "the next try")
            same(found["activity"], "interrupted: the upstream answers the stream with status 404", "the activity")
            same(found["lastError"], "the upstream answers the stream with status 404", "the error")
            closed.set()
            soon(lambda: s.get("/v1/w/a").status == 200, "the stream behind five refusals")
            found = soon(lambda: (r := report())["activity"] == "following" and r, "the stream")
            same(found["nextTry"], None, "the next try")
            same(list(endings), [], "endings that were met")


@case("events that have come together are a few commits, with their positions, and a merge sees those before it")
def burst(context):
    count = 300
    text = "".join(event("put", {"id": str(n), "n": n}, 2 * n) + event("merge", {"id": str(n), "m": n}, 2 * n + 1)
                   for n in range(count))
    positions = []

    def answer(request):
        positions.append(request.headers["Last-Event-ID"])
        request.stream(text if len(positions) == 1 else "")

    with Upstream(answer) as upstream, folder() as data:
        controller = {"sse": {"upstream": "api", "path": "/events"}, "attach": "always",
                      "reduce": [{"on": "put", "do": "upsert"}, {"on": "merge", "do": "merge"}]}
        configuration = {"upstreams": {"api": {"base": upstream.base}}, "types": {"w": {}},
                         "operations": {"ws": {"type": "w", "controllers": [controller]}}}
        with serving(context, configuration, data=data / "d") as s:
            last = f"/v1/w/{count - 1}"
            soon(lambda: (row := s.get(last)).status == 200 and "m" in row.json, "the last event")
            rows = s.get(f"/v1/w?limit={count}").is_(200)
            same({row["id"]: (row["n"], row["m"]) for row in rows.json["items"]},
                 {str(n): (n, n) for n in range(count)}, "the rows")
            commits = int(s.put("/v1/w/mine", {}).is_(201).header("Freshet-Cursor").split(".")[1])
            check(commits <= 60, f"{2 * count} events were {commits} commits")
        with serving(context, configuration, data=data / "d"):
            soon(lambda: len(positions) == 2, "the second start")
            same(positions, [None, str(2 * count - 1)], "positions")


@case("what a controller runs by stays until the next start, though the file names it no more")
def kept(context):
    more = queue.Queue()

    def answer(request):
        request.stream("", hold=False)
        while text := more.get():
            request.wfile.write(text.encode())

    with Upstream(answer) as upstream:
        controller = {"sse": {"upstream": "api", "path": "/events"}, "attach": "always", "while": {"and": [{"spec": "calm"}, {"condition": "night"}]},
                      "reduce": [{"on": "put", "do": "upsert"}]}
        configuration = {"upstreams": {"api": {"base": upstream.base}}, "types": {"w": {}},
                         "conditions": {"night": {"initial": True}, "wind": {}, "own": {}},
                         "specs": {"calm": {"not": {"condition": "wind"}}, "other": True},
                         "operations": {"ws": {"type": "w", "controllers": [controller]}}}
        with folder() as place:
            file = place / "freshet.json"
            file.write_text(json.dumps(configuration))
            with Server(context.binary, None, "--config", str(file)) as s:
                more.put(event("put", {"id": "a"}))
                soon(lambda: s.get("/v1/w/a").status == 200, "the first row")
                file.write_text(json.dumps({"types": {"w": {}}, "operations": {"ws": {"type": "w"}}}))
                s.signal(signal.SIGHUP)
                waits = soon(lambda: (r := s.get("/v1/_service").json["configuration"]["lastReload"]) and r["waits"], "the reload")
                check(set(waits) >= {"conditions.night", "conditions.wind", "specs.calm", "upstreams"}, f"what is kept: {waits}")
                same([each["name"] for each in s.get("/v1/_conditions").json["items"]], ["night", "wind"], "conditions")
                more.put(event("put", {"id": "b"}))
                soon(lambda: s.get("/v1/w/b").status == 200, "the row behind the reload")
                # It runs by them still.
                s.put("/v1/_conditions/wind", {"value": True}).is_(200)
                soon(lambda: s.get("/v1/_operations/ws").json["controllers"][0]["activity"] != "following", "the stop")
        more.put("")


@case("a stream of an operation or of conditions that a reload takes away ends, and a new one tells what there is")
def taken_away(context):
    def configuration(*names):
        return json.dumps({"types": {"w": {}}, "conditions": {name: {} for name in names},
                           "operations": {name: {"type": "w", "query": {"filter": f"n == {at}"}} for at, name in enumerate(names)}})

    with folder() as place:
        file = place / "freshet.json"
        file.write_text(configuration("stays", "goes"))
        with Server(context.binary, None, "--config", str(file)) as s:
            streams = {path: s.watch(path) for path in (
                "/v1/_conditions", "/v1/_conditions/goes", "/v1/_operations/goes", "/v1/_conditions/stays", "/v1/_operations/stays")}
            for stream in streams.values():
                stream.next()
            file.write_text(configuration("stays"))
            s.signal(signal.SIGHUP)
            for path in list(streams)[:3]:
                name, _, data = streams.pop(path).next()
                same((name, data["reason"], data["reconnect"]), ("bye", "closed", True), path)
            s.ask("GET", "/v1/_operations/goes", headers={"Accept": "text/event-stream"}).is_(404)
            s.put("/v1/_conditions/stays", {"value": True}).is_(200)
            name, _, data = streams["/v1/_conditions/stays"].next()
            same((name, data["value"]), ("condition", True), "a stream that stays")
            s.put("/v1/_operations/stays/active", {"active": False}).is_(200)
            name, _, data = streams["/v1/_operations/stays"].next()
            same(name, "state", "the other one that stays")


@case("what waits in the outbox for a type that has no remote any more is told of at the start, and can be given up")
def stranded(context):
    with Upstream(lambda request: request.reply(503, {})) as upstream, folder() as data:
        remote = {"upstream": "api", "search": {"path": "/w"}, "create": {"path": "/w"}, "update": {"path": "/w/{id}"}}
        with serving(context, {"upstreams": {"api": {"base": upstream.base}}, "types": {"w": {"remote": remote}}}, data=data / "d") as s:
            s.put("/v1/w/a?target=both", {"n": 1}).is_(202)
            soon(lambda: upstream.count("/w") + upstream.count("/w/a"), "the first try")
        with serving(context, {"types": {"w": {}}}, data=data / "d") as s:
            check("have no remote to go to" in s.log_text() and "types.w.remote" in s.log_text(), f"the log: {s.log_text()}")
            entry, = s.get("/v1/_outbox").is_(200).json["items"]
            s.ask("DELETE", f"/v1/_outbox/{entry['id']}").is_(204)
            same(s.get("/v1/_outbox?state=pending").json["items"], [], "what waits")


@case("an operation counts the rows of its query, names its switch, and says what it cannot run")
def counted(context):
    rows = [{"id": str(n), "n": n} for n in range(6)]
    with Upstream(lambda request: request.reply(200, rows)) as upstream:
        configuration = {"upstreams": {"api": {"base": upstream.base}},
                         "types": {"w": {"remote": {"upstream": "api", "search": {"path": "/w"}}}, "own": {}},
                         "operations": {"ws": {"type": "w", "query": {"filter": "n > 3"}}, "own": {"type": "own"}}}
        with serving(context, configuration) as s:
            run = s.ask("POST", "/v1/_operations/ws/run?wait=1", "").is_(200).json
            same((run["status"], run["count"]), ("success", 2), "what the upstream has served, less what the filter passes over")
            same(s.get("/v1/w?filter=n>3&count=true&source=local").json["meta"]["total"], 2, "the rows")
            same(s.get("/v1/_operations/ws/specs").is_(200).json["active"], True, "the switch")
            s.put("/v1/_operations/ws/active", {"active": False}).is_(200)
            same(s.get("/v1/_operations/ws/specs").json["active"], False, "the switch, turned")
            s.ask("POST", "/v1/_operations/own/run", "").is_(409, "not-runnable")
            s.ask("POST", "/v1/_operations/ws/pages/next", "").is_(409, "not-runnable")


@case("what a stream has said and nobody could read is told until the whole value comes")
def missed(context):
    more = queue.Queue()

    def answer(request):
        request.stream(event("put", {"id": "a"}) + event("put", "no JSON") + event("put", {"id": "b"}), hold=False)
        while text := more.get():
            request.wfile.write(text.encode())

    for policy, status in (("keep", "success"), ("fail", "failure"), ("ignore", "success")):
        with Upstream(answer) as upstream:
            controller = {"sse": {"upstream": "api", "path": "/events"}, "attach": "always", "onFault": policy,
                          "reduce": [{"on": "put", "do": "upsert"}, {"on": "all", "do": "set"}]}
            configuration = {"upstreams": {"api": {"base": upstream.base}}, "types": {"w": {}},
                             "operations": {"ws": {"type": "w", "controllers": [controller]}}}
            with serving(context, configuration) as s:
                def settled(id_):
                    """The operation, as soon as the row is there and counted."""
                    soon(lambda: s.get(f"/v1/w/{id_}").status == 200, f"the row {id_}")
                    count = s.get("/v1/w?count=true&limit=0").json["meta"]["total"]
                    return soon(lambda: (o := s.get("/v1/_operations/ws").json)["count"] == count and o, "the count")

                found = settled("b")
                same((found["status"], found["error"] is None), (status, policy == "ignore"), f"{policy}: behind the event")
                more.put(event("put", {"id": "c"}))
                found = settled("c")
                same((found["status"], found["error"] is None), (status, policy == "ignore"), f"{policy}: behind another")
                check(policy == "ignore" or "JSON" in found["error"]["detail"], f"the error: {found['error']}")
                more.put(event("all", [{"id": "d"}]))
                found = settled("d")
                same((found["status"], found["error"]), ("success", None), f"{policy}: behind the whole value")
            more.put("")


@case("an event says where its parts are: in an element or around it; an error of the stream is the operation's")
def parts(context):
    text = (event("put", {"id": "a", "todo": {"title": "x"}}) + event("put", {"todo": {"id": "b", "title": "y"}})
            + event("put", [{"id": "c", "todo": {"title": "z"}}, {"id": "d", "todo": {"title": "w"}}])
            + event("oops", {"detail": "overheated"}))
    with Upstream(lambda request: request.stream(text)) as upstream:
        controller = {"sse": {"upstream": "api", "path": "/events"}, "attach": "always", "onFault": "ignore",
                      "reduce": [{"on": "put", "do": "upsert", "key": "/id", "data": "/todo"}, {"on": "oops", "do": "error"}]}
        configuration = {"upstreams": {"api": {"base": upstream.base}}, "types": {"w": {}},
                         "operations": {"ws": {"type": "w", "controllers": [controller]}}}
        with serving(context, configuration) as s:
            found = soon(lambda: (o := s.get("/v1/_operations/ws").json)["status"] == "failure" and o, "the failure")
            same(found["error"]["detail"], "overheated", "the error")
            same({row["id"]: row["title"] for row in s.get("/v1/w").json["items"]},
                 {"a": "x", "b": "y", "c": "z", "d": "w"}, "the rows")
