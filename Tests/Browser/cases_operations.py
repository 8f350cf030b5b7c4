"""Operations, specifications, conditions and upstreams: why something runs, what a change would do, and whether a remote can be reached."""
import json
import os
import threading
import time
import urllib.parse

from cases_console import IDS, access, at, draw, go, gone, reaches, seen
from chromium import browser, case
from harness import Server, check, folder, same, soon
from upstream import Upstream, serving

MAIN = "document.querySelector('main').textContent"


def cell(id_, column):
    """The text of a row's cell under the header `column`."""
    return (f"(() => {{ const row = document.querySelector('main tr[data-id={json.dumps(id_)}]'); const at = [...row?.closest('table').querySelectorAll('thead th') ?? []]"
            f".findIndex((th) => th.dataset.name === {json.dumps(column)}); return row?.querySelectorAll('th, td')[at]?.textContent; }})()")


def shows(tab, id_, column, text):
    tab.until(f"({cell(id_, column)} ?? '').includes({json.dumps(text)})", shows=f"[{cell(id_, column)}, {MAIN}]")


def focus(tab, id_):
    tab.until(f"!!document.querySelector('main tr[data-id={json.dumps(id_)}]')", shows=MAIN)
    tab.run(f"document.querySelector('main tr[data-id={json.dumps(id_)}]').focus()")


def confirmed(tab):
    seen(tab, "confirm")
    tab.run("document.querySelector('[data-test=confirm] .danger').click()")
    gone(tab, "confirm")


def fetched(upstream, types, operations, conditions=None, specs=None, **settings):
    """A configuration of operations, each of a type of its own, that an upstream answers under `/TYPE`."""
    return {"upstreams": {"api": {"base": upstream.base, "retry": {"limit": 0}, **settings}},
            "types": {name: {"remote": {"upstream": "api", "search": {"path": f"/{name}"}}} for name in types},
            "conditions": conditions or {}, "specs": specs or {}, "operations": operations}


def rows(request):
    request.reply(200, [{"id": "1", "n": 1}, {"id": "2", "n": 2}])


# Edges and gates ---------------------------------------------------------------------------------

@case("a toggled condition turns the tree's node and the gate, and shows exactly one run")
def toggled(context):
    todos = {"type": "todo", "query": {"filter": "n > 0"}, "automatic": {"and": [{"active": "service"}, {"spec": "quiet"}]}, "stale": [{"age": "1h"}],
             "refetch": {"when": {"spec": "quiet"}, "requireSubscribers": False, "requireStale": False}}
    with Upstream(rows) as upstream, serving(context, fetched(upstream, ["todo"], {"todos": todos}, {"maintenance": {"initial": True}},
                                                             {"quiet": {"not": {"condition": "maintenance"}}})) as server:
        with at(server, "/operations") as table, at(server, "/operations/todos") as tab:
            shows(table, "todos", "automatic", "held by")
            shows(table, "todos", "automatic", "maintenance")
            seen(tab, "slot-automatic")
            node = "document.querySelector('[data-test=slot-automatic] [data-pointer=\"/specs/quiet\"] > .word').textContent"
            tab.until(f"{node} === 'false'", shows=MAIN)
            check("held by" in tab.text("facts") and "maintenance" in tab.text("facts"), f"the gate names the leaf: {tab.text('facts')}")
            same(tab.run("document.querySelectorAll('[data-test=runs] [data-test=row]').length"), 0, "runs")
            before = time.monotonic()
            server.ask("PATCH", "/v1/_conditions", {"maintenance": False}).is_(200)
            tab.until(f"{node} === 'true' && document.querySelector('[data-test=facts]').textContent.includes('open')", shows=MAIN)
            took = time.monotonic() - before
            print(f"      gate and node after {took * 1000:.0f} ms")
            check(not os.environ.get("FRESHET_BARS") or took <= 0.5, f"gate and node after {took:.2f} s")
            shows(table, "todos", "automatic", "open")
            tab.until("document.querySelectorAll('[data-test=runs] [data-test=row]').length === 1 && document.querySelector('[data-test=runs]').textContent.includes('S success')", shows=MAIN)
            shows(table, "todos", "lastRun.startedAt", "success")
            same((upstream.count("/todo"), server.get("/v1/_operations/todos").json["edges"]["runs"]), (1, 1), "runs")
            check("when" in tab.text("runs"), "the run's origin")
            # The way back: the gate shuts, nothing runs.
            server.ask("PATCH", "/v1/_conditions", {"maintenance": True}).is_(200)
            tab.until(f"{node} === 'false'", shows=MAIN)
            shows(table, "todos", "automatic", "held by")
            same(upstream.count("/todo"), 1, "fetches")
            # Its tree leads to the named specification, and that to its readers.
            tab.run("document.querySelector('[data-test=slot-automatic] a').click()")
            tab.until("location.hash === '#/specs/quiet'", shows="location.hash")
            tab.until("document.querySelector('[data-test=spec] .word')?.textContent === 'false'", shows=MAIN)
            server.ask("PATCH", "/v1/_conditions", {"maintenance": False}).is_(200)
            tab.until("document.querySelector('[data-test=spec] .word')?.textContent === 'true'", shows=MAIN)
            tab.run("(select => { select.value = 'todos'; select.dispatchEvent(new Event('change')); })(document.querySelector('[data-test=seen-by]'))")
            tab.until("location.hash === '#/specs/quiet?_of=todos'", shows="location.hash")
            tab.call("Page.reload")
            tab.until("document.querySelector('[data-test=seen-by]')?.value === 'todos'", shows=MAIN)


