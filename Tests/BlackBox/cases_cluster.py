"""Several servers, one data set (replication.md), over real etcd."""
import concurrent.futures
import json
import pathlib
import signal
import threading
import time

from cluster import Cluster, Engine, Postgres, accepted, handed_over, strong
from harness import Failure, case, check, command, folder, same, soon


@case("a write through any server is there on all, judged by one, and read by its cursor")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place)) as cluster:
        leader = cluster.leader()
        others = [index for index in range(3) if index != leader]
        first, second = (cluster.servers[index] for index in others)
        for server in cluster.servers:
            same(server.get("/readyz").status, 200, "readyz")
        with second.watch("/v1/order?live=delta") as stream:
            stream.snapshot()
            made = first.put("/v1/order/1", {"state": "new"})
            made.is_(201)
            cursor = made.header("Freshet-Cursor")
            # Whoever stays with one server reads what it wrote, whoever goes on names the cursor.
            same(first.get("/v1/order/1").json, {"id": "1", "state": "new"}, "on the server that took it")
            same(second.get(f"/v1/order/1?min={cursor}").json, {"id": "1", "state": "new"}, "on another")
            same(stream.until("delta")[2]["put"], [{"id": "1", "state": "new"}], "on a stream of another")
        refused = second.put("/v1/order/1", {"state": "lost"}, If_Match='"99"')
        refused.is_(412, "precondition-failed")
        same(refused.header("Freshet-Cursor"), cursor, "the commit that it was judged by")
        for index, server in enumerate(cluster.servers):
            answer = server.ask("POST", "/v1/order/_set", [{"id": f"m{index}"}, {"id": f"n{index}"}])
            same(answer.is_(200).json["meta"]["changed"], 2, "a write of many")
        server = cluster.servers[others[0]]
        server.ask("PATCH", "/v1/order/1", {"state": "paid"}).is_(200)
        server.ask("DELETE", "/v1/order/m0").is_(204)
        server.ask("POST", "/v1/_import?type=order", '{"id":"i1"}\n{"id":"i2"}\n', {"Content-Type": "application/x-ndjson"}).is_(200)
        rows = [strong(one, "/v1/order?order=id")["items"] for one in cluster.servers]
        same(len(rows[0]), 8, "entities")
        same(rows[1:], [rows[0], rows[0]], "the same on all")


@case("a write with a key is done once, whichever server takes it and its repeat")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), takeover="3s") as cluster:
        cluster.leader()
        answers = [server.ask("PUT", "/v1/t/1", {"n": 1}, {"Idempotency-Key": "once"}) for server in cluster.servers]
        for answer in answers:
            same((answer.status, answer.header("Freshet-Cursor"), answer.body), (201, answers[0].header("Freshet-Cursor"), answers[0].body), "the first answer")
        old = cluster.leader()
        cluster.servers[old].kill()
        cluster.leader(but=old)
        for index, server in enumerate(cluster.servers):
            if index != old:
                again = server.ask("PUT", "/v1/t/1", {"n": 1}, {"Idempotency-Key": "once"})
                same((again.status, again.body), (201, answers[0].body), "the first answer, of the next leader")


