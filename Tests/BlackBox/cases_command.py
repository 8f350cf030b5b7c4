"""cli.md: what the commands that talk to a server print, keep and refuse."""
import hashlib
import http.server
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
import urllib.parse
import urllib.request

from harness import Server, case, check, command, environment, folder, same, terminal
from ports import free_ports

TOKEN = "correct-horse-battery-staple"


def shell(line, **variables):
    """What a shell prints that runs `line`."""
    done = subprocess.run(
        ["bash", "-c", line], capture_output=True, timeout=30, env={**environment(), **variables})
    check(done.returncode == 0, f"{line}: {done.stderr}")
    return done.stdout.decode()


@case("--curl prints requests that a shell sends as they are, and sends none")
def curl(context):
    s, t = context.server, context.type()
    at = ("--server", s.url)
    body = b'{"id":"a b","text":"it\'s $HOME \\\\ \\"q\\""}\n'

    def printed(*call, stdin=None):
        status, out, err = command(context.binary, "--curl", *call, *at, stdin=stdin)
        check(status == 0 and not err and out.startswith("curl "), f"{call}: {status} {out} {err}")
        return out

    line = printed("set", t, "a b", stdin=body)
    s.get(f"/v1/{t}/a%20b").is_(404)
    same(json.loads(shell(line)), json.loads(body), "what the line stores")
    same(shell(printed("get", t, "a b")), command(context.binary, "get", t, "a b", *at)[1], "get")
    found = shell(printed("search", t, "--filter", "text != null", "--order", "-text"))
    same(len(json.loads(found)["items"]), 1, "search")
    same(json.loads(shell(printed("set", t, stdin=b'{"n":1}')))["n"], 1, "set without an id is a POST")
    for n in (1, 2):
        same(json.loads(shell(printed("set", t, stdin=b'{"id":77,"n":%d}' % n)))["n"], n, "the id of the JSON is that of a PUT")
    check(printed("watch", t).startswith("curl -N "), "watch asks for a stream without a buffer")
    same(printed("remove", t, "1", "2").count("curl -X DELETE"), 2, "a line a request")
    with folder() as data:
        (data / "in put").write_text('{"id":1}\n{"id":2}\n')
        same(json.loads(shell(printed("import", t, data / "in put")))["meta"]["changed"], 2, "import")
        (data / "array").write_text('[{"id":3},{"id":4},\n{"id":5}]')
        same(json.loads(shell(printed("import", t, data / "array")))["meta"]["changed"], 3, "import of an array")
        (data / "typed").write_text(json.dumps([{"type": t, "entity": {"id": n}} for n in (6, 7)]))
        same(json.loads(shell(printed("import", data / "typed")))["meta"]["changed"], 2, "import of an array with types")
        check(f"/v1/_import?type={t}'" in printed("import", "--verbatim=false", t, data / "in put"), "the request that is sent")
        # The secret stays where it is.
        (data / "token").write_text(TOKEN + "\n")
        line = printed("get", t, "1", "--token-file", data / "token")
        check(TOKEN not in line and shell(line.replace("curl", "echo", 1)).find(TOKEN) > 0, line)
    done = subprocess.run([context.binary, "get", t, "1", "--curl", *at], capture_output=True, env={**environment(), "FRESHET_TOKEN": TOKEN})
    check(b"$FRESHET_TOKEN" in done.stdout and TOKEN.encode() not in done.stdout, done.stdout)


@case("flags of all commands may stand before the command, others are told where they belong")
def before(context):
    s, t = context.server, context.type()
    same(json.loads(command(context.binary, "--server", s.url, "--json", "search", t)[1])["items"], [], "two in front")
    same(command(context.binary, f"--server={s.url}", "search", t)[0], 0, "with =")
    for call, said in ((("--memory", "serve"), "freshet COMMAND --memory"), (("--filtre", "a", "get"), "no flag --filtre"),
                       (("--json",), "a command is missing"), (("--json", "nosuch"), 'no command "nosuch"'),
                       (("--server", s.url, "serve"), "serve has no flag --server")):
        status, _, err = command(context.binary, *call)
        check(status == 2 and said in err, f"{call}: {status} {err}")
    help_ = command(context.binary, "serve", "--help")[1]
    order = [help_.index(x) for x in ("usage:", "examples:", "flags:", "--probe", "limits:", "--limit-document")]
    check(order == sorted(order) and "--limit-" not in help_[order[2]:order[4]], f"order of help: {order}")


