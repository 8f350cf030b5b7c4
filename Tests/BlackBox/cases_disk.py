"""storage.md 6 and robustness.md: real disks that are full, that fail a sync, and that lose power.

A small tmpfs fills up. An ext4 on a loop device has a backing file that cannot grow: it takes what is
written to its cache and fails at the sync. And an ext4 under load is copied with a reflink, which is
the disk as a power loss would leave it, at one moment. All need the right to mount; where it is
missing the cases say so and are left out.
"""
import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time

from harness import Failure, Server, case, check, command, folder, same, soon

LONG = os.environ.get("FRESHET_LONG_TESTS") is not None


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, words))}: {done.stderr.strip()[:300]}")
    return done.stdout.strip()


@contextlib.contextmanager
def mounted(place, *words):
    """Mounts at `place`, a folder that is made; unmounts whatever comes."""
    place.mkdir()
    run("mount", *words, place)
    try:
        yield place
    finally:
        for _ in range(50):
            if subprocess.run(["umount", str(place)], capture_output=True).returncode == 0:
                break
            time.sleep(0.1)
        else:
            subprocess.run(["umount", "-l", str(place)], capture_output=True)


def may_mount(what, *programs):
    """Whether the case can be run here; says so where it cannot."""
    missing = [name for name in ("mount", *programs) if not shutil.which(name)]
    reason = f"{', '.join(missing)} is missing" if missing else None
    if not reason:
        with folder() as place:
            try:
                with mounted(place / "m", "-t", "tmpfs", "-o", "size=1m", "tmpfs"):
                    pass
            except Failure as failure:
                reason = str(failure)
    if reason:
        print(f"SKIP  disk: {what}: {reason}", flush=True)
    return reason is None


def rows(s):
    found = {}
    for line in s.get("/v1/_export").is_(200).body.decode().splitlines():
        entity = json.loads(line)["entity"]
        found[str(entity["id"])] = entity["n"]
    return found


@case("a full tmpfs refuses sets, shows all, and takes writes again within two seconds")
def full(context):
    if not may_mount("a full tmpfs"):
        return
    with folder() as place, mounted(place / "disk", "-t", "tmpfs", "-o", "size=144m", "tmpfs") as disk:
        data, filler = disk / "data", disk / "filler"
        # Twice as much as has to be free at least.
        with Server(context.binary, data) as s:
            known = {}
            for n in range(20):
                s.put(f"/v1/t/{n}", {"n": n, "x": "x" * 1000}).is_(201)
                known[str(n)] = n
            for round_ in range(8 if LONG else 2):
                fill(filler)
                refused = 0
                for n in range(100000):
                    answer = s.put(f"/v1/t/f{round_}-{n}", {"n": n, "x": "x" * 60000})
                    if answer.status == 507:
                        answer.is_(507, "storage-full")
                        check(answer.header("Retry-After"), "Retry-After of a 507")
                        refused += 1
                        break
                    answer.is_(201)
                    known[f"f{round_}-{n}"] = n
                check(refused, "the disk is never full")
                same(rows(s), known, "what is shown by a full disk")
                status, _, said = command(context.binary, "serve", "--probe", "--listen", f"127.0.0.1:{s.port}")
                check(status == 1 and said.startswith("freshet: not ready: unavailable; main is "), f"--probe of a full disk: {status} {said}")
                filler.unlink()
                began = time.monotonic()
                while True:
                    answer = s.put("/v1/t/again", {"n": round_})
                    if answer.status < 300:
                        break
                    check(time.monotonic() - began < 5, f"still refused {time.monotonic() - began:.1f} s after there is space: {answer.body[:200]}")
                    time.sleep(0.05)
                known["again"] = round_
            s.kill()
        with Server(context.binary, data) as s:
            same(rows(s), known, "entities after kill -9")
            same(s.stop(), 0, "exit status")
        same(command(context.binary, "verify", "--data", data)[0], 0, "verify")


