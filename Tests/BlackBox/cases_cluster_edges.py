"""What a cluster does at its edges: a write that meets a change of the lead, a log that cannot be followed, that
went back or that is full, and a start after everything has ended."""
import base64
import contextlib
import http.client
import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import threading
import time

from cases_cluster_duties import Counted, clustered
from cluster import Cluster, Engine, Postgres, accepted, strong
from harness import Failure, case, check, command, folder, same, soon


def put_key(engine, key, value):
    """Writes to the engine as a stray hand does."""
    encoded = lambda data: base64.b64encode(data).decode()
    engine.answer(engine.leader(), "/v3/kv/put", {"key": encoded(key), "value": encoded(value)})


@case("an import whose body came to a server before it led is done by it, whole")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), 2, takeover="2s") as cluster:
        leader = cluster.leader()
        follower = cluster.servers[1 - leader]
        lines = b"".join(b'{"id":"i%d"}\n' % number for number in range(9_000))
        head = f"POST /v1/_import?type=t HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\nContent-Length: {len(lines)}\r\nConnection: close\r\n\r\n"
        with socket.create_connection(("127.0.0.1", cluster.ports[1 - leader])) as link:
            link.settimeout(60)
            link.sendall(head.encode() + lines[:50_000])
            cluster.servers[leader].kill()
            same(cluster.leader(but=leader), 1 - leader, "who leads")
            link.sendall(lines[50_000:])
            answer = b""
            while piece := link.recv(65_536):
                answer += piece
        check(answer.startswith(b"HTTP/1.1 200 "), answer[:300])
        same(json.loads(answer[answer.index(b"\r\n\r\n"):])["meta"]["count"], 9_000, "what it says was imported")
        same(follower.get("/v1/t?limit=1&count=true").is_(200).json["meta"]["total"], 9_000, "what there is")


@case("what a remote has done and the log did not take is not sent on, and its repeat bears the same key")
def _(context):
    keys = []

    def answer(request):
        keys.append(request.headers["Idempotency-Key"])
        if len(keys) == 1:
            engine.signal(signal.SIGSTOP)
        request.reply(201, {"id": "1", "n": len(keys)})

    remote = {"upstream": "api", "search": {"path": "/w"}, "create": {"path": "/w"}, "update": {"path": "/w/{id}"}}
    with Counted(answer) as upstream, clustered(context, upstream, {"types": {"w": {"remote": remote}}}) as cluster:
        engine = cluster.engine
        leader = cluster.servers[cluster.leader()]
        try:
            first = leader.ask("PUT", "/v1/w/1?target=remote", {"n": 1}, {"Idempotency-Key": "one"})
        finally:
            engine.signal(signal.SIGCONT)
        check(first.status == 503, f"{first.status} {first.body}")
        same(first.json["outcome"], "unknown", "what is known of it")
        check("has done it" in first.json["detail"], first.json["detail"])
        same(len(keys), 1, "how often the remote was asked")
        cluster.leader()
        again = soon(lambda: (answer := cluster.others(cluster.leader())[0].ask(
            "PUT", "/v1/w/1?target=remote", {"n": 1}, {"Idempotency-Key": "one"})).status < 500 and answer, "the repeat", 60)
        check(again.status in (200, 201), f"{again.status} {again.body}")
        same(len(set(keys)), 1, "keys that the remote was given")


@case("a server that follows the log no more sends its streams on, takes none, and says what to do")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), 2) as cluster:
        leader = cluster.leader()
        follower = cluster.servers[1 - leader]
        follower.put("/v1/t/1", {"n": 1}).is_(201)
        same(strong(follower, "/v1/t/1"), {"id": "1", "n": 1}, "on the follower")
        with follower.watch("/v1/t?live=delta") as stream:
            stream.snapshot()
            # As a later version puts it.
            found = engine.ask("/v3/kv/range", "freshet/head")["kvs"][0]["value"]
            head = json.loads(base64.b64decode(found))
            put_key(engine, b"freshet/head", json.dumps({**head, "format": 99, "beat": head["beat"] + 1}).encode())
            soon(lambda: cluster.state(1 - leader)["self"]["role"] == "stopped", "it stops", 60)
            stream.until("bye", seconds=30)
        same(follower.get("/v1/t/1").is_(200).json, {"id": "1", "n": 1}, "what is read all the same")
        health = follower.get("/readyz").is_(503).json
        same((health["cluster"]["role"], health["cluster"]["reason"]), ("stopped", "too-old"), "readyz")
        check("install the version" in health["stores"]["main"]["reason"], f"what to do: {health['stores']}")
        refused = follower.ask("GET", "/v1/t", headers={"Accept": "text/event-stream"})
        # A client of events hears of it as such, and asks another server when it tries again.
        check(b"event: fault" in refused.body and b"replica-behind" in refused.body and b"another server" in refused.body, refused.body)
        reopened = follower.ask("POST", "/v1/_store/reopen")
        reopened.is_(501, "not-implemented")
        check("install the version" in reopened.json["hint"], reopened.body)
        check("follows the cluster's log no more" in follower.log_text(), "it says so in its log")


