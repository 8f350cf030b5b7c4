"""The server under strace, which makes system calls fail or ends the process at one of them."""
import os
import pathlib
import shutil
import subprocess

from harness import Server

# What the store asks of the kernel to change a file or a directory.
CALLS = ("pwrite64", "fdatasync", "fsync", "ftruncate", "fallocate", "renameat", "unlinkat", "mkdirat")


def program():
    """The path of strace where it is there and may trace; else None."""
    path = shutil.which("strace")
    if not path:
        return None
    done = subprocess.run([path, "-o", os.devnull, "true"], capture_output=True)
    return path if done.returncode == 0 else None


class TracedServer(Server):
    """A server some of whose calls meet what `inject` says, in strace's words."""

    def __init__(self, binary, data, *flags, inject=(), report=None, settle=20):
        rules = [f"trace={','.join(CALLS)}", *(f"inject={rule}" for rule in inject)]
        self.prefix = [program(), "-f", "-qq", "-o", str(report or os.devnull)]
        for rule in rules:
            self.prefix += ["-e", rule]
        super().__init__(binary, data, *flags, settle=settle)

    def signal(self, number):
        """To the program: strace keeps signals from itself, and ends with it."""
        strace = self.process.pid
        children = pathlib.Path(f"/proc/{strace}/task/{strace}/children").read_text().split()
        for child in children:
            os.kill(int(child), number)
