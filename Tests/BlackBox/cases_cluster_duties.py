"""What only the leader of a cluster does (replication.md 7), counted by the upstream that it asks."""
import concurrent.futures
import contextlib
import json
import math
import os
import pathlib
import signal
import threading
import time

from cases_control import event
from cluster import Cluster, Engine
from harness import case, check, folder, same, soon
from upstream import Upstream


class Counted(Upstream):
    """An upstream that knows which server has sent each request: they tell their names."""

    def __init__(self, answer):
        self.requests = []

        def counted(request):
            with self.lock:
                self.requests.append(
                    (request.headers["X-Server"], request.command, request.path, request.headers.get("Idempotency-Key")))
            answer(request)

        super().__init__(counted)

    def of(self, path, command="GET"):
        """Who has sent the requests to `path`, in their order."""
        with self.lock:
            return [name for name, method, asked, _ in self.requests if asked.partition("?")[0] == path and method == command]


@contextlib.contextmanager
def clustered(context, upstream, configuration, takeover="4s"):
    """Three servers over one engine that have `configuration`, and send their names to `upstream`."""
    with folder() as place, Engine(pathlib.Path(place)) as engine:
        for name in "abc":
            api = {"base": upstream.base, "headers": {"X-Server": name}, "retry": {"limit": 100, "backoff": {"exponential": "100ms", "max": "300ms"}}}
            (place / f"{name}.json").write_text(json.dumps({**configuration, "upstreams": {"api": api}}))
        with Cluster(context.binary, engine, pathlib.Path(place), 3, "--config", f"{place}/{{name}}.json", takeover=takeover) as cluster:
            cluster.leader()
            yield cluster


def ordered(server, method, path, body=None):
    """The answer to an order, given again while nobody is there to carry it out."""
    return soon(lambda: (answer := server.ask(method, path, body)).status != 503 and answer, f"{method} {path}", 60)


def heard(stream, *states):
    """The first `source` event of one of `states`."""
    end = time.monotonic() + 60
    while (event := stream.until("source", seconds=60)[2])["state"] not in states:
        check(time.monotonic() < end, f"{event['state']}, and for a minute none of {states}")
    return event


def handed(names):
    """`names` without those that follow one of the same: who has sent, in turn."""
    return [name for at, name in enumerate(names) if at == 0 or names[at - 1] != name]


@case("an order that reaches a leader that slept is carried out by the one that leads by then")
def _(context):
    with Upstream(lambda request: request.reply(200, [{"id": "1", "n": 1}])) as upstream, clustered(
            context, upstream, {"types": {"todo": {"remote": {"upstream": "api", "search": {"path": "/todos"}}}},
                                "operations": {"todos": {"type": "todo"}},
                                # On a busy machine it hears of the leader later than orders wait by default.
                                "cluster": {"leaderWait": "20s"}}) as cluster, concurrent.futures.ThreadPoolExecutor(1) as pool:
        for method, order in (("POST", "/reset"), ("DELETE", "")):
            old = cluster.leader()
            cluster.servers[old].signal(signal.SIGSTOP)
            new = cluster.leader(but=old)
            ran = ordered(cluster.servers[new], "POST", "/v1/_operations/todos/run?wait=1").is_(200)
            same(ran.json["status"], "success", "before")
            # It lies there when the old leader wakes, which does not know yet that it was deposed.
            asked = pool.submit(cluster.servers[old].ask, method, f"/v1/_operations/todos{order}")
            soon(lambda: asked.running(), "the order is sent")
            time.sleep(0.2)
            cluster.servers[old].signal(signal.SIGCONT)
            check(asked.result(60).status < 300, f"{method} {order}: {asked.result().body}")
            same(cluster.servers[new].get("/v1/_operations/todos").is_(200).json["status"], "idle", f"behind {method} {order}, at the leader")


