"""storage.md 5 and 6: the real program with system calls that fail, and with its end at each of them.

A short life (a start in an empty folder, single writes, a batch, a keyed request, a snapshot, a
removal, a clean stop) is lived once to count its calls; then once for each of some of them, or of
all where FRESHET_LONG_TESTS is set, with a kill -9, an EIO or an ENOSPC at that call. Afterwards the
state must be what was acknowledged, perhaps with the one write behind it that got no answer.
Needs strace.
"""
import collections
import contextlib
import http.client
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time

from harness import Failure, Server, case, check, command, environment, folder, same, soon
from strace import CALLS, TracedServer, program
from upstream import Upstream

LONG = os.environ.get("FRESHET_LONG_TESTS") is not None
FLAGS = ("--snapshot-after", "16KiB", "--snapshot-rate", "16MiB")
FILLER = "x" * 1500


class Life:
    """What was asked of one server, and every state that this may have led to."""

    def __init__(self, context, data, inject=(), report=None):
        self.context, self.data = context, data
        self.inject, self.report = inject, report
        # The first is what was acknowledged; the others have what got no certain answer as well.
        self.states = [{}]
        self.ended = False
        self.outcomes = collections.Counter()

    def live(self):
        try:
            server = TracedServer(self.context.binary, self.data, *FLAGS, inject=self.inject, report=self.report)
        except Failure as failure:
            check("no ready line" in str(failure), f"the start: {failure}")
            return self
        with server as s:
            for n in range(4):
                self.write(s, "PUT", f"/v1/t/{n}", {"n": n}, {str(n): {"id": str(n), "n": n}})
            self.write(s, "POST", "/v1/_batch", {"operations": [
                {"set": {"type": "t", "entity": {"id": "1", "n": "batch"}}},
                {"remove": {"type": "t", "id": "2"}},
                {"set": {"type": "t", "entity": {"id": "b", "n": 1}}}]},
                {"1": {"id": "1", "n": "batch"}, "2": None, "b": {"id": "b", "n": 1}})
            for n in range(14):
                self.write(s, "PUT", f"/v1/t/{n}", {"n": n, "x": FILLER}, {str(n): {"id": str(n), "n": n, "x": FILLER}})
            self.write(s, "POST", "/v1/t", {"id": "keyed"}, {"keyed": {"id": "keyed"}}, {"Idempotency-Key": "k"})
            self.snapshot(s)
            self.write(s, "DELETE", "/v1/t/3", None, {"3": None})
            for n in range(3):
                self.write(s, "PUT", f"/v1/t/{n}", {"n": "late"}, {str(n): {"id": str(n), "n": "late"}})
            if s.alive():
                self.heal(s)
            with contextlib.suppress(Failure):
                s.stop()
        return self

    def write(self, s, method, path, body, changes, headers=None):
        if self.ended:
            return
        after = {**self.states[0], **changes}
        after = {key: value for key, value in after.items() if value is not None}
        try:
            answer = s.ask(method, path, body, headers or {})
        except Failure:
            check(not s.alive() or s.process.wait(5) is not None, "the server hung up and lives")
            self.ended = True
            self.states.append(after)
            return
        self.outcomes[answer.status] += 1
        if answer.status < 300:
            same(len(self.states), 1, "writes without a certain answer before one that was acknowledged")
            same(answer.header("Freshet-Durability"), "full", "Freshet-Durability")
            self.states[0] = after
        elif answer.status == 507:
            answer.is_(507, "storage-full")
        else:
            answer.is_(503, "storage-failed")
            if answer.json["outcome"] == "unknown":
                self.states.append(after)
            else:
                same(answer.json["outcome"], "not-applied", "outcome")
            # What is not known to be durable is not shown.
            same(export(s), self.states[0], "what is shown after a failure")
            s.get("/readyz").is_(503)
            self.reopen(s)

    def reopen(self, s):
        answer = s.ask("POST", "/v1/_store/reopen")
        self.outcomes[f"reopen {answer.status}"] += 1
        if answer.status < 300:
            found = export(s)
            check(found in self.states, f"reopened with {found}, not one of {self.states}")
            self.states = [found]

    def snapshot(self, s):
        end = time.monotonic() + 2
        while not self.ended and s.alive() and time.monotonic() < end:
            try:
                figures = s.get("/metrics").body.decode()
            except Failure:
                break
            if re.search(r"^freshet_store_snapshots_total [1-9]", figures, re.M):
                return
            if re.search(r"^freshet_store_snapshot_failures_total [1-9]", figures, re.M):
                return
            time.sleep(0.02)
        if not self.ended and not s.alive():
            self.ended = True

    def heal(self, s):
        """A disk that was full once takes writes again within two seconds, by itself."""
        if self.ended or not self.outcomes[507]:
            return
        end = time.monotonic() + 4
        while time.monotonic() < end:
            before = self.outcomes[507]
            self.write(s, "PUT", "/v1/t/healed", {}, {"healed": {"id": "healed"}})
            if self.ended or self.outcomes[507] == before:
                return
            time.sleep(0.1)
        raise Failure("the disk has space, and writes are still refused")

    def check(self, what):
        """A start without faults has one of the states, takes writes, and leaves a sound directory."""
        with Server(self.context.binary, self.data, *FLAGS) as s:
            found = export(s)
            check(found in self.states, f"{what}: found {found}, not one of {self.states}")
            if self.states[0].get("keyed"):
                count = len(found)
                s.ask("POST", "/v1/t", {"id": "keyed"}, {"Idempotency-Key": "k"}).is_(201)
                same(len(export(s)), count, f"{what}: entities after a repeat")
            s.put("/v1/t/after", {"n": 1}).is_(201)
            same(s.stop(), 0, f"{what}: exit status")
        status, out, err = command(self.context.binary, "verify", "--data", self.data)
        same(status, 0, f"{what}: verify ({out} {err})")


