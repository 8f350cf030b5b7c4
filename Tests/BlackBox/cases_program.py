"""cli.md: the program itself."""
import contextlib
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

from cases_remote import Remote
from harness import MAINTAINERS, PACKAGES, Server, case, check, command, environment, folder, same, soon
from ports import free_ports


@case("serve prints one ready line on a free port and stops with 0")
def ready(context):
    with folder() as data:
        with Server(context.binary, data / "new") as s:
            check(re.match(r"^freshet \S+ listening on http://127\.0\.0\.1:\d+ \(data: .*, 0 entities at seq \d+\)$", s.ready.rstrip("\n")), f"ready line: {s.ready!r}")
            s.get("/readyz").is_(200)
            same(s.stop(), 0, "exit status of SIGTERM")
        with Server(context.binary, data / "new") as s:
            s.process.send_signal(signal.SIGINT)
            same(s.process.wait(10), 0, "exit status of SIGINT")
        with Server(context.binary) as s:
            check("entities" in s.ready or "memory" in s.ready, f"ready line in memory: {s.ready!r}")


@case("SIGTERM is announced by /readyz for --drain, and everything else goes on meanwhile")
def drain(context):
    def announced(s):
        until = time.monotonic() + 20
        while s.get("/readyz").status != 503:
            check(time.monotonic() < until, "/readyz says 503 after SIGTERM")
        same(s.get("/readyz").json["status"], "draining", "status of /readyz")

    with Server(context.binary, None, "--drain", "1h") as s:
        s.get("/readyz").is_(200)
        s.process.send_signal(signal.SIGTERM)
        announced(s)
        # Each on a connection of its own.
        s.get("/livez").is_(200)
        s.put("/v1/task/1", {"n": 1}).is_(201)
        s.get("/v1/task/1").is_(200)
        same(s.watch("/v1/task?live=delta").next()[0], "hello", "a live query begins")
        check(s.alive(), "it goes on")
        s.process.send_signal(signal.SIGTERM)
        same(s.process.wait(10), 1, "exit status of a second signal")
    with Server(context.binary, None, "--drain", "100ms") as s:
        same(s.stop(), 0, "exit status behind a drain")
    with Server(context.binary, None, "--drain", "1h") as s:
        s.process.send_signal(signal.SIGINT)
        same(s.process.wait(12), 0, "Ctrl-C does not drain")


@case("import and export by the program, with the packages and the maintainers")
def import_(context):
    with folder() as data, Server(context.binary, data / "d") as s:
        for kind, file in (("package", PACKAGES), ("maintainer", MAINTAINERS)):
            status, out, err = command(context.binary, "import", kind, file, "--server", s.url)
            same(status, 0, f"import {kind}: {out} {err}")
        lines = PACKAGES.read_text().splitlines()
        same(s.get("/v1/package?limit=0&count=true").json["meta"]["total"], len(lines), "packages")
        status, out, err = command(context.binary, "export", "--server", s.url)
        same(status, 0, f"export: {err}")
        first = [json.loads(line) for line in out.splitlines()]
        same(len(first), len(lines) + len(MAINTAINERS.read_text().splitlines()), "exported")
        check(all({"type", "entity"} <= set(row) for row in first), "lines of an export have type and entity")
        status, one, err = command(context.binary, "export", "package", "--server", s.url)
        same((status, len(one.splitlines())), (0, len(lines)), f"export of a type: {err}")
        with Server(context.binary) as other:
            status, _, err = command(context.binary, "import", "-", "--server", other.url, stdin=out.encode())
            same(status, 0, f"import from standard input: {err}")
            same(other.get("/v1/_export").body.decode(), out, "the copy")
        status, _, err = command(context.binary, "import", "package", "-", "--server", s.url, stdin=b'{"id":"ok"}\n{bad\n')
        check(status == 1 and err.strip(), f"a bad line: {status} {err}")


@case("a busy port is one sentence and exit 1, and a line of JSON where the log is one")
def busy(context):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        serve = ("serve", "--memory", "--listen", f"127.0.0.1:{taken.getsockname()[1]}")
        status, out, err = command(context.binary, *serve, seconds=15)
        ended, _, line = command(context.binary, *serve, "--log-format", "json", seconds=15)
    line = json.loads(line)
    check(ended == 1 and line["level"] == "error" and "in use" in line["reason"], f"{ended} {line}")
    check(status == 1, f"exit status {status}")
    check(err.strip() and "in use" in err and "atal" not in err, f"reason: {err}")
    same(out, "", "no ready line")