def random_spec(random, depth=0):
    if depth > 1 or random.random() < 0.4:
        leaf = {"condition": random.choice("abcd")}
        return leaf if random.random() < 0.6 else {"not": leaf}
    return {random.choice(["and", "or"]): [random_spec(random, depth + 1) for _ in range(random.randint(1, 3))]}


@case("what the forecast says of staged toggles is what then happens, and they are one commit")
def forecast(context):
    random = context.random
    names = [f"o{n}" for n in range(8)]
    for _ in range(3):
        operations = {name: {"type": name, "automatic": random_spec(random), "stale": [{"condition": random.choice("abcd")}], "refetch": {
            "when": random_spec(random), "requireSubscribers": False, "requireStale": random.random() < 0.5}} for name in names}
        specs = {f"s{n}": random_spec(random) for n in range(3)}
        with Upstream(rows) as upstream, serving(context, fetched(upstream, names, operations, {name: {} for name in "abcd"}, specs)) as server:
            with at(server, "/conditions") as tab:
                tab.until(f"{IDS}.length === 4", shows=MAIN)
                for _ in range(6):
                    chosen = random.sample("abcd", random.randint(1, 3))
                    for name in chosen:
                        focus(tab, name)
                        tab.press(" ")
                    tab.until(f"document.querySelectorAll('[data-test=staged-one]').length === {len(chosen)}", shows=MAIN)
                    seen(tab, "forecast-sentence")
                    staged = {name: not server.get(f"/v1/_conditions/{name}").json["value"] for name in chosen}
                    told = server.ask("POST", "/v1/_conditions/_forecast", staged).is_(200).json
                    runs = sorted(one["id"] for one in told["operations"] if one["runs"])
                    shown = ("[...document.querySelectorAll('[data-test=forecast-parts] li')].filter((li) => [...li.querySelectorAll('.word')].some(({ textContent }) => textContent === 'runs'))"
                             ".map((li) => li.querySelector('a').textContent).sort().join()")
                    tab.until(f"{shown} === {json.dumps(','.join(runs))}", shows=f"[{json.dumps(told)}, {shown}, {MAIN}]")
                    before = {name: upstream.count(f"/{name}") for name in names}
                    satisfied = {name: server.ask("POST", "/v1/_specs/evaluate", {"spec": {"spec": name}}).json["satisfied"] for name in specs}
                    browser().requests.clear()
                    tab.click("apply")
                    tab.until("document.querySelector('[data-test=staged]').hidden", shows=MAIN)
                    same(sum(1 for url, _ in browser().requests if url.endswith("/v1/_conditions")), 1, "requests that turn conditions")
                    for name, value in staged.items():
                        shows(tab, name, "value", str(value).lower())
                    soon(lambda: all(upstream.count(f"/{name}") > before[name] for name in runs), f"the runs {runs}")
                    soon(lambda: not any(one["isLoading"] for one in server.get("/v1/_operations").json["items"]), "the ends of the runs")
                    same(sorted(name for name in names for _ in range(upstream.count(f"/{name}") - before[name])), runs, f"what has run of {told}")
                    turned = {name: server.ask("POST", "/v1/_specs/evaluate", {"spec": {"spec": name}}).json["satisfied"] for name in specs}
                    same({one["name"]: one["to"] for one in told["specs"]}, {name: turned[name] for name in specs if turned[name] != satisfied[name]}, "specifications that turned")


