"""Several servers over one log of etcd: the rows `cluster`, `clustercpu`, `clusterreads`, `clusterjoin` and `clusterlead`.

Three nodes of etcd that sync, on both CPUs for the first row and on CPU 1 for the others; servers on CPU 0.
"""
import http.client
import json
import pathlib
import re
import shutil
import subprocess
import threading
import time
import urllib.request

from harness import Server, free_port, notes, plain, ratio, say

TOOLS = {"etcd": "etcd-server"}
NODES, SERVERS = 3, "abc"
# Writes a second beside a join, and those who write them.
WRITES, WRITERS = 500, 16
FRAME, COMMIT = 0.5e-3, 5e-6
HAND_OVERS = 40


class Etcd:
    def __init__(self, bench, cpus):
        self.folder = bench.directory("etcd")
        clients, peers = ([free_port() for _ in range(NODES)] for _ in range(2))
        url = "http://127.0.0.1:{}".format
        everybody = ",".join(f"n{at}={url(port)}" for at, port in enumerate(peers))
        self.nodes = [Server(
            ["taskset", "-c", cpus, "etcd", "--name", f"n{at}", "--data-dir", self.folder / f"n{at}", "--log-level", "error",
             "--listen-client-urls", url(client), "--advertise-client-urls", url(client), "--listen-peer-urls", url(peers[at]),
             "--initial-advertise-peer-urls", url(peers[at]), "--initial-cluster", everybody, "--quota-backend-bytes", 8 << 30],
            port=client, environment={"ETCD_ENABLE_V2": "false"}) for at, client in enumerate(clients)]
        self.url = "etcd://" + ",".join(f"127.0.0.1:{port}" for port in clients)
        end = time.monotonic() + 60
        while self.leaders(clients) < NODES:
            if time.monotonic() > end:
                raise SystemExit("etcd has no leader")
            time.sleep(0.1)

    @staticmethod
    def leaders(clients):
        """How many nodes know who leads."""
        count = 0
        for port in clients:
            try:
                asked = urllib.request.Request(f"http://127.0.0.1:{port}/v3/maintenance/status", b"{}")
                count += json.load(urllib.request.urlopen(asked, timeout=5)).get("leader", "0") != "0"
            except OSError:
                pass
        return count

    def stop(self):
        for node in self.nodes:
            node.stop()
        shutil.rmtree(self.folder)


def figures(server):
    """The metrics of one sample each, by name."""
    lines = urllib.request.urlopen(server.url + "/metrics").read().decode().splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}