@case("operations of a cluster are run by the leader alone, whoever leads and whoever is asked")
def operations(context):
    rows = [{"id": f"k{number}"} for number in range(3)]
    refused = set()

    def answer(request):
        path = request.path.partition("?")[0]
        request.reply(*((403, {}) if path in refused else (200, rows)))

    configuration = {
        "types": {"w": {"remote": {"upstream": "api", "search": {"path": "/w"}}},
                  "list": {"remote": {"upstream": "api", "search": {"path": "/list"}}},
                  "seen": {"remote": {"upstream": "api", "search": {"path": "/seen"}}}},
        "conditions": {"open": {}}, "specs": {"isOpen": {"condition": "open"}},
        "operations": {
            "beat": {"type": "w", "refetch": {"every": "200ms", "requireSubscribers": False}},
            "list": {"type": "list", "automatic": False}, "seen": {"type": "seen", "refetch": {"every": "200ms"}}}}
    with Counted(answer) as upstream, clustered(context, upstream, configuration) as cluster:
        def beats():
            before = upstream.of("/w")

            def goes_on():
                name = "abc"[cluster.leader()]
                return upstream.of("/w").count(name) >= before.count(name) + 3

            soon(goes_on, "the leader runs it", 60)

        first = cluster.leader()
        follower, other = cluster.others(first)
        ordered(follower, "PUT", "/v1/_service/active", {"active": True}).is_(200)
        # A gate of its own is switched on by hand: nothing has run it before.
        run = ordered(follower, "POST", "/v1/_operations/beat/run?wait=1", "").is_(200).json
        same((run["status"], run["count"]), ("success", 3), "the run that a follower was asked for")
        beats()
        same(upstream.of("/list"), [], "what nobody has asked for")
        run = ordered(follower, "POST", "/v1/_operations/list/run?wait=1", "").is_(200).json
        same(run["lastRun"]["origin"], "manual", "the run")
        asked = upstream.of("/list")
        check(asked and len(set(asked)) == 1, f"one server has asked the upstream: {asked}")
        for server in (follower, other):
            soon(lambda: len(server.get("/v1/list?source=local").is_(200).json["items"]) == 3, "the rows on each server")
        # A read that may fetch is the leader's, too.
        read = ordered(other, "GET", "/v1/list?source=remote").is_(200)
        same((len(read.json["items"]), read.header("Freshet-Source")), (3, "remote"), "a read of the remote")
        check(len(upstream.of("/list")) > len(asked), "the remote was asked")

        # Whoever watches on a follower is a subscriber of what the leader runs.
        same(upstream.of("/seen"), [], "what nobody watches")
        with follower.watch("/v1/seen?live=delta") as stream:
            soon(lambda: len(upstream.of("/seen")) > 2, "it is run for who watches elsewhere", 60)
            heard(stream, "fresh")
            same(len(follower.get("/v1/seen?source=local").is_(200).json["items"]), 3, "the rows")
            # How the fetch stands there is told here.
            refused.add("/seen")
            problem = heard(stream, "failed")["problem"]
            same((problem["code"], problem["upstream"]), ("upstream-status", "api"), "why it fails")
            refused.clear()
            heard(stream, "fresh")
        with follower.watch("/v1/list?live=delta") as stream:
            same(heard(stream, "gated")["gate"], "automatic", "what keeps it back")
            ordered(other, "POST", "/v1/_operations/list/run?wait=1", "").is_(200)
            heard(stream, "fresh")
            with follower.watch("/v1/list?live=delta") as second:
                check(heard(second, "fresh", "gated"), "a second one begins with what was told")
        same(ordered(other, "GET", "/v1/_operations/seen").is_(200).json["id"], "seen", "the operation")
        soon(lambda: ordered(other, "GET", "/v1/_operations/seen").is_(200).json["subscribers"] == 0, "nobody watches any more", 60)

        # What was set by one server holds on the next leader.
        ordered(follower, "PUT", "/v1/_conditions/open", {"value": True}).is_(200)
        for server in (follower, other):
            soon(lambda: server.get("/v1/_conditions/open").is_(200).json["value"], "the condition on each server")
        ordered(other, "PUT", "/v1/_operations/list/active", {"active": False}).is_(200)
        with cluster.servers[first].watch("/v1/_operations/beat") as steps:
            steps.until("state")
            cluster.hand_over()
            same(steps.until("bye")[2]["reason"], "moved", "what happens to it is told by the next leader")
        beats()
        for server in cluster.servers:
            soon(lambda: ordered(server, "POST", "/v1/_specs/evaluate", {"spec": {"condition": "open"}}).is_(200).json["satisfied"], "the condition")
            same(ordered(server, "GET", "/v1/_operations/list/specs").is_(200).json["active"], False, "the switch")
        killed = cluster.leader()
        cluster.servers[killed].kill()
        last = cluster.leader(but=killed)
        beats()
        same(ordered(cluster.others(killed)[0], "GET", "/v1/_conditions/open").json["value"], True, "the condition, after a kill")
        # One after the other: a request that was on the wire may come late.
        turns, terms = handed(upstream.of("/w")), cluster.state(last)["term"]
        check(2 <= len(turns) <= terms + 2, f"{turns} in {terms} terms")

        # A leader that the engine does not answer asks nobody.
        cluster.engine.signal(signal.SIGSTOP)
        cluster.servers[last].put("/v1/own/1", {}).is_(503)
        before = len(upstream.requests)
        cluster.servers[last].put("/v1/own/2", {}).is_(503)
        same(len(upstream.requests), before, "requests of a leader that may be none any more")
        cluster.engine.signal(signal.SIGCONT)
        soon(lambda: len(upstream.requests) > before + 3, "they go on", 60)