# States ------------------------------------------------------------------------------------------

@case("states of Operations: empty, no value, loading, success, failure with its value, cancelled, switched off, gated, not configured; runs with their problems", 503, 404)
def states(context):
    with serving(context, {}) as server, at(server, "/operations") as tab:
        seen(tab, "empty")
    gate, fails = threading.Event(), threading.Event()

    def answer(request):
        if request.path.startswith("/slow"):
            gate.wait(60)
        if fails.is_set() and request.path.startswith("/todo"):
            return request.reply(503, {"detail": "<b>no</b>\u202e"})
        rows(request)

    operations = {"todos": {"type": "todo", "query": {"filter": "n > 0"}, "stale": [{"age": "1h"}]}, "slow": {"type": "slow"},
                  "shut": {"type": "todo", "query": {"filter": "n > 1 and title != '<b>x</b>\u202e'"}, "automatic": {"condition": "go"}, "admit": {"when": {"condition": "go"}}}}
    with Upstream(answer) as upstream, serving(context, fetched(upstream, ["todo", "slow"], operations, {"go": {}})) as server:
        with at(server, "/operations") as tab:
            shows(tab, "todos", "status", "idle")
            shows(tab, "todos", "valueUpdatedAt", "no value")
            shows(tab, "shut", "automatic", "held by")
            focus(tab, "todos")
            tab.press("R")
            tab.until("(document.querySelector('[data-test=ended]')?.textContent ?? '').includes('2 rows')", shows=MAIN)
            shows(tab, "todos", "status", "success")
            same(tab.run("document.activeElement.dataset.id"), "todos", "the focus stays")
            check(tab.run("!!document.querySelector('[data-id=todos] .bar[data-until]')"), "the age is a bar up to the time when it is stale")
            tab.press("i")
            shows(tab, "todos", "valueUpdatedAt", "invalidated")
            fails.set()
            tab.press("r")
            shows(tab, "todos", "status", "failure value kept")
            shows(tab, "todos", "failures", "1")
            focus(tab, "shut")
            tab.press("r")
            check("gated" in seen(tab, "problem"), f"a gated run says so: {tab.text('problem')}")
            focus(tab, "slow")
            tab.press("r")
            shows(tab, "slow", "status", "loading")
            server.ask("POST", "/v1/_operations/slow/cancel").is_(200)
            shows(tab, "slow", "lastRun.startedAt", "cancelled")
            tab.run("document.querySelector('[data-id=slow] [data-test=switch]').click()")
            shows(tab, "slow", "status", "switched off")
            same(server.get("/v1/_operations/slow/specs").json["active"], False, "the switch")
            server.put("/v1/_service/active", {"active": False}).is_(200)
            tab.until("document.querySelector('[data-test=service-switch]').textContent === 'off'", shows=MAIN)
            tab.click("service-switch")
            tab.until("document.querySelector('[data-test=service-switch]').textContent === 'on'", shows=MAIN)
            same(server.get("/v1/_service/active").json, {"active": True}, "the service's switch")
            server.get("/v1/todo?filter=n%3E5&source=remote")
            tab.until("[...document.querySelectorAll('main [data-test=row]')].some((row) => row.textContent.includes('not configured'))", shows=MAIN)
            # The address is the view.
            tab.press("/")
            tab.type("failures>0")
            tab.press("Enter")
            tab.until("decodeURIComponent(location.hash) === '#/operations?filter=failures>0'", shows="location.hash")
            tab.until(f"{IDS}.includes('todos') && !{IDS}.includes('slow')", shows=IDS)
            tab.call("Page.reload")
            tab.until(f"{IDS}.includes('todos') && !{IDS}.includes('slow')", shows=IDS)
            focus(tab, "todos")
            tab.press("Enter")
            tab.until("location.hash === '#/operations/todos'", shows="location.hash")
            tab.until("(document.querySelector('[data-test=facts]')?.textContent ?? '').includes('503')", shows=MAIN)
            same(tab.run("document.querySelectorAll('main :is(b, img, script)').length"), 0, "elements made by data")
            tab.until("document.querySelectorAll('[data-test=runs] [data-test=row]').length === 2", shows=MAIN)
            check(tab.text("runs").index("F failure") < tab.text("runs").index("S success"), "the newest run comes first")
            focus(tab, server.get("/v1/_operations/todos/runs").json["items"][0]["id"])
            tab.press("Enter")
            check("503" in seen(tab, "run"), f"a run's problem: {tab.text('run')}")
            tab.press("Escape")
            gone(tab, "run")
            tab.until("(document.querySelector('[data-test=definition]')?.textContent ?? '').includes('automatic')", shows=MAIN)
            same(tab.run("document.querySelector('[data-test=live-rows]').hash.startsWith('#/v1/todo?')"), True, "the link to its live rows")
            tab.press("c")
            seen(tab, "copy-as")
            tab.run("document.querySelector('[data-test=\"copy-run\"]').click()")
            same(tab.run("document.querySelector('[data-test=copy-text]').value"), f"curl -X POST '{tab.run('location.origin')}/v1/_operations/todos/run'", "an order as a command")
            tab.press("Escape")
            gone(tab, "copy-as")
            fails.clear()
            tab.click("run-button")
            tab.until("document.querySelector('[data-test=state]').textContent.startsWith('success')", shows=MAIN)
            tab.click("reset")
            confirmed(tab)
            tab.until("document.querySelector('[data-test=state]').textContent.startsWith('idle')", shows=MAIN)
            go(tab, "/operations/shut")
            tab.until("(document.querySelector('[data-test=definition]')?.textContent ?? '').includes('<b>x</b>') && document.querySelector('h1').textContent.includes('shut')", shows=MAIN)
            same(tab.run(f"[document.querySelectorAll('main b').length, {MAIN}.includes(String.fromCharCode(0x202e))]"), [0, False], "hostile texts")
            go(tab, "/operations/nothing")
            tab.until("document.querySelector('[data-test=state]')?.textContent.includes('no ') && location.hash.endsWith('nothing')", shows=MAIN)
        gate.set()


