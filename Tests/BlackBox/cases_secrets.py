"""operations.md 1 and 5: what the configuration keeps secret is told to nobody, whatever an upstream says."""
import base64
import contextlib
import html
import json
import os
import urllib.parse

from cases_control import event, soon
from harness import case, check, folder
from upstream import Upstream, serving

# What a header can carry, and every writer of text escapes.
KEY = 'Kx7"q\\w/e+r=t&y<u>i%z 8vB2nM4'
COOKIE = "c0ok1eSessionValue0123456789"
PASSWORD = "hunter2hunter3hunter4"
CLIENT = "cl1ent~s3cret*w1th+signs&more"
REFRESH = "rEfReSh0123456789abcdefghijk"
OUTER = "0uTeR-client-secret-zyxwvuts"
BASIC = base64.b64encode(f"user:{PASSWORD}".encode()).decode()
SHOWN = 7


def pieces(text):
    """Everything of a text that is too much to show."""
    return {text[at:at + SHOWN + 1].lower() for at in range(len(text) - SHOWN)}


def readings(text):
    """A text as it stands, and as who undoes escapes reads it."""
    found = [text]
    for undo in (urllib.parse.unquote_plus, urllib.parse.unquote, html.unescape, undo_json):
        found += [undo(one) for one in list(found)]
    return [one.lower() for one in set(found)]


def undo_json(text):
    return text.replace('\\"', '"').replace("\\/", "/").replace("\\\\", "\\")


class Echo:
    """An upstream that says back whatever it was sent, in every place of an answer."""

    def __init__(self):
        self.tokens, self.sent = 0, []

    def answer(self, request):
        sent = [value for name, value in request.headers.items()
                if name.lower() in ("authorization", "cookie", "x-api-key")]
        body = request.body.decode()
        if body:
            sent += [body] + [value for values in urllib.parse.parse_qs(body).values() for value in values]
        for value in list(sent):
            if value.startswith("Basic "):
                with contextlib.suppress(ValueError):
                    sent.append(base64.b64decode(value[6:]).decode())
        self.sent = sent
        said = " | ".join(sent)
        path = request.path.partition("?")[0]
        if path == "/token":
            return self.token(request, said)
        if path == "/events":
            return request.stream(
                event("oops", {"detail": said}) + event("worse", said.replace("\n", " "))
                + event("put", "no JSON " + said) + event(said[:200], "{}") + event("put", {"id": said * 20}))
        if path == "/notevents":
            return request.reply(200, said.encode(), Content_Type=f"text/plain; x={said}")
        if path == "/v1/q":
            return request.stream(event("fault", {"detail": said, "final": False, "code": said}))
        way = path.rpartition("/")[2]
        forms = {
            "plain": said, "cut": "x" * (190 - len(said) % 7) + said, "many": said * 40,
            "percent": " ".join(urllib.parse.quote(one, safe="") for one in sent),
            "form": " ".join(urllib.parse.quote_plus(one) for one in sent),
            "lower": said.lower(), "json": json.dumps(sent), "slashed": json.dumps(sent).replace("/", "\\/"),
            "page": html.escape(said), "base64": " ".join(base64.b64encode(one.encode()).decode() for one in sent[:0]) + said,
            "shortened": " ".join(one[:24] + "..." for one in sent),
        }
        if way in forms:
            return request.reply(503 if "busy" in request.path else 400, forms[way].encode())
        if way == "status":
            request.send_response(400, said)
            request.send_header("Content-Length", "0")
            return request.end_headers()
        if way == "type":
            return request.reply(200, said.encode(), Content_Type=f"text/html-{said}")
        if way == "away":
            return request.reply(302, said.encode(), Location="http://other.test/" + urllib.parse.quote(said))
        if way == "along" and "said" not in request.path:
            return request.reply(302, b"", Location=request.path + "?said=" + urllib.parse.quote(said))
        if way == "unreadable":
            return request.reply(200, ('{"id":"1","' + said).encode())
        if way == "broken":
            request.send_response(400)
            request.send_header("Content-Length", "100000")
            request.end_headers()
            request.wfile.write(said[:-3].encode())
            request.close_connection = True
            return None
        if way == "refused" or way == "along":
            return request.reply(401, said.encode(), WWW_Authenticate=f'Bearer error="{sent[0][:50]}"')
        return request.reply(503, said.encode())

    def token(self, request, said):
        self.tokens += 1
        if self.tokens % 4 == 2:
            return request.reply(400, {"error": said, "error_description": said})
        if self.tokens % 4 == 3:
            return request.reply(200, said.encode())
        request.reply(200, {"access_token": f"acc3ssT0ken{self.tokens}{'z' * 20}", "refresh_token": REFRESH + "Rotated",
                            "expires_in": 3600})


WAYS = ["plain", "cut", "many", "percent", "form", "lower", "json", "slashed", "page", "shortened", "status",
        "type", "away", "along", "unreadable", "broken", "refused", "other"]


