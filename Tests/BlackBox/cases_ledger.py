"""storage.md 1: a ledger of everything that was asked and answered under load, over kill -9 and restarts.

Every answer carries its seq, so strict serialisability is checked in O(n log n): what has finished
before something else began stands before it in the order of seqs, and a read sees all that had
finished when it began. FRESHET_LONG_TESTS runs 200 rounds in place of 4.
"""
import bisect
import collections
import http.client
import http.server
import json
import os
import random
import signal
import threading
import time
import urllib.parse

from harness import Failure, Server, case, check, folder, same, soon

LONG = os.environ.get("FRESHET_LONG_TESTS") is not None
SNAPSHOTS = ("--snapshot-after", "64KiB", "--snapshot-rate", "4MiB")


class Entry:
    """One request: when it began and ended, and what is known of it."""

    __slots__ = ("began", "ended", "kind", "key", "value", "seq", "changed")

    def __init__(self, kind, key, value):
        self.began, self.ended = time.monotonic(), None
        self.kind, self.key, self.value, self.seq, self.changed = kind, key, value, None, False


class Ledger:
    def __init__(self, seed):
        self.seed, self.entries, self.lock, self.number = seed, [], threading.Lock(), 0
        self.keyed = {}
        self.epochs = set()

    def begin(self, kind, key, value=None):
        entry = Entry(kind, key, value)
        with self.lock:
            self.entries.append(entry)
        return entry

    def next(self):
        with self.lock:
            self.number += 1
            return self.number

    def end(self, entry, answer):
        entry.ended = time.monotonic()
        cursor = answer.header("Freshet-Cursor")
        if cursor:
            epoch, _, seq = cursor.rpartition(".")
            self.epochs.add(epoch)
            entry.seq = int(seq)
            entry.changed = answer.header("Freshet-Changed") == "true"
            same(answer.header("Freshet-Durability"), "full", "Freshet-Durability")

    # Load -------------------------------------------------------------------------------------

    def work(self, server, lane, round_, stop):
        """Random requests until the server is gone."""
        chance = random.Random(f"{self.seed} {lane} {round_}")
        link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        seen = {}
        try:
            while not stop.is_set():
                self.step(server, chance, link, seen)
        except Failure:
            return
        finally:
            link.close()

    def step(self, server, chance, link, seen):
        key, n = str(chance.randrange(16)), self.next()
        roll = chance.random()
        if roll < 0.35:
            entry = self.begin("set", key, n)
            answer = server.ask("PUT", f"/v1/w/{key}", {"n": n}, connection=link)
        elif roll < 0.45 and key in seen:
            entry = self.begin("set", key, n)
            answer = server.ask("PUT", f"/v1/w/{key}", {"n": n}, {"If-Match": seen[key]}, connection=link)
        elif roll < 0.5:
            entry = self.begin("remove", key)
            answer = server.ask("DELETE", f"/v1/w/{key}", connection=link)
        elif roll < 0.6:
            entry = self.begin("batch", None, n)
            answer = server.ask("POST", "/v1/b/_set", [{"id": i, "n": n} for i in range(8)], connection=link)
        elif roll < 0.7:
            with self.lock:
                self.keyed[f"k{n}"] = None
            entry = self.begin("create", None, n)
            answer = server.ask("POST", "/v1/k", {"n": n}, {"Idempotency-Key": f"k{n}"}, connection=link)
            if answer.status == 201:
                self.keyed[f"k{n}"] = answer.body
        else:
            entry = self.begin("get", key)
            answer = server.ask("GET", f"/v1/w/{key}", connection=link)
            entry.ended = time.monotonic()
            if answer.status == 200:
                entry.value, entry.seq = answer.json["n"], int(answer.header("ETag").strip('"'))
                seen[key] = answer.header("ETag")
            else:
                answer.is_(404, "not-found")
            return
        check(answer.status in (200, 201, 204, 412), f"{entry.kind}: {answer.status} {answer.body[:200]}")
        if answer.status == 412:
            entry.kind, entry.ended = "refused", time.monotonic()
        else:
            self.end(entry, answer)

    # Judgement --------------------------------------------------------------------------------

    def judge(self):
        answered = [e for e in self.entries if e.ended is not None and e.kind != "refused"]
        writes = [e for e in answered if e.kind != "get"]
        changes = [e for e in writes if e.changed]
        same(len({e.seq for e in changes}), len(changes), "seqs of changes, each given once")
        same(len(self.epochs), 1, "epochs")
        # Real time. `newest[i]` is the highest seq of the writes that ended first, i of them.
        ends = sorted((e.ended, e.seq) for e in writes)
        times, newest = [t for t, _ in ends], []
        for _, seq in ends:
            newest.append(max(seq, newest[-1]) if newest else seq)
        for e in writes:
            before = bisect.bisect_left(times, e.began)
            low = newest[before - 1] if before else 0
            check(e.seq > low if e.changed else e.seq >= low,
                  f"{e.kind} of seq {e.seq} began after seq {low} was acknowledged")
        self.judge_reads(answered, changes)
        return len(changes), len(answered) - len(writes)

    def judge_reads(self, answered, changes):
        """A read shows a write that had begun, and nothing older than what was acknowledged."""
        by_key = collections.defaultdict(list)
        for e in changes:
            if e.key is not None:
                by_key[e.key].append(e)
        asked = {(e.key, e.value): e for e in self.entries if e.kind == "set"}
        for key, list_ in by_key.items():
            list_.sort(key=lambda e: e.ended)
        for read in answered:
            if read.kind != "get":
                continue
            list_ = by_key.get(read.key, [])
            before = [e for e in list_ if e.ended < read.began]
            newest = max(before, key=lambda e: e.seq, default=None)
            if read.seq is None:
                check(newest is None or newest.kind == "remove" or any(
                    e.kind == "remove" and e.key == read.key and e.began < read.ended
                    and (e.seq is None or e.seq > newest.seq) for e in self.entries),
                    f"nothing was shown of {read.key} after seq {newest and newest.seq}")
                continue
            source = asked.get((read.key, read.value))
            check(source and source.began < read.ended, f"{read.key} was shown as {read.value}, which nobody asked for")
            check(source.seq in (None, read.seq), f"{read.key} as {read.value} has revision {read.seq}, not {source.seq}")
            check(newest is None or read.seq >= newest.seq,
                  f"{read.key} was shown at seq {read.seq} after {newest and newest.seq} was acknowledged")

    def settle(self, server):
        """What is there after a restart; writes without an answer that are found get their seq."""
        found = {}
        for line in server.get("/v1/_export").body.decode().splitlines():
            row = json.loads(line)
            found[row["type"], str(row["entity"]["id"])] = row["entity"]
        last = {}
        open_ = collections.defaultdict(list)
        for e in self.entries:
            if e.key is None or e.kind == "get" or e.kind == "refused":
                continue
            if e.ended is None:
                open_[e.key].append(e)
            elif e.changed and (e.key not in last or e.seq > last[e.key].seq):
                last[e.key] = e
        for key in {*last, *open_}:
            now, known = found.get(("w", key)), last.get(key)
            expected = known.value if known and known.kind == "set" else None
            if now is None:
                check(expected is None or any(e.kind == "remove" for e in open_[key]),
                      f"{key} is gone; its last acknowledged value is {expected}")
                continue
            if now["n"] != expected:
                source = [e for e in open_[key] if e.kind == "set" and e.value == now["n"]]
                check(source, f"{key} is {now['n']}; acknowledged was {expected}")
        batch = [row["n"] for (type_, _), row in found.items() if type_ == "b"]
        check(len(set(batch)) <= 1 and len(batch) in (0, 8), f"a batch is there in part: {batch}")
        newest = max((e for e in self.entries if e.kind == "batch" and e.seq), key=lambda e: e.seq, default=None)
        if newest and batch[0] != newest.value:
            check(any(e.kind == "batch" and e.seq is None and e.value == batch[0] for e in self.entries),
                  f"the batch is {batch[0]}; acknowledged was {newest.value}")
        made = collections.Counter(row["n"] for (type_, _), row in found.items() if type_ == "k")
        for key, body in list(self.keyed.items()):
            n = int(key[1:])
            check(made[n] == 1 or (body is None and made[n] == 0), f"{key} has made {made[n]} entities")
        return found, made

    def repeat(self, server):
        """Each keyed request again: the first answer where there was one, and no second entity."""
        for key, body in list(self.keyed.items())[-300:]:
            answer = server.ask("POST", "/v1/k", {"n": int(key[1:])}, {"Idempotency-Key": key}).is_(201)
            if body is not None:
                same(answer.body, body, f"the answer to {key}")
            self.keyed[key] = answer.body
        rows = self.settle(server)[1]
        same(sum(rows.values()), len(self.keyed), "entities of keyed requests")

    def close(self):
        """Requests without an answer stay so; what they did is judged by what is found."""
        for e in self.entries:
            if e.ended is None and e.kind == "get":
                e.kind = "refused"