@case("states of controllers and of pages: halted, its last error, next page, page before, all", 404)
def driven(context):
    def answer(request):
        if request.path.startswith("/events"):
            return request.stream("event: bye\ndata: {}\n\n")
        page = urllib.parse.parse_qs(urllib.parse.urlsplit(request.path).query).get("page", ["1"])[0]
        request.reply(200, [{"id": f"{page}-{n}"} for n in range(2)] if int(page) < 3 else [])

    controller = {"sse": {"upstream": "api", "path": "/events"}, "attach": "always", "reduce": [{"on": "bye", "do": "halt"}]}
    with Upstream(answer) as upstream:
        configuration = fetched(upstream, [], {"led": {"type": "todo", "controllers": [controller]}, "book": {"type": "book", "kind": "pages", "query": {"limit": 2}}})
        configuration["types"] = {"todo": {"remote": {"upstream": "api", "search": {"path": "/todo"}}},
                                  "book": {"remote": {"upstream": "api", "search": {"path": "/book", "query": {"page": "{page}", "size": "{limit}"}}}}}
        with serving(context, configuration) as server, at(server, "/operations") as tab:
            shows(tab, "led", "controllers", "halted")
            go(tab, "/operations/led")
            tab.until("(document.querySelector('[data-test=controller]')?.textContent ?? '').includes('halted')", shows=MAIN)
            check("1 starts" in tab.text("controller"), f"its counts: {tab.text('controller')}")
            go(tab, "/operations/book")
            seen(tab, "next")
            for _ in range(2):
                before = server.get("/v1/_operations/book").json["valueVersion"]
                tab.click("next")
                soon(lambda: server.get("/v1/_operations/book").json["valueVersion"] > before, "a page")
                tab.until("document.querySelector('[data-test=next]').getAttribute('aria-busy') === null")
            tab.until("document.querySelector('[data-test=facts]').textContent.includes('Rows4')", shows=MAIN)
            before = upstream.count("/book")
            tab.click("all")
            soon(lambda: upstream.count("/book") >= before + 2, "all pages anew")


