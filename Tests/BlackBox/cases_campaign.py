"""Three servers over three nodes of etcd under faults: 20 s of them, ten minutes with FRESHET_LONG_TESTS, or as many
seconds as FRESHET_CAMPAIGN_SECONDS says."""
import os
import threading
import time

from campaign import Campaign
from cluster import Cluster, Engine
from harness import case, check, folder, same

LONG = os.environ.get("FRESHET_LONG_TESTS") is not None


@case("whatever becomes of servers, links and etcd, clients see one register an entity, streams and servers the same log")
def _(context):
    seconds = int(os.environ.get("FRESHET_CAMPAIGN_SECONDS", 600 if LONG else 20))
    is_long = seconds > 60
    with folder() as place:
        Campaign(
            context, place, seconds, streams=150 if is_long else 12, clients=16 if is_long else 6,
            takeover="3s" if is_long else "2s", longest=10 if is_long else 3).run()


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


@case("a stream of several queries is told anew by another server, and what has changed by the same one")
def _(context):
    with folder() as place, Engine(place) as engine, Cluster(context.binary, engine, place, 2) as cluster:
        leader = cluster.leader()
        first, second = cluster.servers[leader], cluster.servers[1 - leader]
        first.put("/v1/t/1", {"n": 1}).is_(201)
        path = "/v1/_live?q.a=%2Fv1%2Ft%3Forder%3Dn%26limit%3D1&q.b=%2Fv1%2Ft"
        with first.watch(path) as stream:
            told = stream.until("sync")[1]
        written = first.put("/v1/t/2", {"n": 0}).is_(201).header("Freshet-Cursor")
        same(second.get(f"/v1/t/2?min={written}").status, 200, "it is on both")
        # What came and went between two of its steps a server cannot name, and a client of several queries
        # may hold it: it may have been told of more than its cursor says.
        for server, events in ((first, {"delta"}), (second, {"snapshot"})):
            with server.watch(path, {"Accept": "text/event-stream", "Last-Event-ID": told}) as stream:
                seen = []
                while (event := stream.next())[0] != "sync":
                    seen.append(event)
            same({name for name, _, _ in seen} - {"hello"}, events, "what it is told")
            check(all(data["why"] == "retention" for name, _, data in seen if name == "snapshot"), str(seen))