@case("who orders something at one server finds it done there, at whichever server it is done")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine:
        configuration = pathlib.Path(place) / "cluster.json"
        configuration.write_text(json.dumps({"conditions": {"open": {}}, "limits": {"body": "64KiB"}}))
        with Cluster(context.binary, engine, pathlib.Path(place), 2, "--config", str(configuration)) as cluster:
            leader = cluster.leader()
            follower = cluster.servers[1 - leader]
            for number in range(20):
                value = number % 2 == 0
                set_ = follower.ask("PUT", "/v1/_conditions/open", {"value": value}).is_(200)
                check(set_.header("Freshet-Cursor"), "the commit that has it")
                same(follower.get("/v1/_conditions/open").json["value"], value, "read where it was ordered")
            # One that changes nothing is judged all the same.
            again = follower.ask("PATCH", "/v1/_conditions", {"open": False}).is_(200)
            same((again.json["items"][0]["changed"], again.header("Freshet-Cursor") is None), (False, False), "as it was")
            check(follower.ask("PUT", "/v1/_service/active", {"active": True}).is_(200).header("Freshet-Cursor"), "a switch")
            follower.ask("DELETE", "/v1/_outbox/none").is_(404)
            follower.ask("DELETE", "/v1/t?filter=x==1").is_(200)
            cursor = follower.put("/v1/t/1", {"n": 1}).is_(201).header("Freshet-Cursor")
            for path in ("/v1/_export?type=t", "/v1/_types/t/infer"):
                epoch, seq = cursor.split(".")
                follower.ask("GET", path, headers={"Freshet-Min-Seq": cursor}).is_(200)
                follower.ask("GET", path, headers={"Freshet-Min-Seq": f"{epoch}.{int(seq) + 99}"}).is_(503, "replica-behind")
            # What is ordered at one server is seen at another one that is told of it.
            for number in range(40):
                value = number % 2 == 0
                cursor = cluster.servers[leader].ask("PUT", "/v1/_conditions/open", {"value": value}).is_(200).header("Freshet-Cursor")
                headers = {"Freshet-Read": "strong"} if number % 4 < 2 else {"Freshet-Min-Seq": cursor}
                same(follower.ask("GET", "/v1/_conditions/open", headers=headers).is_(200).json["value"], value, f"by {headers}")
            for path in ("/v1/_conditions", "/v1/_outbox", "/v1/_types", "/v1/_operations"):
                for server in cluster.servers:
                    server.ask("GET", path, headers={"Freshet-Min-Seq": cursor, "Freshet-Read": "strong"}).is_(200)
                    server.ask("GET", path, headers={"Freshet-Min-Seq": f"{epoch}.{int(seq) + 999}"}).is_(503, "replica-behind")
                    server.ask("GET", path, headers={"Freshet-Read": "any"}).is_(400)
            large = "".join(json.dumps({"id": str(number), "text": "x" * 1_000}) + "\n" for number in range(100))
            lines = {"Content-Type": "application/x-ndjson"}
            refused = follower.ask("POST", "/v1/_import?type=t", large, lines)
            refused.is_(413, "payload-too-large")
            same((refused.json["leader"], refused.json["outcome"]), (cluster.servers[leader].url, "not-applied"), "where to send it")
            cluster.servers[leader].ask("POST", "/v1/_import?type=t", large, lines).is_(200)


@case("a write to a leader whose way is cut without a word ends, though the leader goes on")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), 2, is_relayed=True) as cluster:
        leader = cluster.leader()
        follower = cluster.servers[1 - leader]
        # A connection of the follower stands.
        follower.put("/v1/t/1", {"n": 1}).is_(201)
        cluster.links.order("hold", cluster.doors[leader])
        unknown = follower.put("/v1/t/1", {"n": 2})
        unknown.is_(503, "leader-unreachable")
        same(unknown.json["outcome"], "unknown", "it may be done once the way is there again")
        same(cluster.state(leader)["self"]["role"], "leader", "the leader goes on")
        cluster.links.order("pass", cluster.doors[leader])
        accepted(follower, "/v1/t/2", {"n": 3}).is_(201)


@case("a write for which the leader takes no connection was not sent: it is not applied, whatever the client says why")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), 2, is_relayed=True) as cluster:
        leader = cluster.leader()
        follower, door = cluster.servers[1 - leader], cluster.doors[leader]
        # A connection of the follower stands, and ends.
        accepted(follower, "/v1/t/1", {"n": 1})
        cluster.links.order("shut", door)
        refused = follower.put("/v1/t/1", {"n": 2}).is_(503, "leader-unreachable")
        same(refused.json["outcome"], "not-applied", "what becomes of it")
        same(cluster.state(leader)["self"]["role"], "leader", "the leader goes on")
        cluster.links.order("pass", door)
        same(strong(follower, "/v1/t/1")["n"], 1, "what there is")