class Cluster:
    def __init__(self, bench):
        self.bench = bench

    def replica(self, etcd, name, data):
        """A server of the cluster, from its start until it answers reads and takes writes."""
        secret = self.bench.folder / "secret"
        secret.write_text("a secret of the cluster\n")
        configuration = self.bench.folder / "cluster.json"
        configuration.write_text(json.dumps({"cluster": {"secret": {"file": str(secret)}}}))
        port = free_port()
        server = Server(
            [self.bench.binary, "serve", "--listen", f"127.0.0.1:{port}", "--data", data, "--config", configuration, "--replica", name,
             "--advertise", f"http://127.0.0.1:{port}", "--cluster-log", f"{etcd.url}/bench"],
            announced=r"listening on http://127\.0\.0\.1:(\d+)", seconds=120)
        end = time.monotonic() + 120
        while True:
            try:
                urllib.request.urlopen(server.url + "/readyz", timeout=10).close()
                server.ready_after = time.monotonic() - server.started
                return server
            except OSError:
                if time.monotonic() > end:
                    raise SystemExit(f"{name} is not ready")
                time.sleep(0.02)

    def cluster(self):
        """What `freshet-bench log` prints, as it is, and its two shares."""
        if not self.bench.binary:
            return
        tool = pathlib.Path(self.bench.binary).parent / "freshet-bench"
        if not tool.exists():
            notes.append("cluster: freshet-bench is not built beside the program.")
            return
        etcd = Etcd(self.bench, "0,1")
        done = subprocess.run([tool, "log"], capture_output=True, text=True, env={"FRESHET_LOG_URL": f"{etcd.url}/bench", "SWIFT_BACKTRACE": "enable=no"})
        etcd.stop()
        say(done.stdout)
        told = {name: float(value.replace(",", "")) for name, value in re.findall(r"^\s*(.+?)\s{2,}([\d.,]+)", done.stdout, re.MULTILINE)}
        try:
            ratio("commits of 64 writers, against a bare loop on the same etcd", 0.8, told["share of the bare loop"],
                  f"{told['commits over etcd, 64 writers']:,.0f}/s : {told['bare appends of 64 commits']:,.0f}/s")
            ratio("a follower shows a commit, p50, against its acknowledgement", 1.5, told["shown against acknowledged"],
                  f"{told['shown by a follower, p50']:,.0f} µs : {told['acknowledged, p50']:,.0f} µs", least=False)
        except KeyError as name:
            raise SystemExit(f"freshet-bench log did not print {name}: {done.stdout}{done.stderr}")

    def cpu(self):
        """The leader's CPU beside that of a server alone, by one writer and by 64: what a frame takes and what a
        commit takes are the two unknowns of the two differences."""
        bench = self.bench
        if not bench.binary:
            return
        etcd = Etcd(bench, "1")
        alone, leader = bench.freshet(bench.directory("alone")), self.replica(etcd, "a", bench.directory("a"))
        put = lambda server, writers: lambda: bench.wrk(server, writers, "put.lua", bench.count, bench.size)

        def counted(writers):
            def run():
                before = figures(leader)
                found, after = put(leader, writers)(), figures(leader)
                commits, frames = (after[f"freshet_log_{name}_total"] - before[f"freshet_log_{name}_total"] for name in ("commits", "appends"))
                return {**found, "frames": frames / commits}
            return run

        m = bench.interleaved("clustercpu", {"alone 1": put(alone, 1), "leader 1": counted(1), "alone 64": put(alone, 64), "leader 64": counted(64)})
        for server in (alone, leader):
            server.stop()
        etcd.stop()
        more = {writers: (m[f"leader {writers}"]["cpu"] - m[f"alone {writers}"]["cpu"]) / 100_000 for writers in (1, 64)}
        frames = {writers: m[f"leader {writers}"]["frames"] for writers in (1, 64)}
        frame = (more[1] - more[64]) / (frames[1] - frames[64])
        commit = more[1] - frame * frames[1]
        detail = "; ".join(f"{writers} writer{'s'[:writers > 1]}: {m[f'leader {writers}']['cpu'] * 10:.0f} : {m[f'alone {writers}']['cpu'] * 10:.0f} µs a commit, "
                           f"{1 / frames[writers]:.1f} commits a frame" for writers in (1, 64))
        plain("CPU of the leader a frame, beyond a server alone", "≤ 0.5 ms", f"{frame * 1e3:.3f} ms ({detail})", frame <= FRAME)
        plain("CPU of the leader a commit, likewise", "≤ 5 µs", f"{commit * 1e6:.1f} µs", commit <= COMMIT)

    def reads(self):
        bench = self.bench
        if not bench.binary:
            return
        etcd = Etcd(bench, "1")
        servers = {"alone": bench.freshet(bench.directory("alone"))}
        for name in SERVERS:
            servers[name] = self.replica(etcd, name, bench.directory(name))
        for name in ("alone", "a"):
            bench.load(servers[name])
        for name in SERVERS:
            strong(servers[name], "/v1/package?limit=0")
        call = lambda server: lambda: bench.wrk(server, 64, "get.lua", bench.paths, 1)
        m = bench.interleaved("clusterreads", {name: call(server) for name, server in servers.items()})
        for server in servers.values():
            server.stop()
        etcd.stop()
        own = [m[name]["cpu"] for name in SERVERS]
        ratio("reads of three servers against one, by CPU", 2.8, sum(m["alone"]["cpu"] / each for each in own),
              f"CPU s per 100,000: alone {m['alone']['cpu']:.3f}, of the cluster " + ", ".join(f"{each:.3f}" for each in own))

    def join(self):
        bench = self.bench
        if not bench.binary:
            return
        count = 100_000 if bench.options.quick else 1_000_000
        file, data = bench.folder / "many.ndjson", bench.directory("a")
        with open(file, "w") as lines:
            lines.writelines(bench.entity(number) + "\n" for number in range(count))
        server = bench.freshet(data)
        bench.load(server, "entity", file)
        server.stop()
        file.unlink()
        etcd = Etcd(bench, "1")
        subprocess.run([bench.binary, "cluster", "init", "--cluster-log", f"{etcd.url}/bench", "--data", data], check=True, stdout=subprocess.DEVNULL)
        servers = [self.replica(etcd, "a", data), self.replica(etcd, "b", bench.directory("b"))]
        say(f"clusterjoin {count:,} entities: a is ready after {servers[0].ready_after:.2f} s, b has joined after {servers[1].ready_after:.2f} s, without writes")
        over, written, faults = threading.Event(), [0] * WRITERS, []
        writers = [threading.Thread(target=write, args=(servers[number % 2], number, over, written, faults)) for number in range(WRITERS)]
        times = []
        for writer in writers:
            writer.start()
        try:
            for round_ in range(min(bench.rounds, 3)):
                folder, begun, before = bench.directory("c"), time.monotonic(), sum(written)
                joined = self.replica(etcd, "c", folder)
                rate = (sum(written) - before) / (time.monotonic() - begun)
                times.append((joined.ready_after, rate))
                say(f"clusterjoin round {round_ + 1}: ready after {joined.ready_after:.2f} s beside {rate:,.0f} writes/s")
                if round_ + 1 < min(bench.rounds, 3):
                    joined.stop()
                    shutil.rmtree(folder)
        finally:
            over.set()
            for writer in writers:
                writer.join()
        if faults:
            raise SystemExit(f"a write failed beside the join: {faults[0]}")
        shown = [content(each) for each in [*servers, joined]]
        for each in [*servers, joined]:
            each.stop()
        etcd.stop()
        say("")
        took, rate = sorted(times)[len(times) // 2]
        scale = "" if count == 1_000_000 else " (quick: not the bar's number)"
        exact = shown[0] == shown[1] == shown[2] and shown[0][0] == count
        plain(f"a server joins with {count:,} entities under {WRITES} writes/s{scale}", "≤ 60 s, then exact",
              f"{took:.1f} s beside {rate:,.0f} writes/s, {sum(written):,} in all; {'the same' if exact else f'NOT the same: {shown}'} on all three", exact and took <= 60 and rate >= WRITES * 0.95)

    def lead(self):
        """How long no write is acknowledged around each of 40 hand-overs, by writers at all servers."""
        bench = self.bench
        if not bench.binary:
            return
        etcd = Etcd(bench, "1")
        servers = {name: self.replica(etcd, name, bench.directory(name)) for name in SERVERS}
        over, written, faults, times, spans = threading.Event(), [0] * WRITERS, [], [], []
        writers = [threading.Thread(target=write, args=(servers[SERVERS[number % 3]], number, over, written, faults, times)) for number in range(WRITERS)]
        for writer in writers:
            writer.start()
        try:
            for _ in range(HAND_OVERS // 5 if bench.options.quick else HAND_OVERS):
                time.sleep(1)
                roles = {name: json.load(urllib.request.urlopen(server.url + "/v1/_cluster", timeout=10))["self"]["role"] for name, server in servers.items()}
                name = next(name for name, role in roles.items() if role == "leader")
                to = SERVERS[(SERVERS.index(name) + 1) % len(SERVERS)]
                begun = time.monotonic()
                urllib.request.urlopen(urllib.request.Request(f"{servers[name].url}/v1/_cluster/step-down?to={to}", b""), timeout=10).close()
                spans.append((begun, time.monotonic()))
            time.sleep(1)
        finally:
            over.set()
            for writer in writers:
                writer.join()
        for server in servers.values():
            server.stop()
        etcd.stop()
        if faults:
            raise SystemExit(f"a write failed beside a hand-over: {faults[0]}")
        times.sort()
        near = [[at for at in times if begun - 0.5 < at < ended + 0.5] for begun, ended in spans]
        gaps = sorted(max(b - a for a, b in zip(ats, ats[1:])) for ats in near)
        last = gaps[int(len(gaps) * 0.95)]
        say(f"clusterlead {len(gaps)} hand-overs beside {len(times) / (times[-1] - times[0]):,.0f} writes/s")
        plain(f"time without writes at a hand-over, p95 of {len(gaps)}", "≤ 0.3 s", f"{last:.3f} s (p50 {gaps[len(gaps) // 2]:.3f}, longest {gaps[-1]:.3f})", last <= 0.3)


def strong(server, path):
    return urllib.request.urlopen(urllib.request.Request(server.url + path, headers={"Freshet-Read": "strong"}), timeout=60).read()


def write(server, number, over, written, faults, times=None):
    """Its part of the writes, at even distances, of entities that are there; with `times`, which get when each
    was acknowledged, of any."""
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    begun = time.monotonic()
    while not over.is_set() and not faults:
        time.sleep(max(0, begun + written[number] * WRITERS / WRITES - time.monotonic()))
        name = f"entity-{(written[number] * WRITERS + number) * 7919 % 100_000:07d}"
        link.request("PUT", f"/v1/entity/{name}", json.dumps({"title": "written", "n": written[number], "by": number}), {"Content-Type": "application/json"})
        answer = link.getresponse()
        body = answer.read()
        if answer.status != 200 and (times is None or answer.status != 201):
            faults.append(f"{answer.status} {body}")
        written[number] += 1
        if times is not None:
            times.append(time.monotonic())


def content(server):
    """How many entities a server has, and a sum over all that it tells of each."""
    strong(server, "/v1/entity?limit=0")
    count, total = 0, 0
    with urllib.request.urlopen(server.url + "/v1/_export?type=entity", timeout=120) as lines:
        for line in lines:
            count, total = count + 1, (total + hash(line)) & (1 << 64) - 1
    return count, total
