"""The life of a cluster: who is there, who leads next, what the log gives up, who joins (replication.md)."""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import resource
import shutil
import signal
import threading
import time

import strace
from cluster import Cluster, Engine, accepted, handed_over, strong
from harness import Failure, Server, case, check, command, folder, same
from ports import free_ports


def until(condition, what, seconds=60):
    """What `condition` answers, once it is true."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        check(time.monotonic() < end, f"{what} within {seconds} s")
        time.sleep(0.1)
    return found


def secret(place):
    """A configuration with a secret of the cluster."""
    (place / "secret").write_text("a secret of the cluster\n")
    path = place / "cluster.json"
    path.write_text(json.dumps({"cluster": {"secret": {"file": str(place / "secret")}}}))
    return ["--config", str(path)]


def figures(server):
    """The metrics of one sample each, by name."""
    lines = server.get("/metrics").is_(200).body.decode().splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}


PROOF = {"Freshet-Forwarded": "x; a secret of the cluster"}


@case("servers tell the leader of themselves, and each shows all of them")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine:
        place = pathlib.Path(place)
        with Cluster(context.binary, engine, place, 3, *secret(place)) as cluster:
            leader = cluster.leader()
            cluster.servers[leader].put("/v1/t/1", {"n": 1}).is_(201)
            for server in cluster.servers:
                strong(server, "/v1/t")
                server.ask("POST", "/v1/_store/compact").is_(200)
            for index in range(3):

                def whole():
                    state = cluster.state(index)
                    there = {each["id"]: each for each in state["replicas"]}
                    return sorted(there) == ["a", "b", "c"] and all(
                        each["ready"] and each["seq"] == 1 and each["snapshotSeq"] == 1 for each in there.values()) and state
                state = until(whole, "all three are known, with their snapshots")
                same(state["self"]["id"], "abc"[index], "who answers")
                same([each["role"] for each in sorted(state["replicas"], key=lambda each: each["id"])],
                     ["leader" if at == leader else "follower" for at in range(3)], "roles")
                for at, each in enumerate(sorted(state["replicas"], key=lambda each: each["id"])):
                    same(each["url"], cluster.servers[at].url, "url")
                check(state["engine"]["state"] == "reachable" and state["engine"]["bytes"] > 0 and state["engine"]["quota"] > 0, str(state["engine"]))
            follower = cluster.servers[(leader + 1) % 3]
            before = figures(follower)
            follower.put("/v1/t/1", {"n": 1}).is_(200)
            same(figures(follower)["freshet_cluster_forwarded_total"], before["freshet_cluster_forwarded_total"] + 1, "forwarded")
            for index, server in enumerate(cluster.servers):
                same(server.get("/v1").is_(200).json["links"]["cluster"], "/v1/_cluster", "the link")
                shown = figures(server)
                same([shown["freshet_log_is_leader"], shown["freshet_log_appends_total"], shown["freshet_log_append_seconds_count"]],
                     [1, 1, 1] if index == leader else [0, 0, 0], "who leads, and what it has put")
                same([shown["freshet_log_head_seq"], shown["freshet_log_applied_seq"], shown["freshet_log_floor_seq"]], [1, 1, 1], "the log")
            with Server(context.binary) as alone:
                check(not any("_log_" in name and "store" not in name for name in figures(alone)), "a server alone has none of them")
            report = {"instance": "7", "url": "http://127.0.0.1:9", "role": "follower", "ready": True, "seq": 0, "lagMs": 0,
                      "snapshotSeq": 0, "format": 1, "digest": "", "subscribers": {}}
            ask, path = cluster.servers[leader].ask, "/v1/_cluster/replicas/d"
            ask("POST", path, report).is_(403, "cluster-secret")
            ask("POST", path, report, {"Freshet-Forwarded": "d; another"}).is_(403, "cluster-secret")
            ask("POST", path, {**report, "seq": -1}, PROOF).is_(400, "bad-request")
            ask("POST", "/v1/_cluster/replicas/9", report, PROOF).is_(400, "bad-request")
            ask("POST", path, "x" * 300_000, PROOF).is_(413, "payload-too-large")
            other = cluster.servers[(leader + 1) % 3].ask("POST", path, report, PROOF).is_(503, "not-leader")
            same(other.json["leader"], cluster.servers[leader].url, "the leader")
            # A member of a later version is passed over.
            answer = ask("POST", path, {**report, "later": {}}, PROOF).is_(200).json
            same((answer["term"], answer["taken"]), (cluster.state(leader)["term"], False), "the answer")
            same(sorted(each["id"] for each in answer["replicas"]), ["a", "b", "c", "d"], "all")


KEEPS_LITTLE = ["--cluster-log-keep", "1s"]


def filled(cluster, count=40):
    """Entities in the log, and a snapshot of them on each server."""
    leader = cluster.servers[cluster.leader()]
    for number in range(count):
        leader.put(f"/v1/t/{number}", {"n": number}).is_(201)
    for server in cluster.servers:
        strong(server, "/v1/t?limit=1")
        server.ask("POST", "/v1/_store/compact").is_(200)


@case("the lead goes to a server that is there; without one that is said")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), 2) as cluster:
        old = cluster.leader()
        follower = cluster.servers[1 - old]
        unknown = follower.ask("POST", "/v1/_cluster/step-down?to=x").is_(409, "no-successor")
        check("'x'" in unknown.json["detail"], str(unknown.json))
        answer = handed_over(follower)
        same(answer["successor"], "ab"[1 - old], "the successor")
        same(cluster.leader(but=old), 1 - old, "who leads")
        # Its other server is stopped: nobody is there.
        same(cluster.servers[old].stop(), 0, "exit status")
        until(lambda: follower.ask("POST", "/v1/_cluster/step-down").status == 409, "nobody is there")
        follower.put("/v1/t/1", {"n": 1}).is_(201)
        same(follower.stop(), 0, "exit status of the last one")


@case("a lead that is given up goes to a server that answers, however lately another one was heard of")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place)) as cluster:
        for how in ("step-down", "SIGTERM"):
            old = cluster.leader()
            # Of equal ones the first by name comes next.
            lost, later = [index for index in range(3) if index != old]
            until(lambda: [one["ready"] for one in cluster.state(old)["replicas"]] == [True] * 3, "all are there")
            cluster.servers[lost].kill()
            began = time.monotonic()
            if how == "SIGTERM":
                same(cluster.servers[old].stop(), 0, "exit status")
                check(f"handed the lead over to={'abc'[later]}" in cluster.servers[old].log_text(), cluster.servers[old].log_text()[-500:])
            else:
                answer = cluster.servers[old].ask("POST", "/v1/_cluster/step-down").is_(200).json
                same((answer["successor"], answer["leader"]["id"]), ("abc"[later],) * 2, "who leads next")
            cluster.servers[later].put("/v1/t/1", {"n": began}).is_(201 if how == "step-down" else 200)
            same(cluster.leader(), later, "who leads")
            same(cluster.servers[later].ask("HEAD", "/v1/_operations").header("Content-Length"),
                 str(len(cluster.servers[later].get("/v1/_operations").body)), "the length that HEAD tells at the leader")
            cluster.restart(lost)
            if how == "SIGTERM":
                cluster.restart(old)
            follower = cluster.servers[lost]
            until(lambda: follower.get("/readyz").status == 200, "the follower")
            same(follower.ask("HEAD", "/v1/_operations").header("Content-Length"), str(len(follower.get("/v1/_operations").body)), "the same sent on")


@case("a session is found at every server as soon as the one that keeps it is ready")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place)) as cluster:
        until(lambda: all(len(cluster.state(index)["replicas"]) == 3 for index in range(3)), "all have heard of all")
        added = cluster.servers[cluster.add()]
        made = added.ask("POST", "/v1/_live", {"queries": {"a": "/v1/t"}}).is_(201).json
        for server in cluster.servers[:3]:
            with server.watch(made["url"]) as stream:
                same(stream.status, 200, f"the session at {server.url}")


@case("a rolling restart loses nothing, and refuses nothing that a retry does not answer")
def _(context):
    # The program that the servers are of before; each is of this one behind its restart.
    before = os.environ.get("FRESHET_BEFORE", context.binary)
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(
            before, engine, pathlib.Path(place), 3, "--drain", "200ms") as cluster:
        cluster.leader()
        cluster.binary = context.binary
        over, acknowledged, refused = threading.Event(), {}, []

        def write(number):
            count = 0
            while not over.is_set():
                count += 1
                key = f"{number}-{count}"
                end = time.monotonic() + 60
                while True:
                    # A client goes on to another server where one takes no connection.
                    index = (number + count) % 3
                    index = (index + 1) % 3 if index == stopping[0] else index
                    try:
                        answer = cluster.servers[index].ask("PUT", f"/v1/t/{key}", {"n": count}, {"Idempotency-Key": key})
                    except (Failure, OSError):
                        if index != stopping[0]:
                            refused.append(f"{key}: no answer of {index}")
                        continue
                    if answer.status in (200, 201):
                        acknowledged[key] = count
                        break
                    if time.monotonic() > end or answer.status < 500:
                        refused.append(f"{key}: {answer.status} {answer.body}")
                        break

        stopping = [None]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            writers = [pool.submit(write, number) for number in range(4)]
            try:
                for index in range(3):
                    led = cluster.state(index)["self"]["role"] == "leader"
                    term = cluster.state(index)["term"]
                    if led:
                        until(lambda: any(each["ready"] and each["role"] == "follower" for each in cluster.state(index)["replicas"]), "a successor")
                    stopping[0] = index
                    same(cluster.servers[index].stop(30), 0, "exit status")
                    other = (index + 1) % 3
                    if led:
                        # Handed over, not taken over: that would take 20 s.
                        same(cluster.state(other)["term"], term + 1, "one term later")
                    cluster.servers[index].forget()
                    cluster.start(index)
                    stopping[0] = None
                    before = len(acknowledged)
                    until(lambda: len(acknowledged) > before + 8, "writes go on")
            finally:
                over.set()
            for writer in writers:
                writer.result()
        same(refused, [], "what was refused for good")
        for server in cluster.servers:
            rows = {row["id"]: row["n"] for row in strong(server, "/v1/t?limit=10000")["items"]}
            same(rows, acknowledged, "all of it")


def alike(cluster):
    """The rows of all servers that run, which are the same."""
    rows = [strong(server, "/v1/t?order=id&limit=1000")["items"] for server in cluster.servers if server.alive()]
    for other in rows[1:]:
        same(other, rows[0], "the same on all")
    return rows[0]


def outgrow(cluster, leader, behind, name):
    """Writes more than the log may have, 40 rows, so that the server `behind`, which does not hear of it, is left behind."""
    awake = [server for index, server in enumerate(cluster.servers) if index != behind]
    last = cluster.state(leader)["head"]["seq"]
    for number in range(40):
        awake[-1].put(f"/v1/t/{name}{number}", {"text": "x" * 400_000}).is_(201)

    def given_up():
        for server in awake:
            server.ask("POST", "/v1/_store/compact").is_(200)
        return cluster.state(leader)["floor"] > last + 1
    until(given_up, "the log waits for nobody")


@case("what all have in snapshots the log gives up; who lacks it joins by a backup and shows the same")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine:
        place = pathlib.Path(place)
        with Cluster(context.binary, engine, place, 3, *secret(place), *KEEPS_LITTLE, "--cluster-log-keep-most", "1MiB", is_relayed=True) as cluster:
            filled(cluster)
            check(engine.keys("freshet/log/") > 0, "frames in etcd")
            leader = cluster.leader()
            until(lambda: cluster.state(leader)["floor"] == 41, "the log is shortened")
            same(engine.keys("freshet/log/"), 0, "frames in etcd")
            lost, behind = [index for index in range(3) if index != leader]
            # A fourth server, and one whose disk was lost.
            cluster.add()
            same(len(alike(cluster)), 40, "entities")
            same(cluster.servers[lost].stop(), 0, "exit status")
            shutil.rmtree(place / f"{'abcd'[lost]}{lost}")
            cluster.restart(lost)
            same(len(alike(cluster)), 40, "entities")
            # One that is behind what the log still has.
            server = cluster.servers[behind]
            # Of one that sleeps the engine would keep what it has not taken.
            cluster.links.order("close", *cluster.ways[behind])
            outgrow(cluster, leader, behind, "asleep")
            cluster.links.order("pass", *cluster.ways[behind])
            until(lambda: server.get("/readyz").json["cluster"]["reason"] == "log-truncated", "it says that it cannot follow")
            same(len(server.get("/v1/t?limit=1000").is_(200).json["items"]), 40, "what it had is read")
            server.ask("POST", "/v1/_store/reopen").is_(202)

            def is_joined():
                with contextlib.suppress(Failure):
                    return len(alike(cluster)) == 80
            until(is_joined, "it joins in place")
            same(server.stop(), 0, "exit status")
            outgrow(cluster, leader, behind, "large")
            server = cluster.restart(behind)
            same(len(alike(cluster)), 120, "entities")
            check("set aside" in server.log_text(), "it says that its directory is set aside")
            check(list((place / f"{'abcd'[behind]}{behind}" / "aside").iterdir()), "what it had is kept")
            server.put("/v1/t/end", {"n": 0}).is_(201)
            same(len(alike(cluster)), 121, "entities")


def clients(server):
    """How many clients of other servers and of the engine the server has: each polls its sockets."""
    return sum(os.readlink(path) == "anon_inode:[eventpoll]" for path in pathlib.Path(f"/proc/{server.process.pid}/fd").iterdir())


@case("a server that runs and is left behind by the log joins by itself, in place, once another gives its backup")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine:
        place = pathlib.Path(place)
        with Cluster(context.binary, engine, place, 3, *secret(place), *KEEPS_LITTLE, "--cluster-log-keep-most", "1MiB", is_relayed=True) as cluster:
            filled(cluster)
            leader = cluster.leader()
            behind, other = [index for index in range(3) if index != leader]
            server = cluster.servers[behind]
            before = clients(server)
            cluster.links.order("close", *cluster.ways[behind])
            outgrow(cluster, leader, behind, "asleep")
            # Nobody is there who gives anything.
            for index in (leader, other):
                cluster.servers[index].signal(signal.SIGSTOP)
            cluster.links.order("pass", *cluster.ways[behind])
            until(lambda: server.get("/readyz").json["cluster"]["reason"] == "log-truncated", "it says that it cannot follow")
            time.sleep(25)
            same(len(server.get("/v1/t?limit=1000").is_(200).json["items"]), 40, "what it had is read")
            same(list((cluster.folder(behind) / "aside").iterdir()), [], "what is set aside")
            for index in (leader, other):
                cluster.servers[index].signal(signal.SIGCONT)

            def is_joined():
                with contextlib.suppress(Failure):
                    return len(alike(cluster)) == 80
            until(is_joined, "it joins in place", 120)
            check(list((cluster.folder(behind) / "aside").iterdir()), "what it had is kept")
            server.put("/v1/t/end", {"n": 0}).is_(201)
            same(len(alike(cluster)), 81, "entities")
            # The store of before is let go, and with it what asks its log.
            until(lambda: clients(server) == before, f"{before} clients, as before")


@case("a hole in the log stops who has not passed it, with its seq; at its next start it joins by the backup of one that has")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), 3, *secret(pathlib.Path(place))) as cluster:
        leader = cluster.leader()
        away, other = [index for index in range(3) if index != leader]
        cluster.servers[other].put("/v1/t/0", {"n": 0}).is_(201)
        same(cluster.servers[away].stop(), 0, "exit status")
        for number in range(1, 10):
            cluster.servers[other].put(f"/v1/t/{number}", {"n": number}).is_(201)
        hole = int(cluster.state(leader)["head"]["seq"]) - 4
        check(int(engine.ask("/v3/kv/deleterange", f"freshet/log/{hole:016x}").get("deleted", 0)) == 1, "a frame is lost")
        server = cluster.restart(away)
        same(len(strong(server, "/v1/t?limit=100")["items"]), 10, "all of it, by a backup")
        check(f"needs seq {hole}" in server.log_text(), "what the log lacks is said")
        server.put("/v1/t/10", {"n": 10}).is_(201)
        same(len(strong(cluster.servers[other], "/v1/t?limit=100")["items"]), 11, "it goes on")


@case("the directory of another cluster is refused with words")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine:
        place, port = pathlib.Path(place), free_ports(1)[0]
        flags = ["--replica", "a", "--advertise", f"http://127.0.0.1:{port}"]
        for log, data in (("one", "x"), ("two", "y")):
            with Server(context.binary, place / data, "--cluster-log", engine.url.replace("/freshet", f"/{log}"), *flags, port=port) as server:
                server.put("/v1/t/1", {"n": 1}).is_(201)
                same(server.stop(), 0, "exit status")
        status, out, error = command(
            context.binary, "serve", "--listen", f"127.0.0.1:{port}", "--data", str(place / "x"), "--cluster-log",
            engine.url.replace("/freshet", "/two"), *flags)
        check(status == 1 and "another cluster" in error, f"{status} {out} {error}")
        check("\nfreshet: " in "\n" + error, f"{error} does not say who says so")


@case("readyz says what of the cluster is not well, and that reads are answered all the same")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(
            context.binary, engine, pathlib.Path(place), 2, "--cluster-max-lag", "10s") as cluster:
        leader = cluster.leader()
        follower = cluster.servers[1 - leader]
        follower.put("/v1/t/1", {"n": 1}).is_(201)
        health = follower.get("/readyz").is_(200).json
        same(health["log"], {"state": "reachable", "since": None, "lastError": None}, "the log")
        same(health["cluster"], {"role": "follower", "reason": None, "leader": "ab"[leader], "configuration": "same", "faults": []}, "the cluster")
        same(health["cache"], {"state": "ready", "reason": ""}, "its files")
        follower.get("/readyz?for=writes").is_(400, "bad-parameter")
        engine.signal(signal.SIGSTOP)
        for server in cluster.servers:
            away = until(lambda: (answer := server.get("/readyz")).status == 503 and answer.json, "the log is away")
            same((away["status"], away["log"]["state"]), ("unavailable", "away"), "the log")
            check(away["log"]["since"] and away["log"]["lastError"], str(away["log"]))
            server.get("/readyz?for=reads").is_(200)
        # A stream goes on, a read of what may be older than is allowed is refused.
        refused = until(lambda: (answer := follower.get("/v1/t/1")).status == 503 and answer, "it is too old")
        refused.is_(503, "replica-behind")
        follower.get("/readyz?for=reads").is_(503)
        engine.signal(signal.SIGCONT)
        for server in cluster.servers:
            until(lambda: server.get("/readyz").status == 200, "it is back")
        follower.get("/v1/t/1").is_(200)


@case("a configuration is rolled out by whoever leads with it, and one that was left behind answers for a while")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine:
        place = pathlib.Path(place)

        def configure(name, *types):
            (place / f"{name}.json").write_text(json.dumps({"types": {each: {} for each in types}}))

        for name in "ab":
            configure(name, "t")
        with Cluster(context.binary, engine, place, 2, "--config", f"{place}/{{name}}.json", "--cluster-config-grace", "3s") as cluster:
            old = cluster.leader()
            new = 1 - old
            cluster.servers[old].put("/v1/t/1", {"n": 1}).is_(201)

            def standing(index):
                answer = cluster.servers[index].get("/readyz")
                return answer.status, answer.json["cluster"]["configuration"]

            until(lambda: standing(new) == (200, "same"), "both have one")
            # The follower begins with the new one, and answers; the leader's holds until that one leads.
            configure("ab"[new], "t", "u")
            same(cluster.servers[new].stop(), 0, "exit status")
            cluster.start(new)
            cluster.servers[new].get("/v1/t/1").is_(200)
            check(standing(old) == (200, "same"), "the leader's is the log's")
            handed_over(cluster.servers[old], f"?to={'ab'[new]}")
            until(lambda: standing(new) == (200, "same"), "the log has the new one")
            # The one of before answers for a while, sends its streams on, and answers no reads then.
            with cluster.servers[old].watch("/v1/t?live=delta") as stream:
                until(lambda: standing(old) == (503, "differs"), "it has been left behind for too long")
                same(stream.until("bye")[2]["reason"], "moved", "how its stream ends")
            for path in ("/v1/t/1", "/v1/t", "/v1/t?live=delta"):
                cluster.servers[old].get(path).is_(503, "replica-behind")
            cluster.servers[old].put("/v1/t/2", {"n": 2}).is_(201)
            configure("ab"[old], "t", "u")
            same(cluster.servers[old].stop(), 0, "exit status")
            cluster.start(old)
            same(standing(old), (200, "same"), "with the configuration of the other")
            cluster.servers[old].get("/v1/t/2").is_(200)


@case("two servers of one name serve, one of them leads, and both say it")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(
            context.binary, engine, pathlib.Path(place), 3, names="abb") as cluster:
        def taken(index):
            return cluster.servers[index].get("/readyz").is_(200).json["cluster"]["faults"] == ["replica-name-taken"]
        # The one that has its name alone leads.
        until(lambda: cluster.leader() == 0 or handed_over(cluster.servers[0], "?to=a"), "a leads")
        for index in (1, 2):
            until(lambda: taken(index), "the name is taken")
        check(not taken(0), "another name")
        # Of the two one leads.
        handed_over(cluster.servers[0], "?to=b")
        cluster.leader(but=0)
        for index in (1, 2):
            until(lambda: taken(index), "the name is taken")
        for index, server in enumerate(cluster.servers):
            server.put(f"/v1/t/{index}", {"n": index}).is_(201)
        same([len(strong(server, "/v1/t")["items"]) for server in cluster.servers], [3, 3, 3], "entities on each")


@case("a server whose proof the leader does not take answers reads and is not ready for writes, and says why")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine:
        place = pathlib.Path(place)
        with Cluster(context.binary, engine, place, 2, *secret(place), takeover="5s") as cluster:
            leader = cluster.leader()
            cluster.servers[leader].put("/v1/t/1", {"n": 1}).is_(201)
            follower = 1 - leader

            def restart():
                same(cluster.servers[follower].stop(), 0, "exit status")
                cluster.start(follower)
                return cluster.servers[follower]

            def faults(server):
                return server.get("/readyz").json["cluster"]["faults"]

            (place / "secret").write_text("another\n")
            server = restart()
            # Behind four takeovers, so that none of them is taken for it.
            until(lambda: server.get("/readyz").status == 503, "it is not ready")
            same(faults(server), ["leader-unreachable"], "why")
            server.get("/readyz?for=reads").is_(200)
            server.get("/v1/t/1").is_(200)
            same(faults(cluster.servers[leader]), [], "the leader's faults")
            cluster.servers[leader].get("/readyz").is_(200)
            secret(place)
            server = restart()
            server.put("/v1/t/2", {"n": 2}).is_(201)
            until(lambda: all(each["ready"] for each in cluster.state(leader)["replicas"]), "the leader has heard of it")
            server.get("/readyz").is_(200)
            same(faults(server), [], "with the cluster's secret")


@case("a server whose disk is full goes on in memory, says so and does not lead")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), 2, takeover="2s") as cluster:
        leader = cluster.leader()
        cluster.servers[leader].put("/v1/t/1", {"n": 1}).is_(201)
        # No file of it may become larger than it is.
        server = cluster.servers[leader]
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        count = 0

        def failed():
            nonlocal count
            count += 1
            accepted(cluster.servers[1 - leader], f"/v1/t/more{count}", {"text": "x" * 50_000})
            return server.get("/readyz").json["cache"]["state"] == "failed"
        until(failed, "its files have failed")
        until(lambda: cluster.leader() != leader, "the other leads")
        accepted(server, "/v1/t/end", {"n": 2}).is_(201)
        server.get("/readyz").is_(200)
        rows = [strong(each, "/v1/t?order=id&limit=1000&fields=id")["items"] for each in cluster.servers]
        same(rows[0], rows[1], "the same on both")
        check(not next(each for each in cluster.state(1 - leader)["replicas"] if each["id"] == "ab"[leader])["ready"], "it is not ready to lead")


@case("a log begins with what a server alone has, and again with what a server of it has")
def _(context):
    with folder() as place:
        place = pathlib.Path(place)
        data = place / "a0"
        with Server(context.binary, data) as server:
            for number in range(20):
                server.put(f"/v1/t/{number}", {"n": number}).is_(201)
            server.ask("DELETE", "/v1/t/0").is_(204)
            locked = command(context.binary, "cluster", "init", "--cluster-log", "etcd://127.0.0.1:1/x", "--data", str(data))
            check(locked[0] == 1, f"without the engine: {locked}")
            same(server.stop(), 0, "exit status")
        with Engine(place) as engine:
            # A server does not take such a directory by itself, and says what does.
            status, out, error = command(
                context.binary, "serve", "--listen", "127.0.0.1:0", "--data", str(data), "--cluster-log", engine.url,
                "--replica", "a", "--advertise", "http://127.0.0.1:1")
            check(status == 1 and "freshet cluster init" in error, f"{status} {out} {error}")
            begin = ["cluster", "init", "--cluster-log", engine.url, "--data", str(data), "--json"]
            status, out, error = command(context.binary, *begin)
            check(status == 0, f"init: {status} {error}")
            told = json.loads(out)
            same((told["seq"], told["entities"]), (21, 19), "what the log begins with")
            again = command(context.binary, *begin)
            check(again[0] == 1 and "already" in again[2], str(again))
            with Cluster(context.binary, engine, place, 2) as cluster:
                cluster.leader()
                rows = [strong(server, "/v1/t?order=id")["items"] for server in cluster.servers]
                same((len(rows[0]), rows[1]), (19, rows[0]), "entities on both")
                for server in cluster.servers:
                    server.put("/v1/t/end", {"n": 1})
                table = command(context.binary, "cluster", "status", "--server", cluster.servers[1].url, "--json")
                same(sorted(each["id"] for each in json.loads(table[1])["replicas"]), ["a", "b"], "status")
                until(lambda: command(context.binary, "cluster", "step-down", "--server", cluster.servers[0].url)[0] == 0, "a hand-over")
                cluster.leader()
                for server in cluster.servers:
                    same(server.stop(), 0, "exit status")
        # The engine and all that it had is lost.
        shutil.rmtree(place / "n0")
        with Engine(place) as engine:
            status, out, error = command(context.binary, "cluster", "recover", "--cluster-log", engine.url, "--data", str(data), "--json")
            check(status == 0, f"recover: {status} {error}")
            same(json.loads(out)["entities"], 20, "what the log begins with")
            with Cluster(context.binary, engine, place, 2) as cluster:
                cluster.leader()
                rows = [strong(server, "/v1/t?order=id")["items"] for server in cluster.servers]
                same((len(rows[0]), rows[1]), (20, rows[0]), "entities on both")
                check("made anew" in cluster.servers[1].log_text(), "the other says that it joins the new log")
                for index, server in enumerate(cluster.servers):
                    server.put(f"/v1/t/new{index}", {"n": 1}).is_(201)


@case("a log's beginning that is killed at any rename of its files goes on, and no server starts with less than there was")
def _(context):
    tracer = strace.program()
    if not tracer:
        print("SKIP  cluster_life: strace is missing or may not trace here; .ci/run installs it", flush=True)
        return
    with folder() as place, Engine(pathlib.Path(place)) as engine:
        place = pathlib.Path(place)
        before = place / "before"
        with Server(context.binary, before) as server:
            for number in range(20):
                server.put(f"/v1/t/{number}", {"n": number}).is_(201)
            same(server.ask("POST", "/v1/_store/compact").status // 100, 2, "a snapshot and a segment behind it")
            server.put("/v1/t/end", {"n": 1}).is_(201)
            same(server.stop(), 0, "exit status")
        told = []
        for number in range(1, 40):
            data = place / f"k{number}"
            shutil.copytree(before, data)
            act = ["cluster", "--cluster-log", f"{engine.url}{number}", "--data", str(data), "--json"]
            killed = command(tracer, "-f", "-qq", "-o", os.devnull, "-e", "trace=renameat,renameat2", "-e",
                             f"inject=renameat,renameat2:signal=SIGKILL:when={number}", context.binary, *act[:1], "init", *act[1:])
            if killed[0] == 0:
                break
            check(killed[0] in (137, -9), f"killed at rename {number}: {killed}")
            isReplica = False
            try:
                with Server(context.binary, data) as server:
                    same(server.get("/v1/t?limit=0&count=true").json["meta"]["total"], 21, f"a server behind rename {number}")
                    same(server.stop(), 0, "exit status")
                told.append("whole")
            except Failure as failure:
                isReplica = "--cluster-log" in str(failure)
                check(isReplica or "is between two" in str(failure), f"killed at rename {number}: {failure}")
                told.append("replica" if isReplica else "refused")
            again = command(context.binary, act[0], "recover" if isReplica else "init", *act[1:])
            same(again[0], 0, f"the second try behind rename {number}: {again}")
            same(json.loads(again[1])["entities"], 21, f"what the log begins with, killed at rename {number}")
            check(not list(data.glob("tmp-*")), f"what is left: {list(data.iterdir())}")
        check(told.count("refused") > 4 and told.count("whole") > 2, f"what became of each: {told}")


@case("near the bound of the log's engine writes are refused, and go on once snapshots let the log be shortened")
def _(context):
    with folder() as place, Engine(pathlib.Path(place), flags=["--quota-backend-bytes", str(16 << 20)]) as engine, Cluster(
            context.binary, engine, pathlib.Path(place), 2, *KEEPS_LITTLE) as cluster:
        leader = cluster.leader()
        server, follower = cluster.servers[leader], cluster.servers[1 - leader]
        tried, stored = 0, {"end"}

        def full():
            """The refusal and what is said beside it; nothing where the log has found room meanwhile."""
            nonlocal tried
            tried += 1
            answer = follower.put(f"/v1/t/{tried}", {"text": "x" * 200_000})
            if answer.status == 201:
                stored.add(str(tried))
            if answer.status != 507:
                return None
            health, engine = server.get("/readyz"), cluster.state(leader)["engine"]["state"]
            return health.status == 503 and engine == "full" and (answer, health.json)
        answer, health = until(full, "the log is nearly full", 120)
        answer.is_(507, "log-full")
        same(answer.json["outcome"], "not-applied", "what is refused was not done")
        same(health["log"]["state"], "full", "the log")
        check("--quota-backend-bytes" in health["stores"]["main"]["reason"], str(health))
        follower.get("/v1/t/1").is_(200)
        for each in cluster.servers:
            each.ask("POST", "/v1/_store/compact").is_(200)
        until(lambda: server.get("/readyz").status == 200, "there is room", 120)
        accepted(follower, "/v1/t/end", {"n": 1}).is_(201)
        rows = [{row["id"] for row in strong(each, "/v1/t?limit=10000&fields=id")["items"]} for each in cluster.servers]
        same(rows[0], rows[1], "the same on both")
        check(stored <= rows[0], f"what was acknowledged and is not there: {stored - rows[0]}")
