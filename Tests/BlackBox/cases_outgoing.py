"""What goes out: TLS, sockets, hostile upstreams, a machine without libcurl."""
import contextlib
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time

from cases_control import soon
from harness import Failure, Server, case, check, command, environment, folder, same
from upstream import Upstream, serving

# A name look-up that hangs, for one name.
HANGING = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>

int getaddrinfo(const char *name, const char *service, const struct addrinfo *hints, struct addrinfo **found) {
    int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) =
        dlsym(RTLD_NEXT, "getaddrinfo");
    if (name && strcmp(name, "hangs.test") == 0) sleep(120);
    return real(name, service, hints, found);
}
"""


class Authority:
    """An authority of our own and certificates by it, made with `openssl`, in a folder."""

    def __init__(self, place):
        self.place = place
        self.run("req", "-x509", *self.key("ca"), "-days", "2", "-subj", "/CN=Freshet Test Authority",
                 "-addext", "keyUsage=critical,keyCertSign,cRLSign", "-out", "ca.pem")
        self.roots = str(place / "ca.pem")

    def key(self, name):
        return ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", f"{name}.key"]

    def run(self, *words):
        done = subprocess.run(["openssl", *words], cwd=self.place, capture_output=True)
        check(done.returncode == 0, f"openssl {words[0]}: {done.stderr.decode()}")

    def certificate(self, name, names, days=2):
        """The files of a certificate for `names` and of its key."""
        (self.place / f"{name}.ext").write_text(f"subjectAltName={names}\n")
        self.run("req", *self.key(name), "-subj", f"/CN={name}", "-out", f"{name}.csr")
        self.run("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
                 "-days", str(days), "-extfile", f"{name}.ext", "-out", f"{name}.pem")
        return str(self.place / f"{name}.pem"), str(self.place / f"{name}.key")


@contextlib.contextmanager
def authority():
    with folder() as place:
        yield Authority(place)


def without(program):
    if shutil.which(program):
        return False
    print(f"      skipped: no {program} here")
    return True


def secure(files, clients=None, latest=ssl.TLSVersion.MAXIMUM_SUPPORTED):
    """A TLS server's context; `clients` is the file of authorities for certificates that it demands."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.maximum_version = latest
    context.load_cert_chain(*files)
    if clients:
        context.load_verify_locations(clients)
        context.verify_mode = ssl.CERT_REQUIRED
    return context


class SecureUpstream(Upstream):
    """An upstream behind TLS; a handshake that fails is a connection that ends."""

    def __init__(self, context, answer=lambda request: request.reply(200, {"id": "a"})):
        super().__init__(answer)
        accept = self.server.get_request

        def get_request():
            link, address = accept()
            link.settimeout(20)
            return context.wrap_socket(link, server_side=True, do_handshake_on_connect=False), address

        self.server.get_request = get_request
        self.base = self.base.replace("http:", "https:")


