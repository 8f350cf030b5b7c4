"""A campaign over three servers and the nodes of an engine: clients that note what they ask and are answered,
streams that go from server to server, faults, and what must hold behind it (replication.md, section 14)."""
import bisect
import collections
import heapq
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import threading
import time
from urllib.parse import quote

import linear
from cases_live import Query
from cluster import Cluster, Engine, Postgres, strong
from harness import DESCRIPTION, Failure, Stream, check, parse, same, short
from linear import ANY, Op

# Entities get new names after so many requests: those to the names of one generation are a history of their
# own. A few of them are none (a read without an answer), and one has 5,000 all the same.
GENERATION, HISTORY = 5_700, 5_000
# Names for each client: the search for an order grows with those that meet on one.
NAMES, GROUPS, ROWS = 2.5, 5, 10
READERS = 2


class Client(threading.Thread):
    """Reads and writes, one request after the other: every second one at a server of its own, so that one that
    hangs does not stop them all, the others at random servers. A reader reads alone, and each answer that it
    does not get is noted."""

    def __init__(self, campaign, number, is_brisk, is_reader=False):
        super().__init__(daemon=True)
        self.campaign, self.number, self.is_brisk, self.is_reader = campaign, number, is_brisk, is_reader
        self.random, self.links, self.known = random.Random(f"{campaign.seed} {number}"), {}, {}
        self.ops, self.faults, self.count = [], [], 0
        self.home = None if is_reader or number % 2 else number // 2 % 3

    def run(self):
        try:
            while not self.campaign.is_over.is_set():
                self.work()
        except Exception as fault:
            self.faults.append(f"client {self.number}: {type(fault).__name__} {fault}")

    def server(self):
        return self.random.randrange(3) if self.home is None else self.home

    def work(self):
        chance, roll = self.random, 0.2 if self.is_reader else self.random.random()
        generation = next(self.campaign.numbers) // GENERATION
        number = int(chance.random() ** 2 * self.campaign.names)
        entity, server = f"{generation}-{number}", self.server()
        self.count += 1
        value = self.number * 10_000_000 + self.count
        state, revision = self.known.get(entity, (None, None))
        headers, body = {}, None
        if roll < 0.25:
            op = Op("read", entity, strong=roll < 0.12, replica=server)
            headers["Freshet-Read"] = "strong" if op.strong else "any"
            method = "GET"
            if not op.strong:
                del headers["Freshet-Read"]
        elif roll < 0.85:
            method, body = "PUT", {"n": value, "g": number % GROUPS}
            expected = ANY
            if roll < 0.5:
                expected = state
                headers.update({"If-Match": f'"{revision}"'} if state else {"If-None-Match": "*"})
            op = Op("put", entity, value, expected, replica=server)
        elif roll < 0.95:
            method, body, op = "PATCH", {"p": value}, Op("patch", entity, value, replica=server)
        else:
            method, op = "DELETE", Op("delete", entity, replica=server)
        is_keyed = op.is_write and chance.random() < 0.7
        if is_keyed:
            headers["Idempotency-Key"] = f"{self.number}-{self.count}"
        op.sent = time.monotonic()
        self.ops.append(op)
        outcome = self.ask(op, server, method, f"/v1/t/{entity}", body, headers)
        # With a key it may be asked again; that nothing was done holds for this try alone.
        for _ in range(3 if is_keyed and outcome == "unknown" else 0):
            time.sleep(0.1)
            # What it shows is of the server that answers.
            op.replica = self.server()
            outcome = self.ask(op, op.replica, method, f"/v1/t/{entity}", body, headers)
            if outcome == "ok":
                break
            # What is refused is not remembered, so that the first try may still come.
            op.shown = op.revision = op.seq = op.answered = None
            outcome = "unknown"
        if outcome is None or op.kind == "read" and outcome != "ok":
            if self.is_reader:
                self.campaign.misses.append((op.sent, f"a read at server {server}: {outcome or 'no connection'} {op.code or ''}"))
            self.ops.pop()
            time.sleep(0.02)
            return
        op.outcome = outcome
        if outcome in ("ok", "rejected"):
            self.known[entity] = op.shown, op.revision
            if op.shown and op.revision is None:
                # It was told what there is, but not its ETag.
                del self.known[entity]
        else:
            time.sleep(0.02)
        if self.is_reader or not self.is_brisk:
            time.sleep(0.01)

    def last_word(self, entity, server, seconds=30):
        """A strong read that was answered, asked again while the log is away or the server is not so far."""
        end = time.monotonic() + seconds
        while True:
            op = Op("read", entity, replica=server)
            op.sent = time.monotonic()
            op.outcome = self.ask(op, server, "GET", f"/v1/t/{entity}", None, {"Freshet-Read": "strong"})
            if op.outcome == "ok":
                return op
            why = f"{entity} at server {server}: {op.outcome or 'no connection'} {op.code or ''} {self.faults}"
            check(not self.faults and op.sent < end, f"{why}, not read within {seconds} s")
            time.sleep(0.1)

    def ask(self, op, server, method, path, body, headers):
        """Asks once, and notes the answer: the outcome, None where the request was not sent.

        A read is asked anew where a link of before is closed: its server was killed and is there again.
        """
        link = self.links.get(server)
        is_kept = link is not None
        try:
            if link is None:
                link = socket.create_connection(("127.0.0.1", self.campaign.cluster.ports[server]), 8)
                link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self.links[server] = link
        except OSError:
            return None
        data = b"" if body is None else json.dumps(body).encode()
        if data:
            headers = {**headers, "Content-Type": "application/json"}
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(data)}", *(f"{name}: {value}" for name, value in headers.items())]
        try:
            link.sendall("\r\n".join(lines).encode() + b"\r\n\r\n" + data)
            got = b""
            while not (answers := parse(got)):
                more = link.recv(65_536)
                if not more:
                    raise ConnectionError("closed")
                got += more
        except OSError as fault:
            self.leave(server)
            if is_kept and op.kind == "read" and isinstance(fault, ConnectionError):
                return self.ask(op, server, method, path, body, headers)
            op.code = f"{fault} after {time.monotonic() - op.sent:.2f} s"
            return "unknown"
        if answers[0].header("Connection") == "close":
            self.leave(server)
        op.answered = time.monotonic()
        return self.note(op, method, path, answers[0])

    def leave(self, server):
        self.links.pop(server).close()

    def note(self, op, method, path, answer):
        status = answer.status
        if status not in (200, 201, 204):
            DESCRIPTION.check(method, path, answer)
        cursor = answer.header("Freshet-Cursor")
        if status < 500:
            check(cursor, f"no Freshet-Cursor in {status} {method} {path}")
            epoch, op.seq = cursor.split(".")[0], int(cursor.split(".")[1])
            self.campaign.epochs.add(epoch)
            op.lagging = answer.header("Freshet-Lag") is not None
        shown, etag = None, answer.header("ETag")
        if status in (200, 201):
            shown = answer.json
        elif status == 412:
            shown = answer.json.get("current")
        op.shown = (shown["n"], shown.get("p")) if shown else None
        op.revision = int(etag.strip('"')) if etag else None
        if status in (200, 201, 204) or status == 404 and op.kind == "read":
            op.changed = status == 201 if op.kind == "put" else answer.header("Freshet-Changed") == "true"
            return "ok"
        if status == 412 and op.kind == "put" or status == 404 and op.kind == "patch":
            return "rejected"
        op.code = answer.json["code"]
        if op.code == "idempotency-in-progress":
            return "unknown"
        told = answer.json.get("outcome")
        if op.is_write and status in (503, 507) and told in ("not-applied", "unknown"):
            self.campaign.refusals[op.code, told] += 1
            return "refused" if told == "not-applied" else "unknown"
        # One that starts does nothing yet.
        if status == 503 and (op.code == "recovering" or op.kind == "read" and op.strong):
            return "refused"
        self.faults.append(f"{method} {path} at server {op.replica}: {status} {short(answer.body)}")
        return "unknown"


