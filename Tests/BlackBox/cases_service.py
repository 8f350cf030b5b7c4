"""changes.md section 10: what the program tells systemd, and what it takes over from it."""
import contextlib
import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import time

from harness import Failure, Server, case, check, command, environment, folder, same


class Manager:
    """Waits for messages on a socket, as systemd does."""

    def __init__(self, address):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)

    def next(self, seconds=20):
        """The next message as its members; None where none comes."""
        if not select.select([self.socket], [], [], seconds)[0]:
            return None
        text = self.socket.recv(65536).decode()
        return dict(line.split("=", 1) for line in text.split("\n"))

    def until(self, name, seconds=20):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            message = self.next(max(0.01, end - time.monotonic()))
            if message and name in message:
                return message
        raise Failure(f"no message {name} within {seconds} s")

    def drain(self):
        while self.next(0):
            pass


@contextlib.contextmanager
def run(binary, *flags, handed=None, text=False, **variables):
    """The server with variables; a socket of `handed` is its descriptor 3."""
    keep = [] if handed is None else [handed.fileno()]
    script = 'exec "$@"'
    if handed is not None:
        # The shell's number is the program's.
        script = f'exec 3<&{handed.fileno()}; LISTEN_PID=$$ exec "$@"'
    process = subprocess.Popen(
        ["bash", "-c", script, "-", binary, "serve", "--listen", "127.0.0.1:0", *map(str, flags)], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, pass_fds=keep, env={**environment(), **variables})
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=20)


@case("a service manager is told of readiness, reload, life and end, by a path and by an abstract name")
def notify(context):
    with folder() as data:
        (data / "c.json").write_text("{}")
        for address, name in ((str(data / "notify"),) * 2, (f"\0freshet-{os.getpid()}", f"@freshet-{os.getpid()}")):
            manager = Manager(address)
            with run(context.binary, "--data", data / "d", "--config", data / "c.json", NOTIFY_SOCKET=name, WATCHDOG_USEC="200000") as process:
                ready = manager.until("READY")
                url = re.search(r"listening on (http://\S+)", process.stdout.readline())[1]
                same(ready, {"READY": "1", "STATUS": f"listening on {url}"}, "ready")
                same(manager.next(), {"WATCHDOG": "1"}, "a first sign of life")
                same(manager.next(), {"WATCHDOG": "1"}, "a second one")
                process.send_signal(signal.SIGHUP)
                before = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
                reloading = manager.until("RELOADING")
                at = int(reloading["MONOTONIC_USEC"])
                check(reloading["RELOADING"] == "1" and before - 1_000_000 < at < time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000, f"a reload: {reloading}")
                same(manager.until("READY")["READY"], "1", "the end of a reload")
                # Stopped, it gives no sign of life; and goes on when it may.
                process.send_signal(signal.SIGSTOP)
                manager.drain()
                time.sleep(0.5)
                manager.drain()
                same(manager.next(0.7), None, "what a stopped one says")
                process.send_signal(signal.SIGCONT)
                manager.until("WATCHDOG")
                process.send_signal(signal.SIGTERM)
                stopping = manager.until("STOPPING")
                check(stopping["STOPPING"] == "1" and int(stopping["EXTEND_TIMEOUT_USEC"]) == 11_000_000, f"the end: {stopping}")
                same(process.wait(15), 0, "exit status")
            manager.socket.close()
        # One that is not there does no harm, and is told of.
        with run(context.binary, "--memory", NOTIFY_SOCKET=str(data / "nobody")) as process:
            check("listening" in process.stdout.readline(), "it starts")
            process.terminate()
            check("takes no messages" in process.communicate(timeout=15)[1], "and says that nobody hears it")
        # Another process's watchdog is not this one's.
        manager = Manager(str(data / "other"))
        with run(context.binary, "--memory", NOTIFY_SOCKET=str(data / "other"), WATCHDOG_USEC="100000", WATCHDOG_PID="1") as process:
            manager.until("READY")
            same(manager.next(0.5), None, "a sign of life for nobody")