def export(s):
    lines = s.get("/v1/_export").is_(200).body.decode().splitlines()
    rows = {}
    for line in lines:
        row = json.loads(line)
        entity = row.get("entity", row)
        entity = {key: value for key, value in entity.items() if key != "_meta"}
        rows[entity["id"]] = entity
    return rows


def calls_of(context):
    """How often each call is made at most by one thread in a life without faults: strace counts so."""
    with folder() as place:
        report = place / "calls"
        life = Life(context, place / "data", report=report).live()
        life.check("without faults")
        counts = collections.Counter()
        for line in report.read_text().splitlines():
            found = re.match(r"(\d+) +(\w+)\(", line)
            if found:
                counts[found.groups()] += 1
        most = {}
        for (_, call), count in counts.items():
            most[call] = max(most.get(call, 0), count)
        check(most.get("pwrite64", 0) > 20 and most.get("fdatasync", 0) > 15, f"calls of a life: {most}")
        check("renameat" in most, f"a snapshot and a manifest are renamed: {most}")
        return most


KINDS = {
    "killed": ("signal=SIGKILL", CALLS),
    "EIO": ("error=EIO", CALLS),
    "ENOSPC": ("error=ENOSPC", ("pwrite64", "fallocate", "renameat", "fsync", "mkdirat")),
}


@case("a kill or an error at any call of a life loses nothing that was acknowledged")
def injected(context):
    if not program():
        print("SKIP  faults: strace is missing or may not trace here; .ci/run installs it", flush=True)
        return
    most = calls_of(context)
    points = [(kind, call, n) for kind, (_, calls) in KINDS.items() for call in calls for n in range(1, most.get(call, 0) + 1)]
    tried = points if LONG else sorted(context.random.sample(points, 16))
    total = collections.Counter()
    for kind, call, n in tried:
        with folder() as place:
            rule = f"{call}:{KINDS[kind][0]}:when={n}"
            try:
                life = Life(context, place / "data", inject=[rule]).live()
                total += life.outcomes
                total["ended"] += life.ended
                life.check(rule)
            except Failure as failure:
                raise Failure(f"{rule}: {failure}") from None
    print(f"      faults: {len(tried)} of {len(points)} points; " + ", ".join(f"{v} × {k}" for k, v in sorted(total.items(), key=str)), flush=True)