@case("what is missing or meant otherwise is told with what to write")
def mistakes(context):
    s, t = context.server, context.type()
    for call, status, said in ((("set", t, "1", "--server", s.url), 2, "echo '{\"title\":\"x\"}' | freshet set " + t + " 1"),
                               (("get", t, "1", "--server", s.url.replace("http", "https")), 3, "write http://"),
                               (("help", "serv"), 2, 'did you mean "freshet serve"'), (("serve", "--port", "9000"), 2, "it is --listen HOST:PORT"),
                               (("search", t, "--sort", "n"), 2, "it is --order KEYS"), (("search", t, "--limit", "x", "--server", s.url), 2, "limit"),
                               (("watch", t, "--filter", "n ==", "--server", s.url), 2, "filter"), (("set", t, "1", "{}"), 2, "on standard input")):
        got = command(context.binary, *call, stdin=b"")
        check(got[0] == status and said in got[2], f"{call}: {got}")
    for body in (b"a b", b"{title:1}", b'{"title":a b}', b"{'title':'x'}"):
        got = command(context.binary, "set", t, "1", "--server", s.url, stdin=body)
        check(got[0] in (1, 2) and 'in double quotes: {"title":"a b"}' in got[2], f"set of {body}: {got}")


@case("remove says what it has removed and what was absent, in a pipe as on a terminal")
def remove(context):
    s, t = context.server, context.type()
    for n in (1, 2):
        s.put(f"/v1/{t}/{n}", {}).is_(201)
    at = ("--server", s.url)
    status, out, _ = command(context.binary, "remove", t, "1", "3", *at)
    same((status, json.loads(out)), (0, {"removed": ["1"], "absent": ["3"]}), "in a pipe")
    same(terminal(context.binary, "remove", t, "1", "2", *at), (0, "removed: 2; absent: 1\n"), "on a terminal")
    with folder() as data:
        (data / "c").write_text(json.dumps({"access": {"tokens": [{"name": "me", "sha256": hashlib.sha256(TOKEN.encode()).hexdigest(), "types": {"t": {"read": True, "write": "n == 1"}}},
                                                                  {"name": "all", "sha256": hashlib.sha256(b"all").hexdigest(), "admin": True, "types": {"*": {"read": True, "write": True}}}]}}))
        (data / "token").write_text(TOKEN)
        with Server(context.binary, None, "--config", str(data / "c")) as s:
            for n in (1, 2):
                s.put(f"/v1/t/{n}", {"n": n}, Authorization="Bearer all").is_(201)
            status, out, err = command(context.binary, "remove", "t", "1", "2", "--server", s.url, "--token-file", data / "token")
            same((status, json.loads(out)), (1, {"removed": ["1"], "absent": []}), f"before one that is refused: {err}")
            check(err.startswith("freshet: 2: "), f"which is refused: {err}")