@case("keys beside the log that are no records stop nobody")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place)) as cluster:
        leader = cluster.leader()
        follower = cluster.others(leader)[0]
        follower.put("/v1/t/1", {"n": 1}).is_(201)
        for key in (b"freshet/log/ffffffffffffffff", b"freshet/log/hello", b"freshet/log/00000000000000zz", b"freshet/log/", b"freshet/log/3000000000000000", b"freshet/log/7fffffffffffffff/x/y"):
            put_key(engine, key, b"anything")
        for number in range(2, 6):
            follower.put(f"/v1/t/{number}", {"n": number}).is_(201)
        for server in cluster.servers:
            same(len(strong(server, "/v1/t")["items"]), 5, "entities")
        # From the beginning of the log, too.
        added = cluster.servers[cluster.add()]
        same(len(strong(added, "/v1/t")["items"]), 5, "entities of a server that is new")
        check(all(server.alive() for server in cluster.servers), "all serve")


@case("a head that nothing can follow stops a server in words")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), 1, takeover="2s") as cluster:
        server = cluster.servers[cluster.leader()]
        server.put("/v1/t/1", {"n": 1}).is_(201)
        found = engine.answer(engine.leader(), "/v3/kv/range", {"key": base64.b64encode(b"freshet/head").decode()})
        head = json.loads(base64.b64decode(found["kvs"][0]["value"]))
        head["term"], head["leader"], head["instance"] = 2 ** 64 - 1, "stray", "1"
        put_key(engine, b"freshet/head", json.dumps(head, separators=(",", ":")).encode())
        soon(lambda: server.get("/readyz").json["stores"]["main"]["state"] == "stopped", "it follows no more", 30)
        server.get("/v1/t/1").is_(200)
        check(server.alive(), server.tail())


@case("strong reads without a pause keep no write waiting")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), 1) as cluster:
        server = cluster.servers[cluster.leader()]
        server.put("/v1/t/1", {"n": -1}).is_(201)
        ends = threading.Event()

        def reads():
            link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
            while not ends.is_set():
                link.request("GET", "/v1/t/1", headers={"Freshet-Read": "strong"})
                link.getresponse().read()
            link.close()

        readers = [threading.Thread(target=reads) for _ in range(16)]
        for reader in readers:
            reader.start()
        try:
            for n in range(100):
                server.put("/v1/t/1", {"n": n}).is_(200)
        finally:
            ends.set()
            for reader in readers:
                reader.join()


@case("many writes at once by way of one server go to the leader over a bounded number of connections")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), 2) as cluster:
        leader = cluster.leader()
        links = [socket.create_connection(("127.0.0.1", cluster.ports[1 - leader])) for _ in range(600)]
        most = lambda: sum(
            1 for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]
            if line.split()[1].endswith(f":{cluster.ports[leader]:04X}") and line.split()[3] == "01")
        engine.signal(signal.SIGSTOP)
        try:
            for number, link in enumerate(links):
                link.settimeout(60)
                link.sendall(f"PUT /v1/t/{number} HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: {number}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{{}}".encode())
            soon(lambda: most() >= 200, "requests on their way", 10)
            time.sleep(0.3)
            check(most() <= 260, f"{most()} connections to the leader")
        finally:
            engine.signal(signal.SIGCONT)
        statuses = [link.recv(4_096).split()[1] for link in links]
        for link in links:
            link.close()
        check(set(statuses) <= {b"201", b"503"} and b"201" in statuses, f"{sorted(set(statuses))}")
        for number in range(600):
            accepted(cluster.servers[1 - leader], f"/v1/t/{number}", {})
        same(strong(cluster.servers[1 - leader], "/v1/t?limit=1&count=true")["meta"]["total"], 600, "entities")


