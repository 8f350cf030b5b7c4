"""What a cluster promises in numbers, but for those of the campaign: what is begun every so often, and what
clients meet while its servers are restarted one after the other, as another version too."""
import collections
import http.client
import json
import os
import signal
import threading
import time

from cases_cluster_duties import clustered, ordered
from cases_live import Query
from cluster import Cluster, Engine, handed_over, strong
from harness import Stream, case, check, folder, same, soon
from upstream import Upstream

LONG = os.environ.get("FRESHET_LONG_TESTS") is not None


@case("what is run every so often is begun once each time, whoever leads")
def every(context):
    count, period, rounds = 60, 0.5, 8 if LONG else 1
    lock, starts = threading.Lock(), collections.defaultdict(list)

    def answer(request):
        with lock:
            starts[request.path.partition("?")[0]].append((time.monotonic(), request.headers["X-Server"]))
        request.reply(200, [])

    configuration = {"types": {}, "operations": {}}
    for number in range(count):
        name = f"o{number}"
        configuration["types"][name] = {"remote": {"upstream": "api", "search": {"path": f"/{name}"}}}
        configuration["operations"][name] = {"type": name, "refetch": {"every": f"{int(period * 1000)}ms", "requireSubscribers": False}}
    pauses = []
    with Upstream(answer) as upstream, clustered(context, upstream, configuration, takeover="2s") as cluster:
        ordered(cluster.servers[0], "PUT", "/v1/_service/active", {"active": True}).is_(200)

        def goes_on():
            """Whoever leads has begun each of them twice from now on."""
            with lock:
                before = {path: len(all_) for path, all_ in starts.items()}

            def begun():
                name = "abc"[cluster.leader()]
                with lock:
                    return len(starts) == count and all(
                        sum(own == name for _, own in all_[before.get(path, 0):]) > 1 for path, all_ in starts.items())
            soon(begun, "all are begun again", 60)

        goes_on()
        for _ in range(rounds):
            cluster.hand_over()
            goes_on()
            paused = cluster.leader()
            began = time.monotonic()
            cluster.servers[paused].signal(signal.SIGSTOP)
            # It has stopped: nothing is asked of it.
            cluster.servers[paused].alive = lambda: False
            try:
                cluster.leader(but=paused)
                goes_on()
            finally:
                del cluster.servers[paused].alive
                cluster.servers[paused].signal(signal.SIGCONT)
            soon(lambda: cluster.state(paused)["self"]["role"] == "follower", "it follows", 60)
            goes_on()
            pauses.append((began, time.monotonic()))
            killed = cluster.leader()
            cluster.servers[killed].kill()
            cluster.leader(but=killed)
            goes_on()
            cluster.restart(killed)
            goes_on()
        terms = cluster.state(0)["term"]
    begun, doubled = sum(map(len, starts.values())), []
    for path, all_ in starts.items():
        all_.sort()
        doubled += [(path, at, before[1], name) for before, (at, name) in zip(all_, all_[1:]) if at - before[0] < period / 2]
    check(begun >= 500, f"{begun} were begun")
    # A request that was on the wire when its server was paused comes late: one of each at most.
    late = collections.Counter((path, at) for path, time_, *_ in doubled for at, (first, last) in enumerate(pauses) if first < time_ < last)
    same(len(doubled), sum(late.values()), f"begun twice, where nobody was paused: {doubled[:5]}")
    check(all(times == 1 for times in late.values()), f"begun more often by one that was paused: {late.most_common(3)}")
    print(f"      {begun} were begun in {terms} terms, {len(doubled)} twice, each at a pause")