@case("kill -9 under load: the ledger is strictly serialisable, nothing is lost or doubled")
def ledger(context):
    seed = context.random.randrange(1 << 32)
    book = Ledger(seed)
    print(f"      ledger: seed {seed}", flush=True)
    with folder() as data:
        rounds = 200 if LONG else 4
        for round_ in range(rounds):
            with Server(context.binary, data, *SNAPSHOTS) as s:
                book.settle(s)
                book.repeat(s)
                stop = threading.Event()
                threads = [threading.Thread(target=book.work, args=(s, lane, round_, stop)) for lane in range(8)]
                for thread in threads:
                    thread.start()
                time.sleep(0.2 + context.random.random() * 0.6)
                s.process.send_signal(signal.SIGKILL)
                s.process.wait()
                stop.set()
                for thread in threads:
                    thread.join()
            book.close()
        with Server(context.binary, data, *SNAPSHOTS) as s:
            book.settle(s)
            book.repeat(s)
            same(s.stop(), 0, "exit status")
        changes, reads = book.judge()
        check(changes > 100 and reads > 30, f"only {changes} changes and {reads} reads")
        print(f"      ledger: {rounds} kills, {changes} changes, {reads} reads, {len(book.keyed)} keyed requests", flush=True)


# A remote -------------------------------------------------------------------------------------