class Listener:
    """A raw server: `serve(link)` has each connection, on a thread of its own."""

    def __init__(self, serve, address=("127.0.0.1", 0), family=socket.AF_INET):
        self.links = []
        self.socket = socket.socket(family, socket.SOCK_STREAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(address)
        self.socket.listen(512)
        if family == socket.AF_INET:
            self.port = self.socket.getsockname()[1]
            self.base = f"http://127.0.0.1:{self.port}"

        def one(link):
            # What the client leaves unread, and a handshake that fails, end the connection.
            with contextlib.suppress(OSError), link:
                serve(link)

        def accept():
            while True:
                try:
                    link, _ = self.socket.accept()
                except OSError:
                    return
                self.links.append(link)
                threading.Thread(target=one, args=(link,), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for link in [self.socket, *self.links]:
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)
            link.close()


def head(link):
    """The head of a request, and nothing of its body; empty where the client has gone."""
    text = b""
    while b"\r\n\r\n" not in text:
        more = link.recv(1)
        if not more:
            return b""
        text += more
    return text


def forward(port, context=None):
    """What hands each connection on to `port` of this machine, behind TLS if wanted."""
    def serve(link):
        if context:
            link = context.wrap_socket(link, server_side=True)
        with socket.create_connection(("127.0.0.1", port)) as other:
            def pump(source, target):
                with contextlib.suppress(OSError):
                    while piece := source.recv(65536):
                        target.sendall(piece)
                for one in (source, target):
                    with contextlib.suppress(OSError):
                        one.shutdown(socket.SHUT_RDWR)

            back = threading.Thread(target=pump, args=(other, link), daemon=True)
            back.start()
            pump(link, other)
            back.join(20)
    return serve


def remote(base, **settings):
    return {"upstreams": {"api": {"base": base, "retry": {"limit": 0}, **settings}},
            "types": {"w": {"remote": {"upstream": "api", "get": {"path": "/w/{id}"}, "search": {"path": "/w"},
                                       "create": {"method": "POST", "path": "/w"},
                                       "update": {"method": "PATCH", "path": "/w/{id}"}}}}}


def resident(pid):
    """KiB of resident memory."""
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text()).group(1))


def cpu(pid):
    """Seconds of CPU time so far."""
    words = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def reason(answer):
    return answer.is_(502, "upstream-unreachable").json["reason"]


@case("an upstream by TLS: by its authority alone, for its name, in its time; with a certificate where it wants one")
def tls(context):
    if without("openssl"):
        return
    with authority() as own:
        good = own.certificate("good", "IP:127.0.0.1")
        mine = own.certificate("mine", "DNS:mine")
        old = own.certificate("old", "IP:127.0.0.1", days=-1)
        other = own.certificate("other", "DNS:elsewhere.test")
        client = {"roots": own.roots, "certificate": mine[0], "key": mine[1]}
        with SecureUpstream(secure(good)) as right, SecureUpstream(secure(old)) as expired, \
                SecureUpstream(secure(other)) as misnamed, \
                SecureUpstream(secure(good, clients=own.roots)) as demanding, \
                SecureUpstream(secure(good, own.roots, ssl.TLSVersion.TLSv1_2)) as older, \
                Upstream(lambda request: request.reply(200, {"id": "a"})) as plain:
            for what, base, route, wanted in [
                    ("its authority", right.base, {"roots": own.roots}, None),
                    ("the system's authorities", right.base, {}, "tls"),
                    ("expired", expired.base, {"roots": own.roots}, "tls"),
                    ("another name", misnamed.base, {"roots": own.roots}, "tls"),
                    ("no TLS there", plain.base.replace("http:", "https:"), {"roots": own.roots}, "tls"),
                    ("no certificate", older.base, {"roots": own.roots}, "tls"),
                    # By TLS 1.3 it is refused behind the handshake, and the end of the connection may be
                    # faster than the alert.
                    ("no certificate, TLS 1.3", demanding.base, {"roots": own.roots}, "tls reset"),
                    ("a certificate", demanding.base, client, None),
                    ("a certificate, TLS 1.2", older.base, client, None)]:
                settings = {"tls": route} if route else {}
                with serving(context, remote(base, **settings)) as s:
                    answer = s.get("/v1/w/a?source=remote")
                    try:
                        if wanted:
                            check(reason(answer) in wanted.split(), f"the reason is {reason(answer)}")
                        else:
                            same(answer.is_(200).json["id"], "a", "the entity")
                    except Failure as failure:
                        raise Failure(f"{what}: {failure}") from None


@case("`tls.roots` holds for the certificate of a proxy as well")
def proxy_by_tls(context):
    if without("openssl"):
        return
    with authority() as own:
        with SecureUpstream(secure(own.certificate("good", "IP:127.0.0.1"))) as proxy:
            for route, wanted in [({"tls": {"roots": own.roots}}, None), ({}, "tls")]:
                with serving(context, remote("http://upstream.test", proxy=proxy.base, **route)) as s:
                    answer = s.get("/v1/w/a?source=remote")
                    if wanted:
                        same(reason(answer), wanted, "the reason without the authority")
                    else:
                        same(answer.is_(200).json["id"], "a", "the entity by the proxy")


