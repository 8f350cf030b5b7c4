"""live.md: any search or get URL as an event stream."""
import json
import threading
import time

from harness import Server, case, check, command, folder, same, terminal
from upstream import serving


@case("a watch is hello, then a snapshot at a cursor, then snapshots as writes happen")
def watch(context):
    s, t = context.server, context.type()
    s.ask("POST", f"/v1/{t}/_set", [{"id": n, "n": n} for n in range(5)])
    with s.watch(f"/v1/{t}?filter=n%3E1&order=-n&limit=2") as w:
        same(w.status, 200, "status")
        same(w.headers["content-type"].split(";")[0], "text/event-stream", "content type")
        same(w.headers.get("cache-control"), "no-store", "Cache-Control")
        event, mark, hello = w.next()
        same((event, mark, hello["protocol"]), ("hello", None, 1), "hello")
        check(5 <= hello["heartbeat"] <= 60, "heartbeat of hello")
        items, mark, why = w.snapshot()
        same(([i["id"] for i in items], why), ([4, 3], "initial"), "the first snapshot")
        written = s.put(f"/v1/{t}/9", {"id": 9, "n": 9}).header("Freshet-Cursor")
        items, later, why = w.snapshot()
        same(([i["id"] for i in items], why), ([9, 4], "update"), "the second")
        seq = lambda c: int(c.split(".")[1])
        check(seq(later) >= seq(written) > seq(mark), f"cursors grow: {mark} {written} {later}")
        s.put(f"/v1/{t}/1", {"n": 0})
        s.ask("DELETE", f"/v1/{t}/9")
        same([i["id"] for i in w.snapshot()[0]], [4, 3], "what is outside makes no event")


@case("live=1 watches without an Accept header, and one entity as well")
def one(context):
    s, t = context.server, context.type()
    with s.watch(f"/v1/{t}/a?live=1", {"Accept": "*/*"}) as w:
        same(w.snapshot()[0], [], "an absent entity is a state")
        s.put(f"/v1/{t}/a", {"n": 1})
        same(w.snapshot()[0], [{"id": "a", "n": 1}], "created")
        s.ask("DELETE", f"/v1/{t}/a")
        same(w.snapshot()[0], [], "removed")


@case("groups and figures are watched as snapshots")
def grouped(context):
    s, t = context.server, context.type()
    s.ask("POST", f"/v1/{t}/_set", [{"id": n, "k": n % 2, "n": n} for n in range(4)])
    with s.watch(f"/v1/{t}?group=k&aggregate=count,sum(n)") as w, s.watch(f"/v1/{t}?group=k&fields=n") as g:
        _, _, data = w.until("snapshot")
        same(data["aggregates"], [{"key": 0, "count": 2, "sum(n)": 2}, {"key": 1, "count": 2, "sum(n)": 4}], "figures")
        _, _, data = g.until("snapshot")
        same(data["groups"][1], {"key": 1, "items": [{"id": 1, "n": 1}, {"id": 3, "n": 3}]}, "groups")
        s.put(f"/v1/{t}/3", {"id": 3, "k": 0, "n": 3, "note": "moved"})
        _, _, data = w.until("snapshot")
        same(data["aggregates"], [{"key": 0, "count": 3, "sum(n)": 5}, {"key": 1, "count": 1, "sum(n)": 1}], "figures after a move")
        _, _, data = g.until("snapshot")
        same([(x["key"], [i["id"] for i in x["items"]]) for x in data["groups"]], [(0, [0, 2, 3]), (1, [1])], "groups after a move")
        s.put(f"/v1/{t}/3", {"id": 3, "k": 0, "n": 3, "note": "again"})
        s.ask("DELETE", f"/v1/{t}/1")
        _, _, data = w.until("snapshot")
        same(data["aggregates"], [{"key": 0, "count": 3, "sum(n)": 5}], "equal figures are no event")


