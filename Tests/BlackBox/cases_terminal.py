"""cli.md: the program on a terminal, in a pipe, and with --json."""
import fcntl
import io
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time

from harness import Failure, PACKAGES, Server, case, check, command, environment, folder, same, terminal


def lines(text):
    return text.rstrip("\n").split("\n")


def fill(s, t, count=4):
    s.ask("POST", f"/v1/{t}/_set", [{"id": n, "k": n % 2, "n": n} for n in range(1, count + 1)]).is_(200)


@case("a search on a terminal is a table, whatever was asked")
def search(context):
    s, t = context.server, context.type()
    fill(s, t)
    show = lambda *flags: lines(terminal(context.binary, "search", t, *flags, "--server", s.url)[1])
    same(show("--count", "--limit", "0"), ["total: 4"], "a count alone")
    same(show("--count", "--limit", "1"), ["id  k  n", "1   1  1", "", "1 of 4"], "rows and a count")
    same(show("--filter", "n>9"), ["no items"], "nothing")
    same(
        show("--filter", "m>9"), ["no items", f"no entity of type '{t}' has the property 'm'"],
        "nothing, and why")
    same(show("--aggregate", "count,sum(n)"), ["count  sum(n)", "4      10"], "figures")
    same(show("--group", "k", "--aggregate", "count"), ["key  count", "1    2", "0    2"], "figures of groups")
    same(show("--group", "k"), ["key  id  k  n", "1    1   1  1", "     3   1  3", "0    2   0  2", "     4   0  4"], "groups")
    s.put(f"/v1/{t}/9", {"a": "x" * 30, "b": "y" * 30, "c": "z" * 30}).is_(201)
    wide = show("--filter", "a!=null")
    check("… and " in wide[-1] and "c" in wide[-1] and "--json" in wide[-1], f"columns that do not fit are named: {wide}")
    status, out, _ = command(context.binary, "search", t, "--group", "k", "--server", s.url)
    same((status, sorted(json.loads(out))), (0, ["groups", "meta"]), "JSON in a pipe")
    status, out = terminal(context.binary, "search", t, "--json", "--aggregate", "count", "--server", s.url)
    same(json.loads(out)["aggregates"], {"count": 5}, "JSON on a terminal, when asked")


@case("a watch on a terminal draws figures and groups, and says nothing before it knows")
def watch(context):
    s, t = context.server, context.type()
    fill(s, t)

    def screens(*flags, until):
        text = terminal(context.binary, "watch", t, *flags, "--server", s.url, until=until)[1]
        return text.split("\x1b[H\x1b[2J")[1:]

    drawn = screens("--aggregate", "count,sum(n)", until=lambda text: "4      10\n" in text)
    same(lines(drawn[-1])[:4], [f"{t}  [live]", "", "count  sum(n)", "4      10"], "figures")
    check(re.fullmatch(r"seq \d+  0\.0 changes/s  lag < \d+ s  q ends", lines(drawn[-1])[-1]), f"the last line: {drawn[-1]}")
    check(not any("no items" in screen for screen in drawn), f"nothing is said to be empty: {drawn}")
    drawn = screens("--group", "k", "--aggregate", "count", until=lambda text: "0    2\n" in text)
    same(lines(drawn[-1])[:5], [f"{t}  2 groups  [live]", "", "key  count", "1    2", "0    2"], "figures of groups")
    drawn = screens("--group", "k", until=lambda text: "4   0  4\n" in text)
    same(lines(drawn[-1])[:4], [f"{t}  2 groups  [live]", "", "key  id  k  n", "1    1   1  1"], "groups")
    drawn = screens("--count", "--limit", "1", until=lambda text: "1 of 4" in text)
    same(lines(drawn[-1])[0], f"{t}  1 of 4  [live]", "rows of a count")