@case("another content of the file of `tls.roots` counts from the next request on, whatever is kept")
def changed_roots(context):
    if without("openssl"):
        return
    with authority() as own, authority() as foreign, folder() as place:
        roots = place / "roots.pem"
        roots.write_text(pathlib.Path(own.roots).read_text())
        with SecureUpstream(secure(own.certificate("good", "IP:127.0.0.1"))) as upstream, \
                serving(context, remote(upstream.base, tls={"roots": str(roots)})) as s:
            for file, wanted in [(own, None), (foreign, "tls"), (own, None), (foreign, "tls")]:
                roots.write_text(pathlib.Path(file.roots).read_text())
                answer = s.get("/v1/w/a?source=remote")
                if wanted:
                    same(reason(answer), wanted, "the reason by another authority")
                else:
                    same(answer.is_(200).json["id"], "a", "the entity by its authority")


@case("the configuration says which file of `tls` is none, and that a certificate has a key")
def tls_files(context):
    with folder() as place:
        (place / "empty.pem").write_text("nothing\n")
        (place / "me.pem").write_text("-----BEGIN CERTIFICATE-----\n")
        for route, words in [
                ({"roots": "/nowhere/ca.pem"}, "/upstreams/api/tls/roots"),
                ({"roots": str(place / "empty.pem")}, "a file in PEM"),
                ({"certificate": str(place / "me.pem")}, '"certificate" and "key" together')]:
            (place / "freshet.json").write_text(json.dumps(remote("https://127.0.0.1", tls=route)))
            status, _, told = command(context.binary, "check", "--config", place / "freshet.json")
            same(status, 2, f"the status for {route}")
            check(words in told, f"{route}: {told}")


@case("the program's commands speak TLS: get, search, import, export and watch through a proxy in front of a server")
def commands_by_tls(context):
    if without("openssl"):
        return
    with authority() as own, Server(context.binary) as s:
        files = own.certificate("good", "IP:127.0.0.1,DNS:localhost")
        with Listener(forward(s.port, secure(files))) as proxy:
            commands(context, s, f"https://127.0.0.1:{proxy.port}", "--cacert", own.roots)
            status, _, told = command(
                context.binary, "get", "--server", f"https://127.0.0.1:{proxy.port}", "w", "1")
            same(status, 3, "the status without the authority")
            check("no secure connection" in told and "--cacert FILE" in told, told)


@case("the program's commands speak to a socket: get, search, import, export and watch")
def commands_by_socket(context):
    with folder() as place, Server(context.binary) as s:
        path = str(place / "freshet.sock")
        with Listener(forward(s.port), path, socket.AF_UNIX):
            commands(context, s, f"unix:{path}")
        status, _, told = command(context.binary, "get", "--server", f"unix:{place}/none.sock", "w", "1")
        same(status, 3, "the status where no socket is")
        check("none.sock" in told, told)