@case("a locked data directory is refused, naming the pid")
def locked(context):
    with folder() as data, Server(context.binary, data) as s:
        status, _, err = command(context.binary, "serve", "--data", data, "--listen", "127.0.0.1:0", seconds=15)
        check(status == 1, f"exit status {status}")
        check(str(s.process.pid) in err, f"the pid {s.process.pid} is named: {err}")
        s.put("/v1/t/a", {"n": 1}).is_(201)


@case("a directory whose file LOCK was removed has one server all the same")
def unlocked(context):
    with folder() as place, Server(context.binary, place / "data") as s:
        s.put("/v1/t/1", {"n": 1}).is_(201)
        os.remove(place / "data" / "LOCK")
        for words in (("serve", "--listen", "127.0.0.1:0"), ("compact",)):
            status, out, err = command(context.binary, *words, "--data", place / "data")
            check(status == 1 and "in use by another process" in err, f"{words}: {status} {out} {err}")
        s.put("/v1/t/2", {"n": 2}).is_(201)


@case("a write of a type in memory never says that it outlives a restart, whatever its commit brings along")
def volatile(context):
    with folder() as place:
        (place / "c.json").write_text(json.dumps({"types": {"m": {"store": "memory"}, "f": {}}}))
        with Server(context.binary, place / "data", "--config", str(place / "c.json")) as s:
            # The first commit has the note of the configuration, too.
            same(s.put("/v1/m/1", {"n": 1}).is_(201).header("Freshet-Durability"), "memory", "the first write")
            both = [{"set": {"type": type_, "entity": {"id": 2}}} for type_ in "mf"]
            for operations, level in ((both, "memory"), (both[1:], "full"), (both[:1], "memory"), (both, "memory")):
                # The last two change nothing, and are as lasting as what is there.
                same(s.ask("POST", "/v1/_batch", {"operations": operations}).is_(200).header("Freshet-Durability"), level, f"{operations}")


@case("a faulty configuration stops with file, pointer and expectation")
def configuration(context):
    with folder() as data:
        file = data / "freshet.json"
        for text, pointer in (('{"nosuch":1}', "/nosuch"), ('{"types":{"a":{"properties":{"x":{"type":"strnig"}}}}}', "/types/a/properties/x/type"),
                              ('{"types":{"a":{"identifer":"integer"}}}', "/types/a/identifer")):
            file.write_text(text)
            for call in (("check",), ("serve", "--memory", "--listen", "127.0.0.1:0")):
                status, out, err = command(context.binary, *call, "--config", file, seconds=15)
                same(status, 2, f"exit status of {call[0]} with {text}")
                check(str(file) in out + err and pointer in out + err, f"{call[0]} names file and {pointer}: {out} {err}")
        file.write_text('{"types":')
        same(command(context.binary, "check", "--config", file)[0], 2, "no JSON")
        same(command(context.binary, "check", "--config", data / "none.json")[0], 2, "no file")
        file.write_text('{"types":{"a":{"identifier":"integer"}}}')
        same(command(context.binary, "check", "--config", file)[0], 0, "a sound one")


@case("a declared schema is held, with a pointer per fault")
def schema(context):
    with folder() as data:
        file = data / "freshet.json"
        file.write_text(json.dumps({"strict": True, "types": {"article": {"identifier": "integer", "properties": {
            "title": {"type": "string", "required": True, "maxLength": 5}, "status": {"type": "string", "enum": ["draft", "live"], "default": "draft"},
            "points": {"type": "integer", "minimum": 0}}}}}))
        with Server(context.binary, None, "--config", str(file)) as s:
            same(s.put("/v1/article/1", {"title": "a"}).is_(201).json, {"id": 1, "title": "a", "status": "draft"}, "defaults")
            bad = s.put("/v1/article/2", {"title": "toolong", "status": "x", "points": -1}).is_(422, "invalid-entity")
            same({e["pointer"] for e in bad.json["errors"]}, {"/title", "/status", "/points"}, "pointers")
            s.put("/v1/article/3", {"points": 1}).is_(422, "invalid-entity")
            s.ask("POST", "/v1/article", {"title": "a"}).is_(422)
            s.put("/v1/article/x", {"title": "a"}).is_(422)
            s.put("/v1/other/1", {"a": 1}).is_(404, "unknown-type")
            check("title" in s.get("/v1/_types/article").is_(200).body.decode(), "the schema is told")


