"""One headless Chromium, driven over its debugging pipe. Standard library only."""
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

from harness import Failure, check, short


class Browser:
    """The browser's process and its pipe: messages are JSON texts that end with a zero byte."""

    def __init__(self):
        program = os.environ.get("FRESHET_BROWSER") or shutil.which("chromium")
        if not program:
            raise Failure("there is no chromium; FRESHET_BROWSER may name one")
        self.profile = tempfile.mkdtemp(prefix="freshet-browser-")
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        flags = ["--headless", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
                 "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
                 "--remote-debugging-pipe", f"--user-data-dir={self.profile}"]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        # The browser reads its commands from descriptor 3 and answers on 4.
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', "sh", program, *flags,
             "about:blank"],
            pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self._buffer, self._count = b"", 0
        self.faults = []  # exceptions that no page caught
        self.version = self.call("Browser.getVersion", seconds=60)["product"]

    def call(self, method, parameters=None, session=None, seconds=30):
        """One command; answers its result."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + seconds
        while True:
            answer = self._next(end, method)
            if answer.get("id") == message["id"]:
                if "error" in answer:
                    raise Failure(f"{method}: {short(answer['error'])}")
                return answer["result"]
            if answer.get("method") == "Runtime.exceptionThrown":
                self.faults.append(short(answer["params"]["exceptionDetails"], 600))

    def _next(self, end, method):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0, end - time.monotonic()))
            check(ready, f"the browser did not answer {method}")
            more = os.read(self._in, 1 << 16)
            check(more, f"the browser ended; it was asked {method}")
            self._buffer += more
        text, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(text)

    def open(self, url):
        return Page(self, url)

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self._in)
        os.close(self._out)
        shutil.rmtree(self.profile, ignore_errors=True)


class Page:
    """A tab. Closes with its `with` block."""

    def __init__(self, browser, url):
        self.browser = browser
        self.target = browser.call("Target.createTarget", {"url": url})["targetId"]
        self.session = browser.call(
            "Target.attachToTarget", {"targetId": self.target, "flatten": True})["sessionId"]
        self.call("Runtime.enable")
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def call(self, method, parameters=None):
        return self.browser.call(method, parameters, self.session)

    def run(self, script):
        """The value of an expression; a promise is awaited."""
        answer = self.call("Runtime.evaluate", {
            "expression": script, "awaitPromise": True, "returnByValue": True})
        if "exceptionDetails" in answer:
            raise Failure(f"in the page: {short(answer['exceptionDetails'], 600)}")
        return answer["result"].get("value")

    def until(self, condition, seconds=20, shows="null"):
        """Waits until an expression is true; a failure tells what `shows` is instead."""
        end = time.monotonic() + seconds
        while not self.run(condition):
            if time.monotonic() > end:
                raise Failure(f"never true: {condition}; instead {short(self.run(shows), 800)}")
            time.sleep(0.02)

    def close(self):
        self.browser.call("Target.closeTarget", {"targetId": self.target})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