def configuration(upstream, place):
    def file(name, text):
        (place / name).write_text(text + "\n")
        return {"file": str(place / name)}

    oauth = {"type": "oauth2", "grant": "refresh_token", "tokenURL": upstream.base + "/token", "clientId": "me",
             "clientSecret": file("client", CLIENT), "refreshToken": file("refresh", REFRESH), "clientAuth": "body",
             "retryFailedAfter": "1ms",
             "outer": {"type": "oauth2", "grant": "client_credentials", "tokenURL": upstream.base + "/token",
                       "clientId": "you", "clientSecret": file("outer", OUTER), "clientAuth": "basic",
                       "retryFailedAfter": "1ms"}}
    common = {"base": upstream.base, "retry": {"limit": 0}}
    upstreams = {
        "keyed": {**common, "headers": {"X-Api-Key": file("key", KEY), "Cookie": {"env": "ECHO_COOKIE"},
                                        "Accept-Language": "plainwords"}},
        "basic": {**common, "headers": {"Authorization": file("basic", "Basic " + BASIC)}},
        "oauth": {**common, "credential": oauth}}
    types, operations = {}, {}
    reduce = [{"on": "oops", "do": "error"}, {"on": "worse", "do": "error", "data": "/none"},
              {"on": "*", "do": "upsert"}]
    pause = {"exponential": "20ms", "max": "100ms"}
    for name in upstreams:
        types[name] = {"remote": {"upstream": name, "get": {"path": "/w/{id}"}, "search": {"path": "/busy/{filter.way}"},
                                  "create": {"method": "POST", "path": "/w/plain"},
                                  "update": {"method": "PUT", "path": "/{id}/plain"}}}
        for path in ("events", "notevents"):
            operations[f"{name}-{path}"] = {"type": name, "query": {"filter": f"way=='{path}'"}, "controllers": [
                {"sse": {"upstream": name, "path": "/" + path}, "attach": "always", "onFault": "fail",
                 "reduce": reduce, "reconnect": pause}]}
        types[name + "s"] = {}
        operations[f"{name}-follow"] = {"type": name + "s", "controllers": [
            {"freshet": {"upstream": name, "query": "/v1/q"}, "attach": "always", "reconnect": pause}]}
    return {"upstreams": upstreams, "types": types, "operations": operations}


@case("no secret of the configuration stands in an answer, a state, an event or the log, whatever an upstream echoes")
def echoes(context):
    echo, told = Echo(), []
    os.environ["ECHO_COOKIE"] = f"session={COOKIE}; theme=dark"
    try:
        with Upstream(echo.answer) as upstream, folder() as place:
            file = configuration(upstream, place)
            with serving(context, file, "--log-level", "debug", data=place / "d") as s:
                def tell(what, text):
                    told.append((what, text if isinstance(text, str) else text.decode()))

                def ask(method, path, body=None, headers=None):
                    answer = s.ask(method, path, body, headers)
                    tell(f"{method} {path}", json.dumps(answer.headers) + answer.body.decode())
                    return answer

                for name in file["upstreams"]:
                    live = urllib.parse.quote(f"way=='plain'")
                    with s.watch(f"/v1/{name}?filter={live}&source=localThenRemote&live=delta") as stream:
                        found = stream.until("source")
                        while found[2].get("state") not in ("failed", "degraded", None) and not found[2].get("problem"):
                            found = stream.until("source")
                        tell(f"source event of {name}", json.dumps(found))
                    for way in WAYS:
                        ask("GET", f"/v1/{name}/{way}?source=remote")
                        filter_ = urllib.parse.quote(f"way=='{way}'")
                        for source in ("remote", "remoteOrLocal", "localOrRemote"):
                            ask("GET", f"/v1/{name}?filter={filter_}&source={source}")
                    ask("PUT", f"/v1/{name}/new?target=remote", {"a": 1})
                    ask("PUT", f"/v1/{name}/newer?target=both&wait=remote", {"a": 1})
                    ask("GET", f"/v1/_upstreams/{name}/credential")
                ask("PUT", "/v1/_upstreams/oauth/credential", {"accessToken": "0perator" + COOKIE[::-1]})
                for way in WAYS:
                    ask("GET", f"/v1/oauth/{way}?source=remote")
                soon(lambda: all(
                    s.get(f"/v1/_operations/{name}-{kind}").json["error"]
                    for name in ("keyed", "basic") for kind in ("events", "notevents", "follow")), "the streams' faults")
                for path in ("_operations", "_upstreams", "_outbox", "_types", "_conditions"):
                    ask("GET", f"/v1/{path}")
                for one in json.loads(s.get("/v1/_operations").body)["items"]:
                    ask("GET", f"/v1/_operations/{urllib.parse.quote(one['id'], safe='')}")
                ask("GET", "/metrics")
                check(s.alive(), "the program goes on")
                with open(s.log.name, "rb") as log:
                    tell("the log", log.read())
        secrets = [KEY, COOKIE, PASSWORD, BASIC, CLIENT, REFRESH, REFRESH + "Rotated", OUTER, "0perator" + COOKIE[::-1],
                   base64.b64encode(f"you:{urllib.parse.quote(OUTER, safe='*-._')}".encode()).decode()]
        secrets += [f"acc3ssT0ken{number}{'z' * 20}" for number in range(1, echo.tokens + 1)]
        found = set()
        for what, text in told:
            for reading in readings(text):
                for secret in secrets:
                    if any(piece in reading for piece in pieces(secret)):
                        found.add(f"{what}: {secret}")
        check(not found, f"{len(found)} secrets are told, such as {sorted(found)[:12]}")
        shown = [text for _, text in told if '"excerpt"' in text and "***" in text]
        check(len(shown) > 30, f"only {len(shown)} excerpts were masked")
        check(any("***" in text for what, text in told if what == "the log"), "the log tells of the streams' faults")
    finally:
        del os.environ["ECHO_COOKIE"]
