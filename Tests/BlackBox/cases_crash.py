"""storage.md: what was acknowledged is there after kill -9; damage is told, never served."""
import http.client
import os
import signal
import threading
import time

from harness import Failure, Server, case, check, command, folder, same


def writer(server, lane, start, ledger, stop):
    """PUTs to ids of its own lane until the server is gone. The ledger holds, per id, the last
    acknowledged value and the one whose answer is outstanding."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    n = start
    while not stop.is_set():
        name, n = f"{lane}-{n % 50}", n + 1
        acknowledged, _ = ledger.get(name, (None, None))
        ledger[name] = (acknowledged, n)
        try:
            answer = server.ask("PUT", f"/v1/w/{name}", {"lane": lane, "n": n}, connection=connection)
        except Failure:
            return
        if answer.status in (200, 201):
            if answer.header("Freshet-Durability") != "full":
                ledger["durability"] = (answer.header("Freshet-Durability"), None)
            ledger[name] = (n, None)


@case("kill -9 during concurrent writes loses nothing that was acknowledged")
def kill(context):
    with folder() as data:
        ledgers = [{} for _ in range(8)]
        for round_ in range(4):
            with Server(context.binary, data) as s:
                stop = threading.Event()
                threads = [threading.Thread(target=writer, args=(s, lane, round_ * 100000, ledgers[lane], stop)) for lane in range(8)]
                for thread in threads:
                    thread.start()
                time.sleep(0.3 + context.random.random() * 0.7)
                s.process.send_signal(signal.SIGKILL)
                s.process.wait()
                stop.set()
                for thread in threads:
                    thread.join()
            status, out, err = command(context.binary, "verify", "--data", data)
            same(status, 0, f"verify after kill {round_}: {out} {err}")
            with Server(context.binary, data) as s:
                wrong, count = [], 0
                for ledger in ledgers:
                    for name, (acknowledged, outstanding) in list(ledger.items()):
                        if name == "durability":
                            raise Failure(f"Freshet-Durability was {acknowledged}, not full")
                        count += 1
                        answer = s.get(f"/v1/w/{name}")
                        now = answer.json["n"] if answer.status == 200 else None
                        if now not in (acknowledged, outstanding if outstanding else acknowledged):
                            wrong.append(f"{name}: acknowledged {acknowledged}, outstanding {outstanding}, found {now}")
                        ledger[name] = (now, None)
                check(not wrong, f"round {round_}: " + "; ".join(wrong[:5]))
                check(count > 50, f"only {count} writes were made")
                total = s.get("/v1/w?limit=0&count=true").json["meta"]["total"]
                same(total, sum(1 for l in ledgers for v in l.values() if v[0] is not None), "entities")
                same(s.stop(), 0, "exit status")


@case("kill -9 during snapshots loses nothing that was acknowledged")
def kill_compacting(context):
    with folder() as data:
        ledgers = [{} for _ in range(8)]
        flags = ("--snapshot-after", "16KiB", "--snapshot-rate", "64KiB")
        fallbacks = 0
        for round_ in range(6):
            with Server(context.binary, data, *flags) as s:
                wrong = []
                for ledger in ledgers:
                    for name, (acknowledged, outstanding) in list(ledger.items()):
                        answer = s.get(f"/v1/w/{name}")
                        now = answer.json["n"] if answer.status == 200 else None
                        if now not in (acknowledged, outstanding if outstanding else acknowledged):
                            wrong.append(f"{name}: acknowledged {acknowledged}, outstanding {outstanding}, found {now}")
                        ledger[name] = (now, None)
                check(not wrong, f"round {round_}: " + "; ".join(wrong[:5]))
                fallbacks += len(s.get("/readyz").json["stores"]["main"]["recovery"]["fallback"])
                stop = threading.Event()
                threads = [threading.Thread(target=writer, args=(s, lane, round_ * 100000, ledgers[lane], stop)) for lane in range(8)]
                for thread in threads:
                    thread.start()
                time.sleep(0.3 + context.random.random() * 0.7)
                s.process.send_signal(signal.SIGKILL)
                s.process.wait()
                stop.set()
                for thread in threads:
                    thread.join()
            status, out, err = command(context.binary, "verify", "--data", data)
            same(status, 0, f"verify after kill {round_}: {out} {err}")
        same(fallbacks, 0, "files that a crash has damaged")
        check(len(list(data.glob("snap-*"))) >= 1, "there are snapshots")
        # A kill between two steps may leave more; the next snapshot that is made whole cleans up.
        with Server(context.binary, data) as s:
            s.ask("POST", "/v1/_store/compact").is_(200)
            same(s.stop(), 0, "exit status")
        check(len(list(data.glob("snap-*"))) <= 2, "old snapshots are deleted")


@case("a repeat with an Idempotency-Key gets the first answer after kill -9, and writes nothing")
def idempotency(context):
    with folder() as data:
        asked = [
            ("/v1/t", {"n": 1}, "create"), ("/v1/t/_set", [{"id": i, "n": 1} for i in range(20)], "set"),
            ("/v1/_batch", {"operations": [{"set": {"type": "t", "entity": {"n": 2}}}, {"remove": {"type": "t", "id": 3}},
                                           {"remove": {"type": "t", "id": "none"}}]}, "batch"),
            ("/v1/t/_set", [{"id": 5, "n": 1}], "idle"), ("/v1/t/_remove", {"ids": [7, "8", "none"]}, "remove"),
            ("/v1/t/_remove", {"filter": "n == 9"}, "nothing"),
        ]

        def ask(s, path, body, key):
            answer = s.ask("POST", path, body, {"Idempotency-Key": key})
            names = ("ETag", "Location", "Freshet-Cursor", "Freshet-Changed", "Freshet-Durability", "Content-Type")
            return answer.status, answer.body, [answer.header(name) for name in names]

        with Server(context.binary, data) as s:
            first = [ask(s, *request) for request in asked]
            same([answer[0] for answer in first], [201, 200, 200, 200, 200, 200], "first answers")
            same([answer[1] for answer in first[4:]], [b'{"removed":[7,8]}\n', b'{"removed":[]}\n'], "what is removed")
            same(first[3][2][3], "false", "Freshet-Changed of the idle request")
            s.put("/v1/t/5", {"n": 9}).is_(200)
            s.kill()
        for round_ in range(3):
            with Server(context.binary, data) as s:
                before = s.get("/v1/_export").body
                same([ask(s, *request) for request in asked], first, f"answers after {round_ + 1} ends")
                same(s.get("/v1/_export").body, before, "entities")
                s.ask("POST", "/v1/t", {"n": 7}, {"Idempotency-Key": "create"}).is_(422, "idempotency-mismatch")
                check(b"_answer" not in s.get("/v1").body + before, "answers are not listed")
                s.kill() if round_ != 1 else same(s.stop(), 0, "exit status")
            if round_ == 1:
                for _ in range(2):
                    same(command(context.binary, "compact", "--data", data)[0], 0, "compact")


@case("a damaged snapshot costs nothing, both cost the start")
def snapshots(context):
    with folder() as data:
        fill(context, data)
        for round_ in range(2):
            status, out, err = command(context.binary, "compact", "--data", data)
            same(status, 0, f"compact ({out} {err})")
            with Server(context.binary, data) as s:
                s.put(f"/v1/t/after-{round_}", {"n": round_}).is_(201)
                export = s.get("/v1/_export").body
                same(s.stop(), 0, "exit status")
        older, newest = sorted(data.glob("snap-*"))
        whole_ = newest.read_bytes()
        broken = bytearray(whole_)
        broken[whole_.find(b"entity-number-20") + 3] ^= 0x40
        newest.write_bytes(broken)
        status, out, err = command(context.binary, "verify", "--data", data)
        check(status == 1 and newest.name in out + err and "can still be read" in err, f"verify says so: {out} {err}")
        with Server(context.binary, data) as s:
            same(s.get("/v1/_export").body, export, "export")
            recovery = s.get("/readyz").json["stores"]["main"]["recovery"]
            check(newest.name in recovery["fallback"][0], f"the fallback is told: {recovery}")
            for _ in range(100):
                if b"freshet_store_snapshots_total 1" in s.get("/metrics").body:
                    break
                time.sleep(0.05)
            same(s.stop(), 0, "exit status")
        same(command(context.binary, "verify", "--data", data)[0], 0, "verify afterwards")
        check((data / "aside" / newest.name).exists(), "the damaged one is kept aside")
        for path in data.glob("snap-*"):
            path.write_bytes(path.read_bytes()[:-1])
        status, out, err = command(context.binary, "serve", "--listen", "127.0.0.1:0", "--data", data, seconds=20)
        check(status == 1 and "damaged" in err, f"exit status {status} of the start ({out} {err})")


@case("compact is refused beside a server and where there is no data")
def compact(context):
    with folder() as data:
        with Server(context.binary, data) as s:
            s.put("/v1/t/1", {"n": 1}).is_(201)
            status, out, err = command(context.binary, "compact", "--data", data)
            check(status == 1 and str(s.process.pid) in err, f"it names the holder: {status} {err}")
            same(command(context.binary, "verify", "--data", data)[0], 0, "verify beside a server")
        status, out, err = command(context.binary, "compact", "--data", data / "none")
        check(status == 1 and not (data / "none").exists(), f"nothing is made: {status} {err}")


@case("a batch is whole or absent after kill -9")
def whole(context):
    with folder() as data:
        with Server(context.binary, data) as s:
            def batches():
                for n in range(100000):
                    try:
                        s.ask("POST", "/v1/b/_set", [{"id": i, "n": n} for i in range(30)])
                    except Failure:
                        return
            thread = threading.Thread(target=batches)
            thread.start()
            time.sleep(0.5)
            s.kill()
            thread.join()
        with Server(context.binary, data) as s:
            rows = s.get("/v1/b").json["items"]
            same((len(rows), len({r["n"] for r in rows})), (30, 1), "rows and their values")


def logs(data):
    found = sorted(data.glob("log-*"))
    check(found, "the data directory has a log")
    return found


def fill(context, data, clean=True):
    with Server(context.binary, data) as s:
        for n in range(60):
            s.put(f"/v1/t/{n}", {"n": n, "mark": f"entity-number-{n}"}).is_(201)
        if clean:
            same(s.stop(), 0, "exit status")
        else:
            s.kill()


@case("a damaged byte in the log is told by verify and start, and nothing is lost")
def damage(context):
    with folder() as data:
        fill(context, data)
        log = logs(data)[-1]
        whole_ = log.read_bytes()
        at = whole_.find(b"entity-number-20")
        check(at > 0, "the entity stands in the log")
        broken = bytearray(whole_)
        broken[at + 3] ^= 0x40
        log.write_bytes(broken)
        status, out, err = command(context.binary, "verify", "--data", data)
        check(status == 1, f"verify of a damaged log exits 1, not {status}")
        check(log.name in out + err, f"verify names the file: {out} {err}")
        status, out, err = command(context.binary, "serve", "--listen", "127.0.0.1:0", "--data", data, seconds=20)
        same(status, 1, f"exit status of the start ({out} {err})")
        check("damaged" in err and log.name in err, f"the reason names the file: {err}")
        same(log.read_bytes(), bytes(broken), "the damaged file is untouched")
        log.write_bytes(whole_)
        with Server(context.binary, data) as s:
            same(s.get("/v1/t?limit=0&count=true").json["meta"]["total"], 60, "entities once mended")


@case("every kind of torn tail starts by itself with all that was acknowledged")
def torn(context):
    with folder() as data:
        fill(context, data, clean=False)
        log = logs(data)[-1]
        whole_ = log.read_bytes()
        end = len(whole_.rstrip(b"\0"))
        end += -end % 8
        for tail in (b"FRL1" + b"\xff" * 20, b"garbage" * 9, b"FRL1", b"\x00" * 64 + b"x"):
            log.write_bytes(whole_[:end] + tail + whole_[end + len(tail):])
            with Server(context.binary, data) as s:
                same(s.get("/v1/t?limit=0&count=true").json["meta"]["total"], 60, f"entities after the tail {tail[:10]}")
                s.put("/v1/t/new", {"n": 1}).is_(201)
                s.ask("DELETE", "/v1/t/new").is_(204)
                same(s.stop(), 0, "exit status")
            log = logs(data)[-1]
            whole_ = log.read_bytes()
            end = len(whole_.rstrip(b"\0"))
            end += -end % 8


@case("verify tells a sound directory and leaves it alone")
def verify(context):
    with folder() as data:
        fill(context, data)
        before = {p.name: p.read_bytes() for p in data.iterdir() if p.is_file()}
        status, out, err = command(context.binary, "verify", "--data", data)
        same(status, 0, f"exit status ({out} {err})")
        same({p.name: p.read_bytes() for p in data.iterdir() if p.is_file()}, before, "files")
        check(command(context.binary, "verify", "--data", data / "none")[0] != 0, "a folder that is not there")
        status, _, err = command(context.binary, "verify", data)
        check(status == 1 and "is a directory" in err and f"freshet verify --data {data}" in err, err)
        plain = data / "plain"
        plain.write_bytes(b"x")
        status, _, err = command(context.binary, "verify", "--data", plain)
        check(status == 1 and f"freshet verify {plain}" in err, err)
        status, _, err = command(context.binary, "salvage", "--data", plain, f"{data}-new")
        check(status == 1 and f"freshet restore {plain} --data {data}-new" in err, err)


@case("files are private to their owner")
def modes(context):
    with folder() as parent:
        data = parent / "data"
        fill(context, data)
        same(oct(os.stat(data).st_mode & 0o777), oct(0o700), "mode of the folder")
        for path in data.iterdir():
            if path.is_file():
                same(oct(path.stat().st_mode & 0o777), oct(0o600), f"mode of {path.name}")


@case("documents come back from disk byte by byte")
def bytes_(context):
    with folder() as data:
        text = '{"id":"a","n":123456789012345678901234567890.10,"z":{"b":1,"a":2},"s":"ä😀\\n"}'
        with Server(context.binary, data) as s:
            made = s.put("/v1/t/a", text).is_(201)
            s.put("/v1/t/7", {"id": "7"}), s.put("/v1/t/gone", {"n": 1}), s.ask("DELETE", "/v1/t/gone")
            export = s.get("/v1/_export").body
            s.kill()
        with Server(context.binary, data) as s:
            got = s.get("/v1/t/a").is_(200)
            same(got.body.decode(), text + "\n", "bytes")
            same(got.header("ETag"), made.header("ETag"), "ETag")
            same(s.get("/v1/_export").body, export, "export")
            s.get("/v1/t/gone").is_(404)