@case("a token comes from a file, from a variable or from a file that a variable names")
def token_file(context):
    with folder() as data:
        (data / "c").write_text(json.dumps({"access": {"tokens": [{"name": "me", "sha256": hashlib.sha256(TOKEN.encode()).hexdigest(), "types": {"*": {"read": True, "write": "n == 1"}}}]}}))
        (data / "token").write_text(TOKEN + "\r\n")
        (data / "bad").write_text("two words")
        (data / "empty").write_text("\n")

        def run(*call, stdin=b"", **variables):
            done = subprocess.run([context.binary, *map(str, call)], input=stdin, capture_output=True, timeout=30, env={**environment(), **variables})
            return done.returncode, done.stdout.decode(), done.stderr.decode()

        with Server(context.binary, None, "--config", str(data / "c")) as s:
            at = ("--server", s.url)
            same(run("search", "t", *at)[0], 1, "no token")
            same(run("search", "t", *at, "--token-file", data / "token")[0], 0, "a file")
            same(run("search", "t", *at, FRESHET_TOKEN=TOKEN)[0], 0, "a variable")
            same(run("search", "t", *at, FRESHET_TOKEN_FILE=str(data / "token")), run("search", "t", *at, FRESHET_TOKEN=TOKEN), "a file by a variable")
            same(run("search", "t", *at, "--token-file", data / "token", FRESHET_TOKEN="wrong")[0], 0, "the flag wins")
            for path, status, said in ((data / "bad", 2, "holds no token"), (data / "empty", 2, "is empty"), (data / "none", 1, "cannot be read")):
                got = run("search", "t", *at, "--token-file", path)
                check(got[0] == status and said in got[2], f"{path}: {got}")
            status, out, _ = run("token", "check", *at, stdin=TOKEN.encode())
            check(status == 0 and "lets the token in" in out, f"check by the server: {out}")
            status, _, err = run("token", "check", *at, FRESHET_TOKEN="wrong")
            check(status == 1 and err, f"a wrong one: {err}")
        status, out, err = run("token", "check", "--json", "--config", data / "c", "--token-file", data / "token")
        same((status, json.loads(out)), (0, {"valid": True, "name": "me", "expires": None, "admin": False,
                                             "types": {"*": {"read": "all", "write": "some", "level": "remote"}}}), f"check by the configuration {err}")
        status, out, _ = run("token", "check", "--config", data / "c", "--token-file", data / "token")
        check(status == 0 and '"me" is let in' in out and re.search(r"\*\s+all\s+some", out), out)
        status, _, err = run("token", "check", "--config", data / "c", stdin=b"other")
        check(status == 1 and hashlib.sha256(b"other").hexdigest() in err, f"unknown to the configuration: {err}")
        status, _, err = run("token", "check", TOKEN)
        check(status == 2 and "seen by others" in err and TOKEN not in err, f"on the command line: {err}")
        made = json.loads(run("token", "new", "ci", "--json")[1])
        (data / "c").write_text(json.dumps({"access": {"tokens": [{**made["configuration"], "expires": "2020-01-01T00:00:00Z"}]}}))
        status, _, err = run("token", "check", "--config", data / "c", FRESHET_TOKEN=made["token"])
        check(status == 1 and "expired" in err, f"an expired one: {err}")
    with Server(context.binary) as s:
        status, _, err = command(context.binary, "token", "check", "--server", s.url, stdin=b"any")
        check(status == 1 and "asks for no token" in err, f"an open server: {err}")


@case("a backup replaces a file only with --force")
def force(context):
    with folder() as data, Server(context.binary, data / "d") as s:
        s.put("/v1/t/1", {}).is_(201)
        at = ("--server", s.url)
        same(command(context.binary, "backup", data / "b", *at)[0], 0, "the first")
        first = (data / "b").read_bytes()
        s.put("/v1/t/2", {}).is_(201)
        status, _, err = command(context.binary, "backup", data / "b", *at)
        check(status == 1 and "--force" in err and (data / "b").read_bytes() == first, f"the second: {status} {err}")
        check(sorted(os.listdir(data)) == ["b", "d"], f"what is left: {os.listdir(data)}")
        status, out, _ = command(context.binary, "backup", data / "b", "--force", *at)
        check(status == 0 and "2 entities" in out, f"with --force: {status} {out}")


