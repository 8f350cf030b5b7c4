"""cli.md: what the commands that talk to a server print, keep and refuse."""
import hashlib
import json
import os
import re
import subprocess

from harness import Server, case, check, command, environment, folder, same, terminal

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
    check(printed("watch", t).startswith("curl -N "), "watch asks for a stream without a buffer")
    same(printed("remove", t, "1", "2").count("curl -X DELETE"), 2, "a line a request")
    with folder() as data:
        (data / "in put").write_text('{"id":1}\n{"id":2}\n')
        same(json.loads(shell(printed("import", t, data / "in put")))["meta"]["changed"], 2, "import")
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
