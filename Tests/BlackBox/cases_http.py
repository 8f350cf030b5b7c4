"""http-api.md section 8 and robustness.md section 1, over raw sockets."""
import json
import re
import socket
import time

from harness import case, check, same

HOST = b"Host: localhost\r\n"


def get(path=b"/livez", extra=b"", version=b"1.1"):
    return b"GET " + path + b" HTTP/" + version + b"\r\n" + HOST + extra + b"\r\n"


def put(t, name, body, extra=b""):
    path = f"PUT /v1/{t}/{name} HTTP/1.1\r\n".encode()
    return path + HOST + b"Content-Type: application/json\r\n" + extra + b"\r\n" + body


def length(body):
    return f"Content-Length: {len(body)}\r\n".encode()


def refused(server, bytes_, statuses=(400,), what=None):
    answers, closed = server.raw(bytes_, seconds=5)
    check(answers, f"{what or bytes_[:80]} got no answer (closed: {closed})")
    check(answers[0].status in statuses, f"{what or bytes_[:80]}: wanted {statuses}, got {answers[0].status}")
    check(closed, f"{what or bytes_[:80]}: the connection stays open")
    same((answers[0].header("Content-Type") or "").split(";")[0], "application/problem+json", "content type")
    same(len(answers), 1, f"answers to {what or bytes_[:80]}")


@case("a request gives the same answer however its bytes are split")
def split(context):
    s, t = context.server, context.type()
    body = b'{"id":"a","n":1}'
    for message in (put(t, "a", body, length(body)),
                    put(t, "b", b"5\r\n{\"n\":\r\n3;x=y\r\n12}\r\n0\r\nTrailer: x\r\n\r\n", b"Transfer-Encoding: chunked\r\n")):
        answers, _ = s.raw(*[message[i:i + 1] for i in range(len(message))], count=1)
        check(answers and answers[0].status == 201, f"byte by byte: {answers and answers[0].status}")
        s.ask("DELETE", f"/v1/{t}/a"), s.ask("DELETE", f"/v1/{t}/b")
        for _ in range(20):
            cuts = sorted(context.random.sample(range(1, len(message)), 3))
            pieces = [message[a:b] for a, b in zip([0, *cuts], [*cuts, len(message)])]
            answers, _ = s.raw(*pieces, pause=0.001, count=1)
            check(answers and answers[0].status in (200, 201), f"cut at {cuts}: {answers and answers[0].status}")


@case("pipelined requests are answered in order")
def pipelining(context):
    s, t = context.server, context.type()
    s.ask("POST", f"/v1/{t}/_set", [{"id": n} for n in range(200)])
    message = b"".join(get(f"/v1/{t}/{n}".encode()) for n in range(200))
    answers, _ = s.raw(message, count=200)
    same([a.body for a in answers], [b'{"id":%d}\n' % n for n in range(200)], "bodies")
    body = b'{"n":1}'
    answers, _ = s.raw(put(t, "x", body, length(body)) + get(f"/v1/{t}/x".encode()) + b"DELETE /v1/" + t.encode() + b"/x HTTP/1.1\r\n" + HOST + b"\r\n" + get(f"/v1/{t}/x".encode()), count=4)
    same([a.status for a in answers], [201, 200, 204, 404], "a write is seen by the request behind it")


@case("a length is its digits, whatever was answered before")
def lengths(context):
    s, t = context.server, context.type()
    s.ask("POST", f"/v1/{t}/_set", [{"id": n, "text": "x" * 10 ** (n % 5)} for n in range(30)])
    limits = [1, 30, 0, 4, 30, 5, 2, 29, 1]
    message = b"".join(get(f"/v1/{t}?limit={n}".encode()) for n in limits[:-1])
    with s.connect() as link:
        link.sendall(message + get(f"/v1/{t}?limit={limits[-1]}".encode(), b"Connection: close\r\n"))
        rest, items = b"".join(iter(lambda: link.recv(1 << 20), b"")), []
    while rest:
        head, _, rest = rest.partition(b"\r\n\r\n")
        line = next(x for x in head.split(b"\r\n") if x.lower().startswith(b"content-length"))
        check(re.fullmatch(rb"Content-Length: [1-9]\d*", line), f"the line: {line!r}")
        items.append(len(json.loads(rest[:int(line[16:])])["items"]))
        rest = rest[int(line[16:]):]
    same(items, limits, "answers")