@case("all servers that are killed at once begin again with all that was acknowledged, and streams go on exactly")
def _(context):
    with folder() as place, Engine(place) as engine, Cluster(context.binary, engine, place, 3, takeover="2s") as cluster:
        leader = cluster.leader()
        term = cluster.state(leader)["term"]
        for number in range(30):
            cluster.servers[number % 3].put(f"/v1/t/{number}", {"n": number}).is_(201)
        marks = []
        for server in cluster.servers:
            with server.watch("/v1/t?order=n&limit=40&live=delta") as stream:
                marks.append(stream.snapshot()[1])
        for server in cluster.servers:
            server.kill()
        for index in range(3):
            cluster.restart(index)
            # It has what it had before anybody leads.
            same(len(cluster.servers[index].get("/v1/t?limit=40").is_(200).json["items"]), 30, "what it has")
        again = cluster.leader()
        check(cluster.state(again)["term"] > term, "a term of its own")
        written = accepted(cluster.servers[0], "/v1/t/30", {"n": 30}).is_(201).header("Freshet-Cursor")
        same(written.split(".")[0], marks[0].split(".")[0], "the epoch")
        for index, server in enumerate(cluster.servers):
            same([row["n"] for row in strong(server, "/v1/t?order=n&limit=40")["items"]], list(range(31)), "all of it")
            # At another server than the one that told the cursor.
            with server.watch("/v1/t?order=n&limit=40&live=delta", {"Accept": "text/event-stream", "Last-Event-ID": marks[index - 1]}) as stream:
                event = stream.until("snapshot", "delta")
                same((event[0], event[2].get("put")), ("delta", [{"id": "30", "n": 30}]), "how the stream goes on")


def holds_back(cluster, index, reason, is_led=False):
    """A server that has stopped to follow says why, reads on with an age, takes no stream, and no write but for
    whoever leads."""
    server = cluster.servers[index]
    soon(lambda: cluster.state(index)["self"]["role"] == "stopped", "it stops", 60)
    health = server.get("/readyz").is_(503).json
    same((health["cluster"]["role"], health["cluster"]["reason"]), ("stopped", reason), "readyz")
    server.get("/readyz?for=reads").is_(200)
    check("freshet cluster recover" in health["stores"]["main"]["reason"], f"what to do: {health['stores']}")
    soon(lambda: server.get("/v1/t").is_(200).header("Freshet-Lag") is not None, "the age of what is read", 60)
    refused = server.put("/v1/t/refused", {"n": 0})
    if is_led:
        refused.is_(201)
    else:
        check(refused.status == 503 and refused.json["outcome"] == "not-applied", f"{refused.status} {refused.body}")
    check(b"event: fault" in server.ask("GET", "/v1/t", headers={"Accept": "text/event-stream"}).body, "a stream is sent on")


@contextlib.contextmanager
def rewound(context):
    """Two servers that have stopped, since their log was restored from a copy with one entity of seven; the folder, the
    engine, the cluster and who led."""
    with folder() as place, Engine(place) as engine, Cluster(context.binary, engine, place, 2, takeover="2s") as cluster:
        leader = cluster.leader()
        follower = cluster.servers[1 - leader]
        follower.put("/v1/t/1", {"n": 1}).is_(201)
        engine.kill(0)
        shutil.copytree(place / "n0", place / "older")
        engine.start(0)
        engine.wait()
        for number in range(2, 8):
            accepted(follower, f"/v1/t/{number}", {"n": number}).is_(201)
        for server in cluster.servers:
            strong(server, "/v1/t")
        with follower.watch("/v1/t?live=delta") as stream:
            stream.snapshot()
            engine.kill(0)
            shutil.rmtree(place / "n0")
            shutil.copytree(place / "older", place / "n0")
            engine.start(0)
            engine.wait()
            same(stream.until("bye", seconds=60)[2]["reason"], "moved", "how its stream ends")
        for index in range(2):
            holds_back(cluster, index, "log-rewound")
            same(len(cluster.servers[index].get("/v1/t").is_(200).json["items"]), 7, "what was acknowledged is read on")
        yield place, engine, cluster, leader