@case("a long start tells how far it is, and asks for time")
def start(context):
    with folder() as data:
        with Server(context.binary, data / "d") as s:
            for part in range(10):
                s.ask("POST", "/v1/t/_set", [{"id": n, "text": "x" * 1000} for n in range(part * 2000, part * 2000 + 2000)]).is_(200)
        manager = Manager(str(data / "notify"))
        with run(context.binary, "--data", data / "d", NOTIFY_SOCKET=str(data / "notify")) as process:
            first = manager.next()
            check(first["EXTEND_TIMEOUT_USEC"] == "60000000" and re.match(r"(reading|building)", first["STATUS"]), f"the first message: {first}")
            manager.until("READY")


@case("a socket that is handed over is listened on, and refuses nobody while the server starts anew")
def activation(context):
    with folder() as data, socket.socket() as handed:
        handed.bind(("127.0.0.1", 0))
        handed.listen(128)
        port = handed.getsockname()[1]

        def ask():
            link = socket.create_connection(("127.0.0.1", port), timeout=20)
            link.sendall(b"GET /v1/t/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            return link

        def answer(link):
            with link, link.makefile("rb") as file:
                return int(file.read().split(b" ")[1])

        # Asked before anybody runs: the question waits.
        waiting = ask()
        for round_ in range(3):
            with run(context.binary, "--data", data / "d", handed=handed, LISTEN_FDS="1") as process:
                check(f"http://127.0.0.1:{port} " in process.stdout.readline(), "the ready line names the socket's address")
                check(answer(waiting) in (404, 503), "what waited is answered")
                same(answer(ask()), 404, "what comes now, too")
                process.terminate()
                same(process.wait(15), 0, "exit status")
            waiting = ask()
        waiting.close()
        # Of another process, or of another kind, it is not taken.
        with run(context.binary, "--memory", LISTEN_FDS="1", LISTEN_PID="1") as process:
            check(f":{port} " not in process.stdout.readline(), "sockets of another process")
        with socket.socket() as deaf, run(context.binary, "--memory", handed=deaf, LISTEN_FDS="1") as process:
            said = process.communicate(timeout=15)
            check(process.returncode == 1 and "no listening TCP socket" in said[1], f"one that does not listen: {said}")
        with run(context.binary, "--memory", handed=handed, LISTEN_FDS="2") as process:
            said = process.communicate(timeout=15)
            check(process.returncode == 1 and "hands over 2 sockets" in said[1], f"two: {said}")
        # Who is let in is asked of the socket's address.
        with socket.socket() as open_:
            open_.bind(("0.0.0.0", 0))
            open_.listen(8)
            with run(context.binary, "--memory", handed=open_, LISTEN_FDS="1") as process:
                said = process.communicate(timeout=15)
                check(process.returncode == 1 and '"access"' in said[1], f"on every address: {said}")
            with run(context.binary, "--memory", "--open", handed=open_, LISTEN_FDS="1") as process:
                check("on every address" in process.stdout.readline(), "with --open")


@case("under the journal lines have their level and no time")
def journal(context):
    with folder() as data, open(data / "log", "wb") as log:
        for flags, form in (((), rb"<6>stopping\n"), (("--log-format", "json"), rb'\{"time":')):
            log.truncate(0)
            log.seek(0)
            status = os.fstat(log.fileno())
            process = subprocess.Popen(
                [context.binary, "serve", "--memory", "--listen", "127.0.0.1:0", *flags], stdout=subprocess.PIPE, stderr=log,
                env={**environment(), "JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"})
            process.stdout.readline()
            process.terminate()
            process.wait(15)
            process.stdout.close()
            check(re.match(form, (data / "log").read_bytes()), f"{flags}: {(data / 'log').read_bytes()}")


@case("the units that are printed are in order for systemd, and expose little")
def units(context):
    with folder() as data:
        # What the unit hides from its program is told of, and no program of a unit.
        binary = data / "freshet"
        shutil.copy(context.binary, binary)
        status, out, err = command(binary, "service-unit")
        check(status == 0 and "hides /tmp/" in err and f"ExecStart={binary} serve --data /var/lib/freshet" in out, f"in /tmp: {err}")
        flags = ("--config", "/etc/a b%n$c.json", "--listen", "0.0.0.0:9000", "--strict", "--allow-host", "a", "--allow-host", "b")
        line = re.search(r"^ExecStart=.*$", command(binary, "service-unit", *flags)[1], re.MULTILINE)[0]
        check(line.endswith('serve --config "/etc/a b%%n$$c.json" --data /var/lib/freshet --drain 5s --listen 0.0.0.0:9000 --strict --allow-host a --allow-host b'), line)
        for call, said in ((("--config", "c.json"), "whole path"), (("--data", "/srv/x"), "/var/lib/NAME"), (("--data", "/var/lib/../x"), "/var/lib/NAME"),
                           (("--drain", "soon"), "--drain"), (("--socket", "--listen", "example.org:80"), "--listen")):
            status, _, err = command(binary, "service-unit", *call)
            check(status == 2 and said in err, f"{call}: {status} {err}")
        for flags, said in ((("--config", "/home/me/c.json"), "hides /home/ from its program: put the configuration"), (("--listen", "127.0.0.1:443"), "service-unit --socket")):
            status, _, err = command(binary, "service-unit", *flags)
            check(status == 0 and said in err, f"{flags}: {status} {err}")
        for text, flags, line in (('{"data":"/var/lib/mine","drain":"9s"}', (), ""), ('{"drain":"9s"}', (), " --data /var/lib/freshet"),
                                  ('{"data":"/var/lib/mine"}', ("--data", "/var/lib/other"), " --data /var/lib/other --drain 5s"), ('{"memory":true}', (), " --drain 5s")):
            (data / "c.json").write_text(text)
            out = command(binary, "service-unit", "--config", data / "c.json", *flags)[1]
            check(f"serve --config {data}/c.json{line}\n" in out, f"{text} {flags}: {out}")
            check(("StateDirectory=mine\n" in out) == (line == ""), f"{text} {flags}: {out}")
        (data / "c.json").write_text('{"data":"/srv/mine"}')
        status, out, err = command(binary, "service-unit", "--config", data / "c.json")
        check(status == 0 and "StateDirectory" not in out and "--data" not in out and "ReadWritePaths=" in err, f"data elsewhere: {out} {err}")
        text = command(binary, "service-unit", "--limit-connections", "50000", FRESHET_LISTEN="127.0.0.1:1")[1]
        check("LimitNOFILE=61000\n" in text, "descriptors for 50,000 connections and 10,000 streams")
        check("ListenStream=127.0.0.1:8080\n" in command(binary, "service-unit", "--socket", FRESHET_LISTEN="127.0.0.1:1")[1], "what is set in this shell is not in the unit")
        files = []
        for name, flags in (("freshet.service", ()), ("freshet.socket", ("--socket",)), ("memory.service", ("--memory",))):
            (data / name).write_text(command(binary, "service-unit", *flags)[1])
            files.append(str(data / name))
        unit = json.loads(command(binary, "service-unit", "--socket", "--json")[1])
        same((unit["name"], unit["unit"]), ("freshet.socket", (data / "freshet.socket").read_text()), "as JSON")
        check("StateDirectory" not in (data / "memory.service").read_text(), "without files there is no directory")
        analyze = shutil.which("systemd-analyze")
        check(analyze, "systemd-analyze is missing: apt install systemd")
        done = subprocess.run([analyze, "verify", *files], capture_output=True, text=True, timeout=60)
        same((done.returncode, done.stdout + done.stderr), (0, ""), "what systemd says of the units")
        for file in files:
            if file.endswith(".service"):
                done = subprocess.run([analyze, "security", "--offline=true", "--threshold=40", file], capture_output=True, text=True, timeout=60)
                same(done.returncode, 0, f"the exposure of {file}: {done.stdout[-300:]}")