@case("a small volume is used to nine tenths, names what is free and wanted, and comes back after removals")
def small(context):
    if not may_mount("a small volume"):
        return
    for size in (48, 85):
        with folder() as place, mounted(place / "disk", "-t", "tmpfs", "-o", f"size={size}m", "tmpfs") as disk:
            with Server(context.binary, disk / "data") as s:
                for round_ in range(2):
                    taken = 0
                    since = time.monotonic()
                    # A refusal may last until a compaction has given space back.
                    while taken < 2_000 and time.monotonic() - since < 5:
                        answer = s.put(f"/v1/t/{taken}", {"x": "x" * 200_000})
                        if answer.status == 507:
                            time.sleep(0.2)
                            continue
                        check(answer.status < 300, f"{size} MiB: {answer.status}")
                        since = time.monotonic()
                        taken += 1
                    check(taken * 200_000 > size * (1 << 20) / 3, f"{size} MiB: only {taken} rows of 200 KB")
                    same(answer.status, 507, f"{size} MiB: after {taken} rows")
                    detail = answer.json["detail"]
                    check("MiB are free and" in detail and "MiB are wanted" in detail, detail)
                    s.ask("DELETE", "/v1/t?all=true").is_(200)
                    began = time.monotonic()
                    while s.put("/v1/t/again", {"n": round_}).status >= 300:
                        check(time.monotonic() - began < 15, f"{size} MiB: still {s.get('/readyz').body[:300]}")
                        time.sleep(0.1)
                same(rows_of(s), {"again"}, "what is left")


@case("a compaction that somebody asks of a full disk does not keep writes refused once there is room")
def asked(context):
    if not may_mount("a small volume"):
        return
    with folder() as place, mounted(place / "disk", "-t", "tmpfs", "-o", "size=4m", "tmpfs") as disk:
        with Server(context.binary, disk / "data") as s:
            number, refused = 0, 0
            while refused < 5:
                refused += s.put(f"/v1/t/{number}", {"x": "x" * 100_000}).status == 507
                number += 1
                check(number < 200, "it is never full")
            s.ask("POST", "/v1/_store/compact").is_(507, "storage-full")
            s.ask("DELETE", "/v1/t?all=true").is_(200)
            # It says `Retry-After: 1`; a minute is what it took.
            soon(lambda: s.put("/v1/t/a", {"n": 1}).status < 300, "writes go on", 20)


@case("an idle server says that its volume is nearly full, whoever fills it, before it refuses a write")
def idle(context):
    if not may_mount("a volume that others fill beside an idle server"):
        return
    with folder() as place, mounted(place / "m", "-t", "tmpfs", "-o", "size=64m", "tmpfs"):
        with Server(context.binary, place / "m" / "data") as s:
            s.put("/v1/t/1", {"n": 1}).is_(201)
            fill(place / "m" / "filler")
            soon(lambda: s.get("/v1/_store").json["state"] == "low", "the state", 20)
            s.get("/readyz").is_(503)
            os.remove(place / "m" / "filler")
            soon(lambda: s.get("/v1/_store").json["state"] == "ready", "the state behind it")
            s.put("/v1/t/1", {"n": 2}).is_(200)


