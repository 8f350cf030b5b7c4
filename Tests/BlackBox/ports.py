"""Ports of loopback for programs that must be told theirs."""
import pathlib
import random
import socket

LOWEST = 10_000
# What this process has given out: none comes twice.
issued = set()


def free_ports(count):
    """Different ports that nobody has now, below those that the system gives to connections: a client
    that runs beside cannot take one before its program listens, or while it starts anew."""
    end = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    assert end > LOWEST + 1_000, f"connections have their ports from {end} on: there are too few below"
    held = []
    try:
        while len(held) < count:
            port = random.SystemRandom().randrange(LOWEST, end)
            if port in issued:
                continue
            issued.add(port)
            held.append(socket.socket())
            try:
                held[-1].bind(("127.0.0.1", port))
            except OSError:
                held.pop().close()
        return [place.getsockname()[1] for place in held]
    finally:
        for place in held:
            place.close()