@case("a resume with nothing new is a sync, with something new a snapshot")
def resume(context):
    s, t = context.server, context.type()
    s.put(f"/v1/{t}/a", {"n": 1})
    path = f"/v1/{t}?filter=n==1"
    with s.watch(path) as w:
        _, mark, _ = w.snapshot()
    s.put(f"/v1/{t}/other", {"n": 2})
    accept = {"Accept": "text/event-stream"}
    with s.watch(path, {**accept, "Last-Event-ID": mark}) as w:
        event, at, data = w.until("sync", "snapshot")
        same(event, "sync", "event after a resume with nothing relevant")
        same(data["at"], at, "sync.at")
        s.put(f"/v1/{t}/b", {"n": 1})
        same([i["id"] for i in w.snapshot()[0]], ["a", "b"], "it goes on")
    with s.watch(path, {**accept, "Last-Event-ID": mark}) as w:
        event, _, data = w.until("sync", "snapshot", "delta")
        same(event, "snapshot", "event after a resume with news")
        same([i["id"] for i in data["items"]], ["a", "b"], "items")
    with s.watch(f"{path}&since={at}", accept) as w:
        same(w.until("sync", "snapshot")[0], "snapshot", "since")
    for bad in ("garbage", "zzzz.1", mark.split(".")[0] + ".999999999", "a.b.c.d"):
        with s.watch(path, {**accept, "Last-Event-ID": bad}) as w:
            event, _, data = w.until("sync", "snapshot")
            same(event, "snapshot", f"event after {bad}")
            check(data["why"] in ("epoch", "rewind"), f"why of {bad}: {data['why']}")


@case("a heartbeat carries an id and dispatches nothing")
def heartbeat(context):
    s, t = context.server, context.type()
    s.put(f"/v1/{t}/a", {"n": 1})
    with s.watch(f"/v1/{t}?heartbeat=5") as w:
        w.snapshot()
        began = time.monotonic()
        event, mark, _ = w.next(seconds=9, comments=True)
        same(event, "heartbeat", "event")
        check(mark, "a heartbeat has an id")
        check(time.monotonic() - began < 8, "within the asked interval")


@case("a watch that cannot be is refused before the stream starts")
def refused(context):
    s, t = context.server, context.type()
    accept = {"Accept": "text/event-stream"}
    s.ask("GET", f"/v1/{t}?filter=n==", headers=accept).is_(400, "bad-filter")
    s.ask("GET", f"/v1/{t}?nosuch=1", headers=accept).is_(400, "bad-parameter")
    s.ask("GET", f"/v1/{t}?live=maybe").is_(400, "bad-parameter")


@case("strings cannot break out of an event")
def injection(context):
    s, t = context.server, context.type()
    text = "a\n\nevent: fault\ndata: {}\r\n\u2028\u2029\x85"
    s.put(f"/v1/{t}/a", {"s": text})
    with s.watch(f"/v1/{t}") as w:
        same(w.snapshot()[0], [{"id": "a", "s": text}], "items")


@case("a snapshot over 64 KiB comes in parts")
def parts(context):
    s, t = context.server, context.type()
    s.ask("POST", f"/v1/{t}/_set", [{"id": n, "s": "x" * 3000} for n in range(90)])
    with s.watch(f"/v1/{t}") as w:
        count = 0
        while True:
            _, _, data = w.until("snapshot")
            check(len(json.dumps(data)) < 80000, "a part is at most 64 KiB")
            same(data["part"], count, "part")
            count += 1
            if not data["more"]:
                break
        check(count > 1, "parts")


@case("no write beside a subscribe is lost or doubled")
def exact(context):
    s, t = context.server, context.type()
    stop = threading.Event()

    def writes():
        n = 0
        while not stop.is_set() and n < 3000:
            s.put(f"/v1/{t}/{n % 40}", {"n": n})
            n += 1

    writer = threading.Thread(target=writes)
    writer.start()
    try:
        watches = []
        for _ in range(10):
            w = s.watch(f"/v1/{t}?limit=1000")
            w.snapshot()
            watches.append(w)
    finally:
        stop.set()
        writer.join()
    s.put(f"/v1/{t}/last", {"n": -1})
    wanted = s.get(f"/v1/{t}?limit=1000").json["items"]
    for w in watches:
        while True:
            items, _, _ = w.snapshot()
            if any(i["id"] == "last" for i in items):
                break
        same(items, wanted, "what the watcher holds")
        w.close()