@case("what waits for a leader has a bound in bytes: what is beyond it is refused, and there is room again behind it")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), 2, is_relayed=True) as cluster:
        leader = cluster.leader()
        follower, door = cluster.servers[1 - leader], cluster.doors[leader]
        lines = {"Content-Type": "application/x-ndjson"}
        large = "".join(json.dumps({"id": str(number), "text": "x" * 60_000}) + "\n" for number in range(250))
        ask = lambda: follower.ask("POST", "/v1/_import?type=t", large, lines)
        cluster.links.order("hold", door)
        # Each is kept twice, to be sent and to be looked at anew.
        with concurrent.futures.ThreadPoolExecutor(12) as pool:
            answers = [each.result() for each in [pool.submit(ask) for _ in range(12)]]
        refused = [answer for answer in answers if answer.json["code"] == "overloaded"]
        check(refused and len(refused) < 6, f"{[answer.json for answer in answers]}")
        for answer in refused:
            answer.is_(503, "overloaded")
            same(answer.json["outcome"], "not-applied", "what becomes of it")
        cluster.links.order("pass", door)
        soon(lambda: ask().status == 200, "room for another", 60)


@case("the lead is handed over at once, and taken over from one that is killed or sleeps")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), takeover="4s") as cluster:
        old = cluster.leader()
        to = (old + 1) % 3
        name = "abc"[to]
        answer = handed_over(cluster.servers[(old + 2) % 3], f"?to={name}")
        same(answer["successor"], name, "the successor")
        same(answer["leader"], {"id": name, "url": cluster.servers[to].url}, "the leader")
        same(cluster.leader(but=old), to, "who leads")
        accepted(cluster.servers[old], "/v1/t/1", {"n": 1}).is_(201)
        term = cluster.state(old)["term"]
        cluster.servers[to].signal(signal.SIGSTOP)
        # What was on its way to the one that sleeps is asked again of the next: it bears a key.
        kept = cluster.servers[old].ask("PUT", "/v1/t/2", {"n": 2}, {"Idempotency-Key": "k"})
        kept.is_(201)
        soon(lambda: cluster.state(old)["term"] > term, "a new term", 60)
        cluster.servers[to].signal(signal.SIGCONT)
        # It learns that it leads no more before it does anything, and sends on what it is asked.
        accepted(cluster.servers[to], "/v1/t/3", {"n": 3}).is_(201)
        check(cluster.state(to)["self"]["role"] == "follower", "the old leader follows")
        for server in cluster.servers:
            rows = strong(server, "/v1/t")["items"]
            same([row["id"] for row in rows], ["1", "2", "3"], "all of it")


@case("a hand-over refuses nobody: who meets the pause waits, at the old leader, the new one and a third")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place)) as cluster:
        leader, over = cluster.leader(), threading.Event()

        def write(number):
            count = 0
            while not over.is_set():
                count += 1
                key = f"{number}-{count}"
                answer = cluster.servers[number % 3].ask("PUT", f"/v1/t/{number}", {"n": count}, {"Idempotency-Key": key})
                check(answer.status in (200, 201), f"{key}: {answer.status} {answer.body}")
            return count

        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            writers = [pool.submit(write, number) for number in range(6)]
            try:
                for round in range(9):
                    to = (leader + 1 + round % 2) % 3
                    handed_over(cluster.servers[round % 3], f"?to={'abc'[to]}")
                    leader = cluster.leader(but=leader)
                    same(leader, to, "who leads")
                    time.sleep(0.1)
            finally:
                over.set()
            counts = [writer.result() for writer in writers]
        check(min(counts) > 5, f"each writer has written: {counts}")
        rows = strong(cluster.servers[0], "/v1/t?order=id")["items"]
        same([row["n"] for row in rows], counts, "the last of each writer")


@case("without the log reads and streams go on, writes are refused, and all resumes by itself")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place)) as cluster:
        cluster.leader()
        follower = next(server for index, server in enumerate(cluster.servers) if index != cluster.leader())
        follower.put("/v1/t/1", {"n": 1}).is_(201)
        with follower.watch("/v1/t?live=delta") as stream:
            stream.snapshot()
            engine.signal(signal.SIGSTOP)
            refused = follower.put("/v1/t/2", {"n": 2})
            check(refused.status == 503 and refused.json["outcome"] in ("unknown", "not-applied"), f"{refused.status} {refused.body}")
            answer = follower.get("/v1/t/1").is_(200)
            check(int(answer.header("Freshet-Lag")) > 0, "the age of what is read")
            follower.ask("GET", "/v1/t", headers={"Freshet-Read": "strong"}).is_(503)
            engine.signal(signal.SIGCONT)
            end = time.monotonic() + 30
            while follower.put("/v1/t/3", {"n": 3}).status >= 500:
                check(time.monotonic() < end, "writes resume")
                time.sleep(0.2)
            while not any(row["id"] == "3" for row in stream.until("delta", seconds=30)[2]["put"]):
                pass