def commands(context, s, server, *flags):
    where = ["--server", server, *flags]
    # Above the inbox of an answer, 1 MiB, so that both sides wait for each other.
    rows = [{"id": str(n), "n": n, "text": "x" * 1_000} for n in range(3_000)]
    lines = "".join(json.dumps(row) + "\n" for row in rows).encode()
    status, _, told = command(context.binary, "import", *where, "w", "-", stdin=lines)
    same(status, 0, f"import by {server}: {told}")
    status, text, told = command(context.binary, "get", *where, "w", "7")
    same((status, json.loads(text or "{}").get("n")), (0, 7), f"get by {server}: {told}")
    status, text, told = command(
        context.binary, "search", *where, "--json", "w", "--filter", "n < 2", "--count")
    same(status, 0, f"search by {server}: {told}")
    check('"0"' in text and '"1"' in text and '"2"' not in text, f"search by {server}: {text}")
    status, text, told = command(context.binary, "export", *where, "w")
    same((status, len(text.splitlines())), (0, 3_000), f"export by {server}: {told}")
    watch = subprocess.Popen(
        [context.binary, "watch", *where, "w", "--filter", "n == 5"], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    lines = []
    reader = threading.Thread(target=lambda: lines.extend(iter(watch.stdout.readline, b"")), daemon=True)
    reader.start()
    try:
        soon(lambda: any(b'"n":5' in line for line in lines), f"the first answer of watch by {server}")
        s.put("/v1/w/5", {"id": "5", "n": 5, "text": "changed"}).is_(200)
        soon(lambda: any(b"changed" in line for line in lines), f"the change by {server}")
    finally:
        watch.send_signal(signal.SIGINT)
        watch.wait(20)
        reader.join(20)
        watch.stdout.close()
        watch.stderr.close()


@case("a POST or PATCH whose kept connection dies unanswered is `lost`, and was sent once; a GET is repeated")
def lost(context):
    seen, lock = [], threading.Lock()

    def serve(link):
        for turn in range(100):
            text = head(link)
            if not text:
                return
            method, path, _ = text.decode().split("\r\n")[0].split(" ")
            length = re.search(rb"(?i)content-length: *(\d+)", text)
            body = b""
            while length and len(body) < int(length.group(1)):
                body += link.recv(65536)
            with lock:
                seen.append((method, path))
            # The first of a connection is answered, so that it is kept; the second is not.
            if turn:
                return
            text = json.dumps({"id": "a"}).encode()
            link.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                         b"Content-Length: %d\r\n\r\n" % len(text) + text)

    with Listener(serve) as upstream:
        for method, path, body in [("PUT", "/v1/w/b?target=remote", {"id": "b", "n": 1}),
                                   ("POST", "/v1/w?target=remote", {"n": 1}),
                                   ("PATCH", "/v1/w/a?target=remote", {"n": 2})]:
            with serving(context, remote(upstream.base)) as s:
                seen.clear()
                s.get("/v1/w/a?source=remote").is_(200)
                answer = s.ask(method, path, body, {"Content-Type": "application/merge-patch+json"}
                               if method == "PATCH" else None)
                sent = [one for one in seen if one[0] in ("POST", "PATCH")]
                same(len(sent), 1, f"requests for {method}: {seen}")
                same(reason(answer), "lost", f"the reason for {method}")
        with serving(context, remote(upstream.base)) as s:
            seen.clear()
            s.get("/v1/w/a?source=remote").is_(200)
            s.get("/v1/w/a?source=remote").is_(200)
            same(seen, [("GET", "/w/a")] * 3, "a read is sent again")