@case("status, ops and conditions show how a server is, and change it")
def service(context):
    with folder() as data:
        (data / "c").write_text(json.dumps({
            "conditions": {"night": {"initial": False}}, "upstreams": {"api": {"base": "http://127.0.0.1:1", "retry": {"limit": 0}}},
            "types": {"todo": {"remote": {"upstream": "api", "search": {"path": "/todos"}}}},
            "operations": {"todos": {"type": "todo", "automatic": False}}}))
        with Server(context.binary, None, "--config", str(data / "c")) as s:
            s.put("/v1/task/1", {}).is_(201)
            at = ("--server", s.url)
            status, out, _ = command(context.binary, "status", *at)
            told = json.loads(out)
            same((status, told["ready"], told["revision"], told["types"][0]["name"], told["upstreams"][0]["id"]), (0, True, 1, "task", "api"), "status")
            check(told["connections"] > 0 and told["uptimeSeconds"] >= 0, f"figures: {told}")
            shown = terminal(context.binary, "status", *at)[1]
            for line in (rf"^server +{s.url}$", r"^status +ready$", r"^entities +1 \(task 1, todo 0\)$", r"^upstream api +connected"):
                check(re.search(line, shown, re.MULTILINE), f"{line} in {shown}")
            shown = terminal(context.binary, "ops", *at, columns=100)[1]
            check(re.search(r"^id +kind +status .*\ntodos +query +idle ", shown), shown)
            same(json.loads(command(context.binary, "ops", "todos", *at)[1])["id"], "todos", "one")
            status, out, err = command(context.binary, "ops", "run", "todos", *at)
            check(status == 1 and json.loads(out)["failures"] == 1 and "ended with failure" in err and "refuses" in err, f"a run that fails: {status} {out} {err}")
            same(json.loads(command(context.binary, "ops", "reset", "todos", *at)[1])["failures"], 0, "reset")
            for call, said in ((("ops", "fly", "todos"), "can run, cancel"), (("ops", "run"), "operation is missing"),
                               (("conditions", "night", "maybe"), "true or false"), (("conditions", "night", "--ttl", "1s"), "--ttl is for setting")):
                status, _, err = command(context.binary, *call, *at)
                check(status == 2 and said in err, f"{call}: {status} {err}")
            check(re.search(r"^name +value .*\nnight +false", terminal(context.binary, "conditions", *at)[1]), "conditions")
            told = json.loads(command(context.binary, "conditions", "night", "true", "--ttl", "10m", *at)[1])
            check(told["value"] and told["expiresAt"], f"set for a while: {told}")
            same(json.loads(command(context.binary, "conditions", "night", *at)[1])["value"], True, "one")
            same(shell(command(context.binary, "--curl", "conditions", "night", "false", *at)[1]) and s.get("/v1/_conditions/night").json["value"], False, "by curl")
            # What the address is, and what it is not.
            same(command(context.binary, "status", "--server", "http://127.0.0.1:1")[0], 3, "nobody there")
        (data / "c").write_text(json.dumps({"access": {"tokens": [{"name": "me", "sha256": hashlib.sha256(b"x").hexdigest(), "admin": True}]}}))
        with Server(context.binary, None, "--config", str(data / "c")) as s:
            status, shown = terminal(context.binary, "status", "--server", s.url)
            check(status == 0 and "ready" in shown and "needs an administrator" in shown, f"without a token: {shown}")