@case("what waits in the outbox of a cluster is sent by the leader, by the next one with the same key")
def outbox(context):
    keys, lock, gate = {}, threading.Lock(), threading.Event()

    def answer(request):
        key = request.headers["Idempotency-Key"]
        if not gate.is_set():
            return request.reply(503, {})
        with lock:
            keys[key] = keys.get(key, 0) + 1
        request.reply(200, {})

    remote = {"upstream": "api", "search": {"path": "/w"}, "create": {"path": "/w"}, "update": {"path": "/w/{id}"}}
    configuration = {"types": {"w": {"remote": remote}}}
    with Counted(answer) as upstream, clustered(context, upstream, configuration) as cluster:
        first = cluster.leader()
        follower = cluster.others(first)[0]
        for number in range(6):
            soon(lambda: follower.put(f"/v1/w/k{number}?target=both", {"n": number}).status in (200, 201, 202), "the write", 60)
        soon(lambda: len(set(one[3] for one in upstream.requests)) == 6, "each was tried", 60)
        same(len(follower.get("/v1/_outbox?state=done").is_(200).json["items"]), 0, "what is done")
        old, new = cluster.hand_over()
        gate.set()
        done = lambda: [entry for entry in cluster.servers[old].get("/v1/_outbox?state=done").is_(200).json["items"]]
        soon(lambda: len(done()) == 6, "all are done, as a follower shows", 90)
        same(sorted(keys), sorted(entry["id"] for entry in done()), "the keys")
        same(set(keys.values()), {1}, "how often the upstream has taken each")

        # Killed with a request on the wire, it is sent again by the next.
        gate.clear()
        killed = cluster.leader()
        survivor = cluster.others(killed)[0]
        before = len(upstream.requests)
        soon(lambda: survivor.put("/v1/w/k0?target=both", {"n": 10}).status in (200, 201, 202), "the write", 60)
        soon(lambda: len(upstream.requests) > before, "the request", 60)
        cluster.servers[killed].kill()
        gate.set()
        cluster.leader(but=killed)
        soon(lambda: len(survivor.get("/v1/_outbox?state=done").is_(200).json["items"]) == 7, "it is done", 90)
        late = set(one[3] for one in upstream.requests[before:])
        same(len(late), 1, "keys of one write")
        same(keys[late.pop()], 1, "how often the upstream has taken it")


