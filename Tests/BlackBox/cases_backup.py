"""storage.md section 10: backup, restore, checkpoint, verify, salvage, scrub, beside a running server."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import threading
import time

from harness import Failure, Server, case, check, command, environment, folder, same, soon


def export(server):
    """Every entity with its revision-free form, sorted."""
    return sorted(server.get("/v1/_export").body.splitlines())


def fill(server, count, start=0):
    body = "".join(json.dumps({"id": n, "n": n, "text": "x" * 200}) + "\n" for n in range(start, start + count))
    server.ask("POST", "/v1/t/_set", body.encode(), {"Content-Type": "application/x-ndjson"}).is_(200)


def read_of(context, data):
    """What a directory holds, by a server of its own; it verifies before and after."""
    status, out, err = command(context.binary, "verify", "--data", data)
    same(status, 0, f"verify {out} {err}")
    with Server(context.binary, data) as s:
        found, seq = export(s), s.get("/readyz").json["stores"]["main"]["revision"]
        same(s.stop(), 0, "exit status")
    return found, seq


def writer(server, lane, acknowledged, gaps, stop):
    """PUTs as fast as it can: what was acknowledged with which seq, and the longest gap."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    n, last = 0, time.monotonic()
    while not stop.is_set():
        n += 1
        answer = server.ask("PUT", f"/v1/w/{lane}-{n % 40}", {"n": n}, connection=connection)
        if answer.status not in (200, 201):
            raise Failure(f"a write was answered {answer.status}")
        now = time.monotonic()
        gaps.append(now - last)
        last = now
        acknowledged.append((int(answer.header("ETag").strip('"')), f"{lane}-{n % 40}", n))


@case("a backup replaces no device, link or pipe, follows none, and two of one name do not meet")
def targets(context):
    with folder() as base, folder() as place, Server(context.binary, base / "data") as s:
        fill(s, 2_000)

        def backup(name, *flags):
            return command(context.binary, "backup", "--server", s.url, *flags, place / name)

        (place / "other").write_text("other")
        os.symlink(place / "other", place / "link")
        os.symlink(place / "none", place / "dangling")
        os.mkfifo(place / "pipe")
        for name in ("link", "dangling", "pipe"):
            before = os.lstat(place / name)
            for flags in ((), ("--force",)):
                status, _, err = backup(name, *flags)
                check(status == 1 and "is no regular file" in err, f"{name} {flags}: {status} {err}")
            same(os.lstat(place / name), before, name)
        for name, make in (("a", lambda path: os.symlink(place / "other", path)), ("b", os.mkfifo), ("h", lambda path: os.link(place / "other", path))):
            make(place / f"{name}.unfinished")
            status, _, err = backup(name)
            check(status == 1 and "unfinished" in err, f"{name}.unfinished: {status} {err}")
        same((place / "other").read_text(), "other", "what a link leads to")
        (place / "c.unfinished").write_text("left by another")
        (place / "c.unfinished").chmod(0o644)
        same(backup("c")[0], 0, "behind one that was left")
        same((place / "c").stat().st_mode & 0o777, 0o600, "who may read it")
        for _ in range(4):
            several = [subprocess.Popen([context.binary, "backup", "--force", "--server", s.url, str(place / "c")],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment())
                       for _ in range(3)]
            told = [each.communicate()[1].decode() for each in several]
            check(0 in [each.returncode for each in several], f"one of them is whole: {told}")
            for each, err in zip(several, told):
                check(each.returncode == 0 or "another backup is being written" in err, f"the others say why: {err}")
            same(command(context.binary, "verify", place / "c")[0], 0, "the backup")
        check(not (place / "c.unfinished").exists(), "nothing is left")


