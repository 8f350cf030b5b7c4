"""Servers over one log: etcd on loopback, and what is started over it."""
import base64
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import time

from harness import Failure, Server, check, same, soon
from links import Links
from store_reader import crc


def free_ports(count):
    """Ports that nobody has now. Another program may take one before it is used; then the start says so."""
    held = [socket.socket() for _ in range(count)]
    try:
        for place in held:
            place.bind(("127.0.0.1", 0))
        return [place.getsockname()[1] for place in held]
    finally:
        for place in held:
            place.close()


def strong(server, path, seconds=30):
    """The answer to a strong read, asked again while the log or the server is not so far."""
    end = time.monotonic() + seconds
    while (answer := server.ask("GET", path, headers={"Freshet-Read": "strong"})).status == 503 and time.monotonic() < end:
        time.sleep(0.1)
    return answer.is_(200).json


def handed_over(server, query="", seconds=30):
    """The answer to a hand-over, asked again while the leader has not heard of the others yet."""
    end = time.monotonic() + seconds
    while (answer := server.ask("POST", f"/v1/_cluster/step-down{query}")).status in (409, 503) and time.monotonic() < end:
        time.sleep(0.05)
    return answer.is_(200).json


def accepted(server, path, body, seconds=20):
    """The answer to a write that is sent again while a lead changes: what is refused then was not done."""
    end = time.monotonic() + seconds
    while (answer := server.put(path, body)).status == 503 and time.monotonic() < end:
        same(answer.json["outcome"], "not-applied", "what is refused was not done")
    return answer