@case("slow heads end with our time-out, endless ones at their cap; wrong lengths, 101 and no HTTP are no answers")
def hostile_heads(context):
    field = b"X-Long: " + b"x" * 1_000 + b"\r\n"

    def drip(link):
        for byte in b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}" * 50:
            link.sendall(bytes([byte]))
            time.sleep(0.1)

    def endless(start, piece):
        def send(link):
            link.sendall(start)
            while True:
                link.sendall(piece)
        return send

    def whole(text):
        def send(link):
            link.sendall(text)
            link.recv(1)
        return send

    json_head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
    for what, act, status, code in [
            ("a slow head", drip, 504, "upstream-timeout"),
            ("fields without end", endless(json_head, field), 502, "upstream-too-large"),
            ("1xx without end", endless(b"", b"HTTP/1.1 103 Early Hints\r\n" + field + b"\r\n"), 502,
             "upstream-too-large"),
            ("a line without end", endless(json_head + b"X-Long: ", b"x" * 1_000), 502, "upstream-too-large"),
            ("trailers without end", endless(
                json_head + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", field), 502, "upstream-too-large"),
            # libcurl drops it as it comes.
            ("a chunk's extension without end", endless(
                json_head + b"Transfer-Encoding: chunked\r\n\r\n2;", b"x" * 1_000), 504, "upstream-timeout"),
            ("two lengths", whole(json_head + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}x"), 502,
             "upstream-unreachable"),
            ("a length below nothing", whole(json_head + b"Content-Length: -2\r\n\r\n{}"), 502,
             "upstream-unreachable"),
            ("a switch of the protocol", whole(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n{}"), 502,
             "upstream-unreachable"),
            ("no HTTP", whole(b"SSH-2.0-OpenSSH_9.2\r\n"), 502, "upstream-unreachable"),
            ("chunks of no length", whole(
                json_head + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n"), 502,
             "upstream-unreachable")]:
        def serve(link, act=act):
            if head(link):
                act(link)

        with Listener(serve) as upstream, serving(context, remote(upstream.base, timeout="1500ms")) as s:
            before = resident(s.process.pid)
            answer = s.get("/v1/w/a?source=remote")
            try:
                answer.is_(status, code)
                # Debug builds and their first request take some of it.
                check(resident(s.process.pid) - before < 48 << 10, "memory has grown")
                check(s.get("/readyz").status == 200, "the program goes on")
            except Failure as failure:
                raise Failure(f"{what}: {failure}") from None


@case("chunks beside a length: the chunks hold, and the connection is done with")
def chunks_and_length(context):
    def serve(link):
        while head(link):
            link.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 3\r\n"
                         b"Transfer-Encoding: chunked\r\n\r\na\r\n{\"id\":\"a\"}\r\n0\r\n\r\n")

    with Listener(serve) as upstream, serving(context, remote(upstream.base)) as s:
        for _ in range(3):
            same(s.get("/v1/w/a?source=remote").is_(200).json["id"], "a", "the entity")


@case("a body of 1 GB, and one that grows to it by its coding, end at the cap, in bounded memory")
def large_bodies(context):
    import zlib
    coder = zlib.compressobj(9, zlib.DEFLATED, 31)
    piece = b" " * (1 << 20)
    bomb = b"".join(coder.compress(piece) for _ in range(256)) + coder.flush()

    def serve(link):
        text = head(link)
        if b"/w/plain" in text:
            link.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % (1 << 30))
            for _ in range(1 << 10):
                link.sendall(piece)
        elif b"/w/endless" in text:
            link.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n")
            for _ in range(1 << 10):
                link.sendall(piece)
        elif text:
            link.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n"
                         b"Content-Length: %d\r\n\r\n" % len(bomb) + bomb)

    with Listener(serve) as upstream, serving(context, remote(upstream.base, maxBody="4MiB", timeout="60s")) as s:
        before = resident(s.process.pid)
        for id_ in ("plain", "endless", "bomb"):
            s.get(f"/v1/w/{id_}?source=remote").is_(502, "upstream-too-large")
        check(resident(s.process.pid) - before < 64 << 10, "memory has grown")


@case("a write that is refused with more than an answer may have is refused, and not taken for done")
def large_refusal(context):
    def serve(link):
        while text := head(link):
            length = re.search(rb"content-length: *(\d+)", text, re.I)
            for _ in range(int(length[1]) if length else 0):
                link.recv(1)
            link.sendall(b"HTTP/1.1 422 No\r\nContent-Type: text/plain\r\nContent-Length: 5000\r\n\r\n" + b"x" * 5000)

    with Listener(serve) as upstream, serving(context, remote(upstream.base, maxBody="1KiB")) as s:
        told = s.ask("POST", "/v1/w?target=remote", {"n": 1}).is_(502, "upstream-status")
        check("422" in told.json["detail"], str(told.json))
        s.put("/v1/w/b?target=both", {"n": 1}).is_(202)
        soon(lambda: s.get("/v1/_outbox").json["items"][0]["state"] == "rejected", "its refusal is told", 10)


@case("a followed server that asks for a pause beyond all time is asked again within the hour, and each page shows it")
def endless_pause(context):
    asked = threading.Event()

    def serve(link):
        if head(link):
            link.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                         b'event: bye\ndata: {"reconnect":true,"after":9223372036854775807}\n\n')
            asked.set()
            link.recv(1)

    with Listener(serve) as upstream:
        file = {"upstreams": {"api": {"base": upstream.base}}, "types": {"f": {}},
                "operations": {"o": {"type": "f", "controllers": [
                    {"freshet": {"upstream": "api", "query": "/v1/f"}, "attach": "always"}]}}}
        with serving(context, file) as s:
            check(asked.wait(10), "it is followed")
            next_try = lambda: s.get("/v1/_operations/o").is_(200).json["controllers"][0]["nextTry"]
            soon(lambda: next_try() is not None, "its pause is shown", 10)
            # The hour from now is in this year or the next.
            check(int(next_try()[:4]) <= time.gmtime().tm_year + 1, next_try())