@case("a log that was restored from an older copy stops every server, and nothing is taken until an operator has chosen")
def _(context):
    with rewound(context) as (place, engine, cluster, leader):
        follower = cluster.servers[1 - leader]
        for server in cluster.servers:
            same(server.stop(), 0, "exit status")
        # The copy is given up: the log is made anew from a server that has all.
        engine.kill(0)
        shutil.rmtree(place / "n0")
        engine.start(0)
        engine.wait()
        status, out, error = command(context.binary, "cluster", "recover", "--cluster-log", engine.url, "--data", str(cluster.folder(leader)), "--json")
        check(status == 0, f"recover: {status} {error}")
        same(json.loads(out)["entities"], 7, "what the log begins with: the keys of six writes beside them are no entities")
        for index in (leader, 1 - leader):
            cluster.restart(index)
        cluster.leader()
        accepted(follower, "/v1/t/8", {"n": 8}).is_(201)
        for server in cluster.servers:
            same(len(strong(server, "/v1/t")["items"]), 8, "all of it")


@case("a log that was restored and written on is another one to a server that had more, which never joins it by itself")
def _(context):
    with rewound(context) as (place, engine, cluster, leader):
        for server in cluster.servers:
            same(server.stop(), 0, "exit status")
        # It has the copy alone, leads, and writes past what is lost.
        added = cluster.servers[cluster.add()]
        for number in range(30):
            accepted(added, f"/v1/t/other{number}", {"n": number}).is_(201)
        cluster.restart(leader)
        holds_back(cluster, leader, "log-forked", is_led=True)
        server = cluster.servers[leader]
        check("and what the log has at seq" in server.get("/readyz").json["stores"]["main"]["reason"], "the seqs")
        same(len(server.get("/v1/t").is_(200).json["items"]), 7, "what it had")
        same(list((cluster.folder(leader) / "aside").iterdir()), [], "what is set aside")
        server.ask("POST", "/v1/_store/reopen").is_(202)
        soon(lambda: follows(cluster, leader), "it joins", 60)
        same(len(strong(server, "/v1/t")["items"]), 32, "what the log has, with what was passed on to it")


def follows(cluster, index):
    """Whether it is there, has joined, and has not stopped to follow; in between nobody listens."""
    with contextlib.suppress(Failure):
        return cluster.servers[index].get("/readyz?for=reads").status == 200 and cluster.state(index)["self"]["role"] != "stopped"


@case("a server that has stopped behind its log joins it anew where an operator says so, in place, and sets aside what it had")
def _(context):
    with rewound(context) as (place, engine, cluster, leader):
        held = cluster.servers[0].get("/v1/t").is_(200).header("Freshet-Cursor")
        # By what a server has that has stopped nobody joins.
        refused = cluster.servers[0].ask("GET", "/v1/_backup", headers={"Freshet-Forwarded": "b"})
        refused.is_(503, "replica-behind")
        # Nothing is set aside while there is nothing to join.
        engine.signal(signal.SIGSTOP)
        cluster.servers[0].ask("POST", "/v1/_store/reopen").is_(202)
        soon(lambda: follows(cluster, 0), "it answers again", 60)
        same(len(cluster.servers[0].get("/v1/t").is_(200).json["items"]), 7, "what it had")
        engine.signal(signal.SIGCONT)
        holds_back(cluster, 0, "log-rewound")
        for index, server in enumerate(cluster.servers):
            answer = server.ask("POST", "/v1/_store/reopen").is_(202)
            same(answer.json["state"], "joining", "what follows")
            # The first one looks for four times the takeover whether another follows the log.
            soon(lambda: follows(cluster, index), "it follows again", 60)
            same([row["id"] for row in server.get("/v1/t").is_(200).json["items"]], ["1"], "what the log has")
            aside = cluster.folder(index) / "aside"
            check(list(aside.iterdir()), "what it had is kept")
        cluster.leader()
        accepted(cluster.servers[0], "/v1/t/8", {"n": 8}).is_(201)
        # Past the seqs of what is lost, whose cursors are none of this log's.
        for number in range(16):
            accepted(cluster.servers[0], "/v1/t/8", {"n": number}).is_(200)
        for server in cluster.servers:
            same([row["id"] for row in strong(server, "/v1/t")["items"]], ["1", "8"], "all of it")
            with server.watch("/v1/t?live=delta") as stream:
                same(len(stream.snapshot()[0]), 2, "rows of a stream")
            for path in ("/v1/t?live=delta", "/v1/_live?q.a=%2Fv1%2Ft"):
                with server.watch(path, {"Accept": "text/event-stream", "Last-Event-ID": held}) as stream:
                    event = stream.until("snapshot", "delta", "sync")
                    same((event[0], event[2].get("why"), len(event[2].get("items", []))), ("snapshot", "epoch", 2), "what is told to a client that has seen what is lost")
        check(all(server.alive() for server in cluster.servers), "the processes are those of before")
        for server in cluster.servers:
            same(server.stop(), 0, "exit status")