@case("other than loopback is refused without --open")
def loopback(context):
    status, _, err = command(context.binary, "serve", "--memory", "--listen", "0.0.0.0:0", seconds=15)
    check(status == 2 or status == 1, f"exit status {status}")
    check("--open" in err, f"the way out is named: {err}")


@case("a reload lets nobody in where the server listens, whatever address it names")
def exposed(context):
    with folder() as place:
        file = place / "freshet.json"
        sha = hashlib.sha256(b"t").hexdigest()

        def write(**members):
            file.write_text(json.dumps(members))

        access = {"tokens": [{"name": "a", "sha256": sha, "admin": True}]}
        write(listen="0.0.0.0:0", access=access)
        process = subprocess.Popen(
            [context.binary, "serve", "--memory", "--config", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        try:
            port = int(re.search(rb":(\d+) \(data", process.stdout.readline())[1])
            write(listen="127.0.0.1:0")
            process.send_signal(signal.SIGHUP)
            url = f"http://127.0.0.1:{port}/v1/_service"

            def ask(*headers):
                request = urllib.request.Request(url, headers=dict(headers))
                try:
                    with urllib.request.urlopen(request) as answer:
                        return answer.status, json.load(answer)
                except urllib.error.HTTPError as error:
                    return error.code, None
            bearer = ("Authorization", "Bearer t")
            soon(lambda: ask(bearer)[1]["configuration"]["lastReload"], "the reload")
            fault = json.dumps(ask(bearer)[1]["configuration"]["lastReload"])
            check("can be reached from other machines" in fault, f"why it is refused: {fault}")
            same(ask()[0], 401, "whoever has no token")
            write(listen="127.0.0.1:0", access={"tokens": [{"name": "b", "sha256": sha, "admin": True}]})
            process.send_signal(signal.SIGHUP)
            soon(lambda: "reached" not in json.dumps(ask(bearer)[1]["configuration"]["lastReload"]), "one that keeps others out")
        finally:
            process.terminate()
            process.wait(10)


@case("on every address the ready line names one that can be opened")
def everywhere(context):
    for host, shown in (("0.0.0.0", "127.0.0.1"), ("[::]", "[::1]")):
        process = subprocess.Popen(
            [context.binary, "serve", "--memory", "--open", "--listen", f"{host}:0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        try:
            line = process.stdout.readline().decode()
            found = re.match(rf"^freshet \S+ listening on http://{re.escape(shown)}:(\d+) \(data: memory, 0 entities at seq 0\) on every address\n$", line)
            check(found, f"ready line of {host}: {line!r}")
            same(command(context.binary, "search", "t", "--server", f"{shown}:{found[1]}/v1")[0], 0, "a client at that address, the API's path behind it")
        finally:
            process.terminate()
            process.communicate(timeout=15)


@case("the start page names its own origin, and says who needs a token")
def start_page(context):
    page = lambda s, **headers: s.get("/", Accept="text/html", **headers).is_(200).body.decode()
    with Server(context.binary) as s:
        check(f"Nothing is stored yet" in page(s) and f"{s.url}/v1/task/1" in page(s), f"its own origin: {page(s)}")
        named = page(s, Host=f"localhost:{s.port}")
        check(f"http://localhost:{s.port}/v1/task/1" in named, f"by the name that was asked for: {named}")
        for kind in ("text/html", "application/json"):
            check("Accept" in s.get("/", Accept=kind).is_(200).header("Vary"), f"no cache gives {kind} to who asks for the other")
    with folder() as data:
        config = data / "c.json"
        token = "fr_test"
        for anonymous, said in ((None, "This server wants a token"), ({"open": {"read": True}}, "Nothing is stored")):
            access = {"tokens": [{"name": "root", "sha256": hashlib.sha256(token.encode()).hexdigest(), "admin": True},
                                 {"name": "mute", "sha256": hashlib.sha256(b"mute").hexdigest()}]}
            if anonymous:
                access["anonymous"] = anonymous
            config.write_text(json.dumps({"access": access}))
            with Server(context.binary, None, "--config", str(config)) as s:
                check(said in page(s), f"to nobody in particular: {page(s)}")
                check(said in page(s, Authorization="Bearer wrong"), "to a wrong token")
                check("This server wants a token" in page(s, Authorization="Bearer mute"), "to one without rights")
                check("Nothing is stored" in page(s, Authorization=f"Bearer {token}"), "to the administrator")
                s.get("/", Authorization="Bearer wrong").is_(401)


@case("help, version and wrong use have their exit statuses")
def use(context):
    same(command(context.binary, "--version")[0], 0, "--version")
    for call in ((), ("serve",), ("check",), ("import",), ("export",), ("verify",)):
        status, out, _ = command(context.binary, *call, "--help")
        check(status == 0 and "freshet" in out, f"{call} --help: {status}")
    for call in (("nosuch",), ("serve", "--nosuch"), ("serve", "--listen"), ("serve", "--listen", "x"), ("import",)):
        status, _, err = command(context.binary, *call, seconds=15)
        check(status == 2 and err.strip(), f"{call}: {status} {err}")
    same(command(context.binary, "export", "--server", "http://127.0.0.1:1")[0], 3, "a server that is not there")
    with Server(context.binary) as s:
        same(command(context.binary, "serve", "--probe", "--listen", f"127.0.0.1:{s.port}")[0], 0, "--probe of a ready one")
        # What stands behind it is no reason to ask for more than the address.
        same(command(context.binary, "serve", "--probe", "--listen", f"0.0.0.0:{s.port}")[0], 0, "--probe on every address")
    status, _, said = command(context.binary, "serve", "--probe", "--listen", "127.0.0.1:1")
    check(status == 3 and "no server at http://127.0.0.1:1" in said, f"--probe of none: {status} {said}")
    status, _, said = command(context.binary, "serve", "--probe", "--listen", "nowhere")
    check(status == 2 and said.startswith("freshet: --listen: expected an address"), f"--probe of no address: {status} {said}")
    with Server(context.binary, None, "--drain", "20s") as s:
        s.signal(signal.SIGTERM)
        end = time.monotonic() + 10
        while s.get("/readyz").status == 200 and time.monotonic() < end:
            pass
        status, _, said = command(context.binary, "serve", "--probe", "--listen", f"127.0.0.1:{s.port}")
        check(status == 1 and said.startswith("freshet: not ready: draining"), f"--probe of one that drains: {status} {said}")


@case("the numbers of closed standard streams are no file's and no socket's")
def closed_streams(context):
    def run(closed, *call):
        return subprocess.run(["bash", "-c", f'exec "$@" {closed}', "-", context.binary, *call], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, env=environment())

    with folder() as data:
        for closed in ("<&-", ">&-", "2>&-", "<&- >&-", "<&- >&- 2>&-"):
            port, = free_ports(1)
            with subprocess.Popen(["bash", "-c", f'exec "$@" {closed}', "-", context.binary, "serve", "--listen", f"127.0.0.1:{port}", "--data", str(data / "d")],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment()) as process:
                try:
                    end = time.monotonic() + 20
                    answer = b""
                    while b" 421 " not in answer:
                        check(process.poll() is None and time.monotonic() < end, f"{closed}: no server: {process.poll()} {answer}")
                        # A refusal has a line in the log.
                        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)) as peer:
                            peer.sendall(b"GET /v1 HTTP/1.1\r\nHost: evil.example\r\n\r\n")
                            answer = peer.recv(4096)
                    for number, name in enumerate(("<&-", ">&-", "2>&-")):
                        if name in closed:
                            same(os.readlink(f"/proc/{process.pid}/fd/{number}"), "/dev/null", f"{closed}: descriptor {number}")
                finally:
                    process.terminate()
                    process.wait(20)
            same(process.returncode, 0, f"{closed}: the end")
            same(command(context.binary, "verify", "--data", data / "d")[0], 0, f"{closed}: the store")
    for call in (("search", "t", "--server", context.server.url), ("--help",), ("man",)):
        done = run(">&-", *call)
        check(done.returncode == 1 and "standard output cannot be written" in done.stderr, f"{call}: {done}")
    done = run("<&-", "set", "t", "1", "--server", context.server.url)
    check(done.returncode == 1 and "standard input cannot be read" in done.stderr, f"no standard input: {done}")


@case("metrics are as Prometheus wants them")
def metrics(context):
    promtool = shutil.which("promtool")
    with folder() as data:
        config = data / "c.json"
        config.write_text(json.dumps({"types": {"t": {"indexes": ["n"]}}, "upstreams": {
            "plain": {"base": "http://127.0.0.1:1"}, "probed": {"base": "http://127.0.0.1:1", "probe": {"path": "/", "every": "1h"}}}}))
        with Server(context.binary, data / "d", "--config", str(config)) as s:
            s.put("/v1/t/1", {"n": 1}).is_(201)
            s.get("/v1/t/1").is_(200)
            s.get("/v1/t?filter=n==1").is_(200)
            s.get("/v1/t/none").is_(404)
            s.get("/nosuch").is_(404)
            with s.watch("/v1/t?live=delta") as w:
                w.snapshot()
                s.put("/v1/t/2", {"n": 2}).is_(201)
                w.until("delta")
            page = s.get("/metrics").is_(200).body.decode()
    if promtool:
        done = subprocess.run([promtool, "check", "metrics"], input=page.encode(), capture_output=True, timeout=30)
        same((done.returncode, done.stdout + done.stderr), (0, b""), "promtool")
    values = {line.rpartition(" ")[0]: float(line.rpartition(" ")[2]) for line in page.splitlines() if not line.startswith("#")}
    for line, least in (('class="read",status="2xx"', 1), ('class="read",status="4xx"', 1), ('class="search",status="2xx"', 1),
                        ('class="write",status="2xx"', 2), ('class="live",status="2xx"', 1), ('class="page",status="4xx"', 1)):
        check(values[f"freshet_http_responses_total{{{line}}}"] >= least, f"responses {line}")
    for kind in ("read", "search", "write", "live", "operate", "page"):
        name = "freshet_http_request_duration_seconds"
        every = [v for k, v in values.items() if k.startswith(f'{name}_bucket{{class="{kind}"')]
        check(every == sorted(every) and len(every) == 17, f"buckets of {kind}: {every}")
        same(every[-1], values[f'{name}_count{{class="{kind}"}}'], f"count of {kind}")
        # A stream is counted by its head, everything else by its answer.
        same(every[-1], sum(v for k, v in values.items() if k.startswith(f'freshet_http_responses_total{{class="{kind}"')), f"answers of {kind}")
    for name in ("freshet_live_lag_seconds", "freshet_commit_duration_seconds", "freshet_store_sync_duration_seconds"):
        check(values[f"{name}_count"] >= 1 and values[f"{name}_sum"] > 0, f"{name} has counted")
    check('freshet_upstream_healthy{upstream="probed"}' in values and 'freshet_upstream_healthy{upstream="plain"}' not in values, "health of the probed one alone")
    check(0 < time.time() - values["process_start_time_seconds"] < 600, f"start time: {values['process_start_time_seconds']}")
    for name in ("cpu_seconds_total", "resident_memory_bytes", "open_fds", "max_fds"):
        check(values[f"process_{name}"] > 0, f"process_{name}")
    check(values["process_open_fds"] < values["process_max_fds"], "descriptors")
    for name, text in re.findall(r"^# HELP (\S+) (.*)$", page, re.M):
        check(len(text.split()) >= 4 or name.endswith("_total"), f"{name} says: {text}")


@case("refused origins and slow requests have a line at info, every request one at debug")
def lines(context):
    with folder() as data:
        with Server(context.binary, data / "d") as s:
            s.put("/v1/t/1", {"n": 1}, Origin="http://evil.example").is_(403, "origin-not-allowed")
            s.get("/v1/t?ticket=sesame", Host="evil.example").is_(421)
            s.put("/v1/t/1", {"n": 1}).is_(201)
            s.stop()
            text = open(s.log.name, encoding="utf-8").read()
        told = [line for line in text.splitlines() if "request" in line]
        same(len(told), 2, f"lines: {text}")
        check("info request refused" in told[0] and "origin=http://evil.example" in told[0] and "method=PUT" in told[0] and "path=/v1/t/1" in told[0], told[0])
        check("host=evil.example" in told[1] and "sesame" not in text, told[1])
        with Server(context.binary, data / "d", "--log-level", "debug", "--log-format", "json") as s:
            size = len(json.dumps({"id": "1", "n": 1}))
            s.get("/v1/t/1?token=sesame&fields=n").is_(400)
            s.put("/v1/t/1", {"n": 2}, X_Request_Id="trace-me").is_(200)
            s.get("/v1/t?limit=5").is_(200)
            s.stop()
            rows = [json.loads(line) for line in open(s.log.name, encoding="utf-8")]
        rows = [row for row in rows if row["message"] == "request"]
        same([(r["method"], r["path"], r["status"], r["class"]) for r in rows], [
            ("GET", "/v1/t/1?token=***&fields=n", 400, "read"), ("PUT", "/v1/t/1", 200, "write"), ("GET", "/v1/t?limit=5", 200, "search")], "access lines")
        check(all(row["bytes"] > size and row["milliseconds"] >= 0 for row in rows), f"bytes and durations: {rows}")
        same(rows[1]["id"], "trace-me", "the request's id")


@case("the line of a request has the id and the trace of it, however its answer came about")
def request_ids(context):
    trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    remote = Remote(["1"])

    def ask(s, name, method, path, body=None):
        kind = "application/x-ndjson" if path.endswith("_import") else "application/json"
        answer = s.ask(method, path, body, {"X-Request-Id": name, "traceparent": trace, "Content-Type": kind})
        answer.is_(200)
        same(answer.header("X-Request-Id"), name, f"the answer to {path}")

    def ask_late(s):
        """An answer that takes longer than a second."""
        remote.gate.clear()
        asking = threading.Thread(target=ask, args=(s, "late", "GET", "/v1/w?source=remote"))
        asking.start()
        check(remote.begun.acquire(timeout=20), "the upstream is asked")
        time.sleep(1.05)
        remote.gate.set()
        asking.join()

    with folder() as data:
        config = data / "freshet.json"
        config.write_text(json.dumps(remote.configuration()))
        def run(level, requests):
            with Server(context.binary, data / level, "--log-level", level, "--log-format", "json", "--config", str(config)) as s:
                requests(s)
                s.stop()
                lines = [json.loads(line) for line in open(s.log.name, encoding="utf-8")]
            return {row["id"]: row for row in lines if row["message"] in ("request", "slow request")}

        def various(s):
            ask(s, "fetched", "GET", "/v1/w?source=remote")
            ask(s, "at-once", "GET", "/v1/w?source=local")
            ask(s, "committed", "PUT", "/v1/w/1", "{}")
            ask(s, "received", "POST", "/v1/_import", '{"type":"w","entity":{"id":"2"}}\n')
            s.ask("GET", "/v1/w/none", None, {"X-Request-Id": "failed", "traceparent": "00-nonsense"}).is_(404)

        rows, slow = run("debug", various), run("info", ask_late)
    remote.close()
    same([(name, row["message"], row["trace"]) for name, row in slow.items()], [("late", "slow request", trace)], "lines at info")
    same(list(rows), ["fetched", "at-once", "committed", "received", "failed"], "lines at debug")
    same([name for name, row in rows.items() if row.get("trace") != trace], ["failed"], "lines without the trace")
    check("trace" not in rows["failed"], "what is no trace is not taken over")
    check(trace in remote.traces and "00-nonsense" not in remote.traces, f"the remote was told of {remote.traces}")


@case("logs as JSON are JSON lines without entity values")
def logs(context):
    with folder() as data:
        with Server(context.binary, data, "--log-format", "json", "--log-level", "debug") as s:
            s.put("/v1/t/a", {"secret": "swordfish"}, X_Request_Id="trace-me").is_(201)
            s.put("/v1/t/a", '{"secret": "swordfish"').is_(400, "bad-json")
            s.stop()
            text = open(s.log.name, encoding="utf-8").read()
        check(text.strip(), "there are log lines")
        for line in text.splitlines():
            check(isinstance(json.loads(line), dict), f"a JSON line: {line}")
        check("trace-me" in text, "request ids are logged")
        check("swordfish" not in text, "no entity value is logged")
