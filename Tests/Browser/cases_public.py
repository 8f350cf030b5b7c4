"""What pages of one's own use: /json.js, /live.js, /freshet.js, EventSource alone, and how they are served."""
import hashlib
import json
import os
import pathlib
import re
import signal
import time
import urllib.parse

from chromium import Browser, browser, case, refusing
from harness import Server, check, folder, same, soon

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def page(server, before=None):
    """A page of the server's origin without a script of its own, with the modules at hand."""
    tab = browser().open(f"{server.url}/livez", before)
    tab.run("Promise.all(['json', 'live', 'freshet'].map((name) => import(`/${name}.js`)))"
            ".then((modules) => { Object.assign(globalThis, ...modules); })")
    return tab


def shown(name):
    return f"JSON.stringify({name}.items.map((item) => [item.id, item.n]))"


def shows(tab, name, items):
    wanted = json.dumps(json.dumps(items, separators=(",", ":")))
    tab.until(f"{shown(name)} === {wanted}", shows=shown(name))


def streams(server, headers=None):
    return server.ask("GET", "/v1/_live", headers=headers).is_(200).json["streams"]


@case("EventSource alone watches a search, and resumes by itself after kill -9 and a restart", "lost")
def event_source(context):
    with folder() as data:
        with Server(context.binary, data) as server:
            server.put("/v1/tasks/1", {"n": 1})
            port = server.port
            tab = page(server)
            tab.run("""globalThis.events = [];
                globalThis.source = new EventSource('/v1/tasks?live=delta&order=n');
                for (const name of ['hello', 'snapshot', 'delta', 'sync', 'bye'])
                    source.addEventListener(name, (event) => events.push([name, event.lastEventId, JSON.parse(event.data)]));
                0""")
            tab.until("events.some(([name]) => name === 'snapshot')", shows="events")
            server.put("/v1/tasks/2", {"n": 2})
            tab.until("events.some(([name]) => name === 'delta')", shows="events")
            delta = tab.run("events.find(([name]) => name === 'delta')")
            same(delta[2]["place"], [["2", 1]], "placement")
            check(delta[1], "a delta has an id")
            server.kill()
            tab.run("events.length = 0")
        with Server(context.binary, data, port=port) as server:
            server.put("/v1/tasks/3", {"n": 3})
            tab.until("events.some(([name]) => ['snapshot', 'delta', 'sync'].includes(name))", shows="events")
            tab.until("events.some(([,, data]) => JSON.stringify(data.put ?? data.items ?? []).includes('\"n\":3'))",
                      shows="events")
            tab.close()


@case("two tabs share one connection, and one that closes leaves the other live")
def tabs(context):
    with Server(context.binary) as server:
        server.put("/v1/a/1", {"n": 1})
        server.put("/v1/b/1", {"n": 2})
        with page(server) as first:
            with page(server) as second:
                first.run("globalThis.one = live('/v1/a'); globalThis.two = live('/v1/b'); 0")
                second.run("globalThis.one = live('/v1/b?order=-n'); globalThis.two = live('/v1/a'); 0")
                for tab in (first, second):
                    tab.until("one.state === 'live' && two.state === 'live'",
                              shows="[one.state, two.state, one.problem, two.problem]")
                same(streams(server), 1, "connections of two tabs with two queries each")
                server.put("/v1/b/2", {"n": 3})
                shows(second, "one", [["2", 3], ["1", 2]])
                shows(first, "two", [["1", 2], ["2", 3]])
            server.put("/v1/a/2", {"n": 5})
            shows(first, "one", [["1", 1], ["2", 5]])
            same(streams(server), 1, "connections after a tab has closed")


@case("after kill -9 and a restart every query is exact again", "lost", 404)
def restart(context):
    with folder() as data:
        with Server(context.binary, data) as server:
            port = server.port
            server.put("/v1/a/1", {"n": 1})
            tab = page(server)
            tab.run("""globalThis.a = live('/v1/a'); globalThis.b = live('/v1/b?order=-n');
                globalThis.steps = [];
                a.addEventListener('change', ({ detail }) => steps.push([detail.entered, detail.left.length, detail.why ?? null])); 0""")
            tab.until("a.state === 'live' && b.state === 'live'", shows="[a.state, b.state]")
            server.kill()
            tab.until("a.state === 'reconnecting'", shows="a.state")
            tab.run("steps.length = 0")
        with Server(context.binary, data, port=port) as server:
            server.put("/v1/a/2", {"n": 2})
            server.put("/v1/b/1", {"n": 7})
            shows(tab, "a", [["1", 1], ["2", 2]])
            shows(tab, "b", [["1", 7]])
            tab.until("a.state === 'live' && b.state === 'live'", shows="[a.state, b.state]")
            same(tab.run("steps"), [[["2"], 0, None]], "what was told: no row twice")
            server.put("/v1/b/2", {"n": 8})
            shows(tab, "b", [["2", 8], ["1", 7]])
            tab.close()


@case("queries of a page step together: no change shows one commit half")
def cuts(context):
    with Server(context.binary) as server:
        def move(n):
            server.ask("POST", "/v1/_batch", {"operations": [
                {"set": {"type": "left", "entity": {"id": "x", "n": n}}},
                {"set": {"type": "right", "entity": {"id": "x", "n": -n}}}]}).is_(200)
        move(0)
        with page(server) as tab:
            tab.run("""globalThis.left = live('/v1/left'); globalThis.right = live('/v1/right?order=-n');
                globalThis.torn = []; globalThis.seen = 0;
                const look = () => queueMicrotask(() => setTimeout(() => {
                    seen++;
                    const sum = left.items[0].n + right.items[0].n;
                    if (sum) torn.push([left.items[0].n, right.items[0].n]);
                }));
                globalThis.watch = () => { for (const query of [left, right]) query.addEventListener('change', look); };
                0""")
            tab.until("left.state === 'live' && right.state === 'live'", shows="[left.state, right.state]")
            tab.run("watch()")
            for n in range(1, 101):
                move(n)
            tab.until("left.items[0].n === 100 && right.items[0].n === -100")
            same(tab.run("torn"), [], "states that no commit had")
            check(tab.run("seen") > 1, "changes were seen")