@case("a stream goes on at a server that is behind it: it waits, or is sent on, and never told that the log went back")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), 2) as cluster:
        leader = cluster.leader()
        follower = cluster.servers[1 - leader]
        epoch, seq = follower.put("/v1/t/1", {"n": 1}).is_(201).header("Freshet-Cursor").split(".")

        def ahead(by):
            return {"Accept": "text/event-stream", "Last-Event-ID": f"{epoch}.{int(seq) + by}"}

        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            # The server sleeps while the commit is made that it is asked to go on behind.
            follower.signal(signal.SIGSTOP)
            cluster.servers[leader].put("/v1/t/2", {"n": 2}).is_(201)
            begun = pool.submit(follower.watch, "/v1/t?live=delta", ahead(1))
            follower.signal(signal.SIGCONT)
            with begun.result(20) as stream:
                stream.until("hello")
                cluster.servers[leader].put("/v1/t/3", {"n": 3}).is_(201)
                event = stream.until("snapshot", "delta")
                same((event[0], event[2].get("put")), ("delta", [{"id": "3", "n": 3}]), "it goes on behind its cursor")
        # Nobody has ever written it: the log is another, or went back.
        with follower.watch("/v1/t?live=delta", ahead(9)) as stream:
            same(stream.snapshot()[2], "rewind", "beyond the end of the log")
        engine.signal(signal.SIGSTOP)
        end = time.monotonic() + 30
        while follower.get("/v1/t/1").header("Freshet-Lag") is None:
            check(time.monotonic() < end, "the engine's silence is told")
            time.sleep(0.1)
        with follower.watch("/v1/t?live=delta", ahead(9)) as stream:
            same(stream.until("fault")[2]["code"], "replica-behind", "why")
            bye = stream.until("bye")[2]
            same((bye["reason"], bye["reconnect"]), ("moved", True), "how it ends")
        # A session that is posted again shows nothing older than the one before either.
        late = follower.ask("POST", "/v1/_live", {"queries": {"a": "/v1/t"}, "since": f"{epoch}.{int(seq) + 9}.1"})
        late.is_(503, "replica-behind")
        engine.signal(signal.SIGCONT)