@case("a backup under load is one commit exactly, and restores to it")
def under_load(context):
    with folder() as base:
        data = pathlib.Path(base) / "data"
        with Server(context.binary, data, "--snapshot-after", "256KiB") as s:
            fill(s, 3000)
            stop, acknowledged, gaps = threading.Event(), [[] for _ in range(4)], [[] for _ in range(4)]
            threads = [threading.Thread(target=writer, args=(s, i, acknowledged[i], gaps[i], stop)) for i in range(4)]
            for thread in threads:
                thread.start()
            for round_ in range(4):
                time.sleep(0.2)
                before = max(a[-1][0] for a in acknowledged if a)
                file = f"{base}/{round_}.backup"
                status, out, err = command(context.binary, "backup", "--server", s.url, file)
                same(status, 0, f"backup: {out} {err}")
                same(os.stat(file).st_mode & 0o777, 0o600, "mode of a backup")
                check(not os.path.exists(file + ".unfinished"), "an unfinished file is left")
                check(int(out.split(" at seq ")[1].split()[0]) >= before, "it lacks what was acknowledged before")
            stop.set()
            for thread in threads:
                thread.join()
            final = export(s)
            same(s.stop(), 0, "exit status")
        writes = sorted(w for a in acknowledged for w in a)
        for round_ in range(4):
            target = f"{base}/restored{round_}"
            status, out, err = command(context.binary, "restore", f"{base}/{round_}.backup", "--data", target)
            same(status, 0, f"restore: {out} {err}")
            found, seq = read_of(context, target)
            wanted = {}
            for revision, name, n in writes:
                if revision <= seq:
                    wanted[name] = n
            held = {e["entity"]["id"]: e["entity"]["n"] for e in map(json.loads, found) if e["type"] == "w"}
            same(held, wanted, f"entities of backup {round_} at seq {seq}")
            same(sum(1 for e in found if b'"type":"t"' in e), 3000, "entities that were not written")
        found, _ = read_of(context, data)
        same(found, final, "the store itself")