@case("a watch whose server asks for a pause below nothing or beyond all time comes again, and goes on")
def watched_pause(context):
    for asked, wanted in ((-1, 2), (9223372036854775807, 1)):
        came = []

        def serve(link):
            if head(link):
                came.append(1)
                link.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                             b'event: bye\ndata: {"reconnect":true,"after":%d}\n\n' % asked)

        with Listener(serve) as upstream:
            watch = subprocess.Popen([context.binary, "watch", "--server", upstream.base, "w"], stdin=subprocess.DEVNULL,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment())
            try:
                soon(lambda: len(came) >= wanted, f"a connection after {asked}", 10)
                # What it does of the last answer.
                time.sleep(0.5)
                same(watch.poll(), None, f"it goes on after {asked}")
            finally:
                watch.kill()
                watch.wait()
                watch.stderr.close()


@case("an element of a hundred thousand members is read in its time")
def wide_element(context):
    wide = [{"uid": "1", **{f"m{n}": n for n in range(100_000)}}]
    with Upstream(lambda request: request.reply(200, wide)) as upstream:
        file = remote(upstream.base, timeout="20s")
        file["types"]["w"]["remote"]["id"] = "/uid"
        with serving(context, file) as s:
            before = cpu(s.process.pid)
            s.get("/v1/w?source=remote").is_(200)
            # By a look through all members for each of them it is tens of seconds.
            check(cpu(s.process.pid) - before < 10, "reading it takes for ever")


@case("a name look-up that hangs delays nothing beside it, and not the end of the program")
def hanging_lookup(context):
    compiler = next((path for name in ("cc", "gcc", "clang") if (path := shutil.which(name))), None)
    if not compiler:
        return print("      skipped: no C compiler here")
    with folder() as place, Upstream(lambda request: request.reply(200, {"id": "a"})) as upstream:
        (place / "hangs.c").write_text(HANGING)
        library = place / "hangs.so"
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, place / "hangs.c", "-ldl"], check=True)
        file = remote(upstream.base)
        file["upstreams"]["lame"] = {"base": "http://hangs.test:1", "retry": {"limit": 0}, "connectTimeout": "1s"}
        file["types"]["h"] = {"remote": {"upstream": "lame", "get": {"path": "/h/{id}"}}}
        (place / "freshet.json").write_text(json.dumps(file))
        Hanging = type("Hanging", (Server,), {"prefix": ("env", f"LD_PRELOAD={library}")})
        with Hanging(context.binary, None, "--config", str(place / "freshet.json")) as s:
            s.get("/v1/w/a?source=remote").is_(200)
            answers = []
            readers = [threading.Thread(target=lambda n=n: answers.append(s.get(f"/v1/h/{n}?source=remote")))
                       for n in range(8)]
            for reader in readers:
                reader.start()
            slowest = 0
            while any(reader.is_alive() for reader in readers):
                begun = time.monotonic()
                s.get("/v1/w/a?source=remote").is_(200)
                slowest = max(slowest, time.monotonic() - begun)
            for answer in answers:
                check(answer.status in (503, 504), f"a look-up that hangs: {answer.status} {answer.body}")
            check(any(answer.status == 504 for answer in answers), "the time-out is told")
            check(slowest < 20, f"a fetch beside look-ups that hang for two minutes took {slowest:.1f} s")
            same(s.stop(30), 0, "the status at the end")