class Remote:
    """A REST service with keys and a token endpoint that rotates its refresh tokens.

    The endpoint takes the newest refresh token, and the one before while nobody has used what came
    with the newest: an answer that a kill has cut off costs nothing, and an older token is an error.
    """

    def __init__(self, seed):
        self.chance, self.lock = random.Random(seed), threading.Lock()
        self.rows, self.keys, self.applied, self.faults = {}, {}, collections.defaultdict(list), []
        self.number, self.used, self.refreshes, self.is_good = 0, True, 0, True
        remote = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, answer = remote.answer(self.command, self.path, self.headers, body)
                text = json.dumps(answer).encode() if answer is not None else b""
                try:
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text)
                except OSError:
                    self.close_connection = True

            do_GET = do_PUT = do_POST = do_DELETE = handle_any

            def log_message(self, *_):
                pass

        class Service(http.server.ThreadingHTTPServer):
            daemon_threads, request_queue_size = True, 128

            def handle_error(self, *_):
                """A client that was killed has hung up."""

        self.server = Service(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, method, path, headers, body):
        with self.lock:
            if path == "/token":
                return self.token(urllib.parse.parse_qs(body.decode()))
            if self.chance.random() < 0.03:
                self.is_good = False
            if not self.is_good or headers.get("Authorization") != f"Bearer a{self.number}":
                return 401, {}
            self.used = True
            if self.chance.random() < 0.1:
                return 503, {}
            return self.write(method, path, headers, body)

    def token(self, form):
        self.refreshes += 1
        given = form.get("refresh_token", [""])[0]
        allowed = [f"r{self.number}"] + ([f"r{self.number - 1}"] if not self.used else [])
        if given not in allowed:
            self.faults.append(f"the refresh token {given} came, and {allowed} are good")
            return 400, {"error": "invalid_grant"}
        self.number, self.used, self.is_good = self.number + 1, False, True
        return 200, {"access_token": f"a{self.number}", "token_type": "Bearer", "expires_in": 1,
                     "refresh_token": f"r{self.number}"}

    def write(self, method, path, headers, body):
        key = headers.get("Idempotency-Key")
        id_ = path.rpartition("/")[2] if path.count("/") > 1 else None
        value = json.loads(body) if body else None
        if key in self.keys:
            first, answer = self.keys[key]
            if first != (method, path, body):
                self.faults.append(f"the key {key} came with another request")
            return answer
        if method == "GET":
            return (200, self.rows[id_]) if id_ in self.rows else (404, {})
        id_ = id_ or value["id"]
        if method == "DELETE":
            self.rows.pop(id_, None)
            answer = 204, None
        else:
            answer = 200, value
            self.rows[id_] = value
            self.applied[id_].append(value["n"])
        self.keys[key] = ((method, path, body), answer)
        return answer

    def configuration(self, secret):
        remote = {"upstream": "api", "get": {"path": "/w/{id}"}, "create": {"method": "PUT", "path": "/w/{id}"},
                  "update": {"method": "PUT", "path": "/w/{id}"}, "remove": {"method": "DELETE", "path": "/w/{id}"}}
        base = f"http://127.0.0.1:{self.port}"
        credential = {"type": "oauth2", "tokenURL": f"{base}/token", "clientId": "c", "grant": "refresh_token",
                      "refreshToken": {"file": str(secret)}, "persist": True, "skew": "0s", "retryFailedAfter": "0s",
                      "cooldown": "0s"}
        retry = {"limit": 50, "backoff": {"exponential": "20ms", "max": "100ms", "jitter": False}}
        return {"upstreams": {"api": {"base": base, "credential": credential, "retry": retry}},
                "types": {"w": {"remote": remote}}}

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@case("kill -9 under load: what the outbox has acknowledged reaches the remote once, with a good token")
def outbox(context):
    seed = context.random.randrange(1 << 32)
    print(f"      outbox: seed {seed}", flush=True)
    remote = Remote(seed)
    asked = collections.defaultdict(list)
    acknowledged = {}
    lanes = 4

    def work(server, lane, round_, stop):
        chance = random.Random(f"{seed} {lane} {round_}")
        link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
        n = round_ * 100000
        while not stop.is_set():
            id_, n = f"{lane}-{chance.randrange(5)}", n + 1
            asked[id_].append(n)
            try:
                answer = server.ask("PUT", f"/v1/w/{id_}?target=both", {"n": n}, connection=link)
            except Failure:
                return
            if answer.status == 202:
                acknowledged[id_] = n
            time.sleep(0.002)

    try:
        with folder() as place:
            data, secret, configuration = place / "data", place / "secret", place / "c.json"
            secret.write_text("r0\n")
            configuration.write_text(json.dumps(remote.configuration(secret)))
            rounds = 100 if LONG else 4
            for round_ in range(rounds):
                with Server(context.binary, data, "--config", str(configuration), *SNAPSHOTS) as s:
                    stop = threading.Event()
                    threads = [threading.Thread(target=work, args=(s, lane, round_, stop)) for lane in range(lanes)]
                    for thread in threads:
                        thread.start()
                    time.sleep(0.3 + context.random.random() * 0.6)
                    s.process.send_signal(signal.SIGKILL)
                    s.process.wait()
                    stop.set()
                    for thread in threads:
                        thread.join()
                token = data / "credential-api.json"
                if token.exists():
                    kept = json.loads(token.read_text())["refreshToken"]
                    check(kept in (f"r{remote.number}", f"r{remote.number - 1}"), f"the file has {kept}, the newest is r{remote.number}")
            with Server(context.binary, data, "--config", str(configuration), *SNAPSHOTS) as s:
                def all_sent():
                    # Two lists at two moments: what goes back to waiting between them is in neither.
                    waiting = [s.get(f"/v1/_outbox?state={state}").json["items"] for state in ("pending", "sending")]
                    here = {id_: s.get(f"/v1/w/{id_}?source=local").is_(200).json["n"] for id_ in acknowledged}
                    return not any(waiting) and all(remote.rows.get(id_, {}).get("n") == n for id_, n in here.items())

                soon(all_sent, "nothing waits, and the remote has what is here", 60)
                dead = [s.get(f"/v1/_outbox?state={state}").json["items"] for state in ("dead", "rejected")]
                check(not any(dead), f"entries have failed: {str(dead)[:300]}")
                for id_, n in acknowledged.items():
                    now = s.get(f"/v1/w/{id_}?source=local").is_(200).json["n"]
                    check(now >= n and now in asked[id_], f"{id_} is {now} here; acknowledged was {n}")
                    same(remote.rows.get(id_, {}).get("n"), now, f"{id_} at the remote")
                same(s.stop(), 0, "exit status")
            check(not remote.faults, "; ".join(remote.faults[:3]))
            for id_, values in remote.applied.items():
                check(values == sorted(set(values)), f"{id_} came out of order or twice: {values[-20:]}")
                check(set(values) <= set(asked[id_]), f"{id_} came as what nobody asked for")
            check(len(acknowledged) > 5 and remote.refreshes >= rounds, f"{len(acknowledged)} rows, {remote.refreshes} refreshes")
            print(f"      outbox: {rounds} kills, {sum(map(len, asked.values()))} writes, {sum(map(len, remote.applied.values()))} "
                  f"deliveries, {remote.refreshes} refreshes of the token", flush=True)
    finally:
        remote.close()
