"""The format comments are enough to write a reader from: store_reader.py was, and reads what the program writes."""
import json
import signal

from harness import Server, case, check, command, folder, same
from store_reader import Damaged, Store


def fill(server, rounds, start=0):
    for n in range(start, start + rounds):
        server.ask("PUT", f"/v1/t/{n % 17}", {"n": n, "text": "é\u2028\"\\ ℝ" * (n % 5)})
        server.ask("PUT", f"/v1/u/key-{n % 7}", {"n": n})
        if n % 3 == 0:
            server.ask("DELETE", f"/v1/t/{(n + 5) % 17}")


def compare(store, server):
    """Entities and revisions as the server has them."""
    wanted = {}
    for line in server.get("/v1/_export").body.splitlines():
        row = json.loads(line)
        wanted[row["type"], str(row["entity"]["id"])] = row["entity"]
    found = {key: json.loads(text) for key, (_, text) in store.entities.items() if not key[0].startswith("_")}
    same(found, wanted, "entities")
    same(store.seq, server.get("/readyz").json["stores"]["main"]["revision"], "seq")
    for (type_, id_), (revision, _) in list(store.entities.items())[:20]:
        if not type_.startswith("_"):
            same(server.get(f"/v1/{type_}/{id_}").header("ETag"), f'"{revision}"', f"revision of {type_}/{id_}")


@case("a reader written from the format comments alone reads logs, snapshots, torn ends and backups")
def reader(context):
    with folder() as base:
        data = f"{base}/data"
        with Server(context.binary, data) as s:
            fill(s, 40)
            s.process.send_signal(signal.SIGKILL)
            s.process.wait()
        first = Store.of_directory(data)
        with Server(context.binary, data, "--snapshot-after", "4KiB") as s:
            compare(first, s)
            s.ask("POST", "/v1/_store/compact").is_(200)
            fill(s, 30, 100)
            s.ask("POST", "/v1/_store/compact").is_(200)
            fill(s, 20, 200)
            same(command(context.binary, "backup", "--server", s.url, f"{base}/b")[0], 0, "backup")
            compare(Store.of_backup(f"{base}/b"), s)
            cursor = s.get("/v1/_export").header("Freshet-Cursor")
            same(s.stop(), 0, "exit status")
        same(command(context.binary, "checkpoint", "--data", data, f"{base}/point")[0], 0, "checkpoint")
        same(command(context.binary, "restore", f"{base}/b", "--data", f"{base}/restored")[0], 0, "restore")
        for path in (data, f"{base}/point", f"{base}/restored"):
            store = Store.of_directory(path)
            digits, rest, text = "0123456789abcdefghjkmnpqrstvwxyz", store.epoch, ""
            while rest:
                rest, digit = divmod(rest, 32)
                text = digits[digit] + text
            check((f"{text}.{store.seq}" == cursor) == (path == data), f"epoch of {path}: {text}, {cursor}")
            with Server(context.binary, path) as s:
                compare(store, s)
                same(s.stop(), 0, "exit status")
        name = max(n for n in first.files if n.startswith("log-"))
        body = first.files[name]
        place = body.index(b'"n":7')
        try:
            Store({**first.files, name: body[:place] + b"x" + body[place + 1:]})
        except Damaged:
            return
        check(False, "the reader takes a damaged log")
