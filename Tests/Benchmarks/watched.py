"""What the lists of the server itself cost while somebody watches them, as a console does."""
import json
import statistics
import threading
import time
import urllib.request

from harness import Server, plain, ratio, say
from live import Streams, raise_descriptors, settle

TYPES = ("_types", "_operations", "_specs", "_conditions", "_upstreams", "_streams", "_tokens", "_outbox")


class Watcher:
    """One event stream over lists, read as it comes."""

    def __init__(self, server, types):
        queries = {name: f"/v1/{name}?limit=500&count=true" for name in types}
        with urllib.request.urlopen(urllib.request.Request(
                server.url + "/v1/_live", json.dumps({"queries": queries}).encode(), {"Content-Type": "application/json"})) as answer:
            url = json.load(answer)["url"]
        self.answer = urllib.request.urlopen(urllib.request.Request(server.url + url, headers={"Accept": "text/event-stream"}))
        waiting = set(types)
        while waiting:
            line = self.answer.readline()
            if not line:
                raise SystemExit("the stream of lists has ended")
            if line.startswith(b"data: ") and b'"items"' in line:
                waiting.discard(json.loads(line[6:]).get("q"))
        self.events = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while line := self.answer.readline():
            self.events += line.startswith(b"event: ")


class Watched:
    def __init__(self, bench, live):
        self.bench, self.live = bench, live

    def streams(self):
        """10,000 quiet streams, and their list watched: what that costs a second."""
        if not self.bench.binary:
            return
        self.live.prepare()
        raise_descriptors()
        count, span, shares = 10_000, 10, []
        file = self.bench.folder / "watched.json"
        file.write_text(json.dumps({"limits": {"connections": 12_000, "streams": 12_000}}))
        server = Server([self.bench.binary, "serve", "--listen", "127.0.0.1:0", "--memory", "--config", file],
                        announced=r"listening on http://127\.0\.0\.1:(\d+)")
        load = Streams(self.live, server, [f"/v1/t?filter=n=={n}&live=delta" for n in range(count)], count)
        settle(server)
        for watches in (False, True):
            if watches:
                watcher = Watcher(server, ["_streams"])
                settle(server)
            for _ in range(self.bench.rounds):
                before = server.cpu()
                time.sleep(span)
                shares.append((watches, (server.cpu() - before) / span))
                say(f"watchedstreams {'watched' if watches else 'alone':<8} {shares[-1][1]:.2%} of a core")
        load.close()
        server.stop()
        alone, watched = (statistics.median(share for is_on, share in shares if is_on == watches) for watches in (False, True))
        plain(f"the list of {count:,} streams watched", "≤ 3 % of a core", f"{watched - alone:.2%} ({alone:.2%} without; {watcher.events} events)", watched - alone <= 0.03)

    def writes(self):
        """PUTs with all lists watched, beside a server that nobody watches."""
        if not self.bench.binary:
            return
        servers = {"alone": self.bench.freshet(), "watched": self.bench.freshet()}
        watcher = Watcher(servers["watched"], TYPES)
        call = lambda server: lambda: self.bench.wrk(server, 64, "put.lua", 10_000, 400)
        m = self.bench.interleaved("watchedwrites", {name: call(server) for name, server in servers.items()})
        events = watcher.events
        self.bench.end(servers)
        if not events:
            raise SystemExit("nothing of the writes was told")
        ratio("PUT, memory store, 64 connections, all lists of the server watched, against none", 0.97, m["watched"]["rate"] / m["alone"]["rate"],
              f"{m['watched']['rate']:,.0f}/s : {m['alone']['rate']:,.0f}/s; CPU s per 100,000 {m['watched']['cpu']:.3f} : {m['alone']['cpu']:.3f}; {events} events")