class Watcher(threading.Thread):
    """A stream that goes from server to server with what it knows, and says what it holds at which cursor."""

    def __init__(self, campaign, number):
        super().__init__(daemon=True)
        self.campaign, self.random = campaign, random.Random(f"{campaign.seed} stream {number}")
        self.groups = [number % GROUPS] if number % 3 else [number % GROUPS, (number + 1) % GROUPS]
        paths = [f"/v1/t?filter=g=={group}&order=-n&limit={ROWS}" for group in self.groups]
        if len(paths) == 1:
            self.path = paths[0] + "&live=delta&throttle=200&heartbeat=5"
        else:
            inner = "&".join(f"q.q{at}=" + quote(path, safe="") for at, path in enumerate(paths))
            self.path = f"/v1/_live?{inner}&throttle=200&heartbeat=5"
        self.queries = [Query() for _ in paths]
        # Snapshots by what they say of themselves; states that were held, those of each query counted.
        self.last, self.faults, self.why, self.checks = None, [], collections.Counter(), 0
        # What was told last, for whoever looks for a fault.
        self.trail = collections.deque(maxlen=16)

    def run(self):
        while not self.campaign.is_over.is_set():
            server = self.random.randrange(3)
            try:
                self.follow(server, self.random.expovariate(0.2))
            except OSError as fault:
                self.miss(server, fault)
            except Failure as fault:
                # What the harness says of a server that is gone, or sleeps.
                if str(fault).startswith(("no event within", "the stream closed")):
                    self.miss(server, fault)
                else:
                    self.faults.append(f"stream {self.path}: {fault}")
            except Exception as fault:
                self.faults.append(f"stream {self.path}: {type(fault).__name__} {fault}")
            time.sleep(self.random.uniform(0.05, 0.3))

    def miss(self, server, fault):
        self.campaign.misses.append((time.monotonic(), f"a stream of server {server}: {fault}"))

    def follow(self, server, seconds):
        headers = {"Accept": "text/event-stream"}
        if self.last:
            headers["Last-Event-ID"] = self.last
        end = time.monotonic() + 1 + seconds
        self.trail.append(("connects to", server, self.last))
        with Stream(self.campaign.cluster.servers[server], self.path, headers) as stream:
            if stream.status == 503 and b"recovering" in stream.buffer:
                return self.miss(server, "recovering")
            check(stream.status == 200, f"{stream.status} {stream.buffer}")
            while time.monotonic() < end and not self.campaign.is_over.is_set():
                event = stream.next(seconds=7, comments=True)
                if event is None:
                    return self.miss(server, "its end, without a word")
                if event[0] == "bye":
                    # It was sent on: it holds what it held.
                    self.campaign.moved += 1
                    return
                self.take(*event)

    def take(self, name, mark, data):
        told = data or {}
        self.trail.append((name, mark, *(told.get(key) for key in ("q", "why", "v", "from", "to"))))
        if name in ("snapshot", "delta"):
            query = self.queries[int(data["q"][1:]) if "q" in data else 0]
            # It may begin where a `sync` would have told that nothing had changed up to there; whether that
            # is so, the log says.
            query.known = max(query.known, data.get("from", -1))
            query.apply(name, data)
            if name == "snapshot" and query.whole:
                self.why[query.why] += 1
        elif name == "fault" and data["code"] not in ("recovering", "replica-behind"):
            self.faults.append(f"stream {self.path}: {data}")
        if mark is None:
            return
        self.last = mark
        seq = int(mark.split(".")[1])
        self.checks += len(self.queries)
        for query, group in zip(self.queries, self.groups):
            query.known = seq
            # It has come from a server that had got further before it could say so.
            if query.v <= seq:
                self.campaign.hold(seq, group, [query.items[key] for key in query.order], self, name)