@case("a session of live queries is reached through any server, and is gone with the one that keeps it")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place)) as cluster:
        leader = cluster.leader()
        first, second, third = (cluster.servers[(leader + step) % 3] for step in (1, 2, 0))
        made = first.ask("POST", "/v1/_live", {"queries": {"a": "/v1/t?order=id"}}).is_(201).json
        check(made["session"].startswith("abc"[(leader + 1) % 3] + "."), f"the id bears its keeper: {made}")
        for server in (second, third):
            # The others hear of each other every few seconds.
            end = time.monotonic() + 60
            while (answer := server.ask("PATCH", made["url"].split("?")[0], {"queries": {}})).status != 200:
                check(time.monotonic() < end, f"{answer.status} {answer.body}")
                time.sleep(0.2)
        with second.watch(made["url"]) as stream:
            same(stream.until("snapshot")[2]["items"], [], "nothing yet")
            third.put("/v1/t/1", {"n": 1}).is_(201)
            same(stream.until("delta")[2]["put"], [{"id": "1", "n": 1}], "a change")
            third.ask("PATCH", made["url"].split("?")[0], {"queries": {"b": "/v1/u"}}).is_(200)
            same(stream.until("snapshot")[2]["items"], [], "a query more")
            # Much more than waits anywhere on the way.
            text = "x" * 100_000
            for number in range(20):
                third.put(f"/v1/u/{number}", {"text": text}).is_(201)
            seen = set()
            while len(seen) < 20:
                seen |= {row["id"] for row in stream.until("delta", seconds=30)[2]["put"]}
        wrong = second.ask("GET", made["url"][:-1] + "!", headers={"Accept": "text/event-stream"})
        same(wrong.status, 404, "another ticket")
        third.ask("DELETE", made["url"].split("?")[0]).is_(204)
        second.ask("DELETE", made["url"].split("?")[0]).is_(404)
        kept = first.ask("POST", "/v1/_live", {"queries": {"a": "/v1/t"}}).is_(201).json
        with second.watch(kept["url"]) as stream:
            same([row["id"] for row in stream.until("snapshot")[2]["items"]], ["1"], "what there is")
            last = stream.until("sync")[1]
            first.kill()
        second.ask("GET", kept["url"], headers={"Accept": "text/event-stream"}).is_(404)
        behind = {"Freshet-Min-Seq": accepted(third, "/v1/t/2", {"n": 2}).is_(201).header("Freshet-Cursor")}
        # Made again elsewhere it is told anew: only the server that told of a batch knows what of it went.
        again = second.ask("POST", "/v1/_live", {"queries": {"a": "/v1/t"}, "since": last}, behind).is_(201).json
        with third.watch(again["url"]) as stream:
            event = stream.until("snapshot", "delta")
            same((event[0], event[2].get("why"), len(event[2].get("items", []))), ("snapshot", "retention", 2), "all of it")
        second.ask("POST", "/v1/_live", {"queries": {"a": "/v1/t"}, "since": 7}).is_(400, "bad-parameter")
        none = second.ask("POST", "/v1/_live", {"queries": {"a": "/v1/t"}, "since": last + ".x"}).is_(201).json
        with second.watch(none["url"]) as stream:
            same(stream.until("snapshot", "delta")[2].get("why"), "epoch", "a cursor that is none")


@case("a server that ends tells the clients of sessions that it passes on, as its own")
def _(context):
    for drain, reason in (("0s", "shutdown"), ("3s", "moved")):
        with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), 2, "--drain", drain) as cluster:
            leader = cluster.leader()
            keeper, other = cluster.servers[leader], cluster.servers[1 - leader]
            for number in range(3):
                # By the one that is to show it.
                other.put(f"/v1/t/{number}", {"text": "x" * 100_000}).is_(201)
            made = keeper.ask("POST", "/v1/_live", {"queries": {"a": "/v1/t"}}).is_(201).json
            # They hear of each other every few seconds.
            soon(lambda: other.ask("PATCH", made["url"].split("?")[0], {"queries": {}}).status == 200, "it is reached", 60)
            with other.watch(made["url"]) as stream, other.watch("/v1/t?live=delta") as own:
                for one in (stream, own):
                    rows = []
                    while len(rows) < 3:
                        rows += one.until("snapshot")[2]["items"]
                same(other.stop(), 0, "exit status")
                for one in (stream, own):
                    end = one.until("bye")[2]
                    same((end["reason"], end["reconnect"]), (reason, True), "how it ends")
                    check(500 <= end["after"] <= 5_500, f"when to come again: {end}")


