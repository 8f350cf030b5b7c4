"""operations.md 1: reads through a remote, by the optimised program.

What runs in these reads is mostly tasks, and the optimiser has had faults of its own there that no
debug build shows.
"""
import http.server
import json
import threading

from harness import Server, case, check, folder, same


class Remote:
    """A REST service whose entities are had one by one, or all at once; it can hold its answers."""

    def __init__(self, ids):
        self.paths, self.lock = [], threading.Lock()
        self.begun, self.gate = threading.Semaphore(0), threading.Event()
        self.gate.set()
        remote = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                with remote.lock:
                    remote.paths.append(self.path)
                remote.begun.release()
                remote.gate.wait(30)
                id_ = self.path.rpartition("/")[2]
                known = [{"id": name, "friend": ids[0]} for name in ids]
                found = known if self.path == "/w" else next((row for row in known if row["id"] == id_), None)
                text = json.dumps(found).encode()
                try:
                    self.send_response(404 if found is None else 200)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text)
                except OSError:
                    self.close_connection = True

            def log_message(self, *_):
                pass

        class Service(http.server.ThreadingHTTPServer):
            daemon_threads, request_queue_size = True, 128

            def handle_error(self, *_):
                """The program has ended."""

        self.server = Service(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def configuration(self):
        remote = {"upstream": "api", "get": {"path": "/w/{id}"}, "search": {"path": "/w"}}
        friend = {"friend": {"type": "w", "association": "one"}}
        return {"upstreams": {"api": {"base": self.base, "retry": {"limit": 0}}},
                "types": {"w": {"remote": remote, "relationships": friend}}}

    def close(self):
        self.gate.set()
        self.server.shutdown()
        self.server.server_close()


def ids_of(answer):
    same(answer.status, 200, answer.body)
    return [item["id"] for item in answer.json["items"]]


@case("entities that a remote gives one by one: as they are asked for, and as no answer to anything else")
def one_by_one(context):
    names = [f"k{number}" for number in range(30)]
    remote = Remote(names)
    try:
        with folder() as place:
            file = place / "freshet.json"
            file.write_text(json.dumps(remote.configuration()))
            with Server(context.binary, None, "--config", str(file)) as s:
                for count in (1, 2, 3, 9, 30):
                    asked = names[-count:]
                    same(ids_of(s.get(f"/v1/w?source=remote&ids={','.join(asked)}")), asked, f"{count} ids")
                answer = s.get("/v1/w?source=remote&ids=k1,none,k2")
                same(ids_of(answer), ["k1", "k2"], "ids that the remote has")
                same(answer.json["meta"]["missing"], ["none"], "the id that it has not")
                answer = s.get("/v1/w/k9?source=remote&include=friend")
                same(list(answer.json["included"]["w"]), ["k0"], "what an include leads to")
                remote.gate.clear()
                while remote.begun.acquire(blocking=False):
                    pass
                answers = {}
                paths = ["ids=k3", "ids=k4,k5", "count=true"]
                readers = []
                for path in paths:
                    def read(path=path):
                        answers[path] = s.get(f"/v1/w?source=remote&{path}")
                    readers.append(threading.Thread(target=read))
                    readers[-1].start()
                    check(remote.begun.acquire(timeout=30), f"{path} is asked by itself")
                remote.gate.set()
                for reader in readers:
                    reader.join(30)
                same(ids_of(answers["ids=k3"]), ["k3"], "one id")
                same(ids_of(answers["ids=k4,k5"]), ["k4", "k5"], "two ids")
                same(len(ids_of(answers["count=true"])), 30, "all of them")
                check(s.alive(), "the program goes on")
    finally:
        remote.close()
