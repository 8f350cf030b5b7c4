"""One headless Chromium, driven over its debugging pipe. Standard library only.

A case of this folder (`case` below) ends with the checks that hold for all of them: no exception, no
message on the console, no violation of the content security policy and no request to another origin,
in pages and in workers. What the browser itself says of failed requests is let pass for the statuses
that the case names, "lost" among them where connections are lost on purpose.
"""
import base64
import fcntl
import functools
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import tempfile
import time
import urllib.parse

import harness
from harness import Failure, check, short

_browser = None


def browser():
    """The browser of all cases that need no other."""
    global _browser
    _browser = _browser or Browser()
    return _browser


def end():
    if _browser:
        _browser.end()


def case(name, *passes, elsewhere=False, long=False):
    """A case whose end is checked.

    `passes`: statuses of failed requests that the case causes. `elsewhere`: its pages ask other
    origins. `long`: only `.ci/run long` runs it.
    """
    def declare(run):
        @functools.wraps(run)
        def checked(context):
            browser().begin()
            try:
                run(context)
                browser().check_clean(passes, elsewhere)
            finally:
                browser().close_pages()
        if long and not os.environ.get("FRESHET_LONG_TESTS"):
            return run
        return harness.case(name)(checked)
    return declare


def refusing(url, status, **problem):
    """A script for pages without shared workers: their session refuses the query whose URL begins so."""
    answer = json.dumps({"status": status, **problem})
    return """delete globalThis.SharedWorker;
        globalThis.refusals = 0;
        const asked = globalThis.fetch;
        globalThis.fetch = (address, options = {}) => {
            const queries = String(address).includes('/v1/_live') && options.method !== 'DELETE' && options.body ? JSON.parse(options.body).queries : {};
            const [q] = Object.entries(queries).find(([, one]) => one?.startsWith(%s)) ?? [];
            if (q === undefined) return asked(address, options);
            refusals++;
            return Promise.resolve(new Response(JSON.stringify({ ...%s, q }), { status: %d, headers: { 'Content-Type': 'application/problem+json' } }));
        };""" % (json.dumps(url), answer, status)


def origin(url):
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