@case("shells complete commands, flags, their values, and the types of the server")
def completions(context):
    s = context.server
    s.put("/v1/alpha_one/1", {}).is_(201)
    with folder() as data:
        os.symlink(context.binary, data / "freshet")
        variables = {"PATH": f"{data}:{os.environ['PATH']}", "S": s.url, "HOME": str(data), "TERM": "dumb"}
        bash = '''source <(freshet completions bash)
            COMP_LINE="$1"; COMP_POINT=${#1}; read -ra COMP_WORDS <<< "$1"; case "$1" in *" ") COMP_WORDS+=("");; esac
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _freshet; printf "%s\\n" "${COMPREPLY[@]}"'''
        zsh = '''compadd() { shift; print -l -- $@ }; _describe() { print -l -- $commands }; _files() { }; compdef() { }
            source <(freshet completions zsh); words=("${(@s: :)1}"); CURRENT=${#words}; _freshet'''
        fish = '''source (freshet completions fish | psub); complete -C "$argv[1]"'''
        for name, script in (("bash", bash), ("zsh", zsh), ("fish", fish)):
            if not shutil.which(name):
                continue

            def offered(line):
                call = [name, "-f", "-c", script, "-", line] if name == "zsh" else [name, "-c", script, *(["-"] if name == "bash" else []), line]
                done = subprocess.run(call, capture_output=True, text=True, timeout=60, env={**environment(), **variables})
                check(done.returncode == 0, f"{name}: {line!r}: {done.stderr}")
                return {x.split("\t")[0].split(":")[0] for x in done.stdout.split("\n")}

            check({"serve", "search", "service-unit"} <= offered("freshet se") and "serve" in offered(f"freshet --server {s.url} "), f"{name}: commands")
            check("alpha_one" in offered(f"freshet get --server {s.url} al"), f"{name}: types of the server")
            check("alpha_one" in offered(f"freshet --server {s.url} watch "), f"{name}: types, the server in front")
            check("alpha_one" not in offered("freshet get --server http://127.0.0.1:1 al"), f"{name}: no server")
            check({"debug", "info"} <= offered("freshet serve --log-level "), f"{name}: values of a flag")
            check("--limit-entities" in offered("freshet serve --limit-ent"), f"{name}: flags")


@case("the manual page has every command and flag, and is in order for groff")
def man(context):
    status, page, _ = command(context.binary, "man")
    same(status, 0, "exit status")
    for name in re.findall(r"^  ([\w-]+) +\S", command(context.binary, "--help")[1].split("\ncommands:\n")[1].split("\n\n")[0], re.MULTILINE):
        check(f".SS freshet {name}".replace("-", "\\-") in page, f"{name} is missing")
        for flag in re.findall(r"^  --([\w-]+)", command(context.binary, name, "--help")[1], re.MULTILINE):
            check("\\-\\-" + flag.replace("-", "\\-") + "\\fR" in page, f"--{flag} of {name} is missing")
    if groff := shutil.which("groff"):
        done = subprocess.run([groff, "-man", "-ww", "-Tutf8"], input=page, capture_output=True, text=True, timeout=60)
        same((done.returncode, done.stderr), (0, ""), "what groff says")
        check("--limit-document" in re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout), "it can be read")


@case("a client that speaks TLS to the port is one line in the log")
def tls(context):
    with Server(context.binary) as s:
        with socket.create_connection(("127.0.0.1", s.port)) as link:
            link.sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
            check(b"the client speaks TLS" in link.recv(65536), "what is answered")
        s.stop()
        with open(s.log.name) as log:
            lines = [line for line in log if "TLS" in line]
        check(len(lines) == 1 and " info " in lines[0] and "http://" in lines[0], f"the log: {lines}")