@case("smuggling inputs are refused and the connection closed")
def smuggling(context):
    s, t = context.server, context.type()
    for extra in (b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", b"Content-Length: 2\r\nContent-Length: 3\r\n",
                  b"Content-Length: 2\r\nContent-Length: 2\r\n", b"Content-Length: 2, 2\r\n", b"Content-Length: +2\r\n", b"Content-Length: 0x2\r\n",
                  b"Content-Length: -1\r\n", b"Content-Length: 2 2\r\n", b"Content-Length: 99999999999999999999999\r\n", b"Content-Length:\r\n",
                  b"Content-Length : 2\r\n", b"Transfer-Encoding: gzip, chunked\r\n", b"Transfer-Encoding: identity\r\n",
                  b"Transfer-Encoding: chunked, chunked\r\n", b"Transfer-Encoding: xchunked\r\n", b"Transfer-Encoding : chunked\r\n",
                  b"X: a\r\n folded\r\n", b" X: a\r\n", b"X\r\n", b": a\r\n", b"X Y: a\r\n", b"X: a\rb\r\n", b"X: a\x00b\r\n", b"X: a\x7fb\r\n", b"X: a\nContent-Length: 2\r\n", b"X\xff: a\r\n"):
        refused(s, put(t, "a", b"{}", extra), (400, 413, 501) if b"gzip" in extra or b"9999" in extra else (400,), extra)
    for chunks in (b"+2\r\n{}\r\n0\r\n\r\n", b"0x2\r\n{}\r\n0\r\n\r\n", b"2 \r\n{}\r\n0\r\n\r\n", b"2\n{}\r\n0\r\n\r\n", b"2\r\n{}X\r\n0\r\n\r\n", b"g\r\n{}\r\n0\r\n\r\n",
                   b"-2\r\n{}\r\n", b"fffffffffffffffff\r\n{}", b"\r\n{}\r\n", b"2;" + b"x" * 2000 + b"\r\n{}\r\n0\r\n\r\n", b"2\r\n{}\r\n0\r\nA : b\r\n\r\n"):
        answers, closed = s.raw(put(t, "a", chunks, b"Transfer-Encoding: chunked\r\n"))
        check(answers and answers[0].status in (400, 413) and closed, f"chunks {chunks[:30]}: {answers and answers[0].status}, closed {closed}")
    for line in (b"GET /livez\r\n", b"GET  /livez HTTP/1.1\r\n", b"GET /livez HTTP/1.1 \r\n", b"GET /li vez HTTP/1.1\r\n", b"get\x01 /livez HTTP/1.1\r\n", b"GET /livez http/1.1\r\n",
                 b"GET /livez HTTP/1.11\r\n", b"GET livez HTTP/1.1\r\n", b"GET /\x00 HTTP/1.1\r\n", b" GET /livez HTTP/1.1\r\n", b"\x16\x03\x01\x02\x00\x01\r\n"):
        refused(s, line + HOST + b"\r\n", (400, 505) if b"HTTP/1.11" in line else (400,))
    refused(s, b"GET /livez HTTP/2.0\r\n" + HOST + b"\r\n", (400, 505))
    refused(s, b"GET /livez HTTP/1.1\r\n\r\n", (400, 421), "no Host")
    refused(s, b"GET /livez HTTP/1.1\r\n" + HOST + HOST + b"\r\n", (400, 421), "two Hosts")
    same(s.get("/livez").status, 200, "the server goes on")


@case("limits on line, head, fields and body have their statuses")
def limits(context):
    s, t = context.server, context.type()
    refused(s, get(b"/v1/t/" + b"x" * 9000), (414,), "a long line")
    refused(s, get(extra=b"X: " + b"y" * 40000 + b"\r\n"), (431,), "a long field")
    refused(s, get(extra=b"".join(b"X%d: y\r\n" % n for n in range(150))), (431,), "150 fields")
    refused(s, get(extra=b"".join(b"X%d: %s\r\n" % (n, b"y" * 900) for n in range(60))), (431,), "a long head")
    refused(s, put(t, "a", b"{", b"Content-Length: 20000000\r\n"), (413,), "a long body by its length")
    answers, _ = s.raw(get(extra=b"".join(b"X%d: y\r\n" % n for n in range(95))), count=1)
    same(answers[0].status, 200, "95 fields")
    answers, closed = s.raw(put(t, "a", b"", b"Transfer-Encoding: chunked\r\n"), *[b"100000\r\n" + b" " * (1 << 20) + b"\r\n"] * 17, seconds=10)
    check(answers and answers[0].status == 413 and closed or not answers and closed, f"a long body in chunks: {answers and answers[0].status}")
    same(s.get("/livez").status, 200, "the server goes on")


@case("persistent connections: 1.1 stays, 1.0 and close end")
def persistence(context):
    s = context.server
    same(s.raw(get(), seconds=0.7)[1], False, "1.1 stays open")
    answers, closed = s.raw(get(extra=b"Connection: close\r\n"))
    check(answers[0].status == 200 and closed, "close closes")
    answers, closed = s.raw(get(version=b"1.0"))
    check(answers[0].status == 200 and closed, "1.0 closes")
    answers, closed = s.raw(get(version=b"1.0", extra=b"Connection: keep-alive\r\n"), seconds=0.7)
    check(answers[0].status == 200 and not closed, "1.0 with keep-alive stays")
    check("chunked" not in (answers[0].header("Transfer-Encoding") or ""), "no chunks for 1.0")
    check(answers[0].header("Date"), "Date")
    same(s.raw(b"\r\n" + get(), count=1)[0][0].status, 200, "an empty line before a request is skipped")
    same(s.raw(b"GET http://localhost/livez HTTP/1.1\r\n" + HOST + b"\r\n", count=1)[0][0].status, 200, "the absolute form")