@case("a disk that another program fills has the older generation given up, and a compaction says that it is full")
def filled(context):
    if not may_mount("a disk that another program fills"):
        return
    with folder() as place, mounted(place / "disk", "-t", "tmpfs", "-o", "size=60m", "tmpfs") as disk:
        data, fillers = disk / "data", [disk / "filler1", disk / "filler2"]
        with Server(context.binary, data, "--snapshot-after", "2MiB") as s:
            known = {}
            for n in range(6 * 70):
                s.put(f"/v1/t/{n % 70}", {"n": n, "x": "x" * 70_000})
                known[str(n % 70)] = n
            generations = lambda: len(list(data.glob("snap-*")))
            began = time.monotonic()
            while generations() < 2:
                check(time.monotonic() - began < 10, "there are never two generations")
                s.put("/v1/t/0", {"n": 0, "x": "x" * 70_000})
                known["0"] = 0
                time.sleep(0.05)
            fill(fillers[0])
            began = time.monotonic()
            # Until it has looked at the space it takes what has room in the log; it looks every ten seconds.
            while generations() > 1:
                check(time.monotonic() - began < 25, f"the older generation is kept: {s.get('/readyz').body[:300]}")
                if s.put("/v1/t/1", {"n": 1}).status < 300:
                    known["1"] = 1
                time.sleep(0.1)
            began = time.monotonic()
            while s.put("/v1/t/2", {"n": 2}).status >= 300:
                check(time.monotonic() - began < 5, f"still refused: {s.get('/readyz').body[:300]}")
                time.sleep(0.1)
            known["2"] = 2
            fill(fillers[1])
            answer = s.ask("POST", "/v1/_store/compact").is_(507, "storage-full")
            check(answer.header("Retry-After"), "Retry-After of a 507")
            check("MiB are free and" in answer.json["detail"], answer.json["detail"])
            same(rows(s), known, "what is shown by a full disk")
            for filler in fillers:
                filler.unlink()
            began = time.monotonic()
            while s.put("/v1/t/3", {"n": 3}).status >= 300:
                check(time.monotonic() - began < 5, f"still refused: {s.get('/readyz').body[:300]}")
                time.sleep(0.1)
            known["3"] = 3
            s.ask("POST", "/v1/_store/compact").is_(200)
            check((data / "reserve").exists(), "there is no reserve again")
            s.kill()
        with Server(context.binary, data) as s:
            same(rows(s), known, "entities after kill -9")
            same(s.stop(), 0, "exit status")
        same(command(context.binary, "verify", "--data", data)[0], 0, "verify")


def rows_of(s):
    lines = s.get("/v1/_export").is_(200).body.decode().splitlines()
    return {json.loads(line)["entity"]["id"] for line in lines}


@case("a sync that fails is never followed by an acknowledgement, and a restart has what was acknowledged")
def failing(context):
    if not may_mount("a failing sync", "losetup", "mkfs.ext4", "fsck.ext4"):
        return
    if not os.access("/sys/block", os.W_OK):
        print("SKIP  disk: a failing sync: /sys/block takes no writes", flush=True)
        return
    # In the middle of the zeros that are written ahead, and at their end, where a frame begins in blocks that the
    # image has and ends in blocks that it has no room for.
    for full_at in (40, 41, 42, 43):
        fail_syncs(context, full_at)


@contextlib.contextmanager
def block_device(image):
    """A loop device over `image` that fails each block which the image has no room for.

    Linux 6.18 and before take half a write for a whole one: `lo_complete_rq` of drivers/block/loop.c ends each
    write that has not failed as a success, however few bytes the file below has taken. (Seen with strace: pwrite64
    of a frame of which the first half has pages, and fdatasync behind it, answer success; the disk has the half.)
    So no request of the device is longer than a page.
    """
    device = run("losetup", "-f", "--show", image)
    limit = pathlib.Path("/sys/block", pathlib.Path(device).name, "queue/max_sectors_kb")
    before = limit.read_text()
    try:
        limit.write_text("4")
        yield device
    finally:
        limit.write_text(before)
        run("losetup", "-d", device)