@case("demo shows data that changes at three addresses, beside another server, and ends with 0")
def demo(context):
    def start():
        process = subprocess.Popen([context.binary, "demo", "--pace", "20ms"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
        lines = []
        while "Ctrl-C" not in "".join(lines):
            line = process.stdout.readline()
            check(line, f"it ended: {lines} {process.stderr.read() if process.poll() is not None else ''}")
            lines.append(line)
        return process, re.findall(r"^  \w.*  (http://\S+)$", "".join(lines), re.MULTILINE)

    def revision(address):
        with urllib.request.urlopen(address + "v1", timeout=20) as answer:
            return json.load(answer)["meta"]["revision"]

    first, addresses = start()
    second, others = start()
    try:
        check(len(addresses) == len(others) == 3 and addresses[0] != others[0], f"three addresses each: {addresses} {others}")
        for address in addresses:
            with urllib.request.urlopen(urllib.request.Request(address, headers={"Accept": "text/html"}), timeout=20) as page:
                check(page.status == 200 and b"<" in page.read(), address)
        query = urllib.parse.unquote(addresses[1].split("#")[1])
        check(query.startswith("/v1/order?"), f"the query that is shown: {query}")
        done = shell(f"curl -sg '{addresses[0]}{query[1:]}'")
        check(len(json.loads(done)["items"]) > 0, f"what it shows: {done}")
        end, before = time.monotonic() + 20, revision(addresses[0])
        while revision(addresses[0]) < before + 10:
            check(time.monotonic() < end, "nothing changes")
    finally:
        for process in (first, second):
            process.send_signal(signal.SIGINT)
            same((process.wait(20), process.stderr.read()), (0, ""), "the end")
            process.stdout.close()
            process.stderr.close()
    status, _, err = command(context.binary, "demo", "--listen", "0.0.0.0:0")
    check(status == 2 and "loopback alone" in err, f"not for others: {err}")


class Buffering(http.server.BaseHTTPRequestHandler):
    """A proxy that gives an answer on when it is whole."""

    upstream = ""

    def do_GET(self):
        try:
            with urllib.request.urlopen(self.upstream + self.path, timeout=30) as answer:
                status, headers, body = answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as fault:
            status, headers, body = fault.code, fault.headers, fault.read()
        self.send_response(status)
        for name in ("Content-Type", "X-Request-Id"):
            self.send_header(name, headers[name])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@case("doctor finds what keeps a server from working, and what stands before it")
def doctor(context):
    def look(*call, status, user=None):
        done = command(context.binary, "doctor", *call, "--json")
        same(done[0], status, f"{call}: {done[1]} {done[2]}")
        return {x["subject"]: x for x in json.loads(done[1])["findings"]}

    with folder() as data, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        at = ("--listen", f"127.0.0.1:{free_ports(1)[0]}")
        found = look(*at, "--data", data / "d", status=0)
        same({x["state"] for name, x in found.items() if name not in ("server", "memory", "limits")}, {"ok"}, f"all in order: {found}")
        check(not (data / "d").exists(), "it makes nothing")
        (data / "file").write_text("")
        found = look("--listen", f"127.0.0.1:{taken.getsockname()[1]}", "--data", data / "file", status=1)
        check("another program" in found["port"]["finding"] and found["port"]["advice"], f"a taken port: {found}")
        check("no directory" in found["disk"]["finding"], f"a file for a directory: {found}")
        same(look("--listen", "192.0.2.1:80", "--open", status=1)["port"]["advice"][:13], "give --listen", "a foreign address")
        (data / "c.json").write_text('{"types":{"t":{"nosuch":1}}}')
        found = look(*at, "--memory", "--config", data / "c.json", status=2)
        check("/types/t/nosuch" in found["configuration"]["finding"], f"a faulty configuration: {found}")
        (data / "link").symlink_to(data / "gone")
        check("link to what is not there" in look(*at, "--data", data / "link", status=1)["disk"]["finding"], "a link to nothing")
        (data / "d").mkdir()
        (data / "other").mkdir()
        (data / "other" / "notes").write_text("mine")
        check("something else" in look(*at, "--data", data / "other", status=1)["disk"]["finding"], "a directory of something else")
        with Server(context.binary, data / "served") as other:
            found = look(*at, "--data", data / "served", status=1)
            check(f"pid {other.process.pid}" in found["disk"]["finding"], f"a directory in use: {found}")
            same(look("--listen", f"127.0.0.1:{other.port}", "--data", data / "served", status=0)["disk"]["state"], "ok", "by the server that is looked at")
        (data / "d" / "x").write_text("")
        os.utime(data / "d" / "x", (time.time() + 7200,) * 2)
        check("set back" in look(*at, "--data", data / "d", status=0)["clock"]["finding"], "a clock that was set back")
        limited = subprocess.run(["bash", "-c", 'ulimit -n 256; ulimit -f 1000; exec "$@"', "-", context.binary, "doctor", *at, "--memory"], capture_output=True, text=True, env=environment())
        check(limited.returncode == 0 and limited.stdout.count("warning  limits") == 2 and "→ raise it with ulimit -n" in limited.stdout, f"limits: {limited}")
    s = context.server
    found = look("--memory", "--listen", f"127.0.0.1:{s.port}", status=0)
    check("a Freshet server listens" in found["port"]["finding"] and "unbuffered" in found["streams"]["finding"], f"a server that runs: {found}")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Proxy", (Buffering,), {"upstream": s.url})) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        found = look(*at, "--memory", "--server", f"http://127.0.0.1:{proxy.server_address[1]}", status=1)
        check("in lumps" in found["streams"]["finding"] and "proxy_buffering" in found["streams"]["advice"], f"behind a proxy that buffers: {found}")
        proxy.shutdown()
    same(look(*at, "--memory", "--server", "http://127.0.0.1:1", status=1)["server"]["state"], "failed", "nobody there")


NGINX = """daemon off; worker_processes 1; pid DIR/pid; error_log DIR/errors; events {} http { access_log off;
client_body_temp_path DIR/a; proxy_temp_path DIR/b; fastcgi_temp_path DIR/c; uwsgi_temp_path DIR/d; scgi_temp_path DIR/e;
proxy_http_version 1.1; server { listen 127.0.0.1:PORT; proxy_set_header Host HOST; location / { proxy_pass URL; } } }"""


class Foreign(http.server.BaseHTTPRequestHandler):
    """A server that is no Freshet, and is content with everything."""

    kind, status, text = "text/html", 200, b"<html>welcome</html>"

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(self.status)
        if self.kind:
            self.send_header("Content-Type", self.kind)
        self.send_header("Content-Length", str(len(self.text)))
        self.end_headers()
        self.wfile.write(self.text)

    do_GET = do_PUT = do_POST = do_DELETE = answer

    def log_message(self, *_):
        pass


@case("No command takes the answer of a server that is no Freshet for success")
def foreign_server(context):
    calls = (("get", "task", "1"), ("search", "task"), ("set", "task", "1"), ("remove", "task", "1"), ("status",), ("ops",), ("conditions",),
             ("import", "task", "-"), ("export",), ("backup", "-"), ("token", "check"), ("watch", "task"), ("completions", "types"), ("serve", "--probe"))
    # Whoever answers in JSON is taken at its word where that is shown, and where it is counted on it has to say more.
    shown = {"get", "search", "set", "ops", "conditions", "completions", "watch", "export"}
    for kind, status, text in (("text/html", 200, b"<html>"), ("text/html", 502, b"<html>"), (None, 302, b""), (None, 200, b""), ("application/json", 200, b'{"a":1}')):
        server = type("Server", (Foreign,), {"kind": kind, "status": status, "text": text})
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), server) as it:
            threading.Thread(target=it.serve_forever, daemon=True).start()
            at = f"127.0.0.1:{it.server_address[1]}"
            for call in calls:
                if kind == "application/json" and call[0] in shown:
                    continue
                place = ("--listen", at) if call[0] == "serve" else ("--server", f"http://{at}")
                done = command(context.binary, *call, *place, stdin=b'{"id":1}\n')
                check(done[0] in (1, 3) and "check --server" in done[2] or "no whole backup" in done[2], f"{call} of {kind} {status}: {done}")
                same(done[1] if call[0] != "backup" else "", "", f"{call} of {kind} {status} shows nothing")
            it.shutdown()