@case("libcurl is loaded where an upstream is named, and not otherwise")
def loaded_on_demand(context):
    def maps(s):
        return pathlib.Path(f"/proc/{s.process.pid}/maps").read_text()

    with Server(context.binary) as s:
        s.put("/v1/w/a", {"id": "a"}).is_(201)
        with s.watch("/v1/w") as stream:
            stream.snapshot()
            check("libcurl" not in maps(s), "a server without upstreams has loaded libcurl")
    with serving(context, remote("http://127.0.0.1:9")) as s:
        check("libcurl" in maps(s), "a server with an upstream has not loaded libcurl")


@case("where there is no libcurl: a server that names an upstream refuses in a sentence, as `check` does; others start")
def missing(context):
    with folder() as place:
        # In front of the system's folders, and not a library at all.
        for name in ("libcurl.so.4", "libcurl-gnutls.so.4"):
            (place / name).write_bytes(b"")
        (place / "with.json").write_text(json.dumps(remote("http://127.0.0.1:9")))
        (place / "without.json").write_text(json.dumps({"types": {"w": {}}}))
        with hidden(place):
            for name in ("serve", "check"):
                flags = ["--memory", "--listen", "127.0.0.1:0"] if name == "serve" else []
                status, _, told = command(context.binary, name, "--config", place / "with.json", *flags)
                check(status in (1, 2), f"the status of {name}: {status}")
                check("outgoing HTTP needs libcurl 7.80 or newer" in told and "apt install libcurl4" in told,
                      f"{name}: {told}")
                same(len([line for line in told.splitlines() if "libcurl" in line]), 1, f"sentences of {name}")
            status, _, told = command(context.binary, "check", "--config", place / "without.json")
            same(status, 0, f"check without upstreams: {told}")
            status, _, told = command(context.binary, "get", "w", "a")
            same(status, 1, f"get: {told}")
            check("outgoing HTTP needs libcurl" in told, told)
            with Server(context.binary, None, "--config", str(place / "without.json")) as s:
                s.put("/v1/w/a", {"id": "a"}).is_(201)
                # Reloaded with an upstream, it goes on as it was.
                (place / "without.json").write_text((place / "with.json").read_text())
                s.signal(signal.SIGHUP)
                soon(lambda: "libcurl" in s.tail(), "the refusal of the changed configuration")
                s.get("/v1/w/a").is_(200)


@contextlib.contextmanager
def hidden(place):
    """Programs that are started within find the libraries of `place` before the system's."""
    before = os.environ.get("LD_LIBRARY_PATH")
    os.environ["LD_LIBRARY_PATH"] = str(place) + (f":{before}" if before else "")
    try:
        yield
    finally:
        if before is None:
            del os.environ["LD_LIBRARY_PATH"]
        else:
            os.environ["LD_LIBRARY_PATH"] = before


