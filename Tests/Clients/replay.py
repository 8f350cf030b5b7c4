"""Every operation of the API description is done as its examples say, and answers as they say.

The examples of parameters and bodies are the requests, one after the other on one server; the
examples of answers are compared with what comes, up to ids, times and the like, and each header of
an answer is one that is described. `--write` writes what came into OpenAPI/openapi.json.
"""
import contextlib
import http.client
import json
import pathlib
import re
import sys
import time
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
DOCUMENT = ROOT / "OpenAPI/openapi.json"
sys.path.insert(0, str(ROOT / "Tests/Docs"))
from forms import normal  # noqa: E402

JSON, LINES, STREAM = "application/json", "application/x-ndjson", "text/event-stream"
MINIMAL = {"Prefer": "return=minimal"}
# Headers of HTTP itself and of a browser's safety, which the description leaves out.
COMMON = {
    "Connection", "Content-Length", "Content-Security-Policy", "Content-Type",
    "Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Date", "Referrer-Policy",
    "Transfer-Encoding", "X-Content-Type-Options"}
BOTH = {"type": "order", "target": "both"}


class Step:
    """A request by the examples of `operation`; what differs from them stands here.

    `until` is asked of the answer, which is waited for. `keeps` is what of an answer is kept by
    name, {name: member}, to be a parameter as `$name`. `whole` is false where the example is only
    how the answer begins; of JSON then only its schema is asked.
    """

    def __init__(self, operation, status=200, media=None, *, sends=None, body=None, keeps=None,
                 until=None, headers=None, whole=True, **parameters):
        self.operation, self.status, self.media = operation, status, media
        self.sends, self.body, self.keeps = sends, body, keeps or {}
        self.headers, self.whole, self.parameters = headers or {}, whole, parameters
        self.until = until


def tried(answer):
    """Each first write of an entity was tried, and waits with the others for the next time."""
    entries = answer.get("items", [answer])
    return all(entry["state"] == "pending" for entry in entries) and all(
        "nextAttemptAt" in entry for entry in entries if entry["operation"] == "create")


def ended(answer):
    return not answer["isLoading"]


HTML, TEXT, MARKDOWN = "text/html", "text/plain", "text/markdown"
KNOWN = {"If-None-Match": "$tag"}

