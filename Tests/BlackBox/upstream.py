"""An upstream of our own, and a server with a configuration that names it."""
import contextlib
import http.server
import json
import threading

from harness import Server, folder


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

            do_POST = do_PUT = do_PATCH = do_DELETE = do_GET

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