@case("conditions: none declared, staged by keyboard, expired and changed by another while staged, refused where nothing may be changed", 404)
def conditions(context):
    with serving(context, {}) as server, at(server, "/conditions") as tab:
        check('"conditions"' in seen(tab, "empty"), "how one is declared")
    names = {"maintenance": {"persist": True}, "constructor": {}, "night": {}}
    with Upstream(rows) as upstream, serving(context, fetched(upstream, ["todo"], {"todos": {"type": "todo", "automatic": {"spec": "open"}}}, names,
                                                             {"open": {"not": {"condition": "maintenance"}}})) as server:
        with at(server, "/conditions") as tab:
            tab.until(f"{IDS}.length === 3", shows=MAIN)
            shows(tab, "maintenance", "readers", "open")
            tab.until("(document.querySelector('[data-test=specs]')?.textContent ?? '').includes('open')", shows=MAIN)
            focus(tab, "maintenance")
            tab.press(" ")
            check("1 spec falls" in seen(tab, "forecast-sentence"), f"the forecast: {tab.text('forecast')}")
            tab.run("(span => { span.value = '10m'; span.dispatchEvent(new Event('change')); })(document.querySelector('[data-test=ttl]'))")
            # Another turns it meanwhile: what is staged stays, and says so.
            server.put("/v1/_conditions/maintenance", {"value": True}).is_(200)
            tab.until("document.querySelector('[data-test=staged-one]').textContent.includes('is so already')", shows=MAIN)
            server.put("/v1/_conditions/maintenance", {"value": False}).is_(200)
            tab.until("document.querySelector('[data-test=staged-one]').textContent.includes('changed by another')", shows=MAIN)
            same(tab.run("document.querySelector('[data-test=ttl]').value"), "10m", "what is staged")
            focus(tab, "constructor")
            tab.press(" ")
            tab.until("document.querySelector('[data-test=apply]').textContent === 'Turn 2 at once'", shows=MAIN)
            tab.click("apply")
            shows(tab, "constructor", "value", "true")
            shows(tab, "maintenance", "expiresAt", "in ")
            found = server.get("/v1/_conditions/maintenance").json
            check(found["value"] and found["expiresAt"], f"the condition with its time: {found}")
            same(tab.run("document.querySelector('[data-test=staged]').hidden"), True, "nothing is staged any more")
            # One falls back while somebody looks.
            server.put("/v1/_conditions/night", {"value": True, "ttl": "1500ms"}).is_(200)
            shows(tab, "night", "value", "true")
            focus(tab, "night")
            tab.press(" ")
            shows(tab, "night", "value", "expired at")
            tab.until("document.querySelector('[data-test=staged-one]').textContent.includes('has expired')", shows=MAIN)
            tab.click("unstage")
            tab.until("document.querySelector('[data-test=staged]').hidden", shows=MAIN)
            go(tab, "/conditions?_ro=1")
            focus(tab, "night")
            tab.press(" ")
            tab.until(f"{MAIN}.includes('_ro=1')", shows=MAIN)
            go(tab, "/specs/nothing")
            tab.until("location.hash.endsWith('nothing') && /no specification|not/i.test(document.querySelector('main').textContent)", shows=MAIN)