class Engine:
    """Nodes of etcd with their data in `place`; ends with the `with` block."""

    def __init__(self, place, count=1, flags=()):
        self.flags = flags
        self.program = shutil.which("etcd")
        if not self.program:
            raise Failure("etcd is not installed: apt-get install etcd-server")
        self.place, ports = place, free_ports(2 * count)
        self.clients, self.peers = ports[:count], ports[count:]
        self.nodes = [None] * count
        for index in range(count):
            self.start(index)
        self.wait()

    @property
    def url(self):
        return "etcd://" + ",".join(f"127.0.0.1:{port}" for port in self.clients) + "/freshet"

    def start(self, index):
        name, client, peer = f"n{index}", self.clients[index], self.peers[index]
        everybody = ",".join(f"n{at}=http://127.0.0.1:{port}" for at, port in enumerate(self.peers))
        log = open(self.place / f"{name}.log", "ab")
        self.nodes[index] = subprocess.Popen(
            [self.program, "--name", name, "--data-dir", self.place / name, "--log-level", "error",
             "--listen-client-urls", f"http://127.0.0.1:{client}", "--advertise-client-urls", f"http://127.0.0.1:{client}",
             "--listen-peer-urls", f"http://127.0.0.1:{peer}", "--initial-advertise-peer-urls", f"http://127.0.0.1:{peer}",
             "--initial-cluster", everybody, "--initial-cluster-state", "new", "--unsafe-no-fsync", *self.flags],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, env={**os.environ, "ETCD_ENABLE_V2": "false"})
        log.close()

    def wait(self, seconds=30):
        """Until a node takes connections."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.clients[0]), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise Failure("etcd does not listen")

    def answer(self, index, path, body):
        """That of a node's gateway."""
        link = http.client.HTTPConnection("127.0.0.1", self.clients[index], timeout=20)
        try:
            link.request("POST", path, json.dumps(body))
            return json.load(link.getresponse())
        finally:
            link.close()

    def leader(self, seconds=30):
        """The index of the node that leads."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for index in range(len(self.nodes)):
                try:
                    status = self.answer(index, "/v3/maintenance/status", {})
                    if status.get("leader", "0") == status["header"]["member_id"]:
                        return index
                except (OSError, http.client.HTTPException, KeyError, ValueError):
                    continue
            time.sleep(0.1)
        raise Failure(f"no node of etcd leads within {seconds} s")

    def commits(self):
        """Each commit of the log: (seq, [(type, id, entity or None)]), read from etcd by the layout alone.

        Fails where a frame is missing or does not follow the one before.
        """
        encoded = lambda text: base64.b64encode(text).decode()
        head = self.answer(self.leader(), "/v3/kv/range", {"key": encoded(b"freshet/head")})["kvs"][0]["value"]
        cluster = json.loads(base64.b64decode(head))["cluster"]
        seed = crc(struct.pack("<QQ", int(cluster[:16], 16), int(cluster[16:], 16)))
        at, chain, found = b"freshet/log/", seed, []
        while at:
            answer = self.answer(self.leader(), "/v3/kv/range", {
                "key": encoded(at), "range_end": encoded(b"freshet/log0"), "limit": 500})
            pairs = [(base64.b64decode(each["key"]), base64.b64decode(each["value"])) for each in answer.get("kvs", [])]
            for key, frame in pairs:
                magic, _, _, first, count = struct.unpack_from("<4sHHQI", frame)
                before, payload, parts = struct.unpack_from("<IIH", frame, 48)
                check(magic == b"FRS1" and parts == 1 and key.endswith(b"%016x" % first), f"the record {key}")
                check(before == chain and len(found) + 1 == first, f"the frame of seq {first} does not follow")
                chain = crc(struct.pack("<I", before) + frame[60:64] + struct.pack("<I", payload), seed)
                found += commits(frame[64:], count)
            at = pairs[-1][0] + b"\0" if answer.get("more") else None
        return found

    def signal(self, number, nodes=None):
        for index in range(len(self.nodes)) if nodes is None else nodes:
            self.nodes[index].send_signal(number)

    def keys(self, prefix):
        """How many keys etcd has that begin so."""
        return int(self.ask("/v3/kv/range", prefix, count_only=True).get("count", 0))

    def ask(self, path, prefix, **more):
        first, end = prefix.encode(), prefix[:-1].encode() + bytes([ord(prefix[-1]) + 1])
        body = {"key": base64.b64encode(first).decode(), "range_end": base64.b64encode(end).decode(), **more}
        return self.answer(0, path, body)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for node in self.nodes:
            node.send_signal(signal.SIGCONT)
            node.kill()
            node.wait()


class Postgres:
    """A primary and the standby that it waits for, with their data in `place`; ends with the `with` block."""

    def __init__(self, place):
        self.place, (self.port, second) = place / "postgres", free_ports(2)
        programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        if not programs:
            raise Failure("PostgreSQL is not installed: apt-get install postgresql")
        self.programs, self.servers = programs[-1], []
        self.place.mkdir()
        # It refuses to run as root.
        self.before = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        if self.before:
            shutil.chown(self.place, "postgres")
            for folder in [*reversed(self.place.parents)][2:]:
                folder.chmod(0o755)
        self.run("initdb", "-D", self.place / "primary", "-U", "postgres", "-A", "trust", "--no-sync")
        self.start("primary", self.port, "synchronous_standby_names=*")
        self.wait("primary", "ready to accept connections")
        self.run("pg_basebackup", "-D", self.place / "standby", "-R", "--no-sync", "-c", "fast", "-h", "127.0.0.1", "-p", str(self.port), "-U", "postgres")
        self.start("standby", second)
        self.wait("standby", "started streaming WAL")

    @property
    def url(self):
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def run(self, program, *words):
        subprocess.run([*self.before, self.programs / program, *words], check=True, capture_output=True, cwd=self.place)

    def start(self, name, port, *more):
        options = ["listen_addresses=127.0.0.1", f"port={port}", "unix_socket_directories=", "fsync=off", *more]
        with open(self.place / f"{name}.log", "wb") as log:
            self.servers.append(subprocess.Popen(
                [*self.before, self.programs / "postgres", "-D", self.place / name, *(word for option in options for word in ("-c", option))],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True))

    def wait(self, name, words, seconds=60):
        end = time.monotonic() + seconds
        while words not in (self.place / f"{name}.log").read_text():
            if time.monotonic() > end:
                raise Failure((self.place / f"{name}.log").read_text())
            time.sleep(0.05)

    def signal_standby(self, number):
        """To the standby and its children, each of which has a session of its own."""
        process = self.servers[1].pid
        children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
        for one in [process, *map(int, children)]:
            os.kill(one, number)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.signal_standby(signal.SIGCONT)
        for server in reversed(self.servers):
            server.send_signal(signal.SIGQUIT)
            server.wait()


def commits(payload, count):
    """What a frame's payload says (LogFormat)."""
    at = 0
    for _ in range(count):
        seq, _, entries, name, key = struct.unpack_from("<QQIHH", payload, at)
        at, changes = at + 24 + name + key, []
        for _ in range(entries):
            kind, type_, id_, length, _ = struct.unpack_from("<BBHII", payload, at)
            at += 12
            words = payload[at:at + type_ + id_]
            at += type_ + id_ + length
            changes.append((words[:type_].decode(), words[type_:].decode(), None if kind == 2 else payload[at - length:at]))
        yield seq, changes


