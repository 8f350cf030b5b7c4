"""operations.md 2 to 5: operations, their controllers and credentials, over an upstream of our own."""
import collections
import contextlib
import http.server
import json
import threading
import time

from harness import Server, case, check, folder, same


class Upstream:
    """A small HTTP service; `answer(handler)` is called for each request, on a thread of its own."""

    def __init__(self, answer):
        self.paths, self.lock = [], threading.Lock()
        self.ended = threading.Event()
        upstream = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                with upstream.lock:
                    upstream.paths.append(self.path)
                self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                with contextlib.suppress(OSError):
                    answer(self)

            do_POST = do_PUT = do_DELETE = do_GET

            def reply(self, status, value=None, **headers):
                text = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(status)
                headers.setdefault("Content_Type", "application/json")
                for name, content in headers.items():
                    self.send_header(name.replace("_", "-"), content)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def stream(self, text="", hold=True):
                """An event stream: `text` at once, and nothing more until the upstream ends."""
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.send_header("Connection", "close")
                self.end_headers()
                self.wfile.write(text.encode())
                self.wfile.flush()
                self.close_connection = True
                if hold:
                    upstream.ended.wait(60)

            def log_message(self, *_):
                pass

        class Service(http.server.ThreadingHTTPServer):
            daemon_threads, request_queue_size = True, 128

            def handle_error(self, *_):
                """The program has ended."""

        self.server = Service(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def count(self, path):
        with self.lock:
            return sum(1 for one in self.paths if one.partition("?")[0] == path)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.server.shutdown()
        self.server.server_close()


@contextlib.contextmanager
def serving(context, configuration, *flags, data=None):
    with folder() as place:
        file = place / "freshet.json"
        file.write_text(json.dumps(configuration))
        with Server(context.binary, data, "--config", str(file), *flags) as server:
            yield server


def event(name, value, id_=None):
    text = value if isinstance(value, str) else json.dumps(value)
    return (f"id: {id_}\n" if id_ is not None else "") + f"event: {name}\ndata: {text}\n\n"


def soon(found, what, seconds=15):
    """What `found` answers, as soon as it is not false."""
    end = time.monotonic() + seconds
    while True:
        value = found()
        if value:
            return value
        check(time.monotonic() < end, f"{what} did not come within {seconds} s")
        time.sleep(0.01)


@case("a credential whose renewed tokens are refused has failed, says so, and is tried again in its time")
def credential_loop(context):
    tokens = collections.deque()

    def answer(request):
        if request.path == "/token":
            tokens.append(f"t{len(tokens) + 1}")
            return request.reply(200, {"access_token": tokens[-1], "token_type": "Bearer", "expires_in": 3600})
        if request.headers["Authorization"] in ("Bearer t1", "Bearer t2", "Bearer t3"):
            return request.reply(401, {})
        request.reply(200, {"id": "1", "n": 1})

    with Upstream(answer) as upstream:
        credential = {"type": "oauth2", "grant": "client_credentials", "tokenURL": upstream.base + "/token",
                      "clientId": "c", "maxRefreshes": 1, "retryFailedAfter": "1s"}
        configuration = {"upstreams": {"api": {"base": upstream.base, "credential": credential}},
                         "types": {"w": {"remote": {"upstream": "api", "get": {"path": "/w/{id}"}}}}}
        with serving(context, configuration) as s:
            found = s.get("/v1/w/1?source=remote").is_(502, "auth-loop").json
            same(found["origin"], True, "who finds the loop")
            # The first token was acquired, the second renewed.
            same(len(tokens), 2, "token calls")
            state = s.get("/v1/_upstreams/api/credential").json
            same((state["state"], state["valid"]), ("failed", False), "the credential")
            check(state["retryAt"] and state["reason"], f"the credential does not say why and until when: {state}")
            # After its time one renewal is tried, which is refused; after another, one that is not.
            soon(lambda: s.get("/v1/w/1?source=remote").status == 200, "the accepted token")
            same(list(tokens), ["t1", "t2", "t3", "t4"], "tokens")
            same(s.get("/v1/_upstreams/api/credential").json["state"], "ready", "the credential")