def digest(rows):
    return hash(tuple((row["id"], row["n"], row.get("p")) for row in rows))


# Seconds without writes that 95 of 100 such faults stay within (replication.md, section 14).
BARS = {"kill_leader": 6, "pause_leader": 6, "hand_over": 0.3, "kill_engine_leader": 3}


class Tally:
    """Figures of one campaign, or of several."""

    def __init__(self):
        self.acknowledged = self.operations = self.histories = self.states = 0
        # Snapshots by what they say of themselves; of each kind of fault, seconds without writes.
        self.why, self.gaps = collections.Counter(), collections.defaultdict(list)

    def add(self, other):
        self.acknowledged += other.acknowledged
        self.operations += other.operations
        self.histories += other.histories
        self.states += other.states
        self.why += other.why
        for name, gaps in other.gaps.items():
            self.gaps[name] += gaps

    def share(self, name, part):
        gaps = sorted(self.gaps[name])
        return gaps[min(len(gaps) - 1, int(len(gaps) * part))]

    def show(self):
        print(f"      {self.acknowledged} writes acknowledged, 0 lost; {self.operations} operations, among them {self.histories} histories of {HISTORY}: 0 violations")
        print(f"      {self.states} states of streams held against the log; snapshots {dict(self.why)}: {self.why['retention'] / max(1, self.states):.2%} for retention")
        for name in sorted(self.gaps):
            print(f"      without writes, {name}: {len(self.gaps[name])} times, p50 {self.share(name, 0.5):.2f} s, p95 {self.share(name, 0.95):.2f} s")

    def hold(self):
        """What the long part promises."""
        check(self.acknowledged >= 200_000, f"{self.acknowledged} writes were acknowledged")
        check(self.histories >= 200, f"{self.histories} histories")
        check(self.why["retention"] <= self.states / 100, f"{self.why} of {self.states} states")
        for name, bar in BARS.items():
            check(len(self.gaps[name]) >= 40, f"{name}: {len(self.gaps[name])} times")
            check(self.share(name, 0.95) <= bar, f"{name}: without writes for {self.share(name, 0.95):.2f} s in p95, at most {bar} s")