@case("a client that closes its side is answered")
def half_close(context):
    s, t = context.server, context.type()
    answers, closed = s.raw(get(), half_close=True)
    check(answers and answers[0].status == 200 and closed, "GET")
    body = b'{"n":1}'
    answers, closed = s.raw(put(t, "a", body, length(body)), half_close=True)
    check(answers and answers[0].status == 201 and closed, "PUT")
    answers, closed = s.raw(put(t, "b", b'{"n"', length(body)), half_close=True)
    check(closed, "an unfinished body ends the connection")
    s.get(f"/v1/{t}/b").is_(404)
    # An answer that is long in coming comes all the same; the interim one asks who is there.
    mark = s.put(f"/v1/{t}/c", {}).is_(201).header("Freshet-Cursor")
    with s.connect() as link:
        link.settimeout(10)
        link.sendall(b"GET /v1/%s?since=%s&wait=20 HTTP/1.1\r\n%b\r\n" % (t.encode(), mark.encode(), HOST))
        link.shutdown(socket.SHUT_WR)
        text = link.recv(65536)
        same(text, b"HTTP/1.1 100 Continue\r\n\r\n", "the interim answer")
        s.put(f"/v1/{t}/d", {"n": 2}).is_(201)
        while more := link.recv(65536):
            text += more
    check(b"HTTP/1.1 200 OK" in text and b'"n":2' in text, f"the long poll: {text}")


@case("Expect: 100-continue is answered before the body")
def expect(context):
    s, t = context.server, context.type()
    body = b'{"n":1}'
    with s.connect() as link:
        link.sendall(put(t, "a", b"", length(body) + b"Expect: 100-continue\r\n"))
        link.settimeout(5)
        check(link.recv(100).startswith(b"HTTP/1.1 100"), "100 Continue")
        link.sendall(body)
        check(link.recv(1000).startswith(b"HTTP/1.1 201"), "201")
    answers, _ = s.raw(put(t, "a", b"", b"Content-Length: 20000000\r\nExpect: 100-continue\r\n"), count=1)
    same(answers[0].status, 413, "a refusal in place of 100")
    answers, _ = s.raw(put(t, "a", b"", length(body) + b"Expect: magic\r\n"), count=1)
    check(answers and answers[0].status in (400, 417), f"another expectation: {answers and answers[0].status}")


@case("HEAD and 204 have no body on the wire")
def no_body(context):
    s, t = context.server, context.type()
    s.put(f"/v1/{t}/a", {"n": 1})
    with s.connect() as link:
        link.settimeout(5)
        link.sendall(b"HEAD /v1/" + t.encode() + b"/a HTTP/1.1\r\n" + HOST + b"\r\n" + b"DELETE /v1/" + t.encode() + b"/a HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n")
        got = b""
        while more := link.recv(65536):
            got += more
    first, _, rest = got.partition(b"\r\n\r\n")
    check(first.startswith(b"HTTP/1.1 200") and rest.startswith(b"HTTP/1.1 204"), f"{got[:200]}")
    check(b"content-length" not in rest.lower(), "204 has no Content-Length")


@case("a body left unread by an error does not become the next request")
def unread(context):
    s = context.server
    inner = get(b"/version")
    message = (b"POST /nowhere HTTP/1.1\r\n" + HOST + b"Content-Type: application/json\r\n" + length(inner) + b"\r\n" + inner + get())
    answers, closed = s.raw(message, count=2, seconds=3)
    check(answers[0].status in (404, 405), f"status {answers[0].status}")
    check(len(answers) == 1 and closed or len(answers) == 2 and b"version" not in answers[1].body.lower(), "the body was taken for a request")


@case("a slow head is timed out after 10 seconds")
def slow(context):
    s = context.server
    with s.connect() as link:
        link.sendall(b"GET /livez HTTP/1.1\r\nHost: loc")
        link.settimeout(20)
        began = time.monotonic()
        got = link.recv(1000)
        took = time.monotonic() - began
        check(took < 15, f"closed after {took:.1f} s")
        check(not got or got.startswith(b"HTTP/1.1 408"), f"closed or 408: {got[:60]}")


@case("garbage from many connections leaves the server unharmed")
def garbage(context):
    s = context.server
    for _ in range(150):
        size = context.random.randrange(1, 400)
        with s.connect() as link:
            try:
                link.sendall(bytes(context.random.randrange(256) for _ in range(size)) + b"\r\n\r\n")
            except OSError:
                pass
    same(s.get("/livez").status, 200, "status")
