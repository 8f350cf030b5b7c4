"""Servers over one log: etcd or PostgreSQL on loopback, and what is started over it."""
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
import uuid

from harness import Failure, Server, check, same, send, soon
from links import Links
from ports import free_ports
from store_reader import crc


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
    """The answer to a write that is sent again while a lead changes. What became of it is not known where it was under
    way then, so it bears a key, and the repetition gives the first answer."""
    end = time.monotonic() + seconds
    key = {"Idempotency-Key": uuid.uuid4().hex}
    while True:
        answer = server.ask("PUT", path, body, key)
        under_way = answer.status == 409 and answer.json["code"] == "idempotency-in-progress"
        if not (under_way or answer.status == 503) or time.monotonic() >= end:
            return answer
        if not under_way:
            check(answer.json["outcome"] in ("not-applied", "unknown"), f"{answer.body}")
        time.sleep(0.02)


class Engine:
    """Nodes of etcd with their data in `place`; ends with the `with` block.

    With `is_relayed` they go to each other by links that can be cut: `doors` are the ports that lead to each.
    """

    def __init__(self, place, count=1, flags=(), is_relayed=False):
        self.flags = flags
        self.program = shutil.which("etcd")
        if not self.program:
            raise Failure("etcd is not installed: apt-get install etcd-server")
        self.place, ports = place, free_ports(2 * count)
        self.clients, self.peers = ports[:count], ports[count:]
        self.doors, self.links = self.peers, None
        if is_relayed:
            self.doors = free_ports(count)
            self.links = Links(zip(self.doors, self.peers))
        self.nodes = [None] * count
        for index in range(count):
            self.start(index)
        self.wait()

    def url_over(self, ports):
        """The log's URL over these ports, one of each node."""
        return "etcd://" + ",".join(f"127.0.0.1:{port}" for port in ports) + "/freshet"

    @property
    def url(self):
        return self.url_over(self.clients)

    def start(self, index):
        name, client, peer = f"n{index}", self.clients[index], self.peers[index]
        everybody = ",".join(f"n{at}=http://127.0.0.1:{port}" for at, port in enumerate(self.doors))
        log = open(self.place / f"{name}.log", "ab")
        self.nodes[index] = subprocess.Popen(
            [self.program, "--name", name, "--data-dir", self.place / name, "--log-level", "error",
             "--listen-client-urls", f"http://127.0.0.1:{client}", "--advertise-client-urls", f"http://127.0.0.1:{client}",
             "--listen-peer-urls", f"http://127.0.0.1:{peer}", "--initial-advertise-peer-urls", f"http://127.0.0.1:{self.doors[index]}",
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
        """Each commit of the log, read from etcd by the layout alone."""
        encoded = lambda text: base64.b64encode(text).decode()
        head = self.answer(self.leader(), "/v3/kv/range", {"key": encoded(b"freshet/head")})["kvs"][0]["value"]
        at, frames = b"freshet/log/", []
        while at:
            answer = self.answer(self.leader(), "/v3/kv/range", {
                "key": encoded(at), "range_end": encoded(b"freshet/log0"), "limit": 500})
            for each in answer.get("kvs", []):
                key, frame = base64.b64decode(each["key"]), base64.b64decode(each["value"])
                check(key.endswith(b"%016x" % struct.unpack_from("<Q", frame, 8)), f"the record {key}")
                frames.append(frame)
            at = key + b"\0" if answer.get("more") else None
        return linked(json.loads(base64.b64decode(head)), frames)

    def kill(self, index):
        self.nodes[index].kill()
        self.nodes[index].wait()

    def signal(self, number, nodes=None):
        for index in range(len(self.nodes)) if nodes is None else nodes:
            send(self.nodes[index].pid, number)

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
        if self.links:
            self.links.__exit__()


class Postgres:
    """A primary and the standby that it waits for, with their data in `place`; ends with the `with` block."""

    def __init__(self, place, count=2):
        same(count, 2, "servers of PostgreSQL")
        self.place, self.clients = place / "postgres", free_ports(count)
        programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))
        if not programs:
            raise Failure("PostgreSQL is not installed: apt-get install postgresql")
        # The index of the primary, and how often there was another one.
        self.programs, self.nodes, self.primary, self.turns = programs[-1], [None] * count, 0, 0
        self.place.mkdir()
        # It refuses to run as root.
        self.before = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        if self.before:
            shutil.chown(self.place, "postgres")
            for folder in [*reversed(self.place.parents)][2:]:
                folder.chmod(0o755)
        self.run("initdb", "-D", self.data(0), "-U", "postgres", "-A", "trust", "--no-sync")
        self.start(0)
        self.wait(0, "ready to accept connections")
        self.follow(1)

    def data(self, index):
        return self.place / f"n{index}"

    def url_over(self, ports):
        """The log's URL over these ports, one of each server."""
        return f"postgres://postgres@{','.join(f'127.0.0.1:{port}' for port in ports)}/postgres?target_session_attrs=read-write"

    @property
    def url(self):
        return self.url_over(self.clients)

    def run(self, program, *words):
        return subprocess.run([*self.before, self.programs / program, *words], check=True, capture_output=True, text=True, cwd=self.place).stdout

    def start(self, index):
        # Each would wait for a standby, once it is the primary.
        options = ["listen_addresses=127.0.0.1", f"port={self.clients[index]}", "unix_socket_directories=", "fsync=off", "synchronous_standby_names=*"]
        with open(self.place / f"n{index}.log", "wb") as log:
            self.nodes[index] = subprocess.Popen(
                [*self.before, self.programs / "postgres", "-D", self.data(index), *(word for option in options for word in ("-c", option))],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def follow(self, index):
        """Makes a standby of the primary, with nothing of what it had."""
        shutil.rmtree(self.data(index), ignore_errors=True)
        self.run("pg_basebackup", "-D", self.data(index), "-R", "--no-sync", "-c", "fast", "-h", "127.0.0.1", "-p", str(self.clients[self.primary]), "-U", "postgres")
        self.start(index)
        self.wait(index, "started streaming WAL")

    def fail_over(self):
        """The primary is lost, power and disk; the standby takes its place, and gets a standby of its own."""
        lost = self.primary
        self.kill(lost)
        self.primary, self.turns = 1 - lost, self.turns + 1
        self.run("pg_ctl", "promote", "-D", self.data(self.primary))
        self.follow(lost)

    def leader(self):
        return self.primary

    def wait(self, index, words, seconds=60):
        end = time.monotonic() + seconds
        while words not in (self.place / f"n{index}.log").read_text():
            if time.monotonic() > end:
                raise Failure((self.place / f"n{index}.log").read_text())
            time.sleep(0.05)

    def signal(self, number, nodes=None):
        """To servers and their children, each of which has a session of its own."""
        for index in range(len(self.nodes)) if nodes is None else nodes:
            process = self.nodes[index].pid
            children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
            for one in [process, *map(int, children)]:
                send(one, number)

    def kill(self, index):
        self.signal(signal.SIGKILL, [index])
        self.nodes[index].wait()

    def ask(self, statement):
        return self.run(
            "psql", "-X", "-A", "-t", "-h", "127.0.0.1", "-p", str(self.clients[self.primary]), "-U", "postgres", "-c", statement).split()

    def end_sessions(self):
        """Closes all connections of clients, as an operator does, with a word of why."""
        self.ask("select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()")

    def commits(self):
        """Each commit of the log, as those of etcd are."""
        [head] = self.ask("select encode(value, 'hex') from freshet.head")
        check(self.ask("select count(*) from freshet.log where record <> ''") == ["0"], "a record has parts")
        return linked(json.loads(bytes.fromhex(head)), map(bytes.fromhex, self.ask("select encode(bytes, 'hex') from freshet.log order by seq")))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.signal(signal.SIGCONT)
        for node in reversed(self.nodes):
            node.send_signal(signal.SIGQUIT)
            node.wait()


def linked(head, frames):
    """Each commit of whole frames in order: (seq, [(type, id, entity or None)]).

    Fails where a frame is missing or does not follow the one before.
    """
    cluster, found = head["cluster"], []
    chain = seed = crc(struct.pack("<QQ", int(cluster[:16], 16), int(cluster[16:], 16)))
    for frame in frames:
        magic, _, _, first, count = struct.unpack_from("<4sHHQI", frame)
        before, payload, parts = struct.unpack_from("<IIH", frame, 48)
        check(magic == b"FRS1" and parts == 1, f"the record of seq {first}")
        check(before == chain and len(found) + 1 == first, f"the frame of seq {first} does not follow")
        chain = crc(struct.pack("<I", before) + frame[60:64] + struct.pack("<I", payload), seed)
        found += commits(frame[64:], count)
    return found


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
    `settle` is how many seconds a start may take.
    With `is_relayed` each goes to the engine, and the others to it, by links that can be cut: `doors` and `ways` are their ports.
    """

    def __init__(self, binary, engine, place, count=3, *flags, takeover="20s", names="abcdefgh", is_relayed=False, settle=60):
        self.binary, self.engine, self.place, self.settle = binary, engine, place, settle
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
        self.servers[index] = Server(
            self.binary, self.folder(index), "--cluster-log", self.engine.url_over(self.ways[index] if self.ways and index < len(self.ways) else self.engine.clients), "--replica", name,
            "--advertise", f"http://127.0.0.1:{self.doors[index]}",
            *(flag.replace("{name}", name) for flag in self.flags), port=port, settle=self.settle)
        return self.servers[index]

    def add(self):
        """One more server, with an empty directory and without links; answers its index."""
        self.ports += free_ports(1)
        if self.doors is not self.ports:
            self.doors.append(self.ports[-1])
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
