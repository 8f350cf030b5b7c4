"""What the benchmarks share: servers on CPU 0 with their CPU time and memory, and the rows of the table."""
import collections
import contextlib
import os
import pathlib
import re
import socket
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "BlackBox"))
from ports import free_ports  # noqa: E402

TICK = os.sysconf("SC_CLK_TCK")
running = []
notes = []
rows = []


def say(text):
    print(text, flush=True)


def pinned(cpu, *call):
    return ["taskset", "-c", str(cpu), *map(str, call)]


def free_port():
    return free_ports(1)[0]


class Server:
    """A process on CPU 0 that listens on a port of loopback."""

    def __init__(self, call, port=None, announced=None, seconds=30, environment=None):
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            pinned(0, *call), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE if announced else subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "SWIFT_BACKTRACE": "enable=no", **(environment or {})})
        running.append(self)
        self.port = port
        if announced:
            line = self.process.stdout.readline().decode()
            found = re.search(announced, line)
            if not found:
                raise SystemExit(f"{call[0]} did not start: {line!r}")
            self.port = int(found.group(1))
        self.wait(seconds)
        self.ready_after = time.monotonic() - self.started
        self.url = f"http://127.0.0.1:{self.port}"

    def wait(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.005)
        raise SystemExit(f"{self.process.args} does not listen")

    def tree(self):
        """The process and its descendants."""
        parents = collections.defaultdict(list)
        for name in os.listdir("/proc"):
            if name.isdigit():
                with contextlib.suppress(OSError):
                    parents[int(pathlib.Path(f"/proc/{name}/stat").read_text().rsplit(")", 1)[1].split()[1])].append(int(name))
        found, pending = [], [self.process.pid]
        while pending:
            process = pending.pop()
            found.append(process)
            pending += parents[process]
        return found

    def cpu(self):
        """CPU seconds of the tree so far."""
        total = 0
        for process in self.tree():
            with contextlib.suppress(OSError):
                fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
                total += int(fields[11]) + int(fields[12])
        return total / TICK

    def memory(self):
        """Resident bytes of the tree."""
        total = 0
        for process in self.tree():
            with contextlib.suppress(OSError):
                for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
                    if line.startswith("VmRSS:"):
                        total += int(line.split()[1]) * 1024
        return total

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self in running:
            running.remove(self)


def milliseconds(text, name):
    found = re.search(rf"\s{name}\s+([\d.]+)(us|ms|s)\b", text)
    return float(found.group(1)) * {"us": 0.001, "ms": 1, "s": 1000}[found.group(2)]


def ratio(bar, limit, figure, detail, least=True):
    good = figure >= limit if least else figure <= limit
    rows.append((bar, f"{'≥' if least else '≤'} {limit} ×", f"{figure:.2f} × ({detail})", good))


def plain(bar, limit, figure, good):
    rows.append((bar, limit, figure, good))
