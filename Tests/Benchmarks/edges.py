"""Edges of run specifications: from a condition's PUT to the request that it has sent to the upstream.

10,000 operations stand on the board and read the condition: it makes all of them stale. One of them runs
by its rising edge. Meanwhile wrk reads an entity over 16 connections. The upstream and the PUTs are
Python's, on CPU 1 beside the load, so that what is told is the most that it can be.
"""
import http.client
import http.server
import json
import pathlib
import socket
import socketserver
import statistics
import subprocess
import threading
import time

from harness import Server, pinned, plain, say

OPERATIONS = 10_000
EDGES = 100


class Upstream(socketserver.ThreadingTCPServer):
    """Answers everything with one row, and notes when a request has come."""
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self):
        upstream = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                super().setup()
                self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

            def do_GET(self):
                upstream.came = time.monotonic()
                upstream.requests.release()
                body = b'[{"id":1,"n":0}]'
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.came = 0.0
        self.requests = threading.Semaphore(0)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Edges:
    def __init__(self, bench):
        self.bench = bench

    def configuration(self, port):
        ready = {"and": [{"connected": "api"}, {"not": {"condition": "maintenance"}}]}
        operations = {f"op-{n}": {"type": "row", "query": {"filter": f"n == {n}"},
                                  "automatic": {"and": [{"active": "service"}, {"spec": "ready"}]},
                                  "stale": [{"age": "60s"}, {"condition": "go"}]} for n in range(OPERATIONS - 1)}
        operations["edge"] = {"type": "row", "automatic": {"spec": "ready"},
                              "refetch": {"when": {"condition": "go"}, "onFall": "keep", "requireSubscribers": False}}
        return {"upstreams": {"api": {"base": f"http://127.0.0.1:{port}"}},
                "types": {"row": {"remote": {"upstream": "api", "search": {"path": "/rows"}}}, "live": {}},
                "conditions": {"go": {}, "maintenance": {}}, "specs": {"ready": ready}, "operations": operations}

    def edges(self):
        if not self.bench.binary:
            return
        upstream = Upstream()
        file = pathlib.Path(self.bench.folder) / "edges.json"
        file.write_text(json.dumps(self.configuration(upstream.server_address[1])))
        server = Server([self.bench.binary, "serve", "--config", file, "--memory", "--listen", "127.0.0.1:0"],
                        announced=r"http://127\.0\.0\.1:(\d+)")
        client = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)

        def put(path, value):
            client.request("PUT", path, json.dumps(value), {"Content-Type": "application/json"})
            answer = client.getresponse()
            answer.read()
            if answer.status >= 300:
                raise SystemExit(f"PUT {path} was answered with {answer.status}")

        def settle():
            """Until the run has ended: the next edge would join it."""
            loading = True
            while loading:
                client.request("GET", "/v1/_operations/edge")
                loading = json.loads(client.getresponse().read())["isLoading"]

        put("/v1/live/one", {"n": 0})
        figures = []
        for load in (False, True):
            taken = []
            for _ in range(self.bench.rounds):
                reads = load and subprocess.Popen(
                    pinned(1, "wrk", "-t1", "-c16", "-d60", server.url + "/v1/live/one"), stdout=subprocess.DEVNULL)
                for _ in range(EDGES):
                    start = time.monotonic()
                    put("/v1/_conditions/go", {"value": True})
                    if not upstream.requests.acquire(timeout=60):
                        raise SystemExit("the edge was not acted upon")
                    taken.append(1000 * (upstream.came - start))
                    put("/v1/_conditions/go", {"value": False})
                    settle()
                if reads:
                    reads.kill()
                    reads.wait()
            taken.sort()
            figures.append((statistics.median(taken), taken[len(taken) * 99 // 100]))
            say(f"edges      {'under load' if load else 'idle'} p50 {figures[-1][0]:.2f} ms, p99 {figures[-1][1]:.2f} ms, worst {taken[-1]:.2f} ms")
        server.stop()
        upstream.shutdown()
        (idle50, idle99), (p50, p99) = figures
        plain("a condition's PUT to the upstream's request, 10,000 operations read it, 16 readers at full speed", "p99 < 100 ms",
              f"p50 {p50:.1f} ms, p99 {p99:.1f} ms (without readers {idle50:.1f} and {idle99:.1f} ms)", p99 < 100)