@case("what the leader alone knows is asked of any server, and watched at the leader")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place)) as cluster:
        leader = cluster.leader()
        first, follower = cluster.servers[leader], cluster.servers[(leader + 1) % 3]
        for path in ("/v1/_operations", "/v1/_operations?limit=1&count=true", "/v1/_specs", "/v1/_upstreams?limit=1"):
            same(follower.get(path).is_(200).json["items"], [], path)
        follower.ask("POST", "/v1/_conditions/_forecast", {}).is_(200)
        for path in ("/v1/_operations?live=delta", "/v1/_specs?live=snapshot", "/v1/_upstreams?live=delta", "/v1/_operations/x?live=delta", "/v1/_operations/x?live=1"):
            refused = follower.get(path).is_(503, "not-leader")
            same(refused.json["leader"], first.url, f"who has {path}")
        refused = follower.ask("POST", "/v1/_live", {"queries": {"a": "/v1/_operations?limit=5"}}).is_(503, "not-leader")
        check("query 'a'" in refused.json["detail"], refused.body)
        with first.watch("/v1/_operations?live=delta") as stream:
            same(stream.until("snapshot")[2]["items"], [], "at the leader")
        with follower.watch("/v1/_streams?live=delta&fields=id") as stream:
            rows = stream.until("snapshot")[2]["items"]
            # A stream's own row may come with the look after its snapshot.
            same(len(rows or stream.until("delta")[2]["put"]), 1, "of itself")
        # With another leader the rows are there: streams of them go on there, sessions without them.
        session = first.ask("POST", "/v1/_live", {"queries": {"a": "/v1/_specs", "b": "/v1/t"}}).is_(201).json
        with first.watch("/v1/_operations?live=delta") as rows, first.watch("/v1/_live?q.a=/v1/_upstreams&q.b=/v1/t") as both, first.watch(session["url"]) as several:
            for stream in (rows, both, several):
                stream.until("snapshot")
            handed_over(first)
            for stream in (rows, both):
                same(stream.until("bye")[2]["reason"], "moved", "told to go on at the new leader")
            fault = several.until("fault")[2]
            same((fault["q"], fault["code"], fault["final"]), ("a", "not-leader", True), "a query of a session")
            accepted(follower, "/v1/t/1", {"n": 1})
            same(several.until("delta")[2]["q"], "b", "the other query goes on")
        with first.watch(session["url"]) as several:
            same(list(several.until("hello")[2]["queries"]), ["b"], "what the session has left")


@case("the streams of a server that ends are sent on to others one after the other, and go on there")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), 2, "--drain", "4s") as cluster:
        leader = cluster.leader()
        ends, stays = cluster.servers[1 - leader], cluster.servers[leader]
        ends.put("/v1/t/1", {"n": 1}).is_(201)
        streams = [ends.watch("/v1/t?live=delta") for _ in range(8)]
        last = [stream.snapshot()[1] for stream in streams]
        ends.signal(signal.SIGTERM)
        ends.get("/v1/t/1").is_(200)
        for index, stream in enumerate(streams):
            bye = stream.until("bye", seconds=30)[2]
            same((bye["reason"], bye["reconnect"]), ("moved", True), "why")
            stays.put("/v1/t/1", {"n": index + 2}).is_(200)
            with stays.watch("/v1/t?live=delta", {"Accept": "text/event-stream", "Last-Event-ID": last[index]}) as next:
                same(next.until("snapshot", "delta")[0], "delta", "it goes on")
            stream.close()


@case("the same over PostgreSQL, whose standby has what is acknowledged")
def _(context):
    with folder() as place, Postgres(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), takeover="3s") as cluster:
        old = cluster.leader()
        follower = cluster.servers[(old + 1) % 3]
        with follower.watch("/v1/t?live=delta") as stream:
            stream.snapshot()
            for number in range(20):
                accepted(cluster.servers[number % 3], f"/v1/t/{number}", {"n": number}).is_(201)
            engine.signal(signal.SIGSTOP, [1])
            refused = follower.put("/v1/t/lost", {"n": 0})
            check(refused.status == 503 and refused.json["outcome"] in ("unknown", "not-applied"), f"{refused.status} {refused.body}")
            same(len(follower.get("/v1/t?limit=100").is_(200).json["items"]), 20, "reads go on, and show what is acknowledged alone")
            engine.signal(signal.SIGCONT, [1])
            accepted(follower, "/v1/t/back", {"n": 1}, 60).is_(201)
            cluster.servers[old].kill()
            cluster.leader(but=old)
            accepted(follower, "/v1/t/next", {"n": 2}, 60).is_(201)
            while not any(row["id"] == "next" for row in stream.until("delta", seconds=30)[2]["put"]):
                pass
        rows = [strong(server, "/v1/t?order=id&limit=100")["items"] for index, server in enumerate(cluster.servers) if index != old]
        same(rows[0], rows[1], "the same on both")
        check({str(number) for number in range(20)} | {"back", "next"} <= {row["id"] for row in rows[0]}, "all of it")