@case("a backup whose server is killed in the middle is not kept, and the exit status says so")
def cut(context):
    with folder() as base:
        with Server(context.binary, f"{base}/data") as s:
            fill(s, 10000)
            fill(s, 10000, 10000)
            # A reader that stops keeps nothing but itself: writes go on.
            stopped = socket.create_connection(("127.0.0.1", s.port))
            stopped.sendall(b"GET /v1/_backup HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % s.port)
            time.sleep(0.2)
            s.ask("PUT", "/v1/t/a", {"n": 1}).is_(201)
            client = subprocess.Popen([context.binary, "backup", "--server", s.url, f"{base}/b"], stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, env=environment())
            s.process.send_signal(signal.SIGKILL)
            out, err = client.communicate(timeout=60)
            stopped.close()
            if client.returncode == 0:
                check(os.path.exists(f"{base}/b"), "exit 0 without a file")
            else:
                check(not os.path.exists(f"{base}/b"), "a file under the name of a backup that failed")
                check(err.strip(), "no word about what failed")
                check(not os.path.exists(f"{base}/b.unfinished"), "an unfinished file is left")
        found, _ = read_of(context, f"{base}/data")
        same(len(found), 20001, "entities")


@case("a backup whose reader has left is no success")
def abandoned(context):
    with folder() as base, Server(context.binary, f"{base}/data") as s:
        fill(s, 10000)
        client = subprocess.Popen([context.binary, "backup", "--server", s.url, "-"], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, env=environment())
        client.stdout.read(10)
        client.stdout.close()
        err = client.stderr.read()
        check(client.wait(60) != 0, "exit 0 for a backup that nobody has")
        check(b"no whole backup" in err, err)


@case("kill -9 of restore, checkpoint and salvage at any moment leaves a whole store or none")
def kill_tools(context):
    with folder() as base:
        with Server(context.binary, f"{base}/data", "--snapshot-after", "1MiB") as s:
            fill(s, 10000)
            s.ask("POST", "/v1/_store/compact").is_(200)
            fill(s, 3000, 5000)
            same(command(context.binary, "backup", "--server", s.url, f"{base}/b")[0], 0, "backup")
            wanted = export(s)
            same(s.stop(), 0, "exit status")
        tools = {"restore": ["restore", f"{base}/b", "--data", f"{base}/n"],
                 "checkpoint": ["checkpoint", "--data", f"{base}/data", f"{base}/n"],
                 "salvage": ["salvage", "--data", f"{base}/data", f"{base}/n"]}
        for name, arguments in tools.items():
            start = time.monotonic()
            same(command(context.binary, *arguments)[0], 0, name)
            length = time.monotonic() - start
            shutil.rmtree(f"{base}/n")
            for _ in range(4):
                tool = subprocess.Popen([context.binary, *arguments], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, env=environment())
                time.sleep(context.random.random() * length)
                tool.kill()
                tool.wait()
                if not os.path.exists(f"{base}/n/FRESHET"):
                    if os.path.exists(f"{base}/n/tmp-unfinished"):
                        process = subprocess.run([context.binary, "serve", "--listen", "127.0.0.1:0", "--data", f"{base}/n"],
                                                 capture_output=True, timeout=60, env=environment())
                        same(process.returncode, 1, "a server on half a store")
                    status, out, err = command(context.binary, *arguments)
                    same(status, 0, f"{name} again: {out} {err}")
                found, _ = read_of(context, f"{base}/n")
                check(found == wanted, f"{name} gives other entities after a kill")
                shutil.rmtree(f"{base}/n")


@case("a checkpoint beside a server is at once, and both go their own ways")
def checkpoint(context):
    with folder() as base:
        with Server(context.binary, f"{base}/data", "--snapshot-after", "1MiB") as s:
            fill(s, 10000)
            s.ask("POST", "/v1/_store/compact").is_(200)
            fill(s, 10, 20000)
            wanted = export(s)
            status, out, err = command(context.binary, "checkpoint", "--data", f"{base}/data", f"{base}/point")
            same(status, 0, f"checkpoint: {out} {err}")
            check("1 file shared" in out or "files shared" in out, out)
            s.ask("DELETE", "/v1/t/20001").is_(204)
            with Server(context.binary, f"{base}/point") as twin:
                same(export(twin), wanted, "the checkpoint")
                cursors = {x.get("/v1/_export").header("Freshet-Cursor").split(".")[0] for x in (s, twin)}
                same(len(cursors), 2, "epochs")
                twin.ask("PUT", "/v1/t/other", {"n": 1}).is_(201)
                twin.ask("POST", "/v1/_store/compact").is_(200)
                s.get("/v1/t/other").is_(404, "not-found")
                same(twin.stop(), 0, "exit status")
            status, _, err = command(context.binary, "checkpoint", "--data", f"{base}/data", f"{base}/point")
            same(status, 1, "a checkpoint over another")
            check("is not empty" in err, err)
        found, _ = read_of(context, f"{base}/point")
        same(len(found), len(wanted) + 1, "entities of the checkpoint")


@case("what a command makes does not stand inside of a data directory")
def outside_of_data(context):
    with folder() as base:
        with Server(context.binary, f"{base}/data") as s:
            fill(s, 10)
            same(command(context.binary, "backup", "--server", s.url, f"{base}/b")[0], 0, "backup")
            os.symlink(f"{base}/data", f"{base}/link")
            before = sorted(os.listdir(f"{base}/data"))
            for place in ("data/n", "data/damaged/n/", "link/n", "data/n/../m"):
                for tool in (["checkpoint", "--data", f"{base}/data", f"{base}/{place}"],
                             ["salvage", "--data", f"{base}/data", f"{base}/{place}"],
                             ["restore", f"{base}/b", "--data", f"{base}/{place}"],
                             ["backup", "--server", s.url, f"{base}/{place}"]):
                    status, _, err = command(context.binary, *tool)
                    same(status, 1, f"{tool}: {err}")
                    check(f"inside of the data directory {os.path.realpath(base)}/data" in err
                          and "outside of it" in err, f"{tool}: {err}")
            same(sorted(os.listdir(f"{base}/data")), before, "files of the server")
            same(command(context.binary, "checkpoint", "--data", f"{base}/data", f"{base}/n")[0], 0, "beside it")


@case("an earlier commit is had back from the data directory of a running server")
def undo(context):
    with folder() as base:
        with Server(context.binary, f"{base}/data") as s:
            fill(s, 100)
            seq = s.get("/readyz").json["stores"]["main"]["revision"]
            wanted = export(s)
            same(command(context.binary, "backup", "--server", s.url, f"{base}/b")[0], 0, "backup")
            same(command(context.binary, "verify", f"{base}/b")[0], 0, "verify of a backup")
            damage(f"{base}/b", os.path.getsize(f"{base}/b") // 2)
            for tool in (["verify", f"{base}/b"], ["restore", f"{base}/b", "--data", f"{base}/no"]):
                status, _, err = command(context.binary, *tool)
                check(status == 1 and "is damaged" in err, f"{tool[0]} of a damaged backup: {status} {err}")
            check(not os.path.exists(f"{base}/no"), "a damaged backup has left a directory")
            s.ask("DELETE", "/v1/t?filter=n%20%3E%3D%200").is_(200)
            same(export(s), [], "everything is removed")
            status, out, err = command(context.binary, "restore", f"{base}/data", "--data", f"{base}/before", "--to-seq", str(seq))
            same(status, 0, f"restore: {out} {err}")
            check(f"goes on to seq {seq + 1}" in out, out)
            status, _, err = command(context.binary, "restore", f"{base}/data", "--data", f"{base}/x", "--to-seq", "99999")
            same(status, 1, "a seq that is not there")
            check("it reaches from seq 0 to seq" in err, err)
        found, at = read_of(context, f"{base}/before")
        check(found == wanted and at == seq, f"{len(found)} entities at seq {at}")


def damage(path, offset):
    with open(path, "r+b") as file:
        file.seek(offset)
        byte = file.read(1)[0]
        file.seek(offset)
        file.write(bytes([byte ^ 0x40]))


@case("a damaged directory is refused with file, offset, seqs and the command; salvage takes the rest")
def salvage(context):
    with folder() as base:
        with Server(context.binary, f"{base}/data") as s:
            for n in range(20):
                s.ask("PUT", f"/v1/t/{n}", {"n": n}).is_(201)
            same(s.stop(), 0, "exit status")
        log = f"{base}/data/log-0000000000000001.fl"
        with open(log, "rb") as file:
            place = file.read().index(b'"n":7')
        damage(log, place + 4)
        before = {p.name: p.read_bytes() for p in pathlib.Path(f"{base}/data").iterdir() if p.is_file() and p.name != "LOCK"}
        process = subprocess.run([context.binary, "serve", "--listen", "127.0.0.1:0", "--data", f"{base}/data"],
                                 capture_output=True, timeout=60, env=environment(), text=True)
        same(process.returncode, 1, "exit status on damage")
        for word in ("store-damaged", "seq 8", "log-0000000000000001.fl at ", "freshet salvage --data", "freshet verify --data"):
            check(word in process.stderr, f"no {word!r} in {process.stderr}")
        status, _, err = command(context.binary, "verify", "--data", f"{base}/data")
        same(status, 1, "verify of damage")
        check("store-damaged" in err and "freshet salvage" in err, err)
        status, out, err = command(context.binary, "salvage", "--data", f"{base}/data", f"{base}/saved")
        same(status, 0, f"salvage: {out} {err}")
        check("lost: seq 8: log-0000000000000001.fl at " in out, out)
        lost = [json.loads(line) for line in open(f"{base}/saved/lost.ndjson")]
        same((lost[0]["from"], lost[0]["to"]), (8, 8), "the lost seqs")
        found, seq = read_of(context, f"{base}/saved")
        same(seq, 20, "seq")
        same(sorted(json.loads(e)["entity"]["n"] for e in found), [n for n in range(20) if n != 7], "entities")
        after = {p.name: p.read_bytes() for p in pathlib.Path(f"{base}/data").iterdir() if p.is_file() and p.name != "LOCK"}
        check(before == after, "salvage has touched the damaged directory")
        status, _, err = command(context.binary, "salvage", "--data", f"{base}/data", f"{base}/saved")
        same(status, 1, "salvage over something")
        check("is not empty" in err, err)


@case("verify misses a segment of the older generation, the one in front of the newer one, too")
def segment_missing(context):
    with folder() as base:
        with Server(context.binary, f"{base}/data", "--snapshot-after", "16KiB") as s:
            for number in range(3):
                fill(s, 120, number * 50)
                s.ask("POST", "/v1/_store/compact").is_(200)
            same(s.stop(), 0, "exit status")
        names = sorted(p.name for p in pathlib.Path(f"{base}/data").iterdir())
        newest = max(int(n[5:21]) for n in names if n.startswith("snap-"))
        older = [n for n in names if n.startswith("log-") and int(n[4:20]) <= newest]
        check(older, f"no segment of the older generation in {names}")
        same(command(context.binary, "verify", "--data", f"{base}/data")[0], 0, "verify of the whole")
        os.rename(f"{base}/data/{older[-1]}", f"{base}/{older[-1]}")
        status, out, err = command(context.binary, "verify", "--data", f"{base}/data")
        same(status, 1, f"verify without {older[-1]} of {names}: {out} {err}")
        check(older[-1] in err and f"{newest} in " in err, err)



@case("scrub finds a flipped bit beside a running server, heals it and says so")
def scrub(context):
    with folder() as base:
        with Server(context.binary, f"{base}/data") as s:
            fill(s, 2000)
            s.ask("POST", "/v1/_store/compact").is_(200)
            fill(s, 100, 1000)
            wanted = export(s)
            sound = s.ask("POST", "/v1/_store/scrub").is_(200).json
            same((sound["damaged"], sound["memoryErrors"], sound["entities"]), ([], 0, 2000), "a sound store")
            name = next(p.name for p in pathlib.Path(f"{base}/data").iterdir() if p.name.startswith("snap-"))
            damage(f"{base}/data/{name}", 5000)
            found = s.ask("POST", "/v1/_store/scrub").is_(200).json
            check(len(found["damaged"]) == 1 and name in found["damaged"][0], str(found))
            check(os.path.exists(f"{base}/data/aside/{name}"), "the damaged file is not in aside/")
            metrics = s.get("/metrics").body.decode()
            check("freshet_store_scrub_damages_total 1\n" in metrics, "the metric")
            same(s.ask("POST", "/v1/_store/scrub").is_(200).json["damaged"], [], "after healing")
            same(export(s), wanted, "what is served")
            same(s.stop(), 0, "exit status")
        found, _ = read_of(context, f"{base}/data")
        same(found, wanted, "what is stored")


def typed(context, text, name, target=None):
    """Runs the command that `text` tells people to type, in a shell, as it stands there."""
    words = re.search(rf"`(freshet {name} [^`]*)`", text)
    check(words, f"no freshet {name} in {text}")
    line = words.group(1).replace("NEW-DIRECTORY", target or "")
    done = subprocess.run(["sh", "-c", 'freshet() { "$FRESHET" "$@"; }\n' + line], capture_output=True, text=True,
                          timeout=60, env={**environment(), "FRESHET": context.binary})
    return done.returncode, done.stdout, done.stderr


@case("what verify finds outvoted is mended by the command that it names, whatever the directory is called")
def outvoted(context):
    with folder() as base:
        data, copy = base / "data", base / "it's a $(copy)"
        for round_ in range(3):
            with Server(context.binary, data, "--snapshot-after", "4KiB") as s:
                fill(s, 30, 30 * round_)
                wanted = export(s)
                same(s.stop(), 0, "exit status")
            # After the last one nothing is committed: the newest snapshot says all.
            same(command(context.binary, "compact", "--data", data)[0], 0, "compact")
        names = sorted(p.name for p in data.iterdir() if p.is_file() and p.name not in ("LOCK", "reserve"))
        newest = max(name for name in names if name.startswith("log-"))
        check(len(names) >= 7, f"two generations: {names}")
        for name in names + [f"{name} as a folder" for name in names if name.endswith((".fl", ".fs"))]:
            shutil.copytree(data, copy)
            name, _, isFolder = name.partition(" ")
            if isFolder:
                (copy / name).unlink()
                (copy / name).mkdir()
            else:
                damage(copy / name, 100 if name != "FRESHET" else 3000)
            status, out, err = command(context.binary, "verify", "--data", copy)
            check(status == 1 and name in err, f"verify of {name}: {status} {out} {err}")
            if name == newest:
                # Nothing else has what was said since.
                status, out, err = typed(context, err, "salvage", f"'{base}/new'")
                same(status, 0, f"the command that was told: {out} {err}")
                same(read_of(context, base / "new")[0], wanted, "what is salvaged")
                shutil.rmtree(base / "new")
            else:
                status, out, err = typed(context, err, "compact")
                same(status, 0, f"the command that was told: {out} {err}")
                same(read_of(context, copy)[0], wanted, f"entities without {name}")
            shutil.rmtree(copy)


@case("a directory of other things is refused without touching it, and called what it is")
def others(context):
    with folder() as base:
        (base / "Documents").mkdir()
        for words in (["serve", "--listen", "127.0.0.1:0"], ["verify"], ["compact"], ["salvage", base / "new"]):
            status, out, err = command(context.binary, words[0], "--data", base, *words[1:], seconds=20)
            check(status == 1 and "is no Freshet data directory" in err, f"{words[0]}: {status} {out} {err}")
            same(sorted(p.name for p in base.iterdir()), ["Documents"], f"what is there after {words[0]}")


def scrub_quietly(server):
    with contextlib.suppress(Failure):
        server.ask("POST", "/v1/_store/scrub")


@case("a scrub heals what it finds before it goes on, and a stop meanwhile brings that to its end at once")
def scrub_stop(context):
    with folder() as base:
        flags = ("--snapshot-retain", "1", "--limit-stop-timeout", "2s")
        with Server(context.binary, f"{base}/data", *flags) as s:
            fill(s, 10000)
            s.ask("POST", "/v1/_store/compact").is_(200)
            same(s.stop(), 0, "exit status")
        data = pathlib.Path(f"{base}/data")
        for round_, kind in enumerate(["FRESHET", "snap-"]):
            name = next(p.name for p in data.iterdir() if p.name.startswith(kind))
            # A pass takes a minute, and a snapshot two.
            with Server(context.binary, data, "--snapshot-rate", "32KiB", *flags) as s:
                s.put("/v1/t/late", {"n": round_})
                damage(data / name, 400)
                asked = threading.Thread(target=scrub_quietly, args=(s,), daemon=True)
                asked.start()
                end = time.monotonic() + 20
                while not any(p.name.startswith("tmp-snap-") for p in data.iterdir()):
                    check(time.monotonic() < end, "the scrub begins no snapshot")
                    time.sleep(0.02)
                same(s.stop(), 0, "exit status")
            found, _ = read_of(context, data)
            same(len(found), 10001, "entities")


@case("a server in memory has no files to back up, and a second process learns the first one's pid")
def refusals(context):
    with folder() as base:
        with Server(context.binary) as s:
            s.get("/v1/_backup").is_(501, "not-implemented")
            s.ask("POST", "/v1/_store/compact").is_(501, "not-implemented")
            status, _, err = command(context.binary, "backup", "--server", s.url, f"{base}/b")
            same(status, 1, "backup of memory")
            check(not os.listdir(base), "a file was left")
        with Server(context.binary, f"{base}/data") as s:
            for tool in (["compact", "--data", f"{base}/data"], ["salvage", "--data", f"{base}/data", f"{base}/n"]):
                status, _, err = command(context.binary, *tool)
                same(status, 1, tool[0])
                check(f"pid {s.process.pid}" in err, err)
            same(command(context.binary, "verify", "--data", f"{base}/data")[0], 0, "verify beside a server")
        status, _, err = command(context.binary, "restore", f"{base}/none", "--data", f"{base}/n")
        same(status, 1, "restore of nothing")
        check("there is no such file" in err, err)
        status, _, err = command(context.binary, "backup", "--server", "http://127.0.0.1:1", f"{base}/b")
        same(status, 3, "backup of no server")


@case("a newer format is refused with the version that wrote it")
def newer(context):
    with folder() as base:
        with Server(context.binary, f"{base}/data") as s:
            s.ask("PUT", "/v1/t/1", {"n": 1}).is_(201)
            same(s.stop(), 0, "exit status")
        path = f"{base}/data/FRESHET"
        half = bytearray(open(path, "rb").read()[:2048])
        half[8:10] = (2).to_bytes(2, "little")
        half[48:80] = b"9.7.1".ljust(32, b"\0")
        half[2044:2048] = crc32c(bytes(half[:2044])).to_bytes(4, "little")
        open(path, "wb").write(bytes(half) * 2)
        for tool in (["serve", "--listen", "127.0.0.1:0", "--data", f"{base}/data"], ["verify", "--data", f"{base}/data"],
                     ["checkpoint", "--data", f"{base}/data", f"{base}/n"]):
            process = subprocess.run([context.binary, *tool], capture_output=True, timeout=60, env=environment(), text=True)
            same(process.returncode, 1, tool[0])
            check("format 2.0" in process.stderr and "9.7.1" in process.stderr, process.stderr)


def crc32c(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value ^ 0xFFFFFFFF