class Screen:
    """The program on a terminal that is typed at."""

    def __init__(self, binary, *arguments, columns=80, rows=24, **variables):
        kept = environment()
        self.pid, self.link = pty.fork()
        if self.pid == 0:
            os.execvpe(binary, [binary, *map(str, arguments)], {**kept, **variables})
        fcntl.ioctl(self.link, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.text = ""

    def until(self, holds, seconds=20):
        """The screen, once `holds` of it."""
        end = time.monotonic() + seconds
        while not holds(self.shown):
            check(select.select([self.link], [], [], max(0, end - time.monotonic()))[0], f"the screen after {seconds} s: {self.text!r}")
            try:
                self.text += os.read(self.link, 65536).decode("utf-8", "replace").replace("\r\n", "\n")
            except OSError:
                raise Failure(f"it has ended: {self.text!r}") from None
        return self.shown

    @property
    def shown(self):
        """What was drawn last, if it is whole."""
        drawn = self.text.split("\x1b[H\x1b[2J")[-1]
        return drawn if re.search(r"lag < \d+ s.*\n$", drawn) else ""

    def end(self, key):
        os.write(self.link, key)
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        modes = termios.tcgetattr(self.link)[3]
        os.close(self.link)
        return status, bool(modes & termios.ECHO and modes & termios.ICANON)


@case("a watch on a terminal marks what has changed, says why rows left, and ends with q")
def changes(context):
    s, t = context.server, context.type()
    for n in range(1, 4):
        s.put(f"/v1/{t}/{n}", {"id": n, "open": True, "text": "a", "long": "x" * 60, "more": "y" * 40}).is_(201)
    at = ("--filter", "open==true", "--server", s.url)
    for variables, mark in (({"NO_COLOR": ""}, lambda x: f"\x1b[7m{x}\x1b[0m"), ({"NO_COLOR": "1"}, lambda x: x + "*")):
        screen = Screen(context.binary, "watch", t, *at, TERM="xterm", **variables)
        shown = screen.until(lambda text: "\n3   " in text)
        check("… and more (--fields" in shown and max(len(re.sub(r"\x1b\[\d*m", "", x)) for x in lines(shown)) <= 80, f"what does not fit: {shown}")
        check(("\x1b[1mid\x1b[0m" in shown) == (variables["NO_COLOR"] == ""), f"heads: {shown!r}")
        s.ask("PATCH", f"/v1/{t}/1", {"text": "b"}).is_(200)
        shown = screen.until(lambda text: mark("b") in text)
        check(mark("1") not in shown and mark("a") not in shown, f"what has not changed: {shown!r}")
        s.ask("PATCH", f"/v1/{t}/2", {"open": False}).is_(200)
        s.ask("DELETE", f"/v1/{t}/3").is_(204)
        # One behind the other, or, where the machine is slow, in one event.
        shown = screen.until(lambda text: re.search("left: (3 deleted, 2 unmatched|2 unmatched, 3 deleted)", text))
        check(mark("b") in shown, f"what changed just before: {shown!r}")
        screen.until(lambda text: mark("b") not in text and "left:" in text)
        check(re.search(rf"seq {s.get('/v1').json['meta']['revision']}  0\.3 changes/s", shown), f"the footer: {shown!r}")
        same(screen.end(b"q"), (0, True), "q: exit status, and whether the terminal is as before")
        s.ask("PATCH", f"/v1/{t}/1", {"text": "a"}).is_(200)
        for n in (2, 3):
            s.put(f"/v1/{t}/{n}", {"id": n, "open": True, "text": "a", "long": "x" * 60, "more": "y" * 40})
    screen = Screen(context.binary, "watch", t, *at)
    screen.until(lambda text: "\n3   " in text)
    same(screen.end(b"\x03"), (-2, True), "ctrl-c: exit status, and whether the terminal is as before")
    screen = Screen(context.binary, "watch", t, *at)
    screen.until(lambda text: "\n3   " in text)
    os.write(screen.link, b"\x1a")
    check(os.WIFSTOPPED(os.waitpid(screen.pid, os.WUNTRACED)[1]), "ctrl-z stops it")
    check(termios.tcgetattr(screen.link)[3] & termios.ICANON, "a stopped one has given the terminal back")
    screen.text = ""
    os.kill(screen.pid, signal.SIGCONT)
    screen.until(lambda text: "\n3   " in text)
    same(screen.end(b"q"), (0, True), "behind ctrl-z: exit status, and whether the terminal is as before")


@case("a reader that leaves ends a command without a word, a full disk does not")
def readers(context):
    s, t = context.server, context.type()
    s.ask("POST", f"/v1/{t}/_set", [{"id": n, "text": "x" * 1000} for n in range(3000)]).is_(200)
    # A watch whose reader has what it wanted ends, though nothing changes.
    with subprocess.Popen([context.binary, "watch", t, "--server", s.url], stdout=subprocess.PIPE, env=environment()) as process:
        process.stdout.readline()
        process.stdout.close()
        same(process.wait(10), 0, "the end of a watch that nobody reads")
    # Who is given a stream that does not wait says all that there is.
    read, write = os.pipe()
    os.set_blocking(write, False)
    with subprocess.Popen([context.binary, "export", t, "--server", s.url], stdout=write, env=environment()) as process:
        os.close(write)
        select.select([read], [], [], 20)
        time.sleep(0.3)
        with open(read, "rb") as stream:
            count = sum(1 for _ in stream)
        same((process.wait(10), count), (0, 3000), "an export into a stream that does not wait")
    for call in (("export",), ("export", t), ("search", t, "--limit", "3000"), ("watch", t)):
        process = subprocess.Popen(
            [context.binary, *call, "--server", s.url], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        process.stdout.read(100)
        process.stdout.close()
        same((process.wait(30), process.stderr.read()), (0, b""), f"{call} behind a reader that left")
    with open("/dev/full", "wb") as full:
        for call in (("export",), ("search", t), ("get", t, "1"), ("--version",), ("token", "new")):
            done = subprocess.run(
                [context.binary, *call, *(["--server", s.url] if call[0] in ("export", "search", "get") else [])],
                stdout=full, stderr=subprocess.PIPE, env=environment(), timeout=30)
            check(done.returncode == 1 and b"standard output cannot be written" in done.stderr, f"{call} to a full disk: {done}")


@case("backup - is the backup on standard output")
def backup(context):
    with folder() as data, Server(context.binary, data / "d") as s:
        fill(s, "t")
        done = subprocess.run(
            [context.binary, "backup", "-", "--server", s.url], capture_output=True, env=environment(), timeout=60)
        same(done.returncode, 0, f"exit status: {done.stderr}")
        check(re.match(rb"a backup at seq 1 in \d+ bytes, whole", done.stderr), f"what is said: {done.stderr}")
        (data / "b").write_bytes(done.stdout)
        status, out, err = command(context.binary, "restore", data / "b", "--data", data / "r")
        check(status == 0 and "4 entities at seq 1" in out, f"restored: {out} {err}")
        check(not (data / "-").exists() and not os.path.exists("-.unfinished"), "no file is named -")
        status, shown = terminal(context.binary, "backup", "-", "--server", s.url)
        check(status == 2 and "no text for a terminal" in shown, f"on a terminal: {status} {shown}")


@case("an import takes a JSON array, says how to make one of CSV, and names the line of a fault")
def import_(context):
    s, t = context.server, context.type()

    def load(text, *call, status=0):
        done = command(context.binary, "import", *call, "--server", s.url, stdin=text.encode())
        same(done[0], status, f"import of {text[:60]!r}: {done[1]} {done[2]}")
        return done[1] if status == 0 else done[2]

    rows = [{"id": n, "text": "a ] , [ \\ \" } \u00e9 " * 3, "in": {"a": [1, [2]]}} for n in range(5000)]
    same(load(json.dumps(rows), t, "-"), "imported 5000 entities (5000 changed)\n", "an array")
    same(s.get(f"/v1/{t}/4999").json, rows[4999], "the last one")
    same(load("\ufeff" + json.dumps(rows[:3], indent=2), t, "-"), "imported 3 entities (0 changed)\n", "written over many lines")
    same(load("[]", t, "-"), "imported 0 entities (0 changed)\n", "an empty array")
    wrapped = json.dumps([{"type": t, "entity": {"id": "w"}}], indent=1)
    same(load(wrapped, "-"), "imported 1 entity (1 changed)\n", "with types")
    check("standard input:3:" in load('[{"id":1},\n{"id":2},\n{"id":{}}]', t, "-", status=1), "a faulty element has its line")
    for text, what in (('[{"id":1}', "line 1: the array has no end"), ('[{"id":1},,]', "line 1: an element of the array is missing"),
                       ('[{"id":1}]\n x', "line 2: something stands behind"), ('[{"id":1},]', "an element of the array is missing")):
        said = load(text, t, "-", status=1)
        check(what in said, f"{text}: {said}")
    for text, call, status, what in (
            (wrapped, (t, "-"), 2, "name their types; leave yours out: freshet import -"),
            ('{"id":1}\n', ("-",), 2, "name no type; give theirs: freshet import TYPE -"),
            ('{"id":1}\n[1]\n', (t, "-"), 1, "standard input:2: an entity is a JSON object"),
            ("id: 1\n", (t, "-"), 1, 'begins with "id: 1", and an import takes NDJSON'),
            ("\x7f\x01,\x02\n", (t, "-"), 1, "is no text"),
            ('{"id":1}', (t, "nowhere"), 1, "No such file or directory; the form is: freshet import [TYPE] FILE|-")):
        said = load(text, *call, status=status)
        check(what in said, f"{text!r} {call}: {said}")
    done = command(context.binary, "import", t, "-", "--server", s.url, stdin='{"id":1}'.encode("utf-16"))
    check(done[0] == 1 and "is UTF-16" in done[2] and f"iconv -f UTF-16 -t UTF-8 FILE | freshet import {t} -" in done[2], f"UTF-16: {done}")
    for text, delimiter in (("id,name\n1,ann\n2,\"b,c\"\n", ""), ("id;name\n1;ann\n", ";"), ("\ufeffid\tname\n1\tann\n", "\\t")):
        said = load(text, t, "-", status=1)
        check("looks like CSV" in said and f"freshet import {t} -" in said, f"{text!r}: {said}")
        # What it proposes works as it stands.
        script = re.search(r"python3 -c '(.*?)' <", said)[1]
        made = subprocess.run(["python3", "-c", script], input=text.encode(), capture_output=True, check=True).stdout
        same(json.loads(made.splitlines()[0]), {"id": "1", "name": "ann"}, f"converted with {delimiter!r}")
        load(made.decode(), t, "-")


@case("verify and restore count on a terminal what they read")
def progress(context):
    with folder() as data:
        with Server(context.binary, data / "d") as s:
            command(context.binary, "import", "package", PACKAGES, "--server", s.url)
            same(command(context.binary, "backup", data / "b", "--server", s.url)[0], 0, "backup")
        same(command(context.binary, "compact", "--data", data / "d", "--retain", "1")[0], 0, "compact")
        size = r"[\d,.]+ (B|KiB|MiB)"
        for call, phase in ((("verify", "--data", data / "d"), " of the snapshot"), (("verify", data / "b"), ""),
                            (("restore", data / "b", "--data", data / "r"), ""), (("restore", data / "d", "--data", data / "r2"), " of the snapshot")):
            status, shown = terminal(context.binary, *call, columns=120)
            same(status, 0, f"{call}: {shown}")
            check(re.search(rf"%  {size} of {size}{phase}", shown), f"{call} counts bytes: {shown!r}")


@case("every command answers with --json in JSON")
def as_json(context):
    with folder() as data:
        (data / "in.json").write_text('[{"id":1},{"id":2}]')
        (data / "c.json").write_text('{"types":{"t":{}}}')

        def ask(*call, status=0, stdin=None):
            done = command(context.binary, *call, "--json", stdin=stdin)
            same(done[0], status, f"{call}: {done[1]} {done[2]}")
            return [json.loads(line) for line in lines(done[1])]

        with Server(context.binary, data / "d", "--json") as s:
            ready = json.loads(s.ready)
            same((ready["url"], ready["entities"], ready["seq"]), (s.url, 0, 0), "the ready line")
            at = ("--server", s.url)
            same(ask("import", "t", data / "in.json", *at), [{"count": 2, "changed": 2}], "import")
            same(ask("set", "t", "3", *at, stdin=b"{}"), [{"id": "3"}], "set")
            same(ask("get", "t", "3", *at), [{"id": "3"}], "get")
            same(len(ask("search", "t", *at)[0]["items"]), 3, "search")
            same(ask("remove", "t", "3", *at), [{"removed": ["3"], "absent": []}], "remove")
            same(ask("export", "t", *at), [{"id": 1}, {"id": 2}], "export")
            same(ask("backup", data / "b", *at)[0]["entities"], 2, "backup")
            same(ask("serve", "--probe", "--listen", f"127.0.0.1:{s.port}"), [{"ready": True}], "the probe")
            _, shown = terminal(context.binary, "watch", "t", "--json", *at, until=lambda text: '"snapshot"' in text)
            same(json.loads(lines(shown)[0])["event"], "hello", "watch")
        same(ask("check", "--config", data / "c.json"), [{"valid": True, "file": str(data / "c.json"), "types": 1, "faults": []}], "check")
        same(ask("check", "--config", data / "c.json", "--data", data / "d")[0]["stored"]["entities"], 2, "check --data")
        settings = ask("check", "--effective")[0]["settings"]
        same([x for x in settings if x["name"] == "listen"], [{"name": "listen", "value": "127.0.0.1:8080", "origin": "default", "from": "default"}], "check --effective")
        (data / "c.json").write_text('{"types":{"t":{"nosuch":1}}}')
        faulty = ask("check", "--config", data / "c.json", status=2)[0]
        check(not faulty["valid"] and "/types/t/nosuch" in faulty["faults"][0], f"check of faults: {faulty}")
        same(ask("verify", "--data", data / "d")[0]["intact"], True, "verify")
        same(ask("verify", data / "b")[0]["entities"], 2, "verify of a backup")
        same(ask("compact", "--data", data / "d")[0]["entities"], 2, "compact")
        same(ask("restore", data / "b", "--data", data / "r")[0]["entities"], 2, "restore")
        check(ask("checkpoint", data / "p", "--data", data / "d")[0]["seq"] > 0, "checkpoint")
        same(ask("salvage", data / "s", "--data", data / "d")[0]["lost"], [], "salvage")
        check(ask("token", "new")[0]["token"].startswith("fr_"), "token")
        check("freshet" in ask("completions", "bash")[0]["script"], "completions")
        snapshot = next((data / "d").glob("snap-*.fs"))
        with open(snapshot, "r+b") as file:
            file.seek(-200, io.SEEK_END)
            file.write(b"\xff\x00" * 50)
        damaged = ask("verify", "--data", data / "d", status=1)[0]
        check(not damaged["intact"] and damaged["damages"] + damaged["outvoted"], f"verify of damage: {damaged}")


@case("variables that nothing reads are told of, with the one that is meant")
def variables(context):
    def told(*call, **variables):
        done = subprocess.run([context.binary, *call], capture_output=True, env={**environment(), **variables}, timeout=30)
        return done.stderr.decode()

    same(told("check", FRESHET_LISTN="a"), "freshet: nothing reads the variable FRESHET_LISTN; did you mean FRESHET_LISTEN?\n", "a slip")
    check("FRESHET_COLOUR; \"freshet serve --help\"" in told("check", FRESHET_COLOUR="a"), "an unknown one")
    check("FRESHET_PORT" in told("check", FRESHET_PORT="9000"), "a port is not what a platform makes")
    for name, value in (("FRESHET_PORT", "tcp://10.0.0.1:8080"), ("FRESHET_SERVICE_HOST", "10.0.0.1"), ("FRESHET_PORT_8080_TCP_ADDR", "10.0.0.1"),
                        ("FRESHET_SERVER", "http://h"), ("FRESHET_TOKEN", "x"), ("FRESHET_TIMEOUT", "1s")):
        same(told("check", **{name: value}), "", f"{name}={value}")
    with folder() as data:
        (data / "c.json").write_text('{"upstreams":{"u":{"base":"http://127.0.0.1:9","headers":{"X-Key":{"env":"FRESHET_UPSTREAM_KEY"}}}}}')
        same(told("check", "--config", str(data / "c.json"), FRESHET_UPSTREAM_KEY="k"), "", "one that the configuration names")
    check("did you mean FRESHET_SERVER?" in told("get", "t", "1", "--server", "http://127.0.0.1:1", FRESHET_SERVR="x"), "a slip beside a client")
    check("FRESHET_UPSTREAM_KEY" not in told("get", "t", "1", "--server", "http://127.0.0.1:1", FRESHET_UPSTREAM_KEY="x"), "a server's own beside a client")