@case("doctor looks through an nginx, and tells of another name that it gives on")
def behind_nginx(context):
    nginx = shutil.which("nginx") or "/usr/sbin/nginx"
    if not os.access(nginx, os.X_OK):
        return print("      nginx is not here: left out", flush=True)
    s = context.server
    for host, status, said in (("localhost", 0, "unbuffered"), ("db.example.org", 1, "--allow-host")):
        with folder() as data:
            port, = free_ports(1)
            text = NGINX.replace("DIR", str(data)).replace("PORT", str(port)).replace("HOST", host).replace("URL", s.url)
            (data / "conf").write_text(text)
            process = subprocess.Popen([nginx, "-p", str(data), "-c", str(data / "conf")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                end = time.monotonic() + 10
                while socket.socket().connect_ex(("127.0.0.1", port)) and time.monotonic() < end:
                    check(process.poll() is None, "nginx did not start")
                done = command(context.binary, "doctor", "--memory", "--listen", "127.0.0.1:0", "--json", "--server", f"http://127.0.0.1:{port}")
                found = {x["subject"]: x for x in json.loads(done[1])["findings"]}
                check(done[0] == status and said in found["streams"]["finding"], f"{host}: {found}")
            finally:
                process.terminate()
                process.wait(15)


@case("an import that meets a fault in its file says what was stored before, and an earlier refusal first")
def import_cut(context):
    with Server(context.binary) as s:
        def imported(type, text):
            return command(context.binary, "import", type, "-", "--server", s.url, stdin=text.encode())

        status, _, err = imported("a", '[{"id":1},\n{"id":2}\n')
        same((status, "nothing was imported" in err, s.get("/v1/a?count=true").json["meta"]["total"]), (1, True, 0), err)
        good = "[" + ",\n".join(f'{{"id":{number}}}' for number in range(40_000))
        status, _, err = imported("b", good + ",,]")
        total = s.get("/v1/b?limit=0&count=true").json["meta"]["total"]
        check(status == 1 and f"{total} entities were imported" in err and total > 0, f"{total}: {err}")
        status, _, err = imported("c", "[" + ",\n".join('{"id":".."}' if number == 9_000 else f'{{"id":{number}}}' for number in range(10_000)) + ",,]")
        check(status == 1 and "not valid" in err, err)


def serve_raw(answer):
    """A listener whose connections `answer` has, each behind its request's first bytes."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()

    def run():
        while True:
            connection = listener.accept()[0]
            with connection:
                connection.recv(65536)
                try:
                    answer(connection)
                except OSError:
                    pass

    threading.Thread(target=run, daemon=True).start()
    return f"127.0.0.1:{listener.getsockname()[1]}"


@case("an answer that comes byte by byte is waited for no longer than one that does not come")
def drip(context):
    def answer(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\nX-Request-Id: 1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n")
        while True:
            connection.sendall(b" ")
            time.sleep(0.1)

    at = serve_raw(answer)
    for call in (("serve", "--probe", "--listen", at), ("get", "t", "1", "--timeout", "1s", "--server", f"http://{at}")):
        began = time.monotonic()
        status, _, err = command(context.binary, *call)
        check(status == 3 and "has not answered for" in err and time.monotonic() - began < 15, f"{call}: {status} {err}")


@case("an import whose connection is lost says what is stored, and what may be")
def import_lost(context):
    at = serve_raw(lambda connection: None)
    status, _, err = command(context.binary, "import", "t", "-", "--server", f"http://{at}", stdin=b'{"id":1}\n{"id":2}\n')
    check(status == 3 and "nothing was imported before, and lines 1 to 2 may or may not be" in err, f"{status} {err}")
    status, _, err = command(context.binary, "import", "t", "-", "--server", "http://127.0.0.1:1", stdin=b'{"id":1}\n')
    check(status == 3 and "may or may not" not in err, f"nobody there: {status} {err}")


@case("cluster init and recover read the configuration as a server does, and send nothing")
def cluster_beginning(context):
    with folder() as data:
        (data / "c.json").write_text('{"nosuch":1}')
        for action in ("init", "recover"):
            for flags, said in ((("--config", data / "none"), "none"), (("--config", data / "c.json"), "/nosuch"), (("--cluster-log", "bogus://x"), "begins with etcd://"),
                                (("--curl", "--cluster-log", "etcd://127.0.0.1:1/x"), "--curl"), ((), "--cluster-log")):
                status, _, err = command(context.binary, "cluster", action, *flags)
                check(status == 2 and said in err, f"{action} {flags}: {status} {err}")


@case("a lost terminal ends the demo")
def demo_hangup(context):
    with subprocess.Popen([context.binary, "demo", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()) as process:
        try:
            check("Freshet" in process.stdout.readline(), "it starts")
            process.send_signal(signal.SIGHUP)
            same(process.wait(20), 0, "exit status")
        finally:
            process.kill()
