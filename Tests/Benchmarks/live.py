"""Live queries: fan-out beside a hub in C and one in Go, latency, the cost of standing queries, memory.

Streams are held, writes sent and events timed by peers/streams.c on CPU 1; the servers are on CPU 0.
"""
import json
import os
import pathlib
import random
import re
import resource
import select
import socket
import statistics
import subprocess
import sys
import time
import urllib.parse
import urllib.request

from harness import Server, pinned, plain, ratio, running, say

HERE = pathlib.Path(__file__).resolve().parent
PEERS = {"hub": "hub", "go": "go-hub"}
TEXT = "the quick brown fox jumps over the lazy dog " * 4


class Streams:
    """A running load of streams: started, then told to write, then asked for its figures."""

    def __init__(self, live, server, paths, count, writes=0, rate=0, to="/"):
        file = live.bench.folder / "live-paths"
        file.write_text("\n".join(paths) + "\n")
        body = '"text":' + json.dumps(TEXT)
        self.process = subprocess.Popen(pinned(1, live.bench.folder / "streams", server.port, file, count, writes, rate, to, body),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        running.append(self)
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
        running.remove(self)

    # What a run ends that has failed.
    stop = close


class Live:
    def __init__(self, bench):
        self.bench = bench
        self.ready = False

    def prepare(self):
        if self.ready:
            return
        self.ready = True
        peers, folder = HERE / "peers", self.bench.folder
        for name in ("streams", "hub"):
            subprocess.run(["gcc", "-O2", "-o", folder / name, peers / f"{name}.c"], check=True)
        subprocess.run(["go", "build", "-o", folder / "go-hub", peers / "go-hub/main.go"], check=True,
                       env={**os.environ, "GO111MODULE": "off", "GOCACHE": str(folder / "gocache"), "GOFLAGS": ""})

    # Rows -------------------------------------------------------------------------------------

    def fanout(self):
        """One write seen by 5,000 streams of one query; the next when all have it. Pairs, one after the other."""
        self.prepare()
        streams, writes, rates = 5_000, 20 * self.bench.seconds, {}
        for _ in range(self.bench.rounds):
            # Servers of their own, one after the other: what either does when idle touches nothing.
            for name in ("hub", "go", "freshet") if self.bench.binary else ("hub", "go"):
                server = self.bench.freshet() if name == "freshet" else Server([self.bench.folder / PEERS[name]], announced=r"PORT (\d+)")
                paths, to = (["/v1/live?filter=text!=null&live=delta"], "/v1/live/one") if name == "freshet" else (["/"], "/")
                load = Streams(self, server, paths, streams, writes, 0, to)
                before = server.cpu()
                figure = load.write()
                rate = figure["events"] / (server.cpu() - before)
                rates.setdefault(name, []).append(rate)
                say(f"fanout     {name:<8} {figure['events'] / figure['seconds']:,.0f} events/s, {rate:,.0f} a CPU second, p50 {figure['p50'] / 1000:.1f} ms")
                load.close()
                server.stop()
        if self.bench.binary:
            for peer, bar, limit in (("hub", "a minimal C hub", 0.85), ("go", "a Go hub", 1.8)):
                pairs = [own / other for own, other in zip(rates["freshet"], rates[peer])]
                ratio(f"fan-out of a change to {streams:,} streams, against {bar}", limit, statistics.median(pairs),
                      f"events a CPU second {statistics.median(rates['freshet']):,.0f} : {statistics.median(rates[peer]):,.0f}")

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
        """CPU a write with 10 and with 100,000 standing queries; their memory.

        One writer: each write makes its own ten events in both cases. Of 16 writers a server with ten
        streams tells one event a stream for all of them, so that the events are not the same."""
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
            # A stream begins before all of its queries have their first answer.
            settle(server)
            held = server.memory()
            if count > 10:
                each = (held - empty) / count
                plain("memory of a standing filter-only query (100 a connection, connection included)", "≤ 1,536 bytes", f"{each:,.0f} bytes", each <= 1536)
            script = "live.lua", "wide" if count == 10 else "narrow"
            # Each query has had some changes before, and each entity is there.
            end, warm = time.monotonic() + 60, 0
            while warm < 40_000 and time.monotonic() < end:
                warm += self.bench.wrk(server, 16, *script)["requests"]
            for writers in (1, 16):
                figures = [self.bench.wrk(server, writers, *script) for _ in range(self.bench.rounds)]
                cost[count, writers] = statistics.median(f["cpu"] for f in figures)
                say(f"standing   {count:>7} queries, {writers:>2} writers: {cost[count, writers]:.2f} CPU s per 100,000 writes, {statistics.median(f['rate'] for f in figures):,.0f} writes/s")
            load.close()
            server.stop()
        for writers in (1, 16):
            ratio(f"CPU a write with 100,000 standing queries, against 10, {writers} writer{'s' if writers > 1 else ''}", 1.5, cost[100_000, writers] / cost[10, writers],
                  f"CPU s per 100,000 writes {cost[100_000, writers]:.2f} : {cost[10, writers]:.2f}, about 10 queries concerned in both", least=False)

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

    def idlelive(self):
        """What a server costs that has live queries, conditions and an upstream, of which none changes."""
        if not self.bench.binary:
            return
        self.prepare()
        span, queries, conditions = 60, 1_000, 10
        quiet = Server([sys.executable, HERE / "outgoing.py", 1], announced=r"PORT (\d+)")
        file = self.bench.folder / "idle.json"
        file.write_text(json.dumps({
            "upstreams": {"quiet": {"base": f"http://127.0.0.1:{quiet.port}"}},
            "conditions": {f"idle-{number}": {} for number in range(conditions)},
            "operations": {"followed": {"type": "t", "controllers": [
                {"sse": {"upstream": "quiet", "path": "/events"}, "attach": "always", "reduce": [{"on": "*", "do": "ignore"}]}]}}}))
        server = Server([self.bench.binary, "serve", "--listen", "127.0.0.1:0", "--memory", "--config", file],
                        announced=r"listening on http://127\.0\.0\.1:(\d+)")
        for number in range(conditions):
            put(server, f"/v1/_conditions/idle-{number}", {"value": True})
        put(server, "/v1/stood/entity-0", {"n": 0})
        paths = self.sessions(server, self.queries(queries))
        load = Streams(self, server, paths, len(paths))
        settle(server)
        before = server.cpu()
        time.sleep(span)
        spent = server.cpu() - before
        load.close()
        server.stop()
        quiet.stop()
        plain(f"idle server: 1 upstream event stream, {conditions} conditions, {queries:,} live queries, {span} s", "≤ 0.05 CPU s", f"{spent:.2f} s", spent <= 0.05)

    def reconnect(self):
        """5,000 clients come back to one query, each with the same cursor, behind a restart."""
        if not self.bench.binary:
            return
        clients, folder = 5_000, self.bench.folder / "reconnect"
        raise_descriptors()
        times = []
        for number in range(self.bench.rounds):
            data = f"{folder}{number}"
            server = self.bench.freshet(data)
            for n in range(1_000):
                cursor = put(server, f"/v1/live/{n}", {"g": n % 10, "text": TEXT})
            for n in range(5):
                put(server, f"/v1/live/{n * 10}", {"g": 0, "text": "changed"})
            server.process.kill()
            server.stop()
            server = self.bench.freshet(data)
            os.sched_setaffinity(0, {1})
            times.append(storm(server, f"/v1/live?filter=g==0&live=delta&since={cursor}", clients, b"event: delta"))
            os.sched_setaffinity(0, range(os.cpu_count()))
            searched = metric(server, "freshet_live_evaluations_total")
            server.stop()
            say(f"reconnect  {times[-1]:.2f} s, {searched} evaluations")
            if searched != 1:
                raise SystemExit("a storm on one query made more than one evaluation")
        plain(f"{clients:,} clients come back to one query after a kill, each has its delta", "≤ 2 s, one evaluation",
              f"{statistics.median(times):.2f} s (the clients' own time included)", statistics.median(times) <= 2)

    def slowreader(self):
        """A hundred readers that take nothing for a minute at 1,000 writes a second."""
        if not self.bench.binary:
            return
        self.prepare()
        readers, span = 100, 60
        server = Server([self.bench.binary, "serve", "--listen", "127.0.0.1:0", "--memory", "--limit-write-timeout", "300s"],
                        announced=r"listening on http://127\.0\.0\.1:(\d+)")
        path = "/v1/live?filter=text!=null&live=delta"
        # What is kept of past changes is full before, so that it does not count.
        warm = Streams(self, server, [path], 1, 60_000, 10_000, "/v1/live/one")
        warm.write()
        warm.close()
        stopped = []
        for _ in range(readers):
            reader = socket.socket()
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            reader.connect(("127.0.0.1", server.port))
            reader.sendall(f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n".encode())
            stopped.append(reader)
        # Until all of the kernel's buffers are full.
        fill = Streams(self, server, [path], 1, 5_000, 1_000, "/v1/live/one")
        fill.write()
        fill.close()
        load = Streams(self, server, [path], 1, span * 1_000, 1_000, "/v1/live/one")
        before = server.memory()
        load.write()
        grown = server.memory() - before
        load.close()
        last = int(put(server, "/v1/live/one", {"text": "the last"}).split(".")[1])
        skipped, events = 0, 0
        for reader in stopped:
            reader.settimeout(20)
            text, seen = b"", 0
            while seen != last:
                text += reader.recv(1 << 16) or exit("a slow reader was closed")
                for step in re.finditer(rb'"(?:to|v)":(\d+),.*\n', text):
                    skipped, seen, events = max(skipped, int(step[1]) - seen if seen else 0), int(step[1]), events + 1
                text = text[text.rfind(b"\n") + 1:]
            reader.close()
        server.stop()
        say(f"slowreader {grown / 2**20:+.2f} MiB, {events / readers:.0f} events a reader, {skipped:,} commits in one of them")
        plain(f"{readers} readers stopped for {span} s at 1,000 writes a second: growth of the server; then one event for all of it",
              "≤ 2 MiB, ≥ 50,000 commits in one", f"{grown / 2**20:+.2f} MiB, {skipped:,} commits", grown <= 2 << 20 and skipped >= 50_000)


def raise_descriptors():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def put(server, path, entity):
    """Writes one entity; answers the cursor."""
    request = urllib.request.Request(server.url + path, json.dumps(entity).encode(), {"Content-Type": "application/json"}, method="PUT")
    with urllib.request.urlopen(request) as answer:
        return answer.headers["Freshet-Cursor"]


def settle(server):
    """Waits until the server has nothing more to do by itself: less than a tenth of a CPU for a second, twice."""
    quiet, spent = 0, server.cpu()
    while quiet < 2:
        time.sleep(1)
        before, spent = spent, server.cpu()
        quiet = quiet + 1 if spent - before < 0.1 else 0


def metric(server, name):
    with urllib.request.urlopen(server.url + "/metrics") as answer:
        return int(re.search(rf"^{name} (\d+)", answer.read().decode(), re.MULTILINE).group(1))


def storm(server, path, clients, mark):
    """Opens that many streams at once; answers the seconds until `mark` has come on each."""
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAccept: text/event-stream\r\n\r\n".encode()
    poll, sockets, texts = select.epoll(), {}, {}
    started = time.monotonic()

    def drain(wait):
        for number, _ in poll.poll(wait):
            texts[number] += sockets[number].recv(1 << 16)
            if mark in texts[number]:
                poll.unregister(number)
                done.append(sockets[number])

    done = []
    for n in range(clients):
        one = socket.create_connection(("127.0.0.1", server.port))
        one.sendall(request)
        sockets[one.fileno()], texts[one.fileno()] = one, b""
        poll.register(one.fileno(), select.EPOLLIN)
        if n % 64 == 63:
            drain(0)
    while len(done) < clients:
        if time.monotonic() > started + 30:
            raise SystemExit(f"{clients - len(done)} clients have nothing after 30 s")
        drain(1)
    spent = time.monotonic() - started
    for one in sockets.values():
        one.close()
    return spent
