"""Live queries: fan-out beside a Go hub, latency, the cost of standing queries, memory.

Streams are held, writes sent and events timed by peers/streams.c on CPU 1; the servers are on CPU 0.
"""
import json
import os
import pathlib
import random
import statistics
import subprocess
import urllib.parse
import urllib.request

from harness import Server, pinned, plain, ratio, say

HERE = pathlib.Path(__file__).resolve().parent
TEXT = "the quick brown fox jumps over the lazy dog " * 4


class Streams:
    """A running load of streams: started, then told to write, then asked for its figures."""

    def __init__(self, live, server, paths, count, writes=0, rate=0, to="/"):
        file = live.bench.folder / "live-paths"
        file.write_text("\n".join(paths) + "\n")
        body = '"text":' + json.dumps(TEXT)
        self.process = subprocess.Popen(pinned(1, live.bench.folder / "streams", server.port, file, count, writes, rate, to, body),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self.process.stdout.readline().strip() != "READY":
            raise SystemExit("the streams did not open")

    def write(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline() or "null") or self.fail()

    def fail(self):
        raise SystemExit("the load of streams failed")

    def close(self):
        self.process.kill()
        self.process.wait()


class Live:
    def __init__(self, bench):
        self.bench = bench
        self.ready = False

    def prepare(self):
        if self.ready:
            return
        self.ready = True
        peers, folder = HERE / "peers", self.bench.folder
        subprocess.run(["gcc", "-O2", "-o", folder / "streams", peers / "streams.c"], check=True)
        subprocess.run(["go", "build", "-o", folder / "go-hub", peers / "go-hub/main.go"], check=True,
                       env={**os.environ, "GO111MODULE": "off", "GOCACHE": str(folder / "gocache"), "GOFLAGS": ""})

    # Rows -------------------------------------------------------------------------------------

    def fanout(self):
        """One write seen by 5,000 streams of one query; the next when all have it. Pairs, one after the other."""
        self.prepare()
        streams, writes, rates = 5_000, 20 * self.bench.seconds, {}
        for _ in range(self.bench.rounds):
            # Servers of their own, one after the other: what either does when idle touches nothing.
            for name in ("go", "freshet") if self.bench.binary else ("go",):
                server = self.bench.freshet() if name == "freshet" else Server([self.bench.folder / "go-hub"], announced=r"PORT (\d+)")
                paths, to = (["/"], "/") if name == "go" else (["/v1/live?filter=text!=null&live=delta"], "/v1/live/one")
                load = Streams(self, server, paths, streams, writes, 0, to)
                before = server.cpu()
                figure = load.write()
                rate = figure["events"] / (server.cpu() - before)
                rates.setdefault(name, []).append(rate)
                say(f"fanout     {name:<8} {figure['events'] / figure['seconds']:,.0f} events/s, {rate:,.0f} a CPU second, p50 {figure['p50'] / 1000:.1f} ms")
                load.close()
                server.stop()
        if self.bench.binary:
            pairs = [own / go for own, go in zip(rates["freshet"], rates["go"])]
            ratio(f"fan-out of a change to {streams:,} streams, against a Go hub", 1.8, statistics.median(pairs),
                  f"events a CPU second {statistics.median(rates['freshet']):,.0f} : {statistics.median(rates['go']):,.0f}")

    def livelatency(self):
        """1,000 streams of 100 queries, 50 writes a second, each of concern to one query."""
        if not self.bench.binary:
            return
        self.prepare()
        server = self.bench.freshet()
        paths = [f"/v1/live?filter=g=={n}&live=delta" for n in range(100)]
        figures = []
        for _ in range(self.bench.rounds):
            load = Streams(self, server, paths, 1_000, 50 * self.bench.seconds, 50, "/v1/live/one")
            figures.append(load.write())
            load.close()
            say(f"latency    {figures[-1]}")
        server.stop()
        p50, p99, answer = (statistics.median(f[k] for f in figures) / 1000 for k in ("p50", "p99", "answer"))
        plain("commit to the client's first byte, 1,000 streams, 50 writes/s", "p50 ≤ 1 ms, p99 ≤ 10 ms",
              f"p50 {p50:.2f} ms, p99 {p99:.2f} ms (a PUT's answer in the same run {answer:.2f} ms)", p50 <= 1 and p99 <= 10)

    def standing(self):
        """CPU a write with 10 and with 100,000 standing queries; their memory."""
        if not self.bench.binary:
            return
        self.prepare()
        cost = {}
        for count in (10, 100_000):
            server = self.bench.freshet()
            with urllib.request.urlopen(urllib.request.Request(server.url + "/v1/stood/entity-0", b'{"n":0}', {"Content-Type": "application/json"}, method="PUT")):
                pass
            empty = server.memory()
            paths = self.sessions(server, self.queries(count))
            load = Streams(self, server, paths, len(paths))
            held = server.memory()
            if count > 10:
                each = (held - empty) / count
                plain("memory of a standing filter-only query (100 a connection, connection included)", "≤ 1,536 bytes", f"{each:,.0f} bytes", each <= 1536)
            figures = [self.bench.wrk(server, 16, "live.lua", "wide" if count == 10 else "narrow") for _ in range(self.bench.rounds)]
            cost[count] = statistics.median(f["cpu"] for f in figures)
            say(f"standing   {count:>7} queries: {cost[count]:.2f} CPU s per 100,000 writes, {statistics.median(f['rate'] for f in figures):,.0f} writes/s")
            load.close()
            server.stop()
        ratio("CPU a write with 100,000 standing queries, against 10", 1.5, cost[100_000] / cost[10],
              f"CPU s per 100,000 writes {cost[100_000]:.2f} : {cost[10]:.2f}, about 10 queries concerned in both", least=False)

    def queries(self, count):
        """The four templates of live.md section 7, so wide that about ten match a write of live.lua."""
        draw = random.Random(7)
        if count == 10:
            return [f"size<{1000 + n}" for n in range(10)]
        made = []
        while len(made) < count:
            section, owner, size, price = draw.randrange(100), draw.randrange(1000), draw.randrange(999_000), draw.randrange(999_000)
            made += [f"section=='s{section}' and owner=='o{owner}'", f"owner=='o{owner}' and n>={len(made)}",
                     f"section=='s{section}' and size>={size} and size<{size + 4000}", f"price>={price} and price<{price + 200}"]
        return made[:count]

    def sessions(self, server, filters):
        """Prepares sessions of a hundred queries each, of one each where they are few: a write concerns
        about ten, on as many connections in both cases. Answers the paths of their streams."""
        paths, size = [], 100 if len(filters) > 100 else 1
        for start in range(0, len(filters), size):
            queries = {f"q{n}": "/v1/stood?" + urllib.parse.urlencode({"filter": text, "limit": 10_000}) for n, text in enumerate(filters[start:start + size])}
            request = urllib.request.Request(server.url + "/v1/_live", json.dumps({"queries": queries}).encode(), {"Content-Type": "application/json"})
            with urllib.request.urlopen(request) as answer:
                url = json.load(answer)["url"]
            parts = urllib.parse.urlsplit(url)
            paths.append(parts.path + ("?" + parts.query if parts.query else ""))
        return paths

    def livememory(self):
        """What an idle stream costs beside the kernel's buffers."""
        if not self.bench.binary:
            return
        self.prepare()
        server = self.bench.freshet()
        path = "/v1/live?filter=text!=null&live=delta"
        first = Streams(self, server, [path], 64)
        before = server.memory()
        load = Streams(self, server, [path], 5_000)
        each = (server.memory() - before) / 5_000
        first.close()
        load.close()
        server.stop()
        plain("5,000 idle streams", "≤ 8,192 bytes each", f"{each:,.0f} bytes", each <= 8192)