class Campaign:
    """On three servers over an engine, `Engine` or `Postgres`, of so many nodes."""

    def __init__(self, context, place, seconds, streams, clients, takeover, longest, engine=Engine, nodes=3, **options):
        self.make_engine = lambda: engine(self.place, nodes, **options)
        self.random, self.seed = context.random, context.random.random()
        self.binary, self.place, self.seconds, self.takeover, self.longest = context.binary, pathlib.Path(place), seconds, takeover, longest
        self.counts, self.names = (streams, clients), int(NAMES * clients)
        self.is_over, self.epochs, self.refusals = threading.Event(), set(), collections.Counter()
        self.held, self.lock, self.faults, self.numbers = {}, threading.Lock(), [], itertools.count()
        # Answers of a read and events of a stream that did not come: when, and what. Streams that were sent on.
        self.misses, self.moved = [], 0
        # Of each fault: its name, when it began, who was hurt.
        self.times = []

    def hold(self, seq, group, rows, watcher, event):
        mark = digest(rows)
        with self.lock:
            if self.held.setdefault((seq, group), mark) != mark:
                watcher.faults.append(f"two streams hold different rows of group {group} at {seq}, behind {event} of {watcher.path}: {rows}, {list(watcher.trail)}")

    def run(self):
        # One that was emptied reads the whole log, which `commits` wants as a whole.
        with self.make_engine() as self.engine, Cluster(
                self.binary, self.engine, self.place, takeover=self.takeover, is_relayed=True, settle=180) as self.cluster:
            self.cluster.leader()
            self.began = time.monotonic()
            self.clients = [Client(self, number, self.seconds > 60) for number in range(self.counts[1])]
            self.clients += [Client(self, len(self.clients) + number, True, is_reader=True) for number in range(READERS)]
            self.watchers = [Watcher(self, number) for number in range(self.counts[0])]
            for thread in self.clients + self.watchers:
                thread.start()
            self.disturb()
            self.is_over.set()
            for thread in self.clients + self.watchers:
                thread.join(60)
                check(not thread.is_alive(), "a client does not end")
            self.judge()

    # Faults -----------------------------------------------------------------------------------

    def disturb(self):
        plan, end = [], time.monotonic() + self.seconds
        faults = [self.kill_leader, self.kill_follower, self.pause_leader, self.pause_follower, self.kill_engine_leader,
                  self.pause_engine_leader, self.pause_engine, self.cut_leader_from_engine, self.cut_follower_from_engine,
                  self.cut_leader_from_others, self.hand_over, self.empty_follower, self.kill_engine, self.kill_replicas]
        if isinstance(self.engine, Postgres):
            faults += [self.pause_standby, self.fail_over]
        elif self.engine.links:
            faults.append(self.cut_engine_nodes)
        # Of each that has a bar in seconds there are enough for a percentile, where there is time.
        faults += [fault for fault in faults if fault.__name__ in BARS for _ in range(3 if self.seconds > 60 else 0)]
        while time.monotonic() < end:
            if not plan:
                plan = self.random.sample(faults, len(faults))
            fault = plan.pop()
            self.settle()
            leader = self.cluster.leader()
            follower = (leader + self.random.randrange(1, 3)) % 3
            mark = [fault.__name__, time.monotonic(), None, leader if "leader" in fault.__name__ and "engine_leader" not in fault.__name__ else None]
            self.times.append(mark)
            fault(leader, follower)
            self.settle()
            mark[2] = time.monotonic()

    def settle(self, seconds=90):
        """Until each server takes writes, and all have met."""
        end = time.monotonic() + seconds
        for server in self.cluster.servers:
            while True:
                try:
                    if server.put("/v1/probe/1", {"at": time.monotonic()}).status < 300:
                        break
                except Failure as fault:
                    check(server.alive(), f"a server has ended: {server.tail()}")
                check(time.monotonic() < end, f"no write through {server.url} within {seconds} s; {server.get('/v1/_cluster').body}; {server.tail()}")
                time.sleep(0.05)

    def span(self, least=0.2, most=None):
        return self.random.uniform(least, most or self.longest)

    def pause(self, server, seconds):
        server.signal(signal.SIGSTOP)
        time.sleep(seconds)
        server.signal(signal.SIGCONT)

    def kill(self, index, is_emptied=False):
        self.cluster.servers[index].kill()
        time.sleep(self.span(0.1, 3))
        self.cluster.servers[index].forget()
        if is_emptied:
            shutil.rmtree(self.cluster.folder(index))
        self.cluster.start(index)

    def cut(self, ports):
        self.cluster.links.order(self.random.choice(("hold", "close")), *ports)
        time.sleep(self.span())
        self.cluster.links.order("pass", *ports)

    def kill_leader(self, leader, _):
        self.kill(leader)

    def kill_follower(self, _, follower):
        self.kill(follower)

    def empty_follower(self, _, follower):
        self.kill(follower, is_emptied=True)

    def pause_leader(self, leader, _):
        self.pause(self.cluster.servers[leader], self.longest)

    def pause_follower(self, _, follower):
        self.pause(self.cluster.servers[follower], self.span())

    def kill_engine_leader(self, *_):
        node = self.engine.leader()
        self.engine.kill(node)
        time.sleep(self.span(0.1, 3))
        self.engine.start(node)

    def pause_engine_leader(self, *_):
        node = self.engine.leader()
        self.engine.signal(signal.SIGSTOP, [node])
        time.sleep(self.span())
        self.engine.signal(signal.SIGCONT, [node])

    def pause_engine(self, *_):
        self.engine.signal(signal.SIGSTOP)
        time.sleep(self.span(most=4))
        self.engine.signal(signal.SIGCONT)

    def kill_engine(self, *_):
        """All nodes at once, and all begin again."""
        nodes = range(len(self.engine.nodes))
        for node in nodes:
            self.engine.kill(node)
        time.sleep(self.span(0.1, 4))
        for node in nodes:
            self.engine.start(node)

    def kill_replicas(self, *_):
        """All servers at once, and all begin again."""
        for server in self.cluster.servers:
            server.kill()
        for index in range(len(self.cluster.servers)):
            self.cluster.restart(index)

    def cut_engine_nodes(self, *_):
        """What the nodes of etcd send to one of them, or to each other, does not come."""
        doors = self.engine.doors
        doors = self.random.choice([doors, [self.random.choice(doors)], [doors[self.engine.leader()]]])
        self.engine.links.order(self.random.choice(("hold", "close")), *doors)
        time.sleep(self.span())
        self.engine.links.order("pass", *doors)

    def pause_standby(self, *_):
        node = 1 - self.engine.leader()
        self.engine.signal(signal.SIGSTOP, [node])
        time.sleep(self.span())
        self.engine.signal(signal.SIGCONT, [node])

    def fail_over(self, *_):
        self.engine.fail_over()

    def cut_leader_from_engine(self, leader, _):
        self.cut(self.cluster.ways[leader])

    def cut_follower_from_engine(self, _, follower):
        self.cut(self.cluster.ways[follower])

    def cut_leader_from_others(self, leader, _):
        self.cut([self.cluster.doors[leader]])

    def hand_over(self, leader, follower):
        answer = self.cluster.servers[leader].ask("POST", f"/v1/_cluster/step-down?to={'abc'[follower]}")
        # It may have lost the lead by itself just now.
        check(answer.status == 200 or answer.status >= 500 or answer.status == 409, f"a hand-over: {answer.status} {answer.body}")

    # What must hold ---------------------------------------------------------------------------

    def judge(self):
        self.cluster.leader()
        # The last word on each entity, of each server in turn.
        ops = [op for client in self.clients for op in client.ops]
        names = sorted({op.entity for op in ops})
        reader = Client(self, len(self.clients), True)
        for number, entity in enumerate(names):
            ops.append(reader.last_word(entity, number % 3))
        log = self.engine.commits()
        self.faults += [fault for thread in self.clients + self.watchers for fault in thread.faults]
        self.faults += linear.violations(ops)
        self.faults += [f"several epochs: {self.epochs}"] if len(self.epochs) != 1 else []
        # Whatever becomes of the engine, servers that are well go on to answer reads and to feed streams.
        self.faults += [f"while the engine was away ({name}), {at - began:.2f} s behind its beginning: {what}" for name, began, ended, _ in self.times
                        if "engine" in name for at, what in self.misses if began < at < ended]
        self.hold_against_log(ops, log)
        if self.faults:
            path = self.place.with_suffix(".history")
            linear.save(ops, path)
            kinds = {re.sub("[0-9a-f]*[0-9][0-9a-f]*", "", fault)[:60]: fault for fault in reversed(self.faults)}
            raise Failure("\n      ".join([f"{len(self.faults)} faults, one of each kind:", *kinds.values(), f"the history: {path}"]))
        self.report(ops, log)

    def hold_against_log(self, ops, log):
        """What was acknowledged is in the log where it was said to be; streams showed what the log says; and
        all servers end with the same."""
        made, states, windows = {}, {}, [{} for _ in range(GROUPS)]
        held = sorted(self.held)
        at, known = 0, [None] * GROUPS
        for seq, changes in log:
            # What a stream held up to the seq before.
            while at < len(held) and held[at][0] < seq:
                at = self.compare(held[at], windows, known, at)
            for type_, id_, text in changes:
                if type_ != "t":
                    continue
                row = json.loads(text) if text else None
                made[seq] = (id_, (row["n"], row.get("p")) if row else None)
                for group in {each["g"] for each in (states.get(id_), row) if each}:
                    windows[group].pop(id_, None)
                    known[group] = None
                states[id_] = row
                if row:
                    windows[row["g"]][id_] = row
        while at < len(held):
            at = self.compare(held[at], windows, known, at)
        for op in ops:
            if op.is_commit and made.get(op.seq) != (op.entity, op.shown):
                self.faults.append(f"lost: the log has {made.get(op.seq)} at {op.seq}, but {op} was acknowledged")
        wanted = {id_: row for id_, row in states.items() if row}
        for server in self.cluster.servers:
            strong(server, "/v1/probe/1")
            lines = server.get("/v1/_export?type=t").is_(200).body.splitlines()
            shown = {row["id"]: row for row in (json.loads(line)["entity"] for line in lines)}
            if shown != wanted:
                differ = [id_ for id_ in {*shown, *wanted} if shown.get(id_) != wanted.get(id_)]
                self.faults.append(f"{server.url} ends with others than the log: {differ[:5]}")

    def compare(self, key, windows, known, at):
        seq, group = key
        if known[group] is None:
            rows = heapq.nlargest(ROWS, windows[group].values(), key=lambda row: row["n"])
            known[group] = digest(rows)
        if known[group] != self.held[key]:
            self.faults.append(f"stream: at {seq} it held other rows of group {group} than the log")
        return at + 1

    def report(self, ops, log):
        acknowledged = [op for op in ops if op.is_commit]
        outcomes = collections.Counter(op.outcome for op in ops)
        histories = collections.Counter(op.entity.partition("-")[0] for op in ops)
        tally = self.tally = Tally()
        tally.acknowledged, tally.operations = len(acknowledged), len(ops)
        tally.histories = sum(count >= HISTORY for count in histories.values())
        tally.states = sum(watcher.checks for watcher in self.watchers)
        tally.why = sum((watcher.why for watcher in self.watchers), collections.Counter())
        tally.gaps = self.gaps(acknowledged)
        # A stream of one query goes on exactly, wherever it goes on.
        alone = sum(watcher.why["retention"] for watcher in self.watchers if len(watcher.queries) == 1)
        print(f"      snapshots for retention of streams with one query: {alone}")
        for word in ("epoch", "rewind"):
            same(tally.why[word], 0, f"snapshots why:{word}")
        print(f"      {len(self.times)} faults; {len(log)} commits; {dict(outcomes)}; refused: {dict(self.refusals)}")
        print(f"      {len(self.watchers)} streams, {len(self.held)} different states, sent on {self.moved} times; {len(self.misses)} reads and streams without an answer, "
              f"none while the engine alone was away")
        tally.show()
        # A window that nobody watches at a server begins there with what is now.
        check(tally.why["retention"] <= tally.states // 100 + len(self.times) * GROUPS * 2, f"snapshots why:retention: {tally.why}")

    def gaps(self, acknowledged):
        """Of each kind of fault: the longest times in which no server that was not hurt acknowledged a write.
        Those that were over when the fault began are of the one before."""
        found = collections.defaultdict(list)
        for name, began, ended, hurt in self.times:
            if ended is None:
                continue
            times = sorted(op.answered for op in acknowledged if op.replica != hurt)
            times = times[max(0, bisect.bisect(times, began) - 1):bisect.bisect(times, ended) + 1]
            found[name].append(max((b - a for a, b in zip(times, times[1:])), default=ended - began))
        return found