@case("upstreams: one that answers, slows, fails, limits, is gone; its probe; credential states from empty to critical and back", 404, 502, 503)
def upstreams(context):
    with serving(context, {}) as server, at(server, "/upstreams") as tab:
        seen(tab, "empty")
    mode, tokens = {"data": 200, "token": 200}, []

    def answer(request):
        if request.path == "/token":
            tokens.append(1)
            if mode["token"] != 200:
                return request.reply(mode["token"], {"code": "client_disabled"})
            return request.reply(200, {"access_token": f"t{len(tokens)}", "token_type": "Bearer", "expires_in": 3600})
        if request.path.startswith("/slow"):
            time.sleep(0.06)  # what the histogram is to show
        if mode["data"] == 429:
            return request.reply(429, {}, Retry_After="30")
        if mode["data"] != 200:
            return request.reply(mode["data"], {})
        request.reply(200, {"id": request.path.split("/")[-1], "n": 1})

    with Upstream(answer) as upstream:
        credential = {"type": "oauth2", "grant": "client_credentials", "tokenURL": upstream.base + "/token", "clientId": "c", "retryFailedAfter": "1m",
                      "criticalOn": [{"status": 403, "at": "/code", "is": "client_disabled"}]}
        configuration = {"upstreams": {
            "api": {"base": upstream.base, "retry": {"limit": 0}, "credential": credential},
            "probed": {"base": upstream.base, "retry": {"limit": 0}, "probe": {"path": "/healthz", "every": "1h", "rise": 1, "fall": 1}},
            "gone": {"base": "http://127.0.0.1:9", "retry": {"limit": 0}}},
            "types": {"w": {"remote": {"upstream": "api", "get": {"path": "/w/{id}"}}}, "s": {"remote": {"upstream": "probed", "get": {"path": "/slow/{id}"}}},
                      "g": {"remote": {"upstream": "gone", "get": {"path": "/g/{id}"}}}}}
        with serving(context, configuration) as server:
            with at(server, "/upstreams") as tab, at(server, "/upstreams/api") as one:
                shows(tab, "api", "link", "connected")
                shows(tab, "api", "healthy", "unknown")
                shows(tab, "api", "credential", "empty")
                state = "document.querySelector('[data-test=credential]')?.dataset.state"
                one.until(f"{state} === 'empty'", shows=MAIN)
                server.get("/v1/w/1?source=remote").is_(200)
                shows(tab, "api", "credential", "ready v1")
                one.until(f"{state} === 'ready' && document.querySelector('[data-test=credential]').textContent.includes('ready v1')", shows=MAIN)
                seen(one, "histogram")
                for n in range(3):
                    server.get(f"/v1/s/{n}?source=remote").is_(200)
                shows(tab, "probed", "latency.p50Ms", "ms")
                go(tab, "/upstreams/probed")
                tab.until("(document.querySelector('[data-test=histogram]')?.textContent ?? '').includes('to 100 ms')", shows=MAIN)
                tab.click("probe")
                check("200" in seen(tab, "probed"), f"what the probe met: {tab.text('probed')}")
                tab.until(f"{MAIN}.includes('Healthhealthy')", shows=MAIN)
                mode["data"] = 503
                tab.click("probe")
                tab.until(f"(document.querySelector('[data-test=probed]')?.textContent ?? '').includes('503') && {MAIN}.includes('unhealthy')", shows=MAIN)
                go(tab, "/upstreams")
                shows(tab, "probed", "healthy", "unhealthy")
                mode["data"] = 429
                server.get("/v1/w/2?source=remote")
                shows(tab, "api", "link", "limited")
                shows(tab, "api", "limitedUntil", "in ")
                server.get("/v1/g/1?source=remote")
                shows(tab, "gone", "link", "disconnected")
                focus(tab, "gone")
                tab.press("Enter")
                tab.until(f"location.hash === '#/upstreams/gone' && {MAIN}.includes('upstream-unreachable')", shows=MAIN)
                mode["data"] = 200
                # Tokens that are refused.
                one.click("forget-credential")
                confirmed(one)
                one.until(f"{state} === 'empty'", shows=MAIN)
                mode["token"] = 400
                server.get("/v1/w/3?source=remote")
                one.until(f"{state} === 'failed' && {MAIN}.includes('failed until')", shows=MAIN)
                one.click("store-credential")
                seen(one, "tokens")
                one.run("document.querySelector('[data-test=access-token]').focus()")
                one.type("operators-secret")
                one.press("Enter")
                gone(one, "tokens")
                one.until(f"{state} === 'ready'", shows=MAIN)
                check("operators-secret" not in one.run("document.documentElement.outerHTML"), "the token is not shown again")
                one.click("forget-credential")
                confirmed(one)
                mode["token"] = 403
                one.until(f"{state} === 'empty'", shows=MAIN)
                server.get("/v1/w/4?source=remote")
                one.until(f"{state} === 'critical'", shows=MAIN)
                go(one, "/upstreams")
                shows(one, "api", "credential", "critical")