class Browser:
    """The browser's process and its pipe: messages are JSON texts that end with a zero byte."""

    def __init__(self, *flags):
        program = os.environ.get("FRESHET_BROWSER") or shutil.which("chromium")
        if not program:
            raise Failure("there is no chromium; FRESHET_BROWSER may name one")
        self._start(program, flags)
        self.version = self.call("Browser.getVersion", seconds=60)["product"]
        self.call("Target.setAutoAttach", {
            "autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True})

    def _start(self, program, flags):
        self.profile = tempfile.mkdtemp(prefix="freshet-browser-")
        ends_in, self._out = os.pipe()
        self._in, ends_out = os.pipe()
        flags = ["--headless", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
                 "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
                 "--disable-backgrounding-occluded-windows", "--js-flags=--expose-gc",
                 "--remote-debugging-pipe", f"--user-data-dir={self.profile}", *flags]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        # The browser reads its commands from descriptor 3 and answers on 4. Moved from high numbers, so
        # that neither takes the other's place; a plain sh refuses numbers of two digits.
        theirs = [fcntl.fcntl(one, fcntl.F_DUPFD, 10) for one in (ends_in, ends_out)]
        self.process = subprocess.Popen(
            ["bash", "-c", 'exec "$@" 3<&%d 4>&%d %d<&- %d>&-' % (*theirs, *theirs), "bash", program, *flags,
             "about:blank"],
            pass_fds=theirs, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for one in (ends_in, ends_out, *theirs):
            os.close(one)
        self._buffer, self._count = b"", 0
        self._sessions = {}  # target → session
        self._kinds = {}  # session → kind of its target, while it is attached
        self._answers = {}  # session → what answers its intercepted requests
        self.pages = []
        self.begin()

    # What every case ends with -----------------------------------------------------------------

    def begin(self):
        self._old = set(self._sessions.values())  # what ends late is the case's before this one
        self.faults = []  # exceptions that nothing caught, and messages on the console
        self.network = []  # what the browser says of failed requests
        self.elsewhere = []  # requests to other origins
        self.requests = []  # (url, session), in order

    def check_clean(self, passes=(), elsewhere=False):
        """What all cases end with; `passes` are statuses of failed requests."""
        self.call("Browser.getVersion")
        check(not self.faults, f"the pages were not silent: {self.faults}")
        for line in self.network:
            status = re.search(r"status of (\d+)|net::(ERR_\w+)", line)
            told = status and (int(status[1]) if status[1] else "lost")
            check(told in passes, f"a request has failed: {line}")
        check(elsewhere or not self.elsewhere, f"requests to other origins: {self.elsewhere}")

    def _event(self, method, parameters, session):
        if method == "Target.attachedToTarget":
            return self._attached(parameters)
        if method == "Target.detachedFromTarget":
            return self._kinds.pop(parameters["sessionId"], None)
        if session in self._old:
            return
        if method == "Runtime.exceptionThrown":
            self.faults.append(short(parameters["exceptionDetails"], 900))
        elif method == "Runtime.consoleAPICalled":
            told = [one.get("value", one.get("description")) for one in parameters["args"]]
            self.faults.append(f"console.{parameters['type']}: {short(told)}")
        elif method == "Log.entryAdded":
            entry = parameters["entry"]
            line = f"{entry['source']}: {entry['text']} {entry.get('url', '')}"
            if "blocked by CORS policy" in line:
                self.elsewhere.append(line)
                return
            (self.network if entry["source"] == "network" else self.faults).append(line)
        elif method == "Audits.issueAdded":
            issue = parameters["issue"]
            if "contentSecurityPolicy" in issue["code"] or "ContentSecurityPolicy" in issue["code"]:
                self.faults.append(f"the policy is violated: {short(issue['details'], 600)}")
        elif method == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            self.requests.append((url, session))
            page = parameters.get("documentURL") or url
            if url.startswith(("http:", "https:")) and page.startswith("http") and origin(url) != origin(page):
                self.elsewhere.append(url)
        elif method == "Fetch.requestPaused":
            self._paused(parameters, session)

    def _attached(self, parameters):
        session, target = parameters["sessionId"], parameters["targetInfo"]
        self._sessions[target["targetId"]] = session
        self._kinds[session] = target["type"]
        self.send("Runtime.enable", {}, session)
        self.send("Log.enable", {}, session)
        self.send("Network.enable", {}, session)
        if target["type"] == "page":
            self.send("Page.enable", {}, session)
            self.send("Audits.enable", {}, session)
        self.send("Target.setAutoAttach", {
            "autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}, session)
        self.send("Runtime.runIfWaitingForDebugger", {}, session)

    def _paused(self, parameters, session):
        request = {"requestId": parameters["requestId"]}
        for pattern, answer in self._answers.get(session, []):
            if not re.search(pattern, parameters["request"]["url"]):
                continue
            if answer is None:
                return self.send("Fetch.failRequest", {**request, "errorReason": "ConnectionRefused"}, session)
            status, body, headers = answer
            text = body if isinstance(body, str) else json.dumps(body)
            return self.send("Fetch.fulfillRequest", {
                **request, "responseCode": status, "body": base64.b64encode(text.encode()).decode(),
                "responseHeaders": [{"name": name, "value": value} for name, value in headers.items()]}, session)
        self.send("Fetch.continueRequest", request, session)

    # The pipe ------------------------------------------------------------------------------------

    def send(self, method, parameters=None, session=None):
        """One command whose result nobody waits for; answers its number."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        return self._count

    def call(self, method, parameters=None, session=None, seconds=60):
        """One command; answers its result."""
        number = self.send(method, parameters, session)
        end = time.monotonic() + seconds
        while True:
            answer = self._next(end, method)
            if answer.get("id") == number:
                if "error" in answer:
                    raise Failure(f"{method}: {short(answer['error'])}")
                return answer["result"]
            if "method" in answer:
                self._event(answer["method"], answer.get("params", {}), answer.get("sessionId"))

    def _next(self, end, method):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], max(0, end - time.monotonic()))
            check(ready, f"the browser did not answer {method}")
            more = os.read(self._in, 1 << 16)
            check(more, f"the browser ended; it was asked {method}")
            self._buffer += more
        text, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(text)

    def open(self, url, before=None):
        """A tab; `before` is a script that runs in front of those of its pages."""
        return Page(self, url, before)

    def close_pages(self):
        """What a case that has failed leaves open."""
        for page in list(self.pages):
            page.close()

    def session_of(self, target):
        harness.soon(lambda: self.call("Browser.getVersion") and target in self._sessions, "the session of a tab")
        return self._sessions[target]

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


# Keys that are no characters: their code, number and text.
KEYS = {"Enter": ("Enter", 13, "\r"), "Tab": ("Tab", 9, ""), "Escape": ("Escape", 27, ""),
        "Backspace": ("Backspace", 8, ""), "Delete": ("Delete", 46, ""), "Home": ("Home", 36, ""),
        "End": ("End", 35, ""), "ArrowLeft": ("ArrowLeft", 37, ""), "ArrowUp": ("ArrowUp", 38, ""),
        "ArrowRight": ("ArrowRight", 39, ""), "ArrowDown": ("ArrowDown", 40, ""), " ": ("Space", 32, " ")}
MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}
# What a page says where a script reads of an element that it has not drawn.
NOT_DRAWN = "Cannot read properties of null"


class Page:
    """A tab. Closes with its `with` block."""

    def __init__(self, browser, url, before=None):
        self.browser = browser
        self.target = browser.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        browser.pages.append(self)
        self.session = browser.session_of(self.target)
        if before:
            self.call("Page.addScriptToEvaluateOnNewDocument", {"source": before})
        self.go(url)

    def call(self, method, parameters=None):
        return self.browser.call(method, parameters, self.session)

    def go(self, url):
        """Opens an address and waits for its document."""
        self.call("Page.navigate", {"url": url})
        self.until(f"document.readyState === 'complete' && (location.href !== 'about:blank' || {json.dumps(url)}.startsWith('about:'))")

    def run(self, script, seconds=10):
        """The value of an expression; a promise is awaited, and so is an element that is not drawn yet, which reads as null."""
        end = time.monotonic() + seconds
        while True:
            try:
                return self.once(script)
            except Failure as failure:
                if NOT_DRAWN not in str(failure) or time.monotonic() > end:
                    raise
            time.sleep(0.02)

    def once(self, script):
        answer = self.call("Runtime.evaluate", {
            "expression": script, "awaitPromise": True, "returnByValue": True, "userGesture": True})
        if "exceptionDetails" in answer:
            raise Failure(f"in the page: {short(answer['exceptionDetails'], 600)}")
        return answer["result"].get("value")

    def until(self, condition, seconds=30, shows="null"):
        """Waits until an expression is true; a failure tells what `shows` is instead."""
        def holds():
            try:
                return self.once(condition)
            except Failure as failure:
                # Between two documents there is nothing that could hold, nor of what is not drawn yet.
                if "navigated or closed" in str(failure) or NOT_DRAWN in str(failure):
                    return False
                raise

        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                try:
                    instead = short(self.run(shows), 800)
                except Failure as failure:
                    instead = str(failure)
                raise Failure(f"never true: {condition}; instead {instead}")
            time.sleep(0.02)

    # What a person does --------------------------------------------------------------------------

    def press(self, keys):
        """One key, with modifiers before it: `Enter`, `Control+s`, `Shift+Tab`, `?`."""
        *held, key = keys.split("+") if len(keys) > 1 else [keys]
        modifiers = sum(MODIFIERS[name] for name in held)
        if key in KEYS:
            code, number, text = KEYS[key]
        else:
            code, number, text = (f"Key{key.upper()}" if key.isalpha() else ""), ord(key.upper()) if key.isalnum() else 0, key
        if modifiers & 7:
            text = ""
        event = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": modifiers}
        self.call("Input.dispatchKeyEvent", {"type": "keyDown" if text else "rawKeyDown", **event, **({"text": text} if text else {})})
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", **event})

    def type(self, text):
        """Text into what has the focus, as by a keyboard's input method."""
        self.call("Input.insertText", {"text": text})

    def focused(self):
        """What has the focus, by its `data-test`, else its name or text."""
        return self.run("(({dataset, ariaLabel, textContent, name}) => dataset.test ?? ariaLabel ?? (name || textContent))(document.activeElement)")

    def text(self, test):
        """The text of the first element with this `data-test`."""
        return self.run(f"document.querySelector('[data-test=\"{test}\"]')?.textContent ?? null")

    def click(self, test):
        self.run(f"document.querySelector('[data-test=\"{test}\"]').click()")

    # What the browser is -------------------------------------------------------------------------

    def look(self, theme="light", width=1280, height=800, scale=1, reduced=False, forced=False):
        """The theme, the size and what the reader has set."""
        self.call("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": theme},
            {"name": "prefers-reduced-motion", "value": "reduce" if reduced else "no-preference"},
            {"name": "forced-colors", "value": "active" if forced else "none"}]})
        self.call("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 500})
        # What still flashes has the colours of the theme before.
        self.run("document.getAnimations().forEach((one) => one.finish())")

    def shoot(self, path):
        """A picture of the window as PNG."""
        data = self.call("Page.captureScreenshot", {"format": "png"})["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def answer(self, *answers, session=None):
        """Answers requests whose address a pattern finds: `(pattern, (status, body, headers))`, or
        `(pattern, None)` for one that is never answered. Without any, the server answers again."""
        session = session or self.session
        self.browser._answers[session] = answers
        if answers:
            self.browser.call("Fetch.enable", {}, session)
        else:
            self.browser.call("Fetch.disable", {}, session)

    def close(self):
        if self in self.browser.pages:
            self.browser.pages.remove(self)
            self.browser.call("Target.closeTarget", {"targetId": self.target})
            # A server that ends next is not to be missed by what the page leaves behind for a moment.
            harness.soon(self._is_gone, "the end of a tab and its workers")

    def _is_gone(self):
        self.browser.call("Browser.getVersion")  # what has happened so far is read
        kinds = self.browser._kinds
        return self.session not in kinds and (self.browser.pages or "shared_worker" not in kinds.values())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