@case("where the engine takes nothing more its alarm is told with what to run, and once that is done all goes on by itself")
def _(context):
    with folder() as place, Engine(place, flags=["--quota-backend-bytes", str(16 << 20)]) as engine, Cluster(context.binary, engine, place, 2) as cluster:
        leader = cluster.leader()
        follower = cluster.servers[1 - leader]
        follower.put("/v1/t/1", {"n": 1}).is_(201)
        with follower.watch("/v1/t?live=delta") as stream:
            stream.snapshot()
            # Keys of others, of which no truncation knows.
            text = base64.b64encode(b"x" * 1_000_000).decode()
            for number in range(64):
                if "alarm" in json.dumps(engine.answer(0, "/v3/maintenance/alarm", {"action": "GET"}).get("alarms", [])):
                    break
                engine.answer(0, "/v3/kv/put", {"key": base64.b64encode(b"stray/%d" % number).decode(), "value": text})
            check(engine.answer(0, "/v3/maintenance/alarm", {"action": "GET"})["alarms"][0]["alarm"] == "NOSPACE", "the alarm")
            for server in cluster.servers:
                refused = soon(lambda: (answer := server.put("/v1/t/2", {"n": 2})).status == 507 and answer, "it is full", 60)
                same((refused.json["code"], refused.json["outcome"]), ("log-full", "not-applied"), "why")
            health = soon(lambda: (answer := cluster.servers[leader].get("/readyz")).status == 503 and answer.json, "readyz", 60)
            same(health["log"]["state"], "full", "the log")
            check("disarm" in json.dumps(health), f"what to run: {health}")
            same(follower.get("/v1/t/1").is_(200).json, {"id": "1", "n": 1}, "reads go on")
            # As it says: compact, defragment, disarm.
            revision = engine.ask("/v3/kv/deleterange", "stray/")["header"]["revision"]
            engine.answer(0, "/v3/kv/compaction", {"revision": revision, "physical": True})
            engine.answer(0, "/v3/maintenance/defragment", {})
            for alarm in engine.answer(0, "/v3/maintenance/alarm", {"action": "GET"})["alarms"]:
                engine.answer(0, "/v3/maintenance/alarm", {"action": "DEACTIVATE", **alarm})
            for number, server in enumerate(cluster.servers):
                soon(lambda: server.put(f"/v1/t/more{number}", {"n": 3}).status == 201, "writes go on", 60)
                soon(lambda: server.get("/readyz").status == 200, "it is ready", 60)
            seen = set()
            while len(seen) < 2:
                seen |= {row["id"] for row in stream.until("delta", seconds=30)[2]["put"]}
            same(seen, {"more0", "more1"}, "what the stream, which went on, was told")