# In the order in which they are done: what comes first makes what comes later.
STORY = [
    Step("setCredential"), Step("describeCredential"), Step("listUpstreams"),
    Step("setEntity", 201), Step("setEntity", 200), Step("setEntity", 204, headers=MINIMAL),
    Step("createEntity", 201),
    Step("createEntity", 201, body={"section": "games"}, headers=MINIMAL, media=""),
    Step("setEntities"), Step("setEntities", sends=LINES, whole=False),
    Step("setEntities", 204, headers=MINIMAL), Step("patchEntity"),
    Step("patchEntity", sends="application/merge-patch+json", whole=False),
    Step("patchEntity", 204, headers=MINIMAL), Step("batch"), Step("batch", 204, headers=MINIMAL),
    Step("importEntities"), Step("importEntities", sends=LINES, whole=False),
    Step("importEntities", 204, headers=MINIMAL), Step("getEntity"),
    Step("getEntity", 304, headers=KNOWN), Step("getEntity", 200, STREAM),
    Step("getEntity", 204, live="snapshot", wait=0, since="$cursor"), Step("headEntity", media=""),
    Step("headEntity", 304, headers=KNOWN),
    Step("headEntity", 204, live="snapshot", wait=0, since="$cursor"), Step("searchEntities"),
    Step("searchEntities", 304, headers=KNOWN), Step("searchEntities", 200, STREAM),
    Step("searchEntities", 204, live="snapshot", wait=0, since="$cursor"),
    Step("headEntities", media=""), Step("headEntities", 304, headers=KNOWN),
    Step("headEntities", 204, live="snapshot", wait=0, since="$cursor"),
    Step("queryEntities"), Step("queryEntities", 304, headers=KNOWN),
    Step("queryEntities", 200, STREAM),
    Step("queryEntities", 204, live="snapshot", wait=0, since="$cursor"),
    Step("searchEntitiesByBody"), Step("searchEntitiesByBody", 304, headers=KNOWN),
    Step("searchEntitiesByBody", 200, STREAM),
    Step("searchEntitiesByBody", 204, live="snapshot", wait=0, since="$cursor"),
    Step("watchSeveral", 200, STREAM), Step("watchSeveral", 200, JSON, q=None, whole=False),
    Step("createSession", 201, keeps={"session": "session"}),
    Step("changeSession", session="$session"),
    Step("watchSession", 200, STREAM, session="$session"),
    Step("endSession", 204, session="$session"), Step("listTypes"), Step("getRoot"),
    Step("getRoot", 200, HTML, whole=False), Step("getRoot", 304, headers=KNOWN, accept=HTML),
    Step("listDeclaredTypes"), Step("getDeclaredType"),
    Step("inferType"), Step("inferType", sample="=", whole=False), Step("describeCaller"),
    Step("checkAccess"), Step("searchTokens"), Step("getToken"), Step("describeStore", whole=False),
    Step("getEntity", matches="=", whole=False),
    Step("exportEntities", 200, LINES, whole=False), Step("listOperations"), Step("getOperation"),
    Step("getOperationDefinition"), Step("getUpstream"), Step("probeUpstream"), Step("searchSpecs"),
    Step("getSpec"), Step("forecastConditions"),
    Step("runOperation", 202), Step("getOperation", whole=False, until=ended),
    Step("runOperation", wait="1"), Step("getOperation", 200, STREAM),
    Step("getOperationSpecs"), Step("listRuns"), Step("fetchPages", 202),
    Step("getOperation", id="todo-pages", whole=False, until=ended),
    Step("fetchPages", wait="1"),
    Step("cancelOperation"), Step("invalidateOperation"), Step("switchOperation"),
    Step("resetOperation"), Step("removeOperation", 204), Step("showServiceSwitch"), Step("describeService", whole=False),
    Step("switchService"), Step("listConditions"), Step("setConditions"), Step("setCondition"),
    Step("showCondition"), Step("listConditions", 200, STREAM), Step("showCondition", 200, STREAM),
    Step("evaluateSpec"), Step("removeEntity", 204, id="go"), Step("removeEntities", ids="chess"),
    Step("removeEntities", 204, ids="chess", headers=MINIMAL), Step("removeEntitiesByBody"),
    Step("removeEntitiesByBody", 204, headers=MINIMAL), Step("compactStore", body=b""),
    Step("scrubStore", body=b""), Step("reopenStore", body=b""),
    Step("backupStore", 200, "application/octet-stream", whole=False),
    # From here on the outbox works beside the story.
    Step("createEntity", 202, **BOTH, wait=None),
    Step("setEntities", 202, **BOTH, body=[{"id": "5", "article": "paint"}]),
    Step("setEntity", 202, **BOTH, id="7", body={"article": "mower"}),
    Step("patchEntity", 202, **BOTH, id="7"),
    Step("batch", 202, target="both", body={"operations": [
        {"set": {"type": "order", "entity": {"id": "6", "article": "fins"}}}]}),
    Step("removeEntity", 202, **BOTH, id="7"), Step("removeEntities", 202, **BOTH, ids="5"),
    Step("removeEntitiesByBody", 202, **BOTH, body={"ids": ["6"]}),
    Step("listOutbox", keeps={"entry": "items.0.id"}, until=tried),
    Step("getOutboxEntry", id="$entry", until=tried), Step("retryOutboxEntry", id="$entry"),
    Step("getOutboxEntry", id="$entry", until=tried), Step("removeOutboxEntry", 204, id="$entry"),
    Step("removeCredential", 204), Step("livez"), Step("readyz"),
    Step("metrics", 200, TEXT, whole=False), Step("version"),
    Step("version", 304, headers=KNOWN), Step("openapi", whole=False),
    Step("openapi", 304, headers=KNOWN),
    Step("problems", 200, HTML, whole=False), Step("problems", 304, headers=KNOWN, accept=HTML),
    Step("problem", 200, HTML, whole=False), Step("problem", 200, TEXT, whole=False),
    Step("problem", 304, headers=KNOWN, accept=TEXT),
    Step("documentation", 200, HTML, whole=False),
    Step("documentation", 200, MARKDOWN, whole=False),
    Step("documentation", 304, headers=KNOWN, accept=MARKDOWN),
    Step("documentationPage", 200, HTML, whole=False),
    Step("documentationPage", 200, MARKDOWN, whole=False),
    Step("documentationPage", 304, headers=KNOWN, accept=MARKDOWN),
    Step("documentationPage", 200, "text/css", page="docs.css", whole=False),
    Step("documentationPage", 200, "application/yaml", page="alerts.yaml", whole=False),
    Step("documentationPage", 200, JSON, page="dashboard.json", whole=False),
    Step("documentationPage", 200, "image/svg+xml", page="growth.svg", whole=False),
]
SCRIPT = "text/javascript"
PAGES = {"documentationList": TEXT, "jsonModule": SCRIPT, "liveModule": SCRIPT,
         "reducerModule": SCRIPT, "sessionModule": SCRIPT, "clientModule": SCRIPT,
         "consoleModule": SCRIPT, "clientTypes": TEXT, "stylesheet": "text/css",
         "favicon": "image/svg+xml"}