class Cluster:
    """Servers a, b, c … over one engine; ends with the `with` block.

    A leader that a slow machine lets sleep for `takeover` is none any more: short where one is to be lost.
    `{name}` in a flag is the server's name.
    With `is_relayed` each goes to etcd, and the others to it, by links that can be cut: `doors` and `ways` are their ports.
    """

    def __init__(self, binary, engine, place, count=3, *flags, takeover="20s", names="abcdefgh", is_relayed=False):
        self.binary, self.engine, self.place = binary, engine, place
        self.names = names
        self.flags = [*flags, "--cluster-takeover", takeover]
        self.servers, self.ports = [None] * count, free_ports(count)
        self.doors, self.ways, self.links = self.ports, None, None
        if is_relayed:
            nodes = len(engine.clients)
            self.doors, *ways = (free_ports(count) for _ in range(nodes + 1))
            # Of each server: its ports to the nodes.
            self.ways = list(zip(*ways))
            self.links = Links([*zip(self.doors, self.ports), *(pair for own in self.ways for pair in zip(own, engine.clients))])
        for index in range(count):
            self.start(index)

    def folder(self, index):
        return self.place / f"{self.names[index]}{index}"

    def start(self, index):
        port, name = self.ports[index], self.names[index]
        log = f"etcd://{','.join(f'127.0.0.1:{way}' for way in self.ways[index])}/freshet" if self.ways else self.engine.url
        self.servers[index] = Server(
            self.binary, self.folder(index), "--cluster-log", log, "--replica", name,
            "--advertise", f"http://127.0.0.1:{self.doors[index]}",
            *(flag.replace("{name}", name) for flag in self.flags), port=port, settle=60)
        return self.servers[index]

    def add(self):
        """One more server, with an empty directory; answers its index."""
        self.ports += free_ports(1)
        self.servers.append(None)
        self.start(len(self.servers) - 1)
        return len(self.servers) - 1

    def restart(self, index):
        """Starts a server that has ended on its port again."""
        self.servers[index].forget()
        return self.start(index)

    def state(self, index):
        return self.servers[index].get("/v1/_cluster").json

    def leader(self, but=None, seconds=30):
        """The index of the server that leads, as it says itself."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for index, server in enumerate(self.servers):
                if index != but and server.alive() and self.state(index)["self"]["role"] == "leader":
                    return index
            time.sleep(0.05)
        raise Failure(f"nobody leads within {seconds} s")

    def others(self, but):
        """The servers that do not lead, beside the one of that index."""
        return [server for index, server in enumerate(self.servers) if index != but and server.alive()]

    def hand_over(self):
        """The next server leads. Answers the indices of the old leader and of the new one."""
        old = self.leader()
        to = (old + 1) % len(self.servers)
        soon(lambda: self.servers[old].ask("POST", f"/v1/_cluster/step-down?to={'abcdefgh'[to]}").status == 200, "the hand-over", 60)
        same(self.leader(but=old), to, "who leads")
        return old, to

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for server in self.servers:
            if server:
                server.signal(signal.SIGCONT) if server.alive() else None
                server.forget()
        if self.links:
            self.links.__exit__()