@case("a follower whose disk fails goes on in memory, and joins anew at its next start")
def _(context):
    with folder() as place, Engine(place) as engine, Cluster(context.binary, engine, place, 2) as cluster:
        leader = cluster.leader()
        follower = cluster.servers[1 - leader]
        follower.put("/v1/t/0", {"n": 0}).is_(201)
        # Whatever it writes to a file fails.
        resource.prlimit(follower.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        count = 0

        def failed():
            nonlocal count
            count += 1
            follower.put(f"/v1/t/{count}", {"text": "x" * 50_000}).is_(201)
            return follower.get("/readyz").json["cache"]["state"] == "failed"
        with follower.watch("/v1/t?live=delta&fields=id") as stream:
            stream.snapshot()
            soon(failed, "its files have failed", 60)
            check(follower.get("/readyz").is_(200).json["cache"]["reason"], "why")
            follower.put("/v1/t/last", {"n": 1}).is_(201)
            while not any(row["id"] == "last" for row in stream.until("delta", seconds=30)[2]["put"]):
                pass
        same(cluster.leader(), leader, "who leads")
        soon(lambda: not next(each for each in cluster.state(leader)["replicas"] if each["id"] == "ab"[1 - leader])["ready"], "the leader hears of it", 60)
        cluster.servers[leader].ask("POST", "/v1/_cluster/step-down").is_(409, "no-successor")
        follower.stop()
        again = cluster.restart(1 - leader)
        soon(lambda: again.get("/readyz").is_(200).json["cache"]["state"] == "ready", "its files are kept again", 60)
        rows = [strong(server, "/v1/t?order=id&limit=1000&fields=id")["items"] for server in cluster.servers]
        same((len(rows[0]), rows[1]), (count + 2, rows[0]), "the same on both")


@case("when all is lost the cluster begins with a backup, and clients are told anew")
def _(context):
    with folder() as place:
        with Engine(place) as engine, Cluster(context.binary, engine, place, 2) as cluster:
            follower = cluster.servers[1 - cluster.leader()]
            for number in range(20):
                follower.put(f"/v1/t/{number}", {"n": number}).is_(201)
            status, out, error = command(context.binary, "backup", "--server", follower.url, str(place / "all.backup"))
            same(status, 0, f"backup: {out} {error}")
            with follower.watch("/v1/t?live=delta") as stream:
                mark = stream.snapshot()[1]
            follower.put("/v1/t/late", {"n": 0}).is_(201)
        shutil.rmtree(place / "n0")
        for name in ("a0", "b1"):
            shutil.rmtree(place / name)
        status, out, error = command(context.binary, "restore", str(place / "all.backup"), "--data", str(place / "a0"))
        same(status, 0, f"restore: {out} {error}")
        with Engine(place) as engine:
            status, out, error = command(context.binary, "cluster", "init", "--cluster-log", engine.url, "--data", str(place / "a0"), "--json")
            check(status == 0, f"init: {status} {out} {error}")
            same(json.loads(out)["entities"], 20, "what the log begins with")
            with Cluster(context.binary, engine, place, 2) as cluster:
                cluster.leader()
                for server in cluster.servers:
                    same(len(strong(server, "/v1/t?limit=100")["items"]), 20, "what the backup had, and no more")
                    with server.watch("/v1/t?live=delta&limit=100", {"Accept": "text/event-stream", "Last-Event-ID": mark}) as stream:
                        rows, _, why = stream.snapshot()
                    same((len(rows), why), (20, "epoch"), "what a stream of before is told")
                for number, server in enumerate(cluster.servers):
                    accepted(server, f"/v1/t/new{number}", {"n": 1}).is_(201)


if os.environ.get("FRESHET_LONG_TESTS"):
    @case("PostgreSQL whose wait for its standby an operator cancelled, and which then fails over, stops the servers that are ahead of it")
    def _(context):
        with folder() as place, Postgres(place) as engine, Cluster(context.binary, engine, place, 2, takeover="3s") as cluster:
            leader = cluster.leader()
            accepted(cluster.servers[1 - leader], "/v1/t/1", {"n": 1}).is_(201)
            engine.kill(1)
            writing = threading.Thread(target=lambda: cluster.servers[leader].put("/v1/t/2", {"n": 2}))
            writing.start()
            cancel = "select count(pg_cancel_backend(pid)) from pg_stat_activity where wait_event = 'SyncRep'"

            def shown():
                engine.run("psql", "-X", "-h", "127.0.0.1", "-p", str(engine.clients[0]), "-U", "postgres", "-c", cancel)
                return cluster.servers[1 - leader].get("/v1/t/2").status == 200
            # The primary has it alone, and shows it: what a replica applies there may be taken back.
            soon(shown, "the write is applied", 60)
            writing.join()
            # A leader whose step is open would make it again.
            cluster.servers[leader].kill()
            engine.kill(0)
            engine.start(1)
            engine.wait(1, "ready to accept read-only connections")
            engine.primary, engine.turns = 1, 1
            engine.run("pg_ctl", "promote", "-D", engine.data(1))
            engine.follow(0)
            holds_back(cluster, 1 - leader, "log-rewound")
            same(cluster.servers[1 - leader].get("/v1/t/2").is_(200).json["n"], 2, "what it has shown it goes on to show")
