"""Links that can be cut: a process of one thread that passes bytes on from port to port, or does not.

Usage: links.py PORT:TARGET…     and orders on standard input, each answered by a line:

    hold PORT…     nothing is passed on any more, and whoever connects hears nothing
    close PORT…    connections end, and whoever connects is turned away
    shut PORT…     connections end, and whoever connects gets no answer at all, as behind a firewall
    pass PORT…     as before
"""
import contextlib
import selectors
import socket
import struct
import subprocess
import sys

LIMIT = 256 << 10
BACKLOG = 256


class End:
    """One end of a connection that is passed on."""

    def __init__(self, link, own):
        self.link, self.own, self.out, self.has_ended, self.is_shut = link, own, bytearray(), False, False
        own.setblocking(False)

    def interest(self):
        if self.link.order != "pass":
            return 0
        reads = not self.has_ended and len(self.other.out) < LIMIT
        return (selectors.EVENT_READ if reads else 0) | (selectors.EVENT_WRITE if self.out else 0)

    def act(self, mask):
        if mask & selectors.EVENT_READ:
            bytes_ = self.own.recv(65536)
            self.other.out += bytes_
            self.has_ended = not bytes_
        if mask & selectors.EVENT_WRITE:
            del self.out[:self.own.send(self.out)]
        for end in (self, self.other):
            if end.other.has_ended and not end.out and not end.is_shut:
                end.own.shutdown(socket.SHUT_WR)
                end.is_shut = True


class Link:
    def __init__(self, selector, port, target):
        self.selector, self.target, self.order, self.ends = selector, target, "pass", set()
        self.door = socket.create_server(("127.0.0.1", port), backlog=BACKLOG)
        self.crowd = []
        self.door.setblocking(False)
        self.watch(self.door, self, selectors.EVENT_READ)

    def watch(self, place, who, interest):
        known = place in self.selector.get_map()
        if interest and known:
            self.selector.modify(place, interest, who)
        elif interest:
            self.selector.register(place, interest, who)
        elif known:
            self.selector.unregister(place)

    def act(self, _):
        """Somebody connects."""
        own, _ = self.door.accept()
        if self.order == "close":
            # Reset: a close that tells.
            own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            own.close()
            return
        try:
            far = socket.create_connection(("127.0.0.1", self.target), 1)
        except OSError:
            own.close()
            return
        ends = End(self, own), End(self, far)
        for end, other in (ends, ends[::-1]):
            end.other = other
            end.own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.ends.add(end)
        for end in ends:
            self.watch(end.own, end, end.interest())

    def pump(self, end, mask):
        try:
            end.act(mask)
            is_over = end.is_shut and end.other.is_shut
        except OSError:
            is_over = True
        for one in (end, end.other):
            self.watch(one.own, one, 0 if is_over else one.interest())
            if is_over:
                self.ends.discard(one)
                one.own.close()

    def take(self, order):
        self.order = order
        self.watch(self.door, self, 0 if order in ("hold", "shut") else selectors.EVENT_READ)
        self.fill(order == "shut")
        for end in list(self.ends):
            if order in ("close", "shut"):
                self.watch(end.own, end, 0)
                self.ends.discard(end)
                end.own.close()
            else:
                self.watch(end.own, end, end.interest())

    def fill(self, is_full):
        """Where nobody is accepted and the queue is full, the kernel answers nobody."""
        self.door.listen(0 if is_full else BACKLOG)
        for one in self.crowd:
            one.close()
        self.crowd = [socket.socket() for _ in range(4 if is_full else 0)]
        for one in self.crowd:
            one.setblocking(False)
            one.connect_ex(self.door.getsockname())


def serve(pairs):
    selector = selectors.DefaultSelector()
    links = {}
    for pair in pairs:
        port, target = map(int, pair.split(":"))
        links[port] = Link(selector, port, target)
    selector.register(sys.stdin, selectors.EVENT_READ)
    print("ready", flush=True)
    while True:
        for key, mask in selector.select():
            if key.fileobj is sys.stdin:
                order, *ports = sys.stdin.readline().split() or [None]
                if order is None:
                    return
                for port in ports:
                    links[int(port)].take(order)
                print("done", flush=True)
            elif isinstance(key.data, Link):
                with contextlib.suppress(OSError):
                    key.data.act(mask)
            # Another event of this round may have ended it.
            elif key.data in key.data.link.ends:
                key.data.link.pump(key.data, mask)


class Links:
    """The process with its links; ends with the `with` block."""

    def __init__(self, pairs):
        self.process = subprocess.Popen(
            [sys.executable, __file__, *(f"{port}:{target}" for port, target in pairs)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n"

    def order(self, word, *ports):
        print(word, *ports, file=self.process.stdin, flush=True)
        assert self.process.stdout.readline() == "done\n"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


if __name__ == "__main__":
    serve(sys.argv[1:])