@case("event streams by TLS: what fills many records and what fills a part of one, and the next connection goes on behind it")
def streams_by_tls(context):
    if without("openssl"):
        return
    sizes, positions = [1, 100, 5_000, 20_000, 195_000] * 8, []
    events = [f"id: {n}\nevent: put\ndata: {json.dumps({'id': str(n), 'text': 'x' * size})}\n\n"
              for n, size in enumerate(sizes)]

    def answer(request):
        positions.append(request.headers["Last-Event-ID"])
        # Nothing is told twice: the first connection ends in the middle.
        first = len(positions) == 1
        request.stream("".join(events[:20] if first else events[20:]), hold=not first)

    with authority() as own, SecureUpstream(secure(own.certificate("good", "IP:127.0.0.1")), answer) as upstream:
        file = {"upstreams": {"api": {"base": upstream.base, "tls": {"roots": own.roots}}}, "types": {"w": {}},
                "operations": {"ws": {"type": "w", "controllers": [
                    {"sse": {"upstream": "api", "path": "/events"}, "attach": "always", "reconnect": {"exponential": "10ms"},
                     "reduce": [{"on": "put", "do": "upsert"}]}]}}}
        with serving(context, file) as s:
            soon(lambda: s.get("/v1/w/39").status == 200, "the last event")
            rows = s.get("/v1/w?limit=40").is_(200).json["items"]
            same({int(row["id"]): len(row["text"]) for row in rows}, dict(enumerate(sizes)), "the rows")
            same(positions, [None, "19"], "positions")


@case("a quiet event stream of an upstream costs no CPU time")
def quiet_stream(context):
    with Upstream(lambda request: request.stream(": quiet\n\n")) as upstream:
        file = {"upstreams": {"api": {"base": upstream.base}}, "types": {"w": {}}, "operations": {"ws": {
            "type": "w", "controllers": [{"sse": {"upstream": "api", "path": "/events"}, "attach": "always",
                                          "reduce": [{"on": "put", "do": "upsert"}]}]}}}
        with serving(context, file) as s:
            soon(lambda: s.get("/v1/_operations/ws").json["controllers"][0]["activity"] == "following", "the stream")
            before = cpu(s.process.pid)
            time.sleep(3)
            took = cpu(s.process.pid) - before
            check(took < 0.5, f"{took:.2f} s of CPU in 3 s")


@case("a command whose reader stops makes the server wait, in bounded memory: watch and export")
def slow_reader(context):
    for words, kind, piece in [
            (["export", "w"], "application/x-ndjson",
             (json.dumps({"id": "a", "text": "x" * 1_000}) + "\n").encode() * 64),
            (["watch", "w"], "text/event-stream", b": " + b"x" * 60_000 + b"\n\n" + (
                "event: snapshot\nid: e.1\ndata: " + json.dumps(
                    {"v": 1, "why": "initial", "items": [{"id": "a", "text": "x" * 1_000}], "part": 0, "more": False})
                + "\n\n").encode())]:
        sent, begun = [0], threading.Event()

        def serve(link):
            if not head(link):
                return
            link.sendall(f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n".encode())
            begun.set()
            while True:
                link.sendall(piece)
                sent[0] += len(piece)

        with Listener(serve) as server:
            reader = subprocess.Popen(
                [context.binary, *words, "--server", server.base], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, env=environment())
            try:
                check(begun.wait(20), f"{words[0]} asks")

                def stands():
                    before = sent[0]
                    time.sleep(0.5)
                    return before and sent[0] == before

                soon(stands, f"the end of what {words[0]} takes")
                low = resident(reader.pid)
                check(sent[0] < 64 << 20, f"{words[0]} has taken {sent[0] >> 20} MiB")
                # A hundred MiB for a reader that takes its time.
                taken = 0
                while taken < 100 << 20:
                    part = os.read(reader.stdout.fileno(), 1 << 16)
                    check(part, f"{words[0]} ended after {taken} bytes")
                    # A watch hides what comments its stream has.
                    taken += len(part) if words[0] == "export" else 60 * len(part)
                grown = resident(reader.pid) - low
                check(grown < 16 << 10, f"the memory of {words[0]} grew by {grown} KiB")
            finally:
                reader.kill()
                reader.wait()
                reader.stdout.close()