def fail_syncs(context, full_at):
    """Fills what is below the disk in front of the write `full_at`."""
    with folder() as place, mounted(place / "backing", "-t", "tmpfs", "-o", "size=64m", "tmpfs") as backing:
        image = backing / "disk"
        # A sparse file that promises more than there is room for.
        with open(image, "wb") as file:
            file.truncate(256 << 20)
        run("mkfs.ext4", "-q", "-F", "-N", 1024, "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard", "-J", "size=4", image)
        with block_device(image) as device, mounted(place / "disk", "-o", "errors=continue", device) as disk:
            data = disk / "data"
            known, unknown = {}, {}
            with Server(context.binary, data) as s:
                failed = 0
                for n in range(20000):
                    if n == full_at:
                        fill(backing / "filler")
                    body = {"n": n, "x": "x" * 30000}
                    answer = s.put(f"/v1/t/{n % 500}", body)
                    if answer.status < 300:
                        check(not failed, f"{n} was acknowledged after a sync had failed")
                        known[str(n % 500)] = n
                    elif answer.status == 503:
                        answer.is_(503, "storage-failed")
                        if answer.json["outcome"] == "unknown":
                            unknown[str(n % 500)] = n
                        else:
                            same(answer.json["outcome"], "not-applied", "outcome")
                        failed += 1
                        if failed == 20:
                            break
                    else:
                        # The file system itself may see that it is full.
                        answer.is_(507, "storage-full")
                        break
                check(failed, "no sync has failed")
                same(len(unknown), 1, "writes of unknown outcome")
                same(rows(s), known, "what is shown after the failure")
                s.get("/readyz").is_(503)
                check(b"freshet_store_failed 1" in s.get("/metrics").body, "freshet_store_failed is 1")
                s.kill()
        # The file system is read-only by now. There is room again, and the machine starts anew.
        (backing / "filler").unlink()
        subprocess.run(["fsck.ext4", "-fy", str(image)], capture_output=True)
        with mounted(place / "again", "-o", "loop", image) as disk:
            data = disk / "data"
            with Server(context.binary, data) as s:
                found = rows(s)
                lost = [id_ for id_, n in known.items() if found.get(id_) not in (n, unknown.get(id_, n))]
                check(not lost and len(found) <= len(known) + 1, f"after the restart {lost[:5]} of {len(known)} are not as acknowledged")
                s.put("/v1/t/again", {"n": 1}).is_(201)
                same(s.stop(), 0, "exit status")
            same(command(context.binary, "verify", "--data", data)[0], 0, "verify")


def fill(path):
    with open(path, "wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(b"z" * 65536):
            pass


@case("images of an ext4 under load, as power losses leave it, have all that was acknowledged")
def images(context):
    if not may_mount("crash images", "losetup", "mkfs.ext4", "mkfs.xfs"):
        return
    with folder() as place:
        # The image of the ext4 lies on an XFS, which copies a file as it is at one moment.
        outer = place / "outer"
        with open(outer, "wb") as file:
            file.truncate(400 << 20)
        run("mkfs.xfs", "-q", "-m", "reflink=1", outer)
        with mounted(place / "xfs", "-o", "loop", outer) as store:
            image = store / "disk"
            with open(image, "wb") as file:
                file.truncate(96 << 20)
            run("mkfs.ext4", "-q", "-F", image)
            with mounted(place / "live", "-o", "loop", image) as disk:
                cut(context, place, store, image, disk)


def cut(context, place, store, image, disk):
    with Server(context.binary, disk / "data", "--snapshot-after", "256KiB") as s:
        acknowledged, stop = {}, threading.Event()
        threads = [threading.Thread(target=load, args=(s, lane, acknowledged, stop)) for lane in range(4)]
        for thread in threads:
            thread.start()
        try:
            for number in range(2000 if LONG else 5):
                time.sleep(0.05 + context.random.random() * 0.2)
                before = dict(acknowledged)
                copy = store / "copy"
                run("cp", "--reflink=always", image, copy)
                judge(context, place, copy, before, number)
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        print(f"      disk: {number + 1} images", flush=True)


def load(server, lane, acknowledged, stop):
    link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    n = 0
    while not stop.is_set():
        n += 1
        id_ = f"{lane}-{n % 40}"
        try:
            answer = server.ask("PUT", f"/v1/t/{id_}", {"n": n, "x": "x" * 500}, connection=link)
        except Failure:
            return
        if answer.status < 300:
            acknowledged[id_] = n


def judge(context, place, copy, before, number):
    with mounted(place / f"m{number}", "-o", "loop", copy) as disk:
        with Server(context.binary, disk / "data") as s:
            found = rows(s)
            for id_, n in before.items():
                check(found.get(id_, 0) >= n, f"image {number}: {id_} is {found.get(id_)}; acknowledged was {n}")
            check(not s.get("/readyz").json["stores"]["main"]["recovery"]["fallback"], f"image {number}: a file is damaged")
            same(s.stop(), 0, "exit status")
        same(command(context.binary, "verify", "--data", disk / "data")[0], 0, f"verify of image {number}")
    (place / f"m{number}").rmdir()