@case("what is to be sent, and a condition, of a commit whose outcome nobody knew hold from a reopen on")
def reopened(context):
    if not program():
        print("SKIP  faults: strace is missing or may not trace here; .ci/run installs it", flush=True)
        return
    sent, unknown = [], collections.Counter()

    def answer(request):
        if request.command != "GET":
            sent.append(json.loads(request.body)["n"])
        request.reply(200, json.loads(request.body or b"{}"))

    for number in range(2, 9):
        with folder() as place, Upstream(answer) as upstream:
            file, data = place / "freshet.json", place / "data"
            file.write_text(json.dumps({
                "conditions": {"night": {"persist": True}}, "upstreams": {"api": {"base": upstream.base}},
                "types": {"w": {"remote": {"upstream": "api", "get": {"path": "/w/{id}"}, "create": {"method": "PUT", "path": "/w/{id}"},
                                           "update": {"method": "PUT", "path": "/w/{id}"}}}}}))
            sent.clear()

            def told(s):
                return s.get("/v1/w/1?source=local").json, s.get("/v1/_conditions/night").json["value"]

            def order(s, name, path, body):
                got = s.put(path, body)
                if got.status >= 300:
                    unknown[name] += got.is_(503, "storage-failed").json["outcome"] == "unknown"
                    s.ask("POST", "/v1/_store/reopen").is_(200)

            def is_settled(s):
                if s.get("/v1/_store").json["state"] != "ready":
                    # The outbox's own commit has met it.
                    unknown["outbox"] += 1
                    s.ask("POST", "/v1/_store/reopen").is_(200)
                # The first change may not have been sent yet when the second came.
                waiting = s.get("/v1/_outbox?filter=state!='done'+and+state!='superseded'").json["items"]
                return sent and sent[-1] == told(s)[0]["n"] and waiting == []

            with TracedServer(context.binary, data, "--config", str(file), inject=[f"fdatasync:error=EIO:when={number}"]) as s:
                # A thread's calls are counted apart, and the start has made its first on another.
                s.put("/v1/w/0", {"n": 0}).is_(201)
                order(s, "condition", "/v1/_conditions/night", {"value": True})
                order(s, "row", "/v1/w/1?target=both", {"n": 1})
                order(s, "row", "/v1/w/1?target=both", {"n": 2})
                soon(lambda: is_settled(s), "the upstream has what is shown")
                shown = told(s)
                s.kill()
            with Server(context.binary, data, "--config", str(file)) as s:
                same(told(s), shown, "behind a restart")
                time.sleep(0.3)
                same(sent, sorted(sent), "what was sent, in order")
    check(unknown["row"] >= 1 and unknown["condition"] >= 1, f"outcomes that nobody knew: {unknown}")


@case("a write that the file takes in part is refused, and writes go on once there is room")
def short(context):
    if not program():
        print("SKIP  faults: strace is missing or may not trace here; .ci/run installs it", flush=True)
        return
    with folder() as place:
        data = place / "data"
        # Space cannot be taken ahead, so that a write itself meets the end of the room. (Where the
        # answer is EOPNOTSUPP the C library takes it with writes of its own.)
        inject = ["fallocate:error=EINVAL"]
        with TracedServer(context.binary, data, inject=inject) as s:
            pid = int(re.search(r"pid (\d+)", (data / "LOCK").read_text()).group(1))
            s.put("/v1/t/0", {"n": 0}).is_(201)
            rows = {"0": {"id": "0", "n": 0}}
            for room in range(8, 400, 8 if LONG else 144):
                log = sorted(data.glob("log-*"))[-1]
                end = log.stat().st_size + room
                limit(pid, end)
                body = {"n": room, "x": "y" * 300}
                s.put("/v1/t/big", body).is_(507, "storage-full")
                check(log.stat().st_size <= end, "the file has not grown beyond its limit")
                same(export(s), rows, f"entities with {room} bytes of room")
                limit(pid, resource.RLIM_INFINITY)
                deadline = time.monotonic() + 4
                while s.put("/v1/t/big", body).status == 507:
                    check(time.monotonic() < deadline, "there is room, and writes are still refused")
                    time.sleep(0.1)
                rows["big"] = {"id": "big", **body}
            s.kill()
        status, out, err = command(context.binary, "verify", "--data", data)
        same(status, 0, f"verify ({out} {err})")
        with Server(context.binary, data) as s:
            same(export(s), rows, "entities after kill -9")


def flip(data, name, position, bit):
    """Changes one bit of a file; -1: cuts it there."""
    changed = bytearray((data / name).read_bytes())
    if bit < 0:
        del changed[position:]
    else:
        changed[position] ^= 1 << bit
    (data / name).write_bytes(bytes(changed))