for name, media in PAGES.items():
    STORY += [Step(name, 200, media, whole=False), Step(name, 304, headers=KNOWN)]
STORY += [Step("faviconOfOld", 308, ""), Step("livePageOfOld", 308, "")]

# Parameters of a search that need nothing beside them; the others of the description need a live
# query, a page before, or a remote, and stand in the story where they have an example.
ALONE = ["filter", "ids", "order", "offset", "limit", "fields", "count", "meta", "group",
         "aggregate", "distinct", "contract", "include", "depth", "explain"]


# These need servers over one log, or a stream that stays open; other tests ask them.
APART = {"describeCluster", "stepDown", "reportReplica", "closeStream", "getStream", "searchStreams"}
# Likewise, one answer of several.
APART_ANSWERS = {("reopenStore", "202"), ("createEntity", "200")}
# Lists of the server's own that can be watched, too, which tests of system types do.
WATCHED = {"getDeclaredType", "listDeclaredTypes", "getOutboxEntry", "listOutbox", "getOperation",
           "listOperations", "getSpec", "searchSpecs", "getToken", "searchTokens", "getUpstream",
           "listUpstreams", "listConditions", "showCondition"}


class Replay:
    def __init__(self, document, port, origin, check):
        self.document, self.port, self.check = document, port, check
        self.ports = {str(port): "8080", str(origin): "8081"}
        self.kept, self.written, self.seen = {}, set(), set()
        # Whether the outbox commits what it has tried, so that revisions differ.
        self.is_busy = False
        self.operations = {
            operation["operationId"]: (method.removeprefix("x-"), path, item, operation)
            for path, item in document["paths"].items() for method, operation in item.items()
            if isinstance(operation, dict)}

    def resolve(self, node):
        while "$ref" in node:
            found = self.document
            for part in node["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            node = {**found, **{k: v for k, v in node.items() if k != "$ref"}}
        return node

    # The request

    def target(self, step, path, item, operation):
        values, query, names = dict(step.parameters), [], set()
        for parameter in item.get("parameters", []) + operation.get("parameters", []):
            parameter = self.resolve(parameter)
            name = parameter["name"]
            names.add(name)
            example = parameter.get("example")
            if parameter["in"] == "path":
                value = values.pop(name, example)
                self.check(value is not None, f"{step.operation}: {name} has no example")
                path = path.replace(f"{{{name}}}", urllib.parse.quote(self.value(value), safe=""))
            elif parameter.get("explode"):
                if values.pop(name, example) is not None:
                    query += [(f"{name}.{key}", part) for key, part in example.items()]
            elif parameter["in"] == "query" and values.get(name) is not None:
                value = values.pop(name)
                query.append((name, self.value(example if value == "=" else value)))
        left = {name for name, value in values.items() if value is not None} - {"accept"}
        self.check(not left, f"{step.operation} has no parameters {left}")
        return path + ("?" + urllib.parse.urlencode(query) if query else "")

    def value(self, value):
        text = value if isinstance(value, str) else json.dumps(value)
        return self.kept[text[1:]] if text.startswith("$") else text

    def body(self, step, operation):
        contents = operation.get("requestBody", {}).get("content", {})
        media = step.sends or (JSON if JSON in contents else None)
        if step.body is not None:
            body = step.body
        elif not contents:
            return None, None
        else:
            body = self.example(contents[media])
            if body is None and not operation["requestBody"].get("required"):
                return None, None
            self.check(body is not None, f"{step.operation}: the body has no example")
        if not isinstance(body, (str, bytes)):
            body = json.dumps(body)
        return body if isinstance(body, bytes) else body.encode(), media

    def example(self, content):
        if "examples" in content:
            return next(iter(content["examples"].values()))["value"]
        return content.get("example", self.resolve(content.get("schema", {})).get("example"))

    def ask(self, method, target, body, media, headers, events):
        """The answer; of a stream its first `events`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        with contextlib.closing(connection):
            kind = {"Content-Type": media} if body and media else {}
            connection.request(method.upper(), target, body, {**kind, **headers})
            answer = connection.getresponse()
            if not (answer.getheader("Content-Type") or "").startswith(STREAM):
                return answer, answer.read()
            text, count = "", 0
            while count < events:
                line = answer.readline().decode()
                self.check(line, f"{target}: the stream has ended")
                text += "" if line.startswith((":", "retry:")) else line
                if line == "\n" and text.strip():
                    count += 1
            return answer, text.lstrip("\n").encode()

    # The answer

    def do(self, step, writes):
        method, path, item, operation = self.operations[step.operation]
        self.is_busy |= step.parameters.get("target") == "both"
        where = f"{step.operation} {step.status}"
        target = self.target(step, path, item, operation)
        body, sent = self.body(step, operation)
        contents = operation["responses"][str(step.status)].get("content", {})
        media = step.media if step.media is not None else next(iter(contents), "")
        wanted = self.example(contents[media]) if media else None
        headers = {name: self.value(value) for name, value in step.headers.items()}
        accept = step.parameters.get("accept", media)
        if accept:
            headers["Accept"] = accept
        events = wanted.count("\n\n") if media == STREAM and not writes else 2
        if media == STREAM and step.operation in ("getOperation", "listConditions",
                                                  "showCondition"):
            events = 1
        end = time.monotonic() + 20
        answer, raw = self.ask(method, target, body, sent, headers, events)
        while step.until and not step.until(json.loads(raw)) and time.monotonic() < end:
            time.sleep(0.02)
            answer, raw = self.ask(method, target, body, sent, headers, events)
        told = raw.decode("utf-8", "replace")
        self.check(answer.status == step.status,
                   f"{where}: {target} gave {answer.status} {told[:600]}")
        for name, header in (("tag", "ETag"), ("cursor", "Freshet-Cursor")):
            if answer.getheader(header):
                self.kept[name] = answer.getheader(header)
        self.seen |= {(step.operation, str(step.status), media)}
        described = operation["responses"][str(step.status)].get("headers", {})
        left_out = set(answer.headers.keys()) - COMMON - set(described)
        self.check(not left_out, f"{where}: {sorted(left_out)} are not described")
        if not media:
            return
        kind = (answer.getheader("Content-Type") or "").split(";")[0]
        self.check(kind == media, f"{where}: {kind} is not {media}")
        if media == JSON:
            came = json.loads(told)
            self.validate(where, contents[media]["schema"], came)
            for name, members in step.keeps.items():
                found = came
                for member in members.split("."):
                    found = found[int(member) if member.isdigit() else member]
                self.kept[name] = str(found)
        else:
            came = told if step.whole else told.split("\n")[0] + "\n"
        if media == JSON and not step.whole or media == "application/octet-stream":
            return
        if writes and (step.operation, step.status, media) not in self.written:
            self.written.add((step.operation, step.status, media))
            contents[media].pop("examples", None)
            contents[media]["example"] = self.named(came)
        if not writes:
            self.compare(where, wanted, self.named(came))

    def named(self, value):
        text = json.dumps(value, ensure_ascii=False)
        for actual, name in self.ports.items():
            text = re.sub(rf"(?<=:){actual}\b", name, text)
        return json.loads(text)

    def compare(self, where, wanted, came):
        def plain(value):
            text = value if isinstance(value, str) else json.dumps(
                value, ensure_ascii=False, separators=(",", ":"))
            if self.is_busy:
                text = re.sub(r'"revision":\d+', '"revision":N', text)
            return [form(line) for line in text.split("\n")]
        self.check(plain(wanted) == plain(came),
                   f"{where}: the example is\n    {plain(wanted)}\n"
                   f"and the answer\n    {plain(came)}")

    def validate(self, where, schema, value):
        from openapi_schema_validator import OAS31Validator
        whole = {**schema, "components": self.document["components"]}
        faults = [fault.message for fault in OAS31Validator(whole).iter_errors(value)]
        self.check(not faults, f"{where}: the answer does not fit its schema: {faults[:1]}")

    # All

    def run(self, writes):
        for step in STORY:
            self.do(step, writes)
        for name in ALONE:
            beside = {"depth": {"include": "*"}}.get(name, {})
            self.do(Step("searchEntities", whole=False, **{name: "=", **beside}), False)
        stated = {
            (name, status, media) for name, (_, _, _, operation) in self.operations.items()
            if name not in APART
            for status, answer in operation["responses"].items()
            if status < "400" and (name, status) not in APART_ANSWERS
            for media in answer.get("content", {}) or [""]
            if name not in WATCHED or media == JSON}
        self.check(stated <= self.seen, f"no step replays {sorted(stated - self.seen)}")


# Beside the forms of the documentation: a session and its ticket, and what a machine has.
MORE = [(r"\b[0-9a-z]{26}\b", "NUMBER"), (r'"(free|size|lag|pid|attempts)":\d+', r'"\1":N')]


def form(line):
    line = normal(line)
    for pattern, name in MORE:
        line = re.sub(pattern, name, line)
    return line