@case("random writes: what a page shows is what a fresh search answers")
def random_lives(context):
    random = context.random
    with Server(context.binary) as server, page(server) as tab:
        queries = ["/v1/t?order=n&limit=5", "/v1/t?filter=n>50&count=true", "/v1/t?order=-n,id&offset=2&limit=3",
                   "/v1/t?aggregate=count,sum(n)", "/v1/t?group=even", "/v1/t?filter=even==true&fields=n"]
        tab.run(f"globalThis.queries = {json.dumps(queries)}; globalThis.all = queries.map((url) => live(url)); 0")
        for _ in range(12):
            operations = []
            for _ in range(random.randint(1, 25)):
                key = str(random.randint(1, 30))
                if random.random() < 0.3:
                    operations.append({"remove": {"type": "t", "id": key}})
                else:
                    n = random.randint(0, 100)
                    operations.append({"set": {"type": "t", "entity": {"id": key, "n": n, "even": n % 2 == 0}}})
            for start in range(0, len(operations), 7):
                server.ask("POST", "/v1/_batch", {"operations": operations[start:start + 7]}).is_(200)
            tab.run("""Promise.all(queries.map((url) => fetch(url).then((answer) => answer.json())))
                .then((answers) => { globalThis.wanted = JSON.stringify(answers.map(
                    ({items, groups, aggregates, meta}) => [items ?? [], groups ?? null, aggregates ?? null, meta.total ?? null])); })""")
            held = ("JSON.stringify(all.map(({items, groups, aggregates, total}) =>"
                    " [items ?? [], groups ?? null, aggregates ?? null, total ?? null]))")
            tab.until(f"{held} === wanted", shows=f"[{held}, wanted]")


@case("rows are told apart by the text of their ids, and keep every digit")
def exact(context):
    far = 2 ** 53
    ids = [far - 1, far, far + 1, far + 2, -far - 1, "007", "7", "a\\\"]}", "constructor"]
    with Server(context.binary) as server, page(server) as tab:
        def body(key, number):
            return ('{"id":%s,"n":%s,"deep":{"a":[1,{"b":"]}\\""}],"id":5}}' % (json.dumps(key), number)).encode()

        def put(key, number):
            path = f"/v1/t/{urllib.parse.quote(str(key), safe='')}"
            check(server.ask("PUT", path, body(key, number)).status in (200, 201), f"PUT of {key}")
        for key in ids:
            put(key, "0.1000")
        tab.run("""globalThis.rows = live('/v1/t?live=delta'); globalThis.last = live('/v1/t?order=-id&limit=3');
            globalThis.groups = live('/v1/t?group=n'); globalThis.sum = live('/v1/t?aggregate=count'); 0""")

        def same_rows():
            items = server.ask("GET", "/v1/t").is_(200).body.decode()
            tab.until("rows.state === 'live' && rows.ids.map((id) => rows.text(id)).join() === "
                      + json.dumps(items[items.index("[") + 1:items.index('],"meta"')]),
                      shows="rows.ids.map((id) => rows.text(id)).join()")
        same_rows()
        tab.until("last.state === 'live' && groups.state === 'live' && sum.state === 'live'")
        same(tab.run("rows.ids"), [str(-far - 1), "7", str(far - 1), str(far), str(far + 1), str(far + 2),
                                   "007", "a\\\"]}", "constructor"], "ids")
        same(tab.run("rows.items.map(({ id }) => String(id))"), tab.run("rows.ids"), "ids of items")
        same(tab.run("groups.groups[0].items.map(({ id }) => String(id))"), tab.run("rows.ids"), "ids in groups")
        put(far, "1e400")
        put(far + 1, "1234567890123456789012345678901234567890")
        same_rows()
        server.ask("DELETE", f"/v1/t/{far}").is_(204)
        server.ask("DELETE", "/v1/t/constructor").is_(204)
        same_rows()
        same(tab.run(f"[rows.ids.includes('{far}'), rows.ids.includes('{far + 1}'), rows.text('{far}') ?? null]"),
             [False, True, None], "of two that are one in JavaScript, the one that was removed")
        # One id however its number is spelled: the server removes and places what it knows as 7, 1000 and 0.
        server.ask("POST", "/v1/t/_set", b'[{"id":7.0,"n":1},{"id":1e3,"n":1},{"id":-0,"n":1},{"id":70e-1,"n":2}]').is_(200)
        same_rows()
        check({"7", "1000", "0"} < set(tab.run("rows.ids")), "ids of numbers in all spellings")
        server.ask("PUT", "/v1/t/1000", {"id": 1000, "n": 3}).is_(200)
        for number in (7, 0):
            server.ask("DELETE", f"/v1/t/{number}").is_(204)
        same_rows()
        # One that joins what is watched already gets the same.
        tab.run("globalThis.late = live('/v1/t?live=delta'); 0")
        tab.until("late.state === 'live' && late.ids.map((id) => late.text(id)).join() === "
                  "rows.ids.map((id) => rows.text(id)).join()", shows="late.ids")


@case("the parts of a snapshot count when the last has come")
def parts(context):
    with Server(context.binary) as server, page(server) as tab:
        tab.run("import('/reducer.js').then(({ Reducer }) => { globalThis.reducer = new Reducer(); })")

        def apply(name, data):
            data = json.dumps(data, separators=(",", ":"))
            return tab.run(f"reducer.apply('{name}', {json.dumps(data)})")

        def ids():
            return tab.run("reducer.items.map((item) => String(item.id))")
        apply("snapshot", {"v": 3, "items": [{"id": 7}, {"id": "x"}], "total": 2, "part": 0, "more": False})
        same(apply("snapshot", {"v": 5, "items": [{"id": 1}], "total": 9, "part": 0, "more": True}), False, "news")
        same([ids(), tab.run("reducer.total")], [["7", "x"], 2], "what is shown behind one part")
        apply("delta", {"from": 3, "to": 4, "remove": {"7": "deleted"}, "place": [], "put": []})
        same(ids(), ["x"], "what is shown where the connection has resumed behind it")
        apply("snapshot", {"v": 6, "items": [{"id": 1}], "part": 0, "more": True})
        same(apply("snapshot", {"v": 6, "items": [{"id": 2}], "part": 1, "more": False}), True, "news")
        same(ids(), ["1", "2"], "both parts")


@case("a query at fault says its problem; the others of the page go on", 400, 404)
def fault(context):
    with Server(context.binary) as server, page(server) as tab:
        server.put("/v1/a/1", {"n": 1})
        tab.run("globalThis.good = live('/v1/a'); globalThis.bad = live('/v1/a?filter=n>'); 0")
        tab.until("good.state === 'live' && bad.state === 'failed'",
                  shows="[good.state, good.problem, bad.state, bad.problem]")
        same(tab.run("[bad.problem.code, bad.problem.detail.startsWith('query ')]"), ["bad-filter", False], "problem of the faulty query")
        server.put("/v1/a/1", {"n": 2})
        shows(tab, "good", [["1", 2]])
        tab.run("globalThis.late = live('/v1/a?filter=n>1'); globalThis.absent = live('/v1/_nothing'); globalThis.worse = live('/v1/a?limit=-1'); 0")
        shows(tab, "late", [["1", 2]])
        tab.until("absent.state === 'failed' && worse.state === 'failed'", shows="[absent.state, worse.state]")
        server.put("/v1/a/1", {"n": 3})
        shows(tab, "late", [["1", 3]])