@case("a flipped bit or a cut in any file is outvoted, or told with its file; nothing wrong is shown")
def damaged(context):
    with folder() as place:
        data = place / "data"
        for round_ in range(2):
            with Server(context.binary, data) as s:
                for n in range(6):
                    s.put(f"/v1/t/{round_}-{n}", {"n": n}).is_(201)
                same(s.stop(), 0, "exit status")
            same(command(context.binary, "compact", "--data", data)[0], 0, "compact")
        with Server(context.binary, data) as s:
            s.put("/v1/t/last", {"n": 1}).is_(201)
            rows = export(s)
            same(s.stop(), 0, "exit status")
        names = [p.name for p in data.iterdir() if p.is_file() and p.name not in ("LOCK", "reserve")]
        places = []
        for name in sorted(names):
            used = len((data / name).read_bytes().rstrip(b"\0"))
            places += [(name, position, bit) for position in range(used) for bit in range(-1, 8)]
        refused = 0
        for number in range(2000 if LONG else 12):
            name, position, bit = context.random.choice(places)
            copy = place / f"copy-{number}"
            shutil.copytree(data, copy)
            flip(copy, name, position, bit)
            what = f"{name} at {position}, " + (f"bit {bit}" if bit >= 0 else "cut")
            try:
                with Server(context.binary, copy) as s:
                    same(export(s), rows, f"entities ({what})")
                    s.put("/v1/t/after", {"n": 1}).is_(201)
                    same(s.stop(), 0, f"exit status ({what})")
            except Failure as failure:
                check("no ready line" in str(failure), f"{what}: {failure}")
                status, out, err = command(context.binary, "serve", "--listen", "127.0.0.1:0", "--data", copy, seconds=20)
                check(status == 1 and "damaged" in err and name in err, f"{what}: {status} {err}")
                refused += 1
            shutil.rmtree(copy)
        print(f"      faults: {number + 1} damaged directories, {refused} refused", flush=True)


@case("a file that the disk cannot read is outvoted, or named with the seqs that it costs; salvage takes the rest")
def unread(context):
    if not program():
        print("SKIP  faults: strace is missing or may not trace here; .ci/run installs it", flush=True)
        return

    def run(path, *arguments):
        """With every read of the file failing."""
        prefix = [program(), "-f", "-qq", "-o", os.devnull, "-P", path, "-e", "trace=pread64", "-e", "inject=pread64:error=EIO"]
        return command(prefix[0], *prefix[1:], context.binary, *arguments, seconds=40)

    with folder() as place:
        data = place / "data"
        for round_ in range(2):
            with Server(context.binary, data, "--snapshot-after", "8KiB") as s:
                for n in range(6):
                    s.put(f"/v1/t/{round_}-{n}", {"n": n}).is_(201)
                rows = export(s)
                same(s.stop(), 0, "exit status")
            if round_ == 0:
                same(command(context.binary, "compact", "--data", data)[0], 0, "compact")
        log = max(p.name for p in data.glob("log-*"))
        for name in ("FRESHET", log):
            for tool in (["serve", "--listen", "127.0.0.1:0"], ["verify"], ["checkpoint", place / "new"]):
                status, out, err = run(data / name, tool[0], "--data", data, *tool[1:])
                check(status == 1, f"{tool[0]} without {name}: {status} {out} {err}")
                words = ["store-damaged", f"{name} at 0: the disk cannot read it: pread of {name}", "freshet salvage --data"]
                if name == log and tool[0] != "checkpoint":
                    words.append("seq 7…12 in ")
                for word in words:
                    check(word in err, f"{tool[0]}: no {word!r} in {err}")
        found = {"FRESHET": 12, log: 6, max(p.name for p in data.glob("snap-*")): 12, "LOCK": 12}
        for name, count in found.items():
            status, out, err = run(data / name, "salvage", "--data", data, place / "new")
            same(status, 0, f"salvage without {name}: {out} {err}")
            with Server(context.binary, place / "new") as s:
                kept = export(s)
                same(len(kept), count, f"entities that are salvaged without {name}")
                check(all(rows[key] == value for key, value in kept.items()), f"{kept}")
                same(s.stop(), 0, "exit status")
            shutil.rmtree(place / "new")


def limit(pid, size):
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