@case("what was cut between a server and its engine while nobody asked is not told to who asks next")
def _(context):
    for make in (Engine, Postgres):
        with folder() as place, make(pathlib.Path(place)) as engine, Cluster(context.binary, engine, pathlib.Path(place), is_relayed=True) as cluster:
            leader = cluster.leader()
            accepted(cluster.servers[leader], "/v1/t/1", {"n": 1}).is_(201)
            for index in (index for index in range(3) if index != leader):
                strong(cluster.servers[index], "/v1/t/1")
                cluster.links.order("close", *cluster.ways[index])
                cluster.links.order("pass", *cluster.ways[index])
                time.sleep(0.3)
                answer = cluster.servers[index].ask("GET", "/v1/t/1", headers={"Freshet-Read": "strong"})
                same((answer.status, answer.json), (200, {"id": "1", "n": 1}), f"over {make.__name__}, at server {index}")
            if make is Postgres:
                engine.end_sessions()
                time.sleep(0.5)
                for index, server in enumerate(cluster.servers):
                    answer = server.ask("GET", "/v1/t/1", headers={"Freshet-Read": "strong"})
                    same(answer.status, 200, f"at server {index}, whose session was ended")


@case("a request that claims to be of the cluster proves it")
def _(context):
    with folder() as place, Engine(pathlib.Path(place)) as engine:
        configuration = pathlib.Path(place) / "cluster.json"
        secret = pathlib.Path(place) / "secret"
        secret.write_text("a secret of the cluster\n")
        configuration.write_text(json.dumps({"cluster": {"secret": {"file": str(secret)}}}))
        with Cluster(context.binary, engine, pathlib.Path(place), 2, "--config", str(configuration)) as cluster:
            leader = cluster.leader()
            follower = cluster.servers[1 - leader]
            follower.put("/v1/t/1", {"n": 1}).is_(201)
            for shown in ("a", "a; another", ""):
                cluster.servers[leader].ask("PUT", "/v1/t/1", {}, {"Freshet-Forwarded": shown}).is_(403, "cluster-secret")
            proven = {"Freshet-Forwarded": "x; a secret of the cluster"}
            cluster.servers[leader].ask("PUT", "/v1/t/2", {}, {**proven, "Host": "other.example"}).is_(201)
            twice = follower.ask("PUT", "/v1/t/2", {}, proven)
            twice.is_(503, "not-leader")
            same((twice.json["leader"], twice.header("Location")), (cluster.servers[leader].url,) * 2, "the leader")


@case("what a cluster cannot be is said before it starts")
def _(context):
    log = ["--cluster-log", "etcd://127.0.0.1:1/freshet"]
    mine = ["--replica", "a", "--advertise", "http://127.0.0.1:1"]
    for flags, words in (
        (log, "--replica"), (log + mine[:2], "--advertise"), (log + mine + ["--memory"], "synced"),
        (log + mine + ["--durability", "relaxed"], "synced"), (mine, "--cluster-log"),
    ):
        status, out, error = command(context.binary, "check", *flags)
        check(status != 0, f"{flags} is refused")
        check(words in out + error, f"{flags}: {out + error}")
    with folder() as place:
        secret, file = pathlib.Path(place) / "secret", pathlib.Path(place) / "freshet.json"
        secret.write_text("s")
        credential = {"type": "oauth2", "grant": "refresh_token", "tokenURL": "http://127.0.0.1:1/token", "clientId": "c",
                      "refreshToken": {"file": str(secret)}, "persist": True}
        file.write_text(json.dumps({"upstreams": {"api": {"base": "http://127.0.0.1:1", "credential": credential}}}))
        status, out, error = command(context.binary, "check", "--config", str(file), *log, *mine)
        check(status != 0 and "'api'" in out + error and "persist" in out + error, f"a token that one server keeps: {out + error}")
        credential["persist"] = False
        file.write_text(json.dumps({"upstreams": {"api": {"base": "http://127.0.0.1:1", "credential": credential}}}))
        status, out, error = command(context.binary, "check", "--config", str(file), *log, *mine)
        check(status == 0 and "was not looked at" in error, f"one that is configured, while its log is away: {status} {out} {error}")
        status, out, error = command(
            context.binary, "serve", "--listen", "127.0.0.1:0", "--data", place, "--cluster-log", "http://h/x", *mine)
    check(status != 0 and "etcd://" in error, f"{status} {out} {error}")