@case("a query that another server alone has is refused by itself; the connection and the others go on")
def elsewhere(context):
    problem = {"code": "not-leader", "detail": "query 'q1': the server that leads has this stream", "leader": "http://10.0.0.2:8080"}
    with Server(context.binary) as server, page(server, refusing("/v1/_specs", 503, **problem)) as tab:
        server.put("/v1/a/1", {"n": 1})
        tab.run("""globalThis.good = live('/v1/a'); globalThis.states = [];
            good.addEventListener('state', () => states.push(good.state));
            globalThis.bad = live('/v1/_specs'); globalThis.late = live('/v1/a?order=-n'); 0""")
        tab.until("good.state === 'live' && late.state === 'live' && bad.state === 'failed'",
                  shows="[good.state, good.problem, bad.state, bad.problem, late.state]")
        same(tab.run("[bad.problem.code, bad.problem.leader]"), ["not-leader", "http://10.0.0.2:8080"], "the problem")
        server.put("/v1/a/2", {"n": 2})
        shows(tab, "good", [["1", 1], ["2", 2]])
        shows(tab, "late", [["2", 2], ["1", 1]])
        # One that joins a stream which is open already is refused by itself, too.
        tab.run("bad.close(); globalThis.again = live('/v1/_specs?limit=1'); 0")
        tab.until("again.state === 'failed'", shows="again.state")
        server.put("/v1/a/2", {"n": 3})
        shows(tab, "good", [["1", 1], ["2", 3]])
        same(tab.run("[states.includes('reconnecting'), refusals]"), [False, 2], "lost streams, and refusals")
        same(streams(server), 1, "connections")


@case("a list that the server cuts says so in what is shown")
def truncated(context):
    with Server(context.binary) as server, page(server) as tab:
        tab.run("""import('/reducer.js').then(({ Reducer }) => {
            globalThis.one = new Reducer(); globalThis.copy = new Reducer();
            one.apply('snapshot', '{"v":1,"items":[{"id":"a"}],"total":1,"part":0,"more":false,"truncated":true}');
            copy.apply('snapshot', one.snapshot); })""")
        same(tab.run("[one.truncated, copy.truncated]"), [True, True], "a cut list, and its copy for another tab")
        tab.run("""one.apply('snapshot', '{"v":2,"items":[],"part":0,"more":false}')""")
        same(tab.run("one.truncated"), False, "the whole list")


@case("raw events are told to who listens later, too: the last 200")
def late_frames(context):
    with Server(context.binary) as server, page(server) as tab:
        tab.run("globalThis.a = live('/v1/a'); 0")
        tab.until("a.state === 'live'")
        for n in range(230):
            server.put("/v1/a/1", {"n": n, "text": "x" * (100_000 if n == 229 else 1)})
        tab.until("a.items[0]?.n === 229", shows="a.items")
        tab.run("globalThis.events = []; globalThis.stop = frames(undefined, (frame) => events.push(frame)); 0")
        tab.until("events.some(({ kind, size }) => kind === 'delta' && size > 100000)", shows="events.map(({ kind }) => kind)")
        check(tab.run("events.length") <= 200, "at most 200")
        same(tab.run("events.every(({ text }) => text.length <= 65536)"), True, "long texts are cut")
        before = tab.run("events.length")
        server.put("/v1/a/1", {"n": -1})
        tab.until(f"events.length > {before} && a.items[0].n === -1", shows="events.length")
        tab.run("stop()")


@case("a server whose heartbeats are rare is asked for those that a page counts on")
def heartbeats(context):
    with Server(context.binary, None, "--limit-heartbeat", "60s") as server, page(server) as tab:
        tab.run("globalThis.a = live('/v1/a'); globalThis.events = []; frames(undefined, (frame) => events.push(frame)); 0")
        tab.until("events.some(({ kind }) => kind === 'hello')", shows="events.map(({ kind }) => kind)")
        same(tab.run("JSON.parse(events.find(({ kind }) => kind === 'hello').text).heartbeat"), 15, "seconds, as the stream says")


@case("a token in the script opens what it may read, and never stands in a URL", 403)
def token(context):
    secret = "browser-secret"
    with folder() as data:
        configuration = data / "freshet.json"
        configuration.write_text(json.dumps({"access": {"tokens": [
            {"name": "ui", "sha256": hashlib.sha256(secret.encode()).hexdigest(), "subject": "ui",
             "types": {"a": {"read": "n > 0", "write": True}}},
            {"name": "root", "sha256": hashlib.sha256(b"root-secret").hexdigest(), "admin": True,
             "types": {"*": {"read": True, "write": True}}}]}}))
        with Server(context.binary, None, "--config", str(configuration)) as server:
            root = {"Authorization": "Bearer root-secret"}
            for n in (0, 1):
                server.ask("PUT", f"/v1/a/{n}", {"n": n}, root)
            with page(server) as tab:
                tab.run(f"globalThis.mine = live('/v1/a', {{ token: '{secret}' }});"
                        f"globalThis.theirs = live('/v1/b', {{ token: '{secret}' }}); 0")
                tab.until("mine.state === 'live' && theirs.state === 'failed'",
                          shows="[mine.state, mine.problem, theirs.state, theirs.problem]")
                shows(tab, "mine", [["1", 1]])
                server.ask("PUT", "/v1/a/2", {"n": 2}, root)
                shows(tab, "mine", [["1", 1], ["2", 2]])
                same(streams(server, root), 1, "connections")
                items = server.ask("GET", "/v1/_live", headers=root).body
                check(secret.encode() not in items, "the operators' view has no token")