@case("who lacks administration sees why: in the rail, on the pages and on what is not ordered", 403)
def forbidden(context):
    with folder() as data:
        path = access(data, ("blue", {"types": {"t": {"read": True}}}))
        with Server(context.binary, None, "--config", str(path)) as server:
            with at(server, "/operations", before="sessionStorage.setItem('freshet-token', 'blue-secret')") as tab:
                for place in ("/operations", "/conditions", "/upstreams", "/operations/todos", "/specs/open", "/upstreams/api"):
                    go(tab, place)
                    tab.until(f"location.hash === {json.dumps('#' + place)} && (document.querySelector('[data-test=problem]')?.textContent ?? '').includes('forbidden')", shows=MAIN)
                same(tab.run("[...document.querySelectorAll('#rail .off')].slice(0, 3).map(({ textContent }) => textContent)"), ["Operations", "Conditions", "Upstreams"], "greyed entries")
                check("admin" in tab.run("document.querySelector('#rail .off').title"), "the right that lacks")


@case("of more operations than are shown the page says how many, and gives more")
def many(context):
    with Upstream(rows) as upstream, serving(context, fetched(upstream, ["todo"], {f"o{n:03}": {"type": "todo", "query": {"filter": f"n > {n}"}} for n in range(520)})) as server:
        with at(server, "/operations") as tab:
            tab.until("document.querySelector('[data-test=status]')?.textContent === '500 of 520'", shows=MAIN)
            check(tab.run("document.querySelectorAll('tbody tr').length") <= 300, "rows in the document")
            tab.click("more")
            tab.until("document.querySelector('[data-test=status]').textContent === '520'", shows="document.querySelector('[data-test=status]').textContent")


# For everybody -----------------------------------------------------------------------------------

PLACES = [("operations", "/operations", "rows"), ("operation", "/operations/todos", "slot-automatic"), ("conditions", "/conditions", "specs"), ("spec", "/specs/open", "spec-node"),
          ("upstreams", "/upstreams", "rows"), ("upstream", "/upstreams/api", "histogram")]


def seeded(context, upstream):
    """A server whose pages have something to show."""
    operations = {"todos": {"type": "todo", "query": {"filter": "n > 0"}, "automatic": {"and": [{"active": "service"}, {"spec": "open"}]}, "stale": [{"age": "1m"}],
                            "refetch": {"when": {"spec": "open"}, "every": "5m", "requireSubscribers": False}},
                  "people": {"type": "person", "automatic": {"condition": "night-mode"}}, "broken": {"type": "broken"}}
    return serving(context, fetched(upstream, ["todo", "person", "broken"], operations, {"maintenance": {"persist": True}, "night-mode": {}},
                                    {"open": {"and": [{"connected": "api"}, {"not": {"condition": "maintenance"}}]}}))


@case("the pages of operations hold for every reader, and are drawn")
def reach(context):
    with Upstream(lambda request: request.reply(500, {}) if request.path.startswith("/broken") else rows(request)) as upstream, seeded(context, upstream) as server:
        for name in ("todos", "broken"):
            server.ask("POST", f"/v1/_operations/{name}/run?wait=1")
        with at(server, "/operations") as tab:
            for name, place, test in PLACES:
                reaches(tab, name, place, test)
            go(tab, "/conditions")
            focus(tab, "maintenance")
            tab.press(" ")
            reaches(tab, "staged", "/conditions", "forecast-sentence")
            tab.run("document.activeElement.blur()")
            for key, page in (("o", "operations"), ("u", "upstreams"), ("c", "conditions")):
                tab.press("g")
                tab.press(key)
                tab.until(f"location.hash === '#/{page}'", shows="location.hash")
        draw(server, PLACES)