@case("SIGTERM during a start ends it, and nothing is the worse for it")
def early_stop(context):
    with folder() as place:
        data = place / "data"
        rows = {str(n): {"id": n, "x": FILLER} for n in range(9000)}
        with Server(context.binary, data) as s:
            for n in range(0, 9000, 3000):
                s.ask("POST", "/v1/t/_set", [rows[str(m)] for m in range(n, n + 3000)]).is_(200)
            s.kill()
        (data / "LOCK").unlink()
        server = subprocess.Popen([context.binary, "serve", "--listen", "127.0.0.1:0", "--data", data],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        # From its lock on it listens to signals, and has the log to read.
        end = time.monotonic() + 20
        while not (data / "LOCK").exists():
            check(time.monotonic() < end, "the start does not come to its lock")
        server.send_signal(signal.SIGTERM)
        try:
            out, err = server.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.communicate()
            raise Failure("it goes on after SIGTERM") from None
        same(server.returncode, 0, f"exit status ({err})")
        check(b"listening" in out or b"stopped before the start was done" in err, f"{out} {err}")
        with Server(context.binary, data) as s:
            same(len(export(s)), len(rows), "entities")
            same(s.stop(), 0, "exit status")


@case("many patches of one large entity are one rewriting, and a commit that rewrites too much is 413")
def heavy_batches(context):
    def patches(count, *conditions):
        return {"operations": [
            {"patch": {"type": "big", "id": "1", "patch": {"n": n}}, **dict(conditions)} for n in range(count)]}

    with folder() as place:
        with Server(context.binary, place / "data") as s:
            s.put("/v1/big/1", {"x": "a" * ((1 << 20) - 100)}).is_(201)
            # One by one this is 4 GB of rewriting.
            done = s.ask("POST", "/v1/_batch", patches(4_000)).is_(200).json
            same(done["meta"]["changed"], 4_000, "what changed")
            same(s.get("/v1/big/1?fields=n").json["n"], 3_999, "the last patch")
            # A condition sees the entity as it is at each step.
            refused = s.ask("POST", "/v1/_batch", patches(100, ("ifMatch", "*"))).is_(413, "payload-too-large").json
            check("rewrite" in refused["detail"] and "several" in refused["hint"], str(refused))
            same(s.get("/v1/big/1?fields=n").json["n"], 3_999, "nothing of it was done")
            # Many of them at once: other writers are served or refused in time, and SIGTERM is obeyed.
            heavy = json.dumps(patches(60, ("ifMatch", "*")))
            with contextlib.ExitStack() as stack:
                for _ in range(40):
                    connection = stack.enter_context(
                        contextlib.closing(http.client.HTTPConnection("127.0.0.1", s.port)))
                    connection.request("POST", "/v1/_batch", heavy, {"Content-Type": "application/json"})
                answer = s.put("/v1/small/1", {"a": 1})
                check(answer.status in (201, 503), f"another writer: {answer.status}")
                if answer.status == 503:
                    check(answer.header("Retry-After"), "a refused writer hears when to come again")
                same(s.stop(), 0, "the end of a busy server")
        with Server(context.binary, place / "data") as s:
            same(len(s.get("/v1/big/1").is_(200).json["x"]), (1 << 20) - 100, "what is there afterwards")


@case("a disk that is full while the log takes a new segment refuses writes and takes them again by itself")
def full_segments(context):
    met = 0
    # Counted for each thread by itself: the writer's, which makes new segments, comes to more of them
    # than the start does.
    for rule in [f"renameat:error=EDQUOT:when={n}" for n in (3, 4)] + [
            f"fsync:error=ENOSPC:when={n}" for n in (7, 8)]:
        with folder() as place:
            with Server(context.binary, place / "data"):
                pass
            known, refused = {}, 0
            with TracedServer(context.binary, place / "data", "--snapshot-after", "64KiB", inject=[rule]) as s:
                end = time.monotonic() + 30
                n = 0
                while n < 120 and time.monotonic() < end:
                    answer = s.put(f"/v1/t/{n}", {"n": n, "x": "x" * 3_000})
                    check(answer.status in (201, 507), f"{rule}: PUT {n} is {answer.status}: {answer.body[:200]}")
                    if answer.status == 507:
                        refused += 1
                        same(answer.json["outcome"], "not-applied", f"{rule}: the outcome")
                        time.sleep(0.2)
                        continue
                    known[str(n)] = n
                    n += 1
                same(n, 120, f"{rule}: writes that were taken in the end")
                same(s.get("/readyz").status, 200, f"{rule}: readiness")
                s.stop()
            met += refused > 0
            with Server(context.binary, place / "data") as s:
                lines = s.get("/v1/_export").is_(200).body.decode().splitlines()
                found = {entity["id"]: entity["n"] for entity in (json.loads(line)["entity"] for line in lines)}
                same(found, known, f"{rule}: what is there afterwards")
    check(met > 0, "no rule met a new segment")
