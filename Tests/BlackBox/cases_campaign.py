"""Three servers over three nodes of etcd, or over PostgreSQL and its standby, under faults: a minute of them, with
FRESHET_LONG_TESTS three rounds of ten minutes, and three minutes, or as many seconds as FRESHET_CAMPAIGN_SECONDS
and as many rounds as FRESHET_CAMPAIGN_ROUNDS say. The bars of the contract are those of the long part."""
import os
import threading
import time

from campaign import Campaign, Tally
from cluster import Cluster, Engine, Postgres
from harness import case, check, folder, same

LONG = os.environ.get("FRESHET_LONG_TESTS") is not None


@case("whatever becomes of servers, links and etcd, clients see one register an entity, streams and servers the same log")
def _(context):
    seconds = int(os.environ.get("FRESHET_CAMPAIGN_SECONDS", 600 if LONG else 60))
    rounds = int(os.environ.get("FRESHET_CAMPAIGN_ROUNDS", 3 if LONG else 1))
    is_long, tally = seconds > 60, Tally()
    for number in range(rounds):
        # Many streams in the first round, and in the others as many requests as histories are made of.
        streams, clients = (12, 6) if not is_long else (150, 16) if number == 0 else (20, 24)
        with folder() as place:
            campaign = Campaign(
                context, place, seconds, streams=streams, clients=clients,
                takeover="3s" if is_long else "2s", longest=10 if is_long else 3,
                # Links between the nodes of etcd take time of their own: the last round has them.
                is_relayed=number == rounds - 1)
            campaign.run()
        tally.add(campaign.tally)
    if rounds > 1:
        tally.show()
    if LONG:
        tally.hold()


@case("the same over PostgreSQL, whatever becomes of the primary and of its standby")
def _(context):
    with folder() as place:
        Campaign(
            context, place, int(os.environ.get("FRESHET_CAMPAIGN_SECONDS", 180 if LONG else 12)),
            streams=50 if LONG else 8, clients=8 if LONG else 4, takeover="3s" if LONG else "2s", longest=6 if LONG else 3,
            engine=Postgres, nodes=2).run()


@case("a write that was sent on and has no answer is never told to be not applied")
def _(context):
    with folder() as place, Engine(place) as engine, Cluster(context.binary, engine, place, 2, is_relayed=True) as cluster:
        leader = cluster.leader()
        follower = cluster.servers[1 - leader]
        follower.put("/v1/t/1", {"n": 1}).is_(201)
        for headers in ({}, {"Idempotency-Key": "k"}):
            cluster.links.order("hold", cluster.doors[leader])
            answers = []
            asking = threading.Thread(target=lambda: answers.append(follower.ask("PUT", "/v1/t/1", {"n": 2}, headers)))
            asking.start()
            # Until the request is in the link, from where nobody knows whether it went on.
            time.sleep(1)
            cluster.links.order("close", cluster.doors[leader])
            asking.join()
            same(answers[0].is_(503, "leader-unreachable").json["outcome"], "unknown", f"with {headers}: {answers[0].body}")
            cluster.links.order("pass", cluster.doors[leader])
        # What could not be sent was not done.
        cluster.links.order("close", cluster.doors[leader])
        refused = follower.put("/v1/t/1", {"n": 3}).is_(503, "leader-unreachable")
        check(refused.json["outcome"] in ("not-applied", "unknown"), str(refused.json))
        cluster.links.order("pass", cluster.doors[leader])


@case("a stream of several queries goes on at another server, though it holds more than its cursor says")
def _(context):
    with folder() as place, Engine(place) as engine, Cluster(context.binary, engine, place, 2) as cluster:
        leader = cluster.leader()
        first, second = cluster.servers[leader], cluster.servers[1 - leader]
        first.put("/v1/t/1", {"n": 1}).is_(201)
        path = "/v1/_live?q.a=%2Fv1%2Ft%3Forder%3Dn%26limit%3D1&q.b=%2Fv1%2Ft"
        with first.watch(path) as stream:
            exact = stream.until("sync")[1]
            written = first.put("/v1/t/2", {"n": 0}).is_(201).header("Freshet-Cursor")
            name, ahead, _ = stream.next()
            told = written.rsplit(".", 1)[1]
            same((name, ahead), ("delta", f"{exact}.s{told}"), "an event behind a sync says what it tells of")
            later = stream.until("sync")[1]
            same(later, written, "the next sync is exact again")
        same(second.get(f"/v1/t/2?min={written}").status, 200, "it is on both")

        def told_anew(server, cursor):
            with server.watch(path, {"Accept": "text/event-stream", "Last-Event-ID": cursor}) as stream:
                seen = []
                while (event := stream.next())[0] != "sync":
                    seen.append(event)
            return [event for event in seen if event[0] != "hello"]

        # Of a commit that is nowhere nobody can say what became of the rows that came with it.
        beyond = f"{exact}.s{int(told) + 1000}"
        for server, cursor, name in ((first, exact, "delta"), (second, exact, "delta"), (second, later, None), (first, ahead, "delta"),
                                     (second, ahead, "delta"), (second, beyond, "snapshot")):
            seen = told_anew(server, cursor)
            same({event[0] for event in seen}, {name} - {None}, f"what it is told that sends {cursor}: {seen}")
            check(all(data["why"] == "retention" for name, _, data in seen if name == "snapshot"), str(seen))
            check(name == "snapshot" or all(mark in (None, f"{exact}.s{told}") for _, mark, _ in seen), f"it says what it tells of: {seen}")
        # What came behind the cursor and went again is named.
        gone = first.ask("DELETE", "/v1/t/2").is_(204).header("Freshet-Cursor")
        same(second.get(f"/v1/t?min={gone}").status, 200, "it is on both")
        for server in (first, second):
            seen = told_anew(server, ahead)
            same([(name, data["q"], list(data["remove"])) for name, _, data in seen], [("delta", "a", ["2"]), ("delta", "b", ["2"])], f"by {server.url} at {gone}")