@case("an event stream of a cluster's upstream is held by the leader alone")
def stream(context):
    held, lock = [], threading.Lock()

    def answer(request):
        name = request.headers["X-Server"]
        with lock:
            held.append(name)
        try:
            request.stream(event("put", {"id": name}, len(held)), hold=False)
            while not upstream.ended.wait(0.05):
                request.wfile.write(b": \n")
                request.wfile.flush()
        finally:
            with lock:
                held.remove(name)

    controller = {"sse": {"upstream": "api", "path": "/events"}, "attach": "always", "reduce": [{"on": "put", "do": "upsert"}],
                  "reconnect": {"exponential": "50ms"}}
    configuration = {"types": {"w": {}}, "operations": {"ws": {"type": "w", "controllers": [controller]}}}
    with Counted(answer) as upstream, clustered(context, upstream, configuration) as cluster:
        def holds():
            soon(lambda: held == ["abc"[cluster.leader()]], f"the leader holds the stream, alone: {held}", 60)

        holds()
        cluster.hand_over()
        holds()
        killed = cluster.leader()
        cluster.servers[killed].kill()
        cluster.leader(but=killed)
        holds()
        for server in cluster.others(killed):
            soon(lambda: (held or [None])[0] in [row["id"] for row in server.get("/v1/w").is_(200).json["items"]], "what the leader has heard")


@case("edges, and in the long tests instants of cron, are each begun once at most, whoever leads at that moment")
def instants(context):
    count, minutes = 125, 4 if os.environ.get("FRESHET_LONG_TESTS") else 0
    lock, times = threading.Lock(), {}

    def answer(request):
        with lock:
            times.setdefault(request.path.partition("?")[0], []).append(time.time())
        request.reply(200, [])

    configuration = {"types": {}, "operations": {}, "conditions": {"open": {}}}
    for kind, refetch in (("c", {"cron": "* * * * *"}), ("e", {"when": {"condition": "open"}, "settle": "0s"})):
        for number in range(count):
            name = f"{kind}{number}"
            configuration["types"][name] = {"remote": {"upstream": "api", "search": {"path": f"/{name}"}}}
            configuration["operations"][name] = {"type": name, "refetch": {**refetch, "requireSubscribers": False}}

    def of(kind):
        """When each operation of a kind was begun."""
        with lock:
            return [list(times.get(f"/{kind}{number}", [])) for number in range(count)]

    with Upstream(answer) as upstream, clustered(context, upstream, configuration) as cluster:
        ordered(cluster.servers[0], "PUT", "/v1/_service/active", {"active": True}).is_(200)

        def rise():
            for value in (True, False):
                ordered(cluster.others(cluster.leader())[0], "PUT", "/v1/_conditions/open", {"value": value}).is_(200)
                time.sleep(0.5)
            cluster.hand_over()

        rises = 4
        for _ in range(rises):
            rise()
        first = math.ceil(time.time() / 60)
        for minute in range(first, first + minutes):
            while time.time() < minute * 60 - 5:
                rise()
                rises += 1
            # A hand-over before the instant, at it, and while its runs are on their way.
            time.sleep(max(0, minute * 60 - time.time() + (-1, -0.02, 0.1, 1)[minute % 4]))
            cluster.hand_over()
            time.sleep(3)
        for asked in of("c"):
            instants = [int(at // 60) for at in asked]
            same(len(set(instants)), len(instants), "an instant is begun once at most")
        # An instant at which nobody leads is lost.
        begun = sum(map(len, of("c")))
        check(begun >= count * minutes // 4, f"{begun} instants were begun")
        edges = [len(asked) for asked in of("e")]
        check(max(edges) <= rises, f"{max(edges)} runs of {rises} edges")
        check(sum(edges) >= count * rises // 2, f"{sum(edges)} runs of {rises} edges of {count} operations")
        print(f"      {begun} instants of cron and {sum(edges)} edges, in {cluster.state(0)['term']} terms")