@case("no page is wider than a phone")
def narrow(context):
    with Server(context.binary) as server:
        server.put("/v1/a-type-with-a-long-name-that-may-not-break-the-page/1", {"n": 1})
        listed = re.findall(r"\]\((/docs/[^)]*)\.md\)", server.get("/llms.txt").body.decode())
        check(len(listed) > 20, f"pages: {listed}")
        with browser().open(f"{server.url}/docs") as tab:
            tab.call("Page.enable")
            tab.call("Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True})
            for path in ["/", "/docs", "/problems", "/problems/bad-filter", *listed]:
                tab.call("Page.navigate", {"url": server.url + path})
                tab.until(f"location.pathname === {json.dumps(path)} && document.readyState === 'complete'")
                wide = tab.run("document.documentElement.scrollWidth")
                check(wide <= 360, f"{path} is {wide} pixels wide")


def sample(page, kind, word):
    """The block of this kind in a page of the repository that has `word` in it."""
    text = (ROOT / page).read_text()
    found = [code for code in re.findall(rf"```{kind}\n(.*?)```", text, re.DOTALL) if word in code]
    check(len(found) == 1, f"{page} has {len(found)} samples with {word}")
    return found[0]


@case("the samples of README and documentation for a page show what they watch")
def samples(context):
    script = re.search(r"<script>(.*)</script>", sample("README.md", "html", "EventSource"), re.DOTALL)[1]
    page_of_live = "Sources/Policy/Server/Docs/live.md"
    plain = sample(page_of_live, "js", "EventSource")
    module = sample(page_of_live, "js", "import { live }").replace(
        'import { live } from "/live.js";', 'const { live } = await import("/live.js");')
    with Server(context.binary) as server:
        server.put("/v1/task/1", {"title": "Buy milk", "done": False})
        server.put("/v1/task/2", {"title": "Call home", "done": True})
        told = "globalThis.told = []; const show = (items) => told.push(items.map((x) => x.id).join());"
        count = "told.join(';')"
        for name, code in (
                ("README", script.replace("console.log(", "show(")),
                ("EventSource", plain), ("live.js", f"(async () => {{ {module} }})()")):
            with browser().open(f"{server.url}/livez") as tab:
                tab.run(f"{{ {told} {code} }} 0")
                tab.until(f"{count}.endsWith('1')", shows=count)
                server.put("/v1/task/2", {"title": "Call home", "done": False})
                tab.until(f"{count}.endsWith('1,2')", shows=f"'{name}: ' + {count}")
                server.put("/v1/task/2", {"title": "Call home", "done": True})
                tab.until(f"{count}.endsWith('1')", shows=count)


# How they are served -----------------------------------------------------------------------------

@case("old addresses of the page of a live query lead to the query")
def old_addresses(context):
    with Server(context.binary) as server:
        with browser().open(f"{server.url}/live.html#/v1/tasks?limit=3") as tab:
            tab.until("location.pathname === '/'", shows="location.href")
            same(tab.run("location.hash"), "#/v1/tasks?limit=3", "the fragment")


# JSON text ---------------------------------------------------------------------------------------

@case("places in JSON text are those of JSON.parse, and a splice changes one value alone")
def json_places(context):
    with Server(context.binary) as server, page(server) as tab:
        tab.run("""globalThis.value = (text, node) => node.members
                ? Object.fromEntries(node.members.map((one) => [one.name, value(text, one)]))
                : node.elements ? node.elements.map((one) => value(text, one)) : JSON.parse(text.slice(node.at, node.end));
            globalThis.read = (text) => {
                try { return { value: JSON.stringify(value(text, tree(text))) }; }
                catch (fault) { return { offset: fault.offset, isSyntax: fault instanceof SyntaxError }; }
            }; 0""")
        random = context.random

        def made(depth):
            kind = random.randrange(8 if depth else 5)
            if kind < 5:
                return [None, True, random.randrange(-9, 10 ** 6) / 4, "".join(random.sample('a"\\\n\u2028é😀', 3)), 7][kind]
            if kind == 5:
                return [made(depth - 1) for _ in range(random.randrange(4))]
            return {f'k"{index}': made(depth - 1) for index in range(random.randrange(4))}
        for _ in range(150):
            text = json.dumps(made(4), indent=random.choice([None, 1]), ensure_ascii=random.random() < 0.5)
            same(tab.run(f"read({json.dumps(text)}).value === JSON.stringify(JSON.parse({json.dumps(text)}))"), True, text)
            at = random.randrange(len(text))
            broken = text[:at] + random.choice('{}[],:"x1\\ ') + text[at + 1:]
            told = tab.run(f"read({json.dumps(broken)})")
            try:
                json.loads(broken, parse_constant=lambda name: 1 / 0)
            except (ValueError, ZeroDivisionError):
                check(told.get("isSyntax") and 0 <= told["offset"] <= len(broken.encode("utf-16-le")) // 2, f"{broken!r}: {told}")
            else:
                check("value" in told, f"{broken!r}: {told}")
        for text, pointer, value, wanted in [
                ('{"id": 9007199254740993, "price": 0.1000}', "/price", "0.25", '{"id": 9007199254740993, "price": 0.25}'),
                ('{"a":1,"b":2}', "/a", None, '{"b":2}'), ('{"a":1,"b":2}', "/b", None, '{"a":1}'), ('{"a":1}', "/a", None, "{}"),
                ('{\n  "a": 1\n}', "/b", "2", '{\n  "a": 1,\n  "b": 2\n}'), ("[1, 2]", "/-", "3", "[1, 2, 3]"),
                ('{"__proto__":{"x":1e400}}', "/__proto__/x", "2", '{"__proto__":{"x":2}}'), ('{"a/b":{"~":1}}', "/a~1b/~0", "2", '{"a/b":{"~":2}}'),
                ('{"":1}', "/", "2", '{"":2}'), (" 5 ", "", "6", " 6 "), ('{"a":1}', "/c", None, '{"a":1}')]:
            same(tab.run(f"splice({json.dumps(text)}, {json.dumps(pointer)}, {json.dumps(value)})"), wanted, f"splice of {pointer} in {text}")
        same(tab.run("tree('['.repeat(100000) + ']'.repeat(100000)).end"), 200000, "depth")


# The one connection ------------------------------------------------------------------------------

@case("twelve tabs share one stream, another token has its own, and closing ends what nobody watches")
def twelve_tabs(context):
    with Server(context.binary) as server:
        server.put("/v1/a/1", {"n": 1})
        tabs = [page(server) for _ in range(12)]
        for index, tab in enumerate(tabs):
            tab.run(f"globalThis.mine = live('/v1/a?limit={index % 4 + 1}'); 0")
        for tab in tabs:
            tab.until("mine.state === 'live'", shows="[mine.state, mine.problem]")
        same(streams(server), 1, "streams of twelve tabs")
        tabs[0].run("globalThis.other = live('/v1/a', { name: 'another' }); 0")
        tabs[0].until("other.state === 'live'")
        same(streams(server), 2, "streams with another worker")
        server.put("/v1/a/1", {"n": 2})
        for tab in tabs:
            shows(tab, "mine", [["1", 2]])
        for tab in tabs[1:]:
            tab.close()
        soon(lambda: server.ask("GET", "/v1/_live").json["subscriptions"] == 2, "the end of what nobody watches")
        tabs[0].run("mine.close(); other.close(); 0")
        soon(lambda: streams(server) == 0, "the end of the streams")
        tabs[0].close()


@case("without shared workers each tab has a stream of its own")
def no_workers(context):
    with Server(context.binary) as server:
        server.put("/v1/a/1", {"n": 1})
        with page(server, "delete globalThis.SharedWorker") as one, page(server, "delete globalThis.SharedWorker") as two:
            for tab in (one, two):
                tab.run("globalThis.mine = live('/v1/a'); 0")
                shows(tab, "mine", [["1", 1]])
            same(streams(server), 2, "streams")


@case("more than a hundred queries have a second session")
def many_queries(context):
    with Server(context.binary) as server, page(server) as tab:
        tab.run("globalThis.all = [...Array(130).keys()].map((n) => live(`/v1/a?filter=n==${n}`)); 0")
        tab.until("all.every(({ state }) => state === 'live')", shows="all.map(({ state, problem }) => problem ?? state)")
        same(streams(server), 2, "streams")
        server.put("/v1/a/1", {"n": 129})
        tab.until("all[129].items.length === 1")
        tab.run("all.slice(1).forEach((query) => query.close()); 0")
        soon(lambda: streams(server) == 1, "the end of the second")


# The minute that a hidden tab goes on, a hundred times as fast, and a page that says when it is hidden.
HIDING = """const plain = setTimeout;
    globalThis.setTimeout = (act, wait, ...rest) => plain(act, wait === 60000 ? 600 : wait, ...rest);
    let isHidden = false;
    Object.defineProperty(Document.prototype, 'hidden', { get: () => isHidden });
    globalThis.hide = (value) => { isHidden = value; document.dispatchEvent(new Event('visibilitychange')); };"""


@case("tabs that are hidden ask for nothing; the first that is seen again gets what it missed in one step")
def hidden(context):
    with Server(context.binary) as server:
        for n in range(5):
            server.put(f"/v1/a/{n}", {"n": n})
        with page(server, HIDING) as one, page(server, HIDING) as two:
            for tab, url in ((one, "/v1/a?order=-n"), (two, "/v1/a?filter=n>2")):
                tab.run(f"globalThis.mine = live('{url}'); globalThis.events = [];"
                        "frames(undefined, ({ kind }) => events.push(kind)); 0")
                tab.until("mine.state === 'live'")
            two.run("hide(true)")
            soon(lambda: server.ask("GET", "/v1/_live").json["subscriptions"] == 1, "the end of the hidden tab's query")
            server.put("/v1/a/9", {"n": 9})
            one.until("mine.items.length === 6")
            two.run("hide(false)")
            two.until("mine.items.length === 3 && mine.state === 'live'", shows="mine.items")
            # What the last of them watches is kept for it.
            two.run("hide(true)")
            soon(lambda: server.ask("GET", "/v1/_live").json["subscriptions"] == 1, "the end of the hidden tab's query")
            one.run("hide(true)")
            soon(lambda: streams(server) == 0, "the end of the stream")
            one.run("events.length = 0; globalThis.steps = [];"
                    "mine.addEventListener('change', ({ detail }) => steps.push(detail)); 0")
            for n in range(20):
                server.put("/v1/a/8", {"n": 10 + n})
            server.ask("DELETE", "/v1/a/0").is_(204)
            one.run("hide(false)")
            one.until("mine.items.length === 6 && mine.items[0].n === 29", shows="mine.items")
            same(one.run("steps.map(({ entered, changed, left, why }) => [entered, changed.length, left.map(({ id, reason }) => [id, reason]), why ?? null])"),
                 [[["8"], 0, [["0", "deleted"]], None]], "what the tab is told")
            same(one.run("events.filter((kind) => kind === 'delta' || kind === 'snapshot')"), ["delta"], "events of the query")


@case("a tab that sleeps while a request is under way loses nothing")
def asleep_amid_a_request(context):
    # Without workers a page's own requests are those of its session.
    slow = HIDING + """delete globalThis.SharedWorker;
        const ask = fetch;
        globalThis.wait = 0;
        globalThis.fetch = async (url, options) => {
            if (options?.method === 'PATCH') await new Promise((resolve) => plain(resolve, wait));
            return ask(url, options);
        };"""
    with Server(context.binary) as server:
        server.put("/v1/a/1", {"n": 0})
        with page(server, slow) as tab:
            tab.run("globalThis.mine = live('/v1/a'); 0")
            shows(tab, "mine", [["1", 0]])
            tab.run("wait = 2500; globalThis.other = live('/v1/b'); hide(true)")
            time.sleep(1)
            server.put("/v1/a/1", {"n": 1})
            server.put("/v1/a/2", {"n": 2})
            soon(lambda: streams(server) == 0, "the end of the stream")
            tab.run("wait = 0; hide(false)")
            server.put("/v1/a/3", {"n": 3})
            shows(tab, "mine", [["1", 1], ["2", 2], ["3", 3]])


@case("a write is waited for beside a hundred queries, a listener that throws ends no stream, another token ends those of the old", 401)
def public_edges(context):
    tokens = [{"name": name, "sha256": hashlib.sha256(name.encode()).hexdigest(), "admin": True} for name in ("one", "two")]
    with folder() as data:
        file = data / "freshet.json"
        file.write_text(json.dumps({"access": {"anonymous": {"*": {"read": True, "write": True}}, "tokens": tokens}}))
        with Server(context.binary, None, "--config", str(file)) as server, page(server) as tab:
            tab.run("""globalThis.first = live('/v1/a'); globalThis.thrown = 0;
                addEventListener('error', (event) => { thrown += 1; event.preventDefault(); });
                frames(undefined, () => { throw new Error('of the listener'); }); 0""")
            tab.until("first.state === 'live'")
            cursor = server.ask("PUT", "/v1/b/1", {}).is_(201).header("Freshet-Cursor")
            tab.run(f"""globalThis.reached = false; first.reaches('{cursor}').then(() => {{ reached = true; }});
                globalThis.all = [...Array(99).keys()].map((n) => live(`/v1/a?filter=n==${{n}}`)); 0""")
            tab.until("reached && all.every(({ state }) => state === 'live')", shows="[reached, all.map(({ state, problem }) => problem ?? state)]")
            tab.until("thrown > 0")
            tab.run("""keep(undefined, 'one'); globalThis.held = live('/v1/a', { token: 'one' }); 0""")
            tab.until("held.state === 'live'")
            tab.run("keep(undefined, 'two')")
            tab.until("held.state === 'failed'", shows="held.state")
            same(tab.run("[held.problem.code, first.state]"), ["signed-out", "live"], "who is told")
            same(tab.run("connect().patch('a', 1, {}, { ifMatch: undefined }).catch((fault) => fault.name)"), "TypeError", "a revision that is not known")


@case("what has changed is told: rows that entered, changed, moved and left, with reasons and old texts")
def changes(context):
    with Server(context.binary) as server, page(server) as tab:
        for n in (1, 2, 3):
            server.put(f"/v1/a/{n}", {"n": n})
        tab.run("""globalThis.mine = live('/v1/a?order=n&limit=3&filter=n>0'); globalThis.steps = [];
            mine.addEventListener('change', ({ detail }) => steps.push(detail)); 0""")
        tab.until("mine.state === 'live' && steps.length === 1")
        same(tab.run("[steps[0].entered, steps[0].why]"), [["1", "2", "3"], "initial"], "the first step")

        def step(method, path, body=None):
            tab.run("steps.length = 0")
            server.ask(method, path, body)
            tab.until("steps.length === 1", shows="steps")
            return tab.run("steps[0]")
        told = step("PUT", "/v1/a/2", {"n": 2, "x": True})
        same([told["changed"], told["entered"], told["left"]], [[{"id": "2", "old": '{"id":"2","n":2}'}], [], []], "a change")
        told = step("PUT", "/v1/a/0", {"n": 0.5})
        same([told["entered"], told["left"]], [["0"], [{"id": "3", "reason": "displaced", "old": '{"id":"3","n":3}'}]], "an insertion")
        told = step("PUT", "/v1/a/0", {"n": 2.5})
        same(told["moved"], ["0"], "a move")
        told = step("PATCH", "/v1/a/1", {"n": -1})
        same([told["left"], told["entered"]], [[{"id": "1", "reason": "unmatched", "old": '{"id":"1","n":1}'}], ["3"]], "out of the filter")
        told = step("DELETE", "/v1/a/2")
        same([one["reason"] for one in told["left"]], ["deleted"], "a removal")


@case("a row that the caller may no longer read leaves as forbidden", 403, 404)
def forbidden(context):
    def access(rule):
        return json.dumps({"access": {"tokens": [
            {"name": "ui", "sha256": hashlib.sha256(b"ui").hexdigest(), "types": {"a": {"read": rule}}},
            {"name": "root", "sha256": hashlib.sha256(b"root").hexdigest(), "admin": True, "types": {"*": {"read": True, "write": True}}}]}})
    with folder() as data:
        file = data / "freshet.json"
        file.write_text(access("n > 0"))
        with Server(context.binary, None, "--config", str(file)) as server, page(server) as tab:
            root = {"Authorization": "Bearer root"}
            for n in (1, 2):
                server.ask("PUT", f"/v1/a/{n}", {"n": n}, root)
            tab.run("""globalThis.mine = live('/v1/a', { token: 'ui' }); globalThis.left = [];
                mine.addEventListener('change', ({ detail }) => left.push(...detail.left.map(({ id, reason }) => [id, reason]))); 0""")
            tab.until("mine.items.length === 2", shows="[mine.state, mine.problem]")
            server.ask("PATCH", "/v1/a/1", {"n": -1}, root)
            tab.until("left.length === 1")
            same(tab.run("left"), [["1", "forbidden"]], "why the row left")
            file.write_text(access(False))
            server.signal(signal.SIGHUP)
            tab.until("mine.state === 'failed'", shows="[mine.state, mine.problem]")
            same(tab.run("mine.problem.code"), "forbidden", "the problem")


@case("a server that ends says so; the next one is found, and a new epoch is told", "lost", 404, 503)
def restarts(context):
    with Server(context.binary) as server:
        port = server.port
        server.put("/v1/a/1", {"n": 1})
        tab = page(server)
        tab.run("""globalThis.mine = live('/v1/a'); globalThis.steps = []; globalThis.kinds = [];
            frames(undefined, ({ kind }) => kinds.push(kind));
            mine.addEventListener('change', ({ detail }) => steps.push(detail)); 0""")
        tab.until("mine.state === 'live'")
        same(server.stop(), 0, "exit status")
        tab.until("mine.state === 'reconnecting' && kinds.includes('bye') && mine.retryAt > 0", shows="[mine.state, kinds]")
        same(tab.run("mine.items.length"), 1, "rows that stay")
        tab.run("steps.length = 0")
    with Server(context.binary, port=port) as server:
        server.put("/v1/a/2", {"n": 2})
        tab.run("reconnect()")
        tab.until("mine.state === 'live' && mine.ids.join() === '2'", shows="[mine.state, mine.ids]")
        same(tab.run("[steps[0].entered, steps[0].left.map(({ id }) => id), steps.length, steps[0].why]"), [["2"], ["1"], 1, "epoch"], "the step")
        tab.close()


@case("the tabs' token is in the worker's memory: given, found by a new tab, taken from all")
def shared_token(context):
    with Server(context.binary) as server, page(server) as one:
        with page(server) as two:
            same(one.run("kept()"), None, "at first")
            two.run("globalThis.told = []; onToken(undefined, (token) => told.push(token)); keep(undefined, 'secret')")
            one.until("kept().then((token) => token === 'secret')")
            two.until("told.length >= 1")
            one.run("keep(undefined, null)")
            two.until("told.at(-1) === null", shows="told")
            same(two.run("kept()"), None, "at the end")
            same(two.run("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]).includes('secret')"),
                 False, "whether it stands anywhere")


# The client --------------------------------------------------------------------------------------

@case("the client's calls are those of the API, digit for digit", 404, 409, 412, 422, 400)
def client(context):
    with Server(context.binary) as server, page(server) as tab:
        tab.run("globalThis.db = connect(); globalThis.failed = (work) => work.then(() => null, (fault) => fault)")
        made = tab.run("db.set('task', { title: 'first' })")
        check(made["id"] and made["revision"] == 1 and made["changed"] and "." in made["cursor"], f"created: {made}")
        text = '{"id":9007199254740993,"n":0.1000,"big":1e400}'
        same(tab.run(f"db.set('task', raw('{text}')).then(({{ id }}) => id)"), "9007199254740993", "id")
        same(server.get("/v1/task/9007199254740993").body.decode().strip(), text, "what is stored")
        same(tab.run("db.get('task', '9007199254740993').then((task) => [task.id, db.text(task), db.revision(task)])"),
             ["9007199254740993", text, 2], "what is read")
        same(tab.run("db.set('task', { id: 12345678901234567n, of: [raw('1.50')] }).then(() => db.get('task', '12345678901234567')).then((task) => db.text(task))"),
             '{"id":12345678901234567,"of":[1.50]}', "a bigint and a raw member")
        same(tab.run("db.patch('task', 7, {}).then(null, ({ status, code }) => [status, code])"), [404, "not-found"], "a patch of nothing")
        tab.run("db.set('task', { id: 7, title: 'x' })")
        same(tab.run("db.patch('task', 7, { title: 'y' }, { ifMatch: 1 }).then(null, (fault) =>"
                     " [fault instanceof FreshetProblem, fault.status, fault.code, fault.currentText, fault.current.title, !!fault.requestId, !!fault.hint])"),
             [True, 412, "precondition-failed", '{"id":7,"title":"x"}', "x", True, True], "a conflict")
        same(tab.run("db.get('task', 7).then((task) => db.patch('task', 7, { title: 'y' }, { ifMatch: db.revision(task) })).then(({ id, changed }) => [id, changed])"),
             ["7", True], "a patch")
        same(tab.run("db.set('task', { id: 7, title: 'y' }).then(({ changed }) => changed)"), False, "a write that changes nothing")
        same(tab.run("db.set('task', { id: 7 }, { ifNoneMatch: '*' }).then(null, ({ status }) => status)"), 412, "what is there")
        once = "db.set('note', { n: 1 }, { key: 'k1' }).then(({ id }) => id)"
        same(tab.run(once), tab.run(once), "an idempotent repeat")
        results = tab.run("db.batch([{ set: { type: 'a', entity: raw('{\"id\":9007199254740995}') } }, { set: { type: 'b', entity: { id: 'x' } } }])")
        same([one["id"] for one in results], ["9007199254740995", "x"], "results of a batch")
        tab.run("db.batch([...Array(250).keys()].map((n) => ({ set: { type: 'many', entity: { id: n, n } } })))")
        same(tab.run("(async () => { let sum = 0; for await (const { n } of db.all('many', { limit: 100, filter: 'n >= 10' })) sum += n; return sum; })()"),
             sum(range(10, 250)), "all pages")
        everything = "(async (params) => { const seen = []; for await (const { n } of db.all('many', params)) seen.push(n); return seen; })"
        same(tab.run(f"{everything}({{ distinct: 'n', order: 'n' }})"), [*range(250)], "all distinct values")
        same(tab.run(f"{everything}({{ ids: [5, 4, 3, 999, 2, 1], limit: 2 }})"), [5, 4, 3, 2, 1], "all of some ids")
        same(tab.run(f"{everything}({{ ids: [...Array(150).keys()] }})"), [*range(150)], "ids without a limit, each once")
        same(tab.run(f"{everything}({{ offset: '10', order: 'n' }})"), [*range(10, 250)], "all but the first")
        same(tab.run(f"{everything}({{ distinct: 'n', order: 'n', offset: '240', limit: 3 }})"), [*range(240, 250)], "the last distinct values")
        same(tab.run(f"{everything}({{ limit: 0 }})"), [], "none")
        same(tab.run(f"(async () => {{ const {{ meta }} = await db.search('many', {{ limit: 50 }}); return {everything}({{ after: meta.next, limit: 50 }}); }})()"),
             [*range(50, 250)], "all behind a page")
        same(tab.run(f"{everything}({{ group: 'n' }}).then(null, (fault) => fault.name)"), "TypeError", "groups are no rows")
        same(tab.run("(async () => { for await (const { id } of db.all('_conditions')) return id; })()"), None, "a list without pages")
        same(tab.run("db.set('task', { id: 7, title: 'y' }, { headers: { Prefer: 'return=minimal' } }).then(({ id }) => id)"), "7", "a write that is answered with nothing")
        same(tab.run("db.set('note', { n: 2 }, { headers: { Prefer: 'return=minimal' } }).then(({ id }) => db.get('note', id)).then(({ n }) => n)"), 2, "the same without an id")
        same(tab.run("db.set('task', raw('{\"id\":7.0,\"title\":\"y\"}')).then(({ id }) => id)"), "7", "a spelling of an id")
        found = tab.run("db.search('many', { order: '-n', limit: 2, count: true, fields: ['n'] })")
        same([[item["id"] for item in found["items"]], found["meta"]["total"]], [[249, 248], 250], "a search")
        same(tab.run("db.search('many', { ids: [3, 1] }).then(({ items }) => items.map(({ id }) => id))"), [3, 1], "ids")
        same(tab.run("db.search('many', { filter: 'n >' }).then(null, ({ code, errors }) => [code, errors[0].offset])"), ["bad-filter", 3], "a bad filter")
        same(tab.run("db.remove('many', { filter: 'n < 3' }).then(({ removed }) => removed)"), ["0", "1", "2"], "a removal by query")
        same(tab.run("db.remove('many', 3).then(({ id, changed }) => [id, changed])"), ["3", True], "a removal")
        same(tab.run("db.request('GET', '/v1/many/4').then(({ status, text, json }) => [status, text.trim(), json.n])"), [200, '{"id":4,"n":4}', 4], "a request")
        same(tab.run("db.remove('strange', 'a/#?% ü').then(({ id }) => id)"), "a/#?% ü", "an id of many signs")


@case("a query reaches a write of the client, also one that changes nothing of it", "lost", 404)
def reaches(context):
    with folder() as data:
        with Server(context.binary, data) as server:
            port = server.port
            tab = page(server)
            tab.run("globalThis.db = connect(); globalThis.open = db.live('task', { filter: 'done == false' }); 0")
            tab.until("open.state === 'live'", shows="[open.state, open.problem]")
            same(tab.run("db.set('task', { id: 1, done: false }).then(({ cursor }) => open.reaches(cursor)).then(() => open.ids)"), ["1"], "rows")
            same(tab.run("db.set('task', { id: 2, done: true }).then(({ cursor }) => open.reaches(cursor)).then(() => open.ids)"), ["1"], "rows")
            same(tab.run("db.set('other', { id: 2 }).then(({ cursor }) => open.reaches(cursor)).then(() => 'there')"), "there", "another type's write")
            server.kill()
            tab.until("open.state === 'reconnecting'")
            same(tab.run("db.set('task', { id: 3 }).then(null, ({ status, code, outcome }) => [status, code, outcome])"), [0, "no-answer", "unknown"], "a lost write")
        with Server(context.binary, data, port=port) as server:
            tab.run("reconnect()")
            tab.until("open.state === 'live'", shows="[open.state, open.problem]")
            same(tab.run("db.set('task', { id: 4, done: false }).then(({ cursor }) => open.reaches(cursor)).then(() => open.ids.join())"), "1,4", "rows after a restart")
            tab.close()


@case("a query that shows nothing yet reaches no cursor")
def reaches_by_rows(context):
    with Server(context.binary) as server, page(server) as tab:
        tab.run("""globalThis.own = new Connection(location.origin); globalThis.first = own.watch('/v1/t', {}); 0""")
        tab.until("first.state === 'live'")
        # The change of the session waits at the page's door, and what stands meanwhile is told of.
        tab.run("""globalThis.doors = []; globalThis.plain = fetch;
            globalThis.fetch = async (url, options) => {
              if (options?.method === 'PATCH') await new Promise((open) => doors.push(open));
              return plain(url, options);
            };
            globalThis.second = own.watch('/v1/t?filter=n>0', {}); globalThis.reached = null; 0""")
        tab.until("doors.length === 1")
        cursor = server.put("/v1/t/1", {"n": 1}).header("Freshet-Cursor")
        tab.run(f"second.reaches('{cursor}').then(() => {{ reached = second.ids.join(); }}); 0")
        tab.until("first.ids.length === 1 && first.syncedAt")
        tab.run("new Promise((soon) => setTimeout(soon, 50))")
        same(tab.run("[second.at ?? null, reached]"), [None, None], "what the query without rows says")
        tab.run("globalThis.fetch = plain; for (const open of doors) open(); 0")
        tab.until("reached === '1'", shows="[second.state, second.at, reached]")


@case("a query that slept while its session was lost begins anew when it wakes", 404)
def slept(context):
    with Server(context.binary) as server, page(server) as tab:
        server.put("/v1/t/1", {"n": 1})
        tab.run("""globalThis.plain = fetch;
            globalThis.fetch = (url, options) => {
              if (options?.method === 'PATCH') globalThis.path = new URL(url).pathname;
              return plain(url, options);
            };
            import('/session.js').then(({ Session }) => {
            const tab = () => ({ isAwake: true, post({ batch }) {
              for (const [number, messages] of batch) for (const [name, data] of messages) {
                if (name === 'snapshot' || name === 'delta') (this.told ??= []).push([number, name, data]);
                if (name === 'state' && data.state) this.state = data.state;
              } } });
            globalThis.session = new Session(location.origin, undefined, undefined, { frame() {}, ended() {} });
            globalThis.sleeper = tab(); globalThis.other = tab();
            globalThis.mine = session.watch('/v1/t?order=n', sleeper, 0); session.watch('/v1/u', other, 0); })""")
        tab.until("mine.state === 'live' && mine.reducer.ids.length === 1")
        tab.run("sleeper.isAwake = false; session.settle(); 0")
        soon(lambda: server.ask("GET", "/v1/_live").json["subscriptions"] == 1, "the end of the sleeper's query")
        same(tab.run("sleeper.state"), "connecting", "what the sleeper is told")
        server.put("/v1/t/2", {"n": 2})
        server.put("/v1/u/1", {"n": 1})
        tab.until("other.told?.some(([, name]) => name === 'delta')")
        # The session ends while both are awake again: what slept has not seen what the other has.
        tab.run("sleeper.told = []; sleeper.isAwake = true; 0")
        server.ask("DELETE", tab.run("path")).is_(204)
        tab.until("mine.state === 'live' && mine.reducer.ids.join() === '1,2'", 20, shows="[mine.state, mine.reducer.ids]")
        same(tab.run("sleeper.told.map(([, name]) => name)"), ["snapshot"], "what the sleeper is told when it wakes")


@case("other origins have a client where the server allows them, in pages and in workers", "lost", 401, 403, elsewhere=True)
def elsewhere(context):
    secret = hashlib.sha256(b"far").hexdigest()
    with folder() as data, Server(context.binary) as home:
        file = data / "freshet.json"
        file.write_text(json.dumps({"access": {"tokens": [{"name": "far", "sha256": secret, "types": {"*": {"read": True, "write": True}}}]}}))
        with Server(context.binary, None, "--config", str(file), "--allow-origin", home.url) as far, \
                Server(context.binary) as closed, page(home) as tab:
            tab.run(f"globalThis.db = connect('{far.url}', {{ token: 'far' }}); globalThis.open = db.live('task', {{ order: 'id' }}); 0")
            tab.until("open.state === 'live'", shows="[open.state, open.problem]")
            same(tab.run("db.set('task', { id: 1 }).then(({ cursor }) => open.reaches(cursor)).then(() => open.ids)"), ["1"], "rows")
            same(tab.run(f"connect('{far.url}').get('task', 1).then(null, ({{ status, code }}) => [status, code])")[0] in (0, 401), True, "without a token")
            same(tab.run(f"connect('{closed.url}').set('task', {{ id: 1 }}).then(null, ({{ status }}) => status)"), 0, "without permission")
            same(closed.get("/v1").json["types"], [], "what the other has stored")
            worker = f"""import('{home.url}/freshet.js').then(async ({{ connect }}) => {{
                const open = connect('{far.url}', {{ token: 'far' }}).live('task');
                open.addEventListener('sync', () => postMessage(open.ids)); }});"""
            tab.run(f"globalThis.told = []; new Worker(URL.createObjectURL(new Blob([{json.dumps(worker)}], {{ type: 'text/javascript' }}))).onmessage = ({{ data }}) => told.push(data.join()); 0")
            tab.until("told.includes('1')", shows="told")


@case("the types of the modules have what the modules export")
def types_agree(context):
    with Server(context.binary) as server, page(server) as tab:
        declared = server.get("/freshet.d.ts").body.decode()
        names = set(re.findall(r"^export (?:function|const|class) (\w+)", declared, re.MULTILINE))
        exported = set(tab.run("Promise.all(['json', 'live', 'freshet'].map((name) => import(`/${name}.js`))).then((all) => all.flatMap(Object.keys))"))
        same(names, exported, "exports")
        for kind, made in (("Client", "connect()"), ("LiveQuery", "live('/v1/t')")):
            body = re.search(rf"interface {kind}\b.*?\{{\n(.*?)\n\}}", declared, re.DOTALL)[1]
            members = set(re.findall(r"^  (?:readonly )?(\w+)", body, re.MULTILINE)) - {"addEventListener"}
            has = set(tab.run(f"(() => {{ const made = {made}; return [...Object.keys(made), ...Object.getOwnPropertyNames(Object.getPrototypeOf(made))]; }})()"))
            same(members - has, set(), f"members of {kind} that the module lacks")
            same(has - members - {"constructor", "take"}, set(), f"members of {kind} that the types lack")


@case("a name that leads to the server by a foreign DNS is refused: page, request and stream", 421)
def rebinding(context):
    other = Browser("--host-resolver-rules=MAP evil.example 127.0.0.1")
    try:
        for flags in ([], ["--open"]):
            with Server(context.binary, None, *flags) as server:
                server.put("/v1/a/1", {"n": 1})
                with other.open(f"http://evil.example:{server.port}/v1/a") as tab:
                    check("host-not-allowed" in tab.run("document.body.textContent"), "the page is refused")
                    same(tab.run("Promise.all(['/v1/a', '/live.js', '/v1/a?live=1', '/console/main.js'].map((path) => fetch(path).then(({ status }) => status)))"),
                         [421] * 4, "requests")
                    tab.run("globalThis.ended = false; new EventSource('/v1/a').onerror = ({ target }) => { ended = target.readyState === 2; }; 0")
                    tab.until("ended")
    finally:
        other.end()