class Balancer:
    """Sends each request to the next server, and to another one where a server takes no connection, breaks it or
    says 503, as Docker/cluster.nginx.conf does with reads and writes that bear a key; counts what a client meets."""

    TRIES = 3

    def __init__(self, cluster):
        self.cluster, self.faults, self.counts, self.lock = cluster, [], collections.Counter(), threading.Lock()
        self.is_over = threading.Event()

    def count(self, what, fault=None):
        with self.lock:
            self.counts[what] += 1
            if fault:
                self.faults.append(fault)

    def ask(self, first, method, path, body=None, headers={}):
        """The status of the answer; 0 where there is none."""
        why = []
        for step in range(self.TRIES):
            link = http.client.HTTPConnection("127.0.0.1", self.cluster.ports[(first + step) % 3], timeout=30)
            try:
                link.request(method, path, json.dumps(body) if body else None, {"Content-Type": "application/json", **headers} if body else headers)
                answer = link.getresponse()
                content = answer.read()
            except (OSError, http.client.HTTPException) as fault:
                why.append(type(fault).__name__)
                continue
            finally:
                link.close()
            if answer.status == 503:
                why.append(json.loads(content)["code"])
                continue
            for each in why:
                self.count(f"sent on: {each}")
            self.count(method, None if answer.status in (200, 201) else f"{method} {path}: {answer.status} {content}")
            return answer.status
        self.count("failed", f"{method} {path}: {why}")
        return 0

    def write(self, number, written):
        count = 0
        while not self.is_over.is_set():
            count += 1
            id_ = f"{number}-{count % 50}"
            status = self.ask(number + count, "PUT", f"/v1/t/{id_}", {"n": count, "by": number}, {"Idempotency-Key": f"{number}-{count}"})
            if status in (200, 201):
                written[id_] = count

    def read(self, number):
        while not self.is_over.is_set():
            number += 1
            self.ask(number, "GET", f"/v1/t?filter=by=={number % 4}&limit=5")

    def stream(self, number, query):
        """Follows a live query from server to server; each sends it on before it ends."""
        last, path = None, f"/v1/t?filter=by=={number % 4}&order=-n&limit=5&live=delta&heartbeat=5"
        while not self.is_over.is_set():
            number += 1
            headers = {"Accept": "text/event-stream", **({"Last-Event-ID": last} if last else {})}
            try:
                stream = Stream(self.cluster.servers[number % 3], path, headers)
            except ConnectionRefusedError:
                continue
            with stream:
                if stream.status == 503 and b"recovering" in stream.buffer:
                    continue
                if stream.status != 200:
                    self.count("streams refused", f"{path}: {stream.status} {stream.buffer}")
                    return
                while not self.is_over.is_set():
                    event = stream.next(seconds=20, comments=True)
                    if event is None:
                        self.count("streams cut", f"{path} ended without a word, behind {last}")
                        break
                    name, mark, data = event
                    if name == "bye":
                        self.count("streams sent on")
                        break
                    if name == "fault" or name == "snapshot" and last and data["why"] in ("epoch", "rewind", "retention"):
                        self.count("streams begun anew", f"{path} behind {last}: {data}")
                    if name in ("snapshot", "delta"):
                        # What begins later than it was told of has nothing between.
                        query.known = max(query.known, data.get("from", -1))
                        query.apply(name, data)
                        self.count("events")
                    if mark:
                        last, query.known = mark, int(mark.split(".")[1])
        query.last = last


@case("servers are restarted one after the other, as another version too, and no request and no stream is refused or lost")
def _(context):
    # The program that the servers are of before; each is of this one behind its restart.
    before, faults = os.environ.get("FRESHET_BEFORE", context.binary), []
    with folder() as place, Engine(place, 3 if LONG else 1) as engine, Cluster(before, engine, place, 3, "--drain", "1s") as cluster:
        cluster.leader()
        balancer, written, queries = Balancer(cluster), {}, [Query() for _ in range(8)]

        def kept(function, *arguments):
            try:
                function(*arguments)
            except Exception as fault:
                faults.append(f"{type(fault).__name__} {fault}")

        threads = [threading.Thread(target=kept, args=arguments) for arguments in [
            *((balancer.write, number, written) for number in range(4)), *((balancer.read, number) for number in range(2)),
            *((balancer.stream, number, query) for number, query in enumerate(queries))]]
        for thread in threads:
            thread.start()

        def goes_on():
            count = balancer.counts["PUT"]
            soon(lambda: balancer.counts["PUT"] > count + (3_000 if LONG else 150), "writes go on", 120)

        try:
            goes_on()
            cluster.binary = context.binary
            first = cluster.leader()
            for turn, index in enumerate([(first + 1) % 3, (first + 2) % 3, first] * (2 if LONG else 1)):
                # As /readyz says to whoever rolls it out: a follower is there that can lead.
                soon(lambda: sum(each["ready"] for each in cluster.state(index)["replicas"]) == 3, "all are ready", 60)
                same(cluster.servers[index].stop(30), 0, "exit status")
                cluster.restart(index)
                soon(lambda: cluster.servers[index].get("/readyz").status == 200, "it is ready", 60)
                goes_on()
                if turn == 0 and LONG:
                    # One of this version leads those of before, then they lead it.
                    for to in (index, first):
                        handed_over(cluster.servers[first], f"?to={'abc'[to]}")
                        soon(lambda: cluster.state(to)["self"]["role"] == "leader", "it leads", 60)
                        goes_on()
        finally:
            balancer.is_over.set()
            for thread in threads:
                thread.join(60)
        print(f"      {dict(balancer.counts)}" + (f"; from {before}" if before != context.binary else ""))
        faults += balancer.faults
        check(not faults, f"{len(faults)} times a client met what it should not have: " + "\n      ".join(faults[:5]))
        check(balancer.counts["streams sent on"] >= 3, f"streams were sent on: {balancer.counts}")
        for server in cluster.servers:
            rows = {row["id"]: row["n"] for row in strong(server, "/v1/t?limit=10000")["items"]}
            same(rows, written, "all that was acknowledged last")
        # What a stream holds is what a search shows, once it has been told of the last write.
        for number in range(4):
            cluster.servers[number % 3].put(f"/v1/t/last{number}", {"n": 1_000_000, "by": number}).is_(201)
        for number, query in enumerate(queries):
            path = f"/v1/t?filter=by=={number % 4}&order=-n&limit=5"
            with cluster.servers[number % 3].watch(path + "&live=delta", {"Accept": "text/event-stream", "Last-Event-ID": query.last}) as stream:
                while f"last{number % 4}" not in query.items:
                    event = stream.until("snapshot", "delta")
                    check(event[2].get("why", "update") == "update", f"it goes on: {event}")
                    query.known = max(query.known, event[2].get("from", -1))
                    query.apply(event[0], event[2])
            same([query.items[key] for key in query.order], strong(cluster.servers[0], path)["items"], "what the stream holds")