@case("a reader that takes nothing harms nobody")
def slow_reader(context):
    s, t = context.server, context.type()
    s.ask("POST", f"/v1/{t}/_set", [{"id": n, "s": "x" * 1000} for n in range(100)])
    with s.watch(f"/v1/{t}") as stuck, s.watch(f"/v1/{t}?filter=n%3E=0&limit=1&order=-n") as quick:
        quick.snapshot()
        for n in range(300):
            s.put(f"/v1/{t}/0", {"n": n, "s": "y" * 1000}).is_(200)
        while quick.snapshot()[0][0].get("n") != 299:
            pass
        check(stuck.link.fileno() >= 0, "the stuck one is there")


@case("SIGTERM says bye and exits 0; a restart resumes by the same cursor")
def bye(context):
    with folder() as data:
        with Server(context.binary, data) as s:
            s.put("/v1/t/a", {"n": 1}).is_(201)
            w = s.watch("/v1/t")
            _, mark, _ = w.snapshot()
            ended = []
            thread = threading.Thread(target=lambda: ended.append(s.stop()))
            thread.start()
            event, _, data_ = w.until("bye")
            same(data_["reason"], "shutdown", "reason")
            check(data_["reconnect"] is True, "reconnect")
            check(w.next() is None, "the stream ends after bye")
            thread.join()
            same(ended, [0], "exit status")
        with Server(context.binary, data) as s:
            with s.watch("/v1/t", {"Accept": "text/event-stream", "Last-Event-ID": mark}) as w:
                same(w.until("sync", "snapshot")[0], "sync", "event after the restart")


@case("lists of the server itself are searched and watched by the program as entities are")
def system_lists(context):
    # Nobody listens at port 9: what is sent there waits for another try.
    remote = {"upstream": "api", "create": {"method": "PUT", "path": "/{id}"}, "update": {"method": "PUT", "path": "/{id}"}}
    configuration = {"upstreams": {"api": {"base": "http://127.0.0.1:9", "retry": {"limit": 50, "backoff": {"exponential": "600s"}}}},
                     "types": {"w": {"remote": remote}}}
    with serving(context, configuration) as s:
        for n in range(3):
            s.ask("PUT", f"/v1/w/{n}?target=both", {"n": n}).is_(202)
        at = ("--server", s.url)
        status, out, err = command(context.binary, "search", "_outbox", "--filter", "entity >= '1'", "--order", "-number", "--json", *at)
        same(status, 0, f"search: {err}")
        rows = json.loads(out)["items"]
        same([row["entity"] for row in rows], ["2", "1"], "rows, filtered and in order")
        same({row["id"]: row for row in rows}, {row["id"]: s.get(f"/v1/_outbox/{row['id']}").json for row in rows}, "each is the entry itself")
        status, out = terminal(context.binary, "search", "_outbox", "--fields", "entity,operation", *at)
        check(status == 0 and "entity" in out and "operation" in out, f"as a table: {out!r}")
        # Watched: what is there, then each change, as it comes.
        told = []

        def wait_and_write(text):
            """Whether the program has shown what is there, and then the change that this makes."""
            if not told and '"snapshot"' in text:
                told.append(s.put("/v1/seen/1", {"n": 1}).is_(201))
            return '"seen"' in text
        _, shown = terminal(context.binary, "watch", "_types", "--json", *at, until=wait_and_write)
        events = [json.loads(line) for line in shown.splitlines() if line.startswith("{") and line.endswith("}")]
        same(events[0]["event"], "hello", "the first event")
        first = next(event["data"] for event in events if event["event"] == "snapshot")
        same([row["id"] for row in first["items"]], ["w"], "the types at first")
        same(first["source"], "system", "where they are from")
        check(told, "the change was made behind the snapshot")
        status, _, err = command(context.binary, "search", "_nothing", *at)
        check(status != 0 and "_nothing" in err, f"a list that there is not: {status} {err}")
